# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/expression_test \
	%D%/name_rules_test \
	%D%/symbolname_test
