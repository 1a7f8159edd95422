/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The registers of the program, by what they are for.  No other file of the tool names VEX's structure of
 * an architecture or a field of it.
 */
#ifndef TOOL_COMMON_GUEST_H
#define TOOL_COMMON_GUEST_H

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

/* The registers of a thread, as generated code has them: what IRExpr_GSPTR() points to. */
struct guest {
	VexGuestAMD64State vex;
};

/* Offsets of registers, a 64-bit word each. */
enum {
	GUEST_SP = offsetof(VexGuestAMD64State, guest_RSP),
	GUEST_FP = offsetof(VexGuestAMD64State, guest_RBP),
	GUEST_THREAD_POINTER = offsetof(VexGuestAMD64State, guest_FS_CONST),
	GUEST_SECOND_SEGMENT = offsetof(VexGuestAMD64State, guest_GS_CONST),
	GUEST_RESULT = offsetof(VexGuestAMD64State, guest_RAX), /* of a function */
	GUEST_SYSCALL = offsetof(VexGuestAMD64State, guest_RAX),
	GUEST_SYSCALL_RESULT = offsetof(VexGuestAMD64State, guest_RAX),
	/* The range of code that the core discards at a jump of kind InvalICache. */
	GUEST_DISCARDED = offsetof(VexGuestAMD64State, guest_CMSTART),
	GUEST_DISCARDED_SIZE = offsetof(VexGuestAMD64State, guest_CMLEN),
};

static const VexArch guest_architecture = VexArchAMD64;

/* The offset of a general register, by its number in instructions. */
static inline UShort guest_general(UInt number)
{
	return (UShort)(offsetof(VexGuestAMD64State, guest_RAX) + number * sizeof(ULong));
}

enum {
	GUEST_ARGUMENTS = 6, /* of a function, in registers */
};

/* The offset of integer argument 0..5 of a function that has just been called. */
static inline UShort guest_argument(UInt argument)
{
	static const UShort places[GUEST_ARGUMENTS] = {
		offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
		offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
		offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9),
	};

	return places[argument];
}

/* The offset of argument 0..5 of a system call. */
static inline UShort guest_syscall_argument(UInt argument)
{
	return argument == 3 ? offsetof(VexGuestAMD64State, guest_R10) : guest_argument(argument);
}

static inline ULong *guest_word(struct guest *guest, UInt place)
{
	return (ULong *)((Addr)guest + place);
}

static inline Addr guest_sp(const struct guest *guest)
{
	return guest->vex.guest_RSP;
}

/* --- a thread whose generated code has been left, or has called the tool ------------------- */

/* Shadow 0 is the registers themselves. */

static inline ULong guest_read(ThreadId tid, UInt place)
{
	ULong value;

	VG_(get_shadow_regs_area)(tid, (UChar *)&value, 0, (PtrdiffT)place, sizeof(value));
	return value;
}

static inline void guest_write(ThreadId tid, UInt place, ULong value)
{
	VG_(set_shadow_regs_area)(tid, 0, (PtrdiffT)place, sizeof(value), (const UChar *)&value);
}

/* How many blocks the core enters before it checks for signals and other threads; below zero when it does. */
static inline Int guest_blocks_to_go(ThreadId tid)
{
	Int n;

	VG_(get_shadow_regs_area)(tid, (UChar *)&n, 0,
				  offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof(n));
	return n;
}

static inline void guest_set_blocks_to_go(ThreadId tid, Int n)
{
	VG_(set_shadow_regs_area)(tid, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof(n),
				  (const UChar *)&n);
}

/* --- in generated code ---------------------------------------------------------------------- */

/* Declares that a call may change any general register, and needs all of them up to date. */
static inline void guest_declare_changed(IRDirty *call)
{
	call->nFxState = 1;
	VG_(memset)(&call->fxState[0], 0, sizeof(call->fxState[0]));
	call->fxState[0].fx = Ifx_Modify;
	call->fxState[0].offset = guest_general(0);
	call->fxState[0].size = guest_general(16) - guest_general(0);
}

#endif
