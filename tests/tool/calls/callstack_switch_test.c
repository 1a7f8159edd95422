/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/calls/callstack: what leaves frames without returning from them, that is
 * longjmp, exceptions, stack switches and signals, as programs, with the call
 * stack drawn beside each step (how: see cpu.h).
 */
#include "tool/calls/callstack.h"

#include "tests/common/check.h"
#include "tests/tool/calls/cpu.h"

enum {
	LOW_STACK = 0x12000,
	LOWER_STACK = 0x11000,
	HIGH_STACK = 0x17000,
};

/* --- longjmp and exceptions ------------------------------------------------------------ */

TEST(longjmp_over_frames)
{
	struct cpu_place place;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_take(&cpu, 2);
	place = cpu_here(&cpu);
	cpu_call(&cpu, F);
	cpu_call(&cpu, G);
	cpu_jump(&cpu, H);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f > g ~ h > longjmp");
	STEP(cpu_go_to(&cpu, place), "-4 stay", "_start > main");
}

TEST(longjmp_to_the_function_that_runs)
{
	struct cpu_place place, inner;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	place = cpu_here(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f > longjmp");
	STEP(cpu_go_to(&cpu, place), "-1 stay", "_start > main > f");
	/* Without a function for it. */
	cpu_take(&cpu, 5);
	STEP(cpu_go_to(&cpu, place), "stay", "_start > main > f");
	/* Which one of a recursion, the stack pointer tells. */
	cpu_call(&cpu, F);
	inner = cpu_here(&cpu);
	STEP(cpu_call(&cpu, F), "push", "_start > main > f > f > f");
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f > f > f > longjmp");
	STEP(cpu_go_to(&cpu, inner), "-2 stay", "_start > main > f > f");
	STEP(cpu_go_to(&cpu, place), "-1 stay", "_start > main > f");
}

TEST(longjmp_to_a_tail_called_function)
{
	struct cpu_place place;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_jump(&cpu, G);
	place = cpu_here(&cpu);
	cpu_call(&cpu, H);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f ~ g > h > longjmp");
	STEP(cpu_go_to(&cpu, place), "-2 stay", "_start > main > f ~ g");
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
}

TEST(exception)
{
	struct cpu_place landing_pad;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_take(&cpu, 4);
	landing_pad = cpu_here(&cpu);
	landing_pad.pc = code_at(MAIN_COLD, 0x10);
	cpu_call(&cpu, F);
	cpu_call(&cpu, G);
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > g > h"); /* throws */
	STEP(cpu_go_to(&cpu, landing_pad), "-3 stay", "_start > main");
	/* The unwinder may also write the landing pad over a return address. */
	cpu_call(&cpu, F);
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > h");
	cpu_pop(&cpu);
	*cpu_word(&cpu, cpu.sp) = landing_pad.pc;
	STEP(cpu_return(&cpu), "-2 stay", "_start > main");
	/* A clean-up on the way, which goes on to unwind. */
	cpu_call(&cpu, F);
	landing_pad = cpu_here(&cpu);
	landing_pad.pc = code_at(F_COLD, 0x10);
	cpu_call(&cpu, G);
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > g > h");
	STEP(cpu_go_to(&cpu, landing_pad), "-2 stay", "_start > main > f");
	STEP(cpu_call(&cpu, H), "push", "_start > main > f > h");
}

/* --- stack switches -------------------------------------------------------------------- */

/* A coroutine that has not begun. */
static struct cpu_place coroutine(enum code code, uint64_t stack)
{
	return (struct cpu_place){ stack, code_at(code, 0) };
}

TEST(coroutine_below)
{
	struct cpu_place co = coroutine(CO1, LOW_STACK), back;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, SWAP), "push", "_start > main > swap");
	STEP(cpu_swap(&cpu, &back, co), "push", "_start > main > swap ~ co1");
	STEP(cpu_call(&cpu, F), "push", "_start > main > swap ~ co1 > f");
	STEP(cpu_call(&cpu, SWAP), "push", "_start > main > swap ~ co1 > f > swap");
	STEP(cpu_swap(&cpu, &co, back), "-4 stay", "_start > main");
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &back, co), "push", "_start > main > swap ~ f");
	/* co1 was there before, but is not any more. */
	STEP(cpu_return(&cpu), "push", "_start > main > swap ~ f ~ co1");
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &co, back), "-4 stay", "_start > main");
	STEP(cpu_return(&cpu), "-1 stay", "_start");
}

TEST(coroutine_above)
{
	struct cpu_place co = coroutine(CO1, HIGH_STACK), back;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, SWAP), "push", "_start > main > swap");
	/* The stack pointer has left all; only a bottom cannot go. */
	STEP(cpu_swap(&cpu, &back, co), "-2 underflow", "co1");
	STEP(cpu_call(&cpu, F), "push", "co1 > f");
	STEP(cpu_return(&cpu), "-1 stay", "co1");
	STEP(cpu_call(&cpu, SWAP), "push", "co1 > swap");
	STEP(cpu_swap(&cpu, &co, back), "push", "co1 > swap ~ main");
	STEP(cpu_call(&cpu, SWAP), "push", "co1 > swap ~ main > swap");
	STEP(cpu_swap(&cpu, &back, co), "-3 stay", "co1");
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &co, back), "push", "co1 > swap ~ main");
	STEP(cpu_return(&cpu), "push", "co1 > swap ~ main ~ _start");
}

/* Two coroutines and main take turns; returns the greatest depth. */
static size_t take_turns(struct cpu_place co1, struct cpu_place co2)
{
	struct cpu_place places[] = { { 0, 0 }, co1, co2 };
	/* Round and round, to and fro, and two of them alone for a while. */
	static const unsigned char turns[] = { 1, 2, 0, 2, 1, 0, 1, 0, 2, 1, 2, 1, 2, 0 };
	unsigned now = 0;
	size_t depth = 0;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	for (int i = 0; i < 10000; i++) {
		unsigned next = turns[i % sizeof(turns)];

		if (next == now)
			continue;
		cpu_call(&cpu, SWAP);
		if (callstack_depth(&cpu.stack) > depth)
			depth = callstack_depth(&cpu.stack);
		cpu_swap(&cpu, &places[now], places[next]);
		now = next;
		if (callstack_depth(&cpu.stack) >= CPU_ROOM - 2)
			return CPU_ROOM;
	}
	return depth;
}

TEST(coroutines_do_not_pile_up)
{
	/* _start main swap co1 swap co2 swap, and one more where one came too late. */
	CHECK(take_turns(coroutine(CO1, LOW_STACK), coroutine(CO2, LOWER_STACK)) <= 8);
	CHECK(take_turns(coroutine(CO1, LOWER_STACK), coroutine(CO2, LOW_STACK)) <= 8);
	CHECK(take_turns(coroutine(CO1, HIGH_STACK), coroutine(CO2, LOW_STACK)) <= 8);
	CHECK(take_turns(coroutine(CO1, LOW_STACK), coroutine(CO2, HIGH_STACK)) <= 8);
	CHECK(take_turns(coroutine(CO1, HIGH_STACK), coroutine(CO2, HIGH_STACK - 0x1000)) <= 8);
	CHECK(take_turns(coroutine(CO1, HIGH_STACK - 0x1000), coroutine(CO2, HIGH_STACK)) <= 8);
}

TEST(switch_without_a_function_for_it)
{
	struct cpu_place co = coroutine(CO1, LOW_STACK);
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	for (int i = 0; i < 100; i++) {
		struct cpu_place back = cpu_here(&cpu);

		back.pc = code_at(F, 0x20);
		STEP(cpu_go_to(&cpu, co), "push", "_start > main > f ~ co1");
		co.pc = code_at(CO1, 0x20);
		STEP(cpu_go_to(&cpu, back), "-1 stay", "_start > main > f");
	}
}

/* --- signals ------------------------------------------------------------------------------ */

TEST(signal_handler)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_take(&cpu, 2);
	STEP(cpu_signal(&cpu, HANDLER), "signal", "_start > main > f | ?");
	STEP(cpu_begin(&cpu), "start", "_start > main > f | handler");
	STEP(cpu_call(&cpu, G), "push", "_start > main > f | handler > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f | handler");
	/* What a handler returns to did not call it, but says so, as any code from before. */
	STEP(cpu_return(&cpu), "underflow", "_start > main > f | restorer");
	STEP(cpu_signal_return(&cpu), "-1", "_start > main > f");
	CHECK(code_of(cpu.pc) == F);
	cpu_take(&cpu, -2);
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	CHECK_EQ_U64(callstack_signal_return(&cpu.stack), 0);
	CHECK_EQ_U64(callstack_depth(&cpu.stack), 2);
}

TEST(signal_return_out_of_calls)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_signal(&cpu, HANDLER);
	cpu_begin(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_jump(&cpu, G), "push", "_start > main | handler > f ~ g");
	cpu_take(&cpu, -2); /* g makes the system call itself */
	STEP(cpu_signal_return(&cpu), "-3", "_start > main");
}

TEST(handlers_nest)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_signal(&cpu, HANDLER);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, F), "push", "_start > main | handler > f");
	STEP(cpu_signal(&cpu, HANDLER2), "signal", "_start > main | handler > f | ?");
	STEP(cpu_begin(&cpu), "start", "_start > main | handler > f | handler2");
	STEP(cpu_call(&cpu, G), "push", "_start > main | handler > f | handler2 > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main | handler > f | handler2");
	cpu_return(&cpu);
	STEP(cpu_signal_return(&cpu), "-1", "_start > main | handler > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main | handler");
	cpu_return(&cpu);
	STEP(cpu_signal_return(&cpu), "-1", "_start > main");
}

TEST(two_signals_at_once)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_signal(&cpu, HANDLER), "signal", "_start > main | ?");
	STEP(cpu_signal(&cpu, HANDLER2), "signal", "_start > main | ? | ?");
	STEP(cpu_begin(&cpu), "start", "_start > main | ? | handler2");
	STEP(cpu_return(&cpu), "underflow", "_start > main | ? | restorer");
	STEP(cpu_signal_return(&cpu), "-1", "_start > main | ?");
	STEP(cpu_begin(&cpu), "start", "_start > main | handler");
	cpu_return(&cpu);
	STEP(cpu_signal_return(&cpu), "-1", "_start > main");
}

TEST(handler_leaves_before_anything_else_ran)
{
	struct cpu_place place;
	struct cpu cpu;

	/* A signal waited for the thread: what its handler jumps to is where the thread starts. */
	cpu_init(&cpu, code_at(START, 0));
	place = cpu_here(&cpu);
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	STEP(cpu_signal(&cpu, HANDLER), "signal", "? | ?");
	STEP(cpu_begin(&cpu), "start", "? | handler");
	STEP(cpu_call(&cpu, LONGJMP), "push", "? | handler > longjmp");
	STEP(cpu_go_to(&cpu, place), "-2 start", "_start");
	/* The same by a call. */
	callstack_init(&cpu.stack, cpu.frames, sizeof(cpu.frames[0]), CPU_ROOM);
	cpu_signal(&cpu, HANDLER);
	STEP(cpu_begin(&cpu), "start", "? | handler");
	cpu.sp = place.sp + 8;
	STEP(cpu_call(&cpu, START), "-1 start", "_start");
}

TEST(handler_on_a_stack_below)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_signal_on(&cpu, HANDLER, LOW_STACK);
	STEP(cpu_begin(&cpu), "start", "_start > main > f | handler");
	STEP(cpu_call(&cpu, G), "push", "_start > main > f | handler > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f | handler");
	cpu_return(&cpu);
	STEP(cpu_signal_return(&cpu), "-1", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(handler_on_a_stack_above)
{
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	STEP(cpu_signal_on(&cpu, HANDLER, HIGH_STACK), "signal", "_start > main > f | ?");
	STEP(cpu_begin(&cpu), "start", "_start > main > f | handler");
	STEP(cpu_call(&cpu, G), "push", "_start > main > f | handler > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main > f | handler");
	STEP(cpu_return(&cpu), "underflow", "_start > main > f | restorer");
	STEP(cpu_signal_return(&cpu), "-1", "_start > main > f");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

TEST(siglongjmp_out_of_handlers)
{
	struct cpu_place place, inner;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	place = cpu_here(&cpu);
	cpu_call(&cpu, F);
	cpu_signal(&cpu, HANDLER);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f | handler > longjmp");
	STEP(cpu_go_to(&cpu, place), "-3 stay", "_start > main");
	/* To the function interrupted, whose stack pointer is where it was. */
	cpu_call(&cpu, F);
	inner = cpu_here(&cpu);
	cpu_signal_on(&cpu, HANDLER, LOW_STACK);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f | handler > longjmp");
	STEP(cpu_go_to(&cpu, inner), "-2 stay", "_start > main > f");
	/* Out of two; and out of the second of two. */
	cpu_signal(&cpu, HANDLER);
	cpu_begin(&cpu);
	inner = cpu_here(&cpu);
	cpu_call(&cpu, G);
	cpu_signal(&cpu, HANDLER2);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push",
	     "_start > main > f | handler > g | handler2 > longjmp");
	STEP(cpu_go_to(&cpu, inner), "-3 stay", "_start > main > f | handler");
	cpu_signal(&cpu, HANDLER2);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f | handler | handler2 > longjmp");
	STEP(cpu_go_to(&cpu, place), "-4 stay", "_start > main");
	CHECK_EQ_U64(callstack_signal_return(&cpu.stack), 0);
}

TEST(siglongjmp_from_a_stack_above)
{
	struct cpu_place place;
	struct cpu cpu;

	/* The stack pointer goes down, as if the handler called: main is known by its code. */
	cpu_init_in_main(&cpu);
	/* setjmp(): main is not at its first instruction any more. */
	cpu_call(&cpu, G);
	cpu_return(&cpu);
	place = cpu_here(&cpu);
	cpu_call(&cpu, F);
	cpu_signal_on(&cpu, HANDLER, HIGH_STACK);
	cpu_begin(&cpu);
	STEP(cpu_call(&cpu, LONGJMP), "push", "_start > main > f | handler > longjmp");
	STEP(cpu_go_to(&cpu, place), "-3 stay", "_start > main");
	STEP(cpu_call(&cpu, G), "push", "_start > main > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(longjmp_over_frames),
		CHECK_TEST(longjmp_to_the_function_that_runs),
		CHECK_TEST(longjmp_to_a_tail_called_function),
		CHECK_TEST(exception),
		CHECK_TEST(coroutine_below),
		CHECK_TEST(coroutine_above),
		CHECK_TEST(coroutines_do_not_pile_up),
		CHECK_TEST(switch_without_a_function_for_it),
		CHECK_TEST(signal_handler),
		CHECK_TEST(signal_return_out_of_calls),
		CHECK_TEST(handlers_nest),
		CHECK_TEST(two_signals_at_once),
		CHECK_TEST(handler_leaves_before_anything_else_ran),
		CHECK_TEST(handler_on_a_stack_below),
		CHECK_TEST(handler_on_a_stack_above),
		CHECK_TEST(siglongjmp_out_of_handlers),
		CHECK_TEST(siglongjmp_from_a_stack_above),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
