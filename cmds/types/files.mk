# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/typeadvice.c %D%/typeadvice.h \
	%D%/typecosts.c %D%/typecosts.h \
	%D%/typeplaces.c %D%/typeplaces.h \
	%D%/typereader.h

TESTED_COMMAND_SOURCES += \
	%D%/typearguments.c %D%/typearguments.h \
	%D%/typeflow.c %D%/typeflow.h \
	%D%/typelayout.c %D%/typelayout.h \
	%D%/typemembers.c %D%/typemembers.h \
	%D%/typestate.c %D%/typestate.h \
	%D%/typetable.c %D%/typetable.h

TYPE_SOURCES += \
	%D%/dwarftypes.c %D%/dwarftypes.h \
	%D%/dwarfwalk.c %D%/dwarfwalk.h \
	%D%/typereader.c
