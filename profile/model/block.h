/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the builder: lines, calls and jumps of one function, as they were
 * reported, until they are sorted, summed up and packed into a segment.  It is small
 * enough to stay in the processor's cache, and used again for the next function.
 */
#ifndef PROFILE_MODEL_BLOCK_H
#define PROFILE_MODEL_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/model/model.h"

/* By what lines are sorted, before all else. */
struct block_key {
	struct position at;
	uint32_t file;
};

struct block_line {
	struct block_key key;
	uint32_t n_costs; /* without zeros at the end */
	uint32_t start;   /* of its packed costs, in line_costs */
	uint32_t len;     /* bytes there */
};

struct block_call {
	struct block_key key;
	uint32_t callee;
	uint64_t count;
	struct position target;
	uint32_t n_costs;
	size_t costs;
};

struct block_jump {
	struct block_key key;
	bool is_conditional;
	bool has_function;
	uint32_t target_file, target_function;
	struct position target;
	uint64_t followed, executed;
};

enum {
	BLOCK_MAX = 16 * 1024, /* lines, calls or jumps before it is full */
};

struct block {
	const struct env *env;
	struct block_line *lines;
	struct block_call *calls;
	struct block_jump *jumps;
	uint64_t *costs;
	size_t n_lines, n_calls, n_jumps, n_costs;
	size_t lines_capacity, calls_capacity, jumps_capacity, costs_capacity;
	unsigned char *line_costs; /* packed */
	size_t line_costs_used, line_costs_capacity;
	uint64_t sums[PROFILE_MAX_EVENTS]; /* of the self costs */
	size_t n_sums;                     /* those behind are 0 */
	bool has_self;                     /* costs without lines, see block_add_self() */
	struct block_line *sorting;        /* room for the lines while they are sorted */
	size_t sorting_capacity;
	unsigned char *bytes; /* being packed */
	size_t bytes_capacity;
	bool lines_sorted, calls_sorted, jumps_sorted; /* each key more than the last */
	uint32_t own_file, own_name;                   /* of the function */
	bool is_signed;
	uint64_t all_costs; /* or-ed: has a bit if some cost or sum has it */
};

void block_init(struct block *block, const struct env *env);
void block_release(struct block *block);

/* Empties it for a function with this file and name. */
void block_begin(struct block *block, uint32_t own_file, uint32_t own_name, bool is_signed);

static inline bool block_is_empty(const struct block *block)
{
	return block->n_lines == 0 && block->n_calls == 0 && block->n_jumps == 0 &&
	       !block->has_self;
}

/* Whether it should be packed, though more is to come. */
static inline bool block_is_full(const struct block *block)
{
	return block->n_lines > BLOCK_MAX || block->n_calls > BLOCK_MAX ||
	       block->n_jumps > BLOCK_MAX || block->line_costs_used > (size_t)64 * BLOCK_MAX ||
	       block->n_costs > (size_t)8 * BLOCK_MAX;
}

/* <0, 0, >0: the order of lines.  The function's own file is before all others. */
int block_compare_keys(const struct block *block, const struct block_key *a,
		       const struct block_key *b);

/* Each returns a status; costs are copied, zeros at their end left out. */
int block_add_line(struct block *block, const struct block_key *key, const uint64_t *costs,
		   size_t n_costs);
int block_add_call(struct block *block, const struct block_call *call, const uint64_t *costs);
int block_add_jump(struct block *block, const struct block_jump *jump);

/* Sorts, and makes one of those that have one key.  PROFILE_RANGE if a sum is beyond 64 bits. */
int block_merge(struct block *block);

/* Self costs at no position at all: one line in the end.  Not with block_add_line(). */
int block_add_self(struct block *block, const uint64_t *costs, size_t n_costs);

/* Adds all self costs to n sums; false if one is beyond 64 bits. */
bool block_sum(const struct block *block, uint64_t *sums, size_t n);

/* Packs it, merged, into a new segment for a part; NULL if memory ran out. */
struct model_segment *block_pack(struct block *block, struct arena *arena, uint32_t part);

#endif
