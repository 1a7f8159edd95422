/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that look random and follow from a seed: those of the generator
 * SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014).  Not for secrets.
 */
#ifndef TOOL_DETERMINISTIC_SPLITMIX_H
#define TOOL_DETERMINISTIC_SPLITMIX_H

#include <stddef.h>
#include <stdint.h>

struct splitmix {
	uint64_t state;
};

/*
 * The sequence of a seed; equal seeds give equal ones, and number tells apart several of one seed.
 */
void splitmix_init(struct splitmix *splitmix, uint64_t seed, uint64_t number);

uint64_t splitmix_next(struct splitmix *splitmix);

/* Fills bytes; a number is used for each eight of them, and for what is left over. */
void splitmix_fill(struct splitmix *splitmix, void *data, size_t len);

#endif
