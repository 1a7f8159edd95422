# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/codeobject.c %D%/codeobject.h \
	%D%/demangle.c %D%/demangle.h

FETCH_SOURCES += \
	%D%/fetcher.c %D%/fetcher.h

NO_FETCH_SOURCES += \
	%D%/fetcher_none.c

OBJECT_SOURCES += \
	%D%/disassembly.c %D%/disassembly.h \
	%D%/elffile.c %D%/elffile.h \
	%D%/elfsymbols.c %D%/elfsymbols.h \
	%D%/linetable.c %D%/linetable.h \
	%D%/objectfile.c %D%/objectfile.h
