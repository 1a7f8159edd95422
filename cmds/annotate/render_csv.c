/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table for all (RFC 4180, but lines end in LF); the column "record" says what a row is: totals,
 * metric, function, caller and callee (of the function above), file, file-function,
 * function-file, source, line, call (from the line or instruction above); with machine code
 * there is a column "address", and rows code, instruction, jump.  A count that cannot
 * happen is an empty field.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/text/csv.h"

enum { CODE_TEXT = 1024 }; /* an instruction; longer names in it are cut */

/* A row; empty fields are NULL. */
struct csv_row {
	const char *record;
	struct name file, function, object;
	bool has_line, has_calls, has_address;
	uint64_t line;
	amount calls;
	struct name text;
	uint64_t address;
	const uint64_t *costs; /* NULL = none */
};

static void put_name(FILE *out, struct name name)
{
	fputc(',', out);
	csv_field(out, name.text, name.len);
}

static void put_row(struct rendering *rendering, const struct csv_row *row)
{
	const struct columns *columns = &rendering->annotation->columns;
	FILE *out = rendering->out;
	char text[AMOUNT_TEXT];

	fputs(row->record, out);
	put_name(out, row->file);
	put_name(out, row->function);
	put_name(out, row->object);
	fputc(',', out);
	if (row->has_line)
		fprintf(out, "%" PRIu64, row->line);
	fputc(',', out);
	if (row->has_calls) {
		amount_print(text, row->calls, false);
		fputs(text, out);
	}
	put_name(out, row->text);
	if (rendering->annotation->has_code)
		fputc(',', out);
	if (row->has_address)
		fprintf(out, "0x%" PRIx64, row->address);
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct measure *measure = &columns->measures.all[columns->shown[i]];

		fputc(',', out);
		if (!row->costs || !measure_can_happen(measure, row->costs, columns->is_signed))
			continue;
		amount_print(text, measure_value(measure, row->costs, columns->is_signed), false);
		fputs(text, out);
	}
	fputc('\n', out);
}

static struct name name_of(const char *text)
{
	return (struct name){ .text = text, .len = strlen(text) };
}

static void put_metrics(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;

	for (size_t i = 0; i < annotation->n_metrics; i++) {
		const struct metric *metric = &annotation->metrics[i];
		double ratio = metric_ratio(metric);
		struct csv_row row = { .record = "metric", .function = name_of(metric->key) };
		char text[AMOUNT_TEXT] = "";

		if (metric->kind == METRIC_COUNT)
			amount_print(text, metric->part, false);
		else if (isfinite(ratio))
			snprintf(text, sizeof(text), "%.6f", ratio);
		row.text = name_of(text);
		put_row(rendering, &row);
	}
}

static struct csv_row function_row(struct rendering *rendering, const char *record,
				   uint32_t function, const uint64_t *costs)
{
	struct annotation_names names = annotation_names(rendering->annotation, function);
	struct csv_row row = {
		.record = record,
		.file = names.file,
		.function = names.function,
		.costs = costs,
	};

	if (names.has_object)
		row.object = names.object;
	return row;
}

static void put_links(struct rendering *rendering, const char *record,
		      const struct listing_link *links, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct csv_row row =
			function_row(rendering, record, links[i].function, links[i].costs);

		row.has_calls = true;
		row.calls = amount_of(links[i].count, rendering->annotation->model->is_signed);
		put_row(rendering, &row);
	}
}

static void put_listing(struct rendering *rendering)
{
	const struct listing *listing = &rendering->annotation->listing;

	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];
		struct csv_row row =
			function_row(rendering, "function", entry->function, entry->costs);

		put_row(rendering, &row);
		put_links(rendering, "caller", entry->callers, entry->n_callers);
		put_links(rendering, "callee", entry->callees, entry->n_callees);
	}
}

static void put_nesting(struct rendering *rendering, const struct nesting *nesting)
{
	const struct model *model = rendering->annotation->model;

	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];
		struct csv_row row = { .costs = outer->costs };

		if (nesting->by_function) {
			row.record = "function:file";
			row.function = model_name(model, NAME_FUNCTION, outer->name);
		} else {
			row.record = "file:function";
			row.file = model_name(model, NAME_FILE, outer->name);
		}
		put_row(rendering, &row);
		for (size_t j = 0; j < outer->n_inner; j++) {
			if (nesting->by_function)
				row.file = model_name(model, NAME_FILE, outer->inner[j].name);
			else
				row.function =
					model_name(model, NAME_FUNCTION, outer->inner[j].name);
			row.costs = outer->inner[j].costs;
			put_row(rendering, &row);
		}
	}
}

static void put_source(struct rendering *rendering, const struct annotated_file *file)
{
	struct csv_row row = {
		.record = "source",
		.file = name_of(file->name),
		.costs = file->costs,
	};
	struct annotated_walk walk;
	struct annotated_row line;

	if (file->is_found)
		row.text = name_of(file->text.path);
	put_row(rendering, &row);
	if (!file->is_found || !file->is_known)
		return;
	annotated_walk_init(&walk, &rendering->annotation->annotated, file);
	while (annotated_walk_next(&walk, &line)) {
		if (line.kind == ROW_GAP)
			continue;
		if (line.kind == ROW_CALL) {
			row = function_row(rendering, "call", line.call->callee, line.call->costs);
			row.has_calls = true;
			row.calls = amount_of(line.call->count,
					      rendering->annotation->model->is_signed);
		} else {
			row = (struct csv_row){
				.record = "line",
				.file = name_of(file->name),
				.text = { .text = line.text, .len = line.text_len },
			};
			if (line.line && line.line->has_costs)
				row.costs = line.line->costs;
		}
		row.has_line = true;
		row.line = line.number;
		put_row(rendering, &row);
	}
}

static void put_jumps(struct rendering *rendering, const struct code_instruction *instruction)
{
	bool is_signed = rendering->annotation->model->is_signed;

	for (size_t i = 0; i < instruction->n_jumps; i++) {
		const struct code_jump *jump = &instruction->jumps[i];
		char executed[AMOUNT_TEXT], text[AMOUNT_TEXT + 40];
		struct csv_row row = {
			.record = "jump",
			.has_address = true,
			.address = instruction->address,
		};

		amount_print(executed, amount_of(jump->executed, is_signed), false);
		if (jump->is_conditional && jump->is_recorded)
			snprintf(text, sizeof(text), "0x%" PRIx64 " of %s", jump->target, executed);
		else
			snprintf(text, sizeof(text), "0x%" PRIx64, jump->target);
		row.text = name_of(text);
		row.has_calls = jump->is_recorded;
		row.calls = amount_of(jump->followed, is_signed);
		put_row(rendering, &row);
	}
}

static void put_instruction(struct rendering *rendering, const struct code_instruction *instruction)
{
	const struct machinecode *code = &rendering->annotation->code;
	const struct code_record *record = instruction->record;
	struct csv_row row = {
		.record = "instruction",
		.has_address = true,
		.address = instruction->address,
		.costs = record && record->has_costs ? record->costs : NULL,
	};
	char text[CODE_TEXT] = "";

	if (instruction->len > 0)
		snprintf(text, sizeof(text), "%s%s%s%s%s", instruction->mnemonic,
			 instruction->operands[0] != '\0' ? " " : "", instruction->operands,
			 instruction->note[0] != '\0' ? " " : "", instruction->note);
	row.text = name_of(text);
	if (instruction->line != 0 && instruction->source != CODE_NO_SOURCE) {
		row.file = name_of(code->sources.sources[instruction->source].name);
		row.has_line = true;
		row.line = instruction->line;
	}
	put_row(rendering, &row);
	put_jumps(rendering, instruction);
	for (size_t i = 0; record && i < record->n_calls; i++) {
		const struct annotated_call *call = &record->calls[i];

		row = function_row(rendering, "call", call->callee, call->costs);
		row.has_calls = row.has_address = true;
		row.calls = amount_of(call->count, rendering->annotation->model->is_signed);
		row.address = instruction->address;
		put_row(rendering, &row);
	}
}

static void put_code(struct rendering *rendering)
{
	const struct machinecode *code = &rendering->annotation->code;

	for (size_t i = 0; i < code->n; i++) {
		const struct code_function *function = &code->functions[i];
		struct csv_row row = {
			.record = "code",
			.function = name_of(function->name),
			.object = name_of(function->object->name),
			.has_address = true,
			.address = function->stretch.start,
			.costs = function->costs,
		};

		put_row(rendering, &row);
		for (size_t j = 0; j < function->n; j++)
			put_instruction(rendering, &function->instructions[j]);
	}
}

void render_csv(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct columns *columns = &annotation->columns;
	struct csv_row totals = { .record = "totals", .costs = annotation->totals };

	fputs("record,file,function,object,line,calls,text", rendering->out);
	fputs(annotation->has_code ? ",address" : "", rendering->out);
	for (size_t i = 0; i < columns->n_shown; i++)
		put_name(rendering->out, name_of(columns->measures.all[columns->shown[i]].name));
	fputc('\n', rendering->out);
	put_row(rendering, &totals);
	put_metrics(rendering);
	if (annotation->options->list_functions)
		put_listing(rendering);
	if (annotation->options->list_by_file)
		put_nesting(rendering, &annotation->by_file);
	if (annotation->options->list_by_function)
		put_nesting(rendering, &annotation->by_function);
	if (annotation->has_code)
		put_code(rendering);
	for (size_t i = 0; i < annotation->annotated.n; i++)
		put_source(rendering, &annotation->annotated.files[i]);
}
