/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hardware prefetchers, each of them a unit at one level: it watches what misses there, and says
 * which lines to bring in.  (The prefetcher of --simulate-hwpref is in sim/lastlevel.h.)
 *
 * A unit sees, in order, the lines of references that missed its level, and those that were the
 * first to use a line that was prefetched (tagged prefetching: else a stream would stop where it is
 * successful); sim/prefetch/prefetchers.h shows them to it.  It does not know what the level holds.  No kind
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
#ifndef SIM_PREFETCH_PREFETCH_H
#define SIM_PREFETCH_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prefetch_kind {
	PREFETCH_NEXT_LINE,
	PREFETCH_ADJACENT_LINE,
	PREFETCH_STREAM,
	PREFETCH_IP_STRIDE,
};

enum {
	PREFETCH_MAX_STREAMS = 64,
	PREFETCH_MAX_LINES = 32, /* that a unit asks for at a time: degree at most */
	/* What Intel's Optimization manual says of the stream: two requests at a look, up to 20 lines ahead. */
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
 * The unit sees a line by any address in it, and the address of the instruction.  *list gets what is to be
 * brought in.
 */
void prefetch_watch(struct prefetch_unit *unit, uint64_t address, uint64_t ip,
		    struct prefetch_list *list);

#endif
