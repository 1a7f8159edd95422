/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	real stack, down	stack pointer	what becomes of it
 *
 *	handler			h		in the bottom of a signal, on top
 *	(interrupts)
 *	f			sp		frame, sp S' - 8
 *	(is called by)
 *	main			S'		frame, sp S - 8
 *	(is called by)
 *	_start			S		the thread's bottom
 *
 * The stack pointer of a caller is that after the return, and so the callee's
 * frame is gone as soon as it is there.
 *
 * A function that ended in a tail call is on no stack.  If the call was direct, it says which
 * one it was, but not where it jumped from: from its beginning, it is said.  After a
 * call through a pointer, the function jumped to is taken for called.
 */
#include "tool/calls/calls.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "isa/x86/bytes.h"
#include "tool/calls/arc.h"
#include "tool/calls/callhook.h"
#include "tool/calls/state.h"
#include "tool/common/guest.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

/* -- return addresses on the stack ----------------------------------------- */

/*
 * The stack of a thread as it is in the program's memory: which functions are
 * active.  Read by unwind information alone, and only as far as each return
 * address has a call instruction before it, so that no function is there that
 * called nothing: frame pointers, which may hold anything, are not followed.
 * The frame of a signal handler is known by what handlers return to, and what it
 * interrupted follows.
 *
 * VG_(get_StackTrace) would follow frame pointers where there is no unwind
 * information, skip a function then, or make one up; it also leaves frames out
 * if the user wants it to (--merge-recursive-frames).  So its first step, by unwind
 * information, is taken here frame by frame.
 */

enum unwind_end {
	UNWIND_CALLS,       /* it is called by the next frame */
	UNWIND_INTERRUPTED, /* a signal handler: it interrupted the next frame */
	UNWIND_UNKNOWN,     /* nothing is known below it: the last frame */
};

struct unwind_frame {
	Addr address; /* in it: of the instruction that it runs, or of the call that it is in */
	Addr resume;  /* where it goes on: the same, or behind the call */
	Addr target;  /* of that call, if it is direct; or 0 */
	UInt size;    /* bytes of the call; of the innermost and what is interrupted 1 */
	Addr sp;      /* its stack pointer there: when what it calls has returned */
	enum unwind_end end;
};

enum {
	/*
	 * The main thread's 8 MiB, with two words each, are half of that; corrupt ones are endless.
	 */
	MAX_FRAMES = 1U << 20,
	FIRST_ROOM = 64,
};

/*
 * What unwinding starts from; as the core has it on amd64, where it is not in its public headers.
 */
typedef struct {
	Addr xip, xsp, xbp;
} D3UnwindRegs;

/*
 * Steps to the caller; False if it is not known how, or would read outside of the addresses given.
 */
extern Bool VG_(use_CF_info)(D3UnwindRegs *registers, Addr first, Addr last);

/* What signal handlers return to, if the C library does not say what; in the core. */
extern Addr VG_(amd64_linux_SUBST_FOR_rt_sigreturn);

/* mov $15, %rax; syscall: the C library's. */
static const UChar sigreturn_code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 };

static bool is_code(uint64_t address)
{
	return VG_(am_is_valid_for_client)(address, 1, VKI_PROT_EXEC);
}

static Bool is_readable(Addr address, SizeT size)
{
	return VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ);
}

static Bool is_sigreturn(Addr address)
{
	if (address == (Addr)&VG_(amd64_linux_SUBST_FOR_rt_sigreturn))
		return True;
	return is_readable(address, sizeof(sigreturn_code)) &&
	       VG_(memcmp)((const void *)address, sigreturn_code, sizeof(sigreturn_code)) == 0;
}

struct unwind_walk {
	D3UnwindRegs registers; /* xip is the address of the frame, not where it goes on */
	struct unwind_frame *frames;
	UInt n, room;
};

static void add_frame(struct unwind_walk *walk, const struct unwind_frame *frame)
{
	if (walk->n == walk->room) {
		walk->room *= 2;
		walk->frames = VG_(realloc)("costgrind.realstack", walk->frames,
					    walk->room * sizeof(walk->frames[0]));
	}
	walk->frames[walk->n++] = *frame;
}

/* The kernel's word for what a handler interrupted is where the stack pointer is on its return. */
static Bool step_out_of_handler(struct unwind_walk *walk)
{
	const struct vki_ucontext *context = (const void *)walk->registers.xsp;
	const struct vki_sigcontext *saved = &context->uc_mcontext;

	if (!is_readable((Addr)context, sizeof(*context)))
		return False;
	walk->registers = (D3UnwindRegs){ saved->rip, saved->rsp, saved->rbp };
	if (!is_code(saved->rip))
		return False;
	walk->frames[walk->n - 1].end = UNWIND_INTERRUPTED;
	add_frame(walk, &(struct unwind_frame){
				.address = saved->rip,
				.resume = saved->rip,
				.size = 1,
				.sp = saved->rsp,
				.end = UNWIND_UNKNOWN,
			});
	return True;
}

/* The registers are those of a caller, xip where it goes on. */
static Bool add_caller(struct unwind_walk *walk)
{
	D3UnwindRegs *registers = &walk->registers;
	Addr resume = registers->xip;
	Addr code = resume - CALLINSN_MAX_SIZE;
	struct callinsn insn;

	if (!is_readable(code, CALLINSN_MAX_SIZE))
		return False;
	insn = callinsn_before((const void *)code, resume, is_code);
	if (insn.size == 0)
		return False;
	registers->xip = resume - insn.size;
	walk->frames[walk->n - 1].end = UNWIND_CALLS;
	add_frame(walk, &(struct unwind_frame){
				.address = registers->xip,
				.resume = resume,
				.target = insn.is_direct ? insn.target : 0,
				.size = (UInt)insn.size,
				.sp = registers->xsp,
				.end = UNWIND_UNKNOWN,
			});
	return True;
}

/* Adds the frame below; False if there is none that is known. */
static Bool step(struct unwind_walk *walk)
{
	D3UnwindRegs *registers = &walk->registers;
	Addr sp = registers->xsp;
	const NSegment *stack = VG_(am_find_nsegment)(sp);

	if (is_sigreturn(registers->xip))
		return step_out_of_handler(walk);
	if (stack == NULL || !is_readable(sp, sizeof(Addr)) ||
	    !VG_(use_CF_info)(registers, sp, stack->end) || registers->xsp <= sp)
		return False;
	if (is_sigreturn(registers->xip))
		return step_out_of_handler(walk);
	return add_caller(walk);
}

/*
 * Reads the stack of a thread whose guest state is up to date, and which goes on at
 * an address.  The innermost frame comes first; there is always that one.  The
 * array is the caller's, to be freed by VG_(free).  Returns how many; stacks deeper
 * than a million frames, with which nothing can be done, have one.
 */
static UInt unwind_stack(ThreadId tid, Addr address, struct unwind_frame **frames)
{
	struct unwind_walk walk = { .room = FIRST_ROOM };
	Addr sp = VG_(get_SP)(tid);

	walk.registers.xbp = guest_read(tid, GUEST_FP);
	walk.registers.xip = address;
	walk.registers.xsp = sp;
	walk.frames = VG_(malloc)("costgrind.realstack", walk.room * sizeof(walk.frames[0]));
	add_frame(&walk, &(struct unwind_frame){
				 .address = address,
				 .resume = address,
				 .size = 1,
				 .sp = sp,
				 .end = UNWIND_UNKNOWN,
			 });
	while (walk.n <= MAX_FRAMES && step(&walk))
		;
	if (walk.n > MAX_FRAMES) {
		walk.n = 1;
		walk.frames[0].end = UNWIND_UNKNOWN;
	}
	*frames = walk.frames;
	return walk.n;
}

/* -- calls of them --------------------------------------------------------- */

enum {
	WORD_SIZE = 8, /* what a call pushes */
};

static struct site *site_at(Addr address, UInt size, struct source_location *place)
{
	symbols_lookup(&tool_symbols, address, NULL, place);
	return sites_find(&tool_counts.sites, address, size, place);
}

/* The first instruction of the function that the address is in, as a symbol has it. */
static struct site *first_site(const struct source_location *place, Addr address)
{
	struct source_location first;

	if (place->function->anonymous)
		return site_at(address, 1, &first);
	return site_at(address - (place->address - place->function->entry), 1, &first);
}

/* Code without symbols is a function of its own where it was called. */
static struct function *function_at(const struct source_location *place, const struct site *first)
{
	const struct source_location begin = site_place(first);

	return place->function->anonymous ? symbols_function_at(&tool_symbols, &begin)
					  : place->function;
}

/* What a direct call called; a stub in between is part of its caller.  False if that is unknown. */
static Bool find_called(Addr target, struct source_location *place, struct seed *seed)
{
	Addr behind_stub;

	if (target == 0)
		return False;
	behind_stub = symbols_stub_target(target);
	if (behind_stub != 0)
		target = behind_stub;
	symbols_lookup(&tool_symbols, target, NULL, place);
	if (place->function->plt)
		return False; /* it has not been found yet: the dynamic linker is at it */
	seed->target = first_site(place, target);
	seed->function = function_at(place, seed->target);
	seed->unit = unit_of_code(seed->target);
	return True;
}

/*
 * A function that was called, or has interrupted what is below, or is the outermost:
 * then caller is NULL.  sp is the stack pointer when it was called, or since.
 */
static void seed_frame(struct thread *thread, const struct unwind_frame *frame,
		       const struct unwind_frame *caller, Addr sp)
{
	struct seed seed = { .sp = sp };
	struct source_location place, called;
	struct site *site = site_at(frame->address, frame->size, &place);

	if (caller != NULL) {
		struct source_location calling;

		seed.site = site_at(caller->address, caller->size, &calling);
		seed.return_address = caller->resume;
		if (find_called(caller->target, &called, &seed)) {
			calls_seed(thread, &seed);
			if (called.function->body == place.function->body)
				return;
			seed = (struct seed){ .site = seed.target, .jumped = True, .sp = sp };
		}
	}
	seed.unit = unit_of_code(site);
	seed.target = first_site(&place, frame->address);
	seed.function = function_at(&place, seed.target);
	calls_seed(thread, &seed);
}

/* Whether collection is on depends on what is active; nothing was entered or left by that. */
static void toggle(void)
{
	hooks_keep_toggles();
	hooks_run();
}

static void seed_frames(struct thread *thread, const struct unwind_frame *frames, UInt n)
{
	/* The outermost: nobody is known to have called it, or to be interrupted by it. */
	seed_frame(thread, &frames[n - 1], NULL, frames[n - 1].sp);
	for (UInt i = n - 1; i-- > 0;) {
		const struct unwind_frame *frame = &frames[i];
		const struct unwind_frame *below = &frames[i + 1];

		if (frame->end == UNWIND_CALLS) {
			seed_frame(thread, frame, below, below->sp - WORD_SIZE);
			continue;
		}
		toggle();
		threads_signal(&tool_calls.threads, tool_counts.hot, below->sp);
		seed_frame(thread, frame, NULL, frame->sp);
	}
	toggle();
}

void stack_seed_do(struct thread *thread, Addr address)
{
	struct unwind_frame *frames;
	UInt n;

	thread->unseeded = False;
	if (callstack_depth(&thread->stack) != 1 ||
	    thread->stack.top->function != CALLSTACK_NO_FUNCTION)
		return;
	n = unwind_stack(thread->number, address, &frames);
	seed_frames(thread, frames, n);
	VG_(free)(frames);
}
