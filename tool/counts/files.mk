# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/hot.h \
	%D%/state.h \
	%D%/block.c %D%/block.h \
	%D%/context.c %D%/context.h \
	%D%/jump.c %D%/jump.h \
	%D%/counters.c %D%/counters.h \
	%D%/levels.c %D%/levels.h \
	%D%/site.c %D%/site.h
