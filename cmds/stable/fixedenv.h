/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The environment of a stable run: a few variables that are always the same, those
 * that the user keeps, sorted by name; and one that brings arguments and
 * environment to one size, since the stack begins below them and its alignment moves counts.
 */
#ifndef CMDS_STABLE_FIXEDENV_H
#define CMDS_STABLE_FIXEDENV_H

#include <stdbool.h>
#include <stddef.h>

/* Arguments and environment together are a multiple of this; bytes. */
enum { FIXEDENV_UNIT = 4096 };

struct fixedenv_choice {
	const char *const *kept; /* lists "A,B" of names whose values are the user's */
	size_t n_kept;
	bool keeps_all;       /* the user's environment stays, of whatever size */
	bool is_enclosed;     /* /costgrind is there (sandbox.h) */
	const char *library;  /* VALGRIND_LIB as the program will see it; NULL = none */
	char *const *program; /* PROG and ARGS as the program will see them; NULL ends them */
	size_t shift;         /* bytes that the environment is to be longer */
	bool is_other;        /* other texts of the same lengths, where they should not matter */
};

struct fixedenv {
	char **vars; /* "NAME=value", ended by NULL; owned */
	size_t n;
	size_t size; /* bytes of arguments and environment, pointers to them included */
};

/*
 * Makes it from the user's environment; false if memory ran out.  It is for execve(), so that
 * nothing gives it back.
 */
bool fixedenv_make(struct fixedenv *env, const struct fixedenv_choice *choice);

/* Whether text is a list of names for kept: "A,B". */
bool fixedenv_is_list(const char *text);

#endif
