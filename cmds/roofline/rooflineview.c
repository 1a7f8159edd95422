/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A roofline as a document: a row for the program and for each function with operations.  And the drawing, both axes
 * logarithmic: operations a byte, operations a cycle.
 *
 *	op/cycle |        ____________  most operations
 *	         |   L1 / /
 *	         |     / / memory
 *	         |    / / o             a function: a circle for each place that it has bytes from,
 *	         +----------------      joined by a line
 *	              op/byte
 *
 * A circle is at what was achieved, where cycles were counted; else at the most that the roofs allow; without these,
 * all are at one height.  It is one file without references to others, with colours for light and for dark screens.
 */
#include "cmds/emit/svg.h"
#include "cmds/roofline/roofline.h"

enum {
	JSON_VERSION = 1,
	MOST_COLUMNS = 24,
	DECIMALS = 3,
};

/* Titles, keys and fields by place. */
static const struct {
	const char *bytes, *intensity, *bytes_key, *intensity_key;
} words[N_TRAFFIC_PLACES] = {
	[TRAFFIC_L1] = { "L1 bytes", "op/B L1", "bytes_l1", "intensity_l1" },
	[TRAFFIC_L2] = { "L2 bytes", "L2", "bytes_l2", "intensity_l2" },
	[TRAFFIC_L3] = { "L3 bytes", "L3", "bytes_l3", "intensity_l3" },
	[TRAFFIC_L4] = { "L4 bytes", "L4", "bytes_l4", "intensity_l4" },
	[TRAFFIC_MEMORY] = { "memory bytes", "memory", "bytes_memory", "intensity_memory" },
};

static const char *const csv_fields[] = {
	"record",           "function",     "file",         "operations",
	"single",           "double",       "x87",          "bytes_l1",
	"bytes_l2",         "bytes_l3",     "bytes_l4",     "bytes_memory",
	"intensity_l1",     "intensity_l2", "intensity_l3", "intensity_l4",
	"intensity_memory", "per_cycle",    "attainable",   "bound",
};

struct printing {
	const struct rooflinereport *report;
	struct document document;
};

static struct cell known_number(double value)
{
	return value < 0 ? cell_none : cell_number(value, DECIMALS);
}

static const char *bound_word(const struct traffic *traffic, int bound)
{
	if (bound == BOUND_BY_NOTHING)
		return "";
	return bound == BOUND_BY_OPERATIONS
		       ? "operations"
		       : traffic_place_name(traffic, (enum traffic_place)(bound - BOUND_BY_PLACE));
}

static bool has_roofs(const struct printing *printing)
{
	return printing->report->roofs->machine[0] != '\0';
}

/* -- for people ------------------------------------------------------------------------------ */

static void put_row(struct printing *printing, const struct traffic_row *row)
{
	const struct traffic *traffic = printing->report->traffic;
	struct document *document = &printing->document;
	int bound;

	document_cell(document, cell_count(row->all));
	document_cell(document, cell_share(row->all, traffic->total.all));
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		if (traffic->has[i])
			document_cell(document, cell_count(row->bytes[i]));
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		if (traffic->has[i])
			document_cell(document, known_number(traffic_intensity(
							traffic, row, (enum traffic_place)i)));
	if (traffic->has_cycles)
		document_cell(document, known_number(traffic_rate(traffic, row)));
	if (has_roofs(printing)) {
		const double attainable =
			roofs_attainable(printing->report->roofs, traffic, row, &bound);

		document_cell(document,
			      attainable > 0 ? cell_number(attainable, DECIMALS) : cell_none);
		document_cell(document, cell_string(bound_word(traffic, bound)));
	}
	document_cell(document, cell_string(row->name ? row->name : "(the whole program)"));
}

static void put_rows(struct document *document, void *ctx)
{
	struct printing *printing = ctx;
	const struct traffic *traffic = printing->report->traffic;

	(void)document;
	put_row(printing, &traffic->total);
	for (size_t i = 0; i < printing->report->shown; i++)
		put_row(printing, &traffic->rows[i]);
}

static const char *bytes_title(const struct traffic *traffic, unsigned place)
{
	return place == TRAFFIC_L3 && traffic->last[1] == 'L' ? "LL bytes" : words[place].bytes;
}

static const char *intensity_title(const struct traffic *traffic, unsigned place)
{
	return place == TRAFFIC_L3 ? traffic->last : words[place].intensity;
}

static void put_table(struct printing *printing)
{
	const struct traffic *traffic = printing->report->traffic;
	struct document_column columns[MOST_COLUMNS] = {
		{ .title = "operations" },
		{ .title = "share" },
	};
	size_t n = 2;

	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		if (traffic->has[i])
			columns[n++] = (struct document_column){ .title = bytes_title(traffic, i) };
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		if (traffic->has[i])
			columns[n++] =
				(struct document_column){ .title = intensity_title(traffic, i) };
	if (traffic->has_cycles)
		columns[n++] = (struct document_column){ .title = "op/cycle" };
	if (has_roofs(printing)) {
		columns[n++] = (struct document_column){ .title = "at most" };
		columns[n++] = (struct document_column){ .title = "by", .is_left = true };
	}
	columns[n++] = (struct document_column){ .title = "function" };
	document_table(&printing->document, &(const struct document_table){
						    .columns = columns,
						    .n = n,
						    .put_rows = put_rows,
						    .ctx = printing,
					    });
}

static void put_roofs(struct printing *printing)
{
	const struct roofs *roofs = printing->report->roofs;
	const struct traffic *traffic = printing->report->traffic;
	struct document *document = &printing->document;
	const char *before = ": ";

	if (!has_roofs(printing)) {
		document_prose(document, "\nNo roofs: --machine=NAME has them.\n");
		return;
	}
	document_prose(document, "\nRoofs of one core of ");
	document_words(document, roofs->machine);
	document_prose(document, ", a cycle");
	for (unsigned i = TRAFFIC_SINGLE; i <= TRAFFIC_DOUBLE; i++) {
		if (roofs->peak[i] <= 0)
			continue;
		document_prose(document, "%s%g operations in %s precision", before, roofs->peak[i],
			       i == TRAFFIC_SINGLE ? "single" : "double");
		before = ", ";
	}
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++) {
		if (roofs->bytes[i] <= 0)
			continue;
		document_prose(document, "%s%.3g bytes of %s", before, roofs->bytes[i],
			       traffic_place_name(traffic, (enum traffic_place)i));
		before = ", ";
	}
	document_prose(document, ".\n");
}

static void put_for_people(struct printing *printing)
{
	const struct traffic *traffic = printing->report->traffic;
	struct document *document = &printing->document;

	document_section(document, 1, "Roofline", NULL);
	document_prose(document,
		       "Floating-point operations of functions alone, and the bytes that they "
		       "read and write (L1) or have brought from behind it, in lines.\n\n");
	put_table(printing);
	put_roofs(printing);
	if (traffic->has_prefetches)
		document_prose(document, "Lines that were prefetched are in no column.\n");
}

/* -- for programs ---------------------------------------------------------------------------- */

static void put_function(struct printing *printing, const struct traffic_row *row)
{
	const struct traffic *traffic = printing->report->traffic;
	struct document *document = &printing->document;
	const double rate = traffic_rate(traffic, row);
	double attainable;
	int bound;

	document_cell(document, cell_string(row->name));
	document_cell(document, cell_string(row->file));
	document_cell(document, cell_count(row->all));
	for (unsigned i = 0; i < N_TRAFFIC_KINDS; i++)
		document_cell(document, cell_count(row->operations[i]));
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		document_cell(document,
			      traffic->has[i] ? cell_count(row->bytes[i]) : cell_string(NULL));
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++) {
		const double intensity = traffic_intensity(traffic, row, (enum traffic_place)i);

		document_cell(document,
			      intensity < 0 ? cell_string(NULL) : cell_number(intensity, 6));
	}
	document_cell(document, rate < 0 ? cell_string(NULL) : cell_number(rate, 6));
	attainable = roofs_attainable(printing->report->roofs, traffic, row, &bound);
	document_cell(document, attainable > 0 ? cell_number(attainable, 6) : cell_string(NULL));
	document_cell(document, bound == BOUND_BY_NOTHING
					? cell_string(NULL)
					: cell_string(bound_word(traffic, bound)));
}

static void put_for_programs(struct printing *printing)
{
	struct document_column columns[MOST_COLUMNS] = {
		{ .key = "function", .field = "function" },
		{ .key = "file", .field = "file" },
		{ .key = "operations", .field = "operations" },
		{ .key = "single", .field = "single" },
		{ .key = "double", .field = "double" },
		{ .key = "x87", .field = "x87" },
	};
	static const struct document_column last[] = {
		{ .key = "per_cycle", .field = "per_cycle" },
		{ .key = "attainable", .field = "attainable" },
		{ .key = "bound", .field = "bound" },
	};
	const struct rooflinereport *report = printing->report;
	struct document *document = &printing->document;
	struct document_table table = {
		.key = "functions", .record = "function", .columns = columns, .n = 6
	};

	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		columns[table.n++] = (struct document_column){ .key = words[i].bytes_key,
							       .field = words[i].bytes_key };
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		columns[table.n++] = (struct document_column){ .key = words[i].intensity_key,
							       .field = words[i].intensity_key };
	for (unsigned i = 0; i < sizeof(last) / sizeof(last[0]); i++)
		columns[table.n++] = last[i];
	document_value(document, "machine",
		       cell_string(has_roofs(printing) ? report->roofs->machine : NULL));
	document_value(document, "line", cell_count(report->traffic->line));
	document_begin_rows(document, &table);
	put_function(printing, &report->traffic->total);
	for (size_t i = 0; i < report->shown; i++)
		put_function(printing, &report->traffic->rows[i]);
	document_end_rows(document);
}

bool rooflinereport_print(const struct rooflinereport *report)
{
	struct printing printing = { .report = report };
	struct document *document = &printing.document;

	document_begin(document, report->backend, report->out, csv_fields,
		       sizeof(csv_fields) / sizeof(csv_fields[0]), 0);
	if (report->color)
		document_use_color(document);
	document_value(document, "format", cell_string("costgrind-roofline"));
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
	HEIGHT = 620,
	LEFT = 80,
	RIGHT = 190,
	TOP = 60,
	BOTTOM = 60,
	LABELS = 12, /* functions that have their names beside them */
	LEAST_DOUBLINGS = 6,
};

struct drawing {
	const struct rooflinereport *report;
	FILE *out;
	double left, right, bottom, top; /* log2 at the ends of the axes */
};

static const char style[] = "text { font: 12px sans-serif; fill: #222 }\n"
			    ".title { font-size: 15px; font-weight: bold }\n"
			    ".small { font-size: 10px }\n"
			    ".page { fill: #fff }\n"
			    ".grid { stroke: #ddd }\n"
			    ".axis { stroke: #666 }\n"
			    ".roof { stroke: #2b5d8c; stroke-width: 2 }\n"
			    ".link { stroke: #d9a397 }\n"
			    ".point { fill: #b3361e }\n"
			    "@media (prefers-color-scheme: dark) {\n"
			    "text { fill: #ddd }\n"
			    ".page { fill: #16191d }\n"
			    ".grid { stroke: #333 }\n"
			    ".axis { stroke: #999 }\n"
			    ".roof { stroke: #7fb0de }\n"
			    ".link { stroke: #6b4238 }\n"
			    ".point { fill: #ff8a6b }\n"
			    "}\n";

/* -- places ----------------------------------------------------------------------------------- */

static double x_of(const struct drawing *drawing, double log)
{
	return LEFT +
	       (log - drawing->left) / (drawing->right - drawing->left) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct drawing *drawing, double log)
{
	return HEIGHT - BOTTOM -
	       (log - drawing->bottom) / (drawing->top - drawing->bottom) * (HEIGHT - TOP - BOTTOM);
}

/* Operations a cycle at which a function is drawn; 0 if none are known. */
static double height_of(const struct drawing *drawing, const struct traffic_row *row)
{
	const double rate = traffic_rate(drawing->report->traffic, row);
	int bound;

	return rate > 0 ? rate
			: roofs_attainable(drawing->report->roofs, drawing->report->traffic, row,
					   &bound);
}

/* The most operations a cycle of the program's mix of precisions; 0 if that is not known. */
static double peak_of(const struct drawing *drawing)
{
	const struct traffic_row *total = &drawing->report->traffic->total;
	double cycles = 0;

	for (size_t i = 0; i < N_TRAFFIC_KINDS; i++) {
		if (total->operations[i] == 0)
			continue;
		if (drawing->report->roofs->peak[i] <= 0)
			return 0;
		cycles += (double)total->operations[i] / drawing->report->roofs->peak[i];
	}
	return cycles > 0 ? (double)total->all / cycles : 0;
}

static double floor_of(double number)
{
	const double whole = (double)(long long)number;

	return whole > number ? whole - 1 : whole;
}

static void stretch(double *least, double *most, double log)
{
	if (log < *least + 0.5)
		*least = floor_of(log - 0.5);
	if (log > *most - 0.5)
		*most = floor_of(log + 1.5);
}

static void find_axes(struct drawing *drawing)
{
	const struct traffic *traffic = drawing->report->traffic;
	const double peak = peak_of(drawing);

	drawing->left = -4;
	drawing->right = drawing->left + LEAST_DOUBLINGS + 2;
	drawing->bottom = -3;
	drawing->top = drawing->bottom + LEAST_DOUBLINGS;
	if (peak > 0)
		stretch(&drawing->bottom, &drawing->top, svg_log2(peak));
	for (size_t i = 0; i < drawing->report->shown; i++) {
		const double height = height_of(drawing, &traffic->rows[i]);

		if (height > 0)
			stretch(&drawing->bottom, &drawing->top, svg_log2(height));
		for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
			const double intensity = traffic_intensity(traffic, &traffic->rows[i],
								   (enum traffic_place)place);

			if (intensity > 0)
				stretch(&drawing->left, &drawing->right, svg_log2(intensity));
		}
	}
}

/* -- elements --------------------------------------------------------------------------------- */

/* 2 to a whole number: "1/8", "4". */
static void put_power(const struct drawing *drawing, double log)
{
	double number = 1;
	int n = (int)log;

	for (int i = 0; i < (n < 0 ? -n : n) && i < 64; i++)
		number *= 2;
	fprintf(drawing->out, n < 0 ? "1/%.0f" : "%.0f", number);
}

static void draw_axes(const struct drawing *drawing)
{
	const double low = HEIGHT - BOTTOM, far = WIDTH - RIGHT;
	const double across = drawing->right - drawing->left > 16 ? 4 : 1;
	const int columns = (int)((drawing->right - drawing->left) / across);
	const int rows = (int)(drawing->top - drawing->bottom);

	for (int i = 0; i <= columns; i++) {
		const double log = drawing->left + i * across, x = x_of(drawing, log);

		svg_line(drawing->out, "grid", (const double[]){ x, TOP },
			 (const double[]){ x, low });
		svg_begin_text(drawing->out, "", "middle", x, low + 18);
		put_power(drawing, log);
		svg_end_text(drawing->out);
	}
	for (int i = 0; i <= rows; i++) {
		const double log = drawing->bottom + i, y = y_of(drawing, log);

		svg_line(drawing->out, "grid", (const double[]){ LEFT, y },
			 (const double[]){ far, y });
		svg_begin_text(drawing->out, "", "end", LEFT - 8, y + 4);
		put_power(drawing, log);
		svg_end_text(drawing->out);
	}
	svg_line(drawing->out, "axis", (const double[]){ LEFT, low }, (const double[]){ far, low });
	svg_line(drawing->out, "axis", (const double[]){ LEFT, TOP },
		 (const double[]){ LEFT, low });
	svg_begin_text(drawing->out, "", "middle", (LEFT + far) / 2, low + 40);
	fputs("operations a byte", drawing->out);
	svg_end_text(drawing->out);
	fprintf(drawing->out,
		"<text text-anchor=\"middle\" transform=\"translate(22 %d) rotate(-90)\">operations a "
		"cycle</text>\n",
		HEIGHT / 2);
}

static bool is_roof(const struct drawing *drawing, unsigned place)
{
	return drawing->report->traffic->has[place] && drawing->report->roofs->bytes[place] > 0;
}

/* Whether a place before it has as many bytes a cycle: then they are one roof. */
static bool is_double(const struct drawing *drawing, unsigned place)
{
	for (unsigned i = 0; i < place; i++)
		if (is_roof(drawing, i) &&
		    drawing->report->roofs->bytes[i] == drawing->report->roofs->bytes[place])
			return true;
	return false;
}

/* A slope, y = x + log2 of bytes a cycle, from where it comes in to where it meets the most operations. */
static void draw_slope(const struct drawing *drawing, enum traffic_place place, double top)
{
	const double bytes = svg_log2(drawing->report->roofs->bytes[place]);
	double from = drawing->left, to = top - bytes;

	if (from + bytes < drawing->bottom)
		from = drawing->bottom - bytes;
	if (to > drawing->right)
		to = drawing->right;
	if (from >= to)
		return;
	svg_line(drawing->out, "roof",
		 (const double[]){ x_of(drawing, from), y_of(drawing, from + bytes) },
		 (const double[]){ x_of(drawing, to), y_of(drawing, to + bytes) });
	svg_begin_text(drawing->out, "small", "start", x_of(drawing, from) + 4,
		       y_of(drawing, from + bytes) - 6);
	for (unsigned i = place; i < N_TRAFFIC_PLACES; i++)
		if (is_roof(drawing, i) &&
		    drawing->report->roofs->bytes[i] == drawing->report->roofs->bytes[place])
			fprintf(drawing->out, "%s, ",
				traffic_place_name(drawing->report->traffic,
						   (enum traffic_place)i));
	fprintf(drawing->out, "%.3g B/cycle", drawing->report->roofs->bytes[place]);
	svg_end_text(drawing->out);
}

static void draw_roofs(const struct drawing *drawing)
{
	const double peak = peak_of(drawing);
	const double top = peak > 0 ? svg_log2(peak) : drawing->top;
	double start = drawing->right;

	for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
		const double bytes = drawing->report->roofs->bytes[place];

		if (!is_roof(drawing, place) || is_double(drawing, place))
			continue;
		draw_slope(drawing, (enum traffic_place)place, top);
		if (top - svg_log2(bytes) < start)
			start = top - svg_log2(bytes);
	}
	if (peak <= 0)
		return;
	if (start < drawing->left || start >= drawing->right)
		start = drawing->left;
	svg_line(drawing->out, "roof", (const double[]){ x_of(drawing, start), y_of(drawing, top) },
		 (const double[]){ WIDTH - RIGHT, y_of(drawing, top) });
	svg_begin_text(drawing->out, "small", "end", WIDTH - RIGHT - 4, y_of(drawing, top) - 6);
	fprintf(drawing->out, "%.3g operations a cycle", peak);
	svg_end_text(drawing->out);
}

static void draw_function(const struct drawing *drawing, size_t number)
{
	const struct traffic *traffic = drawing->report->traffic;
	const struct traffic_row *row = &traffic->rows[number];
	const double height = height_of(drawing, row);
	const double y =
		y_of(drawing, height > 0 ? svg_log2(height) : (drawing->bottom + drawing->top) / 2);
	double first = WIDTH, last = 0;

	for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
		const double intensity = traffic_intensity(traffic, row, (enum traffic_place)place);
		const double x = intensity > 0 ? x_of(drawing, svg_log2(intensity)) : 0;

		if (intensity <= 0)
			continue;
		first = x < first ? x : first;
		last = x > last ? x : last;
		fprintf(drawing->out,
			"<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", x, y);
		svg_text(drawing->out, row->name);
		fprintf(drawing->out, ": %.3g operations a byte of %s", intensity,
			traffic_place_name(traffic, (enum traffic_place)place));
		if (height > 0)
			fprintf(drawing->out, ", %.3g a cycle", height);
		fputs("</title></circle>\n", drawing->out);
	}
	if (last == 0)
		return;
	svg_line(drawing->out, "link", (const double[]){ first, y }, (const double[]){ last, y });
	if (number >= LABELS)
		return;
	svg_begin_text(drawing->out, "small", "start", last + 8, y + 4);
	svg_text(drawing->out, row->name);
	svg_end_text(drawing->out);
}

void rooflinedrawing_print(const struct rooflinereport *report)
{
	struct drawing drawing = { .report = report, .out = report->out };
	const bool has_machine = report->roofs->machine[0] != '\0';

	find_axes(&drawing);
	fprintf(drawing.out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\">\n<title>Roofline</title>\n<style>\n%s</style>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT, style);
	svg_begin_text(drawing.out, "title", "start", 16, 26);
	fputs("Roofline", drawing.out);
	if (has_machine) {
		fputs(", one core of ", drawing.out);
		svg_text(drawing.out, report->roofs->machine);
	}
	svg_end_text(drawing.out);
	svg_begin_text(drawing.out, "small", "start", 16, 44);
	fputs(report->traffic->has_cycles
		      ? "functions at the operations a cycle that the simulated core does"
	      : has_machine ? "functions at the most operations a cycle that roofs leave"
			    : "intensity only",
	      drawing.out);
	svg_end_text(drawing.out);
	draw_axes(&drawing);
	draw_roofs(&drawing);
	for (size_t i = 0; i < report->shown; i++)
		draw_function(&drawing, i);
	fputs("</svg>\n", drawing.out);
}
