/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/names/pathmap.h"

#include <string.h>

#include "profile/common/filename.h"
#include "profile/common/heap.h"

void pathmap_init(struct pathmap *map, const struct env *env)
{
	*map = (struct pathmap){ .n = 0 };
	bytes_init(&map->texts, env);
}

void pathmap_release(struct pathmap *map)
{
	const struct env *env = map->texts.env;

	env->release(env->ctx, map->entries);
	bytes_release(&map->texts);
	pathmap_init(map, env);
}

static int fail_memory(struct profile_error *error)
{
	return profile_error_status(error, PROFILE_NO_MEMORY);
}

/* Adds a path without "//", "." and a "/" at its end to the texts; returns its length. */
static size_t add_clean(struct pathmap *map, const char *path, size_t len)
{
	size_t at = map->texts.len;

	bytes_add(&map->texts, path, len);
	if (map->texts.failed || len == 0)
		return 0;
	len = filename_clean(path, len, map->texts.text + at);
	map->texts.len = at + len;
	return len;
}

int pathmap_add(struct pathmap *map, const char *text, struct profile_error *error)
{
	const char *equals = strchr(text, '=');
	struct pathmap_entry entry;
	void *entries = map->entries;

	if (!equals || equals == text) {
		profile_error_set(error, PROFILE_SYNTAX, "%s",
				  equals ? "expected a folder before '='" : "expected OLD=NEW");
		if (error) {
			error->line = 1;
			error->column = equals ? 1 : strlen(text) + 1;
		}
		return PROFILE_SYNTAX;
	}
	if (!heap_reserve(map->texts.env, &entries, &map->capacity, map->n + 1,
			  sizeof(*map->entries)))
		return fail_memory(error);
	map->entries = entries;
	entry.old = map->texts.len;
	entry.old_len = add_clean(map, text, (size_t)(equals - text));
	entry.new = map->texts.len;
	entry.new_len = add_clean(map, equals + 1, strlen(equals + 1));
	if (map->texts.failed)
		return fail_memory(error);
	map->entries[map->n++] = entry;
	return PROFILE_OK;
}

/* What of a clean path is behind an entry's OLD, without the "/"; NULL if it is not in there. */
static const char *behind(const char *old, size_t old_len, const char *path, size_t len)
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

static bool apply_clean(const struct pathmap *map, const char *path, size_t len, struct bytes *out)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct pathmap_entry *entry = &map->entries[i];
		const char *new = map->texts.text + entry->new;
		const char *rest = behind(map->texts.text + entry->old, entry->old_len, path, len);

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

bool pathmap_apply(const struct pathmap *map, const char *path, size_t len, struct bytes *out)
{
	struct bytes clean;
	bool applies;

	if (map->n == 0 || len == 0)
		return false;
	if (!filename_is_unclean(path, len))
		return apply_clean(map, path, len, out);
	bytes_init(&clean, out->env);
	bytes_add(&clean, path, len);
	if (clean.failed) {
		out->failed = true;
		return false;
	}
	clean.len = filename_clean(path, len, clean.text);
	applies = apply_clean(map, clean.text, clean.len, out);
	bytes_release(&clean);
	return applies;
}
