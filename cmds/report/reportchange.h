/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What instructions of a report cost in the older profile, where that can be said: instructions are the
 * same by their addresses in a file that has not changed since, or by their texts, if the older program
 * is there, too, or by their distance from the first one, if all that both profiles know of them is the
 * same.  Nothing is taken from a file that changed after its profile was made.
 */
#ifndef CMDS_REPORT_REPORTCHANGE_H
#define CMDS_REPORT_REPORTCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/code/machinecode.h"
#include "cmds/emit/json.h"
#include "cmds/listing/column.h"
#include "cmds/report/report.h"
#include "profile/common/heap.h"

enum report_change_way {
	CHANGE_UNKNOWN, /* nothing can be said of single instructions */
	CHANGE_NONE,    /* the older profile has nothing of it */
	CHANGE_FILE,    /* the same file */
	CHANGE_TEXT,    /* both files are there */
	CHANGE_OFFSET,  /* the older one is not there, but what was recorded fits */
};

/* Of one function of the machine code; arrays are the arena's. */
struct report_change {
	enum report_change_way way;
	const char *file; /* why the older file is not used; "" = it is */
	const char *why;  /* CHANGE_UNKNOWN: the reason; else "" */
	uint64_t *costs;  /* the older ones, n_events numbers for each instruction */
	bool *is_new;     /* by instruction: not in the older code */
	size_t n_gone;    /* instructions of the older code that are not in this one, with costs */
	uint64_t *gone;   /* these costs */
};

/* Fields are for reading, but by reportchange.c. */
struct reportchange {
	struct reportrows *rows;
	struct machinecode *code; /* of the main side */
	struct machinecode older;
	struct columns columns;
	struct arena *arena;
	struct report_change *changes; /* by function of the code; NULL = there is no older profile */
	bool *is_taken; /* by function of the older code: it is another one's counterpart */
	size_t effort;  /* that is left for comparing texts */
};

/*
 * Compares machine code with what the older profile says of it.  is_row: rows that have code.  Where
 * files are the same, instructions that only the older profile has costs of are added to the code.
 * Memory is the arena's.  Returns a status; to be released in any case, also if it is {0}.
 */
int reportchange_make(struct reportchange *change, struct reportrows *rows,
		      struct machinecode *code, const struct report_input *input,
		      const bool *is_row);
void reportchange_release(struct reportchange *change);

/* "code" of "other"; related: costs are what is to be added to those of the main side. */
void reportchange_write(const struct reportchange *change, bool is_related, struct json *json);

#endif
