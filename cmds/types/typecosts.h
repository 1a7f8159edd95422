/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of a profile by the data that its instructions refer to: types with their members, the layout of these, and
 * the view of all that.
 */
#ifndef CMDS_TYPES_TYPECOSTS_H
#define CMDS_TYPES_TYPECOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/object/codeobject.h"
#include "cmds/types/types.h"
#include "profile/analysis/metric.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- places (typeplaces.c): which type, and where in it, each instruction reads and writes ------ */

struct data_reference {
	uint64_t address; /* of the instruction */
	uint32_t object;
	bool has_debug_information; /* its function is known */
	struct data_place read, written;
};

/* Fields are for reading.  To be released. */
struct type_places {
	struct typetable table;
	struct data_reference *references; /* owned; by object and address */
	size_t n, capacity;
};

/*
 * Places are found in three steps: begin, add instructions in any order and as often as one likes, resolve.
 * This follows the machine code of one function at a time.  Objects are opened in Intel's syntax.
 */
void typeplaces_init(struct type_places *places);
void typeplaces_add(struct type_places *places, uint32_t object, uint64_t address);
void typeplaces_resolve(struct type_places *places, struct code_objects *objects);
void typeplaces_release(struct type_places *places);

/* The reference of an instruction, or NULL. */
const struct data_reference *typeplaces_find(const struct type_places *places, uint32_t object,
					     uint64_t address);

/* -- costs (typecosts.c) ------------------------------------------------------------------------
 *
 * All rows add up to the profile's totals: what has no type has rows of its own.  An instruction may read one
 * place and write another.  The costs of writing (Dw, and events that need it, see struct metric) belong to the
 * place written, all others to the place read, if there is one.
 */

enum type_row_kind {
	ROW_TYPE,
	ROW_BYTES,      /* what pointers to void or characters point to */
	ROW_STACK,      /* the stack where no variable is: saved registers, return addresses */
	ROW_CONSTANT,   /* at an address without a variable: constants and linkage */
	ROW_UNRESOLVED, /* not found out */
	ROW_UNDEBUGGED, /* code without debug information */
	ROW_NO_DATA,    /* instructions that do not refer to data */
	N_ROW_KINDS,
};

struct type_row {
	enum type_row_kind kind;
	const struct data_type *type; /* ROW_TYPE; else NULL */
	const char *name;
	struct type_member *members; /* from typemembers_list() */
	size_t n_members;            /* 0 if it is no struct */
	uint64_t *costs;
};

/* What a line of a function of the profile contributes to a row's member. */
struct type_use {
	uint32_t function, file; /* file: of the line */
	uint64_t line;           /* 0 = not known */
	uint32_t row, member;    /* member: 0 if the row has none */
	uint64_t *costs;
};

struct typecosts_options {
	struct objectfile_options objects;
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

/* Fields are for reading.  Not to be moved. */
struct type_costs {
	const struct model *model;
	struct type_row *rows; /* owned; types before the others, the most costly first */
	size_t n, capacity;
	struct type_use *uses; /* owned; by function, its own file first, line, row and member */
	size_t n_uses, uses_capacity;
	struct type_places places;
	struct code_objects objects;
	size_t read_event, write_event; /* Dr, Dw; n_events = not recorded */
	/* Private. */
	struct idtable by_type, by_use;
	struct idtable by_line; /* lines of the function at work */
	size_t n_lines;         /* of all */
	bool *is_written;       /* by event: it belongs to the place written */
	struct arena arena;
};

enum { TYPECOSTS_MESSAGE = 1024 }; /* bytes */

/*
 * NULL if a model has what is needed; if not, what was expected, and which option records it or which
 * profile has it.  The text may be in message.
 */
const char *typecosts_missing(const struct model *model, char message[TYPECOSTS_MESSAGE]);

/*
 * Makes them, of a finished model that lacks nothing; the options and the model's metrics outlive them.
 * Rows are sorted by the metric.  Returns a status: PROFILE_RANGE.  To be released in any case.
 */
int typecosts_make(struct type_costs *costs, const struct model *model,
		   const struct metrics *metrics, const struct metric *sort,
		   const struct typecosts_options *options);
void typecosts_release(struct type_costs *costs);

/* The word for a kind in what programs read. */
const char *typecosts_kind_word(enum type_row_kind kind);

/* -- layouts (typelayout.c) ---------------------------------------------------------------------
 *
 * The layout of a struct: which members are hot, what is lost in holes, and a better order, with hot members side by side
 * and holes filled.  The hot members are those with most references that together have 95 % of them.  The lines that they
 * touch are an average over the places where the struct may begin: any multiple of 16 bytes, as malloc() aligns it.
 */

enum {
	LAYOUT_LINE = 64, /* bytes of a cache line */
	LAYOUT_STEP = 16, /* bytes: where structs may begin */
	LAYOUT_PLACES = LAYOUT_LINE / LAYOUT_STEP,
	LAYOUT_HOT_PERCENT = 95,
};

/* Where a member has to stay. */
enum layout_pin {
	PIN_NONE,
	PIN_FIRST, /* bases of classes, pointers to virtual tables */
	PIN_LAST,  /* arrays without a bound */
};

struct layout_member {
	uint64_t offset, size, align; /* bytes; align: a power of two */
	uint64_t references;
	/* As the source has it; members that share bytes, as bit fields do, are one. */
	const char *name;
	enum layout_pin pin;
	/* What is found. */
	bool is_hot;
	uint64_t hole;       /* bytes between it and the next member */
	uint64_t new_offset; /* in the proposed order */
};

/* Arrays are the arena's. */
struct type_layout {
	struct layout_member *members; /* by offset */
	size_t n;
	const size_t *order; /* indices of members, as proposed */
	uint64_t size, new_size;
	uint64_t holes; /* bytes, including the end of the struct */
	/* Lines that hot members touch, summed over LAYOUT_PLACES places. */
	uint64_t lines, new_lines;
	bool is_worthwhile; /* the proposed order is smaller, or touches fewer lines */
};

/* Fills a layout whose members, n and size are set; members do not overlap. */
void typelayout_make(struct type_layout *layout, struct arena *arena);

/* The layout of a row's struct by what it cost; false if the row is no struct, or has no members. */
bool typelayout_of_row(struct type_layout *layout, const struct type_costs *costs,
		       const struct type_row *row, struct arena *arena);

/* -- the view (typeview.c) ---------------------------------------------------------------------- */

struct document; /* cmds/emit/document.h */

struct typeview {
	const struct type_costs *costs;
	const struct metrics *metrics;
	const struct metric *sort; /* by which rows are sorted */
	const uint64_t *totals;    /* by event */
	double threshold;          /* percent: of what people see, or a page has details of */
	size_t most;               /* types that people see; 0 = all */
	bool is_page;              /* the document is a page's, with its numbers of functions */
	struct arena *arena;       /* for what is needed on the way */
};

/* "Types of data"; in a page, members of the object that is open.  The document has costs. */
void typeview_put(struct document *document, const struct typeview *view);

#endif
