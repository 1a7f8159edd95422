/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which program that reads profiles stumbles over what: a table. */
#ifndef CMDS_CHECK_READERS_H
#define CMDS_CHECK_READERS_H

#include <stddef.h>

#include "cmds/check/features.h"

enum stumble {
	STUMBLE_LESS,  /* something is not shown, numbers are right */
	STUMBLE_WRONG, /* numbers are wrong or lost */
	STUMBLE_FAILS, /* it dies, hangs, or refuses the file */
};

struct reader_row {
	const char *reader; /* as in readers_name() */
	enum feature feature;
	enum stumble stumble;
	const char *effect; /* what it does then; lower case */
};

/* All rows, n of them, by reader. */
const struct reader_row *readers_table(size_t *n);

/* The readers in the table, one after the other, as the user writes them; NULL behind the last. */
const char *readers_name(size_t i);

#endif
