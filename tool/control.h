/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instrumentation on and off.  While it is off, code is translated as it is, as
 * fast as without a tool, and nothing is known of the calls that are made.
 */
#ifndef TOOL_CONTROL_H
#define TOOL_CONTROL_H

#include "pub_tool_basics.h"

/*
 * From where the core allows code to be discarded: client requests and
 * monitor commands.  Returns whether that was a change.
 */
Bool control_instrument(Bool on);

/* Empties all caches, and what goes with them; predictors stay as they are. */
void control_flush_caches(void);

#endif
