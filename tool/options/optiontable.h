/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of writer/shared/optionlist.h as a table, and which of them a word is.
 */
#ifndef TOOL_OPTIONS_OPTIONTABLE_H
#define TOOL_OPTIONS_OPTIONTABLE_H

#include "pub_tool_basics.h"

#include "writer/shared/optionlist.h"

/* What its value is, and the type of where it goes. */
enum option_value_kind {
	OPTION_BOOL,      /* Bool: yes or no */
	OPTION_EITHER,    /* Bool: the second of two words */
	OPTION_COUNTING,  /* Bool: architectural or valgrind */
	OPTION_SYSTIME,   /* enum systime_unit: a unit, yes or no */
	OPTION_INSTR,     /* enum instr_atstart: by its name */
	OPTION_INLINE,    /* enum inlined: by its name */
	OPTION_CALLERS,   /* UInt: as a rule for callers has it */
	OPTION_RECS,      /* UInt: as a rule for recursion has it */
	OPTION_NODES,     /* UInt: of a call tree */
	OPTION_RUNS,      /* UInt: executions of cold code */
	OPTION_SHIFT,     /* UInt: bytes of heap */
	OPTION_RATE,      /* UInt: thousandths of the usual speed */
	OPTION_PAGES,     /* UInt: pages */
	OPTION_CHAIN,     /* UInt: callers of an allocation */
	OPTION_PAGING,    /* enum page_policy: by its name */
	OPTION_CURVE,     /* enum miss_curve: by its name */
	OPTION_BRANCHES,  /* enum branch_model: by its name */
	OPTION_START,     /* enum region_start: by its name */
	OPTION_CPUS,      /* UInt: how many there are */
	OPTION_NUMBER,    /* UInt: any */
	OPTION_COUNT,     /* ULong: how often */
	OPTION_CACHE,     /* struct cache_option: <size>,<associativity>,<line size> */
	OPTION_MACHINE,   /* const HChar *: a machine's name or file; help ends the run */
	OPTION_FILE,      /* const HChar *: any text but an empty one */
	OPTION_REGION,    /* const HChar *: a pattern of names of regions */
	OPTION_ALLOCATOR, /* struct allocator_rules: one more */
	OPTION_DESC,      /* struct descs: a line more */
	OPTION_CPU,       /* struct deterministic_options: the name of a processor */
	OPTION_LEAVE,     /* UInt: bits of items that are not made the same */

	/* Each adds a rule for some functions. */
	OPTION_PATTERN,    /* =<pattern> */
	OPTION_NUMBERED,   /* <n>=<pattern> */
	OPTION_OR_WITHOUT, /* =<pattern> or nothing: all functions */

	/* Callgrind's that do nothing; all but these values are reported. */
	OPTION_IDLE_YES,
	OPTION_IDLE_NO,
	OPTION_IDLE_COUNT,    /* <n>, 0 */
	OPTION_IDLE_NUMBERED, /* <n>=<pattern> */
	N_OPTION_KINDS,
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
	 * It changes events, counts, or what they belong to, so that "desc: Options"
	 * has to say it; caches and --counting have lines of their own.
	 */
	OPTION_MATTERS = 1,
	OPTION_OF_CACHES = 2, /* any value of it switches the caches on under Callgrind's name */
	/* Under which name it is listed in --help; none of them: under all. */
	OPTION_ONLY_COSTGRIND = 4,
	OPTION_ONLY_CALLGRIND = 8,
	OPTION_ONLY_CACHEGRIND = 16,
	OPTION_OLD_NAMES = 32, /* it is one in the place of another tool alone */
};

struct option {
	const HChar *name;
	enum option_value_kind kind;
	enum help_group group;
	UInt flags;  /* set of enum option_flag */
	SizeT where; /* in struct options; of a rule the enum fn_rule_kind */
	const HChar *form;
	const HChar *help; /* of HELP_ALIAS: the option that it is */
};

extern const struct option option_table[];
extern const UInt n_options;

/* Whether it adds a rule; then options_list() knows it from there. */
Bool option_is_rule(const struct option *option);

/* "=" or what stands for it: what is between the name and the form. */
const HChar *option_separator(const struct option *option);

/* The option that arg is, *rest being what stands behind the name; NULL = none of ours. */
const struct option *option_find(const HChar *arg, const HChar **rest);

/*
 * The name of an option, ours or Valgrind's, that was probably meant by arg, which is none
 * of ours; NULL if none is near, or if it is one of Valgrind's.
 */
const HChar *option_suggest(const HChar *arg);

/* Prints the headings of --help with their options and these' defaults. */
void option_print_groups(void);

/* Prints those for debugging, other names of options, and those that do nothing. */
void option_print_debug(void);

#endif
