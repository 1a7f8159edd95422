/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tool's own command-line options, as writer/shared/optionlist.h has them: what they are, in
 * which order they come, and what they say together.
 */
#ifndef TOOL_OPTIONS_OPTIONS_H
#define TOOL_OPTIONS_OPTIONS_H

#include "pub_tool_basics.h"

#include "sim/geometry.h"
#include "tool/alloc/state.h"
#include "tool/calls/state.h"
#include "tool/common/event.h"
#include "tool/data/state.h"
#include "tool/deterministic/deterministic.h"
#include "tool/frames/frames.h"
#include "tool/instrument/state.h"
#include "tool/output/state.h"
#include "tool/simulate/state.h"
#include "tool/symbols/symbol.h"

/* A cache as the user gave it; geometry is legal if given. */
struct cache_option {
	Bool given;
	struct cache_geometry geometry;
};

/* An option of which something is to be said, once it is known whether anything may be. */
struct option_note {
	const HChar *arg; /* as it was given */
	const HChar *text;
};

enum { OPTIONS_MAX = 128 }; /* rows of option_table; there are fewer */

/* What the user wants of each room, and what concerns none of them alone. */
struct options {
	struct symbols_options symbols;
	struct calls_options calls;
	struct deterministic_options deterministic;
	struct frames_options frames;
	struct instrument_options instrument;
	struct simulate_options simulate;
	struct data_options data;
	struct alloc_options alloc;
	struct output_options output;
	const HChar *machine; /* whose caches are simulated, as it was given (cacheconf.h); or NULL */
	struct cache_option i1, d1, ll; /* ... and which of them are not that machine's */
	Bool write_back;                /* dirty lines of that machine are known */
	Bool generated_names;           /* are read (generated.h) */
	Bool given[OPTIONS_MAX];        /* by the option's place in option_table (options_given) */
	Bool cycles_if_core; /* --cycles is not given: cycles are counted if the machine has a core */
	UInt heap_shift;     /* bytes (placement.h) */
	UInt load_shift;     /* pages (placement.h) */
	struct option_note *notes; /* in the order in which they were given */
	UInt n_notes;
};

enum { OPTIONS_CALL_TREE_NODES = 1000000 };

/* Sets the defaults. */
void options_init(struct options *options);

/*
 * Takes one argument ("--name=value").  Returns False if it is none of ours, nor like one of ours.
 * A value that is not allowed ends the run with a message (message_fatal).
 */
Bool options_parse(struct options *options, const HChar *arg);

/* True if an option of this name was given, by whatever value. */
Bool options_given(const struct options *options, const HChar *name);

/* Has a line said of an option, once all are known and unless there is -q; both are borrowed. */
void options_note(struct options *options, const HChar *arg, const HChar *text);

/*
 * Looks at all of them together, once all are known: what cannot be ends the run with a
 * message, what only has to be mended is, with a line about it; then the notes.
 */
void options_finish(struct options *options);

/*
 * Passes to add(), as they would be given, the options that change counts, or what these belong to,
 * and that are not what they are by default; rules as they were given.
 */
void options_list(const struct options *options, void (*add)(void *ctx, const HChar *word),
		  void *ctx);

/*
 * The part of that in optioncheck.c: ends the run with a message if options contradict each other, or
 * if one was given that does nothing without another; mends what has only one sensible meaning, and
 * says so in a line.  Under another tool's name, all that this tool accepts is accepted.
 */
void optioncheck(struct options *options);

/* The part of that which a machine without TLBs brings: sizes of pages are then of no use. */
void optioncheck_pages(const struct options *options);

/*
 * Options in the environment variable COSTGRIND_OPTS: puts them behind those of ~/.valgrindrc,
 * VALGRIND_OPTS and ./.valgrindrc and before those of the command line, so that the last word is
 * the nearest one.  Before the core reads any: in pre_clo_init.  Nothing under another tool's
 * name, or with --command-line-only=yes.  Words that are no options end the run with a message.
 */
void optionenv_insert(void);

/*
 * Has the programs that this one executes (--trace-children=yes) be given an option in the place of
 * another: of a file that they, in another folder, would not find.  arg stays.
 */
void optionenv_hand_on(const HChar *old, const HChar *arg);

/* Print the parts of --help and of --help-debug that are ours. */
void options_usage(void);
void options_debug_usage(void);

#endif
