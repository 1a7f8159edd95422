/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a stable run makes the same in all runs, and the words by which a user says
 * that something stays as it is.
 */
#ifndef CMDS_STABLE_KEEPING_H
#define CMDS_STABLE_KEEPING_H

#include <stdbool.h>
#include <stdio.h>

enum matter {
	MATTER_ADDRESSES,   /* randomisation of addresses */
	MATTER_CACHES,      /* that are simulated */
	MATTER_CPU,         /* one processor */
	MATTER_CWD,         /* path of the current directory */
	MATTER_DESCRIPTORS, /* those beyond 2 */
	MATTER_ENVIRONMENT,
	MATTER_HOST, /* its name */
	MATTER_INPUT,
	MATTER_LIMITS,
	MATTER_MACHINE, /* what the tool makes the same: --deterministic=yes */
	MATTER_OUTPUT,  /* kind of standard output and error */
	MATTER_PID,
	MATTER_PROGRAM, /* its path */
	MATTER_SIGNALS,
	MATTER_THREADS, /* their turns */
	MATTER_UMASK,
	MATTER_USER,
	N_MATTERS,
};

/* By enum matter: the word for --keep, and what a stable run does about it. */
extern const struct matter_text {
	const char *word;
	const char *given;
} matter_texts[N_MATTERS];

/* A set of matters. */
typedef unsigned matters;

static inline bool matters_have(matters set, enum matter matter)
{
	return (set >> matter & 1) != 0;
}

static inline matters matter_bit(enum matter matter)
{
	return 1U << matter;
}

/* Adds those of "A,B" to a set; false if a word is none of them. */
bool matters_add(matters *set, const char *list);

/* What --keep expects, and what it does, for messages and help. */
extern const char keeping_form[];
extern const char keeping_help[];

#endif
