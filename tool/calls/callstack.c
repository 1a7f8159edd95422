/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Addresses grow up, the stack grows down:
 *
 *	sp of the caller before the call	S
 *	after it, with the return address	S - 8	= sp of the frame
 *	after the return			S	> sp of the frame: gone
 *
 * A frame made by a jump has the sp of the frame below, so that one return
 * takes both.
 */
#include "tool/calls/callstack.h"

enum {
	WORD_SIZE = 8, /* bytes that a return takes off the stack */
	/*
	 * Bytes. A function has fewer on the stack when it jumps to another one; frames of two
	 * stacks are farther apart.
	 */
	NEAR = 2048,
	SAME_END =
		512, /* bytes between the first frames of stacks in one place; Go's stacks have 2,048 bytes */
	MOST_LEFT = 32, /* frames above the one that a stack is resumed in */
};

void callstack_init(struct callstack *stack, struct callstack_frame *frames, size_t stride,
		    size_t room)
{
	*stack = (struct callstack){
		.frames = frames,
		.top = frames,
		.stride = stride,
	};
	stack->last = callstack_frame(stack, room - 1);
	*frames = (struct callstack_frame){ .sp = UINT64_MAX, .kind = FRAME_BOTTOM };
}

void callstack_init_above(struct callstack *stack, struct callstack_frame *frames, size_t stride,
			  size_t room, size_t n)
{
	struct callstack_frame bottom = *frames;

	callstack_init(stack, frames, stride, room);
	bottom.first_sp = bottom.sp;
	bottom.sp = UINT64_MAX;
	bottom.kind = FRAME_BOTTOM;
	bottom.from_below = false;
	*frames = bottom;
	stack->top = callstack_frame(stack, n - 1);
	for (size_t i = 1; i < n; i++)
		stack->has_gone_up |= callstack_frame(stack, i)->from_below;
}

void callstack_moved(struct callstack *stack, struct callstack_frame *frames, size_t room)
{
	size_t depth = callstack_depth(stack);

	stack->frames = frames;
	stack->top = callstack_frame(stack, depth - 1);
	stack->last = callstack_frame(stack, room - 1);
}

/* True if a handler's bottom is on a stack above the one that it interrupted: see start(). */
static bool is_above(const struct callstack_frame *frame)
{
	return frame->kind == FRAME_BOTTOM && frame->sp == frame->first_sp + WORD_SIZE;
}

static void pop(struct callstack *stack)
{
	stack->n_above -= is_above(stack->top);
	callstack_drop(stack);
}

void callstack_pop(struct callstack *stack, size_t n)
{
	while (n-- > 0)
		pop(stack);
}

/* Pops the frames that the stack pointer has left; it never exceeds the first bottom's sp. */
static size_t unwind(struct callstack *stack, uint64_t sp)
{
	size_t n = 0;

	while (stack->top->sp < sp) {
		bool from_below = stack->top->from_below;

		pop(stack);
		n++;
		if (from_below)
			break;
	}
	return n;
}

/*
 * Frames to pop so that a return with an unchanged stack pointer arrives at
 * the return address of one of them; 0 if there is none.
 */
static size_t returns_to(const struct callstack *stack, const struct arrival *arrival)
{
	struct callstack_frame *frame = stack->top;

	for (size_t n = 1; frame != stack->frames; n++) {
		if (frame->sp != arrival->sp)
			return 0;
		if (frame->kind == FRAME_CALL && frame->return_address == arrival->address)
			return n;
		frame = callstack_below(stack, frame);
	}
	return 0;
}

/* Frames to pop so that a jump arrives in a function that made tail calls; 0 if there is none. */
static size_t jumps_back(const struct callstack *stack, const struct arrival *arrival)
{
	struct callstack_frame *frame = stack->top;

	if (arrival->entry || arrival->nameless)
		return 0;
	for (size_t n = 1; callstack_is_jump(frame); n++) {
		frame = callstack_below(stack, frame);
		if (frame->body == arrival->body)
			return n;
	}
	return 0;
}

/*
 * Frames to pop so that a jump out of a handler on a stack above arrives in a
 * function that it interrupted, or that is active below; 0 if there is none.
 */
static size_t leaves_handler(const struct callstack *stack, const struct arrival *arrival)
{
	struct callstack_frame *frame = stack->top;
	size_t n = 1;

	if (stack->n_above == 0 || arrival->entry)
		return 0;
	for (; frame->kind != FRAME_BOTTOM; n++) {
		if (frame->body == arrival->body)
			return 0;
		frame = callstack_below(stack, frame);
	}
	if (!is_above(frame))
		return 0;
	frame = callstack_below(stack, frame);
	for (; frame->sp < arrival->sp; n++)
		frame = callstack_below(stack, frame);
	return frame->body == arrival->body ? n : 0;
}

static void run_function(struct callstack_frame *frame, const struct arrival *arrival)
{
	frame->function = arrival->function;
	frame->body = arrival->body;
	frame->object = arrival->object;
	frame->plt = arrival->plt;
	frame->pop_on_jump = arrival->pop_on_jump;
}

static void push(struct callstack *stack, const struct arrival *arrival, enum frame_kind kind)
{
	const struct callstack_frame *below = stack->top;
	struct callstack_frame *frame = callstack_above(stack, stack->top);

	*frame = (struct callstack_frame){ .sp = arrival->sp, .kind = (uint8_t)kind };
	if (kind == FRAME_CALL) {
		frame->return_address = arrival->return_address;
		frame->from_below = below->kind != FRAME_BOTTOM && arrival->sp > below->sp;
		stack->has_gone_up |= frame->from_below;
	} else if (below->kind != FRAME_BOTTOM) {
		frame->sp = below->sp;
	}
	frame->resolver = kind == FRAME_JUMP && below->plt && arrival->sp < below->sp;
	run_function(frame, arrival);
	stack->top = frame;
}

/* A bottom goes on from this stack pointer, on the same stack. */
static void move_bottom(struct callstack *stack, uint64_t sp)
{
	struct callstack_frame *bottom = stack->top;
	bool was_above = is_above(bottom);

	bottom->first_sp = sp;
	if (was_above)
		bottom->sp = sp + WORD_SIZE;
	else
		stack->n_above += is_above(bottom);
}

/* The first arrival in a bottom. */
static void start(struct callstack *stack, const struct arrival *arrival)
{
	struct callstack_frame *bottom = stack->top;
	uint64_t after_return = arrival->sp + WORD_SIZE;

	/* A handler on another stack, above the interrupted one. */
	if (bottom->sp < after_return)
		bottom->sp = after_return;
	bottom->first_sp = arrival->sp;
	stack->n_above += is_above(bottom);
	run_function(bottom, arrival);
}

static bool is_of(const struct callstack_frame *frame, const struct arrival *arrival)
{
	return callstack_is_of(frame, arrival->body,
			       callstack_stray(arrival->object, arrival->nameless, arrival->plt));
}

static bool underflows(const struct callstack_frame *top, const struct arrival *arrival)
{
	return top->kind == FRAME_BOTTOM && arrival->sp > top->first_sp;
}

/* True if a jump between functions takes the frame on top away. */
static bool is_left_by_jump(const struct callstack_frame *top, const struct arrival *arrival)
{
	return top->kind != FRAME_BOTTOM && top->body != arrival->body &&
	       (top->pop_on_jump || (top->resolver && top->sp == arrival->sp));
}

/* True if an arrival in code of the function on top is a call of it nevertheless. */
static bool is_entered_again(const struct callstack_frame *top, const struct arrival *arrival)
{
	if (!arrival->entry)
		return false;
	return top->function != arrival->function ||
	       (top->kind != FRAME_BOTTOM && arrival->sp < top->sp);
}

/* Frames to pop so that a jump into another body arrives where it was called from; or 0. */
static size_t goes_back(const struct callstack *stack, const struct arrival *arrival)
{
	size_t n = jumps_back(stack, arrival);

	return n > 0 ? n : leaves_handler(stack, arrival);
}

/* A jump, or what is left to do for a return or call; step->n_pops frames are gone. */
static void jump(struct callstack *stack, const struct arrival *arrival, struct step *step)
{
	bool left = step->n_pops == 0 && is_left_by_jump(stack->top, arrival);

	if (arrival->nameless && is_of(stack->top, arrival))
		return;
	if (left) {
		pop(stack);
		step->n_pops = 1;
	}
	if (stack->top->body == arrival->body) {
		if (left ? !arrival->entry
			 : step->n_pops > 0 || !is_entered_again(stack->top, arrival))
			return;
	} else {
		size_t n_back = goes_back(stack, arrival);

		callstack_pop(stack, n_back);
		step->n_pops += n_back;
		if (n_back > 0)
			return;
	}
	push(stack, arrival, FRAME_JUMP);
	step->kind = STEP_PUSH;
	step->from_popped = step->n_pops > 0;
}

static void call(struct callstack *stack, const struct arrival *arrival, struct step *step)
{
	if (!arrival->entry && stack->top->body == arrival->body)
		return;
	push(stack, arrival, FRAME_CALL);
	step->kind = STEP_PUSH;
}

/* --- switches of stacks ------------------------------------------------------------ */

/* The stack pointer when the function of the frame began. */
static uint64_t sp_of(const struct callstack_frame *frame)
{
	return frame->kind == FRAME_BOTTOM ? frame->first_sp : frame->sp;
}

static bool are_near(uint64_t a, uint64_t b)
{
	return a - b + NEAR <= UINT64_C(2) * NEAR;
}

bool callstack_is_near(const struct callstack *stack, uint64_t sp)
{
	return are_near(sp, sp_of(stack->top));
}

static bool is_in_mapping(const struct arrival *arrival, uint64_t address)
{
	return address >= arrival->low && address < arrival->high;
}

static bool is_return_to(const struct callstack_frame *frame, const struct arrival *arrival)
{
	return frame->kind == FRAME_CALL && frame->sp + WORD_SIZE == arrival->sp &&
	       frame->return_address == arrival->address;
}

/* True if a call is made by the function on top, which has moved its stack pointer to a stack above. */
static bool calls_above(const struct callstack *stack, const struct arrival *arrival)
{
	const struct callstack_frame *top = stack->top;

	return arrival->kind == ARRIVAL_CALL && top->kind != FRAME_BOTTOM &&
	       top->body == arrival->from && arrival->sp > top->sp &&
	       !are_near(arrival->sp, top->sp);
}

bool callstack_stays(const struct callstack *stack, const struct arrival *arrival)
{
	struct callstack_frame *frame = stack->top;
	uint64_t left = sp_of(frame); /* of the last frame that the stack pointer has left */

	if (frame->function == CALLSTACK_NO_FUNCTION || are_near(arrival->sp, left))
		return true;
	if (arrival->sp < left)
		return is_of(frame, arrival);
	for (; frame != stack->frames && frame->sp < arrival->sp;
	     frame = callstack_below(stack, frame)) {
		left = frame->sp;
		if (is_return_to(frame, arrival))
			return true;
	}
	if (are_near(arrival->sp, left))
		return true;
	if (frame == stack->frames && arrival->sp > frame->first_sp) {
		if (are_near(arrival->sp, frame->first_sp))
			return true;
		return !stack->is_whole && !arrival->entry &&
		       is_in_mapping(arrival, frame->first_sp);
	}
	return is_in_mapping(arrival, sp_of(frame)) && is_of(frame, arrival);
}

/*
 * False if no call on the stack can have this stack pointer after its return. Among a thousand
 * stacks that were left, an arrival is on one, and only the frames of that one are searched.
 */
static bool may_have_call(const struct callstack *stack, uint64_t sp)
{
	return stack->has_gone_up ||
	       (stack->top != stack->frames && sp - WORD_SIZE >= stack->top->sp &&
		sp - WORD_SIZE <= callstack_above(stack, stack->frames)->sp);
}

enum resumption callstack_resumption(const struct callstack *stack, const struct arrival *arrival,
				     size_t *n_pops)
{
	const struct callstack_frame *first = stack->frames;
	struct callstack_frame *frame = stack->top;
	size_t n = 1;

	if (!may_have_call(stack, arrival->sp))
		n = MOST_LEFT + 1;
	for (; frame != first && n <= MOST_LEFT; n++) {
		if (is_return_to(frame, arrival)) {
			*n_pops = n;
			return RESUMES_EXACTLY;
		}
		frame = callstack_below(stack, frame);
	}
	if (arrival->entry || arrival->sp > first->first_sp + WORD_SIZE)
		return RESUMES_NOT;
	frame = stack->top;
	if (arrival->sp < sp_of(frame) && !are_near(arrival->sp, sp_of(frame)))
		return RESUMES_NOT;
	for (n = 0; frame->sp < arrival->sp; n++)
		frame = callstack_below(stack, frame);
	*n_pops = n;
	return is_of(frame, arrival) ? RESUMES_WITHIN : RESUMES_NOT;
}

bool callstack_is_replaced(const struct callstack *stack, uint64_t first_sp)
{
	return stack->is_whole &&
	       first_sp - stack->frames->first_sp + SAME_END <= UINT64_C(2) * SAME_END;
}

bool callstack_copied(struct callstack *stack, const struct arrival *arrival, size_t *n_pops)
{
	struct callstack_frame *frame = stack->top;
	uint64_t distance;

	if (!stack->is_whole || arrival->entry)
		return false;
	for (size_t n = 1; frame->kind != FRAME_CALL || frame->return_address != arrival->address;
	     n++) {
		if (frame == stack->frames || n == MOST_LEFT)
			return false;
		frame = callstack_below(stack, frame);
	}
	*n_pops = callstack_depth(stack) - callstack_number(stack, frame) + 1;
	distance = arrival->sp - frame->sp - WORD_SIZE;
	frame = callstack_below(stack, frame);
	if (!is_of(frame, arrival) || frame->kind != FRAME_CALL ||
	    frame->return_address != arrival->return_address)
		return false;
	for (; frame != stack->frames; frame = callstack_below(stack, frame))
		frame->sp += distance;
	frame->first_sp += distance;
	return true;
}

/* --- arrivals ------------------------------------------------------------------------ */

struct step callstack_arrive(struct callstack *stack, const struct arrival *arrival)
{
	struct step step = { STEP_STAY, 0, false };

	if (calls_above(stack, arrival)) {
		call(stack, arrival, &step);
		return step;
	}
	/* A handler's bottom may be about to move to another stack: see start(). */
	if (stack->top->function != CALLSTACK_NO_FUNCTION)
		step.n_pops = unwind(stack, arrival->sp);
	if (stack->top->function == CALLSTACK_NO_FUNCTION) {
		start(stack, arrival);
		step.kind = STEP_START;
		return step;
	}
	if (arrival->kind == ARRIVAL_CALL) {
		call(stack, arrival, &step);
		return step;
	}
	if (step.n_pops == 0 && arrival->kind == ARRIVAL_RETURN) {
		step.n_pops = returns_to(stack, arrival);
		callstack_pop(stack, step.n_pops);
	}
	if ((arrival->kind == ARRIVAL_RETURN || step.n_pops > 0) &&
	    underflows(stack->top, arrival) && (step.n_pops == 0 || !is_of(stack->top, arrival))) {
		run_function(stack->top, arrival);
		move_bottom(stack, arrival->sp);
		step.kind = STEP_UNDERFLOW;
		return step;
	}
	jump(stack, arrival, &step);
	return step;
}

enum step_kind callstack_seed(struct callstack *stack, const struct arrival *arrival)
{
	if (stack->top->function == CALLSTACK_NO_FUNCTION) {
		start(stack, arrival);
		return STEP_START;
	}
	push(stack, arrival, arrival->kind == ARRIVAL_CALL ? FRAME_CALL : FRAME_JUMP);
	return STEP_PUSH;
}

void callstack_signal(struct callstack *stack, uint64_t sp)
{
	struct callstack_frame *frame = callstack_above(stack, stack->top);

	/* One less: gone as soon as the stack pointer is back. */
	*frame = (struct callstack_frame){ .sp = sp - 1, .kind = FRAME_BOTTOM };
	stack->top = frame;
}

size_t callstack_signal_return(struct callstack *stack)
{
	struct callstack_frame *bottom = stack->top;
	size_t n = 1;

	for (; bottom->kind != FRAME_BOTTOM; n++)
		bottom = callstack_below(stack, bottom);
	if (bottom == stack->frames)
		return 0;
	callstack_pop(stack, n);
	return n;
}
