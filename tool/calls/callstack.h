/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shadow call stack: which functions are active, judged by jumps, calls,
 * returns and the stack pointer alone.  It holds no costs and no names; its
 * user keeps them beside it, frame by frame.
 *
 * What it knows of a function are two numbers:
 *
 *	function	what is entered: one symbol, or for code without symbols one
 *			address that was called
 *	body		code between which control may jump without leaving the
 *			function: a function and its cold part have one body, and so
 *			has all code without symbols of one section of one object
 *
 * The user reports each *arrival* of control in a piece of code that is not
 * simply the next one of the function that runs.  The rules:
 *
 *	call	pushes a frame.  A call into the midst of the function that runs
 *		(it fetches the program counter) does not.
 *	return	pops every frame that the stack pointer has left, if it has left
 *		the top one.  With an unchanged stack pointer it must hit the
 *		return address of a frame; otherwise it is a jump.
 *	jump	pops the frames that the stack pointer has left (longjmp,
 *		exceptions).  Then
 *		- inside one body nothing more happens: loops, cold parts; nor if
 *		  it goes to code without symbols in the same object, which is
 *		  taken for a part of the function that comes there;
 *		- to the first instruction of another function, or into another
 *		  body, it is a *tail call*: a frame with the stack pointer of the
 *		  one below, so that both go at once;
 *		- back into a function that is active just below by tail calls,
 *		  not to its start, it is a return; but code without symbols may
 *		  as well be another function, and stubs always are;
 *		- out of a handler whose stack lies above the one that it
 *		  interrupted, not to a start, into a function that is active there
 *		  once the frames that the stack pointer has left are taken off,
 *		  it is a return too: a longjmp.
 *	signal	pushes a *bottom*: the handler has no caller, and its frames are
 *		gone at sigreturn, or when the stack pointer is where it was
 *		before the signal or beyond (longjmp).
 *
 * All that is of one stack.  Others, of coroutines, have a callstack each, and their
 * user goes over from one to another.  A jump or return *switches* stacks if it goes
 *	- to where a call on a stack that was left before returns to;
 *	- or, if the rules cannot explain it, into a function that is active on one;
 *	- or, if it goes far from the frames there are, or into another mapping, to a
 *	  new stack, with a bottom.
 * Where stacks lie does not matter.  A call does not switch: who moves the stack pointer
 * elsewhere and calls is the caller, be it to a place below or above (from_below).
 *
 * A return from a bottom (the program was under way before it was watched)
 * *underflows*: the function returned to takes its place and is said to have
 * called the one that was there.
 *
 * The dynamic linker's resolver is recognised by what it does: a jump out of a
 * procedure linkage table brings it in with words pushed on top of the return
 * address, and it jumps off with these gone.  The function that it found is
 * then called from where the table was.
 */
#ifndef TOOL_CALLS_CALLSTACK_H
#define TOOL_CALLS_CALLSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CALLSTACK_NO_FUNCTION = 0,
};

enum frame_kind {
	FRAME_BOTTOM, /* has no caller: the first frame, or a signal handler */
	FRAME_CALL,
	FRAME_JUMP,    /* a tail call */
	FRAME_WATCHED, /* likewise; callstack_exact_return() does not pop it */
};

struct callstack_frame {
	uint64_t sp; /* gone as soon as the stack pointer is larger */
	union {
		uint64_t return_address; /* of a FRAME_CALL; of a FRAME_JUMP 0 */
		uint64_t first_sp;       /* of a bottom: stack pointer when it was entered */
	};
	uint32_t function; /* CALLSTACK_NO_FUNCTION: nothing ran in it yet */
	uint32_t body;
	uint32_t object;      /* that function is in */
	uint8_t kind;         /* enum frame_kind */
	bool plt;             /* in a procedure linkage table */
	bool resolver;        /* came from there with words pushed */
	bool pop_on_jump : 1; /* a jump out of it takes its frame away */
	bool from_below : 1;  /* called on another stack, above the one that the caller is on */
};

/*
 * Invariant: frames <= top <= last; the first frame is a bottom that is never
 * popped.  Frames are stride bytes apart, so that the user can keep what
 * belongs to a frame right behind it.
 */
struct callstack {
	struct callstack_frame *frames; /* the first one, in the caller's memory */
	struct callstack_frame *top;    /* the last one in use */
	struct callstack_frame *last;   /* the last one there is memory for */
	size_t stride;
	size_t n_above; /* handlers in use on stacks above what they interrupted */
	bool is_whole; /* seen since its first instruction: the first frame's first_sp is its end */
	/* Some frame was from_below.  If none was, no frame above the first has a larger sp than the one below it. */
	bool has_gone_up;
};

/* Frame number i, from 0. */
static inline struct callstack_frame *callstack_frame(const struct callstack *stack, size_t i)
{
	return (void *)((char *)stack->frames + i * stack->stride);
}

/* The frame below another; the one above it, in use or not. */
static inline struct callstack_frame *callstack_below(const struct callstack *stack,
						      struct callstack_frame *frame)
{
	return (void *)((char *)frame - stack->stride);
}

static inline struct callstack_frame *callstack_above(const struct callstack *stack,
						      struct callstack_frame *frame)
{
	return (void *)((char *)frame + stack->stride);
}

/* Frames from the first one up to this one. */
static inline size_t callstack_number(const struct callstack *stack,
				      const struct callstack_frame *frame)
{
	return (size_t)((const char *)frame - (const char *)stack->frames) / stack->stride + 1;
}

/* Frames in use. */
static inline size_t callstack_depth(const struct callstack *stack)
{
	return callstack_number(stack, stack->top);
}

/* Takes the frame on top, which is not a bottom, away. */
static inline void callstack_drop(struct callstack *stack)
{
	stack->top = callstack_below(stack, stack->top);
}

enum arrival_kind {
	ARRIVAL_CALL,
	ARRIVAL_RETURN,
	ARRIVAL_JUMP, /* also falling through, and all that is neither */
};

/* Control arrived at address. */
struct arrival {
	enum arrival_kind kind;
	uint64_t sp; /* now: after a call pushed, after a return popped */
	uint64_t address;
	uint64_t return_address; /* of a call; of a jump or return that is far, the word on the stack */
	uint32_t function;       /* that has address, not CALLSTACK_NO_FUNCTION */
	uint32_t body;
	uint32_t object; /* 1.. */
	bool entry;      /* address is the first instruction of function */
	bool nameless;   /* without symbols: where functions start is unknown */
	bool plt;
	bool pop_on_jump; /* a property of function */
	uint32_t from;    /* of a call: the body that made it */
	/* The mapping that sp is in: from low up to high.  Only where callstack_is_near() is false. */
	uint64_t low, high;
};

enum step_kind {
	STEP_STAY,      /* the function on top goes on */
	STEP_START,     /* the bottom on top had no function and has one now */
	STEP_PUSH,      /* a frame was pushed */
	STEP_UNDERFLOW, /* the bottom on top has another function now, the caller of the old one */
};

/* What became of an arrival: n_pops first, then the rest. */
struct step {
	enum step_kind kind;
	size_t n_pops;
	/*
	 * Of STEP_PUSH: the call is made from where the frame popped last was
	 * called, not from the instruction that brought control here.
	 */
	bool from_popped;
};

/*
 * Makes a stack with its first bottom in the caller's memory: room (1 or more)
 * frames, stride bytes apart (a multiple of 8, at least the size of one).
 */
void callstack_init(struct callstack *stack, struct callstack_frame *frames, size_t stride,
		    size_t room);

/* The same for n frames that were on another stack; the first one becomes the bottom. */
void callstack_init_above(struct callstack *stack, struct callstack_frame *frames, size_t stride,
			  size_t room, size_t n);

/* The caller moved the frames to a larger place. */
void callstack_moved(struct callstack *stack, struct callstack_frame *frames, size_t room);

/* Takes an arrival and returns its effect.  There must be room for one frame more. */
struct step callstack_arrive(struct callstack *stack, const struct arrival *arrival);

/*
 * A call, or a jump, that was made before the stack was watched: to the function that
 * is next on the real stack, from the outermost to the innermost, on top of a bottom.
 * It is described like an arrival, by its kind, the stack pointer (of a call after it
 * had pushed; of the bottom's function, which nobody called as far as is known, any that
 * it had since), the return address, and what describes the function.  There must
 * be room for one frame more.  Returns STEP_START or STEP_PUSH.
 */
enum step_kind callstack_seed(struct callstack *stack, const struct arrival *arrival);

/* A signal is delivered at this stack pointer.  There must be room for one frame more. */
void callstack_signal(struct callstack *stack, uint64_t sp);

/* --- switches of stacks ------------------------------------------------------------ */

/* True if the stack pointer is too close to the frame on top to be of another stack. */
bool callstack_is_near(const struct callstack *stack, uint64_t sp);

/*
 * True if the rules above explain a jump or return on this stack.  If they do not, and no stack that was
 * left is resumed by it, a new stack has begun.
 */
bool callstack_stays(const struct callstack *stack, const struct arrival *arrival);

/* How an arrival goes on with a stack that was left. */
enum resumption {
	RESUMES_NOT,
	RESUMES_WITHIN,  /* in a function that is active there (setjmp(), getcontext()) */
	RESUMES_EXACTLY, /* where a call on it returns to */
};

/* Frames that are over then: *n_pops. */
enum resumption callstack_resumption(const struct callstack *stack, const struct arrival *arrival,
				     size_t *n_pops);

/* True if a stack has begun where this one, a whole one, did, which is over then. */
bool callstack_is_replaced(const struct callstack *stack, uint64_t first_sp);

/*
 * A stack was copied to another place, to have more room (Go): control comes back to the function
 * that has called for that, whose return address is on the stack.  If the arrival is such a one,
 * has the frames be there and returns true; then the *n_pops uppermost are over, to be popped by
 * the caller.
 */
bool callstack_copied(struct callstack *stack, const struct arrival *arrival, size_t *n_pops);

/* Takes the n frames on top away, as far as it is known elsewhere that they are over. */
void callstack_pop(struct callstack *stack, size_t n);

/*
 * The handler returned to the kernel: pops its frames and its bottom.
 * Returns how many; 0 if no handler is active.
 */
size_t callstack_signal_return(struct callstack *stack);

/* --- the same for plain cases, without a call ------------------------------------ */

/*
 * Whether code is of the function of a frame: if it is of its body, or has no
 * symbols and is in the object with the number stray (else 0), as the function is.
 */
static inline bool callstack_is_of(const struct callstack_frame *frame, uint32_t body,
				   uint32_t stray)
{
	return frame->body == body ||
	       (stray != 0 && frame->object == stray && !frame->plt && !frame->resolver);
}

/* What callstack_is_of() needs to know of code. */
static inline uint32_t callstack_stray(uint32_t object, bool nameless, bool plt)
{
	return nameless && !plt ? object : 0;
}

/*
 * Whether a jump, not to the first instruction of a function with symbols,
 * stays in the function on top and pops nothing.
 */
static inline bool callstack_plain_jump(const struct callstack *stack, uint64_t sp, uint32_t body,
					uint32_t stray)
{
	return stack->top->sp >= sp && stack->top->function != CALLSTACK_NO_FUNCTION &&
	       callstack_is_of(stack->top, body, stray);
}

/*
 * Frames that a return to this code pops, if it leaves some and does
 * nothing else; otherwise 0, and callstack_arrive() must be asked.  The caller
 * drops them.
 */
static inline size_t callstack_plain_return(const struct callstack *stack, uint64_t sp,
					    uint32_t body, uint32_t stray)
{
	struct callstack_frame *frame = stack->top;
	size_t n = 0;

	while (frame->sp < sp) {
		bool from_below = frame->from_below;

		if (frame->kind == FRAME_BOTTOM)
			return 0;
		frame = callstack_below(stack, frame);
		n++;
		if (from_below)
			break;
	}
	return callstack_is_of(frame, body, stray) ? n : 0;
}

/*
 * The last frame that a return to an address pops, if it returns exactly to
 * where this one was called from and leaves no other; otherwise NULL.  The
 * code there must be known to be of the function that called:
 * callstack_is_of().
 */
static inline struct callstack_frame *callstack_exact_return(const struct callstack *stack,
							     uint64_t sp, uint64_t address)
{
	struct callstack_frame *frame = stack->top;

	for (; frame->kind == FRAME_JUMP; frame = callstack_below(stack, frame))
		if (frame->sp >= sp)
			return NULL;
	if (frame->kind != FRAME_CALL || frame->return_address != address || frame->sp >= sp ||
	    callstack_below(stack, frame)->sp < sp)
		return NULL;
	return frame;
}

static inline bool callstack_is_jump(const struct callstack_frame *frame)
{
	return frame->kind == FRAME_JUMP || frame->kind == FRAME_WATCHED;
}

/*
 * Whether a call or jump (kind), from code of the function on top, that pushed
 * a frame before and popped none, does so again.  entry and nameless are as they were then; a
 * jump out of a resolver is not to be asked about.
 */
static inline bool callstack_pushes_again(const struct callstack *stack,
					  const struct callstack_frame *before,
					  enum frame_kind kind, uint64_t sp, bool entry,
					  bool nameless)
{
	const struct callstack_frame *top = stack->top;

	if (top->sp < sp)
		return false;
	if (kind == FRAME_CALL)
		return true;
	if (top->pop_on_jump || top->resolver ||
	    callstack_is_of(top, before->body,
			    callstack_stray(before->object, nameless, before->plt)))
		return false;
	/* Into code without symbols no jump is taken for a return. */
	return entry || ((nameless || !callstack_is_jump(top)) && stack->n_above == 0);
}

/*
 * Pushes that frame: the caller has copied the one that was pushed before to
 * where the next one is, for which there must be room.
 */
static inline void callstack_push_again(struct callstack *stack, enum frame_kind kind, uint64_t sp)
{
	struct callstack_frame *below = stack->top;
	struct callstack_frame *frame = callstack_above(stack, below);

	stack->top = frame;
	frame->sp = sp;
	if (kind == FRAME_CALL)
		return;
	frame->resolver = below->plt && sp < below->sp;
	if (below->kind != FRAME_BOTTOM)
		frame->sp = below->sp;
}

#endif
