/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/cycles/waits.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"

#include "sim/machine.h"
#include "sim/shorttags.h"
#include "tool/counts/block.h"
#include "tool/cycles/state.h"

enum {
	LINE_BITS = 6, /* prefetchers work on lines of 64 bytes, whatever is simulated */
	PAGE_LINES = 1 << (WAITS_PAGE_BITS - LINE_BITS),
	STREAM_STEPS = 2,   /* until a prefetcher has learned them */
	STREAM_LONGEST = 4, /* lines that a step may have: measured, up to 4 and not up to 8 */
	ADDRESS_BITS = 47,  /* of a program's addresses */
	WRONG_PATHS =
		2, /* one in this many does not reach the code after the branch, and ask for its lines */
};

static ULong later(ULong a, ULong b)
{
	return a > b ? a : b;
}

static UInt smaller(UInt a, UInt b)
{
	return a < b ? a : b;
}

static ULong less(ULong at, ULong tenths)
{
	return at > tenths ? at - tenths : 0;
}

static Bool is_near(Long step)
{
	return step <= STREAM_LONGEST && step >= -STREAM_LONGEST;
}

/* Streams go on side by side, often at the same distance. */
static struct wait_page *page_entry(struct waits *waits, Addr page)
{
	return &waits->pages[page * 0x9e3779b97f4a7c15UL >> (64 - WAITS_PAGES_BITS)];
}

/* A stream that leaves one page for the next, or for the one before, where it goes on with this line; NULL. */
static const struct wait_page *stream_before(struct waits *waits, Addr line)
{
	const Addr page = line / PAGE_LINES;

	for (Int way = -1; way <= 1; way += 2) {
		const struct wait_page *last = page_entry(waits, page + (Addr)(Long)way);

		if (last->page == page + (Addr)(Long)way && last->n_steps >= STREAM_STEPS &&
		    is_near((Long)(line - last->line)))
			return last;
	}
	return NULL;
}

/* The stream that a line belongs to, or NULL. */
static struct wait_page *find_stream(struct waits *waits, Addr address)
{
	const Addr page = address >> WAITS_PAGE_BITS, line = address >> LINE_BITS;
	struct wait_page *entry = page_entry(waits, page);
	Long step;

	if (entry->page != page) {
		const struct wait_page *last = stream_before(waits, line);

		*entry = (struct wait_page){ .page = page, .line = line };
		if (last == NULL)
			return NULL;
		entry->step = (Int)(Long)(line - last->line);
		entry->n_steps = STREAM_STEPS;
		entry->free_at = last->free_at;
		return entry;
	}
	step = (Long)(line - entry->line);
	if (!is_near(step))
		entry->n_steps = 0;
	else if (step != 0)
		entry->n_steps++;
	if (step != 0)
		entry->step = (Int)step;
	entry->line = line;
	return entry->n_steps >= STREAM_STEPS ? entry : NULL;
}

static Bool is_recent(ULong at, ULong now)
{
	return at <= now && now - at < tool_cycles.costs.reorder;
}

/* --- what was waited for ----------------------------------------------------------------- */

static void forget_first(struct waits *waits)
{
	waits->in_window -= waits->recent[waits->first_recent].tenths;
	waits->first_recent = (waits->first_recent + 1) % WAITS_RECENT;
	waits->n_recent--;
}

static void forget_old(struct waits *waits, ULong now)
{
	while (waits->n_recent != 0 && !is_recent(waits->recent[waits->first_recent].at, now))
		forget_first(waits);
}

static void note_wait(struct waits *waits, ULong now, ULong tenths)
{
	if (tenths == 0)
		return;
	if (waits->n_recent == WAITS_RECENT)
		forget_first(waits);
	waits->recent[(waits->first_recent + waits->n_recent++) % WAITS_RECENT] =
		(struct wait_recent){ now, tenths };
	waits->in_window += tenths;
}

/* Each thread has a clock, which starts again in a signal handler: nothing under way by one clock concerns another. */
static void enter(struct waits *waits, ULong clock)
{
	const UInt thread = VG_(get_running_tid)();

	if (thread != waits->thread || clock < waits->clock) {
		VG_(memset)(waits, 0, sizeof(*waits));
		waits->thread = thread;
	}
	waits->clock = clock;
}

void waits_restart(struct waits *waits, ULong clock)
{
	enter(waits, clock);
	waits->restarted = clock;
}

/* --- loads that missed ------------------------------------------------------------------- */

/* The last miss of a load, if recent; else NULL. */
static const struct wait_miss *find_miss(const struct waits *waits, Addr load, ULong now)
{
	const UInt n = waits->n_misses < WAITS_MISSES ? waits->n_misses : WAITS_MISSES;

	if (shorttags_equal(waits->low_loads, WAITS_MISSES, (UInt)load, SHORTTAGS_ALL) == 0)
		return NULL;
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

static void note_miss(struct waits *waits, const struct wait_reference *made, ULong ready)
{
	const UInt place = waits->n_misses++ % WAITS_MISSES;
	const Addr load = made->reference->u.load;

	waits->misses[place] = (struct wait_miss){ load, made->now, ready, False };
	waits->low_loads[place] = (UInt)load;
	waits->unread = made->reference->is_loaded ? made->address >> LINE_BITS << LINE_BITS : 0;
}

UInt waits_of_branch(struct waits *waits, Addr load, ULong now, ULong clock)
{
	const struct wait_miss *miss;

	enter(waits, clock);
	miss = find_miss(waits, load, now);
	return miss == NULL ? 0 : (UInt)less(miss->ready, clock);
}

/* --- words of lines that missed ---------------------------------------------------------- */

/* True if a line is of anonymous memory: reading a device may have effects, and a file may have become shorter. */
static Bool is_harmless(struct waits *waits, Addr line)
{
	const NSegment *segment;

	if (line >= waits->harmless_from && line < waits->harmless_to)
		return True;
	segment = VG_(am_find_nsegment)(line);
	if (segment == NULL || segment->kind != SkAnonC || !segment->hasR)
		return False;
	waits->harmless_from = segment->start;
	waits->harmless_to = segment->end;
	return True;
}

/* Reads the words of the last miss, whose load has been made by now. */
static void read_words(struct waits *waits)
{
	const UInt place = (waits->n_misses - 1) % WAITS_MISSES;
	const uint64_t *line = (const uint64_t *)waits->unread;

	if (line == NULL)
		return;
	waits->unread = 0;
	if (!is_harmless(waits, (Addr)line))
		return;
	waits->misses[place].has_words = True;
	for (UInt i = 0; i < WAITS_WORDS; i++) {
		waits->words[place][i] = line[i];
		waits->low_words[place][i] = (UInt)line[i];
	}
}

void waits_leave(struct waits *waits)
{
	waits->unread = 0;
	waits->harmless_to = 0;
}

static Bool has_word(const struct waits *waits, UInt place, Addr word)
{
	return waits->misses[place].has_words &&
	       shorttags_find_value(waits->low_words[place], waits->words[place], WAITS_WORDS,
				    (UInt)word, word) < WAITS_WORDS;
}

/* The last miss that comes later than `at` and whose line has the address of a reference; or NULL. */
static const struct wait_miss *find_word(const struct waits *waits,
					 const struct wait_reference *made, ULong at)
{
	const UInt n = waits->n_misses < WAITS_MISSES ? waits->n_misses : WAITS_MISSES;
	const Int displacement = made->reference->u.displacement;
	const Addr word = made->address - (Addr)(Long)displacement;

	if (displacement == REFERENCE_NONE || word < WAITS_LEAST || word >> ADDRESS_BITS != 0)
		return NULL;
	for (UInt back = 1; back <= n; back++) {
		const UInt place = (waits->n_misses - back) % WAITS_MISSES;
		const struct wait_miss *miss = &waits->misses[place];

		if (!is_recent(miss->at, made->now))
			return NULL;
		if (miss->ready > at && has_word(waits, place, word))
			return miss;
	}
	return NULL;
}

/* --- channels ---------------------------------------------------------------------------- */

/* When something begins that could begin at a time; the next one begins `apart` later or after that. */
static ULong take_turn(ULong *free_at, ULong at, UInt apart)
{
	at = later(at, *free_at);
	*free_at = at + apart;
	return at;
}

/* Time between two lines of a level.  Loads on the critical path wait for each other, so they never exceed its bandwidth. */
static UInt find_apart(const struct wait_reference *made, UInt apart)
{
	const UInt least = tool_cycles.costs.least_apart[made->served];

	return !made->reference->is_critical && least > apart ? least : apart;
}

/* For a line of a stream or, if that is NULL, one that is written.  Nothing waits unless channels are too late. */
static UInt wait_for_transfer(struct waits *waits, const struct wait_reference *made,
			      struct wait_page *stream)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const UInt served = made->served;
	const UInt n_lines =
		stream == NULL ? 1 : (UInt)(stream->step < 0 ? -stream->step : stream->step);
	const UInt apart = find_apart(made, stream == NULL ? costs->apart[served]
							   : n_lines * costs->transfers[served]);
	ULong come = apart + take_turn(&waits->free_at[served], made->clock, apart);

	if (stream != NULL) {
		const UInt own = n_lines * costs->streamed[served];

		come = later(come, own + take_turn(&stream->free_at, made->clock, own));
	}
	/* The caller adds the result to the clock. */
	return (UInt)less(come - made->clock,
			  made->reference->is_critical ? 0 : made->reference->hidden);
}

/* When the request for a line begins whose address is known at a time. */
static ULong begin_miss(struct waits *waits, const struct wait_reference *made, ULong at)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const UInt served = made->served;

	if (costs->set_apart != 0)
		at = take_turn(&waits->set_free_at[made->address >> LINE_BITS & (WAITS_SETS - 1)],
			       at, smaller(costs->latency[served], costs->set_apart));
	return take_turn(&waits->free_at[served], at, find_apart(made, costs->apart[served]));
}

/* --- references -------------------------------------------------------------------------- */

static UInt cost_of_fetch(struct waits *waits, Addr address, UInt served)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const Addr line = address >> LINE_BITS;
	const Bool is_next = line == waits->last_fetch + 1;

	waits->last_fetch = line;
	if (is_next)
		return costs->streamed[served];
	return (UInt)later(less(costs->latency[served], costs->fetch_hidden),
			   costs->streamed[served]);
}

static struct wait_cost wait_for_code(struct waits *waits, const struct wait_reference *made)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	struct wait_cost cost = { 0 };

	if (made->served != 0)
		cost.caches = cost_of_fetch(waits, made->address, made->served);
	if (made->missed_pages != 0)
		cost.pages = made->missed_pages == 1 ? costs->second_tlb : costs->walk;
	waits_restart(waits, made->clock + cost.caches + cost.pages);
	return cost;
}

/* When a read or write begins, if it need not take turns. */
static ULong find_beginning(const struct waits *waits, const struct wait_reference *made)
{
	const struct reference *reference = made->reference;
	const struct wait_miss *source;
	ULong at;

	if (reference->is_critical)
		return made->clock;
	at = less(made->clock, waits->in_window + reference->hidden);
	if (waits->restarted > at)
		at += (waits->restarted - at) / WRONG_PATHS;
	source = reference->u.source == REFERENCE_NONE
			 ? NULL
			 : find_miss(waits, reference->u.load + (Addr)(Long)reference->u.source,
				     made->now);
	if (source == NULL)
		source = find_word(waits, made, at);
	if (source != NULL)
		at = later(at, source->ready);
	return at;
}

/* When the translation of an address is known that is asked for at a time. */
static ULong translate(struct waits *waits, const struct wait_reference *made, ULong at)
{
	const struct cycles_costs *costs = &tool_cycles.costs;

	if (made->missed_pages == 0)
		return at;
	if (made->missed_pages == 1)
		return costs->second_tlb +
		       take_turn(&waits->second_tlb_free_at, at, costs->second_tlb_apart);
	return costs->walk + take_turn(&waits->walker_free_at, at, costs->walks_apart);
}

struct wait_cost waits_cost(struct waits *waits, const struct wait_reference *made)
{
	const struct cycles_costs *costs = &tool_cycles.costs;
	const UInt served = made->served;
	/* What is read can be used before others have lost the line, except by a locked instruction. */
	const Bool is_read = made->reference->kind != REFERENCE_WRITE &&
			     (!made->is_upgrade || made->reference->is_critical);
	struct wait_cost cost = { 0 };
	struct wait_page *stream;
	ULong begun, translated, ready;

	enter(waits, made->clock);
	if (made->reference->kind == REFERENCE_FETCH)
		return wait_for_code(waits, made);
	read_words(waits);
	forget_old(waits, made->now);
	begun = find_beginning(waits, made);
	translated = translate(waits, made, begun);
	stream = served == 0 ? NULL : find_stream(waits, made->address);
	if (stream != NULL || (served != 0 && !is_read)) {
		cost.caches = wait_for_transfer(waits, made, stream);
		cost.pages = (UInt)less(translated, made->clock + cost.caches);
		ready = made->clock + cost.caches + cost.pages;
	} else {
		ready = served == 0 ? translated
				    : costs->latency[served] + begin_miss(waits, made, translated);
		cost.caches = (UInt)less(ready - (translated - begun), made->clock);
		cost.pages = (UInt)(less(ready, made->clock) - cost.caches);
	}
	note_wait(waits, made->now, cost.caches + cost.pages);
	if (is_read)
		note_miss(waits, made, ready + costs->first);
	return cost;
}
