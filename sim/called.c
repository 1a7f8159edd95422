/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/called.h"

#include "sim/misses/twin.h"
#include "sim/tlbs/machinetlbs.h"

static bool has_newest_data(const struct machine *machine)
{
	return machine->newest_data.lines != NULL;
}

static bool has_newest_code(const struct machine *machine)
{
	return machine->newest_code.lines != NULL;
}

/* --- memory: the cache, then a stamp and a line for each set ------------------------------- */

size_t called_size(const struct cache_config *first)
{
	return cache_memory_size(first) +
	       aligned_size(2 * (size_t)geometry_sets(&first->geometry) * sizeof(uint64_t));
}

void called_init_data(struct machine *machine, const struct hierarchy_config *config, void *memory)
{
	uint64_t *newest = (void *)((unsigned char *)memory + cache_memory_size(&config->d1));
	uint64_t n_sets;

	cache_init(&machine->called_d1, &config->d1, memory);
	if (config->write_back)
		cache_keep_dirty(&machine->called_d1);
	if (!machine->called_d1.policy->settles)
		return;
	n_sets = cache_n_sets(&machine->called_d1);
	machine->newest_data = (struct newest_data){ .lines = newest, .stamps = newest + n_sets };
	for (uint64_t i = 0; i < n_sets; i++)
		newest[i] = NO_LINE;
}

void called_init_code(struct machine *machine, const struct hierarchy_config *config, void *memory)
{
	uint64_t *newest = (void *)((unsigned char *)memory + cache_memory_size(&config->i1));

	cache_init(&machine->called_i1, &config->i1, memory);
	if (!machine->called_i1.policy->settles)
		return;
	machine->newest_code.stamps = newest;
	machine->newest_code.lines = (void *)(newest + cache_n_sets(&machine->called_i1));
}

/* --- data ----------------------------------------------------------------------------------- */

/* A set has no newest line any more. */
static void forget_newest_data(struct machine *machine, uint64_t set)
{
	twins_settle_data(machine->twins, set);
	machine->newest_data.lines[set] = NO_LINE;
}

/* A line was touched: it is the newest of its set. */
static void note_newest_data(struct machine *machine, uint64_t line)
{
	struct filter_entry *entry = machine_filter_entry(machine, line);
	uint64_t set;
	uint64_t *newest;

	if (!has_newest_data(machine))
		return;
	set = cache_set_number(&machine->called_d1, line);
	newest = &machine->newest_data.lines[set];
	if (*newest != NO_LINE && *newest != line) {
		twins_settle_data(machine->twins, set);
		machinetlbs_forget_line(machine, *newest);
	}
	*newest = line;
	if (machine->write_names != 0)
		machine_empty_write_entry(machine, (uint64_t)(entry - machine->filter));
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_DTLB, (size_t)(entry - machine->filter));
	*entry = (struct filter_entry){ .line = line, .stamp = &machine->newest_data.stamps[set] };
}

/* Touches a line; returns the level that it was in, or the first one not asked. */
static unsigned touch_data(struct machine *machine, uint64_t line, bool is_write)
{
	struct cache *d1 = &machine->called_d1;
	struct lower_found found = { 0 };
	struct cache_touched touched;

	/* For the newest line of a set nothing has to be done, unless it becomes dirty. */
	if (machine_filter_entry(machine, line)->line == line && !is_write)
		return 0;
	touched = cache_touch_line(d1, line);
	note_newest_data(machine, line);
	if (touched.missed)
		found = lower_fill(&machine->lower,
				   &(struct lower_exchange){
					   .line = line,
					   .evicted = cache_touched_evicted(&touched),
					   .evicted_is_dirty = touched.evicted_is_dirty,
				   });
	if (is_write || found.is_dirty)
		cache_mark_dirty(d1, touched.way);
	return found.level;
}

/* The same if levels are not related: 0 or 1. */
static unsigned touch_data_alone(struct machine *machine, uint64_t line)
{
	bool missed;

	if (machine_filter_entry(machine, line)->line == line)
		return 0;
	missed = cache_touch(&machine->called_d1, line);
	note_newest_data(machine, line);
	return missed;
}

unsigned called_data(struct machine *machine, uint64_t address, uint64_t size, bool is_write)
{
	const bool are_related = machine->lower.are_related;
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;
	unsigned deepest = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < end; covered += line_size) {
		unsigned served = are_related ? touch_data(machine, line + covered, is_write)
					      : touch_data_alone(machine, line + covered);

		deepest = served > deepest ? served : deepest;
	}
	return lower_serve_rest(&machine->lower, deepest, address, size);
}

bool called_take_data(struct machine *machine, uint64_t line)
{
	bool was_dirty = cache_take(&machine->called_d1, line) == CACHE_WAS_DIRTY;

	if (has_newest_data(machine)) {
		const uint64_t set = cache_set_number(&machine->called_d1, line);

		if (machine->newest_data.lines[set] == line)
			forget_newest_data(machine, set);
		machinetlbs_forget_line(machine, line);
	}
	return was_dirty;
}

void called_evict_data(struct machine *machine, struct address_range range)
{
	cache_evict(&machine->called_d1, range);
	if (!has_newest_data(machine))
		return;
	for (uint64_t i = 0; i < cache_n_sets(&machine->called_d1); i++)
		forget_newest_data(machine, i);
	for (uint64_t i = 0; i <= machine->filter_mask; i++)
		machinetlbs_forget_entry(machine, i);
}

void called_hide_data(struct machine *machine, uint64_t line)
{
	if (has_newest_data(machine))
		forget_newest_data(machine, cache_set_number(&machine->called_d1, line));
	machinetlbs_forget_line(machine, line);
}

/* --- code ------------------------------------------------------------------------------------ */

void called_hide_code_set(struct machine *machine, uint64_t set)
{
	struct code_line **newest = &machine->newest_code.lines[set];

	twins_settle_code(machine->twins, set);
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_ITLB, (size_t)set);
	if (*newest != NULL)
		(*newest)->stamp = &machine->nowhere;
	*newest = NULL;
	machine->newest_code.stamps[set] = 0;
}

/* Touches a line, where newest lines are kept: of the newest of its set, only the stamp is noted. */
static struct cache_touched touch_newest_code(struct machine *machine, struct code_line *line,
					      uint64_t stamp)
{
	struct cache_touched touched = { .missed = false };
	uint64_t set;

	if (machine_fetch_fast(machine, line, stamp))
		return touched;
	touched = cache_touch_line(&machine->called_i1, line->address);
	set = cache_set_number(&machine->called_i1, line->address);
	called_hide_code_set(machine, set);
	machine->newest_code.lines[set] = line;
	machine->newest_code.stamps[set] = stamp;
	line->stamp = &machine->newest_code.stamps[set];
	return touched;
}

/* A line of I1 was touched; returns the level that it was in, or the first one not asked. */
static unsigned fill_code(struct machine *machine, uint64_t line,
			  const struct cache_touched *touched)
{
	if (!touched->missed)
		return 0;
	return lower_fill(&machine->lower,
			  &(struct lower_exchange){
				  .line = line,
				  .evicted = cache_touched_evicted(touched),
				  .is_code = true,
			  })
		.level;
}

/* Touches the lines of a fetch where C is called for each; as fill_code(). */
static unsigned touch_code(struct machine *machine, uint64_t address, uint64_t size)
{
	struct cache *i1 = &machine->called_i1;
	uint64_t line_size = UINT64_C(1) << machine->i1.line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;
	unsigned deepest = 0;

	if (!machine->lower.are_related)
		return cache_touch_all(i1, address, size);
	machine->last_code = (address + size - 1) & ~(line_size - 1);
	for (uint64_t covered = 0; covered < end; covered += line_size) {
		const struct cache_touched touched = cache_touch_line(i1, line + covered);
		unsigned served = fill_code(machine, line + covered, &touched);

		deepest = served > deepest ? served : deepest;
	}
	return deepest;
}

unsigned called_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		      uint64_t address, uint64_t size, uint64_t stamp)
{
	unsigned deepest = 0;

	if (!has_newest_code(machine))
		deepest = touch_code(machine, address, size);
	for (unsigned i = 0; i < n_lines && has_newest_code(machine); i++) {
		const struct cache_touched touched =
			touch_newest_code(machine, lines[i], stamp + i);
		unsigned served = fill_code(machine, lines[i]->address, &touched);

		deepest = served > deepest ? served : deepest;
	}
	return lower_serve_rest(&machine->lower, deepest, address, size);
}

/* True if this set's newest line is the one last fetched from since machine_evict(). */
static bool is_last_newest(const struct machine *machine, uint64_t set)
{
	const uint64_t *stamps = machine->newest_code.stamps;
	uint64_t n = cache_n_sets(&machine->called_i1);

	if (stamps[set] < machine->evicted_at)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (stamps[i] > stamps[set])
			return false;
	}
	return true;
}

void called_take_code(struct machine *machine, uint64_t line, bool last_stays)
{
	if (!has_newest_code(machine)) {
		if (line == machine->last_code && last_stays)
			return;
		if (line == machine->last_code)
			machine->last_code = NO_LINE;
	} else {
		const uint64_t set = cache_set_number(&machine->called_i1, line);
		const struct code_line *newest = machine->newest_code.lines[set];

		if (newest != NULL && newest->address == line) {
			if (is_last_newest(machine, set)) {
				if (last_stays)
					return;
				machine->evicted_at = machine->clock;
			}
			called_hide_code_set(machine, set);
		}
	}
	cache_take(&machine->called_i1, line);
}

void called_hide_code(struct machine *machine, struct address_range range)
{
	for (uint64_t i = 0; has_newest_code(machine) && i < cache_n_sets(&machine->called_i1);
	     i++) {
		const struct code_line *line = machine->newest_code.lines[i];

		if (line != NULL &&
		    address_range_meets(range, line->address, machine->i1.line_bits))
			called_hide_code_set(machine, i);
	}
}

void called_evict_code(struct machine *machine, struct address_range range)
{
	cache_evict(&machine->called_i1, range);
	for (uint64_t i = 0; has_newest_code(machine) && i < cache_n_sets(&machine->called_i1); i++)
		called_hide_code_set(machine, i);
	machine->last_code = NO_LINE;
}
