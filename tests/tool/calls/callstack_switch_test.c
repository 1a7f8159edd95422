/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/calls/callstack: what leaves frames without returning from them, that is
 * longjmp, exceptions, stack switches and signals, as programs, with the call
 * stack drawn next to each step (how: see cpu.h).
 */
#include "tool/calls/callstack.h"

#include <sys/mman.h>

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

/* main and a coroutine, wherever its stack is. */
static void take_turns_with(uint64_t stack)
{
	struct cpu_place co = coroutine(CO1, stack), back;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	STEP(cpu_call(&cpu, SWAP), "push", "_start > main > swap");
	STEP(cpu_swap(&cpu, &back, co), "new start", "co1");
	STEP(cpu_call(&cpu, F), "push", "co1 > f");
	STEP(cpu_call(&cpu, SWAP), "push", "co1 > f > swap");
	STEP(cpu_swap(&cpu, &co, back), "back -1 stay", "_start > main");
	cpu_call(&cpu, G);
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &back, co), "back -1 stay", "co1 > f");
	STEP(cpu_return(&cpu), "-1 stay", "co1");
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &co, back), "back -1 stay", "_start > main > g");
	STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	/* What a coroutine returns to has not called it, but says so. */
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &back, co), "back -1 stay", "co1");
	*cpu_word(&cpu, cpu.sp) = code_at(RESTORER, 0x10);
	STEP(cpu_return(&cpu), "underflow", "restorer");
	STEP(cpu_go_to(&cpu, back), "back -1 stay", "_start > main");
	STEP(cpu_return(&cpu), "-1 stay", "_start");
}

TEST(coroutine_anywhere)
{
	take_turns_with(LOW_STACK);
	take_turns_with(LOWER_STACK);
	take_turns_with(HIGH_STACK);
}

/* Two coroutines go on in each other; main waits. */
static void take_turns_apart(uint64_t stack1, uint64_t stack2)
{
	struct cpu_place co1 = coroutine(CO1, stack1), co2 = coroutine(CO2, stack2), back;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &back, co1), "new start", "co1");
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &co1, co2), "new start", "co2");
	for (int i = 0; i < 1000; i++) {
		cpu_call(&cpu, F);
		cpu_call(&cpu, SWAP);
		STEP(cpu_swap(&cpu, &co2, co1), "back -1 stay", "co1");
		STEP(cpu_call(&cpu, SWAP), "push", "co1 > swap");
		STEP(cpu_swap(&cpu, &co1, co2), "back -1 stay", "co2 > f");
		STEP(cpu_return(&cpu), "-1 stay", "co2");
	}
	CHECK_EQ_U64(cpu.n_left, 2);
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &co2, back), "back -1 stay", "_start > main");
}

TEST(coroutines_among_themselves)
{
	take_turns_apart(LOW_STACK, LOWER_STACK);
	take_turns_apart(LOWER_STACK, LOW_STACK);
	take_turns_apart(HIGH_STACK, LOW_STACK);
	take_turns_apart(LOW_STACK, HIGH_STACK);
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
		STEP(cpu_go_to(&cpu, co), i == 0 ? "new start" : "back stay", "co1");
		co.pc = code_at(CO1, 0x20);
		STEP(cpu_go_to(&cpu, back), "back stay", "_start > main > f");
	}
}

/* It began in the midst of a function, and is left and gone on with by longjmp(). */
TEST(coroutine_by_longjmp)
{
	struct cpu_place co = { LOW_STACK, code_at(CO1, 0x30) }, back;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	back = cpu_here(&cpu);
	back.pc = code_at(MAIN, 0x20);
	cpu_call(&cpu, F);
	cpu_call(&cpu, LONGJMP);
	STEP(cpu_go_to(&cpu, co), "new start", "co1");
	cpu_call(&cpu, G);
	co = cpu_here(&cpu);
	co.pc = code_at(G, 0x20);
	cpu_call(&cpu, H);
	cpu_call(&cpu, LONGJMP);
	/* Frames of the stack gone back to are left, as ever. */
	STEP(cpu_go_to(&cpu, back), "back -2 stay", "_start > main");
	cpu_call(&cpu, LONGJMP);
	STEP(cpu_go_to(&cpu, co), "back -2 stay", "co1 > g");
}

/* The stack pointer is moved, but whoever calls is the caller. */
TEST(calls_on_another_stack)
{
	static const uint64_t stacks[] = { LOW_STACK, HIGH_STACK };

	for (int i = 0; i < 2; i++) {
		struct cpu cpu;
		uint64_t sp;

		cpu_init_in_main(&cpu);
		cpu_call(&cpu, F);
		sp = cpu.sp;
		cpu.sp = stacks[i];
		STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
		STEP(cpu_call(&cpu, H), "push", "_start > main > f > g > h");
		STEP(cpu_return(&cpu), "-1 stay", "_start > main > f > g");
		STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
		STEP(cpu_call(&cpu, G), "push", "_start > main > f > g");
		STEP(cpu_return(&cpu), "-1 stay", "_start > main > f");
		cpu.sp = sp;
		STEP(cpu_return(&cpu), "-1 stay", "_start > main");
	}
}

/* As Go does it: more(), called first thing, copies the stack and goes back. */
TEST(stack_is_copied)
{
	struct cpu_place co = coroutine(CO1, LOW_STACK), back;
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &back, co), "new start", "co1");
	cpu_call(&cpu, F);
	cpu_call(&cpu, G);
	cpu_call(&cpu, H);
	for (int i = 0; i < 3; i++)
		*cpu_word(&cpu, HIGH_STACK - 8 * (uint64_t)i) =
			*cpu_word(&cpu, LOW_STACK - 8 * (uint64_t)i);
	STEP(cpu_go_to(&cpu, (struct cpu_place){ HIGH_STACK - 16, *cpu_word(&cpu, cpu.sp) }),
	     "copied -1 stay", "co1 > f > g");
	STEP(cpu_return(&cpu), "-1 stay", "co1 > f");
	STEP(cpu_return(&cpu), "-1 stay", "co1");
	CHECK(callstack_is_replaced(&cpu.stack, HIGH_STACK));
	CHECK(!callstack_is_replaced(&cpu.stack, LOW_STACK));
	cpu_call(&cpu, SWAP);
	STEP(cpu_swap(&cpu, &co, back), "back -1 stay", "_start > main");
}

TEST(frames_become_a_stack)
{
	struct callstack_frame frames[CPU_ROOM];
	struct cpu cpu;

	cpu_init_in_main(&cpu);
	cpu_call(&cpu, F);
	cpu_call(&cpu, G);
	cpu_call(&cpu, H);
	memcpy(frames, cpu.stack.top - 1, 2 * sizeof(frames[0]));
	callstack_init_above(&cpu.stack, frames, sizeof(frames[0]), CPU_ROOM, 2);
	STEP(cpu_call(&cpu, SWAP), "push", "g > h > swap");
	STEP(cpu_return(&cpu), "-1 stay", "g > h");
	STEP(cpu_return(&cpu), "-1 stay", "g");
	STEP(cpu_return(&cpu), "underflow", "f");
}

/* Each frame is in a page of its own, and those that are not to be looked at cannot be read. */
TEST(stack_elsewhere)
{
	enum { DEPTH = 40, TOP_SP = 0x13000 };
	const size_t page = 4096;
	char *pages = mmap(NULL, DEPTH * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	struct arrival arrival = { .kind = ARRIVAL_CALL, .function = F, .body = F, .object = 1 };
	struct callstack stack;
	size_t n_pops;

	CHECK(pages != MAP_FAILED);
	callstack_init(&stack, (void *)pages, page, DEPTH);
	for (uint64_t i = DEPTH; i-- > 0;) {
		arrival.sp = TOP_SP + i * 16;
		arrival.return_address = code_at(F, i);
		arrival.entry = true;
		callstack_seed(&stack, &arrival);
	}
	arrival.kind = ARRIVAL_RETURN;
	/* The call of the top frame returned; the one that is fifth from the top. */
	for (uint64_t i = 0; i <= 4; i += 4) {
		arrival.sp = TOP_SP + i * 16 + 8;
		arrival.address = code_at(F, i);
		CHECK(callstack_resumption(&stack, &arrival, &n_pops) == RESUMES_EXACTLY);
		CHECK_EQ_U64(n_pops, i + 1);
	}
	CHECK(mprotect(pages + 2 * page, (DEPTH - 3) * page, PROT_NONE) == 0);
	/* On stacks above and below. */
	arrival.sp = HIGH_STACK;
	CHECK(callstack_resumption(&stack, &arrival, &n_pops) == RESUMES_NOT);
	arrival.sp = LOWER_STACK;
	CHECK(callstack_resumption(&stack, &arrival, &n_pops) == RESUMES_NOT);
	munmap(pages, DEPTH * page);
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
		CHECK_TEST(coroutine_anywhere),
		CHECK_TEST(coroutines_among_themselves),
		CHECK_TEST(switch_without_a_function_for_it),
		CHECK_TEST(coroutine_by_longjmp),
		CHECK_TEST(calls_on_another_stack),
		CHECK_TEST(stack_is_copied),
		CHECK_TEST(frames_become_a_stack),
		CHECK_TEST(stack_elsewhere),
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
