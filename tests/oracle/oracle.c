/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle (tool/simulate/oracle.h): one call of C for each event, counted at once, and a machine simulated by the
 * rules alone.  Which function is called is decided when code is translated, so that what is not simulated costs
 * nothing.
 */
#include "tool/simulate/oracle.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "sim/misses/missclasses.h"
#include "tests/oracle/hierarchy.h"
#include "tests/oracle/plainpredictors.h"
#include "tests/oracle/plaintlbs.h"
#include "tool/calls/calls.h"
#include "tool/common/hot_memory.h"
#include "tool/common/self.h"
#include "tool/counts/state.h"
#include "tool/instrument/engine.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/jumping.h"
#include "tool/instrument/state.h"
#include "tool/pages/faults.h"
#include "tool/simulate/branching.h"
#include "tool/simulate/lastpath.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/state.h"

/* --- the machine -------------------------------------------------------------------------- */

/* What Cachegrind's rules simulate; the predictors of a machine are tool_simulate.branching. */
static struct {
	struct hierarchy hierarchy;
	void *hierarchy_memory;
	struct tlbs *tlbs; /* one a view of pages; NULL: none */
	void *tlbs_memory[MACHINETLBS_MAX_VIEWS];
	ULong tlbs_clock;
	struct direction_predictor directions;
	struct target_predictor targets;
	struct full_level first[2]; /* of data and of code, where reasons of misses are asked for */
} plain;

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.oracle", 1, size);
}

static void *noted(SizeT size)
{
	void *memory = hot_memory_alloc(&tool_counts.hot_memory, size);

	machinestate_note(memory, size);
	return memory;
}

static void evict_pages(struct address_range range)
{
	for (UInt i = 0; plain.tlbs != NULL && i < tool_simulate.paging.config.n_views; i++)
		tlbs_evict(&plain.tlbs[i], range);
}

static void unmap(Addr address, SizeT size)
{
	if (size != 0)
		evict_pages(address_range(address, size));
}

static void move(Addr from, Addr to, SizeT size)
{
	unmap(from, size);
	unmap(to, size);
}

static void init_tlbs(void)
{
	static const struct mapping_watcher watcher = { unmap, move, unmap };
	const struct machine_tlbs_config *config = &tool_simulate.paging.config;

	if (config->n_views == 0)
		return;
	plain.tlbs_clock = 1;
	plain.tlbs = noted(config->n_views * sizeof(*plain.tlbs));
	for (UInt i = 0; i < config->n_views; i++) {
		plain.tlbs_memory[i] = noted(tlbs_memory_size(&config->tlbs));
		tlbs_init(&plain.tlbs[i], &config->tlbs, plain.tlbs_memory[i]);
	}
	mappings_watch(&watcher);
}

static void oracle_init(const struct hierarchy_config *config)
{
	static const struct misses_memory memory = { allocate, VG_(free) };
	struct missreasons *reasons = &tool_simulate.reasons;

	plain.hierarchy_memory = noted(hierarchy_memory_size(config));
	hierarchy_init(&plain.hierarchy, config, plain.hierarchy_memory);
	machinestate_note(&plain.hierarchy, sizeof(plain.hierarchy));
	machinestate_note(&plain.directions, sizeof(plain.directions));
	machinestate_note(&plain.targets, sizeof(plain.targets));
	init_tlbs();
	if (!reasons->is_on)
		return;
	fulllevel_init(&plain.first[0], &config->d1, &memory);
	fulllevel_init(&plain.first[1], &config->i1, &memory);
	plain.first[0].tally = reasons->has_curve ? &reasons->tally : NULL;
}

static void oracle_clear(void)
{
	const struct hierarchy_config *config = &tool_simulate.simulated;
	const struct machine_tlbs_config *tlbs = &tool_simulate.paging.config;

	VG_(memset)(plain.hierarchy_memory, 0, hierarchy_memory_size(config));
	hierarchy_init(&plain.hierarchy, config, plain.hierarchy_memory);
	VG_(memset)(&plain.directions, 0, sizeof(plain.directions));
	VG_(memset)(&plain.targets, 0, sizeof(plain.targets));
	for (UInt i = 0; plain.tlbs != NULL && i < tlbs->n_views; i++) {
		VG_(memset)(plain.tlbs_memory[i], 0, tlbs_memory_size(&tlbs->tlbs));
		tlbs_init(&plain.tlbs[i], &tlbs->tlbs, plain.tlbs_memory[i]);
	}
}

static void oracle_evict(struct address_range range)
{
	hierarchy_evict(&plain.hierarchy, range);
	evict_pages(range);
	for (UInt i = 0; tool_simulate.reasons.is_on && i < 2; i++)
		fulllevel_evict(&plain.first[i], range);
}

static bool oracle_has(void *ctx, unsigned level, uint64_t line)
{
	(void)ctx;
	return hierarchy_has(&plain.hierarchy, level, line);
}

static unsigned oracle_bring(void *ctx, unsigned level, uint64_t line)
{
	(void)ctx;
	return hierarchy_prefetch(&plain.hierarchy, level, line);
}

static const struct lower_levels *oracle_lower_levels(void)
{
	return &plain.hierarchy.lower;
}

/* --- counting ----------------------------------------------------------------------------- */

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

/* Returns how many levels of a view's TLBs a reference misses. */
static UInt refer_to_pages(UInt view, enum reference_kind kind, Addr address, UWord size)
{
	const struct view_config *sizes = &tool_simulate.paging.config.views[view];
	const Bool is_code = kind == REFERENCE_FETCH;

	plain.tlbs_clock += 2;
	return tlbs_refer(&plain.tlbs[view], is_code ? TLB_ITLB : TLB_DTLB,
			  is_code ? &sizes->code : &sizes->data, address, size, plain.tlbs_clock);
}

/* The same of TLBs. */
static void count_missed_pages(struct site *site, enum reference_kind kind, Addr address,
			       UWord size)
{
	for (UInt view = 0; view < tool_counts.levels.n_views; view++) {
		UInt missed = refer_to_pages(view, kind, address, size);

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
	tool_simulate.reasons.twins.outcome =
		fulllevel_refer(&plain.first[kind == REFERENCE_FETCH], address, size);
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

static VG_REGPARM(1) void oracle_enter_block(UWord number)
{
	const struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)number);

	if (tool_counts.hot->unit != block->unit->number)
		calls_enter(number);
	tool_counts.hot->block = number;
}

/* The program goes elsewhere by a call or return. */
static VG_REGPARM(1) void oracle_leave(UWord mark)
{
	tool_counts.hot->unit = mark;
}

/* It jumps to where the stack pointer should not be above (or below) the frame's. */
static VG_REGPARM(1) void oracle_jump(UWord above)
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

/* The level that serves a reference with --simulate-wb and the like; served is what levels before the last one said. */
static UInt serve_by_last_level(struct site *site, enum reference_kind kind, Addr address,
				UWord size, UInt served, Bool *wrote_back)
{
	struct last_path *last = &tool_simulate.last_path;
	const struct lastlevel_reference reference = lastpath_reference(site, address, size, kind);

	if (last->level.options.uses)
		served = lastpath_serve_with_uses(last, &reference);
	return lastpath_ask_last(last, &reference, served, wrote_back);
}

/* Counts what a reference missed. */
static void refer(struct site *site, enum reference_kind kind, Addr address, UWord size,
		  Bool makes_dirty)
{
	struct hierarchy *hierarchy = &plain.hierarchy;
	const ULong n_written = hierarchy->lower.n_written;
	const Bool is_seen = tool_simulate.prefetching.prefetchers != NULL;
	struct prefetch_reference reference;
	Bool wrote_back = False;
	UInt served = 0;

	if (is_seen)
		prefetching_look(kind, address, size, &reference);
	if (!tool_simulate.has_last_path || !tool_simulate.last_path.level.options.uses)
		served = kind == REFERENCE_FETCH ? hierarchy_fetch(hierarchy, address, size)
			 : makes_dirty && !tool_simulate.has_last_path
				 ? hierarchy_write(hierarchy, address, size)
				 : hierarchy_data(hierarchy, address, size);
	if (tool_simulate.has_last_path)
		served = serve_by_last_level(site, kind, address, size, served, &wrote_back);
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
	faults_see(site, kind, address, size);
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
	if (tool_simulate.has_last_path)
		lastpath_write_after_read(&tool_simulate.last_path, site, address, size);
	else
		hierarchy_modify(&plain.hierarchy, address, size);
}

static VG_REGPARM(3) void simulate_prefetch(struct site *site, Addr address, UWord level)
{
	prefetching_ask_at(site, address, level);
}

static VG_REGPARM(2) void simulate_branch(struct site *site, UWord taken)
{
	count(site, EVENT_BC);
	if (direction_predict(&plain.directions, site->address, taken != 0))
		count(site, EVENT_BCM);
}

/* What became of a branch: bits of the charge's slots. */
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
	if (target_predict(&plain.targets, site->address, target))
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

/* n_entered++ needs no call. */
static void count_block(IRSB *sb_out)
{
	IRExpr *address = constant(&tool_counts.blocks.n_entered);
	IRExpr *n = ir_assign(sb_out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));

	n = ir_binary(sb_out, Iop_Add64, n, ir_u64(1));
	addStmtToIRSB(sb_out, IRStmt_Store(Iend_LE, address, n));
}

static struct site *first_site; /* of the block that is being translated */

static void oracle_begin(struct translation *translation)
{
	if (translation->last == NULL)
		count_block(translation->out);
	first_site = translation->site;
	emit_call_with(translation->out, "oracle_enter_block", &oracle_enter_block,
		       blocks_next_number(&tool_counts.blocks), NULL);
}

static void oracle_fetch(struct translation *translation)
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

static void oracle_count(struct translation *translation, enum event event, UInt n)
{
	if (event_is_recorded(&tool_counts.events, event))
		emit_call(translation->out, NULL, 3, "count_trait", &count_trait,
			  mkIRExprVec_3(constant(translation->site), mkIRExpr_HWord(event),
					mkIRExpr_HWord(n)));
}

static void oracle_count_some(struct translation *translation, enum event event, IRExpr *amount)
{
	emit_call(translation->out, NULL, 3, "count_trait", &count_trait,
		  mkIRExprVec_3(constant(translation->site), mkIRExpr_HWord(event), amount));
}

static void oracle_complete(struct translation *translation, IRExpr *guard)
{
	emit_call(translation->out, guard, 1, "count_fetch", &count_fetch,
		  mkIRExprVec_1(constant(translation->site)));
}

static void oracle_fault(const struct block *block, Addr address)
{
	const struct charge last =
		blocks_charge(&tool_counts.blocks, block, (UInt)block->n_charges - 1);

	if (last.site->address == address && last.kind.traits.is_repeated)
		count(last.site, EVENT_IR);
}

static void oracle_access(struct translation *translation, const struct access *access)
{
	IRSB *sb_out = translation->out;
	struct site *site = translation->site;
	IRExpr **args;

	if (access->read != 0)
		oracle_count(translation, EVENT_BYTR, access->read);
	if (access->written != 0)
		oracle_count(translation, EVENT_BYTW, access->written);
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

static void oracle_prefetch(struct translation *translation, IRExpr *address, UInt level)
{
	emit_call(translation->out, NULL, 3, "simulate_prefetch", &simulate_prefetch,
		  mkIRExprVec_3(constant(translation->site), address, mkIRExpr_HWord(level)));
}

static void oracle_lock(struct translation *translation)
{
	oracle_count(translation, EVENT_GE, 1);
}

static void oracle_modify(struct translation *translation, const struct access *access)
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

static void oracle_branch(struct translation *translation, const struct branch *branch)
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

static void oracle_indirect(struct translation *translation, IRExpr *target)
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

static void oracle_direct(struct translation *translation)
{
	emit_call(translation->out, NULL, 2, "predict_direct", &predict_direct,
		  mkIRExprVec_2(constant(translation->site), place_of(translation)));
}

static void oracle_return(struct translation *translation, IRExpr *target)
{
	emit_call(translation->out, NULL, 3, "predict_return", &predict_return,
		  mkIRExprVec_3(constant(translation->site), target, place_of(translation)));
}

static void oracle_call(struct translation *translation)
{
	emit_call_with(translation->out, "branching_emitted_call", &branching_emitted_call,
		       translation->site->address + translation->site->size, NULL);
}

static void oracle_jump_inside(struct translation *translation, const struct jump_event *event)
{
	IRExpr *taken = ir_u64(1);

	if (event->guard != NULL)
		taken = engine_taken(translation, event->guard, event->inverted);
	emit_call(translation->out, NULL, 2, "jumping_execute", &jumping_execute,
		  mkIRExprVec_2(constant(event->jump), taken));
}

/*
 * Nothing is put off, so there is nothing to do after an exit, at a trap, or where totals are
 * asked for.
 */
static void oracle_resume(struct translation *translation)
{
	(void)translation;
}

static void oracle_trap(struct translation *translation)
{
	(void)translation;
}

static void oracle_exit(struct translation *translation, const struct departure *departure)
{
	if (departure->kind == Ijk_Boring && engine_is_to_entry(translation, departure->target))
		emit_call_with(translation->out, "oracle_jump", &oracle_jump, False,
			       departure->guard);
}

static void emit_departure(struct translation *translation, const struct departure *departure)
{
	IRSB *out = translation->out;

	if (departure->kind == Ijk_Call)
		emit_call_with(out, "oracle_leave", &oracle_leave, UNIT_CALL, NULL);
	else if (departure->kind == Ijk_Ret)
		emit_call_with(out, "oracle_leave", &oracle_leave, UNIT_RETURN, NULL);
	else if (departure->kind == Ijk_Boring && departure->target->tag == Iex_RdTmp)
		emit_call_with(out, "oracle_jump", &oracle_jump, True, NULL);
	else if (departure->kind == Ijk_Boring &&
		 engine_is_to_entry(translation, departure->target))
		emit_call_with(out, "oracle_jump", &oracle_jump, False, NULL);
}

/* A block with its first and last instruction, for the call graph; there is nothing to settle. */
static void oracle_end(struct translation *translation, const struct departure *departure)
{
	struct block *block = engine_new_block(translation, 0, 2, NULL, 0);

	if (departure != NULL)
		emit_departure(translation, departure);
	blocks_keep_charge(&tool_counts.blocks, block, 0, &(struct charge){ .site = first_site });
	blocks_keep_charge(&tool_counts.blocks, block, 1,
			   &(struct charge){ .site = translation->site,
					     .kind.traits.is_repeated = translation->repeats ? 1
											     : 0 });
	engine_add_block(translation, block);
}

static const struct engine engine_plain = {
	.name = "plain",
	.begin = oracle_begin,
	.fetch = oracle_fetch,
	.access = oracle_access,
	.prefetch = oracle_prefetch,
	.count = oracle_count,
	.count_some = oracle_count_some,
	.complete = oracle_complete,
	.lock = oracle_lock,
	.modify = oracle_modify,
	.branch = oracle_branch,
	.indirect = oracle_indirect,
	.direct = oracle_direct,
	.returns = oracle_return,
	.calls = oracle_call,
	.jump = oracle_jump_inside,
	.resume = oracle_resume,
	.trap = oracle_trap,
	.observe = oracle_trap,
	.exit = oracle_exit,
	.end = oracle_end,
};

const struct oracle oracle = {
	.engine = &engine_plain,
	.init = oracle_init,
	.clear = oracle_clear,
	.evict = oracle_evict,
	.fault = oracle_fault,
	.has = oracle_has,
	.bring = oracle_bring,
	.lower_levels = oracle_lower_levels,
};
