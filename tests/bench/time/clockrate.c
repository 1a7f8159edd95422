/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clockrate: prints how many cycles this processor has in a nanosecond. */
#include <stdio.h>

#include "tests/bench/time/clock.h"

int main(void)
{
	double best = 0;

	for (int i = 0; i < 10; i++) {
		const double rate = clock_rate();

		best = rate > best ? rate : best;
	}
	printf("%.4f\n", best);
	return 0;
}
