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

#include "writer/writer.h"

/* Words of a list, one at a time. */
typedef void word_taker(void *ctx, const HChar *word);

struct fingerprint {
	void (*list_options)(word_taker *take, void *ctx);
	/* The environment that the program was started with: what it does to it is its own. */
	UInt n_variables;
	ULong bytes; /* with a NUL each */
	ULong hash;
};

/*
 * Once the program is in memory, and before it runs.  list_options gives the options that change
 * counts, and are not what they are by default, as the user would write them.
 */
void fingerprint_init(struct fingerprint *fingerprint,
		      void (*list_options)(word_taker *take, void *ctx));

/* The options that count, Valgrind's too, with blanks between; NULL: there are none.  To be freed. */
HChar *fingerprint_options(const struct fingerprint *fingerprint);

void fingerprint_write(const struct fingerprint *fingerprint, struct writer *writer);

/* Only which objects there were, by their build-ids. */
void fingerprint_write_builds(struct writer *writer);

#endif
