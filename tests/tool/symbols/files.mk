# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/build_id_test \
	%D%/elfimage_test \
	%D%/namesakes_test
