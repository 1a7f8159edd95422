/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/arrows.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum { MAX_LENGTH = 4096 }; /* rows; longer ones tell nothing */

static size_t first_of(const struct arrow *arrow)
{
	return arrow->from < arrow->to ? arrow->from : arrow->to;
}

static size_t last_of(const struct arrow *arrow)
{
	return arrow->from < arrow->to ? arrow->to : arrow->from;
}

static int compare_lengths(const void *a, const void *b)
{
	const struct arrow *of_a = a, *of_b = b;
	size_t len_a = last_of(of_a) - first_of(of_a), len_b = last_of(of_b) - first_of(of_b);

	if (len_a != len_b)
		return len_a < len_b ? -1 : 1;
	if (first_of(of_a) != first_of(of_b))
		return first_of(of_a) < first_of(of_b) ? -1 : 1;
	return (of_a->from > of_b->from) - (of_a->from < of_b->from);
}

static int compare_rows(const void *a, const void *b)
{
	const struct arrow *of_a = a, *of_b = b;

	if (first_of(of_a) != first_of(of_b))
		return first_of(of_a) < first_of(of_b) ? -1 : 1;
	return (of_a->lane > of_b->lane) - (of_a->lane < of_b->lane);
}

/* taken[row] has a bit for each lane. */
static void place(struct arrow *arrow, unsigned short *taken, unsigned *n_lanes)
{
	size_t first = first_of(arrow), last = last_of(arrow);
	unsigned short all = 0;
	unsigned lane = 0;

	arrow->lane = ARROWS_NO_LANE;
	if (first == last || last - first > MAX_LENGTH)
		return;
	for (size_t row = first; row <= last; row++)
		all |= taken[row];
	while (lane < ARROWS_MAX_LANES && (all >> lane & 1U))
		lane++;
	if (lane == ARROWS_MAX_LANES)
		return;
	for (size_t row = first; row <= last; row++)
		taken[row] |= (unsigned short)(1U << lane);
	arrow->lane = lane;
	if (lane + 1 > *n_lanes)
		*n_lanes = lane + 1;
}

void arrows_place(struct arrow *arrows, size_t n, size_t n_rows, unsigned *n_lanes)
{
	unsigned short *taken = heap_zeroed(n_rows + 1, sizeof(*taken));

	*n_lanes = 0;
	if (n > 0)
		qsort(arrows, n, sizeof(*arrows), compare_lengths);
	for (size_t i = 0; i < n; i++)
		place(&arrows[i], taken, n_lanes);
	if (n > 0)
		qsort(arrows, n, sizeof(*arrows), compare_rows);
	free(taken);
}

void arrows_begin(struct arrow_drawing *drawing, const struct arrow *arrows, size_t n,
		  unsigned n_lanes)
{
	*drawing = (struct arrow_drawing){ .arrows = arrows, .n = n, .n_lanes = n_lanes };
}

/* The column of a lane: the outermost is the first. */
static size_t column_of(const struct arrow_drawing *drawing, unsigned lane)
{
	return drawing->n_lanes - 1 - lane;
}

static void clear(const struct arrow_drawing *drawing, char *text)
{
	size_t width = drawing->n_lanes > 0 ? drawing->n_lanes + 2 : 0;

	memset(text, ' ', width);
	text[width] = '\0';
}

/* From its column to the text. */
static void draw_end(const struct arrow_drawing *drawing, const struct arrow *arrow, size_t row,
		     char *text)
{
	size_t column = column_of(drawing, arrow->lane);

	text[column] = row == first_of(arrow) ? '/' : '\\';
	for (size_t i = column + 1; i <= drawing->n_lanes; i++)
		if (text[i] == ' ' || text[i] == '|')
			text[i] = text[i] == '|' ? '+' : '-';
	if (row == arrow->to)
		text[drawing->n_lanes] = '>';
}

void arrows_row(struct arrow_drawing *drawing, size_t row, char text[ARROWS_MAX_LANES + 3])
{
	while (drawing->next < drawing->n && first_of(&drawing->arrows[drawing->next]) <= row) {
		const struct arrow *arrow = &drawing->arrows[drawing->next++];

		if (arrow->lane != ARROWS_NO_LANE)
			drawing->active[arrow->lane] = arrow;
	}
	clear(drawing, text);
	for (unsigned lane = 0; lane < drawing->n_lanes; lane++) {
		const struct arrow *arrow = drawing->active[lane];

		if (arrow && first_of(arrow) < row && row < last_of(arrow))
			text[column_of(drawing, lane)] = '|';
	}
	/* The outermost last: it crosses the others. */
	for (unsigned lane = 0; lane < drawing->n_lanes; lane++) {
		const struct arrow *arrow = drawing->active[lane];

		if (arrow && (row == first_of(arrow) || row == last_of(arrow)))
			draw_end(drawing, arrow, row, text);
	}
}

void arrows_between(const struct arrow_drawing *drawing, size_t last,
		    char text[ARROWS_MAX_LANES + 3])
{
	clear(drawing, text);
	for (unsigned lane = 0; lane < drawing->n_lanes; lane++) {
		const struct arrow *arrow = drawing->active[lane];

		if (arrow && first_of(arrow) <= last && last < last_of(arrow))
			text[column_of(drawing, lane)] = '|';
	}
}
