/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What instructions make of values, and what two ways have in common. */
#include "cmds/types/types.h"

#include "tests/cmds/types/example_types.h"
#include "tests/common/check.h"

enum { RAX = 0, RDX = 1, RCX = 2, RSI = 4, RDI = 5, RBP = 6, RSP = 7, XMM1 = 18 };

static struct example_types types;
static const struct data_value nothing = { .kind = VALUE_NONE };

/* "node" lies at 0x4000 to 0x4380, 16 of them; in the frame, one at -64. */
static struct data_value at_address(void *ctx, uint64_t address)
{
	struct data_value nodes =
		value_pointer(&types.table, types.node, (int64_t)address - 0x4000);

	(void)ctx;
	nodes.stride = 56;
	/* A thread-local node, 56 bytes before the thread's pointer. */
	if (address >= (uint64_t)STATE_THREAD - 56 && address < (uint64_t)STATE_THREAD)
		return value_pointer(&types.table, types.node,
				     (int64_t)address - (STATE_THREAD - 56));
	return address >= 0x4000 && address < 0x4380 ? nodes : nothing;
}

static struct data_value in_frame(void *ctx, int64_t offset, const struct type_state *state)
{
	(void)ctx;
	(void)state;
	return offset >= -64 && offset < -8 ? value_pointer(&types.table, types.node, offset + 64)
					    : nothing;
}

static struct variable_view view = { .in_frame = in_frame, .at_address = at_address };

static struct motion_place place(int8_t base, int8_t index, uint8_t scale, int64_t offset)
{
	return (struct motion_place){
		.is_used = true,
		.base = base,
		.index = index,
		.scale = scale,
		.size = 8,
		.offset = offset,
	};
}

static void step(struct type_state *state, struct instruction_motion motion)
{
	typestate_step(&types.table, state, &motion, &view, &nothing);
}

static struct instruction_motion load(int8_t to, struct motion_place from)
{
	return (struct instruction_motion){
		.kind = MOTION_MOVE,
		.source = SOURCE_MEMORY,
		.to = to,
		.from = -1,
		.writes = UINT64_C(1) << to,
		.read = from,
		.written = from,
	};
}

static struct instruction_motion compute(enum motion_kind kind, int8_t to, int8_t from,
					 int64_t constant)
{
	return (struct instruction_motion){
		.kind = kind,
		.source = from >= 0 ? SOURCE_REGISTER : SOURCE_CONSTANT,
		.to = to,
		.from = from,
		.constant = constant,
		.writes = UINT64_C(1) << to,
	};
}

static struct data_place find(const struct type_state *state, struct motion_place operand)
{
	return typestate_place(&types.table, state, &operand, &view);
}

static void begin(struct type_state *state)
{
	example_types_init(&types);
	view.is_fixed = false;
	typestate_begin(state);
	state->registers[RDI] = value_pointer(&types.table, types.node, 0);
}

static void end(void)
{
	typetable_release(&types.table);
}

TEST(members)
{
	struct type_state state;
	struct data_place found;

	begin(&state);
	found = find(&state, place(RDI, -1, 1, 48));
	CHECK(found.kind == PLACE_TYPE && found.type == types.node);
	CHECK_EQ_U64(found.offset, 48);
	/* node->values[i] */
	found = find(&state, place(RDI, RCX, 8, 16));
	CHECK(found.kind == PLACE_TYPE && found.type == types.node);
	CHECK_EQ_U64(found.offset, 16);
	CHECK(find(&state, place(RSI, -1, 1, 0)).kind == PLACE_UNKNOWN);
	/* node->next->name, whose characters are another thing */
	step(&state, load(RAX, place(RDI, -1, 1, 0)));
	found = find(&state, place(RAX, -1, 1, 48));
	CHECK(found.type == types.node && found.offset == 48);
	step(&state, load(RAX, place(RAX, -1, 1, 48)));
	found = find(&state, place(RAX, -1, 1, 5));
	CHECK(found.kind == PLACE_TYPE && found.type == types.of_char);
	/* A part of a pointer is none. */
	step(&state, load(RCX, (struct motion_place){
				       .is_used = true, .base = RDI, .index = -1, .size = 4 }));
	CHECK(find(&state, place(RCX, -1, 1, 0)).kind == PLACE_UNKNOWN);
	end();
}

/* Two pointers at once are loaded into a vector, whose first is followed, and stored on the stack. */
TEST(vectors)
{
	const struct motion_place pair = { .is_used = true, .base = RDI, .index = -1, .size = 16 };
	const struct motion_place slot = {
		.is_used = true, .base = RSP, .index = -1, .size = 16, .offset = -104
	};
	struct type_state state;
	struct data_place found;

	begin(&state);
	/* movdqu (%rdi), %xmm1; movq %xmm1, %rax */
	step(&state, load(XMM1, pair));
	step(&state, compute(MOTION_MOVE, RAX, XMM1, 0));
	found = find(&state, place(RAX, -1, 1, 48));
	CHECK(found.kind == PLACE_TYPE && found.type == types.node && found.offset == 48);
	/* What was in the second word of what it is stored to is not there any more. */
	step(&state, (struct instruction_motion){ .kind = MOTION_STORE,
						  .source = SOURCE_REGISTER,
						  .to = -1,
						  .from = RDI,
						  .written = { .is_used = true,
							       .base = RSP,
							       .index = -1,
							       .size = 8,
							       .offset = -96 } });
	step(&state, (struct instruction_motion){ .kind = MOTION_STORE,
						  .source = SOURCE_REGISTER,
						  .to = -1,
						  .from = XMM1,
						  .written = slot });
	step(&state, load(RCX, place(RSP, -1, 1, -104)));
	CHECK(find(&state, place(RCX, -1, 1, 0)).type == types.node);
	step(&state, load(RCX, place(RSP, -1, 1, -96)));
	CHECK(find(&state, place(RCX, -1, 1, 0)).kind == PLACE_UNKNOWN);
	end();
}

TEST(threads)
{
	struct motion_place operand = place(-1, -1, 1, -56 + 48);
	struct type_state state;
	struct data_place found;

	begin(&state);
	/* %fs:-8 */
	operand.is_thread = true;
	found = find(&state, operand);
	CHECK(found.kind == PLACE_TYPE && found.type == types.node && found.offset == 48);
	/* "mov %fs:0, %rax": its address is there. */
	operand.offset = 0;
	CHECK(find(&state, operand).kind == PLACE_UNKNOWN);
	step(&state, load(RAX, operand));
	found = find(&state, place(RAX, -1, 1, -56 + 16));
	CHECK(found.kind == PLACE_TYPE && found.type == types.node && found.offset == 16);
	CHECK(find(&state, place(RAX, -1, 1, 40)).kind == PLACE_UNKNOWN);
	end();
}

/* base + i * 56, as compilers compute it. */
TEST(indices)
{
	struct type_state state;
	struct data_place found;

	begin(&state);
	step(&state, compute(MOTION_SCALE, RCX, RCX, 7));
	found = find(&state, place(RDI, RCX, 8, 64));
	CHECK(found.type == types.node && found.offset == 8);
	step(&state, compute(MOTION_SCALE, RCX, RCX, 8));
	step(&state, compute(MOTION_ADD, RCX, RDI, 0));
	found = find(&state, place(RCX, -1, 1, 20));
	CHECK(found.type == types.node && found.offset == 20);
	CHECK_EQ_U64(state.registers[RCX].stride, 56);
	step(&state, compute(MOTION_SUBTRACT, RCX, RDI, 0));
	CHECK(state.registers[RCX].kind == VALUE_NUMBER);
	/* One further, and back, in an array. */
	state.registers[RDI].stride = 56;
	step(&state, compute(MOTION_ADD, RDI, -1, 56));
	CHECK_EQ_U64(find(&state, place(RDI, -1, 1, 0)).offset, 0);
	step(&state, compute(MOTION_SUBTRACT, RDI, -1, 60));
	CHECK_EQ_U64(find(&state, place(RDI, -1, 1, 0)).offset, 52);
	end();
}

TEST(variables)
{
	struct instruction_motion address = compute(MOTION_ADDRESS, RAX, -1, 0);
	struct type_state state;
	struct data_place found;

	begin(&state);
	found = find(&state, place(-1, -1, 1, 0x4038));
	CHECK(found.kind == PLACE_TYPE && found.type == types.node && found.offset == 0);
	found = find(&state, place(-1, -1, 1, 0x5000));
	CHECK(found.kind == PLACE_ABSOLUTE && found.offset == 0x5000);
	/* In code that can be anywhere, a number next to a register is no address; what points wins in any case. */
	CHECK(find(&state, place(RCX, -1, 1, 0x4040)).kind == PLACE_UNKNOWN);
	found = find(&state, place(RDI, -1, 1, 0x4038));
	CHECK(found.type == types.node);
	CHECK_EQ_U64(found.offset, 56);
	address.address = place(-1, -1, 1, 0x4000);
	step(&state, address);
	CHECK(find(&state, place(RAX, -1, 1, 8)).offset == 8);
	view.is_fixed = true;
	state.registers[RCX] = (struct data_value){ .kind = VALUE_NUMBER, .stride = 1 };
	found = find(&state, place(-1, RCX, 8, 0x4010));
	CHECK(found.kind == PLACE_TYPE && found.offset == 16);
	step(&state, compute(MOTION_MOVE, RAX, -1, 0x4008));
	CHECK(find(&state, place(RAX, -1, 1, 0)).offset == 8);
	end();
}

/* "lea table(%rip), %rcx; movslq (%rcx,%rdx,4), %rdx; add %rcx, %rdx; jmp *%rdx" */
TEST(tables)
{
	struct instruction_motion address = compute(MOTION_ADDRESS, RCX, -1, 0);
	struct type_state state, other;
	struct data_place found;

	begin(&state);
	address.address = place(-1, -1, 1, 0x5000);
	step(&state, address);
	found = find(&state, place(RCX, RDX, 4, 0));
	CHECK(found.kind == PLACE_ABSOLUTE && found.offset == 0x5000);
	step(&state, load(RDX, place(RCX, RDX, 4, 0)));
	step(&state, compute(MOTION_ADD, RDX, RCX, 0));
	CHECK(state.registers[RDX].kind == VALUE_ADDRESS);
	/* An address less another one is a number, and so is the product; of a pointer and one, the pointer counts. */
	other = state;
	step(&other, compute(MOTION_SUBTRACT, RDX, RCX, 0));
	CHECK(other.registers[RDX].kind == VALUE_NUMBER);
	other = state;
	step(&other, compute(MOTION_ADD, RDX, RDX, 0));
	CHECK(other.registers[RDX].kind == VALUE_NUMBER);
	other = state;
	step(&other, compute(MOTION_SCALE, RDX, RDX, 4));
	CHECK(other.registers[RDX].kind == VALUE_NUMBER);
	CHECK(find(&state, place(RCX, RDI, 1, 8)).type == types.node);
	/* A pointer on one of two ways is one. */
	other = state;
	step(&other, compute(MOTION_MOVE, RCX, RDI, 0));
	(void)typestate_join(&types.table, &other, &state);
	CHECK(other.registers[RCX].kind == VALUE_POINTER);
	/* A table by its number alone, in code that is where it was linked to. */
	CHECK(find(&state, place(-1, RSI, 8, 0x5000)).kind == PLACE_UNKNOWN);
	view.is_fixed = true;
	CHECK(find(&state, place(-1, RSI, 8, 0x5000)).kind == PLACE_ABSOLUTE);
	CHECK(find(&state, place(-1, RSI, 1, 0x5000)).kind == PLACE_UNKNOWN);
	end();
}

TEST(frame)
{
	struct instruction_motion push = {
		.kind = MOTION_STORE,
		.source = SOURCE_REGISTER,
		.from = RDI,
		.to = -1,
		.stack = -8,
	};
	struct type_state state;
	struct data_place found;

	begin(&state);
	push.written = place(RSP, -1, 1, -8);
	CHECK(find(&state, push.written).kind == PLACE_TYPE); /* of the variable that is there */
	step(&state, push);
	CHECK(state.registers[RSP].offset == -16);
	step(&state, compute(MOTION_SUBTRACT, RSP, -1, 112));
	/* What was put there comes back, though the variable has another type. */
	step(&state, load(RSI, place(RSP, -1, 1, 112)));
	CHECK(state.registers[RSI].kind == VALUE_POINTER &&
	      state.registers[RSI].type == types.node);
	found = find(&state, place(RSP, -1, 1, 8));
	CHECK(found.kind == PLACE_FRAME);
	found = find(&state, place(RSP, RCX, 8, 128 - 64 + 16));
	CHECK(found.kind == PLACE_TYPE && found.offset == 16);
	/* A call loses what it may change. */
	step(&state, (struct instruction_motion){
			     .kind = MOTION_CALL, .to = -1, .from = -1, .writes = 0xf37 });
	CHECK(state.registers[RDI].kind == VALUE_NONE && state.registers[RSP].offset == -128);
	/* push %rbp; mov %rsp, %rbp; ...; leave */
	typestate_begin(&state);
	state.registers[RBP] = value_pointer(&types.table, types.point, 0);
	push.from = RBP;
	step(&state, push);
	step(&state, compute(MOTION_MOVE, RBP, RSP, 0));
	step(&state, compute(MOTION_SUBTRACT, RSP, -1, 32));
	step(&state, (struct instruction_motion){ .kind = MOTION_LEAVE, .to = -1, .from = -1 });
	CHECK(state.registers[RSP].offset == -8 && state.registers[RBP].type == types.point);
	end();
}

TEST(ways)
{
	struct type_state a, b;

	begin(&a);
	b = a;
	CHECK(!typestate_join(&types.table, &a, &b));
	/* p and p + 1; p and nothing, or NULL. */
	b.registers[RDI].offset = 112;
	a.registers[RSI] = b.registers[RDI];
	b.registers[RSI] = (struct data_value){ .kind = VALUE_NUMBER };
	CHECK(typestate_join(&types.table, &a, &b));
	CHECK_EQ_U64(a.registers[RDI].stride, 112);
	CHECK(a.registers[RSI].kind == VALUE_POINTER);
	/* A struct and what it begins with; characters, which may be anything; another type. */
	a.registers[RAX] = value_pointer(&types.table, types.node, 8);
	b.registers[RAX] = value_pointer(&types.table, types.point, 0);
	a.registers[RCX] = value_pointer(&types.table, types.of_char, 0);
	b.registers[RCX] = value_pointer(&types.table, types.point, 0);
	a.registers[RSI] = value_pointer(&types.table, types.text, 0);
	b.registers[RSI] = value_pointer(&types.table, types.point, 0);
	CHECK(typestate_join(&types.table, &a, &b));
	CHECK(a.registers[RAX].type == types.node);
	CHECK(a.registers[RCX].type == types.point);
	CHECK(a.registers[RSI].kind == VALUE_MIXED);
	CHECK(!typestate_join(&types.table, &a, &b));
	end();
}

/* "n <= 4 ? s->local : malloc(n)", and what else a call may have given. */
TEST(buffers)
{
	const struct instruction_motion call = {
		.kind = MOTION_CALL, .to = -1, .from = -1, .writes = UINT64_C(1) << RAX
	};
	struct type_state a, b;

	begin(&a);
	step(&a, call);
	CHECK(find(&a, place(RAX, -1, 1, 0)).kind == PLACE_UNKNOWN);
	b = a;
	/* A member of a struct; one of its frame; malloc() + 16. */
	a.registers[RAX] = value_pointer(&types.table, types.node, 16);
	a.registers[RCX] = (struct data_value){ .kind = VALUE_FRAME, .offset = -64 };
	a.registers[RSI] = value_pointer(&types.table, types.node, 16);
	b.registers[RCX] = b.registers[RAX];
	b.registers[RSI] = b.registers[RAX];
	step(&b, compute(MOTION_ADD, RSI, -1, 16));
	CHECK(typestate_join(&types.table, &a, &b));
	CHECK(find(&a, place(RAX, RCX, 8, 0)).kind == PLACE_UNKNOWN);
	CHECK(find(&a, place(RCX, -1, 1, 0)).kind == PLACE_UNKNOWN);
	CHECK(find(&a, place(RSI, -1, 1, 0)).kind == PLACE_UNKNOWN);
	CHECK(!typestate_join(&types.table, &a, &b));
	/* What is declared counts. */
	b.registers[RCX] = value_pointer(&types.table, types.of_double, 0);
	b.registers[RCX] = value_choose(&types.table, &b.registers[RCX], &a.registers[RAX]);
	CHECK(b.registers[RCX].type == types.of_double);
	/* A whole struct; elements of an array; of a register that no way has, all is as it was. */
	a.registers[RAX] = value_pointer(&types.table, types.node, 0);
	a.registers[RCX] = value_pointer(&types.table, types.of_double, 16);
	a.registers[RSI] = value_pointer(&types.table, types.node, 16);
	b.registers[RCX] = b.registers[RAX];
	b.registers[RSI] = nothing;
	CHECK(typestate_join(&types.table, &a, &b) == false);
	CHECK(a.registers[RAX].type == types.node && a.registers[RCX].type == types.of_double);
	CHECK(a.registers[RSI].type == types.node);
	/* Functions that return void *, or a pointer to numbers that were not the struct's. */
	a.registers[RAX] = value_pointer(&types.table, types.node, 16);
	b.registers[RAX] = value_pointer(&types.table, TYPE_NONE, 0);
	b.registers[RSI] = value_pointer(&types.table, types.of_double, 0);
	CHECK(typestate_join(&types.table, &a, &b));
	CHECK(a.registers[RAX].kind == VALUE_POINTER && a.registers[RAX].type == TYPE_NONE);
	CHECK(a.registers[RSI].type == types.of_double);
	CHECK(!typestate_join(&types.table, &a, &b));
	end();
}

/* "node->next = malloc(size)": what is stored has the type from then on. */
TEST(stores)
{
	struct instruction_motion store = {
		.kind = MOTION_STORE, .source = SOURCE_REGISTER, .from = RAX, .to = -1
	};
	struct type_state state;

	begin(&state);
	store.written = place(RDI, -1, 1, 0);
	step(&state,
	     (struct instruction_motion){
		     .kind = MOTION_CALL, .to = -1, .from = -1, .writes = UINT64_C(1) << RAX });
	step(&state, store);
	CHECK(state.registers[RAX].kind == VALUE_POINTER &&
	      state.registers[RAX].type == types.node && state.registers[RAX].offset == 0);
	/* Not the type of something else, of a part, of what has a type, of a pointer to characters. */
	state.registers[RAX] = nothing;
	store.written = place(RDI, -1, 1, 8);
	step(&state, store);
	CHECK(state.registers[RAX].kind == VALUE_NONE);
	store.written = place(RDI, -1, 1, 0);
	store.written.size = 4;
	step(&state, store);
	CHECK(state.registers[RAX].kind == VALUE_NONE);
	store.written = place(RDI, -1, 1, 48);
	step(&state, store);
	CHECK(state.registers[RAX].kind == VALUE_NONE);
	store.written = place(RDI, -1, 1, 0);
	state.registers[RAX] = value_pointer(&types.table, types.text, 0);
	step(&state, store);
	CHECK(state.registers[RAX].type == types.text);
	state.registers[RAX] = (struct data_value){ .kind = VALUE_NUMBER };
	step(&state, store);
	CHECK(state.registers[RAX].kind == VALUE_NUMBER);
	end();
}

TEST(declarations)
{
	struct data_value declared, followed, chosen;
	struct type_state state;

	begin(&state);
	declared = value_pointer(&types.table, types.of_double, 0);
	followed = value_pointer(&types.table, types.node, 16);
	chosen = value_choose(&types.table, &declared, &followed);
	CHECK(chosen.type == types.node); /* node->values */
	followed.offset = 0;
	chosen = value_choose(&types.table, &declared, &followed);
	CHECK(chosen.type == types.of_double);
	declared.type = types.of_char;
	chosen = value_choose(&types.table, &declared, &followed);
	CHECK(chosen.type == types.node);
	chosen = value_choose(&types.table, &declared, &nothing);
	CHECK(chosen.type == types.of_char);
	/* Small structs that are in registers. */
	CHECK(value_of_type(&types.table, types.node, 0).type == types.node);
	CHECK(value_of_type(&types.table, types.point, 0).kind == VALUE_NUMBER);
	CHECK(value_of_type(&types.table, types.either, 0).kind == VALUE_POINTER);
	CHECK(value_of_type(&types.table, TYPE_NONE, 0).kind == VALUE_NONE);
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(members), CHECK_TEST(vectors),      CHECK_TEST(threads),
		CHECK_TEST(indices), CHECK_TEST(variables),    CHECK_TEST(tables),
		CHECK_TEST(frame),   CHECK_TEST(ways),         CHECK_TEST(buffers),
		CHECK_TEST(stores),  CHECK_TEST(declarations),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
