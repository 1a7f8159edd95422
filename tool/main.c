/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind: a profiler of instructions, caches and branches, run by Valgrind.
 *
 * The files of the tool, in the order of an event's way:
 *
 *	main.c		what the core calls: start, end; this map
 *	options.c	the command line
 *	optionlist.h	... the list of all options (writer/shared/)
 *	optiontable.c	... as a table, and for --help
 *	optionvalue.c	... their values
 *	optioncheck.c	... what they say together
 *	optionenv.c	... those in the environment
 *	slip.h		... what was meant by one that is misspelt (writer/shared/)
 *	cacheconf.c	which caches are simulated
 *	instrument.c	superblocks in, events out
 *	engine.h	what an engine does with an event
 *	plain.c		the engine that calls C for each event
 *	inline.c	the engine that emits fast paths
 *	slow.c		what those call otherwise
 *	memsim.c	the same with write-back, prefetcher or uses of lines
 *	engine.c	what both engines do
 *	ir.c		words for what engines emit often
 *	calls.c		calls, returns, and who pays for them
 *	seeding.c	... those that were under way before
 *	realstack.c	... read off the program's stack
 *	callinsn.c	... and which instruction it was
 *	stacktree.c	... by whole chains of callers
 *	codeunit.c	what code is of one function
 *	shortcut.c	calls that were made before
 *	thread.c	the program's threads, each with its stack
 *	block.c		translated code, and what one execution costs
 *	ledger.c	its live counters, context by context
 *	near.c		memory that generated code reaches cheaply
 *	client.c	around generated code: threads, faults, discarded code
 *	collection.c	whether what a thread does is collected
 *	control.c	instrumentation on and off
 *	fnhook.c	what is done when a function is entered or left
 *	part.c		parts of a run
 *	region.c	named parts of a program
 *	request.c	requests of the program
 *	monitor.c	commands from outside
 *	site.c		instructions and what they have cost
 *	context.c	a function, its callers, its level of recursion
 *	arc.c		who called whom
 *	jump.c		which jump was made within a function
 *	jumping.c	... seen by generated code
 *	jumpinsn.c	... in the program's code
 *	insnview.c	what the architecture says of them
 *	insntraits.c	what instructions refer to, by Capstone
 *	insnglance.c	... which of them are worth asking it
 *	insnunknown.c	... without it
 *	libcnames.c	what Capstone needs of a C library
 *	symbol.c	object, function, file and line of an instruction
 *	inlinee.c	what is inlined in it
 *	fingerprint.c	what counts depend on: options, processor, environment
 *	builds.c	... builds of the program and its libraries
 *	elfnote.c	... and where these say which they are
 *	fnrule.c	what options say of single functions
 *	pattern.c	whether a name matches
 *	event.c		the table of events
 *	status.c	the state of the run, for these
 *	selfcost.c	... and the functions that cost most
 *	dump.c		the profile
 *	desc.c		... lines that the program adds to it
 *	graph.c		its body: costs and calls
 *	unfold.c	... with inlined functions as called
 *	treefile.c	the call tree, in a file of its own
 *	writing.c	what both have in common
 *	output.c	the file that it goes to
 *	process.c	fork, exec, seccomp, setuid
 *	handover.c	... what is said to the program executed
 *	memfile.c	... by files in memory
 *	systime.c	how many system calls, and how long
 *	canonical.c	what does not differ from run to run: which, and the hooks
 *	cpuinsn.c	... instructions that tell of the machine
 *	auxvector.c	... what the kernel puts on the stack
 *	sysanswer.c	... what it says of the machine
 *	sysfile.c	... and files of /proc and /sys
 *	timeanswer.c	... what it says of time
 *	clock.c		the clock for that
 *	timedwait.c	... waiting by it
 *	timer.c		... alarms
 *	filetime.c	... times of files
 *	family.c	... from process to process
 *	chance.c	... random numbers
 *	reading.c	... read from devices
 *	outside.c	what may differ all the same
 *	registers.h	arguments and results of system calls
 *	owed.h		times in whole units
 *	placement.c	where the program's memory begins
 *	summary.c	the lines at the end
 *	progress.c	how far the writing is, for who waits
 *	message.c	what is said to the user
 *	text.c		interned strings
 *
 * The simulators are in sim/, the format of the profile in writer/.
 */
#include "libvex.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "tool/calls/stacktree.h"
#include "tool/common/dropin.h"
#include "tool/common/libcnames.h"
#include "tool/common/message.h"
#include "tool/control/request.h"
#include "tool/control/stats.h"
#include "tool/deterministic/placement.h"
#include "tool/options/cacheconf.h"
#include "tool/options/optionenv.h"
#include "tool/output/dump.h"
#include "tool/output/summary.h"
#include "tool/output/treefile.h"
#include "tool/process/handover.h"
#include "tool/tool.h"
#include "tool/translate/client.h"
#include "tool/translate/instrument.h"

struct tool tool;

static UInt smallest_line(const struct hierarchy_geometry *geometry)
{
	UInt line = geometry->i1.line_size;

	if (geometry->d1.line_size < line)
		line = geometry->d1.line_size;
	if (geometry->ll.line_size < line)
		line = geometry->ll.line_size;
	return line;
}

static void init_caches(void)
{
	cacheconf_choose(&tool.options, &tool.geometry);
	tool.min_line_size = smallest_line(&tool.geometry);
}

/* The smallest caches, for a machine of which only the predictors are used. */
static const struct hierarchy_geometry no_caches = {
	.i1 = { 128, 1, 64 },
	.d1 = { 128, 1, 64 },
	.ll = { 128, 1, 64 },
};

static void init_engine(void)
{
	const struct options *options = &tool.options;
	const struct hierarchy_geometry *geometry = options->cache_sim ? &tool.geometry
								       : &no_caches;

	tool.paths = &slow_paths;
	if (options->simulate_wb || options->simulate_hwpref || options->cacheuse) {
		tool.paths = &memsim_paths;
		memsim_init(&tool.memsim, options, geometry, &tool.near);
	}
	if (options->plain) {
		tool.engine = &engine_plain;
		hierarchy_init(&tool.hierarchy, geometry,
			       near_alloc(&tool.near, hierarchy_memory_size(geometry)));
		return;
	}
	tool.engine = &engine_inline;
	tool.call_paths = calls_paths(tool.events.n_counted, options->call_tree);
	tool.machine = near_alloc(&tool.near, machine_size(geometry));
	tool.base = (Addr)tool.machine->filter;
	cold_init(&tool.cold, tool.paths == &slow_paths ? options->cold_runs : 0);
	machine_init(tool.machine, geometry);
}

static void init_costs(void)
{
	tool.hot = near_alloc(&tool.near, sizeof(*tool.hot));
	jumps_init(&tool.jumps);
	blocks_init(&tool.blocks, &tool.jumps);
	symbols_init(&tool.symbols, &tool.options);
	sites_init(&tool.sites);
	contexts_init(&tool.contexts);
	ledgers_init(&tool.ledgers);
	arcs_init(&tool.arcs, tool.events.n_counted);
	if (tool.options.call_tree)
		stacktree_init(&tool.tree, &tool.near, tool.options.call_tree_nodes,
			       tool.events.n_counted);
	threads_init(&tool.threads, tool.events.n_counted,
		     tool.options.call_tree ? &tool.tree : NULL);
	systime_init(&tool.systime);
	tool.entry_units = VG_(HT_construct)("costgrind.entries");
}

static void init_decoder(void)
{
	libcnames_init();
	if (!insn_decoder_init(&tool.decoder))
		VG_(tool_panic)("no decoder");
}

static UInt event_groups(const struct options *options)
{
	const Bool counted[N_EVENT_GROUPS] = {
		[GROUP_CACHE] = options->cache_sim,
		[GROUP_BRANCH] = options->branch_sim,
		[GROUP_WRITE_BACK] = options->simulate_wb,
		[GROUP_USE] = options->cacheuse,
		[GROUP_BUS] = options->collect_bus,
		[GROUP_SYSTEM] = options->collect_systime != SYSTIME_NONE,
		[GROUP_SYSTEM_CPU] = options->collect_systime == SYSTIME_NSEC,
		[GROUP_ARCHITECTURAL] = options->architectural,
	};
	UInt groups = 0;

	for (UInt i = 0; i < N_EVENT_GROUPS; i++)
		groups |= (UInt)counted[i] << i;
	return groups;
}

/* What depends on the program before this one, if it was one that this one is executed by. */
static void init_from_before(void)
{
	struct handover before;

	handover_take(&before);
	tool.parts.before = before.n_parts;
	tool.instrumenting = tool.options.instr_atstart == INSTR_YES ||
			     (tool.options.instr_atstart == INSTR_INHERIT && before.instrumenting);
	tool.has_instrumented = tool.instrumenting;
	output_init(&tool.output, output_root(), "profile", tool.options.out_file, before.path);
}

static void post_clo_init(void)
{
	/*
	 * With chasing, VEX runs the second half of "a && b" speculatively, and
	 * instructions would count that the program never reached.  Set here
	 * and not earlier, so that no option of the user's wins.  Cachegrind counts them.
	 */
	if (dropin_name() != DROPIN_CACHEGRIND) {
		VG_(clo_vex_control).guest_chase = False;
		VG_(clo_vex_control).iropt_unroll_thresh = 0;
	}

	options_finish(&tool.options);
	placement_shift(tool.options.heap_shift, tool.options.load_shift);
	if (tool.options.inlined != INLINED_LINES)
		inlinees_ask();
	event_set_init(&tool.events, event_groups(&tool.options));
	if (tool.options.cache_sim || dropin_describes_caches())
		init_caches();
	init_engine();
	init_costs();
	if (tool.options.architectural)
		init_decoder();
	fingerprint_init(&tool.fingerprint);
	canonical_init(&tool.options.canonical);
	dropin_greet();
	init_from_before();
	tool.output.combines = tool.options.combine_dumps;
	if (tool.options.call_tree)
		treefile_init(&tool);
}

/* A profile of zeros looks like one of a program that does nothing. */
static void tell_empty(const ULong totals[N_EVENTS])
{
	HChar text[256];

	for (UInt event = 0; event < N_EVENTS; event++)
		if (totals[event] != 0)
			return;
	if (dropin_name() == DROPIN_NONE)
		message_note("nothing was collected: %s",
			     collection_why_nothing(text, sizeof(text)));
}

static void fini(Int exit_code)
{
	ULong totals[N_EVENTS];

	(void)exit_code; /* stays the program's own */
	client_check();
	if (VG_(clo_verbosity) > 0) {
		parts_totals(totals);
		dropin_print_totals(&tool.events, totals);
		summary_print(totals, tool.options.cache_sim, tool.options.branch_sim);
		if (dropin_name() == DROPIN_NONE)
			VG_(umsg)("\n");
	}
	canonical_exit();
	if (!tool.process.forked) { /* else there may be a line for each of many children */
		fn_rules_tell_unmatched(&tool.options.fn_rules);
		regions_tell_unmatched();
	}
	if (!tool.process.sealed)
		dump_profile(&tool, "", "Program termination", 0, True);
	if (VG_(clo_verbosity) > 0)
		tell_empty(totals);
	if (VG_(clo_stats))
		stats_print();
}

static Bool process_option(const HChar *arg)
{
	return options_parse(&tool.options, arg);
}

static void pre_clo_init(void)
{
	dropin_details();
	VG_(details_copyright_author)(
		"Copyright (C) 2026, and GNU GPL'd, by the costgrind authors.");
	VG_(details_bug_reports_to)("the costgrind authors");
	VG_(details_avg_translation_sizeB)(500);

	VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
	VG_(needs_command_line_options)(process_option, options_usage, options_debug_usage);
	options_init(&tool.options);
	optionenv_insert();
	client_register();
	process_init();
	request_register();
	stats_register();
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
