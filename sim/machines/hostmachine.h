/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine that this runs on, called "host", as a text like any other (sim/machines/machinefile.h): caches as
 * processor and kernel describe them; what neither tells (policies, TLBs, prefetchers) from the preset of the processor's
 * model.  The comment of each line says where its numbers come from; "assumed" follows those without a source.
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
	HYPERVISOR_NAME_SIZE = 13, /* bytes of the hypervisor's name, and a NUL */
	HOSTMACHINE_LARGE_L3 =
		8 << 20, /* bytes from which an L3 is shared, even with other virtual machines */
	MEASURED_PATH_SIZE = 4096, /* bytes that hold the path of a measured machine */
	CPUINFO_SIZE = 4096, /* bytes of /proc/cpuinfo that hold its first processor, and a NUL */
	HOSTMACHINE_SIZE = 1 << 14,
};

enum processor_maker {
	MAKER_OTHER,
	MAKER_INTEL,
	MAKER_AMD,
	N_PROCESSOR_MAKERS,
};

/* Which processor it is.  Family and model include their extensions, as in the manuals. */
struct processor_identity {
	enum processor_maker maker;
	uint32_t family, model, stepping; /* 0 where CPUID does not tell */
	char name[PROCESSOR_NAME_SIZE];   /* printable ASCII, no ';' or '#'; empty if it has none */
	bool is_virtual;                  /* there is a hypervisor; then, what it calls itself: */
	char hypervisor[HYPERVISOR_NAME_SIZE];
};

void processor_identify(struct processor_identity *identity, cpuid_function *cpuid, void *data);

/*
 * The name of the preset (sim/machines/machinefile.h) with what CPUID does not tell: of the processor's model, or one with a
 * similar core; else "generic".
 */
const char *hostmachine_base(const struct processor_identity *identity);

struct hostmachine {
	char text[HOSTMACHINE_SIZE]; /* NUL-terminated */
	size_t len;                  /* without NUL */
};

/*
 * Writes a machine that machinefile_parse() accepts.  caches: the result of hostcaches_detect(), or NULL if they are not known;
 * base: the preset of hostmachine_base().
 *
 * Sizes and ways come from CPUID or the kernel, up to the third level; if these do not know both caches of the first level and a
 * second level, from the base, assumed.  The policy of a level is the base's if it is known for this processor, else LRU.
 * CPUID says whether a level is inclusive; if it is not, the base says whether it is a victim.  The kernel says how many cores
 * share the third level; if it does not, the base, assumed.  Everything else is the base's,
 * assumed unless the base is the preset of this very model and does not assume it.
 */
void hostmachine_write(struct hostmachine *host, const struct processor_identity *identity,
		       const struct hostcaches *caches, const struct machinefile *base);

/*
 * Appends the path of the machine that "costgrind machine --measure" keeps for a processor: a file in the user's cache folder,
 * named after the processor, its microcode and the hypervisor, since all of these affect costs.  cache_home and home are
 * $XDG_CACHE_HOME and $HOME, NULL if not set; cpuinfo is the beginning of /proc/cpuinfo with its first processor, or empty.
 * Returns false if there is no such folder.
 */
bool hostmachine_measured_path(struct phrase *path, const char *cache_home, const char *home,
			       const struct processor_identity *identity, const char *cpuinfo);

#endif
