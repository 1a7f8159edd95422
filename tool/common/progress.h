/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells somebody who waits at a terminal how far a long piece of work has come. */
#ifndef TOOL_COMMON_PROGRESS_H
#define TOOL_COMMON_PROGRESS_H

#include "pub_tool_basics.h"

struct progress {
	Bool silent;
	UInt told; /* milliseconds, when something was said last, or of the start */
};

/* Work begins; silent: nothing is ever said. */
void progress_begin(struct progress *progress, Bool silent);

/* So much of all is done.  Says so every two seconds, if file descriptor 2 is a terminal. */
void progress_at(struct progress *progress, ULong done, ULong all);

#endif
