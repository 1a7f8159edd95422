# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/elfimage_test \
	%D%/elfnote_test \
	%D%/namesakes_test
