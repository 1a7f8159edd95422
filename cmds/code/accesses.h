/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What machine code says about the memory that it refers to: how many bytes at a time, how far apart, and where addresses come
 * from.  Of x86-64 only; of other code nothing is known.
 */
#ifndef CMDS_CODE_ACCESSES_H
#define CMDS_CODE_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/code/codework.h"
#include "cmds/object/codeobject.h"
#include "profile/analysis/metric.h"
#include "profile/common/heap.h"

/* An instruction that was executed. */
struct code_step {
	const struct code_record *record;
	uint64_t executed;
	enum instruction_kind kind;
	const char *text;                 /* "movq (%rax), %rax"; "" = the code is not there */
	struct instruction_motion motion; /* MOTION_NONE and no registers, if it is not known */
};

/* The instructions of a stretch of code that were executed, by address.  Memory is the arena's. */
struct code_steps {
	struct code_step *all;
	size_t n;
};

/*
 * Makes them of what codework_gather() found in an object; executed is the event that counts instructions.  Records
 * outlive them.
 */
void code_steps_make(struct code_steps *steps, const struct code_object *object,
		     const struct code_records *records, size_t executed, struct arena *arena);

/* The bytes that an instruction reads or writes at a time; 0 = not known, or none. */
unsigned code_step_width(const struct code_step *step);

/*
 * True if the address of an access comes from a load through the same register, the time before, and from nothing else
 * nearly as often: a pointer chase, where no access can begin before the last one has ended.
 */
bool code_step_chases(const struct code_steps *steps, const struct code_step *step);

/* How an address goes on from one execution to the next. */
struct code_stride {
	const struct code_step *by; /* the instruction that moves it; NULL = not known */
	uint64_t bytes;             /* 0 = by a register's value */
	double row;                 /* how many times before it is set again */
};

/*
 * The stride of an access: a register of its address is moved once for each execution, and otherwise set less than half as
 * often.
 */
struct code_stride code_step_stride(const struct code_steps *steps, const struct code_step *step);

/*
 * Sets chases[i], of n functions, to true if the instruction that has most of a metric in functions[i] chases pointers.  The
 * model has instructions.  Opens the objects of these functions only.  Returns a status.
 */
int code_find_chases(bool *chases, const uint32_t *functions, size_t n, const struct metric *metric,
		     const struct basis *basis, struct code_objects *objects);

#endif
