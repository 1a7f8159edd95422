/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/misses/twin.h"

#include "sim/inlining.h"

enum {
	WORD_BITS = 64,
	/*
	 * Candidates are those below the third of so many stamps, an eighth of all of them or so.  Fewer
	 * have all lines looked at more often; of more, more have been touched when it is their turn.
	 */
	SAMPLE = 24,
	SAMPLE_RANK = 3,
};

static uint32_t power_of(uint32_t n)
{
	uint32_t bits = 1;

	while (UINT32_C(1) << bits < n)
		bits++;
	return bits;
}

void twin_init(struct twin *twin, uint32_t n_lines, uint32_t line_bits, const uint64_t *stamps,
	       uint32_t n_slots, const struct misses_memory *memory)
{
	const uint32_t bits = power_of(n_lines) + 1;

	*twin = (struct twin){
		.stamps = stamps,
		/* Of a first level without slots, one that is not used. */
		.of_slot = memory->allocate((n_slots + (size_t)(n_slots == 0)) *
					    sizeof(*twin->of_slot)),
		.records = memory->allocate(n_lines * sizeof(*twin->records)),
		.buckets = memory->allocate(sizeof(*twin->buckets) << bits),
		/* One more, that is written and not taken. */
		.candidates = memory->allocate((n_lines + (size_t)1) * sizeof(*twin->candidates)),
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
	twin->memory.release(twin->candidates);
}

static uint32_t *bucket_of(const struct twin *twin, uint64_t line)
{
	return &twin->buckets[(line >> twin->line_bits) * UINT64_C(0x9e3779b97f4a7c15) >>
			      (WORD_BITS - twin->bucket_bits)];
}

static ALWAYS_INLINED uint64_t stamp_of(const struct twin *twin, const struct twin_record *record)
{
	return record->slot == TWIN_NO_SLOT ? record->stamp : twin->stamps[record->slot];
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
		uint64_t stamp = stamp_of(twin, &twin->records[at]);

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

/* By stamps, by Shell's method, with Ciura's gaps. */
static void sort(struct twin_candidate *candidates, uint32_t n)
{
	static const uint32_t gaps[] = { 701, 301, 132, 57, 23, 10, 4, 1 };

	for (uint32_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
		const uint32_t gap = gaps[g];

		for (uint32_t i = gap; i < n; i++) {
			const struct twin_candidate candidate = candidates[i];
			uint32_t at = i;

			for (; at >= gap && candidates[at - gap].stamp > candidate.stamp; at -= gap)
				candidates[at] = candidates[at - gap];
			candidates[at] = candidate;
		}
	}
}

/*
 * Of a full twin, in which all records are lines.  Lines of the reference that is being made have their stamps already, from
 * `begun` on, whether it is their turn or not: one that comes later may be older than these, so they are no candidates, unless
 * there are no others.  Then it is the oldest of them, alone.
 */
static void find_candidates(struct twin *twin, uint64_t begun)
{
	const uint64_t limit = find_limit(twin);
	struct twin_candidate oldest = { UINT64_MAX, 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < twin->n_lines; i++) {
		const uint64_t stamp = stamp_of(twin, &twin->records[i]);

		/* Which ones they are cannot be predicted: no branch. */
		twin->candidates[n] = (struct twin_candidate){ stamp, i };
		n += stamp <= limit && stamp < begun;
		if (stamp < oldest.stamp)
			oldest = (struct twin_candidate){ stamp, i };
	}
	if (n == 0)
		twin->candidates[n++] = oldest;
	sort(twin->candidates, n);
	twin->first_candidate = 0;
	twin->n_candidates = n;
}

/* The record of the line that was used longest ago, of a full twin, as a line with that stamp comes. */
static uint32_t oldest_record(struct twin *twin, uint64_t stamp)
{
	while (true) {
		struct twin_candidate candidate;

		if (twin->first_candidate == twin->n_candidates)
			find_candidates(twin, stamp);
		candidate = twin->candidates[twin->first_candidate++];
		if (stamp_of(twin, &twin->records[candidate.record]) == candidate.stamp)
			return candidate.record;
	}
}

/* --- records ------------------------------------------------------------------------------ */

static void free_record(struct twin *twin, uint32_t index)
{
	struct twin_record *record = &twin->records[index];
	uint32_t *link = bucket_of(twin, record->line);

	while (*link != index + 1)
		link = &twin->records[*link - 1].next;
	*link = record->next;
	if (record->slot != TWIN_NO_SLOT)
		twin->of_slot[record->slot] = 0;
	*record = (struct twin_record){
		.line = FULLCACHE_NO_LINE,
		.slot = TWIN_NO_SLOT,
		.next = twin->free,
	};
	twin->free = index + 1;
	twin->n--;
}

static uint32_t take_record(struct twin *twin)
{
	const uint32_t free = twin->free;

	if (free == 0)
		return twin->n_records++;
	twin->free = twin->records[free - 1].next;
	return free - 1;
}

static uint32_t find(const struct twin *twin, uint64_t line, uint32_t slot)
{
	uint32_t record = slot == TWIN_NO_SLOT ? 0 : twin->of_slot[slot];

	if (record != 0)
		return record;
	record = *bucket_of(twin, line);
	while (record != 0 && twin->records[record - 1].line != line)
		record = twin->records[record - 1].next;
	return record;
}

static void attach(struct twin *twin, uint32_t index, uint32_t slot)
{
	struct twin_record *record = &twin->records[index];

	if (record->slot == slot)
		return;
	if (record->slot != TWIN_NO_SLOT)
		twin->of_slot[record->slot] = 0;
	record->slot = slot;
	if (slot != TWIN_NO_SLOT)
		twin->of_slot[slot] = index + 1;
}

struct twin_touched twin_touch(struct twin *twin, uint64_t line, uint64_t stamp, uint32_t slot)
{
	struct twin_touched touched = { .left = FULLCACHE_NO_LINE, .slot = TWIN_NO_SLOT };
	uint32_t index = find(twin, line, slot);

	touched.missed = index == 0;
	if (touched.missed && twin->n == twin->n_lines) {
		const uint32_t oldest = oldest_record(twin, stamp);

		touched.left = twin->records[oldest].line;
		touched.slot = twin->records[oldest].slot;
		free_record(twin, oldest);
	}
	if (touched.missed) {
		uint32_t *bucket = bucket_of(twin, line);

		index = take_record(twin) + 1;
		twin->records[index - 1] = (struct twin_record){
			.line = line,
			.slot = TWIN_NO_SLOT,
			.next = *bucket,
		};
		*bucket = index;
		twin->n++;
	}
	twin->records[index - 1].stamp = stamp;
	attach(twin, index - 1, slot);
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

		if (line != FULLCACHE_NO_LINE && address_range_meets(range, line, twin->line_bits))
			free_record(twin, i);
	}
	/* They are looked for anew, among records that are lines, when it is full again. */
	twin->first_candidate = 0;
	twin->n_candidates = 0;
}
