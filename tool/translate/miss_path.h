/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What generated code calls when a fast path does not apply.  The arguments
 * are few because generated code sets them up before it knows whether it will
 * call: everything else is found by the reference, by its index in the block that hot->block
 * names.  Even that is no argument where the index is low, as most are: there is a function for
 * each of the first ones.
 */
#ifndef TOOL_TRANSLATE_MISS_PATH_H
#define TOOL_TRANSLATE_MISS_PATH_H

#include "pub_tool_basics.h"

struct reference;

enum {
	MISS_PATHS = 32, /* indices that have functions of their own */
};

/* DO(index) for each of these. */
/* clang-format off */
#define MISS_PATH_INDICES(DO) \
	DO(0)  DO(1)  DO(2)  DO(3)  DO(4)  DO(5)  DO(6)  DO(7)  \
	DO(8)  DO(9)  DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) \
	DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) \
	DO(24) DO(25) DO(26) DO(27) DO(28) DO(29) DO(30) DO(31)
/* clang-format on */

/* Each counts what was missed, and returns the level that served it (sim/hierarchy.h). */
struct miss_paths {
	/* A reference to data at address that is no plain hit. */
	VG_REGPARM(2) UInt (*data)(Addr address, UWord index);
	/* A fetch from lines of code of which one is not resident. */
	VG_REGPARM(1) UInt (*fetch)(UWord index);
	/* The same of references 0 .. MISS_PATHS - 1; NULL: there are none of these. */
	VG_REGPARM(1) UInt (*const *data_of)(Addr address);
	VG_REGPARM(0) UInt (*const *fetch_of)(void);
};

/* The reference that an index means, of the block that runs. */
struct reference *miss_path_reference(UWord index);

/* Those of a run in which nothing but hits and misses is simulated. */
extern const struct miss_paths miss_paths;

/* The run's own path of data, and counts the access itself: its guard held. */
VG_REGPARM(2) UInt miss_path_guarded_data(Addr address, UWord index);

/* A read has been made, and its place is written after all: its lines, which are there, become dirty. */
VG_REGPARM(2) void miss_path_modify(Addr address, UWord index);

/*
 * Counts what the machine's last reference missed, by the level that served it, TLBs too, and the lines that were
 * written to memory since its lower.n_written was n_written.
 */
void miss_path_note_outcome(struct reference *reference, UInt served, ULong n_written);

/* Counts what a reference missed, by the level that served it; nothing for the first. */
void miss_path_note_misses(struct reference *reference, UInt served);

/* Counts that a reference which missed the last level has had a line written back */
void miss_path_note_write_back(struct reference *reference);

#endif
