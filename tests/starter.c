/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts Valgrind, whose path tests/run has given as VALGRIND.  Where LD_PRELOAD, which Valgrind sets, is last in
 * the environment, the random bytes that every process is given (AT_RANDOM) come next, and the dynamic linker's
 * strcspn() looks some of them up in a table: runs would differ by a miss.  So another variable follows it.
 *
 * A program, as a shell and env take 6 ms of the 70 of a run, and there are some thousand runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef VALGRIND
# define VALGRIND "valgrind"
#endif

extern char **environ;

int main(int argc, char **argv)
{
	static char none[] = "LD_PRELOAD=", behind[] = "BEHIND_LD_PRELOAD=", program[] = VALGRIND;
	char *preload = none;
	char **variables;
	size_t n = 0;

	while (environ[n])
		n++;
	variables = calloc(n + 3, sizeof(*variables));
	if (!variables || argc < 1)
		return 127;
	n = 0;
	for (char **next = environ; *next; next++) {
		if (strncmp(*next, none, strlen(none)) == 0)
			preload = *next;
		else if (strncmp(*next, behind, strlen(behind)) != 0)
			variables[n++] = *next;
	}
	variables[n++] = preload;
	variables[n] = behind;
	argv[0] = program;
	execve(program, argv, variables);
	perror(program);
	free(variables);
	return 127;
}
