/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two lists have in common, in order: a longest common subsequence of their keys. */
#ifndef CMDS_REPORT_ALIGNMENT_H
#define CMDS_REPORT_ALIGNMENT_H

#include <stddef.h>
#include <stdint.h>

#define ALIGNMENT_NONE SIZE_MAX

/* A list of keys; those that are equal may be aligned. */
struct alignment_list {
	const uint32_t *keys;
	size_t n;
};

/*
 * Fills partners[i], for each i of a, with the place in b that it is aligned to, or ALIGNMENT_NONE.  Partners
 * rise with i, and their keys are equal.  *effort is how many pairs all calls together may compare; what this one needs
 * is subtracted.  Returns PROFILE_OK, or PROFILE_RANGE if it needs more: then nothing is filled.
 */
int alignment_make(const struct alignment_list *a, const struct alignment_list *b, size_t *effort,
		   size_t *partners);

#endif
