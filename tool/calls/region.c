/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/region.h"

#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "valgrind.h"

#include "tool/calls/callcost.h"
#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/pattern.h"
#include "tool/common/text.h"
#include "tool/costgrind.h"
#include "tool/counts/state.h"
#include "writer/writer.h"

/* What threads of one number have spent in a region since costs were zero. */
struct share {
	ULong n_times; /* begun */
	UInt n_threads;
	UInt last;     /* serial number of the last thread that began it; 0: none */
	Bool was_left; /* a thread has ended in it */
	ULong costs[]; /* in the order of the profile's columns */
};

struct region {
	struct region *in_table; /* as the core's hash tables want it, followed by the key */
	UWord key;
	struct region *next;
	const HChar *name;
	Bool is_collected;
	UInt room;             /* in shares */
	struct share **shares; /* by the number of the thread, or NULL */
};

Bool region_is_marker(const UChar *address, UInt size)
{
	const ULong marker = COSTGRIND_MARKER;

	return size == sizeof(marker) && VG_(memcmp)(address, &marker, sizeof(marker)) == 0;
}

/* --- names and threads ---------------------------------------------------------------- */

static Bool is_wanted(const HChar *name)
{
	const HChar *pattern = tool_calls.options.collect_region;

	return pattern != NULL && pattern_matches(pattern, name);
}

static Word compare_names(const void *left, const void *right)
{
	return VG_(strcmp)(((const struct region *)left)->name,
			   ((const struct region *)right)->name);
}

/* NULL: it was never begun. */
static struct region *find(const HChar *name)
{
	const struct region wanted = { .name = name, .key = text_hash(0, name, VG_(strlen)(name)) };

	if (tool_calls.regions.by_name == NULL)
		return NULL;
	return VG_(HT_gen_lookup)(tool_calls.regions.by_name, &wanted, compare_names);
}

static struct region *find_or_add(const HChar *name)
{
	struct regions *regions = &tool_calls.regions;
	struct region *region = find(name);

	if (region != NULL)
		return region;
	if (regions->by_name == NULL) {
		regions->by_name = VG_(HT_construct)("costgrind.regions");
		regions->end = &regions->first;
	}
	region = VG_(calloc)("costgrind.region", 1, sizeof(*region));
	region->name = VG_(strdup)("costgrind.region", name);
	region->key = text_hash(0, name, VG_(strlen)(name));
	region->is_collected = is_wanted(name);
	VG_(HT_add_node)(regions->by_name, region);
	*regions->end = region;
	regions->end = &region->next;
	return region;
}

static struct share *share_of(struct region *region, UInt thread)
{
	const UInt n = tool_counts.events.n;

	if (thread >= region->room) {
		const UInt room = tool_calls.threads.n;

		region->shares = VG_(realloc)("costgrind.shares", region->shares,
					      room * sizeof(region->shares[0]));
		VG_(memset)(region->shares + region->room, 0,
			    (room - region->room) * sizeof(region->shares[0]));
		region->room = room;
	}
	if (region->shares[thread] == NULL)
		region->shares[thread] =
			VG_(calloc)("costgrind.share", 1, sizeof(struct share) + n * sizeof(ULong));
	return region->shares[thread];
}

/* A thread has begun it. */
static void count_entry(const struct open_region *open)
{
	struct share *share = share_of(open->region, open->thread->number);

	share->n_times++;
	if (share->last != open->thread->serial)
		share->n_threads++;
	share->last = open->thread->serial;
}

/* --- what is open --------------------------------------------------------------------- */

static Bool is_running(const struct open_region *open)
{
	const struct thread *running = tool_calls.threads.running;

	return open->thread == running && open->handler == running->suspended;
}

/* The region, as it was last begun by what runs; or NULL. */
static struct open_region *find_open(const struct region *region)
{
	struct regions *regions = &tool_calls.regions;

	for (UInt i = regions->n_open; i-- > 0;)
		if (regions->open[i].region == region && is_running(&regions->open[i]))
			return &regions->open[i];
	return NULL;
}

/* Adds a region, or if it is NULL a marker, for what runs. */
static struct open_region *add(struct region *region)
{
	const Bool is_inner = find_open(region) != NULL;
	struct regions *regions = &tool_calls.regions;
	struct open_region *open;

	if (regions->n_open == regions->room) {
		regions->room = regions->room == 0 ? 16 : 2 * regions->room;
		regions->open = VG_(realloc)("costgrind.regions", regions->open,
					     regions->room * sizeof(regions->open[0]));
	}
	open = &regions->open[regions->n_open++];
	open->region = region;
	open->thread = tool_calls.threads.running;
	open->handler = tool_calls.threads.running->suspended;
	open->is_inner = is_inner;
	regions->n_markers += region == NULL;
	return open;
}

static void drop(struct open_region *open)
{
	struct regions *regions = &tool_calls.regions;

	regions->n_markers -= open->region == NULL;
	regions->n_open--;
	VG_(memmove)(open, open + 1, (UChar *)&regions->open[regions->n_open] - (UChar *)open);
}

Bool regions_are_open(void)
{
	return tool_calls.regions.n_open != tool_calls.regions.n_markers;
}

/* --- costs ---------------------------------------------------------------------------- */

VG_REGPARM(0) void region_mark(void)
{
	struct open_region *marker = find_open(NULL);

	if (marker == NULL)
		marker = add(NULL);
	late_settle(tool_calls.threads.running, tool_counts.hot);
	VG_(memcpy)(marker->starts, tool_counts.hot->totals, sizeof(marker->starts));
}

void regions_skip(void)
{
	struct regions *regions = &tool_calls.regions;
	struct open_region *marker = find_open(NULL);
	ULong skipped[N_EVENTS];

	if (marker == NULL)
		return;
	for (UInt event = 0; event < N_EVENTS; event++)
		skipped[event] = tool_counts.hot->totals[event] - marker->starts[event];
	drop(marker);
	for (UInt i = 0; i < regions->n_open; i++)
		for (UInt event = 0; event < N_EVENTS && is_running(&regions->open[i]); event++)
			regions->open[i].starts[event] += skipped[event];
}

/* The running totals that an open region is measured by: its thread's, or its handler's. */
static const ULong *totals_of(const struct open_region *open)
{
	const struct suspension *suspended = open->thread->suspended;

	if (open->handler == suspended)
		return threads_hot(open->thread->number)->totals;
	while (suspended != NULL && suspended->outer != open->handler)
		suspended = suspended->outer;
	return suspended == NULL ? open->starts : suspended->hot.totals;
}

/* Adds to a region what it has cost since it was begun, or charged before. */
static void charge(struct open_region *open)
{
	const struct event_set *events = &tool_counts.events;
	const ULong *totals = totals_of(open);
	struct share *share;

	if (open->region == NULL || open->is_inner || totals == open->starts)
		return;
	share = share_of(open->region, open->thread->number);
	for (UInt i = 0; i < events->n; i++)
		share->costs[i] += totals[events->events[i]] - open->starts[events->events[i]];
	VG_(memcpy)(open->starts, totals, sizeof(open->starts));
}

Bool region_is_another(const HChar *name)
{
	const struct region *last = tool_calls.regions.last;

	return !regions_are_open() && (last == NULL || VG_(strcmp)(last->name, name) != 0);
}

void region_begin(const HChar *name)
{
	const Bool is_outermost = !regions_are_open();
	struct open_region *open = add(find_or_add(name));

	if (is_outermost)
		tool_calls.regions.last = open->region;
	VG_(memcpy)(open->starts, tool_counts.hot->totals, sizeof(open->starts));
	count_entry(open);
	if (open->region->is_collected)
		collection_enter(1);
}

Bool region_end(const HChar *name)
{
	const struct region *region = find(name);
	struct open_region *open = region != NULL ? find_open(region) : NULL;
	Bool is_collected;

	if (open == NULL)
		return False;
	is_collected = open->region->is_collected;
	charge(open);
	drop(open);
	if (is_collected)
		collection_enter(-1);
	return True;
}

static void zero_shares(const struct region *region, UInt thread)
{
	for (UInt i = 0; i < region->room; i++) {
		struct share *share = region->shares[i];

		if (share != NULL && (thread == 0 || thread == i))
			VG_(memset)(share, 0,
				    sizeof(*share) +
					    (tool_counts.events.n + tool_counts.events.n_hidden) *
						    sizeof(ULong));
	}
}

void regions_zero(UInt thread)
{
	struct regions *regions = &tool_calls.regions;

	for (struct region *region = regions->first; region != NULL; region = region->next)
		zero_shares(region, thread);
	for (UInt i = 0; i < regions->n_open; i++) {
		struct open_region *open = &regions->open[i];

		if (thread != 0 && open->thread->number != thread)
			continue;
		VG_(memset)(open->starts, 0, sizeof(open->starts));
		if (open->region != NULL)
			count_entry(open);
	}
}

/* --- ends that the program does not tell -------------------------------------------------------------- */

typedef Bool (*is_over_fn)(const struct open_region *open, const struct thread *thread);

static void end_those(is_over_fn is_over, const struct thread *thread)
{
	for (UInt i = tool_calls.regions.n_open; i-- > 0;) {
		struct open_region *open = &tool_calls.regions.open[i];

		if (!is_over(open, thread))
			continue;
		charge(open);
		drop(open);
	}
}

static Bool is_of_thread(const struct open_region *open, const struct thread *thread)
{
	return open->thread == thread;
}

static Bool is_of_another(const struct open_region *open, const struct thread *thread)
{
	return open->thread != thread;
}

static Bool is_of_handler(const struct open_region *open, const struct thread *thread)
{
	return open->thread == thread && open->handler == thread->suspended;
}

void regions_forget(const struct thread *thread)
{
	for (UInt i = 0; i < tool_calls.regions.n_open; i++) {
		const struct open_region *open = &tool_calls.regions.open[i];

		if (is_of_thread(open, thread) && open->region != NULL)
			share_of(open->region, thread->number)->was_left = True;
	}
	end_those(is_of_thread, thread);
}

void regions_keep_only(const struct thread *thread)
{
	end_those(is_of_another, thread);
}

void regions_end_handler(const struct thread *thread)
{
	end_those(is_of_handler, thread);
}

/* --- output ----------------------------------------------------------------------- */

void regions_report_unmatched(void)
{
	if (tool_calls.options.collect_region == NULL)
		return;
	for (const struct region *region = tool_calls.regions.first; region != NULL;
	     region = region->next)
		if (region->is_collected)
			return;
	message_note("--collect-region=%s: no region that was begun has such a name",
		     tool_calls.options.collect_region);
}

static Bool is_open(const struct region *region, UInt thread)
{
	for (UInt i = 0; i < tool_calls.regions.n_open; i++) {
		const struct open_region *open = &tool_calls.regions.open[i];

		if (open->region == region && (thread == 0 || open->thread->number == thread))
			return True;
	}
	return False;
}

static void write_region(struct writer *writer, const struct region *region, UInt thread)
{
	ULong costs[N_EVENTS] = { 0 };
	struct region_line line = { .name = region->name, .costs = (const uint64_t *)costs };

	line.name_len = VG_(strlen)(region->name);
	line.is_open = is_open(region, thread);
	line.n_costs = tool_counts.events.n;
	for (UInt i = 0; i < region->room; i++) {
		const struct share *share = region->shares[i];

		if (share == NULL || (thread != 0 && thread != i))
			continue;
		line.n_times += share->n_times;
		line.n_threads += share->n_threads;
		line.is_open |= share->was_left;
		for (UInt event = 0; event < tool_counts.events.n; event++)
			costs[event] += share->costs[event];
	}
	if (line.n_times != 0)
		writer_region(writer, &line);
}

void regions_write(struct writer *writer, UInt thread)
{
	for (UInt i = 0; i < tool_calls.regions.n_open; i++)
		charge(&tool_calls.regions.open[i]);
	for (const struct region *region = tool_calls.regions.first; region != NULL;
	     region = region->next)
		write_region(writer, region, thread);
}
