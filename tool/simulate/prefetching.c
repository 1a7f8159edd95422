/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of a prefetched line is a cost of the instruction that asked for it, in its context of that time.
 * It is known when calls that it was asked in may have returned: so it is in no inclusive cost, and no running total.
 * Nor is, to go with it, that the line was asked for.
 */
#include "tool/simulate/prefetching.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "isa/x86/bytes.h"
#include "sim/machine.h"
#include "tool/counts/state.h"
#include "tool/simulate/miss_path.h"
#include "tool/simulate/state.h"

enum {
	THREAD_SHIFT = 48, /* instructions of two threads are never close to each other */
};

/* --- caches ------------------------------------------------------------------------------ */

static bool has(void *ctx, unsigned level, uint64_t line)
{
	(void)ctx;
	return machine_has(tool_simulate.running, level, line);
}

static unsigned bring(void *ctx, unsigned level, uint64_t line)
{
	struct prefetching *prefetching = ctx;

	return machine_prefetch(tool_simulate.running, level, line,
				level == 0 ? prefetching->stamp++ : 0);
}

static const struct lower_levels *lower_levels(void)
{
	return tool_simulate.oracle == NULL ? &tool_simulate.running->lower
					    : tool_simulate.oracle->lower_levels();
}

/* --- costs ------------------------------------------------------------------------------- */

enum { N_OUTCOMES = PREFETCH_OUTCOME_UNUSED + 1 };

static const enum event events[N_OUTCOMES] = {
	[PREFETCH_OUTCOME_ASKED] = EVENT_PF,
	[PREFETCH_OUTCOME_USED] = EVENT_PFU,
	[PREFETCH_OUTCOME_LATE] = EVENT_PFL,
	[PREFETCH_OUTCOME_UNUSED] = EVENT_PFX,
};

/*
 * What has become of the lines that a site asked for in a context, apart from what its cell holds: lines meet
 * their fates too often for cells.  Never freed.
 */
struct prefetch_trigger {
	struct prefetch_trigger *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct site *site;
	struct context *context;
	ULong counts[N_OUTCOMES];
};

static void note(void *trigger, enum prefetch_outcome outcome)
{
	((struct prefetch_trigger *)trigger)->counts[outcome]++;
}

/* 0: they are the same. */
static Word compare_triggers(const void *a, const void *b)
{
	const struct prefetch_trigger *left = a, *right = b;

	return left->site != right->site || left->context != right->context;
}

static __attribute__((noinline)) struct prefetch_trigger *
find_trigger(VgHashTable *table, const struct prefetch_trigger *wanted)
{
	struct prefetch_trigger *trigger = VG_(HT_gen_lookup)(table, wanted, compare_triggers);

	if (trigger != NULL)
		return trigger;
	trigger = VG_(perm_malloc)(sizeof(*trigger), 8);
	*trigger = *wanted;
	VG_(HT_add_node)(table, trigger);
	return trigger;
}

static struct prefetch_trigger *trigger_of(struct site *site)
{
	struct prefetching *prefetching = &tool_simulate.prefetching;
	struct context *context = tool_counts.hot->counters->context;
	const UWord key = (UWord)site / sizeof(ULong) ^ (UWord)context;
	struct prefetch_trigger **last =
		&prefetching->last[key % (sizeof(prefetching->last) / sizeof(prefetching->last[0]))];

	if (*last == NULL || (*last)->site != site || (*last)->context != context)
		*last = find_trigger(
			prefetching->triggers,
			&(struct prefetch_trigger){ .key = key, .site = site, .context = context });
	return *last;
}

void prefetching_settle(struct prefetching *prefetching)
{
	struct prefetch_trigger *trigger;

	if (prefetching->prefetchers == NULL)
		return;
	prefetchers_sweep(prefetching->prefetchers);
	VG_(HT_ResetIter)(prefetching->triggers);
	while ((trigger = VG_(HT_Next)(prefetching->triggers)) != NULL) {
		struct cell *cell = NULL;

		for (UInt i = 0; i < N_OUTCOMES; i++) {
			if (trigger->counts[i] == 0)
				continue;
			if (cell == NULL)
				cell = sites_cell(&tool_counts.sites, trigger->site,
						  trigger->context);
			cell_add(&tool_counts.sites, cell, events[i], trigger->counts[i]);
			trigger->counts[i] = 0;
		}
	}
}

/* n_instructions: of the segment that runs, up to and with this one, which nothing has counted yet. */
static ULong now(UInt n_instructions)
{
	return ((ULong)VG_(get_running_tid)() << THREAD_SHIFT) + tool_counts.hot->totals[EVENT_IR] +
		n_instructions;
}

/* --- set-up ------------------------------------------------------------------------------ */

static struct prefetched_shape shape_of(const struct cache_config *cache)
{
	struct prefetched_shape shape = {
		.assoc = cache->geometry.assoc,
		.line_bits = geometry_line_bits(&cache->geometry),
	};

	sets_init(&shape.sets, geometry_sets(&cache->geometry), cache->hashes_sets,
		  cache->hash_seed);
	return shape;
}

/* Prefetchers that have seen nothing, in memory that is zero. */
static void start(struct prefetching *prefetching)
{
	const struct hierarchy_config *config = &tool_simulate.caches;
	struct prefetched_shape levels[HIERARCHY_MAX_LEVELS];
	const UInt n_levels = 1 + config->n_lower;

	for (UInt i = 0; i < n_levels; i++)
		levels[i] = shape_of(i == 0 ? &config->d1 : &config->lower[i - 1]);
	if (prefetching->memory == NULL) {
		prefetching->memory_size =
			prefetchers_memory_size(prefetching->config, levels, n_levels);
		prefetching->memory =
			VG_(calloc)("costgrind.prefetched", 1, prefetching->memory_size);
	}
	prefetchers_init(prefetching->prefetchers, prefetching->config, levels, n_levels,
			 &prefetching->caches, prefetching->memory);
}

void prefetching_init(struct prefetching *prefetching, const struct hierarchy_config *config,
		      Bool with_instructions, Bool with_prefetchers)
{
	const struct oracle *instead = tool_simulate.oracle;

	*prefetching = (struct prefetching){
		.caches = { instead == NULL ? has : instead->has,
			    instead == NULL ? bring : instead->bring, prefetching, note },
		.config = &config->prefetchers,
		.instructions = config->prefetch_instructions && with_instructions,
	};
	if (!with_prefetchers)
		return;
	prefetching->triggers = VG_(HT_construct)("costgrind.triggers");
	prefetching->prefetchers =
		VG_(malloc)("costgrind.prefetchers", sizeof(*prefetching->prefetchers));
	start(prefetching);
	machinestate_note(prefetching->prefetchers, sizeof(*prefetching->prefetchers));
	machinestate_note(prefetching->memory, prefetching->memory_size);
}

void prefetching_clear(struct prefetching *prefetching)
{
	if (prefetching->prefetchers == NULL)
		return;
	prefetchers_sweep(prefetching->prefetchers);
	VG_(memset)(prefetching->memory, 0, prefetching->memory_size);
	start(prefetching);
}

UInt prefetching_stamps(const struct prefetching *prefetching, UInt size)
{
	if (prefetching->prefetchers == NULL)
		return 0;
	return prefetchers_most_first(prefetching->config,
				      machine_data_lines(tool_simulate.running, size));
}

/* --- slow paths of generated code -------------------------------------------------------- */

/* A reference has been made that prefetchers may see, after prefetchers_look(). */
static void see(struct site *site, const struct prefetch_reference *described, UInt served)
{
	struct prefetchers *prefetchers = tool_simulate.prefetching.prefetchers;
	struct prefetch_request request;

	if (!prefetchers_use(prefetchers, described, served))
		return;
	request = (struct prefetch_request){ site->address, described->now, trigger_of(site) };
	prefetchers_show(prefetchers, described, served, &request);
}

static VG_REGPARM(2) __attribute__((noinline)) UInt prefetching_data(Addr address, UWord index)
{
	struct prefetching *prefetching = &tool_simulate.prefetching;
	struct machine *machine = tool_simulate.running;
	struct reference *reference = miss_path_reference(index);
	const struct prefetch_reference described = { address, reference->size,
						      now(reference->n_instructions), False };
	ULong stamp = machine->clock - reference->age, n_written = machine->lower.n_written;
	UInt served;

	prefetchers_look(prefetching->prefetchers, &described);
	served = reference->makes_dirty ? machine_write(machine, address, reference->size, stamp)
					: machine_data(machine, address, reference->size, stamp);
	prefetching->stamp = stamp + machine_data_lines(machine, reference->size);
	if (prefetchers_may_see(tool_simulate.prefetching.prefetchers, &described, served))
		see(miss_path_site(reference), &described, served);
	miss_path_note_outcome(reference, address, served, n_written);
	return served;
}

static VG_REGPARM(1) __attribute__((noinline)) UInt prefetching_fetch(UWord index)
{
	struct machine *machine = tool_simulate.running;
	struct reference *reference = miss_path_reference(index);
	const struct prefetch_reference described = { reference->u.address, reference->size,
						      now(reference->n_instructions), True };
	ULong n_written = machine->lower.n_written;
	struct code_line *room[REFERENCE_MAX_LINES];
	UInt served;

	prefetchers_look(tool_simulate.prefetching.prefetchers, &described);
	served = machine_fetch(machine, threadcores_lines(&tool_simulate.cores, reference, room),
			       reference->n_lines, described.address, described.size,
			       machine->clock - reference->age);
	if (prefetchers_may_see(tool_simulate.prefetching.prefetchers, &described, served))
		see(miss_path_site(reference), &described, served);
	miss_path_note_outcome(reference, described.address, served, n_written);
	return served;
}

MISS_PATHS_OF(prefetching_paths, prefetching_data, prefetching_fetch)

/* --- prefetch instructions ---------------------------------------------------------------- */

static Bool is_mapped(Addr address)
{
	return VG_(am_is_valid_for_client)(address, 1, VKI_PROT_READ);
}

/* Lines that a prefetch instruction pushed out to memory. */
static void add_writes(struct site *site, ULong n)
{
	struct cell *cell =
		sites_cell(&tool_counts.sites, site, tool_counts.hot->counters->context);

	cell_add(&tool_counts.sites, cell, EVENT_WRITTEN, n);
	tool_counts.hot->totals[EVENT_WRITTEN] += n;
}

static void ask(struct prefetching *prefetching, struct site *site, Addr address, UInt level,
		ULong at)
{
	const struct lower_levels *lower = lower_levels();
	ULong n_written = lower->n_written;
	UInt line_bits = geometry_line_bits(level == 0 ? &tool_simulate.caches.d1.geometry
						       : &tool_simulate.caches.lower[0].geometry);
	Addr line = address >> line_bits << line_bits;

	if (!is_mapped(address))
		return;
	if (prefetching->prefetchers != NULL) {
		const struct prefetch_request request = { site->address, at, trigger_of(site) };

		prefetchers_ask(prefetching->prefetchers, level, address, &request);
	} else {
		prefetching->caches.bring(prefetching, level, line);
	}
	n_written = lower->n_written - n_written;
	if (n_written != 0)
		add_writes(site, n_written);
}

VG_REGPARM(3) void prefetching_ask(Addr address, UWord index, UWord level)
{
	struct prefetching *prefetching = &tool_simulate.prefetching;
	const struct reference *reference = miss_path_reference(index);

	prefetching->stamp = tool_simulate.running->clock - reference->age;
	ask(prefetching, miss_path_site(reference), address, (UInt)level,
	    now(reference->n_instructions));
}

/* --- references one by one, for the oracle ------------------------------------------------ */

void prefetching_ask_at(struct site *site, Addr address, UWord level)
{
	ask(&tool_simulate.prefetching, site, address, (UInt)level, now(0));
}

void prefetching_look(enum reference_kind kind, Addr address, UWord size,
		      struct prefetch_reference *reference)
{
	*reference = (struct prefetch_reference){ address, size, now(0), kind == REFERENCE_FETCH };
	prefetchers_look(tool_simulate.prefetching.prefetchers, reference);
}

void prefetching_see(struct site *site, const struct prefetch_reference *reference, UInt served)
{
	if (prefetchers_may_see(tool_simulate.prefetching.prefetchers, reference, served))
		see(site, reference, served);
}
