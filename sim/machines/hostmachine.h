/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine at hand, called "host", as a text like any other (sim/machines/machinefile.h): caches as
 * processor and kernel describe them, and what neither of them tells (policies, TLBs, prefetchers) from
 * the preset of the processor's model.  Each line's comment says where its numbers come from, and
 * "assumed" stands behind those that nobody tells.
 *
 *	processor_identify()  -->  hostmachine_base()  -->  a preset, parsed  ---.
 *	                                                                          >  hostmachine_write()
 *	hostcaches_detect()  ----------------------------------------------------'
 *
 * Pure functions; no memory is allocated or kept.
 */
#ifndef SIM_MACHINES_HOSTMACHINE_H
#define SIM_MACHINES_HOSTMACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/cpuid.h"
#include "sim/machines/hostcaches.h"
#include "sim/machines/machinefile.h"

struct phrase;

enum {
	PROCESSOR_NAME_SIZE = 49,  /* bytes of the processor's name for itself, and a NUL */
	HYPERVISOR_NAME_SIZE = 13, /* likewise */
	HOSTMACHINE_LARGE_L3 =
		8 << 20,           /* bytes: it is shared then, with other virtual machines, too */
	MEASURED_PATH_SIZE = 4096, /* bytes that hold the path of a measured machine */
	CPUINFO_SIZE =
		4096, /* of /proc/cpuinfo that are enough for its first processor, with a NUL */
	HOSTMACHINE_SIZE = 1 << 14,
};

enum processor_maker {
	MAKER_OTHER,
	MAKER_INTEL,
	MAKER_AMD,
	N_PROCESSOR_MAKERS,
};

/* Which processor it is.  Family and model are as the manuals number them: extensions included. */
struct processor_identity {
	enum processor_maker maker;
	uint32_t family, model, stepping; /* 0 where CPUID does not tell */
	char name[PROCESSOR_NAME_SIZE];   /* printable ASCII, no ';' or '#'; empty if it has none */
	bool is_virtual;                  /* there is a hypervisor; then, what it calls itself: */
	char hypervisor[HYPERVISOR_NAME_SIZE];
};

void processor_identify(struct processor_identity *identity, cpuid_function *cpuid, void *data);

/*
 * The name of the preset (sim/machines/presets.h) that has what CPUID does not tell of a processor: that of
 * its model, or of one whose core is alike; else "generic".
 */
const char *hostmachine_base(const struct processor_identity *identity);

struct hostmachine {
	char text[HOSTMACHINE_SIZE]; /* NUL-terminated */
	size_t len;                  /* without NUL */
};

/*
 * Writes a machine, which machinefile_parse() takes.  caches are those of the machine, as
 * hostcaches_detect() knows them, NULL if it does not; base is the preset of hostmachine_base().
 *
 * Sizes and ways are CPUID's or the kernel's, up to the third level; if these do not know both caches of
 * the first level and a second one, the base's, as an assumption.  Levels have the policy of the base if that
 * is known of this processor, else LRU.  Whether a level is inclusive is what CPUID says, and where it says "not", the base knows
 * whether it is a victim.  All else is the base's: an assumption, unless the base is of this model and
 * does not assume it itself.
 */
void hostmachine_write(struct hostmachine *host, const struct processor_identity *identity,
		       const struct hostcaches *caches, const struct machinefile *base);

/*
 * Appends the path of the machine that "costgrind machine --measure" keeps of a processor: a file below the user's cache
 * folder, named after the processor, its microcode and the hypervisor, as another one of these may have other costs. cache_home
 * and home are $XDG_CACHE_HOME and $HOME, NULL where they are not set; cpuinfo is the beginning of /proc/cpuinfo, up to its first
 * processor's end, or empty. False if there is no such folder.
 */
bool hostmachine_measured_path(struct phrase *path, const char *cache_home, const char *home,
			       const struct processor_identity *identity, const char *cpuinfo);

#endif
