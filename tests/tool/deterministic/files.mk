# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/processor_test \
	%D%/randoms_test
