/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instrumentation: walks a superblock in VEX's intermediate representation,
 * finds the events in it and hands them to the engine.
 */
#ifndef TOOL_INSTRUMENT_INSTRUMENT_H
#define TOOL_INSTRUMENT_INSTRUMENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* The core's "instrument" callback (pub_tool_tooliface.h). */
IRSB *instrument(VgCallbackClosure *closure, IRSB *sb_in, const VexGuestLayout *layout,
		 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		 IRType host_word);

#endif
