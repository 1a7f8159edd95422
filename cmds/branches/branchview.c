/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches as a document.  Programs get counts, and people percentages: of all mispredictions, else of the branch's
 * executions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/branches/branchlist.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

enum { ADDRESS_TEXT = 24 };

struct view {
	const struct branch_list *list;
	int128 missed;            /* in all */
	struct bytes claim, next; /* of the row at work, for programs */
};

static const char *address_text(char text[ADDRESS_TEXT], uint64_t address)
{
	snprintf(text, ADDRESS_TEXT, "0x%" PRIx64, address);
	return address != 0 ? text : NULL;
}

/* -- rows ------------------------------------------------------------------------------------------ */

static const struct document_column columns[] = {
	{ .title = "#" },
	{ .key = "function", .is_for_page = true },
	{ .key = "function", .field = "function", .is_not_for_page = true },
	{ .key = "file", .is_for_page = true },
	{ .key = "file", .field = "file", .is_not_for_page = true },
	{ .key = "line", .field = "line" },
	{ .key = "address", .field = "address" },
	{ .key = "object", .field = "object", .is_not_for_page = true },
	{ .key = "class", .field = "class" },
	{ .key = "executed", .field = "executed" },
	{ .title = "missed", .key = "missed", .field = "missed" },
	{ .title = "of all", .key = "share", .field = "share" },
	{ .title = "executed", .is_optional = true },
	{ .title = "rate" },
	{ .key = "arrived", .is_for_page = true },
	{ .title = "taken", .is_optional = true, .key = "taken", .field = "taken" },
	{ .title = "static", .is_optional = true, .key = "best_static", .field = "best_static" },
	{ .title = "counter", .is_optional = true, .key = "by_counter", .field = "by_counter" },
	{ .title = "history", .is_optional = true, .key = "by_history", .field = "by_history" },
	{ .title = "kind", .key = "kind", .field = "kind", .is_left = true },
	{ .title = "", .key = "hard", .field = "hard", .is_left = true },
	{ .key = "instruction", .field = "instruction" },
	{ .key = "source", .field = "source" },
	{ .key = "targets", .field = "targets" },
	{ .key = "claim", .is_not_for_page = true },
	{ .key = "next_command", .is_not_for_page = true },
	{ .title = "where" },
};

/* False if people would see nothing in a column. */
static bool is_column_known(const struct branch_list *list, const char *key)
{
	if (!key)
		return true;
	if (strcmp(key, "taken") == 0 || strcmp(key, "best_static") == 0)
		return list->has_taken;
	if (strcmp(key, "by_counter") == 0 || strcmp(key, "by_history") == 0)
		return list->has_detail;
	return strcmp(key, "hard") != 0 || list->set.instructions > 0;
}

/* Some of its executions, if that is known. */
static struct cell portion(const struct document *document, const struct branch_row *row,
			   bool is_known, uint64_t count)
{
	return is_known ? document_portion(document, count, row->counts.executed) : cell_none;
}

/* A text, if there is one. */
static struct cell known_text(const char *text)
{
	return text && text[0] != '\0' ? cell_string(text) : cell_none;
}

static struct cell known_count(uint64_t count)
{
	return count != 0 ? cell_count(count) : cell_none;
}

/* -- for programs: a sentence, and a command that shows more ----------------------------------------- */

static void add_place(struct bytes *out, const struct branch_row *row)
{
	char address[ADDRESS_TEXT];

	bytes_add_text(out, row->file ? row->file : row->object);
	if (row->file && row->place->line != 0) {
		char line[32];

		snprintf(line, sizeof(line), ":%" PRIu64, row->place->line);
		bytes_add_text(out, line);
	}
	if (address_text(address, row->place->address)) {
		bytes_add_text(out, " (");
		bytes_add_text(out, address);
		bytes_add_text(out, ")");
	}
}

/*
 * "The conditional branch at a.c:9 (0x40100b) in f is mispredicted 9,000 times, 45.0 % of its executions and 65.3 % of
 * all mispredictions: data-dependent."
 */
static struct cell make_claim(struct view *view, const struct branch_row *row)
{
	static const char *const nouns[N_BRANCH_CLASSES] = { "conditional branch",
							     "indirect branch", "return" };
	const struct branch_counts *counts = &row->counts;
	const bool is_conditional = row->of == BRANCHES_CONDITIONAL;
	const char *kind = branchkind_name(row->kind);
	struct bytes *out = &view->claim;
	char count[INT128_TEXT], share[96] = "";

	int128_print(count, (int128)counts->missed, true);
	if (counts->executed > 0 && view->missed > 0)
		snprintf(share, sizeof(share),
			 ", %.1f %% of its executions and %.1f %% of all mispredictions",
			 100.0 * (double)counts->missed / (double)counts->executed,
			 100.0 * (double)counts->missed / (double)view->missed);
	bytes_reset(out);
	bytes_add_text(out, "The ");
	bytes_add_text(out, row->kind == BRANCH_INDIRECT_CALL || row->kind == BRANCH_INDIRECT_JUMP
				    ? kind
				    : nouns[row->of]);
	bytes_add_text(out, " at ");
	add_place(out, row);
	bytes_add_text(out, " in ");
	bytes_add_text(out, row->function);
	bytes_add_text(out, " is mispredicted ");
	bytes_add_text(out, count);
	bytes_add_text(out, counts->missed == 1 ? " time" : " times");
	bytes_add_text(out, share);
	if (kind && is_conditional && counts->missed > 0) {
		bytes_add_text(out, ": ");
		bytes_add_text(out, kind);
	}
	bytes_add_text(out, ".");
	return cell_text(out->text, out->len);
}

/* Its counts in machine code, else in its source, as far as they are there; only of names that a shell takes as they are. */
static struct cell make_next(struct view *view, const struct branch_row *row)
{
	static const char *const events[N_BRANCH_CLASSES] = { "Bc,Bcm", "Bi,Bim", "Br,Brm" };
	const char *profile = view->list->options->profile;
	struct bytes *out = &view->next;

	if (!profile || !visible_is_word(profile))
		return cell_none;
	bytes_reset(out);
	bytes_add_text(out, "costgrind annotate ");
	if (row->instruction && visible_is_word(row->object) && !strchr(row->object, ':')) {
		char address[ADDRESS_TEXT];

		bytes_add_text(out, "--asm=");
		bytes_add_text(out, row->object);
		bytes_add_char(out, ':');
		bytes_add_text(out, address_text(address, row->place->address));
	} else if (row->source && row->file && visible_is_word(row->file)) {
		bytes_add_text(out, "--source=");
		bytes_add_text(out, row->file);
	} else {
		return cell_none;
	}
	bytes_add_text(out, " --show=");
	bytes_add_text(out, events[row->of]);
	bytes_add_char(out, ' ');
	bytes_add_text(out, profile);
	return cell_text(out->text, out->len);
}

static void put_row(struct document *document, void *ctx, size_t i)
{
	struct view *view = ctx;
	const struct branch_row *row = &view->list->rows[i];
	const struct branch_counts *counts = &row->counts;
	char address[ADDRESS_TEXT];

	document_cell(document, cell_count((int128)i + 1));
	document_cell(document, document_function_number(document, row->number));
	document_cell(document, cell_string(row->function));
	document_cell(document, document_file_number(document, row->place->file));
	document_cell(document, cell_string(row->file));
	document_cell(document, known_count(row->place->line));
	document_cell(document, cell_string(address_text(address, row->place->address)));
	document_cell(document, cell_string(row->object));
	document_cell(document, cell_string(branch_class_name(row->of)));
	document_cell(document, cell_count(counts->executed));
	document_cell(document, cell_count(counts->missed));
	document_cell(document, document_rate(document, counts->missed, view->missed));
	document_cell(document, cell_count(counts->executed));
	document_cell(document, cell_share(counts->missed, counts->executed));
	document_cell(document, known_count(row->n_arrived));
	document_cell(document, portion(document, row, counts->has_taken, counts->taken));
	document_cell(document,
		      portion(document, row, counts->has_taken, branch_static_misses(counts)));
	document_cell(document, portion(document, row, counts->has_detail, counts->by_counter));
	document_cell(document, portion(document, row, counts->has_detail, counts->by_history));
	document_cell(document, known_text(branchkind_name(row->kind)));
	if (document_is_prose(document))
		document_cell(document, row->is_hard ? cell_string("hard") : cell_none);
	else
		document_cell(document, view->list->set.instructions > 0 &&
							row->of == BRANCHES_CONDITIONAL &&
							row->place->address != 0
						? cell_bool(row->is_hard)
						: cell_none);
	document_cell(document, known_text(row->instruction));
	document_cell(document, known_text(row->source));
	document_cell(document, known_count(row->n_targets));
	document_cell(document, make_claim(view, row));
	document_cell(document, make_next(view, row));
	/* Below the table the whole name of the file is given. */
	document_place(document, row->function, row->file, row->place->line);
}

/* -- details --------------------------------------------------------------------------------------- */

/* Code, as long as a line has room for. */
static void put_short_name(struct document *document, const char *text)
{
	enum { OF_OTHERS = 20 }; /* columns */
	size_t width = document_width(document), len = strlen(text);
	struct bytes name;

	bytes_init(&name);
	shorttext_make(&name, text, len, width > 0 ? width - OF_OTHERS : len);
	document_styled(document, STYLE_CODE, name.text, name.len);
	bytes_release(&name);
}

/* "file.c:12", or an address if the file is not known. */
static void put_line(struct document *document, const char *file, uint64_t line, uint64_t address)
{
	char text[ADDRESS_TEXT];

	document_words(document, file ? file : address_text(text, address));
	if (file && line != 0)
		document_prose(document, ":%" PRIu64, line);
}

static void put_load_row(struct document *document, void *ctx, size_t i)
{
	const struct branch_load *load = &((const struct branch_row *)ctx)->loads[i];
	char address[ADDRESS_TEXT];

	document_cell(document, cell_string(load->file));
	document_cell(document, known_count(load->line));
	document_cell(document, cell_string(address_text(address, load->address)));
	document_cell(document, cell_string(load->operand));
	document_cell(document, known_text(load->name));
}

/* In CSV these rows follow the branch's, as targets do. */
static void put_loads(struct document *document, struct branch_row *row)
{
	static const struct document_column load_columns[] = {
		{ .key = "file", .field = "file" },
		{ .key = "line", .field = "line" },
		{ .key = "address", .field = "address" },
		{ .key = "operand", .field = "instruction" },
		{ .key = "name", .field = "name" },
	};
	const struct document_view loads = {
		.table = { .key = "loads", .record = "load", .columns = load_columns, .n = 5 },
		.n_rows = row->n_loads,
		.put_row = put_load_row,
		.ctx = row,
	};

	for (size_t i = 0; i < row->n_loads; i++) {
		const struct branch_load *load = &row->loads[i];

		document_prose(document, "%s", i == 0 ? "    - depends on data loaded at " : ", ");
		put_line(document, load->file, load->line, load->address);
		document_prose(document, ": ");
		document_name(document, load->operand);
		if (load->name[0] != '\0') {
			document_prose(document, " ");
			put_short_name(document, load->name);
		}
	}
	if (row->n_loads > 0) {
		document_prose(document, "\n");
		document_view(document, &loads);
	} else if (row->call != 0) {
		document_prose(document, "    - depends on what is returned by ");
		if (row->call_text) {
			put_short_name(document, row->call_text);
		} else {
			char address[ADDRESS_TEXT];

			document_words(document, address_text(address, row->call));
		}
		document_prose(document, "\n");
	}
}

static void put_target_row(struct document *document, void *ctx, size_t i)
{
	const struct branch_row *row = ctx;

	document_cell(document, cell_string(row->targets[i].name));
	document_cell(document, cell_count(row->targets[i].count));
	document_cell(document, document_rate(document, row->targets[i].count, row->n_arrived));
}

static void put_targets(struct document *document, struct branch_row *row)
{
	static const struct document_column target_columns[] = {
		{ .key = "name", .field = "name" },
		{ .key = "count", .field = "count" },
		{ .key = "share", .field = "share" },
	};
	const struct document_view targets = {
		.table = { .key = "first_targets",
			   .record = "target",
			   .columns = target_columns,
			   .n = 3 },
		.n_rows = row->n_first,
		.put_row = put_target_row,
		.ctx = row,
	};

	if (row->n_targets == 0)
		return;
	document_prose(document, "    - %zu target%s: ", row->n_targets,
		       row->n_targets == 1 ? "" : "s");
	for (size_t i = 0; i < row->n_first; i++) {
		document_prose(document, "%s", i > 0 ? ", " : "");
		put_short_name(document, row->targets[i].name);
		document_prose(document, " %.1f%%",
			       100.0 * (double)row->targets[i].count / (double)row->n_arrived);
	}
	document_prose(document, "\n");
	document_view(document, &targets);
}

static void put_details(struct document *document, void *ctx, size_t i)
{
	struct branch_row *row = &((const struct view *)ctx)->list->rows[i];
	const struct branch_place *place = row->place;

	document_prose(document, "%2zu. ", i + 1);
	if (row->file)
		put_line(document, row->file, place->line, place->address);
	else
		document_words(document, row->object);
	if (place->address != 0) {
		char address[ADDRESS_TEXT];

		document_prose(document, "  ");
		document_name(document, address_text(address, place->address));
	}
	if (row->instruction) {
		document_prose(document, "  ");
		put_short_name(document, row->instruction);
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
	if (row->call_text)
		document_value(document, "call", cell_string(row->call_text));
	if (row->code && row->code->wrong)
		document_value(document, "unreadable", cell_string(row->code->wrong));
}

static void put_gap(struct document *document, void *ctx)
{
	(void)ctx;
	document_prose(document, "\n");
}

/* -- all of it ------------------------------------------------------------------------------------- */

const char *const branchview_fields[N_BRANCHVIEW_FIELDS] = {
	"record",   "function", "file",        "line",   "address",     "object",     "class",
	"executed", "missed",   "share",       "taken",  "best_static", "by_counter", "by_history",
	"kind",     "hard",     "instruction", "source", "targets",     "name",       "count",
};

void branchview_put(struct document *document, const struct branch_list *list)
{
	enum { N = sizeof(columns) / sizeof(columns[0]) };
	struct document_column shown[N];
	struct view view = { .list = list, .missed = branchset_total(&list->set, true) };
	const struct document_view branches = {
		.table = { .key = "branches",
			   .record = "branch",
			   .columns = shown,
			   .n = N,
			   .is_indented = true },
		.n_rows = list->n,
		.put_row = put_row,
		.put_notes = put_gap,
		.put_details = put_details,
		.ctx = &view,
	};

	bytes_init(&view.claim);
	bytes_init(&view.next);
	memcpy(shown, columns, sizeof(columns));
	for (size_t i = 0; i < N; i++)
		if (!is_column_known(list, columns[i].key))
			shown[i].title = NULL;
	document_section(document, 1, "Branches", NULL);
	if (list->n == 0)
		document_prose(document, "No branch is worth showing: none was mispredicted often "
					 "enough (--threshold).\n");
	document_value(document, "executed", cell_count(branchset_total(&list->set, false)));
	document_value(document, "missed", cell_count(view.missed));
	document_value(document, "instructions", known_count(list->set.instructions));
	document_value(document, "has_taken", cell_bool(list->has_taken));
	document_value(document, "has_detail", cell_bool(list->has_detail));
	document_value(document, "not_shown", cell_count((int128)list->n_left));
	document_value(document, "not_shown_missed", cell_count(list->left_missed));
	document_view(document, &branches);
	if (list->n_left > 0 && view.missed > 0)
		document_prose(document,
			       "%zu more branch%s with %.1f%% of the mispredictions not shown "
			       "(--threshold, --top).\n",
			       list->n_left, list->n_left == 1 ? "" : "es",
			       100.0 * (double)list->left_missed / (double)view.missed);
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
	bytes_release(&view.claim);
	bytes_release(&view.next);
}
