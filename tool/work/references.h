/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether an instruction refers to memory, as Valgrind's representation has it. */
#ifndef TOOL_WORK_REFERENCES_H
#define TOOL_WORK_REFERENCES_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

struct references {
	Bool reads,
		writes; /* perhaps: guards, and rep instructions without rounds, are as good as others */
};

/* Of the instruction whose IMark is statement imark. */
struct references references_find(const IRSB *sb, Int imark);

/*
 * Whether the read of size bytes at address (an atom), statement at, is a modify: the same place is written directly after it, by
 * the same instruction.  most: what sizes of helper functions were cut to, 0 if they were not; once: a locked
 * instruction reads once, where the representation has a load before the compare-and-swap.
 */
Bool references_modify(const IRSB *sb, Int at, const IRExpr *address, UInt size, UInt most,
		       Bool once);

#endif
