/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cachegrind's branch predictors by their rules alone: directions of conditional branches and
 * targets of indirect ones (Cachegrind manual 5.7).  The machine's (sim/machinelayout.h) are tested against them.  Returns are not
 * modelled: the caller does not present them.
 *
 * Both structs are plain memory of the caller; all zero is a legal state and
 * is the state at the start of a program.
 */
#ifndef TESTS_ORACLE_PLAINPREDICTORS_H
#define TESTS_ORACLE_PLAINPREDICTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machinelayout.h"

/*
 * 16,384 saturating 2-bit counters.  A counter is 0 (strongly not taken) to 3
 * (strongly taken) and predicts taken if it is 2 or more.  Index: the last 7
 * outcomes (newest in bit 0) << 7 | the low 7 bits of the branch's address.
 */
struct direction_predictor {
	uint8_t counters[BRANCH_COUNTERS];
	uint64_t history; /* outcomes, newest in bit 0; only the low 7 bits matter */
};

/* The last target seen at each of 512 places, by the low 9 bits of the branch's address. */
struct target_predictor {
	uint64_t targets[BRANCH_TARGETS];
};

/*
 * Predicts the conditional branch in the instruction at address, then learns
 * the outcome: first the counter, then the history.  address is already
 * shifted right by the bits that are always zero on the architecture (0 on
 * amd64 and x86).  Returns whether it was mispredicted.
 */
bool direction_predict(struct direction_predictor *predictor, uint64_t address, bool taken);

/*
 * Predicts the target of the indirect jump or call at address (shifted as
 * above), then learns the true one.  Returns whether it was mispredicted.
 */
bool target_predict(struct target_predictor *predictor, uint64_t address, uint64_t target);

#endif
