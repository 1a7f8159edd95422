/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* asprintf */
#include "cmds/report/reportprofile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/wholefile.h"
#include "cmds/convert/formats.h"
#include "cmds/convert/from_tree.h"
#include "cmds/data/objectcosts.h"
#include "cmds/data/objectfiles.h"
#include "profile/common/heap.h"
#include "profile/model/build.h"
#include "profile/model/walk.h"
#include "writer/shared/besidename.h"

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

/* The ways in which the tool names the call tree beside a profile, or did: the first that fits counts. */
enum naming {
	BY_NAME, /* the profile's (writer/shared/besidename.h) */
	BY_PART, /* the profile's, without the number of its part, which is behind the tree's, too */
	BY_PID,  /* what follows the pid in the profile's name does so in the tree's */
	N_NAMINGS,
};

/* How many bytes at the end of a profile's name are the number of its part: ".1"; 0 = none. */
static size_t part_len(const char *name)
{
	size_t len = strlen(name), digits = 0;

	while (digits < len && strchr("0123456789", name[len - digits - 1]))
		digits++;
	return digits > 0 && digits + 1 < len && name[len - digits - 1] == '.' ? digits + 1 : 0;
}

/* Where the call tree is of a profile of this process, if it is named that way; NULL if memory ran out. */
static char *tree_beside(enum naming naming, const char *path, uint64_t pid)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(name) - (naming == BY_PART ? part_len(name) : 0);
	const char *suffix = name + len;
	struct besidename tree = besidename_of("tree", name, len);
	/* cppcheck-suppress variableScope ; tree points into it */
	char number[32];
	char *result;

	if (naming == BY_PID) {
		len = (size_t)snprintf(number, sizeof(number), ".%" PRIu64, pid);
		for (const char *at = name; (at = strstr(at, number)) != NULL; at++)
			if (at[len] == '.' || at[len] == '\0')
				suffix = at + len;
		tree = (struct besidename){ "", number + 1, len - 1 };
	}
	if (asprintf(&result, "%.*s%stree.%.*s" BESIDENAME_ENDING "%s", (int)(name - path), path,
		     tree.before, (int)tree.label_len, tree.label, suffix) < 0)
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

/* Reads the tree that is named that way, unless it lies there by chance and is none of the profile's. */
static int try_tree(struct reportprofile *profile, enum naming naming, const char *path,
		    const char *command)
{
	char *tree = tree_beside(naming, path, profile->model.parts[0].header.pid);
	int code = EXIT_FINE;

	if (!tree)
		return complain_status(command, path, PROFILE_NO_MEMORY);
	if (wholefile_begins(tree, FROM_TREE_HEAD)) {
		code = read_tree(profile, &profile->tree_model, tree, command);
		if (code == EXIT_FINE && !fits(profile)) {
			pathtree_release(&profile->tree);
			profile->tree.model = NULL;
			model_release(&profile->tree_model);
			if (!model_init(&profile->tree_model, &heap_env))
				code = complain_status(command, path, PROFILE_NO_MEMORY);
		}
	}
	free(tree);
	return code;
}

static int find_tree(struct reportprofile *profile, const struct reportprofile_options *options,
		     const char *path)
{
	const char *command = options->loading.command;
	const struct model *model = &profile->model;
	int code = EXIT_FINE;

	if (options->tree_path)
		return read_tree(profile, &profile->tree_model, options->tree_path, command);
	if (model->n_parts == 0 || !model->parts[0].header.has_pid)
		return EXIT_FINE;
	for (enum naming i = 0; code == EXIT_FINE && !profile->tree.model && i < N_NAMINGS; i++)
		code = try_tree(profile, i, path, command);
	return code;
}

/* Reads the data files of a model; if they are another run's, that is said in *wrong. */
static int read_data(struct reportprofile *profile, struct loader_options loading,
		     const struct objectfiles *files, const struct model *model, const char **wrong,
		     struct arena *arena)
{
	struct loaded loaded;
	bool are_others;
	int code;

	loading.named_by = files->names;
	code = loader_read(&profile->data_model, &loading, files->paths, files->n, &loaded);
	if (code != EXIT_FINE)
		return code;
	*wrong = objectfiles_wrong(files, model, &profile->data_model, &are_others, arena);
	profile->has_data = !*wrong || !are_others;
	return code;
}

/* Reads the data profile that a profile names; one that is gone, or another run's, is none, which is said. */
static int find_data(struct reportprofile *profile, const struct reportprofile_options *options,
		     const char *path)
{
	const struct model *model = profile->has_parts ? &profile->apart : &profile->model;
	struct loader_options loading = options->loading;
	struct objectfiles files;
	const char *wrong = NULL;
	struct arena arena;
	int code = EXIT_FINE;

	loading.positions = true;
	loading.jumps = false;
	arena_init(&arena, &heap_env);
	if (!objectfiles_find(&files, model, &path, 1, &arena)) {
		code = complain_status(loading.command, path, PROFILE_NO_MEMORY);
	} else if (files.are_named) {
		wrong = objectfiles_missing(&files, &arena);
		if (!wrong)
			code = read_data(profile, loading, &files, model, &wrong, &arena);
	}
	if (wrong && !loading.quiet)
		warn(loading.command, "%s", wrong);
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
