/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops, and how many fetch windows their code touches.  Numbers only: where they come from is
 * hotcode.h's.
 *
 * A loop is code from the target of a backward jump to the end of that jump, [begin, end), both in one function.
 * Its turns are how often such jumps were taken.  Jumps back to one target are one loop, which ends behind the last
 * of them that has at least LOOP_SHARE of its turns.  Of loops within each other only the innermost
 * counts: a loop goes if one in it has at least LOOP_SHARE of its turns; else the one in it does, as
 * part of the body.  Of two that overlap, neither within the other, one with less than LOOP_SHARE of the other's turns
 * goes; else both are one loop, as control goes round in all of it.  So no code is in two loops.
 *
 * A window is an aligned block of 16, 32 or 64 bytes: what processors fetch at a time, or keep together
 * decoded.  Code of size bytes touches ceil(size / W) windows of W bytes at least.  As W divides the page
 * size, addresses in the object's file say as much as those at run time.
 */
#ifndef CMDS_PLACEMENT_LOOPS_H
#define CMDS_PLACEMENT_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LOOP_SHARE = 10, /* percent */
	LOOP_MOST_BYTES =
		512, /* eight windows of 64; in a longer one, one window more is not felt */
};

enum { WINDOWS_16, WINDOWS_32, WINDOWS_64, N_WINDOWS };

/* Bytes of a window. */
static inline uint64_t window_size(unsigned window)
{
	return (uint64_t)16 << window;
}

/* Windows that [begin, end) touches; begin < end. */
static inline uint64_t windows_touched(uint64_t begin, uint64_t end, unsigned window)
{
	return (end - 1) / window_size(window) - begin / window_size(window) + 1;
}

/* The fewest that so many bytes can touch. */
static inline uint64_t windows_needed(uint64_t bytes, unsigned window)
{
	return (bytes + window_size(window) - 1) / window_size(window);
}

struct loop {
	uint32_t object;
	uint64_t begin, end;
	uint64_t turns;
	uint64_t jump; /* address of the last jump back */
};

/*
 * Makes loops of n backward jumps, each given as one: in place, by object and begin.  Returns how many
 * they are.  One that has become longer than LOOP_MOST_BYTES is left out.
 */
size_t loops_find(struct loop *loops, size_t n);

/* Whether it touches more windows of any size than it has to. */
bool loop_is_misplaced(const struct loop *loop);

/*
 * The smallest alignment, 16, 32 or 64, at which code of so many bytes that begins at an offset from an aligned
 * address touches no more windows than it has to, whichever aligned address it is; 0 = none is enough.  With an
 * offset of 0 there always is one, if bytes is not 0.
 */
unsigned placement_alignment(uint64_t offset, uint64_t bytes);

#endif
