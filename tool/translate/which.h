/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A charge, or a segment, of a block as one word: what generated code has C count. */
#ifndef TOOL_TRANSLATE_WHICH_H
#define TOOL_TRANSLATE_WHICH_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

#include "tool/counts/state.h"
#include "tool/translate/block_builder.h"
#include "tool/translate/engine.h"
#include "tool/translate/ir.h"

enum {
	WHICH_INDEX_BITS = 16, /* of a segment or charge, behind the number of its block */
};

static inline struct block *which_block(UWord which)
{
	return blocks_by_number(&tool_counts.blocks, (UInt)(which >> WHICH_INDEX_BITS));
}

static inline UInt which_index(UWord which)
{
	return which & ((1U << WHICH_INDEX_BITS) - 1);
}

/* Of the block that is being built. */
static inline IRExpr *which_segment(const struct translation *translation, UInt index)
{
	return ir_u64((ULong)translation->builder->number << WHICH_INDEX_BITS | index);
}

static inline IRExpr *which_charge(const struct translation *translation,
				   const struct charge *charge)
{
	return which_segment(translation, (UInt)(charge - translation->builder->charges));
}

#endif
