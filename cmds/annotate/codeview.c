/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code: for people a listing with counts, arrows of jumps, instructions, and source lines between
 * them; for programs instructions with their jumps and calls.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "cmds/object/objectfile.h"

enum {
	MNEMONIC_WIDTH = 7,
	NUMBER_TEXT = 32,
	CODE_TEXT = 1024, /* an instruction as one text; longer names in it are cut */
	LEAST_ADDRESS = 6,
};

/* A function whose instructions are put. */
struct putting_code {
	struct rendering *rendering;
	const struct code_function *function;
	const struct code_instruction *instruction; /* whose jumps are put */
	struct arrow_drawing drawing;
	int address_width;
	int bytes_width; /* 0 = are not shown */
	/* For people: the arrows left of what is between instructions, and the source line above. */
	char arrows[ARROWS_MAX_LANES + 3];
	uint32_t source;
	uint64_t line;
};

/* -- jumps ----------------------------------------------------------------------------------- */

/* Begins a row for people that has no counts. */
static void begin_row(struct putting_code *putting)
{
	struct rendering *rendering = putting->rendering;

	rendering->cells.is_blank = true;
	document_costs(&rendering->document, NULL);
	rendering->cells.is_blank = false;
	document_begin_words(&rendering->document, cell_none);
	document_prose(&rendering->document, "%s", putting->arrows);
}

/* "~> 0x1030 <f+16> (3 of 4x)" */
static void put_jump_words(struct putting_code *putting, const struct code_jump *jump)
{
	struct rendering *rendering = putting->rendering;
	const struct model *model = rendering->annotation->model;
	struct document *document = &rendering->document;
	const char *label = code_object_label(putting->function->object, model, jump->target,
					      &rendering->arena);
	char followed[INT128_TEXT], executed[INT128_TEXT];

	begin_row(putting);
	document_prose(document, "%*s~> 0x%" PRIx64 "%s", putting->address_width, "", jump->target,
		       label[0] != '\0' ? " <" : "");
	document_words(document, label);
	int128_print(followed, int128_of(jump->followed, model->is_signed), true);
	int128_print(executed, int128_of(jump->executed, model->is_signed), true);
	document_prose(document, "%s (%s%s%sx)", label[0] != '\0' ? ">" : "", followed,
		       jump->is_conditional ? " of " : "", jump->is_conditional ? executed : "");
	document_end_words(document);
}

static void put_jump(struct document *document, void *ctx, size_t i)
{
	const struct putting_code *putting = ctx;
	const struct code_jump *jump = &putting->instruction->jumps[i];
	struct cell count = render_count(putting->rendering, jump->executed);
	char target[RENDER_ADDRESS], address[RENDER_ADDRESS], executed[INT128_TEXT];
	char text[INT128_TEXT + 40];

	document_cell(document, render_address(target, jump->target));
	document_cell(document, cell_bool(jump->is_conditional));
	document_cell(document, jump->is_recorded ? render_count(putting->rendering, jump->followed)
						  : cell_none);
	document_cell(document, jump->is_recorded ? count : cell_none);
	int128_print(executed, count.count.value, false);
	snprintf(text, sizeof(text), jump->is_conditional && jump->is_recorded ? "%s of %s" : "%s",
		 target, executed);
	document_cell(document, cell_string(text));
	document_cell(document, render_address(address, putting->instruction->address));
}

/* -- instructions ---------------------------------------------------------------------------- */

static const struct code_source *source_of(const struct putting_code *putting,
					   const struct code_instruction *instruction)
{
	if (instruction->line == 0 || instruction->source == CODE_NO_SOURCE)
		return NULL;
	return &putting->rendering->annotation->code.sources.sources[instruction->source];
}

/* For people: the source line of an instruction, if it is another one than before. */
static void put_source(struct putting_code *putting, const struct code_instruction *instruction)
{
	struct document *document = &putting->rendering->document;
	const struct code_source *source = source_of(putting, instruction);

	if (!source ||
	    (instruction->line == putting->line && instruction->source == putting->source))
		return;
	if (instruction->source != putting->source) {
		begin_row(putting);
		document_prose(document, "-- ");
		document_words(document, source->name);
		document_end_words(document);
	}
	putting->source = instruction->source;
	putting->line = instruction->line;
	begin_row(putting);
	document_prose(document, "%*" PRIu64 " | ", putting->address_width, instruction->line);
	if (source->is_found && instruction->line <= source->text.n_lines) {
		size_t len;
		const char *text = sourcetext_line(&source->text, instruction->line, &len);

		document_styled(document, STYLE_TABS, text, len);
	}
	document_end_words(document);
}

/* "401030: 48 89 c7 mov    %rax,%rdi <note>" */
static void put_words(struct putting_code *putting, const struct code_instruction *instruction,
		      const char *arrows)
{
	struct document *document = &putting->rendering->document;
	int used = 3 * (int)instruction->len;

	document_prose(document, "%s%*" PRIx64 ":", arrows, putting->address_width,
		       instruction->address);
	if (instruction->len == 0)
		return;
	document_prose(document, " ");
	if (putting->bytes_width > 0) {
		for (size_t i = 0; i < instruction->len; i++)
			document_prose(document, "%02x ", instruction->bytes[i]);
		document_prose(document, "%*s ",
			       used < putting->bytes_width ? putting->bytes_width - used : 0, "");
	}
	if (instruction->operands[0] != '\0')
		document_prose(document, "%-*s %s", MNEMONIC_WIDTH - 1, instruction->mnemonic,
			       instruction->operands);
	else
		document_prose(document, "%s", instruction->mnemonic);
	document_prose(document, "%s", instruction->note[0] != '\0' ? " " : "");
	document_words(document, instruction->note);
}

static void put_gap(struct document *document, uint64_t address)
{
	document_across(document, "-- 0x%" PRIx64 " %s", address,
			"----------------------------------------");
}

/* For people: what the function costs, above its instructions. */
static void put_whole(struct putting_code *putting)
{
	struct document *document = &putting->rendering->document;

	document_costs(document, putting->function->costs);
	document_begin_words(document, cell_none);
	document_prose(document, "all of it");
	document_end_words(document);
	document_across(document, "%s", "");
}

/* People see the source line above, jumps and calls below, as rows of the same table. */
static void put_instruction(struct document *document, void *ctx, size_t i)
{
	struct putting_code *putting = ctx;
	struct rendering *rendering = putting->rendering;
	const struct code_instruction *instruction = &putting->function->instructions[i];
	const struct code_record *record = instruction->record;
	bool is_prose = document_is_prose(document);
	char arrows[ARROWS_MAX_LANES + 3] = "", address[RENDER_ADDRESS];

	if (is_prose) {
		if (i == 0)
			put_whole(putting);
		if (instruction->is_behind_gap)
			put_gap(document, instruction->address);
		put_source(putting, instruction);
		arrows_row(&putting->drawing, i, arrows);
		arrows_between(&putting->drawing, i, putting->arrows);
	}
	document_costs(document, record && record->has_costs ? record->costs : NULL);
	document_begin_words(document, render_address(address, instruction->address));
	put_words(putting, instruction, arrows);
	document_end_words(document);
	if (!is_prose) {
		const struct code_source *source = source_of(putting, instruction);
		bool is_known = instruction->len > 0;
		char bytes[2 * 16 + 1] = "", text[CODE_TEXT] = "";

		for (size_t k = 0; k < instruction->len && k < 16; k++)
			snprintf(bytes + 2 * k, 3, "%02x", instruction->bytes[k]);
		if (is_known)
			snprintf(text, sizeof(text), "%s%s%s%s%s", instruction->mnemonic,
				 instruction->operands[0] != '\0' ? " " : "", instruction->operands,
				 instruction->note[0] != '\0' ? " " : "", instruction->note);
		document_cell(document, is_known ? cell_string(bytes) : cell_none);
		document_cell(document, is_known ? cell_string(instruction->mnemonic) : cell_none);
		document_cell(document, is_known ? cell_string(instruction->operands) : cell_none);
		document_cell(document, is_known ? cell_string(instruction->note) : cell_none);
		document_cell(document, cell_string(text));
		document_cell(document, source ? cell_count(instruction->source) : cell_none);
		document_cell(document, source ? cell_string(source->name) : cell_none);
		document_cell(document, source ? cell_count(instruction->line) : cell_none);
		return;
	}
	for (size_t k = 0; k < instruction->n_jumps; k++)
		if (instruction->jumps[k].is_recorded)
			put_jump_words(putting, &instruction->jumps[k]);
	for (size_t k = 0; record && k < record->n_calls; k++)
		render_call(rendering, &record->calls[k], putting->arrows, putting->address_width);
}

static void put_last_gap(struct document *document, void *ctx)
{
	struct putting_code *putting = ctx;
	const struct code_function *function = putting->function;

	if (function->n == 0) {
		put_whole(putting);
	} else if (function->is_cut) {
		const struct code_instruction *last = &function->instructions[function->n - 1];

		put_gap(document, last->address + last->len);
	}
}

/* For programs. */
static void put_jumps_and_calls(struct document *document, void *ctx, size_t i)
{
	static const struct document_column columns[] = {
		{ .key = "target" },
		{ .key = "conditional" },
		{ .key = "followed", .field = "calls" },
		{ .key = "executed" },
		{ .field = "text" },
		{ .field = "address" },
	};
	struct putting_code *putting = ctx;
	const struct code_instruction *instruction = &putting->function->instructions[i];
	const struct code_record *record = instruction->record;

	if (document_is_prose(document))
		return;
	putting->instruction = instruction;
	if (instruction->n_jumps > 0)
		document_view(
			document,
			&(const struct document_view){
				.table = { .key = "jumps", .record = "jump", COLUMNS(columns) },
				.n_rows = instruction->n_jumps,
				.put_row = put_jump,
				.ctx = putting,
			});
	if (record) {
		char address[RENDER_ADDRESS];

		render_calls(putting->rendering, record->calls, record->n_calls, "address",
			     render_address(address, instruction->address));
	}
}

/* -- functions ------------------------------------------------------------------------------- */

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
	render_fold(rendering, &names, document_width(document),
		    strlen("-- ") + strlen(label) + (size_t)len);
	document_prose(document, "%s", is_short ? "" : label);
	document_styled(document, STYLE_PLAIN, names.function.text, names.function.len);
	document_prose(document, " (");
	document_styled(document, STYLE_PLAIN, names.object.text, names.object.len);
	document_prose(document, "%s)", place);
}

static void put_function(struct document *document, void *ctx, size_t i)
{
	const struct rendering *rendering = ctx;
	const struct code_function *function = &rendering->annotation->code.functions[i];
	const struct code_stretch *stretch = &function->stretch;
	char start[RENDER_ADDRESS], end[RENDER_ADDRESS];

	document_costs(document, function->costs);
	document_cell(document, cell_string(function->name));
	document_cell(document, cell_string(function->object->name));
	document_cell(document, cell_string(stretch->symbol));
	document_cell(document, render_address(start, stretch->start));
	document_cell(document, stretch->symbol ? render_address(end, stretch->end) : cell_none);
}

static void put_function_code(struct document *document, void *ctx, size_t i)
{
	static const struct document_column columns[] = {
		{ .title = "", .key = "address", .field = "address", .is_left = true },
		{ .key = "bytes" },
		{ .key = "mnemonic" },
		{ .key = "operands" },
		{ .key = "note" },
		{ .field = "text" },
		{ .key = "source" },
		{ .field = "file" },
		{ .key = "line", .field = "line" },
		COUNTS_COLUMN,
	};
	struct rendering *rendering = ctx;
	const struct code_function *function = &rendering->annotation->code.functions[i];
	struct putting_code putting = {
		.rendering = rendering,
		.function = function,
		.source = CODE_NO_SOURCE,
	};
	uint64_t greatest = 0;
	char number[NUMBER_TEXT];

	document_part(document, PART_TITLE);
	put_title(rendering, function);
	document_part(document, PART_CONTENT);
	/* How wide the columns before an instruction are. */
	for (size_t k = 0; k < function->n; k++) {
		const struct code_instruction *instruction = &function->instructions[k];
		int bytes = (int)instruction->len * 3;

		if (instruction->address > greatest)
			greatest = instruction->address;
		if (rendering->annotation->options->shows_bytes && bytes > putting.bytes_width)
			putting.bytes_width = bytes;
	}
	putting.address_width = snprintf(number, sizeof(number), "%" PRIx64, greatest);
	if (putting.address_width < LEAST_ADDRESS)
		putting.address_width = LEAST_ADDRESS;
	arrows_begin(&putting.drawing, function->arrows, function->n_arrows, function->n_lanes);
	arrows_between(&putting.drawing, 0, putting.arrows);
	document_view(document, &(const struct document_view){
					.table = { .key = "instructions",
						   .record = "instruction",
						   COLUMNS(columns),
						   .form = FORM_LISTING },
					.n_rows = function->n,
					.put_row = put_instruction,
					.put_rest = put_last_gap,
					.put_details = put_jumps_and_calls,
					.ctx = &putting,
				});
	document_part(document, PART_END);
	document_prose(document, "%s", document_is_short(document) ? "\n" : "");
}

/* -- all of it ------------------------------------------------------------------------------- */

/* For programs: files of code, and of sources that instructions are of. */
static void put_files(struct document *document, const struct machinecode *code)
{
	const struct code_object *object;
	size_t i = 0;

	document_list(document, "objects", false);
	while ((object = machinecode_next_object(code, &i)) != NULL) {
		const struct objectfile *file = object->file;

		document_object(document, NULL, false);
		document_value(document, "object", cell_string(object->name));
		document_value(document, "path", cell_string(file ? objectfile_path(file) : NULL));
		if (object->wrong)
			document_value(document, "problem", cell_string(object->wrong));
		if (file) {
			document_value(document, "debug_path",
				       cell_string(objectfile_debug_path(file)));
			document_value(document, "build_id",
				       cell_string(objectfile_build_id(file)));
			document_value(document, "stale", cell_bool(object->is_stale));
			document_value(document, "outside", cell_count((int128)object->n_outside));
			document_value(document, "out_of_step",
				       cell_count((int128)object->n_out_of_step));
		}
		document_close(document);
	}
	document_close(document);
	document_list(document, "sources", false);
	for (i = 0; i < code->sources.n; i++) {
		const struct code_source *source = &code->sources.sources[i];

		document_object(document, NULL, true);
		document_value(document, "file", cell_string(source->name));
		document_value(document, "path",
			       cell_string(source->is_found ? source->text.path : NULL));
		document_close(document);
	}
	document_close(document);
}

static void put_unplaced(struct document *document, void *ctx, size_t row)
{
	const struct rendering *rendering = ctx;

	(void)row;
	document_costs(document, rendering->annotation->code.unplaced);
	document_begin_words(document, cell_none);
	document_prose(document, "<counts of these functions at unidentified addresses>");
	document_end_words(document);
}

void code_view(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "function", .field = "function" },
		{ .key = "object", .field = "object" },
		{ .key = "symbol" },
		{ .key = "start", .field = "address" },
		{ .key = "end" },
		COUNTS_COLUMN,
	};
	static const struct document_column unplaced_columns[] = {
		{ .title = "", .is_left = true },
		{ .is_counts = true },
	};
	const struct machinecode *code = &rendering->annotation->code;
	struct document *document = &rendering->document;

	document_section(document, 2, "Machine code", NULL);
	document_object(document, "machine_code", false);
	put_files(document, code);
	document_view(document, &(const struct document_view){
					.table = { .key = "functions",
						   .record = "code",
						   COLUMNS(columns),
						   .is_indented = true },
					.n_rows = code->n,
					.put_row = put_function,
					.put_details = put_function_code,
					.ctx = rendering,
				});
	if (code->unplaced && !document_is_short(document)) {
		document_view(document,
			      &(const struct document_view){
				      .table = { COLUMNS(unplaced_columns), .form = FORM_BARE },
				      .n_rows = 1,
				      .put_row = put_unplaced,
				      .ctx = rendering,
			      });
		document_prose(document, "\n");
	}
	render_recursion_note(rendering);
	document_value(document, "unplaced",
		       costcells_counts(&rendering->cells, 0, code->unplaced));
	document_close(document);
}
