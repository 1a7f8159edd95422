/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader's lines of costs, names, calls and jumps.  Nearly all of a profile
 * is cost lines of digits with one blank between, so these have a quick way, in
 * which nothing can fail: whatever is not so goes the other way from its start.
 */

#include <string.h>

#include "profile/format/reading.h"

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
	return reader_intern(&reader->names[kind], reader->env, p, (size_t)(end - p));
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
