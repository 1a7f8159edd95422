# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/builder.c %D%/builder.h \
	%D%/client.c %D%/client.h \
	%D%/cold.c %D%/cold.h \
	%D%/engine.c %D%/engine.h \
	%D%/inline.c \
	%D%/insnview.c %D%/insnview.h \
	%D%/instrument.c %D%/instrument.h \
	%D%/ir.c %D%/ir.h \
	%D%/jumping.c %D%/jumping.h \
	%D%/memsim.c %D%/memsim.h \
	%D%/missobserver.c %D%/missobserver.h \
	%D%/plain.c \
	%D%/slow.c %D%/slow.h
