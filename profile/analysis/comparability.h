/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether two runs were measured in the same way, so that their counts can be
 * compared: the same events, defined in the same way, and the same "desc:" lines (caches, how
 * instructions are counted, the processor that was shown to the program), but for those that are
 * of one run only: Trigger, Timerange, Program (another build of it is what is compared), and
 * what merge and diff say of their inputs.
 *
 * Of two machines (--machine) that go by different names, the names and all that is said of their
 * caches are marked, and so are other branch predictors (--branch-model): whoever compares these asks for that
 * difference, but for a gate.
 *
 * So are the ways in which the runs ended, if they are not the same (run_facts.h).
 *
 * If it is not stated how instructions are counted, Valgrind's counting is assumed.  What else the
 * runs may depend on is minor, and ignored where only one states it: the C library,
 * other libraries (Build-id, by the last component of their paths), kernel, environment.
 */
#ifndef PROFILE_ANALYSIS_COMPARABILITY_H
#define PROFILE_ANALYSIS_COMPARABILITY_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/run_facts.h"
#include "profile/model/model.h"

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
bool comparability_check(const struct model *old_model, const struct model *new_model,
			 struct arena *arena, struct mismatch **list, size_t *n);

/* What all parts of a model say of their run; texts are in the arena. */
bool comparability_facts(const struct model *model, struct arena *arena, struct run_facts *facts);

/* Whether a desc line of this type is of one run only, and not compared. */
bool comparability_ignores(const char *type);

#endif
