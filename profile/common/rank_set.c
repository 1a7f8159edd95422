/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/rank_set.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/common/scan.h"

void rank_set_init(struct rank_set *set, const struct env *env)
{
	*set = (struct rank_set){ .env = env };
}

void rank_set_release(struct rank_set *set)
{
	free(set->ranges);
	rank_set_init(set, set->env);
}

/* What is behind a number of up to RANK_DIGITS digits; NULL = there is none. */
static const char *read_rank(const char *text, uint32_t *rank)
{
	const char *p = text;

	*rank = 0;
	for (; scan_is_digit(*p) && p - text < RANK_DIGITS; p++)
		*rank = 10 * *rank + (uint32_t)(*p - '0');
	return p == text ? NULL : p;
}

/* What is behind a range and its comma; NULL = there is none. */
static const char *read_range(const char *text, struct rank_range *range)
{
	text = read_rank(text, &range->first);
	range->last = range->first;
	if (text && *text == '-')
		text = read_rank(text + 1, &range->last);
	if (!text || range->last < range->first)
		return NULL;
	if (*text == ',' && text[1] != '\0')
		return text + 1;
	return *text == '\0' ? text : NULL;
}

bool rank_set_is_list(const char *text)
{
	struct rank_range range;

	do
		text = read_range(text, &range);
	while (text && *text);
	return text != NULL;
}

bool rank_set_add_list(struct rank_set *set, const char *list)
{
	struct rank_range range;

	while ((list = read_range(list, &range)) != NULL) {
		rank_set_add(set, range.first, range.last);
		if (!*list)
			break;
	}
	return true;
}

bool rank_set_add(struct rank_set *set, uint32_t first, uint32_t last)
{
	size_t from = set->n, to;

	/* Most often, ranks come in ascending order. */
	while (from > 0 && set->ranges[from - 1].last + 1 >= first)
		from--;
	/* Those from here to there are joined with it. */
	for (to = from; to < set->n && set->ranges[to].first <= last + 1; to++) {
		first = set->ranges[to].first < first ? set->ranges[to].first : first;
		last = set->ranges[to].last > last ? set->ranges[to].last : last;
	}
	set->ranges = heap_grow(set->ranges, &set->capacity, set->n + 1, sizeof(*set->ranges));
	if (to != from + 1)
		memmove(set->ranges + from + 1, set->ranges + to,
			(set->n - to) * sizeof(*set->ranges));
	set->n = set->n + from + 1 - to;
	set->ranges[from] = (struct rank_range){ first, last };
	return true;
}

bool rank_set_add_set(struct rank_set *set, const struct rank_set *other)
{
	for (size_t i = 0; i < other->n; i++)
		rank_set_add(set, other->ranges[i].first, other->ranges[i].last);
	return true;
}

bool rank_set_has(const struct rank_set *set, uint32_t rank)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->ranges[i].first <= rank && rank <= set->ranges[i].last)
			return true;
	return false;
}

uint64_t rank_set_count(const struct rank_set *set)
{
	uint64_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += (uint64_t)(set->ranges[i].last - set->ranges[i].first) + 1;
	return n;
}

bool rank_set_add_difference(struct rank_set *set, const struct rank_set *one,
			     const struct rank_set *other)
{
	size_t next = 0;

	for (size_t i = 0; i < one->n; i++) {
		uint32_t first = one->ranges[i].first, last = one->ranges[i].last;

		while (next < other->n && other->ranges[next].last < first)
			next++;
		/* The last one may reach into the next range of the first set. */
		for (size_t j = next; j < other->n && other->ranges[j].first <= last; j++) {
			const struct rank_range *hole = &other->ranges[j];

			if (hole->first > first)
				rank_set_add(set, first, hole->first - 1);
			first = hole->last + 1;
		}
		if (first <= last)
			rank_set_add(set, first, last);
	}
	return true;
}

bool rank_set_add_common(struct rank_set *set, const struct rank_set *one,
			 const struct rank_set *other)
{
	size_t i = 0, j = 0;

	while (i < one->n && j < other->n) {
		const struct rank_range *a = &one->ranges[i], *b = &other->ranges[j];
		uint32_t first = a->first > b->first ? a->first : b->first;
		uint32_t last = a->last < b->last ? a->last : b->last;

		if (first <= last)
			rank_set_add(set, first, last);
		if (a->last < b->last)
			i++;
		else
			j++;
	}
	return true;
}

void rank_set_print(const struct rank_set *set, struct bytes *text)
{
	for (size_t i = 0; i < set->n; i++) {
		char range[RANK_LIST_SIZE];

		if (i > 0)
			bytes_add_char(text, ',');
		bytes_add(text, range, rank_list(range, set->ranges[i].first, set->ranges[i].last));
	}
}
