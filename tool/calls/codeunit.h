/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which unit (tool/counts/counters.h) code is of: its function's, or that of what was called there.
 */
#ifndef TOOL_CALLS_CODEUNIT_H
#define TOOL_CALLS_CODEUNIT_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

struct site;
struct unit;

/* The unit that a block beginning at a site is to be of. */
struct unit *codeunit_find(struct site *site);

/*
 * Whether a superblock that begins at entry falls through into a function with call hooks: arguments are in
 * registers that Valgrind may not keep up to date there.
 */
Bool codeunit_falls_into_hooked(const IRSB *sb, Addr entry);

#endif
