/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sites: the instructions of the program with what they have cost.  A site is
 * never freed, so costs survive when code is discarded, translated again or
 * unmapped, and a translation may point to its sites for as long as it likes.
 */
#ifndef TOOL_SITE_H
#define TOOL_SITE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/event.h"
#include "tool/symbol.h"

/*
 * One instruction at one address of the running program.  Another one that
 * comes to stand there later (dlclose and dlopen, generated code) is another
 * site if it differs in length or place.
 */
struct site {
	struct site *next; /* the hash table's, as is address, its key */
	UWord address;     /* in the running program */
	struct place place;
	ULong *counts;    /* self cost: those in the set, in the order of events */
	UShort count_set; /* bit e: event e has a count; the others are 0 */
	UChar size;       /* bytes, at least 1 */
};

struct sites {
	VgHashTable *table;
	ULong *free_counts[N_EVENTS + 1]; /* outgrown, by how many: each points to the next */
};

void sites_init(struct sites *sites);

/* The site of the instruction of size bytes at address, with zero costs if it is new. */
struct site *sites_find(struct sites *sites, Addr address, UInt size, const struct place *place);

/* Gives a site a count for each event: counts[event] is then good for all. */
void site_add_all_counts(struct sites *sites, struct site *site);

/* Adds to the count of an event. */
void site_add(struct sites *sites, struct site *site, enum event event, ULong amount);

/* Adds the costs of a site to sums. */
void site_sum(const struct site *site, ULong sums[N_EVENTS]);

/* Adds up the costs of all sites. */
void sites_total(struct sites *sites, ULong totals[N_EVENTS]);

/* Sets all costs to zero. */
void sites_zero(struct sites *sites);

/*
 * All sites with any cost, in the order in which a profile has them: by
 * function, then by address and line (by_address) or by file and line, the
 * function's own file first.  Call symbols_rank() before.  The array is the
 * caller's, to be freed by VG_(free); NULL if *n is 0.
 */
struct site **sites_sorted(struct sites *sites, Bool by_address, UInt *n);

#endif
