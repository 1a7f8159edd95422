/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* asprintf */
#include "cmds/report/reportprofile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/wholefile.h"
#include "cmds/convert/formats.h"
#include "cmds/convert/from_tree.h"
#include "cmds/data/objectcosts.h"
#include "cmds/data/objectfiles.h"
#include "profile/common/heap.h"
#include "profile/model/build.h"
#include "profile/model/walk.h"

/* Has model be the sum of the parts of apart; a status. */
static int add_up_parts(struct reportprofile *profile)
{
	struct builder builder;
	int status = builder_init(&builder, &profile->model, NULL);

	if (!status) {
		builder_begin_file(&builder, NULL, profile->apart.names);
		status = model_walk(&profile->apart, NULL, &builder.visitor);
	}
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

static int read_profile(struct reportprofile *profile, const struct reportprofile_options *options,
			const char *path)
{
	struct loader_options loading = options->loading;
	const char *command = loading.command;
	int code, status;

	loading.positions = loading.jumps = true;
	loading.parts_apart = options->wants_parts;
	code = loader_read(&profile->model, &loading, &path, 1, &profile->loaded);
	if (code != EXIT_FINE || !options->wants_parts || profile->model.n_parts < 2)
		return code;
	profile->apart = profile->model;
	profile->has_parts = true;
	profile->model = (struct model){ .env = &heap_env };
	status = model_init(&profile->model, &heap_env) ? add_up_parts(profile) : PROFILE_NO_MEMORY;
	return status ? complain_status(command, path, status) : EXIT_FINE;
}

/* Reads a call tree into a model that is initialised; an exit code. */
static int read_tree(struct reportprofile *profile, struct model *model, const char *path,
		     const char *command)
{
	const struct from_tree_options all = { .event = NULL };
	struct profile_error error = { .file = path };
	struct wholefile file;
	int status = wholefile_read(&file, path, &heap_env, wholefile_check_lines, &error);
	const struct reader_text text = { file.data, file.len, path };

	if (!status)
		status = from_tree_text(&text, &all, model, &profile->tree, &error);
	wholefile_release(&file);
	if (!status)
		return EXIT_FINE;
	pathtree_release(&profile->tree);
	profile->tree.model = NULL;
	if (error.status == PROFILE_OK)
		return complain_status(command, path, status);
	error.file = path;
	complain_of(command, &error);
	return EXIT_FAILED;
}

/* Where the tool puts the call tree of a profile of this process; NULL if memory ran out. */
static char *tree_beside(const char *path, uint64_t pid)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *suffix = "";
	char label[32], *result;
	int len = snprintf(label, sizeof(label), ".%" PRIu64, pid);

	/* What follows the pid in the profile's name does so in the tree's. */
	for (const char *at = name; (at = strstr(at, label)) != NULL; at++)
		if (at[len] == '.' || at[len] == '\0')
			suffix = at + len;
	if (asprintf(&result, "%.*stree%s.costgrind%s", (int)(name - path), path, label, suffix) <
	    0)
		return NULL;
	return result;
}

/* Whether a tree is of the run: it costs the same. */
static bool fits(const struct reportprofile *profile)
{
	uint64_t of_model[PROFILE_MAX_EVENTS], of_tree[PROFILE_MAX_EVENTS];
	const struct model *tree_model = &profile->tree_model;
	size_t event = model_event(&profile->model, tree_model->events[0].name);

	return event < profile->model.n_events && model_totals(&profile->model, of_model) &&
	       model_totals(tree_model, of_tree) && of_model[event] == of_tree[0];
}

static int find_tree(struct reportprofile *profile, const struct reportprofile_options *options,
		     const char *path)
{
	const char *command = options->loading.command;
	const struct model *model = &profile->model;
	const struct part *header = model->n_parts > 0 ? &model->parts[0].header : NULL;
	const char *tree_path = options->tree_path;
	char *beside = NULL;
	int code = EXIT_FINE;

	if (!tree_path && header && header->has_pid) {
		beside = tree_beside(path, header->pid);
		if (!beside)
			return complain_status(command, path, PROFILE_NO_MEMORY);
		if (wholefile_begins(beside, FROM_TREE_HEAD))
			tree_path = beside;
	}
	if (tree_path) {
		code = read_tree(profile, &profile->tree_model, tree_path, command);
		/* One that lies there by chance is none of ours. */
		if (code == EXIT_FINE && beside && !fits(profile)) {
			pathtree_release(&profile->tree);
			profile->tree.model = NULL;
		}
	}
	free(beside);
	return code;
}

/* Reads the data profile that a profile names; one that is gone is none, which is said. */
static int find_data(struct reportprofile *profile, const struct reportprofile_options *options,
		     const char *path)
{
	const struct model *model = profile->has_parts ? &profile->apart : &profile->model;
	struct loader_options loading = options->loading;
	const char **files;
	struct loaded loaded;
	struct arena arena;
	int code = EXIT_FINE;

	loading.positions = true;
	loading.jumps = false;
	arena_init(&arena, &heap_env);
	files = objectfiles_of(model, &path, 1, &arena);
	if (!files) {
		code = complain_status(loading.command, path, PROFILE_NO_MEMORY);
	} else if (files[0] != path && access(files[0], F_OK) == 0) {
		profile->has_data = true;
		code = loader_read(&profile->data_model, &loading, files, 1, &loaded);
	} else if (files[0] != path && !loading.quiet) {
		warn(loading.command,
		     "%s: expected objects of data in %s, which it names, found no such file", path,
		     files[0]);
	}
	arena_release(&arena);
	return code;
}

const struct model *reportprofile_data(const struct reportprofile *profile)
{
	if (profile->has_data)
		return &profile->data_model;
	return objectcosts_are_in(&profile->model) ? &profile->model : NULL;
}

/*
 * Xdebug writes each invocation: the tree of one event is in the file, which is read once more
 * for it.
 */
static int read_trace(struct reportprofile *profile, const struct reportprofile_options *options,
		      const char *path)
{
	const struct model *model = &profile->model;
	const struct part *header = model->n_parts == 1 ? &model->parts[0].header : NULL;
	struct importer_options importing = {
		.loading = options->loading,
		.event = options->event,
		.traits = FORMAT_ONE_EVENT | FORMAT_EXACT | FORMAT_NEGATIVE,
	};
	struct stat file;
	char *copy;
	int code;

	/* What is no regular file can be read only once. */
	if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
		return EXIT_FINE;
	if (!header || !header->creator ||
	    strncmp(header->creator, "xdebug", strlen("xdebug")) != 0)
		return EXIT_FINE;
	/* What there is to say was said. */
	importing.loading.quiet = true;
	importing.loading.verbose = false;
	copy = strdup(path);
	if (!copy)
		return complain_status(options->loading.command, path, PROFILE_NO_MEMORY);
	profile->has_trace = true;
	code = importer_read(&profile->trace, &importing, copy);
	free(copy);
	return code;
}

int reportprofile_read(struct reportprofile *profile, const struct reportprofile_options *options,
		       const char *path)
{
	const char *command = options->loading.command;
	bool is_fine;
	int code;

	*profile = (struct reportprofile){ .tree = { .env = &heap_env } };
	is_fine = model_init(&profile->model, &heap_env);
	is_fine = model_init(&profile->tree_model, &heap_env) && is_fine;
	is_fine = model_init(&profile->data_model, &heap_env) && is_fine;
	if (!is_fine)
		return complain_status(command, path, PROFILE_NO_MEMORY);
	if (wholefile_begins(path, FROM_TREE_HEAD))
		return read_tree(profile, &profile->model, path, command);
	code = read_profile(profile, options, path);
	if (code == EXIT_FINE && options->wants_data)
		code = find_data(profile, options, path);
	if (code != EXIT_FINE || !options->wants_tree)
		return code;
	if (!options->tree_path)
		code = read_trace(profile, options, path);
	return code == EXIT_FINE && !reportprofile_tree(profile) ? find_tree(profile, options, path)
								 : code;
}

void reportprofile_release(struct reportprofile *profile)
{
	if (!profile->tree.env)
		return;
	if (profile->has_trace)
		importer_release(&profile->trace);
	if (profile->tree.model)
		pathtree_release(&profile->tree);
	if (profile->has_parts)
		model_release(&profile->apart);
	model_release(&profile->data_model);
	model_release(&profile->tree_model);
	model_release(&profile->model);
}
