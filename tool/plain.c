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
static void plain_begin(struct translation *translation)
{
	IRSB *sb_out = translation->out;
	IRExpr *address = constant(&tool.n_blocks);
	IRTemp before = newIRTemp(sb_out->tyenv, Ity_I64);
	IRTemp after = newIRTemp(sb_out->tyenv, Ity_I64);

	addStmtToIRSB(sb_out, IRStmt_WrTmp(before, IRExpr_Load(Iend_LE, Ity_I64, address)));
	addStmtToIRSB(sb_out, IRStmt_WrTmp(after, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(before),
							       IRExpr_Const(IRConst_U64(1)))));
	addStmtToIRSB(sb_out, IRStmt_Store(Iend_LE, address, IRExpr_RdTmp(after)));
}

static void plain_fetch(struct translation *translation)
{
	IRSB *sb_out = translation->out;
	IRExpr **args = mkIRExprVec_1(constant(translation->site));

	/* The helpers rely on a count for each event, by its number. */
	site_add_all_counts(&tool.sites, translation->site);
	if (tool.options.cache_sim)
		emit_call(sb_out, 1, "simulate_fetch", &simulate_fetch, args, NULL);
	else
		emit_call(sb_out, 1, "count_fetch", &count_fetch, args, NULL);
}

static void plain_access(struct translation *translation, const struct access *access)
{
	IRSB *sb_out = translation->out;
	struct site *site = translation->site;
	IRExpr **args;

	if (!tool.options.cache_sim)
		return;
	args = mkIRExprVec_3(constant(site), access->address, mkIRExpr_HWord(access->size));
	if (access->kind == ACCESS_READ)
		emit_call(sb_out, 3, "simulate_read", &simulate_read, args, access->guard);
	else
		emit_call(sb_out, 3, "simulate_write", &simulate_write, args, access->guard);
}

static void plain_branch(struct translation *translation, const struct branch *branch)
{
	IRSB *sb_out = translation->out;
	IRTemp wide;
	IRExpr *value = branch->guard;

	if (!tool.options.branch_sim)
		return;
	if (branch->inverted) {
		IRTemp flipped = newIRTemp(sb_out->tyenv, Ity_I1);

		addStmtToIRSB(sb_out, IRStmt_WrTmp(flipped, IRExpr_Unop(Iop_Not1, value)));
		value = IRExpr_RdTmp(flipped);
	}
	wide = newIRTemp(sb_out->tyenv, Ity_I64);
	addStmtToIRSB(sb_out, IRStmt_WrTmp(wide, IRExpr_Unop(Iop_1Uto64, value)));
	emit_call(sb_out, 2, "simulate_branch", &simulate_branch,
		  mkIRExprVec_2(constant(translation->site), IRExpr_RdTmp(wide)), NULL);
}

static void plain_indirect(struct translation *translation, IRExpr *target)
{
	if (!tool.options.branch_sim)
		return;
	emit_call(translation->out, 2, "simulate_indirect", &simulate_indirect,
		  mkIRExprVec_2(constant(translation->site), target), NULL);
}

/* Nothing is put off, so there is nothing to do at a trap, at an exit or at the end. */
static void plain_exit(struct translation *translation)
{
	(void)translation;
}

const struct engine engine_plain = {
	.name = "plain",
	.begin = plain_begin,
	.fetch = plain_fetch,
	.access = plain_access,
	.branch = plain_branch,
	.indirect = plain_indirect,
	.trap = plain_exit,
	.exit = plain_exit,
	.end = plain_exit,
};
