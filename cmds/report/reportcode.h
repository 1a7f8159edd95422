/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine code in a report: of the functions that are detailed. */
#ifndef CMDS_REPORT_REPORTCODE_H
#define CMDS_REPORT_REPORTCODE_H

#include <stddef.h>
#include <stdint.h>

#include "cmds/code/machinecode.h"
#include "cmds/emit/json.h"
#include "cmds/listing/column.h"
#include "cmds/report/reportchange.h"
#include "cmds/report/report.h"
#include "profile/common/arena.h"

/* That a function has instructions in some machine code. */
struct report_owner {
	size_t code; /* place in the machine code's functions */
	uint32_t row;
};

/* Fields are private. */
struct reportcode {
	struct reportrows *rows;
	struct machinecode code;
	struct columns columns;
	struct arena arena;
	struct report_owner *owners; /* by code, then row, each once; owned */
	size_t n_owners, owners_capacity;
	struct reportchange change;
};

/* Without any; to be released. */
void reportcode_init(struct reportcode *code, struct reportrows *rows);
void reportcode_release(struct reportcode *code);

/*
 * Makes it, unless the profile has no instructions.  Lines of source that it is of are added to sources.  Warnings
 * are printed.  Returns a status.
 */
int reportcode_make(struct reportcode *code, const struct report_input *input,
		    struct reportsources *sources);

/* "code" of the data. */
void reportcode_write(const struct reportcode *code, struct json *json);

/* The same of "other"; see reportchange_write(). */
void reportcode_write_other(const struct reportcode *code, bool is_related, struct json *json);

#endif
