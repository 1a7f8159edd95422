# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/searchpath.c %D%/sources.h

REPORT_SOURCES += \
	%D%/read_policy.c \
	%D%/sourcetext.c
