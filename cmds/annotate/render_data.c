/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An annotation for programs, as a document: JSON and CSV.
 *
 * JSON is one object; its form is in docs/FORMAT.md and has a version, which grows when something goes
 * or means something else, not when something is added.  Counts are arrays in the order of "events";
 * null is what cannot happen there.
 *
 * CSV has the column "record", which says what a row is: totals, metric, function, caller and callee
 * (of the function above), file:function, function:file, source, line, call (from the line or
 * instruction above); with machine code there is a column "address", and rows code, instruction,
 * jump; with the placement of loops that column, more of its own, and rows loop.  A count that cannot happen is an empty field.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/emit/document.h"

enum {
	SCHEMA_VERSION = 1,
	CODE_TEXT = 1024, /* an instruction as one text; longer names in it are cut */
	ADDRESS_TEXT = 24,
};

/* -- cells ----------------------------------------------------------------------------- */

static void put(struct rendering *rendering, struct cell cell)
{
	document_cell(&rendering->document, cell);
}

static void put_value(struct rendering *rendering, const char *key, struct cell cell)
{
	document_value(&rendering->document, key, cell);
}

static struct cell name_cell(struct name name)
{
	return name.text ? cell_text(name.text, name.len) : cell_none;
}

static struct cell count_cell(const struct rendering *rendering, uint64_t count)
{
	return cell_count(int128_of(count, rendering->annotation->model->is_signed));
}

static struct cell inclusive_counts(struct rendering *rendering, size_t number,
				    const uint64_t *costs)
{
	struct cell cell;

	rendering->cells.is_inclusive = true;
	cell = render_counts(rendering, number, costs);
	rendering->cells.is_inclusive = false;
	return cell;
}

static void put_function(struct rendering *rendering, uint32_t function)
{
	struct annotation_names names = annotation_names(rendering->annotation, function);

	put(rendering, name_cell(names.function));
	put(rendering, name_cell(names.file));
	put(rendering, names.has_object ? name_cell(names.object) : cell_none);
}

/* Addresses are texts: many readers of JSON have no integers of 64 bits. */
static struct cell address_cell(char text[ADDRESS_TEXT], uint64_t address)
{
	snprintf(text, ADDRESS_TEXT, "0x%" PRIx64, address);
	return cell_string(text);
}

/* put_function()'s columns; then counts, which all tables have. */
#define FUNCTION_COLUMNS                                                         \
 { .key = "function", .field = "function" }, { .key = "file", .field = "file" }, \
 {                                                                               \
  .key = "object", .field = "object"                                             \
 }
#define COUNTS_COLUMN                \
 {                                   \
  .key = "counts", .is_counts = true \
 }
#define COLUMNS(columns) .columns = (columns), .n = sizeof(columns) / sizeof((columns)[0])

/* -- the run --------------------------------------------------------------------------- */

static void put_parts(struct rendering *rendering)
{
	const struct model *model = rendering->annotation->model;
	struct document *document = &rendering->document;

	document_list(document, "parts", false);
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const struct part *header = &part->header;

		document_object(document, NULL, false);
		put_value(rendering, "file", cell_string(part->file));
		put_value(rendering, "creator", cell_string(header->creator));
		put_value(rendering, "command", cell_string(header->cmd));
		put_value(rendering, "pid", header->has_pid ? cell_count(header->pid) : cell_none);
		put_value(rendering, "part",
			  header->has_number ? cell_count(header->number) : cell_none);
		put_value(rendering, "thread",
			  header->has_thread ? cell_count(header->thread) : cell_none);
		document_list(document, "descriptions", false);
		for (size_t j = 0; j < header->n_descs; j++) {
			document_object(document, NULL, true);
			put_value(rendering, "type", cell_string(header->descs[j].type));
			put_value(rendering, "value", cell_string(header->descs[j].value));
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
		put_value(rendering, "name", cell_string(metric->name));
		put_value(rendering, "long_name", cell_string(metric->long_name));
		if (metric->formula)
			put_value(rendering, "formula", cell_string(metric->formula));
		document_close(document);
	}
	document_close(document);
	document_list(document, "recorded", true);
	for (size_t i = 0; i < columns->metrics.n_events; i++)
		put_value(rendering, NULL, cell_string(columns->metrics.all[i].name));
	document_close(document);
	document_list(document, "sort", false);
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];

		document_object(document, NULL, true);
		put_value(rendering, "event", cell_string(columns->metrics.all[key->metric].name));
		if (key->has_threshold)
			put_value(rendering,
				  options->listing.coverage < 0 ? "threshold" : "coverage",
				  cell_number(key->threshold, 4));
		document_close(document);
	}
	document_close(document);
	put_value(rendering, "inclusive", cell_bool(options->listing.inclusive));
}

static void put_rates(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .field = "function" },
		{ .field = "text" },
	};
	static const struct document_table table = { .record = "metric", COLUMNS(columns) };
	const struct annotation *annotation = rendering->annotation;

	document_object(&rendering->document, "metrics", false);
	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < annotation->n_rates; i++) {
		const struct run_rate *rate = &annotation->rates[i];
		struct cell cell = rate->kind == RUN_RATE_COUNT
					   ? cell_decimal(cell_count(rate->part), rate->decimals)
					   : cell_number(run_rate_ratio(rate), 6);

		put_value(rendering, rate->key, cell);
		put(rendering, cell_string(rate->key));
		put(rendering, cell);
	}
	document_end_rows(&rendering->document);
	document_close(&rendering->document);
}

static void put_totals(struct rendering *rendering)
{
	static const struct document_column columns[] = { COUNTS_COLUMN };
	static const struct document_table table = { .record = "totals", COLUMNS(columns) };
	static const char *const froms[] = {
		[TOTALS_SAID] = "summary",
		[TOTALS_CALCULATED] = "calculated",
		[TOTALS_CORRECTED] = "corrected",
	};
	const struct annotation *annotation = rendering->annotation;
	struct cell totals = render_counts(rendering, 0, annotation->totals.costs);

	put_value(rendering, "totals", totals);
	document_begin_rows(&rendering->document, &table);
	put(rendering, totals);
	document_end_rows(&rendering->document);
	put_value(rendering, "totals_from", cell_string(froms[annotation->totals.kind]));
	put_rates(rendering);
}

/* -- functions ------------------------------------------------------------------------- */

static void put_links(struct rendering *rendering, bool is_callers,
		      const struct listing_link *links, size_t n)
{
	static const struct document_column columns[] = {
		FUNCTION_COLUMNS,
		{ .key = "calls", .field = "calls" },
		COUNTS_COLUMN,
	};
	static const struct document_table callers = { "callers", "caller", COLUMNS(columns) };
	static const struct document_table callees = { "callees", "callee", COLUMNS(columns) };

	document_begin_rows(&rendering->document, is_callers ? &callers : &callees);
	for (size_t i = 0; i < n; i++) {
		put_function(rendering, links[i].function);
		put(rendering, count_cell(rendering, links[i].count));
		put(rendering, inclusive_counts(rendering, 0, links[i].costs));
	}
	document_end_rows(&rendering->document);
}

static void put_cycles(struct rendering *rendering)
{
	const struct inclusive *inclusive = &rendering->annotation->inclusive;

	if (!rendering->annotation->has_inclusive)
		return;
	document_list(&rendering->document, "cycles", false);
	for (size_t i = 0; i < inclusive->n_cycles; i++)
		put_value(rendering, NULL,
			  inclusive_counts(rendering, 0,
					   inclusive->cycle_costs + i * inclusive->n_events));
	document_close(&rendering->document);
}

static void put_listing(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		FUNCTION_COLUMNS, { .key = "cycle" },    { .key = "partial" },
		COUNTS_COLUMN,    { .key = "percents" },
	};
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	enum listing_tree tree = annotation->options->listing.tree;
	const struct document_table table = {
		.key = "functions",
		.record = "function",
		COLUMNS(columns),
		.is_open = true,
		.is_indented = tree != TREE_NONE,
	};

	put_value(rendering, "n_functions", cell_count((int128)listing->n_functions));
	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];

		put_function(rendering, entry->function);
		put(rendering, entry->cycle ? cell_count(entry->cycle) : cell_none);
		put(rendering, entry->is_partial ? cell_bool(true) : cell_none);
		rendering->cells.is_inclusive = annotation->options->listing.inclusive;
		put(rendering, render_counts(rendering, 0, entry->costs));
		put(rendering, costcells_shares(&rendering->cells, 0, entry->costs));
		rendering->cells.is_inclusive = false;
		if (tree & TREE_CALLERS)
			put_links(rendering, true, entry->callers, entry->n_callers);
		if (tree & TREE_CALLEES)
			put_links(rendering, false, entry->callees, entry->n_callees);
		document_end_row(&rendering->document);
	}
	document_end_rows(&rendering->document);
	put_cycles(rendering);
}

/* One outer entry's inner ones, and in CSV with it its name. */
static void put_inner(struct rendering *rendering, const struct nesting *nesting,
		      const struct nesting_outer *outer)
{
	const char *outer_field = nesting->by_function ? "function" : "file";
	const char *inner_field = nesting->by_function ? "file" : "function";
	const struct document_column columns[] = {
		{ .key = inner_field, .field = inner_field },
		{ .field = outer_field },
		COUNTS_COLUMN,
	};
	const struct document_table table = {
		.key = nesting->by_function ? "files" : "functions",
		.record = nesting->by_function ? "function:file" : "file:function",
		COLUMNS(columns),
	};
	const struct model *model = rendering->annotation->model;

	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < outer->n_inner; i++) {
		put(rendering,
		    name_cell(model_name(model, nesting->by_function ? NAME_FILE : NAME_FUNCTION,
					 outer->inner[i].name)));
		put(rendering,
		    name_cell(model_name(model, nesting->by_function ? NAME_FUNCTION : NAME_FILE,
					 outer->name)));
		put(rendering, render_counts(rendering, 0, outer->inner[i].costs));
	}
	document_end_rows(&rendering->document);
}

static void put_nesting(struct rendering *rendering, const struct nesting *nesting)
{
	const char *field = nesting->by_function ? "function" : "file";
	const struct document_column columns[] = {
		{ .key = field, .field = field }, COUNTS_COLUMN,       { .key = "percents" },
		{ .key = "cumulative_percents" }, { .key = "hidden" },
	};
	const struct document_table table = {
		.key = nesting->by_function ? "function_file" : "file_function",
		.record = nesting->by_function ? "function:file" : "file:function",
		COLUMNS(columns),
		.is_open = true,
		.is_indented = true,
	};
	const struct model *model = rendering->annotation->model;

	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];

		put(rendering,
		    name_cell(model_name(model, nesting->by_function ? NAME_FUNCTION : NAME_FILE,
					 outer->name)));
		put(rendering, render_counts(rendering, 0, outer->costs));
		put(rendering, costcells_shares(&rendering->cells, 0, outer->costs));
		put(rendering, costcells_shares(&rendering->cells, 1, outer->cumulative));
		put(rendering, cell_count((int128)outer->n_hidden));
		put_inner(rendering, nesting, outer);
		document_end_row(&rendering->document);
	}
	document_end_rows(&rendering->document);
}

/* -- sources --------------------------------------------------------------------------- */

/* Calls from a line or from an instruction, with the number or the address of that. */
static void put_calls(struct rendering *rendering, const struct annotated_call *calls, size_t n,
		      const char *field, struct cell place)
{
	const struct document_column columns[] = {
		FUNCTION_COLUMNS,
		{ .key = "calls", .field = "calls" },
		COUNTS_COLUMN,
		{ .field = field },
	};
	const struct document_table table = { "calls", "call", COLUMNS(columns) };

	if (n == 0)
		return;
	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < n; i++) {
		put_function(rendering, calls[i].callee);
		put(rendering, count_cell(rendering, calls[i].count));
		put(rendering, inclusive_counts(rendering, 0, calls[i].costs));
		put(rendering, place);
	}
	document_end_rows(&rendering->document);
}

/* Numbers tell where there are gaps. */
static void put_lines(struct rendering *rendering, const struct annotated_file *file)
{
	static const struct document_column columns[] = {
		{ .field = "file" },
		{ .key = "line", .field = "line" },
		{ .key = "text", .field = "text" },
		COUNTS_COLUMN,
	};
	static const struct document_table table = {
		.key = "lines",
		.record = "line",
		COLUMNS(columns),
		.is_open = true,
	};
	const struct cell name = cell_string(file->name);
	struct annotated_walk walk;
	struct annotated_row row;

	document_begin_rows(&rendering->document, &table);
	annotated_walk_init(&walk, &rendering->annotation->annotated, file);
	while (annotated_walk_next(&walk, &row)) {
		const struct annotated_line *line = row.line;

		if (row.kind == ROW_GAP || row.kind == ROW_CALL)
			continue;
		put(rendering, name);
		put(rendering, cell_count(row.number));
		put(rendering,
		    row.kind == ROW_LINE ? cell_text(row.text, row.text_len) : cell_none);
		put(rendering,
		    render_counts(rendering, 0, line && line->has_costs ? line->costs : NULL));
		if (line)
			put_calls(rendering, line->calls, line->n_calls, "line",
				  cell_count(row.number));
		document_end_row(&rendering->document);
	}
	document_end_rows(&rendering->document);
}

static void put_coverage(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;

	document_object(&rendering->document, "coverage", false);
	for (size_t i = 0; i < N_COVERAGE; i++)
		put_value(rendering, coverage_words[i].key,
			  render_counts(rendering, 0, annotation->annotated.coverage[i]));
	put_value(rendering, "outside", render_counts(rendering, 0, annotation->totals.outside));
	document_close(&rendering->document);
}

static void put_sources(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "file", .field = "file" },
		{ .key = "path", .field = "text" },
		{ .key = "chosen" },
		{ .key = "known" },
		{ .key = "refused" },
		{ .key = "stale" },
		{ .key = "lines_past_end" },
		{ .key = "counts" },
		{ .is_counts = true },
	};
	static const struct document_table table = {
		.key = "sources",
		.record = "source",
		COLUMNS(columns),
		.is_open = true,
		.is_indented = true,
	};
	const struct annotated *annotated = &rendering->annotation->annotated;

	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];
		struct cell counts = render_counts(rendering, 0, file->costs);

		put(rendering, cell_string(file->name));
		put(rendering, cell_string(file->is_found ? file->text.path : NULL));
		put(rendering, cell_string(file->is_named ? "user" : "auto"));
		put(rendering, cell_bool(file->is_known));
		put(rendering, cell_bool(file->is_refused));
		put(rendering, cell_bool(file->is_stale));
		put(rendering, cell_count((int128)file->n_past_end));
		put(rendering, file->is_known ? counts : cell_none);
		put(rendering, counts);
		if (file->is_found && file->is_known)
			put_lines(rendering, file);
		document_end_row(&rendering->document);
	}
	document_end_rows(&rendering->document);
	put_coverage(rendering);
}

/* -- machine code ---------------------------------------------------------------------- */

static void put_jumps(struct rendering *rendering, const struct code_instruction *instruction)
{
	static const struct document_column columns[] = {
		{ .key = "target" },
		{ .key = "conditional" },
		{ .key = "followed", .field = "calls" },
		{ .key = "executed" },
		{ .field = "text" },
		{ .field = "address" },
	};
	static const struct document_table table = { "jumps", "jump", COLUMNS(columns) };

	if (instruction->n_jumps == 0)
		return;
	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < instruction->n_jumps; i++) {
		const struct code_jump *jump = &instruction->jumps[i];
		char target[ADDRESS_TEXT], address[ADDRESS_TEXT], executed[INT128_TEXT];
		char text[INT128_TEXT + 40];
		struct cell count = count_cell(rendering, jump->executed);

		put(rendering, address_cell(target, jump->target));
		put(rendering, cell_bool(jump->is_conditional));
		put(rendering,
		    jump->is_recorded ? count_cell(rendering, jump->followed) : cell_none);
		put(rendering, jump->is_recorded ? count : cell_none);
		int128_print(executed, count.count.value, false);
		snprintf(text, sizeof(text),
			 jump->is_conditional && jump->is_recorded ? "%s of %s" : "%s", target,
			 executed);
		put(rendering, cell_string(text));
		put(rendering, address_cell(address, instruction->address));
	}
	document_end_rows(&rendering->document);
}

static void put_instruction(struct rendering *rendering, const struct code_instruction *instruction)
{
	const struct code_source *sources = rendering->annotation->code.sources.sources;
	const struct code_record *record = instruction->record;
	bool has_line = instruction->line != 0 && instruction->source != CODE_NO_SOURCE;
	bool is_known = instruction->len > 0;
	char address[ADDRESS_TEXT], bytes[2 * 16 + 1] = "", text[CODE_TEXT] = "";

	for (size_t i = 0; i < instruction->len && i < 16; i++)
		snprintf(bytes + 2 * i, 3, "%02x", instruction->bytes[i]);
	if (is_known)
		snprintf(text, sizeof(text), "%s%s%s%s%s", instruction->mnemonic,
			 instruction->operands[0] != '\0' ? " " : "", instruction->operands,
			 instruction->note[0] != '\0' ? " " : "", instruction->note);
	put(rendering, address_cell(address, instruction->address));
	put(rendering, is_known ? cell_string(bytes) : cell_none);
	put(rendering, is_known ? cell_string(instruction->mnemonic) : cell_none);
	put(rendering, is_known ? cell_string(instruction->operands) : cell_none);
	put(rendering, is_known ? cell_string(instruction->note) : cell_none);
	put(rendering, cell_string(text));
	put(rendering, has_line ? cell_count(instruction->source) : cell_none);
	put(rendering, has_line ? cell_string(sources[instruction->source].name) : cell_none);
	put(rendering, has_line ? cell_count(instruction->line) : cell_none);
	put(rendering,
	    render_counts(rendering, 0, record && record->has_costs ? record->costs : NULL));
	put_jumps(rendering, instruction);
	if (record)
		put_calls(rendering, record->calls, record->n_calls, "address",
			  address_cell(address, instruction->address));
	document_end_row(&rendering->document);
}

static void put_instructions(struct rendering *rendering, const struct code_function *function)
{
	static const struct document_column columns[] = {
		{ .key = "address", .field = "address" },
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
	static const struct document_table table = {
		.key = "instructions",
		.record = "instruction",
		COLUMNS(columns),
		.is_open = true,
	};

	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < function->n; i++)
		put_instruction(rendering, &function->instructions[i]);
	document_end_rows(&rendering->document);
}

static void put_code_functions(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "function", .field = "function" },
		{ .key = "object", .field = "object" },
		{ .key = "symbol" },
		{ .key = "start", .field = "address" },
		{ .key = "end" },
		COUNTS_COLUMN,
	};
	static const struct document_table table = {
		.key = "functions",
		.record = "code",
		COLUMNS(columns),
		.is_open = true,
		.is_indented = true,
	};
	const struct machinecode *code = &rendering->annotation->code;

	document_begin_rows(&rendering->document, &table);
	for (size_t i = 0; i < code->n; i++) {
		const struct code_function *function = &code->functions[i];
		const struct code_stretch *stretch = &function->stretch;
		char start[ADDRESS_TEXT], end[ADDRESS_TEXT];

		put(rendering, cell_string(function->name));
		put(rendering, cell_string(function->object->name));
		put(rendering, cell_string(stretch->symbol));
		put(rendering, address_cell(start, stretch->start));
		put(rendering, stretch->symbol ? address_cell(end, stretch->end) : cell_none);
		put(rendering, render_counts(rendering, 0, function->costs));
		put_instructions(rendering, function);
		document_end_row(&rendering->document);
	}
	document_end_rows(&rendering->document);
}

static void put_code_object(struct rendering *rendering, const struct code_object *object)
{
	const struct objectfile *file = object->file;

	document_object(&rendering->document, NULL, false);
	put_value(rendering, "object", cell_string(object->name));
	put_value(rendering, "path", cell_string(file ? objectfile_path(file) : NULL));
	if (object->wrong)
		put_value(rendering, "problem", cell_string(object->wrong));
	if (file) {
		put_value(rendering, "debug_path", cell_string(objectfile_debug_path(file)));
		put_value(rendering, "build_id", cell_string(objectfile_build_id(file)));
		put_value(rendering, "stale", cell_bool(object->is_stale));
		put_value(rendering, "outside", cell_count((int128)object->n_outside));
		put_value(rendering, "out_of_step", cell_count((int128)object->n_out_of_step));
	}
	document_close(&rendering->document);
}

static void put_code(struct rendering *rendering)
{
	const struct machinecode *code = &rendering->annotation->code;
	struct document *document = &rendering->document;
	const struct code_object *object;
	size_t i = 0;

	document_object(document, "machine_code", false);
	document_list(document, "objects", false);
	while ((object = machinecode_next_object(code, &i)) != NULL)
		put_code_object(rendering, object);
	document_close(document);
	document_list(document, "sources", false);
	for (i = 0; i < code->sources.n; i++) {
		const struct code_source *source = &code->sources.sources[i];

		document_object(document, NULL, true);
		put_value(rendering, "file", cell_string(source->name));
		put_value(rendering, "path",
			  cell_string(source->is_found ? source->text.path : NULL));
		document_close(document);
	}
	document_close(document);
	put_code_functions(rendering);
	put_value(rendering, "unplaced", render_counts(rendering, 0, code->unplaced));
	document_close(document);
}

/* -- all of it ------------------------------------------------------------------------- */

static void put_head(struct rendering *rendering)
{
	put_value(rendering, "schema", cell_string("costgrind annotate"));
	put_value(rendering, "version", cell_count(SCHEMA_VERSION));
	put_parts(rendering);
	put_columns(rendering);
	put_totals(rendering);
}

const struct render_sections render_data = {
	.head = put_head,
	.listing = put_listing,
	.nesting = put_nesting,
	.layout = render_layout_data,
	.objects = render_objects_data,
	.types = render_types_data,
	.code = put_code,
	.sources = put_sources,
};
