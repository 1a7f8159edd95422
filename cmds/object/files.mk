# SPDX-License-Identifier: GPL-3.0-or-later

OBJECT_SOURCES += \
	%D%/codeobject.c %D%/codeobject.h \
	%D%/disassembly.c %D%/disassembly.h \
	%D%/elf.c %D%/elf.h \
	%D%/objectfile.c %D%/objectfile.h

FETCH_SOURCES += \
	%D%/fetcher.c

NO_FETCH_SOURCES += \
	%D%/fetcher_none.c
