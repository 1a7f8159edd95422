/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which name an id of name compression stands for.  Ids are any 64-bit
 * numbers; memory grows with how many there are, not with how large they are.
 */
#ifndef PROFILE_FORMAT_IDTABLE_H
#define PROFILE_FORMAT_IDTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer/env.h"

#define IDTABLE_NONE UINT32_MAX

struct idtable_slot {
	uint64_t id;
	uint32_t key; /* IDTABLE_NONE = free */
};

/* Ids that are not much larger than their number are looked up in an array, others by hashing. */
struct idtable {
	const struct env *env;
	uint32_t *dense; /* owned, by id; IDTABLE_NONE = not there */
	size_t n_dense;
	struct idtable_slot *slots; /* owned */
	size_t n_slots;             /* a power of two, or 0 */
	size_t n_hashed;            /* slots in use, at most half of them */
	size_t count;               /* calls of idtable_put() */
};

void idtable_init(struct idtable *table, const struct env *env);
void idtable_release(struct idtable *table);

/* Has id stand for key (not IDTABLE_NONE) from now on; false if memory ran out. */
bool idtable_put(struct idtable *table, uint64_t id, uint32_t key);

/* What id stands for, or IDTABLE_NONE. */
uint32_t idtable_get(const struct idtable *table, uint64_t id);

#endif
