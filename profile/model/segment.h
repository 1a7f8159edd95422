/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: how a segment is packed.  A number takes a byte for each seven of its bits, least
 * first.  Below them are a 1 and as many zeros as bytes follow the first one, so that the first
 * byte says how long the number is, and all of it is read at once.  A number of more than 56 bits
 * is stored as it is, after a byte 0.  Differences and counts have their sign in the lowest bit.  So a
 * number takes no more bytes than its digits, and a profile less than its text.
 *
 * A segment's data: sizes of sums, lines and calls in bytes, then the sums of the lines' costs, lines,
 * calls, jumps.  Each of the last three begins with a head: SEGMENT_ bits, what changed since the one before,
 * and from SEGMENT_SHIFT on, of lines and calls, the number of costs.
 */
#ifndef PROFILE_MODEL_SEGMENT_H
#define PROFILE_MODEL_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/scan.h"
#include "profile/model/model.h"

struct model_segment {
	struct model_segment *next; /* of the function */
	uint32_t part;
	uint32_t len;    /* bytes of data */
	bool by_numbers; /* what it has is sorted otherwise by other numbers of files and functions */
	unsigned char data[]; /* in an arena, where varint_read() may read past it */
};

enum {
	SEGMENT_INSTR = 1, /* a difference follows */
	SEGMENT_LINE = 2,
	SEGMENT_FILE = 4, /* its number follows */
	SEGMENT_SHIFT = 3,
	SEGMENT_CONDITIONAL = 8, /* of jumps */
	SEGMENT_TARGET_FILE = 16,
	SEGMENT_FUNCTION = 32,
	VARINT_MAX_BYTES = 9, /* of a number */
};

/* Writes up to VARINT_MAX_BYTES, whatever the number's length is. */
static inline unsigned char *varint_write(unsigned char *p, uint64_t value)
{
	unsigned len = 1 + word_highest_bit(value | 1) * 37 / 256; /* a division by 7, up to 56 */

	if (value >> 56) {
		*p++ = 0;
		word_store(p, value);
		return p + WORD_BYTES;
	}
	word_store(p, (value << 1 | 1) << (len - 1));
	return p + len;
}

/* A number as two's complement. */
static inline unsigned char *varint_write_signed(unsigned char *p, uint64_t value)
{
	return varint_write(p, value << 1 ^ -(value >> 63));
}

/* Reads, and ignores, up to WORD_BYTES - 1 bytes after the number. */
static inline const unsigned char *varint_read(const unsigned char *p, uint64_t *value)
{
	unsigned len;

	if (*p == 0) {
		*value = word_load(p + 1);
		return p + 1 + WORD_BYTES;
	}
	len = 1 + word_lowest_bit(*p);
	*value = word_load(p) << (64 - 8 * len) >> (64 - 7 * len);
	return p + len;
}

static inline const unsigned char *varint_read_signed(const unsigned char *p, uint64_t *value)
{
	p = varint_read(p, value);
	*value = *value >> 1 ^ -(*value & 1);
	return p;
}

/* -- a function at work ----------------------------------------------------------------- */

/*
 * Lines, calls and jumps of one function as they are reported, until they are sorted, summed up and packed into a
 * segment.  It is small enough to stay in the processor's cache, and used again for the next function.  Zeros are
 * an empty buffer, which sorts by numbers.
 */

/* By what lines are sorted, before all else. */
struct cost_buffer_key {
	struct position at;
	uint32_t file;
};

struct cost_buffer_line {
	struct cost_buffer_key key;
	uint32_t n_costs; /* without zeros at the end */
	uint32_t start;   /* of its packed costs, in line_costs */
	uint32_t len;     /* bytes there */
};

struct cost_buffer_call {
	struct model_call call;
	size_t costs; /* instead of call.costs: its place in the buffer's costs, which move */
};

/* Ranks of files, functions and names by their numbers; NULL: the numbers. */
struct cost_buffer_ranks {
	uint32_t *files, *functions, *names;
};

enum {
	COST_BUFFER_MAX = 16 * 1024, /* lines, calls or jumps before it is full */
};

struct cost_buffer {
	struct cost_buffer_ranks ranks; /* to sort by, borrowed */
	struct cost_buffer_line *lines;
	struct cost_buffer_call *calls;
	struct model_jump *jumps;
	uint64_t *costs;
	size_t n_lines, n_calls, n_jumps, n_costs;
	size_t lines_capacity, calls_capacity, jumps_capacity, costs_capacity;
	unsigned char *line_costs; /* packed */
	size_t line_costs_used, line_costs_capacity;
	uint64_t sums[PROFILE_MAX_EVENTS]; /* of the self costs */
	size_t n_sums;                     /* the rest is 0 */
	bool has_self;                     /* costs without lines, see cost_buffer_add_self() */
	struct cost_buffer_line *sorting;  /* room for the lines while they are sorted */
	size_t sorting_capacity;
	unsigned char *bytes; /* being packed */
	size_t bytes_capacity;
	bool lines_sorted, calls_sorted, jumps_sorted; /* each key more than the last */
	uint32_t own_file, own_name;                   /* of the function */
	bool is_signed;
	uint64_t all_costs; /* or-ed: has a bit if some cost or sum has it */
	/*
	 * Set by the owner while counts are not signed but may become so: sums beyond 64 bits are no
	 * failure then, but noted here until the owner has looked.
	 */
	bool may_be_signed;
	bool left_unsigned, left_signed; /* a sum is not from 0 to 2^64 - 1; or -2^63 to 2^63 - 1 */
};

void cost_buffer_release(struct cost_buffer *buffer);

/* Empties it for a function with this file and name. */
void cost_buffer_begin(struct cost_buffer *buffer, uint32_t own_file, uint32_t own_name,
		       bool is_signed);

static inline bool cost_buffer_is_empty(const struct cost_buffer *buffer)
{
	return buffer->n_lines == 0 && buffer->n_calls == 0 && buffer->n_jumps == 0 &&
	       !buffer->has_self;
}

/* True if it should be packed, though more is to come. */
static inline bool cost_buffer_is_full(const struct cost_buffer *buffer)
{
	return buffer->n_lines > COST_BUFFER_MAX || buffer->n_calls > COST_BUFFER_MAX ||
	       buffer->n_jumps > COST_BUFFER_MAX ||
	       buffer->line_costs_used > (size_t)64 * COST_BUFFER_MAX ||
	       buffer->n_costs > (size_t)8 * COST_BUFFER_MAX;
}

/* <0, 0, >0: the order of lines.  The function's own file is before all others. */
int cost_buffer_compare_keys(const struct cost_buffer *buffer, const struct cost_buffer_key *a,
			     const struct cost_buffer_key *b);

/* Costs are copied, zeros at their end left out.  A line's are summed up: returns a status. */
int cost_buffer_add_line(struct cost_buffer *buffer, const struct cost_buffer_key *key,
			 const uint64_t *costs, size_t n_costs);
void cost_buffer_add_call(struct cost_buffer *buffer, const struct model_call *call);
void cost_buffer_add_jump(struct cost_buffer *buffer, const struct model_jump *jump);

/* Sorts, and makes one of those that have one key.  PROFILE_RANGE if a sum is beyond 64 bits. */
int cost_buffer_merge(struct cost_buffer *buffer);

/* Self costs at no position at all: one line in the end.  Not with cost_buffer_add_line(). */
int cost_buffer_add_self(struct cost_buffer *buffer, const uint64_t *costs, size_t n_costs);

/* Adds all self costs to n sums; false if one is beyond 64 bits. */
bool cost_buffer_sum(struct cost_buffer *buffer, uint64_t *sums, size_t n);

/* Packs it, merged, into a new segment for a part. */
struct model_segment *cost_buffer_pack(struct cost_buffer *buffer, struct arena *arena,
				       uint32_t part);

/* -- segments, read --------------------------------------------------------------------- */

/* The segment that a function has of a part, in a model that is finished; NULL if none. */
const struct model_segment *cursor_segment(const struct model *model, uint32_t function,
					   uint32_t part);

enum segment_section {
	SECTION_LINES,
	SECTION_CALLS,
	SECTION_JUMPS,
};

/* Sets a cursor to what a segment (NULL: nothing) of a function has. */
void cursor_enter(struct model_cursor *cursor, const struct model *model,
		  const struct model_function *function, const struct model_segment *segment,
		  enum segment_section section);

/* Adds what a segment (NULL: nothing) of a function has to a buffer, to be sorted once more.  Returns a status. */
int unpack_segment(struct cost_buffer *buffer, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment);

#endif
