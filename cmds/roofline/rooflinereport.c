/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A roofline as a document: a row for the program and for each function with operations. */
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

double rooflinereport_rate(const struct traffic *traffic, const struct traffic_row *row)
{
	if (!traffic->has_cycles || row->cycles == 0)
		return -1;
	return 10.0 * (double)row->all / (double)row->cycles;
}

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
		document_cell(document, known_number(rooflinereport_rate(traffic, row)));
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
	const double rate = rooflinereport_rate(traffic, row);
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
