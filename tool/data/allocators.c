/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/allocators.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "tool/calls/callhook.h"
#include "tool/calls/state.h"
#include "tool/common/mappings.h"
#include "tool/common/pattern.h"
#include "tool/counts/context.h"
#include "tool/data/state.h"

/* The first pattern that a function's name matches says what it is. */
static const struct {
	const HChar *pattern;
	enum allocator_kind kind;
} allocators_by_name[] = {
	{ "malloc", ALLOCATOR_SIZE },
	{ "calloc", ALLOCATOR_CALLOC },
	{ "realloc", ALLOCATOR_REALLOC },
	{ "reallocarray", ALLOCATOR_REALLOCARRAY },
	{ "free", ALLOCATOR_FREE },
	{ "cfree", ALLOCATOR_FREE },
	{ "free_sized", ALLOCATOR_FREE },
	{ "free_aligned_sized", ALLOCATOR_FREE },
	{ "aligned_alloc", ALLOCATOR_ALIGNED },
	{ "memalign", ALLOCATOR_ALIGNED },
	{ "posix_memalign", ALLOCATOR_POSIX_MEMALIGN },
	{ "valloc", ALLOCATOR_SIZE },
	{ "pvalloc", ALLOCATOR_SIZE },
	{ "operator new(*", ALLOCATOR_SIZE },
	{ "operator new[](*", ALLOCATOR_SIZE },
	{ "operator delete(*", ALLOCATOR_FREE },
	{ "operator delete[](*", ALLOCATOR_FREE },
	{ "__libc_malloc", ALLOCATOR_SIZE },
	{ "__libc_calloc", ALLOCATOR_CALLOC },
	{ "__libc_realloc", ALLOCATOR_REALLOC },
	{ "__libc_reallocarray", ALLOCATOR_REALLOCARRAY },
	{ "__libc_free", ALLOCATOR_FREE },
	{ "__libc_memalign", ALLOCATOR_ALIGNED },
	{ "__posix_memalign", ALLOCATOR_POSIX_MEMALIGN },
	{ "je_malloc", ALLOCATOR_SIZE },
	{ "je_calloc", ALLOCATOR_CALLOC },
	{ "je_realloc", ALLOCATOR_REALLOC },
	{ "je_free", ALLOCATOR_FREE },
	{ "tc_malloc", ALLOCATOR_SIZE },
	{ "tc_calloc", ALLOCATOR_CALLOC },
	{ "tc_realloc", ALLOCATOR_REALLOC },
	{ "tc_free", ALLOCATOR_FREE },
	{ "mi_malloc", ALLOCATOR_SIZE },
	{ "mi_calloc", ALLOCATOR_CALLOC },
	{ "mi_realloc", ALLOCATOR_REALLOC },
	{ "mi_free", ALLOCATOR_FREE },
	/* Rust's, which call those of C mostly; these have the caller that one looks for. */
	{ "__rust_alloc", ALLOCATOR_SIZE },
	{ "__rust_alloc_zeroed", ALLOCATOR_SIZE },
	{ "__rust_dealloc", ALLOCATOR_FREE },
};

enum {
	N_NAMES = sizeof(allocators_by_name) / sizeof(allocators_by_name[0]),
	N_DIGITS = 6, /* arguments that are in registers */
};

/* --- which function is what --------------------------------------------------------------- */

static UInt kind_by_name(const HChar *name)
{
	const struct allocator_rules *rules = &tool_data.options.rules;

	for (UInt i = 0; i < rules->n; i++)
		if (pattern_matches(rules->rules[i].pattern, name))
			return ALLOCATOR_RULE + i;
	for (UInt i = 0; i < N_NAMES; i++)
		if (pattern_matches(allocators_by_name[i].pattern, name))
			return allocators_by_name[i].kind;
	return ALLOCATOR_NONE;
}

static UInt kind_of(const struct function *function)
{
	struct allocators *allocators = &tool_data.allocators;
	const UInt at = (UInt)((UWord)function / sizeof(UWord)) % ALLOCATORS_KNOWN;

	if (allocators->known[at].function != function) {
		allocators->known[at].function = function;
		allocators->known[at].kind = kind_by_name(function->name->chars);
	}
	return allocators->known[at].kind;
}

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

/* --- by whom ------------------------------------------------------------------------------ */

static Bool is_below_main(const struct function *function)
{
	return function->name->chars[0] == '(' &&
	       VG_(strcmp)(function->name->chars, "(below main)") == 0;
}

/* A stub of a linkage table is of its caller. */
static Bool is_stub(const struct activation *activation)
{
	return activation->context != NULL && activation->context->owner != NULL;
}

/* The object of a chain of calls: one that was found before, mostly. */
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
		*known = data_objects_find(&tool_data.objects, key);
	return *known;
}

/*
 * The object of this kind that is of the calls that the running thread is in, outwards from that which
 * made frame number top.
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
		/* The next frame's call is of the same site. */
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

/* --- blocks ------------------------------------------------------------------------------- */

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
	data_object_note_block(object, size, element);
}

static void note_entered(const struct hooked_call *call, Bool is_outermost)
{
	const UInt kind = kind_of(call->function);
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

/* The old block is gone, if it is still the one that there was. */
static void end_old(const struct allocation *allocation, Addr block)
{
	const struct heap_block *old;

	if (allocation->old_serial == 0)
		return;
	old = heap_map_at(&tool_data.heap, block);
	if (old != NULL && old->serial == allocation->old_serial)
		heap_map_remove(&tool_data.heap, block);
}

static void give_array(struct data_object *object, Addr block, SizeT n, SizeT size)
{
	give(object, block, n * size, n > 1 ? size : 0);
}

static void give_result(const struct hooked_call *call, const struct allocation *allocation,
			UInt kind, UWord result)
{
	const UWord *args = call->args;

	switch (kind) {
	case ALLOCATOR_SIZE:
		give(allocation->object, result, args[0], 0);
		break;
	case ALLOCATOR_CALLOC:
		give_array(allocation->object, result, args[0], args[1]);
		break;
	case ALLOCATOR_REALLOC:
		give(allocation->object, result, args[1], 0);
		break;
	case ALLOCATOR_REALLOCARRAY:
		give_array(allocation->object, result, args[1], args[2]);
		break;
	case ALLOCATOR_ALIGNED:
		give(allocation->object, result, args[1], 0);
		break;
	case ALLOCATOR_POSIX_MEMALIGN:
		give(allocation->object, result, args[2], 0);
		break;
	default:
		give(allocation->object, result,
		     args[tool_data.options.rules.rules[kind - ALLOCATOR_RULE].size_argument - 1],
		     0);
		break;
	}
}

static void note_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	const UInt kind = kind_of(call->function);
	struct allocation *allocation;

	if (!is_outermost || kind == ALLOCATOR_NONE)
		return;
	allocation = running_of(call->thread);
	if (allocation->sp != call->sp || allocation->handler != call->handler)
		return; /* a handler that allocates has interrupted it */
	allocation->sp = 0;
	if (kind == ALLOCATOR_FREE)
		return;
	if (kind == ALLOCATOR_POSIX_MEMALIGN) {
		if (result != 0 ||
		    !VG_(am_is_valid_for_client)(call->args[0], sizeof(Addr), VKI_PROT_READ))
			return;
		result = *(const Addr *)call->args[0];
	}
	/* realloc(block, 0) frees it, and may give none back. */
	if (kind == ALLOCATOR_REALLOC && (result != 0 || call->args[1] == 0))
		end_old(allocation, call->args[0]);
	if (kind == ALLOCATOR_REALLOCARRAY && result != 0)
		end_old(allocation, call->args[0]);
	if (result == 0)
		return;
	give_result(call, allocation, kind, result);
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
	/* Of frames with one stack pointer, by tail calls, the first that is no stub is the allocator's. */
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

const HChar *allocator_rule_read(struct allocator_rule *rule, const HChar *text)
{
	static const HChar key[] = ":size=";
	const HChar *found = NULL;
	HChar *pattern;

	/* The last one: a name of C++ has colons. */
	for (const HChar *at = text; *at != '\0'; at++)
		if (VG_(strncmp)(at, key, sizeof(key) - 1) == 0)
			found = at;
	if (found == NULL || found == text)
		return "<pattern>:size=<argument>";
	if (found[sizeof(key) - 1] < '1' || found[sizeof(key) - 1] > '0' + N_DIGITS ||
	    found[sizeof(key)] != '\0')
		return "an argument from 1 to 6 behind size=";
	pattern = VG_(strdup)("costgrind.alloc_fn", text);
	pattern[found - text] = '\0';
	rule->pattern = pattern;
	rule->size_argument = (UInt)(found[sizeof(key) - 1] - '0');
	return NULL;
}

/* --- mappings ----------------------------------------------------------------------------- */

/* What an allocator maps is its own, or a block that it gives out. */
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
	static const struct call_hook hook = { note_entered, note_returned };
	static const struct mapping_watcher watcher = { note_mapped, note_moved, note_unmapped };

	mappings_watch(&watcher);
	tool_data.allocators.has_layers = tool_data.options.rules.n != 0;
	for (UInt i = 0; i < tool_data.options.rules.n; i++)
		callhooks_add(tool_data.options.rules.rules[i].pattern, &hook);
	for (UInt i = 0; i < N_NAMES; i++)
		callhooks_add(allocators_by_name[i].pattern, &hook);
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
