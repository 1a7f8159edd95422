/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prefetches of the run: what the machine's prefetchers (sim/prefetch/prefetchers.h) and the program's own prefetch
 * instructions bring into the caches.
 *
 * With --prefetch=yes the slow paths are those below.  Generated code calls them for all that
 * prefetchers are to see: what missed, and the first use of a line that was prefetched.
 *
 * A prefetch instruction is always obeyed on a machine that has caches of its own: prefetcht0, prefetchnta, prefetch and prefetchw
 * bring the line into D1 and all later levels, prefetcht1 and prefetcht2 into L2 and all later levels; one to where nothing is
 * mapped does nothing.  It is no reference: it counts as an instruction, and misses nothing.  With --prefetch=yes it is a
 * trigger as others are.  Not with --counting=valgrind, since registers are needed for it (tool/instrument/register_updates.h).
 */
#ifndef TOOL_SIMULATE_PREFETCHING_H
#define TOOL_SIMULATE_PREFETCHING_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/lower.h"
#include "sim/prefetch/prefetchers.h"
#include "tool/counts/levels.h"

struct hot_memory;
struct miss_paths;
struct prefetch_trigger;
struct site;

struct prefetching {
	struct prefetchers *prefetchers; /* NULL: none are simulated */
	void *memory;                    /* theirs */
	SizeT memory_size;
	const struct prefetchers_config *config;
	struct prefetch_caches caches;
	Bool instructions;                   /* of the program are obeyed */
	ULong stamp;                         /* for the next line that comes into D1 */
	VgHashTable *triggers;               /* struct prefetch_trigger by site and context */
	struct prefetch_trigger *last[1024]; /* some of them, by a hash; or NULL */
};

/*
 * Before code is translated; config stays.  with_instructions: the program's own prefetches are obeyed if the
 * machine obeys them; with_prefetchers: --prefetch=yes.
 */
void prefetching_init(struct prefetching *prefetching, const struct hierarchy_config *config,
		      Bool with_instructions, Bool with_prefetchers);

/* What generated code calls (tool/simulate/miss_path.h). */
extern const struct miss_paths prefetching_paths;

/* How many stamps a reference to data needs for what it may have brought into D1; size in bytes. */
UInt prefetching_stamps(const struct prefetching *prefetching, UInt size);

/* The reference of the block that runs which has this index is a prefetch instruction of a level. */
VG_REGPARM(3) void prefetching_ask(Addr address, UWord index, UWord level);

/* The same for a site; and a reference before and after it has been made.  These are the oracle's. */
void prefetching_ask_at(struct site *site, Addr address, UWord level);
void prefetching_look(enum reference_kind kind, Addr address, UWord size,
		      struct prefetch_reference *reference);
void prefetching_see(struct site *site, const struct prefetch_reference *reference, UInt served);

/* Has cells include what has become of lines so far: before they are read, or set to zero. */
void prefetching_settle(struct prefetching *prefetching);

/* Prefetchers have seen nothing; caches are empty by now, and lines that were not used are counted. */
void prefetching_clear(struct prefetching *prefetching);

#endif
