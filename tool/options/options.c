/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that contradict each other are refused: an option that would change nothing although it was given for that, and
 * one that is revoked by another.  What scripts always give, whatever else they ask for, stays harmless: sizes of caches that
 * are not simulated; --dump-instr=no with --cacheuse=yes, whose events then belong to lines; --separate-recs with
 * --skip-direct-rec.
 */
#include "tool/options/options.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

#include "isa/x86/decoder.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/options/machineconf.h"
#include "tool/options/optiontable.h"

enum {
	WORD_SIZE = 320, /* bytes of an option with its value; longer ones are cut */
};

/* -- defaults ---------------------------------------------------------------------------------- */

static void be_callgrind(struct options *options)
{
	options->simulate.cache_sim = False;
	options->output.dump_instr = False;
	options->instrument.modify_is_write = True;
}

static void be_cachegrind(struct options *options)
{
	options->simulate.cache_sim = dropin_is_before_3_21();
	options->output.flat = True;
	options->symbols.skip_plt = False; /* its code is of no caller */
}

/* The defaults of the tool whose name it goes by. */
static void set_dropin_defaults(struct options *options)
{
	switch (dropin_name()) {
	case DROPIN_NONE:
		return;
	case DROPIN_CALLGRIND:
		be_callgrind(options);
		break;
	case DROPIN_CACHEGRIND:
		be_cachegrind(options);
		break;
	}
	options->instrument.architectural = False;
	options->simulate.counted[GROUP_CYCLES] = False;
	options->instrument.fork_inherits = True;
	options->symbols.core_names = True;
	options->generated_names = False;
	options->calls.stack_seed = False;
}

void options_init(struct options *options)
{
	*options = (struct options){ 0 };
	option_set_defaults(options);
	/* Both depend on code that must be decoded. */
	options->instrument.architectural = insn_decoder_exists();
	options->simulate.counted[GROUP_CYCLES] = insn_decoder_exists();
	set_dropin_defaults(options);
}

/* -- the command line ---------------------------------------------------------------------------- */

void options_note(struct options *options, const HChar *arg, const HChar *text)
{
	/* They are few. */
	options->notes = VG_(realloc)("costgrind.options", options->notes,
				      (options->n_notes + 1) * sizeof(*options->notes));
	options->notes[options->n_notes++] = (struct option_note){ arg, text };
}

Bool options_given(const struct options *options, const HChar *name)
{
	const HChar *rest;
	const struct option *option = option_find(name, &rest);

	tl_assert(option != NULL);
	return options->given[option - option_table];
}

/* Under another tool's name, scripts that read messages expect Valgrind's own. */
static void refuse_misspelling(const HChar *arg)
{
	const HChar *meant;

	if (VG_(Clo_Mode)() != cloP || dropin_name() != DROPIN_NONE)
		return;
	meant = option_suggest(arg);
	if (meant != NULL)
		message_fatal("%s: no such option, did you mean %s?", arg, meant);
}

Bool options_parse(struct options *options, const HChar *arg)
{
	const HChar *rest;
	const struct option *option = option_find(arg, &rest);

	if (option == NULL) {
		refuse_misspelling(arg);
		return False;
	}
	/* False in passes of the core that only look for certain options, or list them. */
	if (VG_(check_clom)(cloP, arg, option->name, True)) {
		tl_assert(n_options <= OPTIONS_MAX);
		options->given[option - option_table] = True;
		option_read(options, option, arg, rest);
	}
	return True;
}

/* -- contradictions ------------------------------------------------------------------------------ */

/* The first of Callgrind's simulators, which have two levels, that was asked for; NULL if none was. */
static const HChar *simulator_asked(const struct simulate_options *options)
{
	return options->cacheuse          ? "--cacheuse=yes"
	       : options->simulate_hwpref ? "--simulate-hwpref=yes"
	       : options->simulate_wb     ? "--simulate-wb=yes"
					  : NULL;
}

/* The first option that needs caches; NULL if there is none. */
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
	       : simulate->cores > 1                        ? "--cores"
	       : simulate->observes[MISS_OBSERVER_DATA]     ? "--data=yes"
							    : NULL;
}

/* An option that no other tool has was given. */
static void require_costgrind(const HChar *option)
{
	if (dropin_name() != DROPIN_NONE)
		message_fatal("%s: needs --tool=costgrind", option);
}

void options_check_pages(const struct options *options)
{
	if (options->simulate.pages != PAGES_4K)
		message_fatal("--pages: needs --tlb-sim=yes");
}

static void check_tlbs(const struct options *options)
{
	const HChar *name = simulator_asked(&options->simulate);

	/* With cycles by default, the machine decides whether there are TLBs (cacheconf_choose_cycles). */
	if (!options->simulate.tlb_sim && !options->simulate.counted[GROUP_CYCLES] &&
	    !options->cycles_if_core)
		options_check_pages(options);
	if (!options->simulate.tlb_sim)
		return;
	require_costgrind("--tlb-sim=yes");
	if (name != NULL)
		message_fatal(
			"--tlb-sim=yes: cannot be combined with %s, which simulates two levels of caches",
			name);
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
		message_fatal("%s: cannot be combined with %s, which does not classify misses",
			      asked, name);
}

static void check_data(struct options *options)
{
	options->simulate.observes[MISS_OBSERVER_DATA] |= options->simulate.counted[GROUP_SHARING];
	if (options->simulate.observes[MISS_OBSERVER_DATA])
		require_costgrind("--data=yes");
	else if (!option_is_usual(options, "--data-callers"))
		message_fatal("--data-callers: needs --data=yes");
	else if (options->alloc.rules.n != 0 && !options->simulate.counted[GROUP_ALLOC])
		message_fatal("--alloc-fn: needs --data=yes or --collect-alloc=yes");
}

/* Work is counted by decoding instructions. */
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

/* A default that differs from other builds is reported, even with -q. */
static void note_counting(const struct options *options)
{
	if (!insn_decoder_exists() && !options_given(options, "--counting") &&
	    dropin_name() == DROPIN_NONE)
		message_error("counting as with --counting=valgrind: this tool was built without "
			      "Capstone, which --counting=architectural needs");
}

/* --branch-model and --branch-detail need the simulation, and switch it on. */
static void check_branches(struct options *options)
{
	struct simulate_options *simulate = &options->simulate;
	const Bool has_detail = simulate->counted[GROUP_BRANCH_DETAIL];
	const Bool has_model = simulate->branch_model != BRANCH_MODEL_OF_MACHINE;

	if (has_detail || has_model)
		require_costgrind(has_detail ? "--branch-detail=yes" : "--branch-model");
	if (has_detail && simulate->branch_model == BRANCH_MODEL_CACHEGRIND)
		message_fatal(
			"--branch-detail=yes: cannot be combined with --branch-model=cachegrind");
	if (simulate->branch_sim || (!has_detail && !has_model))
		return;
	simulate->branch_sim = True;
	message_note("%s: simulating the branch predictors",
		     has_detail ? "--branch-detail=yes" : "--branch-model");
}

/*
 * Cycles are counted by default unless an option prevents it: one that --cycles=yes does not allow, or one that switches off
 * what cycles need.  The machine has a say, too, once it is known (cacheconf_choose_cycles).
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
		simulate->branch_model != BRANCH_MODEL_CACHEGRIND && tool_simulate.oracle == NULL &&
		simulator_asked(simulate) == NULL;
	simulate->counted[GROUP_CYCLES] = False;
}

/* Cycles include everything that costs any, and switch all of it on. */
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
		message_fatal(
			"--cycles=yes: cannot be combined with %s, which simulates two levels of caches",
			name);
	if (simulate->branch_model == BRANCH_MODEL_CACHEGRIND)
		message_fatal("--cycles=yes: cannot be combined with --branch-model=cachegrind");
	if (tool_simulate.oracle != NULL)
		message_fatal("--cycles=yes: cannot be combined with --engine=plain");
	simulate->cache_sim = True;
	simulate->branch_sim = True;
	simulate->tlb_sim = True;
}

/* What knows only one core yet. */
static const HChar *user_of_one_core(const struct simulate_options *simulate)
{
	return simulate->counted[GROUP_PREFETCH]       ? "--prefetch=yes"
	       : simulate->counted[GROUP_CLASSES]      ? "--miss-classes=yes"
	       : simulate->miss_curve != MISS_CURVE_NO ? "--miss-curve"
	       : tool_simulate.oracle != NULL          ? "--engine=plain"
						       : simulator_asked(simulate);
}

static void check_cores(const struct options *options)
{
	const HChar *name = user_of_one_core(&options->simulate);

	const Bool shares = options->simulate.counted[GROUP_SHARING];

	if (shares)
		require_costgrind("--sharing=yes");
	if (name != NULL && (shares || options->simulate.cores > 1))
		message_fatal("%s: cannot be combined with %s, which knows one core",
			      shares ? "--sharing=yes" : "--cores", name);
	if (shares && options->simulate.cores == 1 && options_given(options, "--cores"))
		message_fatal("--sharing=yes: expected --cores=2 or more, found --cores=1");
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
		misfit = "--cache-sim=no, which leaves neither caches nor predictors";
	if (misfit != NULL)
		message_fatal("--region-start=%s: cannot be combined with %s", word, misfit);
}

/* What needs the caches switches them on, as in Callgrind if given last. */
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
		message_fatal(
			"--machine=%s: cannot be combined with %s, which simulates two levels of caches "
			"(--machine=" MACHINECONF_TWO_LEVELS ")",
			options->machine, name);
	if (is_other && dropin_name() != DROPIN_NONE)
		message_fatal("--machine=%s: needs --tool=costgrind", options->machine);
}

/* Callgrind's simulator of uses has neither write-back nor prefetcher; without caches all three are off. */
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
		message_note(
			"--simulate-wb=yes: cannot be combined with --cacheuse=yes, as in Callgrind; switched off");
	if (options->simulate.simulate_hwpref)
		message_note(
			"--simulate-hwpref=yes: cannot be combined with --cacheuse=yes, as in Callgrind; "
			"switched off");
	options->simulate.simulate_wb = False;
	options->simulate.simulate_hwpref = False;
}

static void check_deterministic(const struct options *options)
{
	/* What an option changes, and the item of --leave that leaves it alone. */
	static const struct {
		const HChar *option;
		enum deterministic_item item;
		const HChar *left;
	} parts[] = {
		{ "--cpus", DETERMINISTIC_CPUS, "cpus" },
		{ "--seed", DETERMINISTIC_RANDOM, "random" },
		{ "--clock-start", DETERMINISTIC_CLOCK, "clock" },
		{ "--clock-rate", DETERMINISTIC_CLOCK, "clock" },
	};
	const struct deterministic_options *deterministic = &options->deterministic;
	const HChar *name = deterministic->cpu != NULL ? "--cpu"
			    : deterministic->left != 0 ? "--leave"
						       : NULL;

	for (UInt i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (option_is_usual(options, parts[i].option))
			continue;
		if (name == NULL)
			name = parts[i].option;
		if (deterministic->on && (deterministic->left & 1U << parts[i].item) != 0)
			message_fatal("%s: cannot be combined with --leave=%s", parts[i].option,
				      parts[i].left);
	}
	if (!deterministic->on && name != NULL)
		message_fatal("%s: needs --deterministic=yes", name);
	if (deterministic->cpu != NULL && (deterministic->left & 1U << DETERMINISTIC_CPU) != 0)
		message_fatal("--cpu=%s: cannot be combined with --leave=cpu", deterministic->cpu);
}

static void check_tree(const struct options *options)
{
	if (!options->output.call_tree && !option_is_usual(options, "--call-tree-nodes"))
		message_fatal("--call-tree-nodes: needs --call-tree=yes");
}

/* Its lines belong to functions, whoever called them, and nothing else. */
static void check_flat(const struct options *options)
{
	const HChar *name = options->output.combine_dumps               ? "--combine-dumps=yes"
			    : options->instrument.collect_jumps         ? "--collect-jumps=yes"
			    : options->symbols.separate_callers > 0     ? "--separate-callers"
			    : options->symbols.inlined == INLINED_CALLS ? "--inline=calls"
									: NULL;

	if (options->output.flat && name != NULL)
		message_fatal(
			"%s: cannot be combined with --format=cachegrind, which has no place for it",
			name);
}

/* A profile without any position would say nothing. */
static void require_position(struct options *options)
{
	if (options->output.dump_line || options->output.dump_instr)
		return;
	options->output.dump_line = True;
	message_note("--dump-line=no --dump-instr=no: using source line as position");
}

/*
 * Ends the run with a message if options contradict each other, or if one has no effect without another.  Corrects what has only one
 * sensible meaning, with a note.  Under another tool's name, everything that this tool accepts is accepted.
 */
static void check_all(struct options *options)
{
	choose_cycles(options);
	/* Python functions call each other through one of the interpreter: only chains of callers tell them apart. */
	options->output.call_tree |= options->frames.python &&
				     !options_given(options, "--call-tree");
	check_deterministic(options);
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
	check_cores(options);
	require_position(options);
}

void options_finish(struct options *options)
{
	check_all(options);
	for (UInt i = 0; i < options->n_notes; i++)
		/* A text of --help begins with a capital. */
		message_note("%s: %c%s", options->notes[i].arg,
			     VG_(tolower)(options->notes[i].text[0]), options->notes[i].text + 1);
}

/* -- messages about them -------------------------------------------------------------------------- */

/* The same text, or both none. */
static Bool is_same(const HChar *a, const HChar *b)
{
	return a == NULL || b == NULL ? a == b : VG_(strcmp)(a, b) == 0;
}

void options_list(const struct options *options, void (*add)(void *ctx, const HChar *word),
		  void *ctx)
{
	struct options defaults;

	options_init(&defaults);
	/*
	 * The machine has a say in whether cycles, and all that they are made of, are counted.  So profiles list them whenever
	 * they are counted, asked for or not.
	 */
	defaults.simulate.counted[GROUP_CYCLES] = False;
	for (UInt i = 0; i < n_options; i++) {
		const struct option *option = &option_table[i];
		HChar text[OPTION_TEXT_SIZE], other[OPTION_TEXT_SIZE], word[WORD_SIZE];
		const HChar *value;

		if ((option->flags & OPTION_MATTERS) == 0)
			continue;
		value = option_text(option, options, text);
		if (is_same(value, option_text(option, &defaults, other)))
			continue;
		tl_assert(value != NULL);
		VG_(snprintf)(word, sizeof(word), "%s=%s", option->name, value);
		add(ctx, word);
	}
	for (UInt i = 0; i < options->symbols.fn_rules.n; i++) {
		const HChar *rule = fn_rules_option(&options->symbols.fn_rules, i);

		if (rule != NULL)
			add(ctx, rule);
	}
}

void options_usage(void)
{
	option_print_groups();
	VG_(printf)("\n    %-38s %s\n", "<pattern>",
		    "Whole name: * is any run of characters, ? any one");
	deterministic_usage();
}

void options_debug_usage(void)
{
	option_print_debug();
}

/* -- COSTGRIND_OPTS ----------------------------------------------------------------------------- */

/*
 * The core has gathered all options before it calls the tool, and reads them one by one afterwards.  The first of them, from files
 * and VALGRIND_OPTS, it does not pass to the children of --trace-children=yes, which find them by themselves; ours are treated the
 * same.
 */

/* No header of the core's has them: the options as HChar *, and how many are not of the command line. */
extern XArray *VG_(args_for_valgrind);
extern Int VG_(args_for_valgrind_noexecpass);

static Bool is_command_line_only(void)
{
	XArray *args = VG_(args_for_valgrind);

	for (Word i = 0; i < VG_(sizeXA)(args); i++)
		if (VG_(strcmp)(*(HChar **)VG_(indexXA)(args, i), "--command-line-only=yes") == 0)
			return True;
	return False;
}

static void insert(HChar *word)
{
	if (word[0] != '-')
		message_fatal("COSTGRIND_OPTS: %s: expected options", word);
	if (VG_(strncmp)(word, "--tool=", 7) == 0)
		message_fatal("COSTGRIND_OPTS: %s: the tool has been chosen already", word);
	/* The core has looked for these two already. */
	if (VG_(strcmp)(word, "-q") == 0 || VG_(strcmp)(word, "--quiet") == 0) {
		VG_(clo_verbosity)--;
		return;
	}
	if (VG_(strcmp)(word, "-v") == 0 || VG_(strcmp)(word, "--verbose") == 0) {
		VG_(clo_verbosity)++;
		return;
	}
	VG_(insertIndexXA)(VG_(args_for_valgrind), VG_(args_for_valgrind_noexecpass), &word);
	VG_(args_for_valgrind_noexecpass)++;
}

void options_insert_environment(void)
{
	const HChar *text = VG_(getenv)("COSTGRIND_OPTS");
	HChar *words;

	if (text == NULL || dropin_name() != DROPIN_NONE || is_command_line_only())
		return;
	/* Never released: options are borrowed from it. */
	words = VG_(strdup)("costgrind.options", text);
	while (*words != '\0') {
		HChar *word = words;

		while (*words != '\0' && !VG_(isspace)(*words))
			words++;
		if (*words != '\0')
			*words++ = '\0';
		if (word[0] != '\0')
			insert(word);
	}
}

void options_hand_on(const HChar *old, const HChar *arg)
{
	XArray *args = VG_(args_for_valgrind);

	for (Word i = 0; i < VG_(sizeXA)(args); i++) {
		const HChar **word = VG_(indexXA)(args, i);

		if (VG_(strcmp)(*word, old) == 0)
			*word = arg;
	}
}
