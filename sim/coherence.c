/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is cheap first: most references that C is called for have missed D1 and hit a lower level of their own, and a read
 * changes nothing then; most others are writes of lines that the core wrote before.
 *
 * Lines that are neighbours have entries that are neighbours, in one line of the host's cache.
 */
#include "sim/coherence.h"

#include "sim/called.h"
#include "sim/lower.h"
#include "sim/plain.h"

static uint64_t bit_of(unsigned core)
{
	return UINT64_C(1) << core;
}

/* --- the caches of a core ------------------------------------------------------------------ */

static bool has_data(const struct machine *machine, uint64_t line)
{
	return machine->d1.assoc != 0 ? plain_data_way(machine, line) != UINT32_MAX
				      : cache_find(&machine->called_d1, line) != SIZE_MAX;
}

static bool has_code(const struct machine *machine, uint64_t line)
{
	return machine->i1.assoc != 0 ? plain_code_way(machine, line) != UINT32_MAX
				      : cache_find(&machine->called_i1, line) != SIZE_MAX;
}

bool coherence_has(const struct machine *machine, uint64_t line)
{
	/* The largest first: mostly it has what the others have. */
	for (unsigned i = machine->lower.n - 1; i-- > 0;)
		if (cache_find(&machine->lower.caches[i], line) != SIZE_MAX)
			return true;
	return has_data(machine, line) || has_code(machine, line);
}

/* Takes a line out of the lower levels that are a core's own; returns true if it was dirty. */
static bool take_lower(struct machine *machine, uint64_t line)
{
	bool is_dirty = false;

	for (unsigned i = 0; i + 1 < machine->lower.n; i++)
		if (cache_take(&machine->lower.caches[i], line) == CACHE_WAS_DIRTY)
			is_dirty = true;
	return is_dirty;
}

/*
 * The same of all caches, I1's line of the last fetch, too: generated code leaves out only fetches from a line that the same
 * block has fetched from, and no other core is in the midst of a block.
 */
static bool take_own(struct machine *machine, uint64_t line)
{
	bool is_dirty = machine->d1.assoc != 0 ? plain_take_data(machine, line)
					       : called_take_data(machine, line);

	if (machine->i1.assoc != 0)
		plain_take_code(machine, line, false);
	else
		called_take_code(machine, line, false);
	return take_lower(machine, line) || is_dirty;
}

static bool clean_cache(struct cache *cache, uint64_t line)
{
	size_t way = cache_find(cache, line);

	if (way == SIZE_MAX || !cache_is_dirty(cache, way))
		return false;
	cache_mark_clean(cache, way);
	return true;
}

static bool clean_data(struct machine *machine, uint64_t line)
{
	struct data_ways *d1 = &machine->d1;
	uint32_t way;
	uint64_t *written;

	if (d1->assoc == 0)
		return clean_cache(&machine->called_d1, line);
	way = plain_data_way(machine, line);
	if (way == UINT32_MAX || d1->written_offset == 0)
		return false;
	written = machine_written(machine, &d1->stamps[way]);
	if (*written == 0)
		return false;
	*written = 0;
	return true;
}

/* A line in a core's own caches is clean from now on; returns true if it was not. */
static bool clean_own(struct machine *machine, uint64_t line)
{
	bool was_dirty = clean_data(machine, line);

	for (unsigned i = 0; i + 1 < machine->lower.n; i++)
		if (clean_cache(&machine->lower.caches[i], line))
			was_dirty = true;
	return was_dirty;
}

/* Generated code is to call C for writes of a line. */
static void forget_write(struct machine *machine, uint64_t line)
{
	const struct filter_entry *entry = machine_filter_entry(machine, line);

	if (entry->line == line)
		machine_empty_write_entry(machine, (uint64_t)(entry - machine->filter));
}

/* Generated code need not call C for writes of a line, which is modified in this core, if the filter names it. */
static void name_write(struct machine *machine, uint64_t line)
{
	const struct filter_entry *entry = machine_filter_entry(machine, line);

	if (entry->line == line)
		*machine_write_entry(machine, line) = *entry;
}

/* --- the directory ------------------------------------------------------------------------- */

size_t directory_entries(size_t n_lines)
{
	return 2 * n_lines;
}

/* n_entries is even. */
static uint32_t home_of(const struct cores *cores, uint64_t line)
{
	const uint64_t number = line >> cores->line_bits;
	const uint64_t hash = (number >> 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	return (uint32_t)(hash * (cores->n_entries / 2) >> 32) * 2 + (uint32_t)(number & 1);
}

static uint32_t next_of(const struct cores *cores, uint32_t at)
{
	return at + 1 == cores->n_entries ? 0 : at + 1;
}

/* Where a line is, or would be. */
static struct directory_entry *place_of(const struct cores *cores, uint64_t line)
{
	uint32_t at = home_of(cores, line);

	while (cores->entries[at].tag != 0 && cores->entries[at].tag != (line | 1))
		at = next_of(cores, at);
	return &cores->entries[at];
}

struct directory_entry *directory_find(const struct cores *cores, uint64_t line)
{
	struct directory_entry *entry = place_of(cores, line);

	return entry->tag != 0 ? entry : NULL;
}

/* Those of some cores that have the line. */
static uint64_t really(const struct cores *cores, uint64_t holders, uint64_t line)
{
	uint64_t real = 0;

	for (; holders != 0; holders &= holders - 1) {
		unsigned core = (unsigned)__builtin_ctzll(holders);

		if (coherence_has(cores->machines[core], line))
			real |= bit_of(core);
	}
	return real;
}

/* Takes an entry out, and moves those that would not be found any more. */
static void remove_at(struct cores *cores, uint32_t hole)
{
	struct directory_entry *entries = cores->entries;

	for (uint32_t at = next_of(cores, hole); entries[at].tag != 0; at = next_of(cores, at)) {
		const uint32_t home = home_of(cores, entries[at].tag & ~UINT64_C(1));
		/* It may stay if its home is after the hole, on the way to where it is. */
		const bool stays = hole <= at ? hole < home && home <= at
					      : hole < home || home <= at;

		if (stays)
			continue;
		entries[hole] = entries[at];
		hole = at;
	}
	entries[hole] = (struct directory_entry){ .tag = 0 };
	cores->n_used--;
}

/* True if an entry may go: no core has the line, and no core's invalidation is to be remembered (keeps_old). */
static bool is_idle(const struct cores *cores, struct directory_entry *entry, bool keeps_old)
{
	entry->holders = really(cores, entry->holders, entry->tag & ~UINT64_C(1));
	if (entry->holders != 0) {
		entry->swept_at = 0;
		return false;
	}
	if (entry->invalidated == 0 || !keeps_old)
		return true;
	if (entry->swept_at == 0)
		entry->swept_at = cores->n_sweeps;
	return entry->swept_at != cores->n_sweeps;
}

static void sweep_all(struct cores *cores, bool keeps_old)
{
	for (uint32_t at = 0; at < cores->n_entries; at++)
		while (cores->entries[at].tag != 0 &&
		       is_idle(cores, &cores->entries[at], keeps_old))
			remove_at(cores, at);
}

static NEVER_INLINED void sweep(struct cores *cores)
{
	cores->n_sweeps++;
	sweep_all(cores, true);
	if (cores->n_used > cores->n_entries / 8 * 5)
		sweep_all(cores, false);
}

struct directory_entry *directory_add(struct cores *cores, uint64_t line)
{
	struct directory_entry *entry = place_of(cores, line);

	if (entry->tag != 0)
		return entry;
	if (cores->n_used >= cores->n_entries / 4 * 3) {
		sweep(cores);
		entry = place_of(cores, line);
	}
	cores->n_used++;
	*entry = (struct directory_entry){ .tag = line | 1, .state = LINE_SHARED };
	return entry;
}

/* --- lines that leave ---------------------------------------------------------------------- */

bool coherence_take(void *of, uint64_t line)
{
	const struct machine *refers = of;
	const struct cores *cores = refers->cores;
	const struct directory_entry *entry = directory_find(cores, line);
	/* Another line of the same reference may have come that is not settled yet. */
	uint64_t holders = (entry != NULL ? entry->holders : 0) | bit_of(refers->core);
	bool is_dirty = false;

	for (; holders != 0; holders &= holders - 1) {
		struct machine *machine = cores->machines[__builtin_ctzll(holders)];
		const struct first_level *first = &machine->lower.first;

		if (first->take(first->caches, line))
			is_dirty = true;
		if (take_lower(machine, line))
			is_dirty = true;
	}
	return is_dirty;
}

void coherence_invalidate(struct cores *cores, struct directory_entry *entry, unsigned but,
			  bool is_written)
{
	const uint64_t line = entry->tag & ~UINT64_C(1);
	const uint64_t real = really(cores, entry->holders & ~bit_of(but), line);
	bool is_dirty = false;

	for (uint64_t left = real; left != 0; left &= left - 1)
		if (take_own(cores->machines[__builtin_ctzll(left)], line))
			is_dirty = true;
	if (is_dirty && !is_written)
		lower_write_down(&cores->machines[but]->lower, cores->shared, line);
	entry->invalidated |= real;
	entry->holders &= bit_of(but);
}

/* --- a reference --------------------------------------------------------------------------- */

static bool is_write(const struct coherence_reference *reference)
{
	return reference->kind == COHERENCE_WRITE || reference->kind == COHERENCE_MODIFY;
}

/* A reference whose lines are being settled, one after the other. */
struct settled {
	struct machine *machine;
	bool from_core, from_memory;
	bool was_invalidated;
	uint32_t n_upgraded;
};

/* Where a line was before the reference. */
struct line_before {
	uint64_t line;
	bool in_core, in_shared;
};

/* A core gets a line that it did not have; others: those that have it. */
static void note_came(struct settled *settled, const struct line_before *before,
		      struct directory_entry *entry, uint64_t others)
{
	const uint64_t own = bit_of(settled->machine->core);

	if ((entry->invalidated & own) != 0)
		settled->was_invalidated = true;
	if (others != 0 && (entry->state == LINE_MODIFIED || !before->in_shared))
		settled->from_core = true;
	else if (!before->in_shared)
		settled->from_memory = true;
	entry->invalidated &= ~own;
	entry->swept_at = 0;
}

/* Others that have a line have it shared from now on. */
static void share(const struct settled *settled, const struct directory_entry *entry,
		  uint64_t others)
{
	struct cores *cores = settled->machine->cores;
	const uint64_t line = entry->tag & ~UINT64_C(1);
	bool was_dirty = false;

	for (; others != 0; others &= others - 1) {
		struct machine *machine = cores->machines[__builtin_ctzll(others)];

		if (entry->state == LINE_MODIFIED)
			forget_write(machine, line);
		if (cores->write_back && clean_own(machine, line))
			was_dirty = true;
	}
	if (was_dirty)
		lower_write_down(&settled->machine->lower, cores->shared, line);
}

static NEVER_INLINED void settle_read(struct settled *settled, const struct line_before *before)
{
	struct cores *cores = settled->machine->cores;
	const uint64_t own = bit_of(settled->machine->core);
	struct directory_entry *entry = directory_add(cores, before->line);
	const uint64_t others = really(cores, entry->holders & ~own, before->line);

	note_came(settled, before, entry, others);
	if (others != 0)
		share(settled, entry, others);
	entry->state = others != 0 ? LINE_SHARED : LINE_EXCLUSIVE;
	entry->holders = others | own;
}

static NEVER_INLINED void settle_write(struct settled *settled, const struct line_before *before)
{
	struct machine *machine = settled->machine;
	struct cores *cores = machine->cores;
	struct directory_entry *entry = directory_add(cores, before->line);

	if (!before->in_core) {
		note_came(settled, before, entry,
			  really(cores, entry->holders & ~bit_of(machine->core), before->line));
	} else if (entry->state == LINE_SHARED) {
		settled->n_upgraded++;
		if (machine->lower.inclusion[cores->shared] == INCLUSION_VICTIM)
			cache_take(lower_cache(&machine->lower, cores->shared), before->line);
	}
	coherence_invalidate(cores, entry, machine->core, true);
	entry->state = LINE_MODIFIED;
	entry->holders = bit_of(machine->core);
	name_write(machine, before->line);
}

static void settle_line(struct settled *settled, const struct coherence_reference *reference,
			const struct line_before *before)
{
	if (is_write(reference))
		settle_write(settled, before);
	else if (!before->in_core)
		settle_read(settled, before);
}

static unsigned finish(const struct settled *settled, const struct coherence_reference *reference,
		       unsigned served)
{
	struct machine *machine = settled->machine;
	const unsigned shared = machine->lower.n;

	if (reference->kind != COHERENCE_PREFETCH)
		machine->coherence = (struct machine_coherence){
			.n_upgraded = settled->n_upgraded,
			.from_core = settled->from_core,
			.was_invalidated = settled->was_invalidated,
		};
	return settled->from_core && !settled->from_memory && served > shared ? shared : served;
}

/* True if the directory says that the core may have a line; all that it has are such. */
static bool is_holder(const struct machine *machine, uint64_t line)
{
	const struct directory_entry *entry = directory_find(machine->cores, line);

	return entry != NULL && (entry->holders & bit_of(machine->core)) != 0;
}

/* A reference on one line: where that was follows from the level that served it. */
static unsigned settle_single(struct machine *machine, const struct coherence_reference *reference,
			      unsigned served)
{
	const unsigned shared = machine->lower.n;
	struct settled settled = { .machine = machine };
	struct line_before before = {
		.line = reference->address >> machine->d1.line_bits << machine->d1.line_bits,
		.in_core = served < shared,
		.in_shared = served == shared,
	};

	if (is_write(reference) ? machine_write_entry(machine, before.line)->line == before.line
				: before.in_core)
		return finish(&settled, reference, served);
	/* The other first level may have it. */
	if (!before.in_core && is_holder(machine, before.line))
		before.in_core = reference->kind == COHERENCE_FETCH
					 ? has_data(machine, before.line)
					 : has_code(machine, before.line);
	settle_line(&settled, reference, &before);
	return finish(&settled, reference, served);
}

struct coherence_before coherence_note(const struct machine *machine,
				       const struct coherence_reference *reference)
{
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const uint64_t line = reference->address & ~(line_size - 1);
	const uint64_t end = (reference->address - line) + reference->size;
	const struct cache *shared = lower_cache_of(&machine->lower, machine->cores->shared);
	struct coherence_before before = { .is_noted = true };

	if (reference->kind <= COHERENCE_WRITE && end <= line_size) {
		/* While the caches look, the host fetches what will mostly be asked next. */
		__builtin_prefetch(&machine->cores->entries[home_of(machine->cores, line)], 1);
		return (struct coherence_before){ .is_noted = false };
	}
	/* By bytes covered: address + size may wrap around. */
	for (uint64_t i = 0; i < COHERENCE_NOTED && i * line_size < end; i++) {
		before.in_core |= (uint64_t)coherence_has(machine, line + i * line_size) << i;
		before.in_shared |= (uint64_t)(cache_find(shared, line + i * line_size) != SIZE_MAX)
				    << i;
	}
	return before;
}

unsigned coherence_settle(struct machine *machine, const struct coherence_reference *reference,
			  const struct coherence_before *before, unsigned served)
{
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const uint64_t line = reference->address & ~(line_size - 1);
	const uint64_t end = (reference->address - line) + reference->size;
	struct settled settled = { .machine = machine };

	if (!before->is_noted)
		return settle_single(machine, reference, served);
	for (uint64_t i = 0; i * line_size < end; i++) {
		const bool is_known = i < COHERENCE_NOTED;
		const struct line_before of_line = {
			.line = line + i * line_size,
			.in_core = is_known ? (before->in_core >> i & 1) != 0
					    : is_holder(machine, line + i * line_size),
			.in_shared = is_known && (before->in_shared >> i & 1) != 0,
		};

		settle_line(&settled, reference, &of_line);
	}
	return finish(&settled, reference, served);
}
