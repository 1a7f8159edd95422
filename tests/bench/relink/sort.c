/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers are sorted by their digits, with an output for each digit.  PART: as in hash.c. */
#include <stdalign.h>
#include <stdint.h>

enum { PARTS = 4, N = 3600, DIGITS = 256, ROUNDS = 20 };

#if PART == 0
alignas(64) uint32_t from[N];
#elif PART == 1
alignas(64) uint32_t to[N];
#elif PART == 2
alignas(64) uint32_t begin[4][DIGITS + 1];
#else
extern uint32_t from[N], to[N], begin[4][DIGITS + 1];

static void pass(const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict next,
		 unsigned shift)
{
	for (unsigned i = 0; i <= DIGITS; i++)
		next[i] = 0;
	for (unsigned i = 0; i < N; i++)
		next[(in[i] >> shift & 255) + 1]++;
	for (unsigned i = 1; i <= DIGITS; i++)
		next[i] += next[i - 1];
	for (unsigned i = 0; i < N; i++)
		out[next[in[i] >> shift & 255]++] = in[i];
}

__attribute__((noinline)) void work(void)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < N; i++)
			from[i] = from[i] * 2654435761U + i;
		for (unsigned digit = 0; digit < 4; digit += 2) {
			pass(from, to, begin[digit], 8 * digit);
			pass(to, from, begin[digit + 1], 8 * digit + 8);
		}
	}
}

int main(void)
{
	work();
	return from[0] > from[1];
}
#endif
