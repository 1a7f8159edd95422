# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/reader.h %D%/cpython.c \
	%D%/frames.c %D%/frames.h %D%/framewatch.c

TESTED_TOOL_SOURCES += %D%/layout.c %D%/layout.h
