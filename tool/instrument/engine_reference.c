/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reference engine: one call into C for each event.  Which helper is called
 * is decided when code is translated, so that what is not simulated costs
 * nothing.
 */
#include "tool/instrument/engine.h"

#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

#include "sim/branches/cachegrind.h"
#include "sim/hierarchy.h"
#include "tool/calls/calls.h"
#include "tool/counts/state.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/jumping.h"
#include "tool/instrument/state.h"
#include "tool/simulate/branching.h"
#include "tool/simulate/memsim.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/state.h"

/* Counts some of an event at a site, in the context of the moment. */
static void count_some(struct site *site, enum event event, ULong n)
{
	struct cell *cell =
		sites_cell(&tool_counts.sites, site, tool_counts.hot->counters->context);

	cell_add(&tool_counts.sites, cell, event, n);
	context_skip(tool_counts.hot->counters->context, event == EVENT_IR ? n : 0);
	tool_counts.hot->totals[event] += n;
}

static void count(struct site *site, enum event event)
{
	count_some(site, event, 1);
}

/* A reference has gone as far as the level that served it. */
static void count_misses(struct site *site, enum reference_kind kind, UInt served)
{
	for (UInt level = 0; level < served; level++)
		count(site, tool_counts.levels.missed[kind][level]);
}

/* The same of TLBs. */
static void count_missed_pages(struct site *site, enum reference_kind kind, Addr address,
			       UWord size)
{
	for (UInt view = 0; view < tool_counts.levels.n_views; view++) {
		UInt missed = paging_refer(&tool_simulate.paging, view, kind, address, size);

		for (UInt level = 0; level < missed; level++)
			count(site, tool_counts.levels.missed_pages[kind][view][level]);
	}
}

/* Why it missed, or should have; and where it would not have. */
static void count_reasons(struct site *site, enum reference_kind kind, Addr address, UWord size,
			  UInt served)
{
	const struct levels *levels = &tool_counts.levels;
	const Bool has_classes = tool_simulate.reasons.has_classes;
	struct curve_missed missed = { 0, 0 };
	struct miss_reasons reasons;

	if (!tool_simulate.reasons.is_on)
		return;
	reasons = missreasons_find(&tool_simulate.reasons, site, kind, address, size, served);
	for (UInt level = 0; level < served && level < levels->n && has_classes; level++)
		count(site, levels->reasons[kind][level][reasons.of[level]]);
	if (has_classes && reasons.is_anti && kind != REFERENCE_FETCH)
		count(site, EVENT_D1ANTI);
	if (kind != REFERENCE_FETCH)
		missed = missreasons_take_sizes(&tool_simulate.reasons);
	for (UInt i = 0; i < missed.columns; i++)
		count_some(site, (enum event)(EVENT_M64K + i), missed.weight);
}

static VG_REGPARM(1) void refengine_enter_block(UWord number)
{
	const struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)number);

	if (tool_counts.hot->unit != block->unit->number)
		calls_enter(number);
	tool_counts.hot->block = number;
}

/* The program goes elsewhere by a call or return. */
static VG_REGPARM(1) void refengine_leave(UWord mark)
{
	tool_counts.hot->unit = mark;
}

/* It jumps to where the stack pointer should not be above (or below) that of the frame. */
static VG_REGPARM(1) void refengine_jump(UWord above)
{
	Addr sp = VG_(get_SP)(VG_(get_running_tid)());

	if (above ? sp > tool_counts.hot->frame_sp : sp < tool_counts.hot->frame_sp)
		tool_counts.hot->unit = UNIT_NONE;
}

static VG_REGPARM(1) void count_fetch(struct site *site)
{
	count(site, EVENT_IR);
}

static VG_REGPARM(3) void count_trait(struct site *site, UWord event, UWord n)
{
	count_some(site, (enum event)event, n);
}

/* Counts what a reference missed. */
static void refer(struct site *site, enum reference_kind kind, Addr address, UWord size,
		  Bool makes_dirty)
{
	struct hierarchy *hierarchy = &tool_simulate.hierarchy;
	const ULong n_written = hierarchy->lower.n_written;
	const Bool is_seen = tool_simulate.prefetching.prefetchers != NULL;
	struct prefetch_reference reference;
	Bool wrote_back = False;
	UInt served;

	if (is_seen)
		prefetching_look(kind, address, size, &reference);
	if (tool_simulate.has_memsim)
		served = kind == REFERENCE_FETCH
				 ? memsim_fetch(site, &wrote_back)
				 : memsim_data(site, address, size, kind == REFERENCE_WRITE,
					       &wrote_back);
	else
		served = kind == REFERENCE_FETCH ? hierarchy_fetch(hierarchy, address, size)
			 : makes_dirty           ? hierarchy_write(hierarchy, address, size)
						 : hierarchy_data(hierarchy, address, size);
	count_misses(site, kind, served);
	count_reasons(site, kind, address, size, served);
	if (is_seen)
		prefetching_see(site, &reference, served);
	count_missed_pages(site, kind, address, size);
	if (wrote_back)
		count(site, tool_counts.levels.write_back[kind]);
	if (hierarchy->lower.n_written != n_written)
		count_some(site, EVENT_WRITTEN, hierarchy->lower.n_written - n_written);
	missobserver_report(site, kind, address, (UInt)size, served);
	if (tool_simulate.see_reference != NULL)
		tool_simulate.see_reference(site, kind, address, size);
}

static void fetch(struct site *site)
{
	refer(site, REFERENCE_FETCH, site->address, site->size, False);
}

static VG_REGPARM(1) void simulate_fetch(struct site *site)
{
	count(site, EVENT_IR);
	fetch(site);
}

/* A rep instruction counts when it is complete. */
static VG_REGPARM(1) void simulate_round(struct site *site)
{
	fetch(site);
}

static VG_REGPARM(3) void simulate_read(struct site *site, Addr address, UWord size)
{
	count(site, EVENT_DR);
	refer(site, REFERENCE_READ, address, size, False);
}

/* A modify that counts as a read. */
static VG_REGPARM(3) void simulate_dirty_read(struct site *site, Addr address, UWord size)
{
	count(site, EVENT_DR);
	refer(site, REFERENCE_READ, address, size, True);
}

static VG_REGPARM(3) void simulate_write(struct site *site, Addr address, UWord size)
{
	count(site, EVENT_DW);
	refer(site, REFERENCE_WRITE, address, size, True);
}

static VG_REGPARM(3) void simulate_modify(struct site *site, Addr address, UWord size)
{
	if (tool_simulate.has_memsim)
		memsim_write_behind(site, address, size);
	else
		hierarchy_modify(&tool_simulate.hierarchy, address, size);
}

static VG_REGPARM(3) void simulate_prefetch(struct site *site, Addr address, UWord level)
{
	prefetching_ask_plainly(site, address, level);
}

static VG_REGPARM(2) void simulate_branch(struct site *site, UWord taken)
{
	count(site, EVENT_BC);
	if (direction_predict(&tool_simulate.directions, site->address, taken != 0))
		count(site, EVENT_BCM);
}

/* What became of a branch: bits of slots, of those of the charge. */
static void count_bits(struct site *site, enum event mispredicted, UInt bits)
{
	for (UInt i = 0; bits >> i != 0; i++)
		if ((bits >> i & 1) != 0)
			count(site, branch_slot_event((enum branch_slot)i, mispredicted));
}

static VG_REGPARM(3) void predict_branch(struct site *site, UWord taken, struct branch_place *place)
{
	count(site, EVENT_BC);
	count_bits(site, EVENT_BCM, branching_branch(&tool_simulate.branching, place, taken != 0));
}

static VG_REGPARM(3) void predict_jump(struct site *site, Addr target, struct branch_place *place)
{
	count(site, EVENT_BI);
	count_bits(site, EVENT_BIM, branching_jump(&tool_simulate.branching, place, target));
}

static VG_REGPARM(3) void predict_return(struct site *site, Addr target, struct branch_place *place)
{
	count(site, EVENT_BR);
	count_bits(site, EVENT_BRM, branching_return(&tool_simulate.branching, place, target));
}

static VG_REGPARM(2) void predict_direct(struct site *site, struct branch_place *place)
{
	count_bits(site, EVENT_BIM, branching_take(&tool_simulate.branching, place));
}

static VG_REGPARM(2) void simulate_indirect(struct site *site, Addr target)
{
	count(site, EVENT_BI);
	if (target_predict(&tool_simulate.targets, site->address, target))
		count(site, EVENT_BIM);
}

static IRExpr *constant(const void *pointer)
{
	return mkIRExpr_HWord((HWord)pointer);
}

/* Calls of regparms args. */
static void emit_call(IRSB *sb_out, IRExpr *guard, Int regparms, const HChar *name, void *helper,
		      IRExpr **args)
{
	ir_call_if(sb_out, guard, regparms, name, helper, args);
	ir_keep_loads_above(sb_out);
}

static void emit_call_with(IRSB *sb_out, const HChar *name, void *helper, UWord argument,
			   IRExpr *guard)
{
	emit_call(sb_out, guard, 1, name, helper, mkIRExprVec_1(mkIRExpr_HWord(argument)));
}

/* n_blocks++ needs no call. */
static void count_block(IRSB *sb_out)
{
	IRExpr *address = constant(&tool_instrument.n_blocks);
	IRExpr *n = ir_assign(sb_out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));

	n = ir_binary(sb_out, Iop_Add64, n, ir_u64(1));
	addStmtToIRSB(sb_out, IRStmt_Store(Iend_LE, address, n));
}

static void refengine_begin(struct translation *translation)
{
	if (translation->last == NULL)
		count_block(translation->out);
	translation->first_site = translation->site;
	emit_call_with(translation->out, "refengine_enter_block", &refengine_enter_block,
		       blocks_next_number(&tool_counts.blocks), NULL);
}

static void refengine_fetch(struct translation *translation)
{
	IRSB *sb_out = translation->out;
	IRExpr **args = mkIRExprVec_1(constant(translation->site));

	if (tool_simulate.options.cache_sim && translation->repeats)
		emit_call(sb_out, NULL, 1, "simulate_round", &simulate_round, args);
	else if (tool_simulate.options.cache_sim)
		emit_call(sb_out, NULL, 1, "simulate_fetch", &simulate_fetch, args);
	else if (!translation->repeats)
		emit_call(sb_out, NULL, 1, "count_fetch", &count_fetch, args);
}

static void refengine_count(struct translation *translation, enum event event, UInt n)
{
	if (event_is_recorded(&tool_counts.events, event))
		emit_call(translation->out, NULL, 3, "count_trait", &count_trait,
			  mkIRExprVec_3(constant(translation->site), mkIRExpr_HWord(event),
					mkIRExpr_HWord(n)));
}

static void refengine_count_some(struct translation *translation, enum event event, IRExpr *amount)
{
	emit_call(translation->out, NULL, 3, "count_trait", &count_trait,
		  mkIRExprVec_3(constant(translation->site), mkIRExpr_HWord(event), amount));
}

static void refengine_complete(struct translation *translation, IRExpr *guard)
{
	emit_call(translation->out, guard, 1, "count_fetch", &count_fetch,
		  mkIRExprVec_1(constant(translation->site)));
}

void refengine_fault(const struct block *block, Addr address)
{
	const struct charge last =
		blocks_charge(&tool_counts.blocks, block, (UInt)block->n_charges - 1);

	if (last.site->address == address && last.kind.traits.is_repeated)
		count(last.site, EVENT_IR);
}

static void refengine_access(struct translation *translation, const struct access *access)
{
	IRSB *sb_out = translation->out;
	struct site *site = translation->site;
	IRExpr **args;

	if (access->read != 0)
		refengine_count(translation, EVENT_BYTR, access->read);
	if (access->written != 0)
		refengine_count(translation, EVENT_BYTW, access->written);
	if (!tool_simulate.options.cache_sim)
		return;
	args = mkIRExprVec_3(constant(site), access->address, mkIRExpr_HWord(access->size));
	if (access->kind == ACCESS_READ && access->makes_dirty)
		emit_call(sb_out, access->guard, 3, "simulate_dirty_read", &simulate_dirty_read,
			  args);
	else if (access->kind == ACCESS_READ)
		emit_call(sb_out, access->guard, 3, "simulate_read", &simulate_read, args);
	else
		emit_call(sb_out, access->guard, 3, "simulate_write", &simulate_write, args);
}

static void refengine_prefetch(struct translation *translation, IRExpr *address, UInt level)
{
	emit_call(translation->out, NULL, 3, "simulate_prefetch", &simulate_prefetch,
		  mkIRExprVec_3(constant(translation->site), address, mkIRExpr_HWord(level)));
}

static void refengine_lock(struct translation *translation)
{
	refengine_count(translation, EVENT_GE, 1);
}

static void refengine_modify(struct translation *translation, const struct access *access)
{
	if (!tool_simulate.options.simulate_wb &&
	    (!tool_simulate.caches.write_back || access->makes_dirty))
		return;
	emit_call(translation->out, NULL, 3, "simulate_modify", &simulate_modify,
		  mkIRExprVec_3(constant(translation->site), access->address,
				mkIRExpr_HWord(access->size)));
}

static IRExpr *place_of(const struct translation *translation)
{
	return constant(branching_place(&tool_simulate.branching, translation->site));
}

static void refengine_branch(struct translation *translation, const struct branch *branch)
{
	IRExpr *taken;

	if (!tool_simulate.options.branch_sim)
		return;
	taken = engine_taken(translation, branch->guard, branch->inverted);
	if (tool_simulate.branching.predictor != NULL)
		emit_call(translation->out, NULL, 3, "predict_branch", &predict_branch,
			  mkIRExprVec_3(constant(translation->site), taken, place_of(translation)));
	else
		emit_call(translation->out, NULL, 2, "simulate_branch", &simulate_branch,
			  mkIRExprVec_2(constant(translation->site), taken));
}

static void refengine_indirect(struct translation *translation, IRExpr *target)
{
	if (!tool_simulate.options.branch_sim)
		return;
	if (tool_simulate.branching.predictor != NULL)
		emit_call(translation->out, NULL, 3, "predict_jump", &predict_jump,
			  mkIRExprVec_3(constant(translation->site), target,
					place_of(translation)));
	else
		emit_call(translation->out, NULL, 2, "simulate_indirect", &simulate_indirect,
			  mkIRExprVec_2(constant(translation->site), target));
}

static void refengine_direct(struct translation *translation)
{
	emit_call(translation->out, NULL, 2, "predict_direct", &predict_direct,
		  mkIRExprVec_2(constant(translation->site), place_of(translation)));
}

static void refengine_return(struct translation *translation, IRExpr *target)
{
	emit_call(translation->out, NULL, 3, "predict_return", &predict_return,
		  mkIRExprVec_3(constant(translation->site), target, place_of(translation)));
}

static void refengine_call(struct translation *translation)
{
	emit_call_with(translation->out, "branching_emitted_call", &branching_emitted_call,
		       translation->site->address + translation->site->size, NULL);
}

static void refengine_jump_inside(struct translation *translation, const struct jump_event *event)
{
	IRExpr *taken = ir_u64(1);

	if (event->guard != NULL)
		taken = engine_taken(translation, event->guard, event->inverted);
	emit_call(translation->out, NULL, 2, "jumping_execute", &jumping_execute,
		  mkIRExprVec_2(constant(event->jump), taken));
}

/*
 * Nothing is put off, so there is nothing to do behind an exit, at a trap, or where totals are
 * asked for.
 */
static void refengine_resume(struct translation *translation)
{
	(void)translation;
}

static void refengine_trap(struct translation *translation)
{
	(void)translation;
}

static void refengine_exit(struct translation *translation, const struct departure *departure)
{
	if (departure->kind == Ijk_Boring && engine_is_to_entry(translation, departure->target))
		emit_call_with(translation->out, "refengine_jump", &refengine_jump, False,
			       departure->guard);
}

static void emit_departure(struct translation *translation, const struct departure *departure)
{
	IRSB *out = translation->out;

	if (departure->kind == Ijk_Call)
		emit_call_with(out, "refengine_leave", &refengine_leave, UNIT_CALL, NULL);
	else if (departure->kind == Ijk_Ret)
		emit_call_with(out, "refengine_leave", &refengine_leave, UNIT_RETURN, NULL);
	else if (departure->kind == Ijk_Boring && departure->target->tag == Iex_RdTmp)
		emit_call_with(out, "refengine_jump", &refengine_jump, True, NULL);
	else if (departure->kind == Ijk_Boring &&
		 engine_is_to_entry(translation, departure->target))
		emit_call_with(out, "refengine_jump", &refengine_jump, False, NULL);
}

/* A block with its first and last instruction, for the call graph; there is nothing to settle. */
static void refengine_end(struct translation *translation, const struct departure *departure)
{
	struct block *block = engine_new_block(translation, 0, 2, NULL, 0);

	if (departure != NULL)
		emit_departure(translation, departure);
	blocks_keep_charge(&tool_counts.blocks, block, 0,
			   &(struct charge){ .site = translation->first_site });
	blocks_keep_charge(&tool_counts.blocks, block, 1,
			   &(struct charge){ .site = translation->site,
					     .kind.traits.is_repeated = translation->repeats ? 1
											     : 0 });
	engine_add_block(translation, block);
}

const struct engine engine_reference = {
	.name = "plain",
	.begin = refengine_begin,
	.fetch = refengine_fetch,
	.access = refengine_access,
	.prefetch = refengine_prefetch,
	.count = refengine_count,
	.count_some = refengine_count_some,
	.complete = refengine_complete,
	.lock = refengine_lock,
	.modify = refengine_modify,
	.branch = refengine_branch,
	.indirect = refengine_indirect,
	.direct = refengine_direct,
	.returns = refengine_return,
	.calls = refengine_call,
	.jump = refengine_jump_inside,
	.resume = refengine_resume,
	.trap = refengine_trap,
	.observe = refengine_trap,
	.exit = refengine_exit,
	.end = refengine_end,
};
