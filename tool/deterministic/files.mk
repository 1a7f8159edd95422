# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/canonical.c %D%/canonical.h \
	%D%/chance.c %D%/chance.h \
	%D%/clock.c %D%/clock.h \
	%D%/cpuinsn.c %D%/cpuinsn.h \
	%D%/family.c %D%/family.h \
	%D%/outside.c %D%/outside.h \
	%D%/placement.c %D%/placement.h \
	%D%/processor.c %D%/processor.h \
	%D%/randoms.c %D%/randoms.h \
	%D%/reading.c %D%/reading.h \
	%D%/registers.h \
	%D%/sysanswer.c %D%/sysanswer.h \
	%D%/sysfile.c %D%/sysfile.h \
	%D%/timeanswer.c %D%/timeanswer.h \
	%D%/timedwait.c %D%/timedwait.h \
	%D%/timer.c %D%/timer.h

# What unit tests link.
HOST_SOURCES += \
	%D%/processor.c %D%/processor.h \
	%D%/randoms.c %D%/randoms.h
