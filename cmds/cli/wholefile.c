/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memrchr */
#include "cmds/cli/wholefile.h"

#include <string.h>

#include "profile/common/heap.h"
#include "profile/format/reader.h"
#include "profile/format/source.h"

enum { CHUNK = 1 << 16 };

static int read_all(struct wholefile *file, struct source *source, wholefile_check *check,
		    struct profile_error *error)
{
	size_t capacity = 0, got = 0;
	int status;

	do {
		if (!heap_reserve(file->env, (void **)&file->data, &capacity, file->len + CHUNK, 1))
			return profile_error_status(error, PROFILE_NO_MEMORY);
		status = source_read(source, file->data + file->len, CHUNK, &got, error);
		file->len += status ? 0 : got;
		if (!status && got > 0 && check)
			status = check(file, got, error);
	} while (!status && got > 0);
	return status;
}

int wholefile_read(struct wholefile *file, const char *path, const struct env *env,
		   wholefile_check *check, struct profile_error *error)
{
	struct source source;
	int status;

	*file = (struct wholefile){ .env = env };
	status = source_open(&source, path, env, error);
	if (status)
		return status;
	status = read_all(file, &source, check, error);
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
	file->env->release(file->env->ctx, file->data);
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
	    source_open_named(&source, path, &heap_env, &error) != PROFILE_OK)
		return false;
	do {
		if (source_read(&source, head + len, wanted - len, &got, &error) != PROFILE_OK)
			break;
		len += got;
	} while (got > 0 && len < wanted);
	source_close(&source);
	return len == wanted && memcmp(head, text, len) == 0;
}
