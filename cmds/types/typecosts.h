/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of a profile by what its instructions refer to: types with their members, and rows of their own for what is
 * no type, so that all rows add up to the profile's totals.
 *
 * What an instruction reads and what it writes may be two places.  Costs of writing (Dw and those that need it,
 * see struct metric) are those of the place written, all others of the place read, if it reads.
 */
#ifndef CMDS_TYPES_TYPECOSTS_H
#define CMDS_TYPES_TYPECOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/object/codeobject.h"
#include "cmds/types/typemembers.h"
#include "cmds/types/typeplaces.h"
#include "profile/analysis/metric.h"
#include "profile/common/arena.h"
#include "profile/format/idtable.h"
#include "profile/model/model.h"

enum type_row_kind {
	ROW_TYPE,
	ROW_BYTES, /* behind pointers to void or characters */
	ROW_STACK, /* the stack where no variable is: saved registers, return addresses */
	ROW_CONSTANT, /* at an address without a variable: numbers and tables of the compiler, linkage */
	ROW_UNRESOLVED, /* not found out */
	ROW_UNDEBUGGED, /* of code without debug information */
	ROW_NO_DATA,    /* of instructions that do not refer to data */
	N_ROW_KINDS,
};

struct type_row {
	enum type_row_kind kind;
	const struct data_type *type; /* ROW_TYPE; else NULL */
	const char *name;
	struct type_member *members; /* as typemembers_list() has them */
	size_t n_members;            /* 0 of what is no struct */
	uint64_t *costs;
};

/* What a line of a function of the profile has of a row's member. */
struct type_use {
	uint32_t function, file; /* file: that the line is in */
	uint64_t line;           /* 0 = not known */
	uint32_t row, member;    /* member: n_members = none */
	uint64_t *costs;
};

struct typecosts_options {
	struct objectfile_options objects;
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

/* Fields are for reading.  Not to be moved. */
struct type_costs {
	const struct model *model;
	struct type_row *
		rows; /* owned; those that cost most by the metric first, types before the others */
	size_t n, capacity;
	struct type_use *uses; /* owned; by function, its own file first, line, row and member */
	size_t n_uses, uses_capacity;
	struct type_places places;
	struct code_objects objects;
	struct idtable by_type, by_use; /* private */
	struct idtable by_line;         /* private: lines of the function that is gone through */
	size_t n_lines;                 /* private: of all */
	bool *is_written;               /* private: events that are of the place written */
	size_t read_event, write_event; /* Dr, Dw; n_events = not recorded */
	struct arena arena;
};

enum { TYPECOSTS_MESSAGE = 1024 }; /* bytes */

/*
 * NULL if a model has what is asked for; if not, what was expected, and by which option it is recorded, or
 * in which profile it is.  The text may be in message.
 */
const char *typecosts_missing(const struct model *model, char message[TYPECOSTS_MESSAGE]);

/*
 * Makes it, of a finished model of which nothing is missing; the options outlive it, as do the model's metrics.  Rows are
 * sorted by the metric.  Returns a status.  To be released in any case.
 */
int typecosts_make(struct type_costs *costs, const struct model *model,
		   const struct metrics *metrics, const struct metric *sort,
		   const struct typecosts_options *options);
void typecosts_release(struct type_costs *costs);

/* What a row that is no type is called. */
const char *typecosts_kind_text(enum type_row_kind kind);

/* The word for a kind in what programs read. */
const char *typecosts_kind_word(enum type_row_kind kind);

#endif
