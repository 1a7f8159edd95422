/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "desc:" lines of the header of profiles (docs/FORMAT.md): those that the program or the user adds; the process's rank
 * in a job; the machine that was simulated; what counts depend on besides the program and its input; and what became of the run.
 */
#ifndef TOOL_OUTPUT_DESCS_H
#define TOOL_OUTPUT_DESCS_H

#include "libvex.h"
#include "pub_tool_basics.h"

#include "writer/writer.h"

struct cache_config;
struct desc;

/* Receives one line, "desc: type: text"; both are valid during the call only. */
typedef void desc_taker(void *ctx, const HChar *type, const HChar *text);

/* --- lines that are added ---------------------------------------------------------------- */

/* In the order in which they were added; all zero is none. */
struct descs {
	struct desc *first, *last;
	UInt n;
};

enum {
	MAX_DESCS = 1000, /* a program may add lines in a loop */
};

/*
 * Adds a line, unless the same one is there; control characters become blanks.  Copies both texts.  False if there are
 * MAX_DESCS.
 */
Bool descs_add(struct descs *descs, const HChar *name, const HChar *text);

void descs_write(const struct descs *descs, struct writer *writer);

/* Writes the command line of the program ("cmd:"). */
void descs_write_command(struct writer *writer);

/* --- the rank in a job (writer/rank.h) --------------------------------------------------- */

/*
 * Replaces each %r in a name by the rank.  Returns name itself if it has none, else a new text, which is never freed,
 * since a fork makes another of it.  Other uses of % stay.  If no rank is known, ends the run with a message that has
 * arg, the option as given.
 */
const HChar *jobrank_expand(const HChar *arg, const HChar *name);

/* Adds "Rank" and "Ranks" to descs, as far as they are known and not among the user's. */
void jobrank_describe(struct descs *descs, const struct descs *users);

/* --- the machine, for all formats -------------------------------------------------------- */

enum { MACHINEDESCS_CACHE = 384 }; /* bytes, enough for machinedescs_cache() */

/* Describes a cache by size, line, associativity and further text: "49152 B, 64 B, 12-way associative, plru (assumed)". */
void machinedescs_cache(HChar text[MACHINEDESCS_CACHE], const struct cache_config *cache);

/* The machine by name and title; NULL if no part of it is simulated, or it has no name. */
const HChar *machinedescs_name(void);

/*
 * Reports what is simulated of these: prefetchers, branch predictors (except Cachegrind's), TLBs, the core, and which lines the
 * miss curve is of.
 */
void machinedescs_units(desc_taker *take, void *ctx);

/* --- what counts depend on ------------------------------------------------------------------
 *
 * Runs that differ in these cannot be compared, or not without a warning; costgrind diff has both.
 */

/* Receives the words of a list, one at a time. */
typedef void word_taker(void *ctx, const HChar *word);

struct fingerprint {
	void (*list_options)(word_taker *take, void *ctx);
	/* The environment at the start; what the program changes in it is its own affair. */
	UInt n_variables;
	ULong bytes; /* each with its NUL */
	ULong hash;
};

/*
 * Call it when the program is in memory, before it runs.  list_options lists the options that change counts and do not
 * have their default value, as the user would write them.
 */
void fingerprint_init(void (*list_options)(word_taker *take, void *ctx));

/* The options that change counts, Valgrind's too, separated by blanks; NULL: none.  To be freed. */
HChar *fingerprint_options(void);

void fingerprint_write(struct writer *writer);

/* Writes only the objects that were loaded, with their build-ids. */
void fingerprint_write_builds(struct writer *writer);

/* --- what became of the run -------------------------------------------------------------- */

/*
 * Reports how many of the executed instructions are in a file, how the program ended, which programs were executed
 * without being profiled, and how often the program asked for a time that is a count of instructions.
 *
 * thread: the thread that the file is of, or 0 for all; collected: instructions in it.  of_process: with numbers of
 * the whole process, which one file of a part has, so that they are right when the files of threads are added up.
 */
void outcome_tell(UInt thread, ULong collected, Bool of_process, desc_taker *take, void *ctx);

/*
 * Programs that are executed unprofiled.  The first process lists what its children and their children execute: they
 * share a file in memory, to which each child appends.  A program that a process executes in its own place is on the
 * list of that process.
 */
enum {
	UNPROFILED_NAME = 200, /* bytes of a program's path that are kept, with the NUL */
};

struct unprofiled {
	Int file;                       /* a descriptor; -1: no child was made */
	Word began;                     /* bytes of the file that belong to earlier parts */
	HChar current[UNPROFILED_NAME]; /* the program that this process is about to execute, or "" */
};

void unprofiled_init(void);

/* Before a fork: the processes share a list from now on. */
void unprofiled_fork(void);

/*
 * This process is about to execute a program unprofiled; the name is copied.  has_profile: the process writes a profile
 * of its own.
 */
void unprofiled_add(const HChar *name, Bool has_profile);

/* The program was not executed after all. */
void unprofiled_remove(void);

/* All costs are zero from now on: profiles list only what is executed after this. */
void unprofiled_zero(void);

/* Copies the name of the first program that a child without a profile executed; NULL: there is none. */
const HChar *unprofiled_first(HChar name[UNPROFILED_NAME]);

#endif
