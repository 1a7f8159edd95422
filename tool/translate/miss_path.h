/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What generated code calls when a fast path does not apply.  The arguments
 * are few because generated code sets them up before it knows whether it will
 * call: everything else is found by the reference's number.
 */
#ifndef TOOL_TRANSLATE_MISS_PATH_H
#define TOOL_TRANSLATE_MISS_PATH_H

#include "pub_tool_basics.h"

struct reference;

/* Each counts what was missed, and returns the level that served it (sim/hierarchy.h). */
struct miss_paths {
	/* A reference to data at address that is no plain hit. */
	VG_REGPARM(2) UInt (*data)(Addr address, UWord number);
	/* A fetch from lines of code of which one is not resident. */
	VG_REGPARM(1) UInt (*fetch)(UWord number);
};

/* Those of a run in which nothing but hits and misses is simulated. */
extern const struct miss_paths miss_paths;

/* The run's own path of data, and counts the access itself: its guard held. */
VG_REGPARM(2) UInt miss_path_guarded_data(Addr address, UWord number);

/* Counts what a reference missed, by the level that served it; nothing for the first. */
void miss_path_note_misses(struct reference *reference, UInt served);

/* Counts that a reference which missed the last level has had a line written back */
void miss_path_note_write_back(struct reference *reference);

#endif
