/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree is found by the profile's name, and one that is there by chance does not cost what the profile does. */
#include "cmds/convert/treefile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/convert/formats.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "writer/shared/besidename.h"

static void drop(struct pathtree *tree)
{
	pathtree_release(tree);
	tree->model = NULL;
}

int treefile_read(struct pathtree *tree, struct model *tree_model, const char *path,
		  const char *command)
{
	const struct from_tree_options all = { .event = NULL };
	struct profile_error error = { .file = path };
	struct wholefile file;
	int status = wholefile_read(&file, path, wholefile_check_lines, &error);
	const struct reader_text text = { file.data, file.len, path };

	if (!status)
		status = from_tree_text(&text, &all, tree_model, tree, &error);
	wholefile_release(&file);
	if (!status)
		return EXIT_FINE;
	drop(tree);
	if (error.status == PROFILE_OK)
		return complain_status(command, path, status);
	error.file = path;
	complain_of(command, &error);
	return EXIT_FAILED;
}

/* The ways in which the tool names the call tree next to a profile, or did: the first that fits counts. */
enum tree_naming {
	BY_NAME, /* the profile's (writer/shared/besidename.h) */
	BY_PART, /* the profile's, without the number of its part, which follows the tree's, too */
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

/* Where the call tree of a profile of this process is, if it is named that way; the caller's to free. */
static char *tree_beside(enum tree_naming naming, const char *path, uint64_t pid)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(name) - (naming == BY_PART ? part_len(name) : 0);
	const char *suffix = name + len;
	struct besidename tree = besidename_of("tree", name, len);
	/* cppcheck-suppress variableScope ; tree points into it */
	char number[32];

	if (naming == BY_PID) {
		len = (size_t)snprintf(number, sizeof(number), ".%" PRIu64, pid);
		for (const char *at = name; (at = strstr(at, number)) != NULL; at++)
			if (at[len] == '.' || at[len] == '\0')
				suffix = at + len;
		tree = (struct besidename){ "", number + 1, len - 1 };
	}
	return heap_print("%.*s%stree.%.*s" BESIDENAME_ENDING "%s", (int)(name - path), path,
			  tree.before, (int)tree.label_len, tree.label, suffix);
}

/* True if a tree is of the run: it costs the same. */
static bool fits(const struct model *tree_model, const struct model *model)
{
	uint64_t of_model[PROFILE_MAX_EVENTS], of_tree[PROFILE_MAX_EVENTS];
	size_t event = model_event(model, tree_model->events[0].name);

	return event < model->n_events && model_totals(model, of_model) &&
	       model_totals(tree_model, of_tree) && of_model[event] == of_tree[0];
}

int treefile_find(struct pathtree *tree, struct model *tree_model, const struct model *model,
		  const char *path, const char *command)
{
	int code = EXIT_FINE;

	tree->model = NULL;
	if (model->n_parts == 0 || !model->parts[0].header.has_pid)
		return EXIT_FINE;
	for (enum tree_naming i = 0; code == EXIT_FINE && !tree->model && i < N_NAMINGS; i++) {
		char *name = tree_beside(i, path, model->parts[0].header.pid);

		if (wholefile_begins(name, FROM_TREE_HEAD))
			code = treefile_read(tree, tree_model, name, command);
		free(name);
		/* One of another run is there by chance. */
		if (code == EXIT_FINE && tree->model && !fits(tree_model, model)) {
			drop(tree);
			model_release(tree_model);
			model_init(tree_model);
		}
	}
	return code;
}
