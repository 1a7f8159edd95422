# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/arc.c %D%/arc.h \
	%D%/callcost.c %D%/callcost.h \
	%D%/callhook.c %D%/callhook.h \
	%D%/calls.c %D%/calls.h \
	%D%/collection.c %D%/collection.h \
	%D%/interpreted.c \
	%D%/region.c %D%/region.h \
	%D%/stack_seed.c \
	%D%/systime.c %D%/systime.h \
	%D%/thread.c %D%/thread.h

TESTED_TOOL_SOURCES += \
	%D%/callstack.c %D%/callstack.h \
	%D%/calltree.c %D%/calltree.h
