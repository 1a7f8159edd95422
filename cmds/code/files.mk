# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/read_policy.c %D%/read_policy.h \
	%D%/callwork.c %D%/callwork.h \
	%D%/codechoice.c %D%/codechoice.h \
	%D%/codelisting.c %D%/codelisting.h \
	%D%/codeobject.c %D%/codeobject.h \
	%D%/codework.c %D%/codework.h \
	%D%/disassembly.h \
	%D%/machinecode.c %D%/machinecode.h \
	%D%/objectfile.h \
	%D%/searchpath.c %D%/searchpath.h \
	%D%/sourcetext.c %D%/sourcetext.h

DISASSEMBLY_SOURCES += \
	%D%/disassembly.c \
	%D%/vectorinsn.c %D%/vectorinsn.h

ELF_SOURCES += \
	%D%/elffile.c %D%/elffile.h \
	%D%/elfsymbols.c %D%/elfsymbols.h \
	%D%/linetable.c %D%/linetable.h \
	%D%/objectfile.c

NO_DISASSEMBLY_SOURCES += \
	%D%/disassembly_none.c

NO_ELF_SOURCES += \
	%D%/objectfile_none.c

# What unit tests link.
HOST_SOURCES += \
	%D%/vectorinsn.c %D%/vectorinsn.h

# What writes the data of a report, but for machine code, and its page; for its fuzz target.
REPORT_SOURCES += \
	%D%/read_policy.c \
	%D%/searchpath.c \
	%D%/sourcetext.c
