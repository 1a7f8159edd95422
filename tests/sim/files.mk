# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/branch_test \
	%D%/cache_test \
	%D%/cores_test \
	%D%/geometry_test \
	%D%/hierarchy_test \
	%D%/machine_models_test \
	%D%/machine_test \
	%D%/machineprefetch_test \
	%D%/machinetlbs_test \
	%D%/mattson_test \
	%D%/lastlevel_test \
	%D%/policies_test \
	%D%/policy_test \
	%D%/policyname_test \
	%D%/prefetch_test \
	%D%/prefetchers_test \
	%D%/inclusion_test \
	%D%/tlb_test

noinst_HEADERS += \
	%D%/drawing.h \
	%D%/machine_pair.h \
	%D%/pair_states.h \
	%D%/naive_cache.h \
	%D%/naive_cores.h \
	%D%/naive_levels.h \
	%D%/naive_lastlevel.h \
	%D%/naive_policy.h \
	%D%/pair_steps.h \
	%D%/test_policies.h \
	%D%/traffic.h \
	%D%/two_levels.h
