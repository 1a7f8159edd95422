/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A name goes from step to step, each reading one buffer and filling the other. */
#include "profile/names/name_rules.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* -- mappings of paths --------------------------------------------------------- */

/* Adds a path without "//", "." and a "/" at its end to the texts; returns its length. */
static size_t add_clean(struct pathmap *map, const char *path, size_t len)
{
	size_t at = map->texts.len;

	bytes_add(&map->texts, path, len);
	if (len == 0)
		return 0;
	len = filename_clean(path, len, map->texts.text + at);
	map->texts.len = at + len;
	return len;
}

int name_rules_add_map(struct name_rules *rules, const char *text, struct profile_error *error)
{
	struct pathmap *map = &rules->paths;
	const char *equals = strchr(text, '=');
	struct pathmap_entry entry;

	if (!equals || equals == text) {
		profile_error_set(error, PROFILE_SYNTAX, "%s",
				  equals ? "expected a folder before '='" : "expected OLD=NEW");
		if (error) {
			error->line = 1;
			error->column = equals ? 1 : strlen(text) + 1;
		}
		return PROFILE_SYNTAX;
	}
	map->entries = heap_grow(map->entries, &map->capacity, map->n + 1, sizeof(*map->entries));
	entry.old = map->texts.len;
	entry.old_len = add_clean(map, text, (size_t)(equals - text));
	entry.new = map->texts.len;
	entry.new_len = add_clean(map, equals + 1, strlen(equals + 1));
	map->entries[map->n++] = entry;
	return PROFILE_OK;
}

/* What follows an entry's OLD in a clean path, without the "/"; NULL if the path is not in there. */
static const char *rest_of(const char *old, size_t old_len, const char *path, size_t len)
{
	/* "." is where relative paths begin. */
	if (old_len == 1 && old[0] == '.')
		return len > 0 && path[0] != '/' ? path : NULL;
	if (len < old_len || memcmp(path, old, old_len) != 0)
		return NULL;
	if (len == old_len || old[old_len - 1] == '/')
		return path + old_len;
	return path[old_len] == '/' ? path + old_len + 1 : NULL;
}

/* If a clean path is within an entry's OLD, adds its new name to out; the first such entry counts. */
static bool apply_clean(const struct pathmap *map, const char *path, size_t len, struct bytes *out)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct pathmap_entry *entry = &map->entries[i];
		const char *new = map->texts.text + entry->new;
		const char *rest = rest_of(map->texts.text + entry->old, entry->old_len, path, len);

		if (!rest)
			continue;
		bytes_add(out, new, entry->new_len);
		if (rest < path + len && entry->new_len > 0 && new[entry->new_len - 1] != '/')
			bytes_add_char(out, '/');
		bytes_add(out, rest, (size_t)(path + len - rest));
		return true;
	}
	return false;
}

const char *pathmap_new(const struct pathmap *map, size_t i, size_t *len)
{
	const struct pathmap_entry *entry = &map->entries[i];

	*len = entry->new_len;
	return map->texts.text + entry->new;
}

/* -- all rules ------------------------------------------------------------------- */

void name_rules_init(struct name_rules *rules)
{
	*rules = (struct name_rules){ 0 };
}

static void release_list(struct expression_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		expression_free(list->all[i]);
	free(list->all);
}

void name_rules_release(struct name_rules *rules)
{
	release_list(&rules->files);
	release_list(&rules->functions);
	free(rules->paths.entries);
	bytes_release(&rules->paths.texts);
	bytes_release(&rules->buffers[0]);
	bytes_release(&rules->buffers[1]);
	name_rules_init(rules);
}

int name_rules_add_expression(struct name_rules *rules, enum name_kind kind, const char *text,
			      struct profile_error *error)
{
	struct expression_list *list = kind == NAME_FUNCTION ? &rules->functions : &rules->files;
	struct expression *expression = expression_new(text, error);

	if (!expression)
		return PROFILE_SYNTAX;
	list->all = heap_grow(list->all, &list->capacity, list->n + 1, sizeof(struct expression *));
	list->all[list->n++] = expression;
	return PROFILE_OK;
}

bool name_rules_is_empty(const struct name_rules *rules)
{
	return rules->symbols == 0 && rules->paths.n == 0 && rules->files.n == 0 &&
	       rules->functions.n == 0;
}

/* A name at work: where it is now, and the buffer for what becomes of it. */
struct work {
	struct name_rules *rules;
	const char *text;
	size_t len;
	struct bytes *next;
};

/* The next buffer holds the name now. */
static void advance(struct work *work)
{
	struct name_rules *rules = work->rules;

	work->text = work->next->text;
	work->len = work->next->len;
	work->next = &rules->buffers[work->next == &rules->buffers[0]];
	bytes_reset(work->next);
}

static void map_path(struct work *work)
{
	const struct pathmap *map = &work->rules->paths;
	char *clean;
	size_t len;

	/* What is not known is in no folder. */
	if (map->n == 0 || work->len == 0 || (work->len == 3 && memcmp(work->text, "???", 3) == 0))
		return;
	clean = heap_alloc(work->len);
	len = filename_clean(work->text, work->len, clean);
	if (apply_clean(map, clean, len, work->next))
		advance(work);
	free(clean);
}

static int apply_all(struct work *work, const struct expression_list *list,
		     struct profile_error *error)
{
	for (size_t i = 0; i < list->n; i++) {
		bool matched;
		int status = expression_apply(list->all[i], work->text, work->len, work->next,
					      &matched, error);

		if (status)
			return status;
		if (matched)
			advance(work);
	}
	return PROFILE_OK;
}

int name_rules_apply(struct name_rules *rules, enum name_kind kind, const char **text, size_t *len,
		     struct profile_error *error)
{
	struct work work = { rules, *text, *len, &rules->buffers[0] };
	int status = PROFILE_OK;

	bytes_reset(&rules->buffers[0]);
	bytes_reset(&rules->buffers[1]);
	if (kind == NAME_FILE || (kind == NAME_OBJECT && rules->maps_objects))
		map_path(&work);
	if (kind == NAME_FILE)
		status = apply_all(&work, &rules->files, error);
	if (kind == NAME_FUNCTION)
		status = apply_all(&work, &rules->functions, error);
	if (!status && kind == NAME_FUNCTION && rules->symbols) {
		symbolname_fold(work.text, work.len, rules->symbols, work.next);
		advance(&work);
	}
	if (status == PROFILE_RANGE && error) {
		/* Names the name, as far as there is room. */
		const struct profile_error said = *error;

		profile_error_set(error, said.status, "%.150s: '%.*s%s'", said.text,
				  (int)(*len < 80 ? *len : 80), *text, *len > 80 ? "..." : "");
	}
	if (status)
		return status;
	*text = work.len ? work.text : "";
	*len = work.len;
	return PROFILE_OK;
}

bool name_rules_rename(void *rules, enum name_kind kind, const char **text, size_t *len)
{
	struct name_rules *doing = rules;
	const char *old = *text;

	if (doing->error.status != PROFILE_OK)
		return false;
	if (name_rules_apply(doing, kind, text, len, &doing->error) != PROFILE_OK)
		return false;
	return *text != old;
}

int name_rules_status(const struct name_rules *rules, struct profile_error *error)
{
	if (rules->error.status == PROFILE_OK)
		return PROFILE_OK;
	return profile_error_set(error, rules->error.status, "%s", rules->error.text);
}
