# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/deterministic.c %D%/deterministic.h \
	%D%/random_source.c %D%/random_source.h \
	%D%/clock.c %D%/clock.h \
	%D%/cpuinsn.c %D%/cpuinsn.h \
	%D%/process_tree.c %D%/process_tree.h \
	%D%/nondeterminism.c %D%/nondeterminism.h \
	%D%/placement.c %D%/placement.h \
	%D%/descriptor_reads.c %D%/descriptor_reads.h \
	%D%/sysanswer.c %D%/sysanswer.h \
	%D%/timeanswer.c %D%/timeanswer.h \
	%D%/timedwait.c %D%/timedwait.h

TESTED_TOOL_SOURCES += \
	%D%/processor.c %D%/processor.h \
	%D%/splitmix.c %D%/splitmix.h
