/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A D1 miss looks for the smallest stamp among the ways of a set.  The stamps of a set lie side by side, and generated
 * code stores through the pointer that the filter gives it, so that the search is one contiguous scan.  (With the stamps
 * in the filter's entries, each way's entry would have to be looked up first.)
 *
 *	filter entry			set of D1
 *	line 0x7f..40  stamp ----.	tags	0x7f..40  0x01..c0  ...
 *				  `-->	stamps	      88        61  ...
 */
#include "sim/plain.h"

#include "sim/misses/twin.h"
#include "sim/shorttags.h"
#include "sim/stamped.h"
#include "sim/tlbs/machinetlbs.h"

/* --- memory ----------------------------------------------------------------------------- */

bool plain_suits(const struct cache_config *first)
{
	return policy_tree_ways(first->policy, first->geometry.assoc) != 0 &&
	       cache_config_has_low_sets(first);
}

/* Stamps of D1, with the stamp of absent lines after them, and as many as make sets begin at lines of the host's cache. */
static size_t d1_stamps(const struct cache_config *d1)
{
	const size_t in_line = aligned_size(1) / sizeof(uint64_t);

	return ((size_t)geometry_lines(&d1->geometry) / in_line + 1) * in_line;
}

/* Tag or line, stamp, and low tag of each way. */
static size_t ways_size(const struct cache_config *first)
{
	const size_t way = 2 * sizeof(uint64_t) + sizeof(uint32_t);

	return aligned_size((size_t)geometry_lines(&first->geometry) * way);
}

size_t plain_data_size(const struct hierarchy_config *config)
{
	const size_t n = d1_stamps(&config->d1);
	const size_t more = n - (size_t)geometry_lines(&config->d1.geometry);

	return ways_size(&config->d1) +
	       aligned_size((more + (config->write_back ? n : 0)) * sizeof(uint64_t));
}

size_t plain_code_size(const struct hierarchy_config *config)
{
	return ways_size(&config->i1);
}

/*
 * After the stamps of the ways comes the one of absent lines, so that both have a word at the same distance.
 *
 *	stamps | nowhere | written: of the ways | of nowhere | tags | low tags
 */
void plain_init_data(struct machine *machine, const struct hierarchy_config *config, void *memory)
{
	const struct cache_config *cache = &config->d1;
	struct data_ways *d1 = &machine->d1;
	size_t n_lines = (size_t)geometry_lines(&cache->geometry);
	size_t n_stamps = d1_stamps(cache);

	d1->stamps = memory;
	d1->nowhere = d1->stamps + n_lines;
	d1->written_offset = config->write_back ? n_stamps * sizeof(uint64_t) : 0;
	d1->tags = d1->stamps + n_stamps * (config->write_back ? 2 : 1);
	d1->low_tags = (uint32_t *)(d1->tags + n_lines);
	d1->set_mask = geometry_sets(&cache->geometry) - 1;
	d1->assoc = cache->geometry.assoc;
	d1->tree_ways = policy_tree_ways(cache->policy, cache->geometry.assoc);
	for (size_t i = 0; i < n_lines; i++)
		d1->tags[i] = NO_LINE;
}

void plain_init_code(struct machine *machine, const struct hierarchy_config *config, void *memory)
{
	const struct cache_config *cache = &config->i1;
	struct code_ways *i1 = &machine->i1;

	i1->lines = memory;
	i1->stamps = (uint64_t *)memory + (size_t)geometry_lines(&cache->geometry);
	i1->set_mask = geometry_sets(&cache->geometry) - 1;
	i1->assoc = cache->geometry.assoc;
	i1->tree_ways = policy_tree_ways(cache->policy, cache->geometry.assoc);
}

/* --- a line of data ---------------------------------------------------------------------- */

/* Who else has to know about lines that come and go. */
enum watch {
	WATCH_NONE,
	WATCH_ONE_VIEW, /* TLBs of one view, and no twins */
	WATCH_ALL,      /* one core */
	WATCH_CORES,    /* several */
};

static enum watch watch_of(const struct machine *machine)
{
	if (machine->cores != NULL)
		return WATCH_CORES;
	return machine->tlbs != NULL || machine->twins != NULL ? WATCH_ALL : WATCH_NONE;
}

/* What is known about D1's ways: if these are constants, the compiler makes a copy of its own. */
struct shape {
	size_t assoc, tree_ways;
};

static struct shape shape_of(const struct data_ways *d1)
{
	return (struct shape){ d1->assoc, d1->tree_ways };
}

/* A line of a reference. */
struct touch {
	uint64_t line; /* any address in it */
	uint64_t stamp;
	bool is_write;
};

static ALWAYS_INLINED size_t first_data_way(const struct data_ways *d1, uint64_t line, size_t assoc)
{
	return (size_t)((line >> d1->line_bits) & d1->set_mask) * assoc;
}

/* The way of a set, from its first one on, that holds a line; assoc if none does. */
static ALWAYS_INLINED size_t find_data_way(const struct data_ways *d1, size_t first, size_t assoc,
					   uint64_t line)
{
	return shorttags_find_value(d1->low_tags + first, d1->tags + first, assoc,
				    (uint32_t)(line >> d1->line_bits), line);
}

uint32_t plain_data_way(const struct machine *machine, uint64_t line)
{
	const struct data_ways *d1 = &machine->d1;
	size_t first = first_data_way(d1, line, d1->assoc);
	size_t way = find_data_way(d1, first, d1->assoc, line);

	return way == d1->assoc ? UINT32_MAX : (uint32_t)(first + way);
}

/* Brings a line into a way, in place of *evicted_line, or NO_LINE; that leaves the filter too. */
static ALWAYS_INLINED void replace_data_line(struct machine *machine, uint64_t line, size_t way,
					     uint64_t *evicted_line)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t evicted = d1->tags[way];
	struct filter_entry *entry = machine_filter_entry(machine, evicted);
	const struct filter_entry empty =
		machine_empty_entry(machine, (uint64_t)(entry - machine->filter));
	/*
	 * It names the line or not, half of the time, which no processor can predict: so there is no
	 * branch, but always a store.  No entry names NO_LINE.
	 */
	uint64_t *const stamps[2] = { entry->stamp, empty.stamp };
	size_t named = entry->line == evicted;

	entry->line ^= (entry->line ^ empty.line) & -(uint64_t)named;
	entry->stamp = stamps[named];
	d1->tags[way] = line;
	d1->low_tags[way] = (uint32_t)(line >> d1->line_bits);
	*evicted_line = evicted;
}

/* An entry of the filter is about to name something else than what has this stamp, if it names that. */
static ALWAYS_INLINED void leave_page(struct machine *machine, enum watch watch,
				      const struct filter_entry *entry, uint64_t stamp, bool names)
{
	const size_t number = (size_t)(entry - machine->filter);

	if (watch == WATCH_CORES && names)
		machine_empty_write_entry(machine, number);
	if (watch == WATCH_ONE_VIEW)
		machinetlbs_unname_in(&machine->tlbs->views[0].first[TLB_DTLB], number, stamp,
				      names);
	else if (machine->tlbs != NULL)
		machinetlbs_unname_if(machine->tlbs, TLB_DTLB, number, stamp, names);
}

/* A line is about to lose its way, whose stamp is as it was. */
static ALWAYS_INLINED void leave_way(struct machine *machine, enum watch watch, size_t way)
{
	uint64_t line = machine->d1.tags[way];
	const struct filter_entry *entry = machine_filter_entry(machine, line);

	if (watch != WATCH_ONE_VIEW)
		twins_settle_data(machine->twins, way);
	leave_page(machine, watch, entry, machine->d1.stamps[way], entry->line == line);
}

/* Touches one line of data; returns true if it missed, and then which line has made room, or NO_LINE. */
static ALWAYS_INLINED bool touch_in_set(struct machine *machine, const struct touch *touch,
					struct shape shape, enum watch watch, uint64_t *evicted)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t line = touch->line >> d1->line_bits << d1->line_bits;
	struct filter_entry *entry = machine_filter_entry(machine, line);
	size_t first = first_data_way(d1, line, shape.assoc);
	size_t way;
	bool missed;

	if (entry->line == line) {
		*entry->stamp = touch->stamp;
		return false;
	}
	way = find_data_way(d1, first, shape.assoc, line);
	missed = way == shape.assoc;
	if (missed)
		way = stamped_victim(d1->stamps + first, shape.assoc, shape.tree_ways);
	if (watch != WATCH_NONE && missed)
		leave_way(machine, watch, first + way);
	if (watch != WATCH_NONE)
		leave_page(machine, watch, entry, *entry->stamp, true);
	if (missed)
		replace_data_line(machine, line, first + way, evicted);
	d1->stamps[first + way] = touch->stamp;
	entry->line = line;
	entry->stamp = &d1->stamps[first + way];
	return missed;
}

/* --- references to data -------------------------------------------------------------------- */

/* Asks lower levels for a reference that missed the first one, if no victim level is next. */
static ALWAYS_INLINED unsigned serve_missed(struct machine *machine, uint64_t address,
					    uint64_t size, uint32_t line_bits)
{
	struct lower_levels *lower = &machine->lower;

	if (!lower->are_related)
		return lower_serve(lower, address, size);
	if (is_on_one_line(line_bits, address, size) &&
	    cache_touch_found(&lower->caches[0], address))
		return 1;
	return lower_serve_related(lower, 1, address, size);
}

unsigned plain_common_data(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	const struct touch touch = { .line = address, .stamp = stamp };
	uint64_t evicted;
	bool missed;

	/* The associativities that D1 mostly has are worth copies. */
	missed = machine->d1.assoc == OLDEST_COMMON_ASSOC
			 ? touch_in_set(machine, &touch, (struct shape){ OLDEST_COMMON_ASSOC, 1 },
					WATCH_NONE, &evicted)
			 : touch_in_set(machine, &touch, (struct shape){ OLDEST_LARGE_ASSOC, 1 },
					WATCH_NONE, &evicted);
	return missed ? lower_serve(&machine->lower, address, size) : 0;
}

/* Touches the line of a reference on one line, if no victim level is next, so that nobody asks for clean evicted lines. */
static ALWAYS_INLINED bool touch_single(struct machine *machine, const struct touch *touch,
					struct shape shape, enum watch watch)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t evicted = NO_LINE;
	bool missed = touch_in_set(machine, touch, shape, watch, &evicted);
	uint64_t *written;

	if (d1->written_offset == 0)
		return missed;
	written = machine_written(machine, machine_filter_entry(machine, touch->line)->stamp);
	if (missed && *written != 0)
		lower_write_down(&machine->lower, 0, evicted);
	if (missed)
		*written = 0;
	if (touch->is_write)
		*written = touch->stamp;
	return missed;
}

static bool is_shape(struct shape shape, size_t assoc, size_t tree_ways)
{
	return shape.assoc == assoc && shape.tree_ways == tree_ways;
}

/* The shapes that first levels mostly have are worth copies: LRU, tree-PLRU, LRU3PLRU4. */
static ALWAYS_INLINED unsigned data_on_one_line(struct machine *machine, const struct touch *touch,
						uint64_t size, enum watch watch)
{
	enum { COMMON = OLDEST_COMMON_ASSOC, LARGE = OLDEST_LARGE_ASSOC, TREE_OF_THREE = 4 };
	const struct shape shape = shape_of(&machine->d1);
	bool missed;

	if (is_shape(shape, COMMON, 1))
		missed = touch_single(machine, touch, (struct shape){ COMMON, 1 }, watch);
	else if (is_shape(shape, COMMON, COMMON))
		missed = touch_single(machine, touch, (struct shape){ COMMON, COMMON }, watch);
	else if (is_shape(shape, LARGE, 1))
		missed = touch_single(machine, touch, (struct shape){ LARGE, 1 }, watch);
	else if (is_shape(shape, LARGE, TREE_OF_THREE))
		missed =
			touch_single(machine, touch, (struct shape){ LARGE, TREE_OF_THREE }, watch);
	else
		missed = touch_single(machine, touch, shape, watch);
	return missed ? serve_missed(machine, touch->line, size, machine->d1.line_bits) : 0;
}

static NEVER_INLINED unsigned data_watched(struct machine *machine, const struct touch *touch,
					   uint64_t size)
{
	return data_on_one_line(machine, touch, size, WATCH_ALL);
}

static NEVER_INLINED unsigned data_of_core(struct machine *machine, const struct touch *touch,
					   uint64_t size)
{
	return data_on_one_line(machine, touch, size, WATCH_CORES);
}

/* Touches a line of a reference of any kind; returns the level that it was in, or the first one not asked. */
static unsigned touch_any(struct machine *machine, const struct touch *touch)
{
	const struct data_ways *d1 = &machine->d1;
	const struct filter_entry *entry = machine_filter_entry(machine, touch->line);
	struct lower_exchange exchange = { .line = touch->line };
	struct lower_found found = { 0 };
	bool missed =
		touch_in_set(machine, touch, shape_of(d1), watch_of(machine), &exchange.evicted);
	uint64_t *written = d1->written_offset != 0 ? machine_written(machine, entry->stamp) : NULL;

	if (missed && written != NULL) {
		exchange.evicted_is_dirty = *written != 0;
		*written = 0;
	}
	if (missed)
		found = lower_fill(&machine->lower, &exchange);
	if (written != NULL && (touch->is_write || found.is_dirty))
		*written = touch->stamp;
	return found.level;
}

static NEVER_INLINED unsigned data_on_lines(struct machine *machine, struct touch touch,
					    uint64_t size)
{
	const uint64_t address = touch.line;
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;
	unsigned deepest = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < end; covered += line_size, touch.stamp++) {
		unsigned served;

		touch.line = line + covered;
		served = touch_any(machine, &touch);
		deepest = served > deepest ? served : deepest;
	}
	return lower_serve_rest(&machine->lower, deepest, address, size);
}

unsigned plain_data(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp,
		    bool is_write)
{
	const struct touch touch = { .line = address, .stamp = stamp, .is_write = is_write };

	if (machine->lower.inclusion[0] == INCLUSION_VICTIM ||
	    !is_on_one_line(machine->d1.line_bits, address, size))
		return data_on_lines(machine, touch, size);
	switch (watch_of(machine)) {
	case WATCH_NONE:
		return data_on_one_line(machine, &touch, size, WATCH_NONE);
	case WATCH_CORES:
		return data_of_core(machine, &touch, size);
	case WATCH_ONE_VIEW:
	case WATCH_ALL:
		break;
	}
	return data_watched(machine, &touch, size);
}

NEVER_INLINED unsigned plain_data_on_page(struct machine *machine, uint64_t address, uint64_t size,
					  uint64_t stamp)
{
	const struct touch touch = { .line = address, .stamp = stamp };

	if (machine->twins == NULL && machine->cores == NULL)
		return data_on_one_line(machine, &touch, size, WATCH_ONE_VIEW);
	return machine->cores != NULL ? data_of_core(machine, &touch, size)
				      : data_watched(machine, &touch, size);
}

unsigned plain_prefetch_common(struct machine *machine, uint64_t line, uint64_t stamp)
{
	const struct data_ways *d1 = &machine->d1;
	size_t first = first_data_way(d1, line, d1->assoc), way;
	uint64_t evicted;

	if (plain_data_way(machine, line) != UINT32_MAX)
		return PREFETCH_HAD;
	way = first + oldest(d1->stamps + first, d1->assoc);
	replace_data_line(machine, line, way, &evicted);
	d1->stamps[way] = stamp;
	return lower_serve(&machine->lower, line, 1);
}

/* --- data that leaves ---------------------------------------------------------------------- */

/* Empties a way, which the filter does not name any more. */
static void empty_data_way(struct machine *machine, size_t way)
{
	struct data_ways *d1 = &machine->d1;

	twins_settle_data(machine->twins, way);
	d1->tags[way] = NO_LINE;
	d1->low_tags[way] = 0;
	d1->stamps[way] = 0;
	if (d1->written_offset != 0)
		*machine_written(machine, &d1->stamps[way]) = 0;
}

bool plain_take_data(struct machine *machine, uint64_t line)
{
	struct data_ways *d1 = &machine->d1;
	uint32_t way = plain_data_way(machine, line);
	bool was_dirty;

	if (way == UINT32_MAX)
		return false;
	was_dirty = d1->written_offset != 0 && *machine_written(machine, &d1->stamps[way]) != 0;
	machinetlbs_forget_line(machine, line);
	empty_data_way(machine, way);
	return was_dirty;
}

void plain_evict_data(struct machine *machine, struct address_range range)
{
	const struct data_ways *d1 = &machine->d1;
	size_t n = (size_t)(d1->set_mask + 1) * d1->assoc;

	/* The filter first: entries name only what is resident. */
	for (uint64_t i = 0; i <= machine->filter_mask; i++) {
		const struct filter_entry *entry = &machine->filter[i];

		if (entry->stamp != d1->nowhere &&
		    address_range_meets(range, entry->line, d1->line_bits))
			machinetlbs_forget_entry(machine, i);
	}
	for (size_t i = 0; i < n; i++) {
		if (d1->tags[i] != NO_LINE &&
		    address_range_meets(range, d1->tags[i], d1->line_bits))
			empty_data_way(machine, i);
	}
}

/* --- code ----------------------------------------------------------------------------------- */

/*
 * The first way of the set of the line that is back lines before the last one that the fetch covers.  The line's record
 * would say it, too, but is in a line of the host's cache of its own.
 */
static size_t first_code_way(const struct code_ways *i1, uint64_t address, uint64_t size,
			     unsigned back)
{
	const uint64_t number = ((address + size - 1) >> i1->line_bits) - back;

	return (size_t)(number & i1->set_mask) * i1->assoc;
}

/*
 * With TLBs or twins, or if it was hidden, a line may be in I1 without a name: its page, or the line, was not there.
 * Returns true if it is; it is touched then.
 */
static NEVER_INLINED bool find_unnamed_code(struct machine *machine, struct code_line *line,
					    size_t first, uint64_t stamp)
{
	const struct code_ways *i1 = &machine->i1;

	for (size_t way = first; way < first + i1->assoc; way++) {
		if (i1->lines[way] != line)
			continue;
		i1->stamps[way] = stamp;
		line->stamp = &i1->stamps[way];
		return true;
	}
	return false;
}

/*
 * Touches one line of code, of the set that begins with this way; returns true if it missed, and then which line has
 * made room, or NULL.
 */
static ALWAYS_INLINED bool touch_code_line(struct machine *machine, struct code_line *line,
					   size_t first, uint64_t stamp,
					   const struct code_line **evicted_line)
{
	const struct code_ways *i1 = &machine->i1;
	size_t way;
	struct code_line *evicted;

	__builtin_prefetch(&i1->lines[first], 1); /* while the oldest one is looked for */
	if (machine_fetch_fast(machine, line, stamp))
		return false;
	if ((watch_of(machine) != WATCH_NONE || machine->hides) &&
	    find_unnamed_code(machine, line, first, stamp))
		return false;
	way = first + stamped_victim(i1->stamps + first, i1->assoc, i1->tree_ways);
	evicted = i1->lines[way];
	twins_settle_code(machine->twins, way);
	if (evicted != NULL && machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_ITLB, way);
	if (evicted != NULL)
		evicted->stamp = &machine->nowhere;
	i1->lines[way] = line;
	i1->stamps[way] = stamp;
	line->stamp = &i1->stamps[way];
	*evicted_line = evicted;
	return true;
}

/* Where a victim level is next, it is asked for each line. */
static NEVER_INLINED unsigned fetch_with_victims(struct machine *machine,
						 struct code_line *const *lines, unsigned n_lines,
						 uint64_t address, uint64_t size, uint64_t stamp)
{
	unsigned deepest = 0;

	for (unsigned i = 0; i < n_lines; i++) {
		struct lower_exchange exchange = { .line = lines[i]->address, .is_code = true };
		const size_t first = first_code_way(&machine->i1, address, size, n_lines - 1 - i);
		const struct code_line *evicted;
		unsigned served;

		if (!touch_code_line(machine, lines[i], first, stamp + i, &evicted))
			continue;
		exchange.evicted = evicted != NULL ? evicted->address : NO_LINE;
		served = lower_fill(&machine->lower, &exchange).level;
		deepest = served > deepest ? served : deepest;
	}
	return lower_serve_related(&machine->lower, deepest, address, size);
}

unsigned plain_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		     uint64_t address, uint64_t size, uint64_t stamp)
{
	const struct code_line *evicted;
	bool missed = false;

	if (machine->lower.inclusion[0] == INCLUSION_VICTIM)
		return fetch_with_victims(machine, lines, n_lines, address, size, stamp);
	for (unsigned i = 0; i < n_lines; i++) {
		if (touch_code_line(machine, lines[i],
				    first_code_way(&machine->i1, address, size, n_lines - 1 - i),
				    stamp + i, &evicted))
			missed = true;
	}
	return missed ? serve_missed(machine, address, size, machine->i1.line_bits) : 0;
}

/* True if this way's line is the one last fetched from since machine_evict(). */
static bool is_last_code(const struct machine *machine, size_t way)
{
	const struct code_ways *i1 = &machine->i1;
	size_t n = (size_t)(i1->set_mask + 1) * i1->assoc;

	if (i1->stamps[way] < machine->evicted_at)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (i1->stamps[i] > i1->stamps[way])
			return false;
	}
	return true;
}

void plain_hide_code_way(struct machine *machine, size_t way)
{
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_ITLB, way);
	machine->i1.lines[way]->stamp = &machine->nowhere;
}

static void empty_code_way(struct machine *machine, size_t way)
{
	twins_settle_code(machine->twins, way);
	plain_hide_code_way(machine, way);
	machine->i1.lines[way] = NULL;
	machine->i1.stamps[way] = 0;
}

uint32_t plain_code_way(const struct machine *machine, uint64_t line)
{
	const struct code_ways *i1 = &machine->i1;
	size_t first = (size_t)((line >> i1->line_bits) & i1->set_mask) * i1->assoc;

	for (size_t way = first; way < first + i1->assoc; way++)
		if (i1->lines[way] != NULL && i1->lines[way]->address == line)
			return (uint32_t)way;
	return UINT32_MAX;
}

void plain_take_code(struct machine *machine, uint64_t line, bool last_stays)
{
	uint32_t way = plain_code_way(machine, line);

	if (way == UINT32_MAX)
		return;
	if (is_last_code(machine, way)) {
		if (last_stays)
			return;
		machine->evicted_at = machine->clock; /* none is the last one now */
	}
	empty_code_way(machine, way);
}

void plain_evict_code(struct machine *machine, struct address_range range)
{
	const struct code_ways *i1 = &machine->i1;
	size_t n = (size_t)(i1->set_mask + 1) * i1->assoc;

	for (size_t i = 0; i < n; i++) {
		if (i1->lines[i] != NULL &&
		    address_range_meets(range, i1->lines[i]->address, i1->line_bits))
			empty_code_way(machine, i);
	}
}

void plain_hide_code(struct machine *machine, struct address_range range)
{
	const struct code_ways *i1 = &machine->i1;
	size_t n = (size_t)(i1->set_mask + 1) * i1->assoc;

	for (size_t i = 0; i < n; i++) {
		const struct code_line *line = i1->lines[i];

		if (line != NULL && line->stamp != &machine->nowhere &&
		    address_range_meets(range, line->address, i1->line_bits))
			plain_hide_code_way(machine, i);
	}
}
