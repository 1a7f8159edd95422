/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Webgrind's preprocessed files, versions 4 to 7, read and written.  The layout of 4 to 6 is from
 * Webgrind's own description.  docs/FORMAT.md says what becomes of a profile.
 *
 * Numbers are 32-bit little endian, names end in a line feed, and nothing separates records.
 * Functions and invocations are numbered from 0; addresses are offsets in the file.
 *
 *	file		version, address of the headers, n functions, their n addresses, the n
 *			functions, in version 4 the table of calls, headers
 *	function, 5	own cost, inclusive cost, invocations, n callers; calls from the n callers;
 *			file, name
 *	... 6		own cost, inclusive cost, invocations, n callers, m callees; calls from
 *			the n callers, calls of the m callees; file, name
 *	... 7		line, then as 6
 *	... 4		own cost, inclusive cost, cost of all calls of it, n invocations; the n
 *			invocations; file, name
 *	call, 5 to 7	number of the other function, line in the caller, count, inclusive cost
 *	invocation, 4	own cost, inclusive cost; cost, function, invocation and line of the call
 *			of it (0, WEBGRIND_NOBODY, 0, 0 if nobody called it); n calls, address of
 *			the first of them in the table
 *	call, 4		in the table: function, invocation, line, inclusive cost
 *	headers		lines "key: value"
 *
 * Webgrind links to lines of functions only if the number in "creator:" is above 2.1.  The nodes of
 * an exact call tree are invocations in version 4; a profile that knows functions only has one
 * invocation of each.
 */
#include "cmds/convert/formats.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/callgraph.h"
#include "profile/common/cost.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"
#include "writer/out.h"

enum {
	WEBGRIND_FIRST = 4, /* versions */
	WEBGRIND_LAST = 7,
	WEBGRIND_HEAD = 12, /* bytes before the addresses */
	WEBGRIND_CALL = 16, /* bytes of a call */
	WEBGRIND_INVOCATION = 32,
};

#define WEBGRIND_MOST   UINT32_MAX /* of a number */
#define WEBGRIND_NOBODY UINT32_MAX /* version 4: the caller of an invocation that nobody called */

/* The header that says that version 4 has one invocation a function, made up. */
#define WEBGRIND_SYNTHETIC      "Invocations"
#define WEBGRIND_SYNTHETIC_TEXT "one for each function, called by its costliest caller"

/* -- reading ---------------------------------------------------------------------------- */

/*
 * The whole file is in memory.  Records are read in order, which fills a table of
 * functions; then headers; then pointers are followed; then all is reported.
 */

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

/* True if n items of size bytes follow, before the headers. */
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

	if (!end)
		return fail(parsing, parsing->at, "a name that ends in a line feed");
	*name = dictionary_name(names, end == text
					       ? DICTIONARY_UNKNOWN
					       : reader_intern(names, text, (size_t)(end - text)));
	parsing->at += (size_t)(end - text) + 1;
	return PROFILE_OK;
}

static int read_record(struct webgrind_parsing *parsing, struct webgrind_record *record)
{
	const uint32_t version = parsing->version;
	const size_t size = version == 4 ? WEBGRIND_INVOCATION : WEBGRIND_CALL;
	uint64_t n;
	int status;

	if (!has_room(parsing, version == 7 ? 6 : version == 6 ? 5 : 4, 4))
		return fail(parsing, parsing->at, "a function before the headers");
	if (version == 7)
		record->line = next_number(parsing);
	record->self = next_number(parsing);
	next_number(parsing); /* inclusive cost */
	next_number(parsing); /* invocations; in version 4, cost of calls of it */
	if (version == 4) {
		n = record->n_invocations = next_number(parsing);
	} else {
		record->n_from = next_number(parsing);
		if (version > 5)
			record->n_sub = next_number(parsing);
		n = (uint64_t)record->n_from + record->n_sub;
	}
	if (!has_room(parsing, n, size))
		return fail(parsing, parsing->at - 4,
			    version == 4 ? "a number of invocations that fit"
					 : "a number of calls that fit");
	record->calls = parsing->at;
	parsing->at += (size_t)n * size;
	status = read_name(parsing, NAME_FILE, &record->file);
	return status ? status : read_name(parsing, NAME_FUNCTION, &record->name);
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
	parsing->records = heap_zeroed(parsing->n, sizeof(*parsing->records));
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
static void add_desc(struct webgrind_parsing *parsing, char *text)
{
	char *value = strchr(text, ':');

	if (value) {
		*value++ = '\0';
		value += strspn(value, " ");
	}
	if (text[strspn(text, " ")] == '\0')
		return;
	parsing->descs = heap_grow(parsing->descs, &parsing->descs_capacity, parsing->n_descs + 1,
				   sizeof(*parsing->descs));
	parsing->descs[parsing->n_descs++] =
		(struct part_desc){ text, value ? value : text + strlen(text) };
	if (value && strcmp(text, WEBGRIND_SYNTHETIC) == 0 &&
	    strcmp(value, WEBGRIND_SYNTHETIC_TEXT) == 0)
		parsing->is_synthetic = true;
}

static int take_header(struct webgrind_parsing *parsing, const char *key, char *value)
{
	uint64_t count;

	if (strcmp(key, "desc") == 0) {
		add_desc(parsing, value);
	} else if (strcmp(key, "events") == 0) {
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
		char *colon = strstr(line, ": ");

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

/* Versions 5 to 7: functions that are named exist, and both ends of calls agree. */
static int check_calls(const struct webgrind_parsing *parsing)
{
	size_t n_from = 0, n_sub = 0;
	struct link *from, *sub;
	int status = PROFILE_OK;

	for (uint32_t i = 0; i < parsing->n; i++) {
		n_from += parsing->records[i].n_from;
		n_sub += parsing->records[i].n_sub;
	}
	/* As their callees and as their callers say them. */
	from = heap_zeroed(n_from, sizeof(*from));
	sub = heap_zeroed(n_sub, sizeof(*sub));
	n_from = n_sub = 0;
	for (uint32_t i = 0; i < parsing->n && !status; i++) {
		const struct webgrind_record *record = &parsing->records[i];
		size_t n = (size_t)record->n_from + record->n_sub;

		for (size_t j = 0; j < n && !status; j++) {
			bool is_from = j < record->n_from;
			uint32_t other;
			struct link link = call_at(parsing, record->calls, j, &other);

			link.caller = is_from ? other : i;
			link.callee = is_from ? i : other;
			if (other >= parsing->n)
				status = fail(parsing, record->calls + j * WEBGRIND_CALL,
					      "the number of a function");
			else if (is_from)
				from[n_from++] = link;
			else
				sub[n_sub++] = link;
		}
	}
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
	free(from);
	free(sub);
	return status;
}

/* True if a function has an invocation of this number; *at is where. */
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

/* -- reporting ------------------------------------------------------------------------------- */

static struct place named_place(const struct webgrind_parsing *parsing, uint32_t function)
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
		.callee = named_place(parsing, link->callee),
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
	const struct place place = named_place(parsing, function);

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

int from_webgrind_text(const struct reader_text *text, struct dictionary *names,
		       const struct visitor *visitor, struct profile_error *error)
{
	struct webgrind_parsing parsing = { .data = (const unsigned char *)text->data,
					    .len = text->len,
					    .error = error,
					    .names = names,
					    .visitor = visitor };
	struct part *part = &parsing.part;
	int status;

	*error = (struct profile_error){ .file = text->name };
	arena_init(&parsing.texts);
	parsing.unknown.object = dictionary_name(&names[NAME_OBJECT], DICTIONARY_UNKNOWN);
	status = read_records(&parsing);
	if (!status)
		status = read_headers(&parsing);
	if (!status)
		status = parsing.version == 4 ? check_invocations(&parsing) : check_calls(&parsing);
	part->events = &parsing.event;
	part->n_events = 1;
	part->positions = POSITION_LINE;
	part->summary = &parsing.summary;
	part->descs = parsing.descs;
	part->n_descs = parsing.n_descs;
	if (!status)
		status = visitor_part(visitor, part);
	for (uint32_t i = 0; i < parsing.n && !status; i++)
		status = report_function(&parsing, i);
	if (!status)
		status = visitor_part_end(visitor, part);
	profile_error_complete(error, status);
	free(parsing.records);
	free(parsing.descs);
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

/* -- writing ---------------------------------------------------------------------------- */

/* Version 4: an invocation, and a call as it is in the table. */
struct invocation {
	uint32_t function; /* place in the order */
	uint64_t self, inclusive;
	uint64_t from_cost;
	uint32_t from_function, from_number;
	uint64_t from_line;
	size_t first, n_subcalls; /* of the table */
};

struct subcall {
	uint32_t function, number;
	uint64_t line, cost;
};

/* A file that is written. */
struct webgrind {
	struct conversion *conversion;
	struct out out;
	unsigned version;
	struct callgraph graph;
	size_t n;         /* functions written; at least 1 */
	uint32_t *order;  /* functions of the model as they are written */
	uint32_t *rank;   /* by function of the model: place in order */
	uint64_t most;    /* the largest cost that is written */
	uint64_t divisor; /* of costs, a power of ten */
	uint64_t summary;
	uint64_t n_saturated; /* counts that were too large */
	uint64_t n_records; /* functions, calls, invocations: for the message of what is too large */
	/* Version 4. */
	struct invocation *all; /* by function, then in order */
	size_t *first;          /* by function: its invocations are first[i]..first[i + 1] - 1 */
	struct subcall *subcalls;
	size_t n_subcalls;
	uint64_t *inclusive, *called; /* by function: costs in all, and of all calls of it */
	uint64_t table;               /* address of the subcalls */
	bool is_made_up;              /* one invocation a function */
};

static void put(struct webgrind *webgrind, uint64_t number)
{
	char bytes[4];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> (8 * i) & 0xff);
	out_bytes(&webgrind->out, bytes, sizeof(bytes));
}

/* Divided by a power of ten, halves up. */
static uint64_t divide(uint64_t cost, uint64_t divisor)
{
	return cost / divisor + (cost % divisor >= divisor - divisor / 2 && divisor > 1);
}

static void put_cost(struct webgrind *webgrind, uint64_t cost)
{
	put(webgrind, divide(cost, webgrind->divisor));
}

static void put_count(struct webgrind *webgrind, uint64_t count)
{
	if (count > WEBGRIND_MOST) {
		count = WEBGRIND_MOST;
		webgrind->n_saturated++;
	}
	put(webgrind, count);
}

/* Of the function at a place of the order; after the model's functions, of "<rest>". */
static struct name name_of(const struct webgrind *webgrind, size_t i, enum name_kind kind)
{
	const struct model *model = webgrind->graph.model;
	const struct model_function *function;

	if (i >= webgrind->graph.n) {
		if (webgrind->graph.n == 0 || kind == NAME_FILE)
			return (struct name){ "???", 3, DICTIONARY_UNKNOWN };
		return (struct name){ "<rest>", strlen("<rest>"), NAME_NO_KEY };
	}
	function = &model->functions[webgrind->order[i]];
	return model_name(model, kind, kind == NAME_FILE ? function->file : function->name);
}

/* A line; what would end it becomes a blank. */
static void put_line(struct out *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			out_char(out, ' ');
		else
			out_char(out, text[i]);
	out_char(out, '\n');
}

/* -- functions -------------------------------------------------------------------------- */

/* The function at a place of the order; there may be none at all. */
static uint32_t function_at(const struct webgrind *webgrind, size_t i)
{
	return i < webgrind->graph.n ? webgrind->order[i] : MODEL_NO_FUNCTION;
}

static size_t n_callers(const struct callgraph *graph, uint32_t function)
{
	return function == MODEL_NO_FUNCTION
		       ? 0
		       : graph->first_in[function + 1] - graph->first_in[function];
}

static size_t n_callees(const struct callgraph *graph, uint32_t function)
{
	return function == MODEL_NO_FUNCTION ? 0
					     : graph->first[function + 1] - graph->first[function];
}

static const struct callgraph_arc *arc_from(const struct callgraph *graph, uint32_t function,
					    size_t i)
{
	return &graph->arcs[graph->incoming[graph->first_in[function] + i]];
}

static uint64_t record_size(const struct webgrind *webgrind, size_t i)
{
	uint32_t function = function_at(webgrind, i);
	uint64_t names = (uint64_t)name_of(webgrind, i, NAME_FILE).len + 1 +
			 name_of(webgrind, i, NAME_FUNCTION).len + 1;
	uint64_t calls;

	if (webgrind->version == 4)
		return names + UINT64_C(4) * 4 +
		       WEBGRIND_INVOCATION *
			       (uint64_t)(webgrind->first[i + 1] - webgrind->first[i]);
	calls = n_callers(&webgrind->graph, function);
	if (webgrind->version > 5)
		calls += n_callees(&webgrind->graph, function);
	return 4 * ((uint64_t)webgrind->version - 1) + names + WEBGRIND_CALL * calls;
}

static void put_call(struct webgrind *webgrind, uint32_t other, const struct callgraph_arc *arc)
{
	put(webgrind, webgrind->rank[other]);
	put_count(webgrind, arc->line);
	put_count(webgrind, arc->count);
	put_cost(webgrind, arc->cost);
}

/* Versions 5 to 7: a function's costs, and by line its callers and (from 6 on) its callees. */
static void put_function(struct webgrind *webgrind, size_t place)
{
	const struct callgraph *graph = &webgrind->graph;
	uint32_t function = function_at(webgrind, place);
	bool is_there = function != MODEL_NO_FUNCTION;
	uint64_t invocations = 0;

	if (webgrind->version == 7)
		put_count(webgrind, is_there ? callgraph_line(graph, function) : 0);
	put_cost(webgrind, is_there ? callgraph_self(graph, function) : 0);
	put_cost(webgrind, is_there ? callgraph_inclusive(graph, function) : 0);
	for (size_t i = 0; i < n_callers(graph, function); i++)
		if (!cost_add(&invocations, arc_from(graph, function, i)->count, false))
			invocations = UINT64_MAX;
	/* What nobody calls has been called by somebody once. */
	put_count(webgrind, invocations > 0 ? invocations : 1);
	put(webgrind, n_callers(graph, function));
	if (webgrind->version > 5)
		put(webgrind, n_callees(graph, function));
	for (size_t i = 0; i < n_callers(graph, function); i++)
		put_call(webgrind, arc_from(graph, function, i)->caller,
			 arc_from(graph, function, i));
	for (size_t i = 0; i < n_callees(graph, function) && webgrind->version > 5; i++) {
		const struct callgraph_arc *arc = &graph->arcs[graph->first[function] + i];

		put_call(webgrind, arc->callee, arc);
	}
}

/* Version 4: a function's invocations, with pointers to what each called. */
static void put_invocations(struct webgrind *webgrind, size_t place)
{
	size_t begin = webgrind->first[place], end = webgrind->first[place + 1];
	uint64_t self = 0;

	for (size_t i = begin; i < end; i++)
		self += webgrind->all[i].self; /* of one function: it has the sum already */
	put_cost(webgrind, self);
	put_cost(webgrind, webgrind->inclusive[place]);
	put_cost(webgrind, webgrind->called[place]);
	put(webgrind, end - begin);
	for (size_t i = begin; i < end; i++) {
		const struct invocation *invocation = &webgrind->all[i];

		put_cost(webgrind, invocation->self);
		put_cost(webgrind, invocation->inclusive);
		put_cost(webgrind, invocation->from_cost);
		put(webgrind, invocation->from_function);
		put(webgrind, invocation->from_number);
		put_count(webgrind, invocation->from_line);
		put(webgrind, invocation->n_subcalls);
		put(webgrind, webgrind->table + WEBGRIND_CALL * (uint64_t)invocation->first);
	}
}

/* -- the frame ---------------------------------------------------------------------------- */

static void put_header(struct out *out, const char *key, const char *value)
{
	out_text(out, key);
	out_text(out, ": ");
	put_line(out, value, strlen(value));
}

static void put_header_number(struct out *out, const char *key, uint64_t value)
{
	out_text(out, key);
	out_text(out, ": ");
	out_decimal(out, value);
	out_char(out, '\n');
}

/*
 * Webgrind shows links to functions if what of the creator is digits and dots is a
 * version above 2.1.
 */
static void put_headers(struct webgrind *webgrind)
{
	const struct model *model = webgrind->conversion->model;
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	struct out *out = &webgrind->out;

	put_header(out, "version", "1");
	out_text(out, "creator: webgrind-");
	out_decimal(out, webgrind->version);
	out_text(out, ".0 by costgrind-" COSTGRIND_VERSION "\n");
	if (part && part->has_pid)
		put_header_number(out, "pid", part->pid);
	put_header(out, "cmd", part && part->cmd && part->cmd[0] ? part->cmd : "???");
	put_header_number(out, "part", part && part->has_number ? part->number : 1);
	if (part && part->creator)
		put_header(out, "desc: Profile of", part->creator);
	for (size_t i = 0; part && i < part->n_descs; i++) {
		if (part->descs[i].value[0] == '\0')
			continue; /* a line without ": " is none */
		out_text(out, "desc: ");
		put_header(out, part->descs[i].type, part->descs[i].value);
	}
	if (webgrind->divisor > 1)
		put_header_number(out, "desc: Costs divided by", webgrind->divisor);
	if (webgrind->n_saturated > 0)
		put_header_number(out, "desc: Counts above 4294967295, written as that",
				  webgrind->n_saturated);
	if (webgrind->is_made_up)
		put_header(out, "desc: " WEBGRIND_SYNTHETIC, WEBGRIND_SYNTHETIC_TEXT);
	put_header(out, "positions", "line");
	out_text(out, "events: ");
	out_text(out, format_event(webgrind->conversion));
	if (webgrind->divisor > 1) {
		out_text(out, "_x");
		out_decimal(out, webgrind->divisor);
	}
	out_char(out, '\n');
	put_header_number(out, "summary", divide(webgrind->summary, webgrind->divisor));
}

/* Writes the file; PROFILE_RANGE, with a message in the conversion, if addresses would be beyond 32 bits. */
static int put_file(struct webgrind *webgrind)
{
	uint64_t most_address = webgrind->conversion->most_address;
	uint64_t address = WEBGRIND_HEAD + 4 * (uint64_t)webgrind->n, header_address;

	if (most_address == 0)
		most_address = WEBGRIND_MOST;
	while (divide(webgrind->most, webgrind->divisor) > WEBGRIND_MOST)
		webgrind->divisor *= 10;
	webgrind->table = address;
	for (size_t i = 0; i < webgrind->n; i++)
		webgrind->table += record_size(webgrind, i);
	header_address = webgrind->table + WEBGRIND_CALL * (uint64_t)webgrind->n_subcalls;
	if (header_address > most_address)
		return profile_error_set(
			&webgrind->conversion->error, PROFILE_RANGE,
			"--to=webgrind%u: %" PRIu64 " functions and calls take %" PRIu64
			" bytes, and addresses end at 4294967295: join small functions "
			"by --threshold=0.1",
			webgrind->version, webgrind->n_records, header_address);
	put(webgrind, webgrind->version);
	put(webgrind, header_address);
	put(webgrind, webgrind->n);
	for (size_t i = 0; i < webgrind->n; i++) {
		put(webgrind, address);
		address += record_size(webgrind, i);
	}
	for (size_t i = 0; i < webgrind->n; i++) {
		const struct name file = name_of(webgrind, i, NAME_FILE);
		const struct name function = name_of(webgrind, i, NAME_FUNCTION);

		if (webgrind->version == 4)
			put_invocations(webgrind, i);
		else
			put_function(webgrind, i);
		put_line(&webgrind->out, file.text, file.len);
		put_line(&webgrind->out, function.text, function.len);
	}
	for (size_t i = 0; i < webgrind->n_subcalls; i++) {
		const struct subcall *subcall = &webgrind->subcalls[i];

		put(webgrind, subcall->function);
		put(webgrind, subcall->number);
		put_count(webgrind, subcall->line);
		put_cost(webgrind, subcall->cost);
	}
	put_headers(webgrind);
	return PROFILE_OK;
}

static void take_most(struct webgrind *webgrind, uint64_t cost)
{
	if (cost > webgrind->most)
		webgrind->most = cost;
}

/* -- version 4 -------------------------------------------------------------------------- */

static void allocate(struct webgrind *webgrind, size_t n, size_t n_subcalls)
{
	webgrind->n_subcalls = n_subcalls;
	webgrind->n_records += n + n_subcalls;
	webgrind->all = heap_zeroed(n, sizeof(*webgrind->all));
	webgrind->first = heap_zeroed(webgrind->n + 1, sizeof(*webgrind->first));
	webgrind->subcalls = heap_zeroed(n_subcalls, sizeof(*webgrind->subcalls));
	webgrind->inclusive = heap_zeroed(webgrind->n, sizeof(*webgrind->inclusive));
	webgrind->called = heap_zeroed(webgrind->n, sizeof(*webgrind->called));
}

/* The arc of the caller, another function, whose calls of a function cost most; NULL = none. */
static const struct callgraph_arc *costliest(const struct callgraph *graph, uint32_t function)
{
	const struct callgraph_arc *found = NULL;

	for (size_t i = 0; i < n_callers(graph, function); i++) {
		const struct callgraph_arc *arc = arc_from(graph, function, i);

		if (arc->caller != function && (!found || arc->cost > found->cost))
			found = arc;
	}
	return found;
}

/* Makes up one invocation of each function, with all its calls. */
static void make_up(struct webgrind *webgrind)
{
	const struct callgraph *graph = &webgrind->graph;
	size_t n_subcalls = 0;

	allocate(webgrind, webgrind->n, graph->n_arcs);
	for (size_t i = 0; i < webgrind->n; i++) {
		webgrind->all[i].from_function = WEBGRIND_NOBODY;
		webgrind->first[i + 1] = i + 1;
	}
	for (size_t place = 0; place < graph->n; place++) {
		uint32_t function = webgrind->order[place];
		const struct callgraph_arc *from = costliest(graph, function);
		struct invocation *invocation = &webgrind->all[place];

		invocation->function = (uint32_t)place;
		invocation->self = callgraph_self(graph, function);
		invocation->inclusive = callgraph_inclusive(graph, function);
		webgrind->inclusive[place] = invocation->inclusive;
		if (from) {
			invocation->from_cost = from->cost;
			invocation->from_function = webgrind->rank[from->caller];
			invocation->from_line = from->line;
		}
		invocation->first = n_subcalls;
		invocation->n_subcalls = n_callees(graph, function);
		for (size_t i = graph->first[function]; i < graph->first[function + 1]; i++) {
			const struct callgraph_arc *arc = &graph->arcs[i];

			webgrind->subcalls[n_subcalls++] =
				(struct subcall){ webgrind->rank[arc->callee], 0, arc->line,
						  arc->cost };
		}
		for (size_t i = 0; i < n_callers(graph, function); i++)
			cost_add_nested(&webgrind->called[place],
					arc_from(graph, function, i)->cost, false);
	}
	webgrind->is_made_up = true;
	snprintf(webgrind->conversion->note, sizeof(webgrind->conversion->note),
		 "calls are not counted: without a call tree (--call-tree=yes), webgrind4 has one "
		 "invocation of each function; webgrind7 has counts");
}

/* "<rest>" is after all functions of the model. */
static size_t place_of(const struct webgrind *webgrind, const struct pathtree *tree, size_t node)
{
	uint32_t function = tree->nodes[node].function;

	return function == PATHTREE_REST ? webgrind->graph.n : webgrind->rank[function];
}

/* Makes the nodes invocations; sets the place of each node among all of them. */
static void number_nodes(struct webgrind *webgrind, const struct pathtree *tree, uint32_t *at)
{
	size_t n_calls = 0;

	for (size_t i = 0; i < tree->n; i++) {
		n_calls += tree->nodes[i].parent != PATHTREE_NONE;
		if (tree->nodes[i].function == PATHTREE_REST)
			webgrind->n = webgrind->graph.n + 1;
	}
	allocate(webgrind, tree->n, n_calls);
	for (size_t i = 0; i < tree->n; i++)
		at[i] = (uint32_t)webgrind->first[place_of(webgrind, tree, i) + 1]++;
	for (size_t i = 0; i < webgrind->n; i++)
		webgrind->first[i + 1] += webgrind->first[i];
	for (size_t i = 0; i < tree->n; i++) {
		size_t place = place_of(webgrind, tree, i);

		at[i] += (uint32_t)webgrind->first[place];
		webgrind->all[at[i]] = (struct invocation){
			.function = (uint32_t)place,
			.self = pathtree_costs(tree, (uint32_t)i)[0],
			.from_function = WEBGRIND_NOBODY,
		};
	}
}

/* Inclusive costs, and the calls in the table; false if a sum is beyond 64 bits. */
static bool link_calls(struct webgrind *webgrind, const struct pathtree *tree, const uint32_t *at)
{
	size_t used = 0;

	/* Children come after their parents. */
	for (size_t i = tree->n; i > 0; i--) {
		struct invocation *invocation = &webgrind->all[at[i - 1]], *caller;

		if (!cost_add(&invocation->inclusive, invocation->self, false))
			return false;
		take_most(webgrind, invocation->inclusive);
		if (tree->nodes[i - 1].parent == PATHTREE_NONE)
			continue;
		caller = &webgrind->all[at[tree->nodes[i - 1].parent]];
		caller->n_subcalls++;
		if (!cost_add(&caller->inclusive, invocation->inclusive, false))
			return false;
	}
	/* The invocations' parts of the table. */
	for (size_t i = 0; i < tree->n; i++) {
		webgrind->all[i].first = used;
		used += webgrind->all[i].n_subcalls;
		webgrind->all[i].n_subcalls = 0;
	}
	for (size_t i = 0; i < tree->n; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		struct invocation *invocation = &webgrind->all[at[i]], *caller;

		if (node->parent == PATHTREE_NONE)
			continue;
		caller = &webgrind->all[at[node->parent]];
		invocation->from_cost = invocation->inclusive;
		invocation->from_function = caller->function;
		invocation->from_number =
			(uint32_t)(at[node->parent] - webgrind->first[caller->function]);
		invocation->from_line = node->line;
		if (!cost_add(&webgrind->called[invocation->function], invocation->inclusive,
			      false))
			return false;
		webgrind->subcalls[caller->first + caller->n_subcalls++] =
			(struct subcall){ invocation->function,
					  (uint32_t)(at[i] - webgrind->first[invocation->function]),
					  node->line, invocation->inclusive };
	}
	return true;
}

/*
 * Adds up what the outermost nodes of each function cost: an inner one is in an outer one.
 * Nodes are in pre-order, so the chain that is open ends in the parent of the next one.
 */
static bool sum_outer(struct webgrind *webgrind, const struct pathtree *tree, const uint32_t *at)
{
	uint32_t *open = heap_zeroed(webgrind->n, sizeof(*open)); /* by function: nodes */
	uint32_t innermost = PATHTREE_NONE;
	bool fine = true;

	for (size_t i = 0; i < tree->n && fine; i++) {
		size_t place = place_of(webgrind, tree, i);

		for (; innermost != tree->nodes[i].parent;
		     innermost = tree->nodes[innermost].parent)
			open[place_of(webgrind, tree, innermost)]--;
		if (open[place]++ == 0)
			fine = cost_add(&webgrind->inclusive[place], webgrind->all[at[i]].inclusive,
					false);
		innermost = (uint32_t)i;
	}
	free(open);
	return fine;
}

/* -- all versions ------------------------------------------------------------------------- */

/* What version 4 has: the nodes of an exact call tree, or what is made up. */
static int make_invocations(struct webgrind *webgrind)
{
	const struct pathtree *tree = webgrind->conversion->tree;

	if (tree && tree->n > 0) {
		uint32_t *at = heap_zeroed(tree->n, sizeof(*at));
		bool fine;

		number_nodes(webgrind, tree, at);
		fine = link_calls(webgrind, tree, at) && sum_outer(webgrind, tree, at);
		free(at);
		if (!fine)
			return PROFILE_RANGE;
	} else {
		make_up(webgrind);
	}
	for (size_t i = 0; i < webgrind->n; i++)
		take_most(webgrind, webgrind->called[i]);
	return PROFILE_OK;
}

int to_webgrind(struct conversion *conversion)
{
	const struct model *model = conversion->model;
	unsigned version = conversion->variant;
	struct webgrind webgrind = { .conversion = conversion, .version = version, .divisor = 1 };
	const struct callgraph *graph = &webgrind.graph;
	uint64_t summary[PROFILE_MAX_EVENTS] = { 0 };
	int status = callgraph_init(&webgrind.graph, model);

	out_init(&webgrind.out, conversion->env);
	if (!status && !model_summary(model, summary))
		status = PROFILE_RANGE;
	if (!status) {
		webgrind.order = model_functions_by_name(model);
		webgrind.rank = heap_zeroed(model->n_functions, sizeof(*webgrind.rank));
		/* Readers of a file without functions stop with an error. */
		webgrind.n = model->n_functions > 0 ? model->n_functions : 1;
		webgrind.n_records = webgrind.n;
		webgrind.summary = summary[0];
		take_most(&webgrind, summary[0]);
		for (size_t i = 0; i < model->n_functions; i++) {
			webgrind.rank[webgrind.order[i]] = (uint32_t)i;
			take_most(&webgrind, callgraph_inclusive(graph, (uint32_t)i));
			take_most(&webgrind, callgraph_self(graph, (uint32_t)i));
		}
		for (size_t i = 0; i < graph->n_arcs; i++)
			take_most(&webgrind, graph->arcs[i].cost);
	}
	if (!status && version == 4)
		status = make_invocations(&webgrind);
	else
		webgrind.n_records += webgrind.graph.n_arcs * (version > 5 ? 2 : 1);
	if (!status)
		status = put_file(&webgrind);
	format_close(conversion, &webgrind.out);
	callgraph_release(&webgrind.graph);
	free(webgrind.order);
	free(webgrind.rank);
	free(webgrind.all);
	free(webgrind.first);
	free(webgrind.subcalls);
	free(webgrind.inclusive);
	free(webgrind.called);
	return status;
}
