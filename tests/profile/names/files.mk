# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/expression_test \
	%D%/normal_test \
	%D%/symbolname_test
