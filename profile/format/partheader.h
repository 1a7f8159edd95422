/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader: lines "key: value", and where parts begin and end. */
#ifndef PROFILE_FORMAT_PARTHEADER_H
#define PROFILE_FORMAT_PARTHEADER_H

#include <stdbool.h>

#include "profile/format/reading.h"

/* The first part of a file; names are there. */
void partheader_begin(struct reader *reader);

/* "key: value"; end is the line's end. */
int partheader_line(struct reader *reader, const char *p, const char *end);

/* The body begins, or goes on: reports the part to the visitor if that does not know it. */
int partheader_enter_body(struct reader *reader);

/* Whether there is nothing in the file, so far, that Cachegrind does not write. */
bool partheader_is_of_cachegrind(const struct reader *reader);

/* The part ends, if there is one; at_end: of the file. */
int partheader_end_part(struct reader *reader, bool at_end);

#endif
