# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += %D%/elfopen.c

# Of nothing but bytes.
TESTED_TOOL_SOURCES += \
	%D%/compressed.c %D%/compressed.h \
	%D%/corereads.c \
	%D%/debugcursor.c %D%/debugcursor.h \
	%D%/debugfile.c %D%/debugfile.h \
	%D%/dwarf.c %D%/dwarf.h \
	%D%/dwarfunit.c %D%/dwarfunit.h \
	%D%/elfobject.c %D%/elfobject.h \
	%D%/elfsource.c %D%/elfsource.h \
	%D%/elftables.c %D%/elftables.h \
	%D%/lineprogram.c %D%/lineprogram.h \
	%D%/littleendian.h \
	%D%/symbolindex.c %D%/symbolindex.h
