/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A first level's twin: a fully associative LRU cache of its size, which sees all of its references, most of which
 * generated code makes without a call (sim/machine.h).  It lives on the stamps that are stored then:
 *
 *	records		the lines that it has, found by their address.  Of those that are in the first
 *			level, the stamp is in a slot, a way of that, and changes without notice: it is
 *			live; the stamps of other lines are in their records.
 *	candidates	those that were oldest a while ago, by their stamps of that time, in order.  One
 *			whose stamp has changed since is younger than all that follow; so the first one
 *			that has not, goes next.
 *
 * So a line that has been touched needs no work, and one that is missed about as much as in a set of eight.  A
 * line may stay in a quiet set of the first level when it has left its twin: then it must not be touched without a call
 * any more, so that the twin sees that it comes back.  Its owner sees to that: struct twin_touched says for which.
 */
#ifndef SIM_MISSES_TWIN_H
#define SIM_MISSES_TWIN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/misses/fullcache.h"

/* No slot. */
#define TWIN_NO_SLOT UINT32_MAX

struct twin_record {
	uint64_t line;      /* its address; NO_LINE: the record is free */
	const uint64_t *at; /* where the stamp of its last touch is: its slot's, or the next field */
	uint64_t stamp;
	uint32_t slot; /* or TWIN_NO_SLOT */
	uint32_t next; /* of the same bucket, or of those that are free: index + 1, or 0 */
};

/* Invariant: of_slot[s] is the record whose slot is s: index + 1, or 0. */
struct twin {
	const uint64_t *stamps; /* by slot, the first level's: read only */
	uint32_t *of_slot;
	struct twin_record *records;
	uint32_t *buckets; /* by hash of the line's address: a record's index + 1, or 0 */
	/* Candidates, from first_candidate on to n_candidates: their stamps, and records. */
	uint64_t *candidate_stamps;
	uint32_t *candidates;
	uint32_t n_lines;   /* that it has room for */
	uint32_t n_records; /* that were ever used: the others follow them */
	uint32_t free;      /* the first one that is free again: index + 1, or 0 */
	uint32_t n;         /* lines that it has */
	uint32_t first_candidate, n_candidates;
	uint32_t bucket_bits; /* log2 of how many there are */
	uint32_t line_bits;
	struct misses_memory memory;
};

/* What a touch did. */
struct twin_touched {
	bool missed;
	uint64_t left; /* the line that has made room, or NO_LINE */
	uint32_t slot; /* that line's, which must not be touched without a call any more, or TWIN_NO_SLOT */
};

/*
 * Makes an empty one of n_lines, 1 or more and below 2 to the 29, for a first level of n_slots,
 * whose stamps these are.
 */
void twin_init(struct twin *twin, uint32_t n_lines, uint32_t line_bits, const uint64_t *stamps,
	       uint32_t n_slots, const struct misses_memory *memory);

/* Gives its memory back. */
void twin_release(struct twin *twin);

/*
 * A line, by its address, was touched with this stamp, larger than all before except stamps
 * of the same reference.  Its stamp is in that slot from now on, which holds no other line's
 * (twin_settle()); TWIN_NO_SLOT: it does not change without notice.
 */
struct twin_touched twin_touch(struct twin *twin, uint64_t line, uint64_t stamp, uint32_t slot);

/* A slot is about to get another line, or none, and still has its last stamp. */
static inline void twin_settle(struct twin *twin, uint32_t slot)
{
	struct twin_record *record;

	if (twin->of_slot[slot] == 0)
		return;
	record = &twin->records[twin->of_slot[slot] - 1];
	record->stamp = twin->stamps[slot];
	record->at = &record->stamp;
	record->slot = TWIN_NO_SLOT;
	twin->of_slot[slot] = 0;
}

/*
 * A line, by its address, has come into that slot, with the stamp that it had, which is no touch of
 * it.  Returns whether the twin has it; if not, it must not be touched without a call.
 */
bool twin_attach(struct twin *twin, uint64_t line, uint32_t slot);

/* Takes lines that have a byte in the range out; none of them has a slot any more. */
void twin_evict(struct twin *twin, struct address_range range);

/* --- the twins of a machine ------------------------------------------------------------------ */

struct curve_tally;

/* The twins of the machine's first level (sim/machine.h). */
struct machine_twins {
	struct twin data, code;
	struct seen data_seen, code_seen;
	struct curve_tally *tally; /* of references to data, or NULL; the user's */
	uint64_t clock;            /* for references that have no slots */
	uint32_t outcome; /* of the last reference: bits FULL_... (sim/misses/missclasses.h) */
};

/* A slot is about to lose its line, and has its stamp; twins may be NULL. */
static inline void twins_settle_data(struct machine_twins *twins, size_t slot)
{
	if (twins != NULL)
		twin_settle(&twins->data, (uint32_t)slot);
}

static inline void twins_settle_code(struct machine_twins *twins, size_t slot)
{
	if (twins != NULL)
		twin_settle(&twins->code, (uint32_t)slot);
}

#endif
