/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages that the program has touched: the state of this room. */
#ifndef TOOL_PAGES_STATE_H
#define TOOL_PAGES_STATE_H

#include "pub_tool_basics.h"

#include "tool/pages/touched.h"

struct miss_paths;

struct pages_state {
	Bool is_on;
	struct touched touched;
	const struct miss_paths *within; /* the slow paths that those of this room call */
};

extern struct pages_state tool_pages;

/* The slow paths that look at pages. */
extern const struct miss_paths faulting_paths;

#endif
