/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/cycles/operations: what instructions read, write, load and store, and how long they take, by a small table. */
#include "tool/cycles/operations.h"

#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"

enum { RAX = 0, RCX = 1, RDX = 2, RBX = 3 };

/* Integers are loaded in 4 cycles, vectors in 7, wide ones in 8. */
static const char text[] = "core zen9 from znver9\n"
			   "ports ALU0 ALU1 LD0 LD1 FP ST\n"
			   "load 4 7 8 c:10\n"
			   "store 20:10\n"
			   "other 1|2|3:10\n"
			   "add r64,r64 r64,i|1|1|3:10\n"
			   "add r64,m64|2|5|c:10 3:10\n"
			   "add m64,r64|2|6|c:10 20:10 3:10\n"
			   "mov r64,r64|1|1|3:10\n"
			   "mov r64,m64|1|4|c:10\n"
			   "mov m64,r64|1|1|20:10\n"
			   "addsd x,m64|2|10|c:10 10:10\n"
			   "pop r64|1|4|c:10\n"
			   "push r64|1|1|20:10\n"
			   "push m64|2|5|c:10 20:10\n"
			   "call m64|2|5|c:10 20:10\n"
			   "leave -|2|8|c:10\n"
			   "ret -|1|4|c:10\n"
			   "cmp r64,r64|1|1|3:10\n"
			   "cmova r64,r64|2|2|3:20\n"
			   "cmovb r64,r64|1|1|3:10\n"
			   "lea r64,m|1|1|3:10\n"
			   "lea r64,ms|1|2|1:10\n"
			   "cqo -|1|1|3:10\n"
			   "jb i|1|1|1:10\n";

static struct instructiontable table;
static struct operations operations;
static struct instruction_row row;
static enum instruction_match match;

static struct operation decode(const char *bytes, size_t size)
{
	struct operation operation;

	match = operations_decode(&operations, (const uint8_t *)bytes, size, &operation, &row);
	CHECK_EQ_U64(operation.size, size);
	return operation;
}

#define DECODE(bytes) decode((bytes), sizeof(bytes) - 1) /* a literal may hold NULs */

static uint64_t bit(unsigned number)
{
	return UINT64_C(1) << number;
}

static void check_place(const struct operation *operation, int base, int index,
			int32_t displacement)
{
	CHECK(operation->place.base == base);
	CHECK(operation->place.index == index);
	CHECK(operation->place.displacement == displacement);
}

TEST(registers_and_flags)
{
	const struct operation add = DECODE("\x48\x01\xc8"); /* add %rcx, %rax */

	CHECK(match == INSTRUCTION_EXACT);
	CHECK_EQ_U64(add.reads, bit(RAX) | bit(RCX));
	CHECK_EQ_U64(add.writes, bit(RAX) | bit(CORE_FLAGS));
	CHECK_EQ_U64(add.latency, 1);
	CHECK(!add.loads && !add.stores);
}

TEST(a_load_is_apart_from_what_is_computed)
{
	const struct operation add = DECODE("\x48\x03\x44\x91\x10"); /* add 16(%rcx,%rdx,4), %rax */
	const struct operation vector = DECODE("\xf2\x0f\x58\x01");  /* addsd (%rcx), %xmm0 */

	CHECK(add.loads && !add.stores);
	CHECK_EQ_U64(add.load, 4);
	CHECK_EQ_U64(add.latency, 1);
	CHECK_EQ_U64(add.addressing, bit(RCX) | bit(RDX));
	check_place(&add, RCX, RDX, 16);
	CHECK_EQ_U64(add.place.scale, 4);
	CHECK_EQ_U64(vector.load, 7);
	CHECK_EQ_U64(vector.latency, 3);
}

TEST(what_is_changed_in_memory_is_loaded_and_stored)
{
	const struct operation add = DECODE("\x48\x01\x01"); /* add %rax, (%rcx) */

	CHECK(add.loads && add.stores);
	CHECK_EQ_U64(add.load, 4);
	CHECK_EQ_U64(add.latency, 2);
	check_place(&add, RCX, CORE_NO_REGISTER, 0);
}

/* A row has the load in its latency, which must not count twice. */
TEST(the_stack_is_loaded_once)
{
	const struct operation pop = DECODE("\x5b");   /* pop %rbx */
	const struct operation leave = DECODE("\xc9"); /* leave */
	const struct operation ret = DECODE("\xc3");   /* ret */

	CHECK(pop.loads && !pop.stores);
	CHECK_EQ_U64(pop.load, 4);
	CHECK_EQ_U64(pop.latency, 0);
	check_place(&pop, CORE_RSP, CORE_NO_REGISTER, 0);
	CHECK(pop.copied_to == CORE_RSP && pop.copied_from == CORE_RSP);
	CHECK(pop.copied_plus == 8);
	CHECK_EQ_U64(pop.writes & bit(RBX), bit(RBX));

	CHECK(leave.loads);
	CHECK_EQ_U64(leave.load, 4);
	CHECK_EQ_U64(leave.latency, 4);
	check_place(&leave, CORE_RBP, CORE_NO_REGISTER, 0);
	CHECK(leave.copied_to == CORE_RSP && leave.copied_from == CORE_RBP);
	CHECK_EQ_U64(ret.load, 4);
	CHECK_EQ_U64(ret.latency, 0);
}

TEST(a_push_stores_below_the_pointer)
{
	const struct operation push = DECODE("\x53"); /* push %rbx */

	CHECK(push.stores && !push.loads);
	CHECK_EQ_U64(push.latency, 0);
	check_place(&push, CORE_RSP, CORE_NO_REGISTER, -8);
	CHECK(push.copied_plus == -8);
}

/* Where they store is not known: not where they load. */
TEST(memory_that_is_pushed_or_called_is_loaded)
{
	const struct operation push = DECODE("\xff\x71\x08"); /* pushq 8(%rcx) */
	const struct operation call = DECODE("\xff\x51\x08"); /* call *8(%rcx) */

	CHECK(push.loads && !push.stores);
	check_place(&push, RCX, CORE_NO_REGISTER, 8);
	CHECK(call.loads && !call.stores);
	check_place(&call, RCX, CORE_NO_REGISTER, 8);
	CHECK_EQ_U64(call.load, 4);
	CHECK_EQ_U64(call.latency, 1);
}

TEST(constants_are_followed)
{
	const struct operation add = DECODE("\x48\x83\xc0\x08");       /* add $8, %rax */
	const struct operation move = DECODE("\x48\x89\xc8");          /* mov %rcx, %rax */
	const struct operation store = DECODE("\x48\x89\x44\x24\x10"); /* mov %rax, 16(%rsp) */

	CHECK(add.copied_to == RAX && add.copied_from == RAX && add.copied_plus == 8);
	CHECK(move.copied_to == RAX && move.copied_from == RCX && move.copied_plus == 0);
	CHECK(store.copied_to == CORE_NO_REGISTER);
	check_place(&store, CORE_RSP, CORE_NO_REGISTER, 16);
}

TEST(a_comparison_is_fused)
{
	const struct operation compare = DECODE("\x48\x39\xc8"); /* cmp %rcx, %rax */
	const struct operation jump = DECODE("\x72\xfd");        /* jb */

	CHECK(compare.fuses && !compare.is_conditional);
	CHECK(jump.is_conditional && !jump.fuses);
	CHECK_EQ_U64(jump.reads, bit(CORE_FLAGS));
}

TEST(additions_fuse_unless_the_table_says_that_only_comparisons_do)
{
	CHECK(DECODE("\x48\x01\xc8").fuses); /* add %rcx, %rax */
	table.fuses_compares = true;
	CHECK(!DECODE("\x48\x01\xc8").fuses);
	CHECK(DECODE("\x48\x39\xc8").fuses); /* cmp %rcx, %rax */
	table.fuses_compares = false;
}

TEST(calls_and_returns_are_told_apart_from_jumps)
{
	CHECK(DECODE("\xe8\x10\x00\x00\x00").is_call);
	CHECK(DECODE("\xff\x10").is_call); /* call *(%rax) */
	CHECK(DECODE("\xc3").is_call);
	CHECK(!DECODE("\xeb\x10").is_call);
	CHECK(!DECODE("\x72\x10").is_call);
}

/* Of two operations, the first one takes the flags. */
TEST(a_move_by_two_flags_needs_them_first)
{
	const struct operation above = DECODE("\x48\x0f\x47\xc1"); /* cmova %rcx, %rax */
	const struct operation below = DECODE("\x48\x0f\x42\xc1"); /* cmovb %rcx, %rax */

	CHECK_EQ_U64(above.flags_first, 1);
	CHECK_EQ_U64(above.latency, 1);
	CHECK_EQ_U64(above.slots, 2);
	CHECK_EQ_U64(below.flags_first, 0);
	CHECK_EQ_U64(below.latency, 1);
}

TEST(the_table_says_what_registers_are_renamed_for)
{
	static const char load[] = "\x48\x8b\x01";                   /* mov (%rcx), %rax */
	static const char indexed[] = "\x48\x8b\x04\x11";            /* mov (%rcx,%rdx), %rax */
	static const char global[] = "\x48\x8b\x05\x00\x01\x00\x00"; /* mov 256(%rip), %rax */
	static const char add[] = "\x48\x01\x01";                    /* add %rax, (%rcx) */
	static const char add_one[] = "\x48\x83\x01\x01";            /* addq $1, (%rcx) */

	CHECK(DECODE(load).is_renamed && DECODE(indexed).is_renamed && !DECODE(global).is_renamed);
	CHECK(DECODE(add).is_renamed && DECODE(add_one).is_renamed);
	table.renaming = INSTRUCTION_RENAMES_ALL;
	CHECK(DECODE(load).is_renamed && DECODE(global).is_renamed && DECODE(add).is_renamed);
	table.renaming = INSTRUCTION_RENAMES_CONSTANTS;
	CHECK(DECODE(load).is_renamed && !DECODE(indexed).is_renamed);
	CHECK(!DECODE(add).is_renamed && DECODE(add_one).is_renamed);
	table.renaming = INSTRUCTION_RENAMES_MOVES;
	CHECK(DECODE(load).is_renamed && DECODE(indexed).is_renamed);
	CHECK(!DECODE(add).is_renamed && !DECODE(add_one).is_renamed && !DECODE(global).is_renamed);
	table.renaming = INSTRUCTION_RENAMES_BASES;
}

TEST(a_scale_is_a_form_of_lea)
{
	CHECK_EQ_U64(DECODE("\x48\x8d\x04\x08").latency, 1); /* lea (%rax,%rcx), %rax */
	CHECK(match == INSTRUCTION_EXACT);
	CHECK_EQ_U64(DECODE("\x48\x8d\x04\x88").latency, 2); /* lea (%rax,%rcx,4), %rax */
	CHECK(match == INSTRUCTION_EXACT);
}

TEST(a_sign_is_of_rax_alone)
{
	const struct operation sign = DECODE("\x48\x99"); /* cqo */

	CHECK_EQ_U64(sign.reads, bit(RAX));
	CHECK_EQ_U64(sign.writes, bit(RDX));
}

TEST(what_is_not_known_has_the_default_row)
{
	const struct operation none = DECODE("\x0f\xff\xff");

	CHECK(match == INSTRUCTION_DEFAULT);
	CHECK_EQ_U64(none.latency, 2);
	CHECK_EQ_U64(none.reads | none.writes | none.addressing, 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(registers_and_flags),
		CHECK_TEST(a_load_is_apart_from_what_is_computed),
		CHECK_TEST(what_is_changed_in_memory_is_loaded_and_stored),
		CHECK_TEST(the_stack_is_loaded_once),
		CHECK_TEST(a_push_stores_below_the_pointer),
		CHECK_TEST(memory_that_is_pushed_or_called_is_loaded),
		CHECK_TEST(constants_are_followed),
		CHECK_TEST(a_comparison_is_fused),
		CHECK_TEST(additions_fuse_unless_the_table_says_that_only_comparisons_do),
		CHECK_TEST(calls_and_returns_are_told_apart_from_jumps),
		CHECK_TEST(a_move_by_two_flags_needs_them_first),
		CHECK_TEST(the_table_says_what_registers_are_renamed_for),
		CHECK_TEST(a_scale_is_a_form_of_lea),
		CHECK_TEST(a_sign_is_of_rax_alone),
		CHECK_TEST(what_is_not_known_has_the_default_row),
	};
	struct instructiontable_error error;
	void *memory = malloc(instructiontable_size(text, strlen(text)));

	if (memory == NULL || !instructiontable_parse(&table, text, strlen(text), memory, &error) ||
	    !operations_init(&operations, &table))
		return 1;
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
