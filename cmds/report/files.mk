# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/report.c \
	%D%/reportbranches.c %D%/reportbranches.h \
	%D%/reportchange.c %D%/reportchange.h \
	%D%/reportcode.c %D%/reportcode.h \
	%D%/reportobjects.c \
	%D%/reportplacement.c %D%/reportplacement.h \
	%D%/reportprofile.c %D%/reportprofile.h \
	%D%/reportroofline.c \
	%D%/reporttypes.c %D%/reportviews.h

TESTED_COMMAND_SOURCES += \
	%D%/alignment.c %D%/alignment.h

REPORT_SOURCES += \
	%D%/reportdata.c %D%/reportdata.h \
	%D%/reportevents.c %D%/reportevents.h \
	%D%/reportlines.c %D%/reportlines.h \
	%D%/reportnames.c %D%/reportnames.h \
	%D%/reportpage.c %D%/reportpage.h \
	%D%/reportparts.c %D%/reportparts.h \
	%D%/reportrows.c %D%/reportrows.h \
	%D%/reportsources.c %D%/reportsources.h \
	%D%/reporttable.c %D%/reporttable.h \
	%D%/reporttree.c %D%/reporttree.h
