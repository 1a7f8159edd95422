/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types along the ways of control: drawn code, what each reference of it is to. */
#include "cmds/types/types.h"

#include "tests/cmds/types/example_types.h"
#include "tests/common/check.h"

enum { RAX = 0, RCX = 2, RSI = 4, RDI = 5, LEN = 4, MOST = 16 };

static struct example_types types;

/* What was reported, by instruction. */
static struct data_place reads[MOST];
static size_t n_reads;

static struct data_value no_frame(void *ctx, int64_t offset, const struct type_state *state)
{
	(void)ctx;
	(void)offset;
	(void)state;
	return (struct data_value){ .kind = VALUE_NONE };
}

static struct data_value no_address(void *ctx, uint64_t address)
{
	(void)ctx;
	(void)address;
	return (struct data_value){ .kind = VALUE_NONE };
}

/* The function at 0x9000 returns a struct node *. */
static struct data_value call_result(void *ctx, uint64_t address)
{
	(void)ctx;
	return address == 0x9000 ? value_pointer(&types.table, types.node, 0)
				 : (struct data_value){ .kind = VALUE_NONE };
}

static void moved(void *ctx, uint64_t address)
{
	(void)ctx;
	(void)address;
}

static void found(void *ctx, const struct flow_instruction *instruction,
		  const struct data_place *read, const struct data_place *written)
{
	(void)ctx;
	(void)written;
	if (CHECK(instruction->address / LEN < MOST))
		reads[instruction->address / LEN] = *read;
	n_reads++;
}

static struct motion_place at(int8_t base, int64_t offset)
{
	return (struct motion_place){
		.is_used = true, .base = base, .index = -1, .size = 8, .offset = offset
	};
}

static struct instruction_motion load(int8_t to, int8_t base, int64_t offset)
{
	return (struct instruction_motion){
		.kind = MOTION_MOVE,
		.source = SOURCE_MEMORY,
		.to = to,
		.from = -1,
		.writes = 1u << to,
		.read = at(base, offset),
		.written = at(base, offset),
	};
}

static struct flow_instruction plain(struct instruction_motion motion)
{
	return (struct flow_instruction){ .kind = INSTRUCTION_PLAIN, .motion = motion };
}

static struct flow_instruction jump(enum instruction_kind kind, uint64_t target)
{
	return (struct flow_instruction){
		.kind = kind,
		.has_target = target != UINT64_MAX,
		.target = target * LEN,
		.motion = { .to = -1, .from = -1 },
	};
}

static const struct flow_instruction back = { .kind = INSTRUCTION_RETURN,
					      .motion = { .to = -1, .from = -1 } };

static size_t begin; /* the entry's number */
static const struct data_value *arguments;
static uint64_t called_at;
static struct data_value given; /* in rsi, to the function that is called */

static void called(void *ctx, uint64_t address, const struct type_state *state)
{
	(void)ctx;
	called_at = address;
	given = state->registers[RSI];
}

/* Follows code of instructions that take LEN bytes each, from address 0 on; rdi is a struct node * at the entry. */
static void follow(struct flow_instruction *code, size_t n)
{
	const struct variable_view view = { .in_frame = no_frame, .at_address = no_address };
	const struct register_fact fact = {
		.start = begin * LEN,
		.end = begin * LEN + LEN,
		.reg = RDI,
		.value = value_pointer(&types.table, types.node, 0),
	};
	const struct type_flow flow = {
		.table = &types.table,
		.view = &view,
		.code = code,
		.n = n,
		.entry = begin * LEN,
		.arguments = arguments,
		.called = called,
		.facts = &fact,
		.n_facts = 1,
		.result = call_result,
		.moved = moved,
		.found = found,
	};

	for (size_t i = 0; i < n; i++) {
		code[i].address = i * LEN;
		code[i].len = LEN;
	}
	memset(reads, 0, sizeof(reads));
	n_reads = 0;
	typeflow_run(&flow);
}

static void is_node(size_t i, uint64_t offset)
{
	CHECK(reads[i].kind == PLACE_TYPE && reads[i].type == types.node);
	CHECK_EQ_U64(reads[i].offset, offset);
}

/*
 *	0	mov (%rdi), %rdi	the fact holds here only
 *	1	mov 48(%rdi), %rax
 *	2	jne 0
 *	3	ret
 */
TEST(list)
{
	struct flow_instruction code[] = {
		plain(load(RDI, RDI, 0)),
		plain(load(RAX, RDI, 48)),
		jump(INSTRUCTION_CONDITIONAL, 0),
		back,
	};

	example_types_init(&types);
	follow(code, 4);
	is_node(0, 0);
	is_node(1, 48);
	CHECK_EQ_U64(n_reads, 2);
	typetable_release(&types.table);
}

/*
 *	0	jne 3
 *	1	xor %eax, %eax		NULL on this way
 *	2	jmp 4
 *	3	mov (%rdi), %rax
 *	4	mov 48(%rax), %rcx
 *	5	ret
 */
TEST(ways_meet)
{
	struct flow_instruction code[] = {
		jump(INSTRUCTION_CONDITIONAL, 3),
		plain((struct instruction_motion){ .kind = MOTION_MOVE,
						   .source = SOURCE_CONSTANT,
						   .to = RAX,
						   .from = -1,
						   .writes = 1u << RAX }),
		jump(INSTRUCTION_JUMP, 4),
		plain(load(RAX, RDI, 0)),
		plain(load(RCX, RAX, 48)),
		back,
	};

	example_types_init(&types);
	follow(code, 6);
	is_node(3, 0);
	is_node(4, 48);
	typetable_release(&types.table);
}

/*
 *	0	jmp *table
 *	1	mov 8(%rdi), %rax	a case
 *	2	ret
 *	3	call 0x9000		another one
 *	4	mov 16(%rax), %rcx
 *	5	ret
 */
TEST(computed_jumps_and_calls)
{
	struct flow_instruction code[] = {
		jump(INSTRUCTION_JUMP, UINT64_MAX),
		plain(load(RAX, RDI, 8)),
		back,
		{ .kind = INSTRUCTION_CALL,
		  .has_target = true,
		  .target = 0x9000,
		  .motion = { .kind = MOTION_CALL, .to = -1, .from = -1, .writes = 0xf37 } },
		plain(load(RCX, RAX, 16)),
		back,
	};

	example_types_init(&types);
	follow(code, 6);
	is_node(1, 8);
	is_node(4, 16);
	typetable_release(&types.table);
}

/*
 *	0	mov 16(%rax), %rcx	a part that is rarely executed
 *	1	ret
 *	2	mov (%rdi), %rax	the entry; the fact holds here only
 *	3	jne 0
 *	4	jmp 5
 *	5	mov 48(%rax), %rcx
 *	6	ret
 */
TEST(entry_behind)
{
	struct flow_instruction code[] = {
		plain(load(RCX, RAX, 16)),
		back,
		plain(load(RAX, RDI, 0)),
		jump(INSTRUCTION_CONDITIONAL, 0),
		jump(INSTRUCTION_JUMP, 5),
		plain(load(RCX, RAX, 48)),
		back,
	};

	example_types_init(&types);
	begin = 2;
	follow(code, 7);
	begin = 0;
	is_node(0, 16);
	is_node(2, 0);
	is_node(5, 48);
	typetable_release(&types.table);
}

/*
 *	0	mov (%rsi), %rax	rsi is a struct node * for the callers, as rdi is by debug information
 *	1	mov 48(%rdi), %rcx
 *	2	jmp 0x9000		another function
 */
TEST(what_callers_give)
{
	struct flow_instruction code[] = {
		plain(load(RAX, RSI, 0)),
		plain(load(RCX, RDI, 48)),
		jump(INSTRUCTION_JUMP, 0x9000 / LEN),
	};
	struct data_value values[N_ARGUMENTS] = { { .kind = VALUE_MIXED } };

	example_types_init(&types);
	values[0] = value_pointer(&types.table, types.of_int, 0);
	values[1] = value_pointer(&types.table, types.node, 0);
	arguments = values;
	follow(code, 3);
	is_node(0, 0);
	is_node(1, 48);
	CHECK_EQ_U64(called_at, 0x9000);
	CHECK(given.kind == VALUE_POINTER && given.type == types.node);
	/* Nobody knows what it is. */
	values[1] = (struct data_value){ .kind = VALUE_MIXED };
	arguments = values;
	follow(code, 3);
	CHECK(reads[0].kind == PLACE_UNKNOWN);
	arguments = NULL;
	typetable_release(&types.table);
}

/* Jumps out of the code, into instructions, and none at all. */
TEST(odd_code)
{
	struct flow_instruction code[] = {
		jump(INSTRUCTION_CONDITIONAL, 1000),
		jump(INSTRUCTION_JUMP, UINT64_MAX / LEN),
		plain(load(RAX, RDI, 0)),
	};

	example_types_init(&types);
	code[0].target = 1;
	follow(code, 3);
	CHECK_EQ_U64(n_reads, 1);
	CHECK(reads[2].kind == PLACE_UNKNOWN);
	follow(code, 0);
	CHECK_EQ_U64(n_reads, 0);
	typetable_release(&types.table);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(list),
		CHECK_TEST(ways_meet),
		CHECK_TEST(computed_jumps_and_calls),
		CHECK_TEST(entry_behind),
		CHECK_TEST(what_callers_give),
		CHECK_TEST(odd_code),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
