/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Its memory: struct cores, the machines of the others, the directory. */
#include "sim/cores.h"

const char *cores_misfit(const struct hierarchy_config *config)
{
	const uint32_t line_size = config->i1.geometry.line_size;
	bool same = config->d1.geometry.line_size == line_size;

	if (config->n_lower < 2)
		return "several cores need two levels or more after the first one";
	for (unsigned i = 0; i < config->n_lower; i++)
		same = same && config->lower[i].geometry.line_size == line_size;
	if (!same)
		return "several cores need one line size for all caches";
	if (geometry_sets(&config->i1.geometry) == 1)
		return "several cores need an I1 of two sets or more";
	return NULL;
}

/* Lines that a core's own caches have room for. */
static size_t own_lines(const struct hierarchy_config *config)
{
	uint64_t n = geometry_lines(&config->i1.geometry) + geometry_lines(&config->d1.geometry);

	for (unsigned i = 0; i + 1 < config->n_lower; i++)
		n += geometry_lines(&config->lower[i].geometry);
	return (size_t)n;
}

/* What a core but the first one has. */
static struct hierarchy_config own_config(const struct hierarchy_config *config)
{
	return hierarchy_without_last(config);
}

size_t cores_size(const struct hierarchy_config *config, unsigned n)
{
	const size_t entries = directory_entries(n * own_lines(config));

	return aligned_size(sizeof(struct cores)) +
	       aligned_size(entries * sizeof(struct directory_entry));
}

size_t cores_machine_size(const struct hierarchy_config *config)
{
	const struct hierarchy_config own = own_config(config);

	return machine_size(&own);
}

/* --- lines of core 0 ----------------------------------------------------------------------- */

static void note_line(struct cores *cores, uint64_t line)
{
	struct directory_entry *entry = directory_add(cores, line);

	entry->state = LINE_EXCLUSIVE;
	entry->holders = 1;
}

static void note_cache(struct cores *cores, const struct cache *cache)
{
	for (uint64_t set = 0; set < cache_n_sets(cache); set++) {
		for (size_t way = 0; way < cache->assoc; way++) {
			uint64_t tag = cache_tag(cache, set, way);

			if (tag != 0)
				note_line(cores, tag - 1);
		}
	}
}

static void note_lines(struct cores *cores)
{
	const struct machine *first = cores->machines[0];
	const struct data_ways *d1 = &first->d1;
	const struct code_ways *i1 = &first->i1;

	for (size_t way = 0; way < (size_t)(d1->set_mask + 1) * d1->assoc; way++)
		if (d1->tags[way] != NO_LINE)
			note_line(cores, d1->tags[way]);
	for (size_t way = 0; way < (size_t)(i1->set_mask + 1) * i1->assoc; way++)
		if (i1->lines[way] != NULL)
			note_line(cores, i1->lines[way]->address);
	if (d1->assoc == 0)
		note_cache(cores, &first->called_d1);
	if (i1->assoc == 0)
		note_cache(cores, &first->called_i1);
	for (unsigned i = 0; i < cores->shared; i++)
		note_cache(cores, &first->lower.caches[i]);
}

/* --- all of them --------------------------------------------------------------------------- */

/* Makes a machine one of the cores. */
static void join(struct cores *cores, struct machine *machine, unsigned core)
{
	struct lower_levels *lower = &machine->lower;

	cores->machines[core] = machine;
	machine->cores = cores;
	machine->core = core;
	machine->write_names = machine->filter_mask + 1;
	machine->d1.has_common_miss = false;
	lower->are_related = true;
	lower->all = (struct first_level){ coherence_take, machine };
	if (core == 0)
		return;
	lower->n++;
	lower->shared = &cores->machines[0]->lower.caches[cores->shared];
	lower->inclusion[cores->shared] = cores->machines[0]->lower.inclusion[cores->shared];
	/* Its own is none, but is asked for this. */
	lower->caches[cores->shared].line_bits = lower->shared->line_bits;
}

struct cores *cores_begin(struct machine *const *machines, const struct hierarchy_config *config,
			  unsigned n, void *memory)
{
	const struct hierarchy_config own = own_config(config);
	struct cores *cores = memory;

	*cores = (struct cores){
		.n = n,
		.shared = config->n_lower - 1,
		.line_bits = machines[0]->d1.line_bits,
		.write_back = config->write_back,
		.n_entries = (uint32_t)directory_entries(n * own_lines(config)),
	};
	join(cores, machines[0], 0);
	for (unsigned i = 1; i < n; i++) {
		machine_init(machines[i], &own);
		join(cores, machines[i], i);
	}
	cores->entries = (void *)((unsigned char *)memory + aligned_size(sizeof(*cores)));
	note_lines(cores);
	return cores;
}

/* A line that another core's writes concern. */
static void write_line(struct cores *cores, struct directory_entry *entry, unsigned core)
{
	const uint64_t line = entry->tag & ~UINT64_C(1);

	coherence_invalidate(cores, entry, core, false);
	if (coherence_has(cores->machines[core], line))
		entry->state = LINE_MODIFIED;
	else
		entry->holders = 0;
}

void cores_foreign_write(struct cores *cores, struct address_range range, unsigned core)
{
	const uint64_t first = range.first >> cores->line_bits;
	const uint64_t last = range.last >> cores->line_bits;

	if (last - first >= cores->n_entries) {
		for (uint32_t i = 0; i < cores->n_entries; i++) {
			struct directory_entry *entry = &cores->entries[i];

			if (entry->tag != 0 &&
			    address_range_meets(range, entry->tag & ~UINT64_C(1), cores->line_bits))
				write_line(cores, entry, core);
		}
		return;
	}
	for (uint64_t i = 0; i <= last - first; i++) {
		struct directory_entry *entry =
			directory_find(cores, (first + i) << cores->line_bits);

		if (entry != NULL)
			write_line(cores, entry, core);
	}
}

void cores_leave_one(struct cores *cores, unsigned core)
{
	for (unsigned i = 0; i < cores->n; i++)
		if (i != core)
			machine_empty_own(cores->machines[i]);
}

enum line_state cores_state(const struct cores *cores, unsigned core, uint64_t line)
{
	const struct directory_entry *entry = directory_find(cores, line);

	return coherence_has(cores->machines[core], line) ? (enum line_state)entry->state
							  : LINE_ABSENT;
}

bool cores_was_invalidated(const struct cores *cores, unsigned core, uint64_t line)
{
	const struct directory_entry *entry = directory_find(cores, line);

	return entry != NULL && (entry->invalidated >> core & 1) != 0;
}
