/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches as a document.  Programs get counts, and people what they are in percent: of all
 * mispredictions, else of the branch's executions.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cmds/branches/branchlist.h"

enum {
	JSON_VERSION = 1,
	MOST_COLUMNS = 24,
	ADDRESS_TEXT = 24,
};

struct printing {
	const struct branch_list *list;
	struct document document;
	int128 missed; /* in all */
};

static bool can_be_hard(const struct printing *printing)
{
	return printing->list->set.instructions > 0;
}

static const char *address_text(char text[ADDRESS_TEXT], uint64_t address)
{
	if (address == 0)
		return NULL;
	snprintf(text, ADDRESS_TEXT, "0x%" PRIx64, address);
	return text;
}

/* Some of its executions, if that is known. */
static struct cell known_count(bool is_known, uint64_t count)
{
	return is_known ? cell_count(count) : cell_none;
}

/* -- for people: the table -------------------------------------------------------------------------- */

static struct cell share_of(const struct branch_row *row, bool is_known, uint64_t count)
{
	return is_known ? cell_share(count, row->counts.executed) : cell_none;
}

static void put_share_row(struct printing *printing, size_t i)
{
	struct document *document = &printing->document;
	const struct branch_list *list = printing->list;
	const struct branch_row *row = &list->rows[i];
	const struct branch_counts *counts = &row->counts;

	document_cell(document, cell_count((int128)i + 1));
	document_cell(document, cell_count(counts->missed));
	document_cell(document, cell_share(counts->missed, printing->missed));
	document_cell(document, cell_count(counts->executed));
	document_cell(document, cell_share(counts->missed, counts->executed));
	if (list->has_taken) {
		document_cell(document, share_of(row, counts->has_taken, counts->taken));
		document_cell(document,
			      share_of(row, counts->has_taken, branch_static_misses(counts)));
	}
	if (list->has_detail) {
		document_cell(document, share_of(row, counts->has_detail, counts->by_counter));
		document_cell(document, share_of(row, counts->has_detail, counts->by_history));
	}
	document_cell(document, branchkind_name(row->kind) ? cell_string(branchkind_name(row->kind))
							   : cell_none);
	if (can_be_hard(printing))
		document_cell(document, row->is_hard ? cell_string("hard") : cell_none);
	/* Below the table the whole file is said. */
	document_place(document, row->function, row->file, row->place->line);
}

static void put_share_rows(struct document *document, void *ctx)
{
	struct printing *printing = ctx;

	(void)document;
	for (size_t i = 0; i < printing->list->n; i++)
		put_share_row(printing, i);
}

static void put_shares(struct printing *printing)
{
	const struct branch_list *list = printing->list;
	struct document_column columns[MOST_COLUMNS] = {
		{ .title = "#" },        { .title = "missed" }, { .title = "of all" },
		{ .title = "executed" }, { .title = "rate" },
	};
	size_t n = 5;

	if (list->has_taken) {
		columns[n++] = (struct document_column){ .title = "taken" };
		columns[n++] = (struct document_column){ .title = "static" };
	}
	if (list->has_detail) {
		columns[n++] = (struct document_column){ .title = "counter" };
		columns[n++] = (struct document_column){ .title = "history" };
	}
	columns[n++] = (struct document_column){ .title = "kind", .is_left = true };
	if (can_be_hard(printing))
		columns[n++] = (struct document_column){ .title = "", .is_left = true };
	columns[n++] = (struct document_column){ .title = "where" };
	document_table(&printing->document, &(const struct document_table){
						    .columns = columns,
						    .n = n,
						    .put_rows = put_share_rows,
						    .ctx = printing,
					    });
}

/* -- for people: what is below it --------------------------------------------------------------------- */

static void put_line(struct document *document, const char *file, uint64_t line)
{
	document_words(document, file ? file : "???");
	if (line != 0)
		document_prose(document, ":%" PRIu64, line);
}

static void put_loads(struct document *document, const struct branch_row *row)
{
	char address[ADDRESS_TEXT];

	for (size_t i = 0; i < row->n_loads; i++) {
		const struct branch_load *load = &row->loads[i];

		document_prose(document, "%s", i == 0 ? "    - depends on data loaded at " : ", ");
		if (load->file)
			put_line(document, load->file, load->line);
		else
			document_words(document, address_text(address, load->address));
		document_prose(document, ": ");
		document_name(document, load->operand);
		if (load->name[0] != '\0') {
			document_prose(document, " ");
			document_name(document, load->name);
		}
	}
	if (row->n_loads > 0)
		document_prose(document, "\n");
	if (row->call == 0 || row->n_loads > 0)
		return;
	document_prose(document, "    - depends on what is returned by ");
	if (row->call_text)
		document_name(document, row->call_text);
	else
		document_words(document, address_text(address, row->call));
	document_prose(document, "\n");
}

static void put_targets(struct document *document, const struct branch_row *row)
{
	if (row->n_targets == 0)
		return;
	document_prose(document, "    - %zu target%s: ", row->n_targets,
		       row->n_targets == 1 ? "" : "s");
	for (size_t i = 0; i < row->n_first; i++) {
		document_prose(document, "%s", i > 0 ? ", " : "");
		document_name(document, row->targets[i].name);
		document_prose(document, " %.1f%%",
			       100.0 * (double)row->targets[i].count / (double)row->n_arrived);
	}
	document_prose(document, "\n");
}

static void put_detail(struct document *document, const struct branch_row *row, size_t number)
{
	char address[ADDRESS_TEXT];

	document_prose(document, "%2zu. ", number);
	if (row->file)
		put_line(document, row->file, row->place->line);
	else
		document_words(document, row->object);
	if (address_text(address, row->place->address)) {
		document_prose(document, "  ");
		document_name(document, address);
	}
	if (row->instruction) {
		document_prose(document, "  ");
		document_name(document, row->instruction);
	}
	document_prose(document, "\n");
	if (row->source && row->source[0] != '\0') {
		document_prose(document, "    - ");
		document_name(document, row->source);
		document_prose(document, "\n");
	}
	put_loads(document, row);
	put_targets(document, row);
	document_prose(document, "\n");
}

static void put_notes(struct printing *printing)
{
	const struct branch_list *list = printing->list;
	struct document *document = &printing->document;

	if (list->n_left > 0 && printing->missed > 0)
		document_prose(document,
			       "%zu more branch%s with %.1f%% of the mispredictions not shown "
			       "(--threshold, --top).\n",
			       list->n_left, list->n_left == 1 ? "" : "es",
			       100.0 * (double)list->left_missed / (double)printing->missed);
	if (list->has_lines_only)
		document_prose(
			document,
			"The branches of a line are one row, without a kind, where no instruction "
			"is recorded (--dump-instr=yes).\n");
	if (!list->has_taken)
		document_prose(
			document,
			"How often branches were taken, and so their kinds, is not known: it is "
			"recorded with --branch-detail=yes.\n");
	else if (!list->has_detail)
		document_prose(
			document,
			"Which branches are correlated or data-dependent is not known: that needs "
			"what is recorded with --branch-detail=yes.\n");
}

static void put_for_people(struct printing *printing)
{
	const struct branch_list *list = printing->list;
	struct document *document = &printing->document;

	document_section(document, 1, "Branches", NULL);
	if (list->n == 0)
		document_prose(document, "No branch is worth showing: none was mispredicted often "
					 "enough (--threshold).\n");
	put_shares(printing);
	document_prose(document, "\n");
	for (size_t i = 0; i < list->n; i++)
		put_detail(document, &list->rows[i], i + 1);
	put_notes(printing);
}

/* -- for programs ------------------------------------------------------------------------------------- */

static const char *const csv_fields[] = {
	"record",   "function", "file",        "line",   "address",     "object",     "class",
	"executed", "missed",   "share",       "taken",  "best_static", "by_counter", "by_history",
	"kind",     "hard",     "instruction", "source", "targets",     "name",       "count",
};

/* Shares are numbers here, as they are in percent; null if there is no whole. */
static struct cell percent(int128 part, int128 whole)
{
	return cell_number(100.0 * (double)part / (double)whole, 4);
}

/* In CSV behind the branch that they are of, as targets are. */
static void put_row_loads(struct document *document, const struct branch_row *row)
{
	static const struct document_column columns[] = {
		{ .key = "file", .field = "file" },
		{ .key = "line", .field = "line" },
		{ .key = "address", .field = "address" },
		{ .key = "operand", .field = "instruction" },
		{ .key = "name", .field = "name" },
	};
	static const struct document_table table = {
		.key = "loads",
		.record = "load",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	char address[ADDRESS_TEXT];

	document_begin_rows(document, &table);
	for (size_t i = 0; i < row->n_loads; i++) {
		const struct branch_load *load = &row->loads[i];

		document_cell(document, cell_string(load->file));
		document_cell(document, known_count(load->line != 0, load->line));
		document_cell(document, cell_string(address_text(address, load->address)));
		document_cell(document, cell_string(load->operand));
		document_cell(document,
			      load->name[0] != '\0' ? cell_string(load->name) : cell_none);
	}
	document_end_rows(document);
}

static void put_row_targets(struct document *document, const struct branch_row *row)
{
	static const struct document_column columns[] = {
		{ .key = "name", .field = "name" },
		{ .key = "count", .field = "count" },
		{ .key = "share", .field = "share" },
	};
	static const struct document_table table = {
		.key = "first_targets",
		.record = "target",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	document_begin_rows(document, &table);
	for (size_t i = 0; i < row->n_first; i++) {
		document_cell(document, cell_string(row->targets[i].name));
		document_cell(document, cell_count(row->targets[i].count));
		document_cell(document, percent(row->targets[i].count, row->n_arrived));
	}
	document_end_rows(document);
}

static void put_row(struct printing *printing, const struct branch_row *row)
{
	struct document *document = &printing->document;
	const struct branch_counts *counts = &row->counts;
	const char *kind = branchkind_name(row->kind);
	char address[ADDRESS_TEXT];

	document_cell(document, cell_string(row->function));
	document_cell(document, cell_string(row->file));
	document_cell(document, known_count(row->place->line != 0, row->place->line));
	document_cell(document, cell_string(address_text(address, row->place->address)));
	document_cell(document, cell_string(row->object));
	document_cell(document, cell_string(branch_class_name(row->of)));
	document_cell(document, cell_count(counts->executed));
	document_cell(document, cell_count(counts->missed));
	document_cell(document, percent(counts->missed, printing->missed));
	document_cell(document, known_count(counts->has_taken, counts->taken));
	document_cell(document, known_count(counts->has_taken, branch_static_misses(counts)));
	document_cell(document, known_count(counts->has_detail, counts->by_counter));
	document_cell(document, known_count(counts->has_detail, counts->by_history));
	document_cell(document, kind ? cell_string(kind) : cell_none);
	document_cell(document, can_be_hard(printing) && row->of == BRANCHES_CONDITIONAL &&
						row->place->address != 0
					? cell_bool(row->is_hard)
					: cell_none);
	document_cell(document, row->instruction ? cell_string(row->instruction) : cell_none);
	document_cell(document,
		      row->source && row->source[0] != '\0' ? cell_string(row->source) : cell_none);
	document_cell(document, known_count(row->n_targets > 0, row->n_targets));
	if (row->n_loads > 0)
		put_row_loads(document, row);
	if (row->n_targets > 0)
		put_row_targets(document, row);
	if (row->call_text)
		document_value(document, "call", cell_string(row->call_text));
	if (row->code && row->code->wrong)
		document_value(document, "unreadable", cell_string(row->code->wrong));
	document_end_row(document);
}

static void put_for_programs(struct printing *printing)
{
	static const struct document_column columns[] = {
		{ .key = "function", .field = "function" },
		{ .key = "file", .field = "file" },
		{ .key = "line", .field = "line" },
		{ .key = "address", .field = "address" },
		{ .key = "object", .field = "object" },
		{ .key = "class", .field = "class" },
		{ .key = "executed", .field = "executed" },
		{ .key = "missed", .field = "missed" },
		{ .key = "share", .field = "share" },
		{ .key = "taken", .field = "taken" },
		{ .key = "best_static", .field = "best_static" },
		{ .key = "by_counter", .field = "by_counter" },
		{ .key = "by_history", .field = "by_history" },
		{ .key = "kind", .field = "kind" },
		{ .key = "hard", .field = "hard" },
		{ .key = "instruction", .field = "instruction" },
		{ .key = "source", .field = "source" },
		{ .key = "targets", .field = "targets" },
	};
	static const struct document_table table = {
		.key = "branches",
		.record = "branch",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.is_open = true,
		.is_indented = true,
	};
	const struct branch_list *list = printing->list;
	struct document *document = &printing->document;

	document_value(document, "executed", cell_count(branchset_total(&list->set, false)));
	document_value(document, "missed", cell_count(printing->missed));
	document_value(document, "instructions",
		       known_count(list->set.instructions > 0, list->set.instructions));
	document_value(document, "has_taken", cell_bool(list->has_taken));
	document_value(document, "has_detail", cell_bool(list->has_detail));
	document_value(document, "not_shown", cell_count((int128)list->n_left));
	document_value(document, "not_shown_missed", cell_count(list->left_missed));
	document_begin_rows(document, &table);
	for (size_t i = 0; i < list->n; i++)
		put_row(printing, &list->rows[i]);
	document_end_rows(document);
}

bool branchreport_print(const struct branchreport *report)
{
	struct printing printing = {
		.list = report->list,
		.missed = branchset_total(&report->list->set, true),
	};
	struct document *document = &printing.document;

	document_begin(document, report->backend, report->out, csv_fields,
		       sizeof(csv_fields) / sizeof(csv_fields[0]), 0);
	if (report->color)
		document_use_color(document);
	document_value(document, "format", cell_string("costgrind-branches"));
	document_value(document, "version", cell_count(JSON_VERSION));
	if (document_is_prose(document))
		put_for_people(&printing);
	else
		put_for_programs(&printing);
	return document_end(document);
}
