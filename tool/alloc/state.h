/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocators that the program calls: the state of this room, and what the user wants of it. */
#ifndef TOOL_ALLOC_STATE_H
#define TOOL_ALLOC_STATE_H

#include "pub_tool_basics.h"

#include "tool/alloc/allocator_kind.h"

struct alloc_options {
	struct allocator_rules rules;
};

struct alloc_state {
	struct alloc_options options;
	struct known_allocators known;
};

extern struct alloc_state tool_alloc;

#endif
