/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile in memory: objects, files and functions by their names; the costs of
 * each function by position; its calls and jumps; the parts that it was made of.
 * It is made by a builder (build.h), read with the cursors below, reported to any
 * visitor by model_walk().
 *
 * A function is an (object, file, name): the same name in another file is
 * another function.  Spellings of one file or object ("./a.c", "a.c", "dir//a.c"
 * for "dir/a.c") are one; the least of those that came, by bytes, is shown.
 * Names, functions and events have numbers, 0, 1, 2..., by first appearance.
 * "Not known" is "???", number 0 of each kind of name.
 */
#ifndef PROFILE_MODEL_MODEL_H
#define PROFILE_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/cost.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"
#include "profile/common/region.h"
#include "profile/common/visitor.h"
#include "profile/format/reader.h"

struct model_segment; /* packed lines, calls and jumps of a function in one part */

#define MODEL_NO_FUNCTION UINT32_MAX

struct model_function {
	uint32_t object, file, name;    /* numbers of names, see model_name() */
	struct model_segment *segments; /* of the model's memory; newest first until it is sealed */
};

struct model_event {
	const char *name;      /* as first read */
	const char *long_name; /* NULL = none was said */
};

/* An event without a column. */
struct model_derived {
	const char *name;
	const char *formula;   /* valid (event_names.h) */
	const char *long_name; /* NULL = none was said */
};

/* A part of one of the files that were read. */
struct model_part {
	const char *file; /* where it was read, NULL = not said */
	struct part
		header; /* the texts, pid, number, thread; of the arrays only descs and regions, by the model's events */
	/*
	 * By the model's events; the rest after n numbers is 0.  sums is what the
	 * self costs add up to; the others are what the file said, NULL if it did not.
	 */
	uint64_t *sums;
	uint64_t *summary;
	uint64_t *totals;
	size_t n; /* numbers in each */
};

/* Fields are for reading; all memory is the model's. */
struct model {
	struct arena arena;
	struct dictionary names[N_NAME_KINDS];
	uint32_t *shown[N_NAME_KINDS]; /* by number of a file or object: key of what is shown */
	size_t n_shown[N_NAME_KINDS];
	struct model_function *functions;
	size_t n_functions;
	size_t functions_capacity;
	uint32_t *function_slots; /* hash table of functions */
	size_t n_function_slots;
	struct model_event events[PROFILE_MAX_EVENTS];
	size_t n_events;
	struct model_derived *derived;
	size_t n_derived;
	size_t derived_capacity;
	struct model_part *parts;
	size_t n_parts;
	size_t parts_capacity;
	bool separate_parts; /* costs are kept by part; else all are of part 0 */
	unsigned positions;  /* POSITION_ bits of all parts */
	bool has_objects;    /* some object was named */
	bool is_signed;      /* see cost.h */
	bool is_renamed; /* names were changed while it was read: functions may have become one */
	bool has_large;  /* a count of 2^63 or more */
	bool is_cut;     /* set by who read it: a file of it is cut short, or damaged */
};

/* An empty model, to be released. */
void model_init(struct model *model);
void model_release(struct model *model);

/* Bytes of memory that the model holds. */
size_t model_bytes(const struct model *model);

/* The text to show for a number of an object, file or function name; its key is the number. */
struct name model_name(const struct model *model, enum name_kind kind, uint32_t number);

/* <0, 0, >0: the order of two numbers of names as they are shown, by bytes. */
int model_compare_names(const struct model *model, enum name_kind kind, uint32_t a, uint32_t b);

enum { MODEL_BUILD = 129 }; /* hexadecimal digits of a build-id, with their NUL */

/*
 * The build-id that an object had, by the desc lines Program and Build-id of all parts; false if they
 * say none, or several.
 */
bool model_build(const struct model *model, const char *object, char build[MODEL_BUILD]);

/* True if the object has this build-id by all that parts say about it, if they say anything. */
bool model_has_build(const struct model *model, const char *object, const char *build);

/*
 * The number of an event by its name, or by another name of the same event
 * (I2mr of Valgrind 3.2 is ILmr, see event_names.h); n_events if there is none.
 */
size_t model_event(const struct model *model, const char *name);

/* Self costs of all parts, n_events numbers; false if a sum is beyond 64 bits. */
bool model_totals(const struct model *model, uint64_t *totals);

/*
 * Notes in the report of a file the parts, from the first-th on, whose totals: is not what their costs
 * add up to (TRAIT_WRONG_TOTALS).
 */
void model_note_totals(const struct model *model, size_t first, struct reader_report *report);

/*
 * What the files said the run cost, summed over parts, n_events numbers: of each
 * part its summary:, else its totals:, else the sum of its self costs.  False
 * if a sum is beyond 64 bits.
 */
bool model_summary(const struct model *model, uint64_t *summary);

/* The number of a function, or MODEL_NO_FUNCTION; numbers of names as in struct model_function. */
uint32_t model_find_function(const struct model *model, uint32_t object, uint32_t file,
			     uint32_t name);

/* The same, made if there is none.  For builders. */
uint32_t model_intern_function(struct model *model, uint32_t object, uint32_t file, uint32_t name);

/* Self cost at a position of a function. */
struct model_line {
	struct position at;    /* 0 where the profile has no such position */
	uint32_t file;         /* that the position is in */
	const uint64_t *costs; /* n_events numbers, in the cursor */
	uint32_t n_costs;      /* numbers there before the zeros at the end */
};

/* Calls of one function from one position. */
struct model_call {
	struct position at;
	uint32_t file;
	uint32_t callee; /* function */
	uint64_t count;
	struct position target; /* the least of those that were said */
	const uint64_t *costs;  /* inclusive; n_events numbers, in the cursor */
	uint32_t n_costs;       /* numbers there before the zeros at the end */
};

struct model_jump {
	struct position at;
	uint32_t file;
	bool is_conditional;
	uint64_t followed, executed;
	uint32_t target_file;
	uint32_t target_function; /* number of a name; the function's if none was said */
	bool has_function;        /* one was said */
	struct position target;
};

/* Steps through what a function has.  Fields are private; 2 KiB, may live on the stack. */
struct model_cursor {
	const struct model *model;
	const unsigned char *next, *end; /* packed */
	struct position last;
	uint32_t file;
	uint32_t own_file, own_name; /* of the function */
	uint32_t n_costs;            /* that are not 0, up to the last one */
	uint64_t costs[PROFILE_MAX_EVENTS];
};

/*
 * Sets a cursor to the beginning of the lines, calls or jumps of a function in a
 * part (0 unless separate_parts).  The model is finished.  Lines are sorted by
 * instruction, then file (the function's own first, then by number), then line,
 * each position once; calls the same, then by callee, each once; jumps then by target.
 */
void model_lines(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor);
void model_calls(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor);
void model_jumps(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor);

/* The next one; false at the end.  What is filled is valid until the next step. */
bool model_next_line(struct model_cursor *cursor, struct model_line *line);
bool model_next_call(struct model_cursor *cursor, struct model_call *call);
bool model_next_jump(struct model_cursor *cursor, struct model_jump *jump);

/* The sums of a function's lines in a part into n_events costs; 0 if it has none there. */
void model_self(const struct model *model, uint32_t function, uint32_t part, uint64_t *costs);

/* The value of the first line "desc: TYPE: VALUE" of all parts' headers; NULL if there is none. */
const char *model_desc(const struct model *model, const char *type);

/*
 * Adds up the regions of all parts, by the model's events, to regions that are initialised.  Returns
 * PROFILE_OK, or PROFILE_RANGE if a sum is beyond 64 bits.
 */
int model_regions(const struct model *model, struct regions *regions);

/* True if a function has anything in a part: lines, calls or jumps. */
bool model_has(const struct model *model, uint32_t function, uint32_t part);

/* How many parts costs are kept for: n_parts if separate_parts, else 1. */
static inline size_t model_cost_parts(const struct model *model)
{
	return model->separate_parts ? model->n_parts : 1;
}

/* -- walk ------------------------------------------------------------------------ */

/* Reports what is in a finished model to a visitor: the way from a model to any format. */

enum walk_order {
	WALK_AS_READ, /* functions by first appearance */
	/*
	 * By object, file and name, as texts, and what is in a function by the texts
	 * of files and callees: the same whatever the order in which files were read,
	 * and the order of the tool.
	 */
	WALK_BY_NAME,
};

struct walk_options {
	enum walk_order order;
	/*
	 * Reports one part even if the model keeps several apart: its summary, totals and
	 * regions are the sums of theirs, all else of its header is the first one's.
	 * Without separate_parts, this is so anyway.
	 */
	bool one_part;
	bool makes_totals; /* reports totals even if the parts had none: the sums of the costs */
};

/*
 * Reports all of the model, the costs at a position before its calls, these before
 * its jumps.  Keys of names are the model's numbers.  negative() comes first if
 * counts are signed.  summary and totals are there if all parts had them (of the
 * latter, the sums of the costs are reported: they are what was read).
 * Options may be NULL.  Returns a status.
 */
int model_walk(const struct model *model, const struct walk_options *options,
	       const struct visitor *visitor);

/*
 * All functions by object, file and name, as texts: order[i] is the i-th.
 * n_functions numbers, the caller's to free.
 */
uint32_t *model_functions_by_name(const struct model *model);

#endif
