/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/data/objectfiles.h"

#include <string.h>

/* The name that the first part says that was read from that file, or NULL. */
static const char *named_by(const struct model *model, const char *path)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];

		if (!part->file || strcmp(part->file, path) != 0)
			continue;
		for (size_t desc = 0; desc < part->header.n_descs; desc++)
			if (strcmp(part->header.descs[desc].type, "Data profile") == 0)
				return part->header.descs[desc].value;
	}
	return NULL;
}

/* In the directory of path, the file of that name. */
static const char *beside(const char *path, const char *name, struct arena *arena)
{
	const char *slash = strrchr(path, '/');
	size_t dir = slash ? (size_t)(slash - path) + 1 : 0, len = strlen(name);
	char *text = arena_alloc(arena, dir + len + 1, 1);

	if (text) {
		memcpy(text, path, dir);
		memcpy(text + dir, name, len + 1);
	}
	return text;
}

const char **objectfiles_of(const struct model *model, const char *const *paths, size_t n,
			    struct arena *arena)
{
	const char **files = arena_alloc(arena, (n + 1) * sizeof(*files), 8);

	for (size_t i = 0; files && i < n; i++) {
		const char *name = named_by(model, paths[i]);

		files[i] = name ? beside(paths[i], name, arena) : paths[i];
		if (!files[i])
			return NULL;
	}
	return files;
}
