# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/difference_test \
	%D%/limit_test \
	%D%/metric_test \
	%D%/mostly_test \
	%D%/owncode_test \
	%D%/pythonshare_test \
	%D%/regionpair_test
