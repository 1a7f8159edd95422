/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tool's own command-line options, as writer/shared/optionlist.h has them: what they are, in which
 * order they come, and what they say together.
 */
#ifndef TOOL_OPTIONS_OPTIONS_H
#define TOOL_OPTIONS_OPTIONS_H

#include "pub_tool_basics.h"

#include "sim/geometry.h"
#include "tool/calls/systime.h"
#include "tool/deterministic/canonical.h"
#include "tool/output/desc.h"
#include "tool/symbols/fnrule.h"

/* A cache as the user gave it; geometry is legal if given. */
struct cache_option {
	Bool given;
	struct cache_geometry geometry;
};

/* What becomes of code that was inlined. */
enum inlined {
	INLINED_NO,    /* it is of the line that called it, in the function around it */
	INLINED_LINES, /* it is of its own lines, in the function around it */
	INLINED_CALLS, /* it is a function that was called */
};

/* Whether anything is counted at the start. */
enum instr_atstart {
	INSTR_NO,
	INSTR_YES,
	INSTR_INHERIT, /* as it was in the program that executed this one in its place; if none, no */
};

/* An option of which something is to be said, once it is known whether anything may be. */
struct option_note {
	const HChar *arg; /* as it was given */
	const HChar *text;
};

struct options {
	struct cache_option i1, d1, ll;
	Bool cache_sim;
	Bool branch_sim;
	Bool simulate_wb;
	Bool simulate_hwpref;
	Bool cacheuse;
	Bool collect_bus;
	enum systime_unit collect_systime;
	Bool dump_instr;
	Bool dump_line;
	Bool compress_strings;
	Bool compress_pos;
	Bool combine_dumps; /* all parts in one file */
	Bool separate_threads;
	Bool skip_plt;
	Bool skip_direct_rec;
	Bool collect_jumps;
	enum instr_atstart instr_atstart;
	Bool stack_seed; /* tool/calls/seeding.h */
	Bool collect_atstart;
	const HChar *collect_region; /* a pattern, or NULL */
	struct descs descs;          /* lines of the header that the user wants */
	ULong dump_every_bb;         /* superblocks; 0 = never */
	UInt dump_every_ms;          /* likewise, by the clock */
	Bool call_tree;
	UInt call_tree_nodes;
	enum inlined inlined;
	UInt separate_callers; /* of functions without a rule; 0 = costs are not told apart */
	UInt separate_recs;    /* likewise; 1.. */
	struct fn_rules fn_rules;
	const HChar *out_file; /* as given: %p and the like are still in it */
	Bool flat;             /* in Cachegrind's format */
	Bool modify_is_write;  /* what reads and writes one place counts as the one or the other */
	Bool fork_inherits;    /* the child of a fork has what its parent has cost */
	Bool architectural;    /* --counting */
	Bool plain;            /* the engine that the other one is checked against */
	UInt cold_runs;        /* tool/translate/cold.h */
	struct canonical_options canonical;
	UInt heap_shift; /* bytes (placement.h) */
	UInt load_shift; /* pages (placement.h) */
	/* Whether generated code sees hits in D1, and in I1; else C sees all references. */
	Bool inline_data, inline_fetches;
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

/* Has a line said of an option, once all are known and unless there is -q; both are borrowed. */
void options_note(struct options *options, const HChar *arg, const HChar *text);

/*
 * Looks at all of them together, once all are known: what cannot be ends the run with a
 * message, what only has to be mended is, with a line about it; then the notes.
 */
void options_finish(struct options *options);

/*
 * Tells, as they would be given, options that change counts, or what these belong to,
 * and that are not what they are by default; rules as they were given.
 */
void options_tell(const struct options *options, void (*tell)(void *ctx, const HChar *word),
		  void *ctx);

/* Print the parts of --help and of --help-debug that are ours. */
void options_usage(void);
void options_debug_usage(void);

#endif
