/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared.h"

volatile long cell = 1;

static inline __attribute__((always_inline)) long twice(long times)
{
	long sum = read_cell(times);

	return sum + read_cell(2 * times);
}

static ALONE long own(long times)
{
	return read_cell(times) - 1;
}

ALONE long work(long times)
{
	return twice(times) + own(times);
}
