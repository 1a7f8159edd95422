/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole file is in memory.  Records are looked at in order, which fills a table of
 * functions; then headers; then pointers are followed; then all is reported.
 */
#include "cmds/convert/from_webgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/convert/webgrind.h"
#include "profile/common/arena.h"
#include "profile/common/cost.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* What a record says, and where its lists are. */
struct webgrind_record {
	struct name file, name;
	uint64_t line, self;
	size_t calls; /* where called-from, or in version 4 invocations, begin */
	uint32_t n_from, n_sub, n_invocations;
};

/* A call, as one of its ends says it. */
struct link {
	uint32_t caller, callee, line, count, cost;
};

struct webgrind_parsing {
	const unsigned char *data;
	size_t len;
	const struct env *env;
	struct profile_error *error;
	struct dictionary *names;
	const struct visitor *visitor;
	struct arena texts;
	uint32_t version, n;
	size_t at;    /* what is to be read next */
	size_t table; /* of calls, in version 4 */
	size_t headers;
	struct webgrind_record *records;
	struct part part;
	struct part_desc *descs;
	size_t n_descs, descs_capacity;
	const char *event;
	uint64_t summary;
	bool is_synthetic; /* version 4: has one made-up invocation for each function */
	struct place unknown;
};

static int fail(const struct webgrind_parsing *parsing, size_t at, const char *expected)
{
	return profile_error_set(parsing->error, PROFILE_SYNTAX, "byte %zu: expected %s", at,
				 expected);
}

/* The number at a place that is in the file. */
static uint32_t number_at(const struct webgrind_parsing *parsing, size_t at)
{
	const unsigned char *p = parsing->data + at;

	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t next_number(struct webgrind_parsing *parsing)
{
	uint32_t number = number_at(parsing, parsing->at);

	parsing->at += 4;
	return number;
}

/* Whether n items of size bytes follow, before the headers. */
static bool has_room(const struct webgrind_parsing *parsing, uint64_t n, size_t size)
{
	return n <= (parsing->headers - parsing->at) / size;
}

/* -- records ------------------------------------------------------------------------- */

/* The name in the next line, before the headers. */
static int read_name(struct webgrind_parsing *parsing, enum name_kind kind, struct name *name)
{
	const char *text = (const char *)parsing->data + parsing->at;
	const char *end = memchr(text, '\n', parsing->headers - parsing->at);
	struct dictionary *names = &parsing->names[kind];
	uint32_t key;

	if (!end)
		return fail(parsing, parsing->at, "a name that ends in a line feed");
	if (end == text)
		key = DICTIONARY_UNKNOWN;
	else
		key = reader_intern(names, parsing->env, text, (size_t)(end - text));
	if (key == DICTIONARY_NONE)
		return PROFILE_NO_MEMORY;
	*name = dictionary_name(names, key);
	parsing->at += (size_t)(end - text) + 1;
	return PROFILE_OK;
}

static int read_names(struct webgrind_parsing *parsing, struct webgrind_record *record)
{
	int status = read_name(parsing, NAME_FILE, &record->file);

	return status ? status : read_name(parsing, NAME_FUNCTION, &record->name);
}

static int read_record(struct webgrind_parsing *parsing, struct webgrind_record *record)
{
	uint64_t calls;

	if (!has_room(parsing, parsing->version == 7 ? 6 : parsing->version == 6 ? 5 : 4, 4))
		return fail(parsing, parsing->at, "a function before the headers");
	if (parsing->version == 7)
		record->line = next_number(parsing);
	record->self = next_number(parsing);
	next_number(parsing); /* inclusive cost */
	if (parsing->version == 4) {
		next_number(parsing); /* cost of calls of it */
		record->n_invocations = next_number(parsing);
		if (!has_room(parsing, record->n_invocations, WEBGRIND_INVOCATION))
			return fail(parsing, parsing->at - 4, "a number of invocations that fit");
		record->calls = parsing->at;
		parsing->at += (size_t)record->n_invocations * WEBGRIND_INVOCATION;
		return read_names(parsing, record);
	}
	next_number(parsing); /* invocations */
	record->n_from = next_number(parsing);
	if (parsing->version > 5)
		record->n_sub = next_number(parsing);
	calls = (uint64_t)record->n_from + record->n_sub;
	if (!has_room(parsing, calls, WEBGRIND_CALL))
		return fail(parsing, parsing->at - 4, "a number of calls that fit");
	record->calls = parsing->at;
	parsing->at += (size_t)calls * WEBGRIND_CALL;
	return read_names(parsing, record);
}

static const char wrong_version[] = "a preprocessed file of webgrind, of version 4 to 7";

static int read_records(struct webgrind_parsing *parsing)
{
	int status = PROFILE_OK;

	if (parsing->len < WEBGRIND_HEAD)
		return fail(parsing, 0, "a preprocessed file of webgrind");
	parsing->headers = parsing->len;
	parsing->version = next_number(parsing);
	if (parsing->version < WEBGRIND_FIRST || parsing->version > WEBGRIND_LAST)
		return fail(parsing, 0, wrong_version);
	parsing->headers = next_number(parsing);
	if (parsing->headers > parsing->len || parsing->headers < WEBGRIND_HEAD)
		return fail(parsing, 4, "the address of the headers");
	parsing->n = next_number(parsing);
	if (!has_room(parsing, parsing->n, 4))
		return fail(parsing, 8, "a number of functions that fit");
	parsing->records = heap_zeroed(parsing->env, parsing->n, sizeof(*parsing->records));
	if (!parsing->records)
		return PROFILE_NO_MEMORY;
	parsing->at += (size_t)parsing->n * 4;
	for (uint32_t i = 0; i < parsing->n && !status; i++) {
		size_t pointer = WEBGRIND_HEAD + (size_t)i * 4;

		if (number_at(parsing, pointer) != parsing->at)
			return fail(parsing, pointer, "the address of the next function");
		status = read_record(parsing, &parsing->records[i]);
	}
	parsing->table = parsing->at;
	return status;
}

/* -- headers ------------------------------------------------------------------------------ */

/* Leading digits; false if there are none, or too many. */
static bool read_count(const char *text, uint64_t *count)
{
	size_t digits = strspn(text, "0123456789");

	if (digits == 0 || digits > 19)
		return false;
	*count = strtoull(text, NULL, 10);
	return true;
}

/* "type: value" of a desc line. */
static int add_desc(struct webgrind_parsing *parsing, char *text)
{
	char *value = strchr(text, ':');

	if (value) {
		*value++ = '\0';
		value += strspn(value, " ");
	}
	if (text[strspn(text, " ")] == '\0')
		return PROFILE_OK;
	if (!heap_reserve(parsing->env, (void **)&parsing->descs, &parsing->descs_capacity,
			  parsing->n_descs + 1, sizeof(*parsing->descs)))
		return PROFILE_NO_MEMORY;
	parsing->descs[parsing->n_descs++] =
		(struct part_desc){ text, value ? value : text + strlen(text) };
	if (value && strcmp(text, WEBGRIND_SYNTHETIC) == 0 &&
	    strcmp(value, WEBGRIND_SYNTHETIC_TEXT) == 0)
		parsing->is_synthetic = true;
	return PROFILE_OK;
}

static int take_header(struct webgrind_parsing *parsing, const char *key, char *value)
{
	uint64_t count;

	if (strcmp(key, "desc") == 0)
		return add_desc(parsing, value);
	if (strcmp(key, "events") == 0) {
		/* All columns of the trace are named, and the first one is there. */
		value[strcspn(value, " \t")] = '\0';
		parsing->event = event_is_column(value) ? value : NULL;
	} else if (strcmp(key, "creator") == 0) {
		parsing->part.creator = value;
	} else if (strcmp(key, "cmd") == 0) {
		parsing->part.cmd = value;
	} else if (strcmp(key, "pid") == 0) {
		parsing->part.has_pid = read_count(value, &parsing->part.pid);
	} else if (strcmp(key, "part") == 0) {
		parsing->part.has_number = read_count(value, &parsing->part.number);
	} else if (strcmp(key, "summary") == 0 && read_count(value, &count)) {
		parsing->part.n_summary = 1;
		if (!cost_add(&parsing->summary, count, false))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

/* Lines up to an empty one or the end; those without ": " are none. */
static int read_headers(struct webgrind_parsing *parsing)
{
	const char *text = (const char *)parsing->data + parsing->headers;
	const char *end = (const char *)parsing->data + parsing->len;
	int status = PROFILE_OK;

	while (text < end && *text != '\n' && !status) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((line_end ? line_end : end) - text);
		char *line = arena_copy(&parsing->texts, text, len);
		char *colon = line ? strstr(line, ": ") : NULL;

		if (!line)
			return PROFILE_NO_MEMORY;
		if (colon) {
			*colon = '\0';
			status = take_header(parsing, line, colon + 2);
		}
		text += len + (line_end != NULL);
	}
	if (!status && !parsing->event)
		return fail(parsing, parsing->headers,
			    "the name of an event, in a line 'events: ' of the headers");
	return status;
}

/* -- pointers ------------------------------------------------------------------------------ */

/* The i-th call of a list at a place; other is set to what it names. */
static struct link call_at(const struct webgrind_parsing *parsing, size_t list, size_t i,
			   uint32_t *other)
{
	size_t at = list + i * WEBGRIND_CALL;

	*other = number_at(parsing, at);
	return (struct link){ .line = number_at(parsing, at + 4),
			      .count = number_at(parsing, at + 8),
			      .cost = number_at(parsing, at + 12) };
}

static int compare_links(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct link));
}

/* Fills two lists of calls: as their callees and as their callers say them. */
static int list_links(const struct webgrind_parsing *parsing, struct link *from, struct link *sub)
{
	for (uint32_t i = 0; i < parsing->n; i++) {
		const struct webgrind_record *record = &parsing->records[i];
		size_t calls = (size_t)record->n_from + record->n_sub;

		for (size_t j = 0; j < calls; j++) {
			uint32_t other;
			struct link link = call_at(parsing, record->calls, j, &other);

			if (other >= parsing->n)
				return fail(parsing, record->calls + j * WEBGRIND_CALL,
					    "the number of a function");
			link.caller = j < record->n_from ? other : i;
			link.callee = j < record->n_from ? i : other;
			if (j < record->n_from)
				*from++ = link;
			else
				*sub++ = link;
		}
	}
	return PROFILE_OK;
}

/* Versions 5 to 7: functions that are named exist, and both ends of calls agree. */
static int check_calls(const struct webgrind_parsing *parsing)
{
	size_t n_from = 0, n_sub = 0;
	struct link *from, *sub;
	int status;

	for (uint32_t i = 0; i < parsing->n; i++) {
		n_from += parsing->records[i].n_from;
		n_sub += parsing->records[i].n_sub;
	}
	from = heap_zeroed(parsing->env, n_from, sizeof(*from));
	sub = heap_zeroed(parsing->env, n_sub, sizeof(*sub));
	status = from && sub ? list_links(parsing, from, sub) : PROFILE_NO_MEMORY;
	if (!status && parsing->version > 5) {
		if (n_from > 0)
			qsort(from, n_from, sizeof(*from), compare_links);
		if (n_sub > 0)
			qsort(sub, n_sub, sizeof(*sub), compare_links);
		if (n_from != n_sub || memcmp(from, sub, n_from * sizeof(*from)) != 0)
			status = profile_error_set(
				parsing->error, PROFILE_SYNTAX,
				"expected callers and callees to list the same calls");
	}
	parsing->env->release(parsing->env->ctx, from);
	parsing->env->release(parsing->env->ctx, sub);
	return status;
}

/* Whether a function has an invocation of this number; *at is where. */
static bool find_invocation(const struct webgrind_parsing *parsing, uint32_t function,
			    uint32_t number, size_t *at)
{
	if (function >= parsing->n || number >= parsing->records[function].n_invocations)
		return false;
	*at = parsing->records[function].calls + (size_t)number * WEBGRIND_INVOCATION;
	return true;
}

/* An invocation's calls are in the table, each of an invocation that points back. */
static int check_subcalls(const struct webgrind_parsing *parsing, uint32_t function,
			  uint32_t number, uint64_t *n_subcalls)
{
	size_t at = parsing->records[function].calls + (size_t)number * WEBGRIND_INVOCATION;
	uint32_t n = number_at(parsing, at + 24), table = number_at(parsing, at + 28);

	/* More calls than the table has: some are of two invocations. */
	*n_subcalls += n;
	if (n > 0 && (table < parsing->table || table > parsing->headers ||
		      n > (parsing->headers - table) / WEBGRIND_CALL ||
		      *n_subcalls > (parsing->headers - parsing->table) / WEBGRIND_CALL))
		return fail(parsing, at + 24, "calls that are in the table");
	for (uint32_t i = 0; i < n; i++) {
		size_t call = table + (size_t)i * WEBGRIND_CALL, callee;

		if (!find_invocation(parsing, number_at(parsing, call),
				     number_at(parsing, call + 4), &callee))
			return fail(parsing, call, "an invocation of a function");
		if (parsing->is_synthetic)
			continue;
		if (number_at(parsing, callee + 8) != number_at(parsing, call + 12) ||
		    number_at(parsing, callee + 12) != function ||
		    number_at(parsing, callee + 16) != number ||
		    number_at(parsing, callee + 20) != number_at(parsing, call + 8))
			return fail(parsing, callee + 8, "the call that points here");
	}
	return PROFILE_OK;
}

static int check_invocations(const struct webgrind_parsing *parsing)
{
	uint64_t n_subcalls = 0;
	int status = PROFILE_OK;

	if ((parsing->headers - parsing->table) % WEBGRIND_CALL != 0)
		return fail(parsing, parsing->table, "a table of calls up to the headers");
	for (uint32_t i = 0; i < parsing->n; i++) {
		for (uint32_t j = 0; j < parsing->records[i].n_invocations && !status; j++) {
			size_t at = parsing->records[i].calls + (size_t)j * WEBGRIND_INVOCATION;
			size_t caller;

			if (number_at(parsing, at + 12) != WEBGRIND_NOBODY &&
			    !find_invocation(parsing, number_at(parsing, at + 12),
					     number_at(parsing, at + 16), &caller))
				return fail(parsing, at + 12, "an invocation that called this");
			status = check_subcalls(parsing, i, j, &n_subcalls);
		}
	}
	return status;
}

/* -- telling --------------------------------------------------------------------------------- */

static struct place place_of(const struct webgrind_parsing *parsing, uint32_t function)
{
	const struct webgrind_record *record = &parsing->records[function];

	return (struct place){ .object = parsing->unknown.object,
			       .file = record->file,
			       .function = record->name,
			       .source = record->file };
}

static int report_call(const struct webgrind_parsing *parsing, const struct link *link)
{
	const uint64_t cost = link->cost;
	const struct call call = {
		.callee = place_of(parsing, link->callee),
		.count = link->count,
		.target = { 0, parsing->records[link->callee].line },
		.at = { 0, link->line },
		.costs = &cost,
		.n_costs = 1,
	};

	return visitor_call(parsing->visitor, &call);
}

static int report_place(const struct webgrind_parsing *parsing, uint32_t function)
{
	const struct place place = place_of(parsing, function);

	return visitor_place(parsing->visitor, &place);
}

/* Versions 5 to 7. */
static int report_calls(const struct webgrind_parsing *parsing, uint32_t function)
{
	const struct webgrind_record *record = &parsing->records[function];
	size_t n = parsing->version == 5 ? record->n_from : record->n_sub;
	size_t list = record->calls;
	int status = PROFILE_OK;

	if (parsing->version > 5)
		list += (size_t)record->n_from * WEBGRIND_CALL;
	for (size_t i = 0; i < n && !status; i++) {
		uint32_t other;
		struct link link = call_at(parsing, list, i, &other);

		link.caller = parsing->version == 5 ? other : function;
		link.callee = parsing->version == 5 ? function : other;
		if (parsing->version == 5)
			status = report_place(parsing, link.caller);
		if (!status)
			status = report_call(parsing, &link);
	}
	return status;
}

/* Version 4. */
static int report_subcalls(const struct webgrind_parsing *parsing, uint32_t function)
{
	const struct webgrind_record *record = &parsing->records[function];
	int status = PROFILE_OK;

	for (uint32_t i = 0; i < record->n_invocations; i++) {
		size_t at = record->calls + (size_t)i * WEBGRIND_INVOCATION;
		uint32_t n = number_at(parsing, at + 24), table = number_at(parsing, at + 28);

		for (uint32_t j = 0; j < n && !status; j++) {
			size_t call = table + (size_t)j * WEBGRIND_CALL;
			const struct link link = { .caller = function,
						   .callee = number_at(parsing, call),
						   .line = number_at(parsing, call + 8),
						   .count = 1,
						   .cost = number_at(parsing, call + 12) };

			status = report_call(parsing, &link);
		}
	}
	return status;
}

static int report_function(const struct webgrind_parsing *parsing, uint32_t function)
{
	const struct webgrind_record *record = &parsing->records[function];
	const struct position at = { 0, record->line };
	int status = report_place(parsing, function);

	if (!status)
		status = visitor_cost(parsing->visitor, &at, &record->self, 1);
	if (status)
		return status;
	return parsing->version == 4 ? report_subcalls(parsing, function)
				     : report_calls(parsing, function);
}

static int report_all(struct webgrind_parsing *parsing)
{
	const struct visitor *visitor = parsing->visitor;
	int status;

	parsing->part.events = &parsing->event;
	parsing->part.n_events = 1;
	parsing->part.positions = POSITION_LINE;
	parsing->part.summary = &parsing->summary;
	parsing->part.descs = parsing->descs;
	parsing->part.n_descs = parsing->n_descs;
	status = visitor_part(visitor, &parsing->part);
	for (uint32_t i = 0; i < parsing->n && !status; i++)
		status = report_function(parsing, i);
	return status ? status : visitor_part_end(visitor, &parsing->part);
}

int from_webgrind_text(const struct reader_text *text, struct dictionary *names,
		       const struct visitor *visitor, const struct env *env,
		       struct profile_error *error)
{
	struct webgrind_parsing parsing = { .data = (const unsigned char *)text->data,
					    .len = text->len,
					    .env = env,
					    .error = error,
					    .names = names,
					    .visitor = visitor };
	int status;

	*error = (struct profile_error){ .file = text->name };
	arena_init(&parsing.texts, env);
	parsing.unknown.object = dictionary_name(&names[NAME_OBJECT], DICTIONARY_UNKNOWN);
	status = read_records(&parsing);
	if (!status)
		status = read_headers(&parsing);
	if (!status)
		status = parsing.version == 4 ? check_invocations(&parsing) : check_calls(&parsing);
	if (!status)
		status = report_all(&parsing);
	profile_error_complete(error, status);
	env->release(env->ctx, parsing.records);
	env->release(env->ctx, parsing.descs);
	arena_release(&parsing.texts);
	return status;
}

int from_webgrind_check(const struct wholefile *file, size_t n_new, struct profile_error *error)
{
	struct webgrind_parsing parsing = { .data = (const unsigned char *)file->data,
					    .error = error };
	uint32_t version;

	(void)n_new;
	if (file->len < WEBGRIND_HEAD)
		return PROFILE_OK;
	version = next_number(&parsing);
	if (version < WEBGRIND_FIRST || version > WEBGRIND_LAST)
		return fail(&parsing, 0, wrong_version);
	if (file->len > (uint64_t)next_number(&parsing) + READER_MAX_LINE)
		return profile_error_set(error, PROFILE_SYNTAX,
					 "expected headers of at most %d bytes", READER_MAX_LINE);
	return PROFILE_OK;
}
