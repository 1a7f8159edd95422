# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/reader_error_test \
	%D%/reader_test \
	%D%/roundtrip_test \
	%D%/source_test

noinst_HEADERS += \
	%D%/reader_log.h
