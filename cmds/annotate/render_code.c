/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code as text: counts, arrows of jumps, instructions, source lines between them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/listing/table.h"
#include "cmds/text/visible.h"

enum {
	MNEMONIC_WIDTH = 7,
	NUMBER_TEXT = 32,
};

struct code_printing {
	struct rendering *rendering;
	const struct code_function *function;
	struct table table;
	struct arrow_drawing drawing;
	int address_width;
	int bytes_width; /* 0 = are not shown */
	uint32_t source; /* of the last line that was printed */
	uint64_t line;
};

static void print_name(FILE *out, struct name name)
{
	visible_print(out, name.text, name.len, false);
}

/* What stands before a row without counts. */
static void print_margin(struct code_printing *printing, const char *arrows)
{
	FILE *out = printing->rendering->out;

	table_blank(&printing->table, out);
	fprintf(out, " %s", arrows);
}

/* The source line of an instruction, if it is another one than before. */
static void print_source(struct code_printing *printing, const char *arrows,
			 const struct code_instruction *instruction)
{
	const struct machinecode *code = &printing->rendering->annotation->code;
	FILE *out = printing->rendering->out;
	const struct code_source *source;

	if (instruction->line == 0 || instruction->source == CODE_NO_SOURCE ||
	    (instruction->line == printing->line && instruction->source == printing->source))
		return;
	source = &code->sources.sources[instruction->source];
	if (instruction->source != printing->source) {
		print_margin(printing, arrows);
		fputs("-- ", out);
		visible_text(out, source->name);
		fputc('\n', out);
	}
	printing->source = instruction->source;
	printing->line = instruction->line;
	print_margin(printing, arrows);
	fprintf(out, "%*" PRIu64 " | ", printing->address_width, instruction->line);
	if (source->is_found && instruction->line <= source->text.n_lines) {
		size_t len;
		const char *text;

		text = sourcetext_line(&source->text, instruction->line, &len);
		visible_print(out, text, len, true);
	}
	fputc('\n', out);
}

static void print_bytes(struct code_printing *printing, const struct code_instruction *instruction)
{
	FILE *out = printing->rendering->out;
	int used = 0;

	if (printing->bytes_width == 0)
		return;
	for (size_t i = 0; i < instruction->len; i++)
		used += fprintf(out, "%02x ", instruction->bytes[i]);
	fprintf(out, "%*s ", used < printing->bytes_width ? printing->bytes_width - used : 0, "");
}

static void print_instruction(struct code_printing *printing, const char *arrows,
			      const struct code_instruction *instruction)
{
	const struct code_record *record = instruction->record;
	FILE *out = printing->rendering->out;

	table_row(&printing->table, out, record && record->has_costs ? record->costs : NULL, NULL);
	fprintf(out, " %s%*" PRIx64 ":", arrows, printing->address_width, instruction->address);
	if (instruction->len > 0) {
		fputc(' ', out);
		print_bytes(printing, instruction);
		if (instruction->operands[0] != '\0')
			fprintf(out, "%-*s ", MNEMONIC_WIDTH - 1, instruction->mnemonic);
		else
			fputs(instruction->mnemonic, out);
		fputs(instruction->operands, out);
		if (instruction->note[0] != '\0')
			fputc(' ', out);
		visible_text(out, instruction->note);
	}
	fputc('\n', out);
}

static void print_calls(struct code_printing *printing, const char *arrows,
			const struct code_record *record)
{
	const struct annotation *annotation = printing->rendering->annotation;
	FILE *out = printing->rendering->out;
	char count[INT128_TEXT];

	for (size_t i = 0; record && i < record->n_calls; i++) {
		const struct annotated_call *call = &record->calls[i];
		struct annotation_names names = annotation_names(annotation, call->callee);

		table_row(&printing->table, out, call->costs, NULL);
		fprintf(out, " %s%*s=> ", arrows, printing->address_width, "");
		print_name(out, names.file);
		fputc(':', out);
		print_name(out, names.function);
		int128_print(count, int128_of(call->count, annotation->model->is_signed), true);
		fprintf(out, " (%sx)\n", count);
	}
}

static void print_jumps(struct code_printing *printing, const char *arrows,
			const struct code_instruction *instruction)
{
	struct rendering *rendering = printing->rendering;
	const struct annotation *annotation = rendering->annotation;
	bool is_signed = annotation->model->is_signed;
	FILE *out = rendering->out;
	char followed[INT128_TEXT], executed[INT128_TEXT];

	for (size_t i = 0; i < instruction->n_jumps; i++) {
		const struct code_jump *jump = &instruction->jumps[i];
		const char *label;

		if (!jump->is_recorded)
			continue;
		label = code_object_label(printing->function->object, annotation->model,
					  jump->target, rendering->arena);
		if (!label) {
			rendering->failed = true;
			return;
		}
		print_margin(printing, arrows);
		fprintf(out, "%*s~> 0x%" PRIx64, printing->address_width, "", jump->target);
		fputs(label[0] != '\0' ? " <" : "", out);
		visible_text(out, label);
		fputs(label[0] != '\0' ? ">" : "", out);
		int128_print(followed, int128_of(jump->followed, is_signed), true);
		int128_print(executed, int128_of(jump->executed, is_signed), true);
		if (jump->is_conditional)
			fprintf(out, " (%s of %sx)\n", followed, executed);
		else
			fprintf(out, " (%sx)\n", followed);
	}
}

static void print_gap(struct code_printing *printing, uint64_t address)
{
	fprintf(printing->rendering->out, "-- 0x%" PRIx64 " %s\n", address,
		"----------------------------------------");
}

static void print_rows(struct code_printing *printing)
{
	const struct code_function *function = printing->function;
	char before[ARROWS_MAX_LANES + 3], at[ARROWS_MAX_LANES + 3], behind[ARROWS_MAX_LANES + 3];
	const struct code_instruction *last = NULL;

	arrows_begin(&printing->drawing, function->arrows, function->n_arrows, function->n_lanes);
	arrows_between(&printing->drawing, 0, before);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];

		if (instruction->is_behind_gap)
			print_gap(printing, instruction->address);
		print_source(printing, before, instruction);
		arrows_row(&printing->drawing, i, at);
		arrows_between(&printing->drawing, i, behind);
		print_instruction(printing, at, instruction);
		print_jumps(printing, behind, instruction);
		print_calls(printing, behind, instruction->record);
		memcpy(before, behind, sizeof(before));
		last = instruction;
	}
	if (last && function->is_cut)
		print_gap(printing, last->address + last->len);
}

static void metric(struct code_printing *printing)
{
	const struct code_function *function = printing->function;
	uint64_t greatest = 0;
	char number[NUMBER_TEXT];

	table_metric(&printing->table, function->costs, NULL);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];
		const struct code_record *record = instruction->record;
		int bytes = (int)instruction->len * 3;

		if (instruction->address > greatest)
			greatest = instruction->address;
		if (printing->rendering->annotation->options->shows_bytes &&
		    bytes > printing->bytes_width)
			printing->bytes_width = bytes;
		if (!record)
			continue;
		table_metric(&printing->table, record->costs, NULL);
		for (size_t j = 0; j < record->n_calls; j++)
			table_metric(&printing->table, record->calls[j].costs, NULL);
	}
	printing->address_width = snprintf(number, sizeof(number), "%" PRIx64, greatest);
	if (printing->address_width < 6)
		printing->address_width = 6;
}

void render_code(struct rendering *rendering, const struct code_function *function)
{
	const struct annotation *annotation = rendering->annotation;
	struct code_printing printing = {
		.rendering = rendering,
		.function = function,
		.source = CODE_NO_SOURCE,
	};

	if (!table_init(&printing.table, &annotation->columns,
			annotation->options->percents ? annotation->totals : NULL,
			rendering->arena)) {
		rendering->failed = true;
		return;
	}
	metric(&printing);
	table_head(&printing.table, rendering->out);
	fputs("\n\n", rendering->out);
	table_row(&printing.table, rendering->out, function->costs, NULL);
	fputs(" all of it\n\n", rendering->out);
	print_rows(&printing);
	fputc('\n', rendering->out);
}

void render_code_unplaced(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	struct table table;

	if (!table_init(&table, &annotation->columns,
			annotation->options->percents ? annotation->totals : NULL,
			rendering->arena)) {
		rendering->failed = true;
		return;
	}
	table_metric(&table, annotation->code.unplaced, NULL);
	table_row(&table, rendering->out, annotation->code.unplaced, NULL);
	fputs(" <counts of these functions at unidentified addresses>\n\n", rendering->out);
}

void render_code_place(FILE *out, const struct code_function *function)
{
	const struct code_stretch *stretch = &function->stretch;

	visible_text(out, function->object->name);
	fprintf(out, ", 0x%" PRIx64, stretch->start);
	if (stretch->symbol)
		fprintf(out, " to 0x%" PRIx64, stretch->end);
}
