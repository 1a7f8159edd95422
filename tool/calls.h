/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph as it comes about: arrivals of control in a unit other than
 * the one that runs, what the shadow call stack (sim/callstack.h) makes of
 * them, and the costs that go with it.
 */
#ifndef TOOL_CALLS_H
#define TOOL_CALLS_H

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"

struct site;
struct unit;

/* The unit that a block beginning at a site is to be of. */
struct unit *calls_unit(struct site *site);

/*
 * Control has arrived in the block of this number, which generated code knows
 * not to be of the unit that ran, and says so before anything of the block
 * runs.  hot->block still is the block before.  state is the guest's.
 */
VG_REGPARM(2) void calls_enter(const VexGuestAMD64State *state, UWord number);

#endif
