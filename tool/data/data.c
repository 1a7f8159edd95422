/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/data.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/counts/context.h"
#include "tool/counts/state.h"
#include "tool/data/state.h"
#include "tool/translate/missobserver.h"
#include "tool/translate/state.h"

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.heap", 1, size);
}

/* --- columns ------------------------------------------------------------------------------ */

/* The events of misses, in the order of the profile's columns. */
static void find_columns(void)
{
	const struct levels *levels = &tool_counts.levels;
	Bool wanted[N_EVENTS] = { False };

	for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
		for (UInt level = 0; level < levels->n; level++) {
			wanted[levels->missed[kind][level]] = True;
			for (UInt class = 0;
			     class < N_MISS_CLASSES && tool_translate.reasons.has_classes; class ++)
				wanted[levels->reasons[kind][level][class]] = True;
		}
	for (UInt i = 0; i < tool_counts.events.n; i++) {
		const enum event event = tool_counts.events.events[i];

		if (!wanted[event])
			continue;
		tool_data.column_of[event] = (UChar)tool_data.events.n;
		tool_data.events.events[tool_data.events.n++] = event;
	}
}

/* A reference has missed: its events, into counts by column. */
static void add(ULong *counts, const struct miss *miss)
{
	const struct levels *levels = &tool_counts.levels;
	const enum event *missed = levels->missed[miss->kind];

	for (UInt level = 0; level < miss->served; level++)
		counts[tool_data.column_of[missed[level]]]++;
	if (!tool_translate.reasons.has_classes)
		return;
	for (UInt level = 0; level < miss->served && level < levels->n; level++)
		counts[tool_data.column_of[levels->reasons[miss->kind][level]
							  [tool_translate.reasons.last.of[level]]]]++;
}

/* --- views -------------------------------------------------------------------------------- */

static Word compare_views(const void *a, const void *b)
{
	const struct data_view *left = a, *right = b;

	return left->object != right->object || left->site != right->site ||
	       left->context != right->context;
}

static struct data_view *find_view(struct data_object *object, const struct site *site,
				   const struct context *context)
{
	const struct data_view wanted = {
		.key = ((UWord)object >> 4) * 31 + ((UWord)site >> 3) * 7 + ((UWord)context >> 4),
		.object = object,
		.site = site,
		.context = context,
	};
	struct data_view *view = VG_(HT_gen_lookup)(tool_data.views, &wanted, compare_views);

	if (view != NULL)
		return view;
	view = VG_(calloc)("costgrind.view", 1,
			   sizeof(*view) + tool_data.events.n * sizeof(view->counts[0]));
	VG_(memcpy)(view, &wanted, sizeof(wanted));
	VG_(HT_add_node)(tool_data.views, view);
	return view;
}

/* --- which object ------------------------------------------------------------------------- */

static UInt epoch_now(void)
{
	return VG_(current_DiEpoch)().n;
}

/* Whether what an instruction has missed on last holds this address, too; *offset: where in it. */
static Bool holds(const struct data_cached *cached, Addr address, SizeT *offset)
{
	*offset = address - cached->start;
	if (cached->block != NULL)
		return cached->block->serial == cached->serial &&
		       !tool_data.allocators.has_layers && *offset < cached->block->size;
	return cached->view->object->key.kind == DATA_GLOBAL && cached->start != 0 &&
	       cached->epoch == epoch_now() && *offset < cached->view->object->extent;
}

/* Of memory in no block: an allocator's own, or what was mapped by known calls; else the object given. */
static struct data_object *find_owner(Addr address, struct data_object *object, Addr *start)
{
	struct data_object *own = allocators_running();
	const struct heap_block *mapping;

	if (own != NULL)
		return own;
	mapping = heap_map_find(&tool_data.mappings, address);
	if (mapping == NULL)
		return object;
	*start = mapping->start;
	return tool_data.objects.by_number[mapping->object];
}

static void find(struct data_cached *cached, const struct miss *miss, const struct site *site,
		 const struct context *context)
{
	const struct heap_block *block = miss->kind == REFERENCE_FETCH
						 ? NULL
						 : heap_map_find(&tool_data.heap, miss->address);
	struct data_object *object;
	Addr start = 0;

	if (block != NULL) {
		object = tool_data.objects.by_number[block->object];
		start = block->start;
	} else if (miss->kind == REFERENCE_FETCH) {
		object = data_objects_code(&tool_data.objects, miss->site);
	} else {
		object = data_objects_at(&tool_data.objects, tool_calls.threads.running,
					 miss->address, &start);
		if (object->key.kind == DATA_MEMORY)
			object = find_owner(miss->address, object, &start);
	}
	if (cached->site != site || cached->context != context || cached->view->object != object)
		cached->view = find_view(object, site, context);
	*cached = (struct data_cached){
		.site = site,
		.context = context,
		.view = cached->view,
		.start = start,
		.block = block,
		.serial = block == NULL ? 0 : block->serial,
		.epoch = epoch_now(),
	};
}

static void note_miss(const struct miss *miss)
{
	const struct context *context = miss->context;
	const struct site *site = miss->site;
	struct data_cached *cached;
	SizeT offset;

	/* What skipped code misses is its caller's. */
	for (; context->owner != NULL; context = context->owner)
		site = context->owner_site;
	if (context->dropped)
		return;
	cached = &tool_data.cached[((UWord)site / sizeof(*site)) % DATA_CACHED];
	if (cached->site != site || cached->context != context ||
	    !holds(cached, miss->address, &offset)) {
		find(cached, miss, site, context);
		offset = cached->start == 0 ? 0 : miss->address - cached->start;
	}
	cached->view->n++;
	add(cached->view->counts, miss);
	add(data_object_row(&tool_data.objects, cached->view->object, offset), miss);
}

/* --- the run ------------------------------------------------------------------------------ */

static void begin(void)
{
	tool_data.is_on = True;
	find_columns();
	heap_map_init(&tool_data.heap, allocate, VG_(free));
	heap_map_init(&tool_data.mappings, allocate, VG_(free));
	data_objects_init(&tool_data.objects, tool_data.events.n);
	tool_data.views = VG_(HT_construct)("costgrind.views");
	allocators_start();
}

static void begin_anew(void)
{
	VG_(HT_destruct)(tool_data.views, VG_(free));
	tool_data.views = VG_(HT_construct)("costgrind.views");
	VG_(memset)(tool_data.cached, 0, sizeof(tool_data.cached));
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
	if (allocators->n_seen == 0)
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
