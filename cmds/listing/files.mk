# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/basis.h \
	%D%/column.c %D%/column.h \
	%D%/costcells.c %D%/costcells.h \
	%D%/cycleformula.c %D%/cycleformula.h \
	%D%/listing.c %D%/listing.h \
	%D%/nesting.c %D%/nesting.h \
	%D%/call_edges.c %D%/call_edges.h

# What the report and its fuzz target need too.
TESTED_COMMAND_SOURCES += %D%/lineless.c %D%/lineless.h
