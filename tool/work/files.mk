# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/insnevents.c %D%/insnevents.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/references.c %D%/references.h \
	%D%/state.h \
	%D%/worktable.c %D%/worktable.h
