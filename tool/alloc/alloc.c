/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocators: which functions they are, what their arguments and results mean, and how much they allocate.
 */
#include "tool/alloc/state.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/callcost.h"
#include "tool/calls/callhook.h"
#include "tool/calls/state.h"
#include "tool/common/pattern.h"
#include "tool/symbols/symbol.h"

/* The first pattern that matches a function's name decides. */
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
	/* At the end of a thread, glibc's cache passes blocks to free() that the program has freed already. */
	{ "__malloc_arena_thread_freeres", ALLOCATOR_NONE },
	{ "tcache_thread_shutdown", ALLOCATOR_NONE },
	/* Placement: these allocate and free nothing. */
	{ "operator new(unsigned long, void*)", ALLOCATOR_NONE },
	{ "operator new[](unsigned long, void*)", ALLOCATOR_NONE },
	{ "operator delete(void*, void*)", ALLOCATOR_NONE },
	{ "operator delete[](void*, void*)", ALLOCATOR_NONE },
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
	/* Rust's mostly call C's, but these have the caller that users look for. */
	{ "__rust_alloc", ALLOCATOR_SIZE },
	{ "__rust_alloc_zeroed", ALLOCATOR_SIZE },
	{ "__rust_dealloc", ALLOCATOR_FREE },
};

enum {
	N_NAMES = sizeof(allocators_by_name) / sizeof(allocators_by_name[0]),
	MOST_ARGUMENTS = 6, /* those in registers */
};

static UInt kind_by_name(const HChar *name)
{
	const struct allocator_rules *rules = &tool_alloc.options.rules;

	for (UInt i = 0; i < rules->n; i++)
		if (pattern_matches(rules->rules[i].pattern, name))
			return ALLOCATOR_RULE + i;
	for (UInt i = 0; i < N_NAMES; i++)
		if (pattern_matches(allocators_by_name[i].pattern, name))
			return allocators_by_name[i].kind;
	return ALLOCATOR_NONE;
}

UInt allocator_kind(const struct function *function)
{
	const UInt at = (UInt)((UWord)function / sizeof(UWord)) % ALLOCATORS_KNOWN;

	if (tool_alloc.known[at].function != function) {
		tool_alloc.known[at].function = function;
		tool_alloc.known[at].kind = kind_by_name(function->name->chars);
	}
	return tool_alloc.known[at].kind;
}

void allocators_hook(const struct call_hook *hook)
{
	struct allocator_rules *rules = &tool_alloc.options.rules;

	for (UInt i = 0; i < rules->n; i++) {
		callhooks_add_asked(rules->rules[i].pattern, rules->rules[i].option, hook);
		rules->rules[i].option = NULL;
	}
	for (UInt i = 0; i < N_NAMES; i++)
		callhooks_add(allocators_by_name[i].pattern, hook);
}

struct allocator_request allocator_request(UInt kind, const struct hooked_call *call)
{
	const UWord *args = call->args;

	switch (kind) {
	case ALLOCATOR_NONE:
	case ALLOCATOR_FREE:
		return (struct allocator_request){ 0, 0 };
	case ALLOCATOR_SIZE:
		return (struct allocator_request){ 1, args[0] };
	case ALLOCATOR_CALLOC:
		return (struct allocator_request){ args[0], args[1] };
	case ALLOCATOR_REALLOC:
	case ALLOCATOR_ALIGNED:
		return (struct allocator_request){ 1, args[1] };
	case ALLOCATOR_REALLOCARRAY:
		return (struct allocator_request){ args[1], args[2] };
	case ALLOCATOR_POSIX_MEMALIGN:
		return (struct allocator_request){ 1, args[2] };
	default:
		return (struct allocator_request){
			1,
			args[tool_alloc.options.rules.rules[kind - ALLOCATOR_RULE].size_argument -
			     1],
		};
	}
}

Addr allocator_block(UInt kind, const struct hooked_call *call, UWord result)
{
	if (kind != ALLOCATOR_POSIX_MEMALIGN)
		return result;
	if (result != 0 || !VG_(am_is_valid_for_client)(call->args[0], sizeof(Addr), VKI_PROT_READ))
		return 0;
	return *(const Addr *)call->args[0];
}

Addr allocator_old_block(UInt kind, const struct hooked_call *call)
{
	const Bool has_one = kind == ALLOCATOR_FREE || kind == ALLOCATOR_REALLOC ||
			     kind == ALLOCATOR_REALLOCARRAY;

	return has_one ? call->args[0] : 0;
}

Bool allocator_has_freed(UInt kind, const struct hooked_call *call, UWord result)
{
	if (allocator_old_block(kind, call) == 0)
		return False;
	return kind == ALLOCATOR_FREE || result != 0 ||
	       (kind == ALLOCATOR_REALLOC && call->args[1] == 0);
}

const HChar *allocator_rule_read(struct allocator_rule *rule, const HChar *text)
{
	static const HChar key[] = ":size=";
	const HChar *found = NULL;
	HChar *pattern;

	/* The last one: names of C++ have colons. */
	for (const HChar *at = text; *at != '\0'; at++)
		if (VG_(strncmp)(at, key, sizeof(key) - 1) == 0)
			found = at;
	if (found == NULL || found == text)
		return "<pattern>:size=<argument>";
	if (found[sizeof(key) - 1] < '1' || found[sizeof(key) - 1] > '0' + MOST_ARGUMENTS ||
	    found[sizeof(key)] != '\0')
		return "an argument from 1 to 6 after size=";
	pattern = VG_(strdup)("costgrind.alloc_fn", text);
	pattern[found - text] = '\0';
	rule->pattern = pattern;
	rule->size_argument = (UInt)(found[sizeof(key) - 1] - '0');
	return NULL;
}

/* --- allocCount, allocSize and freeCount ------------------------------------------------- */

static SizeT frame_of(const struct hooked_call *call)
{
	return frame_of_call(tool_calls.threads.running, call->function, call->sp);
}

/* Counts the block at once: when free() returns there may be nothing left to ask. */
static void count_entered(const struct hooked_call *call, Bool is_outermost)
{
	struct thread *thread = tool_calls.threads.running;

	if (!is_outermost || allocator_kind(call->function) != ALLOCATOR_FREE ||
	    allocator_old_block(ALLOCATOR_FREE, call) == 0)
		return;
	frame_charge(thread, &(struct inner_cost){ frame_of(call), call->entry }, EVENT_FREE_COUNT,
		     1);
}

static void count_block(const struct hooked_call *call, SizeT frame, UWord result)
{
	struct thread *thread = tool_calls.threads.running;
	const UInt kind = allocator_kind(call->function);
	const struct inner_cost to = { frame, frame == NO_FRAME ? NULL : call->entry };
	struct allocator_request request;

	if (kind == ALLOCATOR_NONE || kind == ALLOCATOR_FREE)
		return;
	if (allocator_has_freed(kind, call, result))
		frame_charge(thread, &to, EVENT_FREE_COUNT, 1);
	if (allocator_block(kind, call, result) == 0)
		return;
	request = allocator_request(kind, call);
	frame_charge(thread, &to, EVENT_ALLOC_COUNT, 1);
	frame_charge(thread, &to, EVENT_ALLOC_SIZE, request.n * request.size);
}

static void count_returning(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	if (is_outermost)
		count_block(call, frame_of(call), result);
}

/* The frame of a call whose stack was left, and which returned after all, is gone. */
static void count_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	if (is_outermost && !call->was_returning)
		count_block(call, NO_FRAME, result);
}

void alloc_count_start(void)
{
	static const struct call_hook hook = { count_entered, count_returned, count_returning };

	allocators_hook(&hook);
}
