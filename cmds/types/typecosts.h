/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_TYPES_TYPECOSTS_H
#define CMDS_TYPES_TYPECOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/object/codeobject.h"
#include "cmds/types/types.h"
#include "profile/analysis/metric.h"
#include "profile/common/arena.h"
#include "profile/format/idtable.h"
#include "profile/model/model.h"

/* -- places ------------------------------------------------------------------------------------- */

/*
 * What each instruction of a profile that refers to data reads and writes: which type, and where in it.
 *
 * By the machine code and debug information of functions, one function at a time (typeflow.h).
 */

struct data_reference {
	uint64_t address; /* of the instruction */
	uint32_t object;
	bool has_debug_information; /* the function that it is in is known */
	struct data_place read, written;
};

/* Fields are for reading.  To be released. */
struct type_places {
	struct typetable table;
	struct data_reference *references; /* owned; by object and address */
	size_t n, capacity;
};

/*
 * Finds those of a finished model with instructions where one of two events was counted: numbers of events, n_events =
 * not recorded.  Objects are opened in Intel's syntax.  Returns a status.  To be released in any case.
 */
int typeplaces_make(struct type_places *places, const struct model *model,
		    struct code_objects *objects, const size_t events[2]);

/*
 * The same by hand: none is known; then instructions are added, by object and address, the same one as often as one
 * likes; then they are found.  False if memory ran out; to be released in any case.
 */
bool typeplaces_init(struct type_places *places);
bool typeplaces_add(struct type_places *places, uint32_t object, uint64_t address);
/* Returns a status. */
int typeplaces_resolve(struct type_places *places, struct code_objects *objects);

void typeplaces_release(struct type_places *places);

/* The reference of an instruction, or NULL. */
const struct data_reference *typeplaces_find(const struct type_places *places, uint32_t object,
					     uint64_t address);

/* -- costs -------------------------------------------------------------------------------------- */

/*
 * The costs of a profile by what its instructions refer to: types with their members, and rows of their own for what is
 * no type, so that all rows add up to the profile's totals.
 *
 * What an instruction reads and what it writes may be two places.  Costs of writing (Dw and those that need it,
 * see struct metric) are those of the place written, all others of the place read, if it reads.
 */

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

/* -- layouts ------------------------------------------------------------------------------------ */

/*
 * How a struct is laid out: which members are hot, what is lost between them, and in which order hot ones would be together
 * and holes filled.
 *
 * Hot are the members with most references that together have 95 % of them.  The lines that hot members touch are an
 * average over places of the struct: it may begin at any multiple of 16 bytes, as what malloc() gives does.
 */

enum {
	LAYOUT_LINE = 64, /* bytes of a cache line */
	LAYOUT_STEP = 16, /* bytes: where structs may begin */
	LAYOUT_PLACES = LAYOUT_LINE / LAYOUT_STEP,
	LAYOUT_HOT_PERCENT = 95, /* of references that hot members have */
};

/* Where it has to stay. */
enum layout_pin {
	PIN_NONE,
	PIN_FIRST, /* bases of classes, pointers to virtual tables */
	PIN_LAST,  /* arrays without a bound */
};

struct layout_member {
	uint64_t offset, size, align; /* bytes; align: a power of two */
	uint64_t references;
	enum layout_pin pin;
	/* What is found. */
	bool is_hot;
	uint64_t hole;       /* bytes behind it that are no member's */
	uint64_t new_offset; /* in the order that is proposed */
};

/* Arrays are the arena's. */
struct type_layout {
	struct layout_member *members; /* by offset */
	size_t n;
	const size_t *order; /* places in members, as proposed */
	uint64_t size, new_size;
	uint64_t holes; /* bytes in all, those at the end too */
	/* Lines that hot members touch, summed over LAYOUT_PLACES places. */
	uint64_t lines, new_lines;
	bool is_worthwhile; /* the order proposed is smaller, or touches fewer lines */
};

/*
 * Fills a layout whose members, n and size are set; members do not overlap.  False if memory ran out.
 */
bool typelayout_make(struct type_layout *layout, struct arena *arena);

/* The layout of a row's struct by what it cost (typelayout.h): its members, as the source has them. */

struct type_advice {
	struct type_layout layout;
	const char **
		names; /* by place in layout.members; those that share bytes, as bit fields do, are one */
	bool is_known; /* else it is no struct, or nothing is in it */
};

/* All memory is the arena's; false if it ran out. */
bool typeadvice_make(struct type_advice *advice, const struct type_costs *costs,
		     const struct type_row *row, struct arena *arena);

#endif
