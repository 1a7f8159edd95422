/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/core/core: loops of some operations, whose cycles a round are known by hand. */
#include "sim/core/core.h"

#include "tests/common/check.h"

enum {
	ALU = 0xf,  /* ports of what computes */
	ONE = 0x1,  /* one of them */
	AGU = 0x70, /* of addresses */
	ROUNDS = 64,
	CODE = 0x1000, /* at an aligned address */
};

static const struct core_config core = {
	.width = 6,
	.window = 64,
	.forward = 5,
	.renamed = 5,
	.memory_ports = AGU,
};

static const struct instruction_row alu = {
	.uops = 1, .latency = 1, .n_uses = 1, .uses = { { ALU, 10 } }
};
static const struct instruction_row multiply = {
	.uops = 1, .latency = 3, .n_uses = 1, .uses = { { ONE, 10 } }
};
static const struct instruction_row divide = {
	.uops = 2, .latency = 12, .n_uses = 1, .uses = { { ONE, 60 } }
};
static const struct instruction_row load_row = {
	.uops = 1, .latency = 4, .n_uses = 1, .uses = { { AGU, 10 } }
};
static const struct instruction_row alu_of_load = {
	.uops = 1,
	.latency = 5,
	.n_uses = 2,
	.uses = { { ALU, 10 }, { AGU, 10 } },
};

static struct core_walk walk;

static uint64_t bit(unsigned number)
{
	return UINT64_C(1) << number;
}

/* to = f(from, to), of 4 bytes. */
static struct operation compute(const struct instruction_row *row, unsigned to, unsigned from)
{
	return (struct operation){
		.reads = bit(from),
		.writes = bit(to),
		.row = row,
		.size = 4,
		.slots = row->uops,
		.latency = row->latency,
		.copied_to = CORE_NO_REGISTER,
		.copied_from = CORE_NO_REGISTER,
	};
}

static struct operation load(unsigned to, unsigned base)
{
	struct operation operation = compute(&load_row, to, to);

	operation.reads = 0;
	operation.addressing = bit(base);
	operation.latency = 0;
	operation.loads = true;
	operation.load = 4;
	operation.is_renamed = true;
	operation.place = (struct operation_place){
		.size = 8,
		.base = (int8_t)base,
		.index = CORE_NO_REGISTER,
	};
	return operation;
}

static struct operation store(unsigned from, unsigned base)
{
	struct operation operation = load(from, base);

	operation.loads = false;
	operation.stores = true;
	operation.reads = bit(from);
	operation.writes = 0;
	return operation;
}

/* Ticks, and parts of them, that the last round of a loop of n operations costs; far: of the one before that. */
static struct core_cost loop(const struct operation *operations, unsigned n)
{
	struct core_cost sum = { 0 }, cost;

	core_walk_begin(&walk);
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint64_t address = CODE;

		if (round == ROUNDS - 16)
			sum = (struct core_cost){ 0 };
		for (unsigned i = 0; i < n; i++) {
			core_walk_step(&walk, &operations[i], address, i == 0 && round != 0,
				       address, &cost);
			sum.base += cost.base;
			sum.dependence += cost.dependence;
			sum.front_end += cost.front_end;
			address += operations[i].size;
		}
	}
	return sum;
}

/* Of 16 rounds. */
#define CHECK_CYCLES(cost, cycles)                                \
 CHECK_EQ_U64((cost).base + (cost).dependence + (cost).front_end, \
	      (uint64_t)((cycles)*16 * CORE_TICKS))

TEST(a_chain_costs_its_latency)
{
	const struct operation chain[] = { compute(&multiply, 0, 0) };
	const struct core_cost cost = loop(chain, 1);

	CHECK_CYCLES(cost, 3);
	CHECK_EQ_U64(cost.base, 16 * CORE_TICKS / 6); /* a slot */
	CHECK_EQ_U64(cost.front_end, 0);
}

TEST(what_does_not_depend_costs_its_ports)
{
	struct operation adds[8];
	struct core_cost cost;

	for (unsigned i = 0; i < 8; i++)
		adds[i] = compute(&alu, i, 8 + i);
	cost = loop(adds, 8);
	CHECK_CYCLES(cost, 2); /* four ports */
	CHECK_EQ_U64(cost.dependence, 0);
	for (unsigned i = 0; i < 8; i++)
		adds[i] = compute(&multiply, i, 8 + i);
	cost = loop(adds, 8);
	CHECK_CYCLES(cost, 8); /* one port */
	CHECK_EQ_U64(cost.base, UINT64_C(8) * 16 * CORE_TICKS);
	for (unsigned i = 0; i < 2; i++)
		adds[i] = compute(&divide, i, 8 + i);
	cost = loop(adds, 2);
	CHECK_CYCLES(cost, 12); /* for six cycles each */
}

TEST(slots_are_a_bound_of_their_own)
{
	struct operation nothings[12];
	struct core_cost cost;

	for (unsigned i = 0; i < 12; i++) {
		nothings[i] = compute(&alu, i, i);
		nothings[i].row = NULL;
		nothings[i].reads = 0;
		nothings[i].latency = 0;
	}
	cost = loop(nothings, 12);
	CHECK_CYCLES(cost, 2);
	CHECK_EQ_U64(cost.base, UINT64_C(2) * 16 * CORE_TICKS);
}

TEST(a_chase_costs_what_loads_cost)
{
	const struct operation chase[] = { load(0, 0) };

	CHECK_CYCLES(loop(chase, 1), 4);
}

/* Not the same place: who knows what is in the register that has just been computed? */
TEST(what_was_stored_is_forwarded)
{
	struct operation sum[] = { load(0, 1), compute(&alu, 0, 0), store(0, 1) };

	CHECK_CYCLES(loop(sum, 3), 6); /* forwarded, and added to */
	sum[0].place.displacement = 64;
	CHECK_CYCLES(loop(sum, 3), 1); /* a jump that is taken a cycle */
}

/* A part of what is loaded has been stored, its end or its beginning: the rest is in L1D. */
TEST(what_was_stored_in_part_is_waited_for)
{
	struct operation sum[] = { load(0, 1), compute(&alu, 0, 0), store(0, 1) };

	sum[2].place.size = 4;
	sum[0].place.size = 8;
	CHECK_CYCLES(loop(sum, 3), 4 + CORE_BLOCKED + 1);
	sum[0].place.displacement = -4;
	CHECK_CYCLES(loop(sum, 3), 4 + CORE_BLOCKED + 1);
	sum[0].place.displacement = -8; /* all of it is before that */
	CHECK_CYCLES(loop(sum, 3), 1);
}

/* What registers of vectors load takes as long as from L1D, at least. */
TEST(a_vector_is_forwarded_no_sooner_than_it_is_loaded)
{
	struct operation sum[] = { load(CORE_VECTOR, 1), compute(&alu, CORE_VECTOR, CORE_VECTOR),
				   store(CORE_VECTOR, 1) };

	CHECK_CYCLES(loop(sum, 3), 6);
	sum[0].load = 7;
	CHECK_CYCLES(loop(sum, 3), 8);
}

/* Registers are renamed for what both say alike, words of 4 or 8 bytes near the base: only the addition takes a cycle. */
TEST(what_is_said_alike_is_renamed)
{
	struct core_config renaming = core;
	struct operation sum[] = { load(0, 1), compute(&alu, 0, 0), store(0, 1) };
	struct operation moved[] = { load(0, 1), compute(&alu, 0, 0), store(0, 1),
				     compute(&alu, 1, 1) };

	renaming.renamed = 0;
	core_walk_init(&walk, &renaming);
	CHECK_CYCLES(loop(sum, 3), 1);
	sum[0].place.displacement = sum[2].place.displacement = 1023;
	CHECK_CYCLES(loop(sum, 3), 1);
	sum[0].place.displacement = sum[2].place.displacement = 1024;
	CHECK_CYCLES(loop(sum, 3), 6);
	sum[0].place.displacement = sum[2].place.displacement = 0;
	sum[0].place.size = 1;
	CHECK_CYCLES(loop(sum, 3), 6);
	/* The same place, by a base that has moved on to it. */
	moved[2].place.displacement = 8;
	moved[3].copied_to = moved[3].copied_from = 1;
	moved[3].copied_plus = 8;
	CHECK_CYCLES(loop(moved, 4), 6);
	/* Not what the core does not do it for. */
	sum[0].place.size = 8;
	CHECK_CYCLES(loop(sum, 3), 1);
	sum[2].is_renamed = false;
	CHECK_CYCLES(loop(sum, 3), 6);
	/* A global variable, by instructions of 4 bytes: the load is the first one, the store ends 8 bytes after it. */
	sum[2].is_renamed = true;
	sum[0].addressing = sum[2].addressing = 0;
	sum[0].place.base = sum[2].place.base = CORE_NO_REGISTER;
	sum[0].place.displacement = 100;
	sum[2].place.displacement = 92;
	CHECK_CYCLES(loop(sum, 3), 1);
	core_walk_init(&walk, &core);
}

TEST(places_are_known_while_the_stack_moves)
{
	/* push rax; pop rax: the place that is popped is what was pushed. */
	struct operation push = store(0, CORE_RSP), pop = load(0, CORE_RSP);
	struct operation both[2];

	push.place.displacement = -8;
	push.copied_to = push.copied_from = CORE_RSP;
	push.copied_plus = -8;
	pop.copied_to = pop.copied_from = CORE_RSP;
	pop.copied_plus = 8;
	both[0] = push;
	both[1] = pop;
	CHECK_CYCLES(loop(both, 2), 5);
	both[1].place.displacement = 8;
	CHECK_CYCLES(loop(both, 2), 1);
}

TEST(a_load_goes_before_its_computation)
{
	/* add rax, [rbx]: the chain is of the addition, not of the load. */
	struct operation add = load(0, 1);

	add.row = &alu_of_load;
	add.reads = bit(0);
	add.latency = 1;
	CHECK_CYCLES(loop(&add, 1), 1);
}

TEST(a_jump_is_fused)
{
	struct operation pair[] = { compute(&alu, CORE_FLAGS, 0),
				    compute(&alu, CORE_FLAGS, CORE_FLAGS) };
	struct core_cost cost;

	pair[0].fuses = true;
	pair[1].is_conditional = true;
	pair[1].writes = 0;
	cost = loop(pair, 2);
	CHECK_CYCLES(cost, 1); /* a jump a cycle */
	CHECK_EQ_U64(cost.base, 16 * CORE_TICKS / 6);
}

/* A slot each of six, but of five instructions a cycle: ten take two cycles; of two slots each, three and a third. */
TEST(instructions_are_a_bound_beside_slots)
{
	struct core_config narrow = core;
	struct operation nothings[10];
	struct core_cost cost;

	narrow.decoded = 5;
	for (unsigned i = 0; i < 10; i++) {
		nothings[i] = compute(&alu, i, i);
		nothings[i].reads = 0;
		nothings[i].row = NULL; /* no port */
		nothings[i].latency = 0;
	}
	core_walk_init(&walk, &narrow);
	CHECK_CYCLES(loop(nothings, 10), 2);
	for (unsigned i = 0; i < 10; i++)
		nothings[i].slots = 2;
	cost = loop(nothings, 10);
	CHECK_EQ_U64(cost.base + cost.dependence + cost.front_end,
		     UINT64_C(16) * 10 * 2 * CORE_TICKS / 6);
	core_walk_init(&walk, &core);
}

/* Flags a cycle before the other operands: a chain of such moves takes a cycle by the rest, and two by flags. */
TEST(flags_are_needed_first)
{
	struct operation both[2] = { compute(&alu, CORE_FLAGS, 0), compute(&alu, 0, 0) };

	both[1].reads |= bit(CORE_FLAGS);
	CHECK_CYCLES(loop(both, 2), 2);
	both[1].flags_first = 1;
	CHECK_CYCLES(loop(both, 2), 3);
	CHECK_CYCLES(loop(&both[1], 1), 1); /* nothing writes flags */
}

/* What a jump leads to is there in the next cycle if it is one of a few; after a call or a return it never is. */
TEST(calls_and_returns_have_a_bubble)
{
	struct core_config slow = core;
	struct operation nothing = compute(&alu, 0, 8);

	slow.jump = 2;
	core_walk_init(&walk, &slow);
	CHECK_CYCLES(loop(&nothing, 1), 1);
	nothing.is_call = true;
	CHECK_CYCLES(loop(&nothing, 1), 1); /* as of other jumps, unless it is said */
	slow.call = 3;
	CHECK_CYCLES(loop(&nothing, 1), 3);
	core_walk_init(&walk, &core);
}

/* A loop of one window needs a cycle a round; one that lies in two needs two. */
TEST(windows_are_fetched_one_a_cycle)
{
	struct operation nothings[4];

	for (unsigned i = 0; i < 4; i++) {
		nothings[i] = compute(&alu, i, 8 + i);
		nothings[i].size = 15;
	}
	CHECK_CYCLES(loop(nothings, 4), 1);
	nothings[0].size = 20;
	CHECK_CYCLES(loop(nothings, 4), 2);
	CHECK(loop(nothings, 4).front_end > 0);
}

TEST(an_address_has_a_source)
{
	const struct operation first = load(0, 1), second = load(2, 0), add = compute(&alu, 2, 2);
	struct operation jump = compute(&alu, 3, 2);
	struct core_cost cost;

	jump.writes = 0;
	core_walk_begin(&walk);
	core_walk_step(&walk, &first, CODE, false, 100, &cost);
	CHECK_EQ_U64(cost.source, 0);
	core_walk_step(&walk, &second, CODE + 4, false, 200, &cost);
	CHECK_EQ_U64(cost.source, 100);
	core_walk_step(&walk, &add, CODE + 8, false, 300, &cost);
	core_walk_step(&walk, &jump, CODE + 12, false, 400, &cost);
	CHECK_EQ_U64(cost.source, 200);
	/* Loaded, computed, and computed with. */
	CHECK_EQ_U64(cost.waited, UINT64_C(10) * CORE_TICKS - 3 * (uint64_t)CORE_TICKS / 6);
}

/* A list of nodes, whose values lie on other lines than their links, and the sum of these: only links are waited for. */
TEST(links_are_critical_and_values_are_not)
{
	const struct operation value = load(1, 0), add = compute(&alu, 2, 2);
	struct operation link = load(0, 0);
	uint64_t tags[4 * ROUNDS];
	unsigned n;

	link.place.displacement = 4096;
	core_walk_begin(&walk);
	for (unsigned round = 0; round < ROUNDS; round++) {
		core_walk_step(&walk, &value, CODE, round != 0, 100, NULL);
		core_walk_step(&walk, &add, CODE + 4, false, 200, NULL);
		core_walk_step(&walk, &link, CODE + 8, false, 300, NULL);
	}
	n = core_walk_critical(&walk, 96, tags, 4 * ROUNDS);
	CHECK(n >= ROUNDS - 1);
	for (unsigned i = 1; i < n; i++) /* the value of the last one may be after the chain */
		CHECK_EQ_U64(tags[i], 300);
	CHECK_EQ_U64(core_walk_critical(&walk, 3 * ROUNDS + 1, tags, 4 * ROUNDS), 0);
	CHECK_EQ_U64(core_walk_critical(&walk, 96, tags, 2), 2);
}

/* If they lie on one line, the load that comes first brings it. */
TEST(what_brings_the_line_is_critical)
{
	const struct operation value = load(1, 0), link = load(0, 0);
	uint64_t tags[2 * ROUNDS];
	unsigned n;

	core_walk_begin(&walk);
	for (unsigned round = 0; round < ROUNDS; round++) {
		core_walk_step(&walk, &value, CODE, round != 0, 100, NULL);
		core_walk_step(&walk, &link, CODE + 4, false, 200, NULL);
	}
	n = core_walk_critical(&walk, 96, tags, 2 * ROUNDS);
	CHECK(n >= ROUNDS - 1);
	for (unsigned i = 0; i < n; i++)
		CHECK_EQ_U64(tags[i], 100);
}

/* Loads whose addresses are counted up, and a sum of what they load: the chain is the sum's. */
TEST(loads_that_need_no_result_are_not_critical)
{
	const struct operation value = load(1, 0), next = compute(&alu, 0, 0);
	struct operation add = compute(&multiply, 2, 2);
	uint64_t tags[ROUNDS];

	add.reads = bit(1) | bit(2);
	core_walk_begin(&walk);
	for (unsigned round = 0; round < ROUNDS; round++) {
		core_walk_step(&walk, &value, CODE, round != 0, 100, NULL);
		core_walk_step(&walk, &next, CODE + 4, false, 200, NULL);
		core_walk_step(&walk, &add, CODE + 8, false, 300, NULL);
	}
	CHECK(core_walk_critical(&walk, 96, tags, ROUNDS) <= 1);
}

TEST(alone_it_costs_what_it_takes)
{
	const struct operation add = compute(&alu, 0, 1), quotient = compute(&divide, 0, 1);

	CHECK_EQ_U64(core_cost_alone(&core, &add), CORE_TICKS / 4);
	CHECK_EQ_U64(core_cost_alone(&core, &quotient), UINT64_C(6) * CORE_TICKS);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_chain_costs_its_latency),
		CHECK_TEST(what_does_not_depend_costs_its_ports),
		CHECK_TEST(slots_are_a_bound_of_their_own),
		CHECK_TEST(a_chase_costs_what_loads_cost),
		CHECK_TEST(what_was_stored_is_forwarded),
		CHECK_TEST(what_was_stored_in_part_is_waited_for),
		CHECK_TEST(a_vector_is_forwarded_no_sooner_than_it_is_loaded),
		CHECK_TEST(what_is_said_alike_is_renamed),
		CHECK_TEST(places_are_known_while_the_stack_moves),
		CHECK_TEST(a_load_goes_before_its_computation),
		CHECK_TEST(a_jump_is_fused),
		CHECK_TEST(instructions_are_a_bound_beside_slots),
		CHECK_TEST(flags_are_needed_first),
		CHECK_TEST(calls_and_returns_have_a_bubble),
		CHECK_TEST(windows_are_fetched_one_a_cycle),
		CHECK_TEST(an_address_has_a_source),
		CHECK_TEST(links_are_critical_and_values_are_not),
		CHECK_TEST(what_brings_the_line_is_critical),
		CHECK_TEST(loads_that_need_no_result_are_not_critical),
		CHECK_TEST(alone_it_costs_what_it_takes),
	};

	core_walk_init(&walk, &core);
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
