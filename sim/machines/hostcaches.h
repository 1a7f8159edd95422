/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which caches a machine has: what its processor says (CPUID), what the
 * kernel says (/sys), and what to believe.  Facts go in, caches come out; callers
 * give the functions that ask the processor and read the files.
 *
 *	hostcaches_from_cpuid()  ---.
 *	                             >  hostcaches_weigh()  -->  hostcaches_find()
 *	hostcaches_add_sys()     ---'
 *
 * hostcaches_detect() does the three of them.
 *
 * Pure functions; no memory is allocated or kept.
 */
#ifndef SIM_MACHINES_HOSTCACHES_H
#define SIM_MACHINES_HOSTCACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cpuid.h"
#include "sim/geometry.h"

enum {
	HOSTCACHES_MAX = 8,        /* of one processor core's; no machine has more than five */
	HOSTCACHES_MAX_LEVEL = 4,  /* the fourth is memory in the package (eDRAM) */
	HOSTCACHES_MAX_WAYS = 128, /* more than in any x86 processor are none */
	HOSTCACHES_MAX_CORES = 64, /* that are counted */
	HOSTCACHES_MAX_PROCESSORS = 8192, /* of Linux */
	HOSTCACHES_TEXT = 256, /* bytes of a file of /sys; longer lists of processors are cut */
};

/* Where numbers come from. */
enum hostcache_source {
	HOSTCACHE_LEAF_4,        /* CPUID: Intel, Zhaoxin */
	HOSTCACHE_LEAF_8000001D, /* CPUID: AMD and Hygon since family 15h */
	HOSTCACHE_LEAF_80000006, /* CPUID, with 0x80000005: AMD before that, VIA */
	HOSTCACHE_SYS,           /* the kernel, of CPU 0 */
	N_HOSTCACHE_SOURCES,
};

/* Does a level hold everything that the levels above it hold? */
enum hostcache_inclusion {
	HOSTCACHE_INCLUSION_UNKNOWN, /* HOSTCACHE_LEAF_80000006 and HOSTCACHE_SYS do not say */
	HOSTCACHE_NOT_INCLUSIVE,
	HOSTCACHE_INCLUSIVE,
};

struct hostcache {
	enum processor_cache_type type;
	uint32_t level;
	/*
	 * As the machine has it: of whole sets, but their number need be no power of two.
	 * Unknown numbers are 0, which happens only with HOSTCACHE_SYS.
	 */
	struct cache_geometry geometry;
	uint64_t n_sets;
	enum hostcache_inclusion inclusion;
	/*
	 * Logical processors that share it: of CPUID a bound, rounded up; of /sys those that
	 * are online.  0 if not known.
	 */
	uint32_t n_sharing;
	enum hostcache_source source;
	bool is_confirmed; /* the other source says the same, of all three numbers */
};

/* In the order in which they were reported; n is 0 if nothing was. */
struct hostcaches {
	uint32_t n;
	struct hostcache caches[HOSTCACHES_MAX];
	bool is_hybrid; /* cores are of several kinds, so CPUID depends on where it runs */
	/* Cores that share the last level, by the kernel: not their threads, if it tells; 0: not known. */
	uint32_t n_cores;
};

/*
 * Reads the caches of the core that cpuid() asks.  Of AMD and Hygon that is
 * leaf 0x8000001D if the topology extension is there, since leaf 0x80000006
 * has an associativity that says "look there", or the sum of all dies; of all
 * others, leaf 4.  Where these say nothing, 0x80000005 and 0x80000006.
 */
void hostcaches_from_cpuid(struct hostcaches *caches, cpuid_function *cpuid, void *data);

/* The files of a folder /sys/devices/system/cpu/cpu0/cache/index<number>. */
enum hostcache_file {
	HOSTCACHE_LEVEL,
	HOSTCACHE_TYPE,
	HOSTCACHE_SIZE,
	HOSTCACHE_WAYS,
	HOSTCACHE_LINE_SIZE,
	HOSTCACHE_SETS,
	HOSTCACHE_PARTITIONS,
	HOSTCACHE_SHARING,
	N_HOSTCACHE_FILES,
};

extern const char *const hostcache_files[N_HOSTCACHE_FILES];

/*
 * Adds the cache of one folder, whose files have these texts, NUL-terminated,
 * NULL for one that is not there.  A text that is no number is absurd, to hostcaches_weigh().
 * *caches is all zeros before the first.
 */
void hostcaches_add_sys(struct hostcaches *caches, const char *const texts[N_HOSTCACHE_FILES]);

enum hostcaches_verdict {
	HOSTCACHES_KNOWN,
	HOSTCACHES_UNKNOWN,  /* neither says anything */
	HOSTCACHES_DISAGREE, /* the two say different things of one machine */
	HOSTCACHES_ABSURD,   /* no machine has such caches */
};

/*
 * What is doubted, for a message.  HOSTCACHES_DISAGREE: one cache as CPUID and as
 * /sys describe it, NULL for the side that lacks it.  HOSTCACHES_ABSURD: the
 * impossible cache, on the side that reports it, NULL on the other.
 */
struct hostcaches_doubt {
	const struct hostcache *cpuid;
	const struct hostcache *sys;
};

/*
 * Weighs one against the other.  *machine is written only for HOSTCACHES_KNOWN,
 * *doubt only for the last two; it points into the arguments.
 *
 * A silent side does not contradict.  If both agree, *machine is CPUID's, which
 * says more.  Two contradictions are none: with cores of several kinds, CPUID
 * describes the core on which we happen to run, and /sys always CPU 0,
 * so /sys is taken, and runs are alike (a caller that detects several kinds by other means
 * sets is_hybrid before); and leaf 0x80000006 gives the L3 of a
 * processor of two dies as one, which the kernel knows, and halves it.
 */
enum hostcaches_verdict hostcaches_weigh(const struct hostcaches *cpuid,
					 const struct hostcaches *sys, struct hostcaches *machine,
					 struct hostcaches_doubt *doubt);

/* How a program asks the machine that it runs on. */
struct hostcaches_access {
	cpuid_function *cpuid;
	/* The number of the processor on which it runs at this moment; 0 if it cannot tell. */
	uint32_t (*current_processor)(void *data);
	/*
	 * Reads the file of a name (hostcache_files) in the folder of that cache of a processor:
	 * text gets a NUL-terminated string of at most HOSTCACHES_TEXT bytes, cut if it is longer.
	 * False if there is none.
	 */
	bool (*read_sys)(void *data, uint32_t processor, uint32_t index, const char *name,
			 char text[HOSTCACHES_TEXT]);
	void *data; /* handed on */
};

/* What the two said. */
struct hostcaches_witnesses {
	struct hostcaches cpuid, sys;
};

/*
 * The caches of the machine at hand: asks both and weighs what they say.  *machine and *doubt are as
 * of hostcaches_weigh(); the doubt points into *witnesses.  A process that is moved to another
 * processor while it asks asks again.  The number of cores is /sys's, of CPU 0.  /sys describes CPU 0, so that runs are alike; if CPUID was
 * another processor's, and that one's files agree with it, cores are of several kinds.
 */
enum hostcaches_verdict hostcaches_detect(const struct hostcaches_access *access,
					  struct hostcaches_witnesses *witnesses,
					  struct hostcaches *machine,
					  struct hostcaches_doubt *doubt);

/* The cache of a type at a level; NULL if there is none. */
const struct hostcache *hostcaches_find(const struct hostcaches *caches,
					enum processor_cache_type type, uint32_t level);

/*
 * The last level as Cachegrind understands it: the unified cache of the highest
 * level up to the third, since a fourth is memory.  NULL if there is none.
 */
const struct hostcache *hostcaches_last(const struct hostcaches *caches);

/* In words: "CPUID leaf 4". */
const char *hostcache_source_name(enum hostcache_source source);

#endif
