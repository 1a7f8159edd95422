# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/operations_test \
	%D%/waits_test
