/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An annotation as a document: its head, totals, the order of its sections, and what their views share.
 *
 * Text is in the manner of Valgrind's annotate scripts.  Markdown, for the summary of a CI job, is short, and has
 * some words and sections in another order.  That stays: outputs are compared.
 *
 * JSON is one object; its form is in docs/FORMAT.md and has a version, which grows when something goes
 * or means something else, not when something is added.  Counts are arrays in the order of "events";
 * null is what cannot happen there.
 *
 * CSV has the column "record", which says what a row is: totals, metric, function, caller and callee
 * (of the function above), file:function, function:file, source, line, call (from the line or
 * instruction above), region; with machine code there is a column "address", and rows code, instruction,
 * jump; with the placement of loops that column, more of its own, and rows loop.  A count that cannot happen is an
 * empty field.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/difference.h"
#include "profile/common/heap.h"
#include "writer/origin.h"

enum {
	SCHEMA_VERSION = 1,
	LABEL_WIDTH = 18,  /* of lines that text begins with */
	MOST_FINDINGS = 8, /* costgrind why has the rest */
	OF_CALL = 12,      /* columns of what is next to the name of a call's callee */
};

/* -- names ----------------------------------------------------------------------------------- */

struct annotation_names annotation_names(const struct annotation *annotation, uint32_t function)
{
	const struct model *model = annotation->model;
	const struct model_function *names = &model->functions[function];

	return (struct annotation_names){
		.function = model_name(model, NAME_FUNCTION, names->name),
		.file = model_name(model, NAME_FILE, names->file),
		.object = model_name(model, NAME_OBJECT, names->object),
		.has_object = model->has_objects && names->object != DICTIONARY_UNKNOWN,
	};
}

/* `room` less what is used, but enough for a name to be readable. */
static size_t left_of(size_t room, size_t used)
{
	return room > used + COSTCELLS_LEAST_NAME ? room - used : COSTCELLS_LEAST_NAME;
}

void render_fold(struct rendering *rendering, struct annotation_names *names, size_t room,
		 size_t used)
{
	size_t object = names->has_object ? names->object.len + strlen(" []") : 0;
	struct bytes text;

	bytes_init(&text);
	if (room > 0 && names->file.len + 1 + names->function.len + object <= left_of(room, used)) {
		/* An address is short even where there is room. */
		shortname_make(&text, names->function.text, names->function.len,
			       names->function.len + COSTCELLS_LEAST_NAME);
		names->function.text = arena_copy(&rendering->arena, text.text, text.len);
		names->function.len = text.len;
		room = 0;
	}
	if (room == 0) {
		bytes_release(&text);
		return;
	}
	names->object = filename_base(names->object);
	names->file = filename_base(names->file);
	object = names->has_object ? names->object.len + strlen(" []") : 0;
	room = left_of(room, used);
	if (names->file.len + 1 + object + COSTCELLS_LEAST_NAME > room) {
		shorttext_make(&text, names->file.text, names->file.len,
			       left_of(room, object + 1 + COSTCELLS_LEAST_NAME));
		names->file.text = arena_copy(&rendering->arena, text.text, text.len);
		names->file.len = text.len;
	}
	room = left_of(room, names->file.len + 1 + object);
	shortname_make(&text, names->function.text, names->function.len, room);
	names->function.text = arena_copy(&rendering->arena, text.text, text.len);
	names->function.len = text.len;
	bytes_release(&text);
}

struct cell render_name(struct name name)
{
	return name.text ? cell_text(name.text, name.len) : cell_none;
}

struct cell render_count(const struct rendering *rendering, uint64_t count)
{
	return cell_count(int128_of(count, rendering->annotation->model->is_signed));
}

struct cell render_address(char text[RENDER_ADDRESS], uint64_t address)
{
	snprintf(text, RENDER_ADDRESS, "0x%" PRIx64, address);
	return cell_string(text);
}

void render_function(struct rendering *rendering, const struct annotation_names *names)
{
	struct document *document = &rendering->document;

	document_styled(document, STYLE_PLAIN, names->file.text, names->file.len);
	document_prose(document, ":");
	document_styled(document, STYLE_STRONG, names->function.text, names->function.len);
}

void render_object(struct rendering *rendering, const struct annotation_names *names)
{
	struct document *document = &rendering->document;
	/* "[heap]" has brackets of its own. */
	const bool has_brackets = names->object.len > 0 && names->object.text[0] == '[';

	if (!names->has_object)
		return;
	document_words(document, has_brackets ? " " : " [");
	document_styled(document, STYLE_PLAIN, names->object.text, names->object.len);
	document_words(document, has_brackets ? "" : "]");
}

void render_times(struct rendering *rendering, uint64_t count)
{
	char text[INT128_TEXT];

	int128_print(text, int128_of(count, rendering->annotation->model->is_signed), true);
	document_prose(&rendering->document, " (%sx)", text);
}

void render_places(struct rendering *rendering, const struct annotation_names *names)
{
	document_cell(&rendering->document, render_name(names->file));
	document_cell(&rendering->document,
		      names->has_object ? render_name(names->object) : cell_none);
}

/* -- calls ----------------------------------------------------------------------------------- */

const uint64_t *render_clip(struct rendering *rendering, uint32_t caller, uint32_t callee,
			    const uint64_t *costs)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const uint64_t *bound = annotation->has_bounds && !model->is_signed &&
						document_is_prose(&rendering->document)
					? inclusive_bound(&annotation->inclusive, caller, callee)
					: NULL;

	rendering->recursive = MODEL_NO_FUNCTION;
	for (size_t i = 0; bound && i < model->n_events; i++) {
		rendering->clipped[i] = costs[i] < bound[i] ? costs[i] : bound[i];
		if (costs[i] > bound[i])
			rendering->recursive = callee;
	}
	return bound ? rendering->clipped : costs;
}

void render_call_costs(struct rendering *rendering, uint32_t caller, uint32_t callee,
		       const uint64_t *costs)
{
	costs = render_clip(rendering, caller, callee, costs);
	rendering->cells.is_inclusive = true;
	document_costs(&rendering->document, costs);
	rendering->cells.is_inclusive = false;
}

void render_recursion(struct rendering *rendering)
{
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	uint32_t cycle;

	if (rendering->recursive == MODEL_NO_FUNCTION)
		return;
	cycle = rendering->annotation->inclusive.cycle[rendering->recursive];
	if (cycle != 0)
		document_prose(document, is_short ? " (cycle %" PRIu32 ")" : " <cycle %" PRIu32 ">",
			       cycle);
	else
		document_prose(document, is_short ? " (recursive)" : " <recursive>");
	rendering->has_clipped = true;
}

void render_recursion_note(struct rendering *rendering)
{
	if (rendering->has_clipped)
		document_prose(
			&rendering->document,
			"Calls marked as recursive, or with a cycle, nest: they are shown with "
			"no more than the function, or the cycle, costs.\n\n");
	rendering->has_clipped = false;
}

/* Where calls of a table are from, for programs. */
struct putting_calls {
	struct rendering *rendering;
	const struct annotated_call *calls;
	struct cell place;
};

static void put_call(struct document *document, void *ctx, size_t i)
{
	const struct putting_calls *putting = ctx;
	struct rendering *rendering = putting->rendering;
	const struct annotated_call *call = &putting->calls[i];
	const struct annotation_names names = annotation_names(rendering->annotation, call->callee);

	render_call_costs(rendering, MODEL_NO_FUNCTION, call->callee, call->costs);
	document_cell(document, render_name(names.function));
	render_places(rendering, &names);
	document_cell(document, render_count(rendering, call->count));
	document_cell(document, putting->place);
}

void render_calls(struct rendering *rendering, const struct annotated_call *calls, size_t n,
		  const char *field, struct cell place)
{
	const struct document_column columns[] = {
		FUNCTION_COLUMNS(NULL),
		{ .key = "calls", .field = "calls" },
		COUNTS_COLUMN,
		{ .field = field },
	};
	struct putting_calls putting = { rendering, calls, place };

	if (n > 0 && !document_is_prose(&rendering->document))
		document_view(
			&rendering->document,
			&(const struct document_view){
				.table = { .key = "calls", .record = "call", COLUMNS(columns) },
				.n_rows = n,
				.put_row = put_call,
				.ctx = &putting,
			});
}

void render_call(struct rendering *rendering, const struct annotated_call *call, const char *arrows,
		 int indent)
{
	struct document *document = &rendering->document;
	struct annotation_names names = annotation_names(rendering->annotation, call->callee);

	if (!document_is_prose(document))
		return;
	names.has_object = false;
	/* Folders take the room of names. */
	if (rendering->annotation->is_few)
		names.file = filename_base(names.file);
	render_fold(rendering, &names, rendering->cells.room,
		    strlen(arrows) + (size_t)indent + OF_CALL);
	render_call_costs(rendering, MODEL_NO_FUNCTION, call->callee, call->costs);
	document_begin_words(document, cell_none);
	document_prose(document, "%s%*s=> ", arrows, indent, "");
	render_function(rendering, &names);
	render_times(rendering, call->count);
	render_recursion(rendering);
	document_end_words(document);
}

/* -- the run, as text begins ----------------------------------------------------------------- */

static void put_label(struct document *document, const char *label)
{
	document_prose(document, "%-*s", LABEL_WIDTH, label);
}

/*
 * A desc: line is of the run if no part says otherwise (Callgrind writes lines about caches into the
 * first part only); others are of their parts.  True if it is, and no part before this one has it.
 */
static bool is_shared(const struct model *model, const struct part_desc *desc, size_t part)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;
		bool has_type = false, has_line = false;

		for (size_t j = 0; j < header->n_descs; j++) {
			bool is_type = strcmp(header->descs[j].type, desc->type) == 0;

			has_type |= is_type;
			has_line |= is_type && strcmp(header->descs[j].value, desc->value) == 0;
		}
		if (has_line ? i < part : has_type)
			return false;
	}
	return true;
}

/* True for what nobody looks for in a head: an option of the tool, or the folder with its seal. */
static bool is_left_out(const struct part_desc *desc)
{
	return strcmp(desc->type, "Option") == 0 || strcmp(desc->type, ORIGIN_DESC) == 0;
}

/* What is of the run, in lines of their own. */
static void put_shared_descs(struct document *document, const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const struct part_desc *desc = &part->descs[j];
			int len = (int)strlen(desc->type) + 1;

			if (is_left_out(desc) || !is_shared(model, desc, i))
				continue;
			document_words(document, desc->type);
			if (desc->value[0] != '\0')
				document_prose(document, ":%*s",
					       len < LABEL_WIDTH ? LABEL_WIDTH - len : 1, "");
			document_words(document, desc->value);
			document_prose(document, "\n");
		}
	}
}

static void put_files(struct document *document, const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;

		put_label(document, i == 0 ? "Data file:" : "");
		document_words(document, model->parts[i].file ? model->parts[i].file : "???");
		if (header->has_pid)
			document_prose(document, ", PID %" PRIu64, header->pid);
		if (header->has_number)
			document_prose(document, ", part %" PRIu64, header->number);
		if (header->has_thread)
			document_prose(document, ", thread %" PRIu64, header->thread);
		if (header->creator) {
			document_prose(document, ", by ");
			document_words(document, header->creator);
		}
		for (size_t j = 0; j < header->n_descs; j++) {
			const struct part_desc *desc = &header->descs[j];

			if (is_left_out(desc) || is_shared(model, desc, 0))
				continue;
			document_prose(document, ", ");
			document_words(document, desc->type);
			document_prose(document, "%s", desc->value[0] != '\0' ? ": " : "");
			document_words(document, desc->value);
		}
		document_prose(document, "\n");
	}
}

static void put_event(struct document *document, const char *separator, const struct metric *metric)
{
	document_prose(document, "%s", separator);
	document_words(document, metric->name);
}

/* Of the metrics that people see: how many there are, and their places in columns->shown. */
static size_t n_shown(const struct rendering *rendering)
{
	return rendering->cells.is_few ? rendering->annotation->columns.n_shown
				       : rendering->cells.n_shown;
}

static size_t shown_at(const struct rendering *rendering, size_t i)
{
	return rendering->cells.is_few ? i : rendering->cells.places[i];
}

static void put_preamble(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated_options *options = &annotation->options->annotated;
	const struct columns *columns = &annotation->columns;
	const struct metric *metrics = columns->metrics.all;
	const struct model *model = annotation->model;
	struct document *document = &rendering->document;
	const char *last = NULL, *separator = "";

	document_prose(document, "%s", document_rule);
	put_shared_descs(document, model);
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *cmd = model->parts[i].header.cmd;

		if (!cmd || (last && strcmp(last, cmd) == 0))
			continue;
		put_label(document, last ? "" : "Command:");
		document_words(document, cmd);
		document_prose(document, "\n");
		last = cmd;
	}
	/* NEW - OLD is distinguished from a sum by the line that `costgrind diff -o` writes. */
	if (annotation->options->difference) {
		put_label(document, DESC_FILES_COMPARED ":");
		document_words(document, model->parts[0].file);
		document_prose(document, "; ");
		document_words(document, model->parts[model->n_parts - 1].file);
		document_prose(document, "\n");
	}
	put_files(document, model);
	put_label(document, "Events recorded:");
	for (size_t i = 0; i < columns->metrics.n_events; i++)
		put_event(document, i > 0 ? " " : "", &metrics[i]);
	document_prose(document, " \n");
	put_label(document, "Events shown:");
	for (size_t i = 0; i < n_shown(rendering); i++)
		put_event(document, i > 0 ? " " : "",
			  &metrics[columns->shown[shown_at(rendering, i)]]);
	document_prose(document, " \n");
	put_label(document, "Event sort order:");
	for (size_t i = 0; i < columns->n_keys; i++)
		put_event(document, i > 0 ? " " : "", &metrics[columns->keys[i].metric]);
	document_prose(document, " \n");
	put_label(document,
		  annotation->options->listing.coverage >= 0 ? "Coverage:" : "Threshold:");
	for (size_t i = 0; i < columns->n_keys; i++) {
		if (!columns->keys[i].has_threshold)
			continue;
		put_event(document, separator, &metrics[columns->keys[i].metric]);
		document_prose(document, " %g%%", columns->keys[i].threshold);
		separator = ", ";
	}
	document_prose(document, "\n");
	for (size_t i = 0; i < n_shown(rendering); i++) {
		const struct metric *metric = &metrics[columns->shown[shown_at(rendering, i)]];

		if (!metric->formula)
			continue;
		put_label(document, "Derived:");
		put_event(document, "", metric);
		document_prose(document, " = ");
		document_words(document, metric->formula);
		document_prose(document, "\n");
	}
	for (size_t i = 0; i < options->policy->n_directories; i++) {
		put_label(document, i == 0 ? "Include dirs:" : "");
		document_words(document, options->policy->directories[i]);
		document_prose(document, "\n");
	}
	put_label(document, "User annotated:");
	for (size_t i = 0; i < options->n_named; i++) {
		document_prose(document, "%s", i == 0 ? "" : ", ");
		document_words(document, options->named[i]);
	}
	document_prose(document, "\n");
	put_label(document, "Auto-annotation:");
	document_prose(document, "%s\n\n", options->automatic ? "on" : "off");
}

/* -- the run, for programs ------------------------------------------------------------------- */

static void put_parts(struct rendering *rendering)
{
	const struct model *model = rendering->annotation->model;
	struct document *document = &rendering->document;

	document_list(document, "parts", false);
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const struct part *header = &part->header;

		document_object(document, NULL, false);
		document_value(document, "file", cell_string(part->file));
		document_value(document, "creator", cell_string(header->creator));
		document_value(document, "command", cell_string(header->cmd));
		document_value(document, "pid",
			       header->has_pid ? cell_count(header->pid) : cell_none);
		document_value(document, "part",
			       header->has_number ? cell_count(header->number) : cell_none);
		document_value(document, "thread",
			       header->has_thread ? cell_count(header->thread) : cell_none);
		document_list(document, "descriptions", false);
		for (size_t j = 0; j < header->n_descs; j++) {
			document_object(document, NULL, true);
			document_value(document, "type", cell_string(header->descs[j].type));
			document_value(document, "value", cell_string(header->descs[j].value));
			document_close(document);
		}
		document_close(document);
		document_close(document);
	}
	document_close(document);
}

static void put_columns(struct rendering *rendering)
{
	const struct columns *columns = &rendering->annotation->columns;
	const struct annotation_options *options = rendering->annotation->options;
	struct document *document = &rendering->document;

	document_list(document, "events", false);
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];

		document_object(document, NULL, true);
		document_value(document, "name", cell_string(metric->name));
		document_value(document, "long_name", cell_string(metric->long_name));
		if (metric->formula)
			document_value(document, "formula", cell_string(metric->formula));
		document_close(document);
	}
	document_close(document);
	document_list(document, "recorded", true);
	for (size_t i = 0; i < columns->metrics.n_events; i++)
		document_value(document, NULL, cell_string(columns->metrics.all[i].name));
	document_close(document);
	document_list(document, "sort", false);
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];

		document_object(document, NULL, true);
		document_value(document, "event",
			       cell_string(columns->metrics.all[key->metric].name));
		if (key->has_threshold)
			document_value(document,
				       options->listing.coverage < 0 ? "threshold" : "coverage",
				       cell_number(key->threshold, 4));
		document_close(document);
	}
	document_close(document);
	document_value(document, "inclusive", cell_bool(options->listing.inclusive));
}

/* -- totals and rates ------------------------------------------------------------------------ */

static void put_total(struct document *document, void *ctx, size_t row)
{
	static const char *const words[] = {
		[TOTALS_SAID] = "PROGRAM TOTALS",
		[TOTALS_CALCULATED] = "PROGRAM TOTALS (calculated)",
		[TOTALS_CORRECTED] =
			"PROGRAM TOTALS (calculated, as what the profile says cannot be right)",
	};
	const struct program_totals *totals = &((struct rendering *)ctx)->annotation->totals;

	(void)row;
	document_costs(document, totals->costs);
	document_begin_words(document, cell_none);
	document_prose(document, "%s", words[totals->kind]);
	document_end_words(document);
}

/* Short documents have totals below each other, and the rates follow. */
static void put_metric(struct document *document, struct rendering *rendering, size_t i)
{
	const struct columns *columns = &rendering->annotation->columns;
	const struct metric *metric = &columns->metrics.all[columns->shown[i]];
	const char *long_name = metric->long_name ? metric->long_name : "";
	/* People do not see that counts are tenths, nor the words that say it. */
	const char *tenths = metric->decimals.people > metric->decimals.programs
				     ? strstr(long_name, METRIC_TENTHS)
				     : NULL;
	size_t len = tenths ? (size_t)(tenths - long_name) : strlen(long_name);
	char *label = heap_print("%s%s%.*s%s", metric->name, metric->long_name ? ", " : "",
				 (int)len, long_name, tenths ? tenths + strlen(METRIC_TENTHS) : "");
	char text[INT128_TEXT];

	int128_print_decimal(text, rendering->cells.totals[i], true, metric->decimals.people);
	document_cell(document, cell_string(label));
	document_begin_words(document, cell_none);
	document_prose(document, "%s", text);
	document_end_words(document);
	document_cell(document, cell_none);
	document_cell(document, cell_none);
	free(label);
}

static void put_rate(struct document *document, void *ctx, size_t i)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	size_t n_metrics = document_is_short(document) ? annotation->columns.n_shown : 0;
	const struct run_rate *rate;
	char text[INT128_TEXT];
	struct cell cell;

	if (i < n_metrics) {
		put_metric(document, rendering, i);
		return;
	}
	rate = &annotation->rates[i - n_metrics];
	cell = rate->kind == RUN_RATE_COUNT ? cell_decimal(cell_count(rate->part), rate->decimals)
					    : cell_number(rate->ratio, 6);
	int128_print_decimal(text, rate->part, true, rate->decimals.people);
	if (rate->kind != RUN_RATE_COUNT)
		snprintf(text, sizeof(text), isnan(rate->ratio) ? "n/a" : "%.3f", rate->ratio);
	document_value(document, rate->key, cell);
	document_cell(document, cell_string(rate->label));
	document_begin_words(document, cell_none);
	document_prose(document, "%s%s", text,
		       rate->kind == RUN_RATE_PERCENT && !isnan(rate->ratio) ? " %" : "");
	document_end_words(document);
	document_cell(document, cell_string(rate->key));
	document_cell(document, cell);
}

/* In text, none that is 0 or a sum of others that are there: such as hits below the first level, where each level has its own. */
static bool is_rate_shown(void *ctx, size_t i)
{
	const struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	const struct run_rate *rate = &annotation->rates[i];

	if (document_is_short(&rendering->document))
		return true;
	return rate->part != 0 && !isnan(rate->ratio) && !rate->is_sum;
}

/* In JSON, an object with a member for each rate. */
static void put_rates(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .title = "Total", .is_left = true, .width = 16 },
		{ .title = "" },
		{ .field = "function" },
		{ .field = "text" },
	};
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);

	document_object(document, "metrics", false);
	document_view(document,
		      &(const struct document_view){
			      .table = { .record = "metric", COLUMNS(columns), .form = FORM_BARE },
			      .n_rows = annotation->n_rates +
					(is_short ? annotation->columns.n_shown : 0),
			      .put_row = put_rate,
			      .is_shown = is_rate_shown,
			      .ctx = rendering,
		      });
	document_close(document);
	document_prose(document, "\n");
}

static void put_totals(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .title = "", .is_left = true },
		{ .is_counts = true },
	};
	static const char *const froms[] = {
		[TOTALS_SAID] = "summary",
		[TOTALS_CALCULATED] = "calculated",
		[TOTALS_CORRECTED] = "corrected",
	};
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;
	bool is_prose = document_is_prose(document);

	document_value(document, "totals",
		       costcells_counts(&rendering->cells, 0, annotation->totals.costs));
	if (!document_is_short(document) && !(is_prose && annotation->is_few)) {
		document_view(document, &(const struct document_view){
						.table = { .record = "totals",
							   COLUMNS(columns),
							   .form = FORM_RULED },
						.n_rows = 1,
						.put_row = put_total,
						.ctx = rendering,
					});
		document_prose(document, "\n");
	}
	document_value(document, "totals_from", cell_string(froms[annotation->totals.kind]));
	if (!is_prose || document_is_short(document) ||
	    (annotation->options->verbose && !annotation->options->brief))
		put_rates(rendering);
}

/* -- the document ---------------------------------------------------------------------------- */

/* Columns of CSV before the counts: what a row is, and then what it has. */
static const char *const fixed_fields[] = {
	"record",   "file",      "function", "object",    "line",     "calls",
	"text",     "address",   "end",      "bytes",     "share",    "windows16",
	"needed16", "windows32", "needed32", "windows64", "needed64",
};

/* How many of them are always there; with machine code, too; with types; all are there with the placement of loops. */
enum {
	N_USUAL_FIELDS = 7,
	N_CODE_FIELDS = 8,
	N_TYPES_FIELDS = 10,
	N_LAYOUT_FIELDS = sizeof(fixed_fields) / sizeof(fixed_fields[0]),
};

/* After the usual ones, of regions. */
static const char *const region_fields[] = { "threads", "open" };

enum { N_REGION_FIELDS = sizeof(region_fields) / sizeof(region_fields[0]) };

static void put_head(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;
	struct document *document = &rendering->document;

	document_value(document, "schema", cell_string("costgrind annotate"));
	document_value(document, "version", cell_count(SCHEMA_VERSION));
	put_parts(rendering);
	put_columns(rendering);
	document_section(document, 1, cmd ? "Profile of " : "Profile", cmd);
	if (document_is_prose(document) && !document_is_short(document)) {
		if (annotation->options->verbose && !annotation->options->brief)
			put_preamble(rendering);
		if (!annotation->options->brief)
			summary_put(rendering);
	}
	put_totals(rendering);
}

/* Begins the document, with fields of CSV and columns of the metrics shown. */
static void begin(struct rendering *rendering)
{
	struct document *document = &rendering->document;
	const struct annotation *annotation = rendering->annotation;
	const struct annotation_options *options = annotation->options;
	const struct columns *columns = &annotation->columns;
	struct costcells_options showing = {
		.percents = options->percents,
		.has_sums = options->list_by_file || options->list_by_function,
		.has_choice = options->choice.show && !options->choice.is_show_usual,
		.is_few = annotation->is_few,
		.is_scaled = options->is_run,
	};
	bool has_types = annotation->has_types || annotation->object_types.model;
	size_t n_fixed = annotation->has_layout ? N_LAYOUT_FIELDS
			 : has_types            ? N_TYPES_FIELDS
			 : annotation->has_code ? N_CODE_FIELDS
						: N_USUAL_FIELDS;
	struct arena *arena = &rendering->arena;
	const char **fields;
	size_t n_fields;

	n_fields = n_fixed + N_REGION_FIELDS + columns->n_shown;
	fields = arena_alloc(arena, n_fields * sizeof(*fields), 8);
	rendering->clipped = row_new(arena, annotation->model->n_events);
	memcpy(fields, fixed_fields, n_fixed * sizeof(*fields));
	for (size_t i = 0; i < N_REGION_FIELDS && options->by == BY_REGION; i++)
		fields[n_fixed++] = region_fields[i];
	n_fields = n_fixed + columns->n_shown;
	for (size_t i = 0; i < columns->n_shown; i++)
		fields[n_fixed + i] = columns->metrics.all[columns->shown[i]].name;
	document_begin(document, rendering->backend, rendering->out, fields, n_fields,
		       columns->n_shown);
	if (rendering->color)
		document_use_color(document);
	document_fit(document, rendering->width);
	showing.width = document_width(document);
	costcells_init(&rendering->cells, columns, annotation->model, annotation->totals.costs,
		       document, &showing, arena);
}

void objects_section(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;

	objectview_put(&rendering->document,
		       &(struct objectview){ .objects = &annotation->objects,
					     .model = annotation->model,
					     .columns = &annotation->columns,
					     .totals = annotation->totals.costs,
					     .most = annotation->options->listing.most,
					     .arena = &rendering->arena });
}

void types_section(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct columns *columns = &annotation->columns;

	if (annotation->has_types)
		typeview_put(
			&rendering->document,
			&(struct typeview){ .costs = &annotation->types,
					    .metrics = &columns->metrics,
					    .sort = &columns->metrics.all[columns->keys[0].metric],
					    .totals = annotation->totals.costs,
					    .threshold = annotation->options->choice.threshold,
					    .most = annotation->options->listing.most,
					    .arena = &rendering->arena });
}

void render(struct rendering *rendering)
{
#define SECTION(name, word, put, help) [BY_##name] = (put),
	static void (*const sections[])(
		struct rendering *) = { ANNOTATION_BY(SECTION)[BY_FUNCTION] = NULL };
	const struct annotation *annotation = rendering->annotation;
	const struct annotation_options *options = annotation->options;

	arena_init(&rendering->arena);
	begin(rendering);
	put_head(rendering);
	if (options->list_functions)
		functions_view(rendering);
	if (options->list_functions && options->by == BY_FUNCTION)
		own_calls_put(rendering);
	if (annotation->has_findings && options->is_run)
		first_finding_put(rendering);
	else if (annotation->has_findings)
		whyview_put_list(&rendering->document, &annotation->findings, MOST_FINDINGS);
	costcells_use(&rendering->cells, COSTS_OF_CODE, false);
	if (options->list_by_file)
		nesting_view(rendering, &annotation->by_file);
	if (options->list_by_function)
		nesting_view(rendering, &annotation->by_function);
	if (annotation->has_layout)
		placementview_put(&rendering->document, &annotation->placement);
	if (sections[options->by])
		sections[options->by](rendering);
	if (annotation->has_code)
		code_view(rendering);
	if (annotation->has_sources)
		sources_view(rendering);
	document_end(&rendering->document);
	arena_release(&rendering->arena);
}
