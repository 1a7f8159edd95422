/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the inline engine emits for branches, as engine.h has these events.
 *
 * Cachegrind's predictors: cell, history and mispredictions as machine_branch() and machine_jump() have it.  Those
 * of a machine, where nothing happens but what most executions do:
 *
 *	a branch	cell -= an execution; call branching_emitted_branch_slow() if that is not
 *			plain, it is taken and unknown, or the history is full; recent = recent << 1 | taken
 *	a jump		call branching_emitted_jump_slow() if the target is not what its cell
 *			expects, it is unknown, or the history is full; recent = recent << 4 | bits of the cell
 *	a direct jump	call branching_emitted_take() if it is unknown
 *	a return	call branching_emitted_return_slow() if the address is not on top of the
 *			stack, or the return is unknown; pop
 *	a call		push the address behind it
 *
 * With --branch-detail, and by the exact model, C is called for all conditional branches.
 */
#ifndef TOOL_TRANSLATE_INLINE_BRANCHES_H
#define TOOL_TRANSLATE_INLINE_BRANCHES_H

#include "tool/translate/engine.h"

void inline_branch(struct translation *translation, const struct branch *branch);
void inline_indirect(struct translation *translation, IRExpr *target);
void inline_direct(struct translation *translation);
void inline_return(struct translation *translation, IRExpr *target);
void inline_call(struct translation *translation);

#endif
