/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On which data the program misses (--data=yes): the state of this room, and what the user wants of it.
 */
#ifndef TOOL_DATA_STATE_H
#define TOOL_DATA_STATE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/event.h"
#include "tool/data/allocators.h"
#include "tool/data/data_object.h"
#include "tool/data/heap_map.h"
#include "tool/data/line_uses.h"
#include "tool/data/lookup.h"

enum {
	DATA_CALLERS = 3,      /* by default */
	DATA_CACHED = 4096,    /* instructions whose last object is known, half of them as code */
	DATA_VIEW_BITS = 11,   /* log2 of the views that are found at once */
	DATA_RECENT_BITS = 15, /* log2 of the lines of which a block is known */
};

struct data_options {
	UInt callers; /* of an allocation, that tell one kind of block from another: 1..DATA_MAX_CALLERS */
};

struct data_state {
	struct data_options options;
	Bool is_on;
	struct event_set events;   /* of the profile's, those that are columns */
	UChar column_of[N_EVENTS]; /* of those */
	UInt n_columns; /* with that of lines, the last one, if uses of lines are known */
	Bool uses_lines;
	struct heap_map heap;
	struct heap_map mappings; /* anonymous ones */
	struct allocators allocators;
	struct data_objects objects;
	VgHashTable *views;
	VgHashTable *line_owners;
	struct data_view *recent_views[1 << DATA_VIEW_BITS];
	struct data_recent recent[1 << DATA_RECENT_BITS];
	struct data_cached cached[DATA_CACHED];
};

extern struct data_state tool_data;

#endif
