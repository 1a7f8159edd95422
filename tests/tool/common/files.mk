# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/numbers_test \
	%D%/pattern_test
