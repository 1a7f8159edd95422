/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control/selfcost.h"

#include "pub_tool_gdbserver.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/ordering.h"
#include "tool/control/status.h"
#include "tool/counts/state.h"
#include "tool/output/state.h"
#include "tool/symbols/symbol.h"
#include "tool/translate/client.h"

enum {
	COUNT_SIZE = 24, /* bytes of " 18446744073709551615" with its NUL */
};

/* Names that a line feed ends, or that talk to terminals, would forge lines. */
void selfcost_print_name(const HChar *name)
{
	HChar *copy = VG_(strdup)("costgrind.name", name);

	for (HChar *c = copy; *c != '\0'; c++)
		if ((UChar)*c < ' ' || *c == 0x7f)
			*c = ' ';
	VG_(gdb_printf)("%s", copy);
	VG_(free)(copy);
}

/* In one piece, since each call of gdb_printf() is a packet that the other side acknowledges. */
static void print_counts(const ULong *sums)
{
	HChar text[N_EVENTS * COUNT_SIZE];
	UInt len = 0;

	text[0] = '\0';
	for (UInt i = 0; i < tool_counts.events.n; i++)
		len += VG_(snprintf)(text + len, (Int)(sizeof(text) - len), " %llu",
				     sums[tool_counts.events.events[i]]);
	VG_(gdb_printf)("%s", text);
}

static Int by_cost(const void *a, const void *b)
{
	const struct self_cost *left = a, *right = b;
	enum event first = tool_counts.events.events[0];
	Int order = by_number(right->sums[first], left->sums[first]);

	return order != 0 ? order : by_number(left->function->id, right->function->id);
}

/* Moves those with any cost to the front; returns how many they are. */
static UInt gather(struct self_cost *costs, UInt n)
{
	UInt n_kept = 0;

	for (UInt i = 0; i < n; i++) {
		ULong any = 0;

		for (UInt event = 0; event < N_EVENTS; event++)
			any |= costs[i].sums[event];
		if (costs[i].function != NULL && any != 0)
			costs[n_kept++] = costs[i];
	}
	return n_kept;
}

static void print_function(const struct self_cost *cost)
{
	VG_(gdb_printf)("function:");
	print_counts(cost->sums);
	VG_(gdb_printf)("\t");
	selfcost_print_name(cost->function->object->chars);
	VG_(gdb_printf)("\t");
	selfcost_print_name(cost->function->name->chars);
	VG_(gdb_printf)("\n");
}

void selfcost_print(UInt most)
{
	UInt n = tool_symbols.n_functions;
	struct self_cost *costs;
	ULong totals[N_EVENTS];

	VG_(gdb_printf)("instrumentation: %s\n", tool_calls.instrumenting ? "on" : "off");
	if (!tool_calls.instrumenting)
		return;
	status_print_collection();
	client_part_totals(totals);
	costs = VG_(calloc)("costgrind.selfcosts", n + 1, sizeof(*costs));
	sites_by_function(&tool_counts.sites, costs);
	n = gather(costs, n);
	VG_(ssort)(costs, n, sizeof(*costs), by_cost);
	VG_(gdb_printf)("part: %u\nevents:", tool_output.parts.n);
	for (UInt i = 0; i < tool_counts.events.n; i++)
		VG_(gdb_printf)(" %s", event_table[tool_counts.events.events[i]].name);
	VG_(gdb_printf)("\ntotals:");
	print_counts(totals);
	VG_(gdb_printf)("\n");
	for (UInt i = 0; i < n && i < most; i++)
		print_function(&costs[i]);
	VG_(free)(costs);
}
