/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/code/codechoice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/self_costs.h"
#include "profile/common/heap.h"

struct code_choosing {
	struct code_choice *choice;
	const struct basis *basis;
	struct code_objects *objects;
	bool is_named;
	bool found;
};

static int add_address(struct code_choosing *choosing, uint32_t number, uint64_t address)
{
	struct code_choice *choice = choosing->choice;
	const struct code_wish *last = choice->n > 0 ? &choice->wishes[choice->n - 1] : NULL;
	const struct code_object *object;

	choosing->found = true;
	/* Addresses come in order: most are in the stretch of the one before. */
	if (last && last->object == number && last->is_named == choosing->is_named &&
	    code_stretch_has(&last->stretch, address))
		return PROFILE_OK;
	object = code_objects_get(choosing->objects, number);
	if (!object || !heap_reserve(&heap_env, (void **)&choice->wishes, &choice->capacity,
				     choice->n + 1, sizeof(*choice->wishes)))
		return PROFILE_NO_MEMORY;
	choice->wishes[choice->n++] = (struct code_wish){ number,
							  code_object_stretch(object, address),
							  choosing->is_named };
	return PROFILE_OK;
}

static int add_function(struct code_choosing *choosing, uint32_t function)
{
	const struct model *model = choosing->basis->model;
	struct code_choice *choice = choosing->choice;
	struct model_cursor cursor;
	struct model_line line;
	int status = PROFILE_OK;

	model_lines(model, function, 0, &cursor);
	while (!status && model_next_line(&cursor, &line)) {
		if (line.at.instr != 0) {
			status = add_address(choosing, model->functions[function].object,
					     line.at.instr);
			continue;
		}
		choosing->found = true;
		if (!choice->unplaced)
			choice->unplaced = row_new(choosing->basis->arena, model->n_events);
		if (!choice->unplaced)
			return PROFILE_NO_MEMORY;
		if (!row_add(choice->unplaced, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	return status;
}

/* * is any run of characters, ? is one. */
static bool matches(const char *pattern, const char *text)
{
	const char *star = NULL, *behind = NULL;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			behind = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++behind;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}

/* The word itself; with parameters, callers, a level of recursion, or a version. */
static bool is_name(const char *word, const char *name)
{
	size_t len = strlen(word);

	if (strncmp(word, name, len) == 0 && strchr("('@", name[len]))
		return true;
	return strpbrk(word, "*?") && matches(word, name);
}

static int add_named(struct code_choosing *choosing, const char *word)
{
	const struct model *model = choosing->basis->model;
	int status = PROFILE_OK;

	for (uint32_t i = 0; !status && i < model->n_functions; i++)
		if (is_name(word, model_name(model, NAME_FUNCTION, model->functions[i].name).text))
			status = add_function(choosing, i);
	return status;
}

/* Functions that the profile has by address alone, by the symbols that are there now. */
static int add_by_symbol(struct code_choosing *choosing, const char *word)
{
	const struct model *model = choosing->basis->model;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		uint32_t object = model->functions[i].object;
		struct model_cursor cursor;
		struct model_line line;

		if (!code_object_is_nameless(model, i))
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			const struct code_object *of = code_objects_get(choosing->objects, object);
			struct code_stretch stretch;
			int status = PROFILE_OK;

			if (!of)
				return PROFILE_NO_MEMORY;
			stretch = code_object_stretch(of, line.at.instr);
			if (line.at.instr != 0 && stretch.symbol && is_name(word, stretch.symbol))
				status = add_address(choosing, object, line.at.instr);
			if (status)
				return status;
		}
	}
	return PROFILE_OK;
}

/* A name as it is, or its last components. */
static bool ends_in(const char *name, const char *word, size_t len)
{
	size_t all = strlen(name);

	return all >= len && len > 0 && memcmp(name + all - len, word, len) == 0 &&
	       (all == len || name[all - len - 1] == '/');
}

/* A word that ends in a number: NAME:LINE, NAME:0xADDRESS, 0xADDRESS. */
struct numbered {
	const char *word;
	size_t len; /* of the name; 0 = there is none */
	uint64_t number;
	bool is_address;
};

static bool read_number(struct numbered *numbered, const char *word)
{
	const char *colon = strrchr(word, ':');
	const char *digits = colon ? colon + 1 : word;
	char *end;

	*numbered = (struct numbered){ .word = word, .len = colon ? (size_t)(colon - word) : 0 };
	numbered->is_address = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	if (digits[0] < '0' || digits[0] > '9' || (!colon && !numbered->is_address) ||
	    colon == word)
		return false;
	errno = 0;
	numbered->number = strtoull(digits, &end, numbered->is_address ? 16 : 10);
	return errno == 0 && *end == '\0' && end > digits + (numbered->is_address ? 2 : 0) &&
	       numbered->number > 0;
}

static bool is_in(const struct numbered *numbered, const struct model *model, uint32_t object,
		  const struct model_line *line)
{
	const char *name;

	if (numbered->is_address) {
		name = model_name(model, NAME_OBJECT, object).text;
		return line->at.instr == numbered->number &&
		       (numbered->len == 0 || ends_in(name, numbered->word, numbered->len));
	}
	name = model_name(model, NAME_FILE, line->file).text;
	return line->at.line == numbered->number && line->at.instr != 0 &&
	       ends_in(name, numbered->word, numbered->len);
}

static int add_numbered(struct code_choosing *choosing, const struct numbered *numbered)
{
	const struct model *model = choosing->basis->model;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		uint32_t object = model->functions[i].object;
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			int status = PROFILE_OK;

			if (is_in(numbered, model, object, &line))
				status = add_address(choosing, object, line.at.instr);
			if (status)
				return status;
		}
	}
	return PROFILE_OK;
}

/* An address that costs nothing itself, in functions that do. */
static int add_around(struct code_choosing *choosing, const struct numbered *numbered)
{
	const struct model *model = choosing->basis->model;

	for (uint32_t i = 0; i < model->names[NAME_OBJECT].count; i++) {
		const char *name = model_name(model, NAME_OBJECT, i).text;
		const struct code_object *object;
		struct code_stretch stretch;
		int status;

		if (i == DICTIONARY_UNKNOWN ||
		    (numbered->len > 0 && !ends_in(name, numbered->word, numbered->len)))
			continue;
		object = code_objects_get(choosing->objects, i);
		if (!object)
			return PROFILE_NO_MEMORY;
		stretch = code_object_stretch(object, numbered->number);
		if (!stretch.symbol ||
		    code_object_function(object, stretch.start) == MODEL_NO_FUNCTION)
			continue;
		status = add_address(choosing, i, numbered->number);
		if (status)
			return status;
	}
	return PROFILE_OK;
}

int code_choice_add(struct code_choice *choice, const struct basis *basis,
		    struct code_objects *objects, const char *word, bool *found)
{
	struct code_choosing choosing = { choice, basis, objects, true, false };
	struct numbered numbered;
	int status = add_named(&choosing, word);

	if (!status && !choosing.found && read_number(&numbered, word)) {
		status = add_numbered(&choosing, &numbered);
		if (!status && !choosing.found && numbered.is_address)
			status = add_around(&choosing, &numbered);
	}
	if (!status && !choosing.found)
		status = add_by_symbol(&choosing, word);
	*found = choosing.found;
	return status;
}

int code_choice_add_function(struct code_choice *choice, const struct basis *basis,
			     struct code_objects *objects, uint32_t function)
{
	struct code_choosing choosing = { choice, basis, objects, false, false };

	return add_function(&choosing, function);
}

static int compare_wishes(const void *a, const void *b)
{
	const struct code_wish *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->stretch.start > of_b->stretch.start) -
	       (of_a->stretch.start < of_b->stretch.start);
}

void code_choice_finish(struct code_choice *choice)
{
	size_t used = 0;

	if (choice->n > 0)
		qsort(choice->wishes, choice->n, sizeof(*choice->wishes), compare_wishes);
	for (size_t i = 0; i < choice->n; i++)
		if (used == 0 || compare_wishes(&choice->wishes[used - 1], &choice->wishes[i]) != 0)
			choice->wishes[used++] = choice->wishes[i];
		else
			choice->wishes[used - 1].is_named |= choice->wishes[i].is_named;
	choice->n = used;
}

void code_choice_release(struct code_choice *choice)
{
	free(choice->wishes);
	*choice = (struct code_choice){ .wishes = NULL };
}

const struct code_wish *code_choice_find(const struct code_choice *choice, uint32_t object,
					 uint64_t address)
{
	size_t low = 0, high = choice->n;

	/* The last one that begins at the address or before it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct code_wish *wish = &choice->wishes[middle];

		if (wish->object < object ||
		    (wish->object == object && wish->stretch.start <= address))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || choice->wishes[low - 1].object != object ||
	    !code_stretch_has(&choice->wishes[low - 1].stretch, address))
		return NULL;
	return &choice->wishes[low - 1];
}
