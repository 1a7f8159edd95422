/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/calls/callstack: calls, returns and jumps on one stack, as programs, with the
 * call stack drawn next to each step (how: see cpu.h).
 */
#include "tool/calls/callstack.h"

#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/tool/calls/cpu.h"

/* --- calls and returns -------------------------------------------------------------- */

TEST(calls_and_returns)
{
	struct cpu cpu;

	STEP(cpu_init(&cpu, code_at(START, 0)), "start", "_start");
	STEP(cpu_call(&cpu, MAIN), "push", "_start > main");
	cpu_take(&cpu, 6);
	STEP(cpu_call(&cpu, F), "push", "_start > main > f");
	cpu_take(&cpu, 2);
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	cpu_take(&cpu, -2);
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	STEP(cpu_call(&cpu, H), "push", "_start > main > h");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	cpu_take(&cpu, -6);
	STEP(cpu_return(&cpu), "-1 stay", "_start");
}

TEST(calls_remember_where_they_return_to)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu.pc = code_at(MAIN, 0x40);
	cpu_call(&cpu, F);
	CHECK_EQ_U64(cpu.stack.top->return_address, code_at(MAIN, 0x40 + CPU_CALL_LENGTH));
	CHECK_EQ_U64(cpu.stack.top->sp, cpu.sp);
	cpu_jump(&cpu, G);
	CHECK_EQ_U64(cpu.stack.top->return_address, 0);
	CHECK_EQ_U64(cpu.stack.top->sp, cpu.sp);
}

TEST(return_leaves_several_frames)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	cpu_pop(&cpu); /* g returns for f */
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	cpu_call(&cpu, F);
	cpu_call(&cpu, G);
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > g > h");
	cpu_take(&cpu, -3);
	STEP(cpu_return(&cpu), "-4 stay", "_start");
}

TEST(return_takes_arguments_along)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_take(&cpu, 2);
	STEP(cpu_call(&cpu, F), "push", "_start > main > f");
	cpu.pc = cpu_pop(&cpu); /* ret $16 */
	cpu_take(&cpu, -2);
	STEP(cpu_arrive(&cpu, ARRIVAL_RETURN, 0), "-1 stay", "_start > main");
}

TEST(recursion)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, F), "push", "_start > main > f");
	STEP(cpu_call(&cpu, F), "push", "_start > main > f > f");
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > f > g");
	STEP(cpu_call(&cpu, F), "push", "_start > main > f > f > g > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	STEP(cpu_call(&cpu, F), "push", "_start > main > f > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(call_of_the_next_instruction_is_none)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu.pc = code_at(F, 0x10);
	STEP(cpu_call_at(&cpu, code_at(F, 0x10 + CPU_CALL_LENGTH)), "stay", "_start > main > f");
	cpu_pop(&cpu); /* it wanted the program counter */
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	/* A function that is nothing else: its first instruction is called, and it is entered. */
	STEP(cpu_call(&cpu, F), "push", "_start > main > f > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	/* The midst of another function is a call all the same. */
	STEP(cpu_call_at(&cpu, code_at(G, 0x20)), "push", "_start > main > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(call_finds_frames_left_by_the_stack_pointer)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_take(&cpu, 1);
	cpu_call(&cpu, F);
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	cpu_take(&cpu, -3); /* back in main, unnoticed */
	cpu.pc = code_at(MAIN, 0x30);
	STEP(cpu_call(&cpu, H), "-2 push", "_start > main > h");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

/* --- returns that are something else -------------------------------------------------- */

TEST(return_as_a_jump)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, F), "push", "_start > main > f");
	cpu_push(&cpu, code_at(G, 0));
	STEP(cpu_return(&cpu), "push", "_start > main > f ~ g");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	/* With variables still on the stack; and then within the function. */
	cpu_call(&cpu, F);
	cpu_take(&cpu, 3);
	cpu_push(&cpu, code_at(F, 0x50));
	STEP(cpu_return(&cpu), "stay", "_start > main > f");
	cpu_push(&cpu, code_at(F, 0));
	STEP(cpu_return(&cpu), "push", "_start > main > f ~ f");
	/* A bottom. */
	cpu_init(&cpu, code_at(START, 0));
	cpu_push(&cpu, code_at(G, 0));
	STEP(cpu_return(&cpu), "push", "_start ~ g");
}

TEST(return_with_unchanged_stack_pointer)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	cpu_push(&cpu, code_at(F, CPU_CALL_LENGTH)); /* its return address once more */
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	cpu_pop(&cpu);
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	/* The frame with the return address may have made tail calls. */
	cpu_call(&cpu, F);
	cpu_jump(&cpu, G);
	STEP(cpu_jump(&cpu, H), "push", "_start > main > f ~ g ~ h");
	cpu_push(&cpu, *cpu_word(&cpu, cpu.sp));
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
	/* Another frame's, with this one's return address still there: a jump. */
	cpu_call(&cpu, F);
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	cpu_push(&cpu, *cpu_word(&cpu, cpu.sp + 8));
	STEP(cpu_return(&cpu), "push", "_start > main > f > g ~ main");
}

TEST(retpoline)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	/* f makes an indirect call of g: call thunk; thunk: call 1f; ...; 1: mov g,(%rsp); ret */
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > h");
	STEP(cpu_call_at(&cpu, code_at(H, 0x10)), "stay", "_start > main > f > h");
	*cpu_word(&cpu, cpu.sp) = code_at(G, 0);
	STEP(cpu_return(&cpu), "push", "_start > main > f > h ~ g");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main > f");
	/* f makes an indirect jump to g: jmp thunk */
	STEP(cpu_jump(&cpu, H), "push", "_start > main > f ~ h");
	STEP(cpu_call_at(&cpu, code_at(H, 0x10)), "stay", "_start > main > f ~ h");
	*cpu_word(&cpu, cpu.sp) = code_at(G, 0);
	STEP(cpu_return(&cpu), "push", "_start > main > f ~ h ~ g");
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
}

/* --- jumps ---------------------------------------------------------------------------- */

TEST(loop_at_the_first_instruction)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, F), "push", "_start > main > f");
	for (int i = 0; i < 1000; i++)
		STEP(cpu_jump(&cpu, F), "stay", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	/* In a function made by a tail call, and in a bottom. */
	cpu_call(&cpu, G);
	STEP(cpu_jump(&cpu, F), "push", "_start > main > g ~ f");
	STEP(cpu_jump(&cpu, F), "stay", "_start > main > g ~ f");
	cpu_init(&cpu, code_at(START, 0));
	STEP(cpu_jump(&cpu, START), "stay", "_start");
	cpu_take(&cpu, 1);
	STEP(cpu_jump(&cpu, START), "stay", "_start");
}

TEST(jump_to_the_start_with_a_word_pushed_is_a_call)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_push(&cpu, code_at(F, 0x30));
	STEP(cpu_jump(&cpu, F), "push", "_start > main > f ~ f");
	/* Its return looks like a jump back; the outer one's takes both. */
	STEP(cpu_return(&cpu), "stay", "_start > main > f ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(tail_calls)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g");
	cpu_take(&cpu, 4);
	STEP(cpu_call(&cpu, H), "push", "_start > main > f ~ g > h");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f ~ g");
	cpu_take(&cpu, -4);
	STEP(cpu_jump(&cpu, H), "push", "_start > main > f ~ g ~ h");
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
}

TEST(mutual_tail_calls)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g");
	STEP(cpu_jump(&cpu, F), "push", "_start > main > f ~ g ~ f");
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g ~ f ~ g");
	STEP(cpu_return(&cpu), "-4 stay", "_start > main");
}

TEST(tail_call_of_a_bottom)
{
	struct cpu cpu;

	cpu_init(&cpu, code_at(START, 0));
	cpu_take(&cpu, 3);
	STEP(cpu_jump(&cpu, F), "push", "_start ~ f");
	STEP(cpu_call(&cpu, G), "push", "_start ~ f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start ~ f");
	STEP(cpu_jump(&cpu, G), "push", "_start ~ f ~ g");
	STEP(cpu_jump_at(&cpu, code_at(START, 0x40)), "-2 stay", "_start");
}

TEST(jump_back_is_a_return)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "-1 stay", "_start > main > f");
	cpu_jump(&cpu, G);
	STEP(cpu_jump(&cpu, H), "push", "_start > main > f ~ g ~ h");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "-2 stay", "_start > main > f");
	cpu_jump(&cpu, G);
	STEP(cpu_jump(&cpu, H), "push", "_start > main > f ~ g ~ h");
	STEP(cpu_jump_at(&cpu, code_at(G, 0x20)), "-1 stay", "_start > main > f ~ g");
	STEP(cpu_jump_at(&cpu, code_at(F_COLD, 0)), "-1 stay", "_start > main > f");
	/* But not over a call: that is entered by its midst. */
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "push", "_start > main > f > g ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main > f");
}

TEST(cold_part_is_the_same_function)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump(&cpu, F_COLD), "stay", "_start > main > f");
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	CHECK(code_of(cpu.pc) == F_COLD);
	STEP(cpu_jump_at(&cpu, code_at(F, 0x30)), "stay", "_start > main > f");
	cpu_jump(&cpu, F_COLD);
	STEP(cpu_jump(&cpu, F), "stay", "_start > main > f"); /* a loop */
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	/* Of one that is not active, it is entered. */
	STEP(cpu_jump(&cpu, F_COLD), "push", "_start > main ~ f.cold");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x30)), "stay", "_start > main ~ f.cold");
	STEP(cpu_jump(&cpu, F), "push", "_start > main ~ f.cold ~ f");
	STEP(cpu_jump_at(&cpu, code_at(MAIN, 0x30)), "-2 stay", "_start > main");
}

TEST(pop_on_jump)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_call(&cpu, POPPED), "push", "_start > main > f > popped");
	STEP(cpu_jump_at(&cpu, code_at(POPPED, 8)), "stay", "_start > main > f > popped");
	STEP(cpu_jump(&cpu, G), "-1 push popped", "_start > main > f ~ g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	/* A tail call of a tail call. */
	STEP(cpu_jump(&cpu, POPPED), "push", "_start > main > f ~ popped");
	STEP(cpu_jump(&cpu, G), "-1 push popped", "_start > main > f ~ g");
	STEP(cpu_jump(&cpu, POPPED), "push", "_start > main > f ~ g ~ popped");
	/* Back where it came from. */
	STEP(cpu_jump_at(&cpu, code_at(G, 0x10)), "-1 stay", "_start > main > f ~ g");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	/* A call out of it, or its return, is nothing special; and a bottom stays. */
	cpu_call(&cpu, POPPED);
	STEP(cpu_call(&cpu, G), "push", "_start > main > popped > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > popped");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	cpu_init(&cpu, code_at(POPPED, 0));
	STEP(cpu_jump(&cpu, G), "push", "popped ~ g");
}

/* --- procedure linkage tables and the dynamic linker ----------------------------------- */

TEST(linkage_table_to_a_function)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, PLT), "push", "_start > main > plt");
	STEP(cpu_jump(&cpu, F), "push", "_start > main > plt ~ f");
	CHECK(!cpu.stack.top->resolver);
	/* So it is not the resolver, and what it jumps to is its own call. */
	STEP(cpu_jump(&cpu, G), "push", "_start > main > plt ~ f ~ g");
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
	/* From a tail call, and by way of a second table. */
	STEP(cpu_call(&cpu, F), "push", "_start > main > f");
	STEP(cpu_jump(&cpu, PLT_SEC), "push", "_start > main > f ~ plt.sec");
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ plt.sec ~ g");
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
}

/* True if a jump from the current state is known to push a frame, if it did so before. */
static bool is_known(const struct cpu *cpu, enum code code, bool nameless)
{
	const struct callstack_frame before = { .body = code, .object = 1, .plt = true };

	return callstack_pushes_again(&cpu->stack, &before, FRAME_JUMP, cpu->sp, false, nameless);
}

/* Into the midst of a function with symbols a jump may be a return, but not to a stub. */
TEST(stubs_are_called_again_by_tail_calls_of_tail_calls)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	CHECK(is_known(&cpu, STUB, true) && is_known(&cpu, STUB, false));
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g");
	CHECK(is_known(&cpu, STUB, true) && !is_known(&cpu, STUB, false));
	STEP(cpu_jump(&cpu, STUB), "push", "_start > main > f ~ g ~ stub+0");
	CHECK(!is_known(&cpu, STUB, true));
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
}

/* A table's entry pushes its index, and the table's start the object; then it jumps. */
static void jump_to_resolver(struct cpu *cpu, uint64_t resolver)
{
	cpu_push(cpu, 3);
	cpu_jump_at(cpu, code_at(PLT, 0x10));
	cpu_push(cpu, 0x1234);
	cpu_jump_at(cpu, resolver);
}

TEST(resolver_is_taken_away)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call_at(&cpu, code_at(PLT, 0x40)), "push", "_start > main > plt");
	STEP(jump_to_resolver(&cpu, code_at(RESOLVER, 0)), "push",
	     "_start > main > plt ~ resolver");
	/* With the words still pushed it goes on elsewhere. */
	STEP(cpu_jump(&cpu, H), "push", "_start > main > plt ~ resolver ~ h");
	STEP(cpu_jump_at(&cpu, code_at(RESOLVER, 0x20)), "-1 stay",
	     "_start > main > plt ~ resolver");
	cpu_take(&cpu, 8);
	STEP(cpu_call(&cpu, FIXUP), "push", "_start > main > plt ~ resolver > fixup");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > plt ~ resolver");
	cpu_take(&cpu, -8 - 2);
	STEP(cpu_jump(&cpu, F), "-1 push popped", "_start > main > plt ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(resolver_in_two_tables)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, PLT_SEC), "push", "_start > main > plt.sec");
	STEP(cpu_jump_at(&cpu, code_at(PLT, 0x40)), "push", "_start > main > plt.sec ~ plt");
	STEP(jump_to_resolver(&cpu, code_at(RESOLVER, 0)), "push",
	     "_start > main > plt.sec ~ plt ~ resolver");
	cpu_take(&cpu, -2);
	STEP(cpu_jump(&cpu, F), "-1 push popped", "_start > main > plt.sec ~ plt ~ f");
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
}

TEST(resolver_that_returns_to_the_function)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call_at(&cpu, code_at(PLT, 0x40));
	jump_to_resolver(&cpu, code_at(RESOLVER, 0));
	CHECK_STR(cpu.drawing, "_start > main > plt ~ resolver");
	cpu_pop(&cpu);
	*cpu_word(&cpu, cpu.sp) = code_at(F, 0);
	STEP(cpu_return(&cpu), "-1 push popped", "_start > main > plt ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(resolver_that_calls_the_function)
{
	struct cpu cpu;

	/* As with LD_PROFILE and LD_AUDIT. */
	cpu_init_in_main(&cpu);
	cpu_call_at(&cpu, code_at(PLT, 0x40));
	jump_to_resolver(&cpu, code_at(RESOLVER, 0));
	STEP(cpu_call(&cpu, F), "push", "_start > main > plt ~ resolver > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > plt ~ resolver");
	cpu_take(&cpu, -2);
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(resolver_finds_its_caller)
{
	struct cpu cpu;

	/* f calls f by way of the table; then g makes a tail call of itself so. */
	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_call_at(&cpu, code_at(PLT, 0x40)), "push", "_start > main > f > plt");
	jump_to_resolver(&cpu, code_at(RESOLVER, 0));
	cpu_take(&cpu, -2);
	STEP(cpu_jump(&cpu, F), "-1 push popped", "_start > main > f > plt ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main > f");
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g");
	STEP(cpu_jump_at(&cpu, code_at(PLT, 0x40)), "push", "_start > main > f ~ g ~ plt");
	jump_to_resolver(&cpu, code_at(RESOLVER, 0));
	cpu_take(&cpu, -2);
	STEP(cpu_jump(&cpu, G), "-1 push popped", "_start > main > f ~ g ~ plt ~ g");
	STEP(cpu_return(&cpu), "-4 stay", "_start > main");
}

TEST(loader_without_symbols)
{
	struct cpu cpu;

	/* The loader runs first; only what it calls can be distinguished. */
	STEP(cpu_init(&cpu, code_at(LOADER, 16)), "start", "loader+16");
	STEP(cpu_call_at(&cpu, code_at(LOADER, 100)), "push", "loader+16 > loader+100");
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 300)), "stay", "loader+16 > loader+100");
	STEP(cpu_call_at(&cpu, code_at(LOADER, 200)), "push",
	     "loader+16 > loader+100 > loader+200");
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 100)), "stay",
	     "loader+16 > loader+100 > loader+200");
	STEP(cpu_return(&cpu), "-1 stay", "loader+16 > loader+100");
	STEP(cpu_return(&cpu), "-1 stay", "loader+16");
	STEP(cpu_jump(&cpu, START), "push", "loader+16 ~ _start");
	STEP(cpu_call(&cpu, MAIN), "push", "loader+16 ~ _start > main");
	/* And it is the resolver. */
	STEP(cpu_call_at(&cpu, code_at(PLT, 0x40)), "push", "loader+16 ~ _start > main > plt");
	STEP(jump_to_resolver(&cpu, code_at(LOADER, 400)), "push",
	     "loader+16 ~ _start > main > plt ~ loader+400");
	STEP(cpu_call_at(&cpu, code_at(LOADER, 500)), "push",
	     "loader+16 ~ _start > main > plt ~ loader+400 > loader+500");
	STEP(cpu_return(&cpu), "-1 stay", "loader+16 ~ _start > main > plt ~ loader+400");
	cpu_take(&cpu, -2);
	STEP(cpu_jump(&cpu, F), "-1 push popped", "loader+16 ~ _start > main > plt ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "loader+16 ~ _start > main");
	STEP(cpu_return(&cpu), "-1 stay", "loader+16 ~ _start");
}

/* --- start in mid-run ---------------------------------------------------------------------- */

TEST(underflow)
{
	struct cpu cpu;

	/* main > f > g were under way. */
	cpu_init(&cpu, code_at(MAIN, 0));
	cpu_push(&cpu, code_at(MAIN, 0x10));
	cpu_take(&cpu, 2);
	cpu_push(&cpu, code_at(F, 0x10));
	cpu.pc = code_at(G, 0x10);
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_begin(&cpu), "start", "g");
	STEP(cpu_call(&cpu, H), "push", "g > h");
	STEP(cpu_return(&cpu), "-1 stay", "g");
	STEP(cpu_return(&cpu), "underflow", "f");
	cpu_push(&cpu, code_at(H, 0)); /* to jump with */
	STEP(cpu_return(&cpu), "push", "f ~ h");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "-1 stay", "f");
	STEP(cpu_call(&cpu, G), "push", "f > g");
	STEP(cpu_return(&cpu), "-1 stay", "f");
	cpu_take(&cpu, -2);
	STEP(cpu_return(&cpu), "underflow", "main");
	STEP(cpu_call(&cpu, F), "push", "main > f");
	STEP(cpu_return(&cpu), "-1 stay", "main");
}

TEST(underflow_from_a_recursion)
{
	struct cpu cpu;

	cpu_init(&cpu, code_at(F, 0x10));
	cpu_push(&cpu, code_at(F, 0x20));
	cpu_push(&cpu, code_at(F, 0x20));
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_begin(&cpu), "start", "f");
	STEP(cpu_return(&cpu), "underflow", "f");
	STEP(cpu_return(&cpu), "underflow", "f");
}

TEST(underflow_past_calls)
{
	struct cpu_place place;
	struct cpu cpu;

	/* main > f; then f tail-calls g, and g returns. */
	cpu_init(&cpu, code_at(F, 0x10));
	cpu_push(&cpu, code_at(MAIN, 0x10));
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_begin(&cpu), "start", "f");
	STEP(cpu_jump(&cpu, G), "push", "f ~ g");
	STEP(cpu_return(&cpu), "-1 underflow", "main");
	/* f calls longjmp, which goes to main. */
	place = cpu_here(&cpu);
	cpu_push(&cpu, place.pc);
	cpu.pc = code_at(F, 0x10);
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_begin(&cpu), "start", "f");
	STEP(cpu_call(&cpu, LONGJMP), "push", "f > longjmp");
	STEP(cpu_go_to(&cpu, place), "-1 underflow", "main");
}

TEST(stack_grows_past_the_start)
{
	struct cpu cpu;

	/* It began with variables on the stack, and later has fewer of them: no underflow. */
	cpu_init(&cpu, code_at(F, 0x10));
	cpu_take(&cpu, -4);
	STEP(cpu_call(&cpu, G), "push", "f > g");
	STEP(cpu_return(&cpu), "-1 stay", "f");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "stay", "f");
}

/* --- depth ------------------------------------------------------------------------------- */

/* What was watched is known again by the stack alone, and each return takes its frame. */
TEST(seeded_frames)
{
	struct callstack_frame known[CPU_ROOM];
	struct cpu cpu;
	size_t depth;

	cpu_init_in_main(&cpu);
	cpu_take(&cpu, 3);
	cpu_call(&cpu, F);
	cpu_call(&cpu, F);
	cpu_jump(&cpu, H);
	cpu_call(&cpu, G);
	memcpy(known, cpu.frames, sizeof(known));
	depth = callstack_depth(&cpu.stack);
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	for (size_t i = 0; i < depth; i++) {
		const struct callstack_frame *frame = &known[i];
		const struct arrival seed = {
			.kind = frame->kind == FRAME_JUMP ? ARRIVAL_JUMP : ARRIVAL_CALL,
			.sp = i == 0 ? frame->first_sp : frame->sp,
			.return_address = i == 0 ? 0 : frame->return_address,
			.function = frame->function,
			.body = frame->body,
			.object = frame->object,
			.plt = frame->plt,
			.pop_on_jump = frame->pop_on_jump,
		};

		CHECK_EQ_U64(callstack_seed(&cpu.stack, &seed), i == 0 ? STEP_START : STEP_PUSH);
		CHECK(memcmp(&known[i], &cpu.frames[i], offsetof(struct callstack_frame, plt)) ==
		      0);
	}
	CHECK_EQ_U64(callstack_depth(&cpu.stack), depth);
	STEP(cpu_jump_at(&cpu, code_at(G, 4)), "stay", "_start > main > f > f ~ h > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f > f ~ h");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	cpu_take(&cpu, -3);
	STEP(cpu_return(&cpu), "-1 stay", "_start");
}

/* The bottom of a handler's stack above the one that it interrupted. */
TEST(seeded_handler)
{
	const struct arrival handler = { .sp = CPU_STACK + 0x800, .function = HANDLER };
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	callstack_signal(&cpu.stack, cpu.sp);
	CHECK_EQ_U64(callstack_seed(&cpu.stack, &handler), STEP_START);
	CHECK_EQ_U64(cpu.stack.n_above, 1);
	CHECK_EQ_U64(callstack_signal_return(&cpu.stack), 1);
	CHECK_EQ_U64(cpu.stack.n_above, 0);
}

TEST(a_million_frames)
{
	enum { DEPTH = 1000001 };
	struct callstack_frame first, *frames = NULL;
	struct callstack stack;
	const uint64_t sp = UINT64_C(1) << 40;

	callstack_init(&stack, &first, sizeof(first), 1);
	for (uint32_t i = 1; i <= DEPTH; i++) {
		struct arrival arrival = {
			.kind = i == 1 ? ARRIVAL_JUMP : ARRIVAL_CALL,
			.sp = sp - 16 * (uint64_t)i,
			.return_address = i,
			.function = 1 + i % 3,
			.body = 1 + i % 3,
			.entry = true,
		};
		struct step step;

		if (stack.top == stack.last) {
			size_t room = 2 * callstack_depth(&stack);
			struct callstack_frame *larger = realloc(frames, room * sizeof(*frames));

			if (!CHECK(larger))
				break;
			if (!frames)
				larger[0] = first;
			frames = larger;
			callstack_moved(&stack, frames, room);
		}
		step = callstack_arrive(&stack, &arrival);
		if (!CHECK(step.n_pops == 0))
			break;
	}
	CHECK_EQ_U64(callstack_depth(&stack), DEPTH);
	/* Half of them return, then one longjmp. */
	while (callstack_depth(&stack) > DEPTH / 2) {
		const struct arrival arrival = {
			.kind = ARRIVAL_RETURN,
			.sp = sp - 16 * (uint64_t)(callstack_depth(&stack) - 1),
			.function = stack.frames[callstack_depth(&stack) - 2].function,
			.body = stack.frames[callstack_depth(&stack) - 2].body,
		};
		struct step step = callstack_arrive(&stack, &arrival);

		if (!CHECK(step.n_pops == 1 && step.kind == STEP_STAY))
			break;
	}
	{
		const struct arrival arrival = { .sp = UINT64_C(1) << 40,
						 .function = 2,
						 .body = 2 };
		size_t depth = callstack_depth(&stack);
		struct step step = callstack_arrive(&stack, &arrival);

		CHECK_EQ_U64(step.n_pops, depth - 1);
		CHECK_EQ_U64(step.kind, STEP_STAY);
		CHECK_EQ_U64(callstack_depth(&stack), 1);
	}
	free(frames);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(calls_and_returns),
		CHECK_TEST(calls_remember_where_they_return_to),
		CHECK_TEST(return_leaves_several_frames),
		CHECK_TEST(return_takes_arguments_along),
		CHECK_TEST(recursion),
		CHECK_TEST(call_of_the_next_instruction_is_none),
		CHECK_TEST(call_finds_frames_left_by_the_stack_pointer),
		CHECK_TEST(return_as_a_jump),
		CHECK_TEST(return_with_unchanged_stack_pointer),
		CHECK_TEST(retpoline),
		CHECK_TEST(loop_at_the_first_instruction),
		CHECK_TEST(jump_to_the_start_with_a_word_pushed_is_a_call),
		CHECK_TEST(tail_calls),
		CHECK_TEST(mutual_tail_calls),
		CHECK_TEST(tail_call_of_a_bottom),
		CHECK_TEST(jump_back_is_a_return),
		CHECK_TEST(cold_part_is_the_same_function),
		CHECK_TEST(pop_on_jump),
		CHECK_TEST(linkage_table_to_a_function),
		CHECK_TEST(stubs_are_called_again_by_tail_calls_of_tail_calls),
		CHECK_TEST(resolver_is_taken_away),
		CHECK_TEST(resolver_in_two_tables),
		CHECK_TEST(resolver_that_returns_to_the_function),
		CHECK_TEST(resolver_that_calls_the_function),
		CHECK_TEST(resolver_finds_its_caller),
		CHECK_TEST(loader_without_symbols),
		CHECK_TEST(underflow),
		CHECK_TEST(underflow_from_a_recursion),
		CHECK_TEST(underflow_past_calls),
		CHECK_TEST(stack_grows_past_the_start),
		CHECK_TEST(seeded_frames),
		CHECK_TEST(seeded_handler),
		CHECK_TEST(a_million_frames),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
