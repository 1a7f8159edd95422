/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "profile/common/error.h"

/* At what the dynamic linker divides LD_PRELOAD. */
static const char separators[] = " :";

static const char tool_name[] = "costgrind", plain_option[] = "--tool=costgrind";

const char *launch_valgrind(void)
{
	const char *valgrind = getenv("VALGRIND");

	return valgrind != NULL && valgrind[0] != '\0' ? valgrind : VALGRIND_PROGRAM;
}

/* valgrind-lib/ beside this program, if it is there. */
static bool find_built(char *path, size_t size)
{
	static const char overlay[] = "valgrind-lib";
	ssize_t len = readlink("/proc/self/exe", path, size - sizeof(overlay));
	char *slash;

	if (len < 0)
		return false;
	path[len] = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL)
		return false;
	memcpy(slash + 1, overlay, sizeof(overlay));
	return access(path, X_OK) == 0;
}

bool launch_library(char *path, size_t size)
{
	const char *given = getenv("VALGRIND_LIB");

	if (given == NULL)
		return find_built(path, size);
	return (size_t)snprintf(path, size, "%s", given) < size;
}

/* Where the file that programs preload really is, if the dynamic linker understands its name. */
static bool find_preloads(char *path, const char *library)
{
	static const char core[] = "vgpreload_core", platform[] = TOOL_FILE;
	char name[2 * LAUNCH_PATH];
	char *real;
	bool fine;

	snprintf(name, sizeof(name), "%s/%s%s.so", library, core, strchr(platform, '-'));
	real = realpath(name, NULL);
	if (real == NULL)
		return false;
	*strrchr(real, '/') = '\0';
	fine = strpbrk(real, separators) == NULL &&
	       (size_t)snprintf(path, LAUNCH_PATH, "%s", real) < LAUNCH_PATH;
	free(real);
	return fine;
}

void launch_tool(char *option, char *library)
{
	char preloads[LAUNCH_PATH];
	char *real;
	size_t len;

	snprintf(option, LAUNCH_TOOL, "%s", plain_option);
	if (strpbrk(library, separators) == NULL || !find_preloads(preloads, library))
		return;
	real = realpath(library, NULL);
	if (real == NULL)
		return;
	/* Up to the root, and down: Valgrind puts its own directory before the tool's name. */
	len = (size_t)snprintf(option, LAUNCH_TOOL, "--tool=..");
	for (const char *at = strchr(preloads + 1, '/'); at != NULL; at = strchr(at + 1, '/'))
		len += (size_t)snprintf(option + len, LAUNCH_TOOL - len, "/..");
	snprintf(option + len, LAUNCH_TOOL - len, "%s/%s", real, tool_name);
	free(real);
	memcpy(library, preloads, strlen(preloads) + 1);
}

bool launch_find(const char *name, char *path, size_t size)
{
	const char *folder = getenv("PATH");

	if (strchr(name, '/') != NULL)
		return (size_t)snprintf(path, size, "%s", name) < size && access(path, X_OK) == 0;
	while (folder != NULL && *folder != '\0') {
		size_t len = strcspn(folder, ":");

		if ((size_t)snprintf(path, size, "%.*s/%s", (int)len, folder, name) < size &&
		    access(path, X_OK) == 0)
			return true;
		folder += len + (folder[len] == ':');
	}
	return false;
}

size_t launch_literal(char *to, size_t size, const char *name)
{
	size_t len = 0;

	for (; *name && len + 2 < size; name++) {
		to[len++] = *name;
		if (*name == '%')
			to[len++] = '%';
	}
	to[len] = '\0';
	return len;
}

int launch(const char *command, char **argv, size_t n)
{
	const char *valgrind = launch_valgrind();
	char **args = calloc(n + 3, sizeof(*args));
	char library[LAUNCH_PATH], option[LAUNCH_TOOL];
	bool fine = args != NULL;

	snprintf(option, sizeof(option), "%s", plain_option);
	if (fine && launch_library(library, sizeof(library))) {
		launch_tool(option, library);
		fine = setenv("VALGRIND_LIB", library, 1) == 0;
	}
	if (fine) {
		args[0] = strdup(valgrind);
		args[1] = strdup(option);
		memcpy(args + 2, argv, n * sizeof(*args));
		fine = args[0] != NULL && args[1] != NULL;
	}
	if (fine) {
		execvp(valgrind, args);
		complain(command, "%s: %s", valgrind, strerror(errno));
	} else {
		complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	if (args != NULL) {
		free(args[0]);
		free(args[1]);
	}
	free(args);
	return EXIT_FAILED;
}
