# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/merge.c %D%/merge.h \
	%D%/series.c \
	%D%/statistics.c

TESTED_COMMAND_SOURCES += \
	%D%/merger.c %D%/merger.h \
	%D%/column_stats.c %D%/column_stats.h
