/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/likeness.h"

#include <string.h>

bool likeness_ignores(const char *type)
{
	static const char *const ignored[] = { "Trigger", "Timerange",      "Merged profiles",
					       "Creator", "Files compared", "Baseline" };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		if (strcmp(type, ignored[i]) == 0)
			return true;
	return false;
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

/* "Ir Dr Dw", in the arena; NULL if memory ran out. */
static const char *event_list(const struct model *model, struct arena *arena)
{
	size_t size = 1, len = 0;
	char *text;

	for (size_t i = 0; i < model->n_events; i++)
		size += strlen(model->events[i].name) + 1;
	text = arena_alloc(arena, size, 1);
	if (!text)
		return NULL;
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

/* Appends derived events that both define, but not as the same. */
static bool append_formulas(const struct model *old_model, const struct model *new_model,
			    struct arena *arena, struct unlikeness *list, size_t *n)
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
		if (!what)
			return false;
		memcpy(what, "event ", sizeof("event ") - 1);
		memcpy(what + sizeof("event ") - 1, name, strlen(name) + 1);
		list[(*n)++] = (struct unlikeness){ what, old_text, new_text };
	}
	return true;
}

/* Appends the desc lines of one model that the other does not say so; of NEW, those that OLD has not. */
static void append_descs(const struct model *model, const struct model *other, bool is_new,
			 struct unlikeness *list, size_t *n)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const char *type = part->descs[j].type, *value = part->descs[j].value;
			const char *other_value = any_desc(other, type);

			if (likeness_ignores(type) || find_desc(model, type, i, j) ||
			    is_same(value, other_value) || (is_new && other_value))
				continue;
			list[(*n)++] = (struct unlikeness){ type, is_new ? other_value : value,
							    is_new ? value : other_value };
		}
	}
}

bool likeness_find(const struct model *old_model, const struct model *new_model,
		   struct arena *arena, struct unlikeness **list, size_t *n)
{
	size_t most = 1 + old_model->n_derived + count_descs(old_model) + count_descs(new_model);

	*n = 0;
	*list = arena_alloc(arena, most * sizeof(**list), sizeof(void *));
	if (!*list)
		return false;
	if (!has_same_events(old_model, new_model)) {
		struct unlikeness events = { "events", event_list(old_model, arena),
					     event_list(new_model, arena) };

		if (!events.old_text || !events.new_text)
			return false;
		(*list)[(*n)++] = events;
	}
	if (!append_formulas(old_model, new_model, arena, *list, n))
		return false;
	append_descs(old_model, new_model, false, *list, n);
	append_descs(new_model, old_model, true, *list, n);
	return true;
}
