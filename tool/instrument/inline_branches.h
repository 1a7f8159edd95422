/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the inline engine emits for branches, as engine.h has these events.
 *
 * Cachegrind's predictors: cell, history and mispredictions as in machine_branch() and machine_jump().  A machine's
 * predictors, where only what most executions do is inline:
 *
 *	a branch	left -= 1; call branch_paths.branch if left is below 0 or the cell does not belong to
 *			a known plain branch, if it is taken; recent = recent << 1 | taken
 *	a jump		call branch_paths.jump if the target is not what its cell expects, or it is
 *			unknown; recent = recent << 4 | bits of the cell
 *	a direct jump	call branch_paths.take if it is unknown
 *	a return	call branch_paths.ret if the address is not on top of the stack, or the return
 *			is unknown; pop
 *	a call		push the address after it
 *
 * With --branch-detail, and by the exact model, C is called for all conditional branches.
 */
#ifndef TOOL_INSTRUMENT_INLINE_BRANCHES_H
#define TOOL_INSTRUMENT_INLINE_BRANCHES_H

#include "tool/instrument/engine.h"

void inline_branch(struct translation *translation, const struct branch *branch);
void inline_indirect(struct translation *translation, IRExpr *target);
void inline_direct(struct translation *translation);
void inline_return(struct translation *translation, IRExpr *target);
void inline_call(struct translation *translation);

#endif
