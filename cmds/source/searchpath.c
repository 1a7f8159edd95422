/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that say where sources and objects are. */
#include "cmds/source/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "profile/common/heap.h"

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
	  "Look for source files below DIR too, by their whole names, then without their\n"
	  "first components; and read any file there that the profile names",
	  OPTION_CALL(set_include) },
	{ "--sysroot", 0, OPTION_VALUE, "DIR", "Look for objects of the profile below DIR",
	  OPTION_TEXT(struct searchpath, objects.sysroot, "a directory") },
	{ "--debug-dir", 0, OPTION_VALUE, "DIR",
	  "Look for symbols and lines of stripped objects in DIR, before /usr/lib/debug",
	  OPTION_CALL(set_debug_directory) },
	{ "--debuginfod", 0, OPTION_YES_NO, "yes|no",
	  "Fetch objects, debug information and sources that are not here from the servers in\n"
	  "DEBUGINFOD_URLS, by build-id [no]",
	  OPTION_CALL(set_debuginfod) },
	{ .name = NULL },
};

/* -- the user's file ---------------------------------------------------------------- */

enum {
	RC_PATH = 4096, /* bytes of its name with the NUL */
	RC_MOST = 65536 /* bytes of what is in it; what follows is no option */
};

static bool find_rc(char *name, size_t size)
{
	const char *below = "costgrind/rc";
	const char *folder = getenv("XDG_CONFIG_HOME");
	int len;

	/* A relative one is invalid: XDG Base Directory Specification. */
	if (!folder || folder[0] != '/') {
		folder = getenv("HOME");
		below = ".config/costgrind/rc";
	}
	if (!folder || folder[0] == '\0')
		return false;
	len = snprintf(name, size, "%s/%s", folder, below);
	return len > 0 && (size_t)len < size;
}

/* All of a file, with a NUL after it; NULL if it cannot be read, errno then saying why. */
static char *read_text(const char *name)
{
	FILE *file = fopen(name, "re");
	char *text = file ? heap_alloc(RC_MOST + 1) : NULL;
	size_t len = text ? fread(text, 1, RC_MOST, file) : 0;

	if (text && ferror(file)) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	if (text)
		text[len] = '\0';
	return text;
}

/* An option without the blanks around it, or NULL. */
static char *option_of(char *line)
{
	char *end;

	line += strspn(line, " \t\r");
	end = line + strlen(line);
	while (end > line && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return line[0] == '\0' || line[0] == '#' ? NULL : line;
}

/* "--include, --sysroot ...": what can are there; and what a line without hyphens may mean. */
static void complain_of_line(const char *command, const char *place, const char *line)
{
	size_t len = strcspn(line, "="), n = 0;
	char names[COMPLAINT_TEXT] = "", meant[COMPLAINT_TEXT] = "";

	for (const struct option_rule *rule = searchpath_options; rule->name; rule++) {
		int added = snprintf(names + n, sizeof(names) - n, " %s", rule->name);

		n += added > 0 && (size_t)added < sizeof(names) - n ? (size_t)added : 0;
		/* The names are of the table, which has all with two hyphens. */
		if (strlen(rule->name) == len + 2 && memcmp(rule->name + 2, line, len) == 0)
			snprintf(meant, sizeof(meant), "; did you mean '--%s'?", line);
	}
	complain(command, "%s: '%s': expected one of%s%s", place, line, names, meant);
}

int searchpath_read_rc(struct searchpath *path)
{
	char name[RC_PATH], place[RC_PATH + 24];
	size_t number = 1;

	if (!find_rc(name, sizeof(name)))
		return OPTIONS_GO_ON;
	path->rc_text = read_text(name);
	if (!path->rc_text) {
		if (errno == ENOENT || errno == ENOTDIR)
			return OPTIONS_GO_ON;
		complain(path->fetcher.command, "%s: %s", name, strerror(errno));
		return EXIT_FAILED;
	}
	for (char *line = path->rc_text; line; number++) {
		char *end = strchr(line, '\n');
		const char *option, *expected;

		if (end)
			*end++ = '\0';
		option = option_of(line);
		expected = option ? option_set(searchpath_options, option, path) : NULL;
		if (expected) {
			snprintf(place, sizeof(place), "%s:%zu", name, number);
			if (expected == option_unknown)
				complain_of_line(path->fetcher.command, place, option);
			else
				complain(path->fetcher.command, "%s: '%s': expected %s", place,
					 option, expected);
			return EXIT_USAGE;
		}
		line = end;
	}
	return OPTIONS_GO_ON;
}

void searchpath_release(struct searchpath *path)
{
	fetcher_release(&path->fetcher);
	free(path->rc_text);
}
