# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/hostcaches_test \
	%D%/hostmachine_test \
	%D%/machinecosts_test \
	%D%/machinefile_test \
	%D%/presets_test

noinst_HEADERS += \
	%D%/cpuid_tables.h
