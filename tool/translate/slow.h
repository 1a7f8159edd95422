/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What generated code calls when a fast path does not apply.  The arguments
 * are few because generated code sets them up before it knows whether it will
 * call: everything else is found by the reference's number.
 */
#ifndef TOOL_TRANSLATE_SLOW_H
#define TOOL_TRANSLATE_SLOW_H

#include "pub_tool_basics.h"

struct reference;

struct slow_paths {
	/* A reference to data at address that is no plain hit. */
	VG_REGPARM(2) void (*data)(Addr address, UWord number);
	/* The same, and counts the access itself: its guard held. */
	VG_REGPARM(2) void (*guarded_data)(Addr address, UWord number);
	/* A fetch from lines of code of which one is not resident. */
	VG_REGPARM(1) void (*fetch)(UWord number);
};

/* Those of a run in which nothing but hits and misses is simulated. */
extern const struct slow_paths slow_paths;

/* Counts what a reference did: L1_MISS | LL_MISS | LL_WRITE_BACK bits; and that it was made. */
void slow_note_misses(struct reference *reference, unsigned outcome);
void slow_note_executed(struct reference *reference);

#endif
