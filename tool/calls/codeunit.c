/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/codeunit.h"

#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

/* The unit of code without symbols that was called at an address. */
struct entry_unit {
	struct entry_unit *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;               /* address */
	struct unit *unit;
};

static Word entry_compare(const void *a, const void *b)
{
	const struct entry_unit *left = a, *right = b;

	return left->key != right->key || left->unit->function != right->unit->function;
}

static struct unit *unit_at(struct site *site)
{
	struct unit wanted_unit = { .function = site->scope->function };
	const struct entry_unit wanted = { .key = site->address, .unit = &wanted_unit };
	struct entry_unit *entry =
		VG_(HT_gen_lookup)(tool_calls.entry_units, &wanted, entry_compare);

	if (entry == NULL) {
		entry = VG_(perm_malloc)(sizeof(*entry), 8);
		entry->key = site->address;
		entry->unit = unit_new(&tool_counts.counter_sets, site->scope->function);
		VG_(HT_add_node)(tool_calls.entry_units, entry);
	}
	return entry->unit;
}

/* The counter set of the frame that will be on top when control has arrived, as it seems. */
static struct counter_set *counter_set_to_be(const struct thread *thread)
{
	struct activation *top = thread_top(thread);

	if (tool_counts.hot->unit == UNIT_CALL)
		return NULL;
	if (tool_counts.hot->unit == UNIT_RETURN) {
		Addr sp = VG_(get_SP)(thread->number);

		while (top->frame.sp < sp)
			top = thread_below(thread, top);
	}
	return top->counters;
}

/*
 * Code without symbols: what is reached by jumps from code that was called is
 * of its unit.  Where that guess is wrong, counts are right all the same; it
 * only takes a call of calls_enter() more.
 */
struct unit *codeunit_find(struct site *site)
{
	struct function *function = site->scope->function;
	const struct counter_set *counters = NULL;

	if (!function->anonymous) {
		if (function->unit == NULL)
			function->unit = unit_new(&tool_counts.counter_sets, function);
		tool_calls.call_hooks.in_use |= function->settings.call_hooks != 0;
		return function->unit;
	}
	if (tool_calls.threads.running != NULL)
		counters = counter_set_to_be(tool_calls.threads.running);
	if (counters != NULL && counters->unit->function == function)
		return counters->unit;
	return unit_at(site);
}

Bool codeunit_falls_into_hooked(const IRSB *sb, Addr entry)
{
	struct source_location place;

	for (Int i = 0; i < sb->stmts_used; i++) {
		const IRStmt *stmt = sb->stmts[i];
		Addr address;

		if (stmt->tag != Ist_IMark)
			continue;
		address = (Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta;
		if (address == entry || !symbols_is_entry(&tool_symbols, address))
			continue;
		symbols_lookup(&tool_symbols, address, NULL, &place);
		if (place.function->settings.call_hooks != 0)
			return True;
	}
	return False;
}
