/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What instructions do, as it is counted with --collect-flops=yes, --collect-bytes=yes and --mix=yes: the state of this room. */
#ifndef TOOL_WORK_STATE_H
#define TOOL_WORK_STATE_H

#include "pub_tool_basics.h"

#include "isa/x86/decoder.h"

struct work_state {
	Bool has_operations; /* floating-point operations are counted */
	Bool has_bytes;      /* what they read and write is */
	Bool has_mix;        /* what class they are of is */
	struct insn_decoder decoder;
};

extern struct work_state tool_work;

#endif
