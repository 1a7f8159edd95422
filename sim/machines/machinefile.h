/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine as a text: which caches, TLBs and prefetchers there are to simulate.
 *
 *	machine zen4  AMD Zen 4 (2022), cores of EPYC 9004 and Ryzen 7000
 *	line    64                                ; bytes of a line of any cache
 *	L1D     32K 8 plru assumed                ; CPUID leaf 0x8000001D of an EPYC 9654
 *	L3      32M 16 plru assumed victim        ; the same
 *	prefetch L2 stream streams=32 assumed     ; AMD says that there is one
 *
 * One thing a line: its keyword, then fields with blanks between.  The kinds of lines are those of
 * sim/machines/machinekinds.h.  What stands behind ';' or '#' is a comment: the
 * source of the line's numbers.  The word "assumed" says of the field before it that its value has no
 * source.  Sizes may end in K, M or G, 1024 to the power of 1, 2 or 3; other numbers are decimal.
 * The first line that is none of comment is "machine NAME DESCRIPTION".  Order is free after that.
 *
 * A text that is taken is a machine that can be simulated: machinefile_parse() refuses all that are
 * contradictory.  What is parsed points into the text, which the caller keeps.
 *
 * No memory is allocated or kept; there is no recursion.
 */
#ifndef SIM_MACHINES_MACHINEFILE_H
#define SIM_MACHINES_MACHINEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/machines/machinekinds.h"

enum {
	MACHINEFILE_MAX_SIZE = 1 << 16, /* bytes of a text */
	MACHINEFILE_MAX_LINE = 500,     /* bytes of a line, comment and all, without its end */
	MACHINEFILE_MAX_ITEMS = 64,     /* lines that are no comments */
	MACHINEFILE_NAME_SIZE = 32,     /* bytes of a machine's name and a NUL */
	MACHINEFILE_MESSAGE_SIZE = 400, /* bytes that hold any message and a NUL */
};

/* -- machines ------------------------------------------------------------------------------ */

/* Bytes of the text. */
struct machinefile_span {
	uint32_t offset, len;
};

/* A line that is no comment. */
struct machinefile_item {
	enum machinefile_kind kind;
	uint32_t line;    /* its number, from 1 */
	uint32_t given;   /* bit f: field f is there */
	uint32_t assumed; /* bit f: field f is assumed; a part of given */
	uint64_t values[MACHINEFILE_MAX_FIELDS];
	struct machinefile_span words[MACHINEFILE_MAX_FIELDS]; /* the fields as they are written */
	struct machinefile_span source; /* the comment, without blanks at its ends; empty: none */
};

struct machinefile {
	const char *text; /* borrowed */
	size_t len;
	char name[MACHINEFILE_NAME_SIZE];
	struct machinefile_span description; /* may be empty */
	size_t n_items;
	struct machinefile_item items[MACHINEFILE_MAX_ITEMS]; /* in the order of the text */
};

/* Where a text is none, and why. */
struct machinefile_error {
	uint32_t line, column;                   /* from 1; of bytes */
	struct machinefile_span found;           /* empty: the line's or the text's end */
	char expected[MACHINEFILE_MESSAGE_SIZE]; /* a phrase: "a number from 1 to 64" */
};

/*
 * Reads len bytes of text, NUL or not, which must live as long as *file is used.  Returns whether it
 * is a machine; if not, *error is written, and *file is worth nothing.
 *
 * A machine has caches: line, L1I, L1D, L2, and L3 and L4 if there are such; or a line of
 * MACHINE_CACHES and none of these.  The size of a cache is a multiple of ways times line size; those
 * of the first level have a power of two of sets, those of others any number.  No level is smaller
 * than the one above it, but for a victim.  L2 is no victim: what the first level evicts is not
 * observed.  Policies go with the number of ways (sim/policy.h).  A TLB's entries are a multiple of
 * its ways; a second level has both first levels above it.  A prefetcher is of a level that there is, and
 * that is no victim; a cost, too, is of a level that there is.
 */
bool machinefile_parse(struct machinefile *file, const char *text, size_t len,
		       struct machinefile_error *error);

/*
 * Writes "expected EXPECTED, found 'FOUND'", cut to fit and with a dot for each byte that is not
 * printable ASCII; size is at least 1.  The caller puts "FILE:LINE:COLUMN: " before it.
 */
void machinefile_explain(const struct machinefile_error *error, const char *text, char *message,
			 size_t size);

/* The first line of a kind; NULL if there is none. */
const struct machinefile_item *machinefile_find(const struct machinefile *file,
						enum machinefile_kind kind);

/* Whether any field of any line is assumed. */
bool machinefile_assumes(const struct machinefile *file);

#endif
