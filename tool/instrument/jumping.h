/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps as they are translated, and as generated code makes them. */
#ifndef TOOL_INSTRUMENT_JUMPING_H
#define TOOL_INSTRUMENT_JUMPING_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

struct jump_edge;
struct site;

/* The jump from a site to an address of the running program, or NULL if it leaves its function. */
const struct jump_edge *jumping_find(struct site *site, Addr target, Bool conditional);

/* The program executes a direct jump; taken is 0 or 1. */
VG_REGPARM(2) void jumping_execute(const struct jump_edge *jump, UWord taken);

/*
 * For a jump to the start of its function: what to count as taken (0 or 1, in a
 * word), where beyond (an I1) is whether more is on the stack than there was.  Then a
 * call of C, generated here, knows better.
 */
IRExpr *jumping_emit_entry(IRSB *out, const struct jump_edge *jump, IRExpr *taken, IRExpr *beyond);

/* It jumps from a site to an address that was computed. */
VG_REGPARM(2) void jumping_compute(struct site *site, Addr target);

#endif
