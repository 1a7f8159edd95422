/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pointer chase: each line of a piece of memory has the address of the next one, all of them in
 * one cycle, in random order.
 *
 *	chase BYTES[K|M] WARM_UP PASSES
 *
 * The lines are taken out of all caches; then chase() goes round WARM_UP times, and PASSES times with
 * reads that are of the line CHASE_LINE below: BYTES / 64 of them a pass, and between them there are no others. The
 * memory is aligned to 2 MiB, so that its lines are spread evenly over the sets of any cache.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool/costgrind.h"

enum {
	LINE_SIZE = 64,
	ALIGNMENT = 2 << 20,
};

struct line {
	struct line *next;
	char filler[LINE_SIZE - sizeof(struct line *)];
};

/* Each line of it with reads of its own: whoever profiles it can tell them apart. */
__attribute__((noinline)) static struct line *chase(struct line *line, uint64_t warm_up,
						    uint64_t reads)
{
	while (warm_up-- != 0)
		line = line->next;
	while (reads-- != 0)
		line = line->next; /* CHASE_LINE */
	return line;
}

static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

/* By Sattolo's algorithm, which makes a permutation of one cycle. */
static void link_lines(struct line *lines, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		lines[i].next = &lines[i];
	for (uint64_t i = count - 1; i != 0; i--) {
		struct line *other = &lines[random_below(i)], *kept = other->next;

		other->next = lines[i].next;
		lines[i].next = kept;
	}
}

static uint64_t bytes_of(const char *text)
{
	char *unit;
	uint64_t bytes = strtoull(text, &unit, 10);

	return *unit == 'K' ? bytes << 10 : *unit == 'M' ? bytes << 20 : bytes;
}

int main(int argc, char **argv)
{
	uint64_t count;
	struct line *lines, *line;

	if (argc != 4)
		return 2;
	count = bytes_of(argv[1]) / LINE_SIZE;
	lines = count == 0 ? NULL
			   : aligned_alloc(ALIGNMENT, (count * LINE_SIZE + ALIGNMENT - 1) /
							      ALIGNMENT * ALIGNMENT);
	if (lines == NULL)
		return 1;
	link_lines(lines, count);
	COSTGRIND_EVICT(lines, count * LINE_SIZE);
	line = chase(lines, count * strtoull(argv[2], NULL, 10),
		     count * strtoull(argv[3], NULL, 10));
	/* After whole passes it is where it began. */
	return line != lines;
}
