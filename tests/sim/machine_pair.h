/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine, driven as generated code drives it, and next to it the plain
 * models that it must equal: struct hierarchy and the two predictors.  Each
 * event is given to both.
 *
 * Generated code works in blocks: at the beginning of one it takes the stamps
 * of all its references from the clock, and then uses them in order.  Often
 * it leaves a block early, and the rest of its stamps is never used.
 *
 * With TLBs, a struct tlbs for each view sees each reference, one after the other; with twins, a fully associative cache of each first level's size.
 */
#ifndef TESTS_SIM_MACHINE_PAIR_H
#define TESTS_SIM_MACHINE_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine.h"
#include "sim/misses/missclasses.h"
#include "sim/tlbs/machinetlbs.h"
#include "tests/oracle/hierarchy.h"
#include "tests/oracle/plainpredictors.h"
#include "tests/oracle/plaintlbs.h"

enum {
	PAIR_BUCKET_BITS = 13,
	PAIR_BUCKETS = 1 << PAIR_BUCKET_BITS,
	PAIR_FETCH_LINES = 64, /* lines of one fetch at most */
	PAIR_BLOCK = 64,       /* stamps of a block, unless said otherwise */
};

/* A line of code that was translated: stays where it is. */
struct pair_line {
	struct code_line line;
	struct pair_line *next; /* of the same bucket */
};

struct pair {
	struct machine *machine;
	struct pair_line *lines[PAIR_BUCKETS];
	uint64_t stamp; /* the next one of the block */
	uint64_t end;   /* after the last one of the block */
	/* Within a block it is known which line of code was fetched from last. */
	bool line_known;
	uint64_t line; /* its number */
	struct hierarchy hierarchy;
	void *hierarchy_memory;
	struct direction_predictor directions;
	struct target_predictor targets;
	/* Of TLBs: */
	const struct machine_tlbs_config *config; /* NULL: none */
	struct tlbs tlbs[MACHINETLBS_MAX_VIEWS];
	void *tlbs_memory[MACHINETLBS_MAX_VIEWS];
	uint64_t tlb_clock;
	uint64_t missed_pages[MACHINETLBS_MAX_VIEWS]
			     [3]; /* references, by how many levels they missed */
	bool pages_differ;
	/* Of twins: */
	bool has_twins;
	struct machine_twins twins;
	struct full_level full[2];        /* of data, of code */
	uint64_t found[2][FULL_COLD + 2]; /* references, by what they did */
	bool twins_differ;
	/* What pair_keep() has kept: */
	struct pair_kept {
		void *machine, *hierarchy_memory, *tlbs_memory[MACHINETLBS_MAX_VIEWS];
		struct hierarchy hierarchy;
		struct direction_predictor directions;
		struct target_predictor targets;
		struct tlbs tlbs[MACHINETLBS_MAX_VIEWS];
	} kept;
};

/* True if pairs that are made from now on have twins. */
static bool pair_with_twins;

/* What an event did; the two must be the same.  the level, or 1 for mispredicted. */
struct pair_outcome {
	unsigned machine, plain;
};

/* Exactly that size, so that a sanitizer sees a byte too many. */
static inline void *pair_memory(size_t size)
{
	void *memory;

	if (posix_memalign(&memory, 64, size) != 0)
		abort();
	return memset(memory, 0, size);
}

static inline void *pair_allocate(size_t size)
{
	void *memory = size != 0 ? calloc(1, size) : NULL; /* nothing is never asked for */

	if (!memory)
		abort();
	return memory;
}

static const struct misses_memory pair_misses_memory = { pair_allocate, free };

/* The pair must not move; clock is where the machine's clock begins. */
static inline void pair_init(struct pair *pair, const struct hierarchy_config *config,
			     uint64_t clock)
{
	memset(pair, 0, sizeof(*pair));
	pair->machine = pair_memory(machine_size(config));
	machine_init(pair->machine, config);
	pair->machine->clock = clock;
	pair->hierarchy_memory = pair_memory(hierarchy_memory_size(config));
	hierarchy_init(&pair->hierarchy, config, pair->hierarchy_memory);
	pair->tlb_clock = 1;
	pair->config = config->tlbs;
	pair->has_twins = pair_with_twins;
	if (pair->has_twins) {
		machine_attach_twins(pair->machine, &pair->twins, config, &pair_misses_memory);
		fulllevel_init(&pair->full[0], &config->d1, &pair_misses_memory);
		fulllevel_init(&pair->full[1], &config->i1, &pair_misses_memory);
	}
	for (unsigned i = 0; config->tlbs && i < config->tlbs->n_views; i++) {
		pair->tlbs_memory[i] = pair_memory(tlbs_memory_size(&config->tlbs->tlbs));
		tlbs_init(&pair->tlbs[i], &config->tlbs->tlbs, pair->tlbs_memory[i]);
	}
}

static inline void pair_release(struct pair *pair)
{
	for (size_t i = 0; i < PAIR_BUCKETS; i++) {
		while (pair->lines[i]) {
			struct pair_line *line = pair->lines[i];

			pair->lines[i] = line->next;
			free(line);
		}
	}
	free(pair->machine);
	free(pair->hierarchy_memory);
	free(pair->kept.machine);
	free(pair->kept.hierarchy_memory);
	for (unsigned i = 0; i < MACHINETLBS_MAX_VIEWS; i++) {
		free(pair->tlbs_memory[i]);
		free(pair->kept.tlbs_memory[i]);
	}
	if (pair->has_twins) {
		machine_release_twins(&pair->twins);
		fulllevel_release(&pair->full[0]);
		fulllevel_release(&pair->full[1]);
	}
}

/* --- events ------------------------------------------------------------------- */

/* Begins a block of that many stamps; what the last one has left is lost. */
static inline void pair_begin_block(struct pair *pair, uint64_t n_stamps)
{
	struct machine *machine = pair->machine;

	pair->stamp = machine->clock;
	machine->clock += n_stamps;
	pair->end = machine->clock;
	pair->line_known = false;
	/* Nobody reads it, so what it holds is nothing to anyone. */
	machine->nowhere = machine->nowhere == 0 ? UINT64_MAX : 0;
	*machine->d1.nowhere = machine->nowhere;
	if (machine->d1.written_offset != 0)
		*machine_written(machine, machine->d1.nowhere) = machine->nowhere;
}

static inline uint64_t pair_take_stamps(struct pair *pair, uint64_t n_stamps)
{
	uint64_t stamp;

	if (pair->end - pair->stamp < n_stamps)
		pair_begin_block(pair, n_stamps + PAIR_BLOCK);
	stamp = pair->stamp;
	pair->stamp += n_stamps;
	return stamp;
}

static inline void pair_refer_full(struct pair *pair, bool is_code, uint64_t address, uint64_t size,
				   bool is_hit)
{
	uint32_t found = fulllevel_refer(&pair->full[is_code], address, size);

	pair->found[is_code][found]++;
	if (found != (is_hit ? 0 : pair->twins.outcome))
		pair->twins_differ = true;
}

/* Has TLBs and fully associative caches see a reference, which the machine has made; is_hit: without a call. */
static inline void pair_refer(struct pair *pair, enum tlb_kind kind, uint64_t address,
			      uint64_t size, bool is_hit)
{
	for (unsigned i = 0; pair->config && i < pair->config->n_views; i++) {
		const struct view_config *view = &pair->config->views[i];
		unsigned missed = tlbs_refer(&pair->tlbs[i], kind,
					     kind == TLB_ITLB ? &view->code : &view->data, address,
					     size, pair->tlb_clock);

		pair->missed_pages[i][missed]++;
		if (missed != (is_hit ? 0 : machine_missed_pages(pair->machine, i)))
			pair->pages_differ = true;
	}
	pair->tlb_clock += 2;
	if (pair->has_twins)
		pair_refer_full(pair, kind == TLB_ITLB, address, size, is_hit);
}

/* Pages are mapped no more. */
static inline void pair_unmap(struct pair *pair, struct address_range range)
{
	for (unsigned i = 0; pair->config && i < pair->config->n_views; i++)
		tlbs_evict(&pair->tlbs[i], range);
	machine_unmap(pair->machine, range);
	pair_begin_block(pair, PAIR_BLOCK);
}

/* Lines, and pages. */
static inline void pair_evict(struct pair *pair, struct address_range range)
{
	pair_unmap(pair, range);
	hierarchy_evict(&pair->hierarchy, range);
	for (unsigned i = 0; i < 2 && pair->has_twins; i++)
		fulllevel_evict(&pair->full[i], range);
	machine_evict(pair->machine, range);
	pair_begin_block(pair, PAIR_BLOCK);
}

/* Generated code is to forget lines; what they hit stays the same. */
static inline void pair_hide(struct pair *pair, struct address_range range)
{
	machine_hide(pair->machine, range);
	pair_begin_block(pair, PAIR_BLOCK);
}

/* All of it, but lines of code and stamps, is as pair_init() made it.  Without twins, as the next two. */
static inline void pair_clear(struct pair *pair, const struct hierarchy_config *config)
{
	machine_clear(pair->machine, config);
	memset(pair->hierarchy_memory, 0, hierarchy_memory_size(config));
	hierarchy_init(&pair->hierarchy, config, pair->hierarchy_memory);
	memset(&pair->directions, 0, sizeof(pair->directions));
	memset(&pair->targets, 0, sizeof(pair->targets));
	for (unsigned i = 0; pair->config && i < pair->config->n_views; i++) {
		memset(pair->tlbs_memory[i], 0, tlbs_memory_size(&config->tlbs->tlbs));
		tlbs_init(&pair->tlbs[i], &config->tlbs->tlbs, pair->tlbs_memory[i]);
	}
	pair_begin_block(pair, PAIR_BLOCK);
}

static inline void *pair_copy(void *old, const void *memory, size_t size)
{
	void *copy = old ? old : pair_memory(size);

	return memcpy(copy, memory, size);
}

static inline void pair_keep(struct pair *pair, const struct hierarchy_config *config)
{
	struct pair_kept *kept = &pair->kept;

	if (!kept->machine)
		kept->machine = pair_memory(machine_size(config));
	machine_keep(pair->machine, config, kept->machine);
	kept->hierarchy = pair->hierarchy;
	kept->hierarchy_memory = pair_copy(kept->hierarchy_memory, pair->hierarchy_memory,
					   hierarchy_memory_size(config));
	kept->directions = pair->directions;
	kept->targets = pair->targets;
	for (unsigned i = 0; pair->config && i < pair->config->n_views; i++) {
		kept->tlbs[i] = pair->tlbs[i];
		kept->tlbs_memory[i] = pair_copy(kept->tlbs_memory[i], pair->tlbs_memory[i],
						 tlbs_memory_size(&config->tlbs->tlbs));
	}
	pair_begin_block(pair, PAIR_BLOCK);
}

/* After pair_keep(). */
static inline void pair_restore(struct pair *pair, const struct hierarchy_config *config)
{
	const struct pair_kept *kept = &pair->kept;

	machine_restore(pair->machine, config, kept->machine);
	pair->hierarchy = kept->hierarchy;
	memcpy(pair->hierarchy_memory, kept->hierarchy_memory, hierarchy_memory_size(config));
	pair->directions = kept->directions;
	pair->targets = kept->targets;
	for (unsigned i = 0; pair->config && i < pair->config->n_views; i++) {
		pair->tlbs[i] = kept->tlbs[i];
		memcpy(pair->tlbs_memory[i], kept->tlbs_memory[i],
		       tlbs_memory_size(&config->tlbs->tlbs));
	}
	pair_begin_block(pair, PAIR_BLOCK);
}

/* True if a reference of at most a line's size is a plain hit; if so, it is done. */
static inline bool machine_data_fast(struct machine *machine, uint64_t address, uint64_t size,
				     uint64_t stamp)
{
	struct filter_entry *entry = machine_filter_entry(machine, address);
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;

	if (address - entry->line >= line_size - size + 1)
		return false;
	*entry->stamp = stamp;
	return true;
}

/* A reference to data; at_once: without a look at the filter, as of a guarded one. */
static inline struct pair_outcome pair_data(struct pair *pair, uint64_t address, uint64_t size,
					    bool at_once)
{
	struct machine *machine = pair->machine;
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t stamp = pair_take_stamps(pair, machine_data_lines(machine, size));
	struct pair_outcome outcome = { 0, hierarchy_data(&pair->hierarchy, address, size) };
	bool is_hit = false;

	if (at_once || size > line_size) {
		outcome.machine = machine_data(machine, address, size, stamp);
	} else if (!machine_data_fast(machine, address, size, stamp)) {
		outcome.machine = machine_data(machine, address, size, stamp);
		/* Generated code does not jump over its store: it comes after the call, too. */
		*machine_filter_entry(machine, address)->stamp = stamp;
	} else {
		is_hit = true;
	}
	pair_refer(pair, TLB_DTLB, address, size, is_hit);
	return outcome;
}

/* The same of a write. */
static inline struct pair_outcome pair_write(struct pair *pair, uint64_t address, uint64_t size,
					     bool at_once)
{
	struct machine *machine = pair->machine;
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t stamp = pair_take_stamps(pair, machine_data_lines(machine, size));
	struct pair_outcome outcome = { 0, hierarchy_write(&pair->hierarchy, address, size) };
	struct filter_entry *entry = machine_filter_entry(machine, address);
	bool is_hit;

	at_once = at_once || machine_is_called_for_writes(machine);
	is_hit = !at_once && size <= line_size && address - entry->line < line_size - size + 1;

	if (!is_hit)
		outcome.machine = machine_write(machine, address, size, stamp);
	if (!at_once && size <= line_size) {
		*entry->stamp = stamp;
		if (machine->d1.written_offset != 0)
			*machine_written(machine, entry->stamp) = stamp;
	}
	pair_refer(pair, TLB_DTLB, address, size, is_hit);
	return outcome;
}

/* A read, whose place is then found to be written too. */
static inline struct pair_outcome pair_modify(struct pair *pair, uint64_t address, uint64_t size,
					      bool at_once)
{
	struct pair_outcome outcome = pair_data(pair, address, size, at_once);
	uint64_t stamp = pair->stamp - machine_data_lines(pair->machine, size);

	hierarchy_modify(&pair->hierarchy, address, size);
	machine_modify(pair->machine, address, size, stamp);
	return outcome;
}

/* A line is brought into a level, by its address; the outcomes are what that returns. */
static inline struct pair_outcome pair_prefetch(struct pair *pair, unsigned level, uint64_t line)
{
	uint64_t stamp = pair_take_stamps(pair, 1);

	return (struct pair_outcome){
		machine_prefetch(pair->machine, level, line, stamp),
		hierarchy_prefetch(&pair->hierarchy, level, line),
	};
}

static inline struct code_line *pair_code_line(struct pair *pair, uint64_t address)
{
	uint64_t number = address >> pair->machine->i1.line_bits;
	struct pair_line **bucket =
		&pair->lines[number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PAIR_BUCKET_BITS)];
	struct pair_line *line = *bucket;

	while (line && line->line.address >> pair->machine->i1.line_bits != number)
		line = line->next;
	if (!line) {
		line = malloc(sizeof(*line));
		if (!line)
			abort();
		machine_add_code_line(pair->machine, &line->line, address);
		line->next = *bucket;
		*bucket = line;
	}
	return &line->line;
}

static inline unsigned pair_lines_covered(const struct pair *pair, uint64_t address, uint64_t size)
{
	unsigned line_bits = pair->machine->i1.line_bits;
	uint64_t offset = address & ((UINT64_C(1) << line_bits) - 1);

	return (unsigned)((offset + size - 1) >> line_bits) + 1;
}

static inline struct pair_outcome pair_fetch(struct pair *pair, uint64_t address, uint64_t size)
{
	struct machine *machine = pair->machine;
	struct pair_outcome outcome = { 0, hierarchy_fetch(&pair->hierarchy, address, size) };
	unsigned line_bits = machine->i1.line_bits;
	unsigned covered = pair_lines_covered(pair, address, size);
	uint64_t stamp = pair_take_stamps(pair, covered);
	struct code_line *lines[PAIR_FETCH_LINES];
	unsigned n_lines = 0;
	bool all_fast = true;

	if (covered > PAIR_FETCH_LINES)
		abort();
	if (machine_is_called_for_code(machine)) {
		outcome.machine = machine_fetch(machine, NULL, 0, address, size, 0);
		pair_refer(pair, TLB_ITLB, address, size, false);
		return outcome;
	}
	/* The line that the block has just fetched from is the newest of all. */
	for (uint64_t i = pair->line_known && pair->line == address >> line_bits; i < covered; i++)
		lines[n_lines++] = pair_code_line(pair, address + (i << line_bits));
	for (unsigned i = 0; i < n_lines; i++) {
		if (!machine_fetch_fast(machine, lines[i], stamp + i))
			all_fast = false;
	}
	if (!all_fast)
		outcome.machine = machine_fetch(machine, lines, n_lines, address, size, stamp);
	pair_refer(pair, TLB_ITLB, address, size, all_fast);
	pair->line_known = true;
	pair->line = (address + size - 1) >> line_bits;
	return outcome;
}

static inline struct pair_outcome pair_branch(struct pair *pair, uint64_t address, bool taken)
{
	return (struct pair_outcome){
		machine_branch(pair->machine, address, taken),
		direction_predict(&pair->directions, address, taken),
	};
}

static inline struct pair_outcome pair_jump(struct pair *pair, uint64_t address, uint64_t target)
{
	return (struct pair_outcome){
		machine_jump(pair->machine, address, target),
		target_predict(&pair->targets, address, target),
	};
}

#endif
