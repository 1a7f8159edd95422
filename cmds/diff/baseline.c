/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* asprintf() */
#include "cmds/diff/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/common/complaint.h"
#include "profile/common/error.h"

static const char folder_name[] = ".costgrind";

bool baseline_name_is_valid(const char *name)
{
	enum { MAX_LENGTH = 100 };
	size_t len = strlen(name);
	size_t valid = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-");

	return len > 0 && len <= MAX_LENGTH && valid == len && !strchr("._-", name[0]);
}

static char *join(const char *folder, size_t folder_len, const char *name)
{
	char *path;

	return asprintf(&path, "%.*s/%s", (int)folder_len, folder, name) < 0 ? NULL : path;
}

static bool is_there(const char *folder, size_t folder_len, const char *name)
{
	char *path = join(folder, folder_len, name);
	struct stat status;
	bool there = path && stat(path, &status) == 0;

	free(path);
	return there;
}

static char *find_folder(void)
{
	char *here = getcwd(NULL, 0);
	char *found = NULL;
	size_t len = here ? strlen(here) : 0;

	while (here && !found) {
		if (is_there(here, len, folder_name) || is_there(here, len, ".git"))
			found = join(here, len, folder_name);
		if (len == 0)
			break;
		while (len > 0 && here[len - 1] != '/')
			len--;
		len -= len > 0; /* the slash; 0 is the root */
	}
	free(here);
	return found ? found : strdup(folder_name);
}

char *baseline_path(const char *folder, const char *name, bool create, const char *command)
{
	char *own = folder ? strdup(folder) : find_folder();
	char *path = NULL;

	if (own && create && mkdir(own, 0777) != 0 && errno != EEXIST)
		complain(command, "%s: %s", own, strerror(errno));
	else if (!own || asprintf(&path, "%s/%s.cg", own, name) < 0) {
		path = NULL;
		complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	free(own);
	return path;
}
