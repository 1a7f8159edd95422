# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/allocators.c %D%/allocators.h \
	%D%/data.c \
	%D%/data_object.c %D%/data_object.h \
	%D%/line_uses.c %D%/line_uses.h \
	%D%/lookup.c %D%/lookup.h \
	%D%/thread_blocks.c %D%/thread_blocks.h \
	%D%/variables.c %D%/variables.h

TESTED_TOOL_SOURCES += \
	%D%/elf_data.c %D%/elf_data.h \
	%D%/heap_map.c %D%/heap_map.h
