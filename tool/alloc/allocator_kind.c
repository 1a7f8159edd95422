/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/alloc/allocator_kind.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/alloc/state.h"
#include "tool/calls/callhook.h"
#include "tool/common/pattern.h"
#include "tool/symbols/symbol.h"

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
	/* At the end of a thread, glibc's cache passes to free() what has been freed before. */
	{ "__malloc_arena_thread_freeres", ALLOCATOR_NONE },
	{ "tcache_thread_shutdown", ALLOCATOR_NONE },
	/* Placement: what it is given is memory already. */
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
	/* Rust's, which call those of C mostly; these have the caller that one looks for. */
	{ "__rust_alloc", ALLOCATOR_SIZE },
	{ "__rust_alloc_zeroed", ALLOCATOR_SIZE },
	{ "__rust_dealloc", ALLOCATOR_FREE },
};

enum {
	N_NAMES = sizeof(allocators_by_name) / sizeof(allocators_by_name[0]),
	N_DIGITS = 6, /* arguments that are in registers */
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
	struct known_allocators *allocators = &tool_alloc.known;
	const UInt at = (UInt)((UWord)function / sizeof(UWord)) % ALLOCATORS_KNOWN;

	if (allocators->known[at].function != function) {
		allocators->known[at].function = function;
		allocators->known[at].kind = kind_by_name(function->name->chars);
	}
	return allocators->known[at].kind;
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
