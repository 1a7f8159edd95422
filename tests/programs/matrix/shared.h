/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One source for all compilers and linkers: tests/tool/symbols/matrix.sh says what is to be found of it. */
#ifndef TESTS_PROGRAMS_MATRIX_SHARED_H
#define TESTS_PROGRAMS_MATRIX_SHARED_H

#ifdef __clang__
# define ALONE __attribute__((noinline))
#else
# define ALONE __attribute__((noinline, noclone))
#endif

extern volatile long cell;

static inline __attribute__((always_inline)) long read_cell(long times)
{
	long sum = 0;

	for (long i = 0; i < times; i++)
		sum += cell;
	return sum;
}

/* Of the same file: called directly, whatever the linker. */
__attribute__((visibility("hidden"))) long work(long times);
long plug(long times);

#endif
