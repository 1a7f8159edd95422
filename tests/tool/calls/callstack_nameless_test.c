/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/calls/callstack: code without symbols, which is of the function that comes
 * there if both are in one object, as programs, with the call stack drawn
 * next to each step (how: see cpu.h).  "stray" is such code in the object of
 * main and f, "loader" in another one; "stub" is a linkage table of theirs.
 */
#include "tool/calls/callstack.h"

#include "tests/common/check.h"
#include "tests/tool/calls/cpu.h"

/* --- the same object ------------------------------------------------------------------ */

TEST(is_a_part_of_what_jumps_there)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main > f");
	CHECK(cpu.plain.stays);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 48)), "stay", "_start > main > f");
	CHECK(cpu.plain.stays);
	STEP(cpu_jump_at(&cpu, code_at(F, 0x30)), "stay", "_start > main > f");
	CHECK(cpu.plain.stays);
	/* With variables on the stack; and back to the first instruction: a loop. */
	cpu_take(&cpu, 3);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 0)), "stay", "_start > main > f");
	cpu_take(&cpu, -3);
	STEP(cpu_jump(&cpu, F), "stay", "_start > main > f");
	/* It returns for the function. */
	cpu_jump_at(&cpu, code_at(STRAY, 16));
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	CHECK_EQ_U64(cpu.plain.n_pops, 1);
	CHECK_EQ_U64(cpu.plain.n_exact_pops, 1);
	/* Of each that jumps there. */
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main");
	cpu_call(&cpu, G);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	CHECK(code_of(cpu.pc) == STRAY);
}

TEST(is_a_part_of_a_bottom)
{
	struct cpu cpu;

	cpu_init(&cpu, code_at(START, 0));
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start");
	CHECK(cpu.plain.stays);
	STEP(cpu_call(&cpu, MAIN), "push", "_start > main");
	STEP(cpu_return(&cpu), "-1 stay", "_start");
	/* A bottom in which nothing ran is of what begins there. */
	STEP(cpu_init(&cpu, code_at(STRAY, 16)), "start", "stray+16");
	CHECK(!cpu.plain.stays);
	STEP(cpu_jump(&cpu, START), "push", "stray+16 ~ _start");
}

TEST(is_a_part_of_a_handler)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_signal(&cpu, HANDLER);
	cpu_begin(&cpu);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main | handler");
	STEP(cpu_call(&cpu, G), "push", "_start > main | handler > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main | handler");
	STEP(cpu_return(&cpu), "underflow", "_start > main | restorer");
	STEP(cpu_signal_return(&cpu), "-1", "_start > main");
}

TEST(calls_from_there_are_by_the_function)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_jump_at(&cpu, code_at(STRAY, 16));
	STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	CHECK(code_of(cpu.pc) == STRAY);
	CHECK_EQ_U64(cpu.plain.n_pops, 1);
	CHECK_EQ_U64(cpu.plain.n_exact_pops, 1);
	/* A recursion. */
	STEP(cpu_call(&cpu, F), "push", "_start > main > f > f");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 32)), "stay", "_start > main > f > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	/* Of code without symbols itself: where it is called, there is a function. */
	STEP(cpu_call_at(&cpu, code_at(STRAY, 64)), "push", "_start > main > f > stray+64");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main > f > stray+64");
	STEP(cpu_call_at(&cpu, code_at(STRAY, 16)), "push",
	     "_start > main > f > stray+64 > stray+16");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f > stray+64");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(jump_to_a_function_is_a_tail_call)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_jump_at(&cpu, code_at(STRAY, 16));
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ g");
	CHECK(!cpu.plain.stays);
	/* g's now: which of them it was a part of before, nobody remembers. */
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main > f ~ g");
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "-1 stay", "_start > main > f");
	cpu_jump(&cpu, G);
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	CHECK_EQ_U64(cpu.plain.n_pops, 2);
	CHECK_EQ_U64(cpu.plain.n_exact_pops, 2);
	/* Called code without symbols jumps to a function. */
	STEP(cpu_call_at(&cpu, code_at(STRAY, 16)), "push", "_start > main > stray+16");
	STEP(cpu_jump(&cpu, F), "push", "_start > main > stray+16 ~ f");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 32)), "stay", "_start > main > stray+16 ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(pop_on_jump)
{
	struct cpu cpu;

	/* A jump there leaves nothing, one on to a function does. */
	cpu_init_in_main(&cpu);
	cpu_call(&cpu, POPPED);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "stay", "_start > main > popped");
	STEP(cpu_jump(&cpu, G), "-1 push popped", "_start > main ~ g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(return_goes_there)
{
	struct cpu cpu;

	/* As to any other part: push, ret. */
	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_push(&cpu, code_at(STRAY, 16));
	STEP(cpu_return(&cpu), "stay", "_start > main > f");
	CHECK_EQ_U64(cpu.plain.n_pops, 0);
	/* An exception's landing pad, over two frames. */
	cpu_call(&cpu, G);
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > g > h");
	cpu_pop(&cpu);
	*cpu_word(&cpu, cpu.sp) = code_at(STRAY, 32);
	STEP(cpu_return(&cpu), "-2 stay", "_start > main > f");
	CHECK_EQ_U64(cpu.plain.n_pops, 2);
	CHECK_EQ_U64(cpu.plain.n_exact_pops, 0);
	/* In place of the own return address: it is the caller's. */
	cpu_call(&cpu, G);
	*cpu_word(&cpu, cpu.sp) = code_at(STRAY, 32);
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
	CHECK_EQ_U64(cpu.plain.n_pops, 1);
	CHECK_EQ_U64(cpu.plain.n_exact_pops, 0);
}

TEST(longjmp_goes_there)
{
	struct cpu_place place;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_jump_at(&cpu, code_at(STRAY, 16));
	place = cpu_here(&cpu);
	cpu_call(&cpu, G);
	cpu_jump(&cpu, H);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f > g ~ h > longjmp");
	STEP(cpu_go_to(&cpu, place), "-3 stay", "_start > main > f");
	CHECK(!cpu.plain.stays);
	/* Called from the function's own code, too; and out of a handler. */
	STEP(cpu_jump_at(&cpu, code_at(F, 0x30)), "stay", "_start > main > f");
	cpu_signal(&cpu, HANDLER);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f | handler > longjmp");
	STEP(cpu_go_to(&cpu, place), "-2 stay", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(underflow)
{
	struct cpu cpu;

	/* f was called by code without symbols, before it was watched. */
	cpu_init(&cpu, code_at(F, 0x10));
	cpu_push(&cpu, code_at(STRAY, 16));
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_begin(&cpu), "start", "f");
	STEP(cpu_return(&cpu), "underflow", "stray+16");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 32)), "stay", "stray+16");
	/* With a tail call in between: it looks like a part of f, as f's own code. */
	cpu_push(&cpu, code_at(STRAY, 16));
	cpu.pc = code_at(F, 0x10);
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_begin(&cpu), "start", "f");
	STEP(cpu_jump(&cpu, G), "push", "f ~ g");
	STEP(cpu_return(&cpu), "-1 stay", "f");
}

/* --- other objects -------------------------------------------------------------------- */

TEST(other_object_is_a_tail_call)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 16)), "push", "_start > main > f ~ loader+16");
	CHECK(!cpu.plain.stays);
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 32)), "stay", "_start > main > f ~ loader+16");
	CHECK(cpu.plain.stays);
	/* That is in f's object, but not of f: it comes from elsewhere. */
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "push",
	     "_start > main > f ~ loader+16 ~ stray+16");
	CHECK(!cpu.plain.stays);
	/* f's own code is f's. */
	STEP(cpu_jump_at(&cpu, code_at(F, 0x20)), "-2 stay", "_start > main > f");
	cpu_jump_at(&cpu, code_at(LOADER, 48));
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	/* Code in the loader's object is of fixup, which is there, too. */
	STEP(cpu_call(&cpu, FIXUP), "push", "_start > main > fixup");
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 16)), "stay", "_start > main > fixup");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "push", "_start > main > fixup ~ stray+16");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(return_into_another_object)
{
	struct cpu cpu;

	/* The stack pointer has left g, but what comes is not f's. */
	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_call(&cpu, G);
	*cpu_word(&cpu, cpu.sp) = code_at(LOADER, 16);
	STEP(cpu_return(&cpu), "-1 push popped", "_start > main > f ~ loader+16");
	CHECK_EQ_U64(cpu.plain.n_pops, 0);
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(no_way_back_to_code_without_symbols)
{
	struct cpu cpu;

	/* Called, it makes a tail call; what that jumps to may be any function of the loader. */
	cpu_init_in_main(&cpu);
	cpu_call_at(&cpu, code_at(LOADER, 16));
	STEP(cpu_jump(&cpu, G), "push", "_start > main > loader+16 ~ g");
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 32)), "push",
	     "_start > main > loader+16 ~ g ~ loader+32");
	STEP(cpu_return(&cpu), "-3 stay", "_start > main");
	/* So, too, where the tail call is of its own object: there, it stays. */
	cpu_call_at(&cpu, code_at(LOADER, 16));
	STEP(cpu_jump(&cpu, FIXUP), "push", "_start > main > loader+16 ~ fixup");
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 32)), "stay", "_start > main > loader+16 ~ fixup");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

/* --- linkage tables and the resolver -------------------------------------------------- */

TEST(stubs_are_no_part_of_anything)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump_at(&cpu, code_at(STUB, 16)), "push", "_start > main > f ~ stub+16");
	CHECK(!cpu.plain.stays);
	/* But they are all one. */
	STEP(cpu_jump_at(&cpu, code_at(STUB, 0)), "stay", "_start > main > f ~ stub+16");
	CHECK(cpu.plain.stays);
	STEP(cpu_jump(&cpu, G), "push", "_start > main > f ~ stub+16 ~ g");
	/* And nothing comes back to one: this is another call. */
	STEP(cpu_jump_at(&cpu, code_at(STUB, 32)), "push",
	     "_start > main > f ~ stub+16 ~ g ~ stub+32");
	STEP(cpu_return(&cpu), "-4 stay", "_start > main");
	/* Code without symbols that a stub finds is a function, though its object is the stub's. */
	STEP(cpu_call_at(&cpu, code_at(STUB, 16)), "push", "_start > main > stub+16");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "push", "_start > main > stub+16 ~ stray+16");
	CHECK(!cpu.plain.stays);
	STEP(cpu_jump_at(&cpu, code_at(STUB, 32)), "push",
	     "_start > main > stub+16 ~ stray+16 ~ stub+32");
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 32)), "push",
	     "_start > main > stub+16 ~ stray+16 ~ stub+32 ~ stray+32");
	STEP(cpu_return(&cpu), "-4 stay", "_start > main");
}

TEST(what_a_resolver_finds_is_called)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call_at(&cpu, code_at(STUB, 16)), "push", "_start > main > stub+16");
	cpu_take(&cpu, 2);
	STEP(cpu_jump(&cpu, RESOLVER), "push", "_start > main > stub+16 ~ resolver");
	/* It is in the object of the resolver. */
	cpu_take(&cpu, -2);
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 16)), "-1 push popped",
	     "_start > main > stub+16 ~ loader+16");
	CHECK(!cpu.plain.stays);
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	/* It is in the object of the stub. */
	cpu_call_at(&cpu, code_at(STUB, 16));
	cpu_take(&cpu, 2);
	cpu_jump(&cpu, RESOLVER);
	cpu_take(&cpu, -2);
	STEP(cpu_jump_at(&cpu, code_at(STRAY, 16)), "-1 push popped",
	     "_start > main > stub+16 ~ stray+16");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(resolver_goes_on_elsewhere)
{
	struct cpu cpu;

	/* With the words still pushed: not a part of it either, but it can come back. */
	cpu_init_in_main(&cpu);
	cpu_call_at(&cpu, code_at(STUB, 16));
	cpu_take(&cpu, 2);
	cpu_jump(&cpu, RESOLVER);
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 16)), "push",
	     "_start > main > stub+16 ~ resolver ~ loader+16");
	CHECK(!cpu.plain.stays);
	STEP(cpu_jump_at(&cpu, code_at(RESOLVER, 0x20)), "-1 stay",
	     "_start > main > stub+16 ~ resolver");
	/* A call of it, which goes on there, is. */
	STEP(cpu_call(&cpu, FIXUP), "push", "_start > main > stub+16 ~ resolver > fixup");
	STEP(cpu_jump_at(&cpu, code_at(LOADER, 16)), "stay",
	     "_start > main > stub+16 ~ resolver > fixup");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > stub+16 ~ resolver");
	cpu_take(&cpu, -2);
	STEP(cpu_jump(&cpu, F), "-1 push popped", "_start > main > stub+16 ~ f");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

/* --- whose code it is ----------------------------------------------------------------- */

TEST(is_of)
{
	struct callstack_frame frame = { .body = 3, .object = 1 };

	CHECK_EQ_U64(callstack_stray(1, true, false), 1);
	CHECK_EQ_U64(callstack_stray(1, false, false), 0);
	CHECK_EQ_U64(callstack_stray(1, true, true), 0);
	CHECK(callstack_is_of(&frame, 3, 0));
	CHECK(!callstack_is_of(&frame, 4, 0));
	CHECK(callstack_is_of(&frame, 4, 1));
	CHECK(!callstack_is_of(&frame, 4, 2));
	frame.resolver = true;
	CHECK(callstack_is_of(&frame, 3, 0));
	CHECK(!callstack_is_of(&frame, 4, 1));
	frame = (struct callstack_frame){ .body = 3, .object = 1, .plt = true };
	CHECK(callstack_is_of(&frame, 3, 0));
	CHECK(!callstack_is_of(&frame, 4, 1));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(is_a_part_of_what_jumps_there),
		CHECK_TEST(is_a_part_of_a_bottom),
		CHECK_TEST(is_a_part_of_a_handler),
		CHECK_TEST(calls_from_there_are_by_the_function),
		CHECK_TEST(jump_to_a_function_is_a_tail_call),
		CHECK_TEST(pop_on_jump),
		CHECK_TEST(return_goes_there),
		CHECK_TEST(longjmp_goes_there),
		CHECK_TEST(underflow),
		CHECK_TEST(other_object_is_a_tail_call),
		CHECK_TEST(return_into_another_object),
		CHECK_TEST(no_way_back_to_code_without_symbols),
		CHECK_TEST(stubs_are_no_part_of_anything),
		CHECK_TEST(what_a_resolver_finds_is_called),
		CHECK_TEST(resolver_goes_on_elsewhere),
		CHECK_TEST(is_of),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
