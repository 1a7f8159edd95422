/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows types of pointers through a function's machine code. */
#include "cmds/types/types.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	WORD = 8, /* bytes */
	FRAME_POINTER = 6,
	RESULT = 0, /* register of what a call returns */
};

static const struct data_value nothing = { .kind = VALUE_NONE };
static const struct data_value untyped = { .kind = VALUE_UNTYPED };
static const struct data_value any_number = { .kind = VALUE_NUMBER, .stride = 1 };

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* -- values ---------------------------------------------------------------------------------- */

struct data_value value_pointer(const struct typetable *table, uint32_t type, int64_t offset)
{
	const uint32_t element = typetable_element(table, type);

	/* Of an array it may be to any element. */
	return (struct data_value){
		.kind = VALUE_POINTER,
		.type = element,
		.offset = offset,
		.stride = element != type ? typetable_get(table, element)->size : 0,
	};
}

struct data_value value_of_type(const struct typetable *table, uint32_t type, uint64_t offset)
{
	uint64_t left;
	uint32_t leaf = typetable_leaf(table, type, offset, &left);
	const struct data_type *of = typetable_get(table, leaf);

	if (leaf == TYPE_NONE)
		return nothing;
	if (of->kind == DATA_POINTER && left == 0)
		return value_pointer(table, of->target, 0);
	return any_number;
}

/* Of a sum, the value that says most about where it points is the base. */
static int rank(const struct data_value *value)
{
	if (value->kind == VALUE_POINTER || value->kind == VALUE_FRAME)
		return 2;
	return value->kind == VALUE_ADDRESS ? 1 : 0;
}

struct data_value value_add(const struct data_value *a, const struct data_value *b)
{
	const struct data_value *base = a, *other = b;

	if (rank(b) > rank(a)) {
		base = b;
		other = a;
	}
	if (rank(other) == 2 || base->kind == VALUE_MIXED)
		return nothing;
	if (rank(base) == 1 && rank(other) == 1)
		return any_number;
	if (a->kind != b->kind && (base->kind == VALUE_UNTYPED || other->kind == VALUE_UNTYPED) &&
	    rank(base) < 2)
		return untyped;
	if (other->kind != VALUE_NUMBER && other->kind != VALUE_ADDRESS)
		other = &any_number;
	if (base->kind == VALUE_NONE || base->kind == VALUE_UNTYPED)
		base = &any_number;
	return (struct data_value){
		.kind = base->kind,
		.type = base->type,
		.offset = offset_sum(base->offset, other->offset),
		.stride = common_divisor(base->stride, other->stride),
	};
}

static struct data_value subtract(const struct data_value *a, const struct data_value *b)
{
	struct data_value other = b->kind == VALUE_NUMBER ? *b : any_number;

	/* The difference of two pointers is a number. */
	if (rank(b) > 0)
		return any_number;
	other.offset = offset_difference(0, other.offset);
	return value_add(a, &other);
}

static struct data_value multiply(const struct data_value *value, uint64_t factor)
{
	if (rank(value) > 0)
		return factor == 1 ? *value : any_number;
	return (struct data_value){
		.kind = VALUE_NUMBER,
		.offset = value->kind == VALUE_NUMBER ? (int64_t)((uint64_t)value->offset * factor)
						      : 0,
		.stride = (value->kind == VALUE_NUMBER ? value->stride : 1) * factor,
	};
}

static bool same(const struct data_value *a, const struct data_value *b)
{
	return a->kind == b->kind && a->type == b->type && a->offset == b->offset &&
	       a->stride == b->stride;
}

static bool has_members(const struct typetable *table, uint32_t type)
{
	enum data_kind kind = typetable_get(table, type)->kind;

	return kind == DATA_STRUCT || kind == DATA_UNION;
}

static uint64_t offset_in(const struct typetable *table, const struct data_value *pointer)
{
	return typetable_fold(table, pointer->type, pointer->offset, pointer->stride);
}

/* True if a pointer is to a member, whose address the code computed. */
static bool is_inside(const struct typetable *table, const struct data_value *value)
{
	return value->kind == VALUE_POINTER && has_members(table, value->type) &&
	       offset_in(table, value) != 0;
}

static struct data_value join(const struct typetable *table, const struct data_value *a,
			      const struct data_value *b)
{
	const struct data_value *more = a->kind > b->kind ? a : b, *less = more == a ? b : a;

	if (a->kind != b->kind) {
		/* A buffer of one's own, or what malloc() returned: nobody knows which. */
		bool is_either = less->kind == VALUE_UNTYPED &&
				 (more->kind == VALUE_FRAME || is_inside(table, more));

		return is_either ? *less : *more;
	}
	if (a->type == b->type) {
		uint64_t apart = (uint64_t)a->offset - (uint64_t)b->offset;
		struct data_value result = *a;

		if (a->offset < b->offset)
			apart = UINT64_C(0) - apart;
		result.stride = common_divisor(common_divisor(a->stride, b->stride), apart);
		return result;
	}
	if (typetable_is_vague(table, a->type))
		return is_inside(table, b) ? *a : *b;
	if (typetable_is_vague(table, b->type))
		return is_inside(table, a) ? *b : *a;
	/* Of a struct and what it begins with, the struct; unless that is numbers, which may be elsewhere, too. */
	if (typetable_contains(table, a->type, offset_in(table, a), b->type))
		return is_inside(table, a) && !has_members(table, b->type) ? *b : *a;
	if (typetable_contains(table, b->type, offset_in(table, b), a->type))
		return is_inside(table, b) && !has_members(table, a->type) ? *a : *b;
	return (struct data_value){ .kind = VALUE_MIXED };
}

struct data_value value_choose(const struct typetable *table, const struct data_value *declared,
			       const struct data_value *followed)
{
	uint64_t offset;

	if (followed->kind == VALUE_UNTYPED)
		return declared->kind == VALUE_NONE ? *followed : *declared;
	if (declared->kind != VALUE_POINTER || followed->kind == VALUE_FRAME)
		return followed->kind == VALUE_NONE || followed->kind == VALUE_MIXED ? *declared
										     : *followed;
	if (followed->kind != VALUE_POINTER)
		return *declared;
	if (typetable_is_vague(table, declared->type))
		return typetable_is_vague(table, followed->type) ? *declared : *followed;
	if (declared->type == followed->type)
		return *declared;
	offset = typetable_fold(table, followed->type,
				offset_difference(followed->offset, declared->offset),
				followed->stride);
	if (typetable_contains(table, followed->type, offset, declared->type))
		return *followed;
	return *declared;
}

/* -- the stack ------------------------------------------------------------------------------- */

static size_t find_slot(const struct type_state *state, int64_t offset)
{
	size_t i = 0;

	while (i < state->n_slots && state->slots[i].offset != offset)
		i++;
	return i;
}

static void set_slot(struct type_state *state, int64_t offset, const struct data_value *value)
{
	size_t i = find_slot(state, offset);

	if (i == STATE_SLOTS || (i == state->n_slots && value->kind == VALUE_NONE))
		return;
	if (i == state->n_slots)
		state->slots[state->n_slots++].offset = offset;
	state->slots[i].value = *value;
}

void typestate_begin(struct type_state *state)
{
	memset(state, 0, sizeof(*state));
	state->is_reached = true;
	/* The call has put the return address there. */
	state->registers[STATE_SP] = (struct data_value){ .kind = VALUE_FRAME, .offset = -WORD };
}

bool typestate_join(const struct typetable *table, struct type_state *into,
		    const struct type_state *from)
{
	bool is_changed = !into->is_reached;

	if (is_changed) {
		*into = *from;
		return true;
	}
	for (size_t i = 0; i < STATE_REGISTERS; i++) {
		struct data_value value = join(table, &into->registers[i], &from->registers[i]);

		is_changed |= !same(&value, &into->registers[i]);
		into->registers[i] = value;
	}
	for (size_t i = 0; i < from->n_slots; i++) {
		const struct state_slot *slot = &from->slots[i];
		size_t at = find_slot(into, slot->offset);
		struct data_value value = slot->value;

		if (at < into->n_slots) {
			value = join(table, &into->slots[at].value, &value);
			is_changed |= !same(&value, &into->slots[at].value);
		} else {
			is_changed |= at < STATE_SLOTS && value.kind != VALUE_NONE;
		}
		set_slot(into, slot->offset, &value);
	}
	return is_changed;
}

/* -- places ---------------------------------------------------------------------------------- */

static struct data_value constant(int64_t number)
{
	return (struct data_value){ .kind = VALUE_NUMBER, .offset = number };
}

/* A number that is the address of a variable is a pointer to it. */
static struct data_value resolve(struct data_value value, const struct variable_view *view)
{
	struct data_value variable, rest = { .kind = VALUE_NUMBER, .stride = value.stride };

	if ((value.kind != VALUE_NUMBER && value.kind != VALUE_ADDRESS) || value.offset == 0 ||
	    value.stride == 1)
		return value;
	variable = view->at_address(view->ctx, (uint64_t)value.offset);
	return variable.kind == VALUE_POINTER ? value_add(&variable, &rest) : value;
}

/* True if a number is the thread's pointer, or near it. */
static bool is_of_thread(const struct data_value *value)
{
	return value->kind == VALUE_NUMBER && value->offset > STATE_THREAD - INT32_MAX &&
	       value->offset < STATE_THREAD + INT32_MAX;
}

static struct data_value resolve_fixed(struct data_value value, const struct variable_view *view)
{
	return view->is_fixed || is_of_thread(&value) ? resolve(value, view) : value;
}

static struct data_value address_of(const struct type_state *state,
				    const struct motion_place *operand,
				    const struct variable_view *view)
{
	bool is_plain = operand->base < 0 && operand->index < 0;
	struct data_value value =
		constant(offset_sum(operand->offset, operand->is_thread ? STATE_THREAD : 0));

	value = is_plain ? resolve(value, view) : resolve_fixed(value, view);
	if (operand->base >= 0) {
		const struct data_value *base = &state->registers[operand->base];

		/* "table(%rax)" or "8192(%rax)": what points wins. */
		if (base->kind == VALUE_POINTER || base->kind == VALUE_FRAME)
			value = constant(operand->offset);
		value = value_add(&value, base);
	}
	if (operand->index >= 0) {
		struct data_value index =
			multiply(&state->registers[operand->index], operand->scale);

		value = value_add(&value, &index);
	}
	return value;
}

/* A pointer to an operand, and what is known about its place in the frame. */
static struct data_value find_place(const struct type_state *state,
				    const struct motion_place *operand,
				    const struct variable_view *view, struct data_value *frame)
{
	struct data_value value, variable, rest;

	*frame = nothing;
	if (!operand->is_used || operand->is_special)
		return nothing;
	value = resolve_fixed(address_of(state, operand, view), view);
	if (value.kind != VALUE_FRAME)
		return value;
	*frame = value;
	rest = (struct data_value){ .kind = VALUE_NUMBER, .stride = value.stride };
	variable = view->in_frame(view->ctx, value.offset, state);
	return variable.kind == VALUE_POINTER ? value_add(&variable, &rest) : value;
}

struct data_place typestate_place(const struct typetable *table, const struct type_state *state,
				  const struct motion_place *operand,
				  const struct variable_view *view)
{
	struct data_value frame, value = find_place(state, operand, view, &frame);
	bool is_absolute = false;

	switch (value.kind) {
	case VALUE_POINTER:
		return (struct data_place){
			.kind = PLACE_TYPE,
			.type = value.type,
			.offset = typetable_fold(table, value.type, value.offset, value.stride),
		};
	case VALUE_FRAME:
		return (struct data_place){ .kind = PLACE_FRAME, .offset = (uint64_t)value.offset };
	case VALUE_ADDRESS:
		return (struct data_place){ .kind = PLACE_ABSOLUTE,
					    .offset = (uint64_t)value.offset };
	case VALUE_NUMBER:
		/* It is an address: the operand's, or a table's. */
		if (operand->base < 0 && !operand->is_thread)
			is_absolute = value.stride == 0 || (view->is_fixed && value.stride != 1);
		return (struct data_place){
			.kind = is_absolute ? PLACE_ABSOLUTE : PLACE_UNKNOWN,
			.offset = (uint64_t)value.offset,
		};
	case VALUE_NONE:
	case VALUE_UNTYPED:
	case VALUE_MIXED:
		break;
	}
	return (struct data_place){ .kind = PLACE_UNKNOWN };
}

static struct data_value load(const struct typetable *table, const struct type_state *state,
			      const struct motion_place *operand, const struct variable_view *view)
{
	struct data_value frame, value = find_place(state, operand, view, &frame);
	struct data_value slot = nothing, loaded = nothing;

	if (frame.kind == VALUE_FRAME && frame.stride == 0) {
		size_t i = find_slot(state, frame.offset);

		if (i < state->n_slots)
			slot = state->slots[i].value;
	}
	/* "mov %fs:0, %rax": the thread's pointer is there, too. */
	if (operand->is_thread && operand->base < 0 && operand->index < 0 && operand->offset == 0)
		return constant(STATE_THREAD);
	if (operand->size < WORD)
		return slot.kind == VALUE_NUMBER ? slot : any_number;
	if (value.kind == VALUE_POINTER)
		loaded = value_of_type(table, value.type,
				       typetable_fold(table, value.type, value.offset,
						      value.stride));
	return value_choose(table, &loaded, &slot);
}

static struct data_value source_value(const struct typetable *table, const struct type_state *state,
				      const struct instruction_motion *motion,
				      const struct variable_view *view)
{
	switch (motion->source) {
	case SOURCE_REGISTER:
		return state->registers[motion->from];
	case SOURCE_CONSTANT:
		return resolve_fixed(constant(motion->constant), view);
	case SOURCE_MEMORY:
		return load(table, state, &motion->read, view);
	case SOURCE_OTHER:
		break;
	}
	return nothing;
}

/* -- instructions ---------------------------------------------------------------------------- */

static void store(struct type_state *state, const struct instruction_motion *motion,
		  const struct variable_view *view, const struct data_value *value)
{
	const size_t size = motion->written.size;
	struct data_value frame;

	(void)find_place(state, &motion->written, view, &frame);
	if (frame.kind != VALUE_FRAME || frame.stride != 0)
		return;
	set_slot(state, frame.offset, size >= WORD ? value : &any_number);
	/* Of a vector, the first word is known. */
	for (size_t i = 1; i < size / WORD; i++)
		set_slot(state, offset_sum(frame.offset, (int64_t)(i * WORD)), &nothing);
}

/* True if nothing useful is known: no type, or any number. */
static bool is_typeless(const struct typetable *table, const struct data_value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		return value->stride == 1;
	case VALUE_POINTER:
		return typetable_is_vague(table, value->type);
	case VALUE_NONE:
	case VALUE_UNTYPED:
		return true;
	case VALUE_ADDRESS:
	case VALUE_FRAME:
	case VALUE_MIXED:
		break;
	}
	return false;
}

/* A register without a type that is stored to a pointer gets its type, as in "list = malloc(size)". */
static void type_source(const struct typetable *table, struct type_state *state,
			const struct instruction_motion *motion, const struct variable_view *view)
{
	struct data_value frame, place, declared;

	if (motion->source != SOURCE_REGISTER || motion->written.size != WORD ||
	    !is_typeless(table, &state->registers[motion->from]))
		return;
	place = find_place(state, &motion->written, view, &frame);
	if (place.kind != VALUE_POINTER)
		return;
	declared = value_of_type(table, place.type, offset_in(table, &place));
	if (declared.kind == VALUE_POINTER && !typetable_is_vague(table, declared.type))
		state->registers[motion->from] = declared;
}

/* The new value of the target register. */
static struct data_value target_value(const struct typetable *table, const struct type_state *state,
				      const struct instruction_motion *motion,
				      const struct variable_view *view)
{
	const struct data_value *old = &state->registers[motion->to >= 0 ? motion->to : 0];
	struct data_value source = source_value(table, state, motion, view);

	switch (motion->kind) {
	case MOTION_MOVE:
		return source;
	case MOTION_CHOICE:
		return join(table, old, &source);
	case MOTION_ADD:
		return value_add(old, &source);
	case MOTION_SUBTRACT:
		return subtract(old, &source);
	case MOTION_SCALE:
		return multiply(&source, (uint64_t)motion->constant);
	case MOTION_ADDRESS:
		if (motion->address.is_special)
			return nothing;
		source = address_of(state, &motion->address, view);
		/* What "lea" computes without registers is an address, not just a number. */
		if (source.kind == VALUE_NUMBER && motion->address.base < 0 &&
		    motion->address.index < 0 && !motion->address.is_thread)
			source.kind = VALUE_ADDRESS;
		return source;
	case MOTION_NONE:
	case MOTION_STORE:
	case MOTION_CALL:
	case MOTION_LEAVE:
		break;
	}
	return nothing;
}

static void leave(struct type_state *state)
{
	struct data_value frame = state->registers[FRAME_POINTER];
	size_t i = find_slot(state, frame.offset);
	bool is_known = frame.kind == VALUE_FRAME && frame.stride == 0 && i < state->n_slots;

	state->registers[FRAME_POINTER] = is_known ? state->slots[i].value : nothing;
	frame.offset = offset_sum(frame.offset, WORD);
	state->registers[STATE_SP] = frame.kind == VALUE_FRAME ? frame : nothing;
}

void typestate_step(const struct typetable *table, struct type_state *state,
		    const struct instruction_motion *motion, const struct variable_view *view,
		    const struct data_value *result)
{
	struct data_value target = target_value(table, state, motion, view);
	struct data_value *sp = &state->registers[STATE_SP];

	if (motion->kind == MOTION_LEAVE) {
		leave(state);
		return;
	}
	if (motion->kind == MOTION_STORE) {
		struct data_value source;

		type_source(table, state, motion, view);
		source = source_value(table, state, motion, view);
		store(state, motion, view, &source);
	}
	for (size_t i = 0; i < STATE_REGISTERS; i++)
		if (motion->writes >> i & 1)
			state->registers[i] = i == STATE_SP && motion->kind == MOTION_NONE
						      ? state->registers[i]
						      : nothing;
	if (motion->kind == MOTION_CALL)
		state->registers[RESULT] = result->kind != VALUE_NONE ? *result : untyped;
	else if (motion->to >= 0 && motion->kind != MOTION_NONE)
		state->registers[motion->to] = target;
	if (motion->stack != 0 && sp->kind == VALUE_FRAME)
		sp->offset = offset_sum(sp->offset, motion->stack);
}

/* -- arguments ------------------------------------------------------------------------------- */

const uint8_t argument_registers[N_ARGUMENTS] = { 5, 4, 1, 2, 8, 9 };

void typearguments_init(struct type_arguments *arguments)
{
	*arguments = (struct type_arguments){ .n = 0 };
	idtable_init(&arguments->by_function);
}

void typearguments_release(struct type_arguments *arguments)
{
	idtable_release(&arguments->by_function);
	free(arguments->calls);
}

struct call_arguments *typearguments_of(const struct type_arguments *arguments, uint64_t function)
{
	uint32_t i = idtable_get(&arguments->by_function, function);

	return i == IDTABLE_NONE ? NULL : &arguments->calls[i];
}

void typearguments_note(struct type_arguments *arguments, const struct typetable *table,
			uint64_t function, const struct type_state *state)
{
	struct call_arguments *call = typearguments_of(arguments, function);

	for (size_t i = 0; i < N_ARGUMENTS; i++) {
		const struct data_value *value = &state->registers[argument_registers[i]];
		struct data_value *known;
		int64_t offset;

		if (value->kind != VALUE_POINTER)
			continue;
		if (!call) {
			arguments->calls = heap_grow(arguments->calls, &arguments->capacity,
						     arguments->n + 1, sizeof(*arguments->calls));
			idtable_put(&arguments->by_function, function, (uint32_t)arguments->n);
			call = &arguments->calls[arguments->n++];
			*call = (struct call_arguments){ .is_new = false };
		}
		/*
		 * Unlike paths of code, callers have to agree: a function that takes anything, such as one that hashes bytes,
		 * is not one for what a single caller passes.
		 */
		known = &call->values[i];
		offset = (int64_t)offset_in(table, value);
		if (known->kind == VALUE_MIXED ||
		    (known->kind != VALUE_NONE && known->type == value->type &&
		     known->offset == offset))
			continue;
		if (known->kind == VALUE_NONE)
			*known = (struct data_value){ .kind = VALUE_POINTER,
						      .type = value->type,
						      .offset = offset };
		else
			known->kind = VALUE_MIXED;
		call->is_new = true;
	}
}

/* -- paths ----------------------------------------------------------------------------------- */

enum {
	MOST_ROUNDS = 16, /* over a function's blocks; types settle in three or four */
	NO_FACT = 0,      /* the others are numbers of facts + 1 */
};

#define NO_BLOCK SIZE_MAX

/* A basic block. */
struct flow_block {
	uint64_t first; /* instruction */
	size_t n;
	bool is_orphan; /* no jump is known to lead there, nor does the code before it */
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

/* The first instruction at an address or after it. */
static size_t find_instruction(const struct type_flow *flow, uint64_t address)
{
	return address == 0 ? 0
			    : array_upto(flow->code, flow->n, sizeof(*flow->code),
					 offsetof(struct flow_instruction, address), address - 1);
}

/* The instruction that a jump goes to; flow->n = elsewhere. */
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

/* True if control may reach the next instruction in memory. */
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

/* True if it calls a function at a known address, or jumps there. */
static bool leaves(const struct type_flow *flow, const struct flow_instruction *at)
{
	if (!at->has_target)
		return false;
	return at->kind == INSTRUCTION_CALL ||
	       (at->kind == INSTRUCTION_JUMP && target_of(flow, at) == flow->n);
}

enum leader { LEADER_NONE, LEADER_NEXT, LEADER_ORPHAN, LEADER_TARGET };

static void find_blocks(struct following *following)
{
	const struct type_flow *flow = following->flow;
	uint8_t *leaders = heap_zeroed(flow->n, 1);
	struct flow_block *block = NULL;
	size_t n = 0;

	for (size_t i = 0; i < flow->n; i++) {
		size_t target = target_of(flow, &flow->code[i]);

		if (target < flow->n)
			leaders[target] = LEADER_TARGET;
		if (i + 1 == flow->n || leaders[i + 1] == LEADER_TARGET)
			continue;
		if (!is_followed(flow, i))
			leaders[i + 1] = LEADER_ORPHAN;
		else if (ends_block(&flow->code[i]))
			leaders[i + 1] = LEADER_NEXT;
	}
	if (leaders[0] == LEADER_NONE)
		leaders[0] = LEADER_ORPHAN;
	leaders[entry_of(flow)] = LEADER_TARGET;
	for (size_t i = 0; i < flow->n; i++)
		n += leaders[i] != LEADER_NONE;
	following->blocks = heap_zeroed(n, sizeof(*following->blocks));
	for (size_t i = 0; i < flow->n; i++) {
		if (leaders[i] != LEADER_NONE) {
			block = &following->blocks[following->n_blocks++];
			block->first = i;
			block->is_orphan = leaders[i] == LEADER_ORPHAN;
		}
		if (block)
			block->n++;
	}
	free(leaders);
}

static size_t find_block(const struct following *following, uint64_t instruction)
{
	return array_upto(following->blocks, following->n_blocks, sizeof(*following->blocks),
			  offsetof(struct flow_block, first), instruction) -
	       1;
}

/* -- facts ----------------------------------------------------------------------------------- */

static void place_facts(struct following *following)
{
	const struct type_flow *flow = following->flow;

	following->facts = heap_zeroed(flow->n * STATE_REGISTERS, sizeof(*following->facts));
	for (size_t i = 0; i < flow->n_facts; i++) {
		const struct register_fact *fact = &flow->facts[i];

		for (size_t at = find_instruction(flow, fact->start);
		     at < flow->n && flow->code[at].address < fact->end; at++) {
			uint32_t *place = &following->facts[at * STATE_REGISTERS + fact->reg];
			const struct data_value *old =
				*place != NO_FACT ? &flow->facts[*place - 1].value : NULL;

			/* Of several facts, the first one that says a type. */
			if (!old || old->kind != VALUE_POINTER ||
			    (fact->value.kind == VALUE_POINTER &&
			     typetable_is_vague(flow->table, old->type) &&
			     !typetable_is_vague(flow->table, fact->value.type)))
				*place = (uint32_t)i + 1;
		}
	}
}

static void lead_to(struct following *following, size_t block)
{
	struct flow_block *to = &following->blocks[block];

	if (!to->state)
		to->state = heap_zeroed(1, sizeof(*to->state));
	if (typestate_join(following->flow->table, to->state, following->state))
		to->is_changed = true;
}

/* Goes to an instruction, with what debug information says there. */
static void enter(const struct following *following, size_t i)
{
	const struct type_flow *flow = following->flow;
	const uint32_t *facts = &following->facts[i * STATE_REGISTERS];
	struct data_value *registers = following->state->registers;

	flow->moved(flow->ctx, flow->code[i].address);
	for (size_t reg = 0; reg < STATE_REGISTERS; reg++)
		if (facts[reg] != NO_FACT)
			registers[reg] = value_choose(
				flow->table, &flow->facts[facts[reg] - 1].value, &registers[reg]);
}

/* Follows it. */
static void step(const struct following *following, size_t i)
{
	const struct type_flow *flow = following->flow;
	const struct flow_instruction *instruction = &flow->code[i];
	struct data_value result = { .kind = VALUE_NONE };

	if (instruction->motion.kind == MOTION_CALL)
		result = flow->result(flow->ctx, instruction->has_target ? instruction->target : 0);
	typestate_step(flow->table, following->state, &instruction->motion, flow->view, &result);
}

static void follow_block(struct following *following, size_t number)
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
	if (target < flow->n)
		lead_to(following, find_block(following, target));
	if (is_followed(flow, last))
		lead_to(following, number + 1);
	for (size_t i = 0;
	     end->kind == INSTRUCTION_JUMP && !end->has_target && i < following->n_blocks; i++)
		if (following->blocks[i].is_orphan)
			lead_to(following, i);
}

static void settle(struct following *following)
{
	const struct type_flow *flow = following->flow;
	const uint32_t *facts = &following->facts[entry_of(flow) * STATE_REGISTERS];
	bool is_changed = true;

	typestate_begin(following->state);
	/* Where debug information says what a parameter is, callers do not count. */
	for (size_t i = 0; flow->arguments && i < N_ARGUMENTS; i++)
		if (facts[argument_registers[i]] == NO_FACT &&
		    flow->arguments[i].kind == VALUE_POINTER)
			following->state->registers[argument_registers[i]] = flow->arguments[i];
	lead_to(following, find_block(following, entry_of(flow)));
	for (int round = 0; is_changed && round < MOST_ROUNDS; round++) {
		is_changed = false;
		for (size_t i = 0; i < following->n_blocks; i++) {
			if (!following->blocks[i].is_changed)
				continue;
			is_changed = true;
			follow_block(following, i);
		}
	}
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

void typeflow_run(const struct type_flow *flow)
{
	struct following following = { .flow = flow };

	if (flow->n == 0)
		return;
	following.state = heap_zeroed(1, sizeof(*following.state));
	find_blocks(&following);
	place_facts(&following);
	settle(&following);
	report(&following);
	for (size_t i = 0; i < following.n_blocks; i++)
		free(following.blocks[i].state);
	free(following.blocks);
	free(following.facts);
	free(following.state);
}
