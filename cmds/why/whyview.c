/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings as a document: for people a paragraph each, the claim first; for programs the same with all numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "cmds/listing/listing.h"
#include "cmds/why/findings.h"
#include "profile/common/event_names.h"

enum { INDENT = 4 };

/* The first is CSV's; the page has functions and files as numbers. */
static const struct document_column columns[] = {
	{ .key = "rank" },
	{ .key = "kind", .field = "kind" },
	{ .key = "class", .is_for_page = true },
	{ .key = "title", .field = "title" },
	{ .key = "claim", .field = "claim" },
	{ .key = "share", .field = "share" },
	{ .key = "cost", .field = "cost" },
	{ .key = "data" },
	{ .key = "object", .is_for_page = true },
	{ .key = "type", .is_for_page = true },
	{ .key = "function", .is_for_page = true },
	{ .key = "function", .field = "function", .is_not_for_page = true },
	{ .key = "object", .field = "object", .is_not_for_page = true },
	{ .key = "file", .is_for_page = true },
	{ .key = "file", .field = "file", .is_not_for_page = true },
	{ .key = "line", .field = "line" },
	{ .key = "others" },
	{ .key = "callee", .is_for_page = true },
	{ .key = "callee", .is_not_for_page = true },
	{ .key = "event" },
	/* The page has the lines of what is read for it. */
	{ .key = "source", .field = "source", .is_not_for_page = true },
	{ .key = "advice", .field = "advice" },
	{ .key = "next_command", .field = "next_command" },
};

const char *const whyview_fields[N_WHYVIEW_FIELDS] = {
	"record", "kind", "title", "claim",  "share",  "cost",         "function",
	"object", "file", "line",  "source", "advice", "next_command",
};

static struct cell known_text(const char *text)
{
	return text && text[0] != '\0' ? cell_string(text) : cell_none;
}

static struct cell name_cell(const struct findings *findings, enum name_kind kind, uint32_t number)
{
	return number == DICTIONARY_UNKNOWN
		       ? cell_none
		       : cell_string(model_name(findings->model, kind, number).text);
}

/* The name of a function without its callers; NULL if it is none. */
static const char *function_name(const struct findings *findings, uint32_t function)
{
	if (function == MODEL_NO_FUNCTION)
		return NULL;
	return findings->origins.families[findings->origins.family_of[function]].name;
}

static void put_row(struct document *document, void *ctx, size_t i)
{
	const struct findings *findings = ctx;
	const struct finding *finding = &findings->all[i];
	const bool has_function = finding->function != MODEL_NO_FUNCTION;
	const bool has_callee = finding->callee != MODEL_NO_FUNCTION;

	document_cell(document, cell_count((int128)i + 1));
	document_cell(document, cell_string(finding_kind_name(finding->kind)));
	document_cell(document, cell_string(finding_kind_class(finding->kind)));
	document_cell(document, cell_string(finding->title));
	document_cell(document, cell_string(finding->claim));
	document_cell(document, document_rate(document, finding->cost, findings->whole));
	document_cell(document,
		      cell_decimal(cell_count(finding->cost), findings->metric->decimals));
	document_cell(document, known_text(finding->data));
	document_cell(document, known_text(finding->object));
	document_cell(document, known_text(finding->type));
	document_cell(document, has_function ? document_function_number(document, finding->function)
					     : cell_none);
	document_cell(document, known_text(function_name(findings, finding->function)));
	document_cell(document,
		      has_function ? name_cell(findings, NAME_OBJECT,
					       findings->model->functions[finding->function].object)
				   : cell_none);
	document_cell(document,
		      has_function ? document_file_number(document, finding->file) : cell_none);
	document_cell(document, name_cell(findings, NAME_FILE, finding->file));
	document_cell(document, finding->line ? cell_count(finding->line) : cell_none);
	document_cell(document,
		      finding->n_others ? cell_count((int128)finding->n_others) : cell_none);
	document_cell(document,
		      has_callee ? document_function_number(document, finding->callee) : cell_none);
	document_cell(document, has_callee ? cell_string(function_name(findings, finding->callee))
					   : cell_none);
	document_cell(document, cell_string(finding->event));
	document_cell(document, known_text(finding->n_lines > 0 ? finding->lines[0].source : NULL));
	document_cell(document, known_text(finding->advice));
	document_cell(document, known_text(finding->next));
}

/* -- details --------------------------------------------------------------------------------- */

static void put_texts_value(struct document *document, const char *key,
			    const struct finding_texts *texts)
{
	document_value(document, key, cell_list(texts->all, texts->n));
}

static void put_line_row(struct document *document, void *ctx, size_t i)
{
	const struct finding_line *line = &((const struct finding *)ctx)->lines[i];

	document_cell(document, document_function_number(document, line->function_number));
	document_cell(document, cell_string(line->function));
	document_cell(document, document_file_number(document, line->file_number));
	document_cell(document, known_text(line->file));
	document_cell(document, line->line ? cell_count(line->line) : cell_none);
	document_cell(document, cell_number(line->share, 4));
	document_cell(document, known_text(line->source));
}

static void put_part_row(struct document *document, void *ctx, size_t i)
{
	const struct finding_part *part = &((const struct finding *)ctx)->parts[i];

	document_cell(document, cell_string(part->event));
	document_cell(document, cell_string(part->term));
	document_cell(document, cell_string(part->page_class));
	document_cell(document, cell_number(part->share, 4));
}

/* For programs: the numbers, lines and sentences that it is based on, and what it is not. */
static void put_evidence(struct document *document, const struct finding *finding)
{
	static const struct document_column line_columns[] = {
		{ .key = "function", .is_for_page = true },
		{ .key = "function", .field = "function", .is_not_for_page = true },
		{ .key = "file", .is_for_page = true },
		{ .key = "file", .field = "file", .is_not_for_page = true },
		{ .key = "line", .field = "line" },
		{ .key = "share", .field = "share" },
		{ .key = "text", .field = "source", .is_not_for_page = true },
	};
	static const struct document_column part_columns[] = {
		{ .key = "event" },
		{ .key = "term" },
		{ .key = "class", .is_for_page = true },
		{ .key = "share" },
	};
	const struct document_view parts = {
		.table = { .key = "parts",
			   .columns = part_columns,
			   .n = sizeof(part_columns) / sizeof(part_columns[0]) },
		.n_rows = finding->n_parts,
		.put_row = put_part_row,
		.ctx = document_view_ctx(finding),
	};
	const struct document_view lines = {
		.table = { .key = "lines",
			   .record = "line",
			   .columns = line_columns,
			   .n = sizeof(line_columns) / sizeof(line_columns[0]) },
		.n_rows = finding->n_lines,
		.put_row = put_line_row,
		.ctx = document_view_ctx(finding),
	};

	document_object(document, "evidence", false);
	document_object(document, "events", true);
	for (size_t i = 0; i < finding->n_counts; i++)
		document_value(document, finding->counts[i].metric->name,
			       cell_decimal(cell_count(finding->counts[i].value),
					    finding->counts[i].metric->decimals));
	document_close(document);
	if (finding->n_parts > 0)
		document_view(document, &parts);
	document_view(document, &lines);
	put_texts_value(document, "facts", &finding->facts);
	document_close(document);
	put_texts_value(document, "ruled_out", &finding->ruled_out);
}

/* Prose in a line of its own, below a title. */
static void put_line(struct document *document, const char *mark, const char *text)
{
	document_prose(document, "%*s%s", INDENT, "", mark);
	document_words(document, text);
	document_prose(document, "\n");
}

/* "d.c:4  for (; p; p = p->next)", cut off where there is no room. */
static void put_source(struct document *document, const struct finding_line *line, bool has_place)
{
	const size_t width = document_width(document);
	const char *slash = line->file ? strrchr(line->file, '/') : NULL;
	char place[160] = "";
	size_t len, room, used;

	if (!line->source || line->source[0] == '\0')
		return;
	if (has_place && line->file)
		visible_copy(place, sizeof(place) - 32, slash ? slash + 1 : line->file,
			     strlen(slash ? slash + 1 : line->file));
	used = strlen(place);
	if (used > 0)
		snprintf(place + used, sizeof(place) - used, ":%" PRIu64 "  ", line->line);
	used = (size_t)2 * INDENT + strlen(place);
	room = width > used + INDENT ? width - used : INDENT;
	len = strlen(line->source);
	if (width > 0 && len > room) {
		len = room;
		/* Not within a character. */
		while (len > 0 && ((unsigned char)line->source[len] & 0xc0) == 0x80)
			len--;
	}
	document_prose(document, "%*s", 2 * INDENT, "");
	document_words(document, place);
	document_styled(document, STYLE_CODE, line->source, len);
	document_prose(document, "\n");
}

/* For people once is enough: many findings of a run have the same command. */
static bool has_command_before(const struct findings *findings, size_t i)
{
	const char *next = findings->all[i].next;

	for (size_t k = 0; k < i; k++)
		if (findings->all[k].next && strcmp(findings->all[k].next, next) == 0)
			return true;
	return false;
}

static void put_details(struct document *document, void *ctx, size_t i)
{
	const struct findings *findings = ctx;
	const struct finding *finding = &findings->all[i];
	char share[SHARE_TEXT];

	if (!document_is_prose(document)) {
		put_evidence(document, finding);
		return;
	}
	share_print(share, (double)finding->cost, (double)findings->whole);
	document_prose(document, "%2zu. ", i + 1);
	document_styled(document, STYLE_STRONG, share, strlen(share));
	document_prose(document, "  ");
	document_styled(document, STYLE_STRONG, finding->title, strlen(finding->title));
	document_prose(document, "\n");
	if (document_is_short(document))
		document_prose(document, "\n");
	put_line(document, document_is_short(document) ? "- " : "", finding->claim);
	for (size_t k = 0; k < finding->n_lines; k++)
		put_source(document, &finding->lines[k], finding->n_lines > 1);
	if (finding->advice)
		put_line(document, "- Do: ", finding->advice);
	for (size_t k = 0; k < finding->facts.n; k++)
		put_line(document, "- ", finding->facts.all[k]);
	for (size_t k = 0; k < finding->ruled_out.n; k++)
		put_line(document, "- Ruled out: ", finding->ruled_out.all[k]);
	if (finding->next && !has_command_before(findings, i)) {
		document_prose(document, "%*s- Next: ", INDENT, "");
		document_name(document, finding->next);
		document_prose(document, "\n");
	}
	document_prose(document, "\n");
}

/* -- all of it ------------------------------------------------------------------------------- */

/* What the numbers are shares of. */
static void put_head(struct document *document, const struct findings *findings)
{
	const struct metric *metric = findings->metric;
	char whole[INT128_TEXT];
	int128 scale = 1;
	const char *python =
		python_note(findings->model, metric, findings->whole, findings->origins.arena);

	/* Nobody needs tenths of such a number. */
	for (unsigned i = 0; i < metric->decimals.people; i++)
		scale *= 10;
	int128_print(whole, (findings->whole + scale / 2) / scale, true);
	document_section(document, 1, "Why", NULL);
	document_prose(document, "%s %s in all", whole,
		       findings->has_cycles ? "cycles" : metric->name);
	if (findings->options->function) {
		char self[SHARE_TEXT], inclusive[SHARE_TEXT];

		share_print(self, (double)findings->self, (double)findings->whole);
		share_print(inclusive, (double)findings->inclusive, (double)findings->whole);
		document_prose(document, "; ");
		document_name(document, findings->options->function);
		document_prose(document, " has %s itself, %s with all that it calls", self,
			       inclusive);
	}
	document_prose(document, ".\n");
	if (findings->is_of_data)
		document_prose(
			document,
			"A data profile has misses alone, so shares are of what these cost.\n");
	else if (!findings->has_cycles)
		document_prose(document, "%s, so what is said is estimated from counts; %s.\n",
			       lacks_core(findings->model) ? "This machine has no core table"
							   : "The profile has no cycles",
			       lacks_core(findings->model) ? "--machine=NAME simulates one that has"
							   : "--cycles=yes records them");
	if (python) {
		document_prose(document, "Note: ");
		document_words(document, python);
		document_prose(document, ".\n");
	}
	if (!findings->origins.has_own && !findings->is_of_data)
		document_prose(
			document,
			"No function has source of the program's own, so functions are named regardless "
			"of owner.\n");
	document_prose(document, "\n");
}

void whyview_put_list(struct document *document, const struct findings *findings, size_t most)
{
	const struct document_view view = {
		.table = { .key = "findings",
			   .record = "finding",
			   .columns = columns,
			   .n = sizeof(columns) / sizeof(columns[0]),
			   .is_indented = true },
		.n_rows = findings->n < most ? findings->n : most,
		.put_row = put_row,
		.put_details = put_details,
		.ctx = document_view_ctx(findings),
	};

	document_view(document, &view);
}

void whyview_put(struct document *document, const struct findings *findings)
{
	put_head(document, findings);
	document_value(document, "event", cell_string(findings->metric->name));
	if (findings->metric->long_name)
		document_value(document, "long_name", cell_string(findings->metric->long_name));
	document_value(document, "decimals", cell_count(findings->metric->decimals.people));
	document_value(document, "total",
		       cell_decimal(cell_count(findings->whole), findings->metric->decimals));
	document_value(document, "has_cycles", cell_bool(findings->has_cycles));
	document_value(document, "has_own_code", cell_bool(findings->origins.has_own));
	if (findings->options->function) {
		document_value(document, "function", cell_string(findings->options->function));
		document_value(document, "self",
			       cell_decimal(cell_count(findings->self),
					    findings->metric->decimals));
		document_value(document, "inclusive",
			       cell_decimal(cell_count(findings->inclusive),
					    findings->metric->decimals));
	}
	if (findings->n == 0)
		document_prose(document, "Nothing stands out: no place has 2 %% of the cost.\n");
	whyview_put_list(document, findings, findings->n);
}
