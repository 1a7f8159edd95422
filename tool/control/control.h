/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instrumentation on and off.  While it is off, code is translated as it is, as
 * fast as without a tool, and nothing is known of the calls that are made.
 */
#ifndef TOOL_CONTROL_CONTROL_H
#define TOOL_CONTROL_CONTROL_H

#include "pub_tool_basics.h"

#include "sim/range.h"

/*
 * From where the core allows code to be discarded: client requests and
 * monitor commands.  Returns whether that was a change.
 */
Bool control_instrument(Bool on);

/* Takes lines that have a byte in the range out of all caches; predictors stay as they are. */
void control_evict(struct address_range range);

/*
 * Code of the program's own making in size bytes (1 or more) from address on belongs to a function
 * of that name from now on, if no debug information says otherwise; "" takes names away.
 * From where code may be discarded.
 */
void control_name_code(Addr address, SizeT size, const HChar *name);

#endif
