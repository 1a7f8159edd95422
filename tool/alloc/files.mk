# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/state.h \
	%D%/allocator_kind.c %D%/allocator_kind.h \
	%D%/alloc_count.c %D%/alloc_count.h
