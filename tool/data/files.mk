# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/allocators.c \
	%D%/data.c \
	%D%/data_object.c \
	%D%/locks.c \
	%D%/sharing.c \
	%D%/variables.c

TESTED_TOOL_SOURCES += \
	%D%/elf_data.c %D%/elf_data.h \
	%D%/heap_map.c %D%/heap_map.h
