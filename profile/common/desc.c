/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/desc.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/common/scan.h"

/* So that a product of two and 100 fits into 128 bits. */
static const uint64_t most = 1000000000000000000;

static const char signal_word[] = "signal ", exit_word[] = "exit ";
static const char more_names[] = "...";

/* Digits, with commas among them, from *p on. */
static bool read_number(const char **p, uint64_t *number)
{
	const char *begin = *p;

	for (*number = 0; (**p >= '0' && **p <= '9') || (**p == ',' && *p > begin); (*p)++) {
		if (**p == ',')
			continue;
		*number = *number * 10 + (uint64_t)(**p - '0');
		if (*number > most)
			return false;
	}
	return *p > begin && (*p)[-1] != ',';
}

static bool skip(const char **p, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*p, text, len) != 0)
		return false;
	*p += len;
	return true;
}

/* "3 times", "1 time"; *p is moved past it. */
static bool read_count(const char **p, uint64_t *number, const char *unit)
{
	if (!read_number(p, number) || !skip(p, unit))
		return false;
	*p += **p == 's';
	return true;
}

/* A signal is worse than an exit code, and a higher number worse than a lower one. */
static bool read_end(const char *value, uint64_t *badness)
{
	bool is_signal = skip(&value, signal_word);

	if ((!is_signal && !skip(&value, exit_word)) || !read_number(&value, badness))
		return false;
	*badness += is_signal ? most : 0;
	return *value == '\0';
}

bool run_facts_is_signal(const char *end)
{
	return end && strncmp(end, signal_word, strlen(signal_word)) == 0;
}

/* What a desc line says about a run. */
struct fact {
	enum {
		FACT_NONE,
		FACT_COLLECTED,
		FACT_ENDED,
		FACT_NOT_PROFILED,
		FACT_UNCOUNTED,
		FACT_SALVAGED,
		FACT_TIME_ASKED,
	} kind;
	uint64_t number, executed; /* number: collected, bad, not profiled, or asked */
	const char *names;         /* of programs that were not profiled: the list, perhaps empty */
};

static struct fact read_fact(const struct part_desc *desc)
{
	struct fact fact = { .names = "" };
	const char *type = desc->type, *value = desc->value;

	if (strcmp(type, UNCOUNTED_DESC) == 0) {
		fact.kind = FACT_UNCOUNTED;
	} else if (strcmp(type, SALVAGED_DESC) == 0) {
		fact.kind = FACT_SALVAGED;
	} else if (strcmp(type, ENDED_DESC) == 0) {
		if (read_end(value, &fact.number))
			fact.kind = FACT_ENDED;
	} else if (strcmp(type, COLLECTED_DESC) == 0) {
		if (read_number(&value, &fact.number) && skip(&value, " of ") &&
		    read_count(&value, &fact.executed, " instruction") && *value == '\0')
			fact.kind = FACT_COLLECTED;
	} else if (strcmp(type, NOT_PROFILED_DESC) == 0) {
		if (!read_count(&value, &fact.number, " program"))
			return fact;
		if (skip(&value, ": "))
			fact.names = value;
		if (*fact.names || *value == '\0')
			fact.kind = FACT_NOT_PROFILED;
	} else if (strcmp(type, TIME_ASKED_DESC) == 0) {
		if (read_count(&value, &fact.number, " time") && *value == '\0')
			fact.kind = FACT_TIME_ASKED;
	}
	return fact;
}

bool run_facts_has(const struct part_desc *desc)
{
	return read_fact(desc).kind != FACT_NONE;
}

/* -- sums -------------------------------------------------------------------- */

static void add_number(uint64_t *sum, uint64_t number)
{
	*sum = number < most - *sum ? *sum + number : most;
}

/* Sorted; of too many names the first ones stay, whatever the order in which they come. */
static void add_name(struct run_facts *facts, const char *copy)
{
	size_t at = 0;

	if (strcmp(copy, more_names) == 0) {
		facts->has_more_names = true;
		return;
	}
	while (at < facts->n_names && strcmp(facts->names[at], copy) < 0)
		at++;
	if (at < facts->n_names && strcmp(facts->names[at], copy) == 0)
		return;
	if (facts->n_names == RUN_FACTS_NAMES) {
		facts->has_more_names = true;
		if (at == RUN_FACTS_NAMES)
			return;
		facts->n_names--;
	}
	memmove(&facts->names[at + 1], &facts->names[at],
		(facts->n_names - at) * sizeof(*facts->names));
	facts->names[at] = copy;
	facts->n_names++;
}

/* Of several texts, the first by bytes. */
static void add_text(const char **known, const char *text, struct arena *arena)
{
	if (!*known || strcmp(*known, text) > 0)
		*known = arena_copy(arena, text, strlen(text));
}

void run_facts_add_salvaged(struct run_facts *facts, const char *text, struct arena *arena)
{
	add_text(&facts->salvaged, text, arena);
}

void run_facts_add(struct run_facts *facts, const struct part *part, struct arena *arena)
{
	bool has_collected = false;

	facts->n_parts++;
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct fact fact = read_fact(&part->descs[i]);
		const char *value = part->descs[i].value, *end;
		uint64_t known = 0;

		switch (fact.kind) {
		case FACT_NONE:
			break;
		case FACT_COLLECTED:
			if (has_collected)
				break;
			has_collected = true;
			facts->n_collected++;
			add_number(&facts->collected, fact.number);
			add_number(&facts->executed, fact.executed);
			break;
		case FACT_ENDED:
			if (!facts->end || !read_end(facts->end, &known) || known < fact.number)
				facts->end = arena_copy(arena, value, strlen(value));
			break;
		case FACT_NOT_PROFILED:
			if (fact.number > facts->not_profiled)
				facts->not_profiled = fact.number;
			for (const char *name = fact.names; *name; name = end) {
				size_t len;

				end = strstr(name, ", ");
				len = end ? (size_t)(end - name) : strlen(name);
				if (len > 0)
					add_name(facts, arena_copy(arena, name, len));
				end = end ? end + 2 : name + len;
			}
			break;
		case FACT_UNCOUNTED:
			add_text(&facts->uncounted, value, arena);
			break;
		case FACT_SALVAGED:
			add_text(&facts->salvaged, value, arena);
			break;
		case FACT_TIME_ASKED:
			add_number(&facts->time_asked, fact.number);
			break;
		}
	}
}

/* -- as text ----------------------------------------------------------------- */

static void add_count(struct bytes *text, uint64_t number, const char *unit)
{
	char digits[INT128_TEXT];

	int128_print(digits, (int128)number, true);
	bytes_add_text(text, digits);
	bytes_add_char(text, ' ');
	bytes_add_text(text, unit);
	if (number != 1)
		bytes_add_char(text, 's');
}

/* Ends a line: the text moves into the arena, and is empty again. */
static void end_line(struct part_desc *line, const char *type, struct bytes *text,
		     struct arena *arena)
{
	line->type = type;
	line->value = arena_copy(arena, text->text, text->len);
	bytes_reset(text);
}

size_t run_facts_print(const struct run_facts *facts, struct part_desc lines[RUN_FACTS_LINES],
		       struct arena *arena)
{
	const uint64_t n_known = facts->n_names + facts->has_more_names;
	struct bytes text;
	size_t n = 0;

	bytes_init(&text);
	if (run_facts_know_collected(facts)) {
		char digits[INT128_TEXT];

		bytes_add(&text, digits, int128_print(digits, (int128)facts->collected, true));
		bytes_add_text(&text, " of ");
		add_count(&text, facts->executed, "instruction");
		end_line(&lines[n++], COLLECTED_DESC, &text, arena);
	}
	if (facts->uncounted)
		lines[n++] = (struct part_desc){ UNCOUNTED_DESC, facts->uncounted };
	if (facts->salvaged)
		lines[n++] = (struct part_desc){ SALVAGED_DESC, facts->salvaged };
	if (facts->end)
		lines[n++] = (struct part_desc){ ENDED_DESC, facts->end };
	if (facts->not_profiled > 0) {
		add_count(&text, n_known > facts->not_profiled ? n_known : facts->not_profiled,
			  "program");
		for (size_t i = 0; i < n_known; i++) {
			bytes_add_text(&text, i == 0 ? ": " : ", ");
			bytes_add_text(&text, i < facts->n_names ? facts->names[i] : more_names);
		}
		end_line(&lines[n++], NOT_PROFILED_DESC, &text, arena);
	}
	if (facts->time_asked > 0) {
		add_count(&text, facts->time_asked, "time");
		end_line(&lines[n++], TIME_ASKED_DESC, &text, arena);
	}
	bytes_release(&text);
	return n;
}

bool run_facts_share_fell(const struct run_facts *old_facts, const struct run_facts *new_facts)
{
	return run_facts_know_collected(old_facts) && run_facts_know_collected(new_facts) &&
	       (int128)new_facts->collected * old_facts->executed * 100 <
		       (int128)old_facts->collected * new_facts->executed;
}

/* -- ranks ----------------------------------------------------------------------- */

void rank_set_init(struct rank_set *set)
{
	*set = (struct rank_set){ 0 };
}

void rank_set_release(struct rank_set *set)
{
	free(set->ranges);
	rank_set_init(set);
}

/* What follows a number of up to RANK_DIGITS digits; NULL = there is none. */
static const char *read_rank(const char *text, uint32_t *rank)
{
	const char *p = text;

	*rank = 0;
	for (; scan_is_digit(*p) && p - text < RANK_DIGITS; p++)
		*rank = 10 * *rank + (uint32_t)(*p - '0');
	return p == text ? NULL : p;
}

/* What follows a range and its comma; NULL = there is none. */
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

void rank_set_add_list(struct rank_set *set, const char *list)
{
	struct rank_range range;

	while ((list = read_range(list, &range)) != NULL) {
		rank_set_add(set, range.first, range.last);
		if (!*list)
			break;
	}
}

void rank_set_add(struct rank_set *set, uint32_t first, uint32_t last)
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
}

void rank_set_add_set(struct rank_set *set, const struct rank_set *other)
{
	for (size_t i = 0; i < other->n; i++)
		rank_set_add(set, other->ranges[i].first, other->ranges[i].last);
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

void rank_set_add_difference(struct rank_set *set, const struct rank_set *one,
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
}

void rank_set_add_common(struct rank_set *set, const struct rank_set *one,
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
