/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All prefetchers of a machine: what they see, what becomes of the lines that they ask for, and who hears of it.
 *
 * References come first.  When one has been made, the units of each level that it asked see its lines, in
 * ascending order, the last level's units first (so that they see the reference before what units nearer to the processor
 * ask for): all lines if the reference missed the level, else the lines that had been prefetched there and not used yet (see below).  What a unit asks for comes at once, line by
 * line:
 *
 *	the level has it	nothing happens
 *	it has not		what a read of one byte would do to this level and the lower ones, which counts as no
 *				reference.  Units of lower levels see that they were asked, as by a reference, and
 *				prefetched lines that are found there are used
 *
 * (Intel's Optimization manual on the L2 stream: it sees requests of loads and stores, of code, and of
 * the prefetchers of L1.)  Code is seen from the second level on: I1 has no prefetchers.  The program's own
 * prefetch instructions ask in the same way, by prefetchers_ask(); units of the level itself do not see them.
 *
 * The trigger of each line, who made the unit ask for it, receives what became of the line (struct prefetched_line).
 */
#ifndef SIM_PREFETCH_PREFETCHERS_H
#define SIM_PREFETCH_PREFETCHERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/geometry.h"

/*
 * --- a prefetcher ---------------------------------------------------------------------
 *
 * Hardware prefetchers, each of them a unit at one level: it watches what misses there, and says
 * which lines to bring in.  (The prefetcher of --simulate-hwpref is in sim/lastlevel.h.)
 *
 * A unit sees, in order, the lines of references that missed its level, and those that were the
 * first to use a line that was prefetched (tagged prefetching: else a stream would stop where it is
 * successful).  It does not know what the level holds.  No kind
 * leaves the page of 4 KiB that the line is in, since the next page may be anywhere in memory.
 *
 *	next line	the lines after it, as many as degree, if the line before it was seen not long ago: of
 *			all lines with the same number modulo PREFETCH_RECENT it was the last one
 *	adjacent line	the other line of an aligned pair
 *	stream		follows config.streams pages; the one that was seen longest ago is replaced.
 *			Two steps upwards in a row, or two downwards, whatever their length, are a stream,
 *			and a step the other way ends it.  In a stream the lines up to distance ahead are
 *			asked for, each once, at most degree at a time.
 *	IP-stride	remembers of each instruction its last line and the step to it.  The same step
 *			twice in a row, other than 0, asks for the lines 1 to degree steps ahead.
 *			Instructions share a table of 256 sets of 4, LRU.
 *
 * Next line and adjacent line are Intel's ("Disclosure of H/W prefetcher control"; the Optimization manual: the first
 * is "triggered by an ascending access to very recently loaded data", and AMD's guides say as much).  How recent that is is an
 * assumption.  Of the stream, that it stays in a page is from the Optimization manual, all else is
 * an assumption.  IP-stride is ChampSim's ip_stride, but for seeing misses only.
 */

enum prefetch_kind {
	PREFETCH_NEXT_LINE,
	PREFETCH_ADJACENT_LINE,
	PREFETCH_STREAM,
	PREFETCH_IP_STRIDE,
};

enum {
	PREFETCH_MAX_STREAMS = 64,
	PREFETCH_MAX_LINES = 32, /* that a unit asks for at a time: degree at most */
	/* Intel's Optimization manual on the stream: two requests at a look, up to 20 lines ahead. */
	PREFETCH_DEFAULT_STREAMS = 32,
	PREFETCH_DEFAULT_DISTANCE = 20,
	PREFETCH_STREAM_DEGREE = 2,
	PREFETCH_RECENT = 64, /* lines; a page of lines of 64 bytes */
	PREFETCH_IP_SETS = 256,
	PREFETCH_IP_WAYS = 4,
	PREFETCH_PAGE_BITS = 12,
};

struct prefetch_config {
	enum prefetch_kind kind;
	uint32_t line_size; /* bytes, a power of two, 16 to 4096 */
	uint32_t streams;   /* of PREFETCH_STREAM: 1 to PREFETCH_MAX_STREAMS */
	uint32_t distance;  /* lines, of PREFETCH_STREAM: 1 or more */
	uint32_t degree;    /* lines, of all but adjacent line: 1 to PREFETCH_MAX_LINES */
};

/* A page that is followed.  Invariant: used is 0 if there is none. */
struct prefetch_page {
	uint64_t page;  /* its number */
	uint64_t used;  /* when it was seen last */
	uint64_t last;  /* line number */
	uint64_t sent;  /* the last line that was asked for, if steps is 2 */
	int direction;  /* 1, -1, or 0 if there was no step yet */
	unsigned steps; /* in that direction in a row; 2 are a stream */
};

/* Invariant: used is 0 if there is none. */
struct prefetch_ip {
	uint64_t ip, used;
	uint64_t last;  /* line number */
	int64_t stride; /* lines */
};

struct prefetch_unit {
	struct prefetch_config config;
	uint32_t line_bits;
	uint64_t clock;
	union {
		uint64_t recent[PREFETCH_RECENT]; /* by number, numbers + 1; 0: none was seen */
		struct prefetch_page pages[PREFETCH_MAX_STREAMS];
		struct prefetch_ip ips[PREFETCH_IP_SETS * PREFETCH_IP_WAYS];
	} u;
};

/* Addresses of lines, in the order in which they are asked for. */
struct prefetch_list {
	unsigned n;
	uint64_t lines[PREFETCH_MAX_LINES];
};

/* Nothing was seen yet. */
void prefetch_init(struct prefetch_unit *unit, const struct prefetch_config *config);

/*
 * The unit sees a line by any address in it, and the address of the instruction.  *list gets the lines to
 * prefetch.
 */
void prefetch_watch(struct prefetch_unit *unit, uint64_t address, uint64_t ip,
		    struct prefetch_list *list);

/*
 * --- lines that were prefetched ------------------------------------------------------
 *
 * Lines that a prefetcher brought into a level and nobody has used yet: who asked for them, and what becomes of them.
 * Each line has one of these fates, and is forgotten then:
 *
 *	used	a reference wanted it
 *	unused	it left the level
 *
 * That a line has left is noticed when it is wanted again, or by a sweep, so that nothing has to be done when lines are
 * evicted.
 *
 * What is added is Pf, by trigger; fates are PfU and PfX.
 */

/* What is known about a line. */
struct prefetched_line {
	uint64_t time; /* when it was asked for, in a unit of the caller's */
	void *trigger; /* who made a prefetcher ask: a word for the caller */
};

/* The cache of the level: its sets, and lines. */
struct prefetched_shape {
	struct sets sets;
	uint32_t assoc;
	uint32_t line_bits; /* log2 of bytes */
};

/*
 * Each set of the cache has as many places.  Since no more lines can be there at a time, one has left if there is
 * no place for another one.
 *
 * Invariant: the lines of set s are in places s * assoc .. s * assoc + counts[s] - 1, by their addresses.  The low
 * half of a line's number is what a search looks at first.
 */
struct prefetched {
	struct prefetched_shape shape;
	uint64_t *addresses;
	uint32_t *low_tags;
	struct prefetched_line *lines;
	uint16_t *counts;
};

/* Bytes of memory for a level, a multiple of 64. */
size_t prefetched_memory_size(const struct prefetched_shape *shape);

/* No lines, in the caller's memory, all zero, aligned to 8; assoc is below 65536. */
void prefetched_init(struct prefetched *prefetched, const struct prefetched_shape *shape,
		     void *memory);

/* False if a line, by its address, is certainly not among these; quick. */
static inline bool prefetched_may_have(const struct prefetched *prefetched, uint64_t line)
{
	uint64_t number = line >> prefetched->shape.line_bits;

	return prefetched->counts[sets_place(&prefetched->shape.sets, number).set] != 0;
}

/*
 * A line, by its address, is wanted: returns true if it is one of these, and forgets it; *known is what was known
 * about it.  If the level no longer has it, it has left unused.
 */
bool prefetched_take(struct prefetched *prefetched, uint64_t line, struct prefetched_line *known);

/* What a sweep asks and says.  ctx is handed on. */
struct prefetched_sweep {
	bool (*is_resident)(void *ctx, uint64_t line); /* the level still has it */
	void (*unused)(void *ctx, void *trigger);      /* it does not have a line */
	void *ctx;
};

/*
 * A line, by its address, was prefetched that the level did not have: if it is here, that one has left.  If there is no
 * room for it, its set is swept.
 */
void prefetched_add(struct prefetched *prefetched, uint64_t line, struct prefetched_line known,
		    const struct prefetched_sweep *sweep);

/* Forgets all lines that have left the level. */
void prefetched_sweep(struct prefetched *prefetched, const struct prefetched_sweep *sweep);

/* --- all prefetchers ----------------------------------------------------------------- */

enum {
	PREFETCHERS_MAX_LEVELS = 5, /* D1 and the lower ones */
	PREFETCHERS_MAX_UNITS = 16,
	PREFETCHERS_MAX_ASKED = 1, /* the last level that prefetchers_ask() may name */
	PREFETCHERS_LATE =
		200, /* instructions: a line that is used sooner after it was asked for is late */
};

struct prefetchers_config {
	unsigned n;
	struct prefetchers_unit {
		unsigned level; /* 0: D1; 1 ..: lower levels */
		struct prefetch_config config;
		const char *text; /* for users, or NULL; nothing here reads it */
	} units[PREFETCHERS_MAX_UNITS];
};

/* What becomes of a line. */
enum prefetch_outcome {
	PREFETCH_OUTCOME_ASKED, /* it was prefetched */
	PREFETCH_OUTCOME_USED,
	PREFETCH_OUTCOME_LATE, /* as well as that it was used */
	PREFETCH_OUTCOME_UNUSED,
};

/* Receives each outcome. */
typedef void prefetch_sink(void *trigger, enum prefetch_outcome outcome);

/* Answer of prefetch_caches.bring(): the level has the line, and nothing was done. */
#define PREFETCH_HAD 0U

/* The caches, as prefetchers reach them.  Lines are given by their addresses; level 0 is D1. */
struct prefetch_caches {
	bool (*has)(void *caches, unsigned level, uint64_t line);
	/*
	 * Does what the table above says.  Returns the level that served it, level + 1 or more, memory being the
	 * number of levels; or PREFETCH_HAD.
	 */
	unsigned (*bring)(void *caches, unsigned level, uint64_t line);
	void *caches;        /* handed on */
	prefetch_sink *sink; /* receives what becomes of lines */
};

/* A level, and the lines that were prefetched for it. */
struct prefetchers_level {
	bool is_filled; /* by units, or by instructions; else there are no such lines */
	uint32_t line_bits;
	/* Of the reference that is made, a bit for each line: the level did not have it; units see it. */
	uint64_t absent, seen;
	struct prefetched lines;
};

struct prefetchers {
	unsigned n_levels, n_units;
	bool is_on_one_line; /* the reference that is made is, in all levels */
	uint32_t least_line; /* bytes of the smallest line */
	struct prefetch_caches caches;
	struct prefetchers_level levels[PREFETCHERS_MAX_LEVELS];
	unsigned of_unit[PREFETCHERS_MAX_UNITS]; /* its level */
	struct prefetch_unit units[PREFETCHERS_MAX_UNITS];
};

/* Bytes of memory that prefetchers_init() needs, a multiple of 64. */
size_t prefetchers_memory_size(const struct prefetchers_config *config,
			       const struct prefetched_shape *levels, unsigned n_levels);

/*
 * Nothing was seen yet.  levels: the machine's, D1 first.  Memory is the caller's, all
 * zero, aligned to 8; caches is copied.
 */
void prefetchers_init(struct prefetchers *prefetchers, const struct prefetchers_config *config,
		      const struct prefetched_shape *levels, unsigned n_levels,
		      const struct prefetch_caches *caches, void *memory);

/* The most lines that units of D1 ask for when a reference to n_lines lines of it has been made. */
unsigned prefetchers_most_first(const struct prefetchers_config *config, unsigned n_lines);

/* A reference of size bytes (1 or more) at address; of a fetch, is_code. */
struct prefetch_reference {
	uint64_t address, size;
	uint64_t now; /* instructions executed so far */
	bool is_code;
};

/* Who makes it, or asks. */
struct prefetch_request {
	uint64_t ip; /* address of the instruction */
	uint64_t now;
	void *trigger;
};

/* The same of a reference on several lines. */
void prefetchers_look_at_lines(struct prefetchers *prefetchers,
			       const struct prefetch_reference *reference);

/*
 * It is about to be made: notes which of its lines levels have that were prefetched.  Only the first 64 lines
 * are seen.
 */
static inline void prefetchers_look(struct prefetchers *prefetchers,
				    const struct prefetch_reference *reference)
{
	const uint64_t mask = prefetchers->least_line - 1;

	/* Of one on a single line, the level that serves it says which have that. */
	prefetchers->is_on_one_line = (reference->address & mask) + reference->size <= mask + 1;
	if (!prefetchers->is_on_one_line)
		prefetchers_look_at_lines(prefetchers, reference);
}

/*
 * It has been made, directly after prefetchers_look(), and served by a level (sim/lower.h).  Reports the lines that it
 * has used.  Returns true if a unit may have to see it:
 */
bool prefetchers_use(struct prefetchers *prefetchers, const struct prefetch_reference *reference,
		     unsigned served);

/*
 * False if prefetchers_use() may be passed over, and returns false: nothing was prefetched that the reference wants, and
 * no unit sees it.
 */
static inline bool prefetchers_may_see(const struct prefetchers *prefetchers,
				       const struct prefetch_reference *reference, unsigned served)
{
	const struct prefetchers_level *level = &prefetchers->levels[served];

	if (!prefetchers->is_on_one_line || served > (reference->is_code ? 1U : 0U) ||
	    served >= prefetchers->n_levels)
		return true;
	return level->is_filled && prefetched_may_have(&level->lines, reference->address);
}

/* Then this is to be called at once. */
void prefetchers_show(struct prefetchers *prefetchers, const struct prefetch_reference *reference,
		      unsigned served, const struct prefetch_request *request);

/* The program asks for the line that holds address, at a level, 0 or PREFETCHERS_MAX_ASKED, and at the lower ones. */
void prefetchers_ask(struct prefetchers *prefetchers, unsigned level, uint64_t address,
		     const struct prefetch_request *request);

/* Tells of all lines that have left unused, as far as that has not been done. */
void prefetchers_sweep(struct prefetchers *prefetchers);

#endif
