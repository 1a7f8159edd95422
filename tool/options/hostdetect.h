/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The caches of the computer at hand.  The processor is asked by CPUID, and the kernel is a second
 * witness (sim/machines/hostcaches.h says what is believed); only where both are silent, what the
 * core found is taken: it knows the descriptors of old processors, but misreads those of AMD since
 * 2017.
 */
#ifndef TOOL_OPTIONS_HOSTDETECT_H
#define TOOL_OPTIONS_HOSTDETECT_H

#include "pub_tool_basics.h"

#include "sim/geometry.h"
#include "sim/machines/hostcaches.h"

/* The caches of Cachegrind's machine. */
struct two_levels {
	struct cache_geometry i1, d1, ll;
};

enum hostdetect_verdict {
	HOSTDETECT_KNOWN,
	HOSTDETECT_UNKNOWN, /* neither says anything: hostdetect_from_core() may */
	HOSTDETECT_DOUBTED, /* a line was said about that */
};

/*
 * Writes *machine if it is known; with -v -v, says all that is.  instead: what is used if it is doubted,
 * for the line.
 */
enum hostdetect_verdict hostdetect_caches(struct hostcaches *machine, const HChar *instead);

/*
 * What the core found.  Writes what is found of the two levels; returns whether that is enough:
 * both caches of the first level.
 */
Bool hostdetect_from_core(struct two_levels *caches);

/* Says that nothing is known, and what is used instead. */
void hostdetect_note_unknown(const HChar *instead);

#endif
