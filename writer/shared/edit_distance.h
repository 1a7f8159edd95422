/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was probably meant by an unknown word: how far words are from
 * each other.  No symbols, so that tool and commands share it.
 */
#ifndef WRITER_SHARED_EDIT_DISTANCE_H
#define WRITER_SHARED_EDIT_DISTANCE_H

#include <stddef.h>

enum { EDIT_DISTANCE_MAX = 40 }; /* longer words are no misspelt ones */

/*
 * How many letters have to be inserted, deleted or replaced, or neighbours exchanged, to make
 * b of a; of words longer than EDIT_DISTANCE_MAX only: more than that.
 */
static inline unsigned edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned rows[3][EDIT_DISTANCE_MAX +
			 1]; /* distances from a[0 .. i-1] to b[0 .. j-1], last i first */

	if (a_len > EDIT_DISTANCE_MAX || b_len > EDIT_DISTANCE_MAX)
		return EDIT_DISTANCE_MAX + 1;
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i - 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);

			if (above[j] + 1 < best)
				best = above[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    rows[(i - 2) % 3][j - 2] + 1 < best)
				best = rows[(i - 2) % 3][j - 2] + 1;
			row[j] = best;
		}
	}
	return rows[a_len % 3][b_len];
}

#endif
