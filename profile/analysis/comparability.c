/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/comparability.h"

#include <string.h>

#include "profile/common/curve_desc.h"
#include "writer/origin.h"
#include "writer/rank.h"

/* How desc lines of a type are compared. */
enum comparison {
	COMPARE_ALL,      /* nothing is another text than any */
	COMPARE_COUNTING, /* nothing is the same as "valgrind" */
	COMPARE_BOTH,     /* only if both have one */
	COMPARE_MINOR,    /* likewise, and it is a minor matter */
	COMPARE_BUILDS,   /* likewise: "<build-id> <path>" by the path's last component */
	COMPARE_MACHINE,  /* likewise, by the name alone, which ends at a comma */
	COMPARE_NEVER,
};

#define MACHINE_DESC  "Machine"
#define OPTIONS_DESC  "Options"
#define BRANCHES_DESC "Branches"
#define CORE_DESC     "Core"

static enum comparison comparison_of(const char *type)
{
	static const struct {
		const char *type;
		enum comparison comparison;
	} types[] = {
		{ "Counting", COMPARE_COUNTING },   { "CPU", COMPARE_BOTH },
		{ "C library", COMPARE_MINOR },     { "Kernel", COMPARE_MINOR },
		{ "Environment", COMPARE_MINOR },   { "Build-id", COMPARE_BUILDS },
		{ "Program", COMPARE_NEVER },       { "Trigger", COMPARE_NEVER },
		{ "Timerange", COMPARE_NEVER },     { "Merged profiles", COMPARE_NEVER },
		{ "Data profile", COMPARE_NEVER },  { "Data of", COMPARE_NEVER },
		{ "Creator", COMPARE_NEVER },       { DESC_FILES_COMPARED, COMPARE_NEVER },
		{ "Baseline", COMPARE_NEVER },      { "Region", COMPARE_NEVER },
		{ RANK_DESC, COMPARE_NEVER },       { RANK_EXPECTED_DESC, COMPARE_NEVER },
		{ ORIGIN_DESC, COMPARE_NEVER },     { MACHINE_DESC, COMPARE_MACHINE },
		{ "Conflicts", COMPARE_NEVER },     { CORE_DESC, COMPARE_BOTH },
		{ CURVE_DESC, COMPARE_MINOR },      { COLLECTED_DESC, COMPARE_NEVER },
		{ ENDED_DESC, COMPARE_NEVER },      { NOT_PROFILED_DESC, COMPARE_NEVER },
		{ TIME_ASKED_DESC, COMPARE_NEVER }, { UNCOUNTED_DESC, COMPARE_NEVER },
		{ SALVAGED_DESC, COMPARE_NEVER },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i].type) == 0)
			return types[i].comparison;
	return COMPARE_ALL;
}

bool comparability_ignores(const char *type)
{
	return comparison_of(type) == COMPARE_NEVER;
}

static bool has_same_events(const struct model *old_model, const struct model *new_model)
{
	if (old_model->n_events != new_model->n_events)
		return false;
	for (size_t i = 0; i < new_model->n_events; i++)
		if (model_event(old_model, new_model->events[i].name) == old_model->n_events)
			return false;
	return true;
}

/* "Ir Dr Dw", in the arena. */
static const char *event_list(const struct model *model, struct arena *arena)
{
	size_t size = 1, len = 0;
	char *text;

	for (size_t i = 0; i < model->n_events; i++)
		size += strlen(model->events[i].name) + 1;
	text = arena_alloc(arena, size, 1);
	for (size_t i = 0; i < model->n_events; i++) {
		const char *name = model->events[i].name;
		size_t name_len = strlen(name);

		if (i > 0)
			text[len++] = ' ';
		memcpy(text + len, name, name_len);
		len += name_len;
	}
	text[len] = '\0';
	return text;
}

/* The value of the first desc line of a type, before a part and a line in it; NULL = none. */
static const char *find_desc(const struct model *model, const char *type, size_t end_part,
			     size_t end_desc)
{
	for (size_t i = 0; i < model->n_parts && i <= end_part; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs && (i < end_part || j < end_desc); j++)
			if (strcmp(part->descs[j].type, type) == 0)
				return part->descs[j].value;
	}
	return NULL;
}

static const char *any_desc(const struct model *model, const char *type)
{
	return find_desc(model, type, model->n_parts, 0);
}

static size_t count_descs(const struct model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_parts; i++)
		n += model->parts[i].header.n_descs;
	return n;
}

/* Blanks do not matter: Cachegrind pads. An empty text says as little as none. */
static bool is_same(const char *a, const char *b)
{
	if (!a || !b)
		return !(a && a[strspn(a, " \t")]) && !(b && b[strspn(b, " \t")]);
	while (*a || *b) {
		a += strspn(a, " \t");
		b += strspn(b, " \t");
		if (*a != *b)
			return false;
		a += *a != '\0';
		b += *b != '\0';
	}
	return true;
}

static const char *formula_of(const struct model *model, const char *name)
{
	for (size_t i = 0; i < model->n_derived; i++)
		if (strcmp(model->derived[i].name, name) == 0)
			return model->derived[i].formula;
	return NULL;
}

/* Whether the texts of two machines have the same name before the first comma. */
static bool is_same_machine(const char *a, const char *b)
{
	size_t len = strcspn(a, ",");

	return strcspn(b, ",") == len && strncmp(a, b, len) == 0;
}

/* Whether two machines of two names were simulated. */
static bool has_two_machines(const struct model *old_model, const struct model *new_model)
{
	const char *a = any_desc(old_model, MACHINE_DESC), *b = any_desc(new_model, MACHINE_DESC);

	return a && b && !is_same_machine(a, b);
}

/* Whether a desc line says something of the machine, of which there are two: or of its branch predictors or its core, of which
 * there may be others without another machine (--branch-model; a file of which a cost was changed). */
static bool is_of_machine(const char *type, bool has_two)
{
	static const char *const parts[] = { MACHINE_DESC, "Prefetcher", "ITLB",
					     "DTLB",       "STLB",       "ISTLB" };
	static const char suffix[] = " cache";
	size_t len = strlen(type);

	if (strcmp(type, BRANCHES_DESC) == 0 || strcmp(type, CORE_DESC) == 0)
		return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(type, parts[i]) == 0)
			return has_two;
	return has_two && len >= sizeof(suffix) - 1 &&
	       strcmp(type + len - (sizeof(suffix) - 1), suffix) == 0;
}

/* The first word of a list that says what a program does; those of options of the machine's are left out. NULL: no more. */
static const char *next_word(const char *text, size_t *len)
{
	static const char *const of_machine[] = { "--machine=", "--tlb-sim=", "--pages=",
						  "--branch-model=" };

	while (text) {
		bool is_left_out = false;

		text += strspn(text, " ");
		*len = strcspn(text, " ");
		if (*len == 0)
			return NULL;
		for (size_t i = 0; i < sizeof(of_machine) / sizeof(of_machine[0]); i++)
			if (strncmp(text, of_machine[i], strlen(of_machine[i])) == 0)
				is_left_out = true;
		if (!is_left_out)
			return text;
		text += *len;
	}
	return NULL;
}

/* Whether two lists of options, NULL for none, differ in nothing but options of the machine's. */
static bool have_same_words(const char *a, const char *b)
{
	size_t len_a, len_b;

	for (;;) {
		a = next_word(a, &len_a);
		b = next_word(b, &len_b);
		if (!a || !b)
			return a == b;
		if (len_a != len_b || strncmp(a, b, len_a) != 0)
			return false;
		a += len_a;
		b += len_b;
	}
}

/* Appends derived events that both define, but not as the same. */
static void append_formulas(const struct model *old_model, const struct model *new_model,
			    struct arena *arena, struct mismatch *list, size_t *n)
{
	for (size_t i = 0; i < old_model->n_derived; i++) {
		const char *name = old_model->derived[i].name;
		const char *old_text = old_model->derived[i].formula;
		const char *new_text = formula_of(new_model, name);
		size_t size = sizeof("event ") + strlen(name);
		char *what;

		if (!new_text || is_same(old_text, new_text))
			continue;
		what = arena_alloc(arena, size, 1);
		memcpy(what, "event ", sizeof("event ") - 1);
		memcpy(what + sizeof("event ") - 1, name, strlen(name) + 1);
		list[(*n)++] = (struct mismatch){ .what = what,
						  .old_text = old_text,
						  .new_text = new_text };
	}
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The object that a Build-id is of; NULL if it says none. */
static const char *object_of(const char *build)
{
	const char *blank = strchr(build, ' ');

	return blank && strncmp(build, "none ", 5) != 0 ? last_component(blank + 1) : NULL;
}

/*
 * What another model says of the object of a build, if it knows only other builds of it: the
 * first one; else NULL.
 */
static const char *other_build(const struct model *model, const char *build)
{
	const char *name = object_of(build), *other = NULL;
	size_t size = name ? strcspn(build, " ") + 1 : 0;

	for (size_t i = 0; name && i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const char *value = part->descs[j].value, *object;

			if (strcmp(part->descs[j].type, "Build-id") != 0)
				continue;
			object = object_of(value);
			if (!object || strcmp(object, name) != 0)
				continue;
			if (strncmp(value, build, size) == 0)
				return NULL;
			if (!other)
				other = value;
		}
	}
	return other;
}

/* Whether an unlikeness of that name is in the list. */
static bool is_listed(const struct mismatch *list, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].what, what) == 0)
			return true;
	return false;
}

/* Appends another build of an object, once. */
static void append_build(const struct model *new_model, struct arena *arena, const char *build,
			 struct mismatch *list, size_t *n)
{
	static const char words[] = "build of ";
	const char *other = other_build(new_model, build);
	const char *name = object_of(build);
	struct mismatch unlike = { .is_minor = true };
	char *what;

	if (!other)
		return;
	what = arena_alloc(arena, sizeof(words) + strlen(name), 1);
	unlike.old_text = arena_copy(arena, build, strcspn(build, " "));
	unlike.new_text = arena_copy(arena, other, strcspn(other, " "));
	memcpy(what, words, sizeof(words) - 1);
	memcpy(what + sizeof(words) - 1, name, strlen(name) + 1);
	unlike.what = what;
	if (!is_listed(list, *n, what))
		list[(*n)++] = unlike;
}

/* Whether two values of a type, of which NULL is none, are unlike. */
static bool is_unlike(enum comparison comparison, const char *a, const char *b)
{
	switch (comparison) {
	case COMPARE_ALL:
		return !is_same(a, b);
	case COMPARE_COUNTING:
		return !is_same(a ? a : "valgrind", b ? b : "valgrind");
	case COMPARE_BOTH:
	case COMPARE_MINOR:
		return a && b && !is_same(a, b);
	case COMPARE_MACHINE:
		return a && b && !is_same_machine(a, b);
	case COMPARE_BUILDS:
	case COMPARE_NEVER:
		break;
	}
	return false;
}

/* Appends the desc lines of one model that the other contradicts or lacks; of NEW, those that OLD lacks. */
static void append_descs(const struct model *model, const struct model *other, struct arena *arena,
			 bool is_new, struct mismatch *list, size_t *n)
{
	const bool has_machines = has_two_machines(model, other);

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const char *type = part->descs[j].type, *value = part->descs[j].value;
			enum comparison comparison = comparison_of(type);
			const char *other_value;

			if (comparison == COMPARE_BUILDS) {
				if (!is_new)
					append_build(other, arena, value, list, n);
				continue;
			}
			if (comparison == COMPARE_NEVER || find_desc(model, type, i, j))
				continue;
			other_value = any_desc(other, type);
			if (!is_unlike(comparison, value, other_value) || (is_new && other_value))
				continue;
			list[(*n)++] = (struct mismatch){
				.what = type,
				.old_text = is_new ? other_value : value,
				.new_text = is_new ? value : other_value,
				.is_minor = comparison == COMPARE_MINOR,
				.is_of_machine = is_of_machine(type, has_machines) ||
						 (strcmp(type, OPTIONS_DESC) == 0 &&
						  have_same_words(value, other_value)),
			};
		}
	}
}

/*
 * Appends that the runs ended in two ways.  A profile without a line, a dump amid the run or one of another
 * program, is like any but one of a run that was killed, which did part of its work.
 */
static void append_ends(const char *old_end, const char *new_end, struct mismatch *list, size_t *n)
{
	bool both = old_end && new_end;

	if (both ? strcmp(old_end, new_end) != 0
		 : run_facts_is_signal(old_end) || run_facts_is_signal(new_end))
		list[(*n)++] = (struct mismatch){
			.what = ENDED_DESC, .old_text = old_end, .new_text = new_end, .is_end = true
		};
}

bool comparability_facts(const struct model *model, struct arena *arena, struct run_facts *facts)
{
	*facts = (struct run_facts){ 0 };
	for (size_t i = 0; i < model->n_parts; i++)
		run_facts_add(facts, &model->parts[i].header, arena);
	return true;
}

bool comparability_check(const struct model *old_model, const struct model *new_model,
			 struct arena *arena, struct mismatch **list, size_t *n)
{
	struct run_facts old_facts, new_facts;
	size_t most = 2 + old_model->n_derived + count_descs(old_model) + count_descs(new_model);

	*n = 0;
	*list = arena_alloc(arena, most * sizeof(**list), sizeof(void *));
	comparability_facts(old_model, arena, &old_facts);
	comparability_facts(new_model, arena, &new_facts);
	if (!has_same_events(old_model, new_model))
		(*list)[(*n)++] = (struct mismatch){ .what = "events",
						     .old_text = event_list(old_model, arena),
						     .new_text = event_list(new_model, arena) };
	append_formulas(old_model, new_model, arena, *list, n);
	append_descs(old_model, new_model, arena, false, *list, n);
	append_descs(new_model, old_model, arena, true, *list, n);
	append_ends(old_facts.end, new_facts.end, *list, n);
	return true;
}
