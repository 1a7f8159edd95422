/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slow half of the machine: what is not a plain hit.
 *
 * A D1 miss looks for the smallest stamp among the ways of a set.  The stamps
 * of a set lie side by side, and generated code stores through the pointer
 * that the filter gives it, so that the search is one contiguous scan.  (With
 * the stamps in the filter's entries, each way's entry would have to be looked
 * up first.)
 *
 *	filter entry			set of D1
 *	line 0x7f..40  stamp ----.	tags	0x7f..40  0x01..c0  ...
 *				  `-->	stamps	      88        61  ...
 */
#include "sim/machine.h"

#include "sim/basics.h"
#include "sim/eviction.h"
#include "sim/machinefilter.h"
#include "sim/misses/machinetwins.h"
#include "sim/newest.h"
#include "sim/shorttags.h"
#include "sim/stamped.h"

static bool is_plain_data(const struct machine *machine)
{
	return machine->d1.assoc != 0;
}

static bool is_plain_code(const struct machine *machine)
{
	return machine->i1.assoc != 0;
}

/* A line of a reference, as the first level sees it. */
struct touch {
	uint64_t line;
	uint64_t stamp;
	bool is_code, is_write;
};

/* --- data --------------------------------------------------------------------- */

/* The way of a set, from its first one on, that holds a line; assoc if none does. */
static ALWAYS_INLINED size_t find_data_way(const struct data_ways *d1, size_t first, size_t assoc,
					   uint64_t line)
{
	return shorttags_find_value(d1->low_tags + first, d1->tags + first, assoc,
				    (uint32_t)(line >> d1->line_bits), line);
}

/* Brings a line into a way, in the place of *evicted_line, or HIERARCHY_NO_LINE; that leaves the filter too. */
static ALWAYS_INLINED void replace_data_line(struct machine *machine, uint64_t line, size_t way,
					     uint64_t *evicted_line)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t evicted = d1->tags[way];
	struct filter_entry *entry = machine_filter_entry(machine, evicted);
	const struct filter_entry empty =
		machinefilter_empty(machine, (uint64_t)(entry - machine->filter));
	/*
	 * It names the line or not, half of the time, which no processor can predict: so there is no
	 * branch, but always a store.  No entry names HIERARCHY_NO_LINE.
	 */
	uint64_t *const stamps[2] = { entry->stamp, empty.stamp };
	size_t named = entry->line == evicted;

	entry->line ^= (entry->line ^ empty.line) & -(uint64_t)named;
	entry->stamp = stamps[named];
	d1->tags[way] = line;
	d1->low_tags[way] = (uint32_t)(line >> d1->line_bits);
	*evicted_line = evicted;
}

/* What is to know of lines that come and go. */
enum watch {
	WATCH_NONE,
	WATCH_ONE_VIEW, /* of TLBs, and no twins */
	WATCH_ALL,
};

static enum watch watch_of(const struct machine *machine)
{
	return machine->tlbs != NULL || machine->twins != NULL ? WATCH_ALL : WATCH_NONE;
}

/* An entry of the filter is about to name something else than what has this stamp, if it names that. */
static ALWAYS_INLINED void leave_page(struct machine *machine, enum watch watch,
				      const struct filter_entry *entry, uint64_t stamp, bool names)
{
	const size_t number = (size_t)(entry - machine->filter);

	if (watch == WATCH_ONE_VIEW)
		machinetlbs_unname_in(&machine->tlbs->views[0].first[TLB_DTLB], number, stamp,
				      names);
	else if (machine->tlbs != NULL)
		machinetlbs_unname_if(machine->tlbs, TLB_DTLB, number, stamp, names);
}

/* If something is: a line is about to lose its way, and its stamp is as it was; its page has its name taken. */
static ALWAYS_INLINED void leave_way(struct machine *machine, enum watch watch, size_t way)
{
	uint64_t line = machine->d1.tags[way];
	const struct filter_entry *entry = machine_filter_entry(machine, line);

	if (watch != WATCH_ONE_VIEW)
		machinetwins_settle_data(machine, way);
	leave_page(machine, watch, entry, machine->d1.stamps[way], entry->line == line);
}

/* What is known of D1's ways: of constants, the compiler makes a copy of its own. */
struct shape {
	size_t assoc, tree_ways;
};

static struct shape shape_of(const struct data_ways *d1)
{
	return (struct shape){ d1->assoc, d1->tree_ways };
}

/*
 * Touches one line of data; returns whether it missed, and then which line has made room, or HIERARCHY_NO_LINE.
 */
static ALWAYS_INLINED bool touch_in_set(struct machine *machine, const struct touch *touch,
					struct shape shape, enum watch watch, uint64_t *evicted)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t line = touch->line >> d1->line_bits << d1->line_bits;
	struct filter_entry *entry = machine_filter_entry(machine, line);
	size_t first = (size_t)((line >> d1->line_bits) & d1->set_mask) * shape.assoc;
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

/* The same in a D1 of any associativity. */
static bool touch_data_line(struct machine *machine, uint64_t address, uint64_t stamp)
{
	const struct touch touch = { .line = address, .stamp = stamp };
	uint64_t evicted;

	return touch_in_set(machine, &touch, shape_of(&machine->d1), watch_of(machine), &evicted);
}

/* The same in a D1 of a common associativity; these are worth copies. */
static ALWAYS_INLINED bool touch_common(struct machine *machine, uint64_t address, uint64_t stamp)
{
	const struct touch touch = { .line = address, .stamp = stamp };
	uint64_t evicted;

	return machine->d1.assoc == OLDEST_COMMON_ASSOC
		       ? touch_in_set(machine, &touch, (struct shape){ OLDEST_COMMON_ASSOC, 1 },
				      WATCH_NONE, &evicted)
		       : touch_in_set(machine, &touch, (struct shape){ OLDEST_LARGE_ASSOC, 1 },
				      WATCH_NONE, &evicted);
}

static size_t first_data_way(const struct data_ways *d1, uint64_t line)
{
	return (size_t)((line >> d1->line_bits) & d1->set_mask) * d1->assoc;
}

bool machine_has_data(const struct machine *machine, uint64_t line)
{
	const struct data_ways *d1 = &machine->d1;

	return find_data_way(d1, first_data_way(d1, line), d1->assoc, line) != d1->assoc;
}

uint32_t machine_data_way(const struct machine *machine, uint64_t line)
{
	const struct data_ways *d1 = &machine->d1;
	size_t first = first_data_way(d1, line), way = find_data_way(d1, first, d1->assoc, line);

	return way == d1->assoc ? UINT32_MAX : (uint32_t)(first + way);
}

unsigned machine_prefetch_common(struct machine *machine, uint64_t line, uint64_t stamp)
{
	const struct data_ways *d1 = &machine->d1;
	size_t first = first_data_way(d1, line), way;
	uint64_t evicted;

	if (machine_has_data(machine, line))
		return PREFETCH_HAD;
	way = first + oldest(d1->stamps + first, d1->assoc);
	replace_data_line(machine, line, way, &evicted);
	d1->stamps[way] = stamp;
	return lower_serve(&machine->lower, line, 1);
}

unsigned machine_data_lines(const struct machine *machine, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;

	return (unsigned)((size + line_size - 2) / line_size + 1);
}

/* Whether a reference that may be on several lines missed D1. */
static NEVER_INLINED bool touch_data(struct machine *machine, uint64_t address, uint64_t size,
				     uint64_t stamp)
{
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	bool missed = touch_data_line(machine, address, stamp);

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = line_size - (address & (line_size - 1)); covered < size;
	     covered += line_size) {
		if (touch_data_line(machine, address + covered, ++stamp))
			missed = true;
	}
	return missed;
}

/* Of a cache of lines of 2 to the line_bits bytes. */
static bool is_on_one_line(uint32_t line_bits, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << line_bits;

	return (address & (line_size - 1)) + size <= line_size;
}

/* --- code --------------------------------------------------------------------- */

void machine_add_code_line(struct machine *machine, struct code_line *line, uint64_t address)
{
	line->stamp = &machine->nowhere;
	line->address = address >> machine->i1.line_bits << machine->i1.line_bits;
}

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
 * With TLBs or twins, or if it was hidden, a line may be in I1 and not be named: its page, or the line, was not there.
 * Returns whether it is, touched then.
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
 * Touches one line of code, of the set that begins with this way; returns whether it missed, and then which line has made
 * room, or NULL.
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
	machinetwins_settle_code(machine, way);
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

/* Whether a fetch missed I1. */
static bool touch_code(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		       uint64_t address, uint64_t size, uint64_t stamp)
{
	const struct code_ways *i1 = &machine->i1;
	const struct code_line *evicted;
	bool missed = false;

	for (unsigned i = 0; i < n_lines; i++) {
		if (touch_code_line(machine, lines[i],
				    first_code_way(i1, address, size, n_lines - 1 - i), stamp + i,
				    &evicted))
			missed = true;
	}
	return missed;
}

/* --- a first level that is not plain ----------------------------------------------- */

/*
 * Touches a line of data, of which it is not known whether it is dirty: for the newest of its set nothing is to
 * be done.
 */
static bool touch_called_data(struct machine *machine, uint64_t line)
{
	bool missed;

	if (machine_filter_entry(machine, line)->line == line)
		return false;
	missed = cache_touch(&machine->called_d1, line);
	newest_note_data(machine, line);
	return missed;
}

/* Whether a reference missed. */
static bool touch_all_called_data(struct machine *machine, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;
	bool missed = false;

	for (uint64_t covered = 0; covered < end; covered += line_size)
		if (touch_called_data(machine, line + covered))
			missed = true;
	return missed;
}

static bool touch_all_newest_code(struct machine *machine, struct code_line *const *lines,
				  unsigned n_lines, uint64_t stamp)
{
	bool missed = false;

	for (unsigned i = 0; i < n_lines; i++)
		if (newest_touch_code(machine, lines[i], stamp + i).missed)
			missed = true;
	return missed;
}

/* --- related levels (sim/lower.h) -------------------------------------------- */

/* Returns whether it was there and dirty. */
static bool take_data_line(struct machine *machine, uint64_t line)
{
	struct data_ways *d1 = &machine->d1;
	size_t first = first_data_way(d1, line);
	size_t way = find_data_way(d1, first, d1->assoc, line);
	bool was_dirty;

	if (way == d1->assoc)
		return false;
	was_dirty = d1->written_offset != 0 &&
		    *machine_written(machine, &d1->stamps[first + way]) != 0;
	machinefilter_forget_line(machine, line);
	eviction_empty_data(machine, first + way);
	return was_dirty;
}

/* Whether this way's line is that of the last fetch since machine_evict(). */
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

static void take_code_line(struct machine *machine, uint64_t line)
{
	const struct code_ways *i1 = &machine->i1;
	size_t first = (size_t)((line >> i1->line_bits) & i1->set_mask) * i1->assoc;

	for (size_t way = first; way < first + i1->assoc; way++) {
		if (i1->lines[way] == NULL || i1->lines[way]->address != line)
			continue;
		if (!is_last_code(machine, way))
			eviction_empty_code(machine, way);
		return;
	}
}

bool machine_take_line(void *caches, uint64_t line)
{
	struct machine *machine = caches;
	bool was_dirty;

	if (is_plain_data(machine))
		was_dirty = take_data_line(machine, line);
	else
		was_dirty = newest_take_data(machine, line);
	if (is_plain_code(machine))
		take_code_line(machine, line);
	else if (machine->newest_code.lines != NULL)
		newest_take_code(machine, line);
	else if (line != machine->last_code)
		cache_take(&machine->called_i1, line);
	return was_dirty;
}

/* Touches a line of a first level that is not plain; the level that it was in, or the first one not asked. */
static unsigned touch_called(struct machine *machine, const struct touch *touch)
{
	bool is_named = !touch->is_code &&
			machine_filter_entry(machine, touch->line)->line == touch->line;
	struct cache *first = touch->is_code ? &machine->called_i1 : &machine->called_d1;
	struct lower_exchange exchange = { .line = touch->line, .is_code = touch->is_code };
	struct lower_found found = { 0 };
	struct cache_touched touched;

	if (is_named && !touch->is_write)
		return 0;
	touched = cache_touch_line(first, touch->line);
	exchange.evicted_is_dirty = touched.evicted_is_dirty;
	exchange.evicted = touched.evicted == 0 ? HIERARCHY_NO_LINE : touched.evicted - 1;
	if (!touch->is_code)
		newest_note_data(machine, touch->line);
	if (touched.missed)
		found = lower_fill(&machine->lower, &exchange);
	if (touch->is_write || found.is_dirty)
		cache_mark_dirty(first, touched.way);
	return found.level;
}

/* The same of code, where newest lines are kept. */
static unsigned touch_each_newest(struct machine *machine, struct code_line *const *lines,
				  unsigned n_lines, uint64_t stamp)
{
	unsigned deepest = 0;

	for (unsigned i = 0; i < n_lines; i++) {
		struct lower_exchange exchange = { .line = lines[i]->address, .is_code = true };
		struct cache_touched touched = newest_touch_code(machine, lines[i], stamp + i);
		unsigned served;

		if (!touched.missed)
			continue;
		exchange.evicted = touched.evicted == 0 ? HIERARCHY_NO_LINE : touched.evicted - 1;
		served = lower_fill(&machine->lower, &exchange).level;
		deepest = served > deepest ? served : deepest;
	}
	return deepest;
}

/* The same in the ways of D1. */
static unsigned touch_ways(struct machine *machine, const struct touch *touch)
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

static unsigned touch_each(struct machine *machine, struct touch touch, uint64_t address,
			   uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits; /* that of all caches */
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;
	bool is_called = touch.is_code || !is_plain_data(machine);
	unsigned deepest = 0;

	for (uint64_t covered = 0; covered < end; covered += line_size, touch.stamp++) {
		unsigned served;

		touch.line = line + covered;
		served = is_called ? touch_called(machine, &touch) : touch_ways(machine, &touch);
		deepest = served > deepest ? served : deepest;
	}
	return deepest;
}

/*
 * Most references are to one line of a D1 whose evicted lines, if they are clean, nobody asks for: no victim is
 * behind it.
 */
static bool is_simple(const struct machine *machine, uint64_t address, uint64_t size)
{
	return is_plain_data(machine) && machine->lower.inclusion[0] != INCLUSION_VICTIM &&
	       is_on_one_line(machine->d1.line_bits, address, size);
}

/* Of such a reference: whether it missed D1. */
static ALWAYS_INLINED bool touch_simple(struct machine *machine, const struct touch *touch,
					struct shape shape, enum watch watch)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t evicted = HIERARCHY_NO_LINE;
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

/* Whether two shapes are the same. */
static bool is_shape(struct shape shape, size_t assoc, size_t tree_ways)
{
	return shape.assoc == assoc && shape.tree_ways == tree_ways;
}

/* The shapes that first levels mostly have are worth copies: LRU, tree-PLRU, LRU3PLRU4. */
static ALWAYS_INLINED bool touch_any_simple(struct machine *machine, const struct touch *touch,
					    enum watch watch)
{
	enum { COMMON = OLDEST_COMMON_ASSOC, LARGE = OLDEST_LARGE_ASSOC, TREE_OF_THREE = 4 };
	const struct shape shape = shape_of(&machine->d1);

	if (is_shape(shape, COMMON, 1))
		return touch_simple(machine, touch, (struct shape){ COMMON, 1 }, watch);
	if (is_shape(shape, COMMON, COMMON))
		return touch_simple(machine, touch, (struct shape){ COMMON, COMMON }, watch);
	if (is_shape(shape, LARGE, 1))
		return touch_simple(machine, touch, (struct shape){ LARGE, 1 }, watch);
	if (is_shape(shape, LARGE, TREE_OF_THREE))
		return touch_simple(machine, touch, (struct shape){ LARGE, TREE_OF_THREE }, watch);
	return touch_simple(machine, touch, shape, watch);
}

static NEVER_INLINED unsigned data_related(struct machine *machine, uint64_t address, uint64_t size,
					   uint64_t stamp, bool is_write)
{
	const struct touch touch = { .line = address, .stamp = stamp, .is_write = is_write };
	unsigned served;

	if (is_simple(machine, address, size))
		served = watch_of(machine) == WATCH_NONE
				 ? touch_any_simple(machine, &touch, WATCH_NONE)
				 : touch_any_simple(machine, &touch, WATCH_ALL);
	else
		served = touch_each(machine, touch, address, size);
	return served == 0 ? 0 : lower_serve_related(&machine->lower, served, address, size);
}

static unsigned touch_all_code(struct machine *machine, struct code_line *const *lines,
			       unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp)
{
	const struct code_ways *i1 = &machine->i1;
	unsigned deepest = 0;

	for (unsigned i = 0; i < n_lines; i++) {
		struct lower_exchange exchange = { .line = lines[i]->address, .is_code = true };
		const size_t first = first_code_way(i1, address, size, n_lines - 1 - i);
		const struct code_line *evicted;
		unsigned served;

		if (!touch_code_line(machine, lines[i], first, stamp + i, &evicted))
			continue;
		exchange.evicted = evicted != NULL ? evicted->address : HIERARCHY_NO_LINE;
		served = lower_fill(&machine->lower, &exchange).level;
		deepest = served > deepest ? served : deepest;
	}
	return deepest;
}

static NEVER_INLINED unsigned fetch_related(struct machine *machine, struct code_line *const *lines,
					    unsigned n_lines, uint64_t address, uint64_t size,
					    uint64_t stamp)
{
	uint64_t last = address + size - 1;
	unsigned served;

	if (is_plain_code(machine)) {
		/* Where no victim is behind it, nobody asks for what it evicts. */
		served = machine->lower.inclusion[0] != INCLUSION_VICTIM
				 ? touch_code(machine, lines, n_lines, address, size, stamp)
				 : touch_all_code(machine, lines, n_lines, address, size, stamp);
	} else if (machine->newest_code.lines != NULL) {
		served = touch_each_newest(machine, lines, n_lines, stamp);
	} else {
		machine->last_code = last >> machine->i1.line_bits << machine->i1.line_bits;
		served = touch_each(machine, (struct touch){ .is_code = true }, address, size);
	}
	return lower_serve_related(&machine->lower, served, address, size);
}

/* --- references ----------------------------------------------------------------- */

/* What the caches do. */
static ALWAYS_INLINED unsigned serve_data(struct machine *machine, uint64_t address, uint64_t size,
					  uint64_t stamp, bool is_write)
{
	bool missed;

	if (machine->lower.are_related)
		return data_related(machine, address, size, stamp, is_write);
	if (is_plain_data(machine))
		missed = touch_data(machine, address, size, stamp);
	else
		missed = touch_all_called_data(machine, address, size);
	return missed ? lower_serve(&machine->lower, address, size) : 0;
}

unsigned machine_bring_data(struct machine *machine, uint64_t line, uint64_t stamp)
{
	return serve_data(machine, line, 1, stamp, false);
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

/* What lower levels do for a reference to one line that missed the first one, behind which is no victim. */
static ALWAYS_INLINED unsigned serve_simple(struct machine *machine, uint64_t address,
					    uint64_t size)
{
	struct lower_levels *lower = &machine->lower;

	if (!lower->are_related)
		return lower_serve(lower, address, size);
	if (cache_touch_found(&lower->caches[0], address))
		return 1;
	return lower_serve_related(lower, 1, address, size);
}

/* Most references are to one line, of a page that was used not long ago. */
static NEVER_INLINED unsigned data_with_tlbs(struct machine *machine, uint64_t address,
					     uint64_t size, uint64_t stamp)
{
	const struct touch touch = { .line = address, .stamp = stamp };
	size_t number = (size_t)(machine_filter_entry(machine, address) - machine->filter);
	uint32_t page = 0;
	bool missed;
	unsigned served;

	if (is_simple(machine, address, size))
		page = machinetlbs_touch_recent(machine->tlbs, TLB_DTLB, address, stamp);
	if (page == 0)
		return data_translated(machine, address, size, stamp, false);
	machine->missed_pages = 0;
	missed = machine->twins == NULL ? touch_any_simple(machine, &touch, WATCH_ONE_VIEW)
					: touch_any_simple(machine, &touch, WATCH_ALL);
	served = missed ? serve_simple(machine, address, size) : 0;
	machinetlbs_set_name(&machine->tlbs->views[0].first[TLB_DTLB], number, page);
	return served;
}

/* With twins. */
static NEVER_INLINED unsigned data_with_twin(struct machine *machine, uint64_t address,
					     uint64_t size, uint64_t stamp, bool is_write)
{
	const struct touch touch = { .line = address, .stamp = stamp };
	unsigned served;

	if (machine->tlbs != NULL)
		served = is_write ? data_translated(machine, address, size, stamp, true)
				  : data_with_tlbs(machine, address, size, stamp);
	else if (!machine->lower.are_related && is_simple(machine, address, size))
		served = touch_any_simple(machine, &touch, WATCH_ALL)
				 ? lower_serve(&machine->lower, address, size)
				 : 0;
	else
		served = serve_data(machine, address, size, stamp, is_write);
	machinetwins_touch_data(machine, address, size, stamp);
	return served;
}

unsigned machine_data(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	lower_prepare(&machine->lower, address);
	if (machine->d1.has_common_miss && is_on_one_line(machine->d1.line_bits, address, size))
		return touch_common(machine, address, stamp)
			       ? lower_serve(&machine->lower, address, size)
			       : 0;
	if (machine->twins != NULL)
		return data_with_twin(machine, address, size, stamp, false);
	if (machine->tlbs != NULL)
		return data_with_tlbs(machine, address, size, stamp);
	return serve_data(machine, address, size, stamp, false);
}

unsigned machine_write(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	if (!machine->lower.are_related)
		return machine_data(machine, address, size, stamp);
	lower_prepare(&machine->lower, address);
	if (machine->twins != NULL)
		return data_with_twin(machine, address, size, stamp, true);
	return machine->tlbs != NULL ? data_translated(machine, address, size, stamp, true)
				     : data_related(machine, address, size, stamp, true);
}

void machine_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	/* Of a plain D1, being touched again by the same stamp changes nothing. */
	if (!is_plain_data(machine) && cache_mark_all_dirty(&machine->called_d1, address, size))
		return;
	serve_data(machine, address, size, stamp, true);
	if (machine->tlbs != NULL)
		machinetlbs_name_again(machine, address, size);
	if (machine->twins != NULL)
		machinetwins_modify(machine, address, size, stamp);
}

static unsigned serve_fetch(struct machine *machine, struct code_line *const *lines,
			    unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp)
{
	bool missed;

	if (machine->lower.are_related)
		return fetch_related(machine, lines, n_lines, address, size, stamp);
	if (is_plain_code(machine))
		missed = touch_code(machine, lines, n_lines, address, size, stamp);
	else if (machine->newest_code.lines != NULL)
		missed = touch_all_newest_code(machine, lines, n_lines, stamp);
	else
		missed = cache_touch_all(&machine->called_i1, address, size);
	return missed ? lower_serve(&machine->lower, address, size) : 0;
}

/* With TLBs.  As with data, most are of one line, of a page that was used not long ago. */
static NEVER_INLINED unsigned fetch_with_tlbs(struct machine *machine,
					      struct code_line *const *lines, unsigned n_lines,
					      uint64_t address, uint64_t size, uint64_t stamp)
{
	struct first_tlb *itlb = &machine->tlbs->views[0].first[TLB_ITLB];
	const struct code_line *evicted;
	unsigned served = 0;
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
	if (touch_code_line(machine, lines[0], first_code_way(&machine->i1, address, size, 0),
			    stamp, &evicted))
		served = serve_simple(machine, address, size);
	way = (size_t)(lines[0]->stamp - machine->i1.stamps);
	if (itlb->entries[way] == 0)
		machinetlbs_set_name(itlb, way, page);
	return served;
}

unsigned machine_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		       uint64_t address, uint64_t size, uint64_t stamp)
{
	unsigned served;

	lower_prepare(&machine->lower, address);
	served = machine->tlbs != NULL
			 ? fetch_with_tlbs(machine, lines, n_lines, address, size, stamp)
			 : serve_fetch(machine, lines, n_lines, address, size, stamp);
	if (machine->twins != NULL)
		machinetwins_touch_code(machine, lines, n_lines, address, size, stamp);
	return served;
}
