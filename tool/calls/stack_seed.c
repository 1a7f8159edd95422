/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	real stack, down	stack pointer	what it becomes
 *
 *	handler			h		in the bottom of a signal, on top
 *	(interrupts)
 *	f			sp		frame, sp S' - 8
 *	(is called by)
 *	main			S'		frame, sp S - 8
 *	(is called by)
 *	_start			S		the thread's bottom
 *
 * A caller's stack pointer is its value after the return, so the callee's frame is gone as soon as
 * the stack pointer is there.
 *
 * A function that ended in a tail call is on no stack. If it was called directly, the call
 * instruction says which function it was, but not where it jumped from: its first instruction is
 * assumed. After a call through a pointer, the function jumped to is taken for the one called.
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
 * The functions that are active on a thread's stack in the program's memory. It is read by unwind
 * information alone, and only as long as there is a call instruction before each return address, so
 * that no function appears that called nothing. Frame pointers, which may hold anything, are not
 * followed. A signal handler is recognised by the address that it returns to; what it interrupted
 * comes next.
 *
 * VG_(get_StackTrace) would follow frame pointers where unwind information is missing, and skip a
 * function or make one up; it also leaves out frames if the user wants it to
 * (--merge-recursive-frames). So only its first step, by unwind information, is taken here, frame
 * by frame.
 */

enum unwind_end {
	UNWIND_CALLS,       /* it is called by the next frame */
	UNWIND_INTERRUPTED, /* a signal handler: it interrupted the next frame */
	UNWIND_UNKNOWN,     /* the last frame: nothing is known below it */
};

struct unwind_frame {
	Addr address; /* of the instruction that it runs, or of the call that it is in */
	Addr resume;  /* where it goes on: the same, or after the call */
	Addr target;  /* of the call, if it is direct; or 0 */
	UInt size; /* bytes of the call; 1 for the innermost frame and for one that was interrupted */
	Addr sp;   /* its stack pointer there, when what it calls has returned */
	enum unwind_end end;
};

enum {
	/*
	 * The main thread's 8 MiB hold half of that, at two words each; corrupt stacks are endless.
	 */
	MAX_FRAMES = 1U << 20,
	FIRST_ROOM = 64,
};

/* What unwinding starts from, as the core declares it for amd64 outside of its public headers. */
typedef struct {
	Addr xip, xsp, xbp;
} D3UnwindRegs;

/* Steps to the caller; False if that is not possible, or would read outside of first .. last. */
extern Bool VG_(use_CF_info)(D3UnwindRegs *registers, Addr first, Addr last);

/* What signal handlers return to if the C library does not say; in the core. */
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

/* When a handler returns, the kernel's record of what it interrupted is at the stack pointer. */
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

/* Adds the caller whose registers these are, xip where it goes on. */
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

/* Adds the frame below; False if none is known. */
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
 * Reads the stack of a thread whose guest state is up to date, and which goes on at an address. The
 * innermost frame comes first, and is always there. The caller frees the array by VG_(free).
 * Returns the number of frames; 1 for stacks deeper than a million frames, with which nothing can
 * be done.
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

/* The first instruction of the function that an address is in, by its symbol. */
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

/* The function that a direct call called, past a stub. False if it is unknown. */
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
		return False; /* the dynamic linker is still looking for it */
	seed->target = first_site(place, target);
	seed->function = function_at(place, seed->target);
	seed->unit = unit_of_code(seed->target);
	return True;
}

/*
 * Adds a function that was called; or, if caller is NULL, one that has interrupted what is below or
 * is the outermost. sp is the stack pointer right after the call, or any later one.
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

/*
 * Collection depends on which functions are active, so due toggles apply; nothing else does, as
 * nothing was entered or left.
 */
static void toggle(void)
{
	hooks_keep_toggles();
	hooks_run();
}

static void seed_frames(struct thread *thread, const struct unwind_frame *frames, UInt n)
{
	/* The outermost: it is not known what called it. */
	seed_frame(thread, &frames[n - 1], NULL, frames[n - 1].sp);
	for (UInt i = n - 1; i-- > 0;) {
		const struct unwind_frame *frame = &frames[i];
		const struct unwind_frame *below = &frames[i + 1];

		if (frame->end == UNWIND_CALLS) {
			seed_frame(thread, frame, below, below->sp - WORD_SIZE);
			continue;
		}
		toggle();
		threads_signal(below->sp);
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
