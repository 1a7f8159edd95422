/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branches of a profile that are worth showing, with all that is said of each: counts, kind, code, source,
 * the loads that its condition depends on, targets.
 */
#ifndef CMDS_BRANCHES_BRANCHLIST_H
#define CMDS_BRANCHES_BRANCHLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/branches/branchkind.h"
#include "cmds/branches/branchset.h"
#include "cmds/branches/conditionloads.h"
#include "cmds/object/codeobject.h"
#include "cmds/source/read_policy.h"
#include "profile/common/arena.h"

enum branch_sort {
	BRANCH_SORT_MISSED,
	BRANCH_SORT_RATE, /* of those that are mispredicted often enough */
	BRANCH_SORT_EXECUTED,
};

struct branchlist_options {
	enum branch_sort sort;
	double threshold; /* percent of all mispredictions, of executions if sorted by these */
	size_t most;      /* rows; 0 = all */
	enum assembly_syntax syntax;
	struct objectfile_options objects;
	bool no_code;                  /* objects are not opened */
	struct read_policy *policy;    /* by which sources are looked for; NULL = none is */
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

enum { BRANCH_MOST_TARGETS = 3 };

struct branch_load {
	uint64_t address;
	const char *file; /* NULL = not known */
	uint64_t line;    /* 0 likewise */
	const char *operand;
	const char *name; /* of what is there; "" = not known */
};

struct branch_target {
	const char *name;
	uint64_t count;
};

/* Texts are the list's. */
struct branch_row {
	const struct branch_place *place;
	enum branch_class of;
	struct branch_counts counts;
	enum branch_kind kind;
	bool is_hard;
	uint32_t number;               /* of the profile's function that is named */
	const char *function, *object; /* "???" = not known */
	const char *file;              /* NULL = not known */
	struct code_object *code;      /* NULL = it has no address, or nothing is opened */
	const char *instruction;       /* "jl 0x1040 <main+0x10>"; NULL = not known */
	const char *source;            /* its line, without blanks around it; NULL = not there */
	struct branch_load loads[CONDITION_MOST_LOADS];
	size_t n_loads;
	uint64_t call; /* that it depends on what this call returned; 0 = it does not */
	const char *call_text;
	struct branch_target
		targets[BRANCH_MOST_TARGETS]; /* of indirect ones: the most frequent first */
	size_t n_first;                       /* so many of them */
	size_t n_targets;                     /* in all */
	uint64_t n_arrived;                   /* executions of which the target is known */
};

/* Fields are for reading.  Not to be moved. */
struct branch_list {
	const struct model *model;
	const struct branchlist_options *options;
	struct branch_set set;
	struct branch_row *rows; /* the arena's */
	size_t n;
	size_t n_left;        /* that are not shown, ... */
	uint64_t left_missed; /* ... and their mispredictions */
	bool has_taken;       /* by events, or jumps that were collected */
	bool has_detail;
	bool has_lines_only; /* a row that has no address */
	struct code_objects objects;
	struct arena arena;
};

/*
 * Makes it, of a finished model with lines and jumps, whose counts are not signed; options outlive it.
 * Returns a status.  To be released in any case.
 */
int branchlist_make(struct branch_list *list, const struct model *model,
		    const struct branchlist_options *options);
void branchlist_release(struct branch_list *list);

/* Why code of a row is not there, NULL = it is, or was not looked for. */
const char *branchlist_wrong(const struct branch_row *row);

#endif
