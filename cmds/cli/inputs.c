/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* reallocarray */
#include "cmds/cli/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/complaint.h"
#include "profile/common/error.h"

void inputs_release(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->n_lists; i++)
		free(inputs->lists[i]);
	free(inputs->lists);
	free(inputs->paths);
	*inputs = (struct inputs){ 0 };
}

/* Adds a path, which must outlive the list; false if memory ran out. */
static bool inputs_add(struct inputs *inputs, const char *path)
{
	if (inputs->n == inputs->capacity) {
		size_t capacity = inputs->capacity ? 2 * inputs->capacity : 64;
		const char **paths = reallocarray(inputs->paths, capacity, sizeof(*paths));

		if (!paths)
			return false;
		inputs->paths = paths;
		inputs->capacity = capacity;
	}
	inputs->paths[inputs->n++] = path;
	return true;
}

/* All of a file, with a NUL behind its len bytes, to be freed; 0 or an errno. */
static int read_all(FILE *file, char **text, size_t *len)
{
	size_t size = 0;

	*text = NULL;
	*len = 0;
	for (;;) {
		if (*len + 1 >= size) {
			char *larger;

			size = size ? 2 * size : 4096;
			larger = realloc(*text, size);
			if (!larger)
				return ENOMEM;
			*text = larger;
		}
		*len += fread(*text + *len, 1, size - *len - 1, file);
		if (ferror(file))
			return errno;
		if (feof(file))
			break;
	}
	(*text)[*len] = '\0';
	return 0;
}

/* Ends names by NULs that end by line feeds, or CR LF. */
static void split_lines(char *text)
{
	for (char *feed = strchr(text, '\n'); feed; feed = strchr(feed + 1, '\n')) {
		*feed = '\0';
		if (feed > text && feed[-1] == '\r')
			feed[-1] = '\0';
	}
}

/* Keeps a text that was read, len bytes and a NUL, and adds the names in it; 0 or an errno. */
static int add_names(struct inputs *inputs, char *text, size_t len)
{
	char **lists = reallocarray(inputs->lists, inputs->n_lists + 1, sizeof(*lists));

	if (!lists) {
		free(text);
		return ENOMEM;
	}
	inputs->lists = lists;
	inputs->lists[inputs->n_lists++] = text;
	/* Names in a list of NULs may have line feeds. */
	if (!memchr(text, '\0', len))
		split_lines(text);
	for (const char *name = text; name < text + len; name += strlen(name) + 1)
		if (name[0] && !inputs_add(inputs, name))
			return ENOMEM;
	return 0;
}

/* Adds the paths in a file; 0 or an errno. */
static int add_list(struct inputs *inputs, const char *path)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char *text;
	size_t len;
	int error;

	if (!file)
		return errno;
	error = read_all(file, &text, &len);
	if (error)
		free(text);
	else
		error = add_names(inputs, text, len);
	if (file != stdin)
		fclose(file);
	return error;
}

const char *inputs_defer_list(struct inputs *inputs, const char *path)
{
	if (inputs->n_deferred == INPUTS_MAX_DEFERRED)
		return "at most 16 of them";
	inputs->deferred[inputs->n_deferred++] = path;
	return path[0] ? NULL : "the name of a file";
}

bool inputs_collect(struct inputs *inputs, const char *command, char *const *operands, int n)
{
	for (size_t i = 0; i < inputs->n_deferred; i++) {
		int error = add_list(inputs, inputs->deferred[i]);

		if (error) {
			complain(command, "%s: %s", inputs->deferred[i], strerror(error));
			return false;
		}
	}
	for (int i = 0; i < n; i++) {
		if (inputs_add(inputs, operands[i]))
			continue;
		complain_status(command, NULL, PROFILE_NO_MEMORY);
		return false;
	}
	return true;
}

struct identity {
	dev_t device;
	ino_t inode;
	size_t index; /* of the path */
};

static int compare_identities(const void *left, const void *right)
{
	const struct identity *a = left, *b = right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

static void warn_of(const char *command, const char *path, const char *earlier)
{
	if (strcmp(path, earlier) == 0)
		warn(command, "%s: named twice, added twice", path);
	else
		warn(command, "%s: the same file as %s, added twice", path, earlier);
}

bool inputs_warn_repeated(const char *command, const char *const *paths, size_t n_paths)
{
	struct identity *identities = calloc(n_paths + 1, sizeof(*identities));
	size_t n = 0;

	if (!identities)
		return false;
	for (size_t i = 0; i < n_paths; i++) {
		struct stat status;

		if (stat(paths[i], &status) == 0 && S_ISREG(status.st_mode))
			identities[n++] = (struct identity){ status.st_dev, status.st_ino, i };
	}
	qsort(identities, n, sizeof(*identities), compare_identities);
	for (size_t i = 1; i < n; i++)
		if (identities[i].device == identities[i - 1].device &&
		    identities[i].inode == identities[i - 1].inode)
			warn_of(command, paths[identities[i].index],
				paths[identities[i - 1].index]);
	free(identities);
	return true;
}

size_t inputs_standard(const struct inputs *inputs)
{
	size_t n = 0;

	for (size_t i = 0; i < inputs->n; i++)
		n += strcmp(inputs->paths[i], "-") == 0;
	return n;
}
