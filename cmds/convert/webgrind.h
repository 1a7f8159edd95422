/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Webgrind's preprocessed files, versions 4 to 7, as they are written.  Layout and
 * meaning are in docs/FORMAT.md, from Webgrind's own description; version 7, which
 * it does not have, is version 6 with a line before each function.
 *
 * All versions have the same frame: numbers of 32 bits, an address for each function, the
 * functions' records, in version 4 a table of calls, lines of headers.
 */
#ifndef CMDS_CONVERT_WEBGRIND_H
#define CMDS_CONVERT_WEBGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/convert/formats.h"
#include "profile/analysis/callgraph.h"
#include "writer/out.h"

enum {
	WEBGRIND_FIRST = 4, /* versions */
	WEBGRIND_LAST = 7,
	WEBGRIND_HEAD = 12, /* bytes before the addresses */
	WEBGRIND_CALL = 16, /* bytes of a call */
	WEBGRIND_INVOCATION = 32,
};

#define WEBGRIND_MOST   UINT32_MAX /* of a number */
#define WEBGRIND_NOBODY UINT32_MAX /* version 4: the caller of an invocation that nobody called */

/* The header that says that version 4 has one invocation a function, made up. */
#define WEBGRIND_SYNTHETIC      "Invocations"
#define WEBGRIND_SYNTHETIC_TEXT "one for each function, called by its costliest caller"

/* Fields are private to to_webgrind*.c and webgrind.c. */
struct webgrind {
	struct conversion *conversion;
	struct out out;
	unsigned version;
	struct callgraph graph;
	size_t n;         /* functions written; at least 1 */
	uint32_t *order;  /* functions of the model as they are written */
	uint32_t *rank;   /* by function of the model: place in order */
	uint64_t most;    /* the largest cost that is written */
	uint64_t divisor; /* of costs, a power of ten */
	uint64_t summary;
	uint64_t n_saturated;    /* counts that were too large */
	const char *invocations; /* version 4: what they are, for a header; NULL = real ones */
	/* Bytes of a function's record, and of what is between the last one and the headers. */
	uint64_t (*size)(const struct webgrind *webgrind, size_t i);
	uint64_t table_size;
	uint64_t table; /* its address; set before anything is put */
	/* Write these. */
	void (*put_record)(struct webgrind *webgrind, size_t i);
	void (*put_table)(struct webgrind *webgrind);
	uint64_t n_records; /* functions, calls, invocations: for the message of what is too large */
	void *ctx;          /* of these functions */
};

/* Makes the graph, the order, summary and most.  Returns a status; release it in any case. */
int webgrind_init(struct webgrind *webgrind, struct conversion *conversion, unsigned version);
void webgrind_release(struct webgrind *webgrind);

/*
 * Writes the file, when size, table_size, put_record, put_table and most are set.  Returns
 * a status: PROFILE_RANGE, with a message in the conversion, if addresses would be beyond 32 bits.
 */
int webgrind_write(struct webgrind *webgrind);

/* For put_record() and put_table(): a number; a cost, divided; a count, at most WEBGRIND_MOST. */
void webgrind_put(struct webgrind *webgrind, uint64_t number);
void webgrind_put_cost(struct webgrind *webgrind, uint64_t cost);
void webgrind_put_count(struct webgrind *webgrind, uint64_t count);

/* File and name of the function at a place of the order, each with its line feed. */
void webgrind_put_names(struct webgrind *webgrind, size_t i);
uint64_t webgrind_names_size(const struct webgrind *webgrind, size_t i);

/*
 * Where a file that has the model's own functions only is distinguished from one with another
 * function, "<rest>", as the last one: place of that.
 */
static inline size_t webgrind_rest(const struct webgrind *webgrind)
{
	return webgrind->graph.n;
}

#endif
