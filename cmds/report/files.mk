# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/alignment.c %D%/alignment.h \
	%D%/codepair.c %D%/codepair.h \
	%D%/report.c \
	%D%/reportchange.c %D%/reportchange.h \
	%D%/reportcode.c %D%/reportcode.h \
	%D%/reportdata.c %D%/reportdata.h \
	%D%/reportlines.c %D%/reportlines.h \
	%D%/reportnames.c %D%/reportnames.h \
	%D%/reportpage.c %D%/reportpage.h \
	%D%/reportparts.c %D%/reportparts.h \
	%D%/reportprofile.c %D%/reportprofile.h \
	%D%/reportrows.c %D%/reportrows.h \
	%D%/reportsources.c %D%/reportsources.h \
	%D%/reporttable.c %D%/reporttable.h \
	%D%/reporttree.c %D%/reporttree.h

# What unit tests link.
HOST_SOURCES += \
	%D%/alignment.c %D%/alignment.h

# What writes the data of a report, but for machine code, and its page; for its fuzz target.
REPORT_SOURCES += \
	%D%/reportdata.c \
	%D%/reportlines.c \
	%D%/reportnames.c \
	%D%/reportpage.c \
	%D%/reportparts.c \
	%D%/reportrows.c \
	%D%/reportsources.c \
	%D%/reporttable.c \
	%D%/reporttree.c
