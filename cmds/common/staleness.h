/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When files were changed. */
#ifndef CMDS_COMMON_STALENESS_H
#define CMDS_COMMON_STALENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Whether a time is later than another one; not, if that is not known (NULL). */
static inline bool staleness_is_later(const struct timespec *time, const struct timespec *than)
{
	if (!than)
		return false;
	return time->tv_sec != than->tv_sec ? time->tv_sec > than->tv_sec
					    : time->tv_nsec > than->tv_nsec;
}

#endif
