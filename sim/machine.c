/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Its memory: the struct with the filter after it, D1, I1, lower levels, TLBs. */
#include "sim/machine.h"

#include "sim/called.h"
#include "sim/coherence.h"
#include "sim/misses/missclasses.h"
#include "sim/plain.h"
#include "sim/stamped.h"
#include "sim/tlbs/machinetlbs.h"

static bool is_plain_data(const struct machine *machine)
{
	return machine->d1.assoc != 0;
}

static bool is_plain_code(const struct machine *machine)
{
	return machine->i1.assoc != 0;
}

/* --- memory ------------------------------------------------------------------------------ */

/* At least as many entries as D1 has lines, so that all of them can be named at once. */
static size_t filter_entries(const struct cache_geometry *d1)
{
	size_t entries = MACHINE_MIN_FILTER;

	while (entries < geometry_lines(d1))
		entries *= 2;
	return entries;
}

/* Of the filter, and of the filter of writes. */
static size_t all_entries(const struct hierarchy_config *config)
{
	return filter_entries(&config->d1.geometry) * (config->cores > 1 ? 2 : 1);
}

static size_t filter_end(const struct hierarchy_config *config)
{
	return aligned_size(sizeof(struct machine) +
			    all_entries(config) * sizeof(struct filter_entry));
}

static size_t data_size(const struct hierarchy_config *config)
{
	return plain_suits(&config->d1) ? plain_data_size(config) : called_size(&config->d1);
}

static size_t code_size(const struct hierarchy_config *config)
{
	return plain_suits(&config->i1) ? plain_code_size(config) : called_size(&config->i1);
}

static size_t tlbs_size(const struct hierarchy_config *config)
{
	return config->tlbs == NULL
		       ? 0
		       : machinetlbs_memory_size(config->tlbs,
						 (size_t)geometry_lines(&config->i1.geometry),
						 filter_entries(&config->d1.geometry));
}

size_t machine_size(const struct hierarchy_config *config)
{
	return filter_end(config) + data_size(config) + code_size(config) +
	       lower_memory_size(config) + tlbs_size(config);
}

/* Counter c and outcome t give the next counter, and tell if c predicted t wrongly. */
static void init_next_cell(struct machine *machine)
{
	for (unsigned cell = 0; cell < MACHINE_CELL_TAKEN; cell++) {
		unsigned counter = cell & 3;
		unsigned down = counter > 0 ? counter - 1 : 0;
		unsigned up = counter < 3 ? counter + 1 : 3;
		unsigned predicted_taken = counter >= 2;

		machine->next_cell[cell] =
			(uint8_t)(down | predicted_taken << MACHINE_CELL_MISS_BIT);
		machine->next_cell[cell + MACHINE_CELL_TAKEN] =
			(uint8_t)(up | !predicted_taken << MACHINE_CELL_MISS_BIT);
	}
}

/* first_level.take() */
static bool take_line(void *caches, uint64_t line)
{
	struct machine *machine = caches;
	bool was_dirty = is_plain_data(machine) ? plain_take_data(machine, line)
						: called_take_data(machine, line);

	if (is_plain_code(machine))
		plain_take_code(machine, line, true);
	else
		called_take_code(machine, line, true);
	return was_dirty;
}

void machine_init(struct machine *machine, const struct hierarchy_config *config)
{
	unsigned char *next = (unsigned char *)machine + filter_end(config);
	struct data_ways *d1 = &machine->d1;

	machine->clock = 1; /* 0 is the stamp of empty ways */
	machine->filter_mask = filter_entries(&config->d1.geometry) - 1;
	d1->line_bits = geometry_line_bits(&config->d1.geometry);
	d1->nowhere = &machine->nowhere;
	machine->i1.line_bits = geometry_line_bits(&config->i1.geometry);
	if (plain_suits(&config->d1))
		plain_init_data(machine, config, next);
	else
		called_init_data(machine, config, next);
	next += data_size(config);
	for (uint64_t i = 0; i < all_entries(config); i++)
		machine->filter[i] = machine_empty_entry(machine, i & machine->filter_mask);
	if (plain_suits(&config->i1))
		plain_init_code(machine, config, next);
	else
		called_init_code(machine, config, next);
	next += code_size(config);
	lower_init(&machine->lower, config, (struct first_level){ take_line, machine }, next);
	next += lower_memory_size(config);
	if (config->tlbs != NULL)
		machinetlbs_init(machine, config->tlbs,
				 (size_t)geometry_lines(&config->i1.geometry),
				 machine->filter_mask + 1, next);
	d1->has_common_miss =
		(d1->assoc == OLDEST_COMMON_ASSOC || d1->assoc == OLDEST_LARGE_ASSOC) &&
		d1->tree_ways == 1 && !machine->lower.are_related && machine->tlbs == NULL;
	machine->last_code = NO_LINE;
	init_next_cell(machine);
}

void machine_add_code_line(struct machine *machine, struct code_line *line, uint64_t address)
{
	line->stamp = &machine->nowhere;
	line->address = address >> machine->i1.line_bits << machine->i1.line_bits;
}

/* --- twins ----------------------------------------------------------------------------------- */

static uint32_t n_lines(const struct cache_config *config)
{
	return (uint32_t)geometry_lines(&config->geometry);
}

void machine_attach_twins(struct machine *machine, struct machine_twins *twins,
			  const struct hierarchy_config *config, const struct misses_memory *memory)
{
	const bool has_plain_data = is_plain_data(machine), has_plain_code = is_plain_code(machine);
	const uint64_t data_slots = has_plain_data ? n_lines(&config->d1)
				    : machine->newest_data.lines != NULL
					    ? cache_n_sets(&machine->called_d1)
					    : 0;
	const uint64_t code_slots = has_plain_code ? n_lines(&config->i1)
				    : machine->newest_code.lines != NULL
					    ? cache_n_sets(&machine->called_i1)
					    : 0;

	*twins = (struct machine_twins){ .clock = 1 };
	twin_init(&twins->data, n_lines(&config->d1), machine->d1.line_bits,
		  has_plain_data ? machine->d1.stamps : machine->newest_data.stamps,
		  (uint32_t)data_slots, memory);
	twin_init(&twins->code, n_lines(&config->i1), machine->i1.line_bits,
		  has_plain_code ? machine->i1.stamps : machine->newest_code.stamps,
		  (uint32_t)code_slots, memory);
	seen_init(&twins->data_seen, machine->d1.line_bits, memory);
	seen_init(&twins->code_seen, machine->i1.line_bits, memory);
	machine->twins = twins;
	machine->d1.has_common_miss = false;
}

void machine_release_twins(struct machine_twins *twins)
{
	twin_release(&twins->data);
	twin_release(&twins->code);
	seen_release(&twins->data_seen);
	seen_release(&twins->code_seen);
}

static uint32_t data_slot(const struct machine *machine, uint64_t line)
{
	const struct filter_entry *entry =
		&machine->filter[(line >> machine->d1.line_bits) & machine->filter_mask];

	if (!is_plain_data(machine)) {
		const uint64_t set = cache_set_number(&machine->called_d1, line);

		return machine->newest_data.lines != NULL && machine->newest_data.lines[set] == line
			       ? (uint32_t)set
			       : TWIN_NO_SLOT;
	}
	if (entry->line == line)
		return (uint32_t)(entry->stamp - machine->d1.stamps);
	return plain_data_way(machine, line);
}

/* A slot's line has left the twin. */
static void hide_data(struct machine *machine, uint32_t slot)
{
	if (!is_plain_data(machine))
		called_hide_data(machine, machine->newest_data.lines[slot]);
	else
		machinetlbs_forget_line(machine, machine->d1.tags[slot]);
}

static uint32_t touch_data_twin(struct machine *machine, uint64_t line, uint64_t stamp)
{
	struct machine_twins *twins = machine->twins;
	const uint32_t slot = data_slot(machine, line);
	struct twin_touched touched;

	if (slot != TWIN_NO_SLOT && !is_plain_data(machine))
		machine->newest_data.stamps[slot] = stamp;
	touched = twin_touch(&twins->data, line, stamp, slot);
	if (touched.slot != TWIN_NO_SLOT)
		hide_data(machine, touched.slot);
	return touched.missed ? curvetally_miss(twins->tally, &twins->data_seen, line, touched.left)
			      : 0;
}

/* A reference to data has been made. */
static void twins_touch_data(struct machine *machine, uint64_t address, uint64_t size,
			     uint64_t stamp)
{
	struct machine_twins *twins = machine->twins;
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;
	uint32_t outcome = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < end; covered += line_size, stamp++)
		outcome |= touch_data_twin(machine, line + covered,
					   machine_is_called_for_data(machine) ? twins->clock++
									       : stamp);
	twins->outcome = outcome;
}

/* A modify may have brought its lines again, which is no reference of its own. */
static void twins_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;

	for (uint64_t covered = 0; covered < end; covered += line_size, stamp++) {
		const uint32_t slot = data_slot(machine, line + covered);

		if (slot == TWIN_NO_SLOT)
			continue;
		if (!is_plain_data(machine))
			machine->newest_data.stamps[slot] = stamp;
		if (!twin_attach(&machine->twins->data, line + covered, slot))
			hide_data(machine, slot);
	}
}

static uint32_t code_slot(const struct machine *machine, const struct code_line *line)
{
	const uint64_t *stamps = is_plain_code(machine) ? machine->i1.stamps
							: machine->newest_code.stamps;

	return line->stamp == &machine->nowhere ? TWIN_NO_SLOT : (uint32_t)(line->stamp - stamps);
}

static void hide_code(struct machine *machine, uint32_t slot)
{
	if (!is_plain_code(machine))
		called_hide_code_set(machine, slot);
	else
		plain_hide_code_way(machine, slot);
}

static uint32_t touch_code_twin(struct machine *machine, uint64_t line, uint64_t stamp,
				uint32_t slot)
{
	struct machine_twins *twins = machine->twins;
	const struct twin_touched touched = twin_touch(&twins->code, line, stamp, slot);

	if (touched.slot != TWIN_NO_SLOT)
		hide_code(machine, touched.slot);
	return touched.missed ? curvetally_miss(NULL, &twins->code_seen, line, touched.left) : 0;
}

/* A fetch has been made. */
static void twins_touch_code(struct machine *machine, struct code_line *const *lines,
			     unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp)
{
	struct machine_twins *twins = machine->twins;
	const uint64_t line_size = UINT64_C(1) << machine->i1.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;
	uint32_t outcome = 0;

	for (unsigned i = 0; i < n_lines; i++)
		outcome |= touch_code_twin(machine, lines[i]->address, stamp + i,
					   code_slot(machine, lines[i]));
	for (uint64_t covered = 0; covered < end && machine_is_called_for_code(machine);
	     covered += line_size)
		outcome |= touch_code_twin(machine, line + covered, twins->clock++, TWIN_NO_SLOT);
	twins->outcome = outcome;
}

/* Lines of the range have left the first level; they are as if they had never been asked for. */
static void twins_evict(struct machine *machine, struct address_range range)
{
	struct machine_twins *twins = machine->twins;

	twin_evict(&twins->data, range);
	twin_evict(&twins->code, range);
	seen_forget(&twins->data_seen, range);
	seen_forget(&twins->code_seen, range);
}

/* --- references to data -------------------------------------------------------------------- */

unsigned machine_data_lines(const struct machine *machine, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;

	return (unsigned)((size + line_size - 2) / line_size + 1);
}

/* What the caches do. */
static ALWAYS_INLINED unsigned serve_data(struct machine *machine, uint64_t address, uint64_t size,
					  uint64_t stamp, bool is_write)
{
	return is_plain_data(machine) ? plain_data(machine, address, size, stamp, is_write)
				      : called_data(machine, address, size, is_write);
}

static NEVER_INLINED unsigned data_translated(struct machine *machine, uint64_t address,
					      uint64_t size, uint64_t stamp, bool is_write)
{
	unsigned served;

	machinetlbs_touch_data(machine, address, size, stamp);
	served = serve_data(machine, address, size, stamp, is_write);
	machinetlbs_name_data(machine, address, size);
	return served;
}

/* Most references are to one line, of a page that was used not long ago. */
static NEVER_INLINED unsigned data_with_tlbs(struct machine *machine, uint64_t address,
					     uint64_t size, uint64_t stamp)
{
	size_t number = (size_t)(machine_filter_entry(machine, address) - machine->filter);
	uint32_t page = 0;
	unsigned served;

	if (is_plain_data(machine) && machine->lower.inclusion[0] != INCLUSION_VICTIM &&
	    is_on_one_line(machine->d1.line_bits, address, size))
		page = machinetlbs_touch_recent(machine->tlbs, TLB_DTLB, address, stamp);
	if (page == 0)
		return data_translated(machine, address, size, stamp, false);
	machine->missed_pages = 0;
	served = plain_data_on_page(machine, address, size, stamp);
	machinetlbs_set_name(&machine->tlbs->views[0].first[TLB_DTLB], number, page);
	return served;
}

static NEVER_INLINED unsigned data_with_twin(struct machine *machine, uint64_t address,
					     uint64_t size, uint64_t stamp, bool is_write)
{
	unsigned served;

	if (machine->tlbs == NULL)
		served = serve_data(machine, address, size, stamp, is_write);
	else if (is_write)
		served = data_translated(machine, address, size, stamp, true);
	else
		served = data_with_tlbs(machine, address, size, stamp);
	twins_touch_data(machine, address, size, stamp);
	return served;
}

static ALWAYS_INLINED unsigned read_alone(struct machine *machine, uint64_t address, uint64_t size,
					  uint64_t stamp)
{
	if (machine->twins != NULL)
		return data_with_twin(machine, address, size, stamp, false);
	if (machine->tlbs != NULL)
		return data_with_tlbs(machine, address, size, stamp);
	return serve_data(machine, address, size, stamp, false);
}

static ALWAYS_INLINED unsigned write_alone(struct machine *machine, uint64_t address, uint64_t size,
					   uint64_t stamp)
{
	if (machine->twins != NULL)
		return data_with_twin(machine, address, size, stamp, true);
	if (machine->tlbs != NULL)
		return data_translated(machine, address, size, stamp, true);
	return serve_data(machine, address, size, stamp, true);
}

/* With several cores, its own caches and the shared level serve a reference first. */
static NEVER_INLINED unsigned data_of_core(struct machine *machine, uint64_t address, uint64_t size,
					   uint64_t stamp, bool is_write)
{
	const struct coherence_reference reference = {
		address,
		size,
		is_write ? COHERENCE_WRITE : COHERENCE_READ,
	};
	const struct coherence_before before = coherence_note(machine, &reference);
	unsigned served = is_write ? write_alone(machine, address, size, stamp)
				   : read_alone(machine, address, size, stamp);

	return coherence_settle(machine, &reference, &before, served);
}

unsigned machine_data(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	lower_prepare(&machine->lower, address);
	if (machine->d1.has_common_miss && is_on_one_line(machine->d1.line_bits, address, size))
		return plain_common_data(machine, address, size, stamp);
	if (machine->cores != NULL)
		return data_of_core(machine, address, size, stamp, false);
	return read_alone(machine, address, size, stamp);
}

unsigned machine_write(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	if (!machine->lower.are_related)
		return machine_data(machine, address, size, stamp);
	lower_prepare(&machine->lower, address);
	if (machine->cores != NULL)
		return data_of_core(machine, address, size, stamp, true);
	return write_alone(machine, address, size, stamp);
}

static ALWAYS_INLINED void modify_alone(struct machine *machine, uint64_t address, uint64_t size,
					uint64_t stamp)
{
	/* In a plain D1, being touched again by the same stamp changes nothing. */
	if (!is_plain_data(machine) && cache_mark_all_dirty(&machine->called_d1, address, size))
		return;
	serve_data(machine, address, size, stamp, true);
	if (machine->tlbs != NULL)
		machinetlbs_name_again(machine, address, size);
	if (machine->twins != NULL)
		twins_modify(machine, address, size, stamp);
}

static NEVER_INLINED void modify_of_core(struct machine *machine, uint64_t address, uint64_t size,
					 uint64_t stamp)
{
	const struct coherence_reference reference = { address, size, COHERENCE_MODIFY };
	const struct coherence_before before = coherence_note(machine, &reference);

	modify_alone(machine, address, size, stamp);
	coherence_settle(machine, &reference, &before, 0);
}

void machine_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	if (machine->cores != NULL)
		modify_of_core(machine, address, size, stamp);
	else
		modify_alone(machine, address, size, stamp);
}

/* --- fetches --------------------------------------------------------------------------------- */

static ALWAYS_INLINED unsigned serve_fetch(struct machine *machine, struct code_line *const *lines,
					   unsigned n_lines, uint64_t address, uint64_t size,
					   uint64_t stamp)
{
	return is_plain_code(machine) ? plain_fetch(machine, lines, n_lines, address, size, stamp)
				      : called_fetch(machine, lines, n_lines, address, size, stamp);
}

/* As with data, most fetches are from one line, of a page that was used not long ago. */
static NEVER_INLINED unsigned fetch_with_tlbs(struct machine *machine,
					      struct code_line *const *lines, unsigned n_lines,
					      uint64_t address, uint64_t size, uint64_t stamp)
{
	struct first_tlb *itlb = &machine->tlbs->views[0].first[TLB_ITLB];
	unsigned served;
	uint32_t page = 0;
	size_t way;

	if (n_lines == 1 && is_plain_code(machine) &&
	    machine->lower.inclusion[0] != INCLUSION_VICTIM &&
	    is_on_one_line(machine->i1.line_bits, address, size))
		page = machinetlbs_touch_recent(machine->tlbs, TLB_ITLB, address, stamp);
	if (page == 0) {
		machinetlbs_touch_code(machine, lines, n_lines, address, size, stamp);
		served = serve_fetch(machine, lines, n_lines, address, size, stamp);
		machinetlbs_name_code(machine, lines, n_lines);
		return served;
	}
	machine->missed_pages = 0;
	served = plain_fetch(machine, lines, 1, address, size, stamp);
	way = (size_t)(lines[0]->stamp - machine->i1.stamps);
	if (itlb->entries[way] == 0)
		machinetlbs_set_name(itlb, way, page);
	return served;
}

static ALWAYS_INLINED unsigned fetch_alone(struct machine *machine, struct code_line *const *lines,
					   unsigned n_lines, uint64_t address, uint64_t size,
					   uint64_t stamp)
{
	unsigned served;

	served = machine->tlbs != NULL
			 ? fetch_with_tlbs(machine, lines, n_lines, address, size, stamp)
			 : serve_fetch(machine, lines, n_lines, address, size, stamp);
	if (machine->twins != NULL)
		twins_touch_code(machine, lines, n_lines, address, size, stamp);
	return served;
}

static NEVER_INLINED unsigned fetch_of_core(struct machine *machine, struct code_line *const *lines,
					    unsigned n_lines, uint64_t address, uint64_t size,
					    uint64_t stamp)
{
	const struct coherence_reference reference = { address, size, COHERENCE_FETCH };
	const struct coherence_before before = coherence_note(machine, &reference);
	unsigned served = fetch_alone(machine, lines, n_lines, address, size, stamp);

	return coherence_settle(machine, &reference, &before, served);
}

unsigned machine_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		       uint64_t address, uint64_t size, uint64_t stamp)
{
	lower_prepare(&machine->lower, address);
	return machine->cores != NULL ? fetch_of_core(machine, lines, n_lines, address, size, stamp)
				      : fetch_alone(machine, lines, n_lines, address, size, stamp);
}

/* --- prefetches ------------------------------------------------------------------------------ */

bool machine_has(const struct machine *machine, unsigned level, uint64_t line)
{
	const struct lower_levels *lower = &machine->lower;

	if (level > 0)
		return cache_find(lower_cache_of(lower, level - 1), line) != SIZE_MAX;
	return is_plain_data(machine) ? plain_data_way(machine, line) != UINT32_MAX
				      : cache_find(&machine->called_d1, line) != SIZE_MAX;
}

/* Of a line that the level does not have. */
static ALWAYS_INLINED unsigned prefetch_alone(struct machine *machine, unsigned level,
					      uint64_t line, uint64_t stamp)
{
	unsigned served;

	if (level > 0)
		return lower_prefetch(&machine->lower, level, line);
	served = serve_data(machine, line, 1, stamp, false);
	if (is_plain_data(machine))
		machinetlbs_forget_line(machine, line);
	else
		called_hide_data(machine, line);
	return served;
}

static NEVER_INLINED unsigned prefetch_of_core(struct machine *machine, unsigned level,
					       uint64_t line, uint64_t stamp)
{
	const struct coherence_reference reference = { line, 1, COHERENCE_PREFETCH };
	const struct coherence_before before = coherence_note(machine, &reference);
	unsigned served = prefetch_alone(machine, level, line, stamp);

	return level == machine->lower.n ? served /* the core does not get it */
					 : coherence_settle(machine, &reference, &before, served);
}

unsigned machine_prefetch(struct machine *machine, unsigned level, uint64_t line, uint64_t stamp)
{
	if (level == 0 && machine->d1.has_common_miss)
		return plain_prefetch_common(machine, line, stamp);
	if (machine_has(machine, level, line))
		return PREFETCH_HAD;
	return machine->cores != NULL ? prefetch_of_core(machine, level, line, stamp)
				      : prefetch_alone(machine, level, line, stamp);
}

/* --- what leaves ----------------------------------------------------------------------------- */

static void unmap_own(struct machine *machine, struct address_range range)
{
	if (machine->tlbs != NULL)
		machinetlbs_evict(machine, range);
}

/* Takes lines and pages out of all that is not the last level. */
static void evict_own(struct machine *machine, struct address_range range)
{
	if (is_plain_data(machine))
		plain_evict_data(machine, range);
	else
		called_evict_data(machine, range);
	if (is_plain_code(machine))
		plain_evict_code(machine, range);
	else
		called_evict_code(machine, range);
	lower_evict_own(&machine->lower, range);
	unmap_own(machine, range);
	if (machine->twins != NULL)
		twins_evict(machine, range);
	machine->evicted_at = machine->clock;
}

void machine_evict(struct machine *machine, struct address_range range)
{
	const struct cores *cores = machine->cores;

	if (cores == NULL)
		evict_own(machine, range);
	for (unsigned i = 0; cores != NULL && i < cores->n; i++)
		evict_own(cores->machines[i], range);
	lower_evict_last(&machine->lower, range);
}

void machine_empty_own(struct machine *machine)
{
	evict_own(machine, address_range_all());
}

void machine_unmap(struct machine *machine, struct address_range range)
{
	const struct cores *cores = machine->cores;

	if (cores == NULL)
		unmap_own(machine, range);
	for (unsigned i = 0; cores != NULL && i < cores->n; i++)
		unmap_own(cores->machines[i], range);
}

void machine_hide(struct machine *machine, struct address_range range)
{
	const unsigned bits = machine->d1.line_bits;
	const uint64_t first = range.first >> bits, last = range.last >> bits;

	machine->hides = true;
	if (last - first < machine->filter_mask) {
		for (uint64_t line = first; line <= last; line++)
			machinetlbs_forget_line(machine, line << bits);
	} else {
		for (uint64_t i = 0; i <= machine->filter_mask; i++)
			if (address_range_meets(range, machine->filter[i].line, bits))
				machinetlbs_forget_entry(machine, i);
	}
	if (is_plain_code(machine))
		plain_hide_code(machine, range);
	else
		called_hide_code(machine, range);
}

/* --- all of its state ------------------------------------------------------------------------ */

/* What is not before near comes after the clock. */
static size_t tail_size(const struct hierarchy_config *config)
{
	return machine_size(config) - offsetof(struct machine, filter);
}

void machine_clear(struct machine *machine, const struct hierarchy_config *config)
{
	const uint64_t clock = machine->clock;

	machine_hide(machine, address_range_all());
	__builtin_memset(machine, 0, offsetof(struct machine, near));
	__builtin_memset(machine->filter, 0, tail_size(config));
	machine_init(machine, config);
	machine->clock = clock;
	machine->evicted_at = clock;
}

void machine_keep(struct machine *machine, const struct hierarchy_config *config, void *kept)
{
	machine_hide(machine, address_range_all());
	__builtin_memcpy(kept, machine, machine_size(config));
}

void machine_restore(struct machine *machine, const struct hierarchy_config *config,
		     const void *kept)
{
	const struct machine *from = kept;

	machine_hide(machine, address_range_all());
	__builtin_memcpy(machine, from, offsetof(struct machine, near));
	__builtin_memcpy(machine->filter, from->filter, tail_size(config));
}
