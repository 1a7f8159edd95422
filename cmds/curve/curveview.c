/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A curve as a document: a row for each size, and for each size that matters the levels of machines that hold it.  And as a
 * drawing: the curve and, below it on the same axis of sizes, a strip for each machine with its levels.
 *
 *	misses |*---*
 *	       |     \            knees, and where all fits, are lines from the
 *	       |      *---*---    top to the last strip
 *	       +---------------
 *	zen4   [L2   ][L3    ]
 *	zen5   [L2   ][L3    ]
 */
#include "cmds/curve/curve.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/emit/drawing.h"
#include "profile/common/cost.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

enum {
	SIZE_TEXT = 32,
	BAR_WIDTH = 40,
	MARK_TEXT = 24,
	LINE_WIDTH = 100,
	SUBJECT_TEXT = 400,
	LEVEL_TEXT = 96,
};

/* -- what is said in both -------------------------------------------------------------------------- */

/* "384 KiB", "1.25 MiB" */
static const char *size_text(char text[SIZE_TEXT], uint64_t size)
{
	if (size < MIB)
		snprintf(text, SIZE_TEXT, "%" PRIu64 " KiB", size / KIB);
	else
		snprintf(text, SIZE_TEXT, "%.4g MiB", (double)size / (double)MIB);
	return text;
}

/* "function f, with all that it calls"; cut to fit. */
static const char *subject_text(char text[SUBJECT_TEXT], const struct curvescope *scope)
{
	const char *more = scope->is_inclusive ? ", with all that it calls" : " alone";

	if (scope->kind == SCOPE_PROGRAM)
		snprintf(text, SUBJECT_TEXT, "the whole program");
	else if (scope->kind == SCOPE_LINE)
		snprintf(text, SUBJECT_TEXT, "line %s", scope->name);
	else
		snprintf(text, SUBJECT_TEXT, "function %s%s%s%s%s", scope->name,
			 scope->file ? " (" : "", scope->file ? scope->file : "",
			 scope->file ? ")" : "", more);
	return text;
}

static bool is_knee(const struct misscurve *curve, size_t point)
{
	for (size_t i = 0; i < curve->n_knees; i++)
		if (curve->knees[i].at == point)
			return true;
	return false;
}

static bool is_fit(const struct misscurve *curve, size_t point)
{
	return point == curve->fits && curve->most > 0;
}

/* -- sizes ----------------------------------------------------------------------------------------- */

static void put_size(struct document *document, void *ctx, size_t i)
{
	const struct misscurve *curve = ((const struct curveview *)ctx)->curve;
	const struct misscurve_point *point = &curve->points[i];
	const char *marks[] = { "", " < knee", " < fits", " < knee, fits" };
	char size[SIZE_TEXT], bar[BAR_WIDTH + MARK_TEXT];
	size_t len = 0;

	if (curve->most > 0)
		len = (size_t)((double)point->misses / (double)curve->most * BAR_WIDTH + 0.5);
	memset(bar, '#', len);
	snprintf(bar + len, MARK_TEXT, "%s", marks[is_knee(curve, i) + 2 * is_fit(curve, i)]);
	document_cell(document, document_is_prose(document)
					? cell_string(size_text(size, point->size))
					: cell_count(point->size));
	document_cell(document, cell_count(point->misses));
	document_cell(document, curve->has_references
					? document_rate(document, point->misses, curve->references)
					: cell_none);
	document_cell(document, cell_string(bar));
}

/* -- levels of machines ------------------------------------------------------------------------------ */

/* Those that hold a size, and those that it is too large for. */
struct level_rows {
	struct curvelevels holding, others;
};

static void put_level(struct document *document, void *ctx, size_t i)
{
	const struct level_rows *rows = ctx;
	const bool holds = i < rows->holding.n;
	const struct curvelevel *level = holds ? &rows->holding.all[i]
					       : &rows->others.all[i - rows->holding.n];

	document_cell(document, cell_string(level->machine));
	document_cell(document, cell_string(level->name));
	document_cell(document, cell_count(level->size));
	document_cell(document, cell_bool(holds));
}

/* "  - what zen4 L2 (1 MiB), ...", broken into lines. */
static void put_level_words(struct document *document, const struct curvelevels *chosen,
			    const char *what)
{
	size_t width = strlen(what);

	if (chosen->n == 0)
		return;
	document_prose(document, "  - %s", what);
	for (size_t i = 0; i < chosen->n; i++) {
		const struct curvelevel *level = &chosen->all[i];
		char text[LEVEL_TEXT], size[SIZE_TEXT];
		size_t len = (size_t)snprintf(text, sizeof(text), "%s %s (%s)%s", level->machine,
					      level->name, size_text(size, level->size),
					      i + 1 < chosen->n ? "," : "");

		if (width + 1 + len > LINE_WIDTH) {
			document_prose(document, "\n   ");
			width = 0;
		}
		document_prose(document, " %s", text);
		width += 1 + len;
	}
	document_prose(document, "\n");
}

static void put_levels(struct document *document, const struct curveview *view, size_t point)
{
	static const struct document_column columns[] = {
		{ .key = "machine", .field = "machine" },
		{ .key = "level", .field = "level" },
		{ .key = "size", .field = "size" },
		{ .key = "holds", .field = "holds" },
	};
	const uint64_t size = view->curve->points[point].size;
	struct level_rows rows;
	struct document_view levels = {
		.table = { .key = "levels", .record = "level", .columns = columns, .n = 4 },
		.put_row = put_level,
		.ctx = &rows,
	};

	curvelevels_choose(view->levels, size, true, &rows.holding);
	curvelevels_choose(view->levels, size, false, &rows.others);
	levels.n_rows = rows.holding.n + rows.others.n;
	document_view(document, &levels);
	put_level_words(document, &rows.holding, "held by");
	put_level_words(document, &rows.others, "too large for");
}

/* -- knees, and from which size on all fits ------------------------------------------------------------ */

static void put_count(struct document *document, uint64_t count)
{
	char text[INT128_TEXT];

	int128_print(text, count, true);
	document_prose(document, "%s", text);
}

static void put_knee_words(struct document *document, const struct misscurve *curve,
			   const struct misscurve_knee *knee)
{
	const struct misscurve_point *at = &curve->points[knee->at];
	const struct misscurve_point *before = &curve->points[knee->before];
	char at_text[SIZE_TEXT], before_text[SIZE_TEXT];

	document_prose(document, "Knee at %s: ", size_text(at_text, at->size));
	put_count(document, before->misses);
	document_prose(document, " misses with %s, ", size_text(before_text, before->size));
	put_count(document, at->misses);
	document_prose(document, " with %s.\n", at_text);
}

static void put_fit_words(struct document *document, const struct misscurve *curve)
{
	char size[SIZE_TEXT];

	size_text(size, curve->points[curve->fits].size);
	if (curve->fits > 0) {
		char least[SIZE_TEXT];

		document_prose(document,
			       "Fits from %s: at most %d%% of the misses with %s are left%s.\n",
			       size, MISSCURVE_LEFT, size_text(least, curve->points[0].size),
			       curve->has_cold ? ", first touches aside"
					       : " that a larger size would spare");
		return;
	}
	/* From the smallest size on: no size spares what is missed there, or few misses are left to spare. */
	document_prose(document, "Fits into %s, or less: ", size);
	if (!curve->has_cold) {
		document_prose(document, "no larger size misses %d%% less.\n", MISSCURVE_LEFT);
		return;
	}
	put_count(document, curve->cold);
	document_prose(document, " of ");
	put_count(document, curve->points[0].misses);
	document_prose(document, " misses are first touches, which no size spares.\n");
}

static void put_no_fit_words(struct document *document, const struct misscurve *curve)
{
	const struct misscurve_point *last = &curve->points[curve->n - 1];

	document_prose(document, "\nDoes not fit into any of these sizes");
	if (curve->has_cold && last->misses > curve->cold) {
		char size[SIZE_TEXT];

		document_prose(document, ": ");
		put_count(document, last->misses - curve->cold);
		document_prose(document, " misses with %s are not first touches",
			       size_text(size, last->size));
	}
	document_prose(document, ".\n");
}

/* For people: by size, as a knee may be where all fits. */
static void put_found_words(struct document *document, const struct curveview *view)
{
	const struct misscurve *curve = view->curve;
	const struct curvescope *scope = view->scope;

	if (curve->most == 0) {
		document_prose(document, "\nNothing is missed.\n");
		if (scope->kind == SCOPE_FUNCTION && !scope->is_inclusive)
			document_prose(document, "--inclusive=yes counts what it calls, too.\n");
		return;
	}
	if (curve->n_knees == 0) {
		char least[SIZE_TEXT];

		document_prose(
			document,
			"\nNo knee: from one size to the next, misses fall by less than %d%% of "
			"those with %s.\n",
			MISSCURVE_DROP, size_text(least, curve->points[0].size));
	}
	for (size_t i = 0; i < curve->n; i++) {
		if (!is_fit(curve, i) && !is_knee(curve, i))
			continue;
		document_prose(document, "\n");
		for (size_t k = 0; k < curve->n_knees; k++)
			if (curve->knees[k].at == i)
				put_knee_words(document, curve, &curve->knees[k]);
		if (is_fit(curve, i))
			put_fit_words(document, curve);
		put_levels(document, view, i);
	}
	if (curve->fits == curve->n)
		put_no_fit_words(document, curve);
}

/* For programs: knees, and the size from which on all fits. */
static void put_found(struct document *document, const struct curveview *view, size_t at,
		      const struct misscurve_knee *knee)
{
	const struct misscurve_point *points = view->curve->points;

	document_cell(document, cell_count(points[at].size));
	document_cell(document, cell_count(points[at].misses));
	document_cell(document, knee ? cell_count(points[knee->before].size) : cell_none);
	document_cell(document, knee ? cell_count(points[knee->before].misses) : cell_none);
	put_levels(document, view, at);
	document_end_row(document);
}

static void put_found_rows(struct document *document, const struct curveview *view)
{
	static const struct document_column columns[] = {
		{ .key = "size", .field = "size" },
		{ .key = "misses", .field = "misses" },
		{ .key = "before", .field = "before" },
		{ .key = "before_misses", .field = "before_misses" },
	};
	struct document_table table = {
		.key = "knees",
		.record = "knee",
		.columns = columns,
		.n = 4,
		.is_open = true,
		.is_indented = true,
	};
	const struct misscurve *curve = view->curve;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < curve->n_knees; i++)
		put_found(document, view, curve->knees[i].at, &curve->knees[i]);
	document_end_rows(document);
	table.key = table.record = "fits";
	document_begin_rows(document, &table);
	if (curve->fits < curve->n)
		put_found(document, view, curve->fits, NULL);
	document_end_rows(document);
}

/* -- all of it ------------------------------------------------------------------------------------- */

const char *const curveview_fields[N_CURVEVIEW_FIELDS] = {
	"record",  "size",  "misses", "percent",       "before",
	"machine", "level", "holds",  "before_misses",
};

static struct cell known_count(bool is_known, uint64_t count)
{
	return is_known ? cell_count(count) : cell_none;
}

void curveview_put(struct document *document, const struct curveview *view)
{
	static const char *const scopes[] = { "program", "function", "line" };
	const struct misscurve *curve = view->curve;
	const struct curvescope *scope = view->scope;
	const struct document_column columns[] = {
		{ .title = "cache", .key = "size", .field = "size" },
		{ .title = "misses", .key = "misses", .field = "misses" },
		{ .title = curve->has_references ? "of references" : NULL,
		  .key = "percent",
		  .field = "percent" },
		{ .title = "" },
	};
	const struct document_view sizes = {
		.table = { .key = "sizes", .record = "size", .columns = columns, .n = 4 },
		.n_rows = curve->n,
		.put_row = put_size,
		.ctx = document_view_ctx(view),
	};
	char subject[SUBJECT_TEXT];

	document_value(document, "scope", cell_string(scopes[scope->kind]));
	if (scope->name)
		document_value(document, "name", cell_string(scope->name));
	if (scope->file)
		document_value(document, "file", cell_string(scope->file));
	document_value(document, "inclusive",
		       cell_bool(scope->kind == SCOPE_PROGRAM || scope->is_inclusive));
	document_value(document, "references",
		       known_count(curve->has_references, curve->references));
	document_value(document, "cold", known_count(curve->has_cold, curve->cold));
	document_value(document, "one_line_of", known_count(curve->weight != 0, curve->weight));
	document_section(document, 1, "Misses by size of cache", NULL);
	document_prose(document, "Data misses of a fully associative LRU cache, by its size, of ");
	document_words(document, subject_text(subject, scope));
	if (curve->weight > 1)
		document_prose(document, " (sampled: one line of %" PRIu64 ")", curve->weight);
	document_prose(document, "\n\n");
	document_view(document, &sizes);
	if (document_is_prose(document))
		put_found_words(document, view);
	else
		put_found_rows(document, view);
}

/* -- the drawing ------------------------------------------------------------------------------------- */

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
};

static const char title[] = "Data misses by size of cache: ";
static const char light_style[] = ".curve { fill: none; stroke: #b3361e; stroke-width: 2.5 }\n"
				  ".point { fill: #b3361e }\n"
				  ".mark { stroke: #222; stroke-dasharray: 5 4 }\n"
				  ".faint { opacity: 0.4 }\n"
				  ".over { paint-order: stroke; stroke: #fff; stroke-width: 4px }\n"
				  ".L1D { fill: #e6edf5 }\n"
				  ".L2 { fill: #bcd5ee }\n"
				  ".L3 { fill: #8db7e0 }\n"
				  ".L4 { fill: #6a9fd2 }\n";
static const char dark_style[] = ".curve { stroke: #ff8a6b }\n"
				 ".point { fill: #ff8a6b }\n"
				 ".mark { stroke: #ddd }\n"
				 ".over { stroke: #16191d }\n"
				 ".L1D { fill: #232f3c }\n"
				 ".L2 { fill: #2b4a68 }\n"
				 ".L3 { fill: #356592 }\n"
				 ".L4 { fill: #3f7db6 }\n";

struct drawing {
	const struct curveview *view;
	const struct misscurve *curve;
	FILE *out;
	struct svg_plot plot; /* x: log2 of sizes; y: misses */
};

/* Levels may be smaller and larger than what the axis has. */
static double x_of(const struct drawing *drawing, uint64_t size)
{
	const double x = svg_x(&drawing->plot, svg_log2((double)size));

	return x < LEFT ? LEFT : x > WIDTH - RIGHT ? WIDTH - RIGHT : x;
}

static void print_count(FILE *out, uint64_t count)
{
	char text[INT128_TEXT];

	int128_print(text, count, true);
	fputs(text, out);
}

/* 1, 2 or 5 times a power of ten, for a few ticks up to most. */
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
		svg_begin_row(&drawing->plot, (double)(i * tick));
		print_count(drawing->out, i * tick);
		if (curve->has_references && curve->references > 0)
			fprintf(drawing->out, " (%.3g%%)",
				100.0 * (double)(i * tick) / (double)curve->references);
		svg_end_text(drawing->out);
	}
	svg_y_title(&drawing->plot, 16,
		    curve->has_references ? "misses (of data references)" : "misses");
}

static void draw_sizes_axis(const struct drawing *drawing)
{
	const struct misscurve *curve = drawing->curve;
	const double bottom = TOP + PLOT;

	svg_line(drawing->out, "axis", LEFT, bottom, WIDTH - RIGHT, bottom);
	for (size_t i = 0; i < curve->n; i++) {
		const uint64_t size = curve->points[i].size;
		const bool is_power_of_two = (size & (size - 1)) == 0;
		const double x = x_of(drawing, size);
		char text[SIZE_TEXT];

		svg_line(drawing->out, "axis", x, bottom, x, bottom + (is_power_of_two ? 6 : 3));
		if (!is_power_of_two)
			continue;
		svg_begin_text(drawing->out, "", "middle", x, bottom + 20);
		fputs(size_text(text, size), drawing->out);
		svg_end_text(drawing->out);
	}
	svg_x_title(&drawing->plot, 36, "size of the cache");
}

static void draw_curve(const struct drawing *drawing)
{
	const struct misscurve *curve = drawing->curve;

	fputs("<polyline class=\"curve\" points=\"", drawing->out);
	for (size_t i = 0; i < curve->n; i++)
		fprintf(drawing->out, "%s%.1f,%.1f", i > 0 ? " " : "",
			x_of(drawing, curve->points[i].size),
			svg_y(&drawing->plot, (double)curve->points[i].misses));
	fputs("\"/>\n", drawing->out);
	for (size_t i = 0; i < curve->n; i++) {
		const struct misscurve_point *point = &curve->points[i];
		char text[SIZE_TEXT];

		svg_begin_point(&drawing->plot, x_of(drawing, point->size),
				svg_y(&drawing->plot, (double)point->misses), "3.5");
		fprintf(drawing->out, "%s: ", size_text(text, point->size));
		print_count(drawing->out, point->misses);
		fputs(" misses", drawing->out);
		svg_end_point(&drawing->plot);
	}
}

static double strip_y(unsigned strip)
{
	return TOP + PLOT + STRIPS + (double)strip * STRIP;
}

/* What the level before it does not hold, and this one does. */
static void draw_level(const struct drawing *drawing, const struct curvelevel *level, double from,
		       unsigned strip)
{
	const double to = x_of(drawing, level->size);
	char text[SIZE_TEXT];

	if (to <= from)
		return;
	size_text(text, level->size);
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
	const struct curvelevels *levels = drawing->view->levels;
	unsigned strip = 0;

	for (size_t i = 0; i < levels->n; strip++) {
		const char *machine = levels->all[i].machine;
		double from = LEFT;

		svg_begin_text(drawing->out, "", "end", LEFT - 8, strip_y(strip) + STRIP_BAR - 3);
		fputs(machine, drawing->out);
		svg_end_text(drawing->out);
		for (; i < levels->n && levels->all[i].machine == machine; i++) {
			draw_level(drawing, &levels->all[i], from, strip);
			from = x_of(drawing, levels->all[i].size);
		}
	}
}

static double mark_top(unsigned row)
{
	return TOP - 6 - 14.0 * row;
}

/* A line at a size, down to the axis, and through the strips: these and the axis have texts. */
static void draw_mark_line(const struct drawing *drawing, double x, unsigned row, double bottom)
{
	svg_line(drawing->out, "mark", x, mark_top(row) + 2, x, TOP + PLOT);
	svg_line(drawing->out, "mark faint", x, strip_y(0), x, bottom);
}

/* Above a mark's line: what it is. */
static void draw_mark_word(const struct drawing *drawing, double x, unsigned row, const char *word,
			   uint64_t size)
{
	const bool is_far_right = x > WIDTH - RIGHT - 120, is_far_left = x < LEFT + 60;
	char text[SIZE_TEXT];

	svg_begin_text(drawing->out, "over",
		       is_far_right  ? "end"
		       : is_far_left ? "start"
				     : "middle",
		       x, mark_top(row) - 1);
	fprintf(drawing->out, "%s %s", word, size_text(text, size));
	svg_end_text(drawing->out);
}

/* Words are drawn over lines: the line of a word in the upper row may pass through a word in the lower row. */
static void draw_marks(const struct drawing *drawing, double bottom)
{
	static const char *const words[] = { NULL, "knee", "fits from", "knee, fits from" };
	const struct misscurve *curve = drawing->curve;

	for (int are_words = 0; are_words <= 1 && curve->most > 0; are_words++) {
		double last = 0;
		unsigned row = 0;

		for (size_t i = 0; i < curve->n; i++) {
			const char *word = words[is_knee(curve, i) + 2 * is_fit(curve, i)];
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

static unsigned count_machines(const struct curvelevels *levels)
{
	unsigned n = 0;

	for (size_t i = 0; i < levels->n; i++)
		n += i == 0 || levels->all[i].machine != levels->all[i - 1].machine;
	return n;
}

void curveview_draw(FILE *out, const struct curveview *view)
{
	const struct misscurve *curve = view->curve;
	const double height = strip_y(count_machines(view->levels)) + BOTTOM;
	struct drawing drawing = {
		.view = view,
		.curve = curve,
		.out = out,
		.plot = { .out = out,
			  .left = LEFT,
			  .top = TOP,
			  .right = WIDTH - RIGHT,
			  .bottom = TOP + PLOT,
			  .least_x = svg_log2((double)curve->points[0].size),
			  .most_x = svg_log2((double)curve->points[curve->n - 1].size),
			  .most_y = curve->most > 0 ? (double)curve->most * 1.04 : 1 },
	};
	char subject[SUBJECT_TEXT];

	if (curve->n == 1)
		drawing.plot.most_x++;
	subject_text(subject, view->scope);
	svg_begin(out, WIDTH, height, title, subject, light_style, dark_style);
	svg_heading(out, title, subject);
	if (curve->weight > 1) {
		svg_begin_note(out);
		fprintf(out, "sampled: one line of %" PRIu64, curve->weight);
		svg_end_text(out);
	}
	draw_misses_axis(&drawing);
	draw_sizes_axis(&drawing);
	draw_machines(&drawing);
	draw_marks(&drawing, height - BOTTOM);
	draw_curve(&drawing);
	svg_end(out);
}
