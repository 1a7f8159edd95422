/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program learnt with --deterministic=yes that could not be made the same
 * in every run: counted by kind, and reported at the end.
 */
#ifndef TOOL_DETERMINISTIC_NONDETERMINISM_H
#define TOOL_DETERMINISTIC_NONDETERMINISM_H

#include "pub_tool_basics.h"

enum nondeterminism_kind {
	NONDETERMINISM_THREADS,
	NONDETERMINISM_CHILDREN,
	NONDETERMINISM_PIDS,
	NONDETERMINISM_SIGNALS,
	NONDETERMINISM_TIMERS,
	NONDETERMINISM_SLEEPS,
	NONDETERMINISM_SOCKETS,
	NONDETERMINISM_PIPES,
	NONDETERMINISM_TERMINALS,
	NONDETERMINISM_DEVICES,
	NONDETERMINISM_NOTICES,
	NONDETERMINISM_FILES,
	NONDETERMINISM_CLOCKS,
	NONDETERMINISM_RANDOM,
	N_NONDETERMINISM_KINDS,
};

struct nondeterminism {
	ULong counts[N_NONDETERMINISM_KINDS];
};

void nondeterminism_note(enum nondeterminism_kind kind);

/* Says in a line what there was; nothing if there was nothing. */
void nondeterminism_report(const struct nondeterminism *nondeterminism);

#endif
