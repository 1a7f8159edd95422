# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/rank_set_test \
	%D%/region_test \
	%D%/scan_test
