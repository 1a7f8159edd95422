/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stretch of the address space: what is taken out of caches. */
#ifndef SIM_RANGE_H
#define SIM_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Both ends are in it. */
struct address_range {
	uint64_t first, last;
};

/* size bytes (1 or more) from address on, at most up to the top of the address space. */
static inline struct address_range address_range(uint64_t address, uint64_t size)
{
	uint64_t room = UINT64_MAX - address;

	return (struct address_range){ address, address + (size - 1 < room ? size - 1 : room) };
}

static inline struct address_range address_range_all(void)
{
	return (struct address_range){ 0, UINT64_MAX };
}

/* Whether any byte of a line is in it; line is its address. */
static inline bool address_range_meets(struct address_range range, uint64_t line,
				       unsigned line_bits)
{
	uint64_t end = line + ((UINT64_C(1) << line_bits) - 1);

	return line <= range.last && end >= range.first;
}

#endif
