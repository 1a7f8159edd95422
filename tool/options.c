/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options are rows of two tables: those that have one value, with its kind,
 * where it goes, and the text of --help; and those that each time add a rule
 * for some functions.  A kind has one parser, so that all options of a kind
 * fail with the same words.
 */
#include "tool/options.h"

#include <stddef.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "sim/calltree.h"
#include "tool/cacheconf.h"
#include "tool/dropin.h"
#include "tool/insntraits.h"
#include "tool/message.h"

enum option_kind {
	OPTION_BOOL,     /* Bool: yes or no */
	OPTION_CALLERS,  /* UInt: as a rule for callers has it */
	OPTION_RUNS,     /* UInt: executions of cold code */
	OPTION_SHIFT,    /* UInt: bytes of heap */
	OPTION_PAGES,    /* UInt: pages */
	OPTION_COUNT,    /* UInt: any */
	OPTION_DESC,     /* struct descs: a line more */
	OPTION_REGION,   /* const HChar *: a pattern of names of regions */
	OPTION_NODES,    /* UInt: of a call tree */
	OPTION_RECS,     /* UInt: as a rule for recursion has it */
	OPTION_CACHE,    /* struct cache_option: <size>,<associativity>,<line size> */
	OPTION_FILE,     /* const HChar *: any text but an empty one */
	OPTION_COUNTING, /* Bool: architectural or valgrind */
	OPTION_FORMAT,   /* Bool: callgrind or cachegrind */
	OPTION_MODIFY,   /* Bool: read or write */
	OPTION_FORK,     /* Bool: zero or inherit */
	OPTION_SYSTIME,  /* enum systime_unit: a unit, yes or no */
	OPTION_ENGINE,   /* const HChar *: the name of an engine */
	OPTION_INLINE,   /* enum inlined: by its name */
	OPTION_CPU,      /* struct canonical_options: the name of a processor */
	OPTION_CPUS,     /* UInt: how many there are */
	OPTION_NUMBER,   /* UInt: any */
	OPTION_LEAVE,    /* UInt: bits of items that are not made canonical */
};

struct option {
	const HChar *name;
	enum option_kind kind;
	/*
	 * Whether it changes events, counts, or what they belong to, so that "desc: Options"
	 * has to say it; caches and --counting have lines of their own.
	 */
	Bool matters;
	SizeT offset;       /* of the value in struct options */
	const HChar *value; /* its form, for --help */
	const HChar *help;  /* NULL: not listed */
};

#define VALUE(member) offsetof(struct options, member)
#define CACHE_FORM    "<size>,<assoc>,<line>"

static const struct option option_table[] = {
	{ "--I1", OPTION_CACHE, False, VALUE(i1), CACHE_FORM,
	  "first-level instruction cache [this CPU's]" },
	{ "--D1", OPTION_CACHE, False, VALUE(d1), CACHE_FORM,
	  "first-level data cache [this CPU's]" },
	{ "--LL", OPTION_CACHE, False, VALUE(ll), CACHE_FORM, "last-level cache [this CPU's]" },
	{ "--L2", OPTION_CACHE, False, VALUE(ll), CACHE_FORM, NULL },
	{ "--cache-sim", OPTION_BOOL, True, VALUE(cache_sim), "yes|no",
	  "simulate the caches [yes]" },
	{ "--branch-sim", OPTION_BOOL, True, VALUE(branch_sim), "yes|no",
	  "simulate the branch predictors [no]" },
	{ "--simulate-wb", OPTION_BOOL, True, VALUE(simulate_wb), "yes|no",
	  "last level: count write-backs at misses [no]" },
	{ "--simulate-hwpref", OPTION_BOOL, True, VALUE(simulate_hwpref), "yes|no",
	  "last level: simulate a hardware prefetcher [no]" },
	{ "--cacheuse", OPTION_BOOL, True, VALUE(cacheuse), "yes|no",
	  "what use is made of cache lines [no]" },
	{ "--collect-bus", OPTION_BOOL, True, VALUE(collect_bus), "yes|no",
	  "count instructions that lock the bus [no]" },
	{ "--collect-systime", OPTION_SYSTIME, True, VALUE(collect_systime), "yes|no|<unit>",
	  "count system calls, and their time in msec, usec or nsec [no]" },
	{ "--counting", OPTION_COUNTING, False, VALUE(architectural), "architectural|valgrind",
	  "count what the processor does, or as Cachegrind does [architectural]" },
	{ "--dump-instr", OPTION_BOOL, False, VALUE(dump_instr), "yes|no",
	  "costs of each instruction [yes]" },
	{ "--dump-line", OPTION_BOOL, False, VALUE(dump_line), "yes|no",
	  "costs of each source line [yes]" },
	{ "--compress-strings", OPTION_BOOL, False, VALUE(compress_strings), "yes|no",
	  "write a long name once, then its number [yes]" },
	{ "--compress-pos", OPTION_BOOL, False, VALUE(compress_pos), "yes|no",
	  "write positions as differences [yes]" },
	{ "--costgrind-out-file", OPTION_FILE, False, VALUE(out_file), "<file>",
	  "where the profile goes [costgrind.out.%p]" },
	{ "--callgrind-out-file", OPTION_FILE, False, VALUE(out_file), "<file>", NULL },
	{ "--cachegrind-out-file", OPTION_FILE, False, VALUE(out_file), "<file>", NULL },
	{ "--format", OPTION_FORMAT, False, VALUE(flat), "callgrind|cachegrind",
	  "of the profile [callgrind]" },
	{ "--modify", OPTION_MODIFY, True, VALUE(modify_is_write), "read|write",
	  "what reads and writes one place counts as the one or the other [read]" },
	{ "--fork", OPTION_FORK, True, VALUE(fork_inherits), "zero|inherit",
	  "the costs that the child of a fork begins with [zero]" },
	{ "--trace-jump", OPTION_BOOL, False, VALUE(collect_jumps), "yes|no", NULL },
	{ "--simulate-cache", OPTION_BOOL, False, VALUE(cache_sim), "yes|no", NULL },
	{ "--collect-jumps", OPTION_BOOL, False, VALUE(collect_jumps), "yes|no",
	  "jumps inside functions, from where and to where [no]" },
	{ "--instr-atstart", OPTION_BOOL, True, VALUE(instr_atstart), "yes|no",
	  "count from the start, or from a request or command on [yes]" },
	{ "--instr-at-start", OPTION_BOOL, False, VALUE(instr_atstart), "yes|no", NULL },
	{ "--collect-atstart", OPTION_BOOL, True, VALUE(collect_atstart), "yes|no",
	  "collect from the start, or from a request or function on [yes]" },
	{ "--collect-region", OPTION_REGION, True, VALUE(collect_region), "<pattern>",
	  "collect in regions of such names only [all that runs]" },
	{ "--desc", OPTION_DESC, False, VALUE(descs), "<name>: <text>",
	  "a line of the profile's header" },
	{ "--dump-every-bb", OPTION_COUNT, False, VALUE(dump_every_bb), "<n>",
	  "write a part every n superblocks; 0 = never [0]" },
	{ "--dump-every-ms", OPTION_COUNT, False, VALUE(dump_every_ms), "<n>",
	  "write a part every n milliseconds; 0 = never [0]" },
	{ "--combine-dumps", OPTION_BOOL, False, VALUE(combine_dumps), "yes|no",
	  "all parts in one file [no]" },
	{ "--call-tree", OPTION_BOOL, False, VALUE(call_tree), "yes|no",
	  "costs by whole chains of callers, in tree.<pid>.costgrind [no]" },
	{ "--call-tree-nodes", OPTION_NODES, False, VALUE(call_tree_nodes), "<n>",
	  "fold what does not fit into so many chains [1000000]" },
	{ "--inline", OPTION_INLINE, True, VALUE(inlined), "no|lines|calls",
	  "inlined code: as its caller's line, lines, functions [lines]" },
	{ "--separate-threads", OPTION_BOOL, False, VALUE(separate_threads), "yes|no",
	  "a profile for each thread [no]" },
	{ "--skip-plt", OPTION_BOOL, True, VALUE(skip_plt), "yes|no",
	  "code of a PLT is part of its caller [yes]" },
	{ "--skip-direct-rec", OPTION_BOOL, True, VALUE(skip_direct_rec), "yes|no",
	  "a function's call of itself is no new level [no]" },
	{ "--separate-callers", OPTION_CALLERS, True, VALUE(separate_callers), "<n>",
	  "tell functions apart by their last n callers [0]" },
	{ "--separate-recs", OPTION_RECS, True, VALUE(separate_recs), "<n>",
	  "tell levels of recursion apart, up to n [2]" },
	{ "--deterministic", OPTION_BOOL, True, VALUE(canonical.on), "yes|no",
	  "the program sees the same machine, time and chance in every run [no]" },
	{ "--leave", OPTION_LEAVE, True, VALUE(canonical.left), "<item>,<item>,...",
	  "... but for these [none]" },
	{ "--cpu", OPTION_CPU, True, VALUE(canonical), "<name>[+<feature>...]",
	  "... the processor: baseline, sse42, avx2; +erms ... [baseline]" },
	{ "--cpus", OPTION_CPUS, True, VALUE(canonical.n_cpus), "<n>",
	  "... how many CPUs there seem to be [1]" },
	{ "--seed", OPTION_NUMBER, True, VALUE(canonical.seed), "<n>",
	  "... where random numbers begin [0]" },
	{ "--clock-start", OPTION_NUMBER, True, VALUE(canonical.clock_start), "<seconds>",
	  "... the date, in seconds since 1970 [1767225600]" },
	{ "--heap-shift", OPTION_SHIFT, True, VALUE(heap_shift), "<bytes>",
	  "begin the heap (brk) so many bytes later, to see what depends on it [0]" },
	{ "--load-shift", OPTION_PAGES, True, VALUE(load_shift), "<pages>",
	  "load libraries and map memory so many pages further up, likewise [0]" },
	{ "--cold-runs", OPTION_RUNS, False, VALUE(cold_runs), "<n>", NULL },
	{ "--engine", OPTION_ENGINE, False, VALUE(engine), "inline|plain", NULL },
	{ "--inline-data", OPTION_BOOL, False, VALUE(inline_data), "yes|no", NULL },
	{ "--inline-fetches", OPTION_BOOL, False, VALUE(inline_fetches), "yes|no", NULL },
};

/* What may follow the name of an option that adds a rule. */
enum rule_form {
	RULE_PATTERN,    /* =<pattern> */
	RULE_NUMBERED,   /* <n>=<pattern> */
	RULE_OR_WITHOUT, /* =<pattern> or nothing: all functions */
};

struct rule_option {
	const HChar *name;
	enum rule_form form;
	enum fn_rule_kind kind;
	const HChar *usage; /* what follows the name, for --help */
	const HChar *help;
};

static const struct rule_option rule_table[] = {
	{ "--separate-callers", RULE_NUMBERED, FN_RULE_CALLERS, "<n>=<pattern>",
	  "the same for functions of such a name" },
	{ "--separate-recs", RULE_NUMBERED, FN_RULE_RECS, "<n>=<pattern>",
	  "the same for functions of such a name" },
	{ "--fn-group", RULE_NUMBERED, FN_RULE_GROUP, "<n>=<pattern>",
	  "called within group n, they go by their caller's name" },
	{ "--fn-skip", RULE_PATTERN, FN_RULE_SKIP, "=<pattern>",
	  "such functions are part of their callers" },
	{ "--obj-skip", RULE_PATTERN, FN_RULE_SKIP_OBJECT, "=<pattern>",
	  "all functions of such objects are part of their callers" },
	{ "--toggle-collect", RULE_PATTERN, FN_RULE_TOGGLE_COLLECT, "=<pattern>",
	  "collect within such functions only, or but there" },
	{ "--dump-before", RULE_PATTERN, FN_RULE_DUMP_BEFORE, "=<pattern>",
	  "write a part when such a function is entered" },
	{ "--dump-after", RULE_PATTERN, FN_RULE_DUMP_AFTER, "=<pattern>",
	  "write a part when such a function is left" },
	{ "--zero-before", RULE_PATTERN, FN_RULE_ZERO_BEFORE, "=<pattern>",
	  "set all counts to zero when such a function is entered" },
	{ "--pop-on-jump", RULE_OR_WITHOUT, FN_RULE_POP_ON_JUMP, "[=<pattern>]",
	  "a jump out of such a function is a return and a call" },
};

enum {
	NUMBER_SIZE = 64, /* bytes of "4294967295" with its NUL, and more */
	WORD_SIZE = 320,  /* likewise of an option with its value; longer ones are cut */
	N_OPTIONS = sizeof(option_table) / sizeof(option_table[0]),
	N_RULE_OPTIONS = sizeof(rule_table) / sizeof(rule_table[0]),
};

/* Far above what is of use, and low enough that names with such numbers stay short. */
static const struct range {
	UInt min, max;
} rule_range[N_FN_RULES] = {
	[FN_RULE_CALLERS] = { 0, FN_MAX_CALLERS },
	[FN_RULE_RECS] = { 1, FN_MAX_RECS },
	[FN_RULE_GROUP] = { 1, FN_MAX_GROUP },
};

static const struct range runs_range = { 0, 0xffff };
static const struct range cpus_range = { 1, CANONICAL_MAX_CPUS };
/* Of the 8 MiB that Valgrind has for the heap. */
static const struct range shift_range = { 0, 1048576 };

static const struct range pages_range = { 0, 0xffff };

static const struct range any_range = { 0, 0xffffffff };

static const struct range nodes_range = { 1, CALLTREE_MAX_NODES };

void options_init(struct options *options)
{
	*options = (struct options){
		.cache_sim = True,
		.branch_sim = False,
		.dump_instr = True,
		.dump_line = True,
		.compress_strings = True,
		.compress_pos = True,
		.skip_plt = True,
		.instr_atstart = True,
		.collect_atstart = True,
		.separate_recs = 2,
		.cold_runs = 200,
		.call_tree_nodes = 1000000,
		.out_file = "costgrind.out.%p",
		.architectural = insn_decoder_exists(), /* what there is no decoder for is not */
		.inlined = INLINED_LINES,
		.canonical = { .n_cpus = 1, .clock_start = CANONICAL_CLOCK_START },
		.engine = "inline",
		.inline_data = True,
		.inline_fetches = True,
	};
	dropin_defaults(options);
}

static void parse_bool(const HChar *arg, const HChar *value, Bool *to)
{
	if (VG_(strcmp)(value, "yes") == 0)
		*to = True;
	else if (VG_(strcmp)(value, "no") == 0)
		*to = False;
	else
		message_fatal("%s: expected yes or no", arg);
}

/* Reads a decimal number and moves text behind it; False if there is none in the range. */
static Bool read_number(const HChar **text, const struct range *range, UInt *number)
{
	const HChar *p = *text;
	ULong n = 0;

	for (; *p >= '0' && *p <= '9' && n <= range->max; p++)
		n = 10 * n + (ULong)(*p - '0');
	if (p == *text || n < range->min || n > range->max)
		return False;
	*text = p;
	*number = (UInt)n;
	return True;
}

static void parse_number(const HChar *arg, const HChar *value, const struct range *range, UInt *to)
{
	if (!read_number(&value, range, to) || *value != '\0')
		message_fatal("%s: expected a number from %u to %u", arg, range->min, range->max);
}

/* Callgrind takes a cache's geometry for a wish to have it simulated. */
static void parse_cache(const HChar *arg, const HChar *value, struct cache_option *to,
			Bool *cache_sim)
{
	struct cache_geometry geometry = { 0, 0, 0 };
	enum geometry_status status = geometry_parse(value, &geometry);
	HChar text[GEOMETRY_MESSAGE_SIZE];

	if (status == GEOMETRY_OK)
		status = geometry_check(&geometry);
	if (status != GEOMETRY_OK) {
		/* Proposed next to a line that cannot be, other numbers would not help. */
		if (status > GEOMETRY_LINE_TOO_SMALL)
			cacheconf_check_line(arg, &geometry);
		geometry_explain(status, &geometry, cacheconf_min_line_size(), text);
		message_fatal("%s: %s", arg, text);
	}
	to->given = True;
	to->geometry = geometry;
	if (dropin_name() == DROPIN_CALLGRIND)
		*cache_sim = True;
}

/* %p, %n, %% and %q{VAR} with VAR set: the core expands them, but is less clear on errors. */
static void check_file(const HChar *arg, const HChar *value)
{
	if (value[0] == '\0')
		message_fatal("%s: expected a file name", arg);
	for (const HChar *p = VG_(strchr)(value, '%'); p != NULL; p = VG_(strchr)(p + 2, '%')) {
		HChar variable[256];
		const HChar *end;

		if (p[1] == 'p' || p[1] == 'n' || p[1] == '%')
			continue;
		if (p[1] != 'q')
			message_fatal("%s: expected %%p, %%n, %%q{VARIABLE} or %%%% after each %%",
				      arg);
		end = p[2] == '{' ? VG_(strchr)(p, '}') : NULL;
		if (end == NULL || end == p + 3 || end - p - 3 >= (Int)sizeof(variable))
			message_fatal("%s: expected %%q{VARIABLE}", arg);
		VG_(strlcpy)(variable, p + 3, (SizeT)(end - p - 2));
		if (VG_(getenv)(variable) == NULL)
			message_fatal("%s: environment variable %s is not set", arg, variable);
	}
}

static void parse_counting(const HChar *arg, const HChar *value, Bool *to)
{
	const HChar *expected = insn_decoder_exists() ? "architectural or valgrind" : "valgrind";

	if (VG_(strcmp)(value, "architectural") == 0) {
		if (!insn_decoder_exists())
			message_fatal("%s: not built into this version, expected %s", arg,
				      expected);
		*to = True;
	} else if (VG_(strcmp)(value, "valgrind") == 0) {
		*to = False;
	} else {
		message_fatal("%s: expected %s", arg, expected);
	}
}

/* Words of --collect-systime; of several for a unit the first says it best. */
static const struct systime_word {
	const HChar *word;
	enum systime_unit unit;
} systime_words[] = {
	{ "no", SYSTIME_NONE },   { "msec", SYSTIME_MSEC }, { "yes", SYSTIME_MSEC },
	{ "usec", SYSTIME_USEC }, { "nsec", SYSTIME_NSEC },
};

enum {
	N_SYSTIME_WORDS = sizeof(systime_words) / sizeof(systime_words[0]),
};

/* "<name>: <text>", neither of them empty. */
static void parse_desc(const HChar *arg, const HChar *value, struct descs *to)
{
	const HChar *colon = VG_(strstr)(value, ": ");
	HChar *name;

	if (colon == NULL || colon == value || colon[2] == '\0')
		message_fatal("%s: expected --desc=<name>: <text>", arg);
	name = VG_(strdup)("costgrind.desc", value);
	name[colon - value] = '\0';
	descs_add(to, name, colon + 2);
	VG_(free)(name);
}

/* One of two words: the second is True. */
static void parse_either(const HChar *arg, const HChar *value, const HChar *no, const HChar *yes,
			 Bool *to)
{
	if (VG_(strcmp)(value, yes) == 0)
		*to = True;
	else if (VG_(strcmp)(value, no) == 0)
		*to = False;
	else
		message_fatal("%s: expected %s or %s", arg, no, yes);
}

static void parse_systime(const HChar *arg, const HChar *value, enum systime_unit *to)
{
	for (UInt i = 0; i < N_SYSTIME_WORDS; i++) {
		if (VG_(strcmp)(value, systime_words[i].word) == 0) {
			*to = systime_words[i].unit;
			return;
		}
	}
	message_fatal("%s: expected no, yes, msec, usec or nsec", arg);
}

static void parse_engine(const HChar *arg, const HChar *value, const HChar **to)
{
	if (VG_(strcmp)(value, "inline") != 0 && VG_(strcmp)(value, "plain") != 0)
		message_fatal("%s: expected inline or plain", arg);
	*to = value;
}

static const HChar *const inline_words[] = {
	[INLINED_NO] = "no",
	[INLINED_LINES] = "lines",
	[INLINED_CALLS] = "calls",
};

static void parse_inline(const HChar *arg, const HChar *value, enum inlined *to)
{
	const UInt n = sizeof(inline_words) / sizeof(inline_words[0]);
	UInt i = 0;

	while (i < n && VG_(strcmp)(value, inline_words[i]) != 0)
		i++;
	if (i == n)
		message_fatal("%s: expected no, lines or calls", arg);
	*to = (enum inlined)i;
}

static void parse_value(struct options *options, const struct option *option, const HChar *arg,
			const HChar *value)
{
	void *to = (HChar *)options + option->offset;

	switch (option->kind) {
	case OPTION_BOOL:
		parse_bool(arg, value, to);
		break;
	case OPTION_CALLERS:
		parse_number(arg, value, &rule_range[FN_RULE_CALLERS], to);
		break;
	case OPTION_RECS:
		parse_number(arg, value, &rule_range[FN_RULE_RECS], to);
		break;
	case OPTION_SHIFT:
		parse_number(arg, value, &shift_range, to);
		break;
	case OPTION_PAGES:
		parse_number(arg, value, &pages_range, to);
		break;
	case OPTION_RUNS:
		parse_number(arg, value, &runs_range, to);
		break;
	case OPTION_COUNT:
		parse_number(arg, value, &any_range, to);
		break;
	case OPTION_DESC:
		parse_desc(arg, value, to);
		break;
	case OPTION_REGION:
		if (value[0] == '\0')
			message_fatal("%s: expected a name or a pattern behind =", arg);
		*(const HChar **)to = value;
		options->collect_atstart = False;
		break;
	case OPTION_NODES:
		parse_number(arg, value, &nodes_range, to);
		break;
	case OPTION_CACHE:
		parse_cache(arg, value, to, &options->cache_sim);
		break;
	case OPTION_FILE:
		check_file(arg, value);
		*(const HChar **)to = value;
		break;
	case OPTION_COUNTING:
		parse_counting(arg, value, to);
		break;
	case OPTION_FORMAT:
		parse_either(arg, value, "callgrind", "cachegrind", to);
		break;
	case OPTION_MODIFY:
		parse_either(arg, value, "read", "write", to);
		break;
	case OPTION_FORK:
		parse_either(arg, value, "zero", "inherit", to);
		break;
	case OPTION_SYSTIME:
		parse_systime(arg, value, to);
		break;
	case OPTION_ENGINE:
		parse_engine(arg, value, to);
		break;
	case OPTION_INLINE:
		parse_inline(arg, value, to);
		break;
	case OPTION_CPU:
		canonical_parse_cpu(arg, value, to);
		break;
	case OPTION_CPUS:
		parse_number(arg, value, &cpus_range, to);
		break;
	case OPTION_NUMBER:
		parse_number(arg, value, &any_range, to);
		break;
	case OPTION_LEAVE:
		canonical_parse_leave(arg, value, to);
		break;
	}
}

/* rest is what follows the option's name in arg. */
static void parse_rule(struct options *options, const struct rule_option *option, const HChar *arg,
		       const HChar *rest)
{
	const struct range *range = &rule_range[option->kind];
	UInt number = 0;

	if (option->form == RULE_OR_WITHOUT && *rest == '\0')
		rest = "=*";
	if (option->form == RULE_NUMBERED && (!read_number(&rest, range, &number) || *rest != '='))
		message_fatal("%s: expected %s%s with n from %u to %u", arg, option->name,
			      option->usage, range->min, range->max);
	if (*rest != '=')
		message_fatal("%s: expected %s%s", arg, option->name, option->usage);
	if (rest[1] == '\0')
		message_fatal("%s: expected a name or a pattern behind =", arg);
	/* Meant as a switch, which Callgrind takes for a pattern that matches nothing. */
	if (option->form == RULE_OR_WITHOUT &&
	    (VG_(strcmp)(rest, "=yes") == 0 || VG_(strcmp)(rest, "=no") == 0))
		message_fatal("%s: expected a pattern of names of functions; "
			      "%s alone is for all functions",
			      arg, option->name);
	if (option->kind == FN_RULE_TOGGLE_COLLECT)
		options->collect_atstart = False; /* a later --collect-atstart=yes wins */
	fn_rules_add(&options->fn_rules, option->kind, number, rest + 1, arg);
}

/* What follows name in arg, or NULL if arg is another option. */
static const HChar *behind_name(const HChar *arg, const HChar *name, Bool numbered)
{
	SizeT len = VG_(strlen)(name);
	const HChar *rest = arg + len;

	if (VG_(strncmp)(arg, name, len) != 0)
		return NULL;
	if (*rest == '=' || *rest == '\0' || (numbered && *rest >= '0' && *rest <= '9'))
		return rest;
	return NULL;
}

Bool options_parse(struct options *options, const HChar *arg)
{
	for (UInt i = 0; i < N_OPTIONS; i++) {
		const struct option *option = &option_table[i];
		const HChar *rest = behind_name(arg, option->name, False);

		if (rest == NULL)
			continue;
		/* False for the passes of the core that only look, or only list. */
		if (!VG_(check_clom)(cloP, arg, option->name, True))
			return True;
		if (*rest == '\0')
			message_fatal("%s: expected %s=%s", arg, option->name, option->value);
		parse_value(options, option, arg, rest + 1);
		return True;
	}
	/* Behind the others: only with a number, --separate-callers adds a rule. */
	for (UInt i = 0; i < N_RULE_OPTIONS; i++) {
		const struct rule_option *option = &rule_table[i];
		const HChar *rest = behind_name(arg, option->name, option->form == RULE_NUMBERED);

		if (rest == NULL)
			continue;
		if (VG_(check_clom)(cloP, arg, option->name, True))
			parse_rule(options, option, arg, rest);
		return True;
	}
	return False;
}

/* What needs the caches switches them on, as in Callgrind. */
static void require_caches(struct options *options)
{
	const HChar *name = options->cacheuse          ? "--cacheuse"
			    : options->simulate_hwpref ? "--simulate-hwpref"
			    : options->simulate_wb     ? "--simulate-wb"
						       : NULL;

	if (options->cache_sim || name == NULL)
		return;
	options->cache_sim = True;
	message_note("--cache-sim=no %s=yes: simulating the caches", name);
}

/* They would do nothing, and whoever gave them meant something. */
static void require_deterministic(const struct canonical_options *options)
{
	const HChar *name = options->cpu != NULL                            ? "--cpu"
			    : options->n_cpus > 1                           ? "--cpus"
			    : options->seed != 0                            ? "--seed"
			    : options->left != 0                            ? "--leave"
			    : options->clock_start != CANONICAL_CLOCK_START ? "--clock-start"
									    : NULL;

	if (!options->on && name != NULL)
		message_fatal("%s: goes with --deterministic=yes only", name);
	if (options->cpu != NULL && (options->left & 1U << CANONICAL_CPU) != 0)
		message_fatal("--cpu=%s: not with --leave=cpu", options->cpu);
}

void options_finish(struct options *options)
{
	require_deterministic(&options->canonical);
	require_caches(options);
	if (options->flat && options->combine_dumps)
		message_fatal(
			"--format=cachegrind: not with --combine-dumps=yes: a file has one part");
	if (!options->dump_line && !options->dump_instr) {
		options->dump_line = True;
		message_note("--dump-line=no --dump-instr=no: using source line as position");
	}
}

/* The value of an option that matters, as it would be given; text has room for numbers. */
static const HChar *value_text(const struct option *option, const void *value,
			       HChar text[NUMBER_SIZE])
{
	UInt i = 0;

	switch (option->kind) {
	case OPTION_BOOL:
		return *(const Bool *)value ? "yes" : "no";
	case OPTION_MODIFY:
		return *(const Bool *)value ? "write" : "read";
	case OPTION_FORK:
		return *(const Bool *)value ? "inherit" : "zero";
	case OPTION_SYSTIME:
		while (systime_words[i].unit != *(const enum systime_unit *)value)
			i++;
		return systime_words[i].word;
	case OPTION_INLINE:
		return inline_words[*(const enum inlined *)value];
	case OPTION_REGION:
		return *(const HChar *const *)value == NULL ? "" : *(const HChar *const *)value;
	case OPTION_CPU:
		return canonical_cpu_text(value);
	case OPTION_LEAVE:
		canonical_leave_text(*(const UInt *)value, text, NUMBER_SIZE);
		return text;
	case OPTION_CALLERS:
	case OPTION_RECS:
	case OPTION_CPUS:
	case OPTION_NUMBER:
	case OPTION_SHIFT:
	case OPTION_PAGES:
		VG_(snprintf)(text, NUMBER_SIZE, "%u", *(const UInt *)value);
		return text;
	default:
		tl_assert2(False, "%s matters, but has no text", option->name);
	}
}

void options_tell(const struct options *options, void (*tell)(void *ctx, const HChar *word),
		  void *ctx)
{
	struct options defaults;

	options_init(&defaults);
	for (UInt i = 0; i < N_OPTIONS; i++) {
		const struct option *option = &option_table[i];
		HChar text[NUMBER_SIZE], other[NUMBER_SIZE], word[WORD_SIZE];
		const HChar *value;

		if (!option->matters)
			continue;
		value = value_text(option, (const HChar *)options + option->offset, text);
		if (VG_(strcmp)(value, value_text(option, (const HChar *)&defaults + option->offset,
						  other)) == 0)
			continue;
		VG_(snprintf)(word, sizeof(word), "%s=%s", option->name, value);
		tell(ctx, word);
	}
	for (UInt i = 0; i < options->fn_rules.n; i++)
		tell(ctx, fn_rules_option(&options->fn_rules, i));
}

static void print_usage(const HChar *name, const HChar *separator, const HChar *value,
			const HChar *help)
{
	HChar form[80];

	VG_(snprintf)(form, sizeof(form), "%s%s%s", name, separator, value);
	VG_(printf)("    %-38s %s\n", form, help);
}

void options_usage(void)
{
	for (UInt i = 0; i < N_OPTIONS; i++) {
		const struct option *option = &option_table[i];

		if (option->kind == OPTION_COUNTING && !insn_decoder_exists())
			print_usage(option->name, "=", "valgrind",
				    "count as Cachegrind does; built without a decoder [valgrind]");
		else if (option->help != NULL)
			print_usage(option->name, "=", option->value, option->help);
	}
	for (UInt i = 0; i < N_RULE_OPTIONS; i++) {
		const struct rule_option *option = &rule_table[i];

		print_usage(option->name, "", option->usage, option->help);
	}
	canonical_usage();
	print_usage("<pattern>", "", "", "a whole name: * is any run of characters, ? any one");
}
