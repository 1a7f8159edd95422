/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An option is refused if it would change nothing although it was given for that, or if another
 * one takes back what it says.  What scripts give always, whatever else they ask for, stays
 * harmless: sizes of caches that are not simulated; --dump-instr=no with --cacheuse=yes, whose
 * events are then those of lines; --separate-recs with --skip-direct-rec.
 */
#include "tool/options/options.h"

#include "pub_tool_libcbase.h"

#include "isa/x86/decoder.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/options/machineconf.h"

/* The first of Callgrind's simulators, which are of two levels, that is asked for; NULL if none is. */
static const HChar *simulator_asked(const struct simulate_options *options)
{
	return options->cacheuse          ? "--cacheuse=yes"
	       : options->simulate_hwpref ? "--simulate-hwpref=yes"
	       : options->simulate_wb     ? "--simulate-wb=yes"
					  : NULL;
}

/* The same, and what a machine has beside its caches. */
static const HChar *user_of_caches(const struct options *options)
{
	const struct simulate_options *simulate = &options->simulate;
	const HChar *name = simulator_asked(simulate);

	return name != NULL                                 ? name
	       : simulate->tlb_sim                          ? "--tlb-sim=yes"
	       : simulate->counted[GROUP_PREFETCH]          ? "--prefetch=yes"
	       : simulate->counted[GROUP_CLASSES]           ? "--miss-classes=yes"
	       : simulate->miss_curve == MISS_CURVE_EXACT   ? "--miss-curve=exact"
	       : simulate->miss_curve == MISS_CURVE_SAMPLED ? "--miss-curve=sampled"
	       : simulate->counted[GROUP_FAULTS]            ? "--collect-faults=yes"
	       : options->write_back                        ? "--write-back=yes"
	       : simulate->observes[MISS_OBSERVER_DATA]     ? "--data=yes"
							    : NULL;
}

/* An option that was given is costgrind's own. */
static void require_costgrind(const HChar *option)
{
	if (dropin_name() != DROPIN_NONE)
		message_fatal("%s: goes with --tool=costgrind only", option);
}

void optioncheck_pages(const struct options *options)
{
	if (options->simulate.pages != PAGES_4K)
		message_fatal("--pages: goes with --tlb-sim=yes only");
}

static void check_tlbs(const struct options *options)
{
	const HChar *name = simulator_asked(&options->simulate);

	/* With cycles by default, it is the machine that decides whether there are TLBs (cacheconf_choose_cycles). */
	if (!options->simulate.tlb_sim && !options->simulate.counted[GROUP_CYCLES] &&
	    !options->cycles_if_core)
		optioncheck_pages(options);
	if (!options->simulate.tlb_sim)
		return;
	require_costgrind("--tlb-sim=yes");
	if (name != NULL)
		message_fatal("--tlb-sim=yes: not with %s, which is of two levels of caches", name);
}

static void check_reasons(const struct options *options)
{
	const struct simulate_options *simulate = &options->simulate;
	const HChar *asked = simulate->counted[GROUP_CLASSES]        ? "--miss-classes=yes"
			     : simulate->miss_curve != MISS_CURVE_NO ? "--miss-curve"
								     : NULL;
	const HChar *name = simulator_asked(simulate);

	if (asked == NULL)
		return;
	require_costgrind(asked);
	if (name != NULL)
		message_fatal("%s: not with %s, which knows no reasons of misses", asked, name);
}

static void check_data(const struct options *options)
{
	const struct data_options *data = &options->data;
	if (options->simulate.observes[MISS_OBSERVER_DATA])
		require_costgrind("--data=yes");
	else if (data->callers != DATA_CALLERS)
		message_fatal("--data-callers: goes with --data=yes only");
	else if (options->alloc.rules.n != 0 && !options->simulate.counted[GROUP_ALLOC])
		message_fatal("--alloc-fn: goes with --data=yes or --collect-alloc=yes only");
}

/* What instructions do is known by their code, for which there is a decoder or not. */
static void check_work(const struct options *options)
{
	const Bool *counted = options->simulate.counted;
	const HChar *name = counted[GROUP_FLOPS]   ? "--collect-flops=yes"
			    : counted[GROUP_BYTES] ? "--collect-bytes=yes"
			    : counted[GROUP_MIX]   ? "--mix=yes"
						   : NULL;

	if (name == NULL)
		return;
	require_costgrind(name);
	if (!insn_decoder_exists())
		message_fatal("%s: this tool was built without Capstone, which decodes "
			      "instructions",
			      name);
}

/* What is counted by default is said if it is not what it is elsewhere, also with -q. */
static void note_counting(const struct options *options)
{
	if (!insn_decoder_exists() && !options_given(options, "--counting") &&
	    dropin_name() == DROPIN_NONE)
		message_error("counting as with --counting=valgrind: this tool was built without "
			      "Capstone, which --counting=architectural needs");
}

/* --branch-model and --branch-detail are of no use without the simulation: they switch it on. */
static void check_branches(struct options *options)
{
	struct simulate_options *simulate = &options->simulate;
	const Bool has_detail = simulate->counted[GROUP_BRANCH_DETAIL];
	const Bool has_model = simulate->branch_model != BRANCH_MODEL_OF_MACHINE;

	if (has_detail || has_model)
		require_costgrind(has_detail ? "--branch-detail=yes" : "--branch-model");
	if (has_detail && simulate->branch_model == BRANCH_MODEL_CACHEGRIND)
		message_fatal("--branch-detail=yes: not with --branch-model=cachegrind");
	if (simulate->branch_sim || (!has_detail && !has_model))
		return;
	simulate->branch_sim = True;
	message_note("%s: simulating the branch predictors",
		     has_detail ? "--branch-detail=yes" : "--branch-model");
}

/*
 * Cycles are counted by default where nothing that was given stands in their way: all that is refused together with
 * --cycles=yes, and all that asks for less than they need.  The machine has a say, too, once it is known
 * (cacheconf_choose_cycles).
 */
static void choose_cycles(struct options *options)
{
	struct simulate_options *simulate = &options->simulate;

	if (options_given(options, "--cycles"))
		return;
	options->cycles_if_core =
		simulate->counted[GROUP_CYCLES] && simulate->cache_sim &&
		(simulate->branch_sim || !options_given(options, "--branch-sim")) &&
		(simulate->tlb_sim || !options_given(options, "--tlb-sim")) &&
		simulate->branch_model != BRANCH_MODEL_CACHEGRIND &&
		!options->instrument.reference_engine && simulator_asked(simulate) == NULL;
	simulate->counted[GROUP_CYCLES] = False;
}

/* Cycles are those of a machine with all that costs any: they switch on what was not asked for. */
static void check_cycles(struct options *options)
{
	struct simulate_options *simulate = &options->simulate;
	const HChar *name = simulator_asked(simulate);

	if (!simulate->counted[GROUP_CYCLES])
		return;
	require_costgrind("--cycles=yes");
	if (!insn_decoder_exists())
		message_fatal("--cycles=yes: this tool was built without Capstone, which decodes "
			      "instructions");
	if (name != NULL)
		message_fatal("--cycles=yes: not with %s, which is of two levels of caches", name);
	if (simulate->branch_model == BRANCH_MODEL_CACHEGRIND)
		message_fatal("--cycles=yes: not with --branch-model=cachegrind");
	if (options->instrument.reference_engine)
		message_fatal("--cycles=yes: not with --engine=plain");
	simulate->cache_sim = True;
	simulate->branch_sim = True;
	simulate->tlb_sim = True;
}

static void check_regions(const struct options *options)
{
	const struct simulate_options *simulate = &options->simulate;
	const HChar *misfit = machinestate_misfit(simulate);
	const HChar *word = options->calls.region_start == REGION_START_COLD ? "cold" : "before";

	if (options->calls.region_start == REGION_START_WARM)
		return;
	require_costgrind("--region-start");
	if (misfit == NULL && options->calls.region_start == REGION_START_BEFORE &&
	    simulate->counted[GROUP_BRANCH_DETAIL])
		misfit = "--branch-detail=yes";
	if (misfit == NULL && !simulate->cache_sim && !simulate->branch_sim)
		misfit = "--cache-sim=no, which leaves nothing that could be so";
	if (misfit != NULL)
		message_fatal("--region-start=%s: not with %s", word, misfit);
}

/* What needs the caches switches them on, as in Callgrind if it is given last. */
static void require_caches(struct options *options)
{
	const HChar *name = user_of_caches(options);

	if (options->simulate.cache_sim || name == NULL)
		return;
	options->simulate.cache_sim = True;
	message_note("--cache-sim=no %s: simulating the caches", name);
}

static void check_machine(const struct options *options)
{
	const HChar *name = simulator_asked(&options->simulate);
	const Bool is_other = options->machine != NULL &&
			      VG_(strcmp)(options->machine, MACHINECONF_TWO_LEVELS) != 0;

	if (is_other && name != NULL)
		message_fatal("--machine=%s: not with %s, which is of two levels of caches "
			      "(--machine=" MACHINECONF_TWO_LEVELS ")",
			      options->machine, name);
	if (is_other && dropin_name() != DROPIN_NONE)
		message_fatal("--machine=%s: goes with --tool=costgrind only", options->machine);
}

/* Callgrind's simulator of uses has neither; and without caches, none of them is. */
static void restrict_caches(struct options *options)
{
	if (!options->simulate.cache_sim) {
		options->simulate.simulate_wb = False;
		options->simulate.simulate_hwpref = False;
		options->simulate.cacheuse = False;
	}
	if (!options->simulate.cacheuse)
		return;
	if (options->simulate.simulate_wb)
		message_note("--simulate-wb=yes: not with --cacheuse=yes, as in Callgrind; off");
	if (options->simulate.simulate_hwpref)
		message_note("--simulate-hwpref=yes: not with --cacheuse=yes, as in Callgrind; "
			     "off");
	options->simulate.simulate_wb = False;
	options->simulate.simulate_hwpref = False;
}

/* Whether what an option chooses for an item is left as it is. */
static void check_left(const struct deterministic_options *options, Bool given, const HChar *name,
		       enum deterministic_item item, const HChar *left)
{
	if (given && (options->left & 1U << item) != 0)
		message_fatal("%s: not with --leave=%s", name, left);
}

static void check_deterministic(const struct deterministic_options *options)
{
	const Bool has_cpu = options->cpu != NULL;
	const Bool has_cpus = options->n_cpus > 1;
	const Bool has_seed = options->seed != 0;
	const Bool has_clock = options->clock_start != DETERMINISTIC_CLOCK_START;
	const Bool has_rate = options->clock_rate != CLOCK_USUAL_RATE;
	const HChar *name = has_cpu              ? "--cpu"
			    : has_cpus           ? "--cpus"
			    : has_seed           ? "--seed"
			    : options->left != 0 ? "--leave"
			    : has_clock          ? "--clock-start"
			    : has_rate           ? "--clock-rate"
						 : NULL;

	if (!options->on && name != NULL)
		message_fatal("%s: goes with --deterministic=yes only", name);
	if (has_cpu && (options->left & 1U << DETERMINISTIC_CPU) != 0)
		message_fatal("--cpu=%s: not with --leave=cpu", options->cpu);
	check_left(options, has_cpus, "--cpus", DETERMINISTIC_CPUS, "cpus");
	check_left(options, has_seed, "--seed", DETERMINISTIC_RANDOM, "random");
	check_left(options, has_clock, "--clock-start", DETERMINISTIC_CLOCK, "clock");
	check_left(options, has_rate, "--clock-rate", DETERMINISTIC_CLOCK, "clock");
}

static void check_tree(const struct options *options)
{
	if (!options->output.call_tree &&
	    options->output.call_tree_nodes != OPTIONS_CALL_TREE_NODES)
		message_fatal("--call-tree-nodes: goes with --call-tree=yes only");
}

/* Its lines are of functions, whoever called them, and of nothing else. */
static void check_flat(const struct options *options)
{
	const HChar *name = options->output.combine_dumps               ? "--combine-dumps=yes"
			    : options->instrument.collect_jumps         ? "--collect-jumps=yes"
			    : options->symbols.separate_callers > 0     ? "--separate-callers"
			    : options->symbols.inlined == INLINED_CALLS ? "--inline=calls"
									: NULL;

	if (options->output.flat && name != NULL)
		message_fatal("%s: not with --format=cachegrind, which has no place for it", name);
}

/* Last resort: a profile without any position says nothing. */
static void require_position(struct options *options)
{
	if (options->output.dump_line || options->output.dump_instr)
		return;
	options->output.dump_line = True;
	message_note("--dump-line=no --dump-instr=no: using source line as position");
}

void optioncheck(struct options *options)
{
	choose_cycles(options);
	/* Python functions call each other through one of the interpreter: only chains of callers tell them apart. */
	options->output.call_tree |= options->frames.python &&
				     !options_given(options, "--call-tree");
	check_deterministic(&options->deterministic);
	check_tree(options);
	check_data(options);
	check_machine(options);
	check_tlbs(options);
	check_reasons(options);
	check_branches(options);
	check_cycles(options);
	check_work(options);
	note_counting(options);
	if (dropin_name() == DROPIN_NONE)
		check_flat(options);
	if (dropin_name() == DROPIN_CALLGRIND)
		restrict_caches(options);
	else
		require_caches(options);
	check_regions(options);
	require_position(options);
}
