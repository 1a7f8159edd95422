/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/cycles/waits: what misses cost, on a small machine, by time lines that are drawn next to them.
 *
 * All times are tenths of a cycle.  In the drawings, [ is when a read begins, ) when it could be retired if nothing were
 * missed, which is the clock, and ] when its value has come: it costs what is from ) to ].
 *
 * The machine: 4 wide, a reorder buffer of 100 instructions, which so takes 250 to fill.  L2 is 100 farther than L1D, memory
 * 2000.  Ten lines from memory are under way at a time: the next one begins 200 later at the earliest.
 */
#include "tool/cycles/waits.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"

#include "tests/common/check.h"
#include "tool/counts/block.h"
#include "tool/cycles/state.h"

enum {
	L1D = 0,
	L2 = 1,
	MEMORY = 2,
	LINE = 64,
	PAGE = 4096,
	HIDDEN = 250,
	ANY = 0x7000000, /* an address */
};

static const struct cycles_costs machine = {
	.latency = { 0, 100, 2000 },
	.apart = { 0, 10, 200 },
	.streamed = { 0, 10, 100 },
	.transfers = { 0, 10, 50 },
	.first = 40,
	.hidden = HIDDEN,
	.fetch_hidden = 80,
	.misprediction = 150,
	.second_tlb = 80,
	.walk = 250,
	.second_tlb_apart = 40,
	.walks_apart = 60,
	.reorder = 100,
};

/* --- what waits asks of the tool and of Valgrind's core ------------------------------------ */

struct cycles_state tool_cycles;

static ThreadId running;

/* By their names after VG_(). */
ThreadId vgPlain_get_running_tid(void)
{
	return running;
}

void *vgPlain_memset(void *s, Int c, SizeT sz)
{
	return memset(s, c, sz);
}

static NSegment segment = { .kind = SkAnonC, .hasR = True, .end = ~(Addr)0 };

NSegment const *vgPlain_am_find_nsegment(Addr address)
{
	return address >= segment.start && address <= segment.end ? &segment : NULL;
}

/* --- a run ---------------------------------------------------------------------------------- */

static struct waits waits;
static struct reference reference;
static ULong now, clock_now;

/* From nothing, at instruction 1000 and 10000 on the clock; the next reference is an independent read. */
static void start(void)
{
	memset(&waits, 0, sizeof(waits));
	tool_cycles.costs = machine;
	running = 1;
	now = 1000;
	clock_now = 10000;
	reference = (struct reference){
		.u = { .load = 0x400000, .source = REFERENCE_NONE, .displacement = REFERENCE_NONE },
		.kind = REFERENCE_READ,
		.hidden = HIDDEN
	};
}

/* The reference, of an address that a level has; the clock goes on by what it costs. */
static struct wait_cost refer(Addr address, UInt served, UInt missed_pages)
{
	const struct wait_reference made = {
		.reference = &reference,
		.address = address,
		.served = served,
		.missed_pages = missed_pages,
		.now = now,
		.clock = clock_now,
	};
	const struct wait_cost cost = waits_cost(&waits, &made);

	clock_now += cost.caches + cost.pages;
	return cost;
}

static UInt miss(Addr address, UInt served)
{
	return refer(address, served, 0).caches;
}

/* That many instructions that miss nothing, at four a cycle. */
static void go_on(UInt instructions)
{
	now += instructions;
	clock_now += instructions * 10 / 4;
}

/* --- misses ---------------------------------------------------------------------------------- */

/*
 *	 9750  10000                    11750
 *	  [------)------------------------]        1750
 */
TEST(one_miss)
{
	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	CHECK_EQ_U64(clock_now, 11750);
	/* What L2 has comes at 9850, before it could be retired. */
	start();
	CHECK_EQ_U64(miss(ANY, L2), 0);
}

/*
 *	 9750  10000                    11750
 *	  [------)------------------------]        1750
 *	      [---------------------------|)--]     150
 *	    9950                      11800 11950
 *
 * The second one, 20 instructions later, could begin at 11800 - 1750 - 250 = 9800, but for its turn: 9750 + 200.
 */
TEST(two_that_overlap)
{
	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(20);
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 150);
	/* Further than the reorder buffer holds, one has nothing to do with the other: at 11950 + 250 - 250, until 13950. */
	go_on(100);
	CHECK_EQ_U64(clock_now, 12200);
	CHECK_EQ_U64(miss(ANY + 2 * PAGE, MEMORY), 1750);
}

/*
 *	 9750  10000            11750
 *	  [------)----------------]                1750
 *	                           [)-------------]
 *	                       11790 11800     13790   1990
 *
 * The address comes from the first one, at 11750, and from L1D's latency, 40.
 */
TEST(a_chain_through_a_load)
{
	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(20);
	reference.u.load = 0x400010;
	reference.u.source = -0x10;
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 1990);
	/* On the critical path, it begins when it is wanted: from 11800 to 13800. */
	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(20);
	reference.is_critical = True;
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 2000);
}

/* A branch that is mispredicted, 4 instructions after the load that its condition comes from: at 11760, until 11790. */
TEST(a_branch_that_waits_for_a_load)
{
	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(4);
	CHECK_EQ_U64(waits_of_branch(&waits, reference.u.load, now, clock_now), 30);
	CHECK_EQ_U64(waits_of_branch(&waits, reference.u.load + 1, now, clock_now), 0);
	go_on(96); /* it is no more in the reorder buffer */
	CHECK_EQ_U64(waits_of_branch(&waits, reference.u.load, now, clock_now), 0);
}

/*
 * Lines one after the other, 8 instructions (20) apart.  The third one is of a stream, whose lines come 100 after each other:
 *
 *	line   clock   begins    comes   later than the clock, less 250 that the core runs ahead
 *	 3     t        t       t+100     100     0
 *	 4     t+20     t+100   t+200     180     0
 *	 5     t+40     t+200   t+300     260    10
 *	 6     t+70     t+300   t+400     330    80
 *	 7     t+170    t+400   t+500     330    80     and so on: each 100
 */
TEST(a_stream)
{
	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(1000);
	CHECK_EQ_U64(miss(ANY + LINE, MEMORY), 1750); /* a step is none yet */
	go_on(1000);
	CHECK_EQ_U64(miss(ANY + 2 * LINE, MEMORY), 0);
	go_on(8);
	CHECK_EQ_U64(miss(ANY + 3 * LINE, MEMORY), 0);
	go_on(8);
	CHECK_EQ_U64(miss(ANY + 4 * LINE, MEMORY), 10);
	for (UInt line = 5; line < 10; line++) {
		go_on(8);
		CHECK_EQ_U64(miss(ANY + line * LINE, MEMORY), 80);
	}
}

/*
 * In any order, but near: then each waits for the lines between, too, and one comes each 100.  Of four, 150 are
 * not hidden.
 */
TEST(a_stream_with_gaps)
{
	static const UInt lines[] = { 3, 1, 5, 4, 8 }, waited_for[] = { 1750, 0, 150, 0, 150 };

	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	for (UInt i = 0; i < 5; i++) {
		go_on(1000);
		CHECK_EQ_U64(miss(ANY + lines[i] * LINE, MEMORY), waited_for[i]);
	}
	go_on(1000);
	CHECK_EQ_U64(miss(ANY + 13 * LINE, MEMORY), 1750); /* five lines on */
	for (UInt line = 15; line < 35; line += 2) {
		const UInt waited = (go_on(8), miss(ANY + line * LINE, MEMORY));

		if (line > 25)
			CHECK_EQ_U64(waited, 2 * 100 - 20);
	}
}

/*
 * Lines of L2 come 50 after each other at least, in one stream too. The second one comes 50 after the first one, which is hidden;
 * as 20 go by between two, each is 30 later than the one before, until 250 are too few to hide that: then each waits for 30.
 * On the critical path each waits for the one before it anyhow.
 */
TEST(a_level_with_less_bandwidth)
{
	UInt waited = 0;

	start();
	tool_cycles.costs.least_apart[L2] = 50;
	for (UInt line = 0; line < 40; line++) {
		waited = miss(ANY + line * LINE, L2);
		go_on(8);
	}
	CHECK_EQ_U64(waited, 30);
	start();
	for (UInt line = 0; line < 40; line++) {
		waited = miss(ANY + line * LINE, L2);
		go_on(8);
	}
	CHECK_EQ_U64(waited, 0);
	start();
	tool_cycles.costs.least_apart[L2] = 50;
	reference.is_critical = True;
	for (UInt line = 0; line < 40; line++) {
		waited = miss(ANY + line * LINE, L2);
		go_on(8);
	}
	CHECK_EQ_U64(waited, 10);
}

/* It goes on in the next page; a line that is not its next one is asked for when it is wanted, as the first one is. */
TEST(a_stream_over_pages)
{
	start();
	for (UInt line = 62; line < 64; line++) {
		CHECK_EQ_U64(miss(ANY + (line - 1) * LINE, MEMORY), 1750);
		go_on(1000);
	}
	CHECK_EQ_U64(miss(ANY + 63 * LINE, MEMORY), 0);
	go_on(1000);
	CHECK_EQ_U64(miss(ANY + 64 * LINE, MEMORY), 0);
	go_on(1000);
	CHECK_EQ_U64(miss(ANY + 90 * LINE, MEMORY), 1750);
}

/*
 * A line that is written waits for its channel, for which the core need not wait while that is at most 250 late: it has come
 * 200 after it began, which is no more than that.  One right after it begins when that is free, and comes 400 after.
 */
TEST(lines_that_are_written)
{
	start();
	reference.kind = REFERENCE_WRITE;
	CHECK_EQ_U64(miss(ANY, MEMORY), 0);
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 150);
}

/*
 * Lines of one set, 300 apart, and then one of another set:
 *
 *	 9750  10000            11750
 *	  [------)----------------]                1750
 *	       [------------------|)---]            250
 *	     10050            11800 12050
 *	          [--------------------|-)-]        150
 *	        10250               12100 12250
 *
 * The third one could begin at 12100 - 1750 - 250 - 250 = 9850, but for its turn: 10050 + 200.
 */
TEST(lines_of_one_set)
{
	start();
	tool_cycles.costs.set_apart = 300;
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(20);
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 250);
	go_on(20);
	CHECK_EQ_U64(miss(ANY + 2 * PAGE + 7 * LINE, MEMORY), 150);
}

/* --- when all begins anew ------------------------------------------------------------------- */

/*
 *	  9850      10000    10100            11925
 *	    .    [    x        )----------------]        1825
 *	        9925
 *
 * The branch was resolved at x, half way to which from 9850 such a read begins.
 */
TEST(behind_a_misprediction)
{
	start();
	waits_restart(&waits, clock_now);
	go_on(40);
	CHECK_EQ_U64(miss(ANY, MEMORY), 1825);
	/* One that was resolved long ago changes nothing. */
	start();
	waits_restart(&waits, clock_now);
	go_on(400);
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
}

/*
 * Code is waited for, but for a queue of 80: 1920; the next line, for its transfer.  What follows cannot have begun before it
 * came, at 11920, or half way there: 20 instructions later, at 11970, not from 11720 on, but from 11820.
 */
TEST(code)
{
	start();
	reference.kind = REFERENCE_FETCH;
	CHECK_EQ_U64(miss(ANY, MEMORY), 1920);
	CHECK_EQ_U64(miss(ANY + LINE, MEMORY), 100);
	start();
	reference.kind = REFERENCE_FETCH;
	CHECK_EQ_U64(miss(ANY, MEMORY), 1920);
	go_on(20);
	reference.kind = REFERENCE_READ;
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 11820 + 2000 - 11970);
}

/*
 * The other thread has a clock of its own, and nothing is known about what this one has under way: 4750 to 6750.  When the first one
 * goes on, that is forgotten, too: without the other, it would be 150, as above.
 */
TEST(two_threads)
{
	ULong of_first, first_now;

	start();
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	go_on(20);
	of_first = clock_now;
	first_now = now;
	running = 2;
	clock_now = 5000;
	now = 70;
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 1750);
	running = 1;
	clock_now = of_first;
	now = first_now;
	CHECK_EQ_U64(miss(ANY + 2 * PAGE, MEMORY), 1750);
	/* Nor of a clock that has gone back, as in a handler of signals: from 50 to 2050. */
	clock_now = 300;
	CHECK_EQ_U64(miss(ANY + 3 * PAGE, MEMORY), 1750);
}

/* --- rings ------------------------------------------------------------------------------------ */

/* 70 reads that L2 has, each waited for to its end: 100 each; the last 64 are known. */
static void fill_rings(void)
{
	start();
	tool_cycles.costs.reorder = 1000;
	tool_cycles.costs.latency[MEMORY] = 10000;
	reference.is_critical = True;
	for (UInt i = 0; i < 70; i++) {
		reference.u.load = 0x400000 + 4 * i;
		CHECK_EQ_U64(miss(ANY + i * PAGE, L2), 100);
		now++;
	}
	reference.is_critical = False;
	CHECK_EQ_U64(clock_now, 17000);
}

/*
 *	 10350            17000        20350
 *	   [----------------)------------]        3350
 *
 * It begins 6400 and 250 before: with all that was waited for, it would be 7000 and 250, and so 2750.
 */
TEST(more_waits_than_the_ring_holds)
{
	fill_rings();
	CHECK_EQ_U64(waits.n_recent, WAITS_RECENT);
	CHECK_EQ_U64(waits.in_window, 6400);
	CHECK_EQ_U64(miss(ANY + 100 * PAGE, MEMORY), 3350);
}

/*
 * Of 70 loads, the last 32 are known: number 38 has come at 10000 + 39 * 100 + 40 = 13940, from when on one goes that needs it, until
 * 23940; number 37 is forgotten.
 */
TEST(more_loads_than_the_ring_holds)
{
	fill_rings();
	reference.u.source = 4 * (38 - 69);
	CHECK_EQ_U64(miss(ANY + 100 * PAGE, MEMORY), 23940 - 17000);
	fill_rings();
	reference.u.source = 4 * (37 - 69);
	CHECK_EQ_U64(miss(ANY + 100 * PAGE, MEMORY), 3350);
}

/* --- addresses that pass through memory ------------------------------------------------------- */

enum { FIELD = 24 };

/* Lines of memory that is there. */
static _Alignas(LINE) uint64_t lines[2][WAITS_WORDS];

/* A line that memory has is loaded: from 9750 to 11750, as above; 20 instructions later a field is read of what it points to. */
static void load_pointer(Addr pointer)
{
	start();
	memset(lines, 0, sizeof(lines));
	lines[0][5] = pointer;
	reference.is_loaded = true;
	CHECK_EQ_U64(miss((Addr)lines[0], MEMORY), 1750);
	go_on(20);
	reference.u.load = 0x400010;
	reference.u.displacement = FIELD;
	reference.is_loaded = false;
}

/* As in a_chain_through_a_load: begun at 11790, it costs 1990; if it begins when it can, 150, as in two_that_overlap. */
TEST(a_chain_through_memory)
{
	load_pointer(ANY);
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 1990);
	/* A load that is known is a better source, but not one that has missed nothing. */
	load_pointer(ANY);
	reference.u.source = 0x20;
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 1990);
	/* Nothing that points there has missed. */
	load_pointer(ANY + PAGE);
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 150);
}

TEST(displacements)
{
	load_pointer(ANY);
	reference.u.displacement = -FIELD;
	CHECK_EQ_U64(miss(ANY - FIELD, MEMORY), 1990);
	load_pointer(ANY);
	reference.u.displacement = 0;
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 150);
	/* The address is of two registers, or none. */
	load_pointer(ANY);
	reference.u.displacement = REFERENCE_NONE;
	CHECK_EQ_U64(miss(ANY, MEMORY), 150);
}

/* An index into what lies at the displacement, and what would be no address. */
TEST(words_that_are_no_addresses)
{
	const Addr least = WAITS_LEAST, most = ((Addr)1 << 47) - LINE;

	load_pointer(least - 8);
	reference.u.displacement = ANY;
	CHECK_EQ_U64(miss(ANY + least - 8, MEMORY), 150);
	load_pointer(least);
	reference.u.displacement = ANY;
	CHECK_EQ_U64(miss(ANY + least, MEMORY), 1990);
	load_pointer(most);
	CHECK_EQ_U64(miss(most + FIELD, MEMORY), 1990);
	load_pointer(most + LINE);
	CHECK_EQ_U64(miss(most + LINE + FIELD, MEMORY), 150);
	/* One that has the lower half of another one. */
	load_pointer(ANY);
	CHECK_EQ_U64(miss(ANY + FIELD + ((Addr)1 << 32), MEMORY), 150);
}

/*
 * What L2 has comes at 9850, and goes on at 9890: a read 20 instructions later, at 10050, could have begun at 9800, and one 60
 * later, at 10150, at 9900.
 */
TEST(lines_that_are_not_under_way)
{
	for (UInt later = 20; later <= 60; later += 40) {
		load_pointer(ANY);
		waits = (struct waits){ .thread = running };
		now = 1000;
		clock_now = 10000;
		reference.is_loaded = true;
		CHECK_EQ_U64(miss((Addr)lines[0], L2), 0);
		go_on(later);
		reference.is_loaded = false;
		CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), later == 20 ? 1840 : 1750);
	}
	/* It is no more in the reorder buffer. */
	load_pointer(ANY);
	go_on(80);
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 1750);
}

/*
 *	 9750  10000            11750
 *	  [------)----------------]                1750: the first line
 *	      [-------------------|-]               150: the second one, from 9950 to 11950
 *	                            [-)-----------]
 *	                        11990 12000    13990      1990
 */
TEST(two_lines_with_one_word)
{
	load_pointer(ANY);
	lines[1][0] = ANY;
	reference.is_loaded = true;
	CHECK_EQ_U64(miss((Addr)lines[1], MEMORY), 150);
	go_on(20);
	reference.is_loaded = false;
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 1990);
}

/* Words are those that are there at the next miss, not at the one after. */
TEST(words_that_are_stored)
{
	load_pointer(ANY + 2 * PAGE);
	lines[0][5] = ANY;
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 150);
	lines[0][5] = ANY + 2 * PAGE;
	go_on(20);
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 11790 + 2000 - 12000);
}

/* Memory that is not there, or was not loaded, is not read: this would crash. */
TEST(words_that_are_not_taken)
{
	load_pointer(ANY);
	waits_leave(&waits);
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 150);
	start();
	reference.is_loaded = true;
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	waits_leave(&waits);
	reference.is_loaded = false;
	go_on(20);
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 150);
	go_on(20);
	CHECK_EQ_U64(miss(ANY + 2 * PAGE, MEMORY), 150);
	/* A file's memory, or a device's. */
	segment.kind = SkFileC;
	load_pointer(ANY);
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 150);
	segment.kind = SkAnonC;
	/* Another thread has lines of its own. */
	load_pointer(ANY);
	running = 2;
	CHECK_EQ_U64(miss(ANY + FIELD, MEMORY), 1750);
	start();
	reference.is_loaded = true;
	CHECK_EQ_U64(miss(ANY, MEMORY), 1750);
	running = 2;
	CHECK_EQ_U64(miss(ANY + PAGE, MEMORY), 1750);
}

/* --- TLBs -------------------------------------------------------------------------------------- */

/*
 *	 9900  10000  10150                      12150
 *	  [------)-walk-|---------------------------]        1900, and 250
 *
 * The core runs 100 ahead here.  Of what is waited for, the walk is what would not be without it.
 */
TEST(a_walk)
{
	struct wait_cost cost;

	start();
	reference.hidden = 100;
	cost = refer(ANY, MEMORY, 2);
	CHECK_EQ_U64(cost.caches, 1900);
	CHECK_EQ_U64(cost.pages, 250);
	/* Of a line that L1D has: 150 of the walk. */
	start();
	reference.hidden = 100;
	cost = refer(ANY, L1D, 2);
	CHECK_EQ_U64(cost.caches, 0);
	CHECK_EQ_U64(cost.pages, 150);
	/*
	 * Another walk, at once: it could begin at 10150 - 150 - 100 = 9900 too, but for its turn, 60 after the first one: until
	 * 10210.
	 */
	cost = refer(ANY + PAGE, L1D, 2);
	CHECK_EQ_U64(cost.pages, 60);
	/* A page that the second TLB has: from 9900 to 9980. */
	start();
	reference.hidden = 100;
	cost = refer(ANY, L1D, 1);
	CHECK_EQ_U64(cost.pages, 0);
	/* If nothing goes on meanwhile, all of it. */
	start();
	reference.is_critical = True;
	cost = refer(ANY, L1D, 1);
	CHECK_EQ_U64(cost.pages, 80);
}

int main(void)
{
	const struct check_test tests[] = {
		CHECK_TEST(one_miss),
		CHECK_TEST(two_that_overlap),
		CHECK_TEST(a_chain_through_a_load),
		CHECK_TEST(a_branch_that_waits_for_a_load),
		CHECK_TEST(a_stream),
		CHECK_TEST(a_stream_with_gaps),
		CHECK_TEST(a_level_with_less_bandwidth),
		CHECK_TEST(a_stream_over_pages),
		CHECK_TEST(lines_that_are_written),
		CHECK_TEST(lines_of_one_set),
		CHECK_TEST(behind_a_misprediction),
		CHECK_TEST(code),
		CHECK_TEST(two_threads),
		CHECK_TEST(more_waits_than_the_ring_holds),
		CHECK_TEST(more_loads_than_the_ring_holds),
		CHECK_TEST(a_chain_through_memory),
		CHECK_TEST(displacements),
		CHECK_TEST(words_that_are_no_addresses),
		CHECK_TEST(lines_that_are_not_under_way),
		CHECK_TEST(two_lines_with_one_word),
		CHECK_TEST(words_that_are_stored),
		CHECK_TEST(words_that_are_not_taken),
		CHECK_TEST(a_walk),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
