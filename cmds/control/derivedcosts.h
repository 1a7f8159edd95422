/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a running target, with what is derived from its events (profile/analysis/metric.h) as events
 * of their own, behind those recorded: annotate, report and diff know the same ones.
 */
#ifndef CMDS_CONTROL_DERIVEDCOSTS_H
#define CMDS_CONTROL_DERIVEDCOSTS_H

#include <stdbool.h>

#include "cmds/control/runstate.h"

/*
 * Adds them to a state that was just read, to all of its costs, and says which one the run is judged by.
 * What is below 0 is 0.  They are left out if there is no room for them all.  What a row of costs
 * did not report is 0 then.  False if memory ran out; the state is to be released all the same.
 */
bool derivedcosts_add(struct runstate *state);

#endif
