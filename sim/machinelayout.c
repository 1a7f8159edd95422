/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's memory: the struct with the filters behind it, D1, I1, lower levels, TLBs. */
#include "sim/machine.h"

#include "sim/basics.h"

#include "sim/machinefilter.h"
#include "sim/newest.h"
#include "sim/stamped.h"

enum { HOST_LINE = 64 }; /* bytes of a line of the host's cache */

static uint32_t log2_of(uint64_t power)
{
	uint32_t bits = 0;

	while (UINT64_C(1) << bits < power)
		bits++;
	return bits;
}

/* At least as many entries as D1 has lines, so that all of them can be named at once. */
static size_t filter_entries(const struct cache_geometry *d1)
{
	size_t entries = MACHINE_MIN_FILTER;

	while (entries < geometry_lines(d1))
		entries *= 2;
	return entries;
}

static size_t filter_end(const struct hierarchy_config *config)
{
	return aligned_size(sizeof(struct machine) +
			    filter_entries(&config->d1.geometry) * sizeof(struct filter_entry));
}

/* Whether stamps of its ways are all that is to be known of a first level: it is one that sim/machine.h calls plain. */
static bool is_plain(const struct cache_config *first)
{
	return policy_tree_ways(first->policy, first->geometry.assoc) != 0 &&
	       cache_config_has_low_sets(first);
}

/* Of a first level: tag or line, stamp, and low tag. */
static size_t first_size(const struct cache_config *first)
{
	size_t way = 2 * sizeof(uint64_t) + sizeof(uint32_t);

	return is_plain(first) ? aligned_size((size_t)geometry_lines(&first->geometry) * way)
			       : cache_memory_size(first) + newest_memory_size(first);
}

/* Stamps of D1, with that of absent lines behind them, and so many that sets begin where lines of the host's cache do. */
static size_t d1_stamps(const struct cache_config *d1)
{
	const size_t in_line = HOST_LINE / sizeof(uint64_t);

	return ((size_t)geometry_lines(&d1->geometry) / in_line + 1) * in_line;
}

/* Of D1 alone: those stamps that are no way's; words that say what is dirty. */
static size_t d1_more_size(const struct hierarchy_config *config)
{
	size_t n = d1_stamps(&config->d1);

	return aligned_size(
		(n - (size_t)geometry_lines(&config->d1.geometry) + (config->write_back ? n : 0)) *
		sizeof(uint64_t));
}

/* What machinetlbs_memory_size() has to know of the machine. */
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
	return filter_end(config) + first_size(&config->d1) + d1_more_size(config) +
	       first_size(&config->i1) + lower_memory_size(config) + tlbs_size(config);
}

/* Counter c and outcome t give the next counter and whether c predicted t wrongly. */
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

/*
 * A plain D1.  Behind the stamps of its ways is the one of absent lines, so that both have a word at the
 * same distance.
 *
 *	stamps | nowhere | written: of the ways | of nowhere | tags | low tags
 */
static void init_ways(struct machine *machine, const struct cache_config *config, uint64_t *memory,
		      bool write_back)
{
	struct data_ways *d1 = &machine->d1;
	size_t n_lines = (size_t)geometry_lines(&config->geometry);
	size_t n_stamps = d1_stamps(config);

	d1->stamps = memory;
	d1->nowhere = memory + n_lines;
	d1->written_offset = write_back ? n_stamps * sizeof(uint64_t) : 0;
	d1->tags = memory + n_stamps * (write_back ? 2 : 1);
	d1->low_tags = (uint32_t *)(d1->tags + n_lines);
	d1->set_mask = geometry_sets(&config->geometry) - 1;
	d1->assoc = config->geometry.assoc;
	d1->tree_ways = policy_tree_ways(config->policy, config->geometry.assoc);
	for (size_t i = 0; i < n_lines; i++)
		d1->tags[i] = HIERARCHY_NO_LINE;
}

static void init_d1(struct machine *machine, const struct cache_config *config, void *memory,
		    bool write_back)
{
	machine->filter_mask = filter_entries(&config->geometry) - 1;
	machine->d1.line_bits = log2_of(config->geometry.line_size);
	machine->d1.nowhere = &machine->nowhere;
	if (is_plain(config)) {
		init_ways(machine, config, memory, write_back);
	} else {
		cache_init(&machine->called_d1, config, memory);
		newest_init_data(machine,
				 (void *)((unsigned char *)memory + cache_memory_size(config)));
		if (write_back)
			cache_keep_dirty(&machine->called_d1);
	}
	for (uint64_t i = 0; i <= machine->filter_mask; i++)
		machinefilter_forget_at(machine, i);
}

static void init_i1(struct machine *machine, const struct cache_config *config, void *memory)
{
	machine->i1.line_bits = log2_of(config->geometry.line_size);
	if (!is_plain(config)) {
		cache_init(&machine->called_i1, config, memory);
		newest_init_code(machine,
				 (void *)((unsigned char *)memory + cache_memory_size(config)));
		return;
	}
	machine->i1.lines = memory;
	machine->i1.stamps = (uint64_t *)memory + (size_t)geometry_lines(&config->geometry);
	machine->i1.set_mask = geometry_sets(&config->geometry) - 1;
	machine->i1.assoc = config->geometry.assoc;
	machine->i1.tree_ways = policy_tree_ways(config->policy, config->geometry.assoc);
}

void machine_init(struct machine *machine, const struct hierarchy_config *config)
{
	unsigned char *next = (unsigned char *)machine + filter_end(config);

	machine->clock = 1; /* 0 is the stamp of empty ways */
	init_d1(machine, &config->d1, next, config->write_back);
	next += first_size(&config->d1) + d1_more_size(config);
	init_i1(machine, &config->i1, next);
	next += first_size(&config->i1);
	lower_init(&machine->lower, config, (struct first_level){ machine_take_line, machine },
		   next);
	next += lower_memory_size(config);
	if (config->tlbs != NULL)
		machinetlbs_init(machine, config->tlbs,
				 (size_t)geometry_lines(&config->i1.geometry),
				 machine->filter_mask + 1, next);
	machine->d1.has_common_miss = (machine->d1.assoc == OLDEST_COMMON_ASSOC ||
				       machine->d1.assoc == OLDEST_LARGE_ASSOC) &&
				      machine->d1.tree_ways == 1 && !machine->lower.are_related &&
				      machine->tlbs == NULL;
	machine->last_code = HIERARCHY_NO_LINE;
	init_next_cell(machine);
}

/* --- all of its state ----------------------------------------------------------------- */

/* What is not before near is behind the clock. */
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
