/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader's lines "key: value", and where parts begin and end. */

#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/format/reading.h"

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
		idtable_init(&reader->part_ids[kind], reader->env);
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
