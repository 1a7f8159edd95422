/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: how a segment is packed.  Numbers are written seven bits
 * a byte, least first, with the high bit set in all but the last byte;
 * differences and counts with their sign in the lowest bit.  So a number takes
 * no more bytes than its digits, and a profile less than its text.
 *
 * A segment's data: sizes of lines and calls in bytes, then lines, calls, jumps.
 * Each of these begins with a head: SEGMENT_ bits, what changed since the one before,
 * and from SEGMENT_SHIFT on, of lines and calls, the number of costs.
 */
#ifndef PROFILE_MODEL_SEGMENT_H
#define PROFILE_MODEL_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include "profile/model/cost_buffer.h"
#include "profile/model/model.h"

struct model_segment {
	struct model_segment *next; /* of the function */
	uint32_t part;
	uint32_t len; /* bytes of data */
	unsigned char data[];
};

enum {
	SEGMENT_INSTR = 1, /* a difference follows */
	SEGMENT_LINE = 2,
	SEGMENT_FILE = 4, /* its number follows */
	SEGMENT_SHIFT = 3,
	SEGMENT_CONDITIONAL = 8, /* of jumps */
	SEGMENT_TARGET_FILE = 16,
	SEGMENT_FUNCTION = 32,
	VARINT_MAX_BYTES = 10, /* of a number */
};

static inline unsigned char *varint_write(unsigned char *p, uint64_t value)
{
	while (value >= 0x80) {
		*p++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*p++ = (unsigned char)value;
	return p;
}

/* A number as two's complement. */
static inline unsigned char *varint_write_signed(unsigned char *p, uint64_t value)
{
	return varint_write(p, value << 1 ^ -(value >> 63));
}

static inline const unsigned char *varint_read(const unsigned char *p, uint64_t *value)
{
	uint64_t v = *p++;

	if (v >= 0x80) {
		unsigned shift = 7;

		v &= 0x7f;
		while (*p >= 0x80) {
			v |= (uint64_t)(*p++ & 0x7f) << shift;
			shift += 7;
		}
		v |= (uint64_t)*p++ << shift;
	}
	*value = v;
	return p;
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

/* What to have in place of the numbers in a segment, by number; NULL: the numbers. */
struct unpack_ranks {
	const uint32_t *files, *functions, *names;
};

/* Adds what a segment (NULL: nothing) of a function has to a buffer.  Returns a status. */
int unpack_segment(struct cost_buffer *buffer, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment,
		   const struct unpack_ranks *ranks);

#endif
