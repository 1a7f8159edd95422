/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers of a thread by which it makes system calls. */
#ifndef TOOL_DETERMINISTIC_REGISTERS_H
#define TOOL_DETERMINISTIC_REGISTERS_H

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"
#include "pub_tool_machine.h"

/* Where argument 0..5 of a system call is in the guest's state. */
static inline SizeT argument_offset(UInt argument)
{
	static const UShort offsets[] = {
		offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
		offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_R10),
		offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9),
	};

	return offsets[argument];
}

static inline void set_register(ThreadId tid, SizeT offset, ULong value)
{
	/* Shadow number 0 are the registers themselves. */
	VG_(set_shadow_regs_area)(tid, 0, (PtrdiffT)offset, sizeof(value), (UChar *)&value);
}

/* What a system call that is over returns. */
static inline void set_result(ThreadId tid, Word result)
{
	set_register(tid, offsetof(VexGuestAMD64State, guest_RAX), (ULong)result);
}

#endif
