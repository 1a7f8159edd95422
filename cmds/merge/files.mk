# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/dropin_merge.c \
	%D%/merge.c %D%/merge.h \
	%D%/merger.c %D%/merger.h \
	%D%/series.c \
	%D%/spread.c %D%/spread.h \
	%D%/statistics.c

# What unit tests link.
HOST_SOURCES += \
	%D%/merger.c %D%/merger.h \
	%D%/spread.c %D%/spread.h
