/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How evenly the ranks of a job share the work: of each function, what it cost a rank on average and
 * at most, by one metric.  A rank without the function had 0.
 */
#ifndef CMDS_ANNOTATE_RANKBALANCE_H
#define CMDS_ANNOTATE_RANKBALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmds/emit/document.h"
#include "cmds/listing/column.h"
#include "profile/common/rank_set.h"
#include "profile/model/model.h"

struct rankbalance_row {
	uint32_t function; /* MODEL_NO_FUNCTION: the whole program */
	int128 mean;       /* rounded to the nearest number, halves up */
	int128 max;
	double balance; /* max / mean; not a number if the sum is not above 0 */
	uint32_t rank;  /* the first one that has max */
	bool is_even;   /* all have */
};

/* Memory is the arena's that was given, but the sets'. */
struct rankbalance {
	const struct model *model;
	struct columns columns; /* the metric is that of the first sort key */
	struct rank_set ranks;
	uint32_t *rank_of_part; /* index of the rank, in ascending order */
	struct rankbalance_row total;
	struct rankbalance_row *rows; /* those that matter, by max - mean */
	size_t n, n_left;             /* rows; functions that are left out */
};

/*
 * Computes it for a finished model that keeps parts apart (separate_parts).  Returns NULL, or what is wrong, a message
 * in the arena or static: memory ran out, the choice of columns does not fit (*is_usage is then true), or parts
 * are not of one rank each.  most is how many functions are listed, 0 = all whose cost in some rank reaches the threshold
 * of the largest rank's total.  To be released in any case.
 */
const char *rankbalance_make(struct rankbalance *balance, const struct model *model,
			     const struct column_choice *choice, size_t most, struct arena *arena,
			     bool *is_usage);
void rankbalance_release(struct rankbalance *balance);

/* Prints it; false if memory ran out. */
bool rankbalance_print(const struct rankbalance *balance, const struct document_backend *backend,
		       FILE *out, bool color);

#endif
