/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the program's memory begins.  Valgrind puts it to the same places in all runs, so
 * what depends on an address is not seen: these move it.
 */
#ifndef TOOL_DETERMINISTIC_PLACEMENT_H
#define TOOL_DETERMINISTIC_PLACEMENT_H

#include "pub_tool_basics.h"

/*
 * Before the program has begun: its heap (brk) begins so many bytes later, at most
 * 1 MiB; libraries and mappings are so many pages further up.  The stack is where it was, and
 * so is the program.  Ends the run with a message if there is no room.
 */
void placement_shift(UInt heap_bytes, UInt load_pages);

#endif
