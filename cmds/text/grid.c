/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/grid.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/text/markdown.h"
#include "cmds/text/visible.h"

void grid_init(struct grid *grid, struct arena *arena, size_t n_columns)
{
	*grid = (struct grid){ .arena = arena, .n_columns = n_columns };
}

void grid_release(struct grid *grid)
{
	free(grid->cells);
	grid->cells = NULL;
}

static bool reserve(struct grid *grid)
{
	size_t capacity = grid->capacity ? 2 * grid->capacity : 64;
	const char **cells;

	if (grid->n_cells < grid->capacity)
		return true;
	cells = realloc(grid->cells, capacity * sizeof(*cells));
	if (!cells)
		return false;
	grid->cells = cells;
	grid->capacity = capacity;
	return true;
}

void grid_add(struct grid *grid, const char *text)
{
	size_t len = strlen(text), size = 4 * len + 5;
	char *cell;

	if (grid->failed)
		return;
	cell = arena_alloc(grid->arena, size, 1);
	grid->failed = !cell || !reserve(grid);
	if (grid->failed)
		return;
	visible_copy(cell, size, text, len);
	grid->cells[grid->n_cells++] = cell;
}

size_t grid_rows(const struct grid *grid)
{
	size_t rows = grid->n_cells / grid->n_columns;

	return rows > 0 ? rows - 1 : 0;
}

/* Characters, not bytes; wide ones and marks that combine are taken for one. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

void grid_print_text(const struct grid *grid, FILE *out)
{
	size_t last = grid->n_columns - 1;
	size_t *widths = calloc(grid->n_columns, sizeof(*widths));

	for (size_t i = 0; widths && i < grid->n_cells; i++) {
		size_t width = width_of(grid->cells[i]);

		if (width > widths[i % grid->n_columns])
			widths[i % grid->n_columns] = width;
	}
	for (size_t i = 0; i < grid->n_cells; i++) {
		size_t column = i % grid->n_columns;
		size_t width = width_of(grid->cells[i]);

		if (column == last) {
			fprintf(out, "%s\n", grid->cells[i]);
			continue;
		}
		if (widths && widths[column] > width)
			fprintf(out, "%*s", (int)(widths[column] - width), "");
		fprintf(out, "%s  ", grid->cells[i]);
	}
	free(widths);
}

void grid_print_markdown(const struct grid *grid, FILE *out, size_t max_rows)
{
	size_t n = grid->n_columns;
	size_t rows = grid_rows(grid) < max_rows ? grid_rows(grid) : max_rows;

	for (size_t row = 0; row <= rows && grid->n_cells >= n; row++) {
		for (size_t column = 0; column < n; column++) {
			const char *cell = grid->cells[row * n + column];

			fprintf(out, "| ");
			if (row == 0)
				markdown_string(out, cell);
			else if (column == n - 1)
				markdown_code(out, cell, strlen(cell));
			else
				fputs(cell, out);
			fputc(' ', out);
		}
		fprintf(out, "|\n");
		for (size_t column = 0; row == 0 && column < n; column++)
			fprintf(out, column == n - 1 ? "|---|\n" : "|--:");
	}
}
