/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interned strings: each text exists once, is numbered from 0, and is never moved or freed.  So names
 * of objects and files outlive the mapping that they came from.
 */
#ifndef TOOL_COMMON_TEXT_H
#define TOOL_COMMON_TEXT_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct text {
	struct text *next; /* for the hash table */
	UWord key;         /* hash of the characters */
	UInt id;           /* 0.., in order of first appearance */
	UInt rank;         /* set by text_table_rank(): position in strcmp order */
	UInt len;          /* bytes without the NUL */
	const HChar *chars;
};

struct text_table {
	VgHashTable *table;
	UInt n;            /* texts in it */
	struct text *last; /* the latest answer: the next instruction mostly asks for it again */
};

void text_table_init(struct text_table *table, const HChar *name);

/* The text of chars[0 .. len-1]; owned by the table. */
struct text *text_intern(struct text_table *table, const HChar *chars, SizeT len);

/* Ranks all texts in strcmp order, which does not depend on addresses. */
void text_table_rank(struct text_table *table);

/* A hash of bytes (FNV-1a) that can be chained: seed is 0 or an earlier result. */
UWord text_hash(UWord seed, const void *data, SizeT len);

#endif
