/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells in rows and columns: as aligned text, or as a Markdown table.  The
 * last column is names, to the left; all others are numbers, to the right.
 */
#ifndef CMDS_TEXT_GRID_H
#define CMDS_TEXT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "profile/common/arena.h"

/* Fields are private, but failed.  The first row is the heads of the columns. */
struct grid {
	struct arena *arena; /* cells live there */
	const char **cells;  /* of the heap */
	size_t n_columns, n_cells, capacity;
	bool failed; /* memory ran out */
};

void grid_init(struct grid *grid, struct arena *arena, size_t n_columns);
void grid_release(struct grid *grid);

/* The next cell of the row; the text is copied.  Control characters are made visible. */
void grid_add(struct grid *grid, const char *text);

/* How many rows there are behind the heads. */
size_t grid_rows(const struct grid *grid);

void grid_print_text(const struct grid *grid, FILE *out);

/* At most max_rows rows behind the heads; prints max_rows + 2 lines at most. */
void grid_print_markdown(const struct grid *grid, FILE *out, size_t max_rows);

#endif
