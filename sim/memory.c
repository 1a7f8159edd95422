/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References are cut into the lines of each level anew, as in sim/lower.c.
 */
#include "sim/memory.h"

/* -- the prefetcher -------------------------------------------------------- */

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
static const uint64_t NO_LINE = UINT64_MAX / 2;

void prefetcher_init(struct prefetcher *prefetcher, uint32_t line_bits)
{
	prefetcher->line_bits = line_bits;
	for (unsigned i = 0; i < HWPREF_STREAMS; i++)
		prefetcher->streams[i] = (struct prefetch_stream){ .last = NO_LINE };
}

/* The run after a step of -1, 0 or 1; 0 is a jump elsewhere. */
static int next_run(int run, int step)
{
	if (run * step > 0)
		return RUN_LENGTH * step;
	return run == 0 ? step : 0;
}

int prefetcher_watch(struct prefetcher *prefetcher, uint64_t address)
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

/* -- memory ---------------------------------------------------------------- */

size_t memory_size(const struct hierarchy_config *config, const struct memory_options *options)
{
	size_t size = lines_memory_size(hierarchy_last(config));

	if (options->uses)
		size += lines_memory_size(&config->i1) + lines_memory_size(&config->d1);
	return size;
}

void memory_init(struct memory *memory, const struct hierarchy_config *config,
		 const struct memory_options *options, const struct line_sink *sink, void *space)
{
	const struct cache_config *last = hierarchy_last(config);
	unsigned char *next = space;

	*memory = (struct memory){ .options = *options };
	if (sink != NULL)
		memory->sink = *sink;
	lines_init(&memory->ll, last, next);
	prefetcher_init(&memory->prefetcher, memory->ll.cache.line_bits);
	if (!options->uses)
		return;
	next += lines_memory_size(last);
	lines_init(&memory->i1, &config->i1, next);
	next += lines_memory_size(&config->i1);
	lines_init(&memory->d1, &config->d1, next);
}

/* A line of a first level goes. */
static void retire_first(const struct memory *memory, const struct lines *first,
			 const struct line *line)
{
	lineuse_charge(first, line, 1, &memory->sink);
	lineuse_pass_on(first, line, &memory->ll);
}

static void evict_first(const struct memory *memory, struct lines *first,
			struct address_range range)
{
	size_t n = lines_count(first);

	for (size_t i = 0; i < n; i++) {
		const struct line *line = &first->lines[i];

		if (line->tag != 0 &&
		    address_range_meets(range, line_address(line), first->cache.line_bits))
			retire_first(memory, first, line);
	}
	lines_evict(first, range);
}

void memory_evict(struct memory *memory, struct address_range range)
{
	size_t n = lines_count(&memory->ll);

	if (memory->options.uses) {
		evict_first(memory, &memory->i1, range);
		evict_first(memory, &memory->d1, range);
	}
	for (size_t i = 0; i < n && memory->options.uses; i++) {
		const struct line *line = &memory->ll.lines[i];

		if (line->tag != 0 &&
		    address_range_meets(range, line_address(line), memory->ll.cache.line_bits))
			lineuse_charge(&memory->ll, line, 2, &memory->sink);
	}
	lines_evict(&memory->ll, range);
	if (range.first == 0 && range.last == UINT64_MAX)
		prefetcher_init(&memory->prefetcher, memory->ll.cache.line_bits);
}

/* Who is to be charged for a line that a reference has brought in. */
static struct loader loader_of(const struct memory *memory,
			       const struct memory_reference *reference, unsigned level)
{
	const struct line_sink *sink = &memory->sink;

	return sink->came == NULL ? reference->loader : sink->came(sink->ctx, reference, level);
}

/* Touches one line of a first level; returns whether it missed. */
static bool touch_first(struct memory *memory, struct lines *first, uint64_t address,
			const struct memory_reference *reference)
{
	struct line evicted;
	bool missed;
	struct line *line = lines_touch(first, address, &evicted, &missed);

	if (missed)
		line->loader = loader_of(memory, reference, 1);
	if (evicted.tag != 0)
		retire_first(memory, first, &evicted);
	lineuse_mark(first, line, reference->address, reference->size);
	return missed;
}

static bool touch_all_first(struct memory *memory, struct lines *first,
			    const struct memory_reference *reference)
{
	uint64_t line_size = lines_size(first);
	bool missed;

	if (lineuse_again(first, reference->address, reference->size))
		return false;
	missed = touch_first(memory, first, reference->address, reference);
	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = line_size - (reference->address & (line_size - 1));
	     covered < reference->size; covered += line_size) {
		if (touch_first(memory, first, reference->address + covered, reference))
			missed = true;
	}
	return missed;
}

bool memory_touch_code(struct memory *memory, const struct memory_reference *reference)
{
	return touch_all_first(memory, &memory->i1, reference);
}

bool memory_touch_data(struct memory *memory, const struct memory_reference *reference)
{
	return touch_all_first(memory, &memory->d1, reference);
}

/* Touches one line of LL; returns MEMORY_MISSED | MEMORY_WROTE_BACK bits. */
static unsigned touch_ll(struct memory *memory, uint64_t address,
			 const struct memory_reference *reference, bool is_write)
{
	struct line evicted;
	bool missed;
	struct line *line = lines_touch(&memory->ll, address, &evicted, &missed);

	if (missed && memory->options.uses)
		line->loader = loader_of(memory, reference, 2);
	if (is_write)
		line->dirty = true;
	if (evicted.tag == 0)
		return missed ? MEMORY_MISSED : 0;
	if (memory->options.uses)
		lineuse_charge(&memory->ll, &evicted, 2, &memory->sink);
	return evicted.dirty ? MEMORY_MISSED | MEMORY_WROTE_BACK : MEMORY_MISSED;
}

static unsigned touch_all_ll(struct memory *memory, const struct memory_reference *reference,
			     bool is_write)
{
	uint64_t line_size = lines_size(&memory->ll);
	unsigned outcome = touch_ll(memory, reference->address, reference, is_write);

	for (uint64_t covered = line_size - (reference->address & (line_size - 1));
	     covered < reference->size; covered += line_size)
		outcome |= touch_ll(memory, reference->address + covered, reference, is_write);
	return outcome;
}

static void prefetch(struct memory *memory, const struct memory_reference *reference)
{
	int64_t distance = prefetcher_watch(&memory->prefetcher, reference->address);

	if (distance != 0)
		touch_ll(memory,
			 reference->address +
				 (uint64_t)(distance * (int64_t)lines_size(&memory->ll)),
			 reference, false);
}

unsigned memory_behind(struct memory *memory, const struct memory_reference *reference, bool missed)
{
	bool is_write = memory->options.write_back && reference->is_write;
	unsigned outcome;

	if (!missed && !is_write)
		return 0;
	if (memory->options.prefetch)
		prefetch(memory, reference);
	outcome = touch_all_ll(memory, reference, is_write);
	return missed ? outcome : 0;
}

/* Passes on to a line of LL, or rather a copy of it, what a first level has of its bytes. */
static void gather(const struct memory *memory, const struct lines *first, struct line *line)
{
	uint64_t size = lines_size(&memory->ll);

	for (uint64_t covered = 0; covered < size; covered += lines_size(first)) {
		const struct line *from = lines_find(first, line_address(line) + covered);

		if (from != NULL)
			lineuse_pass(first, from, &memory->ll, line);
	}
}

/* Marks the lines of LL that share bytes with one of a first level. */
static void mark_shared(const struct memory *memory, const struct lines *first)
{
	size_t n = lines_count(first);

	for (size_t i = 0; i < n; i++) {
		const struct line *line = &first->lines[i];
		uint64_t covered = 0;
		struct line *shared;

		while (line->tag != 0 &&
		       (shared = lineuse_next_shared(first, line, &memory->ll, &covered)) != NULL)
			shared->is_shared = true;
	}
}

/*
 * Costs on their way to a sink: those of lines in a row that the same code brought in, as it does
 * with a block of memory, are added up.
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
static void charge_last(const struct memory *memory, const struct line_sink *sink)
{
	size_t n = lines_count(&memory->ll);

	mark_shared(memory, &memory->i1);
	mark_shared(memory, &memory->d1);
	for (size_t i = 0; i < n; i++) {
		struct line *line = &memory->ll.lines[i];
		struct line gathered;

		if (!line->is_shared) {
			lineuse_charge(&memory->ll, line, 2, sink);
			continue;
		}
		line->is_shared = false;
		gathered = *line;
		gather(memory, &memory->i1, &gathered);
		gather(memory, &memory->d1, &gathered);
		lineuse_charge(&memory->ll, &gathered, 2, sink);
	}
}

void memory_charge_resident(const struct memory *memory, const struct line_sink *sink)
{
	struct pending pending = { .sink = sink };
	const struct line_sink adding = { .take = add_pending, .ctx = &pending };

	charge_first(&memory->i1, &adding);
	charge_first(&memory->d1, &adding);
	charge_last(memory, &adding);
	flush(&pending);
}
