/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/typeflow.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/types/typearguments.h"
#include "profile/common/heap.h"

enum {
	MOST_ROUNDS = 16, /* over a function's blocks; types settle in three or four */
	NO_FACT = 0,      /* the others are numbers of facts + 1 */
};

#define NO_BLOCK SIZE_MAX

/* Instructions that are executed one after the other. */
struct flow_block {
	size_t first, n;
	bool is_orphan; /* no jump is known to lead there, nor does the code before go on there */
	bool is_changed;
	struct type_state *state; /* at its beginning; owned */
};

struct following {
	const struct type_flow *flow;
	struct flow_block *blocks; /* owned */
	size_t n_blocks;
	uint32_t *facts;          /* by instruction and register: number of a fact + 1; owned */
	struct type_state *state; /* where it is; owned */
};

/* -- blocks ---------------------------------------------------------------------------------- */

/* The first instruction at an address or behind it. */
static size_t find_instruction(const struct type_flow *flow, uint64_t address)
{
	size_t low = 0, high = flow->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (flow->code[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where in the code a jump goes to; flow->n = elsewhere. */
static size_t target_of(const struct type_flow *flow, const struct flow_instruction *from)
{
	size_t i;

	if (!from->has_target || from->kind == INSTRUCTION_CALL)
		return flow->n;
	i = find_instruction(flow, from->target);
	return i < flow->n && flow->code[i].address == from->target ? i : flow->n;
}

static bool goes_on(const struct flow_instruction *instruction)
{
	return instruction->kind != INSTRUCTION_JUMP && instruction->kind != INSTRUCTION_RETURN;
}

static bool ends_block(const struct flow_instruction *instruction)
{
	return !goes_on(instruction) || instruction->kind == INSTRUCTION_CONDITIONAL;
}

/* Whether the code goes on right behind an instruction. */
static bool is_followed(const struct type_flow *flow, size_t i)
{
	const struct flow_instruction *at = &flow->code[i];

	return i + 1 < flow->n && goes_on(at) && at->address + at->len == flow->code[i + 1].address;
}

/* The instruction at the entry; the first one, if there is none. */
static size_t entry_of(const struct type_flow *flow)
{
	size_t i = find_instruction(flow, flow->entry);

	return i < flow->n && flow->code[i].address == flow->entry ? i : 0;
}

/* Whether a call or a jump is of another function, or of this one, at an address that is known. */
static bool leaves(const struct type_flow *flow, const struct flow_instruction *at)
{
	if (!at->has_target)
		return false;
	return at->kind == INSTRUCTION_CALL ||
	       (at->kind == INSTRUCTION_JUMP && target_of(flow, at) == flow->n);
}

enum leader { LEADER_NONE, LEADER_BEHIND, LEADER_ORPHAN, LEADER_TARGET };

static bool find_blocks(struct following *following)
{
	const struct type_flow *flow = following->flow;
	uint8_t *leaders = heap_zeroed(&heap_env, flow->n, 1);
	struct flow_block *block = NULL;
	size_t n = 0;

	if (!leaders)
		return false;
	for (size_t i = 0; i < flow->n; i++) {
		size_t target = target_of(flow, &flow->code[i]);

		if (target < flow->n)
			leaders[target] = LEADER_TARGET;
		if (i + 1 == flow->n || leaders[i + 1] == LEADER_TARGET)
			continue;
		if (!is_followed(flow, i))
			leaders[i + 1] = LEADER_ORPHAN;
		else if (ends_block(&flow->code[i]))
			leaders[i + 1] = LEADER_BEHIND;
	}
	if (leaders[0] == LEADER_NONE)
		leaders[0] = LEADER_ORPHAN;
	leaders[entry_of(flow)] = LEADER_TARGET;
	for (size_t i = 0; i < flow->n; i++)
		n += leaders[i] != LEADER_NONE;
	following->blocks = heap_zeroed(&heap_env, n, sizeof(*following->blocks));
	for (size_t i = 0; following->blocks && i < flow->n; i++) {
		if (leaders[i] != LEADER_NONE) {
			block = &following->blocks[following->n_blocks++];
			block->first = i;
			block->is_orphan = leaders[i] == LEADER_ORPHAN;
		}
		if (block)
			block->n++;
	}
	free(leaders);
	return following->blocks != NULL;
}

static size_t find_block(const struct following *following, size_t instruction)
{
	size_t low = 0, high = following->n_blocks;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (following->blocks[middle].first <= instruction)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* -- facts ----------------------------------------------------------------------------------- */

/* Where two say something of one register, that which says more. */
static bool is_better(const struct type_flow *flow, const struct register_fact *fact, uint32_t old)
{
	const struct register_fact *other = old != NO_FACT ? &flow->facts[old - 1] : NULL;

	if (!other || other->value.kind != VALUE_POINTER)
		return true;
	return fact->value.kind == VALUE_POINTER &&
	       typetable_is_vague(flow->table, other->value.type) &&
	       !typetable_is_vague(flow->table, fact->value.type);
}

static bool place_facts(struct following *following)
{
	const struct type_flow *flow = following->flow;

	following->facts =
		heap_zeroed(&heap_env, flow->n * STATE_REGISTERS, sizeof(*following->facts));
	for (size_t i = 0; following->facts && i < flow->n_facts; i++) {
		const struct register_fact *fact = &flow->facts[i];

		for (size_t at = find_instruction(flow, fact->start);
		     at < flow->n && flow->code[at].address < fact->end; at++) {
			uint32_t *place = &following->facts[at * STATE_REGISTERS + fact->reg];

			if (is_better(flow, fact, *place))
				*place = (uint32_t)i + 1;
		}
	}
	return following->facts != NULL;
}

static void take_facts(const struct following *following, size_t i, struct type_state *state)
{
	const struct type_flow *flow = following->flow;
	const uint32_t *facts = &following->facts[i * STATE_REGISTERS];

	for (size_t reg = 0; reg < STATE_REGISTERS; reg++)
		if (facts[reg] != NO_FACT)
			state->registers[reg] = value_choose(flow->table,
							     &flow->facts[facts[reg] - 1].value,
							     &state->registers[reg]);
}

/* -- ways ------------------------------------------------------------------------------------ */

static bool lead_to(struct following *following, size_t block)
{
	struct flow_block *to = &following->blocks[block];

	if (!to->state) {
		to->state = heap_zeroed(&heap_env, 1, sizeof(*to->state));
		if (!to->state)
			return false;
	}
	if (typestate_join(following->flow->table, to->state, following->state))
		to->is_changed = true;
	return true;
}

static bool lead_to_orphans(struct following *following)
{
	for (size_t i = 0; i < following->n_blocks; i++)
		if (following->blocks[i].is_orphan && !lead_to(following, i))
			return false;
	return true;
}

static void step(const struct following *following, size_t i)
{
	const struct type_flow *flow = following->flow;
	const struct flow_instruction *instruction = &flow->code[i];
	struct data_value result = { .kind = VALUE_NONE };

	if (instruction->motion.kind == MOTION_CALL)
		result = flow->result(flow->ctx, instruction->has_target ? instruction->target : 0);
	typestate_step(flow->table, following->state, &instruction->motion, flow->view, &result);
}

static void enter(const struct following *following, size_t i)
{
	following->flow->moved(following->flow->ctx, following->flow->code[i].address);
	take_facts(following, i, following->state);
}

static bool follow_block(struct following *following, size_t number)
{
	const struct type_flow *flow = following->flow;
	struct flow_block *block = &following->blocks[number];
	size_t last = block->first + block->n - 1, target;
	const struct flow_instruction *end = &flow->code[last];

	block->is_changed = false;
	*following->state = *block->state;
	for (size_t i = block->first; i <= last; i++) {
		enter(following, i);
		step(following, i);
	}
	target = target_of(flow, end);
	if (target < flow->n && !lead_to(following, find_block(following, target)))
		return false;
	if (is_followed(flow, last) && !lead_to(following, number + 1))
		return false;
	return end->kind != INSTRUCTION_JUMP || end->has_target || lead_to_orphans(following);
}

/* Where debug information says what a parameter is, callers do not count. */
static void take_arguments(struct following *following)
{
	const struct type_flow *flow = following->flow;
	const uint32_t *facts = &following->facts[entry_of(flow) * STATE_REGISTERS];

	for (size_t i = 0; flow->arguments && i < N_ARGUMENTS; i++)
		if (facts[argument_registers[i]] == NO_FACT &&
		    flow->arguments[i].kind == VALUE_POINTER)
			following->state->registers[argument_registers[i]] = flow->arguments[i];
}

static bool settle(struct following *following)
{
	bool is_changed = true, is_fine = true;

	typestate_begin(following->state);
	take_arguments(following);
	is_fine = lead_to(following, find_block(following, entry_of(following->flow)));
	for (int round = 0; is_fine && is_changed && round < MOST_ROUNDS; round++) {
		is_changed = false;
		for (size_t i = 0; is_fine && i < following->n_blocks; i++) {
			if (!following->blocks[i].is_changed)
				continue;
			is_changed = true;
			is_fine = follow_block(following, i);
		}
	}
	return is_fine;
}

static void report(const struct following *following)
{
	const struct type_flow *flow = following->flow;

	for (size_t b = 0; b < following->n_blocks; b++) {
		const struct flow_block *block = &following->blocks[b];

		if (block->state)
			*following->state = *block->state;
		else
			memset(following->state, 0, sizeof(*following->state));
		for (size_t i = block->first; i < block->first + block->n; i++) {
			const struct flow_instruction *at = &flow->code[i];
			struct data_place read, written;

			enter(following, i);
			if (at->motion.read.is_used || at->motion.written.is_used) {
				read = typestate_place(flow->table, following->state,
						       &at->motion.read, flow->view);
				written = typestate_place(flow->table, following->state,
							  &at->motion.written, flow->view);
				flow->found(flow->ctx, at, &read, &written);
			}
			if (leaves(flow, at))
				flow->called(flow->ctx, at->target, following->state);
			step(following, i);
		}
	}
}

bool typeflow_run(const struct type_flow *flow)
{
	struct following following = { .flow = flow };
	bool is_fine = flow->n == 0;

	if (flow->n > 0) {
		following.state = heap_zeroed(&heap_env, 1, sizeof(*following.state));
		is_fine = following.state && find_blocks(&following) && place_facts(&following) &&
			  settle(&following);
		if (is_fine)
			report(&following);
	}
	for (size_t i = 0; i < following.n_blocks; i++)
		free(following.blocks[i].state);
	free(following.blocks);
	free(following.facts);
	free(following.state);
	return is_fine;
}
