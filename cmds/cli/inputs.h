/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a command is to read, in order. */
#ifndef CMDS_CLI_INPUTS_H
#define CMDS_CLI_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

enum { INPUTS_MAX_DEFERRED = 16 };

/* Fields are for reading; {0} is an empty list. */
struct inputs {
	const char **paths; /* the array is owned, the texts may be */
	size_t n;
	size_t capacity;
	char **lists; /* owned; what was read of files */
	size_t n_lists;
	const char *deferred[INPUTS_MAX_DEFERRED]; /* files with lists, to be read */
	size_t n_deferred;
};

void inputs_release(struct inputs *inputs);

/*
 * Notes a file that lists paths ("-" is standard input), for inputs_collect(): each ended by
 * a NUL, if there is any in it, else by a line feed or CR LF.  Returns NULL, or what was expected, as an option's set() does.
 */
const char *inputs_defer_list(struct inputs *inputs, const char *path);

/*
 * Adds the paths in the files that were noted, then n operands, which must outlive
 * the list.  False after a message by the command's name.
 */
bool inputs_collect(struct inputs *inputs, const char *command, char *const *operands, int n);

/*
 * Warns of each path that is the same file as an earlier one, whatever it is called: it
 * will be added twice.  Pipes and what cannot be looked at are not compared.
 * False if memory ran out.
 */
bool inputs_warn_repeated(const char *command, const char *const *paths, size_t n);

/* How often standard input is among them. */
size_t inputs_standard(const struct inputs *inputs);

#endif
