/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options are rows of one table: name, kind, where the value goes, and the
 * text of --help.  A kind has one parser, so that all options of a kind fail
 * with the same words.
 */
#include "tool/options.h"

#include <stddef.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "tool/message.h"

enum option_kind {
	OPTION_BOOL,     /* Bool: yes or no */
	OPTION_CACHE,    /* struct cache_option: <size>,<associativity>,<line size> */
	OPTION_FILE,     /* const HChar *: any text but an empty one */
	OPTION_COUNTING, /* const HChar *: the name of a counting mode */
	OPTION_ENGINE,   /* const HChar *: the name of an engine */
};

struct option {
	const HChar *name;
	enum option_kind kind;
	SizeT offset;       /* of the value in struct options */
	const HChar *value; /* its form, for --help */
	const HChar *help;  /* NULL: not listed */
};

#define VALUE(member) offsetof(struct options, member)
#define CACHE_FORM    "<size>,<assoc>,<line>"

static const struct option option_table[] = {
	{ "--I1", OPTION_CACHE, VALUE(i1), CACHE_FORM,
	  "first-level instruction cache [this CPU's]" },
	{ "--D1", OPTION_CACHE, VALUE(d1), CACHE_FORM, "first-level data cache [this CPU's]" },
	{ "--LL", OPTION_CACHE, VALUE(ll), CACHE_FORM, "last-level cache [this CPU's]" },
	{ "--L2", OPTION_CACHE, VALUE(ll), CACHE_FORM, NULL },
	{ "--cache-sim", OPTION_BOOL, VALUE(cache_sim), "yes|no", "simulate the caches [yes]" },
	{ "--branch-sim", OPTION_BOOL, VALUE(branch_sim), "yes|no",
	  "simulate the branch predictors [no]" },
	{ "--counting", OPTION_COUNTING, VALUE(counting), "valgrind",
	  "count what Valgrind executes, as Cachegrind does [valgrind]" },
	{ "--dump-instr", OPTION_BOOL, VALUE(dump_instr), "yes|no",
	  "costs of each instruction [yes]" },
	{ "--dump-line", OPTION_BOOL, VALUE(dump_line), "yes|no",
	  "costs of each source line [yes]" },
	{ "--compress-strings", OPTION_BOOL, VALUE(compress_strings), "yes|no",
	  "write a long name once, then its number [yes]" },
	{ "--compress-pos", OPTION_BOOL, VALUE(compress_pos), "yes|no",
	  "write positions as differences [yes]" },
	{ "--costgrind-out-file", OPTION_FILE, VALUE(out_file), "<file>",
	  "where the profile goes [costgrind.out.%p]" },
	{ "--engine", OPTION_ENGINE, VALUE(engine), "inline|plain", NULL },
};

enum {
	N_OPTIONS = sizeof(option_table) / sizeof(option_table[0]),
};

void options_init(struct options *options)
{
	*options = (struct options){
		.cache_sim = True,
		.branch_sim = False,
		.dump_instr = True,
		.dump_line = True,
		.compress_strings = True,
		.compress_pos = True,
		.out_file = "costgrind.out.%p",
		.counting = "valgrind",
		.engine = "inline",
	};
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

static void parse_cache(const HChar *arg, const HChar *value, struct cache_option *to)
{
	struct cache_geometry geometry = { 0, 0, 0 };
	enum geometry_status status = geometry_parse(value, &geometry);
	HChar text[GEOMETRY_MESSAGE_SIZE];

	if (status == GEOMETRY_OK)
		status = geometry_check(&geometry);
	if (status != GEOMETRY_OK) {
		geometry_explain(status, &geometry, text);
		message_fatal("%s: %s", arg, text);
	}
	to->given = True;
	to->geometry = geometry;
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

static void parse_counting(const HChar *arg, const HChar *value, const HChar **to)
{
	if (VG_(strcmp)(value, "architectural") == 0)
		message_fatal("%s: not built into this version, expected valgrind", arg);
	if (VG_(strcmp)(value, "valgrind") != 0)
		message_fatal("%s: expected valgrind", arg);
	*to = value;
}

static void parse_engine(const HChar *arg, const HChar *value, const HChar **to)
{
	if (VG_(strcmp)(value, "inline") != 0 && VG_(strcmp)(value, "plain") != 0)
		message_fatal("%s: expected inline or plain", arg);
	*to = value;
}

static void parse_value(struct options *options, const struct option *option, const HChar *arg,
			const HChar *value)
{
	void *to = (HChar *)options + option->offset;

	switch (option->kind) {
	case OPTION_BOOL:
		parse_bool(arg, value, to);
		break;
	case OPTION_CACHE:
		parse_cache(arg, value, to);
		break;
	case OPTION_FILE:
		check_file(arg, value);
		*(const HChar **)to = value;
		break;
	case OPTION_COUNTING:
		parse_counting(arg, value, to);
		break;
	case OPTION_ENGINE:
		parse_engine(arg, value, to);
		break;
	}
}

Bool options_parse(struct options *options, const HChar *arg)
{
	for (UInt i = 0; i < N_OPTIONS; i++) {
		const struct option *option = &option_table[i];
		SizeT len = VG_(strlen)(option->name);

		if (VG_(strncmp)(arg, option->name, len) != 0 ||
			(arg[len] != '=' && arg[len] != '\0'))
			continue;
		/* False for the passes of the core that only look, or only list. */
		if (!VG_(check_clom)(cloP, arg, option->name, True))
			return True;
		if (arg[len] == '\0')
			message_fatal("%s: expected %s=%s", arg, option->name, option->value);
		parse_value(options, option, arg, arg + len + 1);
		return True;
	}
	return False;
}

void options_finish(struct options *options)
{
	if (!options->dump_line && !options->dump_instr) {
		options->dump_line = True;
		message_note("--dump-line=no --dump-instr=no: using source line as position");
	}
}

void options_usage(void)
{
	for (UInt i = 0; i < N_OPTIONS; i++) {
		const struct option *option = &option_table[i];
		HChar form[80];

		if (option->help == NULL)
			continue;
		VG_(snprintf)(form, sizeof(form), "%s=%s", option->name, option->value);
		VG_(printf)("    %-38s %s\n", form, option->help);
	}
}
