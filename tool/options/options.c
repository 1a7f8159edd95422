/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/options/options.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"

#include "isa/x86/decoder.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/options/optiontable.h"
#include "tool/options/optionvalue.h"

enum {
	WORD_SIZE = 320, /* bytes of an option with its value; longer ones are cut */
};

static void be_callgrind(struct options *options)
{
	options->simulate.cache_sim = False;
	options->output.dump_instr = False;
	options->instrument.modify_is_write = True;
	options->output.out_file = "callgrind.out.%p";
}

static void be_cachegrind(struct options *options)
{
	options->simulate.cache_sim = dropin_is_before_3_21();
	options->output.flat = True;
	options->symbols.skip_plt = False; /* its code is of no caller */
	options->output.out_file = "cachegrind.out.%p";
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
	*options = (struct options){
		.simulate.cache_sim = True,
		.simulate.branch_sim = False,
		.simulate.counted[GROUP_CYCLES] = insn_decoder_exists(),
		.data.callers = DATA_CALLERS,
		.output.dump_instr = True,
		.output.dump_line = True,
		.output.compress_strings = True,
		.output.compress_pos = True,
		.symbols.skip_plt = True,
		.calls.instr_atstart = INSTR_YES,
		.calls.collect_atstart = True,
		.calls.stack_seed = True,
		.symbols.separate_recs = 2,
		.instrument.cold_runs = 200,
		.output.call_tree_nodes = OPTIONS_CALL_TREE_NODES,
		.output.out_file = "costgrind.out.%p",
		.instrument.architectural =
			insn_decoder_exists(), /* what there is no decoder for is not */
		.symbols.inlined = INLINED_LINES,
		.generated_names = True,
		.deterministic = { .n_cpus = 1,
				   .clock_start = DETERMINISTIC_CLOCK_START,
				   .clock_rate = CLOCK_USUAL_RATE },
		.instrument.inline_data = True,
		.instrument.inline_fetches = True,
	};
	set_dropin_defaults(options);
}

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

static void take(struct options *options, const struct option *option, const HChar *arg,
		 const HChar *rest)
{
	tl_assert(n_options <= OPTIONS_MAX);
	options->given[option - option_table] = True;
	if (option_is_rule(option)) {
		option_read_rule(options, option, arg, rest);
		return;
	}
	if (option->kind == OPTION_IDLE_NUMBERED) {
		option_read_idle(options, option, arg, rest);
		return;
	}
	if (*rest == '\0')
		message_fatal("%s: expected %s=%s", arg, option->name, option->form);
	if (option->kind == OPTION_IDLE_YES || option->kind == OPTION_IDLE_NO ||
	    option->kind == OPTION_IDLE_COUNT)
		option_read_idle(options, option, arg, rest);
	else
		option_read(options, option, arg, rest + 1);
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
	/* False for the passes of the core that only look, or only list. */
	if (VG_(check_clom)(cloP, arg, option->name, True))
		take(options, option, arg, rest);
	return True;
}

void options_finish(struct options *options)
{
	optioncheck(options);
	for (UInt i = 0; i < options->n_notes; i++)
		/* Of the help, where it begins as a sentence does. */
		message_note("%s: %c%s", options->notes[i].arg,
			     VG_(tolower)(options->notes[i].text[0]), options->notes[i].text + 1);
}

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
	 * Whether cycles are counted goes by the machine, too, and with them all else that they are made of.
	 * So profiles list what is counted, no matter whether it was asked for.
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
