/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What callers agree on. */
#include "cmds/types/types.h"

#include "tests/cmds/types/example_types.h"
#include "tests/common/check.h"

enum { RDX = 1, RSI = 4, RDI = 5, HERE = 0x1000, THERE = 0x2000 };

static struct example_types types;
static struct type_arguments arguments;
static struct type_state state;

static void begin(void)
{
	example_types_init(&types);
	typearguments_init(&arguments);
	typestate_begin(&state);
}

static void end(void)
{
	typearguments_release(&arguments);
	typetable_release(&types.table);
}

/* Has a register point to a type; nothing else is known about it. */
static void give(size_t reg, uint32_t type, int64_t offset, uint64_t stride)
{
	state.registers[reg] = value_pointer(&types.table, type, offset);
	state.registers[reg].stride = stride;
}

static struct call_arguments *call(uint64_t function)
{
	typearguments_note(&arguments, &types.table, function, &state);
	return typearguments_of(&arguments, function);
}

TEST(none)
{
	begin();
	CHECK(!typearguments_of(&arguments, HERE));
	state.registers[RDI] = (struct data_value){ .kind = VALUE_NUMBER, .offset = 3 };
	CHECK(!call(HERE));
	give(RDI, types.node, 0, 0);
	CHECK(call(HERE) && !typearguments_of(&arguments, THERE));
	end();
}

TEST(agreement)
{
	struct call_arguments *known;

	begin();
	give(RDI, types.node, 0, 0);
	give(RSI, types.node, 16, 56);
	known = call(HERE);
	CHECK(known->is_new && known->values[0].kind == VALUE_POINTER &&
	      known->values[0].type == types.node);
	CHECK(known->values[1].offset == 16 && known->values[2].kind == VALUE_NONE);
	known->is_new = false;
	/* Another element of an array; nothing known about the other one; and a third one. */
	give(RDI, types.node, 112, 56);
	state.registers[RSI].kind = VALUE_NONE;
	known = call(HERE);
	CHECK(!known->is_new && known->values[0].offset == 0 &&
	      known->values[1].kind == VALUE_POINTER);
	give(RDX, types.point, 0, 0);
	CHECK(call(HERE)->is_new);
	CHECK_EQ_U64(arguments.n, 1);
	end();
}

/* A function of anything is one of nothing that is known. */
TEST(disagreement)
{
	struct call_arguments *known;

	begin();
	give(RDI, types.node, 0, 0);
	give(RSI, types.node, 0, 0);
	(void)call(HERE);
	(void)call(THERE);
	give(RDI, types.of_char, 0, 0);
	give(RSI, types.node, 8, 0);
	known = call(HERE);
	CHECK(known->is_new && known->values[0].kind == VALUE_MIXED &&
	      known->values[1].kind == VALUE_MIXED);
	known->is_new = false;
	give(RDI, types.node, 0, 0);
	known = call(HERE);
	CHECK(!known->is_new && known->values[0].kind == VALUE_MIXED);
	CHECK(typearguments_of(&arguments, THERE)->values[0].kind == VALUE_POINTER);
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(none),
		CHECK_TEST(agreement),
		CHECK_TEST(disagreement),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
