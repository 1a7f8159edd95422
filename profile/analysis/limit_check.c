/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/limit_check.h"

#include <string.h>

bool limit_is_exceeded(const struct limit *limit, int128 old_value, int128 new_value)
{
	int128 change = new_value - old_value;

	if (limit->has_percent && change * 1000000 <= limit->percent * int128_magnitude(old_value))
		return false;
	if (limit->has_change && change <= limit->change)
		return false;
	if (limit->has_most && new_value <= limit->most)
		return false;
	return !limit->must_improve || change >= 0;
}

/* Whether a pattern fits a path, or what is behind one of its slashes. */
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

/* The pattern is of "name", or of "file:name". */
static bool matches_names(const char *pattern, struct name function, struct name file)
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

/* Of a renamed function, either name. */
static bool matches(const struct difference *difference, size_t row, const char *pattern)
{
	const struct name file = difference_name(difference, row, NAME_FILE);

	return matches_names(pattern, difference_name(difference, row, NAME_FUNCTION), file) ||
	       (difference_renamed(difference, row) &&
		matches_names(pattern, difference_old_name(difference, row, NAME_FUNCTION), file));
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

static void check_row(struct limit_verdict *verdict, const struct difference *difference,
		      size_t row)
{
	int128 old_value = value_of(verdict, difference, row, false);
	int128 new_value = value_of(verdict, difference, row, true);

	verdict->n_matched++;
	verdict->n_gone += difference->rows[row].new_function == MODEL_NO_FUNCTION;
	if (!limit_is_exceeded(verdict->limit, old_value, new_value))
		return;
	if (verdict->n_broken++ > 0 &&
	    new_value - old_value <= verdict->new_value - verdict->old_value)
		return;
	verdict->row = row;
	verdict->old_value = old_value;
	verdict->new_value = new_value;
}

void limit_check(struct limit_verdict *verdict, const struct difference *difference,
		 const struct limit *limit, const struct metric *metric)
{
	*verdict = (struct limit_verdict){ .limit = limit, .metric = metric };
	if (limit->scope == LIMIT_TOTAL) {
		verdict->old_value = metric_value(metric, difference->old_totals,
						  difference->old_model->is_signed);
		verdict->new_value = metric_value(metric, difference->new_totals,
						  difference->new_model->is_signed);
		verdict->n_matched = 1;
		verdict->n_broken =
			limit_is_exceeded(limit, verdict->old_value, verdict->new_value);
		return;
	}
	for (size_t row = 0; row < difference->n_rows; row++)
		if (matches(difference, row, limit->pattern))
			check_row(verdict, difference, row);
}

size_t limit_check_list(const struct limit_verdict *verdict, const struct difference *difference,
			struct limit_violation *list, size_t most)
{
	size_t n = 0;

	for (size_t row = 0; row < difference->n_rows; row++) {
		struct limit_violation broken = { .row = row };
		size_t at;

		if (verdict->limit->scope == LIMIT_TOTAL ||
		    !matches(difference, row, verdict->limit->pattern))
			continue;
		broken.old_value = value_of(verdict, difference, row, false);
		broken.new_value = value_of(verdict, difference, row, true);
		if (!limit_is_exceeded(verdict->limit, broken.old_value, broken.new_value))
			continue;
		for (at = n; at > 0 && list[at - 1].new_value - list[at - 1].old_value <
					       broken.new_value - broken.old_value;
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
