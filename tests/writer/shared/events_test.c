/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/shared/events.h: what its rows say about each other, and that the documentation says the same. */
#include "writer/shared/events.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "tests/common/check.h"
#include "writer/shared/optionlist.h"

static const struct row {
	const char *name, *long_name, *group, *of, *old_name, *unit, *text;
} events[] = {
#define EVENT(id, name, long_name, origin, group, cost, of, old_name, unit, text, owner) \
 { name, long_name, #group, of, old_name, unit, text },
	EVENTS(EVENT)
#undef EVENT
};

static const struct derived {
	const char *name, *formula, *needs;
} derived[] = {
#define DERIVED(name, formula, needs, long_name, text) { name, formula, needs },
	DERIVED_EVENTS(DERIVED)
#undef DERIVED
		{ EVENT_ESTIMATE, EVENT_ESTIMATE_FORMULA, EVENT_ESTIMATE_NEEDS },
};

static const struct {
	const char *group, *option;
} groups[] = {
#define GROUP(group, option) { #group, option },
	EVENT_GROUPS(GROUP)
#undef GROUP
};

enum {
	N_EVENTS = sizeof(events) / sizeof(events[0]),
	N_DERIVED = sizeof(derived) / sizeof(derived[0]),
	N_GROUPS = sizeof(groups) / sizeof(groups[0]),
};

static bool is_event(const char *name, size_t len)
{
	for (size_t i = 0; i < N_EVENTS; i++)
		if (strlen(events[i].name) == len && memcmp(events[i].name, name, len) == 0)
			return true;
	return false;
}

/* True if it is one of the first n derived ones. */
static bool is_derived(const char *name, size_t len, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(derived[i].name) == len && memcmp(derived[i].name, name, len) == 0)
			return true;
	return false;
}

static const char *option_of(const char *group)
{
	for (size_t i = 0; i < N_GROUPS; i++)
		if (strcmp(groups[i].group, group) == 0)
			return groups[i].option;
	CHECK(group == NULL); /* it is not in the list */
	return NULL;
}

TEST(counters_are_of_events)
{
	static const struct {
		const char *name, *perf, *manuals;
	} counters[] = {
#define COUNTER(name, perf, manuals) { name, perf, manuals },
		EVENT_COUNTERS(COUNTER)
#undef COUNTER
	};

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		size_t len = strlen(counters[i].name);

		CHECK(is_event(counters[i].name, len) ||
		      is_derived(counters[i].name, len, N_DERIVED));
		CHECK(counters[i].perf || counters[i].manuals);
	}
}

TEST(names_are_words_and_differ)
{
	for (size_t i = 0; i < N_EVENTS; i++) {
		const char *old_name = events[i].old_name;

		CHECK(isalpha((unsigned char)events[i].name[0]));
		for (const char *p = events[i].name; *p; p++)
			CHECK(isalnum((unsigned char)*p));
		CHECK(events[i].long_name[0] && events[i].unit[0] && events[i].text[0]);
		CHECK(!is_derived(events[i].name, strlen(events[i].name), N_DERIVED));
		CHECK(!old_name || !is_event(old_name, strlen(old_name)));
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(events[i].name, events[j].name) != 0);
	}
}

TEST(what_an_event_is_one_of_is_an_event_itself)
{
	for (size_t i = 0; i < N_EVENTS; i++)
		CHECK(!events[i].of || is_event(events[i].of, strlen(events[i].of)));
}

/* Of a formula or a list: all names are events', or the first n derived ones'. */
static void check_names(const char *text, size_t n)
{
	for (; *text; text += strcspn(text, ",") + (text[strcspn(text, ",")] == ',')) {
		size_t len = strcspn(text, ",");

		CHECK(is_event(text, len) || is_derived(text, len, n));
	}
}

static void check_formula(const char *formula, size_t n)
{
	struct formula_term term;
	size_t n_terms = 0;
	int status;

	while ((status = formula_next(&formula, n_terms == 0, &term)) == 1) {
		CHECK(is_event(term.name, term.len) || is_derived(term.name, term.len, n));
		n_terms++;
	}
	CHECK(status == 0 && n_terms > 0);
}

TEST(formulas_name_what_stands_above_them)
{
	for (size_t i = 0; i < N_DERIVED; i++) {
		check_formula(derived[i].formula, i);
		check_names(derived[i].needs, i);
	}
}

TEST(the_estimate_is_what_its_events_cost)
{
	CHECK(EVENT_CYCLES_OF_REFERENCE == 1);
	CHECK(EVENT_CYCLES_OF_REFERENCE + EVENT_CYCLES_OF_L1_MISS == 5);
	CHECK(EVENT_CYCLES_OF_REFERENCE + EVENT_CYCLES_OF_L1_MISS + EVENT_CYCLES_OF_LL_MISS == 35);
	CHECK_STR(EVENT_ESTIMATE_FORMULA, "L1hit + 5 LLhit + 35 RAMhit");
	CHECK_STR(EVENT_CYCLES_TEXT, "1,5,35,0");
}

/* True if the tool has an option of the name that text begins with. */
static bool is_option(const char *text)
{
	static const char *const names[] = {
#define OPTION(name, kind, group, flags, where, form, values, usual, help) name,
		TOOL_OPTIONS(OPTION)
#undef OPTION
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == strcspn(text, "=") &&
		    memcmp(names[i], text, strlen(names[i])) == 0)
			return true;
	return false;
}

TEST(groups_have_options_of_the_tool)
{
	for (size_t i = 0; i < N_GROUPS; i++)
		CHECK(!groups[i].option || is_option(groups[i].option));
	for (size_t i = 0; i < N_EVENTS; i++)
		option_of(events[i].group);
}

/* -- documentation ------------------------------------------------------------------------ */

/* All of a file of docs/ without backslashes, which in the man page are before dashes. */
static char *document(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[4096], *text = NULL;
	size_t size = 0;
	FILE *file, *copy;
	int c;

	snprintf(path, sizeof(path), "%s/docs/%s", top ? top : ".", name);
	file = fopen(path, "r");
	CHECK(file != NULL);
	if (!file)
		exit(1);
	copy = open_memstream(&text, &size);
	while ((c = getc(file)) != EOF)
		if (c != '\\')
			putc(c, copy);
	fclose(file);
	fclose(copy);
	return text;
}

/* True if a text has a word, up to an end. */
static bool has_word(const char *text, const char *end, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = strstr(text, word); p && p < end; p = strstr(p + 1, word))
		if (!isalnum((unsigned char)p[len]) &&
		    (p == text || !isalnum((unsigned char)p[-1])))
			return true;
	return false;
}

static void check_has(const char *text, const char *what)
{
	if (!strstr(text, what))
		printf("# not there: %s\n", what + strspn(what, "\n"));
	CHECK(strstr(text, what) != NULL);
}

/* The sizes of the curve share a row, since only the size differs: "M64K", of "... of a cache of 64 KiB". */
static void check_size(const char *text, size_t event)
{
	const char *row = strstr(text, "\n| `M64K`");
	const char *end = row ? strchr(row + 1, '\n') : NULL;
	char name[64], long_name[64], rest[128];
	char *unit;
	unsigned long size = strtoul(events[event].name + 1, &unit, 10);

	snprintf(name, sizeof(name), "`%s`", events[event].name);
	snprintf(long_name, sizeof(long_name), "Data misses of a cache of %lu %siB", size, unit);
	snprintf(rest, sizeof(rest), "` | Data misses of a cache of that size | `%s` |",
		 option_of(events[event].group));
	CHECK(end && has_word(row, end, name));
	CHECK_STR(events[event].long_name, long_name);
	check_has(row ? row : "", rest);
	CHECK(!row || strstr(row, rest) < end);
}

TEST(each_has_its_row_in_the_manual_of_the_simulation)
{
	char *text = document("SIMULATION.md");

	for (size_t i = 0; i < N_EVENTS; i++) {
		const char *option = option_of(events[i].group);
		char row[512];

		if (strcmp(events[i].group, "CURVE") == 0) {
			check_size(text, i);
			continue;
		}
		snprintf(row, sizeof(row), "\n| `%s` | %s | %s%s%s |", events[i].name,
			 events[i].long_name, option ? "`" : "", option ? option : "always",
			 option ? "`" : "");
		check_has(text, row);
	}
	free(text);
}

/* Its entry, be its value one of some words (.B) or a number (.BI); NULL if it has none. */
static const char *find_option(const char *options, const char *option)
{
	static const char *const macros[] = { ".B", ".BI" };
	const char *begin = NULL;

	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]) && !begin; i++) {
		char head[128];

		snprintf(head, sizeof(head), "\n%s %.*s=", macros[i], (int)strcspn(option, "="),
			 option);
		begin = strstr(options, head);
	}
	return begin;
}

/* The option that brings it says so. */
TEST(each_is_in_the_man_page_below_its_option)
{
	char *text = document("costgrind.1");
	const char *options = strstr(text, "\n.SH OPTIONS OF THE TOOL");

	CHECK(options != NULL);
	for (size_t i = 0; i < N_EVENTS; i++) {
		const char *option = option_of(events[i].group);
		const char *begin, *end;

		if (!option || !options)
			continue;
		begin = find_option(options, option);
		CHECK(begin != NULL);
		if (!begin)
			continue;
		end = strstr(begin, "\n.TP");
		CHECK(end != NULL);
		if (end && !has_word(begin, end, events[i].name))
			printf("# %s is not below %s\n", events[i].name, option);
		CHECK(end && has_word(begin, end, events[i].name));
	}
	check_has(text, "[" EVENT_CYCLES_TEXT "]");
	free(text);
}

TEST(old_names_are_in_the_manual_of_the_format)
{
	char *text = document("FORMAT.md");

	for (size_t i = 0; i < N_EVENTS; i++) {
		char name[64];

		if (!events[i].old_name)
			continue;
		snprintf(name, sizeof(name), "`%s`", events[i].old_name);
		check_has(text, name);
	}
	free(text);
}

TEST(derived_ones_are_in_the_manual_of_differences)
{
	char *text = document("DIFF.md");

	for (size_t i = 0; i < N_DERIVED; i++)
		CHECK(has_word(text, text + strlen(text), derived[i].name));
	free(text);
}

/* The parts of Cyc, in the order of its formula, have terms, and nothing else has. */
TEST(parts_of_cycles_have_terms)
{
	const char *rest = EVENT_CYCLES_FORMULA;
	struct formula_term term;
	size_t n_parts = 0, n_found = 0;

	for (bool first = true; formula_next(&rest, first, &term) == 1; first = false)
		n_parts++;
	for (size_t i = 0; i < N_EVENTS; i++) {
		const struct cycle_part *part = cycle_part_find(events[i].name);

		n_found += part != NULL;
		CHECK(!part || strstr(EVENT_CYCLES_FORMULA, part->name));
	}
	CHECK_EQ_U64(n_found, n_parts);
	CHECK_STR(cycle_part_find("CyBase")->term, "core bound");
	CHECK_STR(cycle_part_find("CyBase")->word, "core");
	CHECK_STR(cycle_part_find("CyBr")->term, "bad speculation");
	CHECK(!cycle_part_find("Ir"));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(parts_of_cycles_have_terms),
		CHECK_TEST(counters_are_of_events),
		CHECK_TEST(names_are_words_and_differ),
		CHECK_TEST(what_an_event_is_one_of_is_an_event_itself),
		CHECK_TEST(formulas_name_what_stands_above_them),
		CHECK_TEST(the_estimate_is_what_its_events_cost),
		CHECK_TEST(groups_have_options_of_the_tool),
		CHECK_TEST(each_has_its_row_in_the_manual_of_the_simulation),
		CHECK_TEST(each_is_in_the_man_page_below_its_option),
		CHECK_TEST(old_names_are_in_the_manual_of_the_format),
		CHECK_TEST(derived_ones_are_in_the_manual_of_differences),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
