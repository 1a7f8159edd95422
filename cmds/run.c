/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind run: becomes valgrind --tool=costgrind.
 *
 * Valgrind looks for its tools in one directory.  Where costgrind is not
 * installed but run from the directory in which it was built, that is
 * valgrind-lib/ beside the program, which has links to Valgrind's own files.
 */
#include "cmds/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Points VALGRIND_LIB to valgrind-lib/ beside this program, if it is there. */
static int use_built_tool(void)
{
	static const char overlay[] = "valgrind-lib";
	char path[PATH_MAX + sizeof(overlay)];
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash;

	if (len < 0)
		return 0;
	path[len] = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL)
		return 0;
	memcpy(slash + 1, overlay, sizeof(overlay));
	if (access(path, X_OK) != 0)
		return 0;
	return setenv("VALGRIND_LIB", path, 0);
}

/*
 * Becomes valgrind --tool=costgrind with these n arguments.  Returns an exit
 * code if that failed.
 */
static int start_valgrind(char **argv, size_t n)
{
	const char *valgrind = getenv("VALGRIND");
	char **args = calloc(n + 3, sizeof(*args));

	if (valgrind == NULL || valgrind[0] == '\0')
		valgrind = VALGRIND_PROGRAM;
	if (args == NULL || use_built_tool() != 0) {
		fprintf(stderr, "costgrind run: %s\n", strerror(ENOMEM));
		free(args);
		return EXIT_FAILED;
	}
	args[0] = strdup(valgrind);
	args[1] = strdup("--tool=costgrind");
	memcpy(args + 2, argv, n * sizeof(*args));
	if (args[0] != NULL && args[1] != NULL)
		execvp(valgrind, args);
	fprintf(stderr, "costgrind run: %s: %s\n", valgrind, strerror(errno));
	free(args[0]);
	free(args[1]);
	free(args);
	return EXIT_FAILED;
}

int run_main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
			command_print_help(command_find("run"));
			return EXIT_FINE;
		}
		if (strcmp(argv[i], "--tool-help") == 0) {
			char help[] = "--help";

			return start_valgrind((char *[]){ help }, 1);
		}
		if (strcmp(argv[i], "--") == 0)
			break;
	}
	if (i + (i < argc && strcmp(argv[i], "--") == 0) >= argc) {
		fprintf(stderr, "costgrind run: expected a program to run\n");
		return EXIT_USAGE;
	}
	/* Valgrind takes "--" too: it ends the options, and keeps PROG from being one. */
	return start_valgrind(argv + 1, (size_t)(argc - 1));
}
