# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/block_builder.c %D%/block_builder.h \
	%D%/branching.c %D%/branching.h \
	%D%/client.c %D%/client.h \
	%D%/conflicts.c %D%/conflicts.h \
	%D%/cold.c %D%/cold.h \
	%D%/engine.c %D%/engine.h \
	%D%/engine_inline.c \
	%D%/inline_branches.c %D%/inline_branches.h \
	%D%/insnview.c %D%/insnview.h \
	%D%/instrument.c %D%/instrument.h \
	%D%/ir.c %D%/ir.h \
	%D%/jumping.c %D%/jumping.h \
	%D%/machinestate.c %D%/machinestate.h \
	%D%/memsim.c %D%/memsim.h \
	%D%/missobserver.c %D%/missobserver.h \
	%D%/missreasons.c %D%/missreasons.h \
	%D%/paging.c %D%/paging.h \
	%D%/prefetching.c %D%/prefetching.h \
	%D%/register_updates.c %D%/register_updates.h \
	%D%/engine_reference.c \
	%D%/miss_path.c %D%/miss_path.h \
	%D%/which.h
