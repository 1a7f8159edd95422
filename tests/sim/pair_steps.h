/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a machine and its plain model (tests/sim/machine_pair.h), with states that are drawn next to them. */
#ifndef TESTS_SIM_PAIR_STEPS_H
#define TESTS_SIM_PAIR_STEPS_H

#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/pair_states.h"

/*
 * Both had the outcome, and are in the same state: D1, L2, and L3 if there is one, as drawn.  A macro, so that a failure
 * names the line of the step.
 */
#define PAIR_STEP(pair, outcome, served, in_d1, in_l2, in_l3)      \
 do {                                                              \
  struct pair_outcome got = (outcome);                             \
                                                                   \
  CHECK_EQ_U64(got.plain, served);                                 \
  CHECK_EQ_U64(got.machine, served);                               \
  CHECK_STR(draw(&(pair).hierarchy.d1).text, in_d1);               \
  CHECK_STR(draw(&(pair).hierarchy.lower.caches[0]).text, in_l2);  \
  if ((pair).hierarchy.lower.n > 1)                                \
   CHECK_STR(draw(&(pair).hierarchy.lower.caches[1]).text, in_l3); \
  CHECK_STR(pair_fault(&(pair)), NULL);                            \
 } while (0)

#endif
