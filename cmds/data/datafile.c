/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data profile that a profile names. */
#include "cmds/data/objects.h"

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"

int datafile_read(struct model *data, bool *is_there, const struct model *model, const char *path,
		  const struct loader_options *usual, const char *command)
{
	struct loader_options loading = *usual;
	struct objectfiles files;
	const char *wrong = NULL;
	struct arena arena;
	int code = EXIT_FINE;

	*is_there = false;
	loading.positions = true;
	loading.jumps = false;
	/* Objects are of all threads and parts, whichever of them are chosen; that they are is said. */
	loading.parts = loading.threads = NULL;
	arena_init(&arena);
	objectfiles_find(&files, model, &path, 1, &arena);
	if (files.are_named)
		wrong = objectfiles_missing(&files, &arena);
	if (files.are_named && !wrong) {
		struct loaded loaded;
		bool are_others;

		loading.named_by = files.names;
		code = loader_read(data, &loading, files.paths, files.n, &loaded);
		if (code == EXIT_FINE) {
			wrong = objectfiles_wrong(&files, model, data, &are_others, &arena);
			*is_there = !wrong || !are_others;
		}
	}
	if (wrong && !loading.quiet)
		warn(command, "%s", wrong);
	arena_release(&arena);
	return code;
}
