/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: how a segment is packed.  A number takes a byte for each seven of its bits, least
 * first.  Below them stand a 1 and as many zeros as bytes follow the first one, so that the first
 * byte says how long the number is, and all of it is read at once.  A number of more than 56 bits
 * stands as it is behind a byte 0.  Differences and counts have their sign in the lowest bit.  So a
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

#include "profile/common/word.h"
#include "profile/model/cost_buffer.h"
#include "profile/model/model.h"

struct model_segment {
	struct model_segment *next; /* of the function */
	uint32_t part;
	uint32_t len;    /* bytes of data */
	bool by_numbers; /* what it has is sorted otherwise by other numbers of files and functions */
	unsigned char data[]; /* in an arena, where varint_read() may look behind it */
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

/* Reads, and ignores, up to WORD_BYTES - 1 bytes behind the number. */
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

/*
 * Cursors on one segment, before a function has only one of each part; and the way of a segment
 * back into a buffer, to be sorted once more.  (cursor.c)
 */

/* The segment that a function has of a part, in a model that is finished; NULL if none. */
const struct model_segment *cursor_segment(const struct model *model, uint32_t function,
					   uint32_t part);

/* Sets a cursor each to what a segment (NULL: nothing) of a function has. */
void cursor_enter_lines(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment);
void cursor_enter_calls(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment);
void cursor_enter_jumps(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment);

/* Adds what a segment (NULL: nothing) of a function has to a buffer.  Returns a status. */
int unpack_segment(struct cost_buffer *buffer, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment);

#endif
