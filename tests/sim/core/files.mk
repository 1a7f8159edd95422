# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/core_test \
	%D%/coretables_test \
	%D%/instructiontable_test
