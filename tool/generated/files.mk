# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/gdbjit.c \
	%D%/generated.c %D%/generated.h \
	%D%/jitfiles.c \
	%D%/state.h

# These work on bytes alone.
TESTED_TOOL_SOURCES += %D%/jitformats.c %D%/jitformats.h
