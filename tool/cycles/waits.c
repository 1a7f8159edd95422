/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/cycles/waits.h"

#include "sim/machine.h"
#include "tool/counts/block.h"
#include "tool/cycles/state.h"

enum {
	LINE_BITS = 6,      /* prefetchers work on lines of 64 bytes, whatever is simulated */
	PAGE_LINES = 1 << (WAITS_PAGE_BITS - LINE_BITS),
	STREAM_STEPS = 2,   /* until a prefetcher has learned them */
	STREAM_LONGEST = 4, /* lines that a step may have */
	WALKED = 15,        /* last_miss of a walk of the page table */
};

static UInt at_least(UInt tenths, UInt least)
{
	return tenths > least ? tenths : least;
}

static UInt without(UInt tenths, UInt hidden)
{
	return tenths > hidden ? tenths - hidden : 0;
}

/* Whether a line comes as one of a stream. */
static Bool is_streamed(struct waits *waits, Addr address)
{
	const Addr page = address >> WAITS_PAGE_BITS, line = address >> LINE_BITS;
	struct wait_page *entry = &waits->pages[page % WAITS_PAGES];
	Bool goes_on = False;
	Long step;

	if (entry->page != page) {
		/* A prefetcher that has reached the end of a page goes on with the next one soon. */
		const struct wait_page *before = &waits->pages[(page - 1) % WAITS_PAGES];
		const Bool follows = before->page == page - 1 && before->n_steps >= STREAM_STEPS &&
				     line % PAGE_LINES < STREAM_LONGEST;

		*entry = (struct wait_page){ page, line, follows ? before->step : 0,
					     follows ? STREAM_STEPS : 0 };
		return follows;
	}
	step = (Long)(line - entry->line);
	if (step == 0)
		return entry->n_steps >= STREAM_STEPS;
	if (step == entry->step)
		goes_on = ++entry->n_steps >= STREAM_STEPS;
	else
		entry->n_steps = step <= STREAM_LONGEST && step >= -STREAM_LONGEST;
	entry->step = (Int)step;
	entry->line = line;
	return goes_on;
}

static Bool is_recent(ULong at, ULong now)
{
	return at != 0 && now - at < tool_cycles.costs.reorder;
}

/* Whether the address of a reference comes from a load that has just missed. */
static Bool is_behind_miss(const struct waits *waits, const struct reference *reference, ULong now)
{
	const UInt n = waits->n_misses < WAITS_MISSES ? waits->n_misses : WAITS_MISSES;

	if (reference->source == 0)
		return False;
	for (UInt back = 1; back <= n; back++) {
		const struct wait_miss *miss =
			&waits->misses[(waits->n_misses - back) % WAITS_MISSES];

		if (!is_recent(miss->at, now))
			return False;
		if (miss->load == reference->source)
			return True;
	}
	return False;
}

/* Whether something that goes as far, or farther, is under way. */
static Bool is_among_others(const struct waits *waits, UInt served, ULong now)
{
	for (UInt i = served; i < WALKED; i++)
		if (is_recent(waits->last_miss[i], now))
			return True;
	return False;
}

static UInt cost_of_read(struct waits *waits, const struct reference *reference, Addr address, UInt served,
			 ULong now)
{
	const struct cycles_costs *costs = &tool_cycles.costs;

	if (is_streamed(waits, address))
		return costs->streamed[served];
	if (is_behind_miss(waits, reference, now))
		return costs->latency[served];
	if (is_among_others(waits, served, now))
		return costs->apart[served];
	return at_least(without(costs->latency[served], costs->hidden), costs->apart[served]);
}

static UInt cost_of_write(struct waits *waits, Addr address, UInt served)
{
	return is_streamed(waits, address) ? tool_cycles.costs.streamed[served]
					   : tool_cycles.costs.apart[served];
}

static UInt cost_of_fetch(struct waits *waits, Addr address, UInt served)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const Addr line = address >> LINE_BITS;
	const Bool is_next = line == waits->last_fetch + 1;

	waits->last_fetch = line;
	return is_next ? costs->streamed[served]
		       : at_least(without(costs->latency[served], costs->fetch_hidden),
				  costs->streamed[served]);
}

static UInt cost_of_pages(struct waits *waits, const struct reference *reference, UInt missed, ULong now)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	UInt tenths;

	if (missed == 0)
		return 0;
	if (missed == 1)
		return is_behind_miss(waits, reference, now) ? costs->second_tlb : 0;
	tenths = is_behind_miss(waits, reference, now) || reference->kind == REFERENCE_FETCH
			 ? costs->walk
		 : is_recent(waits->last_miss[WALKED], now)
			 ? costs->walks_apart
			 : at_least(without(costs->walk, costs->hidden), costs->walks_apart);
	waits->last_miss[WALKED] = now;
	return tenths;
}

struct wait_cost waits_cost(struct waits *waits, const struct reference *reference, Addr address, UInt served,
			    UInt missed_pages, ULong now)
{
	struct wait_cost cost = { .pages = cost_of_pages(waits, reference, missed_pages, now) };

	if (served == 0)
		return cost;
	if (reference->kind == REFERENCE_FETCH) {
		cost.caches = cost_of_fetch(waits, address, served);
		return cost;
	}
	if (reference->kind == REFERENCE_WRITE) {
		cost.caches = cost_of_write(waits, address, served);
		return cost;
	}
	cost.caches = cost_of_read(waits, reference, address, served, now);
	waits->last_miss[served] = now;
	waits->misses[waits->n_misses++ % WAITS_MISSES] =
		(struct wait_miss){ reference->site->address, now, served };
	return cost;
}
