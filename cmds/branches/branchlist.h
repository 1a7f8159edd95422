/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branches of a profile that are worth showing, with all that is known about each: counts, kind, code, source,
 * the loads that its condition depends on, targets; and the view of them.
 */
#ifndef CMDS_BRANCHES_BRANCHLIST_H
#define CMDS_BRANCHES_BRANCHLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "cmds/emit/document.h"
#include "cmds/object/codeobject.h"
#include "cmds/object/disassembly.h"
#include "cmds/source/sources.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- what was counted (branchcounts.c) ------------------------------------------------------------ */

/* The events that are used; mispredictions follow executions. */
enum branch_event {
	BRANCH_BC,
	BRANCH_BCM,
	BRANCH_BI,
	BRANCH_BIM,
	BRANCH_BR,
	BRANCH_BRM,
	BRANCH_BCT,
	BRANCH_BCB,
	BRANCH_BCH,
	N_BRANCH_EVENTS,
};

enum branch_class { BRANCHES_CONDITIONAL, BRANCHES_INDIRECT, BRANCHES_RETURN, N_BRANCH_CLASSES };

/* What was executed at one place: at an address, whatever functions, callers and levels of recursion have it. */
struct branch_place {
	uint32_t object, file;
	uint32_t function; /* one of the profile that has it */
	uint64_t address;  /* 0 = all of a line, as the profile has no instructions */
	uint64_t line;     /* 0 = not known */
	uint64_t counts[N_BRANCH_EVENTS];
};

/* Fields are for reading.  {0} may be released. */
struct branch_set {
	struct branch_place *places; /* owned; by first appearance */
	size_t n, capacity;
	bool has[N_BRANCH_EVENTS];
	uint64_t totals[N_BRANCH_EVENTS];
	uint64_t instructions; /* Ir of the run; 0 = not recorded */
};

/*
 * Gathers the branches of a finished model whose counts are not signed.  Returns a status.  To be released in
 * any case.
 */
int branchset_make(struct branch_set *set, const struct model *model);
void branchset_release(struct branch_set *set);

/* The event of its executions; the next one counts its mispredictions.  Events are in the order of classes. */
static inline enum branch_event branch_executed_event(enum branch_class of)
{
	return (enum branch_event)(2 * (int)of);
}

/* "conditional", "indirect", "return" */
static inline const char *branch_class_name(enum branch_class of)
{
	static const char *const words[N_BRANCH_CLASSES] = { "conditional", "indirect", "return" };

	return words[of];
}

/* Executions or mispredictions of all classes. */
static inline int128 branchset_total(const struct branch_set *set, bool is_missed)
{
	int128 sum = 0;

	for (int i = 0; i < N_BRANCH_CLASSES; i++)
		sum += set->totals[branch_executed_event((enum branch_class)i) + is_missed];
	return sum;
}

/* All thresholds of kinds, explained in docs/BRANCHES.md: percent of the first quantity, unless a unit is given. */
enum {
	/* loop exit: jumps back at least this often for each time that it does not */
	BRANCH_LOOP_TURNS = 2, /* times */
	/* ... and each time that it does not is mispredicted about once */
	BRANCH_LOOP_LEAST = 50,
	BRANCH_LOOP_MOST = 150,
	/* biased: few executions are mispredicted, also by a counter of its own */
	BRANCH_FEW_MISSES = 1,
	/* ... or few go the less frequent way, and most of these are mispredicted */
	BRANCH_FEW_OTHERS = 10,
	BRANCH_AS_STATIC = 80,
	/* correlated: a counter of its own mispredicts this much more than the machine does */
	BRANCH_COUNTER_WORSE = 200,
	/* data-dependent: mispredicts nearly as much as the best static choice, ... */
	BRANCH_NEAR_STATIC = 60,
	/* ... and its own history mispredicts nearly as much as the machine does */
	BRANCH_NEAR_HISTORY = 60,
};

/* Hard to predict: Lin and Tarsa 2019, of 30 million instructions. */
enum {
	BRANCH_SLICE = 30000000,
	BRANCH_HARD_EXECUTED = 15000,
	BRANCH_HARD_MISSED = 1, /* percent */
};

enum branch_kind {
	BRANCH_UNSORTED, /* not known without taken or detail */
	BRANCH_BIASED,
	BRANCH_LOOP_EXIT,
	BRANCH_CORRELATED,
	BRANCH_DATA,
	BRANCH_MIXED, /* none of these */
	BRANCH_INDIRECT_JUMP,
	BRANCH_INDIRECT_CALL,
	BRANCH_INDIRECT, /* one of these two */
	BRANCH_RETURN,
};

/* Of a conditional branch.  taken, by_counter and by_history are 0 where they are not known. */
struct branch_counts {
	uint64_t executed, missed;
	uint64_t taken;
	uint64_t by_counter, by_history; /* mispredicted by these */
	bool has_taken, has_detail;      /* detail: by_counter and by_history */
	bool is_backward;                /* it jumps to an address before its own */
};

enum branch_kind branchkind_find(const struct branch_counts *counts);

/* "data-dependent"; NULL of BRANCH_UNSORTED. */
const char *branchkind_name(enum branch_kind kind);

/* Executions that the best constant choice mispredicts. */
static inline uint64_t branch_static_misses(const struct branch_counts *counts)
{
	uint64_t others = counts->executed - counts->taken;

	return counts->taken < others ? counts->taken : others;
}

/*
 * True if a branch is hard to predict, in a run of this many instructions.  The criterion for 30 million
 * instructions holds on average for each 30 million of a longer run, and for all of a shorter one.
 */
bool branchkind_is_hard(uint64_t executed, uint64_t missed, uint64_t instructions);

/* -- conditions (conditionloads.c) ---------------------------------------------------------------- */

enum {
	CONDITION_MOST_LOADS = 4,
	CONDITION_WINDOW = 32,         /* instructions */
	CONDITION_MOST_CODE = 1 << 20, /* bytes; longer functions are not searched */
};

struct condition_load {
	uint64_t address;
	const char *operand; /* the text of what is loaded, "(%rax,%rdx,4)" */
	bool has_reference;  /* to memory at an address that is known */
	uint64_t reference;
};

struct condition {
	struct disassembled jump;                          /* len 0: it is not known */
	struct condition_load loads[CONDITION_MOST_LOADS]; /* the one next to the jump first */
	size_t n_loads;
	bool has_call; /* it depends on what a call returned */
	uint64_t call; /* address of that */
};

/*
 * The loads that the condition of a jump depends on, as far as the code right before it tells: from the jump
 * back to the instruction that set its flags, and on through registers and slots of the stack frame, up to 32
 * instructions, and no further than a place to which control may jump from elsewhere.  object is one whose
 * code can be disassembled; texts are the arena's.
 */
void condition_find(struct condition *condition, const struct code_object *object, uint64_t address,
		    struct arena *arena);

/* -- the list (branchlist.c) ---------------------------------------------------------------------- */

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
	struct read_policy *policy;    /* by which sources are searched; NULL = no sources */
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
	const char *profile; /* as the user names it, for commands; NULL = none are given */
};

enum { BRANCH_MOST_TARGETS = 3 };

struct branch_load {
	uint64_t address;
	const char *file; /* NULL = not known */
	uint64_t line;    /* 0 = not known */
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
	uint64_t call; /* address of the call on whose result it depends; 0 = none */
	const char *call_text;
	/* Of indirect ones: n_first of n_targets, the most frequent first. */
	struct branch_target targets[BRANCH_MOST_TARGETS];
	size_t n_first, n_targets;
	uint64_t n_arrived; /* executions with a known target */
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

/* -- the view (branchview.c) ---------------------------------------------------------------------- */

/* Puts it into a document, without its format and version; in a page functions and files are numbers. */
void branchview_put(struct document *document, const struct branch_list *list);

/* Columns of CSV. */
enum { N_BRANCHVIEW_FIELDS = 21 };
extern const char *const branchview_fields[N_BRANCHVIEW_FIELDS];

#endif
