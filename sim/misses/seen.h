/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines that were ever asked for: who asks for another one misses cold, whatever cache it is
 * (Hill, "Aspects of Cache Memory and Instruction Buffer Performance", 1987).  A bit a line, by
 * stretches of SEEN_STRETCH lines: 16 bytes for 4 KiB that a program uses, doubled by room to grow.
 */
#ifndef SIM_MISSES_SEEN_H
#define SIM_MISSES_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/misses/memory.h"
#include "sim/range.h"

enum { SEEN_STRETCH = 64 };

/* Invariant: key is the number of the stretch, plus 1; 0 if there is none here. */
struct seen_stretch {
	uint64_t key;
	uint64_t lines; /* bit i: the stretch's line i */
};

/* A table with open addressing; at most half of it is in use. */
struct seen {
	struct seen_stretch *stretches;
	uint64_t mask; /* of indices */
	uint64_t n;    /* in use */
	uint32_t line_bits;
	struct misses_memory memory;
};

/* None has been seen yet.  Lines have 2 to the line_bits bytes. */
void seen_init(struct seen *seen, uint32_t line_bits, const struct misses_memory *memory);

/* Gives its memory back. */
void seen_release(struct seen *seen);

/* The line that holds address is asked for; returns whether it was before. */
bool seen_add(struct seen *seen, uint64_t address);

/* Lines that have a byte in the range are as if they had never been asked for. */
void seen_forget(struct seen *seen, struct address_range range);

#endif
