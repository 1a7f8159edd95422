/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/wholefile.h"

#include <string.h>
#include <sys/stat.h>

#include "profile/common/heap.h"
#include "profile/format/source.h"

enum { CHUNK = 1 << 16 };

static int read_all(struct wholefile *file, struct source *source, struct profile_error *error)
{
	size_t capacity = 0, got = 0;
	int status;

	do {
		if (!heap_reserve(file->env, (void **)&file->data, &capacity, file->len + CHUNK, 1))
			return profile_error_status(error, PROFILE_NO_MEMORY);
		status = source_read(source, file->data + file->len, CHUNK, &got, error);
		file->len += status ? 0 : got;
	} while (!status && got > 0);
	return status;
}

int wholefile_read(struct wholefile *file, const char *path, const struct env *env,
		   struct profile_error *error)
{
	struct source source;
	int status;

	*file = (struct wholefile){ .env = env };
	status = source_open(&source, path, env, error);
	if (status)
		return status;
	status = read_all(file, &source, error);
	source_close(&source);
	return status;
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
	struct stat status;
	char head[64] = "";

	/* What is no regular file can be read only once. */
	if (wanted > sizeof(head) || strcmp(path, "-") == 0 || stat(path, &status) != 0 ||
	    !S_ISREG(status.st_mode) || source_open(&source, path, &heap_env, &error) != PROFILE_OK)
		return false;
	do {
		if (source_read(&source, head + len, wanted - len, &got, &error) != PROFILE_OK)
			break;
		len += got;
	} while (got > 0 && len < wanted);
	source_close(&source);
	return len == wanted && memcmp(head, text, len) == 0;
}
