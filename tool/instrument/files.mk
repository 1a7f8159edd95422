# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/block_builder.c %D%/block_builder.h \
	%D%/client.c %D%/client.h \
	%D%/cold.c %D%/cold.h \
	%D%/engine.c %D%/engine.h \
	%D%/engine_inline.c \
	%D%/inline_branches.c %D%/inline_branches.h \
	%D%/insnview.c %D%/insnview.h \
	%D%/instrument.c %D%/instrument.h \
	%D%/ir.c %D%/ir.h \
	%D%/jumping.c %D%/jumping.h \
	%D%/register_updates.c %D%/register_updates.h
