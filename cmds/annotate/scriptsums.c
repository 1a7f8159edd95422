/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/scriptsums.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* -- tables -------------------------------------------------------------------------------- */

static void table_init(struct script_table *table)
{
	*table = (struct script_table){ .stride = 0 };
	dictionary_init(&table->keys, &heap_env);
}

static void table_release(struct script_table *table)
{
	heap_env.release(heap_env.ctx, table->counts);
	heap_env.release(heap_env.ctx, table->rows);
	dictionary_release(&table->keys);
}

void script_key(const struct script_table *table, size_t row, void *key, size_t size)
{
	memcpy(key, table->keys.entries[row].text, size);
}

/* The row of a key, made if there is none; DICTIONARY_NONE if memory ran out. */
static uint32_t table_row(struct script_table *table, const void *key, size_t size)
{
	const size_t n_before = table->keys.count;
	uint32_t row = dictionary_intern(&table->keys, key, size);
	void *counts = table->counts, *rows = table->rows;

	if (row == DICTIONARY_NONE || row < n_before)
		return row;
	if (!heap_reserve(&heap_env, &rows, &table->rows_capacity, (size_t)row + 1,
			  sizeof(*table->rows)))
		return DICTIONARY_NONE;
	table->rows = rows;
	table->rows[row] = (struct script_row){ .times = 0 };
	if (table->stride == 0)
		return row;
	if (!heap_reserve(&heap_env, &counts, &table->counts_capacity, (size_t)row + 1,
			  table->stride * sizeof(*table->counts)))
		return DICTIONARY_NONE;
	table->counts = counts;
	memset(table->counts + row * table->stride, 0, table->stride * sizeof(*table->counts));
	return row;
}

/* More events: rows get longer. */
static bool table_widen(struct script_table *table, size_t stride)
{
	uint64_t *counts;

	if (stride <= table->stride)
		return true;
	counts = heap_zeroed(&heap_env, table->rows_capacity * stride, sizeof(*counts));
	if (!counts)
		return false;
	for (size_t i = 0; table->stride > 0 && i < table->keys.count; i++)
		memcpy(counts + i * stride, table->counts + i * table->stride,
		       table->stride * sizeof(*counts));
	heap_env.release(heap_env.ctx, table->counts);
	table->counts = counts;
	table->counts_capacity = table->rows_capacity;
	table->stride = stride;
	return true;
}

static bool table_add(struct script_table *table, uint32_t row, const struct script_sums *sums,
		      const uint64_t *costs, size_t n)
{
	uint64_t *counts = table->counts + row * table->stride;
	bool is_negative = sums->options.difference && sums->n_headers == 1;

	for (size_t i = 0; i < n; i++) {
		const uint32_t column = sums->columns[i];

		/* Two's complement has no 2^63: neither as a count nor as one with the other sign. */
		if (sums->options.difference && costs[i] >> 63 &&
		    (!sums->has_negative || (is_negative && costs[i] == UINT64_C(1) << 63)))
			return false;
		if (!cost_add(&counts[column], is_negative ? -costs[i] : costs[i], sums->is_signed))
			return false;
		if (column >= table->rows[row].n_defined)
			table->rows[row].n_defined = column + 1;
	}
	return true;
}

/* -- names --------------------------------------------------------------------------------- */

size_t script_event(const struct script_sums *sums, const char *name, size_t len)
{
	size_t i = 0;

	while (i < sums->n_events &&
	       (strncmp(sums->events[i], name, len) != 0 || sums->events[i][len] != '\0'))
		i++;
	return i;
}

/* A name as it is shown: not below the folder, and what the rules make of it. */
static struct name shown_name(const struct script_sums *sums, enum name_kind kind, struct name name)
{
	const struct script_sums_options *options = &sums->options;
	const char *text = name.text;
	size_t len = name.len, folder_len = options->folder ? strlen(options->folder) : 0;

	if (kind == NAME_FILE && folder_len > 0 && len > folder_len &&
	    memcmp(text, options->folder, folder_len) == 0) {
		text += folder_len;
		len -= folder_len;
	}
	if (options->rules && !name_rules_is_empty(options->rules))
		name_rules_rename(options->rules, kind, &text, &len);
	return (struct name){ text, (uint32_t)len, 0 };
}

static uint32_t intern_file(struct script_sums *sums, struct name name)
{
	const size_t n_names = sums->names_of_files.count, n_files = sums->files.count;
	void *file_of_name = sums->file_of_name, *file_has_code = sums->file_has_code;
	uint32_t number, file;
	struct name shown;

	/* Room first: what fails now may be asked for again before reading ends. */
	if (!heap_reserve(&heap_env, &file_of_name, &sums->file_of_name_capacity, n_names + 1,
			  sizeof(*sums->file_of_name)))
		return DICTIONARY_NONE;
	sums->file_of_name = file_of_name;
	if (!heap_reserve(&heap_env, &file_has_code, &sums->file_has_code_capacity, n_files + 1,
			  sizeof(*sums->file_has_code)))
		return DICTIONARY_NONE;
	sums->file_has_code = file_has_code;
	number = dictionary_intern(&sums->names_of_files, name.text, name.len);
	if (number == DICTIONARY_NONE)
		return DICTIONARY_NONE;
	if (number < n_names)
		return sums->file_of_name[number];
	shown = shown_name(sums, NAME_FILE, name);
	file = dictionary_intern(&sums->files, shown.text, shown.len);
	sums->file_of_name[number] = file;
	if (file != DICTIONARY_NONE && file == n_files)
		sums->file_has_code[file] = false;
	return file;
}

/* A file and a function by their keys, functions'; DICTIONARY_NONE if memory ran out. */
static uint32_t intern_pair(struct script_sums *sums, uint32_t file, uint32_t function)
{
	const struct script_pair_key key = { file, function };
	const size_t n_before = sums->pairs.keys.count;
	void *by_pair = sums->by_pair;
	uint32_t pair;

	if (file == DICTIONARY_NONE || function == DICTIONARY_NONE)
		return DICTIONARY_NONE;
	pair = table_row(&sums->pairs, &key, sizeof(key));
	if (pair == DICTIONARY_NONE ||
	    !heap_reserve(&heap_env, &by_pair, &sums->by_pair_capacity, sums->pairs.keys.count,
			  sizeof(*sums->by_pair)))
		return DICTIONARY_NONE;
	sums->by_pair = by_pair;
	if (sums->pairs.keys.count > n_before)
		sums->by_pair[pair] = (struct script_pair){ .object = DICTIONARY_NONE };
	return pair;
}

static uint32_t intern_function(struct script_sums *sums, struct name name)
{
	const struct name shown = shown_name(sums, NAME_FUNCTION, name);

	return dictionary_intern(&sums->functions, shown.text, shown.len);
}

uint32_t script_find_pair(struct script_sums *sums, struct name file, struct name function)
{
	const struct name shown = shown_name(sums, NAME_FUNCTION, function);
	uint32_t number = dictionary_find(&sums->names_of_files, file.text, file.len);
	struct script_pair_key key;

	if (number == DICTIONARY_NONE)
		return DICTIONARY_NONE;
	key.file = sums->file_of_name[number];
	key.function = dictionary_find(&sums->functions, shown.text, shown.len);
	return dictionary_find(&sums->pairs.keys, (const char *)&key, sizeof(key));
}

/* -- the visitor --------------------------------------------------------------------------- */

static int visit_part(void *ctx, const struct part *part)
{
	struct script_sums *sums = ctx;

	for (size_t i = 0; i < part->n_events; i++) {
		size_t event = script_event(sums, part->events[i], strlen(part->events[i]));

		if (event == PROFILE_MAX_EVENTS)
			return PROFILE_RANGE;
		if (event == sums->n_events) {
			sums->events[event] =
				arena_copy(&sums->arena, part->events[i], strlen(part->events[i]));
			if (!sums->events[event])
				return PROFILE_NO_MEMORY;
			sums->n_events++;
		}
		sums->columns[i] = (uint32_t)event;
	}
	if (!table_widen(&sums->pairs, sums->n_events) ||
	    !table_widen(&sums->lines, sums->n_events) ||
	    !table_widen(&sums->calls, sums->n_events) ||
	    !table_widen(&sums->line_calls, sums->n_events))
		return PROFILE_NO_MEMORY;
	return visitor_part(sums->filter.to, part);
}

/* The function is of its file, and its code may be of another one. */
static int visit_place(void *ctx, const struct place *place)
{
	static const char unspecified[] = "<unspecified>";
	struct script_sums *sums = ctx;
	uint32_t function = intern_function(sums, place->function);
	uint32_t file = intern_file(sums, place->file);
	uint32_t own = intern_pair(sums, file, function);

	sums->source = intern_file(sums, place->source);
	sums->pair = intern_pair(sums, sums->source, function);
	if (own == DICTIONARY_NONE || sums->pair == DICTIONARY_NONE)
		return PROFILE_NO_MEMORY;
	sums->by_pair[own].has_code = sums->by_pair[sums->pair].has_code = true;
	sums->by_pair[own].has_own = true;
	sums->file_has_code[file] = sums->file_has_code[sums->source] = true;
	if (place->has_object) {
		uint32_t object =
			dictionary_intern(&sums->objects, place->object.text, place->object.len);

		if (object == DICTIONARY_NONE)
			return PROFILE_NO_MEMORY;
		sums->by_pair[own].object = object;
	}
	if (sums->options.unspecified) {
		uint32_t none = intern_pair(sums, file,
					    dictionary_intern(&sums->functions, unspecified,
							      sizeof(unspecified) - 1));

		if (none == DICTIONARY_NONE)
			return PROFILE_NO_MEMORY;
		sums->by_pair[none].has_code = true;
	}
	return visitor_place(sums->filter.to, place);
}

/* Adds costs to the row of a key, and how often that was called. */
static int add(struct script_sums *sums, struct script_table *table, const void *key, size_t size,
	       const struct call *call)
{
	uint32_t row = table_row(table, key, size);

	if (row == DICTIONARY_NONE)
		return PROFILE_NO_MEMORY;
	if (!cost_add(&table->rows[row].times, call->count, false))
		return PROFILE_RANGE;
	return table_add(table, row, sums, call->costs, call->n_costs) ? PROFILE_OK : PROFILE_RANGE;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct script_sums *sums = ctx;
	const struct script_line_key key = { at->line, sums->source };
	const struct call once = { .costs = costs, .n_costs = n_costs };
	int status = PROFILE_OK;

	if (!table_add(&sums->pairs, sums->pair, sums, costs, n_costs))
		return PROFILE_RANGE;
	if (sums->options.lines)
		status = add(sums, &sums->lines, &key, sizeof(key), &once);
	return status ? status : visitor_cost(sums->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct script_sums *sums = ctx;
	uint32_t function = intern_function(sums, call->callee.function);
	uint32_t callee = intern_pair(sums, intern_file(sums, call->callee.file), function);
	const struct script_call_key key = { sums->pair, callee };
	const struct script_line_call_key line_key = { call->at.line, sums->source, callee };
	int status;

	if (callee == DICTIONARY_NONE)
		return PROFILE_NO_MEMORY;
	status = add(sums, &sums->calls, &key, sizeof(key), call);
	if (!status && sums->options.lines)
		status = add(sums, &sums->line_calls, &line_key, sizeof(line_key), call);
	return status ? status : visitor_call(sums->filter.to, call);
}

static const char *copy(struct script_sums *sums, const char *text)
{
	return text ? arena_copy(&sums->arena, text, strlen(text)) : NULL;
}

/* Its "desc:" lines as they are. */
static const char *copy_descs(struct script_sums *sums, const struct part *part)
{
	size_t size = 1, len = 0;
	char *text;

	for (size_t i = 0; i < part->n_descs; i++)
		size += strlen(part->desc_lines[i]) + 1;
	text = arena_alloc(&sums->arena, size, 1);
	if (!text)
		return NULL;
	text[0] = '\0';
	for (size_t i = 0; i < part->n_descs; i++)
		if (!sums->options.no_options || strcmp(part->descs[i].type, "Option") != 0)
			len += (size_t)snprintf(text + len, size - len, "%s\n",
						part->desc_lines[i]);
	return text;
}

/* Of the first part of a file. */
static int note_header(struct script_sums *sums, const struct part *part)
{
	struct script_header *header = &sums->headers[sums->n_headers - 1];

	*header = (struct script_header){
		.descs = copy_descs(sums, part),
		.cmd = copy(sums, part->cmd),
		.creator = copy(sums, part->creator),
		.pid = part->pid,
		.number = part->number,
		.thread = part->thread,
		.has_pid = part->has_pid,
		.has_number = part->has_number,
		.has_thread = part->has_thread,
	};
	return !header->descs || (part->cmd && !header->cmd) || (part->creator && !header->creator)
		       ? PROFILE_NO_MEMORY
		       : PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct script_sums *sums = ctx;
	size_t n = part->n_summary > 0 ? part->n_summary : part->n_totals;
	int status = part->index == 0 ? note_header(sums, part) : PROFILE_OK;

	for (size_t i = 0; i < n; i++)
		if (sums->columns[i] >= sums->n_total)
			sums->n_total = sums->columns[i] + 1;
	return status ? status : visitor_part_end(sums->filter.to, part);
}

static int visit_negative(void *ctx)
{
	struct script_sums *sums = ctx;

	sums->is_signed = sums->has_negative = true;
	return visitor_negative(sums->filter.to);
}

void script_sums_init(struct script_sums *sums)
{
	*sums = (struct script_sums){ .n_events = 0 };
	arena_init(&sums->arena, &heap_env);
	dictionary_init(&sums->files, &heap_env);
	dictionary_init(&sums->functions, &heap_env);
	dictionary_init(&sums->objects, &heap_env);
	dictionary_init(&sums->names_of_files, &heap_env);
	table_init(&sums->pairs);
	table_init(&sums->lines);
	table_init(&sums->calls);
	table_init(&sums->line_calls);
}

void script_sums_release(struct script_sums *sums)
{
	table_release(&sums->pairs);
	table_release(&sums->lines);
	table_release(&sums->calls);
	table_release(&sums->line_calls);
	dictionary_release(&sums->files);
	dictionary_release(&sums->functions);
	dictionary_release(&sums->objects);
	dictionary_release(&sums->names_of_files);
	arena_release(&sums->arena);
	heap_env.release(heap_env.ctx, sums->by_pair);
	heap_env.release(heap_env.ctx, sums->file_of_name);
	heap_env.release(heap_env.ctx, sums->file_has_code);
	heap_env.release(heap_env.ctx, sums->headers);
}

const struct visitor *script_sums_through(void *ctx, const struct visitor *to)
{
	struct script_sums *sums = ctx;
	void *headers = sums->headers;

	visitor_filter_init(&sums->filter, to,
			    &(struct visitor){
				    .part = visit_part,
				    .place = visit_place,
				    .cost = visit_cost,
				    .call = visit_call,
				    .part_end = visit_part_end,
				    .negative = visit_negative,
			    });
	sums->is_signed |= sums->options.difference;
	if (!heap_reserve(&heap_env, &headers, &sums->headers_capacity, sums->n_headers + 1,
			  sizeof(*sums->headers))) {
		sums->failed = true;
		return to;
	}
	sums->headers = headers;
	sums->headers[sums->n_headers++] = (struct script_header){ .descs = "" };
	return &sums->filter.visitor;
}
