/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drawing: the curve, and below it, on the same axis of sizes, a strip for each machine that is built
 * in, which says which of its levels would hold what is so large.
 *
 *	misses |*---*
 *	       |     \            knees, and where all fits, are lines from the
 *	       |      *---*---    top to the last strip
 *	       +---------------
 *	zen4   [L2   ][L3    ]
 *	zen5   [L2   ][L3    ]
 *
 * It is one file without references to others, with colours for light and for dark screens.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/curve/curve.h"
#include "cmds/emit/svg.h"
#include "profile/common/int128.h"

/* In units of the drawing, which are about pixels. */
enum {
	WIDTH = 980,
	LEFT = 150,
	RIGHT = 30,
	TOP = 70,
	PLOT = 300,  /* height of it */
	STRIPS = 46, /* from the plot to the first */
	STRIP = 17,
	STRIP_BAR = 14,
	BOTTOM = 16,
	LEAST_LABEL = 24, /* width of a strip that is labelled */
	MOST_TICKS = 6,
	SUBJECT_TEXT = 400,
};

struct drawing {
	const struct curvereport *report;
	const struct misscurve *curve;
	FILE *out;
	double first, last; /* log2 of sizes at the ends of the axis */
	double top;         /* misses at the top of the plot */
};

static const char style[] = "text { font: 12px sans-serif; fill: #222 }\n"
			    ".title { font-size: 15px; font-weight: bold }\n"
			    ".small { font-size: 10px }\n"
			    ".page { fill: #fff }\n"
			    ".grid { stroke: #ddd }\n"
			    ".axis { stroke: #666 }\n"
			    ".curve { fill: none; stroke: #b3361e; stroke-width: 2.5 }\n"
			    ".point { fill: #b3361e }\n"
			    ".mark { stroke: #222; stroke-dasharray: 5 4 }\n"
			    ".faint { opacity: 0.4 }\n"
			    ".over { paint-order: stroke; stroke: #fff; stroke-width: 4px }\n"
			    ".L1D { fill: #e6edf5 }\n"
			    ".L2 { fill: #bcd5ee }\n"
			    ".L3 { fill: #8db7e0 }\n"
			    ".L4 { fill: #6a9fd2 }\n"
			    "@media (prefers-color-scheme: dark) {\n"
			    "text { fill: #ddd }\n"
			    ".page { fill: #16191d }\n"
			    ".grid { stroke: #333 }\n"
			    ".axis { stroke: #999 }\n"
			    ".curve { stroke: #ff8a6b }\n"
			    ".point { fill: #ff8a6b }\n"
			    ".mark { stroke: #ddd }\n"
			    ".over { stroke: #16191d }\n"
			    ".L1D { fill: #232f3c }\n"
			    ".L2 { fill: #2b4a68 }\n"
			    ".L3 { fill: #356592 }\n"
			    ".L4 { fill: #3f7db6 }\n"
			    "}\n";

/* -- places and texts ------------------------------------------------------------------------- */

static double x_of(const struct drawing *drawing, uint64_t size)
{
	const double range = drawing->last > drawing->first ? drawing->last - drawing->first : 1;
	const double at = (svg_log2((double)size) - drawing->first) / range;

	return LEFT + (at < 0 ? 0 : at > 1 ? 1 : at) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct drawing *drawing, double misses)
{
	return TOP + PLOT - misses / drawing->top * PLOT;
}

static void put_count(FILE *out, uint64_t count)
{
	char text[INT128_TEXT];

	int128_print(text, count, true);
	fputs(text, out);
}

/* -- axes -------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that there are a few up to most. */
static uint64_t tick_of(uint64_t most)
{
	static const unsigned steps[] = { 1, 2, 5 };

	for (uint64_t power = 1;; power *= 10) {
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
			if (most / (power * steps[i]) < MOST_TICKS)
				return power * steps[i];
		if (power > most)
			return power;
	}
}

static void draw_misses_axis(const struct drawing *drawing)
{
	const struct misscurve *curve = drawing->curve;
	const uint64_t tick = tick_of(curve->most), n = curve->most / tick;

	for (uint64_t i = 0; i <= n; i++) {
		const double y = y_of(drawing, (double)(i * tick));

		svg_line(drawing->out, "grid", (const double[]){ LEFT, y },
			 (const double[]){ WIDTH - RIGHT, y });
		svg_begin_text(drawing->out, "", "end", LEFT - 8, y + 4);
		put_count(drawing->out, i * tick);
		if (curve->has_references && curve->references > 0)
			fprintf(drawing->out, " (%.3g%%)",
				100.0 * (double)(i * tick) / (double)curve->references);
		svg_end_text(drawing->out);
	}
	fprintf(drawing->out,
		"<text text-anchor=\"middle\" transform=\"translate(16 %d) rotate(-90)\">misses%s</text>\n",
		TOP + PLOT / 2, curve->has_references ? " (of data references)" : "");
}

static bool is_power_of_two(uint64_t number)
{
	return (number & (number - 1)) == 0;
}

static void draw_sizes_axis(const struct drawing *drawing)
{
	const struct misscurve *curve = drawing->curve;
	const double bottom = TOP + PLOT;

	svg_line(drawing->out, "axis", (const double[]){ LEFT, bottom },
		 (const double[]){ WIDTH - RIGHT, bottom });
	for (size_t i = 0; i < curve->n; i++) {
		const uint64_t size = curve->points[i].size;
		const double x = x_of(drawing, size);
		char text[MISSCURVE_SIZE_TEXT];

		svg_line(drawing->out, "axis", (const double[]){ x, bottom },
			 (const double[]){ x, bottom + (is_power_of_two(size) ? 6 : 3) });
		if (!is_power_of_two(size))
			continue;
		misscurve_size_text(text, size);
		svg_begin_text(drawing->out, "", "middle", x, bottom + 20);
		fputs(text, drawing->out);
		svg_end_text(drawing->out);
	}
	svg_begin_text(drawing->out, "", "middle", (LEFT + WIDTH - RIGHT) / 2.0, bottom + 36);
	fputs("size of the cache", drawing->out);
	svg_end_text(drawing->out);
}

/* -- curve, machines and marks ------------------------------------------------------------------ */

static void draw_curve(const struct drawing *drawing)
{
	const struct misscurve *curve = drawing->curve;

	fputs("<polyline class=\"curve\" points=\"", drawing->out);
	for (size_t i = 0; i < curve->n; i++)
		fprintf(drawing->out, "%s%.1f,%.1f", i > 0 ? " " : "",
			x_of(drawing, curve->points[i].size),
			y_of(drawing, (double)curve->points[i].misses));
	fputs("\"/>\n", drawing->out);
	for (size_t i = 0; i < curve->n; i++) {
		char text[MISSCURVE_SIZE_TEXT];

		misscurve_size_text(text, curve->points[i].size);
		fprintf(drawing->out,
			"<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s: ",
			x_of(drawing, curve->points[i].size),
			y_of(drawing, (double)curve->points[i].misses), text);
		put_count(drawing->out, curve->points[i].misses);
		fputs(" misses</title></circle>\n", drawing->out);
	}
}

static double strip_y(unsigned strip)
{
	return TOP + PLOT + STRIPS + (double)strip * STRIP;
}

/* What the level before it has not, and this one has. */
static void draw_level(const struct drawing *drawing, const struct curvelevel *level, double from,
		       unsigned strip)
{
	const double to = x_of(drawing, level->size);
	char text[MISSCURVE_SIZE_TEXT];

	if (to <= from)
		return;
	misscurve_size_text(text, level->size);
	fprintf(drawing->out,
		"<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\">"
		"<title>%s %s (%s)</title></rect>\n",
		level->name, from, strip_y(strip), to - from - 1, STRIP_BAR, level->machine,
		level->name, text);
	if (to - from < LEAST_LABEL)
		return;
	svg_begin_text(drawing->out, "small", "end", to - 5, strip_y(strip) + STRIP_BAR - 3.5);
	fprintf(drawing->out, "%s%s%s", level->name, to - from > 4 * LEAST_LABEL ? " " : "",
		to - from > 4 * LEAST_LABEL ? text : "");
	svg_end_text(drawing->out);
}

static void draw_machines(const struct drawing *drawing)
{
	const struct curvelevels *levels = drawing->report->levels;
	unsigned strip = 0;

	for (size_t i = 0; i < levels->n; strip++) {
		const char *machine = levels->all[i].machine;
		double from = LEFT;

		svg_begin_text(drawing->out, "", "end", LEFT - 8, strip_y(strip) + STRIP_BAR - 3);
		fputs(machine, drawing->out);
		svg_end_text(drawing->out);
		for (; i < levels->n && strcmp(levels->all[i].machine, machine) == 0; i++) {
			draw_level(drawing, &levels->all[i], from, strip);
			from = x_of(drawing, levels->all[i].size);
		}
	}
}

/* What is marked at a point; NULL: nothing is. */
static const char *mark_word(const struct misscurve *curve, size_t point)
{
	bool is_knee = false;

	for (size_t k = 0; k < curve->n_knees; k++)
		is_knee = is_knee || curve->knees[k].at == point;
	if (curve->most == 0 || (!is_knee && point != curve->fits))
		return NULL;
	return point != curve->fits ? "knee" : is_knee ? "knee, fits from" : "fits from";
}

static double mark_top(unsigned row)
{
	return TOP - 6 - 14.0 * row;
}

/* A line at a size, down to the axis, and through the strips. */
static void draw_mark_line(const struct drawing *drawing, double x, unsigned row, double bottom)
{
	svg_line(drawing->out, "mark", (const double[]){ x, mark_top(row) + 2 },
		 (const double[]){ x, TOP + PLOT });
	/* Strips have texts, and so has the axis. */
	svg_line(drawing->out, "mark faint", (const double[]){ x, strip_y(0) },
		 (const double[]){ x, bottom });
}

/* Above a mark's line: what it is. */
static void draw_mark_word(const struct drawing *drawing, double x, unsigned row, const char *word,
			   uint64_t size)
{
	const bool is_far_right = x > WIDTH - RIGHT - 120, is_far_left = x < LEFT + 60;
	char text[MISSCURVE_SIZE_TEXT];

	misscurve_size_text(text, size);
	svg_begin_text(drawing->out, "over",
		       is_far_right  ? "end"
		       : is_far_left ? "start"
				     : "middle",
		       x, mark_top(row) - 1);
	fprintf(drawing->out, "%s %s", word, text);
	svg_end_text(drawing->out);
}

/* Words are over lines, since that of a word in the upper row may go through one in the lower row. */
static void draw_marks(const struct drawing *drawing, double bottom)
{
	const struct misscurve *curve = drawing->curve;

	for (int are_words = 0; are_words <= 1; are_words++) {
		double last = 0;
		unsigned row = 0;

		for (size_t i = 0; i < curve->n; i++) {
			const char *word = mark_word(curve, i);
			const double x = x_of(drawing, curve->points[i].size);

			if (!word)
				continue;
			/* Words that would meet are in two rows. */
			row = last > 0 && x - last < 110 ? !row : 0;
			last = x;
			if (are_words)
				draw_mark_word(drawing, x, row, word, curve->points[i].size);
			else
				draw_mark_line(drawing, x, row, bottom);
		}
	}
}

void curvedrawing_print(const struct curvereport *report)
{
	const struct misscurve *curve = report->curve;
	struct drawing drawing = { .report = report, .curve = curve, .out = report->out };
	unsigned strips = 0;
	char subject[SUBJECT_TEXT];
	double height;

	drawing.first = svg_log2((double)curve->points[0].size);
	drawing.last = svg_log2((double)curve->points[curve->n - 1].size);
	drawing.top = curve->most > 0 ? (double)curve->most * 1.04 : 1;
	for (size_t i = 0; i < report->levels->n; i++)
		strips += i == 0 || strcmp(report->levels->all[i].machine,
					   report->levels->all[i - 1].machine) != 0;
	height = strip_y(strips) + BOTTOM;

	fprintf(drawing.out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
		"height=\"%.0f\" role=\"img\">\n<title>",
		WIDTH, height, WIDTH, height);
	curvereport_subject(subject, sizeof(subject), report->scope);
	fputs("Data misses by size of cache: ", drawing.out);
	svg_text(drawing.out, subject);
	fprintf(drawing.out,
		"</title>\n<style>\n%s</style>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		style);
	svg_begin_text(drawing.out, "title", "start", 16, 26);
	fputs("Data misses by size of cache: ", drawing.out);
	svg_text(drawing.out, subject);
	svg_end_text(drawing.out);
	if (curve->weight > 1) {
		svg_begin_text(drawing.out, "small", "start", 16, 44);
		fprintf(drawing.out, "sampled: one line of %" PRIu64, curve->weight);
		svg_end_text(drawing.out);
	}
	draw_misses_axis(&drawing);
	draw_sizes_axis(&drawing);
	draw_machines(&drawing);
	draw_marks(&drawing, height - BOTTOM);
	draw_curve(&drawing);
	fputs("</svg>\n", drawing.out);
}
