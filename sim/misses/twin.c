/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/misses/twin.h"

#include "sim/basics.h"
#include "sim/misses/fullcache.h"

enum {
	/*
	 * Candidates have stamps below the third smallest of a sample, which is an eighth of all lines or so.  With
	 * fewer, all lines are looked at more often; with more, more have been touched when it is their turn.
	 */
	SAMPLE = 24,
	SAMPLE_RANK = 3,
	BUCKETS = 256,
};

void twin_init(struct twin *twin, uint32_t n_lines, uint32_t line_bits, const uint64_t *stamps,
	       uint32_t n_slots, const struct misses_memory *memory)
{
	const uint32_t bits = linehash_bits(n_lines);

	*twin = (struct twin){
		.stamps = stamps,
		/* Of a first level without slots, one that is not used. */
		.of_slot = memory->allocate((n_slots + (size_t)(n_slots == 0)) *
					    sizeof(*twin->of_slot)),
		.records = memory->allocate(n_lines * sizeof(*twin->records)),
		.buckets = memory->allocate(sizeof(*twin->buckets) << bits),
		/* One more, that is written and not taken; and as many again to sort by. */
		.candidate_stamps = memory->allocate(2 * (n_lines + (size_t)1) *
						     sizeof(*twin->candidate_stamps)),
		.candidates =
			memory->allocate(2 * (n_lines + (size_t)1) * sizeof(*twin->candidates)),
		.n_lines = n_lines,
		.bucket_bits = bits,
		.line_bits = line_bits,
		.memory = *memory,
	};
}

void twin_release(struct twin *twin)
{
	twin->memory.release(twin->of_slot);
	twin->memory.release(twin->records);
	twin->memory.release(twin->buckets);
	twin->memory.release(twin->candidate_stamps);
	twin->memory.release(twin->candidates);
}

static uint32_t *bucket_of(const struct twin *twin, uint64_t line)
{
	return &twin->buckets[linehash(line >> twin->line_bits, twin->bucket_bits)];
}

/* --- who is oldest ------------------------------------------------------------------------ */

/* All lines that are at most as old as candidates get are older than this stamp, or have it. */
static uint64_t find_limit(const struct twin *twin)
{
	uint64_t oldest[SAMPLE_RANK];

	for (uint32_t i = 0; i < SAMPLE_RANK; i++)
		oldest[i] = UINT64_MAX;
	for (uint32_t i = 0; i < SAMPLE; i++) {
		const uint32_t at = (uint32_t)((uint64_t)i * twin->n_lines / SAMPLE);
		uint64_t stamp = *twin->records[at].at;

		for (uint32_t rank = 0; rank < SAMPLE_RANK; rank++) {
			const uint64_t other = oldest[rank];

			if (stamp ==
			    other) /* a twin of few lines has the same one looked at again */
				break;
			if (stamp > other)
				continue;
			oldest[rank] = stamp;
			stamp = other;
		}
	}
	for (uint32_t rank = SAMPLE_RANK; rank-- > 0;)
		if (oldest[rank] != UINT64_MAX)
			return oldest[rank];
	return UINT64_MAX;
}

/* By stamps: what is nearly in order already. */
static void insert_all(uint64_t *stamps, uint32_t *records, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		const uint64_t stamp = stamps[i];
		const uint32_t record = records[i];
		uint32_t at = i;

		for (; at > 0 && stamps[at - 1] > stamp; at--) {
			stamps[at] = stamps[at - 1];
			records[at] = records[at - 1];
		}
		stamps[at] = stamp;
		records[at] = record;
	}
}

/*
 * By stamps: first into buckets of equal width, as stamps come at about equal distances, so that
 * few comparisons are left, which no processor can predict.
 */
static void sort(struct twin *twin, uint32_t n)
{
	uint32_t begin[BUCKETS + 1] = { 0 }, shift = 0;
	uint64_t *stamps = twin->candidate_stamps, *unsorted = stamps + twin->n_lines + 1;
	uint32_t *records = twin->candidates, *all = records + twin->n_lines + 1;
	uint64_t least = UINT64_MAX, most = 0;

	for (uint32_t i = 0; i < n; i++) {
		unsorted[i] = stamps[i];
		all[i] = records[i];
		least = stamps[i] < least ? stamps[i] : least;
		most = stamps[i] > most ? stamps[i] : most;
	}
	while ((most - least) >> shift >= BUCKETS)
		shift++;
	for (uint32_t i = 0; i < n; i++)
		begin[((unsorted[i] - least) >> shift) + 1]++;
	for (uint32_t bucket = 1; bucket < BUCKETS; bucket++)
		begin[bucket] += begin[bucket - 1];
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t at = begin[(unsorted[i] - least) >> shift]++;

		stamps[at] = unsorted[i];
		records[at] = all[i];
	}
	insert_all(stamps, records, n);
}

/*
 * Of a full twin, in which all records are lines.  Lines of the reference that is being made have
 * their stamps already, from `begun` on, whether it is their turn or not: one that comes later may
 * be older than these, so they are no candidates, unless there are no others.  Then it is the
 * oldest of them, alone.
 */
static NEVER_INLINED void find_candidates(struct twin *twin, uint64_t begun)
{
	const uint64_t limit = find_limit(twin);
	uint64_t oldest_stamp = UINT64_MAX;
	uint32_t n = 0, oldest = 0;

	for (uint32_t i = 0; i < twin->n_lines; i++) {
		const uint64_t stamp = *twin->records[i].at;

		/* Which ones they are cannot be predicted: no branch. */
		twin->candidate_stamps[n] = stamp;
		twin->candidates[n] = i;
		n += (uint32_t)(stamp <= limit) & (uint32_t)(stamp < begun);
	}
	for (uint32_t i = 0; n == 0 && i < twin->n_lines; i++) {
		if (*twin->records[i].at >= oldest_stamp)
			continue;
		oldest_stamp = *twin->records[i].at;
		oldest = i;
	}
	if (n == 0) {
		twin->candidate_stamps[0] = oldest_stamp;
		twin->candidates[0] = oldest;
		n = 1;
	}
	sort(twin, n);
	twin->first_candidate = 0;
	twin->n_candidates = n;
}

/* The record of the line that was used longest ago, of a full twin, as a line with that stamp comes. */
static ALWAYS_INLINED uint32_t oldest_record(struct twin *twin, uint64_t stamp)
{
	while (true) {
		uint32_t at;

		if (twin->first_candidate == twin->n_candidates)
			find_candidates(twin, stamp);
		at = twin->first_candidate++;
		if (*twin->records[twin->candidates[at]].at == twin->candidate_stamps[at])
			return twin->candidates[at];
	}
}

/* --- records ------------------------------------------------------------------------------ */

static ALWAYS_INLINED void unlink(struct twin *twin, uint32_t index)
{
	const struct twin_record *record = &twin->records[index];
	uint32_t *link = bucket_of(twin, record->line);

	while (*link != index + 1)
		link = &twin->records[*link - 1].next;
	*link = record->next;
	if (record->slot != TWIN_NO_SLOT)
		twin->of_slot[record->slot] = 0;
}

static void free_record(struct twin *twin, uint32_t index)
{
	struct twin_record *record = &twin->records[index];

	unlink(twin, index);
	*record = (struct twin_record){
		.line = NO_LINE,
		.at = &record->stamp,
		.slot = TWIN_NO_SLOT,
		.next = twin->free,
	};
	twin->free = index + 1;
	twin->n--;
}

/* A record for another line, of a twin that is not full. */
static uint32_t take_record(struct twin *twin)
{
	const uint32_t free = twin->free;

	twin->n++;
	if (free == 0)
		return twin->n_records++;
	twin->free = twin->records[free - 1].next;
	return free - 1;
}

static ALWAYS_INLINED uint32_t find(const struct twin *twin, uint64_t line, uint32_t slot)
{
	uint32_t record = slot == TWIN_NO_SLOT ? 0 : twin->of_slot[slot];

	if (record != 0)
		return record;
	record = *bucket_of(twin, line);
	while (record != 0 && twin->records[record - 1].line != line)
		record = twin->records[record - 1].next;
	return record;
}

static ALWAYS_INLINED void attach(struct twin *twin, uint32_t index, uint32_t slot)
{
	struct twin_record *record = &twin->records[index];

	if (record->slot == slot)
		return;
	if (record->slot != TWIN_NO_SLOT)
		twin->of_slot[record->slot] = 0;
	record->slot = slot;
	record->at = slot == TWIN_NO_SLOT ? &record->stamp : &twin->stamps[slot];
	if (slot != TWIN_NO_SLOT)
		twin->of_slot[slot] = index + 1;
}

/* The record of a line that is not in the twin; *touched says which one has made room. */
static ALWAYS_INLINED uint32_t bring(struct twin *twin, uint64_t line, uint64_t stamp,
				     struct twin_touched *touched)
{
	uint32_t *bucket, index;

	if (twin->n == twin->n_lines) {
		index = oldest_record(twin, stamp);
		touched->left = twin->records[index].line;
		touched->slot = twin->records[index].slot;
		unlink(twin, index);
	} else {
		index = take_record(twin);
	}
	bucket = bucket_of(twin, line);
	twin->records[index].line = line;
	twin->records[index].at = &twin->records[index].stamp;
	twin->records[index].slot = TWIN_NO_SLOT;
	twin->records[index].next = *bucket;
	*bucket = index + 1;
	return index;
}

struct twin_touched twin_touch(struct twin *twin, uint64_t line, uint64_t stamp, uint32_t slot)
{
	struct twin_touched touched = { .left = NO_LINE, .slot = TWIN_NO_SLOT };
	uint32_t index = find(twin, line, slot);

	touched.missed = index == 0;
	index = index == 0 ? bring(twin, line, stamp, &touched) : index - 1;
	twin->records[index].stamp = stamp;
	attach(twin, index, slot);
	return touched;
}

bool twin_attach(struct twin *twin, uint64_t line, uint32_t slot)
{
	const uint32_t index = find(twin, line, slot);

	if (index != 0)
		attach(twin, index - 1, slot);
	return index != 0;
}

void twin_evict(struct twin *twin, struct address_range range)
{
	for (uint32_t i = 0; i < twin->n_records; i++) {
		const uint64_t line = twin->records[i].line;

		if (line != NO_LINE && address_range_meets(range, line, twin->line_bits))
			free_record(twin, i);
	}
	/* They are looked for anew, among records that are lines, when it is full again. */
	twin->first_candidate = 0;
	twin->n_candidates = 0;
}
