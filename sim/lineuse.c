/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels may have lines of different sizes, so parts are passed on as bytes:
 *
 *	D1, 32 bytes a line	|..##|		parts of  1 byte
 *	LL, 64 bytes a line	|.#......|	parts of  2 bytes
 */
#include "sim/lineuse.h"

enum {
	USES_COST = 1000,
};

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Marks the parts that hold size bytes, all of them in the line, from offset on. */
static void mark(const struct lines *lines, struct line *line, uint64_t offset, uint64_t size)
{
	line->used |= lineuse_parts(lines, offset, size);
}

void lineuse_mark(const struct lines *lines, struct line *line, uint64_t address, uint64_t size)
{
	uint64_t line_size = lines_size(lines);
	uint64_t offset = address - line_address(line);

	line->n_uses++;
	if (offset < line_size) { /* begins in the line */
		mark(lines, line, offset, min(size, line_size - offset));
		return;
	}
	/* Begins -offset bytes before it. */
	mark(lines, line, 0, min(size + offset, line_size));
}

void lineuse_pass(const struct lines *first, const struct line *from, const struct lines *last,
		  struct line *to)
{
	uint64_t part = UINT64_C(1) << lineuse_part_bits(first);
	/* Distances from the line of the last level; one of the two is 0 or less. */
	int64_t begin = (int64_t)(line_address(from) - line_address(to));
	int64_t to_size = (int64_t)lines_size(last);
	bool passed = false;

	for (unsigned i = 0; i < LINEUSE_PARTS; i++) {
		int64_t low = begin + (int64_t)(i * part);
		int64_t high = low + (int64_t)part;

		if ((from->used >> i & 1) == 0 || high <= 0 || low >= to_size)
			continue;
		if (low < 0)
			low = 0;
		if (high > to_size)
			high = to_size;
		mark(last, to, (uint64_t)low, (uint64_t)(high - low));
		passed = true;
	}
	if (passed)
		to->n_uses += from->n_uses;
}

struct line *lineuse_next_shared(const struct lines *first, const struct line *line,
				 const struct lines *last, uint64_t *covered)
{
	uint64_t size = lines_size(first);
	uint64_t step = min(size, lines_size(last));
	struct line *shared = NULL;

	for (; shared == NULL && *covered < size; *covered += step)
		shared = lines_find(last, line_address(line) + *covered);
	return shared;
}

void lineuse_pass_on(const struct lines *first, const struct line *from, const struct lines *last)
{
	uint64_t covered = 0;
	struct line *to;

	while ((to = lineuse_next_shared(first, from, last, &covered)) != NULL)
		lineuse_pass(first, from, last, to);
}

/*
 * How many parts were used: by adding up bits side by side, as the compiler's own function for
 * this is in a library that the tool has and others need not.
 */
static uint64_t n_used(const struct line *line)
{
	uint32_t sums = line->used - (line->used >> 1 & 0x55555555);

	sums = (sums & 0x33333333) + (sums >> 2 & 0x33333333);
	sums = (sums + (sums >> 4)) & 0x0f0f0f0f;
	return sums * UINT32_C(0x01010101) >> 24;
}

void lineuse_charge(const struct lines *lines, const struct line *line, unsigned level,
		    const struct line_sink *sink)
{
	struct line_cost cost;

	if (line->n_uses == 0)
		return;
	cost = (struct line_cost){
		.loader = line->loader,
		.level = level,
		/* A division of 64 bits takes long, and what is larger than the dividend gives 0. */
		.access_cost = line->n_uses > USES_COST ? 0 : USES_COST / (uint32_t)line->n_uses,
		.space_loss = lines_size(lines) - (n_used(line) << lineuse_part_bits(lines)),
	};
	sink->take(sink->ctx, &cost);
}
