/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hot loops that could be placed better, as a part of a document. */
#include <inttypes.h>
#include <stdio.h>

#include "cmds/placement/placement.h"

enum {
	NUMBER_TEXT = 48,
	ADDRESS_TEXT = 24,
};

static uint64_t bytes_of(const struct placement_row *row)
{
	return row->loop.end - row->loop.begin;
}

/* "3 for 2": touched, and needed. */
static struct cell windows_cell(const struct document *document, const struct placement_row *row,
				unsigned window, char text[NUMBER_TEXT])
{
	if (!document_is_prose(document))
		return cell_count(row->touched[window]);
	if (row->touched[window] > row->needed[window])
		snprintf(text, NUMBER_TEXT, "%" PRIu64 " for %" PRIu64, row->touched[window],
			 row->needed[window]);
	else
		snprintf(text, NUMBER_TEXT, "%" PRIu64, row->touched[window]);
	return cell_string(text);
}

static struct cell address_cell(char text[ADDRESS_TEXT], uint64_t address)
{
	snprintf(text, ADDRESS_TEXT, "0x%" PRIx64, address);
	return cell_string(text);
}

static struct cell known_count(uint64_t count)
{
	return count != 0 ? cell_count(count) : cell_none;
}

static void put_row(struct document *document, void *ctx, size_t i)
{
	const struct placement *placement = ctx;
	const struct placement_row *row = &placement->rows[i];
	char begin[ADDRESS_TEXT], end[ADDRESS_TEXT], windows[N_WINDOWS][NUMBER_TEXT];

	document_cell(document, cell_count((int128)i + 1));
	document_cell(document, cell_share(row->cost, placement->whole));
	document_cell(document, cell_count(row->loop.turns));
	document_cell(document, document_function_number(document, row->number));
	document_cell(document, cell_string(row->function));
	document_cell(document, document_file_number(document, row->file_number));
	document_cell(document, cell_string(row->file));
	document_cell(document, known_count(row->line));
	document_cell(document, cell_string(row->object));
	document_cell(document, address_cell(begin, row->loop.begin));
	document_cell(document, address_cell(end, row->loop.end));
	document_cell(document, cell_count(bytes_of(row)));
	document_cell(document, cell_count(row->loop.turns));
	document_cell(document, cell_count(row->cost));
	document_cell(document, document_rate(document, row->cost, placement->whole));
	for (unsigned window = 0; window < N_WINDOWS; window++) {
		document_cell(document, windows_cell(document, row, window, windows[window]));
		document_cell(document, cell_count(row->needed[window]));
	}
	document_cell(document, cell_count(row->remedy.alignment));
	document_cell(document, known_count(row->remedy.function_alignment));
	document_cell(document, cell_string(row->remedy.text));
	/* Below the table the whole name of the file is given. */
	document_place(document, row->function, row->file, row->line);
}

static void put_gap(struct document *document, void *ctx)
{
	(void)ctx;
	document_prose(document, "\n");
}

/* For people. */
static void put_details(struct document *document, const struct placement_row *row, size_t number)
{
	char text[2 * ADDRESS_TEXT];

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

/* How many hot loops there are, most of them well placed. */
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

void placementview_put(struct document *document, const struct placement *placement)
{
	const struct document_column columns[] = {
		{ .title = "#" },
		{ .title = placement->metric->name },
		{ .title = "turns" },
		{ .key = "function", .is_for_page = true },
		{ .key = "function", .field = "function", .is_not_for_page = true },
		{ .key = "file", .is_for_page = true },
		{ .key = "file", .field = "file", .is_not_for_page = true },
		{ .key = "line", .field = "line" },
		{ .key = "object", .field = "object", .is_not_for_page = true },
		{ .key = "begin", .field = "address" },
		{ .key = "end", .field = "end" },
		{ .title = "bytes", .key = "bytes", .field = "bytes" },
		{ .key = "turns", .field = "calls" },
		{ .key = "cost" },
		{ .key = "share", .field = "share" },
		{ .title = "of 16 B", .key = "windows16", .field = "windows16" },
		{ .key = "needed16", .field = "needed16" },
		{ .title = "of 32 B", .key = "windows32", .field = "windows32" },
		{ .key = "needed32", .field = "needed32" },
		{ .title = "of 64 B", .key = "windows64", .field = "windows64" },
		{ .key = "needed64", .field = "needed64" },
		{ .key = "alignment" },
		{ .key = "function_alignment" },
		{ .key = "advice", .field = "text" },
		{ .title = "where" },
	};
	const struct document_view loops = {
		.table = { .key = "loops",
			   .record = "loop",
			   .columns = columns,
			   .n = sizeof(columns) / sizeof(columns[0]),
			   .is_indented = true },
		.n_rows = placement->n,
		.put_row = put_row,
		.put_notes = put_gap,
		.ctx = document_view_ctx(placement),
	};
	const bool is_short = document_is_short(document), is_prose = document_is_prose(document);

	document_section(document, 2, "Placement of hot loops", NULL);
	if (!is_short) {
		document_part(document, PART_TITLE);
		document_prose(document,
			       "Placement of hot loops: fetch windows touched for needed");
		document_part(document, PART_CONTENT);
	}
	document_object(document, "layout", false);
	document_value(document, "event", cell_string(placement->metric->name));
	document_value(document, "total", cell_count(placement->whole));
	document_value(document, "hot_loops", cell_count((int128)placement->n_hot));
	if (placement->n > 0 || !is_prose)
		document_view(document, &loops);
	document_close(document);
	for (size_t i = 0; i < placement->n && is_prose; i++)
		put_details(document, &placement->rows[i], i + 1);
	document_prose(document, "%s", placement->n > 0 ? "\n" : "");
	put_count(document, placement);
	if (is_short)
		document_prose(document, "\n");
	else
		document_part(document, PART_END);
}
