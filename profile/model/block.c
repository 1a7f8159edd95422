/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Most functions come sorted, or nearly so: runs of 16 are sorted by insertion,
 * then merged two by two.  Calls and jumps are few.
 */
#define _GNU_SOURCE /* qsort_r */
#include "profile/model/block.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/model/pack.h"

enum {
	RUN = 16,
	SMALL_BITS = 61,
};

void block_init(struct block *block, const struct env *env)
{
	*block = (struct block){ .env = env };
}

void block_release(struct block *block)
{
	const struct env *env = block->env;

	env->release(env->ctx, block->lines);
	env->release(env->ctx, block->calls);
	env->release(env->ctx, block->jumps);
	env->release(env->ctx, block->costs);
	env->release(env->ctx, block->sorting);
	env->release(env->ctx, block->line_costs);
	env->release(env->ctx, block->bytes);
	block_init(block, env);
}

void block_begin(struct block *block, uint32_t own_file, uint32_t own_name, bool is_signed)
{
	block->n_lines = block->n_calls = block->n_jumps = block->n_costs = 0;
	block->lines_sorted = block->calls_sorted = block->jumps_sorted = true;
	block->own_file = own_file;
	block->own_name = own_name;
	block->is_signed = is_signed;
	block->all_costs = 0;
	block->line_costs_used = 0;
	block->has_self = false;
	memset(block->sums, 0, block->n_sums * sizeof(*block->sums));
	block->n_sums = 0;
}

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The function's own file is before all others. */
static uint64_t file_rank(const struct block *block, uint32_t file)
{
	return file == block->own_file ? 0 : (uint64_t)file + 1;
}

static inline int compare_keys(const struct block *block, const struct block_key *a,
			       const struct block_key *b)
{
	if (a->at.instr != b->at.instr)
		return a->at.instr < b->at.instr ? -1 : 1;
	if (a->file != b->file)
		return file_rank(block, a->file) < file_rank(block, b->file) ? -1 : 1;
	return by_number(a->at.line, b->at.line);
}

int block_compare_keys(const struct block *block, const struct block_key *a,
		       const struct block_key *b)
{
	return compare_keys(block, a, b);
}

static int compare_calls(const void *left, const void *right, void *ctx)
{
	const struct block_call *a = left, *b = right;
	int order = compare_keys(ctx, &a->key, &b->key);

	return order ? order : by_number(a->callee, b->callee);
}

static int compare_jumps(const void *left, const void *right, void *ctx)
{
	const struct block_jump *a = left, *b = right;
	int order = compare_keys(ctx, &a->key, &b->key);

	if (!order)
		order = by_number(a->target.instr, b->target.instr);
	if (!order)
		order = by_number(a->target_file, b->target_file);
	if (!order)
		order = by_number(a->target.line, b->target.line);
	if (!order)
		order = by_number(a->target_function, b->target_function);
	if (!order)
		order = a->has_function - b->has_function;
	return order ? order : a->is_conditional - b->is_conditional;
}

/* Copies costs without the zeros at their end; false if memory ran out. */
static bool keep_costs(struct block *block, const uint64_t *costs, uint32_t *n_costs, size_t *first)
{
	uint32_t n = *n_costs;

	while (n > 0 && costs[n - 1] == 0)
		n--;
	*n_costs = n;
	*first = block->n_costs;
	if (block->n_costs + n >= block->costs_capacity) { /* so that there always is an array */
		void *all = block->costs;

		if (!heap_reserve(block->env, &all, &block->costs_capacity, block->n_costs + n + 1,
				  sizeof(*block->costs)))
			return false;
		block->costs = all;
	}
	for (uint32_t i = 0; i < n; i++) {
		block->costs[block->n_costs + i] = costs[i];
		block->all_costs |= costs[i];
	}
	block->n_costs += n;
	return true;
}

/* Adds costs to those that lie at *first, which move if they become more. */
static int add_costs(struct block *block, size_t *first, uint32_t *n_first, const uint64_t *costs,
		     uint32_t n_costs)
{
	if (n_costs > *n_first) {
		uint64_t sums[PROFILE_MAX_EVENTS] = { 0 };
		int status;

		memcpy(sums, block->costs + *first, *n_first * sizeof(*sums));
		status = PROFILE_OK;
		for (uint32_t i = 0; i < n_costs; i++)
			if (!cost_add(&sums[i], costs[i], block->is_signed))
				status = PROFILE_RANGE;
		if (!keep_costs(block, sums, &n_costs, first))
			status = PROFILE_NO_MEMORY;
		*n_first = n_costs;
		return status;
	}
	for (uint32_t i = 0; i < n_costs; i++) {
		if (!cost_add(&block->costs[*first + i], costs[i], block->is_signed))
			return PROFILE_RANGE;
		block->all_costs |= block->costs[*first + i];
	}
	return PROFILE_OK;
}

static size_t without_zeros(const uint64_t *costs, size_t n)
{
	while (n > 0 && costs[n - 1] == 0)
		n--;
	return n;
}

/* Whether costs that have just been added to the sums did not bring one beyond its range. */
static bool sums_fit(const struct block *block, const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t before = block->sums[i] - costs[i];

		if (!cost_add(&before, costs[i], block->is_signed))
			return false;
	}
	return true;
}

/* Notes what was added, or-ed as costs and as sums; false if sums are beyond 64 bits. */
static inline bool note_added(struct block *block, const uint64_t *costs, size_t n, uint64_t all,
			      uint64_t sums)
{
	block->all_costs |= all | sums;
	if (n > block->n_sums)
		block->n_sums = n;
	/* From the first that is large on, each is looked at: a sum may have passed its range. */
	return block->all_costs >> SMALL_BITS == 0 || sums_fit(block, costs, n);
}

int block_add_self(struct block *block, const uint64_t *costs, size_t n_costs)
{
	size_t n = without_zeros(costs, n_costs);
	uint64_t all = 0, sums = 0;

	block->has_self = true;
	for (size_t i = 0; i < n; i++) {
		all |= costs[i];
		block->sums[i] += costs[i];
		sums |= block->sums[i];
	}
	return note_added(block, costs, n, all, sums) ? PROFILE_OK : PROFILE_RANGE;
}

/* Room for a line more, with n costs; pack_line() reads some bytes behind the last ones. */
static bool reserve_line(struct block *block, size_t n)
{
	size_t needed = block->line_costs_used + (n + 1) * PACK_MAX_BYTES;
	void *bytes = block->line_costs, *lines = block->lines;

	if (needed > UINT32_MAX ||
	    !heap_reserve(block->env, &bytes, &block->line_costs_capacity, needed, 1))
		return false;
	block->line_costs = bytes;
	if (!heap_reserve(block->env, &lines, &block->lines_capacity, block->n_lines + 1,
			  sizeof(*block->lines)))
		return false;
	block->lines = lines;
	return true;
}

static inline bool has_room(const struct block *block, size_t n)
{
	return block->n_lines < block->lines_capacity &&
	       block->line_costs_used + (n + 1) * PACK_MAX_BYTES <= block->line_costs_capacity;
}

/* Adds n costs to those of a line, without their being added to the sums again. */
static int join_line(struct block *block, size_t index, const uint64_t *costs, size_t n)
{
	uint64_t joined[PROFILE_MAX_EVENTS];
	size_t had = block->lines[index].n_costs;
	size_t total = n > had ? n : had;
	struct block_line *line;
	const unsigned char *p;
	unsigned char *to;

	if (!reserve_line(block, total))
		return PROFILE_NO_MEMORY;
	line = &block->lines[index];
	p = block->line_costs + line->start;
	for (size_t i = 0; i < total; i++) {
		uint64_t sum = 0;

		if (i < had)
			p = unpack_signed(p, &sum);
		if (i < n && !cost_add(&sum, costs[i], block->is_signed))
			return PROFILE_RANGE;
		joined[i] = sum;
	}
	while (total > 0 && joined[total - 1] == 0)
		total--;
	/* What is packed last can be packed again in its place. */
	if (line->start + line->len == block->line_costs_used)
		block->line_costs_used = line->start;
	to = block->line_costs + block->line_costs_used;
	for (size_t i = 0; i < total; i++)
		to = pack_signed(to, joined[i]);
	line->n_costs = (uint32_t)total;
	line->start = (uint32_t)block->line_costs_used;
	block->line_costs_used = (size_t)(to - block->line_costs);
	line->len = (uint32_t)block->line_costs_used - line->start;
	return PROFILE_OK;
}

/* Adds costs to the sums, and to the line that was added last. */
static int add_to_last(struct block *block, const uint64_t *costs, size_t n)
{
	uint64_t all = 0, sums = 0;

	for (size_t i = 0; i < n; i++) {
		all |= costs[i];
		block->sums[i] += costs[i];
		sums |= block->sums[i];
	}
	if (!note_added(block, costs, n, all, sums))
		return PROFILE_RANGE;
	return join_line(block, block->n_lines - 1, costs, n);
}

int block_add_line(struct block *block, const struct block_key *key, const uint64_t *costs,
		   size_t n_costs)
{
	size_t n = without_zeros(costs, n_costs);
	uint64_t all = 0, sums = 0;
	struct block_line *line;
	unsigned char *p;

	if (block->n_lines > 0) {
		int order = compare_keys(block, key, &block->lines[block->n_lines - 1].key);

		if (order == 0)
			return add_to_last(block, costs, n);
		block->lines_sorted &= order > 0;
	}
	if (!has_room(block, n) && !reserve_line(block, n))
		return PROFILE_NO_MEMORY;
	line = &block->lines[block->n_lines++];
	line->key = *key;
	line->n_costs = (uint32_t)n;
	line->start = (uint32_t)block->line_costs_used;
	p = block->line_costs + block->line_costs_used;
	for (size_t i = 0; i < n; i++) {
		all |= costs[i];
		block->sums[i] += costs[i];
		sums |= block->sums[i];
		p = pack_signed(p, costs[i]);
	}
	block->line_costs_used = (size_t)(p - block->line_costs);
	line->len = (uint32_t)block->line_costs_used - line->start;
	return note_added(block, costs, n, all, sums) ? PROFILE_OK : PROFILE_RANGE;
}

int block_add_call(struct block *block, const struct block_call *call, const uint64_t *costs)
{
	void *calls = block->calls;
	struct block_call *added;

	if (!heap_reserve(block->env, &calls, &block->calls_capacity, block->n_calls + 1,
			  sizeof(*call)))
		return PROFILE_NO_MEMORY;
	block->calls = calls;
	added = &block->calls[block->n_calls];
	*added = *call;
	if (!keep_costs(block, costs, &added->n_costs, &added->costs))
		return PROFILE_NO_MEMORY;
	if (block->n_calls > 0 && compare_calls(added, added - 1, block) <= 0)
		block->calls_sorted = false;
	block->n_calls++;
	return PROFILE_OK;
}

int block_add_jump(struct block *block, const struct block_jump *jump)
{
	void *jumps = block->jumps;

	if (!heap_reserve(block->env, &jumps, &block->jumps_capacity, block->n_jumps + 1,
			  sizeof(*jump)))
		return PROFILE_NO_MEMORY;
	block->jumps = jumps;
	block->jumps[block->n_jumps] = *jump;
	if (block->n_jumps > 0 && compare_jumps(&block->jumps[block->n_jumps],
						&block->jumps[block->n_jumps - 1], block) <= 0)
		block->jumps_sorted = false;
	block->n_jumps++;
	return PROFILE_OK;
}

/* Sorts n lines, few, in place; stable. */
static void sort_run(const struct block *block, struct block_line *lines, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct block_line line = lines[i];
		size_t to = i;

		for (; to > 0 && compare_keys(block, &line.key, &lines[to - 1].key) < 0; to--)
			lines[to] = lines[to - 1];
		lines[to] = line;
	}
}

/* Merges from[0..middle) and from[middle..n), both sorted, into to. */
static void merge_runs(const struct block *block, const struct block_line *from, size_t middle,
		       size_t n, struct block_line *to)
{
	size_t left = 0, right = middle;

	/* Most runs follow one another. */
	if (middle < n && compare_keys(block, &from[middle - 1].key, &from[middle].key) <= 0)
		left = right = middle;
	memcpy(to, from, left * sizeof(*to));
	to += left;
	while (left < middle && right < n) {
		bool take_right = compare_keys(block, &from[right].key, &from[left].key) < 0;

		*to++ = from[take_right ? right++ : left++];
	}
	memcpy(to, from + left, (middle - left) * sizeof(*to));
	memcpy(to + (middle - left), from + right, (n - right) * sizeof(*to));
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool sort_lines(struct block *block)
{
	struct block_line *from, *to;
	void *sorting = block->sorting;
	size_t n = block->n_lines;

	if (n > RUN && !heap_reserve(block->env, &sorting, &block->sorting_capacity, n,
				     sizeof(*block->sorting)))
		return false;
	block->sorting = sorting;
	for (size_t i = 0; i < n; i += RUN)
		sort_run(block, block->lines + i, least(RUN, n - i));
	from = block->lines;
	to = block->sorting;
	for (size_t run = RUN; run < n; run *= 2) {
		struct block_line *swap = from;

		for (size_t i = 0; i < n; i += 2 * run)
			merge_runs(block, from + i, least(run, n - i), least(2 * run, n - i),
				   to + i);
		from = to;
		to = swap;
	}
	if (from != block->lines)
		memcpy(block->lines, from, n * sizeof(*from));
	return true;
}

static int merge_lines(struct block *block)
{
	size_t kept = 0;

	if (!sort_lines(block))
		return PROFILE_NO_MEMORY;
	for (size_t i = 1; i < block->n_lines; i++) {
		const struct block_line *line = &block->lines[i];
		uint64_t costs[PROFILE_MAX_EVENTS];
		const unsigned char *p;
		int status;

		if (compare_keys(block, &block->lines[kept].key, &line->key) != 0) {
			block->lines[++kept] = *line;
			continue;
		}
		p = block->line_costs + line->start;
		for (size_t j = 0; j < line->n_costs; j++)
			p = unpack_signed(p, &costs[j]);
		status = join_line(block, kept, costs, line->n_costs);
		if (status)
			return status;
	}
	block->n_lines = kept + 1;
	return PROFILE_OK;
}

static bool is_target_less(const struct position *a, const struct position *b)
{
	return a->instr != b->instr ? a->instr < b->instr : a->line < b->line;
}

static int merge_calls(struct block *block)
{
	size_t kept = 0;

	qsort_r(block->calls, block->n_calls, sizeof(*block->calls), compare_calls, block);
	for (size_t i = 1; i < block->n_calls; i++) {
		struct block_call *last = &block->calls[kept];
		const struct block_call *call = &block->calls[i];
		uint64_t costs[PROFILE_MAX_EVENTS];
		int status;

		if (compare_calls(last, call, block) != 0) {
			block->calls[++kept] = *call;
			continue;
		}
		if (is_target_less(&call->target, &last->target))
			last->target = call->target;
		if (!cost_add(&last->count, call->count, block->is_signed))
			return PROFILE_RANGE;
		memcpy(costs, block->costs + call->costs, call->n_costs * sizeof(*costs));
		status = add_costs(block, &last->costs, &last->n_costs, costs, call->n_costs);
		if (status)
			return status;
	}
	block->n_calls = kept + 1;
	return PROFILE_OK;
}

static int merge_jumps(struct block *block)
{
	size_t kept = 0;

	qsort_r(block->jumps, block->n_jumps, sizeof(*block->jumps), compare_jumps, block);
	for (size_t i = 1; i < block->n_jumps; i++) {
		struct block_jump *last = &block->jumps[kept];
		const struct block_jump *jump = &block->jumps[i];

		if (compare_jumps(last, jump, block) != 0) {
			block->jumps[++kept] = *jump;
			continue;
		}
		if (!cost_add(&last->followed, jump->followed, block->is_signed) ||
		    !cost_add(&last->executed, jump->executed, block->is_signed))
			return PROFILE_RANGE;
	}
	block->n_jumps = kept + 1;
	return PROFILE_OK;
}

/* The line of what was added by block_add_self(). */
static int make_line(struct block *block)
{
	const struct block_key key = { { 0, 0 }, block->own_file };
	uint64_t sums[PROFILE_MAX_EVENTS];
	size_t n = block->n_sums;

	memcpy(sums, block->sums, n * sizeof(*sums));
	block->has_self = false;
	memset(block->sums, 0, n * sizeof(*sums));
	return block_add_line(block, &key, sums, n);
}

int block_merge(struct block *block)
{
	int status = PROFILE_OK;

	if (block->has_self)
		status = make_line(block);
	if (status)
		return status;
	if (!block->lines_sorted)
		status = merge_lines(block);
	if (!status && !block->calls_sorted)
		status = merge_calls(block);
	if (!status && !block->jumps_sorted)
		status = merge_jumps(block);
	block->lines_sorted = block->calls_sorted = block->jumps_sorted = true;
	return status;
}

bool block_sum(const struct block *block, uint64_t *sums, size_t n)
{
	for (size_t i = 0; i < block->n_sums && i < n; i++)
		if (!cost_add(&sums[i], block->sums[i], block->is_signed))
			return false;
	return true;
}

/* Where numbers are packed to. */
struct packer {
	struct block *block;
	unsigned char *next; /* in block->bytes */
	struct block_key last;
	bool failed;
};

/* Room for so many numbers. */
static bool reserve_numbers(struct packer *packer, size_t n)
{
	size_t used = (size_t)(packer->next - packer->block->bytes);
	size_t needed = used + n * PACK_MAX_BYTES;
	void *bytes = packer->block->bytes;

	if (needed <= packer->block->bytes_capacity)
		return true;
	if (!heap_reserve(packer->block->env, &bytes, &packer->block->bytes_capacity, needed, 1)) {
		packer->failed = true;
		return false;
	}
	packer->block->bytes = bytes;
	packer->next = packer->block->bytes + used;
	return true;
}

/* The head with more in its upper bits, and what is different from the last one. */
static inline void pack_key(struct packer *packer, const struct block_key *key, uint64_t head)
{
	unsigned char *p = packer->next;

	head |= (key->at.instr != packer->last.at.instr ? PACK_INSTR : 0) |
		(key->at.line != packer->last.at.line ? PACK_LINE : 0) |
		(key->file != packer->last.file ? PACK_FILE : 0);
	p = pack_number(p, head);
	if (head & PACK_INSTR)
		p = pack_signed(p, key->at.instr - packer->last.at.instr);
	if (head & PACK_LINE)
		p = pack_signed(p, key->at.line - packer->last.at.line);
	if (head & PACK_FILE)
		p = pack_number(p, key->file);
	packer->last = *key;
	packer->next = p;
}

static void pack_costs(struct packer *packer, size_t first, size_t n)
{
	const uint64_t *costs = packer->block->costs + first;
	unsigned char *p = packer->next;

	for (size_t i = 0; i < n; i++)
		p = pack_signed(p, costs[i]);
	packer->next = p;
}

/* There is room. */
static void pack_line(struct packer *packer, const struct block_line *line)
{
	const unsigned char *costs = packer->block->line_costs + line->start;

	pack_key(packer, &line->key, (uint64_t)line->n_costs << PACK_SHIFT);
	if (line->len <= 8) /* most are; a copy of fixed size is no call */
		memcpy(packer->next, costs, 8);
	else
		memcpy(packer->next, costs, line->len);
	packer->next += line->len;
}

static void pack_call(struct packer *packer, const struct block_call *call)
{
	if (!reserve_numbers(packer, 8 + call->n_costs))
		return;
	pack_key(packer, &call->key, (uint64_t)call->n_costs << PACK_SHIFT);
	packer->next = pack_number(packer->next, call->callee);
	packer->next = pack_signed(packer->next, call->count);
	packer->next = pack_signed(packer->next, call->target.instr - call->key.at.instr);
	packer->next = pack_number(packer->next, call->target.line);
	pack_costs(packer, call->costs, call->n_costs);
}

static void pack_jump(struct packer *packer, const struct block_jump *jump)
{
	unsigned head = (jump->is_conditional ? PACK_CONDITIONAL : 0) |
			(jump->target_file != jump->key.file ? PACK_TARGET_FILE : 0) |
			(jump->has_function ? PACK_FUNCTION : 0);

	if (!reserve_numbers(packer, 10))
		return;
	pack_key(packer, &jump->key, head);
	packer->next = pack_signed(packer->next, jump->followed);
	if (jump->is_conditional)
		packer->next = pack_signed(packer->next, jump->executed - jump->followed);
	packer->next = pack_signed(packer->next, jump->target.instr - jump->key.at.instr);
	packer->next = pack_signed(packer->next, jump->target.line - jump->key.at.line);
	if (head & PACK_TARGET_FILE)
		packer->next = pack_number(packer->next, jump->target_file);
	if (head & PACK_FUNCTION)
		packer->next = pack_number(packer->next, jump->target_function);
}

struct model_segment *block_pack(struct block *block, struct arena *arena, uint32_t part)
{
	const struct block_key start = { { 0, 0 }, block->own_file };
	struct packer packer = { .block = block, .next = block->bytes, .last = start };
	unsigned char sizes[2 * PACK_MAX_BYTES], *sizes_end;
	size_t lines_len, calls_len, len;
	struct model_segment *segment;

	if (block->n_lines > 0 &&
	    !reserve_numbers(&packer,
			     4 * block->n_lines + block->line_costs_used / PACK_MAX_BYTES + 2))
		return NULL;
	for (size_t i = 0; i < block->n_lines; i++)
		pack_line(&packer, &block->lines[i]);
	lines_len = (size_t)(packer.next - block->bytes);
	packer.last = start;
	for (size_t i = 0; i < block->n_calls; i++)
		pack_call(&packer, &block->calls[i]);
	calls_len = (size_t)(packer.next - block->bytes) - lines_len;
	packer.last = start;
	for (size_t i = 0; i < block->n_jumps; i++)
		pack_jump(&packer, &block->jumps[i]);
	len = (size_t)(packer.next - block->bytes);
	sizes_end = pack_number(pack_number(sizes, lines_len), calls_len);
	if (packer.failed || len > UINT32_MAX - sizeof(sizes))
		return NULL;
	segment = arena_alloc(arena, sizeof(*segment) + (size_t)(sizes_end - sizes) + len,
			      _Alignof(struct model_segment));
	if (!segment)
		return NULL;
	segment->next = NULL;
	segment->part = part;
	segment->len = (uint32_t)((size_t)(sizes_end - sizes) + len);
	memcpy(segment->data, sizes, (size_t)(sizes_end - sizes));
	if (len > 0)
		memcpy(segment->data + (sizes_end - sizes), block->bytes, len);
	return segment;
}
