# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/report.c \
	%D%/reportcode.c \
	%D%/reportviews.c

TESTED_COMMAND_SOURCES += \
	%D%/alignment.c

REPORT_SOURCES += \
	%D%/report.h \
	%D%/reportdata.c \
	%D%/reportlines.c \
	%D%/reportpage.c \
	%D%/reportrows.c \
	%D%/reportsources.c \
	%D%/reporttree.c
