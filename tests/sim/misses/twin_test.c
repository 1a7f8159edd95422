/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/misses/twin, driven like a first level: lines lie in slots, those that may be touched without notice have their stamps
 * stored and nothing else; slots get other lines, or none.  Against sim/misses/fullcache, which sees each touch.
 */
#include "sim/misses/twin.h"

#include "tests/common/check.h"
#include "tests/sim/misses/naive_misses.h"

enum {
	MAX_SLOTS = 512,
	MAX_LINES = 8, /* of a reference */
	NO_SLOT_LINE = 1,
	LINE_BITS = 6,
	LINE_SIZE = 1 << LINE_BITS,
};

static struct {
	struct twin twin;
	struct fullcache full;
	uint64_t stamps[MAX_SLOTS];
	uint64_t lines[MAX_SLOTS]; /* by their addresses, or NO_SLOT_LINE */
	bool is_known[MAX_SLOTS];  /* may be touched without notice */
	bool is_unused[MAX_SLOTS]; /* brought by a prefetcher: its stamp is no touch's */
	uint32_t n_slots;
	uint64_t clock;
	struct check_random random;
	uint64_t n_quiet, n_hidden, n_missed; /* touches without notice, and what the others did */
} level;

static void begin(uint32_t n_lines, uint32_t n_slots)
{
	memset(&level, 0, sizeof(level));
	level.random = (struct check_random)CHECK_RANDOM_INIT;
	level.n_slots = n_slots;
	level.clock = 1;
	for (uint32_t i = 0; i < n_slots; i++)
		level.lines[i] = NO_SLOT_LINE;
	twin_init(&level.twin, n_lines, LINE_BITS, level.stamps, n_slots, &naive_memory);
	fullcache_init(&level.full, n_lines, LINE_BITS, &naive_memory);
}

static void finish(void)
{
	twin_release(&level.twin);
	fullcache_release(&level.full);
	CHECK_EQ_U64(naive_blocks, 0);
}

static uint32_t slot_of(uint64_t line)
{
	for (uint32_t i = 0; i < level.n_slots; i++)
		if (level.lines[i] == line)
			return i;
	return TWIN_NO_SLOT;
}

static void empty_slot(uint32_t slot)
{
	twin_settle(&level.twin, slot);
	level.lines[slot] = NO_SLOT_LINE;
	level.is_known[slot] = false;
	level.is_unused[slot] = false;
	level.stamps[slot] = 0;
}

/* Its line has been touched, and the twin knows. */
static void use_slot(uint32_t slot)
{
	level.is_known[slot] = true;
	level.is_unused[slot] = false;
}

/* A line comes into any slot, or, now and then, into none. */
static uint32_t bring_in(uint64_t line)
{
	const uint32_t slot = level.n_slots == 0
				      ? TWIN_NO_SLOT
				      : (uint32_t)check_random_below(&level.random, level.n_slots);

	if (slot == TWIN_NO_SLOT || check_random_below(&level.random, 16) == 0)
		return TWIN_NO_SLOT;
	empty_slot(slot);
	level.lines[slot] = line;
	return slot;
}

/* What is not in the twin must not be touched without notice, and is where it says. */
static const char *fault(void)
{
	const struct twin *twin = &level.twin;
	uint32_t n = 0;

	for (uint32_t i = 0; i < twin->n_records; i++) {
		const struct twin_record *record = &twin->records[i];

		if (record->line == NO_LINE)
			continue;
		n++;
		if (record->slot != TWIN_NO_SLOT && (twin->of_slot[record->slot] != i + 1 ||
						     level.lines[record->slot] != record->line))
			return "a record has a slot that is another line's";
	}
	if (n != twin->n || n != level.full.n)
		return "another number of lines";
	for (uint32_t i = 0; i < level.full.n_records; i++) {
		const uint64_t line = level.full.records[i].line;
		bool found = line == NO_LINE;

		for (uint32_t k = 0; k < twin->n_records && !found; k++)
			found = twin->records[k].line == line;
		if (!found)
			return "a line is missing";
	}
	for (uint32_t slot = 0; slot < level.n_slots; slot++)
		if (level.is_known[slot] && twin->of_slot[slot] == 0)
			return "a line may be touched without notice that is not there";
	return NULL;
}

/* Of a reference: what is known is touched first, as generated code does, and if all of it is, that is it. */
static bool refer(uint64_t address, uint32_t n_lines)
{
	const uint64_t begun = level.clock;
	bool is_quiet = true, full_missed = false, twin_missed = false;

	for (uint32_t i = 0; i < n_lines; i++) {
		const uint32_t slot = slot_of(address + i * UINT64_C(64));

		if (slot != TWIN_NO_SLOT && level.is_known[slot])
			level.stamps[slot] = begun + i;
		else
			is_quiet = false;
	}
	level.clock += n_lines;
	for (uint32_t i = 0; i < n_lines; i++)
		full_missed |= fullcache_touch(&level.full, address + i * UINT64_C(64)).missed;
	level.n_quiet += is_quiet;
	level.n_missed += full_missed;
	if (is_quiet)
		return CHECK(!full_missed);
	for (uint32_t i = 0; i < n_lines; i++) {
		uint32_t slot = slot_of(address + i * UINT64_C(64));

		if (slot == TWIN_NO_SLOT)
			slot = bring_in(address + i * UINT64_C(64));
		if (slot != TWIN_NO_SLOT)
			level.stamps[slot] = begun + i;
	}
	for (uint32_t i = 0; i < n_lines; i++) {
		const uint64_t line = address + i * UINT64_C(64);
		const uint32_t slot = slot_of(line);
		const struct twin_touched touched = twin_touch(&level.twin, line, begun + i, slot);

		twin_missed |= touched.missed;
		if (touched.slot != TWIN_NO_SLOT) {
			level.n_hidden++;
			level.is_known[touched.slot] = false;
		}
		if (slot != TWIN_NO_SLOT)
			use_slot(slot);
	}
	return CHECK(twin_missed == full_missed);
}

/* The same for one line; what has left is known. */
static bool refer_one(uint64_t line)
{
	const uint64_t stamp = level.clock++;
	const struct full_touched full = fullcache_touch(&level.full, line);
	uint32_t slot = slot_of(line);
	struct twin_touched touched;

	level.n_missed += full.missed;
	if (slot != TWIN_NO_SLOT && level.is_known[slot]) {
		level.stamps[slot] = stamp;
		level.n_quiet++;
		return CHECK(!full.missed);
	}
	if (slot == TWIN_NO_SLOT)
		slot = bring_in(line);
	if (slot != TWIN_NO_SLOT)
		level.stamps[slot] = stamp;
	touched = twin_touch(&level.twin, line, stamp, slot);
	if (touched.slot != TWIN_NO_SLOT) {
		level.n_hidden++;
		level.is_known[touched.slot] = false;
	}
	if (slot != TWIN_NO_SLOT)
		use_slot(slot);
	return CHECK(touched.missed == full.missed) && CHECK_EQ_U64(touched.left, full.left);
}

static void evict(struct address_range range)
{
	for (uint32_t i = 0; i < level.n_slots; i++)
		if (level.lines[i] != NO_SLOT_LINE &&
		    address_range_meets(range, level.lines[i], LINE_BITS))
			empty_slot(i);
	twin_evict(&level.twin, range);
	fullcache_evict(&level.full, range);
}

/* A line changes its slot for another, with its stamp: as a write does that finds it gone. */
static void move(void)
{
	const uint32_t from = (uint32_t)check_random_below(&level.random, level.n_slots);
	const uint32_t to = (uint32_t)check_random_below(&level.random, level.n_slots);
	const uint64_t line = level.lines[from], stamp = level.stamps[from];

	if (line == NO_SLOT_LINE || from == to || level.is_unused[from])
		return;
	empty_slot(from);
	empty_slot(to);
	level.lines[to] = line;
	level.stamps[to] = stamp;
	level.is_known[to] = twin_attach(&level.twin, line, to);
}

/* A prefetcher brings a line, which is no touch: its stamp is new, and nobody may touch it without notice. */
static void prefetch(uint64_t line)
{
	uint32_t slot;

	if (slot_of(line) != TWIN_NO_SLOT)
		return;
	slot = bring_in(line);
	if (slot == TWIN_NO_SLOT)
		return;
	level.stamps[slot] = level.clock++;
	level.is_unused[slot] = true;
}

TEST(oldest_line_leaves_by_live_stamps)
{
	begin(2, 4);
	CHECK(refer_one(0));
	CHECK(refer_one(64));
	CHECK(refer_one(0)); /* mostly without notice */
	CHECK(refer_one(128));
	CHECK(refer_one(0));
	CHECK(refer_one(64));
	CHECK_STR(fault(), NULL);
	finish();
}

/* Lines that stay in a slot for longer than in the twin are noticed when they come again. */
TEST(line_of_a_quiet_slot_comes_back)
{
	struct twin_touched touched;

	begin(2, 3);
	for (uint32_t i = 0; i < 3; i++) {
		level.stamps[i] = 1 + i;
		touched = twin_touch(&level.twin, i * UINT64_C(64), 1 + i, i);
		CHECK(touched.missed);
	}
	CHECK_EQ_U64(touched.left, 0);
	CHECK_EQ_U64(touched.slot, 0);
	level.stamps[1] = 4; /* without notice */
	level.stamps[0] = 5;
	touched = twin_touch(&level.twin, 0, 5, 0);
	CHECK(touched.missed);
	CHECK_EQ_U64(touched.left, 128);
	CHECK_EQ_U64(touched.slot, 2);
	CHECK(!twin_attach(&level.twin, 128, 2));
	CHECK(twin_attach(&level.twin, 64, 1));
	twin_release(&level.twin);
	fullcache_release(&level.full);
}

/* Of any size, below and above the first level's. */
TEST(cycles_just_below_and_above_the_size)
{
	for (uint32_t n_lines = 1; n_lines <= 260; n_lines += n_lines < 70 ? 1 : 7)
		for (uint32_t n_slots = 0; n_slots <= 2 * n_lines && n_slots <= MAX_SLOTS;
		     n_slots += n_lines)
			for (uint32_t n = n_lines; n <= n_lines + 1; n++) {
				bool same = true;

				begin(n_lines, n_slots);
				for (uint64_t i = 0; i < UINT64_C(5) * n && same; i++)
					same = refer_one(i % n * 64);
				CHECK_EQ_U64(level.n_missed, n <= n_lines ? n : 5 * n);
				CHECK_STR(fault(), NULL);
				finish();
			}
}

TEST(last_in_first_out)
{
	for (uint32_t n_lines = 1; n_lines <= 260; n_lines += n_lines < 30 ? 1 : 17) {
		const uint64_t n = n_lines + n_lines / 2 + 1;
		bool same = true;

		begin(n_lines, n_lines);
		for (int turn = 0; turn < 3; turn++) {
			for (uint64_t i = 0; i < n && same; i++)
				same = refer_one(i * 64);
			for (uint64_t i = n; i-- > 0 && same;)
				same = refer_one(i * 64);
		}
		CHECK_STR(fault(), NULL);
		finish();
	}
}

/* Streams, hot lines, lines of one set, at both ends of the address space; long references, evictions, moves, prefetches. */
static void by_chance(uint32_t n_lines, uint32_t n_slots, unsigned n)
{
	bool same = true;
	uint64_t stream = 0;

	begin(n_lines, n_slots);
	level.random.state += n_lines * UINT64_C(1000) + n_slots;
	for (unsigned i = 0; i < n && same; i++) {
		const uint64_t kind = check_random_below(&level.random, 1000);
		const uint64_t span = kind % 3 == 0 ? n_lines / 2 + 1 : n_lines + n_lines / 2 + 2;
		uint64_t line = check_random_below(&level.random, span) * LINE_SIZE;

		if (kind % 4 == 0)
			line = 0 - line - LINE_SIZE;
		if (kind % 50 < 4)
			line = (stream += LINE_SIZE);
		if (kind == 0)
			evict(address_range(line, 1 + check_random_below(&level.random, 4096)));
		else if (kind == 1 && check_random_below(&level.random, 8) == 0)
			evict(address_range_all());
		else if (kind < 40 && n_slots != 0)
			move();
		else if (kind < 80)
			prefetch(line);
		else if (kind < 90 && n_slots != 0)
			empty_slot((uint32_t)check_random_below(&level.random, n_slots));
		else if (kind < 250)
			same = refer(line, 2 + (uint32_t)check_random_below(&level.random,
									    MAX_LINES - 1));
		else
			same = refer_one(line);
		if (i % 100 == 0)
			same = same && CHECK_STR(fault(), NULL);
	}
	CHECK_STR(fault(), NULL);
	if (n_slots > 8 && n_lines > 8)
		CHECK(level.n_quiet > n / 10 && level.n_hidden > 0);
	finish();
}

TEST(equals_a_plain_one_by_chance)
{
	for (uint32_t n_lines = 1; n_lines <= 260; n_lines += n_lines < 40 ? 1 : 11) {
		by_chance(n_lines, 0, 1000);
		by_chance(n_lines, 1, 1000);
		by_chance(n_lines, n_lines / 2 + 1, 1500);
		by_chance(n_lines, n_lines, 3000);
		by_chance(n_lines, n_lines + n_lines / 2, 1500);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(oldest_line_leaves_by_live_stamps),
		CHECK_TEST(line_of_a_quiet_slot_comes_back),
		CHECK_TEST(cycles_just_below_and_above_the_size),
		CHECK_TEST(last_in_first_out),
		CHECK_TEST(equals_a_plain_one_by_chance),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
