/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind: a profiler of instructions, caches and branches, run by Valgrind.
 *
 * docs/ARCHITECTURE.md says what is in which folder, and how an event gets from the program to the file.
 *
 * The simulators are in sim/, the format of the profile in writer/.
 */
#include "libvex.h"
#include <stddef.h>

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "tool/alloc/state.h"
#include "tool/calls/calls.h"
#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/control/request.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/data/state.h"
#include "tool/deterministic/state.h"
#include "tool/frames/frames.h"
#include "tool/generated/generated.h"
#include "tool/generated/state.h"
#include "tool/instrument/client.h"
#include "tool/instrument/instrument.h"
#include "tool/instrument/state.h"
#include "tool/options/machineconf.h"
#include "tool/options/options.h"
#include "tool/output/state.h"
#include "tool/pages/faults.h"
#include "tool/process/process.h"
#include "tool/simulate/state.h"
#include "tool/work/work.h"

struct symbols tool_symbols;
struct counts_state tool_counts;
struct cycles_state tool_cycles;
struct calls_state tool_calls;
struct alloc_state tool_alloc;
struct deterministic_state tool_deterministic;
struct generated_state tool_generated;
struct frames_state tool_frames;
struct instrument_state tool_instrument;
struct simulate_state tool_simulate;
struct data_state tool_data;
struct pages_state tool_pages;
struct output_state tool_output;
struct process tool_process;
struct work_state tool_work;

/* The options as given; rooms have their own copies. */
static struct options tool_options;

static UInt smallest_line(const struct hierarchy_config *config)
{
	UInt line = config->i1.geometry.line_size;

	if (config->d1.geometry.line_size < line)
		line = config->d1.geometry.line_size;
	for (UInt i = 0; i < config->n_lower; i++)
		if (config->lower[i].geometry.line_size < line)
			line = config->lower[i].geometry.line_size;
	return line;
}

static void init_caches(void)
{
	cacheconf_choose(&tool_options, &tool_simulate.caches);
	if (cacheconf_choose_cycles(&tool_options, &tool_simulate.caches, &tool_cycles))
		tool_simulate.options = tool_options.simulate;
	if (tool_options.simulate.tlb_sim) {
		cacheconf_choose_tlbs(&tool_options, &tool_simulate.caches, &tool_simulate.paging);
		paging_watch();
	}
	tool_instrument.min_line_size = smallest_line(&tool_simulate.caches);
	levels_init(&tool_counts.levels, &tool_simulate.caches);
}

static void init_branches(void)
{
	struct branching_config *config = &tool_simulate.branching.config;

	if (!tool_simulate.options.branch_sim)
		return;
	cacheconf_choose_branches(&tool_options, config);
	if (!tool_simulate.options.counted[GROUP_CYCLES])
		config->predictor.n_near_targets = 0;
}

static void init_cycles(void)
{
	if (!tool_simulate.options.counted[GROUP_CYCLES])
		return;
	machineconf_cycles(&tool_cycles);
	tool_counts.blocks.unknown_target = tool_cycles.costs.unknown_target;
	tool_cycles.is_on = True;
}

static void init_reasons(const struct hierarchy_config *config)
{
	const struct simulate_options *options = &tool_simulate.options;
	const HChar *misfit = missreasons_misfit(&config->d1);

	if (options->miss_curve != MISS_CURVE_NO && misfit != NULL)
		message_fatal("--miss-curve: %s", misfit);
	if (options->counted[GROUP_CLASSES] || options->miss_curve != MISS_CURVE_NO)
		missreasons_init(&tool_simulate.reasons, config, options->counted[GROUP_CLASSES],
				 options->miss_curve);
}

static UInt choose_cold_runs(const struct simulate_options *options)
{
	const Bool is_light = !options->cache_sim && !options->branch_sim;

	if (tool_simulate.has_last_path ||
	    (is_light && !options_given(&tool_options, "--cold-runs")))
		return 0;
	return tool_instrument.options.cold_runs;
}

static void init_engine(void)
{
	const struct cache_geometry smallest = { 128, 1, 64 };
	const struct simulate_options *options = &tool_simulate.options;
	/* Without caches, small ones: the machine is then needed only for its predictors. */
	struct hierarchy_config config =
		options->cache_sim ? tool_simulate.caches
				   : hierarchy_two_levels(smallest, smallest, smallest);

	tool_simulate.paths = &miss_paths;
	if (options->simulate_wb || options->simulate_hwpref || options->cacheuse) {
		tool_simulate.has_last_path = True;
		tool_simulate.paths = &last_paths;
		lastpath_init(&tool_simulate.last_path, options, &config, &tool_counts.hot_memory);
		config = hierarchy_without_last(&config);
	}
	prefetching_init(&tool_simulate.prefetching, &tool_simulate.caches,
			 tool_instrument.options.architectural,
			 options->cache_sim && options->counted[GROUP_PREFETCH]);
	if (tool_simulate.prefetching.prefetchers != NULL)
		tool_simulate.paths = &prefetching_paths;
	threadcores_init(&tool_simulate.cores, options->cache_sim ? tool_simulate.caches.cores : 1);
	branching_init(&tool_simulate.branching, threadcores_memory(&tool_simulate.cores));
	tool_simulate.paths = missobserver_wrap(tool_simulate.paths);
	if (options->counted[GROUP_FAULTS])
		tool_simulate.paths = faults_start(tool_simulate.paths);
	machinestate_note(&tool_cycles.waits, sizeof(tool_cycles.waits));
	tool_simulate.simulated = config;
	init_reasons(&config);
	if (tool_simulate.oracle != NULL) {
		tool_instrument.engine = tool_simulate.oracle->engine;
		tool_simulate.oracle->init(&config);
		return;
	}
	tool_instrument.engine = &engine_inline;
	tool_instrument.call_paths =
		calls_paths(&tool_counts.events, tool_output.options.call_tree);
	tool_simulate.machine =
		hot_memory_alloc(threadcores_memory(&tool_simulate.cores), machine_size(&config));
	tool_simulate.running = tool_simulate.machine;
	threadcores_first(&tool_simulate.cores, tool_simulate.branching.predictor);
	tool_counts.base = (Addr)tool_simulate.machine->filter - MACHINE_BASE;
	cold_init(&tool_instrument.cold, choose_cold_runs(options));
	machine_init(tool_simulate.machine, &config);
	if (tool_simulate.reasons.is_on)
		missreasons_attach(&tool_simulate.reasons, tool_simulate.machine, &config);
}

/* Pairs of totals are loaded together. */
_Static_assert(sizeof(struct hot) <= MACHINE_NEAR &&
		       (MACHINE_NEAR - sizeof(struct hot) + offsetof(struct hot, totals)) % 16 ==
			       0 &&
		       (offsetof(struct hot, totals) - offsetof(struct hot, packed[PACKED_FLOPS])) %
				       16 ==
			       0,
	       "hot words in the machine");

static struct hot *place_hot_words(void)
{
	struct machine *machine = tool_simulate.machine;

	if (machine == NULL) /* the oracle has its own */
		return hot_memory_alloc(&tool_counts.hot_memory, sizeof(struct hot));
	return (struct hot *)(void *)&machine->near[MACHINE_NEAR - sizeof(struct hot)];
}

static void init_costs(void)
{
	tool_counts.hot = place_hot_words();
	jumps_init(&tool_counts.jumps);
	blocks_init(&tool_counts.blocks, &tool_counts.hot_memory,
		    threadcores_memory(&tool_simulate.cores), &tool_counts.jumps,
		    &tool_counts.levels, calls_free_shortcuts);
	symbols_init(&tool_symbols, &tool_options.symbols);
	sites_init(&tool_counts.sites);
	contexts_init(&tool_counts.contexts);
	counter_sets_init(&tool_counts.counter_sets);
	calls_init(tool_output.options.call_tree ? tool_output.options.call_tree_nodes : 0);
}

static void init_work(void)
{
	const struct simulate_options *options = &tool_simulate.options;

	tool_work.has_operations = options->counted[GROUP_FLOPS];
	tool_work.has_bytes = options->counted[GROUP_BYTES];
	tool_work.has_mix = options->counted[GROUP_MIX];
	tool_work.decoder = tool_instrument.decoder;
}

static void init_decoder(void)
{
	const struct simulate_options *options = &tool_simulate.options;

	if (!tool_instrument.options.architectural && !options->counted[GROUP_FLOPS] &&
	    !options->counted[GROUP_BYTES] && !options->counted[GROUP_MIX])
		return;
	if (!insn_decoder_init(&tool_instrument.decoder))
		VG_(tool_panic)("no decoder");
}

static UInt event_groups(void)
{
	const struct simulate_options *options = &tool_simulate.options;

	const Bool counted[N_EVENT_GROUPS] = {
		[GROUP_BRANCH] = options->branch_sim,
		[GROUP_RETURNS] = tool_simulate.branching.config.predictor.tage != NULL,
		[GROUP_WRITE_BACK] = options->simulate_wb,
		[GROUP_USE] = options->cacheuse,
		[GROUP_SYSTEM] = tool_calls.options.collect_systime != SYSTIME_NONE ||
				 tool_calls.options.syscall_calls,
		[GROUP_SYSTEM_TIME] = tool_calls.options.collect_systime != SYSTIME_NONE,
		[GROUP_SYSTEM_CALLS] = tool_calls.options.syscall_calls,
		[GROUP_SYSTEM_CPU] = tool_calls.options.collect_systime == SYSTIME_NSEC,
		[GROUP_ARCHITECTURAL] = tool_instrument.options.architectural,
		[GROUP_CURVE] = options->miss_curve != MISS_CURVE_NO,
	};
	UInt groups = options->cache_sim ? levels_groups(&tool_simulate.caches,
							 options->counted[GROUP_CLASSES])
					 : 0;

	for (UInt i = 0; i < N_EVENT_GROUPS; i++)
		groups |= (UInt)(counted[i] || options->counted[i]) << i;
	return groups;
}

/* Takes what the program before this one has left, if that executed this one in its place. */
static void init_from_before(void)
{
	struct handover before;

	tool_self.executed = handover_take(&before);
	tool_output.parts.before = before.n_parts;
	tool_calls.instrumenting =
		tool_calls.options.instr_atstart == INSTR_YES ||
		(tool_calls.options.instr_atstart == INSTR_INHERIT && before.instrumenting);
	tool_calls.has_instrumented = tool_calls.instrumenting;
	tool_calls.was_off = !tool_calls.instrumenting;
	output_init(&tool_output.output, output_root(), "profile", tool_output.options.out_file,
		    before.path);
}

static void hand_out_options(void)
{
	tool_calls.options = tool_options.calls;
	tool_calls.hooks.write_part = part_write_own;
	tool_calls.hooks.zero = part_zero_own;
	tool_deterministic.options = tool_options.deterministic;
	tool_frames.options = tool_options.frames;
	tool_instrument.options = tool_options.instrument;
	tool_simulate.options = tool_options.simulate;
	tool_instrument.look_for_parts = parts_look;
	tool_instrument.forget_parts = parts_fork;
	tool_data.options = tool_options.data;
	tool_alloc.options = tool_options.alloc;
	tool_output.options = tool_options.output;
	jobrank_describe(&tool_output.job_descs, &tool_output.options.descs);
}

static void list_options(word_taker *take, void *ctx)
{
	options_list(&tool_options, take, ctx);
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

	options_finish(&tool_options);
	hand_out_options();
	placement_shift(tool_options.heap_shift, tool_options.load_shift);
	if (tool_options.symbols.inlined != INLINED_LINES)
		inlinees_ask();
	if (tool_simulate.options.cache_sim || dropin_describes_caches())
		init_caches();
	init_branches();
	libcnames_init(); /* for decoders */
	init_cycles();
	event_set_init(&tool_counts.events, event_groups(), tool_simulate.oracle == NULL);
	event_set_hide(&tool_counts.events, GROUP_SHARING);
	event_set_hide(&tool_counts.events, GROUP_CORES);
	init_engine();
	client_watch_kernel();
	init_costs();
	callhooks_trace();
	if (tool_options.generated_names)
		generated_start();
	if (tool_simulate.options.counted[GROUP_ALLOC])
		alloc_count_start();
	missobservers_start();
	frames_init();
	init_decoder();
	init_work();
	fingerprint_init(list_options);
	deterministic_init(&tool_deterministic.options);
	dropin_greet();
	longrun_init();
	init_from_before();
	tool_output.output.combines = tool_output.options.combine_dumps;
	tool_output.companions.wanted[COMPANION_TREE] = tool_output.options.call_tree;
	tool_output.companions.wanted[COMPANION_DATA] = tool_data.is_on;
	companions_init();
}

/* A profile of zeros looks like a program that does nothing, so this is an error, even with -q. */
static void report_empty(const ULong totals[N_EVENTS])
{
	HChar text[256];

	for (UInt event = 0; event < N_EVENTS; event++)
		if (totals[event] != 0)
			return;
	if (dropin_name() == DROPIN_NONE)
		message_error("nothing was collected: %s",
			      collection_why_nothing(text, sizeof(text)));
}

static void note_saturated(void)
{
	if (tool_calls.arcs.saturated && dropin_name() == DROPIN_NONE)
		message_note(
			"calls within a recursion cost more than 63 bits hold; the profile has "
			"%llu of them",
			ARC_MAX);
}

/* Writes the profile and all messages that are left; trigger is the reason, for the profile. */
static void finish(const HChar *trigger)
{
	ULong totals[N_EVENTS];

	blocks_end(&tool_counts.blocks, &tool_counts.sites);
	client_check();
	parts_totals(totals);
	if (VG_(clo_verbosity) > 0) {
		dropin_print_totals(&tool_counts.events, totals);
		summary_print(totals);
		if (dropin_name() == DROPIN_NONE)
			VG_(umsg)("\n");
	}
	deterministic_exit();
	missobservers_finish();
	if (!tool_self.forked) { /* otherwise there may be a line for each of many children */
		fn_rules_report_unmatched(&tool_symbols.options->fn_rules);
		regions_report_unmatched();
	}
	frames_end();
	tool_self.ending.is_over = True;
	if (!tool_self.sealed)
		dump_profile("", trigger, 0, True);
	if (VG_(clo_verbosity) > 0 || !tool_self.forked)
		report_empty(totals);
	if (VG_(clo_verbosity) > 0)
		note_saturated();
	if (!tool_self.forked) /* else there may be a line for each of many children */
		own_files_report(&tool_symbols.own);
	process_report_unprofiled();
	if (VG_(clo_stats))
		stats_print();
}

static void fini(Int exit_code)
{
	(void)exit_code; /* stays the program's own */
	finish("Program termination");
}

/* --engine: only the test build has two of them (tool/simulate/oracle.h). */
static Bool choose_engine(const HChar *arg)
{
	if (VG_(strncmp)(arg, "--engine=", 9) != 0)
		return False;
	if (!VG_(check_clom)(cloP, arg, "--engine", True))
		return True;
	if (&oracle == NULL)
		message_fatal("%s: the second engine is in the test build only (make oracle)", arg);
	if (VG_(strcmp)(arg + 9, "inline") != 0 && VG_(strcmp)(arg + 9, "plain") != 0)
		message_fatal("%s: expected --engine=inline|plain", arg);
	tool_simulate.oracle = VG_(strcmp)(arg + 9, "plain") == 0 ? &oracle : NULL;
	return True;
}

static Bool process_option(const HChar *arg)
{
	if (choose_engine(arg))
		return True;
	return options_parse(&tool_options, arg);
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
	options_init(&tool_options);
	options_insert_environment();
	client_register();
	process_init(finish);
	request_register();
	stats_register();
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
