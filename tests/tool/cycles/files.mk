# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/kernels_test \
	%D%/operations_test \
	%D%/waits_test
