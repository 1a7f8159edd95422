/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines "desc: name: text" that the program adds to the header of profiles. */
#ifndef TOOL_OUTPUT_DESC_H
#define TOOL_OUTPUT_DESC_H

#include "pub_tool_basics.h"

struct desc;
struct writer;

/* In the order in which they were added; all zero is none. */
struct descs {
	struct desc *first, *last;
	UInt n;
};

enum {
	MAX_DESCS = 1000, /* a program may add lines in a loop */
};

/*
 * Adds a line, unless there is the same one; what would end it becomes a blank.  Both are
 * copied.  Returns whether there was room.
 */
Bool descs_add(struct descs *descs, const HChar *name, const HChar *text);

void descs_write(const struct descs *descs, struct writer *writer);

#endif
