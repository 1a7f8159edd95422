# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/report.c \
	%D%/reportbranches.c %D%/reportbranches.h \
	%D%/reportchange.c %D%/reportchange.h \
	%D%/reportcode.c \
	%D%/reportplacement.c %D%/reportplacement.h \
	%D%/reportroofline.c \
	%D%/reportviews.c %D%/reportviews.h

TESTED_COMMAND_SOURCES += \
	%D%/alignment.c %D%/alignment.h

REPORT_SOURCES += \
	%D%/report.h \
	%D%/reportdata.c \
	%D%/reportlines.c \
	%D%/reportpage.c \
	%D%/reportrows.c \
	%D%/reportsources.c \
	%D%/reporttree.c
