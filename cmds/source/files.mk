# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/searchpath.c %D%/searchpath.h

REPORT_SOURCES += \
	%D%/read_policy.c %D%/read_policy.h \
	%D%/sourcetext.c %D%/sourcetext.h
