/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for the compiler, memory in lines of the host's cache, and ranges of addresses: what all of sim/ uses. */
#ifndef SIM_BASICS_H
#define SIM_BASICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For functions of the path of a miss, which the compiler would not inline by itself. */
#define ALWAYS_INLINED inline __attribute__((always_inline))

/* For what few machines do, so that it costs the others no registers. */
#define NEVER_INLINED __attribute__((noinline))

/* A size in bytes, rounded up to whole lines of the host's cache, so that what lies end to end in memory is aligned. */
static inline size_t aligned_size(size_t size)
{
	const size_t alignment = 64;

	return (size + alignment - 1) / alignment * alignment;
}

/* A file of data/ that is built in: scripts/embed-texts writes tables of them. */
struct embedded_text {
	const char *name; /* the file's */
	const char *text; /* of len bytes, without a NUL */
	size_t len;
};

/* The one of n with this name; NULL if there is none. */
static inline const struct embedded_text *embedded_text_find(const struct embedded_text *texts,
							     size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		const char *a = name, *b = texts[i].name;

		while (*a != '\0' && *a == *b) {
			a++;
			b++;
		}
		if (*a == *b)
			return &texts[i];
	}
	return NULL;
}

/* The address of no line. */
#define NO_LINE UINT64_C(1)

/* A stretch of the address space, with both ends. */
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

/* True if any byte of a line, by its address, is in it. */
static inline bool address_range_meets(struct address_range range, uint64_t line,
				       unsigned line_bits)
{
	uint64_t last = line + ((UINT64_C(1) << line_bits) - 1);

	return line <= range.last && last >= range.first;
}

#endif
