/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/source/searchpath.h"

#include <string.h>

/* One more folder; NULL, or what was expected. */
static const char *add(const char **folders, size_t *n, const char *value)
{
	if (value[0] == '\0')
		return "a directory";
	if (*n == SEARCHPATH_MOST)
		return "at most 256 of them";
	folders[(*n)++] = value;
	return NULL;
}

static const char *set_include(void *ctx, const char *value)
{
	struct searchpath *path = ctx;

	return add(path->directories, &path->n_directories, value);
}

static const char *set_sysroot(void *ctx, const char *value)
{
	((struct searchpath *)ctx)->objects.sysroot = value;
	return value[0] != '\0' ? NULL : "a directory";
}

static const char *set_debug_directory(void *ctx, const char *value)
{
	struct searchpath *path = ctx;

	path->objects.debug_directories = path->debug_directories;
	return add(path->debug_directories, &path->objects.n_debug_directories, value);
}

static const char *set_debuginfod(void *ctx, const char *value)
{
	struct searchpath *path = ctx;

	path->objects.fetcher = strcmp(value, "yes") == 0 ? &path->fetcher : NULL;
	return NULL;
}

const struct option_rule searchpath_options[] = {
	{ "--include", 'I', OPTION_VALUE, "DIR",
	  "look for source files below DIR too, by their whole names, then without their\n"
	  "first components; and read any file there that the profile names",
	  set_include },
	{ "--sysroot", 0, OPTION_VALUE, "DIR", "objects of the profile are below DIR",
	  set_sysroot },
	{ "--debug-dir", 0, OPTION_VALUE, "DIR",
	  "look for symbols and lines of stripped objects in DIR, before /usr/lib/debug",
	  set_debug_directory },
	{ "--debuginfod", 0, OPTION_YES_NO, "yes|no",
	  "fetch objects, debug information and sources that are not here from the servers in\n"
	  "DEBUGINFOD_URLS, by build-id [no]",
	  set_debuginfod },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};
