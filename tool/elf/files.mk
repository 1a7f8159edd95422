# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += %D%/elfopen.c

# These work on bytes alone.
TESTED_TOOL_SOURCES += \
	%D%/compressed.c \
	%D%/corereads.c \
	%D%/debugfile.c %D%/debugfile.h \
	%D%/dwarf.c %D%/dwarf.h \
	%D%/dwarfunit.c %D%/dwarfunit.h \
	%D%/elfobject.c %D%/elfobject.h \
	%D%/symbolindex.c %D%/symbolindex.h
