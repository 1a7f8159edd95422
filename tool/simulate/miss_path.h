/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What generated code calls when a fast path does not apply.  The arguments
 * are few because generated code sets them up before it knows whether it will
 * call: everything else is found by the reference, by its index in the block that hot->block
 * names.  Even that is no argument where the index is low, as most are: there is a function for
 * each of the first ones.
 */
#ifndef TOOL_SIMULATE_MISS_PATH_H
#define TOOL_SIMULATE_MISS_PATH_H

#include "pub_tool_basics.h"

struct reference;
struct site;

enum {
	MISS_PATHS = 32, /* indices that have functions of their own */
};

/* DO(index, function) for each of these. */
/* clang-format off */
#define MISS_PATH_INDICES(DO, f) \
	DO(0, f) DO(1, f) DO(2, f) DO(3, f) DO(4, f) DO(5, f) DO(6, f) DO(7, f) \
	DO(8, f) DO(9, f) DO(10, f) DO(11, f) DO(12, f) DO(13, f) DO(14, f) DO(15, f) \
	DO(16, f) DO(17, f) DO(18, f) DO(19, f) DO(20, f) DO(21, f) DO(22, f) DO(23, f) \
	DO(24, f) DO(25, f) DO(26, f) DO(27, f) DO(28, f) DO(29, f) DO(30, f) DO(31, f)
/* clang-format on */

/* Each counts what was missed, and returns the level that served it (sim/lower.h). */
struct miss_paths {
	/* A reference to data at address that is no plain hit. */
	VG_REGPARM(2) UInt (*data)(Addr address, UWord index);
	/* A fetch from lines of code, one of which is not resident. */
	VG_REGPARM(1) UInt (*fetch)(UWord index);
	/* The same of references 0 .. MISS_PATHS - 1; NULL: not available. */
	VG_REGPARM(1) UInt (*const *data_of)(Addr address);
	VG_REGPARM(0) UInt (*const *fetch_of)(void);
};

/*
 * MISS_PATHS_OF(paths, data, fetch): defines struct miss_paths paths of the two functions, and for each of the
 * first indices functions that call them.
 */
#define MISS_PATH_DATA_OF(index, data)                     \
 static VG_REGPARM(1) UInt data##_of_##index(Addr address) \
 {                                                         \
  return data(address, index);                             \
 }
#define MISS_PATH_FETCH_OF(index, fetch)            \
 static VG_REGPARM(0) UInt fetch##_of_##index(void) \
 {                                                  \
  return fetch(index);                              \
 }
#define MISS_PATH_NAME(index, f) f##_of_##index,
#define MISS_PATHS_OF(paths, data, fetch)                             \
 MISS_PATH_INDICES(MISS_PATH_DATA_OF, data)                           \
 MISS_PATH_INDICES(MISS_PATH_FETCH_OF, fetch)                         \
 static VG_REGPARM(1) UInt (*const data##_of[MISS_PATHS])(            \
	 Addr address) = { MISS_PATH_INDICES(MISS_PATH_NAME, data) }; \
 static VG_REGPARM(0) UInt (*const fetch##_of[MISS_PATHS])(           \
	 void) = { MISS_PATH_INDICES(MISS_PATH_NAME, fetch) };        \
 const struct miss_paths paths = { data, fetch, data##_of, fetch##_of };

/* The reference that an index means, of the block that runs. */
struct reference *miss_path_reference(UWord index);

/* The instruction that makes a reference of the block that runs. */
struct site *miss_path_site(const struct reference *reference);

/* Those of a run in which nothing but hits and misses is simulated. */
extern const struct miss_paths miss_paths;

/* The run's own path of data, and counts the access itself: its guard held. */
VG_REGPARM(2) UInt miss_path_guarded_data(Addr address, UWord index);

/* A read has been made, and its place is written after all: its lines, which are there, become dirty. */
VG_REGPARM(2) void miss_path_modify(Addr address, UWord index);

/*
 * Counts what the machine's last reference, to an address, missed, by the level that served it, TLBs too, what that
 * costs in cycles, and the lines that were written to memory since its lower.n_written was n_written.
 */
void miss_path_note_outcome(struct reference *reference, Addr address, UInt served,
			    ULong n_written);

/* Counts what a reference missed, by the level that served it; nothing for the first. */
void miss_path_note_misses(struct reference *reference, UInt served);

/* Counts that a reference which missed the last level has had a line written back */
void miss_path_note_write_back(struct reference *reference);

#endif
