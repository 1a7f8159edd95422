/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/limit.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/format/source.h"

/* A line being read. */
struct limit_parsing {
	struct limits *limits;
	const char *name;
	const char *begin, *next, *end; /* of the line; next is what is not yet read */
	uint64_t line;
	struct profile_error *error;
};

/* A word as it stands, or what is within its quotes. */
struct word {
	const char *text; /* with a NUL; the arena's */
	size_t len;
	const char *at; /* where it begins in the line */
	bool is_quoted;
};

static int fail(const struct limit_parsing *parsing, const char *at, const char *expected)
{
	profile_error_set(parsing->error, PROFILE_SYNTAX, "expected %s", expected);
	if (parsing->error) {
		parsing->error->file = parsing->name;
		parsing->error->line = parsing->line;
		parsing->error->column = (uint64_t)(at - parsing->begin) + 1;
	}
	return PROFILE_SYNTAX;
}

/* -- words ------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_at_end(struct limit_parsing *parsing)
{
	while (parsing->next < parsing->end && is_blank(*parsing->next))
		parsing->next++;
	return parsing->next == parsing->end || *parsing->next == '#';
}

/* The next word; `expected` is for the message if there is none.  In quotes, a backslash takes the next byte as it is. */
static int read_word(struct limit_parsing *parsing, const char *expected, struct word *word)
{
	const char *p, *end = parsing->end;
	char *buffer;

	if (is_at_end(parsing))
		return fail(parsing, parsing->next, expected);
	p = parsing->next;
	buffer = arena_alloc(&parsing->limits->arena, (size_t)(end - p) + 1, 1);
	*word = (struct word){ .text = buffer, .at = p, .is_quoted = *p == '"' };
	if (word->is_quoted) {
		for (p++; p < end && *p != '"'; p++) {
			if (*p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\'))
				p++;
			buffer[word->len++] = *p;
		}
		buffer[word->len] = '\0';
		if (p == end)
			return fail(parsing, p, "\" after the pattern");
		p++;
		if (p < end && !is_blank(*p))
			return fail(parsing, p, "a blank after the pattern");
	} else {
		while (p < end && !is_blank(*p))
			buffer[word->len++] = *p++;
	}
	parsing->next = p;
	buffer[word->len] = '\0';
	if (memchr(buffer, '\0', word->len))
		return fail(parsing, word->at, "no NUL byte");
	return PROFILE_OK;
}

static bool is_word(const struct word *word, const char *text)
{
	return !word->is_quoted && strcmp(word->text, text) == 0;
}

/* -- bounds ------------------------------------------------------------------------------ */

static const char bound_form[] = "a bound: +N, +N%, -N, -N%, +-N, +-N%, <=N, >=N or improve";
static const char number_form[] = "a number, or a percentage";
static const char percent_form[] = "a percentage below 100000, with four decimals at most";

/*
 * Digits, "_" among them, from *p on, after the digits of *value.  NULL, or what was expected; `form`
 * if there are none.
 */
static const char *read_digits(const char **p, int64_t *value, int *n, const char *form)
{
	const char *start = *p;

	for (*n = 0; (**p >= '0' && **p <= '9') || (**p == '_' && *p > start); (*p)++) {
		if (**p == '_')
			continue;
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, **p - '0', value))
			return "a number up to 9223372036854775807";
		(*n)++;
	}
	if (*n > 0 && (*p)[-1] == '_')
		return "a digit after _";
	return *n > 0 ? NULL : form;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "5%" or "0.25%" in millionths, from p to its end; NULL, or what was expected. */
static const char *read_percent(const char *p, int64_t *millionths)
{
	enum { DECIMALS = 4, DIGITS = 5 }; /* what int128 has room for */
	const char *wrong;
	int n, decimals = 0;

	*millionths = 0;
	wrong = read_digits(&p, millionths, &n, percent_form);
	if (!wrong && n > DIGITS)
		wrong = percent_form;
	if (!wrong && *p == '.') {
		p++;
		wrong = read_digits(&p, millionths, &decimals, percent_form);
	}
	if (!wrong && (decimals > DECIMALS || *p != '%'))
		wrong = percent_form;
	if (!wrong && is_letter(p[1]))
		wrong = "a blank after %";
	else if (!wrong && p[1] != '\0')
		wrong = percent_form;
	for (; !wrong && decimals < DECIMALS; decimals++)
		*millionths *= 10;
	return wrong;
}

static const char *read_count(const char *p, int64_t *count, const char *form)
{
	const char *wrong;
	int n;

	*count = 0;
	wrong = read_digits(&p, count, &n, form);
	if (!wrong && is_letter(*p))
		wrong = "a blank after the number";
	else if (!wrong && *p != '\0')
		wrong = form;
	return wrong;
}

/* The length of the sign of a bound both ways; 0 if there is none. */
static size_t both_ways(const char *text)
{
	static const char *const signs[] = { "+-", "\xc2\xb1" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(text, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	return 0;
}

/* A bound with a sign. */
static int read_change(const struct limit_parsing *parsing, const struct word *word,
		       struct limit *limit)
{
	size_t both = both_ways(word->text), sign = both ? both : 1;
	const char *text = word->text + sign;
	bool is_percent = strchr(text, '%') != NULL;
	int64_t value;
	const char *wrong = is_percent ? read_percent(text, &value)
				       : read_count(text, &value, number_form);

	if (wrong)
		return fail(parsing, word->at + sign, wrong);
	if (is_percent ? limit->has_percent : limit->has_change)
		return fail(parsing, word->at, "one bound of this kind");
	limit->is_both_ways = both > 0;
	if (word->text[0] == '-')
		value = -value;
	if (is_percent)
		limit->percent = value;
	else
		limit->change = value;
	limit->has_percent |= is_percent;
	limit->has_change |= !is_percent;
	return PROFILE_OK;
}

static bool begins_bound(const char *text, const char *end)
{
	return text < end && (strchr("+-<>i", *text) != NULL || *text == '\xc2');
}

static int read_bound(const struct limit_parsing *parsing, const struct word *word,
		      struct limit *limit)
{
	static const char once[] = "one bound of this kind";
	bool has_bound = limit->has_percent || limit->has_change || limit->has_most ||
			 limit->has_least || limit->must_improve;
	bool is_least = strncmp(word->text, ">=", 2) == 0, both = both_ways(word->text) > 0;
	int64_t *value = is_least ? &limit->least : &limit->most;
	const char *wrong = NULL;

	if (word->is_quoted || !begins_bound(word->text, word->text + word->len))
		return fail(parsing, word->at, bound_form);
	/*
	 * A limit is broken if all bounds are exceeded, so one that no increase exceeds would undo the others,
	 * and the other way round.
	 */
	if (has_bound && (limit->has_least || is_least))
		wrong = limit->has_least && is_least
				? once
				: "no other bound with >=N, which has a limit of its own";
	else if (has_bound && limit->is_both_ways != both)
		wrong = "+- in all bounds or in none of them";
	if (wrong)
		return fail(parsing, word->at, wrong);
	if (word->text[0] == '+' || word->text[0] == '-' || both)
		return read_change(parsing, word, limit);
	if (is_word(word, "improve")) {
		if (limit->must_improve)
			return fail(parsing, word->at, once);
		limit->must_improve = true;
		return PROFILE_OK;
	}
	if (!is_least && strncmp(word->text, "<=", 2) != 0)
		return fail(parsing, word->at, bound_form);
	if (is_least ? limit->has_least : limit->has_most)
		return fail(parsing, word->at, once);
	limit->has_least |= is_least;
	limit->has_most |= !is_least;
	wrong = read_count(word->text + 2, value, "a number");
	return wrong ? fail(parsing, word->at + 2, wrong) : PROFILE_OK;
}

/* -- limits ------------------------------------------------------------------------------- */

static int read_limit(struct limit_parsing *parsing, struct limit *limit)
{
	struct word word = { 0 };
	const char *start = parsing->next, *end;
	int status;

	*limit = (struct limit){ .line = parsing->line };
	status = read_word(parsing, "a limit", &word);
	if (status)
		return status;
	if (!is_word(&word, "total")) {
		const bool is_region = is_word(&word, "region");

		limit->scope = is_region                     ? LIMIT_REGION
			       : is_word(&word, "inclusive") ? LIMIT_INCLUSIVE
							     : LIMIT_SELF;
		limit->pattern = "*";
		if (is_region || is_word(&word, "self") || is_word(&word, "inclusive")) {
			status = read_word(parsing,
					   is_region ? "a pattern of regions"
						     : "a pattern of functions",
					   &word);
			limit->pattern = word.text;
		} else if (!is_word(&word, "any")) {
			status = fail(parsing, word.at, "total, any, self, inclusive or region");
		}
	}
	if (!status)
		status = read_word(parsing, "the name of an event", &word);
	if (status)
		return status;
	limit->event = word.text;
	limit->event_column = (uint64_t)(word.at - parsing->begin) + 1;
	do {
		status = read_word(parsing, bound_form, &word);
		if (!status)
			status = read_bound(parsing, &word, limit);
	} while (!status && !is_at_end(parsing) && begins_bound(parsing->next, parsing->end));
	if (!status && !is_at_end(parsing)) {
		status = read_word(parsing, "hard or soft", &word);
		limit->is_soft = !status && is_word(&word, "soft");
		if (!status && !limit->is_soft && !is_word(&word, "hard"))
			status = fail(parsing, word.at, "a bound, hard or soft");
		if (!status && !is_at_end(parsing))
			status = fail(parsing, parsing->next, "the end of the line");
	}
	for (end = parsing->next; end > start && is_blank(end[-1]);)
		end--;
	limit->text = arena_copy(&parsing->limits->arena, start, (size_t)(end - start));
	return status;
}

int limits_parse(struct limits *limits, const char *data, size_t len, const char *name,
		 struct profile_error *error)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	struct limit_parsing parsing = { .limits = limits, .name = name, .error = error };
	const char *end = data + len;
	int status = PROFILE_OK;

	*limits = (struct limits){ .n = 0 };
	arena_init(&limits->arena);
	/* Editors of other systems begin a file with it. */
	if (len >= 3 && memcmp(data, byte_order_mark, 3) == 0)
		data += 3;
	while (data < end && !status) {
		const char *line_end = memchr(data, '\n', (size_t)(end - data));

		parsing.begin = parsing.next = data;
		parsing.end = line_end ? line_end : end;
		parsing.line++;
		if (!is_at_end(&parsing)) {
			limits->all = heap_grow(limits->all, &limits->capacity, limits->n + 1,
						sizeof(*limits->all));
			status = read_limit(&parsing, &limits->all[limits->n++]);
		}
		data = parsing.end + (line_end != NULL);
	}
	return status;
}

int limits_read(struct limits *limits, const char *path, struct profile_error *error)
{
	char *data = heap_alloc(LIMIT_MAX_BYTES + 1);
	struct source source;
	size_t len = 0, got = 1;
	int status;

	*limits = (struct limits){ .n = 0 };
	arena_init(&limits->arena);
	status = source_open(&source, path, error);
	if (!status) {
		for (; !status && got > 0 && len <= LIMIT_MAX_BYTES; len += got)
			status = source_read(&source, data + len, LIMIT_MAX_BYTES + 1 - len, &got,
					     error);
		source_close(&source);
	}
	if (!status && len > LIMIT_MAX_BYTES)
		status = profile_error_set(error, PROFILE_SYNTAX,
					   "expected limits, of 1 MiB at most");
	if (status && error)
		error->file = path;
	if (!status)
		status = limits_parse(limits, data, len, path, error);
	free(data);
	return status;
}

void limits_release(struct limits *limits)
{
	free(limits->all);
	arena_release(&limits->arena);
	*limits = (struct limits){ .n = 0 };
}

/* Goes back to the last star only: enough, since a later one can take what an earlier one gave. */
bool limit_matches(const char *pattern, const char *text, size_t len)
{
	const char *star = NULL;
	size_t i = 0, star_at = 0;

	while (i < len) {
		if (*pattern == '*') {
			star = pattern++;
			star_at = i;
		} else if (*pattern != '\0' && (*pattern == '?' || *pattern == text[i])) {
			pattern++;
			i++;
		} else if (star) {
			pattern = star + 1;
			i = ++star_at;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

/* -- held to a difference -------------------------------------------------- */

bool limit_is_exceeded(const struct limit *limit, int128 old_value, int128 new_value,
		       unsigned decimals)
{
	int128 change = new_value - old_value, unit = 1;
	bool is_decrease = change < 0;

	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	if (limit->is_both_ways)
		change = int128_magnitude(change);
	if (limit->has_percent && change * 1000000 <= limit->percent * int128_magnitude(old_value))
		return false;
	if (limit->has_change && change <= limit->change * unit)
		return false;
	if (limit->has_most && new_value <= limit->most * unit)
		return false;
	if (limit->has_least && new_value >= limit->least * unit)
		return false;
	return !limit->must_improve || !is_decrease;
}

/* How much values break a limit, to be compared with others that break it. */
static int128 severity(const struct limit *limit, int128 old_value, int128 new_value)
{
	if (limit->has_least)
		return -new_value;
	return limit->is_both_ways ? int128_magnitude(new_value - old_value)
				   : new_value - old_value;
}

/* True if a pattern fits a path, or what follows one of its slashes. */
static bool matches_file(const char *pattern, struct name file)
{
	const char *rest = file.text, *end = file.text + file.len;

	while (!limit_matches(pattern, rest, (size_t)(end - rest))) {
		rest = memchr(rest, '/', (size_t)(end - rest));
		if (!rest)
			return false;
		rest++;
	}
	return true;
}

bool limit_fits_function(const char *pattern, struct name function, struct name file)
{
	if (limit_matches(pattern, function.text, function.len))
		return true;
	/* Names of C++ have colons too: each may be the one between file and name. */
	for (const char *colon = strchr(pattern, ':'); colon; colon = strchr(colon + 1, ':')) {
		size_t file_len = (size_t)(colon - pattern);
		char head[1024];

		if (file_len >= sizeof(head))
			return false;
		memcpy(head, pattern, file_len);
		head[file_len] = '\0';
		if (limit_matches(colon + 1, function.text, function.len) &&
		    matches_file(head, file))
			return true;
	}
	return false;
}

/* Of a function that was renamed or has moved, either name. */
static bool matches(const struct difference *difference, size_t row, const char *pattern)
{
	return limit_fits_function(pattern, difference_name(difference, row, NAME_FUNCTION),
				   difference_name(difference, row, NAME_FILE)) ||
	       ((difference_renamed(difference, row) || difference_moved(difference, row)) &&
		limit_fits_function(pattern, difference_old_name(difference, row, NAME_FUNCTION),
				    difference_old_name(difference, row, NAME_FILE)));
}

/* What a limit's metric is of a row, in OLD or NEW. */
static int128 value_of(const struct limit_verdict *verdict, const struct difference *difference,
		       size_t row, bool is_new)
{
	const struct model *model = is_new ? difference->new_model : difference->old_model;
	const uint64_t *costs = verdict->limit->scope == LIMIT_SELF
					? difference_self(difference, row, is_new)
					: difference_inclusive(difference, row, is_new);

	return metric_value(verdict->metric, costs, model->is_signed);
}

void limit_check(struct limit_verdict *verdict, const struct difference *difference,
		 const struct limit *limit, const struct metric *metric, bool has_result)
{
	*verdict = (struct limit_verdict){ .limit = limit, .metric = metric };
	if (limit->scope == LIMIT_TOTAL) {
		verdict->old_value = metric_value(metric, difference->old_totals,
						  difference->old_model->is_signed);
		verdict->new_value = metric_value(metric, difference->new_totals,
						  difference->new_model->is_signed);
		verdict->n_matched = 1;
		verdict->n_broken = limit_is_exceeded(limit, verdict->old_value, verdict->new_value,
						      metric->decimals.people);
	}
	for (size_t row = 0; limit->scope != LIMIT_TOTAL && limit->scope != LIMIT_REGION &&
			     row < difference->n_rows;
	     row++) {
		int128 old_value, new_value;

		if (!matches(difference, row, limit->pattern))
			continue;
		old_value = value_of(verdict, difference, row, false);
		new_value = value_of(verdict, difference, row, true);
		verdict->n_matched++;
		verdict->n_gone += difference->rows[row].new_function == MODEL_NO_FUNCTION;
		if (!limit_is_exceeded(limit, old_value, new_value, metric->decimals.people))
			continue;
		if (verdict->n_broken++ > 0 &&
		    severity(limit, old_value, new_value) <=
			    severity(limit, verdict->old_value, verdict->new_value))
			continue;
		verdict->row = row;
		verdict->old_value = old_value;
		verdict->new_value = new_value;
	}
	verdict->state = !has_result                             ? LIMIT_NO_RESULT
			 : verdict->n_matched == 0               ? LIMIT_UNMATCHED
			 : verdict->n_gone == verdict->n_matched ? LIMIT_GONE
			 : verdict->n_broken > 0                 ? LIMIT_BROKEN
								 : LIMIT_KEPT;
}

/* -- held to regions ------------------------------------------------------- */

bool limit_is_relative(const struct limit *limit)
{
	return limit->has_percent || limit->has_change || limit->must_improve;
}

bool limit_region_is_broken(const struct limit *limit, const struct limit_region *region,
			    unsigned decimals)
{
	return region->in_new && !region->is_unmatched &&
	       (region->in_old || !limit_is_relative(limit)) &&
	       limit_is_exceeded(limit, region->old_value, region->new_value, decimals);
}

void limit_check_regions(struct limit_verdict *verdict, const struct limit *limit,
			 const struct metric *metric, const struct limit_region *regions, size_t n)
{
	bool is_unmatched = false;

	*verdict = (struct limit_verdict){ .limit = limit, .metric = metric };
	for (size_t i = 0; i < n; i++) {
		const struct limit_region *region = &regions[i];

		if (!limit_matches(limit->pattern, region->name, strlen(region->name)))
			continue;
		verdict->n_matched++;
		verdict->n_gone += !region->in_new;
		is_unmatched |= region->is_unmatched;
		if (!limit_region_is_broken(limit, region, metric->decimals.people))
			continue;
		if (verdict->n_broken++ > 0 &&
		    severity(limit, region->old_value, region->new_value) <=
			    severity(limit, verdict->old_value, verdict->new_value))
			continue;
		verdict->row = i;
		verdict->old_value = region->old_value;
		verdict->new_value = region->new_value;
	}
	verdict->state = verdict->n_matched == 0 || is_unmatched ? LIMIT_UNMATCHED
			 : verdict->n_gone > 0                   ? LIMIT_GONE
			 : verdict->n_broken > 0                 ? LIMIT_BROKEN
								 : LIMIT_KEPT;
}

size_t limit_check_list(const struct limit_verdict *verdict, const struct difference *difference,
			struct limit_violation *list, size_t most)
{
	const struct limit *limit = verdict->limit;
	size_t n = 0;

	for (size_t row = 0; row < difference->n_rows; row++) {
		struct limit_violation broken = { .row = row };
		size_t at;

		if (limit->scope == LIMIT_TOTAL || !matches(difference, row, limit->pattern))
			continue;
		broken.old_value = value_of(verdict, difference, row, false);
		broken.new_value = value_of(verdict, difference, row, true);
		if (!limit_is_exceeded(limit, broken.old_value, broken.new_value,
				       verdict->metric->decimals.people))
			continue;
		for (at = n;
		     at > 0 && severity(limit, list[at - 1].old_value, list[at - 1].new_value) <
				       severity(limit, broken.old_value, broken.new_value);
		     at--)
			if (at < most)
				list[at] = list[at - 1];
		if (at == most)
			continue;
		list[at] = broken;
		n += n < most;
	}
	return n;
}
