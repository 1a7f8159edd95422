/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events of the table writer/shared/events.h that can be recorded: which of them a run has, their order in a profile, and
 * where their counters are.
 */
#ifndef TOOL_COMMON_EVENT_H
#define TOOL_COMMON_EVENT_H

#include "pub_tool_basics.h"

#include "writer/shared/events.h"

/* An event of the table, if it has this origin. */
#define EVENT_FROM_INSTRUCTION(id, name, long_name, origin, ...) \
 EVENT_IF(INSTRUCTION, origin, EVENT_##id)
#define EVENT_FROM_PREDICTION(id, name, long_name, origin, ...) \
 EVENT_IF(PREDICTION, origin, EVENT_##id)
#define EVENT_FROM_MISS(id, name, long_name, origin, ...)  EVENT_IF(MISS, origin, EVENT_##id)
#define EVENT_FROM_ROUND(id, name, long_name, origin, ...) EVENT_IF(ROUND, origin, EVENT_##id)
#define EVENT_FROM_TRAIT(id, name, long_name, origin, ...) EVENT_IF(TRAIT, origin, EVENT_##id)
#define EVENT_FROM_SELDOM_MISS(id, name, long_name, origin, ...) \
 EVENT_IF(SELDOM_MISS, origin, EVENT_##id)
#define EVENT_FROM_LOSS(id, name, long_name, origin, ...)  EVENT_IF(LOSS, origin, EVENT_##id)
#define EVENT_FROM_CYCLE(id, name, long_name, origin, ...) EVENT_IF(CYCLE, origin, EVENT_##id)
#define EVENT_FROM_WORK(id, name, long_name, origin, ...)  EVENT_IF(WORK, origin, EVENT_##id)
#define EVENT_FROM_SELDOM_BRANCH(id, name, long_name, origin, ...) \
 EVENT_IF(SELDOM_BRANCH, origin, EVENT_##id)
#define EVENT_FROM_PAGE_MISS(id, name, long_name, origin, ...) \
 EVENT_IF(PAGE_MISS, origin, EVENT_##id)
#define EVENT_FROM_COHERENCE(id, name, long_name, origin, ...) \
 EVENT_IF(COHERENCE, origin, EVENT_##id)
#define EVENT_FROM_CLASS(id, name, long_name, origin, ...)    EVENT_IF(CLASS, origin, EVENT_##id)
#define EVENT_FROM_SIZE(id, name, long_name, origin, ...)     EVENT_IF(SIZE, origin, EVENT_##id)
#define EVENT_FROM_SYSTEM(id, name, long_name, origin, ...)   EVENT_IF(SYSTEM, origin, EVENT_##id)
#define EVENT_FROM_LINE_USE(id, name, long_name, origin, ...) EVENT_IF(LINE_USE, origin, EVENT_##id)

/*
 * First the events that are known when code is translated, in pairs that generated code adds up two at a time; then
 * occasional events; then events that most runs do without.  All of these have running totals, from which the inclusive
 * costs of calls are made.  The last events have none: they are costs of code that ran long ago.
 */
enum event {
	EVENTS(EVENT_FROM_INSTRUCTION) EVENTS(EVENT_FROM_PREDICTION) EVENTS(EVENT_FROM_MISS)
		N_COMMON_EVENTS,
	EVENT_BEFORE_TRAITS = N_COMMON_EVENTS - 1,
	EVENTS(EVENT_FROM_ROUND) /* the one of --counting=architectural */
	EVENTS(EVENT_FROM_TRAIT) EVENT_AFTER_TRAITS,
	EVENT_BEFORE_CYCLES = EVENT_AFTER_TRAITS - 1,
	EVENTS(EVENT_FROM_LOSS) EVENTS(EVENT_FROM_CYCLE) EVENT_AFTER_CYCLES,
	EVENT_BEFORE_BRANCHES = EVENT_AFTER_CYCLES - 1,
	EVENTS(EVENT_FROM_SELDOM_BRANCH) EVENT_AFTER_BRANCHES,
	EVENT_BEFORE_PAGES = EVENT_AFTER_BRANCHES - 1,
	EVENTS(EVENT_FROM_PAGE_MISS) EVENTS(EVENT_FROM_COHERENCE) EVENT_AFTER_COHERENCE,
	EVENT_BEFORE_WORK = EVENT_AFTER_COHERENCE - 1,
	EVENTS(EVENT_FROM_WORK) EVENT_AFTER_WORK,
	EVENT_BEFORE_SELDOM = EVENT_AFTER_WORK - 1,
	EVENTS(EVENT_FROM_SELDOM_MISS) EVENTS(EVENT_FROM_SYSTEM) EVENT_AFTER_SYSTEM,
	EVENT_BEFORE_CLASSES = EVENT_AFTER_SYSTEM - 1,
	EVENTS(EVENT_FROM_CLASS) EVENTS(EVENT_FROM_SIZE) N_RUNNING_EVENTS,
	EVENT_BEFORE_USES = N_RUNNING_EVENTS - 1,
	EVENTS(EVENT_FROM_LINE_USE) N_EVENTS,
	N_SIZE_EVENTS = N_RUNNING_EVENTS - EVENT_M64K,       /* and what follows it */
	N_TRAIT_EVENTS = EVENT_AFTER_TRAITS - EVENT_REP,     /* and what follows it */
	N_STATIC_CYCLES = EVENT_AFTER_CYCLES - EVENT_CYBASE, /* and what follows it */
	N_WORK_EVENTS = EVENT_AFTER_WORK - EVENT_FLS,        /* and what follows it */
};

_Static_assert(EVENT_DR == EVENT_IR + 1 && EVENT_BC == EVENT_DW + 1 &&
		       EVENT_D1MR == EVENT_I1MR + 1 && EVENT_L2IR == EVENT_D1MW + 1 &&
		       EVENT_L2DW == EVENT_L2DR + 1 && EVENT_DLMR == EVENT_ILMR + 1 &&
		       EVENT_WRITTEN == EVENT_DLMW + 1 && N_COMMON_EVENTS == EVENT_WRITTEN + 1 &&
		       EVENT_CYDEP == EVENT_CYBASE + 1,
	       "pairs of events");

enum event_group {
#define GROUP(group, option) GROUP_##group,
	EVENT_GROUPS(GROUP)
#undef GROUP
		N_EVENT_GROUPS,
};

/* Levels of caches. */
enum level {
#define LEVEL(id, ...) LEVEL_##id,
	LEVELS(LEVEL)
#undef LEVEL
		N_LEVELS,
};

struct event_row {
	const HChar *name;
	const HChar *long_name;
	enum event_group group; /* must be switched on */
	UInt cycles;            /* weight in the derived event EstCyc, 0 = not in it */
};

extern const struct event_row event_table[N_EVENTS];

/* A set of events: bit e % 64 of word e / 64 is set if event e is in it. */
struct event_mask {
	ULong words[2];
};

enum { EVENT_MASK_BITS = 64 }; /* of a word */

_Static_assert(N_EVENTS <= 2 * EVENT_MASK_BITS, "a mask has a bit for each event");

static inline Bool event_mask_has(const struct event_mask *mask, enum event event)
{
	return (mask->words[event / EVENT_MASK_BITS] >> event % EVENT_MASK_BITS & 1) != 0;
}

static inline void event_mask_add(struct event_mask *mask, enum event event)
{
	mask->words[event / EVENT_MASK_BITS] |= 1UL << event % EVENT_MASK_BITS;
}

static inline void event_mask_remove(struct event_mask *mask, enum event event)
{
	mask->words[event / EVENT_MASK_BITS] &= ~(1UL << event % EVENT_MASK_BITS);
}

/* How many events there are; how many of them are before an event. */
static inline UInt event_mask_count(const struct event_mask *mask)
{
	return (UInt)(__builtin_popcountl(mask->words[0]) + __builtin_popcountl(mask->words[1]));
}

static inline UInt event_mask_count_before(const struct event_mask *mask, enum event event)
{
	const UInt word = event / EVENT_MASK_BITS;
	const ULong below = (1UL << event % EVENT_MASK_BITS) - 1;

	return (UInt)(__builtin_popcountl(mask->words[word] & below) +
		      (word == 0 ? 0 : __builtin_popcountl(mask->words[0])));
}

/* Which events of a run are late. */
enum late_kind {
	LATE_NONE,
	LATE_SELDOM, /* only events that C adds occasionally: of the system, and allocations */
	LATE_WORK, /* before those, also operations and bytes (EVENT_FLS to EVENT_BYTW), which code adds */
};

/* The order of work among late events. */
enum late_work {
	LATE_BYTR,
	LATE_BYTW,
	LATE_FLS,
	LATE_FLD,
	LATE_FLX,
	LATE_FL128,
	LATE_FL256,
	N_LATE_WORK,
};

enum {
	N_LATE_EVENTS = N_LATE_WORK + EVENT_AFTER_SYSTEM - EVENT_SYS_COUNT, /* at most */
	N_KEPT_EVENTS = N_EVENTS + N_LATE_EVENTS, /* inclusive costs, at most */
};

/* Some events: first pairs that are moved at once, then single events. */
struct event_pairs {
	UInt n_pairs; /* each of the first n_pairs also means the event after it */
	UInt n;
	enum event events[N_EVENTS];
};

/* The events of one run, in the order of the columns of a profile. */
struct event_set {
	UInt n;        /* columns */
	UInt n_hidden; /* more events after them (event_set_hide()) */
	enum event events[N_EVENTS];
	/*
	 * How many of the first events have running totals and inclusive costs: 1 if there is only Ir, N_COMMON_EVENTS, or up
	 * to the last recorded one that has them.  2 means Ir and Rep: event_counted().
	 */
	UInt n_counted;
	/*
	 * The recorded ones of these after Rep, except late ones: those that nearly all calls have, and those that many calls
	 * have none of.
	 */
	struct event_pairs steady, seldom;
	Bool lacks_common; /* Ir is the only common event that is recorded */
	/*
	 * Late events (tool/calls/callcost.h) have running totals, too, but are not among the n_counted.  Their inclusive costs are kept after those, in
	 * this order, n_kept in all.
	 */
	enum late_kind late_kind;
	UInt n_late, n_kept;
	enum event late[N_LATE_EVENTS];
	struct event_mask recorded;
};

static inline Bool event_is_recorded(const struct event_set *set, enum event event)
{
	return event_mask_has(&set->recorded, event);
}

enum {
	N_COUNTED_IR = 1, /* where only instructions are counted, which most calls are made for */
	N_COUNTED_IR_REP = 2,                       /* ... with --counting=architectural */
	N_COUNTED_COMMON_REP = N_COMMON_EVENTS + 1, /* all common events, and that */
};

/* The event whose inclusive cost is at index i of n_counted. */
static inline enum event event_counted(UInt n_counted, UInt i)
{
	return n_counted == N_COUNTED_IR_REP && i == 1 ? EVENT_REP : (enum event)i;
}

/*
 * Sets the events of some groups, a set of 1 << enum event_group; GROUP_ALWAYS is implied.  packs_work: operations and bytes are
 * late events.
 */
void event_set_init(struct event_set *set, UInt groups, Bool packs_work);

/*
 * Leaves the events of a group, which are the last columns, out of profiles until event_set_show(): they are recorded all the
 * same.
 */
void event_set_hide(struct event_set *set, enum event_group group);
void event_set_show(struct event_set *set);

static inline Bool event_is_late(const struct event_set *set, enum event event)
{
	return (event >= EVENT_FLS && event <= EVENT_BYTW && set->late_kind == LATE_WORK) ||
	       (event >= EVENT_SYS_COUNT && event < EVENT_AFTER_SYSTEM);
}

/* The index of a recorded late event among the n_late. */
UInt event_late_index(const struct event_set *set, enum event event);

/* From costs by event, the one at index i of the n_kept. */
static inline ULong event_kept_of(const struct event_set *set, const ULong *costs, UInt i)
{
	enum event event;

	if (i >= set->n_counted)
		return costs[set->late[i - set->n_counted]];
	event = event_counted(set->n_counted, i);
	return event_is_late(set, event) ? 0 : costs[event];
}

/* Adds n_kept costs to sums by event. */
void event_add_kept(const struct event_set *set, const ULong *kept, ULong sums[N_EVENTS]);

/*
 * The value in running totals of an event or derived event, by its name of len bytes.  False, with *value unchanged, if it was
 * not counted or has no running total.
 */
Bool event_value(const struct event_set *set, const HChar *name, SizeT len,
		 const ULong totals[N_EVENTS], ULong *value);

/* Two counts that are moved or added up at a time. */
typedef ULong count_pair __attribute__((vector_size(16), aligned(8)));

static inline count_pair *event_pair(ULong *counts, enum event first)
{
	return (count_pair *)(counts + first);
}

static inline const count_pair *event_const_pair(const ULong *counts, enum event first)
{
	return (const count_pair *)(counts + first);
}

/*
 * to = from; all common events.  Each is read as wide as generated code writes it, or
 * the processor would have to wait until it is in its cache.
 */
static inline void event_copy(ULong *to, const ULong *from)
{
	*event_pair(to, EVENT_IR) = *event_const_pair(from, EVENT_IR);
	*event_pair(to, EVENT_DW) = *event_const_pair(from, EVENT_DW);
	to[EVENT_BI] = from[EVENT_BI];
	to[EVENT_BCM] = from[EVENT_BCM];
	to[EVENT_BIM] = from[EVENT_BIM];
	*event_pair(to, EVENT_I1MR) = *event_const_pair(from, EVENT_I1MR);
	*event_pair(to, EVENT_D1MW) = *event_const_pair(from, EVENT_D1MW);
	*event_pair(to, EVENT_L2DR) = *event_const_pair(from, EVENT_L2DR);
	*event_pair(to, EVENT_ILMR) = *event_const_pair(from, EVENT_ILMR);
	*event_pair(to, EVENT_DLMW) = *event_const_pair(from, EVENT_DLMW);
}

/* sums += now - before; all common events. */
static inline void event_add_difference(ULong *sums, const ULong *now, const ULong *before)
{
	*event_pair(sums, EVENT_IR) +=
		*event_const_pair(now, EVENT_IR) - *event_const_pair(before, EVENT_IR);
	*event_pair(sums, EVENT_DW) +=
		*event_const_pair(now, EVENT_DW) - *event_const_pair(before, EVENT_DW);
	sums[EVENT_BI] += now[EVENT_BI] - before[EVENT_BI];
	/* Many calls have none of these; lower levels are asked, and lines written, after one of them only. */
	if (now[EVENT_BCM] + now[EVENT_BIM] + now[EVENT_I1MR] + now[EVENT_D1MR] + now[EVENT_D1MW] ==
	    before[EVENT_BCM] + before[EVENT_BIM] + before[EVENT_I1MR] + before[EVENT_D1MR] +
		    before[EVENT_D1MW])
		return;
	sums[EVENT_BCM] += now[EVENT_BCM] - before[EVENT_BCM];
	sums[EVENT_BIM] += now[EVENT_BIM] - before[EVENT_BIM];
	*event_pair(sums, EVENT_I1MR) +=
		*event_const_pair(now, EVENT_I1MR) - *event_const_pair(before, EVENT_I1MR);
	*event_pair(sums, EVENT_D1MW) +=
		*event_const_pair(now, EVENT_D1MW) - *event_const_pair(before, EVENT_D1MW);
	*event_pair(sums, EVENT_L2DR) +=
		*event_const_pair(now, EVENT_L2DR) - *event_const_pair(before, EVENT_L2DR);
	*event_pair(sums, EVENT_ILMR) +=
		*event_const_pair(now, EVENT_ILMR) - *event_const_pair(before, EVENT_ILMR);
	*event_pair(sums, EVENT_DLMW) +=
		*event_const_pair(now, EVENT_DLMW) - *event_const_pair(before, EVENT_DLMW);
}

/*
 * Adds now - before to two sums; all common events.  The second ones are mostly
 * not in the processor's cache: the line with the misses is left alone without any.
 */
static inline void event_add_difference_twice(ULong *sums, ULong *others, const ULong *now,
					      const ULong *before)
{
	count_pair instructions =
		*event_const_pair(now, EVENT_IR) - *event_const_pair(before, EVENT_IR);
	count_pair writes = *event_const_pair(now, EVENT_DW) - *event_const_pair(before, EVENT_DW);
	ULong indirect = now[EVENT_BI] - before[EVENT_BI];
	ULong bcm = now[EVENT_BCM] - before[EVENT_BCM];
	ULong bim = now[EVENT_BIM] - before[EVENT_BIM];
	count_pair misses;

	*event_pair(sums, EVENT_IR) += instructions;
	*event_pair(others, EVENT_IR) += instructions;
	*event_pair(sums, EVENT_DW) += writes;
	*event_pair(others, EVENT_DW) += writes;
	sums[EVENT_BI] += indirect;
	others[EVENT_BI] += indirect;
	if (now[EVENT_BCM] + now[EVENT_BIM] + now[EVENT_I1MR] + now[EVENT_D1MR] + now[EVENT_D1MW] ==
	    before[EVENT_BCM] + before[EVENT_BIM] + before[EVENT_I1MR] + before[EVENT_D1MR] +
		    before[EVENT_D1MW])
		return;
	sums[EVENT_BCM] += bcm;
	others[EVENT_BCM] += bcm;
	sums[EVENT_BIM] += bim;
	others[EVENT_BIM] += bim;
	for (enum event first = EVENT_I1MR; first <= EVENT_DLMW; first += 2) {
		misses = *event_const_pair(now, first) - *event_const_pair(before, first);
		*event_pair(sums, first) += misses;
		*event_pair(others, first) += misses;
	}
}

/* to = from; some events. */
static inline void event_copy_pairs(ULong *to, const ULong *from, const struct event_pairs *pairs)
{
	UInt i = 0;

	for (; i < pairs->n_pairs; i++)
		*event_pair(to, pairs->events[i]) = *event_const_pair(from, pairs->events[i]);
	for (; i < pairs->n; i++)
		to[pairs->events[i]] = from[pairs->events[i]];
}

static inline Bool event_pairs_differ(const ULong *now, const ULong *before,
				      const struct event_pairs *pairs)
{
	count_pair both = { 0 };
	ULong all = 0;
	UInt i = 0;

	for (; i < pairs->n_pairs; i++)
		both |= *event_const_pair(now, pairs->events[i]) ^
			*event_const_pair(before, pairs->events[i]);
	for (; i < pairs->n; i++)
		all |= now[pairs->events[i]] ^ before[pairs->events[i]];
	return (all | both[0] | both[1]) != 0;
}

/* sums += now - before, and others, too, unless they are NULL; some events. */
static inline void event_add_pairs(ULong *sums, ULong *others, const ULong *now,
				   const ULong *before, const struct event_pairs *pairs)
{
	UInt i = 0;

	for (; i < pairs->n_pairs; i++) {
		const enum event event = pairs->events[i];
		const count_pair spent =
			*event_const_pair(now, event) - *event_const_pair(before, event);

		*event_pair(sums, event) += spent;
		if (others != NULL)
			*event_pair(others, event) += spent;
	}
	for (; i < pairs->n; i++) {
		const enum event event = pairs->events[i];
		const ULong spent = now[event] - before[event];

		sums[event] += spent;
		if (others != NULL)
			others[event] += spent;
	}
}

/* The same for all events after Rep that are not late; most runs have none. */
static inline void event_copy_rare(ULong *to, const ULong *from, const struct event_set *set)
{
	event_copy_pairs(to, from, &set->steady);
	event_copy_pairs(to, from, &set->seldom);
}

static inline void event_add_rare_difference(ULong *sums, ULong *others, const ULong *now,
					     const ULong *before, const struct event_set *set)
{
	event_add_pairs(sums, others, now, before, &set->steady);
	if (event_pairs_differ(now, before, &set->seldom))
		event_add_pairs(sums, others, now, before, &set->seldom);
}

#endif
