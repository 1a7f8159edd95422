# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/arc.c %D%/arc.h \
	%D%/callcontext.c %D%/callcontext.h \
	%D%/callcost.h \
	%D%/callhook.c %D%/callhook.h \
	%D%/calls.c %D%/calls.h \
	%D%/codeunit.c %D%/codeunit.h \
	%D%/collection.c %D%/collection.h \
	%D%/fnhook.c %D%/fnhook.h \
	%D%/inner_cost.c %D%/inner_cost.h \
	%D%/interpreted.c %D%/interpreted.h \
	%D%/latecost.c %D%/latecost.h \
	%D%/newcall.c %D%/newcall.h \
	%D%/region.c %D%/region.h \
	%D%/stack_seed.c %D%/stack_seed.h \
	%D%/shortcut.c %D%/shortcut.h \
	%D%/stacktree.c %D%/stacktree.h \
	%D%/systime.c %D%/systime.h \
	%D%/thread.c %D%/thread.h

TESTED_TOOL_SOURCES += \
	%D%/callstack.c %D%/callstack.h \
	%D%/calltree.c %D%/calltree.h
