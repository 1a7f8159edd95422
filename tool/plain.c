/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plain engine: one call into C for each event.  Which helper is called
 * is decided when code is translated, so that what is not simulated costs
 * nothing.
 */
#include "tool/engine.h"

#include "pub_tool_machine.h"

#include "sim/branch.h"
#include "sim/hierarchy.h"
#include "tool/tool.h"

static VG_REGPARM(1) void count_fetch(struct site *site)
{
	site->counts[EVENT_IR]++;
}

static VG_REGPARM(1) void simulate_fetch(struct site *site)
{
	unsigned outcome = hierarchy_fetch(&tool.hierarchy, site->address, site->size);

	site->counts[EVENT_IR]++;
	if (outcome & L1_MISS)
		site->counts[EVENT_I1MR]++;
	if (outcome & LL_MISS)
		site->counts[EVENT_ILMR]++;
}

static VG_REGPARM(3) void simulate_read(struct site *site, Addr address, UWord size)
{
	unsigned outcome = hierarchy_data(&tool.hierarchy, address, size);

	site->counts[EVENT_DR]++;
	if (outcome & L1_MISS)
		site->counts[EVENT_D1MR]++;
	if (outcome & LL_MISS)
		site->counts[EVENT_DLMR]++;
}

static VG_REGPARM(3) void simulate_write(struct site *site, Addr address, UWord size)
{
	unsigned outcome = hierarchy_data(&tool.hierarchy, address, size);

	site->counts[EVENT_DW]++;
	if (outcome & L1_MISS)
		site->counts[EVENT_D1MW]++;
	if (outcome & LL_MISS)
		site->counts[EVENT_DLMW]++;
}

static VG_REGPARM(2) void simulate_branch(struct site *site, UWord taken)
{
	site->counts[EVENT_BC]++;
	if (direction_predict(&tool.directions, site->address, taken != 0))
		site->counts[EVENT_BCM]++;
}

static VG_REGPARM(2) void simulate_indirect(struct site *site, Addr target)
{
	site->counts[EVENT_BI]++;
	if (target_predict(&tool.targets, site->address, target))
		site->counts[EVENT_BIM]++;
}

static void emit_call(IRSB *sb_out, Int regparms, const HChar *name, void *helper, IRExpr **args,
		      IRExpr *guard)
{
	IRDirty *call = unsafeIRDirty_0_N(regparms, name, VG_(fnptr_to_fnentry)(helper), args);

	if (guard != NULL)
		call->guard = guard;
	addStmtToIRSB(sb_out, IRStmt_Dirty(call));
}

static IRExpr *constant(const void *pointer)
{
	return mkIRExpr_HWord((HWord)pointer);
}

/* n_blocks++ needs no call. */
static void plain_begin(IRSB *sb_out)
{
	IRExpr *address = constant(&tool.n_blocks);
	IRTemp before = newIRTemp(sb_out->tyenv, Ity_I64);
	IRTemp after = newIRTemp(sb_out->tyenv, Ity_I64);

	addStmtToIRSB(sb_out, IRStmt_WrTmp(before, IRExpr_Load(Iend_LE, Ity_I64, address)));
	addStmtToIRSB(sb_out, IRStmt_WrTmp(after, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(before),
							       IRExpr_Const(IRConst_U64(1)))));
	addStmtToIRSB(sb_out, IRStmt_Store(Iend_LE, address, IRExpr_RdTmp(after)));
}

static void plain_fetch(IRSB *sb_out, struct site *site)
{
	IRExpr **args = mkIRExprVec_1(constant(site));

	if (tool.options.cache_sim)
		emit_call(sb_out, 1, "simulate_fetch", &simulate_fetch, args, NULL);
	else
		emit_call(sb_out, 1, "count_fetch", &count_fetch, args, NULL);
}

static void plain_access(IRSB *sb_out, struct site *site, const struct access *access)
{
	IRExpr **args;

	if (!tool.options.cache_sim)
		return;
	args = mkIRExprVec_3(constant(site), access->address, mkIRExpr_HWord(access->size));
	if (access->kind == ACCESS_READ)
		emit_call(sb_out, 3, "simulate_read", &simulate_read, args, access->guard);
	else
		emit_call(sb_out, 3, "simulate_write", &simulate_write, args, access->guard);
}

static void plain_branch(IRSB *sb_out, struct site *site, IRExpr *taken, Bool inverted)
{
	IRTemp wide;
	IRExpr *value = taken;

	if (!tool.options.branch_sim)
		return;
	if (inverted) {
		IRTemp flipped = newIRTemp(sb_out->tyenv, Ity_I1);

		addStmtToIRSB(sb_out, IRStmt_WrTmp(flipped, IRExpr_Unop(Iop_Not1, taken)));
		value = IRExpr_RdTmp(flipped);
	}
	wide = newIRTemp(sb_out->tyenv, Ity_I64);
	addStmtToIRSB(sb_out, IRStmt_WrTmp(wide, IRExpr_Unop(Iop_1Uto64, value)));
	emit_call(sb_out, 2, "simulate_branch", &simulate_branch,
		  mkIRExprVec_2(constant(site), IRExpr_RdTmp(wide)), NULL);
}

static void plain_indirect(IRSB *sb_out, struct site *site, IRExpr *target)
{
	if (!tool.options.branch_sim)
		return;
	emit_call(sb_out, 2, "simulate_indirect", &simulate_indirect,
		  mkIRExprVec_2(constant(site), target), NULL);
}

const struct engine engine_plain = {
	.name = "plain",
	.begin = plain_begin,
	.fetch = plain_fetch,
	.access = plain_access,
	.branch = plain_branch,
	.indirect = plain_indirect,
};
