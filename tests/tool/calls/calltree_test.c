/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/calls/calltree: the tree is written out next to each step.  A node is
 * key*calls=self cost, - for what is folded, those below it in brackets.
 */
#include "tool/calls/calltree.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "tests/common/check.h"

enum {
	N_EVENTS = 2,
	MAX_DEPTH = 64,
	TEXT_SIZE = 4096,
};

static const uint32_t HANDLER = 3 | CALLTREE_APART;

/* A stack of calls, as the tool has one, and a clock of all events; the second goes twice as fast. */
struct stack_machine {
	struct calltree tree;
	uint32_t places[MAX_DEPTH];
	uint64_t starts[MAX_DEPTH];
	size_t depth;
	uint64_t clock;
};

/*
 * Memory for trees: pieces of one array, in turn from its beginning and its end, so that chunks lie on
 * both sides of the first; as long as something is left.
 */
static struct {
	_Alignas(64) char bytes[1 << 21];
	size_t low, high, left;
	size_t taken; /* and not given back */
	bool downwards;
} memory;

static void *take(size_t size)
{
	char *piece;

	size = (size + 63) & ~(size_t)63;
	if (size > memory.left)
		return NULL;
	memory.left -= size;
	memory.taken += size;
	memory.downwards = !memory.downwards;
	if (memory.downwards)
		memory.low -= size;
	piece = memory.bytes + (memory.downwards ? memory.low : memory.high);
	if (!memory.downwards)
		memory.high += size;
	return memset(piece, 0, size);
}

static void give_back(void *piece, size_t size)
{
	size = (size + 63) & ~(size_t)63;
	memset(piece, 0xff, size);
	memory.taken -= size;
}

/* With that much memory in all. */
static void machine_init_small(struct stack_machine *machine, uint32_t max_nodes, size_t size)
{
	const struct calltree_limits limits = { max_nodes, 2, N_EVENTS };
	const struct calltree_memory from = { take, give_back };

	memory.low = memory.high = sizeof(memory.bytes) / 2;
	memory.left = size;
	*machine = (struct stack_machine){ .depth = 0 };
	if (!calltree_init(&machine->tree, &limits, &from))
		abort();
}

static void machine_init(struct stack_machine *machine, uint32_t max_nodes)
{
	machine_init_small(machine, max_nodes, sizeof(memory.bytes) / 2);
}

static void machine_release(struct stack_machine *machine)
{
	calltree_release(&machine->tree);
	CHECK_EQ_U64(memory.taken, 0);
}

static uint32_t place(const struct stack_machine *machine)
{
	return machine->places[machine->depth];
}

static void begin(struct stack_machine *machine, uint32_t root)
{
	machine->depth = 0;
	machine->places[0] = calltree_root(&machine->tree, root);
}

static void call(struct stack_machine *machine, uint32_t key)
{
	uint32_t to = calltree_enter(&machine->tree, place(machine), key);

	machine->places[++machine->depth] = to;
	machine->starts[machine->depth] = machine->clock;
}

static void leave(struct stack_machine *machine)
{
	uint64_t spent = machine->clock - machine->starts[machine->depth];

	if (calltree_pays(place(machine))) {
		uint64_t *costs = calltree_node(&machine->tree, place(machine))->costs;

		costs[0] += spent;
		costs[1] += 2 * spent;
	}
	machine->depth--;
}

/* A call that costs that much and calls nothing. */
static void leaf(struct stack_machine *machine, uint32_t key, uint64_t cost)
{
	call(machine, key);
	machine->clock += cost;
	leave(machine);
}

static void add(char *text, const char *more)
{
	size_t len = strlen(text);

	snprintf(text + len, TEXT_SIZE - len, "%s", more);
}

static void add_node(char *text, const struct stack_machine *machine, uint32_t number)
{
	const struct calltree_node *node = calltree_node(&machine->tree, number);
	uint64_t costs[N_EVENTS];
	char part[64];

	calltree_self(&machine->tree, number, costs);
	CHECK_EQ_U64(costs[1], 2 * costs[0]);
	if (node->parent == 0)
		snprintf(part, sizeof(part), "root%" PRIu32, node->key);
	else if ((node->key & ~CALLTREE_APART) == CALLTREE_FOLDED)
		snprintf(part, sizeof(part), "%s-*%" PRIu64 "=%" PRIu64, node->key ? "!" : "",
			 node->calls, costs[0]);
	else
		snprintf(part, sizeof(part), "%s%" PRIu32 "*%" PRIu64 "=%" PRIu64,
			 node->key & CALLTREE_APART ? "!" : "", node->key & ~CALLTREE_APART,
			 node->calls, costs[0]);
	add(text, part);
}

static const char *drawing(struct stack_machine *machine)
{
	static char text[TEXT_SIZE];
	uint32_t depth = 0, last = 0;

	calltree_link(&machine->tree);
	text[0] = '\0';
	for (uint32_t at = calltree_next(&machine->tree, 0, &depth); at != 0;
	     at = calltree_next(&machine->tree, at, &depth)) {
		if (text[0] != '\0')
			add(text, depth > last ? "(" : "");
		for (uint32_t i = depth; i < last; i++)
			add(text, ")");
		if (text[0] != '\0' && depth <= last)
			add(text, " ");
		add_node(text, machine, at);
		last = depth;
	}
	for (uint32_t i = 0; i < last; i++)
		add(text, ")");
	return text;
}

static uint64_t total(const struct stack_machine *machine)
{
	uint64_t costs[N_EVENTS];

	calltree_totals(&machine->tree, 0, costs);
	CHECK_EQ_U64(costs[1], 2 * costs[0]);
	return costs[0];
}

TEST(an_empty_tree_has_nothing)
{
	struct stack_machine machine;

	machine_init(&machine, 10);
	CHECK_STR(drawing(&machine), "");
	CHECK_EQ_U64(total(&machine), 0);
	begin(&machine, 2);
	CHECK_STR(drawing(&machine), "root2");
	machine_release(&machine);
}

/* main takes 1 and calls f, which takes 2 and calls g for 3; f again; and g for 4. */
TEST(calls_through_one_chain_share_a_node)
{
	struct stack_machine machine;

	machine_init(&machine, 10);
	begin(&machine, 1);
	call(&machine, 1);
	machine.clock += 1;
	for (int i = 0; i < 2; i++) {
		call(&machine, 2);
		machine.clock += 2;
		leaf(&machine, 3, 3);
		leave(&machine);
	}
	leaf(&machine, 3, 4);
	leave(&machine);
	CHECK_STR(drawing(&machine), "root1(1*1=1(2*2=4(3*2=6) 3*1=4))");
	CHECK_EQ_U64(total(&machine), 15);
	CHECK_EQ_U64(machine.tree.n_nodes, 4);
	CHECK_EQ_U64(machine.tree.n_folded, 0);
	machine_release(&machine);
}

TEST(each_level_of_recursion_is_a_node)
{
	struct stack_machine machine;

	machine_init(&machine, 10);
	begin(&machine, 1);
	for (int i = 0; i < 3; i++) {
		call(&machine, 7);
		machine.clock += 5;
	}
	while (machine.depth > 0) {
		machine.clock += 1;
		leave(&machine);
	}
	CHECK_STR(drawing(&machine), "root1(7*1=6(7*1=6(7*1=6)))");
	machine_release(&machine);
}

TEST(order_is_that_of_first_calls)
{
	struct stack_machine machine;

	machine_init(&machine, 10);
	begin(&machine, 2);
	leaf(&machine, 5, 1);
	begin(&machine, 1);
	leaf(&machine, 9, 1);
	leaf(&machine, 3, 1);
	leaf(&machine, 7, 1);
	leaf(&machine, 3, 1);
	begin(&machine, 2);
	leaf(&machine, 4, 1);
	CHECK_STR(drawing(&machine), "root2(5*1=1 4*1=1) root1(9*1=1 3*2=2 7*1=1)");
	machine_release(&machine);
}

TEST(what_is_apart_is_another_node)
{
	struct stack_machine machine;

	machine_init(&machine, 10);
	begin(&machine, 1);
	leaf(&machine, 3, 1);
	leaf(&machine, HANDLER, 2);
	leaf(&machine, 3, 4);
	CHECK_STR(drawing(&machine), "root1(3*2=5 !3*1=2)");
	machine_release(&machine);
}

/* Two nodes, 1 and 2; all else is folded, also what a node calls that was there before. */
TEST(what_is_too_much_is_folded)
{
	struct stack_machine machine;

	machine_init(&machine, 2);
	begin(&machine, 1);
	call(&machine, 1);
	leaf(&machine, 2, 1);
	call(&machine, 3);
	machine.clock += 2;
	leaf(&machine, 2, 4);
	call(&machine, 4);
	leaf(&machine, 5, 8);
	leave(&machine);
	leave(&machine);
	CHECK_STR(drawing(&machine), "root1(1*1=18446744073709551601(2*1=1 -*4=14))");
	leaf(&machine, 6, 16);
	leaf(&machine, 2, 32);
	machine.clock += 64;
	leave(&machine);
	CHECK_STR(drawing(&machine), "root1(1*1=64(2*2=33 -*5=30))");
	CHECK_EQ_U64(total(&machine), 127);
	CHECK_EQ_U64(machine.tree.n_folded, 5);
	leaf(&machine, 9, 3);
	leaf(&machine, HANDLER, 5);
	begin(&machine, 2);
	leaf(&machine, 1, 7);
	CHECK_STR(drawing(&machine), "root1(1*1=64(2*2=33 -*5=30) -*1=3 !-*1=5) root2(-*1=7)");
	CHECK_EQ_U64(total(&machine), 142);
	CHECK_EQ_U64(machine.tree.n_nodes, 2);
	machine_release(&machine);
}

TEST(after_a_reset_it_is_empty)
{
	struct stack_machine machine;

	machine_init(&machine, 2);
	begin(&machine, 1);
	leaf(&machine, 1, 1);
	leaf(&machine, 2, 1);
	leaf(&machine, 3, 1);
	calltree_reset(&machine.tree);
	CHECK_STR(drawing(&machine), "");
	CHECK_EQ_U64(machine.tree.n_folded, 0);
	begin(&machine, 1);
	leaf(&machine, 3, 1);
	leaf(&machine, 4, 2);
	CHECK_STR(drawing(&machine), "root1(3*1=1 4*1=2)");
	machine_release(&machine);
}

TEST(places_say_who_pays)
{
	struct stack_machine machine;
	uint32_t root, first, folded, nested;

	machine_init(&machine, 1);
	root = calltree_root(&machine.tree, 1);
	first = calltree_enter(&machine.tree, root, 1);
	folded = calltree_enter(&machine.tree, first, 2);
	nested = calltree_enter(&machine.tree, folded, 3);
	CHECK(!calltree_pays(CALLTREE_NOWHERE));
	CHECK(calltree_pays(first) && calltree_pays(folded) && !calltree_pays(nested));
	CHECK(calltree_node(&machine.tree, folded) == calltree_node(&machine.tree, nested));
	CHECK_EQ_U64(calltree_enter(&machine.tree, nested, 4), nested);
	CHECK_EQ_U64(calltree_enter(&machine.tree, first | CALLTREE_NESTED, 2), folded);
	machine_release(&machine);
}

TEST(again_makes_no_node)
{
	struct stack_machine machine;
	uint32_t root, first;

	machine_init(&machine, 1);
	root = calltree_root(&machine.tree, 1);
	CHECK_EQ_U64(calltree_enter_again(&machine.tree, root, 1), CALLTREE_NOWHERE);
	first = calltree_enter(&machine.tree, root, 1);
	CHECK_EQ_U64(calltree_enter_again(&machine.tree, root, 1), first);
	CHECK_EQ_U64(calltree_enter_again(&machine.tree, first, 1), CALLTREE_NOWHERE);
	CHECK_EQ_U64(calltree_node(&machine.tree, first)->calls, 2);
	calltree_enter(&machine.tree, first, 2);
	CHECK_EQ_U64(calltree_enter_again(&machine.tree, first, 3), CALLTREE_NOWHERE);
	CHECK_STR(drawing(&machine), "root1(1*2=0(-*1=0))");
	machine_release(&machine);
}

/* --- against a tree that is plainly right ---------------------------------------------- */

enum {
	MODEL_MAX = 100000, /* nodes */
	MODEL_STEPS = 300000,
};

struct model_node {
	uint32_t parent, key;
	uint64_t calls, self;
	bool folded;
};

/* Node 0 is the root. */
struct tree_model {
	struct model_node nodes[MODEL_MAX];
	uint32_t n, n_counted;
	uint32_t stack[MAX_DEPTH];
};

static uint32_t model_below(struct tree_model *model, uint32_t parent, uint32_t key, bool folded)
{
	uint32_t i = 1;

	while (i < model->n && (model->nodes[i].parent != parent || model->nodes[i].key != key))
		i++;
	if (i < model->n || (!folded && model->n_counted == 0))
		return i < model->n ? i : 0;
	model->n_counted -= !folded;
	model->nodes[model->n] = (struct model_node){ parent, key, 0, 0, folded };
	return model->n++;
}

static uint32_t model_call(struct tree_model *model, uint32_t from, uint32_t key)
{
	uint32_t to = from;

	if (!model->nodes[from].folded) {
		to = model_below(model, from, key, false);
		if (to == 0)
			to = model_below(model, from, 0, true);
	}
	model->nodes[to].calls++;
	return to;
}

/* Every node of the tree is one of the model's, and there are as many. */
static void compare(struct stack_machine *machine, const struct tree_model *model)
{
	uint32_t path[MAX_DEPTH + 2] = { 0 };
	uint32_t depth = 0, n = 0;

	calltree_link(&machine->tree);
	for (uint32_t at = calltree_next(&machine->tree, 0, &depth); at != 0;
	     at = calltree_next(&machine->tree, at, &depth), n++) {
		const struct calltree_node *node = calltree_node(&machine->tree, at);
		uint64_t costs[N_EVENTS];
		uint32_t i = 1;

		if (depth == 0)
			continue;
		while (i < model->n && (model->nodes[i].parent != path[depth - 1] ||
					model->nodes[i].key != node->key))
			i++;
		calltree_self(&machine->tree, at, costs);
		if (!CHECK(i < model->n) || !CHECK_EQ_U64(node->calls, model->nodes[i].calls) ||
		    !CHECK_EQ_U64(costs[0], model->nodes[i].self))
			return;
		path[depth] = i;
	}
	CHECK_EQ_U64(n, model->n);
	CHECK_EQ_U64(total(machine), machine->clock);
}

static void run_both(uint32_t max_nodes, uint32_t n_keys, unsigned max_depth)
{
	struct tree_model *model = calloc(1, sizeof(*model));
	struct stack_machine machine;
	uint64_t seed = max_nodes;

	if (!model)
		abort();
	model->n = 1;
	model->n_counted = max_nodes;
	machine_init(&machine, max_nodes);
	begin(&machine, 1);
	for (uint32_t i = 0; i < MODEL_STEPS; i++) {
		uint64_t random;

		seed = seed * UINT64_C(6364136223846793005) + 1;
		random = seed >> 33;
		if (machine.depth == 0 || (machine.depth < max_depth && random % 2 == 0)) {
			uint32_t key = 1 + (uint32_t)(random / 2) % n_keys;
			uint32_t from = model->stack[machine.depth];

			call(&machine, key);
			model->stack[machine.depth] = model_call(model, from, key);
		} else {
			leave(&machine);
		}
		if (machine.depth > 0) {
			machine.clock += random % 7;
			model->nodes[model->stack[machine.depth]].self += random % 7;
		}
	}
	while (machine.depth > 0)
		leave(&machine);
	compare(&machine, model);
	machine_release(&machine);
	free(model);
}

/* Chains of all keys, all of this depth: n_keys + n_keys^2 ... nodes. */
static void call_all(struct stack_machine *machine, uint32_t n_keys, unsigned depth)
{
	for (uint32_t key = 1; key <= n_keys; key++) {
		call(machine, key);
		machine->clock++;
		if (depth > 1)
			call_all(machine, n_keys, depth - 1);
		leave(machine);
	}
}

/* Where memory ends, the tree is as if that had been the limit. */
TEST(what_memory_is_refused_for_is_folded)
{
	static struct stack_machine whole, limited;
	uint32_t max_nodes = 0;

	for (size_t size = 160000; size <= 480000; size += 80000) {
		char *wanted;

		machine_init_small(&limited, CALLTREE_MAX_NODES, size);
		begin(&limited, 1);
		call_all(&limited, 7, 5);
		CHECK_EQ_U64(limited.tree.growth, CALLTREE_NO_MEMORY);
		CHECK(limited.tree.n_nodes >= max_nodes);
		max_nodes = limited.tree.n_nodes;
		wanted = strdup(drawing(&limited));
		CHECK_EQ_U64(total(&limited), limited.clock);
		CHECK_EQ_U64(limited.tree.n_folded, 7 + 49 + 343 + 2401 + 16807 - max_nodes);
		machine_release(&limited);
		machine_init(&whole, max_nodes);
		begin(&whole, 1);
		call_all(&whole, 7, 5);
		CHECK_EQ_U64(whole.tree.growth, CALLTREE_GROWS);
		CHECK_EQ_U64(whole.tree.n_nodes, max_nodes);
		CHECK_STR(drawing(&whole), wanted);
		machine_release(&whole);
		free(wanted);
	}
}

TEST(after_a_reset_it_grows_again)
{
	static struct stack_machine machine;

	machine_init_small(&machine, CALLTREE_MAX_NODES, 160000);
	begin(&machine, 1);
	call_all(&machine, 7, 4);
	CHECK_EQ_U64(machine.tree.growth, CALLTREE_NO_MEMORY);
	memory.left += 800000;
	calltree_reset(&machine.tree);
	begin(&machine, 1);
	call_all(&machine, 7, 4);
	CHECK_EQ_U64(machine.tree.growth, CALLTREE_GROWS);
	CHECK_EQ_U64(machine.tree.n_nodes, 7 + 49 + 343 + 2401);
	machine_release(&machine);
}

/* Memory of two places 16 GiB apart: the slots and the nodes of the beginning, and all that comes later. */
static struct {
	char *next, *later;
	unsigned n;
} distant;

static void *take_distant(size_t size)
{
	char *piece;

	if (distant.n++ == 2)
		distant.next = distant.later;
	piece = distant.next;
	distant.next += (size + 63) & ~(size_t)63;
	return piece;
}

static void keep(void *piece, size_t size)
{
	(void)piece;
	(void)size;
}

TEST(what_is_out_of_reach_is_folded)
{
	enum { PLACE = 1 << 22 };
	const size_t size = ((size_t)1 << 34) + PLACE;
	const struct calltree_limits limits = { CALLTREE_MAX_NODES, 2, N_EVENTS };
	const struct calltree_memory from = { take_distant, keep };
	static struct stack_machine machine;
	char *all = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (!CHECK(all != MAP_FAILED))
		return;
	distant.next = all;
	distant.later = all + size - PLACE;
	CHECK(mprotect(distant.next, PLACE, PROT_READ | PROT_WRITE) == 0);
	CHECK(mprotect(distant.later, PLACE, PROT_READ | PROT_WRITE) == 0);
	if (CHECK(calltree_init(&machine.tree, &limits, &from))) {
		begin(&machine, 1);
		call_all(&machine, 7, 4);
		CHECK_EQ_U64(machine.tree.growth, CALLTREE_NO_REACH);
		CHECK_EQ_U64(machine.tree.n_nodes, 512);
		CHECK_EQ_U64(total(&machine), machine.clock);
	}
	munmap(all, size);
}

/* Nodes that are folded, and roots, have room however little there is. */
TEST(roots_have_room_when_memory_ends)
{
	const struct calltree_limits limits = { CALLTREE_MAX_NODES, 5000, 1 };
	const struct calltree_memory from = { take, give_back };
	static struct calltree tree;

	memory.low = memory.high = sizeof(memory.bytes) / 2;
	memory.left = sizeof(memory.bytes) / 2;
	if (!CHECK(calltree_init(&tree, &limits, &from)))
		return;
	memory.left = 0;
	for (uint32_t root = 1; root <= 5000; root++) {
		uint32_t at = calltree_root(&tree, root);

		for (uint32_t key = 1; key <= 3; key++) {
			calltree_enter(&tree, at, key);
			calltree_enter(&tree, calltree_enter(&tree, at, key | CALLTREE_APART), 4);
		}
	}
	CHECK_EQ_U64(tree.growth, CALLTREE_NO_MEMORY);
	CHECK_EQ_U64(tree.n_nodes + tree.n_folded, UINT64_C(5000) * 9);
	calltree_release(&tree);
}

TEST(equals_plain_tree)
{
	run_both(1, 3, 4);
	run_both(10, 3, 40);
	run_both(700, 5, 12);
	run_both(3000, 4, 6);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(an_empty_tree_has_nothing),
		CHECK_TEST(calls_through_one_chain_share_a_node),
		CHECK_TEST(each_level_of_recursion_is_a_node),
		CHECK_TEST(order_is_that_of_first_calls),
		CHECK_TEST(what_is_apart_is_another_node),
		CHECK_TEST(what_is_too_much_is_folded),
		CHECK_TEST(after_a_reset_it_is_empty),
		CHECK_TEST(places_say_who_pays),
		CHECK_TEST(again_makes_no_node),
		CHECK_TEST(what_memory_is_refused_for_is_folded),
		CHECK_TEST(after_a_reset_it_grows_again),
		CHECK_TEST(what_is_out_of_reach_is_folded),
		CHECK_TEST(roots_have_room_when_memory_ends),
		CHECK_TEST(equals_plain_tree),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
