/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that the simulated machine remembers, and that later costs depend on: caches, TLBs, predictors, prefetchers, what
 * is under way where cycles are counted.  It is emptied, or kept and put back, as regions ask for it.  Of either engine, between superblocks only.
 *
 * Every part has memory of its own, of a size that does not change, which is noted when it is made; most of it is copied as it
 * is.
 */
#ifndef TOOL_SIMULATE_MACHINESTATE_H
#define TOOL_SIMULATE_MACHINESTATE_H

#include "pub_tool_basics.h"

struct simulate_options;

enum { MACHINESTATE_PIECES = 16 };

struct machine_state {
	UInt n;
	struct state_piece {
		void *memory;
		SizeT size;
		void *kept; /* a copy; NULL before the first one */
	} pieces[MACHINESTATE_PIECES];
	Bool is_kept;
};

/*
 * The option, as it was given, whose simulation remembers more than is known here, so that this does not work; NULL if there
 * is none.
 */
const HChar *machinestate_misfit(const struct simulate_options *options);

/* This memory, for good, is of the machine's state: not struct machine, whose lines of code and clock are others'. */
void machinestate_note(void *memory, SizeT size);

/* The machine is as at the program's start.  Only without a misfit, as the next two. */
void machinestate_clear(void);

/* It is kept; it is as it was kept last, or stays as it is if that never was, or if there are several cores. */
void machinestate_keep(void);
void machinestate_restore(void);

#endif
