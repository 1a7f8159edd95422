/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code as a listing: counts, arrows of jumps, instructions, source lines between them. */
#include <inttypes.h>
#include <string.h>

#include "cmds/annotate/render.h"

enum {
	MNEMONIC_WIDTH = 7,
	NUMBER_TEXT = 32,
};

struct code_printing {
	struct rendering *rendering;
	const struct code_function *function;
	struct arrow_drawing drawing;
	int address_width;
	int bytes_width; /* 0 = are not shown */
	uint32_t source; /* of the last line that was printed */
	uint64_t line;
};

static struct document *document_of(const struct code_printing *printing)
{
	return &printing->rendering->document;
}

/* Begins a row without counts. */
static void begin_row(struct code_printing *printing, const char *arrows)
{
	for (size_t i = 0; i < printing->rendering->cells.n_shown; i++)
		document_cell(document_of(printing), cell_none);
	document_begin_cell(document_of(printing));
	document_prose(document_of(printing), "%s", arrows);
}

/* The source line of an instruction, if it is another one than before. */
static void put_source(struct code_printing *printing, const char *arrows,
		       const struct code_instruction *instruction)
{
	const struct machinecode *code = &printing->rendering->annotation->code;
	struct document *document = document_of(printing);
	const struct code_source *source;

	if (instruction->line == 0 || instruction->source == CODE_NO_SOURCE ||
	    (instruction->line == printing->line && instruction->source == printing->source))
		return;
	source = &code->sources.sources[instruction->source];
	if (instruction->source != printing->source) {
		begin_row(printing, arrows);
		document_prose(document, "-- ");
		document_words(document, source->name);
		document_end_cell(document);
	}
	printing->source = instruction->source;
	printing->line = instruction->line;
	begin_row(printing, arrows);
	document_prose(document, "%*" PRIu64 " | ", printing->address_width, instruction->line);
	if (source->is_found && instruction->line <= source->text.n_lines) {
		size_t len;
		const char *text;

		text = sourcetext_line(&source->text, instruction->line, &len);
		document_styled(document, STYLE_TABS, text, len);
	}
	document_end_cell(document);
}

static void put_bytes(struct code_printing *printing, const struct code_instruction *instruction)
{
	struct document *document = document_of(printing);
	int used = 3 * (int)instruction->len;

	if (printing->bytes_width == 0)
		return;
	for (size_t i = 0; i < instruction->len; i++)
		document_prose(document, "%02x ", instruction->bytes[i]);
	document_prose(document, "%*s ",
		       used < printing->bytes_width ? printing->bytes_width - used : 0, "");
}

static void put_instruction(struct code_printing *printing, const char *arrows,
			    const struct code_instruction *instruction)
{
	const struct code_record *record = instruction->record;
	struct document *document = document_of(printing);

	render_begin_row(printing->rendering, record && record->has_costs ? record->costs : NULL);
	document_prose(document, "%s%*" PRIx64 ":", arrows, printing->address_width,
		       instruction->address);
	if (instruction->len > 0) {
		document_prose(document, " ");
		put_bytes(printing, instruction);
		if (instruction->operands[0] != '\0')
			document_prose(document, "%-*s %s", MNEMONIC_WIDTH - 1,
				       instruction->mnemonic, instruction->operands);
		else
			document_prose(document, "%s", instruction->mnemonic);
		document_prose(document, "%s", instruction->note[0] != '\0' ? " " : "");
		document_words(document, instruction->note);
	}
	document_end_cell(document);
}

static void put_calls(struct code_printing *printing, const char *arrows,
		      const struct code_record *record)
{
	struct rendering *rendering = printing->rendering;

	for (size_t i = 0; record && i < record->n_calls; i++) {
		const struct annotated_call *call = &record->calls[i];

		render_begin_call(rendering, MODEL_NO_FUNCTION, call->callee, call->costs);
		document_prose(&rendering->document, "%s%*s", arrows, printing->address_width, "");
		render_call(rendering, call, strlen(arrows) + (size_t)printing->address_width);
		document_end_cell(&rendering->document);
	}
}

static void put_jumps(struct code_printing *printing, const char *arrows,
		      const struct code_instruction *instruction)
{
	struct rendering *rendering = printing->rendering;
	const struct model *model = rendering->annotation->model;
	struct document *document = document_of(printing);
	char followed[INT128_TEXT], executed[INT128_TEXT];

	for (size_t i = 0; i < instruction->n_jumps; i++) {
		const struct code_jump *jump = &instruction->jumps[i];
		const char *label;

		if (!jump->is_recorded)
			continue;
		label = code_object_label(printing->function->object, model, jump->target,
					  &rendering->arena);
		if (!label) {
			document_fail(document);
			return;
		}
		begin_row(printing, arrows);
		document_prose(document, "%*s~> 0x%" PRIx64 "%s", printing->address_width, "",
			       jump->target, label[0] != '\0' ? " <" : "");
		document_words(document, label);
		int128_print(followed, int128_of(jump->followed, model->is_signed), true);
		int128_print(executed, int128_of(jump->executed, model->is_signed), true);
		document_prose(document, "%s (%s%s%sx)", label[0] != '\0' ? ">" : "", followed,
			       jump->is_conditional ? " of " : "",
			       jump->is_conditional ? executed : "");
		document_end_cell(document);
	}
}

static void put_gap(struct code_printing *printing, uint64_t address)
{
	document_across(document_of(printing), "-- 0x%" PRIx64 " %s", address,
			"----------------------------------------");
}

static void put_instructions(struct code_printing *printing)
{
	const struct code_function *function = printing->function;
	char before[ARROWS_MAX_LANES + 3], at[ARROWS_MAX_LANES + 3], behind[ARROWS_MAX_LANES + 3];
	const struct code_instruction *last = NULL;

	arrows_begin(&printing->drawing, function->arrows, function->n_arrows, function->n_lanes);
	arrows_between(&printing->drawing, 0, before);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];

		if (instruction->is_behind_gap)
			put_gap(printing, instruction->address);
		put_source(printing, before, instruction);
		arrows_row(&printing->drawing, i, at);
		arrows_between(&printing->drawing, i, behind);
		put_instruction(printing, at, instruction);
		put_jumps(printing, behind, instruction);
		put_calls(printing, behind, instruction->record);
		memcpy(before, behind, sizeof(before));
		last = instruction;
	}
	if (last && function->is_cut)
		put_gap(printing, last->address + last->len);
}

/* How wide the columns are that stand before an instruction. */
static void measure(struct code_printing *printing)
{
	const struct code_function *function = printing->function;
	uint64_t greatest = 0;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];
		int bytes = (int)instruction->len * 3;

		if (instruction->address > greatest)
			greatest = instruction->address;
		if (printing->rendering->annotation->options->shows_bytes &&
		    bytes > printing->bytes_width)
			printing->bytes_width = bytes;
	}
	printing->address_width = snprintf(number, sizeof(number), "%" PRIx64, greatest);
	if (printing->address_width < 6)
		printing->address_width = 6;
}

static void put_rows(struct document *document, void *ctx)
{
	struct code_printing *printing = ctx;

	costcells_row(&printing->rendering->cells, printing->function->costs, "all of it");
	document_across(document, "%s", "");
	put_instructions(printing);
}

/* "f (object, 0x1000 to 0x1040)", on one line of a terminal. */
static void put_title(struct rendering *rendering, const struct code_function *function)
{
	static const char label[] = "Machine code: ";
	const struct code_stretch *stretch = &function->stretch;
	const char *object = function->object->name;
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	struct annotation_names names = {
		.function = { .text = function->name, .len = strlen(function->name) },
		.file = { .text = "" },
		.object = { .text = object, .len = strlen(object) },
		.has_object = true,
	};
	char place[2 * NUMBER_TEXT];
	int len = snprintf(place, sizeof(place), ", 0x%" PRIx64, stretch->start);

	if (stretch->symbol && !is_short)
		len += snprintf(place + len, sizeof(place) - (size_t)len, " to 0x%" PRIx64,
				stretch->end);
	render_fold(rendering, &names, rendering->terminal_columns,
		    strlen("-- ") + strlen(label) + (size_t)len);
	document_prose(document, "%s", is_short ? "" : label);
	document_styled(document, STYLE_PLAIN, names.function.text, names.function.len);
	document_prose(document, " (");
	document_styled(document, STYLE_PLAIN, names.object.text, names.object.len);
	document_prose(document, "%s)", place);
}

static void put_function(struct rendering *rendering, const struct code_function *function)
{
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	struct code_printing printing = {
		.rendering = rendering,
		.function = function,
		.source = CODE_NO_SOURCE,
	};

	document_part(document, PART_TITLE);
	put_title(rendering, function);
	document_part(document, PART_CONTENT);
	measure(&printing);
	render_table(rendering, FORM_LISTING, "", put_rows, &printing);
	document_part(document, PART_END);
	document_prose(document, "%s", is_short ? "\n" : "");
}

static void put_unplaced_row(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;

	(void)document;
	costcells_row(&rendering->cells, rendering->annotation->code.unplaced,
		      "<counts of these functions at unidentified addresses>");
}

void render_code(struct rendering *rendering)
{
	const struct machinecode *code = &rendering->annotation->code;
	struct document *document = &rendering->document;

	document_section(document, 2, "Machine code", NULL);
	for (size_t i = 0; i < code->n; i++)
		put_function(rendering, &code->functions[i]);
	if (code->unplaced && !document_is_short(document)) {
		render_table(rendering, FORM_BARE, "", put_unplaced_row, rendering);
		document_prose(document, "\n");
	}
	render_recursion_note(rendering);
}
