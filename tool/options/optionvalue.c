/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that an option can have stand in its form ("yes|no"); a kind only says what
 * each of them is as a number.
 */
#include "tool/options/optionvalue.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "isa/x86/decoder.h"
#include "tool/calls/calltree.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/options/cacheconf.h"
#include "tool/options/machineconf.h"
#include "tool/options/options.h"
#include "tool/options/optiontable.h"
#include "tool/output/descs.h"

/* Numbers that a kind can be. */
struct range {
	ULong min, max;
};

static const struct range ranges[N_OPTION_KINDS] = {
	/* Far above what is of use, and low enough that names with such numbers stay short. */
	[OPTION_CALLERS] = { 0, FN_MAX_CALLERS },
	[OPTION_RECS] = { 1, FN_MAX_RECS },
	[OPTION_NODES] = { 1, CALLTREE_MAX_NODES },
	[OPTION_RUNS] = { 0, 0xffff },
	[OPTION_SHIFT] = { 0, 1048576 }, /* of the 8 MiB that Valgrind has for the heap */
	[OPTION_RATE] = { 1, DETERMINISTIC_MAX_RATE },
	[OPTION_PAGES] = { 0, 0xffff },
	[OPTION_CHAIN] = { 1, DATA_MAX_CALLERS },
	[OPTION_CPUS] = { 1, DETERMINISTIC_MAX_CPUS },
	[OPTION_NUMBER] = { 0, 0xffffffff },
	[OPTION_COUNT] = { 0, 999999999999999999 },
	[OPTION_IDLE_COUNT] = { 0, 999999999999999999 },
};

static const struct range rule_ranges[N_FN_RULES] = {
	[FN_RULE_CALLERS] = { 0, FN_MAX_CALLERS },
	[FN_RULE_RECS] = { 1, FN_MAX_RECS },
	[FN_RULE_GROUP] = { 1, FN_MAX_GROUP },
	[FN_RULE_TRACE_CALLS] = { 0, FN_MAX_TRACED_ARGS },
};

enum { MAX_WORDS = 6 };

/* What the words of a form stand for, in its order; of several that are the same the last is shown. */
static const struct values {
	UInt n; /* 0: the kind has no words */
	UInt value[MAX_WORDS];
} word_values[N_OPTION_KINDS] = {
	[OPTION_BOOL] = { 2, { True, False } },
	[OPTION_IDLE_YES] = { 2, { True, False } },
	[OPTION_IDLE_NO] = { 2, { True, False } },
	[OPTION_EITHER] = { 2, { False, True } },
	[OPTION_COUNTING] = { 2, { True, False } },
	[OPTION_SYSTIME] = { 5,
			     { SYSTIME_NONE, SYSTIME_MSEC, SYSTIME_MSEC, SYSTIME_USEC,
			       SYSTIME_NSEC } },
	[OPTION_INSTR] = { 3, { INSTR_YES, INSTR_NO, INSTR_INHERIT } },
	[OPTION_INLINE] = { 3, { INLINED_NO, INLINED_LINES, INLINED_CALLS } },
	[OPTION_PAGING] = { 4, { PAGES_4K, PAGES_2M, PAGES_THP, PAGES_BOTH } },
	[OPTION_CURVE] = { 3, { MISS_CURVE_NO, MISS_CURVE_SAMPLED, MISS_CURVE_EXACT } },
	[OPTION_START] = { 3, { REGION_START_WARM, REGION_START_COLD, REGION_START_BEFORE } },
	[OPTION_BRANCHES] = { 6,
			      { BRANCH_MODEL_OF_MACHINE, BRANCH_MODEL_CACHEGRIND, BRANCH_MODEL_TAGE,
				BRANCH_MODEL_TAGE_8K, BRANCH_MODEL_TAGE_64K, BRANCH_MODEL_EXACT } },
};

/* Word number i of a form, with a NUL (the core's %s knows no precision). */
static void nth_word(const HChar *form, UInt i, HChar word[OPTION_TEXT_SIZE])
{
	const HChar *end;

	while (i-- > 0)
		form = VG_(strchr)(form, '|') + 1;
	end = VG_(strchr)(form, '|');
	VG_(strlcpy)(word, form, end != NULL ? (SizeT)(end - form) + 1 : OPTION_TEXT_SIZE);
}

/* "a, b or c": what message_fatal() says was expected. */
__attribute__((noreturn)) static void fail_words(const HChar *arg, const struct option *option)
{
	UInt n = word_values[option->kind].n;
	HChar text[OPTION_TEXT_SIZE];
	SizeT at = 0;

	for (UInt i = 0; i < n; i++) {
		HChar word[OPTION_TEXT_SIZE];

		nth_word(option->form, i, word);
		at += VG_(snprintf)(text + at, (Int)(sizeof(text) - at), "%s%s",
				    i == 0       ? ""
				    : i == n - 1 ? " or "
						 : ", ",
				    word);
	}
	message_fatal("%s: expected %s", arg, text);
}

static UInt read_word(const struct option *option, const HChar *arg, const HChar *value)
{
	const struct values *values = &word_values[option->kind];

	for (UInt i = 0; i < values->n; i++) {
		HChar word[OPTION_TEXT_SIZE];

		nth_word(option->form, i, word);
		if (VG_(strcmp)(value, word) == 0)
			return values->value[i];
	}
	fail_words(arg, option);
}

/* The last word that stands for it, with a NUL. */
static const HChar *word_text(const struct option *option, UInt value, HChar text[OPTION_TEXT_SIZE])
{
	const struct values *values = &word_values[option->kind];
	UInt i = values->n;

	while (i > 0 && values->value[i - 1] != value)
		i--;
	tl_assert(i > 0);
	nth_word(option->form, i - 1, text);
	return text;
}

/* Reads a decimal number and moves text behind it; False if there is none in the range. */
static Bool read_digits(const HChar **text, const struct range *range, ULong *number)
{
	const HChar *p = *text;
	ULong n = 0;

	for (; *p >= '0' && *p <= '9' && n <= range->max; p++)
		n = 10 * n + (ULong)(*p - '0');
	if (p == *text || n < range->min || n > range->max)
		return False;
	*text = p;
	*number = n;
	return True;
}

static ULong read_number(const struct option *option, const HChar *arg, const HChar *value)
{
	const struct range *range = &ranges[option->kind];
	ULong number = 0;

	if (!read_digits(&value, range, &number) || *value != '\0')
		message_fatal("%s: expected a number from %llu to %llu", arg, range->min,
			      range->max);
	return number;
}

static void read_cache(const HChar *arg, const HChar *value, struct cache_option *to)
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
}

/* Which machine it is, is known when all options are. */
static void read_machine(const HChar *arg, const HChar *value, const HChar **to)
{
	if (value[0] == '\0')
		message_fatal("%s: expected the name of a machine, or a file; "
			      "--machine=help lists them",
			      arg);
	if (VG_(strcmp)(value, "help") == 0) {
		machineconf_list();
		VG_(exit)(0);
	}
	*to = value;
}

/*
 * %p, %n, %% and %q{VAR} with VAR set: the core expands them, but is less clear on errors.  %r is
 * our own.
 */
static void check_file(const HChar *arg, const HChar *value)
{
	if (value[0] == '\0')
		message_fatal("%s: expected a file name", arg);
	for (const HChar *p = VG_(strchr)(value, '%'); p != NULL; p = VG_(strchr)(p + 2, '%')) {
		HChar variable[256];
		const HChar *end;

		if (p[1] == 'p' || p[1] == 'n' || p[1] == 'r' || p[1] == '%')
			continue;
		if (p[1] != 'q')
			message_fatal("%s: expected %%p, %%n, %%q{VARIABLE}, %%r or %%%% after "
				      "each %%",
				      arg);
		end = p[2] == '{' ? VG_(strchr)(p, '}') : NULL;
		if (end == NULL || end == p + 3 || end - p - 3 >= (Int)sizeof(variable))
			message_fatal("%s: expected %%q{VARIABLE}", arg);
		VG_(strlcpy)(variable, p + 3, (SizeT)(end - p - 2));
		if (VG_(getenv)(variable) == NULL)
			message_fatal("%s: environment variable %s is not set", arg, variable);
	}
}

static Bool read_counting(const struct option *option, const HChar *arg, const HChar *value)
{
	if (!insn_decoder_exists() && VG_(strcmp)(value, "architectural") == 0)
		message_fatal("%s: this tool was built without Capstone, expected valgrind", arg);
	if (!insn_decoder_exists() && VG_(strcmp)(value, "valgrind") != 0)
		message_fatal("%s: expected valgrind", arg);
	return (Bool)read_word(option, arg, value);
}

static void read_allocator(const HChar *arg, const HChar *value, struct allocator_rules *rules)
{
	const HChar *wrong;

	if (rules->n == ALLOCATORS_MAX_RULES)
		message_fatal("%s: expected no more than %u of them", arg,
			      (UInt)ALLOCATORS_MAX_RULES);
	wrong = allocator_rule_read(&rules->rules[rules->n], value);
	if (wrong != NULL)
		message_fatal("%s: expected %s", arg, wrong);
	rules->rules[rules->n].option = arg;
	rules->n++;
}

/* "<name>: <text>", neither of them empty. */
static void read_desc(const HChar *arg, const HChar *value, struct descs *to)
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

static void read_region(struct options *options, const HChar *arg, const HChar *value,
			const HChar **to)
{
	if (value[0] == '\0')
		message_fatal("%s: expected a name or a pattern behind =", arg);
	*to = value;
	options->calls.collect_atstart = False;
}

/* What an option does besides under Callgrind's name, in the order of the command line. */
static void be_as_callgrind(struct options *options, const struct option *option)
{
	if (dropin_name() != DROPIN_CALLGRIND)
		return;
	if ((option->flags & OPTION_OF_CACHES) != 0)
		options->simulate.cache_sim = True;
	if (options->simulate.cacheuse && VG_(strcmp)(option->name, "--cacheuse") == 0)
		options->output.dump_instr = True;
}

/* There it is one more than all numbers, and does what 0 does: it was never built. */
static Bool is_auto(struct options *options, const struct option *option, const HChar *arg,
		    const HChar *value)
{
	if (option->kind != OPTION_CALLERS || VG_(strcmp)(value, "auto") != 0)
		return False;
	if (dropin_name() != DROPIN_CALLGRIND)
		message_fatal("%s: not implemented, in Callgrind neither; "
			      "expected a number from 0 to %d",
			      arg, FN_MAX_CALLERS);
	options_note(options, arg, "not implemented, in Callgrind neither: 0 callers");
	options->symbols.separate_callers = 0;
	return True;
}

void option_read(struct options *options, const struct option *option, const HChar *arg,
		 const HChar *value)
{
	void *to = (HChar *)options + option->where;

	switch (option->kind) {
	case OPTION_BOOL:
	case OPTION_EITHER:
		*(Bool *)to = (Bool)read_word(option, arg, value);
		break;
	case OPTION_COUNTING:
		*(Bool *)to = read_counting(option, arg, value);
		break;
	case OPTION_SYSTIME:
		*(enum systime_unit *)to = (enum systime_unit)read_word(option, arg, value);
		break;
	case OPTION_INSTR:
		*(enum instr_atstart *)to = (enum instr_atstart)read_word(option, arg, value);
		break;
	case OPTION_INLINE:
		*(enum inlined *)to = (enum inlined)read_word(option, arg, value);
		break;
	case OPTION_PAGING: /* thp=both is another name of both */
		if (VG_(strcmp)(value, "thp=both") == 0)
			value = "both";
		*(enum page_policy *)to = (enum page_policy)read_word(option, arg, value);
		break;
	case OPTION_CURVE:
		*(enum miss_curve *)to = (enum miss_curve)read_word(option, arg, value);
		break;
	case OPTION_START:
		*(enum region_start *)to = (enum region_start)read_word(option, arg, value);
		break;
	case OPTION_BRANCHES:
		*(enum branch_model *)to = (enum branch_model)read_word(option, arg, value);
		break;
	case OPTION_CALLERS:
	case OPTION_RECS:
	case OPTION_NODES:
	case OPTION_RUNS:
	case OPTION_SHIFT:
	case OPTION_RATE:
	case OPTION_PAGES:
	case OPTION_CHAIN:
	case OPTION_CPUS:
	case OPTION_NUMBER:
		if (!is_auto(options, option, arg, value))
			*(UInt *)to = (UInt)read_number(option, arg, value);
		break;
	case OPTION_COUNT:
		*(ULong *)to = read_number(option, arg, value);
		break;
	case OPTION_CACHE:
		read_cache(arg, value, to);
		break;
	case OPTION_MACHINE:
		read_machine(arg, value, to);
		break;
	case OPTION_FILE:
		check_file(arg, value);
		*(const HChar **)to = jobrank_expand(arg, value);
		break;
	case OPTION_REGION:
		read_region(options, arg, value, to);
		break;
	case OPTION_ALLOCATOR:
		read_allocator(arg, value, to);
		break;
	case OPTION_DESC:
		read_desc(arg, value, to);
		break;
	case OPTION_CPU:
		deterministic_parse_cpu(arg, value, to);
		break;
	case OPTION_LEAVE:
		deterministic_parse_leave(arg, value, to);
		break;
	default:
		tl_assert2(False, "%s has no value", option->name);
	}
	be_as_callgrind(options, option);
}

/* =yes and =no: meant as a switch, which Callgrind takes for a pattern that matches nothing. */
static void check_switch(const struct option *option, const HChar *arg, const HChar *rest)
{
	if (option->kind != OPTION_OR_WITHOUT || dropin_name() == DROPIN_CALLGRIND)
		return;
	if (VG_(strcmp)(rest, "=yes") == 0 || VG_(strcmp)(rest, "=no") == 0)
		message_fatal("%s: expected a pattern of names of functions; "
			      "%s alone is for all functions",
			      arg, option->name);
}

void option_read_rule(struct options *options, const struct option *option, const HChar *arg,
		      const HChar *rest)
{
	const enum fn_rule_kind kind = (enum fn_rule_kind)option->where;
	const struct range *range = &rule_ranges[kind];
	ULong number = 0;

	if (option->kind == OPTION_OR_WITHOUT && *rest == '\0')
		rest = "=*";
	if (option->kind == OPTION_NUMBERED &&
	    (!read_digits(&rest, range, &number) || *rest != '='))
		message_fatal("%s: expected %s%s with n from %llu to %llu", arg, option->name,
			      option->form, range->min, range->max);
	if (*rest != '=')
		message_fatal("%s: expected %s%s%s", arg, option->name, option_separator(option),
			      option->form);
	/* Callgrind takes an empty one for a name that no function has. */
	if (rest[1] == '\0' && dropin_name() != DROPIN_CALLGRIND)
		message_fatal("%s: expected a name or a pattern behind =", arg);
	check_switch(option, arg, rest);
	if (kind == FN_RULE_TOGGLE_COLLECT)
		options->calls.collect_atstart = False; /* a later --collect-atstart=yes wins */
	fn_rules_add(&options->symbols.fn_rules, kind, (UInt)number, rest + 1, arg);
}

void option_read_idle(struct options *options, const struct option *option, const HChar *arg,
		      const HChar *rest)
{
	static const struct range any = { 0, 999999999 };
	Bool idle = False;
	ULong number;

	switch (option->kind) {
	case OPTION_IDLE_YES:
		idle = read_word(option, arg, rest + 1) == True;
		break;
	case OPTION_IDLE_NO:
		idle = read_word(option, arg, rest + 1) == False;
		break;
	case OPTION_IDLE_COUNT:
		idle = read_number(option, arg, rest + 1) == 0;
		break;
	default:
		if (!read_digits(&rest, &any, &number) || *rest != '=')
			message_fatal("%s: expected %s%s", arg, option->name, option->form);
	}
	be_as_callgrind(options, option);
	if (!idle)
		options_note(options, arg, option->help);
}

static const HChar *cache_text(const struct cache_option *cache, HChar text[OPTION_TEXT_SIZE])
{
	if (!cache->given)
		return dropin_name() == DROPIN_NONE ? "the machine's" : "this CPU's";
	VG_(snprintf)(text, OPTION_TEXT_SIZE, "%llu,%llu,%llu", (ULong)cache->geometry.size,
		      (ULong)cache->geometry.assoc, (ULong)cache->geometry.line_size);
	return text;
}

static const HChar *leave_text(UInt left, HChar text[OPTION_TEXT_SIZE])
{
	deterministic_leave_text(left, text, OPTION_TEXT_SIZE);
	return text[0] != '\0' ? text : "none";
}

const HChar *option_text(const struct option *option, const struct options *options,
			 HChar text[OPTION_TEXT_SIZE])
{
	const void *value = (const HChar *)options + option->where;

	switch (option->kind) {
	case OPTION_BOOL:
	case OPTION_EITHER:
	case OPTION_COUNTING:
		return word_text(option, *(const Bool *)value, text);
	case OPTION_SYSTIME:
		return word_text(option, *(const enum systime_unit *)value, text);
	case OPTION_INSTR:
		return word_text(option, *(const enum instr_atstart *)value, text);
	case OPTION_INLINE:
		return word_text(option, *(const enum inlined *)value, text);
	case OPTION_PAGING:
		return word_text(option, *(const enum page_policy *)value, text);
	case OPTION_CURVE:
		return word_text(option, *(const enum miss_curve *)value, text);
	case OPTION_START:
		return word_text(option, *(const enum region_start *)value, text);
	case OPTION_BRANCHES:
		return word_text(option, *(const enum branch_model *)value, text);
	case OPTION_IDLE_YES:
		return "yes";
	case OPTION_IDLE_NO:
		return "no";
	case OPTION_CALLERS:
	case OPTION_RECS:
	case OPTION_NODES:
	case OPTION_RUNS:
	case OPTION_SHIFT:
	case OPTION_RATE:
	case OPTION_PAGES:
	case OPTION_CHAIN:
	case OPTION_CPUS:
	case OPTION_NUMBER:
		VG_(snprintf)(text, OPTION_TEXT_SIZE, "%u", *(const UInt *)value);
		return text;
	case OPTION_COUNT:
		VG_(snprintf)(text, OPTION_TEXT_SIZE, "%llu", *(const ULong *)value);
		return text;
	case OPTION_CACHE:
		return cache_text(value, text);
	case OPTION_MACHINE:
		return "host";
	case OPTION_FILE:
	case OPTION_REGION:
		return *(const HChar *const *)value;
	case OPTION_CPU:
		return deterministic_cpu_text(value);
	case OPTION_LEAVE:
		return leave_text(*(const UInt *)value, text);
	default:
		return NULL;
	}
}
