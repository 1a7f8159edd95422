/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References are cut into the lines of each level anew, as in sim/lower.c. */
#include "sim/lastlevel.h"

#include "sim/basics.h"

/*
 * --- caches whose lines have records --------------------------------------------------
 *
 * Records are too large to be moved about, as tags are; their slots move with the tags.
 */

static size_t records_size(const struct cache_geometry *geometry)
{
	return aligned_size((size_t)geometry_lines(geometry) * sizeof(struct line));
}

static size_t slots_size(const struct cache_geometry *geometry)
{
	return aligned_size((size_t)geometry_lines(geometry) * sizeof(uint32_t));
}

static size_t lines_memory_size(const struct cache_config *config)
{
	return records_size(&config->geometry) + slots_size(&config->geometry) +
	       cache_memory_size(config);
}

static void lines_init(struct lines *lines, const struct cache_config *config, void *memory)
{
	const struct cache_geometry *geometry = &config->geometry;
	unsigned char *next = memory;
	uint32_t *slots;

	lines->lines = memory;
	next += records_size(geometry);
	slots = (uint32_t *)(void *)next;
	next += slots_size(geometry);
	cache_init(&lines->cache, config, next);
	cache_keep_slots(&lines->cache, slots);
	for (size_t i = 0; i < (size_t)geometry_lines(geometry); i++)
		slots[i] = (uint32_t)(i % geometry->assoc);
}

size_t lines_count(const struct lines *lines)
{
	return cache_ways(&lines->cache);
}

static void lines_evict(struct lines *lines, struct address_range range)
{
	for (size_t i = 0; i < lines_count(lines); i++) {
		struct line *line = &lines->lines[i];

		if (line->tag != 0 &&
		    address_range_meets(range, line_address(line), lines->cache.line_bits))
			*line = (struct line){ .tag = 0 };
	}
	cache_evict(&lines->cache, range);
}

/* The record of the line in this way of the set of an address. */
static struct line *record_at(const struct lines *lines, uint64_t address, size_t way)
{
	return &lines->lines[cache_set(&lines->cache, address) + lines->cache.slots[way]];
}

struct line *lines_find(const struct lines *lines, uint64_t address)
{
	size_t way = cache_find(&lines->cache, address);

	return way == SIZE_MAX ? NULL : record_at(lines, address, way);
}

struct line *lines_touch(struct lines *lines, uint64_t address, struct line *evicted, bool *missed)
{
	struct line *line = lines_newest(lines, address);
	struct cache_touched touched;

	evicted->tag = 0;
	*missed = false;
	if (line != NULL) /* nearly always */
		return line;
	touched = cache_touch_line(&lines->cache, address);
	line = record_at(lines, address, touched.way);
	if (touched.missed) {
		*missed = true;
		*evicted = *line;
		*line = (struct line){ .tag = lines->cache.tags[touched.way] };
	}
	return line;
}

/*
 * --- uses of lines --------------------------------------------------------------------
 *
 * Levels may have lines of different sizes, so parts are passed on as bytes:
 *
 *	D1, 32 bytes	|..##|		parts of 1 byte
 *	LL, 64 bytes	|.#......|	parts of 2 bytes
 */

enum {
	USES_COST = 1000,
};

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Marks the parts that hold size bytes, all of them in the line, from offset on. */
static void mark(const struct lines *lines, struct line *line, uint64_t offset, uint64_t size)
{
	line->used |= lineuse_parts(lines, offset, size);
}

/* A use of size bytes (1 or more) at address, as far as they lie in the line. */
static void lineuse_mark(const struct lines *lines, struct line *line, uint64_t address,
			 uint64_t size)
{
	uint64_t line_size = lines_size(lines);
	uint64_t offset = address - line_address(line);

	line->n_uses++;
	if (offset < line_size) { /* begins in the line */
		mark(lines, line, offset, min(size, line_size - offset));
		return;
	}
	/* Begins -offset bytes before it. */
	mark(lines, line, 0, min(size + offset, line_size));
}

/* Gives the uses of a line of the first level to one of the last level that shares bytes with it. */
static void lineuse_pass(const struct lines *first, const struct line *from,
			 const struct lines *last, struct line *to)
{
	uint64_t part = UINT64_C(1) << lineuse_part_bits(first);
	/* Distances from the line of the last level; one of the two is 0 or less. */
	int64_t begin = (int64_t)(line_address(from) - line_address(to));
	int64_t to_size = (int64_t)lines_size(last);
	bool passed = false;

	for (unsigned i = 0; i < LINEUSE_PARTS; i++) {
		int64_t low = begin + (int64_t)(i * part);
		int64_t high = low + (int64_t)part;

		if ((from->used >> i & 1) == 0 || high <= 0 || low >= to_size)
			continue;
		if (low < 0)
			low = 0;
		if (high > to_size)
			high = to_size;
		mark(last, to, (uint64_t)low, (uint64_t)(high - low));
		passed = true;
	}
	if (passed)
		to->n_uses += from->n_uses;
}

/*
 * The resident lines of the last level that share bytes with a line of the first: each call returns the next one, NULL
 * when there are no more.  *covered is 0 at first, and then the bytes that were looked at.
 */
static struct line *lineuse_next_shared(const struct lines *first, const struct line *line,
					const struct lines *last, uint64_t *covered)
{
	uint64_t size = lines_size(first);
	uint64_t step = min(size, lines_size(last));
	struct line *shared = NULL;

	for (; shared == NULL && *covered < size; *covered += step)
		shared = lines_find(last, line_address(line) + *covered);
	return shared;
}

static void lineuse_pass_on(const struct lines *first, const struct line *from,
			    const struct lines *last)
{
	uint64_t covered = 0;
	struct line *to;

	while ((to = lineuse_next_shared(first, from, last, &covered)) != NULL)
		lineuse_pass(first, from, last, to);
}

/*
 * How many parts were used: by adding up bits side by side, as the compiler's own function for
 * this is in a library that the tool has and others need not.
 */
static uint64_t n_used(const struct line *line)
{
	uint32_t sums = line->used - (line->used >> 1 & 0x55555555);

	sums = (sums & 0x33333333) + (sums >> 2 & 0x33333333);
	sums = (sums + (sums >> 4)) & 0x0f0f0f0f;
	return sums * UINT32_C(0x01010101) >> 24;
}

/* Sends what a line has cost to the sink, if it was used. */
static void lineuse_charge(const struct lines *lines, const struct line *line, unsigned level,
			   const struct line_sink *sink)
{
	struct line_cost cost;

	if (line->n_uses == 0)
		return;
	cost = (struct line_cost){
		.loader = line->loader,
		.level = level,
		/* A division of 64 bits takes long, and what is larger than the dividend gives 0. */
		.access_cost = line->n_uses > USES_COST ? 0 : USES_COST / (uint32_t)line->n_uses,
		.space_loss = lines_size(lines) - (n_used(line) << lineuse_part_bits(lines)),
	};
	sink->take(sink->ctx, &cost);
}

/* --- the prefetcher ------------------------------------------------------------------ */

/*
 * A step against the run, or away from it, ends it without beginning another
 * one: it takes two steps more.
 *
 *	lines seen	7  8  9 10  9  8  7  6
 *	run		0  1  2  2  0 -1 -2 -2
 *	fetched		      14 15       2  1
 */

enum {
	PAGE_BITS = 12,
	RUN_LENGTH = 2, /* steps from which on it fetches */
};

/* No line has this number, nor one of its neighbours: lines have 16 bytes at least. */
static const uint64_t NEVER_SEEN = UINT64_MAX / 2;

void hwpref_init(struct hwpref *prefetcher, uint32_t line_bits)
{
	prefetcher->line_bits = line_bits;
	for (unsigned i = 0; i < HWPREF_STREAMS; i++)
		prefetcher->streams[i] = (struct prefetch_stream){ .last = NEVER_SEEN };
}

/* The run after a step of -1, 0 or 1; 0 is a jump elsewhere. */
static int next_run(int run, int step)
{
	if (run * step > 0)
		return RUN_LENGTH * step;
	return run == 0 ? step : 0;
}

int hwpref_watch(struct hwpref *prefetcher, uint64_t address)
{
	uint64_t line = address >> prefetcher->line_bits;
	struct prefetch_stream *stream =
		&prefetcher->streams[(address >> PAGE_BITS) % HWPREF_STREAMS];
	uint64_t last = stream->last;

	if (line == last)
		return 0;
	stream->last = line;
	stream->run = next_run(stream->run, (line == last + 1) - (line + 1 == last));
	return stream->run / RUN_LENGTH * HWPREF_DISTANCE;
}

/* --- the last level ------------------------------------------------------------------ */

size_t lastlevel_memory_size(const struct hierarchy_config *config,
			     const struct lastlevel_options *options)
{
	size_t size = lines_memory_size(hierarchy_last(config));

	if (options->uses)
		size += lines_memory_size(&config->i1) + lines_memory_size(&config->d1);
	return size;
}

void lastlevel_init(struct last_level *last, const struct hierarchy_config *config,
		    const struct lastlevel_options *options, const struct line_sink *sink,
		    void *space)
{
	const struct cache_config *ll = hierarchy_last(config);
	unsigned char *next = space;

	*last = (struct last_level){ .options = *options };
	if (sink != NULL)
		last->sink = *sink;
	lines_init(&last->ll, ll, next);
	hwpref_init(&last->prefetcher, last->ll.cache.line_bits);
	if (!options->uses)
		return;
	next += lines_memory_size(ll);
	lines_init(&last->i1, &config->i1, next);
	next += lines_memory_size(&config->i1);
	lines_init(&last->d1, &config->d1, next);
}

/* A line of a first level goes. */
static void retire_first(const struct last_level *last, const struct lines *first,
			 const struct line *line)
{
	lineuse_charge(first, line, 1, &last->sink);
	lineuse_pass_on(first, line, &last->ll);
}

static void evict_first(const struct last_level *last, struct lines *first,
			struct address_range range)
{
	size_t n = lines_count(first);

	for (size_t i = 0; i < n; i++) {
		const struct line *line = &first->lines[i];

		if (line->tag != 0 &&
		    address_range_meets(range, line_address(line), first->cache.line_bits))
			retire_first(last, first, line);
	}
	lines_evict(first, range);
}

void lastlevel_evict(struct last_level *last, struct address_range range)
{
	size_t n = lines_count(&last->ll);

	if (last->options.uses) {
		evict_first(last, &last->i1, range);
		evict_first(last, &last->d1, range);
	}
	for (size_t i = 0; i < n && last->options.uses; i++) {
		const struct line *line = &last->ll.lines[i];

		if (line->tag != 0 &&
		    address_range_meets(range, line_address(line), last->ll.cache.line_bits))
			lineuse_charge(&last->ll, line, 2, &last->sink);
	}
	lines_evict(&last->ll, range);
	if (range.first == 0 && range.last == UINT64_MAX)
		hwpref_init(&last->prefetcher, last->ll.cache.line_bits);
}

/* Whom to charge for a line that a reference has loaded. */
static struct loader loader_of(const struct last_level *last,
			       const struct lastlevel_reference *reference, unsigned level)
{
	const struct line_sink *sink = &last->sink;

	return sink->came == NULL ? reference->loader : sink->came(sink->ctx, reference, level);
}

/* Touches one line of a first level; returns whether it missed. */
static bool touch_first(struct last_level *last, struct lines *first, uint64_t address,
			const struct lastlevel_reference *reference)
{
	struct line evicted;
	bool missed;
	struct line *line = lines_touch(first, address, &evicted, &missed);

	if (missed)
		line->loader = loader_of(last, reference, 1);
	if (evicted.tag != 0)
		retire_first(last, first, &evicted);
	lineuse_mark(first, line, reference->address, reference->size);
	return missed;
}

static bool touch_all_first(struct last_level *last, struct lines *first,
			    const struct lastlevel_reference *reference)
{
	uint64_t line_size = lines_size(first);
	bool missed;

	if (lineuse_again(first, reference->address, reference->size))
		return false;
	missed = touch_first(last, first, reference->address, reference);
	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = line_size - (reference->address & (line_size - 1));
	     covered < reference->size; covered += line_size) {
		if (touch_first(last, first, reference->address + covered, reference))
			missed = true;
	}
	return missed;
}

bool lastlevel_touch_code(struct last_level *last, const struct lastlevel_reference *reference)
{
	return touch_all_first(last, &last->i1, reference);
}

bool lastlevel_touch_data(struct last_level *last, const struct lastlevel_reference *reference)
{
	return touch_all_first(last, &last->d1, reference);
}

/* Touches one line of LL; returns LAST_MISSED | LAST_WROTE_BACK bits. */
static unsigned touch_ll(struct last_level *last, uint64_t address,
			 const struct lastlevel_reference *reference, bool is_write)
{
	struct line evicted;
	bool missed;
	struct line *line = lines_touch(&last->ll, address, &evicted, &missed);

	if (missed && last->options.uses)
		line->loader = loader_of(last, reference, 2);
	if (is_write)
		line->dirty = true;
	if (evicted.tag == 0)
		return missed ? LAST_MISSED : 0;
	if (last->options.uses)
		lineuse_charge(&last->ll, &evicted, 2, &last->sink);
	return evicted.dirty ? LAST_MISSED | LAST_WROTE_BACK : LAST_MISSED;
}

static unsigned touch_all_ll(struct last_level *last, const struct lastlevel_reference *reference,
			     bool is_write)
{
	uint64_t line_size = lines_size(&last->ll);
	unsigned outcome = touch_ll(last, reference->address, reference, is_write);

	for (uint64_t covered = line_size - (reference->address & (line_size - 1));
	     covered < reference->size; covered += line_size)
		outcome |= touch_ll(last, reference->address + covered, reference, is_write);
	return outcome;
}

static void prefetch(struct last_level *last, const struct lastlevel_reference *reference)
{
	int64_t distance = hwpref_watch(&last->prefetcher, reference->address);

	if (distance != 0)
		touch_ll(last,
			 reference->address + (uint64_t)(distance * (int64_t)lines_size(&last->ll)),
			 reference, false);
}

unsigned lastlevel_see(struct last_level *last, const struct lastlevel_reference *reference,
		       bool missed)
{
	bool is_write = last->options.write_back && reference->is_write;
	unsigned outcome;

	if (!missed && !is_write)
		return 0;
	if (last->options.prefetch)
		prefetch(last, reference);
	outcome = touch_all_ll(last, reference, is_write);
	return missed ? outcome : 0;
}

/* Passes on to a line of LL, or rather a copy of it, what a first level has of its bytes. */
static void gather(const struct last_level *last, const struct lines *first, struct line *line)
{
	uint64_t size = lines_size(&last->ll);

	for (uint64_t covered = 0; covered < size; covered += lines_size(first)) {
		const struct line *from = lines_find(first, line_address(line) + covered);

		if (from != NULL)
			lineuse_pass(first, from, &last->ll, line);
	}
}

/* Marks the lines of LL that share bytes with one of a first level. */
static void mark_shared(const struct last_level *last, const struct lines *first)
{
	size_t n = lines_count(first);

	for (size_t i = 0; i < n; i++) {
		const struct line *line = &first->lines[i];
		uint64_t covered = 0;
		struct line *shared;

		while (line->tag != 0 &&
		       (shared = lineuse_next_shared(first, line, &last->ll, &covered)) != NULL)
			shared->is_shared = true;
	}
}

/*
 * Costs on their way to a sink: if the same code loaded several lines in a row, as it does with a block of
 * memory, their costs are added up.
 */
struct pending {
	const struct line_sink *sink;
	struct line_cost cost;
};

static void flush(struct pending *pending)
{
	if (pending->cost.access_cost != 0 || pending->cost.space_loss != 0)
		pending->sink->take(pending->sink->ctx, &pending->cost);
}

static void add_pending(void *ctx, const struct line_cost *cost)
{
	struct pending *pending = ctx;
	struct line_cost *sum = &pending->cost;

	if (sum->loader.code == cost->loader.code && sum->loader.context == cost->loader.context &&
	    sum->level == cost->level) {
		sum->access_cost += cost->access_cost;
		sum->space_loss += cost->space_loss;
		return;
	}
	flush(pending);
	*sum = *cost;
}

static void charge_first(const struct lines *first, const struct line_sink *sink)
{
	size_t n = lines_count(first);

	for (size_t i = 0; i < n; i++)
		lineuse_charge(first, &first->lines[i], 1, sink);
}

/* Most lines of LL share nothing with a first level, and need not be looked for there. */
static void charge_last(const struct last_level *last, const struct line_sink *sink)
{
	size_t n = lines_count(&last->ll);

	mark_shared(last, &last->i1);
	mark_shared(last, &last->d1);
	for (size_t i = 0; i < n; i++) {
		struct line *line = &last->ll.lines[i];
		struct line gathered;

		if (!line->is_shared) {
			lineuse_charge(&last->ll, line, 2, sink);
			continue;
		}
		line->is_shared = false;
		gathered = *line;
		gather(last, &last->i1, &gathered);
		gather(last, &last->d1, &gathered);
		lineuse_charge(&last->ll, &gathered, 2, sink);
	}
}

void lastlevel_charge_resident(const struct last_level *last, const struct line_sink *sink)
{
	struct pending pending = { .sink = sink };
	const struct line_sink adding = { .take = add_pending, .ctx = &pending };

	charge_first(&last->i1, &adding);
	charge_first(&last->d1, &adding);
	charge_last(last, &adding);
	flush(&pending);
}
