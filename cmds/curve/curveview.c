/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A curve as a document: a row for each size, and for each size that matters which levels of machines have
 * it.  And the drawing: the curve, and below it, on the same axis of sizes, a strip for each machine that is built
 * in, with those of its levels that would hold so much.
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
#include "cmds/curve/curve.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/emit/svg.h"
#include "profile/common/int128.h"

enum { MISSCURVE_SIZE_TEXT = 32 };

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

/* "384 KiB", "1.25 MiB" */
static void misscurve_size_text(char text[MISSCURVE_SIZE_TEXT], uint64_t size)
{
	if (size < MIB)
		snprintf(text, MISSCURVE_SIZE_TEXT, "%" PRIu64 " KiB", size / KIB);
	else
		snprintf(text, MISSCURVE_SIZE_TEXT, "%.4g MiB", (double)size / (double)MIB);
}

enum {
	JSON_VERSION = 1,
	BAR_WIDTH = 40,
	MARK_TEXT = 24,
	MOST_COLUMNS = 4,
	LINE_WIDTH = 100,
	SUBJECT_TEXT = 400,
	LEVEL_TEXT = 96,
};

struct printing {
	const struct curvereport *report;
	const struct misscurve *curve;
	struct document document;
};

/* What it is of, for people: "function f, with all that it calls"; cut to fit. */
static void curvereport_subject(char *text, size_t size, const struct curvescope *scope)
{
	const char *more = scope->is_inclusive ? ", with all that it calls" : " alone";

	switch (scope->kind) {
	case SCOPE_PROGRAM:
		snprintf(text, size, "the whole program");
		return;
	case SCOPE_FUNCTION:
		snprintf(text, size, "function %s%s%s%s%s", scope->name, scope->file ? " (" : "",
			 scope->file ? scope->file : "", scope->file ? ")" : "", more);
		return;
	case SCOPE_LINE:
		snprintf(text, size, "line %s", scope->name);
		return;
	}
}

static bool is_knee(const struct misscurve *curve, size_t point)
{
	for (size_t i = 0; i < curve->n_knees; i++)
		if (curve->knees[i].at == point)
			return true;
	return false;
}

/* What is said of a size behind its bar. */
static const char *mark_of(const struct misscurve *curve, size_t point)
{
	const bool fits = point == curve->fits && curve->most > 0;

	if (is_knee(curve, point))
		return fits ? " < knee, fits" : " < knee";
	return fits ? " < fits" : "";
}

static struct cell rate(const struct misscurve *curve, size_t point)
{
	return cell_number(100.0 * (double)curve->points[point].misses / (double)curve->references,
			   4);
}

/* -- for people: the table ---------------------------------------------------------------------- */

static void put_rows(struct document *document, void *ctx)
{
	const struct misscurve *curve = ((struct printing *)ctx)->curve;

	for (size_t i = 0; i < curve->n; i++) {
		const struct misscurve_point *point = &curve->points[i];
		char size[MISSCURVE_SIZE_TEXT], bar[BAR_WIDTH + MARK_TEXT];
		size_t len = 0;

		misscurve_size_text(size, point->size);
		if (curve->most > 0)
			len = (size_t)((double)point->misses / (double)curve->most * BAR_WIDTH +
				       0.5);
		memset(bar, '#', len);
		snprintf(bar + len, MARK_TEXT, "%s", mark_of(curve, i));
		document_cell(document, cell_string(size));
		document_cell(document, cell_count(point->misses));
		if (curve->has_references)
			document_cell(document, cell_share(point->misses, curve->references));
		document_cell(document, cell_string(bar));
	}
}

static void put_table(struct printing *printing)
{
	struct document_column columns[MOST_COLUMNS] = {
		{ .title = "cache" },
		{ .title = "misses" },
	};
	size_t n = 2;

	if (printing->curve->has_references)
		columns[n++] = (struct document_column){ .title = "of references" };
	columns[n++] = (struct document_column){ .title = "" };
	document_table(&printing->document, &(const struct document_table){
						    .columns = columns,
						    .n = n,
						    .put_rows = put_rows,
						    .ctx = printing,
					    });
}

/* -- for people: what is below it --------------------------------------------------------------- */

static void put_count(struct document *document, uint64_t count)
{
	char text[INT128_TEXT];

	int128_print(text, count, true);
	document_prose(document, "%s", text);
}

/* "  - what zen4 L2 (1 MiB), ...", broken into lines. */
static void put_levels(struct printing *printing, uint64_t size, bool holds, const char *what)
{
	struct document *document = &printing->document;
	struct curvelevels chosen;
	size_t width = strlen(what);

	curvelevels_choose(printing->report->levels, size, holds, &chosen);
	if (chosen.n == 0)
		return;
	document_prose(document, "  - %s", what);
	for (size_t i = 0; i < chosen.n; i++) {
		const struct curvelevel *level = &chosen.all[i];
		char text[LEVEL_TEXT], size_text[MISSCURVE_SIZE_TEXT];
		size_t len;

		misscurve_size_text(size_text, level->size);
		len = (size_t)snprintf(text, sizeof(text), "%s %s (%s)%s", level->machine,
				       level->name, size_text, i + 1 < chosen.n ? "," : "");
		if (width + 1 + len > LINE_WIDTH) {
			document_prose(document, "\n   ");
			width = 0;
		}
		document_prose(document, " %s", text);
		width += 1 + len;
	}
	document_prose(document, "\n");
}

static void put_size_levels(struct printing *printing, size_t point)
{
	const uint64_t size = printing->curve->points[point].size;

	put_levels(printing, size, true, "held by");
	put_levels(printing, size, false, "too large for");
}

static void put_knee(struct printing *printing, const struct misscurve_knee *knee)
{
	const struct misscurve_point *points = printing->curve->points;
	char at[MISSCURVE_SIZE_TEXT], before[MISSCURVE_SIZE_TEXT];

	misscurve_size_text(at, points[knee->at].size);
	misscurve_size_text(before, points[knee->before].size);
	document_prose(&printing->document, "Knee at %s: ", at);
	put_count(&printing->document, points[knee->before].misses);
	document_prose(&printing->document, " misses with %s, ", before);
	put_count(&printing->document, points[knee->at].misses);
	document_prose(&printing->document, " with %s.\n", at);
}

/* From the smallest size on: what is missed there, no size spares, or few misses are left to spare. */
static void put_smallest_fit(struct printing *printing, const char *size)
{
	const struct misscurve *curve = printing->curve;
	struct document *document = &printing->document;

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

static void put_fit(struct printing *printing)
{
	const struct misscurve *curve = printing->curve;
	char size[MISSCURVE_SIZE_TEXT], least[MISSCURVE_SIZE_TEXT];

	misscurve_size_text(least, curve->points[0].size);
	misscurve_size_text(size, curve->points[curve->fits].size);
	if (curve->fits == 0)
		put_smallest_fit(printing, size);
	else
		document_prose(&printing->document,
			       "Fits from %s: at most %d%% of the misses with %s are left%s.\n",
			       size, MISSCURVE_LEFT, least,
			       curve->has_cold ? ", first touches aside"
					       : " that a larger size would spare");
}

static void put_no_fit(struct printing *printing)
{
	const struct misscurve *curve = printing->curve;
	const struct misscurve_point *last = &curve->points[curve->n - 1];
	struct document *document = &printing->document;
	char size[MISSCURVE_SIZE_TEXT];

	misscurve_size_text(size, last->size);
	document_prose(document, "\nFits into none of these sizes");
	if (curve->has_cold && last->misses > curve->cold) {
		document_prose(document, ": ");
		put_count(document, last->misses - curve->cold);
		document_prose(document, " misses with %s are no first touches", size);
	}
	document_prose(document, ".\n");
}

static void put_notes(struct printing *printing)
{
	const struct misscurve *curve = printing->curve;
	const struct curvescope *scope = printing->report->scope;
	struct document *document = &printing->document;
	char least[MISSCURVE_SIZE_TEXT];

	misscurve_size_text(least, curve->points[0].size);
	if (curve->most == 0) {
		document_prose(document, "\nNothing is missed.\n");
		if (scope->kind == SCOPE_FUNCTION && !scope->is_inclusive)
			document_prose(document, "--inclusive=yes counts what it calls, too.\n");
		return;
	}
	if (curve->n_knees == 0)
		document_prose(
			document,
			"\nNo knee: from one size to the next, misses fall by less than %d%% of "
			"those with %s.\n",
			MISSCURVE_DROP, least);
	for (size_t i = 0; i < curve->n; i++) {
		if (i != curve->fits && !is_knee(curve, i))
			continue;
		document_prose(document, "\n");
		for (size_t k = 0; k < curve->n_knees; k++)
			if (curve->knees[k].at == i)
				put_knee(printing, &curve->knees[k]);
		if (i == curve->fits)
			put_fit(printing);
		put_size_levels(printing, i);
	}
	if (curve->fits == curve->n)
		put_no_fit(printing);
}

static void put_for_people(struct printing *printing)
{
	struct document *document = &printing->document;
	char subject[SUBJECT_TEXT];

	curvereport_subject(subject, sizeof(subject), printing->report->scope);
	document_section(document, 1, "Misses by size of cache", NULL);
	document_prose(document, "Data misses of a fully associative LRU cache, by its size, of ");
	document_words(document, subject);
	if (printing->curve->weight > 1)
		document_prose(document, " (sampled: one line of %" PRIu64 ")",
			       printing->curve->weight);
	document_prose(document, "\n\n");
	put_table(printing);
	put_notes(printing);
}

/* -- for programs ------------------------------------------------------------------------------- */

static const char *const csv_fields[] = {
	"record",  "size",  "misses", "percent",       "before",
	"machine", "level", "holds",  "before_misses",
};

static struct cell known_count(bool is_known, uint64_t count)
{
	return is_known ? cell_count(count) : cell_none;
}

static void put_sizes(struct printing *printing)
{
	static const struct document_column columns[] = {
		{ .key = "size", .field = "size" },
		{ .key = "misses", .field = "misses" },
		{ .key = "percent", .field = "percent" },
	};
	static const struct document_table table = {
		.key = "sizes",
		.record = "size",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	const struct misscurve *curve = printing->curve;
	struct document *document = &printing->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < curve->n; i++) {
		document_cell(document, cell_count(curve->points[i].size));
		document_cell(document, cell_count(curve->points[i].misses));
		document_cell(document, curve->has_references ? rate(curve, i) : cell_none);
	}
	document_end_rows(document);
}

/* Those that people see. */
static void put_level_rows(struct printing *printing, uint64_t size)
{
	static const struct document_column columns[] = {
		{ .key = "machine", .field = "machine" },
		{ .key = "level", .field = "level" },
		{ .key = "size", .field = "size" },
		{ .key = "holds", .field = "holds" },
	};
	static const struct document_table table = {
		.key = "levels",
		.record = "level",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	struct document *document = &printing->document;

	document_begin_rows(document, &table);
	for (int holds = 1; holds >= 0; holds--) {
		struct curvelevels chosen;

		curvelevels_choose(printing->report->levels, size, holds, &chosen);
		for (size_t i = 0; i < chosen.n; i++) {
			document_cell(document, cell_string(chosen.all[i].machine));
			document_cell(document, cell_string(chosen.all[i].name));
			document_cell(document, cell_count(chosen.all[i].size));
			document_cell(document, cell_bool(holds));
		}
	}
	document_end_rows(document);
}

static const struct document_column found_columns[] = {
	{ .key = "size", .field = "size" },
	{ .key = "misses", .field = "misses" },
	{ .key = "before", .field = "before" },
	{ .key = "before_misses", .field = "before_misses" },
};

static void put_found(struct printing *printing, size_t at, const struct misscurve_knee *knee)
{
	const struct misscurve_point *points = printing->curve->points;
	struct document *document = &printing->document;

	document_cell(document, cell_count(points[at].size));
	document_cell(document, cell_count(points[at].misses));
	document_cell(document, knee ? cell_count(points[knee->before].size) : cell_none);
	document_cell(document, knee ? cell_count(points[knee->before].misses) : cell_none);
	put_level_rows(printing, points[at].size);
	document_end_row(document);
}

static void put_for_programs(struct printing *printing)
{
	static const char *const scopes[] = { "program", "function", "line" };
	static const struct document_table knees = {
		.key = "knees",
		.record = "knee",
		.columns = found_columns,
		.n = sizeof(found_columns) / sizeof(found_columns[0]),
		.is_open = true,
		.is_indented = true,
	};
	static const struct document_table fits = {
		.key = "fits",
		.record = "fits",
		.columns = found_columns,
		.n = sizeof(found_columns) / sizeof(found_columns[0]),
		.is_open = true,
		.is_indented = true,
	};
	const struct misscurve *curve = printing->curve;
	const struct curvescope *scope = printing->report->scope;
	struct document *document = &printing->document;

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
	put_sizes(printing);
	document_begin_rows(document, &knees);
	for (size_t i = 0; i < curve->n_knees; i++)
		put_found(printing, curve->knees[i].at, &curve->knees[i]);
	document_end_rows(document);
	document_begin_rows(document, &fits);
	if (curve->fits < curve->n)
		put_found(printing, curve->fits, NULL);
	document_end_rows(document);
}

bool curvereport_print(const struct curvereport *report)
{
	struct printing printing = { .report = report, .curve = report->curve };
	struct document *document = &printing.document;

	document_begin(document, report->backend, report->out, csv_fields,
		       sizeof(csv_fields) / sizeof(csv_fields[0]), 0);
	if (report->color)
		document_use_color(document);
	document_value(document, "format", cell_string("costgrind-curve"));
	document_value(document, "version", cell_count(JSON_VERSION));
	if (document_is_prose(document))
		put_for_people(&printing);
	else
		put_for_programs(&printing);
	return document_end(document);
}

/* -- the drawing --------------------------------------------------------------------------------- */

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

static void print_count(FILE *out, uint64_t count)
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
		print_count(drawing->out, i * tick);
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
		print_count(drawing->out, curve->points[i].misses);
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
