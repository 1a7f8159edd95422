/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a profile, or two with a form feed between, the older one first.  The
 * data in its report is inflated, is JSON whose columns are as long as their tables, and whose numbers are
 * within what they count, and costs of functions add up to the totals of the profile.
 *
 * First byte: bit 0 lenient, bit 1 parts apart, bit 2 all in detail.
 */
#define ZLIB_CONST /* zlib's input */
#include "cmds/object/lacking.h"
#include "cmds/object/objectfile.h"
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profile/common/heap.h"
#include "profile/model/build.h"
#include "profile/names/symbolname.h"
#include "tests/common/models.h"
#include "tests/common/test_env.h"
#include "tests/fuzz/json_nodes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* -- instead of those that need objects and half of costgrind annotate ------------------------------ */

const char *objectfile_open(struct objectfile **object, const char *name, const char *build_id,
			    const struct objectfile_options *options)
{
	(void)name;
	(void)build_id;
	(void)options;
	*object = NULL;
	return "cannot be read";
}

void objectfile_free(struct objectfile *object)
{
	(void)object;
}

const char *objectfile_build_id(const struct objectfile *object)
{
	(void)object;
	return "";
}

bool objectfile_is_safe(const struct objectfile *object)
{
	(void)object;
	return false;
}

bool objectfile_next_unit(struct objectfile *object, bool (*note)(void *ctx, const char *name),
			  void *ctx)
{
	(void)object;
	(void)note;
	(void)ctx;
	return false;
}

char *lacking_advice(const struct model *model, uint32_t object, enum lacking what)
{
	(void)model;
	(void)object;
	(void)what;
	return NULL;
}

char *lacking_package(struct name path)
{
	(void)path;
	return NULL;
}

bool debuginfod_cache(size_t i, char *folder, size_t size)
{
	(void)i;
	if (size > 0)
		folder[0] = '\0';
	return false;
}

int reportcode_make(struct reportcode **made, const struct report_input *input,
		    struct reportrows *rows, struct reportsources *sources)
{
	(void)rows;
	(void)sources;
	require(input->no_code);
	*made = NULL;
	return PROFILE_OK;
}

void reportcode_free(struct reportcode *code)
{
	(void)code;
}

void reportcode_write(const struct reportcode *code, struct json *json)
{
	(void)code;
	json_array(json, "code", true);
	json_close(json);
}

void reportcode_write_other(const struct reportcode *code, bool is_related, struct json *json)
{
	(void)code;
	(void)is_related;
	json_array(json, "code", true);
	json_close(json);
}

int reportviews_write(const struct report_input *input, struct reportrows *rows,
		      const struct metrics *metrics, const struct metric *metric, struct json *json)
{
	(void)input;
	(void)rows;
	(void)metrics;
	(void)metric;
	(void)json;
	return PROFILE_OK;
}

/* -- reading ------------------------------------------------------------------------------ */

/* Makes a model of a text; false if it is no profile, or its sums are too large. */
static bool read_model(struct model *model, const char *text, size_t len, bool lenient, bool apart)
{
	const struct builder_options options = { .separate_parts = apart };
	struct reader_options reading = { .lenient = lenient };
	struct builder builder;
	int status;

	model_init(model);
	reading.names = model->names;
	builder_init(&builder, model, &options);
	builder_begin_file(&builder, "input", model->names);
	status = read_profile(&(struct reader_text){ text, len, "input" }, &reading,
			      &builder.visitor, NULL, NULL);
	if (status == PROFILE_OK)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status == PROFILE_OK;
}

/* -- the page taken apart ----------------------------------------------------------------- */

static int base64_value(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	if (!at)
		abort();
	return (int)(at - digits);
}

/* The bytes that base64 stands for; the caller's to free. */
static unsigned char *decode(const char *text, size_t len, size_t *n)
{
	unsigned char *bytes = malloc(len / 4 * 3 + 1);
	size_t padding = 0;

	require(bytes && len % 4 == 0 && len > 0);
	while (padding < 2 && text[len - padding - 1] == '=')
		padding++;
	*n = 0;
	for (size_t i = 0; i < len; i += 4) {
		int value = 0;

		for (size_t j = i; j < i + 4; j++)
			value = value << 6 | (j < len - padding ? base64_value(text[j]) : 0);
		for (int shift = 16; shift >= 0; shift -= 8)
			bytes[(*n)++] = (unsigned char)(value >> shift);
	}
	*n -= padding;
	return bytes;
}

/* What was compressed; the caller's to free. */
static char *inflate_all(const unsigned char *bytes, size_t n, size_t *len)
{
	z_stream stream = { .next_in = bytes, .avail_in = (uInt)n };
	size_t capacity = 16 * n + 1024;
	char *text = malloc(capacity);
	int status = Z_OK;

	require(text && inflateInit2(&stream, 15 + 16) == Z_OK);
	while (status == Z_OK) {
		if (stream.total_out == capacity) {
			char *larger = realloc(text, 2 * capacity);

			if (!larger)
				abort();
			text = larger;
			capacity *= 2;
		}
		stream.next_out = (unsigned char *)text + stream.total_out;
		stream.avail_out = (uInt)(capacity - stream.total_out);
		status = inflate(&stream, Z_NO_FLUSH);
	}
	require(status == Z_STREAM_END && stream.avail_in == 0);
	*len = stream.total_out;
	inflateEnd(&stream);
	return text;
}

/* The data of a page; the caller's to free. */
static char *data_of(const char *page, size_t *len)
{
	static const char head[] = "<script id=\"data\" type=\"text/plain\">";
	const char *first = strstr(page, head), *end;
	unsigned char *bytes;
	char *text;
	size_t n;

	require(first != NULL);
	first += strlen(head);
	end = strstr(first, "</script>");
	require(end != NULL);
	bytes = decode(first, (size_t)(end - first), &n);
	text = inflate_all(bytes, n, len);
	free(bytes);
	return text;
}

/* -- what is in it ------------------------------------------------------------------------ */

/* Values of an array begin after it, and are plain ones. */
static uint64_t value_at(const struct json_node *array, size_t i)
{
	return node_count(array + 1 + i);
}

static const struct json_node *member(const struct json_nodes *json, const struct json_node *object,
				      const char *key)
{
	const struct json_node *found = node_member(json, object, key);

	require(found != NULL);
	return found;
}

/* A column of a table of n rows, of numbers below a limit. */
static void check_column(const struct json_nodes *json, const struct json_node *table,
			 const char *key, size_t n, uint64_t limit)
{
	const struct json_node *column = member(json, table, key);
	uint64_t sum = 0;

	require(column->kind == '[' && column->n == n);
	for (size_t i = 0; i < n; i++) {
		sum = (key[0] == 'd' ? sum : 0) + value_at(column, i);
		require(sum < limit);
	}
}

/* Columns of costs, one for each event, of n rows each or 0; adds them up, if sums are given. */
static void check_costs(const struct json_nodes *json, const struct json_node *table,
			const char *key, size_t n, const uint64_t *sums)
{
	const struct json_node *columns = member(json, table, key);
	size_t n_events = member(json, json->nodes, "events")->n;
	size_t at = (size_t)(columns - json->nodes) + 1;

	require(columns->kind == '[' && columns->n == n_events);
	for (size_t i = 0; i < columns->n; i++, at = json->nodes[at].next) {
		const struct json_node *column = &json->nodes[at];
		uint64_t sum = 0;

		if (column->kind == '[') {
			require(column->n == n);
			for (size_t j = 0; j < n; j++)
				sum += value_at(column, j);
		} else {
			require(node_count(column) == 0);
		}
		require(!sums || sum == sums[i]);
	}
}

/*
 * Functions cost what the model does, by the events of the data; totals are that, or what the
 * profile says about itself.  Packed ones of an older profile have what is to be added to base.
 */
static void check_side(const struct json_nodes *json, const struct json_node *side,
		       const struct model *model, const size_t *events, const uint64_t *base)
{
	const struct json_node *functions = member(json, side, "functions");
	bool is_packed = base && node_member(json, functions, "p_self") != NULL;
	const struct json_node *totals = member(json, side, "totals");
	size_t n = member(json, member(json, json->nodes, "functions"), "name")->n;
	uint64_t all[PROFILE_MAX_EVENTS] = { 0 }, said[PROFILE_MAX_EVENTS] = { 0 };
	uint64_t sums[PROFILE_MAX_EVENTS] = { 0 };
	static const char *const inclusive[] = { "inclusive", "p_inclusive" };
	bool is_said = model_summary(model, said);

	require(model_totals(model, all));
	for (size_t i = 0; i < totals->n; i++) {
		size_t event = events ? events[i] : i;

		sums[i] = all[event];
		require(value_at(totals, i) == sums[i] ||
			(is_said && value_at(totals, i) == said[event]));
	}
	require(totals->n == member(json, json->nodes, "events")->n);
	for (size_t i = 0; is_packed && i < totals->n; i++)
		sums[i] -= base[i];
	check_costs(json, functions, is_packed ? "p_self" : "self", n, sums);
	for (size_t i = 0; i < 2; i++)
		if (node_member(json, functions, inclusive[i]))
			check_costs(json, functions, inclusive[i], n, NULL);
}

static void check_functions(const struct json_nodes *json, size_t n)
{
	const struct json_node *root = json->nodes, *functions = member(json, root, "functions");
	size_t n_strings = member(json, root, "strings")->n;

	check_column(json, functions, "name", n, n_strings);
	check_column(json, functions, "class", n, n_strings);
	check_column(json, functions, "file", n, member(json, root, "files")->n);
	check_column(json, functions, "object", n, member(json, root, "objects")->n);
	check_column(json, functions, "cycle", n, n + 1);
	check_column(json, functions, "calls", n, UINT64_MAX);
	check_column(json, root, "files", member(json, root, "files")->n, n_strings);
	check_column(json, root, "objects", member(json, root, "objects")->n, n_strings);
}

/* A table of places, or of pairs of functions. */
static void check_table(const struct json_nodes *json, const char *name, const char *function,
			size_t n_functions)
{
	const struct json_node *root = json->nodes, *table = member(json, root, name);
	size_t n = member(json, table, function)->n;
	bool is_packed = node_member(json, table, "p_costs") != NULL;

	check_column(json, table, function, n, n_functions);
	check_costs(json, table, is_packed ? "p_costs" : "costs", n, NULL);
	if (node_member(json, table, "to")) {
		check_column(json, table, "to", n, n_functions);
		require(member(json, table, is_packed ? "p_count" : "count")->n == n);
	}
	if (node_member(json, table, "file")) {
		check_column(json, table, "file", n, member(json, root, "files")->n);
		require(member(json, table, node_member(json, table, "d_line") ? "d_line" : "line")
				->n == n);
	}
}

static void check_parts(const struct json_nodes *json, size_t n_functions, size_t n_parts)
{
	static const char *const keys[] = { "parts_self", "parts_inclusive" };
	size_t n_events = member(json, json->nodes, "events")->n;

	require(member(json, json->nodes, "parts")->n == n_parts);
	for (size_t k = 0; k < 2; k++) {
		const struct json_node *list = member(json, json->nodes, keys[k]);
		size_t at = (size_t)(list - json->nodes) + 1;

		require(list->kind == 'w' || list->n == n_parts);
		for (size_t i = 0; i < list->n; i++, at = json->nodes[at].next) {
			size_t column = at + 1;

			require(json->nodes[at].n == n_events);
			for (size_t e = 0; e < n_events; e++, column = json->nodes[column].next)
				require(json->nodes[column].kind == 'n' ||
					json->nodes[column].n == n_functions);
		}
	}
}

static void check_data(const struct json_nodes *json, const struct report_input *input)
{
	const struct json_node *root = json->nodes, *other = member(json, root, "other");
	const struct difference *difference = input->difference;
	size_t n = member(json, member(json, root, "functions"), "name")->n;

	check_functions(json, n);
	check_table(json, "arcs", "d_from", n);
	check_table(json, "lines", "d_function", n);
	check_table(json, "line_calls", "d_function", n);
	check_parts(json, n, input->model->n_parts);
	check_side(json, root, input->model, difference ? difference->new_events : NULL, NULL);
	require((other->kind == '{') == (difference != NULL));
	if (difference) {
		uint64_t all[PROFILE_MAX_EVENTS] = { 0 }, base[PROFILE_MAX_EVENTS];

		require(model_totals(input->model, all));
		for (size_t i = 0; i < difference->n_events; i++)
			base[i] = all[difference->new_events[i]];
		check_side(json, other, difference->old_model, difference->old_events, base);
	} else {
		require(n == input->model->n_functions);
	}
}

/* -- all of it ---------------------------------------------------------------------------- */

static void write_and_check(const struct report_input *input)
{
	struct report_taken taken = { 0 };
	struct reportpage *page;
	struct test_env t;
	struct out *out;
	int status;

	test_env_init(&t);
	page = reportpage_new(&t.env, input->title, &out);
	status = reportdata_write(input, &taken, out);
	require(reportpage_end(page) == 0 && taken.n_files == 0);
	require(status == PROFILE_OK || status == PROFILE_RANGE);
	if (status == PROFILE_OK) {
		struct json_nodes json;
		size_t len;
		char *text = data_of(t.text, &len);

		json_nodes_init(&json, text, len);
		check_data(&json, input);
		json_nodes_release(&json);
		free(text);
	}
	require(test_env_release(&t));
}

static void compare(struct report_input *input, const struct model *older)
{
	struct difference difference;
	int status = difference_init(&difference, older, input->model, SYMBOLNAME_ALIKE);

	require(status == PROFILE_OK || status == PROFILE_RANGE);
	if (status == PROFILE_OK && difference.n_events > 0) {
		input->difference = &difference;
		write_and_check(input);
		input->difference = NULL;
	}
	difference_release(&difference);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data + (size > 0);
	unsigned bits = size > 0 ? data[0] : 0;
	size_t len = size > 0 ? size - 1 : 0, older_len;
	const char *feed = len > 0 ? memchr(text, '\f', len) : NULL;
	struct report_input input = {
		.title = "</title>",
		.other_title = "older",
		.detail = bits & 4 ? 0 : 0.05,
		.no_source = true,
		.no_code = true,
		.command = "fuzz",
		.quiet = true,
	};
	struct model model, apart, older;
	bool is_fine;

	older_len = feed ? (size_t)(feed - text) : 0;
	if (feed) {
		text = feed + 1;
		len -= older_len + 1;
	}
	is_fine = read_model(&model, text, len, bits & 1, false);
	input.model = &model;
	if (read_model(&apart, text, len, bits & 1, true) && is_fine && bits & 2 &&
	    apart.n_parts > 1)
		input.parts = &apart;
	if (feed) {
		if (read_model(&older, feed - older_len, older_len, bits & 1, false) && is_fine)
			compare(&input, &older);
		model_release(&older);
	} else if (is_fine) {
		write_and_check(&input);
	}
	model_release(&apart);
	model_release(&model);
	return 0;
}
