/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a function has, packed and unpacked.  Most functions come sorted, or nearly so: runs of 16 lines are sorted by
 * insertion, then merged two by two.  Calls and jumps are few.
 */
#define _GNU_SOURCE /* qsort_r */
#include "profile/model/segment.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	RUN = 16,
	SMALL_BITS = 61,
};

void cost_buffer_release(struct cost_buffer *buffer)
{
	free(buffer->lines);
	free(buffer->calls);
	free(buffer->jumps);
	free(buffer->costs);
	free(buffer->sorting);
	free(buffer->line_costs);
	free(buffer->bytes);
	*buffer = (struct cost_buffer){ .ranks = buffer->ranks };
}

void cost_buffer_begin(struct cost_buffer *buffer, uint32_t own_file, uint32_t own_name,
		       bool is_signed)
{
	buffer->n_lines = buffer->n_calls = buffer->n_jumps = buffer->n_costs = 0;
	buffer->lines_sorted = buffer->calls_sorted = buffer->jumps_sorted = true;
	buffer->own_file = own_file;
	buffer->own_name = own_name;
	buffer->is_signed = is_signed;
	buffer->all_costs = 0;
	buffer->line_costs_used = 0;
	buffer->has_self = false;
	memset(buffer->sums, 0, buffer->n_sums * sizeof(*buffer->sums));
	buffer->n_sums = 0;
}

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_rank(const uint32_t *ranks, uint32_t a, uint32_t b)
{
	return ranks ? by_number(ranks[a], ranks[b]) : by_number(a, b);
}

/* The function's own file is before all others. */
static uint64_t file_rank(const struct cost_buffer *buffer, uint32_t file)
{
	if (file == buffer->own_file)
		return 0;
	return (uint64_t)(buffer->ranks.files ? buffer->ranks.files[file] : file) + 1;
}

static inline int compare_keys(const struct cost_buffer *buffer, const struct cost_buffer_key *a,
			       const struct cost_buffer_key *b)
{
	if (a->at.instr != b->at.instr)
		return a->at.instr < b->at.instr ? -1 : 1;
	if (a->file != b->file)
		return file_rank(buffer, a->file) < file_rank(buffer, b->file) ? -1 : 1;
	return by_number(a->at.line, b->at.line);
}

int cost_buffer_compare_keys(const struct cost_buffer *buffer, const struct cost_buffer_key *a,
			     const struct cost_buffer_key *b)
{
	return compare_keys(buffer, a, b);
}

static struct cost_buffer_key call_key(const struct cost_buffer_call *call)
{
	return (struct cost_buffer_key){ call->call.at, call->call.file };
}

static struct cost_buffer_key jump_key(const struct model_jump *jump)
{
	return (struct cost_buffer_key){ jump->at, jump->file };
}

static int compare_calls(const void *left, const void *right, void *ctx)
{
	const struct cost_buffer *buffer = ctx;
	const struct cost_buffer_call *a = left, *b = right;
	const struct cost_buffer_key key_a = call_key(a), key_b = call_key(b);
	int order = compare_keys(buffer, &key_a, &key_b);

	return order ? order : by_rank(buffer->ranks.functions, a->call.callee, b->call.callee);
}

static int compare_jumps(const void *left, const void *right, void *ctx)
{
	const struct cost_buffer *buffer = ctx;
	const struct model_jump *a = left, *b = right;
	const struct cost_buffer_key key_a = jump_key(a), key_b = jump_key(b);
	int order = compare_keys(buffer, &key_a, &key_b);

	if (!order)
		order = by_number(a->target.instr, b->target.instr);
	if (!order)
		order = by_rank(buffer->ranks.files, a->target_file, b->target_file);
	if (!order)
		order = by_number(a->target.line, b->target.line);
	if (!order)
		order = by_rank(buffer->ranks.names, a->target_function, b->target_function);
	if (!order)
		order = a->has_function - b->has_function;
	return order ? order : a->is_conditional - b->is_conditional;
}

static size_t without_zeros(const uint64_t *costs, size_t n)
{
	while (n > 0 && costs[n - 1] == 0)
		n--;
	return n;
}

/* Gives a call a copy of n costs, without trailing zeros. */
static void keep_costs(struct cost_buffer *buffer, struct cost_buffer_call *call,
		       const uint64_t *costs, size_t n)
{
	n = without_zeros(costs, n);
	call->call.n_costs = (uint32_t)n;
	call->costs = buffer->n_costs;
	/* One more, so that there always is an array. */
	buffer->costs = heap_grow(buffer->costs, &buffer->costs_capacity, buffer->n_costs + n + 1,
				  sizeof(*buffer->costs));
	for (size_t i = 0; i < n; i++) {
		buffer->costs[buffer->n_costs++] = costs[i];
		buffer->all_costs |= costs[i];
	}
}

/*
 * Adds to a sum of the buffer's; false if it is beyond its range.  While counts may still turn out to
 * be signed, a sum is what it is modulo 2^64, and which of both ranges it left is noted.
 */
static bool add(struct cost_buffer *buffer, uint64_t *sum, uint64_t count)
{
	uint64_t before = *sum;
	bool fits = cost_add(sum, count, buffer->is_signed);

	if (!buffer->may_be_signed)
		return fits;
	*sum = before + count;
	buffer->left_unsigned |= !fits;
	buffer->left_signed |= !cost_add(&before, count, true);
	return true;
}

/* Adds what a call costs, which stays at the end of its range; with signed counts it may have been another one. */
static void add_nested(struct cost_buffer *buffer, uint64_t *sum, uint64_t cost)
{
	uint64_t before = *sum;

	cost_add_nested(sum, cost, buffer->is_signed);
	if (buffer->may_be_signed)
		buffer->left_signed |= *sum != before + cost || !cost_add(&before, cost, true);
}

/* True if costs that have just been added to the sums did not bring one beyond its range. */
static bool sums_fit(struct cost_buffer *buffer, const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t before = buffer->sums[i] - costs[i];

		if (!add(buffer, &before, costs[i]))
			return false;
	}
	return true;
}

/* Notes what was added, or-ed as costs and as sums; false if sums are beyond 64 bits. */
static inline bool note_added(struct cost_buffer *buffer, const uint64_t *costs, size_t n,
			      uint64_t all, uint64_t sums)
{
	buffer->all_costs |= all | sums;
	if (n > buffer->n_sums)
		buffer->n_sums = n;
	/* From the first that is large on, each is looked at: a sum may have passed its range. */
	return buffer->all_costs >> SMALL_BITS == 0 || sums_fit(buffer, costs, n);
}

/* Adds n costs to the sums; false if one is beyond 64 bits. */
static bool add_to_sums(struct cost_buffer *buffer, const uint64_t *costs, size_t n)
{
	uint64_t all = 0, sums = 0;

	for (size_t i = 0; i < n; i++) {
		all |= costs[i];
		buffer->sums[i] += costs[i];
		sums |= buffer->sums[i];
	}
	return note_added(buffer, costs, n, all, sums);
}

int cost_buffer_add_self(struct cost_buffer *buffer, const uint64_t *costs, size_t n_costs)
{
	buffer->has_self = true;
	return add_to_sums(buffer, costs, without_zeros(costs, n_costs)) ? PROFILE_OK
									 : PROFILE_RANGE;
}

/* Room for another line, with n costs; pack_line() reads some bytes after the last ones. */
static void reserve_line(struct cost_buffer *buffer, size_t n)
{
	size_t needed = buffer->line_costs_used + (n + 1) * VARINT_MAX_BYTES;

	if (needed > UINT32_MAX)
		heap_exhausted(); /* places there have 32 bits */
	buffer->line_costs = heap_grow(buffer->line_costs, &buffer->line_costs_capacity, needed, 1);
	buffer->lines = heap_grow(buffer->lines, &buffer->lines_capacity, buffer->n_lines + 1,
				  sizeof(*buffer->lines));
}

static inline bool has_room(const struct cost_buffer *buffer, size_t n)
{
	return buffer->n_lines < buffer->lines_capacity &&
	       buffer->line_costs_used + (n + 1) * VARINT_MAX_BYTES <= buffer->line_costs_capacity;
}

/* Adds n costs to a line, without adding them to the sums again. */
static int join_line(struct cost_buffer *buffer, size_t index, const uint64_t *costs, size_t n)
{
	uint64_t joined[PROFILE_MAX_EVENTS];
	size_t had = buffer->lines[index].n_costs;
	size_t total = n > had ? n : had;
	struct cost_buffer_line *line;
	const unsigned char *p;
	unsigned char *to;

	reserve_line(buffer, total);
	line = &buffer->lines[index];
	p = buffer->line_costs + line->start;
	for (size_t i = 0; i < total; i++) {
		uint64_t sum = 0;

		if (i < had)
			p = varint_read_signed(p, &sum);
		if (i < n && !add(buffer, &sum, costs[i]))
			return PROFILE_RANGE;
		joined[i] = sum;
	}
	while (total > 0 && joined[total - 1] == 0)
		total--;
	/* What is packed last can be packed again in its place. */
	if (line->start + line->len == buffer->line_costs_used)
		buffer->line_costs_used = line->start;
	to = buffer->line_costs + buffer->line_costs_used;
	for (size_t i = 0; i < total; i++)
		to = varint_write_signed(to, joined[i]);
	line->n_costs = (uint32_t)total;
	line->start = (uint32_t)buffer->line_costs_used;
	buffer->line_costs_used = (size_t)(to - buffer->line_costs);
	line->len = (uint32_t)buffer->line_costs_used - line->start;
	return PROFILE_OK;
}

int cost_buffer_add_line(struct cost_buffer *buffer, const struct cost_buffer_key *key,
			 const uint64_t *costs, size_t n_costs)
{
	size_t n = without_zeros(costs, n_costs);
	uint64_t all = 0, sums = 0;
	struct cost_buffer_line *line;
	unsigned char *p;

	if (buffer->n_lines > 0) {
		int order = compare_keys(buffer, key, &buffer->lines[buffer->n_lines - 1].key);

		if (order == 0)
			return add_to_sums(buffer, costs, n)
				       ? join_line(buffer, buffer->n_lines - 1, costs, n)
				       : PROFILE_RANGE;
		buffer->lines_sorted &= order > 0;
	}
	if (!has_room(buffer, n))
		reserve_line(buffer, n);
	line = &buffer->lines[buffer->n_lines++];
	line->key = *key;
	line->n_costs = (uint32_t)n;
	line->start = (uint32_t)buffer->line_costs_used;
	p = buffer->line_costs + buffer->line_costs_used;
	for (size_t i = 0; i < n; i++) {
		all |= costs[i];
		buffer->sums[i] += costs[i];
		sums |= buffer->sums[i];
		p = varint_write_signed(p, costs[i]);
	}
	buffer->line_costs_used = (size_t)(p - buffer->line_costs);
	line->len = (uint32_t)buffer->line_costs_used - line->start;
	return note_added(buffer, costs, n, all, sums) ? PROFILE_OK : PROFILE_RANGE;
}

void cost_buffer_add_call(struct cost_buffer *buffer, const struct model_call *call)
{
	struct cost_buffer_call *added;

	buffer->calls = heap_grow(buffer->calls, &buffer->calls_capacity, buffer->n_calls + 1,
				  sizeof(*added));
	added = &buffer->calls[buffer->n_calls];
	added->call = *call;
	keep_costs(buffer, added, call->costs, call->n_costs);
	if (buffer->n_calls > 0 && compare_calls(added, added - 1, buffer) <= 0)
		buffer->calls_sorted = false;
	buffer->n_calls++;
}

void cost_buffer_add_jump(struct cost_buffer *buffer, const struct model_jump *jump)
{
	buffer->jumps = heap_grow(buffer->jumps, &buffer->jumps_capacity, buffer->n_jumps + 1,
				  sizeof(*jump));
	buffer->jumps[buffer->n_jumps] = *jump;
	if (buffer->n_jumps > 0 && compare_jumps(&buffer->jumps[buffer->n_jumps],
						 &buffer->jumps[buffer->n_jumps - 1], buffer) <= 0)
		buffer->jumps_sorted = false;
	buffer->n_jumps++;
}

/* Sorts n lines, few, in place; stable. */
static void sort_run(const struct cost_buffer *buffer, struct cost_buffer_line *lines, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct cost_buffer_line line = lines[i];
		size_t to = i;

		for (; to > 0 && compare_keys(buffer, &line.key, &lines[to - 1].key) < 0; to--)
			lines[to] = lines[to - 1];
		lines[to] = line;
	}
}

/* Merges from[0..middle) and from[middle..n), both sorted, into to. */
static void merge_runs(const struct cost_buffer *buffer, const struct cost_buffer_line *from,
		       size_t middle, size_t n, struct cost_buffer_line *to)
{
	size_t left = 0, right = middle;

	/* Most runs follow one another. */
	if (middle < n && compare_keys(buffer, &from[middle - 1].key, &from[middle].key) <= 0)
		left = right = middle;
	memcpy(to, from, left * sizeof(*to));
	to += left;
	while (left < middle && right < n) {
		bool take_right = compare_keys(buffer, &from[right].key, &from[left].key) < 0;

		*to++ = from[take_right ? right++ : left++];
	}
	memcpy(to, from + left, (middle - left) * sizeof(*to));
	memcpy(to + (middle - left), from + right, (n - right) * sizeof(*to));
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void sort_lines(struct cost_buffer *buffer)
{
	struct cost_buffer_line *from, *to;
	size_t n = buffer->n_lines;

	if (n > RUN)
		buffer->sorting = heap_grow(buffer->sorting, &buffer->sorting_capacity, n,
					    sizeof(*buffer->sorting));
	for (size_t i = 0; i < n; i += RUN)
		sort_run(buffer, buffer->lines + i, least(RUN, n - i));
	from = buffer->lines;
	to = buffer->sorting;
	for (size_t run = RUN; run < n; run *= 2) {
		struct cost_buffer_line *swap = from;

		for (size_t i = 0; i < n; i += 2 * run)
			merge_runs(buffer, from + i, least(run, n - i), least(2 * run, n - i),
				   to + i);
		from = to;
		to = swap;
	}
	if (from != buffer->lines)
		memcpy(buffer->lines, from, n * sizeof(*from));
}

static int merge_lines(struct cost_buffer *buffer)
{
	size_t kept = 0;

	sort_lines(buffer);
	for (size_t i = 1; i < buffer->n_lines; i++) {
		const struct cost_buffer_line *line = &buffer->lines[i];
		uint64_t costs[PROFILE_MAX_EVENTS];
		const unsigned char *p;
		int status;

		if (compare_keys(buffer, &buffer->lines[kept].key, &line->key) != 0) {
			buffer->lines[++kept] = *line;
			continue;
		}
		p = buffer->line_costs + line->start;
		for (size_t j = 0; j < line->n_costs; j++)
			p = varint_read_signed(p, &costs[j]);
		status = join_line(buffer, kept, costs, line->n_costs);
		if (status)
			return status;
	}
	buffer->n_lines = kept + 1;
	return PROFILE_OK;
}

static int merge_calls(struct cost_buffer *buffer)
{
	size_t kept = 0;

	qsort_r(buffer->calls, buffer->n_calls, sizeof(*buffer->calls), compare_calls, buffer);
	for (size_t i = 1; i < buffer->n_calls; i++) {
		struct cost_buffer_call *last = &buffer->calls[kept];
		const struct cost_buffer_call *call = &buffer->calls[i];
		const struct position *target = &call->call.target, *nearest = &last->call.target;
		size_t had = last->call.n_costs, n = call->call.n_costs;
		uint64_t sums[PROFILE_MAX_EVENTS];

		if (compare_calls(last, call, buffer) != 0) {
			buffer->calls[++kept] = *call;
			continue;
		}
		if (target->instr != nearest->instr ? target->instr < nearest->instr
						    : target->line < nearest->line)
			last->call.target = *target;
		if (!add(buffer, &last->call.count, call->call.count))
			return PROFILE_RANGE;
		memcpy(sums, buffer->costs + last->costs, had * sizeof(*sums));
		for (size_t j = 0; j < n; j++) {
			sums[j] = j < had ? sums[j] : 0;
			add_nested(buffer, &sums[j], buffer->costs[call->costs + j]);
		}
		keep_costs(buffer, last, sums, n > had ? n : had);
	}
	buffer->n_calls = kept + 1;
	return PROFILE_OK;
}

static int merge_jumps(struct cost_buffer *buffer)
{
	size_t kept = 0;

	qsort_r(buffer->jumps, buffer->n_jumps, sizeof(*buffer->jumps), compare_jumps, buffer);
	for (size_t i = 1; i < buffer->n_jumps; i++) {
		struct model_jump *last = &buffer->jumps[kept];
		const struct model_jump *jump = &buffer->jumps[i];

		if (compare_jumps(last, jump, buffer) != 0) {
			buffer->jumps[++kept] = *jump;
			continue;
		}
		if (!add(buffer, &last->followed, jump->followed) ||
		    !add(buffer, &last->executed, jump->executed))
			return PROFILE_RANGE;
	}
	buffer->n_jumps = kept + 1;
	return PROFILE_OK;
}

int cost_buffer_merge(struct cost_buffer *buffer)
{
	const struct cost_buffer_key nowhere = { { 0, 0 }, buffer->own_file };
	int status = PROFILE_OK;

	/* What cost_buffer_add_self() added becomes a line. */
	if (buffer->has_self) {
		uint64_t sums[PROFILE_MAX_EVENTS];

		memcpy(sums, buffer->sums, buffer->n_sums * sizeof(*sums));
		memset(buffer->sums, 0, buffer->n_sums * sizeof(*sums));
		buffer->has_self = false;
		status = cost_buffer_add_line(buffer, &nowhere, sums, buffer->n_sums);
	}
	if (!status && !buffer->lines_sorted)
		status = merge_lines(buffer);
	if (!status && !buffer->calls_sorted)
		status = merge_calls(buffer);
	if (!status && !buffer->jumps_sorted)
		status = merge_jumps(buffer);
	buffer->lines_sorted = buffer->calls_sorted = buffer->jumps_sorted = true;
	return status;
}

bool cost_buffer_sum(struct cost_buffer *buffer, uint64_t *sums, size_t n)
{
	for (size_t i = 0; i < buffer->n_sums && i < n; i++)
		if (!add(buffer, &sums[i], buffer->sums[i]))
			return false;
	return true;
}

/* Where numbers are packed to. */
struct packer {
	struct cost_buffer *buffer;
	unsigned char *next; /* in buffer->bytes */
	struct cost_buffer_key last;
};

/* Room for n numbers. */
static void reserve_numbers(struct packer *packer, size_t n)
{
	size_t used = (size_t)(packer->next - packer->buffer->bytes);

	packer->buffer->bytes = heap_grow(packer->buffer->bytes, &packer->buffer->bytes_capacity,
					  used + n * VARINT_MAX_BYTES, 1);
	packer->next = packer->buffer->bytes + used;
}

/* The head with more in its upper bits, and what is different from the last one. */
static inline void pack_key(struct packer *packer, const struct cost_buffer_key *key, uint64_t head)
{
	unsigned char *p = packer->next;

	head |= (key->at.instr != packer->last.at.instr ? SEGMENT_INSTR : 0) |
		(key->at.line != packer->last.at.line ? SEGMENT_LINE : 0) |
		(key->file != packer->last.file ? SEGMENT_FILE : 0);
	p = varint_write(p, head);
	if (head & SEGMENT_INSTR)
		p = varint_write_signed(p, key->at.instr - packer->last.at.instr);
	if (head & SEGMENT_LINE)
		p = varint_write_signed(p, key->at.line - packer->last.at.line);
	if (head & SEGMENT_FILE)
		p = varint_write(p, key->file);
	packer->last = *key;
	packer->next = p;
}

/* There is room. */
static void pack_line(struct packer *packer, const struct cost_buffer_line *line)
{
	const unsigned char *costs = packer->buffer->line_costs + line->start;

	pack_key(packer, &line->key, (uint64_t)line->n_costs << SEGMENT_SHIFT);
	if (line->len <= 8) /* most are; a copy of fixed size is no call */
		memcpy(packer->next, costs, 8);
	else
		memcpy(packer->next, costs, line->len);
	packer->next += line->len;
}

static void pack_call(struct packer *packer, const struct cost_buffer_call *buffered)
{
	const struct model_call *call = &buffered->call;
	const uint64_t *costs = packer->buffer->costs + buffered->costs;
	const struct cost_buffer_key key = call_key(buffered);

	reserve_numbers(packer, 8 + call->n_costs);
	pack_key(packer, &key, (uint64_t)call->n_costs << SEGMENT_SHIFT);
	packer->next = varint_write(packer->next, call->callee);
	packer->next = varint_write_signed(packer->next, call->count);
	packer->next = varint_write_signed(packer->next, call->target.instr - call->at.instr);
	packer->next = varint_write(packer->next, call->target.line);
	for (size_t i = 0; i < call->n_costs; i++)
		packer->next = varint_write_signed(packer->next, costs[i]);
}

static void pack_jump(struct packer *packer, const struct model_jump *jump)
{
	const struct cost_buffer_key key = jump_key(jump);
	unsigned head = (jump->is_conditional ? SEGMENT_CONDITIONAL : 0) |
			(jump->target_file != jump->file ? SEGMENT_TARGET_FILE : 0) |
			(jump->has_function ? SEGMENT_FUNCTION : 0);

	reserve_numbers(packer, 10);
	pack_key(packer, &key, head);
	packer->next = varint_write_signed(packer->next, jump->followed);
	if (jump->is_conditional)
		packer->next = varint_write_signed(packer->next, jump->executed - jump->followed);
	packer->next = varint_write_signed(packer->next, jump->target.instr - jump->at.instr);
	packer->next = varint_write_signed(packer->next, jump->target.line - jump->at.line);
	if (head & SEGMENT_TARGET_FILE)
		packer->next = varint_write(packer->next, jump->target_file);
	if (head & SEGMENT_FUNCTION)
		packer->next = varint_write(packer->next, jump->target_function);
}

/* True if other numbers of files could order two neighbours otherwise. */
static bool is_tied(const struct cost_buffer *buffer, const struct cost_buffer_key *a,
		    const struct cost_buffer_key *b)
{
	return a->at.instr == b->at.instr && a->file != b->file && a->file != buffer->own_file &&
	       b->file != buffer->own_file;
}

/* True if the order of what there is depends on numbers that others may have given otherwise. */
static bool is_by_numbers(const struct cost_buffer *buffer)
{
	for (size_t i = 1; i < buffer->n_lines; i++)
		if (is_tied(buffer, &buffer->lines[i - 1].key, &buffer->lines[i].key))
			return true;
	for (size_t i = 1; i < buffer->n_calls; i++) {
		const struct cost_buffer_key a = call_key(&buffer->calls[i - 1]);
		const struct cost_buffer_key b = call_key(&buffer->calls[i]);

		if (is_tied(buffer, &a, &b) || compare_keys(buffer, &a, &b) == 0)
			return true;
	}
	for (size_t i = 1; i < buffer->n_jumps; i++) {
		const struct model_jump *jump = &buffer->jumps[i];
		const struct cost_buffer_key a = jump_key(jump - 1), b = jump_key(jump);

		if (is_tied(buffer, &a, &b) || (compare_keys(buffer, &a, &b) == 0 &&
						jump[-1].target.instr == jump->target.instr))
			return true;
	}
	return false;
}

struct model_segment *cost_buffer_pack(struct cost_buffer *buffer, struct arena *arena,
				       uint32_t part)
{
	const struct cost_buffer_key start = { { 0, 0 }, buffer->own_file };
	struct packer packer = { .buffer = buffer, .next = buffer->bytes, .last = start };
	unsigned char sizes[3 * VARINT_MAX_BYTES], *end;
	size_t sums_len, lines_len, calls_len, len;
	struct model_segment *segment;

	reserve_numbers(&packer, buffer->n_sums + 4 * buffer->n_lines +
					 buffer->line_costs_used / VARINT_MAX_BYTES + 2);
	for (size_t i = 0; i < buffer->n_sums; i++)
		packer.next = varint_write_signed(packer.next, buffer->sums[i]);
	sums_len = (size_t)(packer.next - buffer->bytes);
	for (size_t i = 0; i < buffer->n_lines; i++)
		pack_line(&packer, &buffer->lines[i]);
	lines_len = (size_t)(packer.next - buffer->bytes) - sums_len;
	packer.last = start;
	for (size_t i = 0; i < buffer->n_calls; i++)
		pack_call(&packer, &buffer->calls[i]);
	calls_len = (size_t)(packer.next - buffer->bytes) - sums_len - lines_len;
	packer.last = start;
	for (size_t i = 0; i < buffer->n_jumps; i++)
		pack_jump(&packer, &buffer->jumps[i]);
	len = (size_t)(packer.next - buffer->bytes);
	end = varint_write(sizes, sums_len);
	end = varint_write(varint_write(end, lines_len), calls_len);
	if (len > UINT32_MAX - sizeof(sizes))
		heap_exhausted(); /* a segment has 32 bits for its length */
	segment = arena_alloc(arena,
			      offsetof(struct model_segment, data) + (size_t)(end - sizes) + len,
			      _Alignof(struct model_segment));
	segment->next = NULL;
	segment->part = part;
	segment->by_numbers = is_by_numbers(buffer);
	segment->len = (uint32_t)((size_t)(end - sizes) + len);
	memcpy(segment->data, sizes, (size_t)(end - sizes));
	if (len > 0)
		memcpy(segment->data + (end - sizes), buffer->bytes, len);
	return segment;
}

/* -- read again ---------------------------------------------------------------------------- */

void cursor_enter(struct model_cursor *cursor, const struct model *model,
		  const struct model_function *function, const struct model_segment *segment,
		  enum segment_section section)
{
	uint64_t sums_len, lines_len, calls_len;
	const unsigned char *p;

	cursor->model = model;
	cursor->last = (struct position){ 0, 0 };
	cursor->file = cursor->own_file = function->file;
	cursor->own_name = function->name;
	cursor->next = cursor->end = NULL;
	if (!segment)
		return;
	cursor->n_costs = 0;
	memset(cursor->costs, 0, model->n_events * sizeof(*cursor->costs));
	p = varint_read(segment->data, &sums_len);
	p = varint_read(p, &lines_len);
	p = varint_read(p, &calls_len) + sums_len;
	cursor->next = p + (section >= SECTION_CALLS ? lines_len : 0) +
		       (section >= SECTION_JUMPS ? calls_len : 0);
	if (section == SECTION_LINES)
		cursor->end = p + lines_len;
	else if (section == SECTION_CALLS)
		cursor->end = p + lines_len + calls_len;
	else
		cursor->end = segment->data + segment->len;
}

const struct model_segment *cursor_segment(const struct model *model, uint32_t function,
					   uint32_t part)
{
	const struct model_segment *segment = model->functions[function].segments;

	while (segment && segment->part != part)
		segment = segment->next;
	return segment;
}

void model_lines(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor)
{
	cursor_enter(cursor, model, &model->functions[function],
		     cursor_segment(model, function, part), SECTION_LINES);
}

void model_calls(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor)
{
	cursor_enter(cursor, model, &model->functions[function],
		     cursor_segment(model, function, part), SECTION_CALLS);
}

void model_jumps(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor)
{
	cursor_enter(cursor, model, &model->functions[function],
		     cursor_segment(model, function, part), SECTION_JUMPS);
}

void model_self(const struct model *model, uint32_t function, uint32_t part, uint64_t *costs)
{
	const struct model_segment *segment = cursor_segment(model, function, part);
	uint64_t sums_len, ignored;
	const unsigned char *p, *end;

	memset(costs, 0, model->n_events * sizeof(*costs));
	if (!segment)
		return;
	p = varint_read(segment->data, &sums_len);
	p = varint_read(varint_read(p, &ignored), &ignored);
	for (end = p + sums_len; p < end; costs++)
		p = varint_read_signed(p, costs);
}

bool model_has(const struct model *model, uint32_t function, uint32_t part)
{
	return cursor_segment(model, function, part) != NULL;
}

/* What all three begin with; returns the upper bits of the head. */
static uint64_t next_key(struct model_cursor *cursor)
{
	const unsigned char *p = cursor->next;
	uint64_t head, number;

	p = varint_read(p, &head);
	if (head & SEGMENT_INSTR) {
		p = varint_read_signed(p, &number);
		cursor->last.instr += number;
	}
	if (head & SEGMENT_LINE) {
		p = varint_read_signed(p, &number);
		cursor->last.line += number;
	}
	if (head & SEGMENT_FILE) {
		p = varint_read(p, &number);
		cursor->file = (uint32_t)number;
	}
	cursor->next = p;
	return head;
}

/* The rest after the row's n_costs is 0 already. */
static void next_costs(struct model_cursor *cursor, uint32_t n)
{
	const unsigned char *p = cursor->next;

	for (uint32_t i = 0; i < n; i++)
		p = varint_read_signed(p, &cursor->costs[i]);
	if (n < cursor->n_costs)
		memset(cursor->costs + n, 0, (cursor->n_costs - n) * sizeof(*cursor->costs));
	cursor->n_costs = n;
	cursor->next = p;
}

bool model_next_line(struct model_cursor *cursor, struct model_line *line)
{
	uint64_t head;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	line->n_costs = (uint32_t)(head >> SEGMENT_SHIFT);
	next_costs(cursor, line->n_costs);
	line->at = cursor->last;
	line->file = cursor->file;
	line->costs = cursor->costs;
	return true;
}

bool model_next_call(struct model_cursor *cursor, struct model_call *call)
{
	uint64_t head, callee;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	cursor->next = varint_read(cursor->next, &callee);
	cursor->next = varint_read_signed(cursor->next, &call->count);
	cursor->next = varint_read_signed(cursor->next, &call->target.instr);
	cursor->next = varint_read(cursor->next, &call->target.line);
	call->n_costs = (uint32_t)(head >> SEGMENT_SHIFT);
	next_costs(cursor, call->n_costs);
	call->at = cursor->last;
	call->file = cursor->file;
	call->callee = (uint32_t)callee;
	call->target.instr += call->at.instr;
	call->costs = cursor->costs;
	return true;
}

bool model_next_jump(struct model_cursor *cursor, struct model_jump *jump)
{
	uint64_t head, number = 0;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	cursor->next = varint_read_signed(cursor->next, &jump->followed);
	if (head & SEGMENT_CONDITIONAL)
		cursor->next = varint_read_signed(cursor->next, &number);
	jump->executed = jump->followed + number;
	cursor->next = varint_read_signed(cursor->next, &jump->target.instr);
	cursor->next = varint_read_signed(cursor->next, &jump->target.line);
	jump->at = cursor->last;
	jump->target.instr += jump->at.instr;
	jump->target.line += jump->at.line;
	jump->file = jump->target_file = cursor->file;
	jump->target_function = cursor->own_name;
	jump->is_conditional = head & SEGMENT_CONDITIONAL;
	jump->has_function = head & SEGMENT_FUNCTION;
	if (head & SEGMENT_TARGET_FILE) {
		cursor->next = varint_read(cursor->next, &number);
		jump->target_file = (uint32_t)number;
	}
	if (head & SEGMENT_FUNCTION) {
		cursor->next = varint_read(cursor->next, &number);
		jump->target_function = (uint32_t)number;
	}
	return true;
}

int unpack_segment(struct cost_buffer *buffer, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment)
{
	struct model_cursor cursor;
	struct model_line line;
	struct model_call call;
	struct model_jump jump;
	int status = PROFILE_OK;

	cursor_enter(&cursor, model, function, segment, SECTION_LINES);
	while (!status && model_next_line(&cursor, &line)) {
		const struct cost_buffer_key key = { line.at, line.file };

		status = cost_buffer_add_line(buffer, &key, line.costs, line.n_costs);
	}
	cursor_enter(&cursor, model, function, segment, SECTION_CALLS);
	while (model_next_call(&cursor, &call))
		cost_buffer_add_call(buffer, &call);
	cursor_enter(&cursor, model, function, segment, SECTION_JUMPS);
	while (model_next_jump(&cursor, &jump))
		cost_buffer_add_jump(buffer, &jump);
	return status;
}
