/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * VG_(get_StackTrace) would follow frame pointers where there is no unwind
 * information, skip a function then, or make one up; it also leaves frames out
 * if the user wants it to (--merge-recursive-frames).  So its first step, by unwind
 * information, is taken here frame by frame.
 */
#include "tool/calls/unwind.h"

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/decode/callinsn.h"

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

UInt unwind_stack(ThreadId tid, Addr address, struct unwind_frame **frames)
{
	struct unwind_walk walk = { .room = FIRST_ROOM };
	Addr sp = VG_(get_SP)(tid);

	VG_(get_shadow_regs_area)(tid, (UChar *)&walk.registers.xbp, 0,
				  offsetof(VexGuestAMD64State, guest_RBP), sizeof(Addr));
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
