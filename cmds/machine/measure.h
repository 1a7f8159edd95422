/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind machine --measure: what this computer's machine is, by the clock rather than by its manuals. */
#ifndef CMDS_MACHINE_MEASURE_H
#define CMDS_MACHINE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/machines/machinefile.h"

/*
 * Measures what can be measured of the computer, in half a minute, or in two where runs do not agree, and writes a machine like
 * base (from hostmachine_write(), parsed) with each number that was measured in place of its own; *text is to be freed.
 * Returns an exit code, after a message by the command's name if it is not EXIT_FINE. Unless quiet, warns of numbers
 * that contradict base, and of runs that did not agree.
 */
int machine_measure(const struct machinefile *base, const char *command, bool quiet, char **text,
		    size_t *len);

#endif
