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
	struct site *next; /* the hash table's */
	UWord key;
	Addr address; /* in the running program */
	UInt size;    /* bytes, at least 1 */
	struct place place;
	ULong counts[N_EVENTS]; /* self cost; events not recorded stay 0 */
};

struct sites {
	VgHashTable *table;
};

void sites_init(struct sites *sites);

/* The site of the instruction of size bytes at address, with zero costs if it is new. */
struct site *sites_find(struct sites *sites, Addr address, UInt size, const struct place *place);

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
