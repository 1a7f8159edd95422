/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time that nobody sets: to measure what passes. */
#ifndef CMDS_COMMON_MONOTONIC_H
#define CMDS_COMMON_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some moment that stays the same while the system runs. */
static inline int64_t monotonic_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
