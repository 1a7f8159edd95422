/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/options/optiontable.h"

#include <stddef.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "isa/x86/decoder.h"
#include "tool/calls/calltree.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/options/machineconf.h"
#include "tool/options/options.h"
#include "tool/output/descs.h"
#include "writer/shared/edit_distance.h"

/* Words of the list. */
#define MATTERS         OPTION_MATTERS
#define OF_CACHES       OPTION_OF_CACHES
#define ONLY_COSTGRIND  OPTION_ONLY_COSTGRIND
#define ONLY_CALLGRIND  OPTION_ONLY_CALLGRIND
#define ONLY_CACHEGRIND OPTION_ONLY_CACHEGRIND
#define OLD_NAMES       OPTION_OLD_NAMES
#define VALUE(member)   offsetof(struct options, member)
#define RULE(kind)      FN_RULE_##kind
#define NOWHERE         0
#define RANGE(from, to) .least = (from), .most = (to)
#define WORDS(...)      .words = { __VA_ARGS__ }
#define YES_NO          WORDS(True, False)
#define NO_VALUES       .most = 0
#define MAX_COUNT       999999999999999999ULL
#define IS(value)       .usual = (value)
#define TEXT(text)      .usual_text = (text)
#define COMPUTED        .usual = 0
#define NO_DEFAULT      .usual = 0

const struct option option_table[] = {
#define OPTION(name, kind, group, flags, where, form, values, usual, help) \
 { name, OPTION_##kind, HELP_##group, flags, where, form, help, values, usual },
	TOOL_OPTIONS(OPTION)
#undef OPTION
};

const UInt n_options = sizeof(option_table) / sizeof(option_table[0]);

/* -- names ------------------------------------------------------------------------------------- */

static const HChar *const core_options[] = {
#define NAME(name, form) name,
	CORE_OPTIONS(NAME)
#undef NAME
};

enum { N_CORE_OPTIONS = sizeof(core_options) / sizeof(core_options[0]) };

/* True if it adds a rule for functions. */
static Bool is_rule(const struct option *option)
{
	return option->kind == OPTION_PATTERN || option->kind == OPTION_NUMBERED ||
	       option->kind == OPTION_OR_WITHOUT;
}

static Bool is_numbered(const struct option *option)
{
	return option->kind == OPTION_NUMBERED || option->kind == OPTION_IDLE_NUMBERED;
}

/* What is between the name and the form. */
static const HChar *separator(const struct option *option)
{
	return is_numbered(option) || option->kind == OPTION_OR_WITHOUT ? "" : "=";
}

/* What follows name in arg, or NULL if arg is another option. */
static const HChar *after_name(const HChar *arg, const HChar *name, Bool numbered)
{
	SizeT len = VG_(strlen)(name);
	const HChar *rest = arg + len;

	if (VG_(strncmp)(arg, name, len) != 0)
		return NULL;
	if (*rest == '=' || *rest == '\0' || (numbered && *rest >= '0' && *rest <= '9'))
		return rest;
	return NULL;
}

/* True if the option exists under the name that the tool is called by. */
static Bool is_there(const struct option *option)
{
	return (option->flags & OPTION_OLD_NAMES) == 0 || dropin_name() != DROPIN_NONE;
}

/* Of two options with the same name, only the second may have a number: --separate-callers. */
const struct option *option_find(const HChar *arg, const HChar **rest)
{
	for (UInt i = 0; i < n_options; i++) {
		*rest = after_name(arg, option_table[i].name, is_numbered(&option_table[i]));
		if (*rest != NULL && is_there(&option_table[i]))
			return &option_table[i];
	}
	return NULL;
}

struct suggestion {
	const HChar *word;
	SizeT len;
	UInt distance; /* of the nearest so far */
	const HChar *name;
};

static void consider(struct suggestion *suggestion, const HChar *name)
{
	UInt distance =
		edit_distance(suggestion->word, suggestion->len, name, (UInt)VG_(strlen)(name));

	if (distance >= suggestion->distance)
		return;
	suggestion->distance = distance;
	suggestion->name = name;
}

const HChar *option_suggest(const HChar *arg)
{
	const HChar *end = VG_(strchr)(arg, '=');
	struct suggestion suggestion = {
		.word = arg,
		.len = end != NULL ? (UInt)(end - arg)
				   : (UInt)VG_(strlen)(arg),
		};

	/* The shorter the name, the fewer edits leave something of it. */
	suggestion.distance = suggestion.len < 7 ? 2 : suggestion.len < 14 ? 3 : 4;
	for (UInt i = 0; i < n_options; i++)
		if (is_there(&option_table[i]))
			consider(&suggestion, option_table[i].name);
	for (UInt i = 0; i < N_CORE_OPTIONS; i++)
		consider(&suggestion, core_options[i]);
	return suggestion.distance == 0 ? NULL : suggestion.name;
}

/* -- words ------------------------------------------------------------------------------------- */

static Bool has_words(const struct option *option)
{
	return VG_(strchr)(option->form, '|') != NULL;
}

static UInt count_words(const struct option *option)
{
	UInt n = 1;

	for (const HChar *p = option->form; *p != '\0'; p++)
		n += *p == '|';
	tl_assert(n <= OPTION_MAX_WORDS);
	return n;
}

/* Word number i of a form, with a NUL (the core's %s has no precision). */
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
	const UInt n = count_words(option);
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
	const UInt n = count_words(option);

	for (UInt i = 0; i < n; i++) {
		HChar word[OPTION_TEXT_SIZE];

		nth_word(option->form, i, word);
		if (VG_(strcmp)(value, word) == 0)
			return option->words[i];
	}
	fail_words(arg, option);
}

/* The last word with this meaning, with a NUL. */
static const HChar *word_text(const struct option *option, UInt value, HChar text[OPTION_TEXT_SIZE])
{
	UInt i = count_words(option);

	while (i > 0 && option->words[i - 1] != value)
		i--;
	tl_assert(i > 0);
	nth_word(option->form, i - 1, text);
	return text;
}

/* -- numbers and members ------------------------------------------------------------------------ */

/* Reads a decimal number and moves text past it; False if there is none in the range. */
static Bool read_digits(const struct option *option, const HChar **text, ULong *number)
{
	const HChar *p = *text;
	ULong n = 0;

	for (; *p >= '0' && *p <= '9' && n <= option->most; p++)
		n = 10 * n + (ULong)(*p - '0');
	if (p == *text || n < option->least || n > option->most)
		return False;
	*text = p;
	*number = n;
	return True;
}

static ULong read_number(const struct option *option, const HChar *arg, const HChar *value)
{
	ULong number = 0;

	if (!read_digits(option, &value, &number) || *value != '\0')
		message_fatal("%s: expected a number from %llu to %llu", arg, option->least,
			      option->most);
	return number;
}

static Bool is_scalar(const struct option *option)
{
	return option->kind <= OPTION_COUNT;
}

static void store(struct options *options, const struct option *option, ULong value)
{
	void *to = (HChar *)options + option->where;

	_Static_assert(sizeof(enum systime_unit) == sizeof(UInt), "enums are stored as a UInt");
	if (option->kind == OPTION_BOOL || option->kind == OPTION_COUNTING)
		*(Bool *)to = (Bool)value;
	else if (option->kind == OPTION_COUNT)
		*(ULong *)to = value;
	else
		*(UInt *)to = (UInt)value;
}

static ULong load(const struct options *options, const struct option *option)
{
	const void *from = (const HChar *)options + option->where;

	tl_assert(is_scalar(option));
	if (option->kind == OPTION_BOOL || option->kind == OPTION_COUNTING)
		return *(const Bool *)from;
	return option->kind == OPTION_COUNT ? *(const ULong *)from : *(const UInt *)from;
}

static Bool is_listed(const struct option *option);

void option_set_defaults(struct options *options)
{
	for (UInt i = 0; i < n_options; i++) {
		const struct option *option = &option_table[i];

		if (option->group == HELP_ALIAS)
			continue;
		if (is_scalar(option)) {
			store(options, option, option->usual);
		} else if (option->kind == OPTION_FILE && is_listed(option)) {
			void *to = (HChar *)options + option->where;

			*(const HChar **)to = option->usual_text;
		}
	}
}

Bool option_is_usual(const struct options *options, const HChar *name)
{
	const HChar *rest;
	const struct option *option = option_find(name, &rest);

	tl_assert(option != NULL);
	return load(options, option) == option->usual;
}

/* -- other values ------------------------------------------------------------------------------- */

static void read_cache(const HChar *arg, const HChar *value, struct cache_option *to)
{
	struct cache_geometry geometry = { 0, 0, 0 };
	enum geometry_status status = geometry_parse(value, &geometry);
	HChar text[GEOMETRY_MESSAGE_SIZE];

	if (status == GEOMETRY_OK)
		status = geometry_check(&geometry);
	if (status != GEOMETRY_OK) {
		/* With a line size that is not possible, no other numbers would help. */
		if (status > GEOMETRY_LINE_TOO_SMALL)
			cacheconf_check_line(arg, &geometry);
		geometry_explain(status, &geometry, cacheconf_min_line_size(), text);
		message_fatal("%s: %s", arg, text);
	}
	to->given = True;
	to->geometry = geometry;
}

/* The machine is looked up once all options are known. */
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

static void check_counting(const HChar *arg, const HChar *value)
{
	if (!insn_decoder_exists() && VG_(strcmp)(value, "architectural") == 0)
		message_fatal("%s: this tool was built without Capstone, expected valgrind", arg);
	if (!insn_decoder_exists() && VG_(strcmp)(value, "valgrind") != 0)
		message_fatal("%s: expected valgrind", arg);
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
		message_fatal("%s: expected a name or a pattern after =", arg);
	*to = value;
	options->calls.collect_atstart = False;
}

/* What an option also does under Callgrind's name, in the order of the command line. */
static void be_as_callgrind(struct options *options, const struct option *option)
{
	if (dropin_name() != DROPIN_CALLGRIND)
		return;
	if ((option->flags & OPTION_OF_CACHES) != 0)
		options->simulate.cache_sim = True;
	if (options->simulate.cacheuse && VG_(strcmp)(option->name, "--cacheuse") == 0)
		options->output.dump_instr = True;
}

/* Callgrind documents it, but never implemented it: it does what 0 does. */
static Bool is_auto(struct options *options, const HChar *arg, const HChar *value)
{
	if (VG_(strcmp)(value, "auto") != 0)
		return False;
	if (dropin_name() != DROPIN_CALLGRIND)
		message_fatal("%s: not implemented, in Callgrind neither; "
			      "expected a number from 0 to %d",
			      arg, FN_MAX_CALLERS);
	options_note(options, arg, "not implemented, in Callgrind neither: 0 callers");
	options->symbols.separate_callers = 0;
	return True;
}

static void read_value(struct options *options, const struct option *option, const HChar *arg,
		       const HChar *value)
{
	void *to = (HChar *)options + option->where;

	switch (option->kind) {
	case OPTION_COUNTING:
		check_counting(arg, value);
		store(options, option, read_word(option, arg, value));
		break;
	case OPTION_PAGES:
		if (VG_(strcmp)(value, "thp=both") == 0)
			value = "both";
		store(options, option, read_word(option, arg, value));
		break;
	case OPTION_BOOL:
	case OPTION_WORD:
		store(options, option, read_word(option, arg, value));
		break;
	case OPTION_CALLERS:
		if (!is_auto(options, arg, value))
			store(options, option, read_number(option, arg, value));
		break;
	case OPTION_NUMBER:
	case OPTION_COUNT:
		store(options, option, read_number(option, arg, value));
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
}

/* =yes and =no are meant as a switch; Callgrind takes them for patterns, which match nothing. */
static void check_switch(const struct option *option, const HChar *arg, const HChar *rest)
{
	if (option->kind != OPTION_OR_WITHOUT || dropin_name() == DROPIN_CALLGRIND)
		return;
	if (VG_(strcmp)(rest, "=yes") == 0 || VG_(strcmp)(rest, "=no") == 0)
		message_fatal("%s: expected a pattern of names of functions; "
			      "%s alone is for all functions",
			      arg, option->name);
}

static void read_rule(struct options *options, const struct option *option, const HChar *arg,
		      const HChar *rest)
{
	const enum fn_rule_kind kind = (enum fn_rule_kind)option->where;
	ULong number = 0;

	if (option->kind == OPTION_OR_WITHOUT && *rest == '\0')
		rest = "=*";
	if (option->kind == OPTION_NUMBERED &&
	    (!read_digits(option, &rest, &number) || *rest != '='))
		message_fatal("%s: expected %s%s with n from %llu to %llu", arg, option->name,
			      option->form, option->least, option->most);
	if (*rest != '=')
		message_fatal("%s: expected %s%s%s", arg, option->name, separator(option),
			      option->form);
	/* In Callgrind an empty pattern matches no function. */
	if (rest[1] == '\0' && dropin_name() != DROPIN_CALLGRIND)
		message_fatal("%s: expected a name or a pattern after =", arg);
	check_switch(option, arg, rest);
	if (kind == FN_RULE_TOGGLE_COLLECT)
		options->calls.collect_atstart = False; /* a later --collect-atstart=yes wins */
	fn_rules_add(&options->symbols.fn_rules, kind, (UInt)number, rest + 1, arg);
}

/* An option without effect. */
static void read_idle(struct options *options, const struct option *option, const HChar *arg,
		      const HChar *rest)
{
	Bool is_usual = False;
	ULong number;

	if (option->kind == OPTION_IDLE_NUMBERED) {
		if (!read_digits(option, &rest, &number) || *rest != '=')
			message_fatal("%s: expected %s%s", arg, option->name, option->form);
	} else if (has_words(option)) {
		is_usual = read_word(option, arg, rest + 1) == option->usual;
	} else {
		is_usual = read_number(option, arg, rest + 1) == option->usual;
	}
	be_as_callgrind(options, option);
	if (!is_usual)
		options_note(options, arg, option->help);
}

void option_read(struct options *options, const struct option *option, const HChar *arg,
		 const HChar *rest)
{
	if (is_rule(option)) {
		read_rule(options, option, arg, rest);
		return;
	}
	if (*rest == '\0' && option->kind != OPTION_IDLE_NUMBERED)
		message_fatal("%s: expected %s=%s", arg, option->name, option->form);
	if (option->kind == OPTION_IDLE || option->kind == OPTION_IDLE_NUMBERED) {
		read_idle(options, option, arg, rest);
		return;
	}
	read_value(options, option, arg, rest + 1);
	be_as_callgrind(options, option);
}

/* -- values as texts ----------------------------------------------------------------------------- */

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
	case OPTION_COUNTING:
	case OPTION_WORD:
	case OPTION_PAGES:
		return word_text(option, (UInt)load(options, option), text);
	case OPTION_NUMBER:
	case OPTION_CALLERS:
	case OPTION_COUNT:
		VG_(snprintf)(text, OPTION_TEXT_SIZE, "%llu", load(options, option));
		return text;
	case OPTION_IDLE:
		return has_words(option) ? word_text(option, (UInt)option->usual, text) : NULL;
	case OPTION_CACHE:
		return cache_text(value, text);
	case OPTION_MACHINE:
		return option->usual_text;
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

/* -- --help --------------------------------------------------------------------------------------- */

static const HChar *const headings[] = {
#define HEADING(group, heading) [HELP_##group] = (heading),
	OPTION_GROUPS(HEADING)
#undef HEADING
};

enum {
	FORM_WIDTH = 38, /* of the first column of --help */
	FORM_SIZE = 80,  /* bytes of a name with its form */
	N_HEADINGS = sizeof(headings) / sizeof(headings[0]),
};

static Bool is_listed(const struct option *option)
{
	static const UInt names[] = {
		[DROPIN_NONE] = OPTION_ONLY_COSTGRIND,
		[DROPIN_CALLGRIND] = OPTION_ONLY_CALLGRIND,
		[DROPIN_CACHEGRIND] = OPTION_ONLY_CACHEGRIND,
	};
	const UInt all = OPTION_ONLY_COSTGRIND | OPTION_ONLY_CALLGRIND | OPTION_ONLY_CACHEGRIND;

	return (option->flags & all) == 0 || (option->flags & names[dropin_name()]) != 0;
}

/* Pads to the column of the help; the core's "%-38s" would cut longer forms. */
static void pad(HChar form[FORM_SIZE])
{
	SizeT len = VG_(strlen)(form);

	while (len < FORM_WIDTH)
		form[len++] = ' ';
	form[len] = '\0';
}

static void print_option(const struct option *option, const struct options *defaults)
{
	HChar form[FORM_SIZE], text[OPTION_TEXT_SIZE];
	const HChar *value = option_text(option, defaults, text);
	const HChar *words = option->form, *help = option->help;

	if (option->kind == OPTION_COUNTING && !insn_decoder_exists()) {
		words = "valgrind";
		help = "Count as Cachegrind does; built without a decoder";
	}
	VG_(snprintf)(form, sizeof(form), "%s%s%s", option->name, separator(option), words);
	pad(form);
	if (value == NULL)
		VG_(printf)("    %s %s\n", form, help);
	else
		VG_(printf)("    %s %s [%s]\n", form, help, value);
}

void option_print_groups(void)
{
	struct options defaults;

	options_init(&defaults);
	for (UInt group = 0; group < N_HEADINGS; group++) {
		VG_(printf)("%s   %s:\n", group == 0 ? "" : "\n", headings[group]);
		for (UInt i = 0; i < n_options; i++)
			if (option_table[i].group == group && is_listed(&option_table[i]))
				print_option(&option_table[i], &defaults);
	}
}

void option_print_debug(void)
{
	struct options defaults;

	options_init(&defaults);
	for (UInt i = 0; i < n_options; i++) {
		const struct option *option = &option_table[i];

		if (option->group == HELP_DEBUG)
			print_option(option, &defaults);
		else if (option->group == HELP_ALIAS && is_there(option))
			VG_(printf)("    %s=%-*s Same as %s\n", option->name,
				    (Int)(37 - VG_(strlen)(option->name)), option->form,
					  option->help);
	}
}
