/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/machine, sim/prefetch/prefetchers: what prefetched lines do to the machine as generated code
 * drives it and to struct hierarchy, which must stay equal; rules of prefetchers by hand; all of it by chance.
 */
#include "sim/machine.h"

#include "sim/prefetch/prefetchers.h"
#include "tests/common/check.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/pair_states.h"
#include "tests/sim/pair_steps.h"
#include "tests/sim/traffic.h"

static struct pair pair;

/* Addresses of 64-byte lines. */
enum {
	A = 0,
	B = 64,
	C = 128,
	D = 192,
};

/* --- lines that come ----------------------------------------------------------------- */

static void begin(enum inclusion l2, enum inclusion l3, const struct policy *policy)
{
	const struct hierarchy_config config = {
		.i1 = { .geometry = { 256, 2, 64 } },
		.d1 = { .geometry = { 128, 2, 64 }, .policy = policy },
		.n_lower = 2,
		.lower = { { .geometry = { 256, 4, 64 }, .inclusion = l2 },
			   { .geometry = { 512, 8, 64 }, .inclusion = l3 } },
	};

	pair_init(&pair, &config, 1);
}

#define DATA(address, served, in_d1, in_l2, in_l3) \
 PAIR_STEP(pair, pair_data(&pair, address, 8, false), served, in_d1, in_l2, in_l3)
#define BRING(level, line, served, in_d1, in_l2, in_l3) \
 PAIR_STEP(pair, pair_prefetch(&pair, level, line), served, in_d1, in_l2, in_l3)

TEST(line_comes_as_by_a_read)
{
	begin(INCLUSION_NINE, INCLUSION_NINE, NULL);
	DATA(A, 3, "A.", "A...", "A.......");
	BRING(0, B, 3, "BA", "BA..", "BA......");
	BRING(0, A, PREFETCH_HAD, "BA", "BA..", "BA......"); /* no use of it */
	BRING(1, C, 3, "BA", "CBA.", "CBA.....");
	BRING(1, B, PREFETCH_HAD, "BA", "CBA.", "CBA.....");
	BRING(2, D, 3, "BA", "CBA.", "DCBA....");
	DATA(C, 1, "CB", "CBA.", "DCBA....");
	DATA(D, 2, "DC", "DCBA", "DCBA....");
	BRING(0, A, 1, "AD", "ADCB", "DCBA....");
	pair_release(&pair);
}

TEST(line_that_leaves_goes_to_a_victim)
{
	begin(INCLUSION_NINE, INCLUSION_VICTIM, NULL);
	BRING(1, A, 3, "..", "A...", "........");
	BRING(1, B, 3, "..", "BA..", "........");
	BRING(1, C, 3, "..", "CBA.", "........");
	BRING(1, D, 3, "..", "DCBA", "........");
	BRING(0, 256, 3, "E.", "EDCB", "A.......");
	BRING(1, A, 2, "E.", "AEDC", "B.......");
	pair_release(&pair);
}

TEST(first_use_of_a_line_calls_c)
{
	static const struct policy *const policies[] = { NULL, &policy_plru, &policy_fifo };

	for (size_t i = 0; i < 6; i++) {
		pair_with_twins = i >= 3;
		begin(INCLUSION_NINE, INCLUSION_NINE, policies[i % 3]);
		pair_with_twins = false;
		pair_data(&pair, A, 8, false);
		pair_prefetch(&pair, 0, B);
		CHECK(machine_filter_entry(pair.machine, B)->line != B);
		CHECK(machine_has(pair.machine, 0, B) && hierarchy_has(&pair.hierarchy, 0, B));
		CHECK_EQ_U64(pair_data(&pair, B, 8, false).machine, 0);
		CHECK(machine_filter_entry(pair.machine, B)->line == B);
		/* A line that nobody had asked for: a hit, and a cold miss of its twin. */
		CHECK(!pair.has_twins || pair.twins.outcome == (FULL_MISSED | FULL_COLD));
		CHECK_STR(pair_fault(&pair), NULL);
		pair_release(&pair);
	}
}

/* --- rules of prefetchers ------------------------------------------------------------ */

/* One side of the pair, with prefetchers. */
struct side {
	bool is_machine;
	struct prefetchers prefetchers;
	void *memory;
	uint64_t stamp;
	char told[64]; /* by hand: a letter for each outcome, in order */
	size_t n_told;
	uint64_t sums[4], mix; /* by chance: of each outcome, and all in order */
};

static struct side sides[2]; /* the machine's, and the hierarchy's */

static bool has(void *caches, unsigned level, uint64_t line)
{
	const struct side *side = caches;

	return side->is_machine ? machine_has(pair.machine, level, line)
				: hierarchy_has(&pair.hierarchy, level, line);
}

static unsigned bring(void *caches, unsigned level, uint64_t line)
{
	struct side *side = caches;

	return side->is_machine ? machine_prefetch(pair.machine, level, line, side->stamp++)
				: hierarchy_prefetch(&pair.hierarchy, level, line);
}

/* Triggers are sides, and a number that fits into the low bits of a pointer. */
static struct trigger {
	struct side *side;
	uint64_t ip;
} triggers[2][8];

static void tell(void *ctx, enum prefetch_outcome outcome)
{
	const struct trigger *trigger = ctx;
	struct side *side = trigger->side;

	if (side->n_told + 1 < sizeof(side->told))
		side->told[side->n_told++] = "AULX"[outcome];
	side->sums[outcome]++;
	side->mix = side->mix * 31 + trigger->ip * 4 + outcome;
}

static struct prefetched_shape shape_of(const struct cache_config *cache)
{
	struct prefetched_shape shape = { .assoc = cache->geometry.assoc };

	sets_init(&shape.sets, geometry_sets(&cache->geometry), cache->hashes_sets,
		  cache->hash_seed);
	while (UINT32_C(1) << shape.line_bits < cache->geometry.line_size)
		shape.line_bits++;
	return shape;
}

static void begin_prefetchers(const struct hierarchy_config *config,
			      const struct prefetchers_config *prefetchers)
{
	struct prefetched_shape levels[HIERARCHY_MAX_LEVELS];
	unsigned n = 1 + config->n_lower;

	pair_init(&pair, config, 1);
	for (unsigned i = 0; i < n; i++)
		levels[i] = shape_of(i == 0 ? &config->d1 : &config->lower[i - 1]);
	for (size_t i = 0; i < 2; i++) {
		const struct prefetch_caches caches = { has, bring, &sides[i], tell };

		sides[i] = (struct side){ .is_machine = i == 0 };
		sides[i].memory = pair_memory(prefetchers_memory_size(prefetchers, levels, n));
		prefetchers_init(&sides[i].prefetchers, prefetchers, levels, n, &caches,
				 sides[i].memory);
		for (uint64_t ip = 0; ip < 8; ip++)
			triggers[i][ip] = (struct trigger){ &sides[i], ip };
	}
}

static void finish_prefetchers(void)
{
	for (size_t i = 0; i < 2; i++)
		free(sides[i].memory);
	pair_release(&pair);
}

/* As the tool does for a reference that generated code calls C for; of the hierarchy for each. */
struct reference {
	uint64_t address, size, ip, now;
	bool is_code, is_write;
};

static void look(struct side *side, const struct reference *reference)
{
	const struct prefetch_reference described = { reference->address, reference->size,
						      reference->now, reference->is_code };

	prefetchers_look(&side->prefetchers, &described);
}

static void see(struct side *side, const struct reference *reference, unsigned served)
{
	const struct prefetch_reference described = { reference->address, reference->size,
						      reference->now, reference->is_code };
	const struct prefetch_request request = { reference->ip, reference->now,
						  &triggers[side - sides][reference->ip] };

	if (prefetchers_use(&side->prefetchers, &described, served))
		prefetchers_show(&side->prefetchers, &described, served, &request);
}

/* Fully associative caches see it, if there are twins; is_hit: without a call. */
static void see_twin(const struct reference *reference, bool is_hit)
{
	if (pair.has_twins)
		pair_refer_full(&pair, reference->is_code, reference->address, reference->size,
				is_hit);
}

static unsigned refer_machine(const struct reference *reference)
{
	struct machine *machine = pair.machine;
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	unsigned n_lines = machine_data_lines(machine, reference->size);
	uint64_t stamp = pair_take_stamps(&pair, n_lines + 64);
	const struct filter_entry *entry = machine_filter_entry(machine, reference->address);
	unsigned served;

	if (!(reference->is_write && machine_is_called_for_writes(machine)) &&
	    reference->size <= line_size &&
	    reference->address - entry->line < line_size - reference->size + 1) {
		*entry->stamp = stamp;
		if (reference->is_write && machine->d1.written_offset != 0)
			*machine_written(machine, entry->stamp) = stamp;
		see_twin(reference, true);
		return 0;
	}
	look(&sides[0], reference);
	served = reference->is_write
			 ? machine_write(machine, reference->address, reference->size, stamp)
			 : machine_data(machine, reference->address, reference->size, stamp);
	see_twin(reference, false);
	sides[0].stamp = stamp + n_lines;
	see(&sides[0], reference, served);
	/* As generated code goes on after a call. */
	if (reference->size <= line_size &&
	    !(reference->is_write && machine_is_called_for_writes(machine))) {
		*entry->stamp = stamp;
		if (reference->is_write && machine->d1.written_offset != 0)
			*machine_written(machine, entry->stamp) = stamp;
	}
	return served;
}

static unsigned fetch_machine(const struct reference *reference)
{
	struct machine *machine = pair.machine;
	unsigned covered = pair_lines_covered(&pair, reference->address, reference->size);
	uint64_t stamp = pair_take_stamps(&pair, covered);
	bool is_called = machine_is_called_for_code(machine);
	struct code_line *lines[PAIR_FETCH_LINES];
	bool all_fast = !is_called;
	unsigned served;

	for (unsigned i = 0; i < covered && !is_called; i++) {
		lines[i] = pair_code_line(&pair, reference->address +
							 ((uint64_t)i << machine->i1.line_bits));
		if (!machine_fetch_fast(machine, lines[i], stamp + i))
			all_fast = false;
	}
	if (all_fast) {
		see_twin(reference, true);
		return 0;
	}
	look(&sides[0], reference);
	served = machine_fetch(machine, lines, is_called ? 0 : covered, reference->address,
			       reference->size, stamp);
	see_twin(reference, false);
	see(&sides[0], reference, served);
	return served;
}

static bool refer(const struct reference *reference)
{
	struct hierarchy *hierarchy = &pair.hierarchy;
	unsigned machine = reference->is_code ? fetch_machine(reference) : refer_machine(reference);
	unsigned plain;

	look(&sides[1], reference);
	plain = reference->is_code ? hierarchy_fetch(hierarchy, reference->address, reference->size)
		: reference->is_write
			? hierarchy_write(hierarchy, reference->address, reference->size)
			: hierarchy_data(hierarchy, reference->address, reference->size);
	see(&sides[1], reference, plain);
	return CHECK_EQ_U64(machine, plain);
}

static const struct hierarchy_config small = {
	.i1 = { .geometry = { 256, 2, 64 } },
	.d1 = { .geometry = { 256, 4, 64 } },
	.n_lower = 2,
	.lower = { { .geometry = { 512, 8, 64 } }, { .geometry = { 1024, 16, 64 } } },
};

/* What was reported about both sides since the last time. */
static const char *told(void)
{
	static char text[sizeof(sides[0].told)];

	CHECK_STR(sides[0].told, sides[1].told);
	memcpy(text, sides[0].told, sizeof(text));
	for (size_t i = 0; i < 2; i++) {
		memset(sides[i].told, 0, sizeof(sides[i].told));
		sides[i].n_told = 0;
	}
	return text;
}

#define READS(line, when, what)                                                   \
 do {                                                                             \
  refer(&(struct reference){                                                      \
	  .address = UINT64_C(64) * (line), .size = 8, .ip = 1, .now = (when) }); \
  CHECK_STR(told(), what);                                                        \
 } while (0)

TEST(next_line_of_d1_is_asked_for_used_and_lost)
{
	const struct prefetchers_config config = {
		1, { { 0, { PREFETCH_NEXT_LINE, 64, 0, 0, 1 }, NULL } }
	};

	begin_prefetchers(&small, &config);
	READS(1, 0, "");
	READS(2, 10, "A");    /* 3 comes */
	READS(2, 20, "");     /* a hit is not seen */
	READS(3, 209, "ULA"); /* 199 instructions later; and is seen: 4 comes */
	READS(4, 409, "UA");
	READS(20, 500, "");
	READS(21, 500, "A"); /* 22 */
	READS(30, 500, "");
	READS(32, 500, "");
	READS(34, 500, "");
	READS(36, 500, "");  /* D1 has 4 lines */
	READS(5, 900, "XA"); /* asked for at 409, and gone: a miss, and 4 was seen before it */
	finish_prefetchers();
}

TEST(what_is_there_is_not_asked_for)
{
	const struct prefetchers_config config = {
		1, { { 0, { PREFETCH_ADJACENT_LINE, 64, 0, 0, 0 }, NULL } }
	};

	begin_prefetchers(&small, &config);
	READS(2, 0, "A");
	READS(3, 1000, "U"); /* seen, and 2 is there */
	READS(2, 1000, "");
	prefetchers_sweep(&sides[0].prefetchers);
	prefetchers_sweep(&sides[1].prefetchers);
	CHECK_STR(told(), "");
	READS(4, 1000, "A");
	READS(6, 1000, "A");
	READS(8, 1000, "A"); /* D1: 9 8 7 6 */
	prefetchers_sweep(&sides[0].prefetchers);
	prefetchers_sweep(&sides[1].prefetchers);
	CHECK_STR(told(), "X"); /* 5 */
	finish_prefetchers();
}

/* L2's stream sees what D1's prefetcher asks it for, and what it has is used. */
TEST(levels_behind_see_requests)
{
	const struct prefetchers_config config = {
		2,
		{ { 0, { PREFETCH_ADJACENT_LINE, 64, 0, 0, 0 }, NULL },
		  { 1, { PREFETCH_STREAM, 64, 4, 2, 2 }, NULL } }
	};

	begin_prefetchers(&small, &config);
	READS(8, 0, "A"); /* L2 sees 8, D1 asks for 9, L2 sees 9 */
	/* L2 sees 10, which makes a stream, of 11 and 12; D1 asks for 11, which L2 has at once, and sees: 13. */
	READS(10, 1000, "AAAULA");
	/* L2 has 12, and sees it: 14.  D1 asks for 13, which L2 has, and sees: 15. */
	READS(12, 2000, "UAAUA");
	finish_prefetchers();
}

TEST(instructions_ask_for_lines)
{
	const struct prefetchers_config none = { .n = 0 };

	begin_prefetchers(&small, &none);
	for (size_t i = 0; i < 2; i++) {
		const struct prefetch_request request = { 5, 0, &triggers[i][5] };

		sides[i].stamp = pair_take_stamps(&pair, 2);
		prefetchers_ask(&sides[i].prefetchers, 0, UINT64_C(5) * 64 + 7, &request);
		prefetchers_ask(&sides[i].prefetchers, 1, UINT64_C(6) * 64, &request);
	}
	CHECK_STR(told(), "AA");
	READS(5, 200, "U");
	READS(6, 199, "UL");
	READS(7, 0, "");
	finish_prefetchers();
}

/* --- by chance ----------------------------------------------------------------------- */

static const struct prefetchers_config all_units = {
	6,
	{ { 0, { PREFETCH_NEXT_LINE, 64, 0, 0, 2 }, NULL },
	  { 0, { PREFETCH_IP_STRIDE, 64, 0, 0, 3 }, NULL },
	  { 1, { PREFETCH_ADJACENT_LINE, 64, 0, 0, 0 }, NULL },
	  { 1, { PREFETCH_STREAM, 64, 4, 6, 2 }, NULL },
	  { 2, { PREFETCH_STREAM, 64, 2, 4, 4 }, NULL },
	  { 2, { PREFETCH_NEXT_LINE, 64, 0, 0, 1 }, NULL } }
};

static void compare_once(const struct hierarchy_config *config, unsigned n)
{
	struct prefetchers_config units = all_units;
	struct check_random random = CHECK_RANDOM_INIT;
	struct traffic data, code;
	bool same = true;

	if (config->lower[1].inclusion == INCLUSION_VICTIM)
		units.n = 4;
	begin_prefetchers(config, &units);
	traffic_init(&data, &config->d1.geometry);
	traffic_init(&code, &config->i1.geometry);
	for (unsigned i = 1; i <= n && same; i++) {
		bool is_code = check_random_below(&random, 3) == 0;
		const struct reference reference = {
			.address = traffic_address(is_code ? &code : &data),
			.size = 1 + check_random_below(
					    &random,
					    is_code || check_random_below(&random, 32) ? 16 : 300),
			.ip = check_random_below(&random, 8),
			.now = i * UINT64_C(20),
			.is_code = is_code,
			.is_write = config->write_back && !is_code &&
				    check_random_below(&random, 3) == 0,
		};

		same = refer(&reference) && CHECK_EQ_U64(sides[0].mix, sides[1].mix);
		if (i % (n / 4) == 0)
			same = same && CHECK_STR(pair_fault(&pair), NULL);
	}
	for (size_t i = 0; i < 2; i++)
		prefetchers_sweep(&sides[i].prefetchers);
	for (size_t i = 0; i < 4; i++) {
		CHECK_EQ_U64(sides[0].sums[i], sides[1].sums[i]);
		CHECK(sides[0].sums[i] > 0);
	}
	/* What is neither used nor lost is still there. */
	CHECK(sides[0].sums[PREFETCH_OUTCOME_ASKED] - sides[0].sums[PREFETCH_OUTCOME_USED] -
		      sides[0].sums[PREFETCH_OUTCOME_UNUSED] <=
	      cache_ways(&pair.hierarchy.d1) + cache_ways(&pair.hierarchy.lower.caches[0]) +
		      cache_ways(&pair.hierarchy.lower.caches[1]));
	finish_prefetchers();
}

/* Without twins, and with. */
static void compare(const struct hierarchy_config *config, unsigned n)
{
	compare_once(config, n);
	pair_with_twins = true;
	compare_once(config, n);
	pair_with_twins = false;
}

TEST(machine_equals_hierarchy)
{
	static const struct policy *const policies[] = { NULL, &policy_plru, &policy_srrip,
							 &policy_fifo };

	for (unsigned number = 0; number < 4U * 9 * 2; number++) {
		struct hierarchy_config config = {
			.i1 = { .geometry = { 1024, 2, 64 } },
			.d1 = { .geometry = { number % 5 == 4 ? 3072 : 2048,
					      number % 5 == 4 ? 12 : 8, 64 },
				.policy = policies[number % 4] },
			.n_lower = 2,
			.lower = { { .geometry = { 6144, 12, 64 },
				     .policy = number % 3 == 0 ? &policy_srrip : NULL,
				     .inclusion = number / 4 % 3 == 1 ? INCLUSION_INCLUSIVE
								      : INCLUSION_NINE },
				   { .geometry = { 22528, 11, 64 },
				     .hashes_sets = number % 2 == 0,
				     .inclusion = (enum inclusion)(number / 12 % 3) } },
			.write_back = number >= 36,
		};

		if (config.d1.policy == &policy_plru && config.d1.geometry.assoc == 12)
			config.d1.policy = &policy_lru3plru4;
		compare(&config, 6000);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(line_comes_as_by_a_read),
		CHECK_TEST(line_that_leaves_goes_to_a_victim),
		CHECK_TEST(first_use_of_a_line_calls_c),
		CHECK_TEST(next_line_of_d1_is_asked_for_used_and_lost),
		CHECK_TEST(what_is_there_is_not_asked_for),
		CHECK_TEST(levels_behind_see_requests),
		CHECK_TEST(instructions_ask_for_lines),
		CHECK_TEST(machine_equals_hierarchy),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
