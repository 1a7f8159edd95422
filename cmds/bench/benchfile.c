/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of results, and the file of a baseline. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/bench/bench.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"

/* -- sets ------------------------------------------------------------------------------------- */

void bench_set_init(struct bench_set *set)
{
	*set = (struct bench_set){ .n = 0 };
	arena_init(&set->arena);
}

void bench_set_release(struct bench_set *set)
{
	free(set->facts);
	free(set->all);
	free(set->failures);
	arena_release(&set->arena);
	bench_set_init(set);
}

size_t bench_set_event(const struct bench_set *set, const char *name)
{
	size_t i = 0;

	while (i < set->n_events && strcmp(set->events[i].name, name) != 0)
		i++;
	return i;
}

size_t bench_set_add_event(struct bench_set *set, const char *name)
{
	const size_t event = bench_set_event(set, name);

	if (event < set->n_events || event == BENCH_EVENTS)
		return event;
	set->events[set->n_events++].name = arena_copy(&set->arena, name, strlen(name));
	return event;
}

static int compare_facts(const struct bench_fact *a, const struct bench_fact *b)
{
	const int order = strcmp(a->what, b->what);

	return order ? order : strcmp(a->text, b->text);
}

void bench_set_add_fact(struct bench_set *set, const char *what, const char *text)
{
	struct bench_fact fact = { what, arena_copy(&set->arena, text, strcspn(text, "\n")) };
	size_t at = 0;
	int order = 1;

	while (at < set->n_facts && (order = compare_facts(&set->facts[at], &fact)) < 0)
		at++;
	if (at < set->n_facts && order == 0)
		return;
	fact.what = arena_copy(&set->arena, what, strlen(what));
	set->facts =
		heap_grow(set->facts, &set->facts_capacity, set->n_facts + 1, sizeof(*set->facts));
	memmove(&set->facts[at + 1], &set->facts[at], (set->n_facts - at) * sizeof(fact));
	set->facts[at] = fact;
	set->n_facts++;
}

struct bench_result *bench_set_add(struct bench_set *set, const char *name, size_t len)
{
	set->all = heap_grow(set->all, &set->capacity, set->n + 1, sizeof(*set->all));
	set->all[set->n] = (struct bench_result){ .name = arena_copy(&set->arena, name, len) };
	return &set->all[set->n++];
}

static int compare_names(const void *left, const void *right)
{
	const struct bench_result *a = left, *b = right;

	return strcmp(a->name, b->name);
}

const struct bench_result *bench_set_sort(struct bench_set *set)
{
	if (set->n > 1)
		qsort(set->all, set->n, sizeof(*set->all), compare_names);
	for (size_t i = 1; i < set->n; i++)
		if (strcmp(set->all[i - 1].name, set->all[i].name) == 0)
			return &set->all[i];
	return NULL;
}

const struct bench_result *bench_set_find(const struct bench_set *set, const char *name)
{
	const struct bench_result wanted = { .name = name };

	return set->n > 0 ? bsearch(&wanted, set->all, set->n, sizeof(*set->all), compare_names)
			  : NULL;
}

/* -- writing ---------------------------------------------------------------------------------- */

static const char first_line[] = "# costgrind bench, version 1: event, count, benchmark";

void benchfile_write(const struct bench_set *set, FILE *out)
{
	fprintf(out, "%s\n", first_line);
	for (size_t i = 0; i < set->n_facts; i++)
		fprintf(out, "# %s: %s\n", set->facts[i].what, set->facts[i].text);
	for (size_t i = 0; i < set->n; i++) {
		for (size_t event = 0; event < set->n_events; event++) {
			char text[INT128_TEXT];

			if (!set->all[i].has[event])
				continue;
			int128_print_decimal(text, set->all[i].values[event], false,
					     set->events[event].decimals);
			fprintf(out, "%s %s %s\n", set->events[event].name, text, set->all[i].name);
		}
		for (size_t j = 0; j < set->all[i].n_functions; j++) {
			const struct bench_function *function = &set->all[i].functions[j];
			char text[INT128_TEXT];

			int128_print(text, function->ir, false);
			fprintf(out, "  %s %s\n", text, function->name);
		}
	}
}

/* -- reading ---------------------------------------------------------------------------------- */

/* Digits, perhaps after a minus and with a point among them, from p to the end; false if there is something else. */
static bool read_value(const char *p, const char *end, int128 *value, unsigned *decimals)
{
	enum { MOST = 27 }; /* digits: a limit's bounds (limit.h) can be computed with them */
	const bool is_negative = p < end && *p == '-'; /* a derived event may be */
	const char *start = p + is_negative, *point = NULL;

	*value = 0;
	p = start;
	for (; p < end && p - start < MOST; p++) {
		if (*p == '.' && !point && p > start)
			point = p;
		else if (*p >= '0' && *p <= '9')
			*value = *value * 10 + (*p - '0');
		else
			return false;
	}
	if (is_negative)
		*value = -*value;
	*decimals = point ? (unsigned)(p - point - 1) : 0;
	return p == end && p > start && (!point || *decimals > 0) && *decimals < 10;
}

/* True if all is letters, digits and underscores: no name of an event needs to be escaped anywhere. */
static bool is_event_name(const char *p, const char *end)
{
	while (p < end && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			   (*p >= '0' && *p <= '9') || *p == '_'))
		p++;
	return p == end;
}

/* One line of a result, from p to its end; NULL, or what was expected. */
static const char *read_result(struct bench_set *set, const char *p, const char *end)
{
	const char *value = memchr(p, ' ', (size_t)(end - p)), *name;
	struct bench_result *result = set->n > 0 ? &set->all[set->n - 1] : NULL;
	char event_name[64];
	size_t event, len, n_before = set->n_events;
	unsigned decimals;

	name = value ? memchr(value + 1, ' ', (size_t)(end - value - 1)) : NULL;
	if (!name || value == p || (size_t)(value - p) >= sizeof(event_name) || name + 1 == end ||
	    !is_event_name(p, value))
		return "EVENT COUNT BENCHMARK";
	snprintf(event_name, sizeof(event_name), "%.*s", (int)(value - p), p);
	event = bench_set_add_event(set, event_name);
	if (event == BENCH_EVENTS)
		return "16 events at most";
	len = (size_t)(end - name - 1);
	if (!result || strlen(result->name) != len || memcmp(result->name, name + 1, len) != 0)
		result = bench_set_add(set, name + 1, len);
	if (result->has[event])
		return "each event of a benchmark once";
	result->has[event] = true;
	if (!read_value(value + 1, name, &result->values[event], &decimals))
		return "EVENT COUNT BENCHMARK, and a count in digits";
	if (event == n_before)
		set->events[event].decimals = decimals;
	return set->events[event].decimals == decimals
		       ? NULL
		       : "as many digits after the point as in the lines before";
}

/* "  5120 crc.c:crc", a function of the last result; NULL, or what was expected. */
static const char *read_function(struct bench_set *set, const char *p, const char *end)
{
	struct bench_result *result = set->n > 0 ? &set->all[set->n - 1] : NULL;
	struct bench_function function;
	const char *name;
	unsigned decimals;

	while (p < end && *p == ' ')
		p++;
	name = memchr(p, ' ', (size_t)(end - p));
	if (!result || !name || name + 1 == end || !read_value(p, name, &function.ir, &decimals) ||
	    decimals > 0 || function.ir < 0)
		return "COUNT FUNCTION, below a benchmark";
	if (result->n_functions == BENCH_FUNCTIONS)
		return "8 functions of a benchmark at most";
	function.name = arena_copy(&set->arena, name + 1, (size_t)(end - name - 1));
	for (size_t i = 0; i < result->n_functions; i++)
		if (strcmp(result->functions[i].name, function.name) == 0)
			return "each function of a benchmark once";
	result->functions[result->n_functions++] = function;
	return NULL;
}

/* "# what: text"; lines without a colon are comments. */
static void read_fact(struct bench_set *set, const char *p, const char *end)
{
	char *line = heap_copy_part(p, (size_t)(end - p)), *text = strstr(line, ": ");

	if (text && strncmp(line, "# ", 2) == 0) {
		*text = '\0';
		bench_set_add_fact(set, line + 2, text + 2);
	}
	free(line);
}

int benchfile_parse(struct bench_set *set, const char *data, size_t len, const char *name,
		    const char *command)
{
	const char *end = len > 0 ? data + len : data, *expected = NULL;
	const struct bench_result *twice;
	unsigned long long number = 0;

	while (data < end && !expected) {
		const char *line_end = memchr(data, '\n', (size_t)(end - data));
		const char *next = line_end ? line_end + 1 : end;

		if (!line_end)
			line_end = end;
		/* A check-out on another system. */
		while (line_end > data && line_end[-1] == '\r')
			line_end--;
		if (++number == 1) {
			if ((size_t)(line_end - data) != strlen(first_line) ||
			    memcmp(data, first_line, strlen(first_line)) != 0)
				expected = first_line;
		} else if (memchr(data, '\0', (size_t)(line_end - data))) {
			expected = "no NUL byte";
		} else if (line_end > data && *data == '#') {
			read_fact(set, data, line_end);
		} else if (line_end > data && *data == ' ') {
			expected = read_function(set, data, line_end);
		} else if (line_end > data) {
			expected = read_result(set, data, line_end);
		}
		data = next;
	}
	if (number == 0) {
		expected = first_line;
		number = 1;
	}
	if (expected && command)
		complain(command, "%s:%llu: expected %s", name, number, expected);
	if (expected)
		return EXIT_FAILED;
	twice = bench_set_sort(set);
	if (twice && command)
		complain(command, "%s: expected all lines of '%s' next to each other", name,
			 twice->name);
	return twice ? EXIT_FAILED : EXIT_FINE;
}

int benchfile_read(struct bench_set *set, const char *path, const char *command)
{
	FILE *file = fopen(path, "re");
	struct bytes text;
	char buffer[65536];
	size_t got;
	int code = EXIT_FAILED;

	bytes_init(&text);
	if (!file) {
		complain(command, "%s: %s%s", path, strerror(errno),
			 errno == ENOENT ? ": expected a baseline, which --save makes" : "");
		return code;
	}
	while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		bytes_add(&text, buffer, got);
	if (ferror(file))
		complain(command, "%s: %s", path, strerror(errno));
	else
		code = benchfile_parse(set, text.text, text.len, path, command);
	fclose(file);
	bytes_release(&text);
	return code;
}
