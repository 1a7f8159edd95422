/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/prefetch/prefetchers.h"

#include "sim/shorttags.h"

/*
 * --- a prefetcher -----------------------------------------------------------------------
 *
 * A stream of distance 4 and degree 2:
 *
 *	line seen	10  11  12     13     14     15
 *	steps		 0   1   2      2      2      2
 *	asked for		13 14  15 16  17 18   19
 */

enum { STREAM_STEPS = 2 };

void prefetch_init(struct prefetch_unit *unit, const struct prefetch_config *config)
{
	*unit = (struct prefetch_unit){ .config = *config };
	while (UINT32_C(1) << unit->line_bits < config->line_size)
		unit->line_bits++;
}

static uint64_t page_of(const struct prefetch_unit *unit, uint64_t line)
{
	return line >> (PREFETCH_PAGE_BITS - unit->line_bits);
}

/* A line of the same page as another; returns whether it is. */
static bool ask(const struct prefetch_unit *unit, uint64_t line, uint64_t wanted,
		struct prefetch_list *list)
{
	/* Numbers wrap around where addresses do, with their upper bits lost. */
	wanted = wanted << unit->line_bits >> unit->line_bits;
	if (page_of(unit, line) != page_of(unit, wanted))
		return false;
	list->lines[list->n++] = wanted << unit->line_bits;
	return true;
}

/* The record of a page; a new one replaces the one that was seen longest ago. */
static struct prefetch_page *find_page(struct prefetch_unit *unit, uint64_t line)
{
	struct prefetch_page *oldest = &unit->u.pages[0];
	uint64_t page = page_of(unit, line);

	for (uint32_t i = 0; i < unit->config.streams; i++) {
		struct prefetch_page *at = &unit->u.pages[i];

		if (at->used != 0 && at->page == page)
			return at;
		if (at->used < oldest->used)
			oldest = at;
	}
	*oldest = (struct prefetch_page){ .page = page, .last = line };
	return oldest;
}

static void watch_stream(struct prefetch_unit *unit, uint64_t line, struct prefetch_list *list)
{
	struct prefetch_page *page = find_page(unit, line);
	int direction = (line > page->last) - (line < page->last);
	uint64_t last = page->last;
	int64_t ahead;

	page->used = ++unit->clock;
	if (direction == 0)
		return;
	page->last = line;
	if (direction != page->direction) {
		page->direction = direction;
		page->steps = 1;
		return;
	}
	if (page->steps < STREAM_STEPS) {
		page->steps = STREAM_STEPS;
		page->sent = last;
	}
	/* How far ahead of this line was asked for; a long step may be beyond that. */
	ahead = (int64_t)(page->sent - line) * direction;
	if (ahead < 0)
		ahead = 0;
	while (ahead < (int64_t)unit->config.distance && list->n < unit->config.degree) {
		uint64_t wanted = line + (uint64_t)(++ahead * direction);

		if (!ask(unit, line, wanted, list))
			break;
		page->sent = wanted;
	}
}

static void watch_next(struct prefetch_unit *unit, uint64_t line, struct prefetch_list *list)
{
	bool is_ascending = unit->u.recent[(line - 1) % PREFETCH_RECENT] == line;

	unit->u.recent[line % PREFETCH_RECENT] = line + 1;
	for (uint32_t i = 1; is_ascending && i <= unit->config.degree; i++)
		if (!ask(unit, line, line + i, list))
			break;
}

static void watch_ip(struct prefetch_unit *unit, uint64_t line, uint64_t ip,
		     struct prefetch_list *list)
{
	struct prefetch_ip *set = &unit->u.ips[ip % PREFETCH_IP_SETS * PREFETCH_IP_WAYS];
	struct prefetch_ip *at = &set[0];
	int64_t stride = 0;

	for (unsigned way = 0; way < PREFETCH_IP_WAYS; way++) {
		if (set[way].used != 0 && set[way].ip == ip) {
			at = &set[way];
			break;
		}
		if (set[way].used < at->used)
			at = &set[way];
	}
	if (at->used != 0 && at->ip == ip) {
		stride = (int64_t)(line - at->last);
		for (uint32_t i = 1;
		     stride != 0 && stride == at->stride && i <= unit->config.degree; i++) {
			if (!ask(unit, line, line + i * (uint64_t)stride, list))
				break;
		}
	}
	*at = (struct prefetch_ip){ ip, ++unit->clock, line, stride };
}

void prefetch_watch(struct prefetch_unit *unit, uint64_t address, uint64_t ip,
		    struct prefetch_list *list)
{
	uint64_t line = address >> unit->line_bits;

	list->n = 0;
	switch (unit->config.kind) {
	case PREFETCH_NEXT_LINE:
		watch_next(unit, line, list);
		break;
	case PREFETCH_ADJACENT_LINE:
		ask(unit, line, line ^ 1, list);
		break;
	case PREFETCH_STREAM:
		watch_stream(unit, line, list);
		break;
	case PREFETCH_IP_STRIDE:
		watch_ip(unit, line, ip, list);
		break;
	}
}

/* --- lines that were prefetched ---------------------------------------------------------- */

static size_t places(const struct prefetched_shape *shape)
{
	return (size_t)shape->sets.n * shape->assoc;
}

size_t prefetched_memory_size(const struct prefetched_shape *shape)
{
	size_t place = sizeof(uint64_t) + sizeof(struct prefetched_line) + sizeof(uint32_t);
	size_t size = places(shape) * place + (size_t)shape->sets.n * sizeof(uint16_t);

	return aligned_size(size);
}

void prefetched_init(struct prefetched *prefetched, const struct prefetched_shape *shape,
		     void *memory)
{
	prefetched->shape = *shape;
	prefetched->addresses = memory;
	prefetched->lines = (void *)(prefetched->addresses + places(shape));
	prefetched->low_tags = (void *)(prefetched->lines + places(shape));
	prefetched->counts = (void *)(prefetched->low_tags + places(shape));
}

static inline size_t set_of(const struct prefetched *prefetched, uint64_t line)
{
	uint64_t number = line >> prefetched->shape.line_bits;

	return (size_t)sets_place(&prefetched->shape.sets, number).set;
}

/* Frees a place: another line of the set moves there. */
static void take(struct prefetched *prefetched, size_t set, size_t place)
{
	size_t last = set * prefetched->shape.assoc + --prefetched->counts[set];

	prefetched->addresses[place] = prefetched->addresses[last];
	prefetched->low_tags[place] = prefetched->low_tags[last];
	prefetched->lines[place] = prefetched->lines[last];
}

static inline uint32_t low_tag_of(const struct prefetched *prefetched, uint64_t line)
{
	return (uint32_t)(line >> prefetched->shape.line_bits);
}

/* The place of a line in its set; SIZE_MAX if it has none. */
static inline size_t find(const struct prefetched *prefetched, size_t set, uint64_t line)
{
	const size_t first = set * prefetched->shape.assoc, n = prefetched->counts[set];
	size_t place = shorttags_find_value(prefetched->low_tags + first,
					    prefetched->addresses + first, n,
					    low_tag_of(prefetched, line), line);

	return place < n ? first + place : SIZE_MAX;
}

bool prefetched_take(struct prefetched *prefetched, uint64_t line, struct prefetched_line *known)
{
	size_t set = set_of(prefetched, line), place = find(prefetched, set, line);

	if (place == SIZE_MAX)
		return false;
	*known = prefetched->lines[place];
	take(prefetched, set, place);
	return true;
}

static void sweep_set(struct prefetched *prefetched, size_t set,
		      const struct prefetched_sweep *sweep)
{
	size_t first = set * prefetched->shape.assoc;

	/* From the end, so that what comes into a place has been asked for. */
	for (size_t place = first + prefetched->counts[set]; place-- > first;) {
		if (sweep->is_resident(sweep->ctx, prefetched->addresses[place]))
			continue;
		sweep->unused(sweep->ctx, prefetched->lines[place].trigger);
		take(prefetched, set, place);
	}
}

void prefetched_add(struct prefetched *prefetched, uint64_t line, struct prefetched_line known,
		    const struct prefetched_sweep *sweep)
{
	size_t set = set_of(prefetched, line), place = find(prefetched, set, line);

	if (place != SIZE_MAX) {
		sweep->unused(sweep->ctx, prefetched->lines[place].trigger);
		prefetched->lines[place] = known;
		return;
	}
	if (prefetched->counts[set] == prefetched->shape.assoc)
		sweep_set(prefetched, set, sweep);
	place = set * prefetched->shape.assoc + prefetched->counts[set]++;
	prefetched->addresses[place] = line;
	prefetched->low_tags[place] = low_tag_of(prefetched, line);
	prefetched->lines[place] = known;
}

void prefetched_sweep(struct prefetched *prefetched, const struct prefetched_sweep *sweep)
{
	for (size_t set = 0; set < prefetched->shape.sets.n; set++)
		sweep_set(prefetched, set, sweep);
}

/* --- levels -------------------------------------------------------------------------------- */

enum { MOST_SEEN = 64 }; /* lines of a reference */

/* True if lines are brought into a level for its own sake: by units, or by instructions. */
static bool is_filled(const struct prefetchers_config *config, unsigned level)
{
	if (level <= PREFETCHERS_MAX_ASKED)
		return true;
	for (unsigned i = 0; i < config->n; i++)
		if (config->units[i].level == level)
			return true;
	return false;
}

size_t prefetchers_memory_size(const struct prefetchers_config *config,
			       const struct prefetched_shape *levels, unsigned n_levels)
{
	size_t size = 0;

	for (unsigned i = 0; i < n_levels; i++)
		if (is_filled(config, i))
			size += prefetched_memory_size(&levels[i]);
	return size;
}

static void init_levels(struct prefetchers *prefetchers, const struct prefetchers_config *config,
			const struct prefetched_shape *levels, void *memory)
{
	unsigned char *next = memory;

	for (unsigned i = 0; i < prefetchers->n_levels; i++) {
		struct prefetchers_level *level = &prefetchers->levels[i];
		uint32_t line_size = UINT32_C(1) << levels[i].line_bits;

		level->line_bits = levels[i].line_bits;
		level->is_filled = is_filled(config, i);
		if (line_size < prefetchers->least_line)
			prefetchers->least_line = line_size;
		if (!level->is_filled)
			continue;
		prefetched_init(&level->lines, &levels[i], next);
		next += prefetched_memory_size(&levels[i]);
	}
}

void prefetchers_init(struct prefetchers *prefetchers, const struct prefetchers_config *config,
		      const struct prefetched_shape *levels, unsigned n_levels,
		      const struct prefetch_caches *caches, void *memory)
{
	*prefetchers = (struct prefetchers){
		.n_levels = n_levels,
		.n_units = config->n,
		.least_line = UINT32_MAX,
		.caches = *caches,
	};
	init_levels(prefetchers, config, levels, memory);
	for (unsigned i = 0; i < config->n; i++) {
		prefetchers->of_unit[i] = config->units[i].level;
		prefetch_init(&prefetchers->units[i], &config->units[i].config);
	}
}

static unsigned most_asked(const struct prefetch_config *config)
{
	return config->kind == PREFETCH_ADJACENT_LINE ? 1 : config->degree;
}

unsigned prefetchers_most_first(const struct prefetchers_config *config, unsigned n_lines)
{
	unsigned most = 0;

	for (unsigned i = 0; i < config->n; i++)
		if (config->units[i].level == 0)
			most += most_asked(&config->units[i].config);
	return most * (n_lines < MOST_SEEN ? n_lines : MOST_SEEN);
}

static uint64_t line_of(const struct prefetchers_level *level, uint64_t address)
{
	return address >> level->line_bits << level->line_bits;
}

/* How many lines of a level a reference is on, at most 64. */
static unsigned count_lines(const struct prefetchers_level *level,
			    const struct prefetch_reference *reference)
{
	uint64_t before = reference->address - line_of(level, reference->address);
	uint64_t n = ((before + reference->size - 1) >> level->line_bits) + 1;

	return n < MOST_SEEN ? (unsigned)n : MOST_SEEN;
}

/* Addresses may wrap around. */
static uint64_t nth_line(const struct prefetchers_level *level,
			 const struct prefetch_reference *reference, unsigned n)
{
	return line_of(level, reference->address) + ((uint64_t)n << level->line_bits);
}

/*
 * A level is asked for a line, which it had or not (was_absent).  Returns true if the line had been prefetched, and not
 * been used.
 */
static bool use(struct prefetchers *prefetchers, unsigned level, uint64_t line, uint64_t now,
		bool was_absent)
{
	struct prefetchers_level *at = &prefetchers->levels[level];
	struct prefetched_line known;

	if (!at->is_filled || !prefetched_may_have(&at->lines, line) ||
	    !prefetched_take(&at->lines, line, &known))
		return false;
	if (was_absent) {
		prefetchers->caches.sink(known.trigger, PREFETCH_OUTCOME_UNUSED);
		return false;
	}
	prefetchers->caches.sink(known.trigger, PREFETCH_OUTCOME_USED);
	if (now - known.time < PREFETCHERS_LATE)
		prefetchers->caches.sink(known.trigger, PREFETCH_OUTCOME_LATE);
	return true;
}

/* --- lines that have left ---------------------------------------------------------------- */

struct sweep {
	const struct prefetchers *prefetchers;
	unsigned level;
};

static bool is_resident(void *ctx, uint64_t line)
{
	const struct sweep *sweep = ctx;
	const struct prefetch_caches *caches = &sweep->prefetchers->caches;

	return caches->has(caches->caches, sweep->level, line);
}

static void tell_unused(void *ctx, void *trigger)
{
	const struct sweep *sweep = ctx;

	sweep->prefetchers->caches.sink(trigger, PREFETCH_OUTCOME_UNUSED);
}

void prefetchers_sweep(struct prefetchers *prefetchers)
{
	for (unsigned i = 0; i < prefetchers->n_levels; i++) {
		struct sweep ctx = { prefetchers, i };
		const struct prefetched_sweep sweep = { is_resident, tell_unused, &ctx };

		if (prefetchers->levels[i].is_filled)
			prefetched_sweep(&prefetchers->levels[i].lines, &sweep);
	}
}

/* --- bringing lines in -------------------------------------------------------------------- */

static void show(struct prefetchers *prefetchers, unsigned level, uint64_t line,
		 const struct prefetch_request *request);

static void bring(struct prefetchers *prefetchers, unsigned level, uint64_t line,
		  const struct prefetch_request *request)
{
	struct sweep ctx = { prefetchers, level };
	const struct prefetched_sweep sweep = { is_resident, tell_unused, &ctx };
	unsigned served = prefetchers->caches.bring(prefetchers->caches.caches, level, line);
	unsigned seen = 0;

	if (served == PREFETCH_HAD)
		return;
	prefetchers->caches.sink(request->trigger, PREFETCH_OUTCOME_ASKED);
	prefetched_add(&prefetchers->levels[level].lines, line,
		       (struct prefetched_line){ request->now, request->trigger }, &sweep);
	/* Lower levels were asked as far as the line had to come from there. */
	for (unsigned i = level + 1; i <= served && i < prefetchers->n_levels; i++) {
		uint64_t wanted = line_of(&prefetchers->levels[i], line);

		if (use(prefetchers, i, wanted, request->now, served > i) || served > i)
			seen |= 1U << i;
	}
	for (unsigned i = level + 1; seen >> i != 0; i++)
		if ((seen >> i & 1) != 0)
			show(prefetchers, i, line_of(&prefetchers->levels[i], line), request);
}

/* Units of a level see a line. */
static void show(struct prefetchers *prefetchers, unsigned level, uint64_t line,
		 const struct prefetch_request *request)
{
	struct prefetch_list list;

	for (unsigned i = 0; i < prefetchers->n_units; i++) {
		if (prefetchers->of_unit[i] != level)
			continue;
		prefetch_watch(&prefetchers->units[i], line, request->ip, &list);
		for (unsigned j = 0; j < list.n; j++)
			bring(prefetchers, level, list.lines[j], request);
	}
}

void prefetchers_ask(struct prefetchers *prefetchers, unsigned level, uint64_t address,
		     const struct prefetch_request *request)
{
	bring(prefetchers, level, line_of(&prefetchers->levels[level], address), request);
}

/* --- references --------------------------------------------------------------------------- */

/* The first level that a reference asks which has units. */
static unsigned first_asked(const struct prefetch_reference *reference)
{
	return reference->is_code ? 1 : 0;
}

void prefetchers_look_at_lines(struct prefetchers *prefetchers,
			       const struct prefetch_reference *reference)
{
	const struct prefetch_caches *caches = &prefetchers->caches;

	for (unsigned i = first_asked(reference); i < prefetchers->n_levels; i++) {
		struct prefetchers_level *level = &prefetchers->levels[i];
		unsigned n = level->is_filled ? count_lines(level, reference) : 0;

		level->absent = 0;
		for (unsigned at = 0; at < n; at++) {
			uint64_t line = nth_line(level, reference, at);

			if (prefetched_may_have(&level->lines, line) &&
			    !caches->has(caches->caches, i, line))
				level->absent |= UINT64_C(1) << at;
		}
	}
}

/* Levels that a reference has asked are those before this one. */
static unsigned end_asked(const struct prefetchers *prefetchers, unsigned served)
{
	return served < prefetchers->n_levels ? served + 1 : prefetchers->n_levels;
}

static void use_lines(struct prefetchers *prefetchers, unsigned level,
		      const struct prefetch_reference *reference, bool has_missed)
{
	struct prefetchers_level *at = &prefetchers->levels[level];
	unsigned n = count_lines(at, reference);

	at->seen = has_missed ? UINT64_MAX >> (MOST_SEEN - n) : 0;
	for (unsigned line = 0; line < n; line++)
		if (use(prefetchers, level, nth_line(at, reference, line), reference->now,
			(at->absent >> line & 1) != 0))
			at->seen |= UINT64_C(1) << line;
}

/* All uses come before any prefetch, which may evict what was used. */
bool prefetchers_use(struct prefetchers *prefetchers, const struct prefetch_reference *reference,
		     unsigned served)
{
	unsigned end = end_asked(prefetchers, served);
	bool is_seen = false;

	for (unsigned i = first_asked(reference); i < end; i++) {
		struct prefetchers_level *level = &prefetchers->levels[i];
		bool was_absent = served > i;

		if (!prefetchers->is_on_one_line) {
			use_lines(prefetchers, i, reference, was_absent);
		} else {
			level->seen = was_absent;
			if (use(prefetchers, i, line_of(level, reference->address), reference->now,
				was_absent))
				level->seen = 1;
		}
		is_seen |= level->seen != 0;
	}
	return is_seen;
}

void prefetchers_show(struct prefetchers *prefetchers, const struct prefetch_reference *reference,
		      unsigned served, const struct prefetch_request *request)
{
	for (unsigned i = end_asked(prefetchers, served); i-- > first_asked(reference);) {
		const struct prefetchers_level *level = &prefetchers->levels[i];

		for (uint64_t seen = level->seen; seen != 0; seen &= seen - 1)
			show(prefetchers, i,
			     nth_line(level, reference, (unsigned)__builtin_ctzll(seen)), request);
	}
}
