/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind diff; report compares two profiles by the same rules. */
#ifndef CMDS_DIFF_DIFF_H
#define CMDS_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/cli/loader.h"
#include "cmds/cli/option.h"
#include "cmds/emit/document.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/limit.h"
#include "profile/analysis/mostly.h"
#include "profile/analysis/regionpair.h"

extern const struct option_rule diff_options[]; /* besides comparing_options */

/* argv[0] is "diff".  Returns an exit code. */
int diff_main(int argc, char **argv);

/* -- for commands that compare two profiles of their own: diff.c ------------------------------ */

/* Options of diff that they take, too: what is compared, and how that is shown.  Their context is a struct diff_choice. */
extern const struct option_rule comparing_options[];

struct diffreport_choice {
	/*
	 * "A,B": metrics; NULL = the main one (metric.h) and all events, and derived ones for totals; by object, people
	 * have EstCyc, D1m and DLm
	 */
	const char *show;
	bool is_prose; /* without show, a curve is among the totals only */
	bool is_narrow; /* text, which has to fit: without show, rows have one event; the totals, those that changed */
	size_t width; /* of narrow text, as fitted_width() has it; FITTED_UNLIMITED: names are whole */
	bool has_head;      /* narrow text says what is compared */
	const char *sort;   /* the metric by which is ranked; NULL = the first shown */
	uint64_t threshold; /* millionths of the total, that a change must reach in a metric shown */
	bool lines;         /* list lines, of the functions listed */
	bool calls;         /* list calls */
	bool is_by_region;  /* regions that the program named are listed, and nothing else */
	bool is_by_object;  /* functions are objects of data, and calls who misses on them */
};

/* How much of the event that ranks there was, and how much that changed. */
struct diffreport_change {
	const char *noun; /* "cycles" */
	int128 old, change;
};

/* What the command that made the profiles adds to a report; {0} = nothing. */
struct diffreport_maker {
	/* What OLD and NEW are called, in place of their paths, which are temporary; NULL = these. */
	const char *old_name, *new_name;
	/* Puts more below the verdict; NULL = nothing. */
	void (*put)(void *ctx, struct document *document, const struct diffreport_change *change);
	void *ctx;
};

/* What the options say. */
struct diff_choice {
	struct diffreport_choice report;
	const struct document_backend *backend;
	struct option_common common;
	struct naming naming;
	struct loader_options loading;
	struct diffreport_maker maker;
	const char *output;       /* NULL = no difference profile */
	const char *output_typed; /* the option as it was typed, output_typed_len bytes */
	int output_typed_len;
	const char *limits;         /* NULL = none */
	const char *save, *against; /* names of baselines; NULL = none */
	const char *baselines;      /* their folder; NULL = the usual one */
	bool completes;             /* each of them has to be compared */
	bool renames;           /* functions without counterparts are the same if they are alike */
	bool normalises;        /* NEW is scaled ... */
	const char *normalised; /* ... by this event; NULL = the first one */
	bool flat;
	bool joins;
	bool apart; /* for KCachegrind */
	bool force;
};

/* As they are without options.  Not to be moved from then on; release it. */
void diff_choice_init(struct diff_choice *choice);
void diff_choice_release(struct diff_choice *choice);

/* Prints what changed from one profile to another, by the options that were read.  Returns an exit code. */
int diff_profiles(struct diff_choice *choice, const char *old_path, const char *new_path);

/* -- the two profiles: diffpair.c ---------------------------------------------------------- */

/* True if a name can be a baseline's: letters, digits, and "._-" but for the first; 100 at most. */
bool baseline_name_is_valid(const char *name);

/* The folder of baselines, to be freed: the one that was chosen, or (NULL) the usual one. */
char *baseline_folder(const char *chosen);

/*
 * The path of a baseline's file, to be freed; folder NULL = the usual one.  With `create`, the folder is
 * made if it does not exist.  NULL, with a message by the command's name, if that failed.
 */
char *baseline_path(const char *folder, const char *name, bool create, const char *command);

/*
 * Complains of each baseline in the folder that none of n profiles, by their paths, is named after, other than
 * `against` (NULL = none).  EXIT_LIMIT if there are any.
 */
int baselines_check_complete(const char *folder, const char *against, char *const *paths, size_t n,
			     const char *command);

/*
 * EXIT_FINE if the runs are alike but for minor matters (profile/analysis/difference.h), or
 * is_forced; else EXIT_FAILED.  Two machines that go by two names are what is compared, and no
 * reason to refuse, unless may_differ is false: a gate.  Nor are two ways in which the runs ended; if there is
 * no other reason, a gate then gets EXIT_LIMIT.  Prints what differs by the command's name, one short line each, or whole if
 * verbose; as warnings if they are compared, which quiet suppresses.
 */
int diffpair_check(const struct model *old_model, const struct model *new_model,
		   const char *command, bool is_forced, bool may_differ,
		   const struct option_common *common);

/*
 * Functions look gone and new, or moved, if their sources are in another folder in NEW.  Finds the folder of OLD, and
 * the one of NEW, that put the most of these functions in the same file: functions of one name, in files
 * whose paths end alike, by whole components; and proposes --source-map with both, as a warning by the
 * command's name.  A pair of folders counts only if most of these functions have it: sources that were moved
 * about do not make one.
 */
void moved_folder_warn(const struct difference *difference, const char *command);

/* -- limits: difflimits.c -------------------------------------------------------------------- */

/* {0} is no limits at all. */
struct difflimits {
	struct limits limits;
	struct limit_verdict *verdicts; /* one of each limit; the arena's */
	size_t n;
	size_t n_broken;             /* hard ones that fail, whatever the reason */
	struct region_pairs regions; /* if some limit is of these */
	const char **
		region_failures; /* by limit: why one of regions is gone or unmatched; the arena's */
	const char **
		runs_as; /* by limit: why it fits nothing, with the name that its function has in NEW; the arena's; NULL = not known */
	const char *no_result; /* why NEW says nothing, and so no limit is kept; NULL = it does */
};

/*
 * Why NEW is no result: "NEW collected nothing", "NEW collected 3 of 7,012,334 instructions, ..." in the
 * arena.  NULL: it is one.
 */
const char *difflimits_no_result(const struct model *old_model, const struct model *new_model,
				 struct arena *arena);

/* How a run ended if its program failed, "signal 11" or "exit 1"; else, or if it does not say, NULL. */
const char *difflimits_failed_end(const struct model *model, struct arena *arena);

/*
 * Reads the limits in a file and checks them; memory is the arena's.  If is_first, there is no run to
 * compare with, and only limits with absolute bounds (<=N, >=N) count.  Returns EXIT_FINE,
 * whatever the limits say, or EXIT_FAILED, with a message.
 */
int difflimits_check(struct difflimits *limits, const char *path,
		     const struct difference *difference, const struct metrics *metrics,
		     bool is_first, struct arena *arena);
void difflimits_release(struct difflimits *limits);

enum { DIFFLIMITS_FUNCTIONS = 10 }; /* that are listed for one limit, at most */

/*
 * Prints one line for each limit that fails, as a warning if it is soft, and warns of what limits do not
 * see: programs that were not profiled, and time that is a count of instructions.  By the common options,
 * quiet suppresses warnings, and verbose adds a line for each other function or region that breaks a
 * limit, the largest increase first, DIFFLIMITS_FUNCTIONS with the first one.
 */
void difflimits_print(const struct difflimits *limits, const char *path,
		      const struct difference *difference, const struct option_common *common);

/*
 * Puts what limits came to into a document: as prose, those that fail, a few at most; returns how many
 * lines these are.  Or as a table of all, for programs.
 */
size_t difflimits_summarize(struct document *document, const struct difflimits *limits,
			    const struct difference *difference);
void difflimits_list(struct document *document, const struct difflimits *limits,
		     const struct difference *difference);

/* -- the report: diffreport.c ------------------------------------------------------------------ */

/* What is listed. */
enum diffreport_kind {
	DIFFREPORT_FUNCTIONS, /* their self costs changed */
	DIFFREPORT_CALLERS,   /* only what they call changed; none of those that call main() */
	DIFFREPORT_RENAMED, /* at the same cost; all of them, by name; those in another file for programs only */
	DIFFREPORT_CALLS,   /* inclusive costs or counts changed; not by what calls main() */
	DIFFREPORT_LINES,   /* of the functions listed */
	DIFFREPORT_REGIONS, /* if they are chosen, instead of all others; for programs all of them */
	N_DIFFREPORT,
};

struct diffreport_item {
	uint32_t row;                          /* the function's; of calls, the caller's */
	const uint64_t *old_costs, *new_costs; /* by which it is ranked */
	const struct difference_arc *arc;      /* of calls, else NULL */
	const struct difference_line *line;    /* of lines, else NULL */
	const struct region_pair *region;      /* of regions, else NULL; row is 0 */
};

struct diffreport_list {
	struct diffreport_item *items; /* what changed enough to be listed; ranked; owned */
	size_t n, capacity;
	size_t n_all; /* that changed */
};

/* Fields are for reading; other memory is the arena's, but for what difference, metrics and choice own. */
struct diffreport {
	const struct difference *difference;
	const struct metrics *metrics;
	const struct diffreport_choice *choice;
	/* These are set by the caller. */
	const char *old_path, *new_path;
	const struct diffreport_maker *maker; /* NULL = the user */
	bool is_first; /* OLD is not there yet: NEW will be it, and is compared with itself */
	const char *normalised; /* the event by which NEW is scaled; NULL = it is as it is */
	const struct difflimits *limits; /* NULL = none */
	size_t *shown;                   /* metrics; the first is the one that ranks */
	size_t n_shown;
	struct mostly mostly; /* of NEW's events */
	bool has_mostly;      /* cycles and their parts were recorded */
	size_t *totals; /* metrics: those shown; unless they were chosen, the main one and all others */
	size_t n_totals;
	struct diffreport_list lists[N_DIFFREPORT]; /* calls and lines only if they are wanted */
	struct region_pairs regions;                /* if they are chosen */
	size_t n_below;       /* regions that changed by less than the threshold */
	size_t n_new, n_gone; /* regions, or functions whose self costs changed */
	size_t n_renamed;     /* functions with another name, changed or not */
	size_t n_moved;       /* functions in another file, changed or not */
};

/*
 * Chooses what the report shows; the report is zeroed except for what the caller sets.  Returns an exit code,
 * after a message if there is no such metric or a sum exceeds 64 bits.
 */
int diffreport_init(struct diffreport *report, const struct difference *difference,
		    const struct metrics *metrics, const struct diffreport_choice *choice,
		    struct arena *arena);
void diffreport_release(struct diffreport *report);

/*
 * "neither profile has an event 'X'", or why else X (len bytes) is no metric of the difference; in the arena.
 */
const char *diffreport_no_metric(const struct difference *difference, const char *name, size_t len,
				 struct arena *arena);

/* What of an item's cycles changed most, in their direction: "memory waiting"; NULL if other metrics lead, or none did. */
const char *diffreport_part(const struct diffreport *report, const struct diffreport_item *item);

/* What a metric counts, within a sentence: "cycles", "estimated cycles", "instructions", else its name. */
const char *diffreport_noun(const char *metric);

/* Writes the report in the format of a back end; errors of writing stay in the stream. */
void diffreport_print(const struct diffreport *report, const struct document_backend *backend,
		      FILE *out, struct arena *arena);

/* -- profiles that are written: diffprofile.c --------------------------------------------------- */

struct diffprofile {
	const struct model *old_model, *new_model;
	const char *old_path, *new_path;
	/*
	 * Functions of OLD are placed where they are in NEW (profile/filters/filters.h); NULL = where
	 * they were.
	 */
	const struct difference *difference;
	const char *const *events; /* n_events of them are written; NULL = all of both */
	size_t n_events;
	/*
	 * In Cachegrind's format, in the form of cg_diff: what each function of a
	 * file costs, without lines and calls.  Else in the Callgrind format, so that added to
	 * OLD it gives NEW.
	 */
	bool flat;
	/*
	 * As increases and decreases, where both have the same code; not with flat.  Needs the difference.
	 */
	bool apart;
	bool quiet; /* does not warn of counts that KCachegrind takes for 0 */
};

/*
 * Writes NEW - OLD to a file that appears when it is whole ("-" is standard
 * output), with a message by the command's name on failure.  Returns an exit code.
 */
int diffprofile_write(const struct diffprofile *profile, const char *command, const char *path);

/*
 * Writes a model as one part, functions by name, without pid, part and thread, so that the
 * same profile gives the same bytes.  Returns an exit code.
 */
int diffprofile_save(const struct model *model, const char *command, const char *path);

#endif
