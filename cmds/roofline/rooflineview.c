/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A roofline as a document: a row for the program and one for each function with operations.  And as a drawing with two
 * logarithmic axes, operations per byte and operations per cycle.
 *
 *	op/cycle |        ____________  most operations
 *	         |   L1 / /
 *	         |     / / memory
 *	         |    / / o             a function: a circle for each place that it has bytes from,
 *	         +----------------      joined by a line
 *	              op/byte
 *
 * Circles show what was achieved, where cycles were counted, else the most that the roofs allow.  Without roofs all are at one
 * height.
 */
#include <string.h>

#include "cmds/emit/drawing.h"
#include "cmds/roofline/roofline.h"

enum {
	MOST_COLUMNS = 32,
	FEW_DECIMALS = 3, /* for people */
	DECIMALS = 6,
};

/* Titles for people, and keys of JSON, which are fields of CSV too. */
static const struct {
	const char *bytes, *intensity, *bytes_key, *intensity_key;
} words[N_TRAFFIC_PLACES] = {
	[TRAFFIC_L1] = { "L1 bytes", "op/B L1", "bytes_l1", "intensity_l1" },
	[TRAFFIC_L2] = { "L2 bytes", "L2", "bytes_l2", "intensity_l2" },
	[TRAFFIC_L3] = { "L3 bytes", "L3", "bytes_l3", "intensity_l3" },
	[TRAFFIC_L4] = { "L4 bytes", "L4", "bytes_l4", "intensity_l4" },
	[TRAFFIC_MEMORY] = { "memory bytes", "memory", "bytes_memory", "intensity_memory" },
};

const char *const rooflineview_fields[N_ROOFLINEVIEW_FIELDS] = {
	"record",           "function",     "file",         "operations",
	"single",           "double",       "x87",          "bytes_l1",
	"bytes_l2",         "bytes_l3",     "bytes_l4",     "bytes_memory",
	"intensity_l1",     "intensity_l2", "intensity_l3", "intensity_l4",
	"intensity_memory", "per_cycle",    "attainable",   "bound",
};

static bool has_roofs(const struct rooflineview *view)
{
	return view->roofs->machine[0] != '\0';
}

/* -- the table -------------------------------------------------------------------------------------- */

/* A number; if it is not known, empty for people and null for programs. */
static struct cell number_cell(const struct document *document, bool is_known, double value)
{
	if (!is_known)
		return document_is_prose(document) ? cell_none : cell_string(NULL);
	return cell_number(value, document_is_prose(document) ? FEW_DECIMALS : DECIMALS);
}

static void put_row(struct document *document, void *ctx, size_t i)
{
	const struct rooflineview *view = ctx;
	const struct traffic *traffic = view->traffic;
	const struct traffic_row *row = i == 0 ? &traffic->total : &traffic->rows[i - 1];
	const double rate = traffic_rate(traffic, row);
	int bound;
	const double attainable = roofs_attainable(view->roofs, traffic, row, &bound);
	const char *word = document_is_prose(document) ? "" : NULL;

	if (bound == BOUND_BY_OPERATIONS)
		word = "operations";
	else if (bound != BOUND_BY_NOTHING)
		word = traffic_place_name(traffic, (enum traffic_place)(bound - BOUND_BY_PLACE));
	document_cell(document,
		      i > 0 ? document_function_number(document, row->function) : cell_none);
	document_cell(document, cell_string(row->name));
	document_cell(document, cell_string(row->file));
	document_cell(document, cell_count(row->all));
	document_cell(document, cell_share(row->all, traffic->total.all));
	for (unsigned kind = 0; kind < N_TRAFFIC_KINDS; kind++)
		document_cell(document, cell_count(row->operations[kind]));
	for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++)
		document_cell(document, traffic->has[place] ? cell_count(row->bytes[place])
							    : cell_string(NULL));
	for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
		const double intensity = traffic_intensity(traffic, row, (enum traffic_place)place);

		document_cell(document, number_cell(document, intensity >= 0, intensity));
	}
	document_cell(document, number_cell(document, rate >= 0, rate));
	document_cell(document, number_cell(document, attainable > 0, attainable));
	document_cell(document, cell_string(word));
	document_cell(document, cell_string(row->name ? row->name : "(the whole program)"));
}

/* People see only columns of what is known. */
static size_t make_columns(const struct rooflineview *view,
			   struct document_column columns[MOST_COLUMNS])
{
	static const struct document_column first[] = {
		{ .key = "function", .is_for_page = true },
		{ .key = "function", .field = "function", .is_not_for_page = true },
		{ .key = "file", .field = "file", .is_not_for_page = true },
		{ .title = "operations", .key = "operations", .field = "operations" },
		{ .title = "share" },
		{ .key = "single", .field = "single" },
		{ .key = "double", .field = "double" },
		{ .key = "x87", .field = "x87" },
	};
	const struct traffic *traffic = view->traffic;
	const bool is_last_level = traffic->last[1] == 'L';
	size_t n = sizeof(first) / sizeof(first[0]);

	memcpy(columns, first, sizeof(first));
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++) {
		const char *title = i == TRAFFIC_L3 && is_last_level ? "LL bytes" : words[i].bytes;

		columns[n++] = (struct document_column){
			.title = traffic->has[i] ? title : NULL,
			.key = words[i].bytes_key,
			.field = words[i].bytes_key,
		};
	}
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++) {
		const char *title = i == TRAFFIC_L3 ? traffic->last : words[i].intensity;

		columns[n++] = (struct document_column){
			.title = traffic->has[i] ? title : NULL,
			.key = words[i].intensity_key,
			.field = words[i].intensity_key,
			.is_not_for_page = true, /* it divides */
		};
	}
	columns[n++] = (struct document_column){
		.title = traffic->has_cycles ? "op/cycle" : NULL,
		.key = "per_cycle",
		.field = "per_cycle",
	};
	columns[n++] = (struct document_column){
		.title = has_roofs(view) ? "at most" : NULL,
		.key = "attainable",
		.field = "attainable",
	};
	columns[n++] = (struct document_column){
		.title = has_roofs(view) ? "by" : NULL,
		.key = "bound",
		.field = "bound",
		.is_left = true,
	};
	columns[n++] = (struct document_column){ .title = "function" };
	return n;
}

/* Columns that a number takes in text at most, of the whole program and of the functions shown, with a gap. */
static size_t width_of(const struct rooflineview *view, const char *title, int place,
		       bool is_intensity)
{
	enum { GAP = 2, OTHERS = 8 };
	const struct traffic *traffic = view->traffic;
	size_t most = strlen(title);

	if (place < 0) {
		char count[INT128_TEXT];
		const size_t len = int128_print(count, (int128)traffic->total.all, true);
		const size_t least = strcmp(title, "operations") == 0 ? len : OTHERS;

		return (most > least ? most : least) + GAP;
	}
	for (size_t i = 0; i <= view->shown; i++) {
		const struct traffic_row *row = i == 0 ? &traffic->total : &traffic->rows[i - 1];
		char text[INT128_TEXT];
		size_t len =
			is_intensity
				? (size_t)snprintf(text, sizeof(text), "%.3f",
						   traffic_intensity(traffic, row,
								     (enum traffic_place)place))
				: int128_print(text, row->bytes[place], true);

		most = len > most ? len : most;
	}
	return most + GAP;
}

/*
 * Leaves columns out of text until the others fit: bytes, which are operations by intensity, then the
 * intensity of caches, L1 last, and the share.
 */
static void fit_columns(const struct document *document, const struct rooflineview *view,
			struct document_column *columns, size_t n)
{
	enum { SHARE = 4, FIRST = 8, LEAST_NAME = 26, N_STEPS = 2 * N_TRAFFIC_PLACES };
	const size_t memory = FIRST + N_TRAFFIC_PLACES + TRAFFIC_MEMORY;
	const size_t width = document_width(document);
	size_t drops[N_STEPS], used = LEAST_NAME, k = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		const int at = (int)i - FIRST;
		const bool is_of_place = at >= 0 && at < 2 * N_TRAFFIC_PLACES;

		if (columns[i].title)
			used += width_of(view, columns[i].title,
					 is_of_place ? at % N_TRAFFIC_PLACES : -1,
					 at >= N_TRAFFIC_PLACES);
	}
	for (size_t place = 0; place < N_TRAFFIC_PLACES; place++)
		drops[k++] = FIRST + place;
	for (size_t place = TRAFFIC_MEMORY; place-- > TRAFFIC_L1;)
		drops[k++] = FIRST + N_TRAFFIC_PLACES + place;
	drops[k++] = SHARE;
	for (size_t i = 0; width > 0 && used > width && i < k; i++) {
		const int at = (int)drops[i] - FIRST;

		if (!columns[drops[i]].title)
			continue;
		used -= width_of(view, columns[drops[i]].title,
				 at >= 0 ? at % N_TRAFFIC_PLACES : -1, at >= N_TRAFFIC_PLACES);
		columns[drops[i]].title = NULL;
	}
	/* The title of L1 says what all of them are. */
	if (columns[memory].title && !columns[FIRST + N_TRAFFIC_PLACES].title)
		columns[memory].title = "op/B memory";
}

static void put_roofs(struct document *document, const struct rooflineview *view)
{
	const struct roofs *roofs = view->roofs;
	const char *before = ": ";

	if (!has_roofs(view)) {
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
			       traffic_place_name(view->traffic, (enum traffic_place)i));
		before = ", ";
	}
	document_prose(document, ".\n");
}

void rooflineview_put(struct document *document, const struct rooflineview *view)
{
	struct document_column columns[MOST_COLUMNS];
	const struct document_view functions = {
		.table = { .key = "functions",
			   .record = "function",
			   .columns = columns,
			   .n = make_columns(view, columns) },
		.n_rows = view->shown + 1,
		.put_row = put_row,
		.ctx = document_view_ctx(view),
	};

	fit_columns(document, view, columns, functions.table.n);
	document_value(document, "machine",
		       cell_string(has_roofs(view) ? view->roofs->machine : NULL));
	document_value(document, "line", cell_count(view->traffic->line));
	document_section(document, 1, "Roofline", NULL);
	document_prose(document,
		       "Floating-point operations of functions alone, and the bytes that they "
		       "read and write (L1) or have brought from below it, in lines.\n\n");
	document_view(document, &functions);
	if (!document_is_prose(document))
		return;
	put_roofs(document, view);
	if (view->traffic->has_prefetches)
		document_prose(document, "Lines that were prefetched are in no column.\n");
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
	LABELS = 12, /* functions that are labelled */
	LEAST_DOUBLINGS = 6,
};

/* Values of the plot are logarithms to base 2. */
struct drawing {
	const struct rooflineview *view;
	FILE *out;
	struct svg_plot plot;
};

static const char light_style[] = ".roof { stroke: #2b5d8c; stroke-width: 2 }\n"
				  ".link { stroke: #d9a397 }\n"
				  ".point { fill: #b3361e }\n";
static const char dark_style[] = ".roof { stroke: #7fb0de }\n"
				 ".link { stroke: #6b4238 }\n"
				 ".point { fill: #ff8a6b }\n";

/* Operations a cycle at which a function is drawn; 0 = not known. */
static double height_of(const struct drawing *drawing, const struct traffic_row *row)
{
	const double rate = traffic_rate(drawing->view->traffic, row);
	int bound;

	return rate > 0 ? rate
			: roofs_attainable(drawing->view->roofs, drawing->view->traffic, row,
					   &bound);
}

/* The most operations a cycle with the program's mix of precisions; 0 = not known. */
static double peak_of(const struct drawing *drawing)
{
	const struct traffic_row *total = &drawing->view->traffic->total;
	double cycles = 0;

	for (size_t i = 0; i < N_TRAFFIC_KINDS; i++) {
		if (total->operations[i] == 0)
			continue;
		if (drawing->view->roofs->peak[i] <= 0)
			return 0;
		cycles += (double)total->operations[i] / drawing->view->roofs->peak[i];
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
	const struct traffic *traffic = drawing->view->traffic;
	const double peak = peak_of(drawing);
	struct svg_plot *plot = &drawing->plot;

	plot->least_x = -4;
	plot->most_x = plot->least_x + LEAST_DOUBLINGS + 2;
	plot->least_y = -3;
	plot->most_y = plot->least_y + LEAST_DOUBLINGS;
	if (peak > 0)
		stretch(&plot->least_y, &plot->most_y, svg_log2(peak));
	for (size_t i = 0; i < drawing->view->shown; i++) {
		const double height = height_of(drawing, &traffic->rows[i]);

		if (height > 0)
			stretch(&plot->least_y, &plot->most_y, svg_log2(height));
		for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
			const double intensity = traffic_intensity(traffic, &traffic->rows[i],
								   (enum traffic_place)place);

			if (intensity > 0)
				stretch(&plot->least_x, &plot->most_x, svg_log2(intensity));
		}
	}
}

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
	const struct svg_plot *plot = &drawing->plot;
	const double across = plot->most_x - plot->least_x > 16 ? 4 : 1;
	const int columns = (int)((plot->most_x - plot->least_x) / across);
	const int rows = (int)(plot->most_y - plot->least_y);

	for (int i = 0; i <= columns; i++) {
		svg_begin_column(plot, plot->least_x + i * across);
		put_power(drawing, plot->least_x + i * across);
		svg_end_text(drawing->out);
	}
	for (int i = 0; i <= rows; i++) {
		svg_begin_row(plot, plot->least_y + i);
		put_power(drawing, plot->least_y + i);
		svg_end_text(drawing->out);
	}
	svg_line(drawing->out, "axis", LEFT, low, far, low);
	svg_line(drawing->out, "axis", LEFT, TOP, LEFT, low);
	svg_x_title(plot, 40, "operations a byte");
	svg_y_title(plot, 22, "operations a cycle");
}

static bool is_roof(const struct drawing *drawing, unsigned place)
{
	return drawing->view->traffic->has[place] && drawing->view->roofs->bytes[place] > 0;
}

/* True if an earlier place has as many bytes a cycle: they share a roof. */
static bool is_double(const struct drawing *drawing, unsigned place)
{
	for (unsigned i = 0; i < place; i++)
		if (is_roof(drawing, i) &&
		    drawing->view->roofs->bytes[i] == drawing->view->roofs->bytes[place])
			return true;
	return false;
}

/* A slope, y = x + log2 of bytes a cycle, from the edge of the plot to where it meets the most operations. */
static void draw_slope(const struct drawing *drawing, enum traffic_place place, double top)
{
	const double bytes = svg_log2(drawing->view->roofs->bytes[place]);
	double from = drawing->plot.least_x, to = top - bytes;

	if (from + bytes < drawing->plot.least_y)
		from = drawing->plot.least_y - bytes;
	if (to > drawing->plot.most_x)
		to = drawing->plot.most_x;
	if (from >= to)
		return;
	svg_line(drawing->out, "roof", svg_x(&drawing->plot, from),
		 svg_y(&drawing->plot, from + bytes), svg_x(&drawing->plot, to),
		 svg_y(&drawing->plot, to + bytes));
	svg_begin_text(drawing->out, "small", "start", svg_x(&drawing->plot, from) + 4,
		       svg_y(&drawing->plot, from + bytes) - 6);
	for (unsigned i = place; i < N_TRAFFIC_PLACES; i++)
		if (is_roof(drawing, i) &&
		    drawing->view->roofs->bytes[i] == drawing->view->roofs->bytes[place])
			fprintf(drawing->out, "%s, ",
				traffic_place_name(drawing->view->traffic, (enum traffic_place)i));
	fprintf(drawing->out, "%.3g B/cycle", drawing->view->roofs->bytes[place]);
	svg_end_text(drawing->out);
}

static void draw_roofs(const struct drawing *drawing)
{
	const double peak = peak_of(drawing);
	const double top = peak > 0 ? svg_log2(peak) : drawing->plot.most_y;
	double start = drawing->plot.most_x;

	for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
		const double bytes = drawing->view->roofs->bytes[place];

		if (!is_roof(drawing, place) || is_double(drawing, place))
			continue;
		draw_slope(drawing, (enum traffic_place)place, top);
		if (top - svg_log2(bytes) < start)
			start = top - svg_log2(bytes);
	}
	if (peak <= 0)
		return;
	if (start < drawing->plot.least_x || start >= drawing->plot.most_x)
		start = drawing->plot.least_x;
	svg_line(drawing->out, "roof", svg_x(&drawing->plot, start), svg_y(&drawing->plot, top),
		 WIDTH - RIGHT, svg_y(&drawing->plot, top));
	svg_begin_text(drawing->out, "small", "end", WIDTH - RIGHT - 4,
		       svg_y(&drawing->plot, top) - 6);
	fprintf(drawing->out, "%.3g operations a cycle", peak);
	svg_end_text(drawing->out);
}

static void draw_function(const struct drawing *drawing, size_t number)
{
	const struct traffic *traffic = drawing->view->traffic;
	const struct traffic_row *row = &traffic->rows[number];
	const double height = height_of(drawing, row);
	const double y = svg_y(&drawing->plot,
			       height > 0 ? svg_log2(height)
					  : (drawing->plot.least_y + drawing->plot.most_y) / 2);
	double first = WIDTH, last = 0;

	for (unsigned place = 0; place < N_TRAFFIC_PLACES; place++) {
		const double intensity = traffic_intensity(traffic, row, (enum traffic_place)place);
		const double x = intensity > 0 ? svg_x(&drawing->plot, svg_log2(intensity)) : 0;

		if (intensity <= 0)
			continue;
		first = x < first ? x : first;
		last = x > last ? x : last;
		svg_begin_point(&drawing->plot, x, y, "4");
		svg_text(drawing->out, row->name);
		fprintf(drawing->out, ": %.3g operations a byte of %s", intensity,
			traffic_place_name(traffic, (enum traffic_place)place));
		if (height > 0)
			fprintf(drawing->out, ", %.3g a cycle", height);
		svg_end_point(&drawing->plot);
	}
	if (last == 0)
		return;
	svg_line(drawing->out, "link", first, y, last, y);
	if (number >= LABELS)
		return;
	svg_begin_text(drawing->out, "small", "start", last + 8, y + 4);
	svg_text(drawing->out, row->name);
	svg_end_text(drawing->out);
}

void rooflineview_draw(FILE *out, const struct rooflineview *view)
{
	struct drawing drawing = {
		.view = view,
		.out = out,
		.plot = { .out = out,
			  .left = LEFT,
			  .top = TOP,
			  .right = WIDTH - RIGHT,
			  .bottom = HEIGHT - BOTTOM },
	};

	find_axes(&drawing);
	svg_begin(out, WIDTH, HEIGHT, "Roofline", NULL, light_style, dark_style);
	svg_heading(out, has_roofs(view) ? "Roofline, one core of " : "Roofline",
		    has_roofs(view) ? view->roofs->machine : NULL);
	svg_begin_note(out);
	fputs(view->traffic->has_cycles
		      ? "functions at the operations a cycle that the simulated core does"
	      : has_roofs(view) ? "functions at the most operations a cycle that roofs leave"
				: "intensity only",
	      out);
	svg_end_text(out);
	draw_axes(&drawing);
	draw_roofs(&drawing);
	for (size_t i = 0; i < view->shown; i++)
		draw_function(&drawing, i);
	svg_end(out);
}
