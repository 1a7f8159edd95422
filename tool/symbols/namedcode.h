/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that a program has given to code that it made itself (COSTGRIND_NAME_CODE).
 * Of ranges that overlap, the last one counts: a compiler uses memory again.
 */
#ifndef TOOL_SYMBOLS_NAMEDCODE_H
#define TOOL_SYMBOLS_NAMEDCODE_H

#include "pub_tool_basics.h"
#include "pub_tool_oset.h"

#include "sim/range.h"

/* Invariant: no two ranges share a byte. */
struct named_codes {
	OSet *ranges; /* struct named_code by address; NULL: there are none */
};

struct named_code {
	struct address_range range;
	Addr entry;        /* where it began, before another one took its beginning */
	const HChar *name; /* not empty, and never freed: functions go by it */
};

/* The range has that name from now on, which is borrowed for good, or none if it is empty. */
void named_code_set(struct named_codes *codes, struct address_range range, const HChar *name);

/* The range that an address is in, or NULL; until the next is set. */
const struct named_code *named_code_find(const struct named_codes *codes, Addr address);

#endif
