/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tool's own command-line options (writer/shared/optionlist.h): their values, what they mean together, and options in
 * the environment.
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

/* A line about an option, to be printed once it is known whether -q is given. */
struct option_note {
	const HChar *arg; /* as it was given */
	const HChar *text;
};

enum { OPTIONS_MAX = 128 }; /* at least the rows of option_table */

/* The options of each room, and those that belong to none of them alone. */
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
	const HChar *machine;           /* the simulated machine, as it was given; or NULL */
	struct cache_option i1, d1, ll; /* caches that replace the machine's */
	Bool write_back;                /* dirty lines are simulated */
	Bool generated_names;           /* names of generated code are read (generated.h) */
	Bool given[OPTIONS_MAX];        /* by index in option_table (options_given) */
	Bool cycles_if_core; /* --cycles is not given, and cycles are counted if the machine has a core */
	UInt heap_shift;           /* bytes (placement.h) */
	UInt load_shift;           /* pages (placement.h) */
	struct option_note *notes; /* in the order in which they were given */
	UInt n_notes;
};

/* Sets all defaults, for the tool whose name this one goes by. */
void options_init(struct options *options);

/*
 * Takes one argument ("--name=value").  Returns False if it is not ours, nor similar to one of ours.  A value that is not
 * allowed ends the run with a message (message_fatal).
 */
Bool options_parse(struct options *options, const HChar *arg);

/* True if an option of this name was given, with any value. */
Bool options_given(const struct options *options, const HChar *name);

/* Has a line printed about an option, once all are known and unless -q is given; both texts are borrowed. */
void options_note(struct options *options, const HChar *arg, const HChar *text);

/*
 * Checks all options together, once they are known.  A contradiction, or an option that has no effect without another one, ends
 * the run with a message; what has only one sensible meaning is corrected, with a note.  Then prints the notes.
 */
void options_finish(struct options *options);

/* Part of that for a machine without TLBs: page sizes are of no use then. */
void options_check_pages(const struct options *options);

/*
 * Passes to add(), as they could be given, the options that change counts, or what these belong to, and that do not have their
 * default; then rules as they were given.
 */
void options_list(const struct options *options, void (*add)(void *ctx, const HChar *word),
		  void *ctx);

/* Print our parts of --help and --help-debug. */
void options_usage(void);
void options_debug_usage(void);

/*
 * Inserts the options in the environment variable COSTGRIND_OPTS after ~/.valgrindrc's, VALGRIND_OPTS's and ./.valgrindrc's, and
 * before the command line, so that the nearest one wins.  To be called in pre_clo_init, before the core reads any.  Does nothing
 * under another tool's name, or with --command-line-only=yes.  Words that are not options end the run with a message.
 */
void options_insert_environment(void);

/*
 * Makes the programs that this one executes (--trace-children=yes) receive arg in place of the option old: for files that they
 * would not find from another folder.  arg must stay.
 */
void options_hand_on(const HChar *old, const HChar *arg);

#endif
