/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/event_names.h"

#include <string.h>

#include "profile/common/scan.h"
#include "writer/shared/events.h"

enum event_owner {
	OWNER_VALGRINDS,
	OWNER_OWN,
};

static const struct event_info known[] = {
#define INFO(id, name, long_name, origin, group, cost, of, old_name, unit, text, owner) \
 { name, long_name, text, old_name, of, unit, EVENT_ORIGIN_##origin, OWNER_##owner == OWNER_OWN },
	EVENTS(INFO)
#undef INFO
};

const struct event_info *event_all(size_t *n)
{
	*n = sizeof(known) / sizeof(known[0]);
	return known;
}

const struct event_info *event_find(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0 ||
		    (known[i].old_name && strcmp(known[i].old_name, name) == 0))
			return &known[i];
	return NULL;
}

const char *event_name(const char *name)
{
	const struct event_info *info = event_find(name);

	return info ? info->name : name;
}

bool event_is_tenths(const char *name)
{
	const struct event_info *info = event_find(name);

	return info && strncmp(info->unit, "1/10 ", strlen("1/10 ")) == 0;
}

const struct cycle_part *cycle_part_find(const char *name)
{
#define PART(id, event, term, word) { event, term, word },
	static const struct cycle_part parts[] = { CYCLE_PARTS(PART) };
#undef PART

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	return NULL;
}

bool event_is_inclusive(const char *name)
{
	const struct event_info *info = event_find(name);

	return !info || info->origin != EVENT_ORIGIN_LINE_USE;
}

bool event_is_of_curve(const char *name)
{
	const struct event_info *info = event_find(name);

	return info && info->origin == EVENT_ORIGIN_SIZE;
}

size_t event_index(const char *const *names, size_t n, const char *name)
{
	const char *wanted = event_name(name);
	size_t i = 0;

	while (i < n && strcmp(event_name(names[i]), wanted) != 0)
		i++;
	return i;
}

bool event_is_of_valgrind(const char *name)
{
	const struct event_info *info = event_find(name);

	return info && !info->is_own;
}

bool event_is_column(const char *text)
{
	const char *p = text;

	while (*p > ' ' && *p < 0x7f)
		p++;
	return p > text && *p == '\0';
}

/* -- formulas ------------------------------------------------------------------ */

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Digits after a point, at most `most` of them; zeros at the end do not count.  NULL if there are none or more. */
static const char *take_decimals(const char *p, unsigned most, uint64_t *factor, unsigned *decimals)
{
	unsigned zeros = 0;
	const char *start = p;

	for (; scan_is_digit(*p); p++) {
		if (*p == '0') {
			zeros++;
			continue;
		}
		for (*decimals += ++zeros; zeros > 0; zeros--)
			if (__builtin_mul_overflow(*factor, 10, factor))
				return NULL;
		if (__builtin_add_overflow(*factor, (uint64_t)(*p - '0'), factor) ||
		    *decimals > most)
			return NULL;
	}
	return p > start ? p : NULL;
}

static int take_term(const char **rest, bool first, unsigned most, struct formula_term *term)
{
	uint64_t factor = 1;
	unsigned decimals = 0;
	const char *p = scan_blanks(*rest);
	bool minus = *p == '-', has_sign = minus || *p == '+';

	if (*p == '\0' && !first)
		return 0;
	*rest = p = scan_blanks(p + has_sign);
	/* Only the first term may do without a sign. */
	if (!has_sign && !first)
		return -1;
	if (scan_is_digit(*p)) {
		p = scan_number(p, &factor);
		if (p && *p == '.' && most > 0)
			p = take_decimals(p + 1, most, &factor, &decimals);
		if (!p || factor > INT64_MAX)
			return -1;
		p = scan_blanks(p);
		if (*p == '*')
			p = scan_blanks(p + 1);
	}
	*rest = p;
	if (!begins_name(*p))
		return -1;
	while (begins_name(*p) || scan_is_digit(*p))
		p++;
	*term = (struct formula_term){ minus ? -(int64_t)factor : (int64_t)factor, *rest,
				       (size_t)(p - *rest), decimals };
	*rest = p;
	return 1;
}

int formula_next(const char **rest, bool first, struct formula_term *term)
{
	return take_term(rest, first, 0, term);
}

int formula_next_weighted(const char **rest, bool first, struct formula_term *term)
{
	return take_term(rest, first, FORMULA_DECIMALS, term);
}

static bool is_formula(const char *text, unsigned most)
{
	struct formula_term term;
	int result = take_term(&text, true, most, &term);

	while (result > 0)
		result = take_term(&text, false, most, &term);
	return result == 0;
}

bool formula_is_valid(const char *text)
{
	return is_formula(text, 0);
}

bool formula_is_weighted(const char *text)
{
	return is_formula(text, FORMULA_DECIMALS);
}

/* -- options --------------------------------------------------------------- */

enum event_group {
#define GROUP(group, option) EVENT_GROUP_##group,
	EVENT_GROUPS(GROUP)
#undef GROUP
};

static const char *const group_options[] = {
#define OPTION(group, option) option,
	EVENT_GROUPS(OPTION)
#undef OPTION
};

/* In the order of the events that are known. */
static const enum event_group group_of[] = {
#define GROUP(id, name, long_name, origin, group, cost, of, old_name, unit, text, owner) \
 EVENT_GROUP_##group,
	EVENTS(GROUP)
#undef GROUP
};

static const struct {
	const char *name, *formula;
} sums[] = {
#define SUM(name, formula, needs, long_name, text) { name, formula },
	DERIVED_EVENTS(SUM)
#undef SUM
		{ EVENT_ESTIMATE, EVENT_ESTIMATE_FORMULA },
};

static const char *recorded_option(const char *name)
{
	const struct event_info *info = event_find(name);

	return info ? group_options[group_of[info - known]] : NULL;
}

/* The number of a sum before the n-th; n if no sum has this name. */
static size_t find_sum(size_t n, const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(sums[i].name) == len && memcmp(sums[i].name, name, len) == 0)
			return i;
	return n;
}

const char *event_option(const char *name)
{
	const size_t n_sums = sizeof(sums) / sizeof(sums[0]);
	const char *option = recorded_option(name);
	size_t sum = find_sum(n_sums, name, strlen(name));

	/* The unit of the first term that has one; a sum of sums begins with one above it. */
	while (!option && sum < n_sums) {
		const char *rest = sums[sum].formula;
		struct formula_term term;
		size_t inner = n_sums;

		for (int more = formula_next(&rest, true, &term); more > 0 && !option;
		     more = formula_next(&rest, false, &term)) {
			char word[16];

			if (inner == n_sums && find_sum(sum, term.name, term.len) < sum)
				inner = find_sum(sum, term.name, term.len);
			if (term.len >= sizeof(word))
				continue;
			memcpy(word, term.name, term.len);
			word[term.len] = '\0';
			option = recorded_option(word);
		}
		sum = inner;
	}
	return option;
}
