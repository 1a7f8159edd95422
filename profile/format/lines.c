/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader's lines: "key: value" of headers, with where parts begin and end; then costs, names, calls and jumps.
 * Nearly all of a profile is cost lines of digits with one blank between, so these have a quick way, in
 * which nothing can fail: whatever is not so goes the other way from its start.
 */
#include "profile/format/reading.h"

#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* -- headers and parts ------------------------------------------------------------------- */

/* What is left out around a text: blanks, and what the writer would make one. */
static bool is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

/* A copy of a text as the writer would write it. */
static const char *keep_all(struct reader *reader, const char *p, const char *end)
{
	if (memchr(p, '\0', (size_t)(end - p)))
		reading_note(reader, TRAIT_NUL);
	if (!escaped_text_fits(p, (size_t)(end - p))) {
		struct bytes text;
		const char *copy;

		escaped_text(&text, p, (size_t)(end - p));
		copy = arena_copy(&reader->texts, text.text, text.len);
		bytes_release(&text);
		return copy;
	}
	return arena_copy(&reader->texts, p, (size_t)(end - p));
}

/* The same without the blanks around it. */
static const char *keep(struct reader *reader, const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	while (p < end && is_blank(end[-1]))
		end--;
	return keep_all(reader, p, end);
}

int partheader_enter_body(struct reader *reader)
{
	int status;

	reader->progress = IN_BODY;
	if (reader->visitor_has_part)
		return PROFILE_OK;
	reader->visitor_has_part = true;
	status = visitor_part(reader->visitor, &reader->part);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

/* Nothing of the next part is known; ids stay. */
static void begin_part(struct reader *reader)
{
	const struct name unknown = dictionary_name(&reader->names[NAME_FILE], DICTIONARY_UNKNOWN);

	reader->part = (struct part){
		.index = reader->part.index + 1,
		.positions = POSITION_LINE,
		.is_signed = reader->is_signed,
		.events = reader->events,
		.summary = reader->summary,
		.totals = reader->totals,
	};
	reader->progress = BEFORE_EVENTS;
	reader->has_header = false;
	reader->has_positions = false;
	reader->visitor_has_part = false;
	reader->columns[0] = COLUMN_LINE;
	reader->n_columns = 1;
	reader->place = (struct place){ unknown, unknown, unknown, unknown, false };
	reader->function_file = unknown;
	reader->place_told = false;
	reader->has_function = reader->file_only = false;
	reader->callee = reader->target = (struct named){ 0 };
	memset(reader->last, 0, sizeof(reader->last));
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		idtable_release(&reader->part_ids[kind]);
		idtable_init(&reader->part_ids[kind]);
	}
}

void partheader_begin(struct reader *reader)
{
	begin_part(reader);
	reader->part.index = 0;
}

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_of_callgrind(const struct reader *reader)
{
	return reader->creator && (begins_with(reader->creator, "callgrind-") ||
				   begins_with(reader->creator, "costgrind-"));
}

/*
 * What costgrind convert --to=xdebug wrote: of costgrind's files, that alone is without the line of
 * the format.  Old Callgrinds have none either, and write "totals:".
 */
static bool is_as_of_xdebug(const struct reader *reader)
{
	return reader->creator && begins_with(reader->creator, "costgrind-") &&
	       reader->report->traits[TRAIT_NO_FORMAT_LINE].count > 0;
}

bool partheader_is_of_cachegrind(const struct reader *reader)
{
	static const enum reader_trait excluded[] = {
		TRAIT_SEVERAL_PARTS, TRAIT_UNKNOWN_KEY, TRAIT_NAME_ID,      TRAIT_CALL,
		TRAIT_JUMP,          TRAIT_INLINED,     TRAIT_INLINED_NAME,
	};
	const struct part *part = &reader->part;

	for (size_t i = 0; i < sizeof(excluded) / sizeof(excluded[0]); i++)
		if (reader->report->traits[excluded[i]].count > 0)
			return false;
	return part->cmd && !reader->creator && !reader->has_version && !reader->has_positions &&
	       !part->has_pid && !part->has_number && !part->has_thread &&
	       !reader->place.has_object && part->totals_line == 0 &&
	       reader->report->traits[TRAIT_NO_FORMAT_LINE].count > 0;
}

bool partheader_ends_lines(const struct reader *reader)
{
	return is_of_callgrind(reader) || partheader_is_of_cachegrind(reader);
}

/*
 * Notes that the line is missing, or cut, which writers put behind all costs: every version of
 * Callgrind "totals:" in each part, Cachegrind "summary:" with a count for each event, as convert
 * --to=xdebug does, and a line feed behind them.  Others never wrote one.
 */
static void note_end(struct reader *reader, bool at_end)
{
	const struct part *part = &reader->part;

	if (is_of_callgrind(reader) && !is_as_of_xdebug(reader)) {
		if (part->totals_line == 0)
			reading_note(reader, TRAIT_NO_TOTALS);
	} else if (is_as_of_xdebug(reader) || partheader_is_of_cachegrind(reader)) {
		if (part->summary_line == 0)
			reading_note(reader, TRAIT_NO_SUMMARY);
		else if (part->n_summary < part->n_events)
			reading_note(reader, TRAIT_SHORT_SUMMARY);
	}
	if (partheader_ends_lines(reader) && at_end &&
	    reader->report->traits[TRAIT_NO_FINAL_NEWLINE].count > 0)
		reading_note(reader, TRAIT_CUT_LINE);
}

int partheader_end_part(struct reader *reader, bool at_end)
{
	int status;

	if (reader->progress == BEFORE_EVENTS) {
		if (!at_end || !reader->has_header)
			return PROFILE_OK;
		if (reader->part.index == 0)
			return reading_fail(reader, NULL,
					    "expected \"events:\", the file ends amid a header");
		reading_note(reader, TRAIT_CUT_OFF);
		return PROFILE_OK;
	}
	note_end(reader, at_end);
	status = partheader_enter_body(reader);
	if (!status)
		status = visitor_part_end(reader->visitor, &reader->part);
	reader->report->n_parts++;
	begin_part(reader);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

static int read_version(struct reader *reader, const char *p, const char *end)
{
	const char *behind = scan_number(p, &reader->report->version);

	reader->has_version = true;
	if (!behind)
		return reading_fail_number(reader, p, "the number of the format's version");
	/* Xdebug 2 wrote "0.9.6". */
	if (behind < end && *behind != '.' && !scan_is_blank(*behind))
		return reading_fail(reader, behind, "expected the end of the line");
	if (reader->report->version <= 1)
		return PROFILE_OK;
	reader->fatal = true;
	return reading_fail(reader, p,
			    "expected version 0 or 1 of the format, version %llu is not known",
			    (unsigned long long)reader->report->version);
}

/* A number that identifies a part; what is none ("N/A") says nothing, as in all other readers. */
static int read_number(struct reader *reader, const char *p, const char *end, uint64_t *number,
		       bool *has)
{
	uint64_t value;
	const char *after = scan_number(p, &value);

	if (after && scan_blanks(after) == end) {
		*number = value;
		*has = true;
	} else {
		reading_note(reader, TRAIT_ODD_NUMBER);
	}
	if (reader->progress == AFTER_EVENTS)
		reading_note(reader, TRAIT_LATE_HEADER);
	return PROFILE_OK;
}

static int read_pid(struct reader *reader, const char *p, const char *end)
{
	return read_number(reader, p, end, &reader->part.pid, &reader->part.has_pid);
}

static int read_part(struct reader *reader, const char *p, const char *end)
{
	return read_number(reader, p, end, &reader->part.number, &reader->part.has_number);
}

static int read_thread(struct reader *reader, const char *p, const char *end)
{
	return read_number(reader, p, end, &reader->part.thread, &reader->part.has_thread);
}

static int read_creator(struct reader *reader, const char *p, const char *end)
{
	reader->creator = reader->part.creator = keep(reader, p, end);
	return PROFILE_OK;
}

static int read_cmd(struct reader *reader, const char *p, const char *end)
{
	reader->part.cmd = keep(reader, p, end);
	return PROFILE_OK;
}

static int read_desc(struct reader *reader, const char *p, const char *end)
{
	const char *colon, *type_end, *line, *line_end = end;
	struct part_desc desc;

	/* A type that is empty is not of the grammar; Cachegrind's says only that there is some text. */
	while (p < end && (is_blank(*p) || *p == ':'))
		p++;
	if (p == end)
		return PROFILE_OK;
	colon = memchr(p, ':', (size_t)(end - p));
	type_end = colon ? colon : end;

	desc.type = keep(reader, p, type_end);
	desc.value = keep(reader, colon ? colon + 1 : end, end);
	while (*line_end == ' ' || *line_end == '\t')
		line_end++;
	line = keep_all(reader, p, line_end);
	reader->descs = heap_grow(reader->descs, &reader->descs_capacity, reader->part.n_descs + 1,
				  sizeof(desc));
	reader->desc_lines = heap_grow(reader->desc_lines, &reader->desc_lines_capacity,
				       reader->part.n_descs + 1, sizeof(line));
	if (strcmp(desc.type, SALVAGED_DESC) == 0)
		reading_note(reader, TRAIT_SALVAGED);
	reader->desc_lines[reader->part.n_descs] = line;
	reader->descs[reader->part.n_descs++] = desc;
	reader->part.descs = reader->descs;
	reader->part.desc_lines = reader->desc_lines;
	return PROFILE_OK;
}

static void add_definition(struct reader *reader, const struct part_event *definition)
{
	reader->definitions = heap_grow(reader->definitions, &reader->definitions_capacity,
					reader->part.n_definitions + 1, sizeof(*definition));
	reader->definitions[reader->part.n_definitions++] = *definition;
	reader->part.definitions = reader->definitions;
}

/* Whether names of events may have it: writers allow no more. */
static bool is_of_name(char c)
{
	return c > ' ' && c <= '~';
}

/* A copy of [p, end) in which all blanks are spaces, as writers want it. */
static int keep_formula(struct reader *reader, const char *p, const char *end, const char **formula)
{
	const char *start = p;
	char *text;

	while (p < end && is_blank(*p))
		p++;
	while (p < end && is_blank(end[-1]))
		end--;
	text = arena_copy(&reader->texts, p, (size_t)(end - p));
	for (char *c = text; *c; c++)
		if (*c == '\t')
			*c = ' ';
	*formula = text;
	if (strlen(text) != (size_t)(end - p) || !formula_is_valid(text))
		return reading_fail(reader, start, "expected a formula, as in \"Ir + 10 Bm\"");
	return PROFILE_OK;
}

/* "NAME [= FORMULA] [: LONG NAME]" */
static int read_event(struct reader *reader, const char *p, const char *end)
{
	struct part_event definition = { 0 };
	const char *name_end = p;
	const char *colon;
	int status = PROFILE_OK;

	while (name_end < end && is_of_name(*name_end) && *name_end != '=' && *name_end != ':')
		name_end++;
	if (name_end == p)
		return reading_fail(reader, p, "expected the name of an event");
	definition.name = keep(reader, p, name_end);
	p = scan_blanks(name_end);
	colon = memchr(p, ':', (size_t)(end - p));
	if (p < end && *p != '=' && *p != ':')
		return reading_fail(reader, p, "expected \"=\", \":\" or the end of the line");
	if (p < end && *p == '=')
		status = keep_formula(reader, p + 1, colon ? colon : end, &definition.formula);
	if (!status && colon)
		definition.long_name = keep(reader, colon + 1, end);
	if (reader->progress != BEFORE_EVENTS)
		reading_note(reader, TRAIT_LATE_EVENT);
	if (!status)
		add_definition(reader, &definition);
	return status;
}

/* The next word of [*p, end); false at its end. */
static bool next_word(const char **p, const char *end, const char **word, size_t *len)
{
	const char *behind;

	while (*p < end && scan_is_blank(**p))
		(*p)++;
	*word = behind = *p;
	while (behind < end && !scan_is_blank(*behind))
		behind++;
	*len = (size_t)(behind - *p);
	*p = behind;
	return *len > 0;
}

static int read_positions(struct reader *reader, const char *p, const char *end)
{
	static const struct {
		const char *name;
		unsigned position;
	} known[N_COLUMNS] = {
		[COLUMN_INSTR] = { "instr", POSITION_INSTR },
		[COLUMN_BB] = { "bb", 0 },
		[COLUMN_LINE] = { "line", POSITION_LINE },
	};
	const char *word;
	size_t len;
	unsigned next = 0; /* column that may come */
	enum column columns[N_COLUMNS] = { COLUMN_LINE };
	unsigned positions = 0;
	size_t n = 0;

	while (next_word(&p, end, &word, &len)) {
		unsigned i = next;

		while (i < N_COLUMNS &&
		       (strlen(known[i].name) != len || memcmp(known[i].name, word, len) != 0))
			i++;
		if (i == N_COLUMNS)
			return reading_fail(reader, word,
					    "expected \"instr\", \"bb\" and \"line\""
					    ", in this order");
		if (i == COLUMN_BB)
			reading_note(reader, TRAIT_BB);
		columns[n++] = (enum column)i;
		positions |= known[i].position;
		next = i + 1;
	}
	/* The grammar allows there to be none; but a line has some position. */
	memcpy(reader->columns, columns, sizeof(columns));
	reader->n_columns = n > 0 ? n : 1;
	reader->part.positions = n > 0 ? positions : POSITION_LINE;
	reader->has_positions = true;
	return PROFILE_OK;
}

static int add_event(struct reader *reader, const char *word, size_t len)
{
	size_t n = reader->part.n_events, same;

	if (n == PROFILE_MAX_EVENTS)
		return reading_fail(reader, word, "expected at most %d events", PROFILE_MAX_EVENTS);
	for (size_t i = 0; i < len; i++)
		if (!is_of_name(word[i]))
			return reading_fail(reader, word + i, "expected names of ASCII characters");
	for (size_t i = 0; i < n; i++)
		if (strlen(reader->events[i]) == len && memcmp(reader->events[i], word, len) == 0)
			return reading_fail(reader, word, "expected each event once");
	reader->events[n] = arena_copy(&reader->texts, word, len);
	/* Two columns of one event could not be distinguished later. */
	same = event_index(reader->events, n, reader->events[n]);
	if (same < n)
		return reading_fail(reader, word, "expected each event once, %s is %s",
				    reader->events[same], reader->events[n]);
	reader->part.n_events = n + 1;
	return PROFILE_OK;
}

static int read_events(struct reader *reader, const char *p, const char *end)
{
	const char *start = p, *word;
	size_t len;

	while (next_word(&p, end, &word, &len)) {
		int status = add_event(reader, word, len);

		if (status)
			return status;
	}
	if (reader->part.n_events == 0)
		return reading_fail(reader, start, "expected the names of events");
	reader->progress = AFTER_EVENTS;
	if (!reader->has_positions)
		reading_note(reader, TRAIT_NO_POSITIONS);
	return PROFILE_OK;
}

static int read_summary(struct reader *reader, const char *p, const char *end)
{
	(void)end;
	memset(reader->summary, 0, sizeof(reader->summary));
	reader->part.summary_line = reader->number;
	if (reader->progress == BEFORE_EVENTS)
		reading_note(reader, TRAIT_SUMMARY_FIRST);
	if (reader->progress == IN_BODY)
		reading_note(reader, TRAIT_SUMMARY_IN_BODY);
	return reading_sums(reader, p, reader->summary, &reader->part.n_summary);
}

static int read_totals(struct reader *reader, const char *p, const char *end)
{
	int status;

	(void)end;
	if (reader->progress == BEFORE_EVENTS)
		return reading_fail(reader, NULL, "expected \"events:\" before \"totals:\"");
	status = partheader_enter_body(reader);
	if (status)
		return status;
	memset(reader->totals, 0, sizeof(reader->totals));
	reader->part.totals_line = reader->number;
	return reading_sums(reader, p, reader->totals, &reader->part.n_totals);
}

struct key {
	const char *name;
	int (*read)(struct reader *reader, const char *p, const char *end);
	bool begins_part; /* behind the body of another one */
	bool of_part;     /* a part must follow */
};

static const struct key keys[] = {
	{ "version", read_version, true, false },
	{ "creator", read_creator, true, false },
	{ "pid", read_pid, true, true },
	{ "cmd", read_cmd, true, true },
	{ "part", read_part, true, true },
	{ "thread", read_thread, true, true },
	{ "desc", read_desc, true, false },
	{ "event", read_event, true, false },
	{ "positions", read_positions, true, true },
	{ "events", read_events, true, true },
	{ "summary", read_summary, false, true },
	{ "totals", read_totals, false, true },
};

static const struct key *find_key(const char *p, size_t len)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i].name) == len && memcmp(keys[i].name, p, len) == 0)
			return &keys[i];
	return NULL;
}

/* Whether a line with this key is the first of another part. */
static bool begins_part(const struct reader *reader, const struct key *key)
{
	if (reader->progress == IN_BODY)
		return key->begins_part;
	return reader->progress == AFTER_EVENTS &&
	       (key->read == read_events || key->read == read_positions);
}

/* The colon of "key: value"; NULL of another line. */
static const char *find_colon(const char *p, const char *end)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));

	return colon && !memchr(p, '=', (size_t)(colon - p)) ? colon : NULL;
}

bool partheader_is_line(const char *p, const char *end)
{
	return find_colon(p, end) != NULL;
}

int partheader_line(struct reader *reader, const char *p, const char *end)
{
	const char *colon = find_colon(p, end);
	const struct key *key;

	if (!colon)
		return reading_fail(reader, p,
				    "expected a header line, costs, or one of ob= fl= "
				    "fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=");
	key = find_key(p, (size_t)(colon - p));
	if (!key) {
		reading_note(reader, TRAIT_UNKNOWN_KEY);
		return PROFILE_OK;
	}
	if (begins_part(reader, key)) {
		int status = partheader_end_part(reader, false);

		if (status)
			return status;
		reading_note(reader, TRAIT_SEVERAL_PARTS);
	}
	if (reader->progress != BEFORE_EVENTS && key->begins_part)
		reading_note(reader, TRAIT_HEADER_ORDER);
	if (reader->part.first_line == 0)
		reader->part.first_line = reader->number;
	if (key->of_part)
		reader->has_header = true;
	return key->read(reader, scan_blanks(colon + 1), end);
}

/* -- costs, names, calls and jumps ------------------------------------------------------- */

/* "+n" or "-n" against what value is. */
static int take_step(struct reader *reader, const char **p, uint64_t *value)
{
	const char *start = *p;
	uint64_t step;

	*p = scan_number(start + 1, &step);
	if (!*p) {
		*p = start;
		return reading_fail_number(reader, start + 1, "a number");
	}
	if (step >> 31)
		reading_note(reader, TRAIT_LARGE_STEP);
	if (*start == '-' && step > *value)
		return reading_fail(reader, start,
				    "expected a position of 0 or more, counted from %llu",
				    (unsigned long long)*value);
	if (*start == '+' && *value + step < step)
		reading_note(reader, TRAIT_WRAPPED_POSITION);
	*value = *start == '+' ? *value + step : *value - step;
	return PROFILE_OK;
}

/* "-n", "+n" or ":n" behind a number; its beginning counts. */
static int take_range(struct reader *reader, const char **p)
{
	const char *start = *p;
	uint64_t ignored;

	if (reading_ends_word(*start))
		return PROFILE_OK;
	if (*start == '-' || *start == '+' || *start == ':')
		*p = scan_number(start + 1, &ignored);
	if (*p == start || !*p || !reading_ends_word(**p)) {
		*p = start;
		return reading_fail(reader, start, "expected a blank or the end of the line");
	}
	reading_note(reader, TRAIT_RANGE);
	return PROFILE_OK;
}

/* A subposition; *value is what it may be relative to. */
static int take_subposition(struct reader *reader, const char **p, uint64_t *value, bool *relative)
{
	const char *start = *p;
	int status;

	if (*start == '*') {
		(*p)++;
		*relative = true;
	} else if (*start == '+' || *start == '-') {
		*relative = true;
		status = take_step(reader, p, value);
		if (status)
			return status;
	} else {
		*p = scan_number(start, value);
		if (!*p) {
			*p = start;
			return reading_fail_number(reader, start, "a position");
		}
	}
	if (**p == ' ' || **p == '\n')
		return PROFILE_OK;
	return take_range(reader, p);
}

static void note_relative(struct reader *reader)
{
	reading_note(reader, TRAIT_RELATIVE);
	if (reader->first_of_function)
		reading_note(reader, TRAIT_RELATIVE_AFTER_FN);
}

/* The positions at the start of a line into reader->last. */
static int take_positions(struct reader *reader, const char **p)
{
	bool relative = false;

	for (size_t i = 0; i < reader->n_columns; i++) {
		int status;

		if (i > 0 && !reading_ends_word(**p))
			return reading_fail(reader, *p, "expected a blank");
		if (**p == ' ')
			(*p)++;
		if (**p <= ' ')
			*p = scan_blanks(*p);
		status = take_subposition(reader, p, &reader->last[reader->columns[i]], &relative);
		if (status)
			return status;
	}
	if (relative)
		note_relative(reader);
	reader->first_of_function = false;
	return PROFILE_OK;
}

static struct position last_position(const struct reader *reader)
{
	return (struct position){ reader->last[COLUMN_INSTR], reader->last[COLUMN_LINE] };
}

/* Costs follow "fl=" without a "fn=" between. */
static void name_unspecified(struct reader *reader)
{
	static const char name[] = "<unspecified>";
	struct dictionary *names = &reader->names[NAME_FUNCTION];

	if (!partheader_is_of_cachegrind(reader)) {
		if (reader->has_function)
			reading_note(reader, TRAIT_FILE_ONLY);
		return;
	}
	reading_note(reader, TRAIT_UNSPECIFIED);
	reader->place.file = reader->place.source;
	reader->place.function =
		dictionary_name(names, dictionary_intern(names, name, sizeof(name) - 1));
	reader->has_function = true;
}

/* Reports the place, so that what belongs to it may follow. */
static int visit_place(struct reader *reader)
{
	int status;

	if (reader->place_told)
		return PROFILE_OK;
	if (reader->progress == BEFORE_EVENTS)
		return reading_fail(reader, NULL, "expected \"events:\" before any costs");
	status = partheader_enter_body(reader);
	if (status)
		return status;
	if (reader->file_only)
		name_unspecified(reader);
	if (!reader->has_function)
		reading_note(reader, TRAIT_NO_FUNCTION);
	reader->place_told = true;
	status = visitor_place(reader->visitor, &reader->place);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

static int visit_call(struct reader *reader, size_t n_costs)
{
	int status;

	reader->pending = PENDING_NOTHING;
	reader->callee.has_object = reader->callee.has_file = false;
	reader->call.at = last_position(reader);
	reader->call.costs = reader->costs;
	reader->call.n_costs = n_costs;
	status = visitor_call(reader->visitor, &reader->call);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

static int visit_jump(struct reader *reader)
{
	int status;

	reader->pending = PENDING_NOTHING;
	reader->target.has_file = reader->target.has_function = false;
	reader->jump.at = last_position(reader);
	status = visitor_jump(reader->visitor, &reader->jump);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

int bodyline_end_jump(struct reader *reader)
{
	if (reader->pending != PENDING_JUMP)
		return PROFILE_OK;
	reading_note(reader, TRAIT_JUMP_WITHOUT_SOURCE);
	return visit_jump(reader);
}

/* Visits what a line with a position was of; n is how many costs it had. */
static inline int visit_cost_line(struct reader *reader, size_t n)
{
	struct position at;
	int status;

	if (reader->pending == PENDING_CALL)
		return visit_call(reader, n);
	if (reader->pending == PENDING_JUMP) {
		status = visit_jump(reader);
		if (status || n == 0)
			return status;
		/* By the letter of the grammar, it is an ordinary cost line. */
		reading_note(reader, TRAIT_JUMP_SOURCE_COSTS);
	}
	if (n < reader->part.n_events)
		reading_note(reader, TRAIT_FEW_COUNTS);
	at = last_position(reader);
	status = visitor_cost(reader->visitor, &at, reader->costs, n);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

int bodyline_costs(struct reader *reader, const char *p)
{
	size_t n;
	int status = visit_place(reader);

	if (!status)
		status = take_positions(reader, &p);
	if (!status)
		status = reading_counts(reader, p, reader->costs, &n, reader->part.n_events);
	return status ? status : visit_cost_line(reader, n);
}

/* 1 to 18 decimal digits, one by one; NULL if it is anything else. */
static const char *quick_long_number(const char *p, uint64_t *value)
{
	const char *start = p;
	uint64_t v = 0;
	unsigned digit;

	while ((digit = (unsigned char)(*p - '0')) <= 9) {
		v = v * 10 + digit;
		p++;
	}
	*value = v;
	return p > start && p - start <= 18 ? p : NULL;
}

/* Up to 18 decimal digits; NULL if it is anything else. */
static inline const char *quick_number(const char *p, uint64_t *value)
{
	unsigned len = scan_short_number(p, value);

	return len > 0 ? p + len : quick_long_number(p, value);
}

/* A decimal subposition; *value is what it may be relative to.  NULL if it is anything else. */
static inline const char *quick_position(const char *p, uint64_t *value, bool *relative)
{
	uint64_t number;

	if (scan_is_digit(*p))
		return quick_number(p, value);
	*relative = true;
	if (*p == '*')
		return p + 1;
	if (*p == '+') {
		p = quick_number(p + 1, &number);
		if (!p || number >> 31 || *value + number < number)
			return NULL;
		*value += number;
		return p;
	}
	if (*p != '-')
		return NULL;
	p = quick_number(p + 1, &number);
	if (!p || number >> 31 || number > *value)
		return NULL;
	*value -= number;
	return p;
}

int bodyline_quick(struct reader *reader, const char *p)
{
	const size_t n_columns = reader->n_columns, max = reader->part.n_events;
	uint64_t *const costs = reader->costs;
	uint64_t last[N_COLUMNS];
	bool relative = false;
	size_t n = 0;

	if (!reader->place_told)
		return BODYLINE_NOT;
	memcpy(last, reader->last, sizeof(last));
	for (size_t i = 0; i < n_columns; i++) {
		p = quick_position(p, &last[reader->columns[i]], &relative);
		if (!p || (*p != ' ' && (*p != '\n' || i + 1 < n_columns)))
			return BODYLINE_NOT;
		p += *p == ' ' && i + 1 < n_columns;
	}
	while (*p == ' ' && p[1] != '\n') {
		unsigned digit = (unsigned char)(p[1] - '0');

		if (n == max)
			return BODYLINE_NOT;
		if (digit <= 9 && p[2] <= ' ') { /* as are most */
			costs[n++] = digit;
			p += 2;
			continue;
		}
		p = quick_number(p + 1, &costs[n++]);
		if (!p)
			return BODYLINE_NOT;
	}
	if (*p == ' ') {
		reading_note(reader, TRAIT_TRAILING_BLANK);
		p++;
	}
	if (*p != '\n')
		return BODYLINE_NOT;
	memcpy(reader->last, last, sizeof(last));
	if (relative)
		note_relative(reader);
	reader->first_of_function = false;
	reader->next = p + 1;
	return visit_cost_line(reader, n);
}

/* Defines id, of a kind, as the name. */
static void define(struct reader *reader, enum name_kind kind, uint64_t id, uint32_t key)
{
	uint32_t old = idtable_get(&reader->ids[kind], id);

	if (reader->part.index > 0)
		idtable_put(&reader->part_ids[kind], id, key);
	if (old == key) {
		reading_note(reader, TRAIT_ID_REPEATED);
		return;
	}
	if (old != IDTABLE_NONE)
		reading_note(reader, TRAIT_ID_REDEFINED);
	idtable_put(&reader->ids[kind], id, key);
}

/* The key of a name that is written out. */
static uint32_t intern(struct reader *reader, const char *p, const char *end, enum name_kind kind)
{
	if (p == end) {
		reading_note(reader, TRAIT_EMPTY_NAME);
		return DICTIONARY_UNKNOWN;
	}
	if (memchr(p, '\0', (size_t)(end - p)))
		reading_note(reader, TRAIT_NUL);
	return reader_intern(&reader->names[kind], p, (size_t)(end - p));
}

/* A name, defined or by its id, from p to end. */
static int read_name(struct reader *reader, const char *p, const char *end, enum name_kind kind,
		     struct name *name)
{
	const char *start = p = scan_blanks(p);
	uint64_t id;
	uint32_t key;

	if (*p != '(' || !scan_is_digit(p[1])) {
		reading_note(reader, TRAIT_NAME_PLAIN);
		key = intern(reader, p, end, kind);
	} else {
		p = scan_number(p + 1, &id);
		if (!p)
			return reading_fail_number(reader, start + 1, "an id");
		if (*p != ')')
			return reading_fail(reader, p, "expected \")\" behind an id");
		p = scan_blanks(p + 1);
		if (p >= end) {
			reading_note(reader, TRAIT_NAME_ID);
			key = idtable_get(&reader->ids[kind], id);
			if (key == IDTABLE_NONE)
				return reading_fail(reader, start,
						    "expected a name behind id %llu,"
						    " which is not known yet",
						    (unsigned long long)id);
			if (reader->part.index > 0 &&
			    idtable_get(&reader->part_ids[kind], id) == IDTABLE_NONE)
				reading_note(reader, TRAIT_ID_OF_EARLIER_PART);
		} else {
			key = intern(reader, p, end, kind);
			define(reader, kind, id, key);
		}
	}
	*name = dictionary_name(&reader->names[kind], key);
	return PROFILE_OK;
}

/* The positions behind a count, as far as they are there; any more are ignored (Xdebug). */
static int take_target(struct reader *reader, const char *p, const char *end,
		       struct position *target)
{
	uint64_t positions[N_COLUMNS];
	size_t i = 0;
	bool relative = false;

	memcpy(positions, reader->last, sizeof(positions));
	for (p = scan_blanks(p); p < end; p = scan_blanks(p)) {
		uint64_t ignored = 0;
		uint64_t *value = i < reader->n_columns ? &positions[reader->columns[i]] : &ignored;
		int status = take_subposition(reader, &p, value, &relative);

		if (status)
			return status;
		i++;
	}
	for (; i < reader->n_columns; i++)
		positions[reader->columns[i]] = 0;
	if (relative)
		reading_note(reader, TRAIT_RELATIVE_TARGET);
	*target = (struct position){ positions[COLUMN_INSTR], positions[COLUMN_LINE] };
	return PROFILE_OK;
}

static int read_calls(struct reader *reader, const char *p, const char *end)
{
	struct call *call = &reader->call;
	const struct named *callee = &reader->callee;
	int status = visit_place(reader);

	p = scan_blanks(p);
	if (!status)
		status = reading_count(reader, &p, &call->count);
	if (!status && !reading_ends_word(*p))
		status = reading_fail(reader, p, "expected a blank");
	if (!status)
		status = take_target(reader, p, end, &call->target);
	if (status)
		return status;
	reading_note(reader, TRAIT_CALL);
	if (call->count == 0)
		reading_note(reader, TRAIT_ZERO_CALLS);
	if (!callee->has_function)
		return reading_fail(reader, NULL, "expected \"cfn=\" before \"calls=\"");
	call->callee.has_object = callee->has_object || reader->place.has_object;
	call->callee.object = callee->has_object ? callee->object : reader->place.object;
	call->callee.file = callee->has_file ? callee->file : reader->place.source;
	call->callee.function = callee->function;
	call->callee.source = call->callee.file;
	reader->pending = PENDING_CALL;
	return PROFILE_OK;
}

static int read_rcalls(struct reader *reader, const char *p, const char *end)
{
	reading_note(reader, TRAIT_RCALLS);
	return read_calls(reader, p, end);
}

static int begin_jump(struct reader *reader, const char *p, const char *end)
{
	struct jump *jump = &reader->jump;
	const struct named *target = &reader->target;
	int status;

	if (!reading_ends_word(*p))
		return reading_fail(reader, p, "expected a blank");
	status = take_target(reader, p, end, &jump->target);
	if (status)
		return status;
	reading_note(reader, TRAIT_JUMP);
	jump->file = target->has_file ? target->file : reader->place.source;
	jump->function = target->has_function ? target->function : reader->place.function;
	jump->has_function = target->has_function;
	reader->pending = PENDING_JUMP;
	return PROFILE_OK;
}

static int read_jump(struct reader *reader, const char *p, const char *end)
{
	struct jump *jump = &reader->jump;
	int status = visit_place(reader);

	p = scan_blanks(p);
	if (!status)
		status = reading_count(reader, &p, &jump->followed);
	if (status)
		return status;
	jump->executed = jump->followed;
	jump->is_conditional = false;
	return begin_jump(reader, p, end);
}

/*
 * "followed/executed target", as Callgrind and KCachegrind have it; with a
 * blank, as the specification has it, "executed followed target".
 */
static int read_conditional_jump(struct reader *reader, const char *p, const char *end)
{
	struct jump *jump = &reader->jump;
	int status = visit_place(reader);
	bool slash;

	p = scan_blanks(p);
	if (!status)
		status = reading_count(reader, &p, &jump->followed);
	if (status)
		return status;
	if (*p != '/' && !reading_ends_word(*p))
		return reading_fail(reader, p, "expected \"/\" or a blank");
	slash = *p == '/';
	p = slash ? p + 1 : scan_blanks(p);
	status = reading_count(reader, &p, &jump->executed);
	if (status)
		return status;
	if (!slash) {
		uint64_t executed = jump->followed;

		reading_note(reader, TRAIT_JCND_BLANK);
		jump->followed = jump->executed;
		jump->executed = executed;
	}
	jump->is_conditional = true;
	return begin_jump(reader, p, end);
}

static int read_object(struct reader *reader, const char *p, const char *end)
{
	reader->place.function = dictionary_name(&reader->names[NAME_FUNCTION], DICTIONARY_UNKNOWN);
	reader->has_function = false;
	reader->place.has_object = true;
	return read_name(reader, p, end, NAME_OBJECT, &reader->place.object);
}

static int read_file(struct reader *reader, const char *p, const char *end)
{
	int status = read_name(reader, p, end, NAME_FILE, &reader->function_file);

	if (!reader->has_function)
		reader->place.file = reader->function_file;
	reader->place.source = reader->function_file;
	reader->file_only = true;
	return status;
}

static int read_inlined_file(struct reader *reader, const char *p, const char *end)
{
	reading_note(reader, TRAIT_INLINED);
	return read_name(reader, p, end, NAME_FILE, &reader->place.source);
}

static int read_function(struct reader *reader, const char *p, const char *end)
{
	reader->place.file = reader->place.source = reader->function_file;
	reader->place.function = dictionary_name(&reader->names[NAME_FUNCTION], DICTIONARY_UNKNOWN);
	reader->has_function = true;
	reader->file_only = false;
	reader->first_of_function = true;
	return read_name(reader, p, end, NAME_FUNCTION, &reader->place.function);
}

static int read_called_object(struct reader *reader, const char *p, const char *end)
{
	int status = read_name(reader, p, end, NAME_OBJECT, &reader->callee.object);

	reader->callee.has_object = status == PROFILE_OK;
	return status;
}

static int read_called_file(struct reader *reader, const char *p, const char *end)
{
	int status = read_name(reader, p, end, NAME_FILE, &reader->callee.file);

	reader->callee.has_file = status == PROFILE_OK;
	return status;
}

static int read_cfl(struct reader *reader, const char *p, const char *end)
{
	reading_note(reader, TRAIT_CFL);
	return read_called_file(reader, p, end);
}

static int read_called_function(struct reader *reader, const char *p, const char *end)
{
	int status = read_name(reader, p, end, NAME_FUNCTION, &reader->callee.function);

	reader->callee.has_function = status == PROFILE_OK;
	return status;
}

/* Always a plain name, whatever else is numbered. */
static int read_inlined_name(struct reader *reader, const char *p, const char *end)
{
	reading_note(reader, TRAIT_INLINED_NAME);
	if (memchr(p, '\0', (size_t)(end - p)))
		reading_note(reader, TRAIT_NUL);
	return PROFILE_OK;
}

/* Whether a name gave its id a meaning. */
static void note_definitions(struct reader *reader, enum name_kind kind, size_t before)
{
	if (reader->ids[kind].count > before)
		reading_note(reader, TRAIT_JFI_DEFINES);
}

static int read_target_file(struct reader *reader, const char *p, const char *end)
{
	size_t before = reader->ids[NAME_FILE].count;
	int status = read_name(reader, p, end, NAME_FILE, &reader->target.file);

	reading_note(reader, TRAIT_JFI);
	note_definitions(reader, NAME_FILE, before);
	reader->target.has_file = status == PROFILE_OK;
	return status;
}

static int read_target_function(struct reader *reader, const char *p, const char *end)
{
	size_t before = reader->ids[NAME_FUNCTION].count;
	int status = read_name(reader, p, end, NAME_FUNCTION, &reader->target.function);

	reading_note(reader, TRAIT_JFN);
	note_definitions(reader, NAME_FUNCTION, before);
	reader->target.has_function = status == PROFILE_OK;
	return status;
}

struct specification {
	char prefix[8];
	unsigned len; /* of the prefix */
	bool moves_place;
	int (*read)(struct reader *reader, const char *p, const char *end);
};

/* By how often they come. */
static const struct specification specifications[] = {
	{ "cfn=", 4, false, read_called_function },
	{ "calls=", 6, false, read_calls },
	{ "cfi=", 4, false, read_called_file },
	{ "fn=", 3, true, read_function },
	{ "fi=", 3, true, read_inlined_file },
	{ "fe=", 3, true, read_inlined_file },
	{ "fl=", 3, true, read_file },
	{ "jcnd=", 5, false, read_conditional_jump },
	{ "jump=", 5, false, read_jump },
	{ "cob=", 4, false, read_called_object },
	{ "ob=", 3, true, read_object },
	{ "cfl=", 4, false, read_cfl },
	{ "cfni=", 5, false, read_inlined_name },
	{ "jfi=", 4, false, read_target_file },
	{ "jfn=", 4, false, read_target_function },
	{ "rcalls=", 7, false, read_rcalls },
};

/* The specification that a line begins with, NULL if it is another line. */
static const struct specification *find_specification(const char *p, const char *end)
{
	for (size_t i = 0; i < sizeof(specifications) / sizeof(specifications[0]); i++) {
		const struct specification *spec = &specifications[i];

		if (p[0] == spec->prefix[0] && p[1] == spec->prefix[1] &&
		    (size_t)(end - p) >= spec->len && memcmp(p, spec->prefix, spec->len) == 0)
			return spec;
	}
	return NULL;
}

int bodyline_specification(struct reader *reader, const char *p, const char *end)
{
	const struct specification *spec = find_specification(p, end);

	if (!spec)
		return BODYLINE_NOT;
	if (spec->moves_place) {
		reader->place_told = false;
		if (reader->progress == AFTER_EVENTS) {
			int status = partheader_enter_body(reader);

			if (status)
				return status;
		}
	}
	return spec->read(reader, p + spec->len, end);
}
