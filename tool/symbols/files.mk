# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/builds.c %D%/builds.h \
	%D%/corereader.c \
	%D%/fnrule.c \
	%D%/inlinee.c \
	%D%/namedcode.c %D%/namedcode.h \
	%D%/ownfile.c %D%/ownfile.h \
	%D%/symbol.c %D%/symbol.h \
	%D%/syscallname.c

TESTED_TOOL_SOURCES += \
	%D%/elfimage.c %D%/elfimage.h \
	%D%/namesakes.c %D%/namesakes.h
