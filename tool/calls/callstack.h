/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shadow call stack: which functions are active, judged by jumps, calls, returns and the stack
 * pointer alone. It holds no costs and no names; its user keeps them with each frame.
 *
 * It knows two numbers of each function:
 *
 *	function	what is entered: one symbol, or for code without symbols one
 *			address that was called
 *	body		code within which control may jump without leaving the
 *			function: a function and its cold part share a body, as does
 *			all code without symbols of one section of one object
 *
 * The user reports each *arrival* of control in code that is not simply the next piece of the
 * function that runs. The rules:
 *
 *	call	pushes a frame.  A call into the middle of the function that runs
 *		(to fetch the program counter) does not.
 *	return	pops every frame that the stack pointer has left, if it has left
 *		the top one.  With an unchanged stack pointer it must hit the
 *		return address of a frame; otherwise it is a jump.
 *	jump	pops the frames that the stack pointer has left (longjmp,
 *		exceptions).  Then
 *		- within one body nothing more happens: loops, cold parts.  The
 *		  same goes for code without symbols in the same object, which
 *		  is taken for a part of the function that jumps there;
 *		- to the first instruction of another function, or into another
 *		  body, it is a *tail call*: a frame with the stack pointer of the
 *		  one below, so that both go at once;
 *		- back into a function that is active just below by tail calls,
 *		  not to its start, it is a return; but code without symbols may
 *		  be another function, and stubs always are;
 *		- out of a handler whose stack is above the one that it
 *		  interrupted, not to a start, into a function that is active there
 *		  once the frames that the stack pointer has left are taken off,
 *		  it is a return too: a longjmp.
 *	signal	pushes a *bottom*: the handler has no caller, and its frames are
 *		gone at sigreturn, or when the stack pointer is where it was
 *		before the signal or beyond (longjmp).
 *
 * All this is about one stack. Other stacks, such as coroutines', have a callstack each, and the
 * user of this module switches between them. A jump or return *switches* stacks if it goes
 *	- to where a call on a stack that was left before returns to;
 *	- or, if the rules cannot explain it, into a function that is active on one;
 *	- or, if it goes far from the frames there are, or into another mapping, to a
 *	  new stack, with a bottom.
 * It does not matter where stacks are. A call does not switch: code that moves the stack pointer
 * elsewhere, below or above (from_below), and calls is the caller.
 *
 * A return from a bottom (the program was under way before it was watched) *underflows*: the
 * function returned to takes its place, and counts as the caller of the one that was there.
 *
 * The dynamic linker's resolver is recognised by what it does: it is jumped to from a procedure
 * linkage table with words pushed on top of the return address, and it jumps off with these gone.
 * The function that it found is then called from where the table was.
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
	FRAME_WATCHED, /* a tail call that callstack_exact_return() does not pop */
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
	bool from_below : 1;  /* called on another stack, above the caller's */
};

/*
 * Invariant: frames <= top <= last; the first frame is a bottom that is never popped. Frames are
 * stride bytes apart, so that the user can keep data of its own after each frame.
 */
struct callstack {
	struct callstack_frame *frames; /* the first one, in the caller's memory */
	struct callstack_frame *top;    /* the last one in use */
	struct callstack_frame *last;   /* the last one there is memory for */
	size_t stride;
	size_t n_above; /* active handlers on stacks above what they interrupted */
	bool is_whole; /* watched since its first instruction: the first frame's first_sp is its end */
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

/* The number of frames up to this one. */
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

/* Pops the frame on top, which must not be a bottom. */
static inline void callstack_drop(struct callstack *stack)
{
	stack->top = callstack_below(stack, stack->top);
}

enum arrival_kind {
	ARRIVAL_CALL,
	ARRIVAL_RETURN,
	ARRIVAL_JUMP, /* also falling through, and everything else */
};

/* Control arrived at address. */
struct arrival {
	enum arrival_kind kind;
	uint64_t sp; /* now: after a call pushed, after a return popped */
	uint64_t address;
	uint64_t return_address; /* of a call; for a far jump or return, the word on the stack */
	uint32_t function;       /* the function at address, not CALLSTACK_NO_FUNCTION */
	uint32_t body;
	uint32_t object; /* 1.. */
	bool entry;      /* address is the first instruction of function */
	bool nameless;   /* without symbols: where functions start is unknown */
	bool plt;
	bool pop_on_jump; /* a property of function */
	uint32_t from;    /* for a call: the body that made it */
	/* The mapping of sp, low <= sp < high; only if callstack_is_near() is false. */
	uint64_t low, high;
};

enum step_kind {
	STEP_STAY,      /* the function on top goes on */
	STEP_START,     /* the bottom on top had no function and has one now */
	STEP_PUSH,      /* a frame was pushed */
	STEP_UNDERFLOW, /* the bottom on top has another function now, the caller of the old one */
};

/* The effect of an arrival: n_pops frames are popped first, then the rest happens. */
struct step {
	enum step_kind kind;
	size_t n_pops;
	/*
	 * For STEP_PUSH: the call is made from where the frame popped last was called, not from the
	 * instruction that brought control here.
	 */
	bool from_popped;
};

/*
 * Initializes a stack with its first bottom in the caller's memory: room (1 or more) frames, stride
 * bytes apart (a multiple of 8, at least the size of one).
 */
void callstack_init(struct callstack *stack, struct callstack_frame *frames, size_t stride,
		    size_t room);

/* The same with n frames that were on another stack; the first becomes the bottom. */
void callstack_init_above(struct callstack *stack, struct callstack_frame *frames, size_t stride,
			  size_t room, size_t n);

/* The caller has moved the frames to a larger place. */
void callstack_moved(struct callstack *stack, struct callstack_frame *frames, size_t room);

/* Applies an arrival and returns its effect. There must be room for another frame. */
struct step callstack_arrive(struct callstack *stack, const struct arrival *arrival);

/*
 * Adds a call or jump that was made before the stack was watched: to the function that is next on
 * the real stack, from the outermost to the innermost, on top of a bottom. It is described like an
 * arrival, by its kind, the stack pointer (for a call after its push; for the function of the
 * bottom, whose caller is not known, any that it has had since), the return address, and what
 * describes the function. There must be room for another frame. Returns STEP_START or STEP_PUSH.
 */
enum step_kind callstack_seed(struct callstack *stack, const struct arrival *arrival);

/* A signal is delivered at this stack pointer. There must be room for another frame. */
void callstack_signal(struct callstack *stack, uint64_t sp);

/* --- switches of stacks ------------------------------------------------------------ */

/* True if the stack pointer is too close to the frame on top to be on another stack. */
bool callstack_is_near(const struct callstack *stack, uint64_t sp);

/*
 * True if the rules above explain a jump or return on this stack. If they do not, and it does not
 * resume a stack that was left, a new stack has begun.
 */
bool callstack_stays(const struct callstack *stack, const struct arrival *arrival);

/* How an arrival resumes a stack that was left. */
enum resumption {
	RESUMES_NOT,
	RESUMES_WITHIN,  /* in a function that is active there (setjmp(), getcontext()) */
	RESUMES_EXACTLY, /* where a call on it returns to */
};

/* How an arrival resumes this stack; then *n_pops frames are over. */
enum resumption callstack_resumption(const struct callstack *stack, const struct arrival *arrival,
				     size_t *n_pops);

/* True if a new stack begins where this one, a whole one, did: this one is over. */
bool callstack_is_replaced(const struct callstack *stack, uint64_t first_sp);

/*
 * True if the stack was copied to another place, to have more room (Go): control comes back to the
 * function that has called for that, and that function's return address is on the stack. Then the
 * frames have been moved there, and the caller has to pop the *n_pops uppermost.
 */
bool callstack_copied(struct callstack *stack, const struct arrival *arrival, size_t *n_pops);

/* Pops the n frames on top, which are known to be over for other reasons. */
void callstack_pop(struct callstack *stack, size_t n);

/* The handler on top returned to the kernel: pops its frames. Returns how many; 0: no handler. */
size_t callstack_signal_return(struct callstack *stack);

/* --- the same for plain cases, without a call ------------------------------------ */

/*
 * True if code belongs to the function of a frame: it has the same body, or it has no symbols and
 * is in the object with the number stray (else 0), as the function is.
 */
static inline bool callstack_is_of(const struct callstack_frame *frame, uint32_t body,
				   uint32_t stray)
{
	return frame->body == body ||
	       (stray != 0 && frame->object == stray && !frame->plt && !frame->resolver);
}

/* The stray of code for callstack_is_of(). */
static inline uint32_t callstack_stray(uint32_t object, bool nameless, bool plt)
{
	return nameless && !plt ? object : 0;
}

/*
 * True if a jump, not to the first instruction of a function with symbols, stays in the function on
 * top and pops nothing.
 */
static inline bool callstack_plain_jump(const struct callstack *stack, uint64_t sp, uint32_t body,
					uint32_t stray)
{
	return stack->top->sp >= sp && stack->top->function != CALLSTACK_NO_FUNCTION &&
	       callstack_is_of(stack->top, body, stray);
}

/*
 * The number of frames that a return to this code pops, if it pops some and does nothing else; the
 * caller drops them. Otherwise 0: callstack_arrive() must decide.
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
 * The last frame that a return to an address pops, if it goes exactly to where this frame was
 * called from and leaves no other; otherwise NULL. The code there must be known to belong to the
 * function that called: callstack_is_of().
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
 * True if a call or jump (kind) from code of the function on top, which pushed a frame before and
 * popped none, does so again. entry and nameless are as they were then. Not for jumps out of a
 * resolver.
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
	/* A jump into code without symbols is never taken for a return. */
	return entry || ((nameless || !callstack_is_jump(top)) && stack->n_above == 0);
}

/*
 * Pushes that frame. The caller has copied the one pushed before to the next place, for which there
 * must be room.
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
