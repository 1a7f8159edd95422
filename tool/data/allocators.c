/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows memory blocks as they are allocated and freed, and mappings. */
#include "tool/data/state.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "tool/alloc/state.h"
#include "tool/calls/callhook.h"
#include "tool/calls/state.h"
#include "tool/common/self.h"
#include "tool/counts/context.h"

static void note_seen(const struct function *function)
{
	struct allocators *allocators = &tool_data.allocators;
	UInt i = 0;

	while (i < allocators->n_seen && allocators->seen[i].name != function->name->chars)
		i++;
	if (i == ALLOCATORS_TOLD)
		return;
	if (i == allocators->n_seen)
		allocators->seen[allocators->n_seen++].name = function->name->chars;
	allocators->seen[i].n++;
}

/* --- callers ----------------------------------------------------------------------------- */

static Bool is_below_main(const struct function *function)
{
	return function->name->chars[0] == '(' &&
	       VG_(strcmp)(function->name->chars, "(below main)") == 0;
}

/* True for a stub of a linkage table, which counts as part of its caller. */
static Bool is_stub(const struct activation *activation)
{
	return activation->context != NULL && activation->context->owner != NULL;
}

/* The object of a chain of calls; most are in the cache. */
static struct data_object *find_chain(const struct data_key *key)
{
	UWord hash = key->kind;
	struct data_object **known;

	for (UInt i = 0; i < key->n_sites; i++)
		hash = (hash ^ (UWord)key->sites[i]) * 0x9e3779b97f4a7c15UL;
	known = &tool_data.allocators.chains[hash >> (64 - ALLOCATORS_CHAIN_BITS)];
	if (*known == NULL || (*known)->key.kind != key->kind ||
	    (*known)->key.n_sites != key->n_sites ||
	    VG_(memcmp)((*known)->key.sites, key->sites, key->n_sites * sizeof(key->sites[0])) != 0)
		*known = data_objects_find(key);
	return *known;
}

/*
 * The object of this kind for the calls that the running thread is in, from the one that made frame number top
 * outwards.
 */
static struct data_object *object_of_chain(enum data_kind kind, SizeT top)
{
	const struct thread *thread = tool_calls.threads.running;
	struct data_key key = { .kind = kind };

	for (SizeT i = top + 1; i-- > 0 && key.n_sites < tool_data.options.callers;) {
		const struct activation *activation = thread_activation(thread, i);
		const struct arc *arc = activation->arc;

		if (arc == NULL)
			break;
		/* What is below main() is the same for all. */
		if (key.n_sites > 0 && is_below_main(arc->ends.from->function))
			break;
		/* The next frame's call has the same site. */
		if (is_stub(activation))
			continue;
		key.sites[key.n_sites++] = arc->ends.site;
	}
	return find_chain(&key);
}

static SizeT top_frame(void)
{
	return callstack_depth(&tool_calls.threads.running->stack) - 1;
}

/* --- blocks ------------------------------------------------------------------------------ */

static struct allocation *running_of(UInt thread)
{
	struct allocators *allocators = &tool_data.allocators;

	if (thread >= allocators->n_running) {
		const UInt room = thread + 16;

		allocators->running = VG_(realloc)("costgrind.allocations", allocators->running,
						   room * sizeof(allocators->running[0]));
		VG_(memset)(allocators->running + allocators->n_running, 0,
			    (room - allocators->n_running) * sizeof(allocators->running[0]));
		allocators->n_running = room;
	}
	return &allocators->running[thread];
}

static void give(struct data_object *object, Addr block, SizeT size, SizeT element)
{
	heap_map_insert(&tool_data.heap, block, size, object->number);
	sharing_forget(block, size);
	data_object_note_block(object, size, element);
}

static void note_entered(const struct hooked_call *call, Bool is_outermost)
{
	const UInt kind = allocator_kind(call->function);
	struct allocation *allocation;
	const struct heap_block *old = NULL;

	if (!is_outermost || kind == ALLOCATOR_NONE)
		return;
	allocation = running_of(call->thread);
	*allocation = (struct allocation){ .sp = call->sp, .handler = call->handler };
	if (kind == ALLOCATOR_FREE) {
		allocators_take(call->args[0]);
		return;
	}
	if (kind == ALLOCATOR_REALLOC || kind == ALLOCATOR_REALLOCARRAY)
		old = heap_map_at(&tool_data.heap, call->args[0]);
	allocation->object = object_of_chain(DATA_HEAP, top_frame());
	allocation->old_serial = old == NULL ? 0 : old->serial;
}

/* Removes the old block, if it is still the same. */
static void end_old(const struct allocation *allocation, Addr block)
{
	const struct heap_block *old;

	if (allocation->old_serial == 0)
		return;
	old = heap_map_at(&tool_data.heap, block);
	if (old != NULL && old->serial == allocation->old_serial)
		heap_map_remove(&tool_data.heap, block);
}

static void give_result(const struct hooked_call *call, const struct allocation *allocation,
			UInt kind, Addr block)
{
	const struct allocator_request request = allocator_request(kind, call);
	const Bool is_array = kind == ALLOCATOR_CALLOC || kind == ALLOCATOR_REALLOCARRAY;

	give(allocation->object, block, request.n * request.size,
	     is_array && request.n > 1 ? request.size : 0);
}

static void note_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	const UInt kind = allocator_kind(call->function);
	struct allocation *allocation;
	Addr block;

	if (!is_outermost || kind == ALLOCATOR_NONE)
		return;
	allocation = running_of(call->thread);
	if (allocation->sp != call->sp || allocation->handler != call->handler)
		return; /* a handler that allocates has interrupted it */
	allocation->sp = 0;
	if (kind == ALLOCATOR_FREE)
		return;
	if (allocator_has_freed(kind, call, result))
		end_old(allocation, allocator_old_block(kind, call));
	block = allocator_block(kind, call, result);
	if (block == 0)
		return;
	give_result(call, allocation, kind, block);
	note_seen(call->function);
}

struct data_object *allocators_running(void)
{
	const struct thread *thread = tool_calls.threads.running;
	struct allocation *allocation = running_of(thread->number);
	SizeT found = 0;

	if (allocation->sp == 0 || allocation->handler != thread->suspended)
		return NULL;
	if (allocation->own != NULL)
		return allocation->own;
	/* Tail calls make frames with the same stack pointer; the first that is no stub is the allocator's. */
	for (SizeT i = callstack_depth(&thread->stack); i-- > 1;) {
		const struct activation *activation = thread_activation(thread, i);

		if (activation->frame.sp == allocation->sp && !is_stub(activation))
			found = i;
		else if (activation->frame.sp > allocation->sp)
			break;
	}
	if (found == 0)
		return NULL;
	allocation->own = object_of_chain(DATA_ALLOCATOR, found);
	return allocation->own;
}

/* --- mappings ---------------------------------------------------------------------------- */

/* What an allocator maps is its own, or a block that it returns. */
static void note_mapped(Addr address, SizeT size)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	struct data_object *object;

	if (size == 0)
		return;
	heap_map_remove(&tool_data.mappings, address);
	if (segment == NULL || segment->kind != SkAnonC || tool_calls.threads.running == NULL ||
	    allocators_running() != NULL)
		return;
	object = object_of_chain(DATA_MAPPING, top_frame());
	heap_map_insert(&tool_data.mappings, address, size, object->number);
	sharing_forget(address, size);
	data_object_note_block(object, size, 0);
}

static void note_unmapped(Addr address, SizeT size)
{
	if (size != 0)
		heap_map_remove(&tool_data.mappings, address);
}

static void note_moved(Addr from, Addr to, SizeT size)
{
	const struct heap_block *block = heap_map_at(&tool_data.mappings, from);
	const UInt object = block == NULL ? 0 : block->object;

	if (block == NULL)
		return;
	heap_map_remove(&tool_data.mappings, from);
	heap_map_insert(&tool_data.mappings, to, size, object);
}

void allocators_start(void)
{
	static const struct call_hook hook = { note_entered, note_returned, NULL };
	static const struct mapping_watcher watcher = { note_mapped, note_moved, note_unmapped };

	mappings_watch(&watcher);
	tool_data.allocators.has_layers = tool_alloc.options.rules.n != 0;
	allocators_hook(&hook);
}

void allocators_give(Addr block, SizeT size)
{
	tool_data.allocators.has_layers = True;
	give(object_of_chain(DATA_HEAP, top_frame()), block, size, 0);
}

void allocators_take(Addr block)
{
	heap_map_remove(&tool_data.heap, block);
}
