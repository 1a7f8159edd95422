/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

/* -- SVG -------------------------------------------------------------------------------- */

enum {
	TEXT = 120, /* bytes that are shown of a text */
	SHOWN_TEXT = 400,
};

void svg_text(FILE *out, const char *text)
{
	char shown[SHOWN_TEXT];
	size_t len = visible_copy(shown, sizeof(shown), text, strlen(text));

	for (size_t i = 0; i < len;) {
		size_t n = unicode_len(shown + i, len - i);

		if (i >= TEXT) {
			fputs("...", out);
			return;
		}
		if (n == 0 || unicode_is_noncharacter(shown + i, n)) {
			fputs(UNICODE_REPLACEMENT, out);
			n = n == 0 ? 1 : n;
		} else if (shown[i] == '<') {
			fputs("&lt;", out);
		} else if (shown[i] == '>') {
			fputs("&gt;", out);
		} else if (shown[i] == '&') {
			fputs("&amp;", out);
		} else {
			fwrite(shown + i, 1, n, out);
		}
		i += n;
	}
}

void svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
	fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		class, x1, y1, x2, y2);
}

void svg_begin_text(FILE *out, const char *class, const char *anchor, double x, double y)
{
	fprintf(out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor,
		x, y);
}

void svg_end_text(FILE *out)
{
	fputs("</text>\n", out);
}

/* -- drawings ------------------------------------------------------------------------------------- */

static void put_title(FILE *out, const char *title, const char *more)
{
	fputs(title, out);
	if (more)
		svg_text(out, more);
}

void svg_begin(FILE *out, double width, double height, const char *title, const char *more,
	       const char *light_style, const char *dark_style)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
		"height=\"%.0f\" role=\"img\">\n<title>",
		width, height, width, height);
	put_title(out, title, more);
	fprintf(out,
		"</title>\n<style>\n"
		"text { font: 12px sans-serif; fill: #222 }\n"
		".title { font-size: 15px; font-weight: bold }\n"
		".small { font-size: 10px }\n"
		".page { fill: #fff }\n"
		".grid { stroke: #ddd }\n"
		".axis { stroke: #666 }\n"
		"%s"
		"@media (prefers-color-scheme: dark) {\n"
		"text { fill: #ddd }\n"
		".page { fill: #16191d }\n"
		".grid { stroke: #333 }\n"
		".axis { stroke: #999 }\n"
		"%s}\n</style>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		light_style, dark_style);
}

void svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void svg_heading(FILE *out, const char *title, const char *more)
{
	svg_begin_text(out, "title", "start", 16, 26);
	put_title(out, title, more);
	svg_end_text(out);
}

void svg_begin_note(FILE *out)
{
	svg_begin_text(out, "small", "start", 16, 44);
}

/* -- plots ---------------------------------------------------------------------------------------- */

double svg_x(const struct svg_plot *plot, double value)
{
	return plot->left + (value - plot->least_x) / (plot->most_x - plot->least_x) *
				    (plot->right - plot->left);
}

double svg_y(const struct svg_plot *plot, double value)
{
	return plot->bottom - (value - plot->least_y) / (plot->most_y - plot->least_y) *
				      (plot->bottom - plot->top);
}

void svg_begin_column(const struct svg_plot *plot, double value)
{
	const double x = svg_x(plot, value);

	svg_line(plot->out, "grid", x, plot->top, x, plot->bottom);
	svg_begin_text(plot->out, "", "middle", x, plot->bottom + 18);
}

void svg_begin_row(const struct svg_plot *plot, double value)
{
	const double y = svg_y(plot, value);

	svg_line(plot->out, "grid", plot->left, y, plot->right, y);
	svg_begin_text(plot->out, "", "end", plot->left - 8, y + 4);
}

void svg_x_title(const struct svg_plot *plot, double below, const char *title)
{
	svg_begin_text(plot->out, "", "middle", (plot->left + plot->right) / 2,
		       plot->bottom + below);
	fputs(title, plot->out);
	svg_end_text(plot->out);
}

void svg_y_title(const struct svg_plot *plot, double x, const char *title)
{
	fprintf(plot->out,
		"<text text-anchor=\"middle\" transform=\"translate(%.0f %.0f) rotate(-90)\">%s</text>\n",
		x, (plot->top + plot->bottom) / 2, title);
}

void svg_begin_point(const struct svg_plot *plot, double x, double y, const char *radius)
{
	fprintf(plot->out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>", x, y,
		radius);
}

void svg_end_point(const struct svg_plot *plot)
{
	fputs("</title></circle>\n", plot->out);
}

double svg_log2(double number)
{
	double result = 0, bit = 0.5;

	while (number >= 2) {
		number /= 2;
		result++;
	}
	while (number < 1) {
		number *= 2;
		result--;
	}
	for (int i = 0; i < 16; i++, bit /= 2) {
		number *= number;
		if (number >= 2) {
			number /= 2;
			result += bit;
		}
	}
	return result;
}

/* -- arrows next to rows of text ---------------------------------------------------------- */

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

/* Clears the text, and draws the arrows that are on their way between rows first and last. */
static void draw_passing(const struct arrow_drawing *drawing, size_t first, size_t last, char *text)
{
	size_t width = drawing->n_lanes > 0 ? drawing->n_lanes + 2 : 0;

	memset(text, ' ', width);
	text[width] = '\0';
	for (unsigned lane = 0; lane < drawing->n_lanes; lane++) {
		const struct arrow *arrow = drawing->active[lane];

		if (arrow && first_of(arrow) < first && last < last_of(arrow))
			text[column_of(drawing, lane)] = '|';
	}
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
	draw_passing(drawing, row, row, text);
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
	draw_passing(drawing, last + 1, last, text);
}
