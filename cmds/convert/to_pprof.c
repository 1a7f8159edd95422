/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof: stacks by line, all events, as a protocol buffer that is compressed by gzip.
 *
 * The pieces of a message may come in any order and one by one: parts of it that follow
 * each other are one message.  So each sample, location, function and text is
 * packed and written when it is first needed, and nothing is gathered.
 */
#include <pprof.pb-c.h> /* made of pprof.proto */
#include <stdlib.h>
#include <string.h>

#include "cmds/convert/formats.h"
#include "cmds/emit/gzipper.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/cost.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

__extension__ typedef unsigned __int128 product;

enum { PPROF_MAX_COLUMNS = 2 * PROFILE_MAX_EVENTS };

struct pprof {
	ProtobufCBuffer buffer; /* first: what is packed comes to it */
	struct conversion *conversion;
	const struct model *model;
	const struct pathtree *tree;
	struct out out;
	struct gzipper gzipper;
	struct dictionary texts;  /* a key is an index of string_table */
	struct idtable functions; /* numbers, from 1, of (function of the model, file) */
	struct idtable locations; /* the same, of (number of function, line) */
	uint32_t n_functions, n_locations;
	/* What samples have: all events, then what the profile derives from them. */
	const struct metric *columns[PPROF_MAX_COLUMNS];
	size_t n_columns;
	int128 sums[PPROF_MAX_COLUMNS]; /* of samples written */
	struct arena arena;             /* of the metrics */
	uint64_t *stack;                /* locations, from the inside out */
	size_t stack_capacity;
	int status; /* sticky */
};

static void append(ProtobufCBuffer *buffer, size_t len, const uint8_t *data)
{
	struct pprof *pprof = (struct pprof *)(void *)buffer;

	gzipper_bytes(&pprof->gzipper, data, len);
}

static void fail(struct pprof *pprof, int status)
{
	if (!pprof->status)
		pprof->status = status;
}

/* Writes a part of the profile. */
static void put(struct pprof *pprof, const Pprof__Profile *profile)
{
	pprof__profile__pack_to_buffer(profile, &pprof->buffer);
	if (pprof->out.error)
		fail(pprof, PROFILE_STOPPED);
}

/* -- texts, functions, locations ---------------------------------------------------------- */

/* The index of a text, made valid UTF-8; it is written if it is new. */
static uint32_t text_index(struct pprof *pprof, const char *text, size_t len)
{
	size_t before = pprof->texts.count, used = 0;
	char *valid = heap_alloc(3 * len + 1);
	uint32_t key;

	for (size_t i = 0; i < len;) {
		size_t n = unicode_len(text + i, len - i);
		const char *from = n > 0 ? text + i : UNICODE_REPLACEMENT;

		/* Texts of protobuf-c end in NUL. */
		if (n == 1 && *from == '\0')
			from = " ";
		memcpy(valid + used, from, n > 0 ? n : strlen(UNICODE_REPLACEMENT));
		used += n > 0 ? n : strlen(UNICODE_REPLACEMENT);
		i += n > 0 ? n : 1;
	}
	valid[used] = '\0';
	key = dictionary_intern(&pprof->texts, valid, used);
	if (pprof->texts.count > before) {
		Pprof__Profile profile = PPROF__PROFILE__INIT;

		profile.n_string_table = 1;
		profile.string_table = &valid;
		put(pprof, &profile);
	}
	free(valid);
	return key;
}

static uint32_t name_index(struct pprof *pprof, const struct name *name)
{
	return text_index(pprof, name->text, name->len);
}

/* The number of an id in a table, from 1; *is_new if it had none. */
static uint32_t number_of(struct idtable *table, uint64_t id, uint32_t *n, bool *is_new)
{
	uint32_t number = idtable_get(table, id);

	*is_new = number == IDTABLE_NONE;
	if (!*is_new)
		return number;
	idtable_put(table, id, *n + 1);
	return ++*n;
}

/* The number of a function, so far as it is in a file; it is written if it is new. */
static uint32_t function_number(struct pprof *pprof, uint32_t function, uint32_t file)
{
	const struct model *model = pprof->model;
	Pprof__Function message = PPROF__FUNCTION__INIT, *messages = &message;
	Pprof__Profile profile = PPROF__PROFILE__INIT;
	struct name name = { "<rest>", strlen("<rest>"), NAME_NO_KEY };
	struct name file_name = model_name(model, NAME_FILE, file);
	bool is_new;
	uint32_t number = number_of(&pprof->functions, (uint64_t)function << 32 | file,
				    &pprof->n_functions, &is_new);

	if (!is_new)
		return number;
	if (function != PATHTREE_REST)
		name = model_name(model, NAME_FUNCTION, model->functions[function].name);
	messages->id = number;
	messages->name = messages->system_name = name_index(pprof, &name);
	messages->filename = name_index(pprof, &file_name);
	profile.n_function = 1;
	profile.function = &messages;
	put(pprof, &profile);
	return number;
}

/* The number of a line of a function. */
static uint64_t location_number(struct pprof *pprof, uint32_t function, uint32_t file,
				uint64_t line)
{
	uint32_t of_function = function_number(pprof, function, file);
	Pprof__Line of_line = PPROF__LINE__INIT, *lines = &of_line;
	Pprof__Location message = PPROF__LOCATION__INIT, *messages = &message;
	Pprof__Profile profile = PPROF__PROFILE__INIT;
	uint32_t number;
	bool is_new;

	if (line > UINT32_MAX)
		line = UINT32_MAX;
	number = number_of(&pprof->locations, (uint64_t)of_function << 32 | line,
			   &pprof->n_locations, &is_new);
	if (!is_new)
		return number;
	of_line.function_id = of_function;
	of_line.line = (int64_t)line;
	message.id = number;
	if (pprof->model->has_objects && function != PATHTREE_REST)
		message.mapping_id = pprof->model->functions[function].object + 1;
	message.n_line = 1;
	message.line = &lines;
	profile.n_location = 1;
	profile.location = &messages;
	put(pprof, &profile);
	return number;
}

/* -- samples -------------------------------------------------------------------------------- */

static void push(struct pprof *pprof, size_t *depth, uint64_t location)
{
	pprof->stack =
		heap_grow(pprof->stack, &pprof->stack_capacity, *depth + 1, sizeof(*pprof->stack));
	pprof->stack[(*depth)++] = location;
}

/* The file of a function; of "<rest>", none is known. */
static uint32_t file_of(const struct pprof *pprof, uint32_t function)
{
	return function == PATHTREE_REST ? DICTIONARY_UNKNOWN
					 : pprof->model->functions[function].file;
}

/* What a sample has in a column: of tenths whole cycles, which add up to the whole of what all samples cost. */
static int128 sample_value(struct pprof *pprof, size_t column, const uint64_t *costs)
{
	const struct metric *metric = pprof->columns[column];
	int128 before = pprof->sums[column], scale = 1;

	for (unsigned i = 0; i < metric->decimals.people; i++)
		scale *= 10;
	pprof->sums[column] += metric_value(metric, costs, false);
	return pprof->sums[column] / scale - before / scale;
}

/* Writes what a node cost in a line, unless it is nothing. */
static void put_sample(struct pprof *pprof, uint32_t node, uint32_t file, uint64_t line,
		       const uint64_t *costs)
{
	const struct pathtree_node *nodes = pprof->tree->nodes;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	Pprof__Profile profile = PPROF__PROFILE__INIT;
	int64_t values[PPROF_MAX_COLUMNS];
	uint64_t any = 0;

	for (size_t i = 0; i < pprof->model->n_events; i++)
		any |= costs[i];
	if (any == 0)
		return;
	for (size_t i = 0; i < pprof->n_columns; i++) {
		int128 value = sample_value(pprof, i, costs);

		values[i] = (int64_t)value;
		if (value > INT64_MAX || value < INT64_MIN)
			fail(pprof, profile_error_set(&pprof->conversion->error, PROFILE_RANGE,
						      "--to=pprof: expected no counts of 2^63 "
						      "or more"));
	}
	push(pprof, &sample.n_location_id,
	     location_number(pprof, nodes[node].function, file, line));
	for (; nodes[node].parent != PATHTREE_NONE; node = nodes[node].parent) {
		uint32_t caller = nodes[nodes[node].parent].function;

		push(pprof, &sample.n_location_id,
		     location_number(pprof, caller, file_of(pprof, caller), nodes[node].line));
	}
	sample.location_id = pprof->stack;
	sample.n_value = pprof->n_columns;
	sample.value = values;
	profile.n_sample = 1;
	profile.sample = &samples;
	if (!pprof->status)
		put(pprof, &profile);
}

/* The nodes of one function, and how far their weights add up. */
struct function_run {
	uint32_t first;
	size_t n;
	uint64_t *sums; /* by node */
};

/* Divides a line of a function among its nodes, as pathtree_spread() does the function. */
static void put_line(struct pprof *pprof, const struct function_run *run,
		     const struct model_line *line)
{
	uint64_t given[PROFILE_MAX_EVENTS] = { 0 }, costs[PROFILE_MAX_EVENTS];
	uint64_t all = run->sums[run->n - 1];

	for (size_t i = 0; i < run->n && !pprof->status; i++) {
		for (size_t j = 0; j < pprof->model->n_events; j++) {
			uint64_t end = (uint64_t)((product)line->costs[j] * run->sums[i] / all);

			costs[j] = end - given[j];
			given[j] = end;
		}
		put_sample(pprof, run->first + (uint32_t)i, line->file, line->at.line, costs);
	}
}

/*
 * Of a derived tree: the nodes of a function follow each other, except for "<rest>", whose nodes are
 * made where they are first needed.  These have no weight, so they get nothing.
 */
static void put_run(struct pprof *pprof, struct function_run *run)
{
	const struct pathtree_node *nodes = pprof->tree->nodes + run->first;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t sum = 0;

	if (nodes[0].function == PATHTREE_REST)
		return;
	for (size_t i = 0; i < run->n; i++) {
		cost_add_nested(&sum, nodes[i].weight, false); /* as pathtree_spread() did */
		run->sums[i] = sum;
	}
	for (size_t i = 0; i < run->n && sum == 0; i++)
		run->sums[i] = 1;
	model_lines(pprof->model, nodes[0].function, 0, &cursor);
	while (model_next_line(&cursor, &line) && !pprof->status)
		put_line(pprof, run, &line);
}

static void put_samples(struct pprof *pprof)
{
	const struct pathtree *tree = pprof->tree;
	struct function_run run = { .sums = heap_zeroed(tree->n, sizeof(*run.sums)) };

	for (size_t i = 0; i < tree->n && !pprof->status; i += run.n) {
		run.first = (uint32_t)i;
		run.n = 1;
		if (tree->is_exact) {
			put_sample(pprof, run.first, file_of(pprof, tree->nodes[i].function), 0,
				   pathtree_costs(tree, run.first));
			continue;
		}
		while (i + run.n < tree->n &&
		       (tree->nodes[i + run.n].function == tree->nodes[i].function ||
			tree->nodes[i + run.n].function == PATHTREE_REST))
			run.n++;
		put_run(pprof, &run);
	}
	free(run.sums);
}

/* -- the head ---------------------------------------------------------------------------------- */

static void choose_columns(struct pprof *pprof)
{
	const struct model *model = pprof->model;
	const struct metric_source source = metric_source_of(model, NULL);
	struct metrics metrics;

	metrics_init(&metrics, &source, &pprof->arena);
	for (size_t i = 0; i < metrics.n && pprof->n_columns < PPROF_MAX_COLUMNS; i++)
		if (i < metrics.n_events || metrics_is_defined(model, metrics.all[i].name))
			pprof->columns[pprof->n_columns++] = &metrics.all[i];
}

static void put_columns(struct pprof *pprof)
{
	text_index(pprof, "", 0); /* the first one is empty */
	for (size_t i = 0; i < pprof->n_columns; i++) {
		Pprof__Column column = PPROF__COLUMN__INIT, *columns = &column;
		Pprof__Profile profile = PPROF__PROFILE__INIT;
		const struct metric *metric = pprof->columns[i];
		const char *unit = metric->decimals.people > 0 ? "cycles" : "count";

		column.type = text_index(pprof, metric->name, strlen(metric->name));
		column.unit = text_index(pprof, unit, strlen(unit));
		profile.n_sample_type = 1;
		profile.sample_type = &columns;
		if (i == 0)
			profile.default_sample_type = column.type;
		put(pprof, &profile);
	}
}

static void put_comment(struct pprof *pprof, const char *text)
{
	Pprof__Profile profile = PPROF__PROFILE__INIT;
	int64_t comment = text_index(pprof, text, strlen(text));

	profile.n_comment = 1;
	profile.comment = &comment;
	put(pprof, &profile);
}

static void put_mapping(struct pprof *pprof, uint32_t object)
{
	const struct name name = model_name(pprof->model, NAME_OBJECT, object);
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;
	Pprof__Profile profile = PPROF__PROFILE__INIT;

	mapping.id = object + 1;
	mapping.filename = name_index(pprof, &name);
	mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = true;
	profile.n_mapping = 1;
	profile.mapping = &mappings;
	put(pprof, &profile);
}

/* The object that was started, by the command; DICTIONARY_UNKNOWN if that names none. */
static uint32_t main_object(const struct model *model, const char *cmd)
{
	struct name program = filename_base((struct name){ cmd, strcspn(cmd, " "), NAME_NO_KEY });

	for (uint32_t i = 0; i < model->names[NAME_OBJECT].count; i++) {
		const struct name name = filename_base(model_name(model, NAME_OBJECT, i));

		if (i != DICTIONARY_UNKNOWN && name.len == program.len &&
		    memcmp(name.text, program.text, name.len) == 0)
			return i;
	}
	return DICTIONARY_UNKNOWN;
}

/* pprof takes the first one for the program; the unknown one is never that. */
static void put_mappings(struct pprof *pprof, const char *cmd)
{
	const struct model *model = pprof->model;
	uint32_t program = main_object(model, cmd);

	if (!model->has_objects)
		return;
	if (program != DICTIONARY_UNKNOWN)
		put_mapping(pprof, program);
	for (uint32_t i = 0; i < model->names[NAME_OBJECT].count; i++)
		if (i != program && i != DICTIONARY_UNKNOWN)
			put_mapping(pprof, i);
	put_mapping(pprof, DICTIONARY_UNKNOWN);
}

static void put_all(struct pprof *pprof)
{
	const struct model *model = pprof->model;
	const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;

	put_columns(pprof);
	if (cmd)
		put_comment(pprof, cmd);
	if (!pprof->tree->is_exact)
		put_comment(pprof, "stacks " PATHTREE_DERIVED);
	put_mappings(pprof, cmd ? cmd : "");
	put_samples(pprof);
}

int to_pprof(struct conversion *conversion)
{
	struct pprof pprof = { .buffer = { append },
			       .conversion = conversion,
			       .model = conversion->model,
			       .tree = conversion->tree };

	out_init(&pprof.out, conversion->env);
	gzipper_init(&pprof.gzipper, &pprof.out);
	dictionary_init(&pprof.texts);
	idtable_init(&pprof.functions);
	idtable_init(&pprof.locations);
	arena_init(&pprof.arena);
	choose_columns(&pprof);
	if (!pprof.out.error)
		put_all(&pprof);
	gzipper_finish(&pprof.gzipper);
	format_close(conversion, &pprof.out);
	dictionary_release(&pprof.texts);
	idtable_release(&pprof.functions);
	idtable_release(&pprof.locations);
	free(pprof.stack);
	arena_release(&pprof.arena);
	return conversion->output_error ? PROFILE_OK : pprof.status;
}
