/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memrchr */
#include "cmds/cli/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"
#include "profile/format/reader.h"
#include "profile/format/source.h"

void inputs_release(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->n_texts; i++)
		free(inputs->texts[i]);
	free(inputs->texts);
	free(inputs->paths);
	*inputs = (struct inputs){ 0 };
}

/* Adds a path, which must outlive the list. */
static void inputs_add(struct inputs *inputs, const char *path)
{
	inputs->paths =
		heap_grow(inputs->paths, &inputs->capacity, inputs->n + 1, sizeof(*inputs->paths));
	inputs->paths[inputs->n++] = path;
}

/* All of a file, with a NUL after its len bytes, to be freed; 0 or an errno. */
static int read_all(FILE *file, char **text, size_t *len)
{
	size_t size = 0;

	*text = NULL;
	*len = 0;
	for (;;) {
		if (*len + 1 >= size) {
			size = size ? 2 * size : 4096;
			*text = heap_resize(*text, size);
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
	if (file != stdin)
		fclose(file);
	if (error) {
		free(text);
		return error;
	}
	inputs->texts = heap_resize(inputs->texts, (inputs->n_texts + 1) * sizeof(*inputs->texts));
	inputs->texts[inputs->n_texts++] = text;
	/* Names in a list of NULs may have line feeds; others end by these, or by CR LF. */
	for (char *feed = memchr(text, '\0', len) ? NULL : strchr(text, '\n'); feed;
	     feed = strchr(feed + 1, '\n')) {
		*feed = '\0';
		if (feed > text && feed[-1] == '\r')
			feed[-1] = '\0';
	}
	for (const char *name = text; name < text + len; name += strlen(name) + 1)
		if (name[0])
			inputs_add(inputs, name);
	return 0;
}

bool inputs_collect(struct inputs *inputs, const char *command, char *const *operands, int n)
{
	for (size_t i = 0; i < inputs->lists.n; i++) {
		int error = add_list(inputs, inputs->lists.all[i]);

		if (error) {
			complain(command, "%s: %s", inputs->lists.all[i], strerror(error));
			return false;
		}
	}
	for (int i = 0; i < n; i++)
		inputs_add(inputs, operands[i]);
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

void inputs_warn_repeated(const char *command, const char *const *paths, size_t n_paths)
{
	struct identity *identities = heap_alloc(n_paths * sizeof(*identities));
	size_t n = 0;

	for (size_t i = 0; i < n_paths; i++) {
		struct stat status;

		if (stat(paths[i], &status) == 0 && S_ISREG(status.st_mode))
			identities[n++] = (struct identity){ status.st_dev, status.st_ino, i };
	}
	qsort(identities, n, sizeof(*identities), compare_identities);
	for (size_t i = 1; i < n; i++) {
		const char *path = paths[identities[i].index];
		const char *earlier = paths[identities[i - 1].index];

		if (identities[i].device != identities[i - 1].device ||
		    identities[i].inode != identities[i - 1].inode)
			continue;
		if (strcmp(path, earlier) == 0)
			warn(command, "%s: named twice, added twice", path);
		else
			warn(command, "%s: the same file as %s, added twice", path, earlier);
	}
	free(identities);
}

size_t inputs_standard(const struct inputs *inputs)
{
	size_t n = 0;

	for (size_t i = 0; i < inputs->n; i++)
		n += strcmp(inputs->paths[i], "-") == 0;
	return n;
}

/* -- a file in memory ------------------------------------------------------------------- */

enum { CHUNK = 1 << 16 };

int wholefile_read(struct wholefile *file, const char *path, wholefile_check *check,
		   struct profile_error *error)
{
	size_t capacity = 0, got = 0;
	struct source source;
	int status;

	*file = (struct wholefile){ .len = 0 };
	status = source_open(&source, path, error);
	if (status)
		return status;
	do {
		file->data = heap_grow(file->data, &capacity, file->len + CHUNK, 1);
		status = source_read(&source, file->data + file->len, CHUNK, &got, error);
		file->len += status ? 0 : got;
		if (!status && got > 0 && check)
			status = check(file, got, error);
	} while (!status && got > 0);
	source_close(&source);
	return status;
}

int wholefile_check_lines(const struct wholefile *file, size_t n_new, struct profile_error *error)
{
	/* What came before was looked at. */
	if (file->len <= READER_MAX_LINE || memrchr(file->data + file->len - n_new, '\n', n_new) ||
	    memrchr(file->data + file->len - READER_MAX_LINE, '\n', READER_MAX_LINE))
		return PROFILE_OK;
	return profile_error_set(error, PROFILE_SYNTAX, "expected lines of at most %d bytes",
				 READER_MAX_LINE);
}

void wholefile_release(struct wholefile *file)
{
	free(file->data);
	file->data = NULL;
}

bool wholefile_begins(const char *path, const char *text)
{
	size_t wanted = strlen(text), len = 0, got = 0;
	struct profile_error error;
	struct source source;
	char head[64] = "";

	/* What is no regular file can be read only once. */
	if (wanted > sizeof(head) || strcmp(path, "-") == 0 ||
	    source_open_named(&source, path, &error) != PROFILE_OK)
		return false;
	do {
		if (source_read(&source, head + len, wanted - len, &got, &error) != PROFILE_OK)
			break;
		len += got;
	} while (got > 0 && len < wanted);
	source_close(&source);
	return len == wanted && memcmp(head, text, len) == 0;
}

/* -- progress --------------------------------------------------------------------------- */

void progress_init(struct progress *progress, bool quiet, size_t n_files)
{
	*progress = (struct progress){ .shows = !quiet && isatty(STDERR_FILENO),
				       .began = time(NULL),
				       .n_files = n_files };
}

int progress_show(void *ctx, uint64_t bytes, uint64_t size)
{
	struct progress *progress = ctx;

	/* Seconds are whole: two of them are over for sure when the third has begun. */
	if (!progress->shows || time(NULL) - progress->began < 3)
		return 0;
	progress->is_shown = true;
	if (size > 0)
		fprintf(stderr, "\rreading: %3d %%",
			(int)(100 * ((double)progress->n_read + (double)bytes / (double)size) /
			      (double)progress->n_files));
	else
		fprintf(stderr, "\rreading: %" PRIu64 " MiB", bytes >> 20);
	return 0;
}

void progress_end_file(struct progress *progress)
{
	progress->n_read++;
	if (progress->is_shown)
		fprintf(stderr, "\r%24s\r", "");
	progress->is_shown = false;
}
