/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files with the data objects of profiles, matched to runs. */
#include "cmds/data/objects.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "profile/common/desc.h"
#include "profile/filters/merged_header.h"
#include "profile/format/source.h"

enum { MESSAGE_ROOM = 256 }; /* bytes besides the texts in a message */

#define NO_FILE SIZE_MAX

/* The file of that name in the directory of path. */
static const char *beside(const char *path, const char *name, struct arena *arena)
{
	const char *slash = strrchr(path, '/');
	size_t dir = slash ? (size_t)(slash - path) + 1 : 0, len = strlen(name);
	char *text = arena_alloc(arena, dir + len + 1, 1);

	memcpy(text, path, dir);
	memcpy(text + dir, name, len + 1);
	return text;
}

/* -- which files ------------------------------------------------------------------------------ */

static void add(struct objectfiles *files, const char *path, const char *named_by)
{
	for (size_t i = 0; named_by && i < files->n; i++)
		if (files->names[i] && strcmp(files->paths[i], path) == 0)
			return;
	files->paths[files->n] = path;
	files->names[files->n++] = named_by;
}

/* Adds the files of a profile. */
static void add_of(struct objectfiles *files, const struct model *model, const char *path,
		   struct arena *arena)
{
	bool has_name = false;

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];

		for (size_t j = 0; j < part->header.n_descs; j++) {
			const struct part_desc *desc = &part->header.descs[j];
			const char *name = desc->value;

			if (strcmp(desc->type, DATA_PROFILE_DESC) != 0 || !part->file ||
			    strcmp(part->file, path) != 0)
				continue;
			has_name = files->are_named = true;
			/* A profile may be anybody's, and name any file: only one in its own folder may be its. */
			if (!files->foreign &&
			    (name[0] == '\0' || strchr(name, '/') || strcmp(name, "-") == 0)) {
				files->foreign = name;
				files->foreign_by = path;
			}
			if (!files->foreign)
				add(files, beside(path, name, arena), path);
		}
	}
	if (!has_name)
		add(files, path, NULL);
}

void objectfiles_find(struct objectfiles *files, const struct model *model,
		      const char *const *paths, size_t n, struct arena *arena)
{
	size_t most = n;

	for (size_t i = 0; i < model->n_parts; i++)
		most += model->parts[i].header.n_descs;
	*files = (struct objectfiles){
		.paths = arena_alloc(arena, (most + 1) * sizeof(*files->paths), 8),
		.names = arena_alloc(arena, (most + 1) * sizeof(*files->names), 8),
	};
	for (size_t i = 0; i < n; i++) {
		bool is_repeated = false;

		/* A profile that is given twice and has its objects itself counts twice, as everywhere. */
		for (size_t k = 0; k < files->n; k++)
			is_repeated |= files->names[k] && strcmp(files->names[k], paths[i]) == 0;
		if (!is_repeated)
			add_of(files, model, paths[i], arena);
	}
}

/* namedfile_look(), but a link, which may lead out of the folder, is no regular file. */
static bool is_in_folder(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
		errno = EINVAL;
		return false;
	}
	return namedfile_look(path, NAMEDFILE_MOST, &status);
}

const char *objectfiles_missing(const struct objectfiles *files, struct arena *arena)
{
	const char *path = files->foreign, *named_by = files->foreign_by;
	const char *found = "no name of a file in its folder";
	size_t size;
	char *text;

	for (size_t i = 0; !path && i < files->n; i++) {
		if (!files->names[i] || is_in_folder(files->paths[i]))
			continue;
		path = files->paths[i];
		named_by = files->names[i];
		found = errno == ENOENT   ? "no such file"
			: errno == EINVAL ? "no regular file"
					  : strerror(errno);
	}
	if (!path)
		return NULL;
	size = strlen(path) + strlen(named_by) + strlen(found) + MESSAGE_ROOM;
	text = arena_alloc(arena, size, 1);
	snprintf(text, size, "%s: expected data objects in %s, which it names, found %s", named_by,
		 path, found);
	return text;
}

/* -- the profiles' own -------------------------------------------------------------------------- */

/* True if a part is the only one of its file: merge --as=parts numbers the parts of several anew. */
static bool is_alone(const struct model *model, size_t part)
{
	/* The others may not have been chosen. */
	if (model->parts[part].header.index > 0)
		return false;
	for (size_t i = 0; i < model->n_parts; i++)
		if (i != part && model->parts[i].file && model->parts[part].file &&
		    strcmp(model->parts[i].file, model->parts[part].file) == 0)
			return false;
	return true;
}

/* True if parts are not of one run: the first difference is put into text. */
static bool differ(const struct part *of_profile, const struct part *of_data, bool is_numbered,
		   char *text, size_t size)
{
	const char *machines[] = { part_desc_of(of_profile, "Machine"),
				   part_desc_of(of_data, "Machine") };

	if (of_profile->has_pid && of_data->has_pid && of_profile->pid != of_data->pid)
		snprintf(text, size, "process %" PRIu64 ", not %" PRIu64, of_data->pid,
			 of_profile->pid);
	else if (of_profile->cmd && of_data->cmd && strcmp(of_profile->cmd, of_data->cmd) != 0)
		snprintf(text, size, "of '%s', not of '%s'", of_data->cmd, of_profile->cmd);
	else if (machines[0] && machines[1] && strcmp(machines[0], machines[1]) != 0)
		snprintf(text, size, "machine %s, not %s", machines[1], machines[0]);
	else if (is_numbered && of_profile->has_number && of_data->has_number &&
		 of_profile->number != of_data->number)
		snprintf(text, size, "part %" PRIu64 ", not %" PRIu64, of_data->number,
			 of_profile->number);
	else
		return false;
	return true;
}

/* What a part costs: as it says, since it may be cut short, else the sum of its lines. */
static uint64_t cost_of(const struct model_part *part, size_t event)
{
	const uint64_t *costs = part->summary ? part->summary : part->sums;

	return costs && event < part->n ? costs[event] : 0;
}

/*
 * The parts that belong together: those that name a data file, and the file's own.  A sum of profiles names the
 * files of all, which then are one group, known by the number of the first.
 */
struct sides {
	const struct objectfiles *files;
	size_t file;
	bool is_sum; /* of several files: of different runs, perhaps */
	const struct model *model, *data;
	const size_t *of_model, *of_data; /* by part: the group, or NO_FILE */
	struct arena *arena;
};

/* Makes groups one. */
static void join_groups(size_t *groups, size_t n, size_t a, size_t b)
{
	size_t to = a < b ? a : b, from = a < b ? b : a;

	for (size_t i = 0; i < n; i++)
		if (groups[i] == from)
			groups[i] = to;
}

/* The group of the files that a part names, which become one; NO_FILE if it names none. */
static size_t group_of_part(const struct objectfiles *files, const struct model_part *part,
			    size_t *groups, struct arena *arena)
{
	size_t group = NO_FILE;

	for (size_t i = 0; i < part->header.n_descs && part->file; i++) {
		const struct part_desc *desc = &part->header.descs[i];
		const char *path;

		if (strcmp(desc->type, DATA_PROFILE_DESC) != 0)
			continue;
		path = beside(part->file, desc->value, arena);
		for (size_t k = 0; k < files->n; k++) {
			if (!files->names[k] || strcmp(files->paths[k], path) != 0)
				continue;
			if (group != NO_FILE)
				join_groups(groups, files->n, groups[group], groups[k]);
			group = groups[k];
		}
	}
	return group;
}

/* By part of the model, the group of its data files; a profile that was read twice counts once. */
static const size_t *find_named(const struct objectfiles *files, const struct model *model,
				size_t *groups, struct arena *arena)
{
	size_t *numbers = arena_alloc(arena, (model->n_parts + 1) * sizeof(*numbers), 8);

	for (size_t i = 0; i < model->n_parts; i++)
		numbers[i] = group_of_part(files, &model->parts[i], groups, arena);
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];

		if (numbers[i] != NO_FILE)
			numbers[i] = groups[numbers[i]];
		for (size_t k = 0; numbers[i] != NO_FILE && k < i; k++)
			if (numbers[k] == numbers[i] &&
			    strcmp(model->parts[k].file, part->file) == 0 &&
			    model->parts[k].header.index == part->header.index)
				numbers[i] = NO_FILE;
	}
	return numbers;
}

/* By part of the data files, the group of the file that it is in. */
static const size_t *find_own(const struct objectfiles *files, const struct model *data,
			      const size_t *groups, struct arena *arena)
{
	size_t *numbers = arena_alloc(arena, (data->n_parts + 1) * sizeof(*numbers), 8);

	for (size_t i = 0; i < data->n_parts; i++) {
		const char *path = data->parts[i].file;

		numbers[i] = NO_FILE;
		for (size_t k = 0; path && k < files->n; k++)
			if (files->names[k] && strcmp(files->paths[k], path) == 0)
				numbers[i] = groups[k];
	}
	return numbers;
}

static bool sums_differ(const struct sides *sides, char *text, size_t size)
{
	const struct model *model = sides->model, *data = sides->data;

	for (size_t e = 0; e < data->n_events; e++) {
		size_t event = model_event(model, data->events[e].name);
		uint64_t of_profiles = 0, of_data = 0;

		if (event == model->n_events)
			continue;
		for (size_t i = 0; i < model->n_parts; i++)
			if (sides->of_model[i] == sides->file)
				of_profiles += cost_of(&model->parts[i], event);
		for (size_t i = 0; i < data->n_parts; i++)
			if (sides->of_data[i] == sides->file)
				of_data += cost_of(&data->parts[i], e);
		if (of_profiles == of_data)
			continue;
		snprintf(text, size, "%s of %" PRIu64 ", not %" PRIu64, data->events[e].name,
			 of_data, of_profiles);
		return true;
	}
	return false;
}

/* A message: what was found in the file, and how that is known. */
static const char *say(const struct sides *sides, const char *found, const char *why)
{
	const char *path = sides->files->paths[sides->file];
	const char *named_by = sides->files->names[sides->file];
	size_t size = strlen(path) + strlen(named_by) + strlen(found) + strlen(why) + MESSAGE_ROOM;
	char *text = arena_alloc(sides->arena, size, 1);

	snprintf(text, size, "%s: expected its data objects in %s, found those of %s (%s)",
		 named_by, path, found, why);
	return text;
}

static const char *wrong_of_file(const struct sides *sides, bool *are_others)
{
	const struct model *model = sides->model, *data = sides->data;
	const char *profile = NULL;
	bool has_thread = false;
	char why[512];

	for (size_t d = 0; d < data->n_parts; d++)
		if (sides->of_data[d] == sides->file && !profile)
			profile = part_desc_of(&data->parts[d].header, "Data of");
	*are_others = true;
	for (size_t i = 0; i < model->n_parts; i++) {
		if (sides->of_model[i] != sides->file)
			continue;
		has_thread |= model->parts[i].header.has_thread;
		for (size_t d = 0; d < data->n_parts; d++)
			if (!sides->is_sum && sides->of_data[d] == sides->file &&
			    differ(&model->parts[i].header, &data->parts[d].header,
				   is_alone(model, i), why, sizeof(why)))
				return say(sides, profile ? profile : "another run", why);
	}
	if (!sums_differ(sides, why, sizeof(why)))
		return NULL;
	*are_others = !has_thread;
	if (has_thread)
		return say(sides, "all threads of the process", why);
	return say(sides, profile ? profile : "another run", why);
}

const char *objectfiles_wrong(const struct objectfiles *files, const struct model *model,
			      const struct model *data, bool *are_others, struct arena *arena)
{
	size_t *groups = arena_alloc(arena, (files->n + 1) * sizeof(*groups), 8);
	const size_t *of_model, *of_data;
	const char *warning = NULL;

	for (size_t i = 0; i < files->n; i++)
		groups[i] = i;
	of_model = find_named(files, model, groups, arena);
	of_data = find_own(files, data, groups, arena);
	*are_others = false;
	for (size_t i = 0; i < files->n; i++) {
		struct sides sides = { files, i, false, model, data, of_model, of_data, arena };
		const char *wrong;

		if (!files->names[i] || groups[i] != i)
			continue;
		for (size_t k = i + 1; k < files->n; k++)
			sides.is_sum |= groups[k] == i;
		wrong = wrong_of_file(&sides, are_others);
		if (wrong && *are_others)
			return wrong;
		if (wrong && !warning)
			warning = wrong;
	}
	*are_others = false;
	return warning;
}
