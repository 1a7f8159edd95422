/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of writer/shared/optionlist.h as a table: which of them an argument is, its value from the text that the
 * user gave into struct options, and back, and --help.
 */
#ifndef TOOL_OPTIONS_OPTIONTABLE_H
#define TOOL_OPTIONS_OPTIONTABLE_H

#include "pub_tool_basics.h"

#include "writer/shared/optionlist.h"

struct options;

/* What the value is, and the type of the member that it is stored in.  A kind has one parser, and one message. */
enum option_kind {
	OPTION_BOOL,      /* Bool: one of two words */
	OPTION_COUNTING,  /* Bool: one of two words, which depend on whether there is a decoder */
	OPTION_WORD,      /* an enum: one of some words */
	OPTION_PAGES,     /* the same; "thp=both" is another name for "both" */
	OPTION_NUMBER,    /* UInt */
	OPTION_CALLERS,   /* UInt; Callgrind documents "auto", too */
	OPTION_COUNT,     /* ULong */
	OPTION_CACHE,     /* struct cache_option: <size>,<associativity>,<line size> */
	OPTION_MACHINE,   /* const HChar *: the name or file of a machine; help ends the run */
	OPTION_FILE,      /* const HChar *: any text that is not empty */
	OPTION_REGION,    /* const HChar *: a pattern of names of regions */
	OPTION_ALLOCATOR, /* struct allocator_rules: adds a rule */
	OPTION_DESC,      /* struct descs: adds a line */
	OPTION_CPU,       /* struct deterministic_options: the name of a processor */
	OPTION_LEAVE,     /* UInt: bits of items that are not made deterministic */

	/* Each adds a rule for some functions. */
	OPTION_PATTERN,    /* =<pattern> */
	OPTION_NUMBERED,   /* <n>=<pattern> */
	OPTION_OR_WITHOUT, /* =<pattern> or nothing: all functions */

	/* Options of Callgrind without effect here; any value but the usual one is reported. */
	OPTION_IDLE,
	OPTION_IDLE_NUMBERED, /* <n>=<pattern> */
};

/* Headings of --help: DUMPS is HELP_DUMPS. */
enum help_group {
#define GROUP(group, heading) HELP_##group,
	OPTION_GROUPS(GROUP)
#undef GROUP
		HELP_DEBUG,
	HELP_ALIAS,
};

enum option_flag {
	/*
	 * It changes events, counts, or what they belong to, so "desc: Options" must say it.  Caches and --counting have
	 * lines of their own there.
	 */
	OPTION_MATTERS = 1,
	OPTION_OF_CACHES = 2, /* under Callgrind's name, any value switches the caches on */
	/* The names of the tool under which --help lists it; none of these: all. */
	OPTION_ONLY_COSTGRIND = 4,
	OPTION_ONLY_CALLGRIND = 8,
	OPTION_ONLY_CACHEGRIND = 16,
	OPTION_OLD_NAMES = 32, /* it exists only in place of another tool */
};

enum {
	OPTION_MAX_WORDS = 6,
	OPTION_TEXT_SIZE =
		96, /* bytes for any value as a text, except names and files, with a NUL */
};

/* A row; writer/shared/optionlist.h documents the columns. */
struct option {
	const HChar *name;
	enum option_kind kind;
	enum help_group group;
	UInt flags;  /* set of enum option_flag */
	SizeT where; /* offset in struct options; for a rule its enum fn_rule_kind */
	const HChar *form;
	const HChar *help; /* HELP_ALIAS: the option that it is another name for */
	ULong least, most;
	UInt words[OPTION_MAX_WORDS]; /* what the words of the form mean */
	ULong usual;
	const HChar *usual_text;
};

extern const struct option option_table[];
extern const UInt n_options;

/* The option that arg is; *rest is what follows its name.  NULL if it is not ours. */
const struct option *option_find(const HChar *arg, const HChar **rest);

/*
 * The option, ours or Valgrind's, that was probably meant by arg, which is not ours.  NULL if none is similar, or if it is
 * one of Valgrind's.
 */
const HChar *option_suggest(const HChar *arg);

/* Sets all constant defaults; *options is all zeros before. */
void option_set_defaults(struct options *options);

/*
 * Reads the value of an option; rest is what follows its name in arg, which is borrowed as long as the options are used.  A
 * value that is not allowed ends the run with a message (message_fatal).
 */
void option_read(struct options *options, const struct option *option, const HChar *arg,
		 const HChar *rest);

/* True if an option that is a number or a word has its default. */
Bool option_is_usual(const struct options *options, const HChar *name);

/*
 * The value of an option, as it could be given, in text or elsewhere.  NULL if there is none to show: rules, lines of the
 * header, regions that were not asked for.
 */
const HChar *option_text(const struct option *option, const struct options *options,
			 HChar text[OPTION_TEXT_SIZE]);

/* Print the groups of --help, and the part of --help-debug, with all defaults. */
void option_print_groups(void);
void option_print_debug(void);

#endif
