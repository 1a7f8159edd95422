# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h %D%/reader.h \
	%D%/cpython.c %D%/cpython.h \
	%D%/frames.c %D%/frames.h \
	%D%/framewatch.c %D%/framewatch.h

TESTED_TOOL_SOURCES += %D%/layout.c %D%/layout.h
