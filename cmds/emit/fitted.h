/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream whose lines are no longer than a width: longer ones are broken between words, the rest of them indented
 * as they are, and words that are longer than that are cut in the middle, as are titles ("-- ...") of more than three lines.  Tables are fitted before
 * (document_text.c); this is for prose, and for what nobody thought of.
 */
#ifndef CMDS_EMIT_FITTED_H
#define CMDS_EMIT_FITTED_H

#include <stdio.h>

#include "profile/common/heap.h"

enum {
	FITTED_LEAST = 40, /* columns; less is taken for this */
	FITTED_PIPE = 120, /* where there is no terminal that has a width */
};

#define FITTED_UNLIMITED ((size_t)-1)

/* Fields are private. */
struct fitted {
	FILE *out, *under;
	size_t width;
	struct bytes line;
};

/* Opens it above a stream, which is borrowed, and where errors stick; what is printed to fitted->out goes there. */
void fitted_open(struct fitted *fitted, FILE *out, size_t width);

/* Has the lines that are printed from now on another width; returns the one of before. */
size_t fitted_set_width(struct fitted *fitted, size_t width);
void fitted_close(struct fitted *fitted);

/*
 * The width that text on standard output has: `wanted`, or if that is 0, the terminal's, or FITTED_PIPE if it is
 * none.  FITTED_UNLIMITED stays so.
 */
size_t fitted_width(size_t wanted);

#endif
