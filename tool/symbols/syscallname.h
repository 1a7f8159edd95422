/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What system calls are called, and what their results are. */
#ifndef TOOL_SYMBOLS_SYSCALLNAME_H
#define TOOL_SYMBOLS_SYSCALLNAME_H

#include "pub_tool_basics.h"

/* "read"; NULL if there is none of this number, as far as is known. */
const HChar *syscall_name(UInt number);

/* Whether such a call returns how many bytes it has moved, if it does not fail. */
Bool syscall_moves_bytes(UInt number);

#endif
