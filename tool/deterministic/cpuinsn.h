/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that reveal the processor, time or chance: VEX makes
 * each a call of a helper that executes it, or that knows the answer.  With
 * --deterministic=yes the call goes to a helper of the tool's.
 */
#ifndef TOOL_DETERMINISTIC_CPUINSN_H
#define TOOL_DETERMINISTIC_CPUINSN_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

#include "tool/deterministic/processor.h"

/*
 * The statement to be translated instead of stmt: stmt itself if it is none of
 * these, or one that is left as it is.
 */
IRStmt *cpuinsn_replace(IRStmt *stmt);

/* Whether it asks how many instructions were executed. */
Bool cpuinsn_reads_totals(const IRStmt *stmt);

/*
 * What this machine's processor lacks, by its name: Valgrind executes some of a
 * processor's instructions only where they are.  NULL if it lacks nothing.
 */
const HChar *cpuinsn_missing(const struct processor *processor);

#endif
