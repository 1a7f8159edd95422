/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/cycles/waits.h"

#include "sim/machine.h"
#include "tool/counts/block.h"
#include "tool/cycles/state.h"

enum {
	LINE_BITS = 6, /* prefetchers work on lines of 64 bytes, whatever is simulated */
	PAGE_LINES = 1 << (WAITS_PAGE_BITS - LINE_BITS),
	STREAM_STEPS = 2,      /* until a prefetcher has learned them */
	STREAM_LONGEST = 4,    /* lines that a step may have */
	WALKED = 15,           /* last_miss of a walk of the page table */
	MOST_BEHIND = 1000000, /* tenths: more than any channel can be */
};

static UInt at_least(UInt tenths, UInt least)
{
	return tenths > least ? tenths : least;
}

static UInt without(UInt tenths, UInt hidden)
{
	return tenths > hidden ? tenths - hidden : 0;
}

/* Streams go on side by side, often at the same distance. */
static struct wait_page *page_entry(struct waits *waits, Addr page)
{
	return &waits->pages[page * 0x9e3779b97f4a7c15UL >> (64 - WAITS_PAGES_BITS)];
}

/* Whether a line comes as one of a stream. */
static Bool is_streamed(struct waits *waits, Addr address)
{
	const Addr page = address >> WAITS_PAGE_BITS, line = address >> LINE_BITS;
	struct wait_page *entry = page_entry(waits, page);
	Bool goes_on = False;
	Long step;

	if (entry->page != page) {
		/* A prefetcher that has reached the end of a page goes on with the next one soon. */
		const struct wait_page *before = page_entry(waits, page - 1);
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

/* What a load has missed last, if that is recent; else NULL. */
static const struct wait_miss *find_miss(const struct waits *waits, Addr load, ULong now)
{
	const UInt n = waits->n_misses < WAITS_MISSES ? waits->n_misses : WAITS_MISSES;

	for (UInt back = 1; back <= n; back++) {
		const struct wait_miss *miss =
			&waits->misses[(waits->n_misses - back) % WAITS_MISSES];

		if (!is_recent(miss->at, now))
			return NULL;
		if (miss->load == load)
			return miss;
	}
	return NULL;
}

/* Whether the address of a reference comes from a load that has just missed. */
static Bool is_behind_miss(const struct waits *waits, const struct reference *reference, ULong now)
{
	return reference->source != 0 && find_miss(waits, reference->source, now) != NULL;
}

UInt waits_of_branch(const struct waits *waits, Addr load, ULong now, ULong clock)
{
	const struct wait_miss *miss = find_miss(waits, load, now);

	return miss == NULL || miss->ready <= clock || miss->ready - clock > MOST_BEHIND
		       ? 0
		       : (UInt)(miss->ready - clock);
}

/* Whether something that goes as far, or farther, is under way. */
static Bool is_among_others(const struct waits *waits, UInt served, ULong now)
{
	for (UInt i = served; i < WALKED; i++)
		if (is_recent(waits->last_miss[i], now))
			return True;
	return False;
}

/* A transfer from a level, that takes so long: what the core waits for it. */
static UInt wait_for_channel(struct waits *waits, UInt served, UInt tenths, ULong clock)
{
	ULong *free_at = &waits->free_at[served];
	ULong behind;

	if (*free_at < clock || *free_at - clock > MOST_BEHIND) /* or another thread's clock */
		*free_at = clock;
	*free_at += tenths;
	behind = *free_at - clock;
	if (behind <= tool_cycles.costs.hidden)
		return 0;
	/* The clock is about to be that much later. */
	return (UInt)(behind - tool_cycles.costs.hidden);
}

static UInt cost_of_read(struct waits *waits, const struct wait_reference *made)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const UInt served = made->served;

	if (is_streamed(waits, made->address))
		return wait_for_channel(waits, served, costs->streamed[served], made->clock);
	if (is_behind_miss(waits, made->reference, made->now))
		return costs->latency[served];
	if (is_among_others(waits, served, made->now))
		return wait_for_channel(waits, served, costs->apart[served], made->clock);
	return without(costs->latency[served], costs->hidden);
}

static UInt cost_of_write(struct waits *waits, const struct wait_reference *made)
{
	const UInt served = made->served;

	return wait_for_channel(waits, served,
				is_streamed(waits, made->address)
					? tool_cycles.costs.streamed[served]
					: tool_cycles.costs.apart[served],
				made->clock);
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

static UInt cost_of_pages(struct waits *waits, const struct wait_reference *made)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const Bool is_behind = is_behind_miss(waits, made->reference, made->now);
	UInt tenths;

	if (made->missed_pages == 1)
		return is_behind ? costs->second_tlb : 0;
	tenths = is_behind || made->reference->kind == REFERENCE_FETCH ? costs->walk
		 : is_recent(waits->last_miss[WALKED], made->now)
			 ? costs->walks_apart
			 : at_least(without(costs->walk, costs->hidden), costs->walks_apart);
	waits->last_miss[WALKED] = made->now;
	return tenths;
}

struct wait_cost waits_cost(struct waits *waits, const struct wait_reference *made)
{
	struct wait_cost cost = { 0 };

	if (made->missed_pages != 0)
		cost.pages = cost_of_pages(waits, made);
	if (made->served == 0)
		return cost;
	if (made->reference->kind == REFERENCE_FETCH) {
		cost.caches = cost_of_fetch(waits, made->address, made->served);
		return cost;
	}
	if (made->reference->kind == REFERENCE_WRITE) {
		cost.caches = cost_of_write(waits, made);
		return cost;
	}
	cost.caches = cost_of_read(waits, made);
	waits->last_miss[made->served] = made->now;
	waits->misses[waits->n_misses++ % WAITS_MISSES] =
		(struct wait_miss){ made->reference->site->address, made->now,
				    made->clock + tool_cycles.costs.latency[made->served] };
	return cost;
}
