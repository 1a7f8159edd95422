/* SPDX-License-Identifier: GPL-3.0-or-later */
/* True if the machine and the plain models of a pair (tests/sim/machine_pair.h) are in the same state. */
#ifndef TESTS_SIM_PAIR_STATES_H
#define TESTS_SIM_PAIR_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/stamped.h"
#include "tests/sim/machine_pair.h"

/* The way of D1 that holds a line; (size_t)-1 if none does. */
static inline size_t pair_data_way(const struct data_ways *d1, uint64_t line)
{
	size_t first = (size_t)((line >> d1->line_bits) & d1->set_mask) * d1->assoc;

	for (size_t way = first; way < first + d1->assoc; way++) {
		if (d1->tags[way] == line)
			return way;
	}
	return SIZE_MAX;
}

/* Which line of a set the plain cache would take out if another one came. */
static inline uint32_t pair_plain_victim(const struct cache *plain, uint64_t set)
{
	uint64_t bits[8], level[POLICY_LEVEL_WORDS];
	size_t words = plain->bits_words < 8 ? plain->bits_words : 8;
	const struct policy_set copy = {
		.tags = plain->short_tags ? NULL : plain->tags + set * plain->assoc,
		.short_tags = plain->short_tags ? plain->short_tags + set * plain->assoc : NULL,
		.bits = bits,
		.level = level,
		.assoc = plain->assoc,
	};

	memcpy(bits, plain->bits + set * plain->bits_words, words * sizeof(bits[0]));
	return plain->policy->miss(&copy);
}

/* The same as below for policies that have each line stay in its way; which one goes next is the same too. */
static inline bool pair_same_ways(const struct cache *plain, uint64_t set, const uint64_t *lines,
				  const uint64_t *stamps, uint32_t tree_ways, uint64_t clock)
{
	for (uint32_t way = 0; way < plain->assoc; way++) {
		uint64_t tag = cache_tag(plain, set, way);

		if (lines[way] != (tag == 0 ? 1 : tag - 1))
			return false;
		if (tag != 0 && (stamps[way] == 0 || stamps[way] > clock))
			return false;
	}
	return stamped_victim(stamps, plain->assoc, tree_ways) == pair_plain_victim(plain, set);
}

/*
 * True if one set of a first level holds the same lines as the row of a plain
 * cache, and no others, its stamps say the same order, and none is above
 * clock.  lines are the ways' addresses, odd for an empty way.
 */
static inline bool pair_same_set(const struct cache *plain, uint64_t set, const uint64_t *lines,
				 const uint64_t *stamps, uint32_t tree_ways, uint64_t clock)
{
	uint32_t assoc = plain->assoc;
	uint64_t newer = clock + 1;

	if (tree_ways != 1)
		return pair_same_ways(plain, set, lines, stamps, tree_ways, clock);
	for (uint32_t rank = 0; rank < assoc; rank++) {
		uint64_t tag = cache_tag(plain, set, rank);
		uint64_t wanted = tag == 0 ? 1 : tag - 1;
		uint32_t way = 0;

		while (way < assoc && lines[way] != wanted)
			way++;
		/* The ways of a row are all different, so each is found in a place of its own. */
		if (way == assoc)
			return false;
		if (wanted != 1 && (stamps[way] == 0 || stamps[way] >= newer))
			return false;
		if (wanted != 1)
			newer = stamps[way];
	}
	return true;
}

static inline bool pair_empty_ways_are_equal(const struct cache *plain, uint64_t set,
					     const uint64_t *lines, const uint64_t *stamps,
					     uint32_t assoc)
{
	uint32_t empty_row = 0, empty = 0;

	for (uint32_t way = 0; way < assoc; way++) {
		empty_row += cache_tag(plain, set, way) == 0;
		if (lines[way] != 1)
			continue;
		empty++;
		if (stamps[way] != 0)
			return false;
	}
	return empty == empty_row;
}

/* True if two caches of one shape have the same state. */
static inline bool pair_same_cache(const struct cache *a, const struct cache *b)
{
	size_t words = (size_t)cache_n_sets(a) * a->bits_words;

	for (uint64_t set = 0; set < cache_n_sets(a); set++)
		for (size_t way = 0; way < a->assoc; way++)
			if (cache_tag(a, set, way) != cache_tag(b, set, way) ||
			    cache_is_dirty(a, set * a->assoc + way) !=
				    cache_is_dirty(b, set * a->assoc + way))
				return false;
	return memcmp(a->bits, b->bits, words * sizeof(a->bits[0])) == 0 &&
	       memcmp(a->level, b->level, sizeof(a->level)) == 0;
}

/* Where the ways of D1 differ from what is dirty, or NULL. */
static inline const char *pair_dirty_fault(const struct pair *pair)
{
	const struct machine *machine = pair->machine;
	const struct data_ways *d1 = &machine->d1;
	const struct cache *plain = &pair->hierarchy.d1;

	if (d1->written_offset == 0)
		return NULL;
	for (size_t way = 0; way < (d1->set_mask + 1) * d1->assoc; way++) {
		size_t place = d1->tags[way] == 1 ? SIZE_MAX : cache_find(plain, d1->tags[way]);

		if ((*machine_written(machine, &d1->stamps[way]) != 0) !=
		    (place != SIZE_MAX && cache_is_dirty(plain, place)))
			return "another line of D1 is dirty";
	}
	return NULL;
}

/* What is wrong with D1, or NULL. */
static inline const char *pair_d1_fault(const struct pair *pair)
{
	const struct data_ways *d1 = &pair->machine->d1;
	const struct cache *plain = &pair->hierarchy.d1;

	if (d1->assoc == 0)
		return pair_same_cache(&pair->machine->called_d1, &pair->hierarchy.d1)
			       ? NULL
			       : "D1 differs";
	for (uint64_t set = 0; set <= d1->set_mask; set++) {
		size_t first = (size_t)set * d1->assoc;

		if (!pair_same_set(plain, set, d1->tags + first, d1->stamps + first, d1->tree_ways,
				   pair->machine->clock))
			return "D1 differs in a line or its stamp";
		if (!pair_empty_ways_are_equal(plain, set, d1->tags + first, d1->stamps + first,
					       d1->assoc))
			return "D1 differs in its empty ways";
	}
	return NULL;
}

/* True if a line of I1 may not be named: its page may be absent, it may not be in the twin, or be hidden. */
static inline bool pair_may_be_unnamed(const struct pair *pair)
{
	return pair->config || pair->has_twins || pair->machine->hides;
}

static inline const char *pair_i1_fault(const struct pair *pair)
{
	const struct code_ways *i1 = &pair->machine->i1;
	const struct cache *plain = &pair->hierarchy.i1;
	uint64_t *lines = calloc(i1->assoc + 1, sizeof(*lines));
	const char *fault = NULL;

	if (!lines)
		abort();
	if (i1->assoc == 0) {
		free(lines);
		return pair_same_cache(&pair->machine->called_i1, &pair->hierarchy.i1)
			       ? NULL
			       : "I1 differs";
	}
	for (uint64_t set = 0; set <= i1->set_mask && !fault; set++) {
		size_t first = (size_t)set * i1->assoc;

		for (size_t way = 0; way < i1->assoc; way++) {
			const struct code_line *line = i1->lines[first + way];

			lines[way] = line ? line->address : 1;
			if (line && line->stamp != &i1->stamps[first + way] &&
			    !(pair_may_be_unnamed(pair) && line->stamp == &pair->machine->nowhere))
				fault = "a line of I1 has its stamp elsewhere";
		}
		if (!pair_same_set(plain, set, lines, i1->stamps + first, i1->tree_ways,
				   pair->machine->clock))
			fault = "I1 differs in a line or its stamp";
		if (!pair_empty_ways_are_equal(plain, set, lines, i1->stamps + first, i1->assoc))
			fault = "I1 differs in its empty ways";
	}
	free(lines);
	return fault;
}

/* True if generated code may take a line of code for one that is in I1. */
static inline bool pair_is_known_code(const struct pair *pair, const struct code_line *line)
{
	const struct newest_code *newest = &pair->machine->newest_code;

	if (pair->machine->i1.assoc != 0)
		return cache_find(&pair->hierarchy.i1, line->address) != SIZE_MAX;
	return newest->lines &&
	       newest->lines[cache_set_number(&pair->machine->called_i1, line->address)] == line;
}

/* A line of code that is not in I1 points nowhere; of the others, pair_i1_fault() has seen to. */
static inline const char *pair_code_fault(const struct pair *pair)
{
	const struct machine *machine = pair->machine;

	for (size_t i = 0; i < PAIR_BUCKETS; i++) {
		for (const struct pair_line *line = pair->lines[i]; line; line = line->next) {
			bool is_known = pair_is_known_code(pair, &line->line);

			if (pair_may_be_unnamed(pair) && line->line.stamp == &machine->nowhere)
				continue;
			if (is_known == (line->line.stamp == &machine->nowhere))
				return "a line of code is wrong about being in I1";
		}
	}
	return NULL;
}

/* What is wrong with an entry that names a line of a D1 that is not plain, or NULL. */
static inline const char *pair_newest_fault(const struct machine *machine,
					    const struct filter_entry *entry)
{
	const struct newest_data *newest = &machine->newest_data;

	if (!newest->lines ||
	    newest->lines[cache_set_number(&machine->called_d1, entry->line)] != entry->line)
		return "the filter names a line that is not the newest";
	if (cache_find(&machine->called_d1, entry->line) == SIZE_MAX)
		return "the filter names an absent line";
	return entry->stamp == &newest->stamps[cache_set_number(&machine->called_d1, entry->line)]
		       ? NULL
		       : "a newest line has its stamp elsewhere";
}

static inline const char *pair_filter_fault(const struct pair *pair)
{
	const struct machine *machine = pair->machine;
	unsigned line_bits = machine->d1.line_bits;

	for (uint64_t i = 0; i <= machine->filter_mask; i++) {
		const struct filter_entry *entry = &machine->filter[i];
		size_t way;

		if (entry->line >> line_bits << line_bits != entry->line)
			return "an entry of the filter has no line's address";
		if (((entry->line >> line_bits) & machine->filter_mask) != i)
			continue; /* empty */
		if (machine->d1.assoc == 0) {
			const char *fault = pair_newest_fault(machine, entry);

			if (fault)
				return fault;
			continue;
		}
		way = pair_data_way(&machine->d1, entry->line);
		if (way == SIZE_MAX)
			return "the filter names an absent line";
		if (entry->stamp != &machine->d1.stamps[way])
			return "the filter has a line's stamp elsewhere";
	}
	return NULL;
}

static inline const char *pair_branch_fault(const struct pair *pair)
{
	const struct machine *machine = pair->machine;
	uint64_t history = pair->directions.history % (1 << BRANCH_HISTORY_BITS);

	for (size_t i = 0; i < BRANCH_COUNTERS; i++) {
		size_t cell = i % 128 * 128 + i / 128;

		if ((machine->cells[cell] & 3) != pair->directions.counters[i])
			return "a cell has another counter";
	}
	if (machine->history != history)
		return "the histories differ";
	if (memcmp(machine->targets, pair->targets.targets, sizeof(machine->targets)) != 0)
		return "the targets differ";
	return NULL;
}

/* How many numbers there are of what may be named. */
static inline size_t pair_n_names(const struct machine *machine, enum tlb_kind kind)
{
	if (kind == TLB_DTLB)
		return (size_t)machine->filter_mask + 1;
	return machine->i1.assoc != 0       ? (size_t)(machine->i1.set_mask + 1) * machine->i1.assoc
	       : machine->newest_code.lines ? (size_t)cache_n_sets(&machine->called_i1)
					    : 0;
}

/* True if each entry has the bits of the names that say it is theirs, and no others. */
static inline bool pair_same_names(const struct machine *machine, const struct first_tlb *first,
				   enum tlb_kind kind)
{
	size_t n_set = 0, n_named = 0;

	for (size_t i = 0; i < pair_n_names(machine, kind); i++) {
		uint32_t entry = first->entries[i];

		if (entry == 0)
			continue;
		n_named++;
		if ((*machinetlbs_named(first, entry, i) >> i % MACHINETLBS_WORD_BITS & 1) == 0)
			return false;
	}
	for (size_t i = 0; i < (first->n + 1) * first->n_words; i++)
		n_set += (size_t)__builtin_popcountll(first->named[i]);
	return n_set == n_named;
}

/* When pages of the machine's were used last, by entry; to be freed. */
static inline uint64_t *pair_page_stamps(const struct machine *machine,
					 const struct first_tlb *first, enum tlb_kind kind)
{
	uint64_t *latest = malloc((first->n + 1) * sizeof(*latest));

	if (!latest)
		abort();
	memcpy(latest, first->stamps, (first->n + 1) * sizeof(*latest));
	for (size_t i = 0; i < pair_n_names(machine, kind); i++) {
		const uint64_t *stamp = kind == TLB_DTLB         ? machine->filter[i].stamp
					: machine->i1.assoc != 0 ? &machine->i1.stamps[i]
								 : &machine->newest_code.stamps[i];
		uint32_t entry = first->entries[i];

		if (entry != 0 && *stamp > latest[entry])
			latest[entry] = *stamp;
	}
	return latest;
}

/* The entry of a page in an array of the machine's; 0 if there is none. */
static inline uint32_t pair_page_entry(const struct first_tlb *first, uint64_t key)
{
	uint32_t entry = first->n;

	while (entry != 0 && first->keys[entry] != key)
		entry--;
	return entry;
}

/* True if an array of a first level has the same pages, and the same order of them in each set. */
static inline bool pair_same_tlb(const struct first_tlb *first, const uint64_t *stamps,
				 const struct tlb *plain)
{
	size_t n = plain->ways == 0 ? 0 : (size_t)plain->sets.n * plain->ways;

	for (size_t i = 0; i < n; i++) {
		uint32_t entry = pair_page_entry(first, plain->keys[i]);

		if (plain->keys[i] == 0)
			continue;
		if (entry == 0)
			return false;
		for (size_t j = i - i % plain->ways; j < i; j++) {
			uint32_t other = pair_page_entry(first, plain->keys[j]);

			if (plain->keys[j] != 0 &&
			    (other == 0 || (stamps[entry] < stamps[other]) !=
						   (plain->stamps[i] < plain->stamps[j])))
				return false;
		}
	}
	return true;
}

/* What generated code may take for resident is on a page that is there. */
static inline const char *pair_names_fault(const struct pair *pair, const struct first_tlb *first,
					   const struct page_sizes *sizes)
{
	const struct machine *machine = pair->machine;

	for (size_t i = 0; i <= machine->filter_mask; i++) {
		const struct filter_entry *entry = &machine->filter[i];
		bool is_empty = ((entry->line >> machine->d1.line_bits) & machine->filter_mask) !=
				i;

		if (is_empty != (first->entries[i] == 0))
			return "an entry of the filter is not known to be on a page";
		if (!is_empty &&
		    first->keys[first->entries[i]] != page_sizes_key(sizes, entry->line))
			return "an entry of the filter is known to be on another page";
	}
	return NULL;
}

/* What is wrong with TLBs, or NULL. */
static inline const char *pair_tlb_fault(const struct pair *pair)
{
	if (pair->pages_differ)
		return "a reference missed another number of TLBs";
	for (unsigned i = 0; pair->config && i < pair->config->n_views; i++) {
		const struct tlb_view *view = &pair->machine->tlbs->views[i];
		const char *fault = pair_names_fault(pair, &view->first[TLB_DTLB],
						     &pair->config->views[i].data);

		if (fault)
			return fault;
		for (unsigned kind = TLB_ITLB; kind <= TLB_DTLB; kind++) {
			const struct first_tlb *first = &view->first[kind];
			uint64_t *stamps =
				pair_page_stamps(pair->machine, first, (enum tlb_kind)kind);

			for (unsigned j = 0; j < N_TLB_PAGES; j++)
				if (!pair_same_tlb(first, stamps, &pair->tlbs[i].arrays[kind][j]))
					fault = "a TLB has other pages, or in another order";
			free(stamps);
			if (!pair_same_names(pair->machine, first, (enum tlb_kind)kind))
				fault = "a page has other names than say that they are its";
		}
		if (fault)
			return fault;
	}
	return NULL;
}

/* True if a twin has that line in that slot, which there is. */
static inline bool pair_twin_has(const struct twin *twin, uint64_t line, size_t slot)
{
	const uint32_t record = twin->of_slot[slot];

	return record != 0 && twin->records[record - 1].line == line &&
	       twin->records[record - 1].slot == slot;
}

static inline int pair_compare_lines(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static inline bool pair_twin_is_same(const struct twin *twin, const struct fullcache *full)
{
	const uint32_t room = twin->n_lines;
	uint64_t *lines = pair_allocate(2 * (size_t)room * sizeof(*lines));
	uint32_t n = 0, n_full = 0;
	bool same;

	for (uint32_t i = 0; i < twin->n_records; i++)
		if (twin->records[i].line != NO_LINE)
			lines[n++] = twin->records[i].line;
	for (uint32_t i = 0; i < full->n_records; i++)
		if (full->records[i].line != NO_LINE)
			lines[room + n_full++] = full->records[i].line;
	qsort(lines, n, sizeof(*lines), pair_compare_lines);
	qsort(lines + room, n_full, sizeof(*lines), pair_compare_lines);
	same = n == n_full && n == twin->n && memcmp(lines, lines + room, n * sizeof(*lines)) == 0;
	free(lines);
	return same;
}

/* What is wrong with twins, or NULL. */
static inline const char *pair_twins_fault(const struct pair *pair)
{
	const struct machine *machine = pair->machine;

	if (!pair->has_twins)
		return NULL;
	if (pair->twins_differ)
		return "a reference did something else to a twin";
	if (!pair_twin_is_same(&pair->twins.data, &pair->full[0].cache) ||
	    !pair_twin_is_same(&pair->twins.code, &pair->full[1].cache))
		return "a twin has other lines";
	for (size_t i = 0; i <= machine->filter_mask; i++) {
		const struct filter_entry *entry = &machine->filter[i];

		if (((entry->line >> machine->d1.line_bits) & machine->filter_mask) == i &&
		    !pair_twin_has(&pair->twins.data, entry->line,
				   (size_t)(entry->stamp - pair->twins.data.stamps)))
			return "an entry of the filter names a line that the twin does not have there";
	}
	for (size_t i = 0; i < PAIR_BUCKETS; i++)
		for (const struct pair_line *line = pair->lines[i]; line; line = line->next)
			if (line->line.stamp != &machine->nowhere &&
			    !pair_twin_has(&pair->twins.code, line->line.address,
					   (size_t)(line->line.stamp - pair->twins.code.stamps)))
				return "a line of code has a stamp that the twin does not have";
	return NULL;
}

/*
 * What is wrong with the machine's state: where it differs from the plain
 * models, or breaks an invariant of sim/machine.h.  NULL if nothing is.
 */
static inline const char *pair_fault(const struct pair *pair)
{
	const struct lower_levels *lower = &pair->hierarchy.lower;
	const char *fault = pair_d1_fault(pair);

	if (!fault)
		fault = pair_i1_fault(pair);
	if (!fault)
		fault = pair_code_fault(pair);
	if (!fault)
		fault = pair_filter_fault(pair);
	if (!fault)
		fault = pair_dirty_fault(pair);
	if (!fault)
		fault = pair_tlb_fault(pair);
	if (!fault)
		fault = pair_twins_fault(pair);
	if (!fault)
		fault = pair_branch_fault(pair);
	for (unsigned i = 0; i < lower->n && !fault; i++) {
		const struct lower_levels *other = &pair->machine->lower;

		if (!pair_same_cache(&lower->caches[i], &other->caches[i]))
			fault = "a lower level differs";
	}
	if (lower->n_written != pair->machine->lower.n_written && !fault)
		fault = "another number of lines was written to memory";
	return fault;
}

#endif
