/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On which data the program misses (--data=yes): an observer of misses
 * (tool/simulate/missobserver.h), which finds for each the object that it is on, and adds it to what
 * that object, a piece of it, and the instruction on that object have missed.  A hit costs nothing.
 *
 * All events of misses of caches are columns, those of fetches too, so that their sums are those of
 * the profile; so are those of uses of lines, with --cacheuse=yes (tool/data/line_uses.h).
 */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/counts/context.h"
#include "tool/counts/state.h"
#include "tool/data/line_uses.h"
#include "tool/data/state.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/state.h"

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.heap", 1, size);
}

/* --- columns ------------------------------------------------------------------------------ */

/* The events of misses, and of uses of lines, in the order of the profile's columns; then lines. */
static void find_columns(Bool uses_lines)
{
	const struct levels *levels = &tool_counts.levels;
	Bool wanted[N_EVENTS] = { False };

	for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
		for (UInt level = 0; level < levels->n; level++) {
			wanted[levels->missed[kind][level]] = True;
			for (UInt class = 0;
			     class < N_MISS_CLASSES && tool_simulate.reasons.has_classes; class ++)
				wanted[levels->reasons[kind][level][class]] = True;
		}
	for (UInt i = 0; i < tool_counts.events.n; i++) {
		const enum event event = tool_counts.events.events[i];

		if (!wanted[event] && !(uses_lines && event_table[event].group == GROUP_USE))
			continue;
		tool_data.column_of[event] = (UChar)tool_data.events.n;
		tool_data.events.events[tool_data.events.n++] = event;
	}
	tool_data.n_columns = tool_data.events.n + (uses_lines ? 1 : 0);
}

/* A reference has missed: its events, into counts by column, of who missed and of what. */
static void add(ULong *counts, ULong *row, const struct miss *miss)
{
	const struct levels *levels = &tool_counts.levels;
	const enum event *missed = levels->missed[miss->kind];

	for (UInt level = 0; level < miss->served; level++) {
		const UInt column = tool_data.column_of[missed[level]];

		counts[column]++;
		row[column]++;
	}
	if (!tool_simulate.reasons.has_classes)
		return;
	for (UInt level = 0; level < miss->served && level < levels->n; level++) {
		const UInt column =
			tool_data.column_of[levels->reasons[miss->kind][level]
							   [tool_simulate.reasons.last.of[level]]];

		counts[column]++;
		row[column]++;
	}
}

static void note_miss(const struct miss *miss)
{
	const struct data_user user = data_user_of(miss);
	struct data_at at;

	if (user.context->dropped)
		return;
	at = data_look_up(miss, &user);
	at.view->n++;
	add(at.view->counts, data_object_row(&tool_data.objects, at.view->object, at.offset), miss);
}

/* --- the run ------------------------------------------------------------------------------ */

static void begin(void)
{
	tool_data.is_on = True;
	tool_data.uses_lines = line_uses_watch();
	find_columns(tool_data.uses_lines);
	heap_map_init(&tool_data.heap, allocate, VG_(free));
	heap_map_init(&tool_data.mappings, allocate, VG_(free));
	data_objects_init(&tool_data.objects, tool_data.n_columns);
	tool_data.views = VG_(HT_construct)("costgrind.views");
	allocators_start();
}

static void begin_anew(void)
{
	data_views_zero();
	data_objects_zero(&tool_data.objects);
}

/* Which allocators were seen, and how much memory is of none. */
static void tell(void)
{
	const struct allocators *allocators = &tool_data.allocators;
	ULong n = 0, unknown = 0, n_views;
	struct data_view **views;
	UInt count;

	for (UInt i = 0; i < allocators->n_seen; i++)
		message_note("data: %llu blocks by %s", allocators->seen[i].n,
			     allocators->seen[i].name);
	if (allocators->n_seen == 0 && tool_calls.has_instrumented)
		message_note("data: no allocator was seen; --alloc-fn names one");
	views = (struct data_view **)VG_(HT_to_array)(tool_data.views, &count);
	for (UInt i = 0; i < count; i++) {
		n_views = views[i]->n;
		n += n_views;
		if (views[i]->object->key.kind == DATA_MEMORY)
			unknown += n_views;
	}
	if (views != NULL)
		VG_(free)(views);
	if (unknown != 0)
		message_note(
			"data: %llu of %llu misses are in no block: of an allocator that was not "
			"seen, or freed",
			unknown, n);
}

const struct miss_observer data_observer = {
	.start = begin,
	.missed = note_miss,
	.zero = begin_anew,
	.finish = tell,
};
