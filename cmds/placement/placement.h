/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hot loops of a profile that touch more fetch windows than they would if they were placed better
 * (loops.h), and what to do.
 *
 * Hot is what has HOT_LEAST percent of the run's cycles: of Cyc, where the machine's were counted, else of the
 * estimate, else of instructions; of calls from the loop only what is in the loop itself.  Jumps are those of
 * the machine code whose target is in the instruction.  How often they were taken says the profile: its
 * jumps (--collect-jumps=yes), or Bct, or at least what was executed less often behind the jump than the jump.  Where
 * an object cannot be read, recorded jumps alone say where loops are.
 */
#ifndef CMDS_PLACEMENT_PLACEMENT_H
#define CMDS_PLACEMENT_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/object/codeobject.h"
#include "cmds/placement/hotcode.h"
#include "cmds/placement/loops.h"
#include "cmds/placement/remedy.h"
#include "profile/analysis/metric.h"
#include "profile/common/arena.h"
#include "profile/model/model.h"

struct placement_options {
	const char *estimate; /* the formula of EstCyc (metric.h); NULL = the usual one */
	struct objectfile_options objects;
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

/* Texts are the placement's. */
struct placement_row {
	struct loop loop;
	int128 cost;
	uint64_t touched[N_WINDOWS], needed[N_WINDOWS];
	uint32_t number, file_number;  /* of the profile: the function that is named, the file */
	const char *function, *object; /* "???" = not known */
	const char *file;              /* NULL = not known */
	uint64_t line;                 /* of the jump back; 0 = not known */
	struct remedy remedy;
};

/* Fields are for reading.  Not to be moved. */
struct placement {
	const struct model *model;
	const struct placement_options *options;
	const struct metric *metric; /* what is hot by */
	struct hot_code code;
	struct placement_row *rows; /* the arena's; those that cost most first */
	size_t n;
	size_t n_hot; /* loops that are hot, wherever they are */
	struct metrics metrics;
	struct code_objects objects;
	struct arena arena;
};

/* Whether a model has what is asked for; if not, what was expected, and by which option it is recorded. */
const char *placement_missing(const struct model *model);

/*
 * Makes it, of a finished model of which nothing is missing, with lines and jumps; options outlive it.  Returns
 * a status.  To be released in any case.
 */
int placement_make(struct placement *placement, const struct model *model,
		   const struct placement_options *options);
void placement_release(struct placement *placement);

#endif
