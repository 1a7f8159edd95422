# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/builds.c %D%/builds.h \
	%D%/corename.c %D%/corename.h \
	%D%/corereader.c %D%/corereader.h \
	%D%/fnrule.c %D%/fnrule.h \
	%D%/inlinee.c %D%/inlinee.h \
	%D%/namedcode.c %D%/namedcode.h \
	%D%/ownfile.c %D%/ownfile.h \
	%D%/symbol.c %D%/symbol.h \
	%D%/syscallname.c %D%/syscallname.h

TESTED_TOOL_SOURCES += \
	%D%/elfimage.c %D%/elfimage.h \
	%D%/elfnote.c %D%/elfnote.h \
	%D%/namesakes.c %D%/namesakes.h
