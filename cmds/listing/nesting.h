/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self costs by source file and in it by function, or by function and in it by
 * source file.  Functions of one name are one here: what a function of a header costs
 * in all the programs' files that include it.
 */
#ifndef CMDS_LISTING_NESTING_H
#define CMDS_LISTING_NESTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/basis.h"

struct nesting_inner {
	uint32_t name; /* number of a function's or file's name */
	const uint64_t *costs;
};

struct nesting_outer {
	uint32_t name;
	const uint64_t *costs;       /* of all in it */
	const uint64_t *cumulative;  /* of this and those before it */
	struct nesting_inner *inner; /* those that reach the threshold, most first */
	size_t n_inner;
	size_t n_hidden; /* those that do not */
};

/* Arrays are the arena's. */
struct nesting {
	bool by_function;            /* outer are functions */
	struct nesting_outer *outer; /* those that reach the threshold, most first */
	size_t n;
};

/* Makes it; returns a status. */
int nesting_make(struct nesting *nesting, const struct basis *basis, bool by_function);

#endif
