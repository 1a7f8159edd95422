/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/jumping.h"

#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/counts/jump.h"
#include "tool/counts/state.h"
#include "tool/instrument/ir.h"
#include "tool/symbols/symbol.h"

/* What a computed jump was, in one context; true of one generation of the code. */
struct computed_jump {
	struct computed_jump *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct site *site;
	const struct context *context;
	Addr target;
	ULong generation;
	struct jump_count *count; /* NULL: it is not counted */
};

const struct jump_edge *jumping_find(struct site *site, Addr target, Bool conditional)
{
	struct source_location place;

	symbols_lookup(&tool_symbols, target, NULL, &place);
	return jumps_find(&tool_counts.jumps, site, &place, conditional);
}

static Addr stack_pointer(void)
{
	return VG_(get_SP)(tool_calls.threads.running->number);
}

/* True if a jump to the start of the function that runs is a call: tool/calls/callstack.h. */
static Bool is_call(void)
{
	const struct callstack_frame *frame = tool_calls.threads.running->stack.top;

	return frame->kind != FRAME_BOTTOM && stack_pointer() < frame->sp;
}

VG_REGPARM(2) void jumping_execute(const struct jump_edge *jump, UWord taken)
{
	if (taken != 0 && jump->to_entry && is_call())
		taken = 0;
	jumps_add(&tool_counts.jumps, tool_counts.hot->counters->context, jump, 1, taken);
}

/*
 * The program takes a jump, counted as executed elsewhere, to the start of its function with more on
 * the stack than there was.
 */
static VG_REGPARM(1) void jumping_enter(const struct jump_edge *jump)
{
	if (!is_call())
		jumps_add(&tool_counts.jumps, tool_counts.hot->counters->context, jump, 0, 1);
}

IRExpr *jumping_emit_entry(IRSB *out, const struct jump_edge *jump, IRExpr *taken, IRExpr *beyond)
{
	IRExpr *wide = ir_assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, beyond));
	IRExpr *both = ir_binary(out, Iop_And64, taken, wide);

	ir_call_if(out, ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, both, ir_u64(0))), 1,
		   "jumping_enter", &jumping_enter, mkIRExprVec_1(ir_u64((Addr)jump)));
	return ir_binary(out, Iop_Sub64, taken, both);
}

static Word computed_compare(const void *a, const void *b)
{
	const struct computed_jump *left = a, *right = b;

	return left->site != right->site || left->context != right->context ||
	       left->target != right->target;
}

static struct jump_count *find_count(struct site *site, Addr target)
{
	const struct jump_edge *jump = jumping_find(site, target, False);

	return jump == NULL
		       ? NULL
		       : jumps_count(&tool_counts.jumps, tool_counts.hot->counters->context, jump);
}

VG_REGPARM(2) void jumping_compute(struct site *site, Addr target)
{
	const struct computed_jump wanted = {
		.key = ((Addr)site * 31 + target) * 31 + (Addr)tool_counts.hot->counters->context,
		.site = site,
		.context = tool_counts.hot->counters->context,
		.target = target,
	};
	struct computed_jump *known;

	/* With less on the stack than there was, it leaves the function for one that called it. */
	if (stack_pointer() > tool_calls.threads.running->stack.top->sp)
		return;
	known = VG_(HT_gen_lookup)(tool_counts.jumps.computed, &wanted, computed_compare);
	if (known == NULL) {
		known = VG_(perm_malloc)(sizeof(*known), 8);
		*known = wanted;
		VG_(HT_add_node)(tool_counts.jumps.computed, known);
	}
	if (known->generation != tool_counts.blocks.generation) {
		known->count = find_count(site, target);
		known->generation = tool_counts.blocks.generation;
	}
	if (known->count == NULL)
		return;
	known->count->executed++;
	known->count->taken++;
}
