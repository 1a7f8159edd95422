/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles: the state of this room, its options, and when what is written: profiles, parts of a run, companion files, the
 * summary at the end.
 */
#ifndef TOOL_OUTPUT_STATE_H
#define TOOL_OUTPUT_STATE_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"
#include "tool/output/descs.h"
#include "tool/output/output.h"

struct graph;

struct output_options {
	const HChar *out_file; /* as given: %p and the like are not expanded */
	Bool flat;             /* in Cachegrind's format */
	Bool dump_instr;
	Bool dump_line;
	Bool compress_strings;
	Bool compress_pos;
	Bool combine_dumps;  /* all parts in one file */
	struct descs descs;  /* lines that the user adds to the header */
	ULong dump_every_bb; /* superblocks; 0 = never */
	UInt dump_every_ms;  /* wall-clock time; 0 = never */
	Bool dump_regions;   /* a part ends where another region begins */
	Bool call_tree;
	UInt call_tree_nodes;
};

/*
 * Companion files: written with the profile, in its directory, under names derived from the profile's
 * (writer/shared/besidename.h): data.77.costgrind of costgrind.out.77, data.prog.out.costgrind of prog.out.  So two
 * runs share one only if they share the profile; pids would not do, since there may be several namespaces of them.
 * Where the profile is no file, or its name is too long, the name has the pid.
 */
enum companion {
	COMPANION_TREE, /* --call-tree=yes */
	COMPANION_DATA, /* --data=yes */
	N_COMPANIONS,
};

struct companions {
	Bool wanted[N_COMPANIONS];
	Bool has_profile; /* the profile is a file, which gives them directory and name */
	struct output outputs[N_COMPANIONS];
};

/*
 * Parts of a run.  A part is what was counted since the last one was written, or since everything was set to zero;
 * each is a profile in a file of its own.  The last part, at the end, has the name that was asked for, the others
 * have ".1", ".2" and so on appended.
 */
struct parts {
	UInt n;                  /* written so far */
	UInt before;             /* numbers used by earlier programs in this process */
	ULong began;             /* superblocks entered when this one began */
	ULong written[N_EVENTS]; /* costs in those that are written */
	ULong n_blocks;          /* entered by now, as the core counts them */
	ULong began_blocks;      /* n_blocks when this part began */
	UInt began_ms;           /* the core's clock when it began, with --dump-every-ms */
};

struct output_state {
	struct output_options options;
	struct output output;
	struct companions companions;
	struct parts parts;
	struct descs job_descs; /* which process of a job this is */
	struct descs descs;     /* lines that the program adds to the header */
	struct fingerprint fingerprint;
	struct unprofiled unprofiled;
};

extern struct output_state tool_output;

/* --- profiles ---------------------------------------------------------------------------- */

/*
 * Writes the profile of this process, or of one thread (0: of all) if threads have files of their own, under its name and suffix
 * ("" or ".1"), and the companion files.  Nothing is set to zero.  trigger is for the profile's "desc: Trigger:".
 * Reports an error in one line and, with closing_line, success too (not with -q).  Returns True if all was written.
 */
Bool dump_profile(const HChar *suffix, const HChar *trigger, UInt thread, Bool closing_line);

/* Removes what the last dump has written: its costs are in another file, or will be. */
void dump_withdraw(void);

/* --- parts ------------------------------------------------------------------------------- */

/*
 * Writes what was counted so far as a part, and begins the next one.  If it cannot be written (a message says so), its
 * costs stay in the next one.  trigger is for the header.  Returns True if it was written.  Not while code is in
 * mid-segment.
 */
Bool part_write(const HChar *trigger);

/*
 * Writes what was counted so far under the profile's own name, as at the end of the run.  The part goes on, and at
 * the end its costs are written there again.  False if that failed, or is not allowed any more.
 */
Bool part_write_final(const HChar *trigger);

/* Sets all costs to zero; a new part begins. */
void part_zero(void);

/*
 * part_write() and part_zero() of the running thread only, where threads have files of their own, as Callgrind does.
 * The other threads' parts go on, and may lack the number.
 */
Bool part_write_own(const HChar *trigger);
void part_zero_own(void);

/* The number of the part that is being counted, from 1; all names but the last part's have it. */
UInt parts_number(void);

/* In the child of a fork: it has written none. */
void parts_fork(void);

/* Costs in all parts, the current one included, as far as they were collected. */
void parts_totals(ULong totals[N_EVENTS]);

/* Between two runs of generated code: writes a part if one is due (--dump-every-bb, -ms). */
void parts_look(ULong n_blocks);

/* --- companion files --------------------------------------------------------------------- */

/* At the start of the run, after the profile's output_init(): finds where the wanted files will go. */
void companions_init(void);

/* Do for all wanted files what output_fork() (after the profile's) and output_hold() do. */
void companions_fork(void);
void companions_hold(void);

/* --- what files have in them, by kind ---------------------------------------------------- */

/*
 * Writes a profile in Cachegrind's own format: self costs by file, function and line, sorted, all counts of each line,
 * "summary:" at the end.  Functions are the ones that instructions are in, whoever called them.  Returns 0 or an
 * error number.
 */
Int flatfile_write(struct output_file *file, const struct graph *graph);

/*
 * Writes the call tree (docs/FORMAT.md), after the profile, for which calls and costs were brought up to date.  Returns
 * 0 or an error number.
 */
Int treefile_write(struct output_file *file, const HChar *trigger);

/* Reports what did not fit in the tree, if anything. */
void treefile_note(void);

/*
 * Writes which data the program misses on (docs/FORMAT.md): a profile whose functions are objects of data, with the
 * misses on each piece of them as costs of lines, a line being its offset.  The program's functions call them, and
 * have no costs of their own.  Also after the profile.  Returns 0 or an error number.
 */
Int datafile_write(struct output_file *file, const HChar *trigger);

/*
 * Prints the summary at the end of a run: cycles, what they are spent on, and a line for each level that missed.  With
 * two levels, with -v, and under the names of other tools, it has Cachegrind's columns and words, which scripts and
 * users know.
 */
void summary_print(const ULong totals[N_EVENTS]);

#endif
