# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/clock.c \
	%D%/descriptor_reads.c \
	%D%/deterministic.c %D%/deterministic.h \
	%D%/sysanswer.c \
	%D%/timecalls.c

TESTED_TOOL_SOURCES += \
	%D%/processor.c %D%/processor.h \
	%D%/splitmix.h
