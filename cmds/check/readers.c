/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Found out with crafted files in the real programs, or read in their sources:
 * KCachegrind 22.12 to 26.11, callgrind_annotate 3.19 (3.28 is the same), cg_annotate
 * 3.19 to 3.28, gprof2dot of 2026, speedscope 1.25, Qt Creator 9, gungraun
 * 0.19 (iai-callgrind), callgrind-parser-rs of 2026, Webgrind 1.9.
 */
#include "cmds/check/readers.h"

static const char kcachegrind[] = "kcachegrind";
static const char callgrind_annotate[] = "callgrind_annotate";
static const char cg_annotate[] = "cg_annotate";
static const char gprof2dot[] = "gprof2dot";
static const char speedscope[] = "speedscope";
static const char qtcreator[] = "qtcreator";
static const char gungraun[] = "gungraun";
static const char parser_rs[] = "callgrind-parser-rs";
static const char webgrind[] = "webgrind";

/* A trait as a feature. */
#define TRAIT(trait) ((enum feature)(trait))

static const struct reader_row table[] = {
	{ kcachegrind, TRAIT(TRAIT_NUL), STUMBLE_FAILS, "never ends" },
	{ kcachegrind, TRAIT(TRAIT_SUMMARY_FIRST), STUMBLE_FAILS, "skips the whole file" },
	{ kcachegrind, TRAIT(TRAIT_LATE_HEADER), STUMBLE_FAILS, "skips the file from there on" },
	{ kcachegrind, FEATURE_NOT_DETECTED, STUMBLE_FAILS, "does not take it for a profile" },
	{ kcachegrind, FEATURE_LARGE_FILE, STUMBLE_FAILS, "cannot read it" },
	{ kcachegrind, FEATURE_MANY_EVENTS, STUMBLE_WRONG, "knows 200 events at most" },
	{ kcachegrind, TRAIT(TRAIT_TAB), STUMBLE_WRONG, "loses the costs" },
	{ kcachegrind, TRAIT(TRAIT_LEADING_BLANK), STUMBLE_WRONG, "takes it for a cost line" },
	{ kcachegrind, TRAIT(TRAIT_LARGE_STEP), STUMBLE_WRONG, "wraps around at 32 bits" },
	{ kcachegrind, TRAIT(TRAIT_JCND_BLANK), STUMBLE_WRONG, "loses the jump" },
	{ kcachegrind, TRAIT(TRAIT_BB), STUMBLE_WRONG, "takes the next column for it" },
	{ kcachegrind, TRAIT(TRAIT_NEGATIVE_COUNT), STUMBLE_WRONG, "takes it for 0" },
	{ kcachegrind, TRAIT(TRAIT_ID_REDEFINED), STUMBLE_WRONG, "keeps the first name" },
	{ kcachegrind, TRAIT(TRAIT_ID_OF_EARLIER_PART), STUMBLE_WRONG,
	  "has forgotten it, and does not know the name" },
	{ kcachegrind, FEATURE_SAME_BASENAMES, STUMBLE_WRONG, "takes them for one function" },
	{ kcachegrind, TRAIT(TRAIT_ZERO_CALLS), STUMBLE_LESS,
	  "computes inclusive costs from callees, not callers" },
	{ kcachegrind, TRAIT(TRAIT_LATE_EVENT), STUMBLE_LESS, "does not show the long name" },
	{ kcachegrind, FEATURE_ODD_EVENT, STUMBLE_LESS, "cannot use it in formulas" },
	{ kcachegrind, TRAIT(TRAIT_UNKNOWN_KEY), STUMBLE_LESS, "reports an error" },
	{ kcachegrind, TRAIT(TRAIT_RCALLS), STUMBLE_LESS, "warns" },
	{ kcachegrind, FEATURE_COMMANDS, STUMBLE_LESS, "reports an error" },
	{ kcachegrind, TRAIT(TRAIT_INLINED_NAME), STUMBLE_LESS, "reports an error" },

	{ callgrind_annotate, TRAIT(TRAIT_BB), STUMBLE_FAILS, "dies" },
	{ callgrind_annotate, TRAIT(TRAIT_SEVERAL_PARTS), STUMBLE_WRONG,
	  "takes headers for malformed lines, its totals are wrong" },
	{ callgrind_annotate, TRAIT(TRAIT_ZERO_CALLS), STUMBLE_WRONG,
	  "adds inclusive costs to the caller's own" },
	{ callgrind_annotate, FEATURE_RECURSION, STUMBLE_WRONG,
	  "counts inclusive costs several times" },
	{ callgrind_annotate, TRAIT(TRAIT_INLINED), STUMBLE_LESS, "splits functions by file" },
	{ callgrind_annotate, FEATURE_INSTR, STUMBLE_LESS, "drops addresses" },
	{ callgrind_annotate, TRAIT(TRAIT_JUMP), STUMBLE_LESS, "ignores them" },
	{ callgrind_annotate, TRAIT(TRAIT_LATE_EVENT), STUMBLE_LESS, "warns" },
	{ callgrind_annotate, TRAIT(TRAIT_UNKNOWN_KEY), STUMBLE_LESS, "warns" },
	{ callgrind_annotate, TRAIT(TRAIT_ID_REDEFINED), STUMBLE_LESS, "takes it silently" },
	{ callgrind_annotate, TRAIT(TRAIT_INLINED_NAME), STUMBLE_LESS, "warns" },

	{ cg_annotate, FEATURE_NOT_CACHEGRIND, STUMBLE_FAILS, "cannot read it" },
	{ cg_annotate, TRAIT(TRAIT_UNSPECIFIED), STUMBLE_WRONG,
	  "charges the function before, up to Valgrind 3.20" },

	{ gprof2dot, TRAIT(TRAIT_JFN), STUMBLE_FAILS, "dies" },
	{ gprof2dot, TRAIT(TRAIT_UNKNOWN_KEY), STUMBLE_FAILS, "stops there" },
	{ gprof2dot, TRAIT(TRAIT_TAB), STUMBLE_FAILS, "stops there" },
	{ gprof2dot, TRAIT(TRAIT_LARGE_STEP), STUMBLE_FAILS, "stops there if it is hexadecimal" },
	{ gprof2dot, TRAIT(TRAIT_INLINED_NAME), STUMBLE_FAILS, "stops there" },
	{ gprof2dot, FEATURE_SAME_NAMES, STUMBLE_WRONG, "takes them for one function" },
	{ gprof2dot, FEATURE_SEVERAL_EVENTS, STUMBLE_LESS, "shows the first one only" },
	{ gprof2dot, FEATURE_RECURSION, STUMBLE_LESS, "collapses cycles" },
	{ gprof2dot, TRAIT(TRAIT_ID_REDEFINED), STUMBLE_LESS, "takes it silently" },

	{ speedscope, TRAIT(TRAIT_SEVERAL_PARTS), STUMBLE_FAILS, "throws an error" },
	{ speedscope, TRAIT(TRAIT_ID_REDEFINED), STUMBLE_FAILS, "throws an error" },
	{ speedscope, TRAIT(TRAIT_ID_REPEATED), STUMBLE_FAILS, "throws an error" },
	{ speedscope, TRAIT(TRAIT_TRAILING_BLANK), STUMBLE_FAILS, "throws an error" },
	{ speedscope, FEATURE_INSTR, STUMBLE_WRONG, "takes the line number for the first event" },
	{ speedscope, TRAIT(TRAIT_BB), STUMBLE_WRONG, "takes the next column for it" },
	{ speedscope, TRAIT(TRAIT_FEW_COUNTS), STUMBLE_WRONG, "adds up to NaN" },
	{ speedscope, TRAIT(TRAIT_JUMP), STUMBLE_WRONG, "adds up to NaN" },
	{ speedscope, TRAIT(TRAIT_JFI_DEFINES), STUMBLE_WRONG, "does not know the id" },
	{ speedscope, TRAIT(TRAIT_FILE_ONLY), STUMBLE_LESS, "splits functions by file" },
	{ speedscope, TRAIT(TRAIT_INLINED_NAME), STUMBLE_LESS, "ignores it" },

	{ qtcreator, TRAIT(TRAIT_NO_POSITIONS), STUMBLE_WRONG, "takes positions for costs" },
	{ qtcreator, TRAIT(TRAIT_NAME_PLAIN), STUMBLE_WRONG, "takes all of them for one" },
	{ qtcreator, TRAIT(TRAIT_RELATIVE_AFTER_FN), STUMBLE_WRONG,
	  "does not know what it is relative to" },
	{ qtcreator, TRAIT(TRAIT_RANGE), STUMBLE_WRONG, "does not know ranges" },
	{ qtcreator, TRAIT(TRAIT_JUMP), STUMBLE_LESS, "ignores them" },
	{ qtcreator, TRAIT(TRAIT_INLINED_NAME), STUMBLE_LESS, "ignores it" },

	{ gungraun, FEATURE_UNKNOWN_EVENT, STUMBLE_FAILS, "refuses the file" },
	{ gungraun, TRAIT(TRAIT_RELATIVE), STUMBLE_FAILS, "dies, drawing a flame graph" },
	{ gungraun, TRAIT(TRAIT_INLINED_NAME), STUMBLE_FAILS, "dies, drawing a flame graph" },
	{ gungraun, TRAIT(TRAIT_NAME_ID), STUMBLE_WRONG, "takes the id for a name" },
	{ gungraun, TRAIT(TRAIT_FILE_ONLY), STUMBLE_LESS, "splits functions by file" },
	{ gungraun, TRAIT(TRAIT_NO_FORMAT_LINE), STUMBLE_LESS, "warns" },

	{ parser_rs, TRAIT(TRAIT_RANGE), STUMBLE_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_RCALLS), STUMBLE_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_UNKNOWN_KEY), STUMBLE_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_JCND_BLANK), STUMBLE_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_INLINED_NAME), STUMBLE_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_FILE_ONLY), STUMBLE_LESS, "splits functions by file" },
	{ parser_rs, FEATURE_SIGNED_FORMULA, STUMBLE_LESS, "does not know differences" },

	{ webgrind, FEATURE_NOT_XDEBUG, STUMBLE_FAILS, "cannot read it" },
	{ webgrind, FEATURE_SEVERAL_EVENTS, STUMBLE_LESS, "shows the first one only" },
};

const struct reader_row *readers_table(size_t *n)
{
	*n = sizeof(table) / sizeof(table[0]);
	return table;
}

const char *readers_name(size_t i)
{
	static const char *const names[] = {
		kcachegrind, callgrind_annotate, cg_annotate, gprof2dot, speedscope,
		qtcreator,   gungraun,           parser_rs,   webgrind,
	};

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}
