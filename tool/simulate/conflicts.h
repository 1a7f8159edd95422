/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who pushes whom out of a set of D1 (--miss-classes): of each conflict miss, the reference that missed in its set last, which
 * brought a line in there.  If that brought the same line, it was an inclusive level that took it: there is no such reference.  Pairs
 * of instructions are counted, with how far apart their lines were.
 */
#ifndef TOOL_TRANSLATE_CONFLICTS_H
#define TOOL_TRANSLATE_CONFLICTS_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/basics.h"
#include "sim/cache.h"
#include "sim/geometry.h"

struct site;

/* What missed in a set last. */
struct evictor {
	const struct site *site; /* NULL: nothing has */
	Addr line;               /* its address */
};

struct conflict {
	struct conflict *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct site *site, *evictor;
	ULong n;
	ULong apart;  /* bytes between their lines, mostly, if there is a distance that is so */
	ULong n_same; /* as far apart, since this is taken for it */
	ULong votes;  /* for it, less those against it */
};

struct conflicts {
	struct sets sets;
	UInt line_bits;
	struct evictor *evictors; /* by set */
	VgHashTable *pairs;
	struct conflict *last; /* that was counted, or NULL */
	ULong n;               /* conflict misses */
};

/* Of D1. */
void conflicts_init(struct conflicts *conflicts, const struct cache_config *d1);

/* A reference to data has missed D1; is_counted: by a conflict, and costs are collected. */
void conflicts_note(struct conflicts *conflicts, const struct site *site,
		    struct address_range range, Bool is_counted);

/* Nothing has happened yet, as to counts. */
void conflicts_zero(struct conflicts *conflicts);

/* Is given "229376 of 229386 in D1, 4096 bytes apart: f.c:9 main <-> f.c:9 main"; gone when it returns. */
typedef void conflicts_taker(void *ctx, const HChar *text);

/*
 * The pairs that most conflicts are of, each 32 and a hundredth of them or more, CONFLICTS_TOLD at most,
 * most first.  Pairs of instructions whose texts would differ in nothing but their counts are one.
 */
void conflicts_tell(const struct conflicts *conflicts, conflicts_taker *take, void *ctx);

enum { CONFLICTS_TOLD = 16 };

#endif
