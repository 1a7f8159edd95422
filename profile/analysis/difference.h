/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What differs between two profiles, NEW - OLD: functions side by side, their
 * calls and their lines.
 *
 * Functions are the same if object, file and name are.  Of those that then have no
 * counterpart, two are the same if file and name are, and no other function
 * on either side has them: a program that was built under another name, or
 * in another folder, is not a new one.  Of those that still have none, two are the
 * same if files and the normal forms of their names are (symbolname.h), again if no others
 * have them: they are renamed.  Last, two are the same if their names are, in files of one name in two folders;
 * else in one object; else anywhere; each time if no other one that is left has that name there: they have moved to
 * another file.  Nothing is guessed from costs.  Names that are to be
 * equal from the first are made so while the profiles are read (struct builder_options.rename).
 *
 * Rows are numbered: the functions of OLD in its order, then the new ones in
 * NEW's order.
 */
#ifndef PROFILE_ANALYSIS_DIFFERENCE_H
#define PROFILE_ANALYSIS_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/inclusive.h"
#include "profile/analysis/metric.h"
#include "profile/common/desc.h"
#include "profile/model/model.h"
#include "profile/names/symbolname.h"

struct difference_row {
	uint32_t old_function; /* MODEL_NO_FUNCTION = the function is new */
	uint32_t new_function; /* MODEL_NO_FUNCTION = it is gone */
};

/* Calls of one function by another, from all places. */
struct difference_arc {
	uint32_t caller, callee; /* rows */
	uint64_t old_count, new_count;
	const uint64_t *old_costs, *new_costs; /* inclusive, by the difference's events */
};

/* A line of a function, all instructions of it added up. */
struct difference_line {
	struct name file; /* key: the same for the same file, of both profiles */
	uint64_t line;
	uint64_t *old_costs, *new_costs; /* by the difference's events */
};

/*
 * By what costs and calls of NEW are multiplied, so that parts of runs of another length can be compared:
 * to / from, which is not 0.  Each sum that is compared (of a function, a line, calls, the whole run) is made
 * first, and then rounded to the nearest integer, halves away from 0.
 */
struct difference_scale {
	uint64_t to, from;
};

/* Fields are for reading. */
struct difference {
	const struct model *old_model, *new_model; /* finished; outlive it */
	const struct difference_scale *scale;      /* NULL = none */
	/* Events that both have, by NEW's names in NEW's order. */
	const char *events[PROFILE_MAX_EVENTS];
	size_t n_events;
	size_t old_events[PROFILE_MAX_EVENTS], new_events[PROFILE_MAX_EVENTS];
	uint64_t old_totals[PROFILE_MAX_EVENTS], new_totals[PROFILE_MAX_EVENTS];
	struct inclusive old_costs, new_costs;
	struct difference_row *rows;
	size_t n_rows;
	uint32_t *row_of_old, *row_of_new;  /* by function */
	uint32_t *old_number[N_NAME_KINDS]; /* by NEW's number of a name; DICTIONARY_NONE = new */
	uint64_t *zeros;                    /* n_events of them */
	struct arena arena;                 /* of arcs' costs */
	struct difference_arc *arcs;        /* those that differ, by caller, then callee */
	size_t n_arcs, arcs_capacity;
	bool has_calls; /* either profile has */
	bool old_has_calls, new_has_calls;
};

/*
 * Finds the events that both have, and no more: for difference_metric(), before a scale is known.  There
 * is nothing to release; difference_init() may follow.
 */
void difference_match_events(struct difference *difference, const struct model *old_model,
			     const struct model *new_model);

/*
 * Compares two finished models.  renames are what normal forms are of, enum symbolname_flags;
 * 0 = no function is renamed, and none moves to another file.  Returns a status (release
 * it all the same); PROFILE_RANGE if a sum is beyond 64 bits.  If they have no event in
 * common, there are no rows.  Time is in
 * proportion to functions and calls, about a second for a million of each.
 */
int difference_init(struct difference *difference, const struct model *old_model,
		    const struct model *new_model, unsigned renames);

/* The same, of NEW scaled; scale is borrowed until the release, NULL = as it is. */
int difference_init_scaled(struct difference *difference, const struct model *old_model,
			   const struct model *new_model, unsigned renames,
			   const struct difference_scale *scale);
void difference_release(struct difference *difference);

/* Costs of a row in OLD or NEW, n_events numbers; zeros where it has no such function. */
const uint64_t *difference_self(const struct difference *difference, size_t row, bool is_new);
const uint64_t *difference_inclusive(const struct difference *difference, size_t row, bool is_new);

/* True if any self or inclusive cost differs. */
bool difference_self_changed(const struct difference *difference, size_t row);
bool difference_inclusive_changed(const struct difference *difference, size_t row);

/* True if a row's function has another name in NEW. */
bool difference_renamed(const struct difference *difference, size_t row);

/* True if a row's function is in another file in NEW; its name is the same. */
bool difference_moved(const struct difference *difference, size_t row);

/* The name of a row's function, file or object: NEW's, else OLD's. */
struct name difference_name(const struct difference *difference, size_t row, enum name_kind kind);

/* OLD's; the row is not new. */
struct name difference_old_name(const struct difference *difference, size_t row,
				enum name_kind kind);

/*
 * What the events can be measured by, with the definitions of both profiles; NEW's
 * count more; if one has events that the other lacks, only what is computed from events of both.  Memory is the arena's.
 */
void difference_metric(const struct difference *difference, struct metrics *metrics,
		       struct arena *arena);

/* NEW - OLD of a metric of the difference's events. */
int128 difference_change(const struct difference *difference, const struct metric *metric,
			 const uint64_t *old_costs, const uint64_t *new_costs);

/*
 * The lines of a row whose costs differ, by file (as text), then line: *n of
 * them, in memory of the arena.  Lines of a file that the function has moved from count as lines of the file that it
 * is in.  Returns a status.
 */
int difference_lines(const struct difference *difference, size_t row, struct arena *arena,
		     struct difference_line **lines, size_t *n);

/* -- comparability --------------------------------------------------------------- */

/*
 * True if two runs were measured in the same way, so that their counts can be
 * compared: the same events, defined in the same way, and the same "desc:" lines (caches, how
 * instructions are counted, the processor that was shown to the program), but for those that are
 * of one run only: Trigger, Timerange, Program (another build of it is what is compared), and
 * what merge and diff say about their inputs.
 *
 * Of two machines (--machine) that go by different names, the names and all that is said about their
 * caches are marked, and so are other branch predictors (--branch-model): whoever compares these asks for that
 * difference, but for a gate.
 *
 * So are the ways in which the runs ended, if they are not the same (desc.h).
 *
 * If it is not stated how instructions are counted, Valgrind's counting is assumed.  What else the
 * runs may depend on is minor, and ignored where only one states it: the C library,
 * other libraries (Build-id, by the last component of their paths), kernel, environment.
 */

/* The desc line of a difference, by which readers know one. */
#define DESC_FILES_COMPARED "Files compared"

struct mismatch {
	const char *what;     /* "events", "D1 cache" */
	const char *old_text; /* what OLD says; NULL = nothing */
	const char *new_text;
	bool is_minor; /* the runs can be compared all the same */
	/* Two machines were simulated, of two names, or one with pages of two sizes or other branch predictors. */
	bool is_of_machine;
	bool is_end; /* the runs ended in two ways: no reason not to compare them, but for a gate */
};

/*
 * The differences, *n of them, in memory of the arena: events first, then definitions, then
 * desc lines in the order of OLD, then NEW's other ones, then how the runs ended.  Of several lines of one
 * type in a file, the first counts, except for Build-id.
 */
void comparability_check(const struct model *old_model, const struct model *new_model,
			 struct arena *arena, struct mismatch **list, size_t *n);

/* What all parts of a model say about their run; texts are in the arena. */
void comparability_facts(const struct model *model, struct arena *arena, struct run_facts *facts);

/* True if a desc line of this type is of one run only, and not compared. */
bool comparability_ignores(const char *type);

#endif
