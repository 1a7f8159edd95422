/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A curve as a document: a row for each size, and for each size that matters which levels of machines have
 * it.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/curve/curve.h"
#include "cmds/emit/visible.h"

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

void curvereport_subject(char *text, size_t size, const struct curvescope *scope)
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
