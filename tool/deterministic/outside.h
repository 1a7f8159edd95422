/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program learnt with --deterministic=yes that could not be made the same
 * in every run: counted by kind, and told at the end.
 */
#ifndef TOOL_DETERMINISTIC_OUTSIDE_H
#define TOOL_DETERMINISTIC_OUTSIDE_H

#include "pub_tool_basics.h"

enum outside_kind {
	OUTSIDE_THREADS,
	OUTSIDE_CHILDREN,
	OUTSIDE_PIDS,
	OUTSIDE_SIGNALS,
	OUTSIDE_TIMERS,
	OUTSIDE_SLEEPS,
	OUTSIDE_SOCKETS,
	OUTSIDE_PIPES,
	OUTSIDE_TERMINALS,
	OUTSIDE_DEVICES,
	OUTSIDE_NOTICES,
	OUTSIDE_FILES,
	OUTSIDE_CLOCKS,
	OUTSIDE_RANDOM,
	N_OUTSIDE_KINDS,
};

struct outside {
	ULong counts[N_OUTSIDE_KINDS];
};

void outside_note(enum outside_kind kind);

/* Says in a line what there was; nothing if there was nothing. */
void outside_report(const struct outside *outside);

#endif
