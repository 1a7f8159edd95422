/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What generated code calls when a fast path does not apply.  The arguments
 * are few because generated code sets them up before it knows whether it will
 * call: everything else is found by the reference's number.
 */
#ifndef TOOL_SLOW_H
#define TOOL_SLOW_H

#include "pub_tool_basics.h"

/* A reference to data at address that is no plain hit. */
VG_REGPARM(2) void slow_data(Addr address, UWord number);

/* As slow_data(), and counts the access itself: its guard held. */
VG_REGPARM(2) void slow_guarded_data(Addr address, UWord number);

/* A fetch from lines of code of which one is not resident. */
VG_REGPARM(1) void slow_fetch(UWord number);

#endif
