/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An endless stream of branches, random and adversarial: some take turns at random, some go round as loops of many
 * lengths with nothing between their turns, some repeat a pattern, do what the exclusive or of two earlier outcomes says, or are
 * biased; keys are chosen so that branches share cells, loops share places, and the target buffer has to forget;
 * calls nest deeper at times than return stacks are.
 */
#ifndef TESTS_SIM_BRANCHES_BRANCHSTREAM_H
#define TESTS_SIM_BRANCHES_BRANCHSTREAM_H

#include "tests/common/check.h"

enum stream_kind {
	STREAM_BRANCH,
	STREAM_JUMP,
	STREAM_RETURN,
	STREAM_TAKE,
	STREAM_CALL,
};

/* place is a number below STREAM_PLACES; outcome is whether it is taken, a target, or a return address. */
struct stream_event {
	enum stream_kind kind;
	unsigned place;
	uint64_t outcome;
};

enum {
	STREAM_PLACES = 2048,
	STREAM_SHARED = 512, /* from here on, low bits of keys are earlier ones' */
	STREAM_MAX_DEPTH = 600,
	STREAM_BEHAVIOURS = 8,
};

struct branchstream {
	struct check_random random;
	uint64_t outcomes; /* of branches, the newest in bit 0 */
	unsigned place;    /* whose turn it is, and for how many times more */
	unsigned more;
	uint32_t turns[STREAM_PLACES]; /* executions, of loops since their last end */
	uint32_t n[STREAM_PLACES];     /* length of a loop, pattern or list of targets */
	uint64_t stack[STREAM_MAX_DEPTH];
	unsigned depth, wanted; /* of calls: now, and where it goes to */
};

/* The key of a place. */
static inline uint64_t stream_key(unsigned place)
{
	struct check_random random = { 1 + place };

	if (place < STREAM_SHARED) {
		const uint64_t first = check_random(&random);

		return first ^ check_random(&random);
	}
	/* Cells are shared, which bits from 20 on choose, and what goes by the lowest 12 bits, or 14. */
	return (check_random(&random) & ~UINT64_C(0x3FFFFF3FFF)) ^
	       (stream_key(place % STREAM_SHARED) &
		(UINT64_C(0x3FFFF00000) | (place % 2 == 0 ? 0xFFF : 0x3FFF)));
}

static inline void stream_init(struct branchstream *stream, uint64_t seed)
{
	static const uint32_t lengths[] = { 1,  2,  3,  4,  5,  7,   8,   13,  16,  30,
					    62, 63, 64, 65, 70, 100, 127, 128, 129, 300 };

	*stream = (struct branchstream){ .random = { seed } };
	for (unsigned i = 0; i < STREAM_PLACES; i++)
		stream->n[i] = lengths[check_random_below(&stream->random,
							  sizeof(lengths) / sizeof(lengths[0]))];
}

/* What the branch at the place whose turn it is does. */
static inline bool stream_outcome(struct branchstream *stream)
{
	const unsigned place = stream->place;
	const uint32_t n = stream->n[place];
	const uint32_t turn = ++stream->turns[place];

	switch (place % STREAM_BEHAVIOURS) {
	case 0: /* a loop; rarely one of another length */
		if (turn < n)
			return place % 3 != 0;
		stream->turns[place] = 0;
		if (check_random_below(&stream->random, 200) == 0)
			stream->n[place] = 1 + (uint32_t)check_random_below(&stream->random, 200);
		return place % 3 == 0;
	case 1:
		return check_random_below(&stream->random, 2) == 0;
	case 2:
		return check_random_below(&stream->random, 100) != 0;
	case 3: /* as 5 bits by its place say */
		return (0x9E3779B9U >> (place >> 3) % 27 >> turn % 5 & 1) != 0;
	case 4:
		return ((stream->outcomes >> place % 11 ^ stream->outcomes >> place % 7) & 1) != 0;
	case 5: /* the other way for a long time */
		return turn / 500 % 2 == 0;
	case 6:
		return turn % 2 == 0;
	default:
		return place % 16 == 7;
	}
}

static inline uint64_t stream_target(struct branchstream *stream)
{
	const unsigned place = stream->place;
	const uint32_t turn = ++stream->turns[place];
	uint64_t which;

	switch (place % 4) {
	case 0:
		which = 0;
		break;
	case 1:
		which = turn % stream->n[place];
		break;
	case 2:
		which = stream->outcomes & 7;
		break;
	default:
		which = check_random_below(&stream->random, 10) == 0 ? turn % 5 : 7;
		break;
	}
	return 0x400000 + place * 0x1000 + which * 0x34;
}

/* Calls and returns: the depth goes to where it is wanted, then somewhere else. */
static inline struct stream_event stream_nesting(struct branchstream *stream)
{
	uint64_t address;

	if (stream->depth == stream->wanted)
		stream->wanted = (unsigned)check_random_below(
			&stream->random,
			check_random_below(&stream->random, 50) == 0 ? STREAM_MAX_DEPTH : 20);
	if (stream->depth < stream->wanted) {
		address = 0x500000 + check_random_below(&stream->random, 200) * 5;
		stream->stack[stream->depth++] = address;
		return (struct stream_event){ STREAM_CALL, 0, address };
	}
	if (stream->depth == 0)
		return (struct stream_event){ STREAM_TAKE, stream->place, 1 };
	address = stream->stack[--stream->depth];
	if (check_random_below(&stream->random, 300) == 0)
		address++; /* it was changed */
	return (struct stream_event){ STREAM_RETURN, 1 + stream->depth % 7, address };
}

static inline struct stream_event stream_next(struct branchstream *stream)
{
	struct stream_event event;

	if (stream->more == 0) {
		uint64_t what;

		/* Most of the time few, so that they are learned. */
		stream->place = (unsigned)check_random_below(
			&stream->random,
			check_random_below(&stream->random, 8) == 0 ? STREAM_PLACES : 48);
		what = check_random_below(&stream->random, 16);
		if (what < 4)
			return stream_nesting(stream);
		if (what == 4)
			return (struct stream_event){ STREAM_TAKE, stream->place, 1 };
		if (what < 8)
			return (struct stream_event){ STREAM_JUMP, stream->place,
						      stream_target(stream) };
		stream->more = 1;
		if (stream->place % STREAM_BEHAVIOURS != 0)
			stream->more = what == 8 ? 70 : 1;
		else if (what < 12) /* all of its turns, once or so often that it is learned */
			stream->more = stream->n[stream->place] *
				       (check_random_below(&stream->random, 30) == 0 ? 20 : 1);
	}
	stream->more--;
	event = (struct stream_event){ STREAM_BRANCH, stream->place, stream_outcome(stream) };
	stream->outcomes = stream->outcomes << 1 | event.outcome;
	return event;
}

#endif
