/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several parts of the tool watch what the program maps; the core tells one function of each kind. */
#ifndef TOOL_COMMON_MAPPINGS_H
#define TOOL_COMMON_MAPPINGS_H

#include "pub_tool_basics.h"

/* All functions must be there; sizes are in bytes, and may be 0. */
struct mapping_watcher {
	void (*mapped)(Addr address, SizeT size); /* anew, whatever was there */
	void (*moved)(Addr from, Addr to, SizeT size);
	void (*unmapped)(Addr address, SizeT size); /* by munmap(), or brk() */
};

/* Has it called from now on; it is borrowed for good.  To be called before the program runs. */
void mappings_watch(const struct mapping_watcher *watcher);

#endif
