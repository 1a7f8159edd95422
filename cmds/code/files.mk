# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/callwork.c %D%/callwork.h \
	%D%/codechoice.c %D%/codechoice.h \
	%D%/codelisting.c %D%/codelisting.h \
	%D%/codeobject.c %D%/codeobject.h \
	%D%/codework.c %D%/codework.h \
	%D%/demangle.c %D%/demangle.h \
	%D%/disassembly.h \
	%D%/machinecode.c %D%/machinecode.h \
	%D%/objectfile.h \
	%D%/searchpath_rc.c

TESTED_COMMAND_SOURCES += \
	%D%/searchpath.c %D%/searchpath.h \
	%D%/vectorinsn.c %D%/vectorinsn.h

REPORT_SOURCES += \
	%D%/read_policy.c %D%/read_policy.h \
	%D%/sourcetext.c %D%/sourcetext.h

FETCH_SOURCES += \
	%D%/fetcher.c %D%/fetcher.h

NO_FETCH_SOURCES += \
	%D%/fetcher_none.c

OBJECT_SOURCES += \
	%D%/disassembly.c \
	%D%/elffile.c %D%/elffile.h \
	%D%/elfsymbols.c %D%/elfsymbols.h \
	%D%/insneffects.c %D%/insneffects.h \
	%D%/linetable.c %D%/linetable.h \
	%D%/objectfile.c
