/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A processor of few instructions whose arrivals go to a shadow call stack,
 * so that a test is the program that makes them: return addresses are words
 * in a memory, and a return goes where the word on top says.
 *
 * The call stack is drawn as a string:
 *
 *	main > f		main called f
 *	main > f ~ g		f made a tail call of g
 *	main > f | handler	a signal interrupted f
 *	main > f | ?		and nothing ran in its handler yet
 *
 * The effect of a step is the number of frames popped and what came of it:
 * "-2 push", "stay", "start", "underflow"; "-1 push popped" is a push on
 * behalf of the frame that was popped.  What is foreseen without a call, for
 * plain cases, must come so.
 *
 * Each coroutine's stack has its own call stack: "new ..." is a step to an unknown stack, "back ..."
 * to one that was left.  Only the current one is drawn.
 */
#ifndef TESTS_TOOL_CALLS_CPU_H
#define TESTS_TOOL_CALLS_CPU_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"
#include "tool/calls/callstack.h"

enum {
	CPU_ROOM = 64, /* frames */
	CPU_STACKS = 4,
	CPU_MEMORY = 0x10000,    /* address of the first word */
	CPU_WORDS = 4096,        /* up to 0x18000 */
	CPU_STACK = 0x14000,     /* the stack that a program starts with */
	CPU_CALL_LENGTH = 5,     /* bytes of a call instruction */
	CPU_SIGNAL_FRAME = 0x80, /* bytes between interrupted and handler's stack */
	CPU_CODE_BITS = 16,      /* a code has that much room for its instructions */
	CPU_TEXT = 512,          /* bytes, with the NUL */
};

/* Pieces of code; code_at(code, 0) is the first instruction. */
enum code {
	START = 1,
	MAIN,
	MAIN_COLD,
	F,
	F_COLD,
	G,
	H,
	POPPED, /* for which pop_on_jump is set */
	CO1,
	CO2,
	SWAP,
	LONGJMP,
	HANDLER,
	HANDLER2,
	RESTORER,
	PLT,
	PLT_SEC,
	STRAY,    /* code without symbols among those above */
	STUB,     /* a linkage table without symbols, as they are */
	RESOLVER, /* the first one in another object */
	FIXUP,
	LOADER, /* a section without symbols */
	N_CODES,
};

struct code_property {
	const char *name;
	enum code body; /* 0: its own */
	bool cold, plt, nameless, pop_on_jump;
};

static const struct code_property cpu_codes[N_CODES] = {
	[START] = { .name = "_start" },
	[MAIN] = { .name = "main" },
	[MAIN_COLD] = { .name = "main.cold", .body = MAIN, .cold = true },
	[F] = { .name = "f" },
	[F_COLD] = { .name = "f.cold", .body = F, .cold = true },
	[G] = { .name = "g" },
	[H] = { .name = "h" },
	[POPPED] = { .name = "popped", .pop_on_jump = true },
	[CO1] = { .name = "co1" },
	[CO2] = { .name = "co2" },
	[SWAP] = { .name = "swap" },
	[LONGJMP] = { .name = "longjmp" },
	[HANDLER] = { .name = "handler" },
	[HANDLER2] = { .name = "handler2" },
	[RESTORER] = { .name = "restorer" },
	[PLT] = { .name = "plt", .plt = true },
	[PLT_SEC] = { .name = "plt.sec", .plt = true },
	[STRAY] = { .name = "stray", .nameless = true },
	[STUB] = { .name = "stub", .plt = true, .nameless = true },
	[RESOLVER] = { .name = "resolver" },
	[FIXUP] = { .name = "fixup" },
	[LOADER] = { .name = "loader", .nameless = true },
};

/* What is known about an arrival without asking callstack_arrive(). */
struct cpu_plain {
	size_t n_pops;       /* by callstack_plain_return() */
	size_t n_exact_pops; /* by callstack_exact_return(), to known code */
	bool stays;          /* by callstack_plain_jump() */
	bool pushes;         /* by callstack_pushes_again(), of a jump */
};

struct cpu {
	struct callstack stack;
	struct callstack left[CPU_STACKS]; /* the last one last */
	unsigned n_left;
	struct callstack_frame frames[CPU_ROOM];
	struct callstack_frame other_frames[CPU_STACKS][CPU_ROOM];
	uint64_t memory[CPU_WORDS];
	uint64_t sp;
	uint64_t pc;
	struct cpu_plain plain; /* of the last arrival */
	char effect[CPU_TEXT];  /* of the last step */
	char drawing[CPU_TEXT];
};

/* Where a function will go on, as setjmp or swapcontext note it. */
struct cpu_place {
	uint64_t sp;
	uint64_t pc;
};

/* Address of an instruction of a code, 0 of its first. */
static inline uint64_t code_at(enum code code, uint64_t offset)
{
	return (uint64_t)code << CPU_CODE_BITS | offset;
}

static inline enum code code_of(uint64_t address)
{
	return (enum code)(address >> CPU_CODE_BITS);
}

static inline uint64_t *cpu_word(struct cpu *cpu, uint64_t address)
{
	if (address < CPU_MEMORY || address % 8 != 0 || (address - CPU_MEMORY) / 8 >= CPU_WORDS)
		abort();
	return &cpu->memory[(address - CPU_MEMORY) / 8];
}

static inline void cpu_append(char *text, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, CPU_TEXT - length, "%s", more);
}

static inline void cpu_draw_frame(const struct callstack_frame *frame, char *text)
{
	static const char *const joints[] = {
		[FRAME_BOTTOM] = " | ",
		[FRAME_CALL] = " > ",
		[FRAME_JUMP] = " ~ ",
	};
	uint32_t function = frame->function;
	enum code code = code_of(function);
	char offset[16];

	if (*text || frame->kind != FRAME_BOTTOM)
		cpu_append(text, joints[frame->kind]);
	if (function == CALLSTACK_NO_FUNCTION) {
		cpu_append(text, "?");
	} else if (function < N_CODES) {
		cpu_append(text, cpu_codes[function].name);
	} else {
		cpu_append(text, cpu_codes[code].name);
		snprintf(offset, sizeof(offset), "+%" PRIu64, function - code_at(code, 0));
		cpu_append(text, offset);
	}
}

static inline void cpu_draw(struct cpu *cpu)
{
	cpu->drawing[0] = '\0';
	for (size_t i = 0; i < callstack_depth(&cpu->stack); i++)
		cpu_draw_frame(&cpu->stack.frames[i], cpu->drawing);
}

static inline struct cpu_plain cpu_foresee(const struct callstack *stack,
					   const struct arrival *arrival)
{
	uint32_t stray = callstack_stray(arrival->object, arrival->nameless, arrival->plt);
	struct cpu_plain plain = { 0, 0, false, false };
	const struct callstack_frame pushed = {
		.body = arrival->body,
		.object = arrival->object,
		.plt = arrival->plt,
	};
	struct callstack_frame *last;

	if (stack->top->function == CALLSTACK_NO_FUNCTION)
		return plain;
	if (arrival->kind == ARRIVAL_JUMP)
		plain.pushes = callstack_pushes_again(stack, &pushed, FRAME_JUMP, arrival->sp,
						      arrival->entry, arrival->nameless);
	if (arrival->kind == ARRIVAL_JUMP && !arrival->entry)
		plain.stays = callstack_plain_jump(stack, arrival->sp, arrival->body, stray);
	if (arrival->kind != ARRIVAL_RETURN)
		return plain;
	plain.n_pops = callstack_plain_return(stack, arrival->sp, arrival->body, stray);
	last = callstack_exact_return(stack, arrival->sp, arrival->address);
	if (last && callstack_is_of(callstack_below(stack, last), arrival->body, stray))
		plain.n_exact_pops = callstack_depth(stack) - callstack_number(stack, last) + 1;
	return plain;
}

/* True if that happened. */
static inline void cpu_check_plain(const struct cpu_plain *plain, const struct step *step)
{
	if (plain->stays)
		CHECK(step->kind == STEP_STAY && step->n_pops == 0);
	if (plain->pushes)
		CHECK(step->kind == STEP_PUSH && step->n_pops == 0);
	if (plain->n_pops > 0)
		CHECK(step->kind == STEP_STAY && step->n_pops == plain->n_pops);
	if (plain->n_exact_pops > 0)
		CHECK_EQ_U64(plain->n_exact_pops, plain->n_pops);
}

static inline bool cpu_is_in_handler(const struct cpu *cpu)
{
	for (size_t i = 1; i < callstack_depth(&cpu->stack); i++)
		if (cpu->stack.frames[i].kind == FRAME_BOTTOM)
			return true;
	return false;
}

/* The last stack that was left which the arrival goes on with, and how many frames are over; or n_left. */
static inline unsigned cpu_find_stack(const struct cpu *cpu, const struct arrival *arrival,
				      size_t *n_pops)
{
	bool stays = callstack_stays(&cpu->stack, arrival);

	for (enum resumption least = RESUMES_EXACTLY; least >= RESUMES_WITHIN; least--) {
		if (callstack_resumption(&cpu->stack, arrival, n_pops) == RESUMES_EXACTLY ||
		    (least == RESUMES_WITHIN && stays))
			break;
		for (unsigned i = cpu->n_left; i-- > 0;)
			if (callstack_resumption(&cpu->left[i], arrival, n_pops) == least)
				return i;
	}
	return cpu->n_left;
}

/* A jump or return may have come to another stack: as the tool does it. */
static inline void cpu_switch(struct cpu *cpu, const struct arrival *arrival)
{
	struct callstack stack = cpu->stack;
	size_t n_pops;
	unsigned i;

	if (callstack_is_near(&stack, arrival->sp) || cpu_is_in_handler(cpu))
		return;
	i = cpu_find_stack(cpu, arrival, &n_pops);
	if (i < cpu->n_left) {
		cpu->stack = cpu->left[i];
		memmove(&cpu->left[i], &cpu->left[i + 1],
			(cpu->n_left - 1 - i) * sizeof(cpu->left[0]));
		cpu->left[cpu->n_left - 1] = stack;
		callstack_pop(&cpu->stack, n_pops);
		snprintf(cpu->effect, sizeof(cpu->effect), n_pops > 0 ? "back -%zu " : "back ",
			 n_pops);
	} else if (callstack_copied(&cpu->stack, arrival, &n_pops)) {
		callstack_pop(&cpu->stack, n_pops);
		snprintf(cpu->effect, sizeof(cpu->effect), "copied -%zu ", n_pops);
	} else if (!callstack_stays(&stack, arrival)) {
		if (cpu->n_left == CPU_STACKS)
			abort();
		callstack_init(&cpu->stack, cpu->other_frames[cpu->n_left], sizeof(cpu->frames[0]),
			       CPU_ROOM);
		cpu->left[cpu->n_left++] = stack;
		cpu->stack.is_whole = true;
		cpu_append(cpu->effect, "new ");
	}
}

static inline void cpu_arrive(struct cpu *cpu, enum arrival_kind kind, uint64_t return_address)
{
	static const char *const kinds[] = {
		[STEP_STAY] = "stay",
		[STEP_START] = "start",
		[STEP_PUSH] = "push",
		[STEP_UNDERFLOW] = "underflow",
	};
	enum code code = code_of(cpu->pc);
	const struct code_property *property = &cpu_codes[code];
	struct arrival arrival = {
		.kind = kind,
		.sp = cpu->sp,
		.address = cpu->pc,
		.return_address = return_address,
		.function = code,
		.body = property->body ? property->body : code,
		.object = code >= RESOLVER ? 2 : 1,
		.entry = cpu->pc == code_at(code, 0) && !property->cold,
		.nameless = property->nameless,
		.plt = property->plt,
		.pop_on_jump = property->pop_on_jump,
		.from = cpu->stack.top->body,
		.low = CPU_MEMORY,
		.high = CPU_MEMORY + 8 * CPU_WORDS,
	};
	struct step step;
	char pops[32] = "";

	/* As the header defines it: a function is what is called. */
	if (property->nameless) {
		arrival.function = (uint32_t)cpu->pc;
		arrival.entry = kind == ARRIVAL_CALL;
	}
	cpu->effect[0] = '\0';
	if (kind != ARRIVAL_CALL) {
		arrival.return_address = *cpu_word(cpu, cpu->sp);
		cpu_switch(cpu, &arrival);
	}
	cpu->plain = cpu_foresee(&cpu->stack, &arrival);
	step = callstack_arrive(&cpu->stack, &arrival);
	cpu_check_plain(&cpu->plain, &step);
	if (step.n_pops > 0)
		snprintf(pops, sizeof(pops), "-%zu ", step.n_pops);
	cpu_append(cpu->effect, pops);
	cpu_append(cpu->effect, kinds[step.kind]);
	if (step.from_popped)
		cpu_append(cpu->effect, " popped");
	cpu_draw(cpu);
}

/* Watched from pc on. */
static inline void cpu_init(struct cpu *cpu, uint64_t pc)
{
	memset(cpu, 0xa5, sizeof(*cpu));
	callstack_init(&cpu->stack, cpu->frames, sizeof(cpu->frames[0]), CPU_ROOM);
	cpu->n_left = 0;
	cpu->sp = CPU_STACK;
	cpu->pc = pc;
	cpu_arrive(cpu, ARRIVAL_JUMP, 0);
}

static inline void cpu_push(struct cpu *cpu, uint64_t word)
{
	cpu->sp -= 8;
	*cpu_word(cpu, cpu->sp) = word;
}

static inline uint64_t cpu_pop(struct cpu *cpu)
{
	cpu->sp += 8;
	return *cpu_word(cpu, cpu->sp - 8);
}

/* Room for variables on the stack; gone again if negative. */
static inline void cpu_take(struct cpu *cpu, int words)
{
	cpu->sp -= (uint64_t)(8 * words);
}

static inline void cpu_call_at(struct cpu *cpu, uint64_t address)
{
	uint64_t return_address = cpu->pc + CPU_CALL_LENGTH;

	cpu_push(cpu, return_address);
	cpu->pc = address;
	cpu_arrive(cpu, ARRIVAL_CALL, return_address);
}

static inline void cpu_call(struct cpu *cpu, enum code code)
{
	cpu_call_at(cpu, code_at(code, 0));
}

static inline void cpu_return(struct cpu *cpu)
{
	cpu->pc = cpu_pop(cpu);
	cpu_arrive(cpu, ARRIVAL_RETURN, 0);
}

static inline void cpu_jump_at(struct cpu *cpu, uint64_t address)
{
	cpu->pc = address;
	cpu_arrive(cpu, ARRIVAL_JUMP, 0);
}

static inline void cpu_jump(struct cpu *cpu, enum code code)
{
	cpu_jump_at(cpu, code_at(code, 0));
}

/* Here; what setjmp notes. */
static inline struct cpu_place cpu_here(const struct cpu *cpu)
{
	return (struct cpu_place){ cpu->sp, cpu->pc };
}

static inline void cpu_go_to(struct cpu *cpu, struct cpu_place place)
{
	cpu->sp = place.sp;
	cpu_jump_at(cpu, place.pc);
}

/* The second half of swapcontext: notes who called it, and returns to another. */
static inline void cpu_swap(struct cpu *cpu, struct cpu_place *from, struct cpu_place to)
{
	from->pc = cpu_pop(cpu);
	from->sp = cpu->sp;
	cpu->sp = to.sp;
	cpu_push(cpu, to.pc);
	cpu_return(cpu);
}

/* A signal is delivered; the handler's stack is below top. */
static inline void cpu_signal_on(struct cpu *cpu, enum code handler, uint64_t top)
{
	const struct cpu_place interrupted = cpu_here(cpu);

	callstack_signal(&cpu->stack, cpu->sp);
	cpu->sp = top - CPU_SIGNAL_FRAME;
	cpu_push(cpu, interrupted.pc);
	cpu_push(cpu, interrupted.sp);
	cpu_push(cpu, code_at(RESTORER, 0));
	cpu->pc = code_at(handler, 0);
	snprintf(cpu->effect, sizeof(cpu->effect), "signal");
	cpu_draw(cpu);
}

static inline void cpu_signal(struct cpu *cpu, enum code handler)
{
	cpu_signal_on(cpu, handler, cpu->sp);
}

/* The first instruction after a signal. */
static inline void cpu_begin(struct cpu *cpu)
{
	cpu_arrive(cpu, ARRIVAL_JUMP, 0);
}

/* The system call that a handler's restorer makes, where it was returned to. */
static inline void cpu_signal_return(struct cpu *cpu)
{
	size_t n_pops = callstack_signal_return(&cpu->stack);
	uint64_t sp = cpu_pop(cpu);

	cpu->pc = cpu_pop(cpu);
	cpu->sp = sp;
	snprintf(cpu->effect, sizeof(cpu->effect), "-%zu", n_pops);
	cpu_draw(cpu);
}

/* _start has called main: a bottom is special, so most programs are in main. */
static inline void cpu_init_in_main(struct cpu *cpu)
{
	cpu_init(cpu, code_at(START, 0));
	cpu_call(cpu, MAIN);
}

/* A macro, so that a failure names the line of the step; struct cpu cpu is the one. */
#define STEP(action, want_effect, want_drawing) \
 do {                                           \
  action;                                       \
  CHECK_STR(cpu.effect, want_effect);           \
  CHECK_STR(cpu.drawing, want_drawing);         \
 } while (0)

#endif
