/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both engines do in the same way. */
#include "tool/engine.h"

#include "tool/tool.h"

Bool engine_is_to_entry(const struct translation *translation, const IRExpr *target)
{
	const struct place *place = &translation->site->place;

	return target->tag == Iex_Const && !place->function->anonymous &&
	       target->Iex.Const.con->tag == Ico_U64 &&
	       target->Iex.Const.con->Ico.U64 - translation->site->address ==
		       place->function->entry - place->address;
}

void engine_add_block(struct translation *translation, struct block *block)
{
	block->key = translation->entry;
	block->extents = *translation->extents;
	block->unit = translation->unit;
	blocks_add(&tool.blocks, block, translation->last != NULL);
	if (translation->last != NULL)
		translation->last->rest = block;
	translation->last = block;
}
