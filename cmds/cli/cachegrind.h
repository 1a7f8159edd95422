/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A visitor that writes what is reported to it in Cachegrind's own format, in the form of
 * cg_merge: for cg_annotate, cg_diff and cg_merge, which read no other.
 *
 * The format has files, functions and lines.  So what is reported of several
 * objects or instructions is added up, the lines of inlined code are of a
 * function of their file, as in Cachegrind, and calls and jumps are left out.
 * "summary:" is what the lines add up to, since these readers refuse all else.
 */
#ifndef CMDS_CLI_CACHEGRIND_H
#define CMDS_CLI_CACHEGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/model/build.h"

/* Fields are private, but visitor and n_dropped.  Not to be moved. */
struct cachegrind {
	struct visitor_filter filter;
	uint64_t n_dropped; /* calls and jumps that were left out */
	const struct env *env;
	struct model model;
	struct builder builder;
	struct part part;
};

/*
 * Writes with env->write, when all has been reported; memory is env's too.  names is
 * the dictionaries that the reported keys are of.
 */
void cachegrind_init(struct cachegrind *cachegrind, const struct env *env,
		     const struct dictionary *names);
void cachegrind_release(struct cachegrind *cachegrind);

/* Writes it; an empty profile is an empty file.  Returns 0, an error of writer/out.h, or OUT_MISUSE if a sum is beyond 64 bits. */
int cachegrind_finish(struct cachegrind *cachegrind);

#endif
