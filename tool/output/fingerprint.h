/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run's counts depend on besides the program and its input, as "desc:" lines
 * of its profile (docs/FORMAT.md): runs that differ in it cannot be compared, or
 * not without a word, which is what costgrind diff has them for.
 */
#ifndef TOOL_OUTPUT_FINGERPRINT_H
#define TOOL_OUTPUT_FINGERPRINT_H

#include "libvex.h"
#include "pub_tool_basics.h"

#include "tool/symbols/builds.h"
#include "writer/writer.h"

struct options;

struct fingerprint {
	/* The environment that the program was started with: what it does to it is its own. */
	UInt n_variables;
	ULong bytes; /* with a NUL each */
	ULong hash;
	UInt capabilities; /* of the processor that the program sees: VEX_HWCAPS_AMD64_... */
	struct builds builds;
};

/* Once the program is in memory, and before it runs. */
void fingerprint_init(struct fingerprint *fingerprint);

/* The processor that Valgrind translates for, which shows the program one of these capabilities. */
void fingerprint_note_processor(struct fingerprint *fingerprint, const VexArchInfo *host);

void fingerprint_write(const struct fingerprint *fingerprint, const struct options *options,
		       struct writer *writer);

#endif
