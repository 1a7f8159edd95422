/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the run, for monitor commands, with the functions that cost most. */
#include "tool/control/request.h"

#include "pub_tool_gdbserver.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "tool/calls/state.h"
#include "tool/common/numbers.h"
#include "tool/common/self.h"
#include "tool/counts/state.h"
#include "tool/instrument/client.h"
#include "tool/output/state.h"
#include "tool/symbols/symbol.h"

/* -- functions that cost most ---------------------------------------------- */

enum {
	COUNT_SIZE = 24, /* bytes of " 18446744073709551615" with its NUL */
};

/* Control characters in names would forge lines, or talk to the terminal. */
static void print_name(const HChar *name)
{
	HChar *copy = VG_(strdup)("costgrind.name", name);

	for (HChar *c = copy; *c != '\0'; c++)
		if ((UChar)*c < ' ' || *c == 0x7f)
			*c = ' ';
	VG_(gdb_printf)("%s", copy);
	VG_(free)(copy);
}

/* In one piece: each call of gdb_printf() is a packet that the other side acknowledges. */
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

/* Moves functions with any cost to the front; returns how many there are. */
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

static void print_self_cost(const struct self_cost *cost)
{
	VG_(gdb_printf)("function:");
	print_counts(cost->sums);
	VG_(gdb_printf)("\t");
	print_name(cost->function->object->chars);
	VG_(gdb_printf)("\t");
	print_name(cost->function->name->chars);
	VG_(gdb_printf)("\n");
}

/* Begins both reports; fills in totals. False if nothing is counted: that is all then. */
static Bool begin_report(ULong totals[N_EVENTS])
{
	VG_(gdb_printf)("instrumentation: %s\n", tool_calls.instrumenting ? "on" : "off");
	if (!tool_calls.instrumenting)
		return False;
	status_print_collection();
	client_part_totals(totals);
	return True;
}

void selfcost_print(UInt most)
{
	UInt n = tool_symbols.n_functions;
	struct self_cost *costs;
	ULong totals[N_EVENTS];

	if (!begin_report(totals))
		return;
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
		print_self_cost(&costs[i]);
	VG_(free)(costs);
}

/* -- the run --------------------------------------------------------------- */

static UInt count_threads(void)
{
	UInt n = 0;

	for (UInt i = 0; i < tool_calls.threads.n; i++)
		n += threads_are_known(i);
	return n;
}

void status_print_collection(void)
{
	if (dropin_name() != DROPIN_NONE)
		return; /* readers of Callgrind's answers do not know this line */
	VG_(gdb_printf)("collection: ");
	collection_print();
	VG_(gdb_printf)("\n");
}

void status_print(void)
{
	UInt n = count_threads();

	if (!tool_calls.instrumenting)
		VG_(gdb_printf)("No status available as instrumentation is switched off\n");
	else
		VG_(gdb_printf)("%u thread(s) running.\n", n);
	if (tool_calls.instrumenting && !collection_is_on_everywhere())
		status_print_collection();
}

static void print_list(const ULong *counts)
{
	for (UInt i = 0; i < tool_counts.events.n; i++)
		VG_(gdb_printf)(" %llu", counts[tool_counts.events.events[i]]);
	VG_(gdb_printf)("\n");
}

static void print_function(UInt thread, UInt number, const struct function *function)
{
	VG_(gdb_printf)("function-%u-%u: ", thread, number);
	print_name(function->name->chars);
	VG_(gdb_printf)("\n");
}

/* Prints a call on the stack: who made it, how often, and what it has cost so far, as collected. */
static void print_frame(UInt thread, UInt number, const struct arc *arc)
{
	const struct arc *collected = collection_written_arc(arc);
	ULong sums[N_EVENTS] = { 0 };

	if (collected != NULL)
		arc_sum(&tool_calls.arcs, collected, sums);
	print_function(thread, number, arc->ends.from->function);
	VG_(gdb_printf)("calls-%u-%u: %llu\n", thread, number,
			collected != NULL ? collected->count : 0);
	VG_(gdb_printf)("events-%u-%u:", thread, number);
	print_list(sums);
}

static void print_thread(const struct thread *thread)
{
	UInt depth = (UInt)callstack_depth(&thread->stack);
	UInt n_frames = 0;
	ULong totals[N_EVENTS];

	thread_collected(thread, totals);
	VG_(gdb_printf)("events-%u:", thread->number);
	print_list(totals);
	for (UInt i = 0; i < depth; i++)
		n_frames += thread_activation(thread, i)->arc != NULL;
	VG_(gdb_printf)("frames-%u: %u\n", thread->number, n_frames);
	n_frames = 0;
	for (UInt i = 0; i < depth; i++)
		if (thread_activation(thread, i)->arc != NULL)
			print_frame(thread->number, n_frames++, thread_activation(thread, i)->arc);
	if (thread_top(thread)->context != NULL)
		print_function(thread->number, n_frames, thread_top(thread)->context->function);
}

/* The number of calls that were collected, as in a profile. */
static ULong calls_so_far(void)
{
	const struct arc *arc;
	ULong n = 0;

	VG_(HT_ResetIter)(tool_calls.arcs.table);
	while ((arc = VG_(HT_Next)(tool_calls.arcs.table)) != NULL)
		if (!arc->ends.from->dropped)
			n += arc->count;
	return n;
}

static void print_numbers(void)
{
	VG_(gdb_printf)("executed-bbs: %llu\n", client_blocks_entered());
	VG_(gdb_printf)("executed-calls: %llu\n", calls_so_far());
	VG_(gdb_printf)("distinct-bbs: %u\n", tool_counts.blocks.n_numbers - 1);
	VG_(gdb_printf)("distinct-calls: %u\n", VG_(HT_count_nodes)(tool_calls.arcs.table));
	VG_(gdb_printf)("distinct-functions: %u\n", tool_symbols.n_functions);
	VG_(gdb_printf)("distinct-contexts: %u\n", tool_counts.contexts.n);
	VG_(gdb_printf)("events:");
	for (UInt i = 0; i < tool_counts.events.n; i++)
		VG_(gdb_printf)(" %s", event_table[tool_counts.events.events[i]].name);
	VG_(gdb_printf)("\npart: %u\nthreads:", tool_output.parts.n);
	for (UInt i = 0; i < tool_calls.threads.n; i++)
		if (threads_are_known(i))
			VG_(gdb_printf)(" %u", i);
	VG_(gdb_printf)("\ncurrent-tid: %u\n", tool_calls.threads.running->number);
}

/* Prints the totals of a profile, with threads that are over; Callgrind does not. */
static void print_totals(const ULong *totals)
{
	if (dropin_name() != DROPIN_NONE)
		return;
	VG_(gdb_printf)("totals:");
	print_list(totals);
}

void status_print_all(void)
{
	ULong totals[N_EVENTS];

	if (!begin_report(totals))
		return;
	print_numbers();
	print_totals(totals);
	for (UInt i = 0; i < tool_calls.threads.n; i++)
		if (threads_are_known(i))
			print_thread(tool_calls.threads.by_number[i]);
}

/* --- --stats=yes --- */

static void print_stat(const HChar *name, ULong value)
{
	VG_(dmsg)("costgrind: %-28s %llu\n", name, value);
}

void stats_print(void)
{
	print_stat("objects:", tool_symbols.objects.n);
	print_stat("files:", tool_symbols.files.n);
	print_stat("functions:", tool_symbols.n_functions);
	print_stat("contexts:", tool_counts.contexts.n);
	print_stat("calls of one by another:", VG_(HT_count_nodes)(tool_calls.arcs.table));
	print_stat("instructions:", tool_counts.sites.n);
	print_stat("... in more contexts:", VG_(HT_count_nodes)(tool_counts.sites.cells));
	print_stat("superblocks translated:", tool_counts.blocks.n_numbers - 1);
	print_stat("superblocks entered:", client_blocks_entered());
	print_stat("parts written:", tool_output.parts.n);
	print_stat("threads at once, at most:",
		   tool_calls.threads.n > 0 ? tool_calls.threads.n - 1 : 0);
}

void stats_register(void)
{
	VG_(needs_print_stats)(stats_print);
}
