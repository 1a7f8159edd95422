/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of a job, as lists have them: "0,17,100-110" (writer/rank.h). */
#ifndef PROFILE_COMMON_RANK_SET_H
#define PROFILE_COMMON_RANK_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/bytes.h"
#include "writer/rank.h"

struct rank_range {
	uint32_t first, last;
};

/* Invariant: ranges are in ascending order, with a rank between two of them that is in neither. */
struct rank_set {
	const struct env *env;
	struct rank_range *ranges; /* owned */
	size_t n, capacity;
};

/* What a list is, for messages. */
#define RANK_LIST_FORM "ranks such as 0,17,100-110"

/* Takes no memory yet; env outlives it. */
void rank_set_init(struct rank_set *set, const struct env *env);
void rank_set_release(struct rank_set *set);

/* Whether a text is a list: numbers up to RANK_MAX, ranges whose end is not before their beginning. */
bool rank_set_is_list(const char *text);

/* Adds the ranks of a list, of a range, or of another set.  False if memory ran out. */
bool rank_set_add_list(struct rank_set *set, const char *list);
bool rank_set_add(struct rank_set *set, uint32_t first, uint32_t last);
bool rank_set_add_set(struct rank_set *set, const struct rank_set *other);

bool rank_set_has(const struct rank_set *set, uint32_t rank);

/* How many ranks are in it. */
uint64_t rank_set_count(const struct rank_set *set);

/* Adds to set the ranks of one that another has not, or that it has too.  False if memory ran out. */
bool rank_set_add_difference(struct rank_set *set, const struct rank_set *one,
			     const struct rank_set *other);
bool rank_set_add_common(struct rank_set *set, const struct rank_set *one,
			 const struct rank_set *other);

/* Adds the list of the ranks to a text: the shortest one, in ascending order. */
void rank_set_print(const struct rank_set *set, struct bytes *text);

#endif
