/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that could be placed better, for people and for programs. */
#include <inttypes.h>

#include "cmds/annotate/render.h"
#include "cmds/placement/placement.h"

enum {
	NUMBER_TEXT = 48,
	ADDRESS_TEXT = 24,
};

static const struct placement *placement_of(const struct rendering *rendering)
{
	return &rendering->annotation->placement;
}

static uint64_t bytes_of(const struct placement_row *row)
{
	return row->loop.end - row->loop.begin;
}

/* -- for people ------------------------------------------------------------------------------ */

/* "3 for 2": touched, and needed. */
static void put_windows(struct document *document, const struct placement_row *row)
{
	char text[N_WINDOWS][NUMBER_TEXT];

	for (unsigned window = 0; window < N_WINDOWS; window++) {
		int len = snprintf(text[window], NUMBER_TEXT, "%" PRIu64, row->touched[window]);

		if (row->touched[window] > row->needed[window])
			snprintf(text[window] + len, NUMBER_TEXT - (size_t)len, " for %" PRIu64,
				 row->needed[window]);
		document_cell(document, cell_string(text[window]));
	}
	/* Below the table the whole file is said. */
	document_place(document, row->function, row->file, row->line);
}

static void put_rows(struct document *document, void *ctx)
{
	const struct placement *placement = placement_of(ctx);

	for (size_t i = 0; i < placement->n; i++) {
		const struct placement_row *row = &placement->rows[i];

		document_cell(document, cell_count((int128)i + 1));
		document_cell(document, cell_share(row->cost, placement->whole));
		document_cell(document, cell_count(row->loop.turns));
		document_cell(document, cell_count(bytes_of(row)));
		put_windows(document, row);
	}
}

static void put_table(struct rendering *rendering)
{
	const struct placement *placement = placement_of(rendering);
	const struct document_column columns[] = {
		{ .title = "#" },       { .title = placement->metric->name },
		{ .title = "turns" },   { .title = "bytes" },
		{ .title = "of 16 B" }, { .title = "of 32 B" },
		{ .title = "of 64 B" }, { .title = "where" },
	};

	document_table(&rendering->document, &(const struct document_table){
						     .columns = columns,
						     .n = sizeof(columns) / sizeof(columns[0]),
						     .put_rows = put_rows,
						     .ctx = rendering,
					     });
	document_prose(&rendering->document, "\n");
}

static void put_detail(struct document *document, const struct placement_row *row, size_t number)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "0x%" PRIx64 "-0x%" PRIx64, row->loop.begin, row->loop.end);
	document_prose(document, "%2zu. ", number);
	if (row->file)
		document_words(document, row->file);
	if (row->file && row->line != 0)
		document_prose(document, ":%" PRIu64, row->line);
	document_prose(document, "%s", row->file ? "  " : "");
	document_name(document, text);
	document_prose(document, "  ");
	document_words(document, row->object);
	document_prose(document, "\n    - ");
	document_words(document, row->remedy.text);
	document_prose(document, "\n");
}

/* How many there are, of which the others lie well. */
static void put_count(struct document *document, const struct placement *placement)
{
	const size_t n = placement->n, n_hot = placement->n_hot;

	document_prose(document, "%zu hot loop%s (%d%% of ", n_hot, n_hot == 1 ? "" : "s",
		       HOT_LEAST);
	document_words(document, placement->metric->name);
	document_prose(document, " or more, %d bytes at most)", LOOP_MOST_BYTES);
	if (n > 0)
		document_prose(document, ", of which %zu touch%s more fetch windows than needed", n,
			       n == 1 ? "es" : "");
	else if (n_hot > 0)
		document_prose(document, ": none touches more fetch windows than needed");
	document_prose(document, ".\n");
}

void render_layout_prose(struct rendering *rendering)
{
	const struct placement *placement = placement_of(rendering);
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);

	document_section(document, 2, "Placement of hot loops", NULL);
	if (!is_short) {
		document_part(document, PART_TITLE);
		document_prose(document,
			       "Placement of hot loops: fetch windows touched for needed");
		document_part(document, PART_CONTENT);
	}
	if (placement->n > 0)
		put_table(rendering);
	for (size_t i = 0; i < placement->n; i++)
		put_detail(document, &placement->rows[i], i + 1);
	document_prose(document, "%s", placement->n > 0 ? "\n" : "");
	put_count(document, placement);
	if (!is_short)
		document_part(document, PART_END);
	document_prose(document, "%s", is_short ? "\n" : "");
}

/* -- for programs ---------------------------------------------------------------------------- */

static struct cell address_cell(char text[ADDRESS_TEXT], uint64_t address)
{
	snprintf(text, ADDRESS_TEXT, "0x%" PRIx64, address);
	return cell_string(text);
}

static void put_row(struct document *document, const struct placement *placement,
		    const struct placement_row *row)
{
	char begin[ADDRESS_TEXT], end[ADDRESS_TEXT];

	document_cell(document, cell_string(row->function));
	document_cell(document, cell_string(row->file));
	document_cell(document, row->line != 0 ? cell_count(row->line) : cell_none);
	document_cell(document, cell_string(row->object));
	document_cell(document, address_cell(begin, row->loop.begin));
	document_cell(document, address_cell(end, row->loop.end));
	document_cell(document, cell_count(bytes_of(row)));
	document_cell(document, cell_count(row->loop.turns));
	document_cell(document, cell_count(row->cost));
	document_cell(document,
		      cell_number(100.0 * (double)row->cost / (double)placement->whole, 4));
	for (unsigned window = 0; window < N_WINDOWS; window++) {
		document_cell(document, cell_count(row->touched[window]));
		document_cell(document, cell_count(row->needed[window]));
	}
	document_cell(document, cell_count(row->remedy.alignment));
	document_cell(document, row->remedy.function_alignment
					? cell_count(row->remedy.function_alignment)
					: cell_none);
	document_cell(document, cell_string(row->remedy.text));
}

void render_layout_data(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "function", .field = "function" },
		{ .key = "file", .field = "file" },
		{ .key = "line", .field = "line" },
		{ .key = "object", .field = "object" },
		{ .key = "begin", .field = "address" },
		{ .key = "end", .field = "end" },
		{ .key = "bytes", .field = "bytes" },
		{ .key = "turns", .field = "calls" },
		{ .key = "cost" },
		{ .key = "share", .field = "share" },
		{ .key = "windows16", .field = "windows16" },
		{ .key = "needed16", .field = "needed16" },
		{ .key = "windows32", .field = "windows32" },
		{ .key = "needed32", .field = "needed32" },
		{ .key = "windows64", .field = "windows64" },
		{ .key = "needed64", .field = "needed64" },
		{ .key = "alignment" },
		{ .key = "function_alignment" },
		{ .key = "advice", .field = "text" },
	};
	static const struct document_table table = {
		.key = "loops",
		.record = "loop",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.is_indented = true,
	};
	const struct placement *placement = placement_of(rendering);
	struct document *document = &rendering->document;

	document_object(document, "layout", false);
	document_value(document, "event", cell_string(placement->metric->name));
	document_value(document, "total", cell_count(placement->whole));
	document_value(document, "hot_loops", cell_count((int128)placement->n_hot));
	document_begin_rows(document, &table);
	for (size_t i = 0; i < placement->n; i++)
		put_row(document, placement, &placement->rows[i]);
	document_end_rows(document);
	document_close(document);
}
