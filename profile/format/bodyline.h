/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader: lines of costs, names, calls and jumps. */
#ifndef PROFILE_FORMAT_BODYLINE_H
#define PROFILE_FORMAT_BODYLINE_H

#include "profile/format/reading.h"

/* The line is another one, for which see each function; nothing has changed. */
enum { BODYLINE_NOT = -1 };

/* A line of digits, +, - or *: costs, or the source of a call or jump. */
int bodyline_costs(struct reader *reader, const char *p);

/* The same, if it is the usual line: decimal numbers, with one blank between.  Or BODYLINE_NOT. */
int bodyline_quick(struct reader *reader, const char *p);

/* "spec=name" and what looks like it; end is the line's end.  BODYLINE_NOT if it has no such spec. */
int bodyline_specification(struct reader *reader, const char *p, const char *end);

/* A jump whose source did not come; nothing if none is waiting. */
int bodyline_end_jump(struct reader *reader);

#endif
