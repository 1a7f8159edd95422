/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What use was made of the lines of objects of data (--data=yes --cacheuse=yes): how many came into the
 * first level, and what they cost when they went (sim/lineuse.h).  A line is of the object that the
 * reference was on that brought it in, and of its offset there, whatever else lies in it.
 */
#ifndef TOOL_DATA_LINE_USES_H
#define TOOL_DATA_LINE_USES_H

#include "pub_tool_basics.h"

/* The column of lines in files of data; there is no such event in a profile. */
#define LINE_USES_EVENT      "Lines"
#define LINE_USES_EVENT_NAME "Lines brought into L1"

/*
 * Has lines watched from now on, if uses of lines are simulated; returns whether they are.  To be called
 * before code is translated.
 */
Bool line_uses_watch(void);

#endif
