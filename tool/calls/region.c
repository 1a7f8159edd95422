/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/region.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/pattern.h"
#include "tool/counts/state.h"
#include "writer/writer.h"

enum {
	LINE_SIZE = 1024, /* bytes of a line of the header, its NUL included */
};

struct region {
	struct region *next;
	HChar *name;
	Bool is_collected;
	Bool was_left; /* since costs were zero, a thread has ended in it */
	ULong n_times; /* begun */
	ULong costs[N_EVENTS];
};

static Bool is_wanted(const HChar *name)
{
	const HChar *pattern = tool_calls.options.collect_region;

	return pattern != NULL && pattern_matches(pattern, name);
}

static struct region *find(const HChar *name)
{
	struct region **link = &tool_calls.regions.first;

	for (; *link != NULL; link = &(*link)->next)
		if (VG_(strcmp)((*link)->name, name) == 0)
			return *link;
	*link = VG_(calloc)("costgrind.region", 1, sizeof(**link));
	(*link)->name = VG_(strdup)("costgrind.region", name);
	(*link)->is_collected = is_wanted(name);
	return *link;
}

void region_begin(const HChar *name)
{
	struct regions *regions = &tool_calls.regions;
	struct open_region *open;

	if (regions->n_open == regions->room) {
		regions->room = regions->room == 0 ? 16 : 2 * regions->room;
		regions->open = VG_(realloc)("costgrind.regions", regions->open,
					     regions->room * sizeof(regions->open[0]));
	}
	open = &regions->open[regions->n_open++];
	open->region = find(name);
	open->thread = tool_calls.threads.running;
	open->handler = tool_calls.threads.running->suspended;
	VG_(memcpy)(open->starts, tool_counts.hot->totals, sizeof(open->starts));
	open->region->n_times++;
	if (open->region->is_collected)
		collection_enter(1);
}

/* The running totals that a region is of: its thread's, or its handler's. */
static const ULong *totals_of(const struct open_region *open)
{
	const struct suspension *suspended = open->thread->suspended;

	if (open->handler == suspended)
		return threads_hot(&tool_calls.threads, tool_counts.hot, open->thread->number)
			->totals;
	while (suspended != NULL && suspended->outer != open->handler)
		suspended = suspended->outer;
	return suspended == NULL ? open->starts : suspended->hot.totals;
}

/* Adds to a region what it has cost since it was begun, or since this was done before. */
static void charge(struct open_region *open)
{
	const ULong *totals = totals_of(open);

	for (UInt event = 0; event < N_EVENTS; event++) {
		open->region->costs[event] += totals[event] - open->starts[event];
		open->starts[event] = totals[event];
	}
}

static void drop(UInt number)
{
	struct regions *regions = &tool_calls.regions;

	regions->n_open--;
	VG_(memmove)(&regions->open[number], &regions->open[number + 1],
		     (regions->n_open - number) * sizeof(regions->open[0]));
}

Bool region_end(const HChar *name)
{
	struct regions *regions = &tool_calls.regions;

	for (UInt i = regions->n_open; i-- > 0;) {
		struct open_region *open = &regions->open[i];
		Bool is_collected = open->region->is_collected;

		if (open->thread != tool_calls.threads.running ||
		    open->handler != tool_calls.threads.running->suspended ||
		    VG_(strcmp)(open->region->name, name) != 0)
			continue;
		charge(open);
		drop(i);
		if (is_collected)
			collection_enter(-1);
		return True;
	}
	return False;
}

void regions_zero(UInt thread)
{
	struct regions *regions = &tool_calls.regions;

	for (struct region *region = regions->first; region != NULL; region = region->next) {
		region->n_times = 0;
		region->was_left = False;
		VG_(memset)(region->costs, 0, sizeof(region->costs));
	}
	for (UInt i = 0; i < regions->n_open; i++) {
		struct open_region *open = &regions->open[i];

		open->region->n_times++;
		if (thread == 0 || open->thread->number == thread)
			VG_(memset)(open->starts, 0, sizeof(open->starts));
		else /* of a thread whose totals go on */
			VG_(memcpy)(open->starts, totals_of(open), sizeof(open->starts));
	}
}

typedef Bool (*is_over_fn)(const struct open_region *open, const struct thread *thread);

static void end_those(is_over_fn is_over, const struct thread *thread)
{
	for (UInt i = tool_calls.regions.n_open; i-- > 0;) {
		if (!is_over(&tool_calls.regions.open[i], thread))
			continue;
		charge(&tool_calls.regions.open[i]);
		drop(i);
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
	for (UInt i = 0; i < tool_calls.regions.n_open; i++)
		if (is_of_thread(&tool_calls.regions.open[i], thread))
			tool_calls.regions.open[i].region->was_left = True;
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

static Bool is_open(const struct region *region)
{
	if (region->was_left)
		return True;
	for (UInt i = 0; i < tool_calls.regions.n_open; i++)
		if (tool_calls.regions.open[i].region == region)
			return True;
	return False;
}

void regions_write(struct writer *writer)
{
	for (UInt i = 0; i < tool_calls.regions.n_open; i++)
		charge(&tool_calls.regions.open[i]);
	for (const struct region *region = tool_calls.regions.first; region != NULL;
	     region = region->next) {
		HChar line[LINE_SIZE];
		UInt len;

		if (region->n_times == 0)
			continue;
		len = VG_(snprintf)(line, sizeof(line), "%.256s: %llu times%s", region->name,
				    region->n_times, is_open(region) ? ", not over" : "");
		for (UInt i = 0; i < tool_counts.events.n && len < sizeof(line) - 64; i++)
			len += VG_(snprintf)(line + len, (Int)(sizeof(line) - len), ", %s %llu",
					     event_table[tool_counts.events.events[i]].name,
					     region->costs[tool_counts.events.events[i]]);
		writer_desc(writer, "Region", line);
	}
}
