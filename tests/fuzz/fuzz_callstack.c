/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a program, reduced to its calls, jumps, returns, signals and the
 * stack pointer are left, against what must hold of a call stack after each
 * step whatever the program does.  Next to the stack the costs of calls are
 * kept as the tool keeps them: no call may cost less than those that it made,
 * and nothing may be lost.
 *
 *	4 bytes	event	4 bits kind, 3 bits function; change of the stack pointer;
 *			offset in the function; a frame, or another stack
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/calls/callstack.h"

enum {
	EVENT = 4,     /* bytes */
	ROOM = 1024,   /* frames; an input ends where there are no more */
	FUNCTIONS = 8, /* 1 to 7 */
	NAMELESS = 4,  /* without symbols, in one object with function 3 */
	PLT = 5,       /* a linkage table */
	POPPED = 6,    /* has pop_on_jump */
	COLD = 7,      /* a part of function 1 that is not called */
	CODE_BITS = 8, /* room of a function in the address space */
	MAX_SERIAL = 1U << 16,
};

enum kind {
	CALL,
	CALL_MIDST,
	RETURN,         /* as the frame on top says, if it is a call's */
	RETURN_FROM,    /* the same from any frame */
	RETURN_WRITTEN, /* by a word written over a return address, or pushed */
	RETURN_COPY,    /* of the return address of a frame, stack pointer unchanged */
	JUMP,
	JUMP_MIDST,
	JUMP_TO_FRAME, /* longjmp */
	SWITCH,        /* stacks, by a return */
	SWITCH_JUMP,
	MOVE, /* the stack pointer, and nothing else */
	SIGNAL,
	SIGNAL_ELSEWHERE, /* its handler runs on another stack */
	SIGNAL_RETURN,
	ANYWHERE, /* a jump with any stack pointer at all */
};

/* What the tool keeps of a frame. */
struct fuzzed_activation {
	uint32_t serial;
	uint64_t start;     /* clock when it was pushed */
	uint64_t callees;   /* inclusive cost of the calls that it made and that are over */
	uint64_t suspended; /* of a handler's bottom: the clock of what it interrupted */
};

/* A frame pushed by a step that popped none, by where it came from and went to. */
struct pushed {
	bool valid;
	struct callstack_frame frame;
};

struct fuzzed_run {
	struct callstack stack;
	struct callstack_frame frames[ROOM];
	struct callstack_frame before[ROOM]; /* frames, as they were before the step */
	struct fuzzed_activation activations[ROOM];
	bool live[MAX_SERIAL]; /* serial numbers of frames on the stack */
	uint32_t n_serials;
	uint64_t clock;   /* cost of the thread or handler that runs */
	uint64_t ended;   /* cost of handlers that are over */
	uint64_t n_steps; /* what all of it must add up to */
	uint64_t sp;
	struct pushed pushed[2][FUNCTIONS][FUNCTIONS][2];
};

/* Stack pointers are below; further up, sp + 8 might wrap. */
#define USER_SPACE ((UINT64_C(1) << 47) - 1)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) require((condition), #condition, __LINE__)

static void require(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "fuzz_callstack: line %d: %s is false\n", line, what);
	abort();
}

/* --- costs ----------------------------------------------------------------------------- */

static void begin_activation(struct fuzzed_run *run, size_t at)
{
	REQUIRE(run->n_serials < MAX_SERIAL);
	run->live[run->n_serials] = true;
	run->activations[at] =
		(struct fuzzed_activation){ .serial = run->n_serials++, .start = run->clock };
}

static void pop_activation(struct fuzzed_run *run, size_t at)
{
	struct fuzzed_activation *activation = &run->activations[at];
	uint64_t spent = run->clock - activation->start;

	REQUIRE(run->live[activation->serial]);
	run->live[activation->serial] = false;
	REQUIRE(run->clock >= activation->start);
	REQUIRE(activation->callees <= spent);
	if (run->before[at].kind != FRAME_BOTTOM) {
		run->activations[at - 1].callees += spent;
		return;
	}
	REQUIRE(activation->start == 0);
	run->ended += run->clock;
	run->clock = activation->suspended;
}

/* The n of frames number first and up, uppermost first. */
static void pop_activations(struct fuzzed_run *run, size_t first, size_t n)
{
	for (size_t i = first + n; i-- > first;)
		pop_activation(run, i);
}

/* All frames in use, and the place of the next. */
static void remember(struct fuzzed_run *run)
{
	memcpy(run->before, run->frames,
	       (callstack_depth(&run->stack) + 1) * sizeof(run->frames[0]));
}

/* --- what must hold -------------------------------------------------------------------- */

/* Not padding, which may be anything. */
static bool same_frames(const struct callstack_frame *a, const struct callstack_frame *b)
{
	return a->sp == b->sp && a->return_address == b->return_address &&
	       a->function == b->function && a->body == b->body && a->kind == b->kind &&
	       a->plt == b->plt && a->resolver == b->resolver && a->pop_on_jump == b->pop_on_jump &&
	       a->from_below == b->from_below;
}

/* A frame and the one above it. */
static void check_neighbours(const struct callstack_frame *below,
			     const struct callstack_frame *frame)
{
	if (frame->kind == FRAME_BOTTOM)
		return;
	REQUIRE(frame->from_below == (frame->sp > below->sp));
	if (frame->from_below)
		REQUIRE(frame->kind == FRAME_CALL && below->kind != FRAME_BOTTOM);
	REQUIRE(frame->function != CALLSTACK_NO_FUNCTION);
	REQUIRE(below->function != CALLSTACK_NO_FUNCTION);
	if (frame->kind == FRAME_JUMP && below->kind != FRAME_BOTTOM)
		REQUIRE(frame->sp == below->sp);
	REQUIRE((frame->return_address != 0) == (frame->kind == FRAME_CALL));
	if (frame->resolver)
		REQUIRE(frame->kind == FRAME_JUMP);
}

static void check_stack(const struct callstack *stack)
{
	REQUIRE(stack->frames <= stack->top && stack->top <= stack->last);
	REQUIRE(callstack_number(stack, stack->last) == ROOM);
	REQUIRE(stack->frames[0].kind == FRAME_BOTTOM && stack->frames[0].sp == UINT64_MAX);
	for (size_t i = 1; i < callstack_depth(stack); i++)
		check_neighbours(&stack->frames[i - 1], &stack->frames[i]);
}

/* The step wrote nothing but the frame on top, if it may. */
static void check_untouched(const struct fuzzed_run *run, size_t old_depth, const struct step *step)
{
	const struct callstack *stack = &run->stack;

	for (size_t i = 0; i < old_depth || i < callstack_depth(stack); i++) {
		bool is_top = i + 1 == callstack_depth(stack);

		if (!is_top || step->kind == STEP_STAY)
			REQUIRE(same_frames(&stack->frames[i], &run->before[i]));
	}
}

static uint32_t stray_of(const struct arrival *arrival)
{
	return callstack_stray(arrival->object, arrival->nameless, arrival->plt);
}

/* True if a frame that was popped was called on a stack above. */
static bool has_left_above(const struct fuzzed_run *run, size_t old_depth, const struct step *step)
{
	for (size_t i = old_depth - step->n_pops; i < old_depth; i++)
		if (run->before[i].from_below)
			return true;
	return false;
}

static void check_effect(const struct arrival *arrival, const struct step *step,
			 const struct callstack_frame *top, const struct callstack_frame *was,
			 bool is_above)
{
	REQUIRE(callstack_is_of(top, arrival->body, stray_of(arrival)));
	/* It may be on another stack, where it has called from, or fetches the program counter. */
	REQUIRE(top->sp >= arrival->sp || is_above ||
		(step->kind == STEP_STAY && arrival->kind == ARRIVAL_CALL));
	if (step->kind != STEP_STAY)
		REQUIRE(top->function == arrival->function);
	REQUIRE(!step->from_popped || (step->kind == STEP_PUSH && step->n_pops > 0));
	switch (step->kind) {
	case STEP_STAY:
		REQUIRE(arrival->kind != ARRIVAL_CALL || !arrival->entry);
		break;
	case STEP_START:
		REQUIRE(was->kind == FRAME_BOTTOM && was->function == CALLSTACK_NO_FUNCTION);
		break;
	case STEP_PUSH:
		REQUIRE(top->kind == (arrival->kind == ARRIVAL_CALL ? FRAME_CALL : FRAME_JUMP));
		REQUIRE(arrival->kind != ARRIVAL_CALL || !step->from_popped);
		break;
	case STEP_UNDERFLOW:
		REQUIRE(was->kind == FRAME_BOTTOM && was->function != CALLSTACK_NO_FUNCTION);
		REQUIRE(arrival->kind == ARRIVAL_RETURN || step->n_pops > 0);
		REQUIRE(arrival->kind != ARRIVAL_CALL);
		break;
	}
}

/* --- the short cuts ---------------------------------------------------------------------- */

static struct pushed *pushed_before(struct fuzzed_run *run, const struct arrival *arrival)
{
	uint32_t from = run->stack.top->function;

	if (arrival->kind == ARRIVAL_RETURN || from == CALLSTACK_NO_FUNCTION)
		return NULL;
	return &run->pushed[arrival->kind == ARRIVAL_CALL][from][arrival->function][arrival->entry];
}

/* The step was plain if the short cut said that it would be; run->stack is still as before. */
static size_t plain_pops(const struct fuzzed_run *run, const struct arrival *arrival)
{
	if (arrival->kind != ARRIVAL_RETURN || run->stack.top->function == CALLSTACK_NO_FUNCTION)
		return 0;
	return callstack_plain_return(&run->stack, arrival->sp, arrival->body, stray_of(arrival));
}

/* The same of a return that hits its mark, given that the code there is the caller's. */
static size_t exact_pops(const struct fuzzed_run *run, const struct arrival *arrival)
{
	const struct callstack *stack = &run->stack;
	struct callstack_frame *last;

	if (arrival->kind != ARRIVAL_RETURN)
		return 0;
	last = callstack_exact_return(stack, arrival->sp, arrival->address);
	if (!last)
		return 0;
	REQUIRE(last > stack->frames && last <= stack->top);
	return callstack_is_of(last - 1, arrival->body, stray_of(arrival))
		       ? (size_t)(stack->top - last) + 1
		       : 0;
}

static bool push_again(struct fuzzed_run *run, const struct arrival *arrival,
		       const struct pushed *pushed, struct callstack_frame *frame)
{
	struct callstack copy = run->stack;
	struct callstack_frame *next = callstack_above(&copy, copy.top);
	enum frame_kind kind = arrival->kind == ARRIVAL_CALL ? FRAME_CALL : FRAME_JUMP;

	if (!pushed || !pushed->valid ||
	    !callstack_pushes_again(&copy, &pushed->frame, kind, arrival->sp, arrival->entry,
				    arrival->nameless))
		return false;
	*next = pushed->frame;
	if (next->kind == FRAME_CALL)
		next->return_address = arrival->return_address;
	callstack_push_again(&copy, kind, arrival->sp);
	*frame = *next;
	*next = run->before[callstack_depth(&copy) - 1];
	return true;
}

/* --- a step ------------------------------------------------------------------------------ */

static void arrive(struct fuzzed_run *run, const struct arrival *arrival)
{
	struct callstack *stack = &run->stack;
	size_t old_depth = callstack_depth(stack);
	struct callstack_frame again = { .sp = 0 };
	struct pushed *pushed;
	size_t n_plain, n_exact;
	bool pushes, stays;
	struct step step;

	run->sp = arrival->sp;
	remember(run);
	pushed = pushed_before(run, arrival);
	n_plain = plain_pops(run, arrival);
	n_exact = exact_pops(run, arrival);
	stays = arrival->kind == ARRIVAL_JUMP && !arrival->entry &&
		callstack_plain_jump(stack, arrival->sp, arrival->body, stray_of(arrival));
	pushes = push_again(run, arrival, pushed, &again);
	step = callstack_arrive(stack, arrival);
	REQUIRE(step.n_pops < old_depth);
	REQUIRE(callstack_depth(stack) == old_depth - step.n_pops + (step.kind == STEP_PUSH));
	check_stack(stack);
	check_untouched(run, old_depth, &step);
	check_effect(arrival, &step, stack->top, &run->before[callstack_depth(stack) - 1],
		     has_left_above(run, old_depth, &step));
	if (n_plain > 0)
		REQUIRE(step.kind == STEP_STAY && step.n_pops == n_plain);
	if (stays)
		REQUIRE(step.kind == STEP_STAY && step.n_pops == 0);
	if (n_exact > 0)
		REQUIRE(n_plain == n_exact);
	if (pushes) {
		REQUIRE(step.kind == STEP_PUSH && step.n_pops == 0);
		REQUIRE(same_frames(stack->top, &again));
	}
	if (pushed && step.kind == STEP_PUSH && step.n_pops == 0 &&
	    !run->before[old_depth - 1].resolver && !stack->top->from_below)
		*pushed = (struct pushed){ true, *stack->top };

	pop_activations(run, old_depth - step.n_pops, step.n_pops);
	if (step.kind == STEP_PUSH)
		begin_activation(run, callstack_depth(stack) - 1);
	run->clock++;
	run->n_steps++;
}

static uint32_t body_of(uint32_t function)
{
	return function == COLD ? 1 : function;
}

static struct arrival arrival_at(enum arrival_kind kind, uint64_t sp, uint64_t address)
{
	uint32_t function = (uint32_t)(address >> CODE_BITS);

	return (struct arrival){
		.kind = kind,
		.sp = sp,
		.address = address,
		.function = function,
		.body = body_of(function),
		.object = function == 3 || function == NAMELESS ? 2 : 1,
		.entry = function == NAMELESS
				 ? kind == ARRIVAL_CALL
				 : address == (uint64_t)function << CODE_BITS && function != COLD,
		.nameless = function == NAMELESS,
		.plt = function == PLT,
		.pop_on_jump = function == POPPED,
		.low = sp & ~UINT64_C(0xffff),
		.high = sp | 0xffff,
	};
}

/* True if one of the 32 frames on top is a call that returns there. */
static bool returns_to_call(const struct callstack *stack, const struct arrival *arrival)
{
	const size_t depth = callstack_depth(stack);

	for (size_t i = depth; i-- > 1 && i + 32 >= depth;)
		if (stack->frames[i].kind == FRAME_CALL && stack->frames[i].sp + 8 == arrival->sp &&
		    stack->frames[i].return_address == arrival->address)
			return true;
	return false;
}

/* What is asked before, where several stacks are kept: it changes nothing unless it says so. */
static void check_switch(struct fuzzed_run *run, const struct arrival *arrival)
{
	const struct callstack *stack = &run->stack;
	const size_t depth = callstack_depth(stack);
	size_t n_pops = 0;
	enum resumption resumption;

	for (size_t i = 1; i < depth; i++)
		if (run->frames[i].kind == FRAME_BOTTOM)
			return; /* handlers do not switch */
	if (callstack_is_near(stack, arrival->sp))
		REQUIRE(callstack_stays(stack, arrival));
	resumption = callstack_resumption(stack, arrival, &n_pops);
	REQUIRE(n_pops < depth);
	REQUIRE((resumption == RESUMES_EXACTLY) == returns_to_call(stack, arrival));
	if (resumption == RESUMES_EXACTLY)
		REQUIRE(run->frames[depth - n_pops].return_address == arrival->address);
}

static void go(struct fuzzed_run *run, enum arrival_kind kind, uint64_t sp, uint64_t address)
{
	struct arrival arrival = arrival_at(kind, sp & USER_SPACE, address);
	const struct callstack_frame *top = run->stack.top;

	/* The call instruction's place is a function of what is called, so as to come again. */
	if (kind == ARRIVAL_CALL)
		arrival.return_address =
			((uint64_t)(top->function ? top->function : 1) << CODE_BITS) +
			UINT64_C(5) * (1 + arrival.function);
	arrival.from = top->body;
	check_switch(run, &arrival);
	arrive(run, &arrival);
}

static void signal_at(struct fuzzed_run *run, uint64_t sp)
{
	struct callstack *stack = &run->stack;
	uint64_t suspended = run->clock;

	remember(run);
	callstack_signal(stack, sp);
	check_stack(stack);
	REQUIRE(stack->top->kind == FRAME_BOTTOM);
	REQUIRE(stack->top->function == CALLSTACK_NO_FUNCTION);
	run->clock = 0;
	begin_activation(run, callstack_depth(stack) - 1);
	run->activations[callstack_depth(stack) - 1].suspended = suspended;
}

static void signal_return(struct fuzzed_run *run)
{
	struct callstack *stack = &run->stack;
	size_t old_depth = callstack_depth(stack), n_pops;

	remember(run);
	n_pops = callstack_signal_return(stack);
	REQUIRE(callstack_depth(stack) == old_depth - n_pops);
	check_stack(stack);
	REQUIRE(n_pops > 0 || old_depth == 1 || run->before[old_depth - 1].kind != FRAME_BOTTOM);
	if (n_pops > 0)
		REQUIRE(run->before[callstack_depth(stack)].kind == FRAME_BOTTOM);
	for (size_t i = callstack_depth(stack) + 1; i < old_depth && n_pops > 0; i++)
		REQUIRE(run->before[i].kind != FRAME_BOTTOM);
	pop_activations(run, callstack_depth(stack), n_pops);
}

/* --- programs ------------------------------------------------------------------------------ */

/* One of some stacks, not far from where they begin. */
static uint64_t stack_of(const uint8_t *event)
{
	static const uint64_t stacks[] = { 0x10000, 0x20000, 0x30000, UINT64_C(0x7fff00000000) };

	return stacks[event[3] % 4] + (uint64_t)event[1] * 8;
}

static void returns(struct fuzzed_run *run, enum kind kind, const uint8_t *event, uint64_t midst)
{
	const struct callstack *stack = &run->stack;
	size_t at = kind == RETURN ? callstack_depth(stack) - 1 : event[3] % callstack_depth(stack);
	const struct callstack_frame *frame = &stack->frames[at];
	uint64_t address = frame->kind == FRAME_CALL ? frame->return_address : midst;
	uint64_t sp = frame->kind == FRAME_BOTTOM ? run->sp : frame->sp;

	if (kind == RETURN_WRITTEN)
		address = midst;
	if (kind == RETURN || kind == RETURN_FROM)
		sp += 8;
	go(run, ARRIVAL_RETURN, sp, address);
}

static void play_event(struct fuzzed_run *run, const uint8_t *event)
{
	const struct callstack *stack = &run->stack;
	enum kind kind = (enum kind)(event[0] & 15);
	uint64_t function = event[0] >> 4 & 7 ? event[0] >> 4 & 7 : 1;
	uint64_t entry = function << CODE_BITS, midst = entry + 1 + event[2] % 40;
	uint64_t sp = run->sp + 8 * (uint64_t)(int8_t)event[1];
	const struct callstack_frame *frame = &stack->frames[event[3] % callstack_depth(stack)];
	uint64_t frame_address = (uint64_t)(frame->function ? frame->function : 1) << CODE_BITS;

	switch (kind) {
	case CALL:
	case CALL_MIDST:
		go(run, ARRIVAL_CALL, sp - 8, kind == CALL && function != COLD ? entry : midst);
		break;
	case RETURN:
	case RETURN_FROM:
	case RETURN_WRITTEN:
	case RETURN_COPY:
		returns(run, kind, event, midst);
		break;
	case JUMP:
	case JUMP_MIDST:
		go(run, ARRIVAL_JUMP, sp, kind == JUMP ? entry : midst);
		break;
	case JUMP_TO_FRAME:
		if (frame->kind != FRAME_BOTTOM)
			sp = frame->sp - (uint64_t)event[1] % 8 * 8;
		go(run, ARRIVAL_JUMP, sp, frame_address + 1 + event[2] % 40);
		break;
	case SWITCH:
	case SWITCH_JUMP:
		go(run, kind == SWITCH ? ARRIVAL_RETURN : ARRIVAL_JUMP, stack_of(event), midst);
		break;
	case MOVE:
		run->sp = sp;
		break;
	case SIGNAL:
	case SIGNAL_ELSEWHERE:
		signal_at(run, run->sp);
		run->sp = kind == SIGNAL ? run->sp - 0x100 : stack_of(event);
		break;
	case SIGNAL_RETURN:
		signal_return(run);
		break;
	case ANYWHERE:
		memcpy(&sp, event, EVENT);
		go(run, (enum arrival_kind)(event[3] % 3), sp << 32 | sp >> 8, midst);
		break;
	}
}

static void run_program(struct fuzzed_run *run, const uint8_t *data, size_t size)
{
	callstack_init(&run->stack, run->frames, sizeof(run->frames[0]), ROOM);
	run->sp = 0x30000;
	run->n_serials = 0;
	run->clock = run->ended = run->n_steps = 0;
	memset(run->pushed, 0, sizeof(run->pushed));
	begin_activation(run, 0);
	for (size_t i = 0; i + EVENT <= size && callstack_depth(&run->stack) < ROOM - 1;
	     i += EVENT) {
		if (run->n_serials == MAX_SERIAL)
			break;
		play_event(run, data + i);
	}
	/* The thread ends. */
	remember(run);

	pop_activations(run, 0, callstack_depth(&run->stack));
	REQUIRE(run->ended == run->n_steps);
	for (uint32_t i = 0; i < run->n_serials; i++)
		REQUIRE(!run->live[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzzed_run run;

	run_program(&run, data, size);
	return 0;
}
