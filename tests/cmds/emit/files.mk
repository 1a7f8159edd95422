# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/arrows_test \
	%D%/document_test \
	%D%/shortname_test
