# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/codename_test \
	%D%/jitdump_test \
	%D%/perfmap_test
