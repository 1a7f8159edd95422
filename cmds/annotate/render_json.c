/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One object; its form is in docs/FORMAT.md and has a version, which grows when
 * something goes or means something else, not when something is added.
 * Counts are arrays in the order of "events"; null is what cannot happen there.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/text/json.h"

enum { SCHEMA_VERSION = 1 };

struct writing {
	struct json json;
	const struct annotation *annotation;
};

static void put_name(struct writing *writing, const char *key, struct name name)
{
	json_text(&writing->json, key, name.text, name.len);
}

static void put_counts(struct writing *writing, const char *key, const uint64_t *costs)
{
	const struct columns *columns = &writing->annotation->columns;

	json_array(&writing->json, key, true);
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct measure *measure = &columns->measures.all[columns->shown[i]];

		if (measure_can_happen(measure, costs, columns->is_signed))
			json_amount(&writing->json, NULL,
				    measure_value(measure, costs, columns->is_signed));
		else
			json_null(&writing->json, NULL);
	}
	json_close(&writing->json);
}

static void put_percents(struct writing *writing, const char *key, const uint64_t *costs)
{
	const struct columns *columns = &writing->annotation->columns;

	json_array(&writing->json, key, true);
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct measure *measure = &columns->measures.all[columns->shown[i]];
		amount total =
			measure_value(measure, writing->annotation->totals, columns->is_signed);

		json_number(&writing->json, NULL,
			    amount_percent(measure_value(measure, costs, columns->is_signed),
					   total),
			    4);
	}
	json_close(&writing->json);
}

static void put_function(struct writing *writing, uint32_t function)
{
	struct annotation_names names = annotation_names(writing->annotation, function);

	put_name(writing, "function", names.function);
	put_name(writing, "file", names.file);
	if (names.has_object)
		put_name(writing, "object", names.object);
}

static void put_parts(struct writing *writing)
{
	const struct model *model = writing->annotation->model;
	struct json *json = &writing->json;

	json_array(json, "parts", false);
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const struct part *header = &part->header;

		json_object(json, NULL, false);
		json_string(json, "file", part->file);
		json_string(json, "creator", header->creator);
		json_string(json, "command", header->cmd);
		if (header->has_pid)
			json_count(json, "pid", header->pid);
		if (header->has_number)
			json_count(json, "part", header->number);
		if (header->has_thread)
			json_count(json, "thread", header->thread);
		json_array(json, "descriptions", false);
		for (size_t j = 0; j < header->n_descs; j++) {
			json_object(json, NULL, true);
			json_string(json, "type", header->descs[j].type);
			json_string(json, "value", header->descs[j].value);
			json_close(json);
		}
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

static void put_columns(struct writing *writing)
{
	const struct columns *columns = &writing->annotation->columns;
	const struct annotation_options *options = writing->annotation->options;
	struct json *json = &writing->json;

	json_array(json, "events", false);
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct measure *measure = &columns->measures.all[columns->shown[i]];

		json_object(json, NULL, true);
		json_string(json, "name", measure->name);
		json_string(json, "long_name", measure->long_name);
		if (measure->formula)
			json_string(json, "formula", measure->formula);
		json_close(json);
	}
	json_close(json);
	json_array(json, "recorded", true);
	for (size_t i = 0; i < columns->measures.n_events; i++)
		json_string(json, NULL, columns->measures.all[i].name);
	json_close(json);
	json_array(json, "sort", false);
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];

		json_object(json, NULL, true);
		json_string(json, "event", columns->measures.all[key->measure].name);
		if (key->has_threshold)
			json_number(json, options->listing.coverage < 0 ? "threshold" : "coverage",
				    key->threshold, 4);
		json_close(json);
	}
	json_close(json);
	json_bool(json, "inclusive", options->listing.inclusive);
}

static void put_totals(struct writing *writing)
{
	const struct annotation *annotation = writing->annotation;
	struct json *json = &writing->json;

	put_counts(writing, "totals", annotation->totals);
	json_string(json, "totals_from", render_totals_key(annotation->totals_kind));
	json_object(json, "metrics", false);
	for (size_t i = 0; i < annotation->n_metrics; i++) {
		const struct metric *metric = &annotation->metrics[i];

		if (metric->kind == METRIC_COUNT)
			json_amount(json, metric->key, metric->part);
		else
			json_number(json, metric->key, metric_ratio(metric), 6);
	}
	json_close(json);
}

static void put_links(struct writing *writing, const char *key, const struct listing_link *links,
		      size_t n)
{
	struct json *json = &writing->json;

	json_array(json, key, false);
	for (size_t i = 0; i < n; i++) {
		json_object(json, NULL, true);
		put_function(writing, links[i].function);
		json_amount(json, "calls",
			    amount_of(links[i].count, writing->annotation->model->is_signed));
		put_counts(writing, "counts", links[i].costs);
		json_close(json);
	}
	json_close(json);
}

static void put_listing(struct writing *writing)
{
	const struct annotation *annotation = writing->annotation;
	const struct listing *listing = &annotation->listing;
	enum listing_tree tree = annotation->options->listing.tree;
	struct json *json = &writing->json;

	json_count(json, "n_functions", listing->n_functions);
	json_array(json, "functions", false);
	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];

		json_object(json, NULL, tree == TREE_NONE);
		put_function(writing, entry->function);
		if (entry->cycle)
			json_count(json, "cycle", entry->cycle);
		put_counts(writing, "counts", entry->costs);
		put_percents(writing, "percents", entry->costs);
		if (tree & TREE_CALLERS)
			put_links(writing, "callers", entry->callers, entry->n_callers);
		if (tree & TREE_CALLEES)
			put_links(writing, "callees", entry->callees, entry->n_callees);
		json_close(json);
	}
	json_close(json);
	if (!annotation->has_inclusive)
		return;
	json_array(json, "cycles", false);
	for (size_t i = 0; i < annotation->inclusive.n_cycles; i++)
		put_counts(writing, NULL,
			   annotation->inclusive.cycle_costs + i * annotation->inclusive.n_events);
	json_close(json);
}

static void put_nesting(struct writing *writing, const struct nesting *nesting)
{
	const struct model *model = writing->annotation->model;
	enum name_kind outer_kind = nesting->by_function ? NAME_FUNCTION : NAME_FILE;
	enum name_kind inner_kind = nesting->by_function ? NAME_FILE : NAME_FUNCTION;
	struct json *json = &writing->json;

	json_array(json, nesting->by_function ? "function_file" : "file_function", false);
	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];

		json_object(json, NULL, false);
		put_name(writing, nesting->by_function ? "function" : "file",
			 model_name(model, outer_kind, outer->name));
		put_counts(writing, "counts", outer->costs);
		put_percents(writing, "percents", outer->costs);
		put_percents(writing, "cumulative_percents", outer->cumulative);
		json_count(json, "hidden", outer->n_hidden);
		json_array(json, nesting->by_function ? "files" : "functions", false);
		for (size_t j = 0; j < outer->n_inner; j++) {
			json_object(json, NULL, true);
			put_name(writing, nesting->by_function ? "file" : "function",
				 model_name(model, inner_kind, outer->inner[j].name));
			put_counts(writing, "counts", outer->inner[j].costs);
			json_close(json);
		}
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

static void put_calls(struct writing *writing, const struct annotated_call *calls, size_t n)
{
	struct json *json = &writing->json;

	if (n == 0)
		return;
	json_array(json, "calls", true);
	for (size_t i = 0; i < n; i++) {
		const struct annotated_call *call = &calls[i];

		json_object(json, NULL, true);
		put_function(writing, call->callee);
		json_amount(json, "calls",
			    amount_of(call->count, writing->annotation->model->is_signed));
		put_counts(writing, "counts", call->costs);
		json_close(json);
	}
	json_close(json);
}

/* Numbers tell where there are gaps. */
static void put_lines(struct writing *writing, const struct annotated_file *file)
{
	struct json *json = &writing->json;
	struct annotated_walk walk;
	struct annotated_row row;

	json_array(json, "lines", false);
	annotated_walk_init(&walk, &writing->annotation->annotated, file);
	while (annotated_walk_next(&walk, &row)) {
		if (row.kind == ROW_GAP || row.kind == ROW_CALL)
			continue;
		json_object(json, NULL, true);
		json_count(json, "line", row.number);
		if (row.kind == ROW_LINE)
			json_text(json, "text", row.text, row.text_len);
		if (row.line && row.line->has_costs)
			put_counts(writing, "counts", row.line->costs);
		if (row.line)
			put_calls(writing, row.line->calls, row.line->n_calls);
		json_close(json);
	}
	json_close(json);
}

static void put_sources(struct writing *writing)
{
	const struct annotation *annotation = writing->annotation;
	const struct annotated *annotated = &annotation->annotated;
	struct json *json = &writing->json;

	json_array(json, "sources", false);
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];

		json_object(json, NULL, false);
		json_string(json, "file", file->name);
		json_string(json, "path", file->is_found ? file->text.path : NULL);
		json_string(json, "chosen", file->is_named ? "user" : "auto");
		json_bool(json, "known", file->is_known);
		json_bool(json, "refused", file->is_refused);
		json_bool(json, "stale", file->is_stale);
		json_count(json, "lines_past_end", file->n_past_end);
		if (file->is_known)
			put_counts(writing, "counts", file->costs);
		if (file->is_found && file->is_known)
			put_lines(writing, file);
		json_close(json);
	}
	json_close(json);
	json_object(json, "coverage", false);
	for (size_t i = 0; i < N_COVERAGE; i++)
		put_counts(writing, render_coverage_key((enum coverage_kind)i),
			   annotated->coverage[i]);
	if (annotation->outside)
		put_counts(writing, "outside", annotation->outside);
	json_close(json);
}

/* Addresses are texts: many readers of JSON have no integers of 64 bits. */
static void put_address(struct writing *writing, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_string(&writing->json, key, text);
}

static void put_jumps(struct writing *writing, const struct code_instruction *instruction)
{
	bool is_signed = writing->annotation->model->is_signed;
	struct json *json = &writing->json;

	if (instruction->n_jumps == 0)
		return;
	json_array(json, "jumps", true);
	for (size_t i = 0; i < instruction->n_jumps; i++) {
		const struct code_jump *jump = &instruction->jumps[i];

		json_object(json, NULL, true);
		put_address(writing, "target", jump->target);
		json_bool(json, "conditional", jump->is_conditional);
		if (jump->is_recorded) {
			json_amount(json, "followed", amount_of(jump->followed, is_signed));
			json_amount(json, "executed", amount_of(jump->executed, is_signed));
		}
		json_close(json);
	}
	json_close(json);
}

static void put_instruction(struct writing *writing, const struct code_instruction *instruction)
{
	const struct code_record *record = instruction->record;
	struct json *json = &writing->json;

	json_object(json, NULL, true);
	put_address(writing, "address", instruction->address);
	if (instruction->len > 0) {
		char bytes[2 * 16 + 1] = "";

		for (size_t i = 0; i < instruction->len && i < 16; i++)
			snprintf(bytes + 2 * i, 3, "%02x", instruction->bytes[i]);
		json_string(json, "bytes", bytes);
		json_string(json, "mnemonic", instruction->mnemonic);
		json_string(json, "operands", instruction->operands);
		json_string(json, "note", instruction->note);
	}
	if (instruction->line != 0 && instruction->source != CODE_NO_SOURCE) {
		json_count(json, "source", instruction->source);
		json_count(json, "line", instruction->line);
	}
	if (record && record->has_costs)
		put_counts(writing, "counts", record->costs);
	put_jumps(writing, instruction);
	if (record)
		put_calls(writing, record->calls, record->n_calls);
	json_close(json);
}

static void put_code_object(struct writing *writing, const struct code_object *object)
{
	struct json *json = &writing->json;

	json_object(json, NULL, false);
	json_string(json, "object", object->name);
	json_string(json, "path", object->file ? objectfile_path(object->file) : NULL);
	if (object->wrong)
		json_string(json, "problem", object->wrong);
	if (object->file) {
		json_string(json, "debug_path", objectfile_debug_path(object->file));
		json_string(json, "build_id", objectfile_build_id(object->file));
		json_bool(json, "stale", object->is_stale);
		json_count(json, "outside", object->n_outside);
		json_count(json, "out_of_step", object->n_out_of_step);
	}
	json_close(json);
}

static void put_code_function(struct writing *writing, const struct code_function *function)
{
	struct json *json = &writing->json;

	json_object(json, NULL, false);
	json_string(json, "function", function->name);
	json_string(json, "object", function->object->name);
	json_string(json, "symbol", function->stretch.symbol);
	put_address(writing, "start", function->stretch.start);
	if (function->stretch.symbol)
		put_address(writing, "end", function->stretch.end);
	put_counts(writing, "counts", function->costs);
	json_array(json, "instructions", false);
	for (size_t i = 0; i < function->n; i++)
		put_instruction(writing, &function->instructions[i]);
	json_close(json);
	json_close(json);
}

static void put_code(struct writing *writing)
{
	const struct machinecode *code = &writing->annotation->code;
	struct json *json = &writing->json;
	const struct code_object *object;
	size_t i = 0;

	json_object(json, "machine_code", false);
	json_array(json, "objects", false);
	while ((object = machinecode_next_object(code, &i)) != NULL)
		put_code_object(writing, object);
	json_close(json);
	json_array(json, "sources", false);
	for (i = 0; i < code->sources.n; i++) {
		const struct code_source *source = &code->sources.sources[i];

		json_object(json, NULL, true);
		json_string(json, "file", source->name);
		json_string(json, "path", source->is_found ? source->text.path : NULL);
		json_close(json);
	}
	json_close(json);
	json_array(json, "functions", false);
	for (i = 0; i < code->n; i++)
		put_code_function(writing, &code->functions[i]);
	json_close(json);
	if (code->unplaced)
		put_counts(writing, "unplaced", code->unplaced);
	json_close(json);
}

void render_json(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	struct writing writing = { .annotation = annotation };
	struct json *json = &writing.json;

	json_open(json, rendering->out);
	json_object(json, NULL, false);
	json_string(json, "schema", "costgrind annotate");
	json_count(json, "version", SCHEMA_VERSION);
	put_parts(&writing);
	put_columns(&writing);
	put_totals(&writing);
	if (annotation->options->list_functions)
		put_listing(&writing);
	if (annotation->options->list_by_file)
		put_nesting(&writing, &annotation->by_file);
	if (annotation->options->list_by_function)
		put_nesting(&writing, &annotation->by_function);
	if (annotation->has_code)
		put_code(&writing);
	if (annotation->has_sources)
		put_sources(&writing);
	json_close(json);
	if (!json_end(json))
		rendering->failed = true;
}
