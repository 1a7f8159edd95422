/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/movedsources.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "cmds/source/sourcetext.h"
#include "profile/common/namedfile.h"

/* A folder that is another one now. */
struct source_move {
	const char *from, *to; /* not terminated */
	size_t from_len, to_len;
	size_t n; /* sources that it finds */
};

static bool is_same(const struct source_move *a, const struct source_move *b)
{
	return a->from_len == b->from_len && a->to_len == b->to_len &&
	       memcmp(a->from, b->from, a->from_len) == 0 && memcmp(a->to, b->to, a->to_len) == 0;
}

/* How many bytes of a source that was found are before this end, which begins with a slash; 0 = none. */
static size_t found_before(const struct annotated *annotated, const char *end, const char **name)
{
	size_t len = strlen(end);

	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];
		size_t name_len = strlen(file->name);

		if (!file->is_found || name_len <= len ||
		    strcmp(file->name + name_len - len, end) != 0)
			continue;
		*name = file->name;
		return name_len - len;
	}
	return 0;
}

/* True for a file that a profile's name may lead to. */
static bool is_source(const char *path)
{
	struct stat status;

	return namedfile_look(path, SOURCETEXT_MOST, &status) && access(path, R_OK) == 0;
}

/* Where a source is now, by the longest end of its path; false if nowhere. */
static bool find_move(const struct annotated *annotated, const char *name, const char *here,
		      struct source_move *move)
{
	if (name[0] != '/')
		return false;
	for (const char *end = strchr(name + 1, '/'); end; end = strchr(end + 1, '/')) {
		*move = (struct source_move){ .from = name, .from_len = (size_t)(end - name) };
		move->to_len = found_before(annotated, end, &move->to);
		if (move->to_len == 0 && here && is_source(end + 1)) {
			move->to = here;
			move->to_len = strlen(here);
		}
		if (move->to_len > 0)
			return true;
	}
	return false;
}

static void add_move(struct source_move *moves, size_t *n, const struct source_move *move)
{
	size_t i = 0;

	while (i < *n && !is_same(&moves[i], move))
		i++;
	if (i == *n)
		moves[(*n)++] = *move;
	moves[i].n++;
}

bool moved_sources_warn(const struct annotated *annotated, const char *command, struct arena *arena)
{
	struct source_move *moves =
		arena_alloc(arena, (annotated->n + 1) * sizeof(*moves), sizeof(void *));
	const struct source_move *best = moves;
	char folder[4096];
	const char *here = getcwd(folder, sizeof(folder));
	size_t n = 0, n_moved = 0;

	if (!moves)
		return false;
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];
		struct source_move move;

		if (file->is_found || file->is_refused || !file->is_known ||
		    !find_move(annotated, file->name, here, &move))
			continue;
		n_moved++;
		add_move(moves, &n, &move);
	}
	for (size_t i = 1; i < n; i++)
		if (moves[i].n > best->n)
			best = &moves[i];
	if (n == 0 || 2 * best->n <= n_moved || memchr(best->from, '=', best->from_len) ||
	    memchr(best->to, '=', best->to_len))
		return true;
	warn(command,
	     "the folder %.*s seems to be %.*s now: --source-map=%.*s=%.*s finds %zu source%s",
	     (int)best->from_len, best->from, (int)best->to_len, best->to, (int)best->from_len,
	     best->from, (int)best->to_len, best->to, best->n, best->n == 1 ? "" : "s");
	return true;
}
