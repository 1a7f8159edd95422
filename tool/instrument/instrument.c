/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What in the intermediate representation is which event:
 *
 *	IMark				an instruction begins: Ir, and a fetch of its bytes
 *	WrTmp = Load, LoadG		a read; LoadG only if its guard holds
 *	Store, StoreG			a write; StoreG only if its guard holds
 *	CAS				a read (compare and swap: read and write of one place),
 *					and a bus lock
 *	LLSC				load-linked a read, store-conditional a write, and a
 *					bus lock
 *	Dirty that touches memory	a read and/or a write of what it declares
 *	Exit (Boring, Call, Ret)	a conditional branch; exits of other kinds (SigFPE,
 *					emulation warnings, ...) are no branches of the program
 *	end, not a constant (Boring, Call)
 *					an indirect branch
 *	end (Ret)			a return, end (Call) a call, and end (Boring, Call), a constant, of an
 *					instruction that jumps: something that is taken.  Cachegrind's predictors
 *					do not see these
 *
 * A write that directly follows a read of the same place and size in the same
 * instruction is one access with it, a modify, and counts as the read that
 * came first (Cachegrind manual 5.8); with --modify=write as the write.  "Directly" means that no other event
 * and no side exit lies between, and that neither is guarded.
 *
 * With --counting=architectural there are other rules for some instructions, which
 * tool/instrument/insnview.h tells apart: side exits of what is no conditional jump are no
 * branches, a locked instruction is one modify, a rep instruction is one however many
 * rounds it makes, a read in pieces is one, and where operands say what is referred to,
 * what is in the representation does not count.
 *
 * Everything before the first IMark is copied as it is: checks for
 * self-modifying code and the like, which are not the program's.
 */
#include "tool/instrument/instrument.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "isa/x86/bytes.h"
#include "tool/calls/arc.h"
#include "tool/calls/state.h"
#include "tool/common/guest.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/deterministic/deterministic.h"
#include "tool/frames/frames.h"
#include "tool/generated/generated.h"
#include "tool/instrument/engine.h"
#include "tool/instrument/insnview.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/jumping.h"
#include "tool/instrument/state.h"
#include "tool/simulate/state.h"
#include "tool/symbols/symbol.h"
#include "tool/work/work.h"

enum {
	XSAVE_SIZE = 512 + 64, /* bytes: what fxsave writes, and a header */
	XSAVE_AVX_SIZE = 256,  /* the upper halves of the registers */
};

/* The walk through one superblock. */
struct superblock_walk {
	const IRSB *sb_in;
	Int at; /* the statement in it */
	const struct engine *engine;
	struct translation translation;
	const struct source_location *place; /* of the instruction before, NULL at the first */
	struct source_location here;
	Addr entry;            /* of the superblock */
	struct access read;    /* a read that a write may still join */
	Bool read_pending;     /* ... if there is one */
	Bool is_written;       /* ... which has been counted as the write that it becomes */
	Bool left;             /* there is a side exit in this instruction, and nothing after it */
	Addr next_address;     /* where the instruction after this one begins */
	struct jump_insn jump; /* this one, until the engine has it */
	/* With --counting=architectural; otherwise zeroes: */
	struct insn_view insn;
	Bool round_due;  /* after the look at its counter, a round of a rep instruction begins */
	Bool whole_read; /* a read that Valgrind has in pieces has been */
	const struct path_weight *weights; /* where cycles are counted; else NULL */
	UInt n_weighed;    /* instructions so far, at most one less than there are weights */
	Bool counts_bytes; /* of its accesses, as in the representation */
	enum lanes lanes;
	struct lane_sum lanes_read, lanes_written; /* of the instruction so far */
	enum event class;                          /* of the instruction, with --mix=yes */
	struct references references;
	Int imark;                /* its statement */
	Bool branch_due;          /* it is a conditional branch that the engine does not know yet */
	struct frame_store frame; /* the instruction's, if it is one */
};

/* True if the access before was a read of that place, without a guard. */
static Bool is_pending(const struct superblock_walk *walk, IRExpr *address, UInt size)
{
	return walk->read_pending && walk->read.size == size &&
	       eqIRAtom(walk->read.address, address);
}

static UInt size_of_temp(const struct superblock_walk *walk, IRTemp temp)
{
	return (UInt)sizeofIRType(typeOfIRTemp(walk->translation.out->tyenv, temp));
}

static UInt size_of_expr(const struct superblock_walk *walk, const IRExpr *expr)
{
	return (UInt)sizeofIRType(typeOfIRExpr(walk->translation.out->tyenv, expr));
}

/*
 * Sizes that Cachegrind cuts to its smallest line (28, 108, 512 bytes of FPU
 * state), because its simulator takes at most two lines a reference.
 */
static UInt cut_size(UInt size)
{
	if (tool_instrument.options.architectural)
		return size;
	return tool_instrument.min_line_size != 0 && size > tool_instrument.min_line_size
		       ? tool_instrument.min_line_size
		       : size;
}

/* True if a read that is being added will be written directly after it. */
static Bool becomes_write(const struct superblock_walk *walk, const IRExpr *address, UInt size)
{
	const Bool architectural = tool_instrument.options.architectural;

	return references_modify(walk->sb_in, walk->at, address, size,
				 architectural ? 0 : tool_instrument.min_line_size, architectural);
}

/* n bytes of an event, if a guard holds. */
static void count_guarded(struct superblock_walk *walk, enum event event, UInt n, IRExpr *guard)
{
	IRExpr *amount = IRExpr_ITE(guard, ir_u64(n), ir_u64(0));

	walk->engine->count_some(&walk->translation, event,
				 ir_assign(walk->translation.out, Ity_I64, amount));
}

/*
 * What an access reads and writes, a modify at once where it begins.  A locked instruction has been read when it is
 * compared: on a processor, it reads once.
 */
static void find_bytes(struct superblock_walk *walk, struct access *access, UInt bytes)
{
	const IRSB *sb = walk->sb_in;
	const Bool is_read = access->kind == ACCESS_READ &&
			     !(sb->stmts[walk->at]->tag == Ist_CAS &&
			       is_pending(walk, access->address, access->size));
	const Bool is_written =
		access->kind == ACCESS_WRITE ||
		(access->guard == NULL && becomes_write(walk, access->address, access->size));
	IRExpr *guard = access->guard, *written = NULL;

	if (!walk->counts_bytes)
		return;
	if (walk->lanes == LANES_BYTES && access->kind == ACCESS_READ)
		written = lanes_written(walk->translation.out, sb, walk->at);
	if (written != NULL) {
		walk->engine->count_some(&walk->translation, EVENT_BYTW, written);
		return;
	}
	if (guard == NULL && walk->lanes == LANES_GATHER)
		guard = lanes_guard(sb, walk->imark, walk->at, access->address);
	if (guard == NULL) {
		access->read = is_read ? bytes : 0;
		access->written = is_written ? bytes : 0;
		return;
	}
	if (is_read)
		lanes_add(walk->translation.out, &walk->lanes_read, bytes, guard);
	if (is_written)
		lanes_add(walk->translation.out, &walk->lanes_written, bytes, guard);
}

/* All lanes of the instruction have been: what they refer to is counted at once. */
static void end_lanes(struct superblock_walk *walk)
{
	IRSB *out = walk->translation.out;
	IRExpr *read = lanes_take(out, &walk->lanes_read);
	IRExpr *written = lanes_take(out, &walk->lanes_written);

	if (read != NULL)
		walk->engine->count_some(&walk->translation, EVENT_BYTR, read);
	if (written != NULL)
		walk->engine->count_some(&walk->translation, EVENT_BYTW, written);
}

static void add_access(struct superblock_walk *walk, enum access_kind kind, IRExpr *address,
		       UInt bytes, IRExpr *guard)
{
	const UInt size = cut_size(bytes);
	struct access access = { kind, size, address, guard, False, 0, 0 };

	if (walk->left)
		walk->engine->resume(&walk->translation);
	walk->left = False;
	if (walk->insn.is_other)
		return;
	if (walk->insn.whole_read != 0) {
		if (walk->whole_read)
			return;
		walk->whole_read = True;
		access.size = walk->insn.whole_read;
		bytes = access.size;
	}
	if (kind == ACCESS_WRITE && guard == NULL && is_pending(walk, address, size)) {
		walk->read_pending = False;
		if (!walk->is_written)
			walk->engine->modify(&walk->translation, &walk->read);
		return; /* a modify: one of the two stands for both */
	}
	find_bytes(walk, &access, bytes);
	walk->read_pending = kind == ACCESS_READ && guard == NULL;
	walk->is_written = walk->read_pending && tool_instrument.options.modify_is_write &&
			   becomes_write(walk, address, size);
	if (engine_writes_matter())
		access.makes_dirty = kind == ACCESS_WRITE ||
				     (walk->read_pending && becomes_write(walk, address, size));
	walk->read = access;
	if (walk->is_written)
		access.kind = ACCESS_WRITE;
	walk->engine->access(&walk->translation, &access);
}

/* Begins a block at the first instruction, where code of another function begins, and where another function runs. */
static void begin_block(struct superblock_walk *walk, struct site *site)
{
	struct translation *translation = &walk->translation;
	const struct function *before = walk->place != NULL ? walk->place->function : NULL;

	walk->here = site_place(site);
	walk->place = &walk->here;
	if (before != NULL && before == site->scope->function && walk->frame.loop == NULL) {
		translation->site = site;
		return;
	}
	if (before != NULL)
		walk->engine->end(translation, NULL);
	framewatch_emit(translation->out, &walk->frame);
	translation->site = site;
	translation->entry = before == NULL ? walk->entry : site->address;
	translation->unit = unit_of_code(site);
	builds_note(&tool_instrument.builds, site->scope->function->object, site->address);
	walk->engine->begin(translation);
}

/* Written, or to say how often inlined functions were called. */
static Bool counts_jumps(void)
{
	return tool_instrument.options.collect_jumps ||
	       tool_symbols.options->inlined == INLINED_CALLS;
}

/*
 * Tells the engine of a jump instruction: of its side exit, or without one at
 * its end.  guard is NULL if it is always taken.
 */
static void emit_jump(struct superblock_walk *walk, IRExpr *guard, Bool inverted)
{
	struct translation *translation = &walk->translation;
	struct jump_event event = { .guard = guard, .inverted = inverted };
	Bool conditional = walk->jump.kind == INSN_JUMP_CONDITIONAL;

	walk->jump.kind = INSN_JUMP_NONE;
	if (!counts_jumps())
		return;
	event.jump = jumping_find(translation->site, walk->jump.target, conditional);
	if (event.jump != NULL)
		walk->engine->jump(translation, &event);
}

/* Valgrind knows whether the branch is taken, and has left it out. */
static void add_known_branch(struct superblock_walk *walk, Bool taken)
{
	const struct branch branch = { .guard = IRExpr_Const(IRConst_U1(taken)) };

	if (!walk->branch_due)
		return;
	walk->branch_due = False;
	walk->engine->branch(&walk->translation, &branch);
}

/* The next instruction begins: Valgrind knew that the condition of a jump does not hold. */
static void pass_jump(struct superblock_walk *walk)
{
	add_known_branch(walk, False);
	if (walk->jump.kind == INSN_JUMP_CONDITIONAL)
		emit_jump(walk, IRExpr_Const(IRConst_U1(False)), False);
}

/* Also direct jumps, calls and returns: predictors of a machine do. */
static Bool sees_all_branches(void)
{
	return tool_simulate.branching.predictor != NULL;
}

static void begin_jump(struct superblock_walk *walk, Addr address, UInt size)
{
	if (counts_jumps() || tool_instrument.options.architectural || sees_all_branches())
		jump_insn_decode((const UChar *)address, size, address, &walk->jump);
}

/* xsave and xrstor are one reference, whose size is known when they are executed. */
static void add_state(struct superblock_walk *walk, enum access_kind kind, IRExpr *address)
{
	IRSB *out = walk->translation.out;
	IRExpr *with_avx = insn_view_with_avx(out);
	const Bool makes_dirty = engine_writes_matter() && kind == ACCESS_WRITE;
	struct access more = { kind, XSAVE_SIZE + XSAVE_AVX_SIZE, address, with_avx, makes_dirty, 0,
			       0 };
	struct access less = { kind, XSAVE_SIZE, address, NULL, makes_dirty, 0, 0 };
	const enum event event = kind == ACCESS_WRITE ? EVENT_BYTW : EVENT_BYTR;

	less.guard = ir_assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, with_avx));
	if (walk->counts_bytes) {
		count_guarded(walk, event, more.size, more.guard);
		count_guarded(walk, event, less.size, less.guard);
	}
	walk->engine->access(&walk->translation, &more);
	walk->engine->access(&walk->translation, &less);
}

/* What an instruction refers to, if its operands say so. */
static void add_operand(struct superblock_walk *walk, UInt number)
{
	struct translation *translation = &walk->translation;
	const struct insn_traits *traits = &walk->insn.traits;
	const struct insn_operand *operand = &traits->operands[number];
	struct access access = { ACCESS_READ,
				 operand->size,
				 insn_view_address(translation->out, traits, number),
				 NULL,
				 engine_writes_matter() && operand->writes,
				 0,
				 0 };

	if (traits->kind == INSN_STATE_BY_MASK) {
		add_state(walk, operand->writes ? ACCESS_WRITE : ACCESS_READ, access.address);
		return;
	}
	if (traits->kind == INSN_STATE && operand->writes)
		access.kind = ACCESS_WRITE;
	walk->engine->access(translation, &access);
	if (traits->kind == INSN_BIT_TEST && operand->writes)
		walk->engine->modify(translation, &access);
}

/* What the architecture says about the instruction that begins here. */
static void begin_insn(struct superblock_walk *walk, const IRSB *sb_in, Int at)
{
	struct translation *translation = &walk->translation;

	translation->repeats = False;
	translation->by_operands = False;
	if (!tool_instrument.options.architectural)
		return;
	insn_view_init(&walk->insn, sb_in, at);
	walk->whole_read = False;
	translation->repeats = walk->insn.is_repeated;
	translation->by_operands = walk->insn.is_other;
	walk->branch_due = walk->insn.is_conditional;
}

/* The bytes of an operand that says what is referred to better than the representation. */
static void add_operand_bytes(struct superblock_walk *walk, const struct insn_traits *traits,
			      const struct insn_operand *operand)
{
	const Bool writes = traits->kind != INSN_PLAIN && operand->writes;

	if (traits->kind != INSN_STATE || !writes)
		walk->engine->count(&walk->translation, EVENT_BYTR, operand->size);
	if (writes)
		walk->engine->count(&walk->translation, EVENT_BYTW, operand->size);
}

/* The instruction is one of its class, and one that reads or writes; guard: if it holds (NULL: it is so). */
static void count_class(struct superblock_walk *walk, IRExpr *guard)
{
	const struct {
		enum event event;
		Bool counts;
	} events[] = {
		{ walk->class, True },
		{ EVENT_LD, walk->references.reads },
		{ EVENT_ST, walk->references.writes },
	};

	for (UInt i = 0; tool_work.has_mix && i < sizeof(events) / sizeof(events[0]); i++) {
		if (events[i].counts && guard == NULL)
			walk->engine->count(&walk->translation, events[i].event, 1);
		else if (events[i].counts)
			count_guarded(walk, events[i].event, 1, guard);
	}
}

/* Which class it is of, and where it refers to: from the view, if that differs from the representation. */
static void begin_class(struct superblock_walk *walk, const struct insn_view *view)
{
	const IRStmt *stmt = walk->sb_in->stmts[walk->imark];
	const struct insn_traits *traits = &view->traits;

	walk->class = insnevents_class((const UChar *)walk->translation.site->address,
				       stmt->Ist.IMark.len);
	walk->references = references_find(walk->sb_in, walk->imark);
	walk->references.reads = walk->references.reads && walk->lanes != LANES_BYTES;
	if (view->is_other && traits->kind != INSN_STATE_BY_MASK) {
		const Bool writes = traits->kind != INSN_PLAIN && traits->n_operands != 0 &&
				    traits->operands[0].writes;

		walk->references.writes = writes;
		walk->references.reads = traits->n_operands != 0 &&
					 (traits->kind != INSN_STATE || !writes);
	}
	if (!walk->translation.repeats)
		count_class(walk, NULL);
}

/* Whatever the counting: loads whose values are unused, too, and no bits of registers. */
static void begin_bytes(struct superblock_walk *walk, const IRSB *sb_in, Int at)
{
	const IRStmt *stmt = sb_in->stmts[at];
	const Addr address = (Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta;
	struct insn_view view;

	walk->counts_bytes = tool_work.has_bytes && stmt->Ist.IMark.len != 0;
	walk->imark = at;
	if (!walk->counts_bytes && !tool_work.has_mix)
		return;
	walk->lanes = lanes_of((const UChar *)address, stmt->Ist.IMark.len);
	insn_view_init(&view, sb_in, at);
	if (tool_work.has_mix)
		begin_class(walk, &view);
	if (!walk->counts_bytes || !view.is_other || view.traits.kind == INSN_STATE_BY_MASK)
		return;
	walk->counts_bytes = False;
	for (UInt i = 0; i < view.traits.n_operands; i++)
		add_operand_bytes(walk, &view.traits, &view.traits.operands[i]);
}

static void add_operands(struct superblock_walk *walk)
{
	const struct insn_view *insn = &walk->insn;

	/* Without a look at its counter, it has a first round, or Valgrind knows that it has none. */
	if (insn->is_repeated && !insn->may_end && insn->n_statements != 0)
		walk->engine->count(&walk->translation, EVENT_REP, 1);
	for (UInt i = 0; insn->is_other && i < insn->traits.n_operands; i++)
		add_operand(walk, i);
}

/* What Valgrind leaves out. */
static void add_prefetch(struct superblock_walk *walk, Addr address, UInt size)
{
	struct insn_traits traits = { .kind = INSN_PLAIN };
	struct prefetch_insn insn;

	if (!tool_simulate.prefetching.instructions ||
	    !prefetch_insn_decode((const UChar *)address, size, address, &insn))
		return;
	traits.operands[0] = insn.place;
	walk->engine->prefetch(&walk->translation,
			       insn_view_address(walk->translation.out, &traits, 0), insn.level);
}

/* What it does, as far as its code says so. */
static void add_work(struct superblock_walk *walk, Addr address, UInt size)
{
	struct insnevent events[INSNEVENTS_MOST];
	const UInt n = insnevents_find((const UChar *)address, size, events);

	for (UInt i = 0; i < n; i++)
		walk->engine->count(&walk->translation, events[i].event, events[i].n);
}

/* What it costs in cycles. */
static void begin_weight(struct superblock_walk *walk)
{
	if (walk->weights == NULL)
		return;
	walk->translation.weight = &walk->weights[walk->n_weighed];
	if (walk->n_weighed + 1 < PATHS_MAX_INSTRUCTIONS)
		walk->n_weighed++;
}

/* Before it is counted itself. */
static void mark_region(struct superblock_walk *walk)
{
	walk->engine->observe(&walk->translation);
	ir_call_if(walk->translation.out, NULL, 0, "region_mark", &region_mark, mkIRExprVec_0());
}

static void walk_imark(struct superblock_walk *walk, const IRSB *sb_in, Int at)
{
	const IRStmt *stmt = sb_in->stmts[at];
	Addr address = (Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta;
	/* VEX gives length 0 to an instruction that it cannot decode. */
	UInt size = stmt->Ist.IMark.len != 0 ? stmt->Ist.IMark.len : VG_MIN_INSTR_SZB;
	struct source_location place;
	struct site *site;

	end_lanes(walk);
	pass_jump(walk);
	symbols_lookup(&tool_symbols, address, walk->place, &place);
	site = sites_find(&tool_counts.sites, address, size, &place);
	if (tool_symbols.options->inlined == INLINED_CALLS &&
	    !tool_instrument.options.architectural)
		site->repeats = jump_insn_repeats((const UChar *)address, size);
	begin_block(walk, site);
	walk->read_pending = False;
	walk->left = False;
	walk->next_address = address + size;
	begin_insn(walk, sb_in, at);
	begin_weight(walk);
	if (region_is_marker((const UChar *)address, size))
		mark_region(walk);
	walk->engine->fetch(&walk->translation);
	add_work(walk, address, stmt->Ist.IMark.len);
	begin_bytes(walk, sb_in, at);
	begin_jump(walk, address, stmt->Ist.IMark.len);
	add_operands(walk);
	add_prefetch(walk, address, stmt->Ist.IMark.len);
}

static void walk_load_guarded(struct superblock_walk *walk, const IRLoadG *load)
{
	IRType result, loaded;

	typeOfIRLoadGOp(load->cvt, &result, &loaded);
	add_access(walk, ACCESS_READ, load->addr, (UInt)sizeofIRType(loaded), load->guard);
}

static void walk_dirty(struct superblock_walk *walk, const IRDirty *dirty)
{
	UInt size;

	if (dirty->mFx == Ifx_None)
		return;
	size = (UInt)dirty->mSize;
	if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
		add_access(walk, ACCESS_READ, dirty->mAddr, size, NULL);
	if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
		add_access(walk, ACCESS_WRITE, dirty->mAddr, size, NULL);
}

static void walk_cas(struct superblock_walk *walk, const IRCAS *cas)
{
	UInt size = size_of_expr(walk, cas->dataLo);

	if (cas->dataHi != NULL) /* two words, side by side */
		size *= 2;
	/* The processor reads once: what is swapped is what has just been read. */
	if (!tool_instrument.options.architectural || !is_pending(walk, cas->addr, size))
		add_access(walk, ACCESS_READ, cas->addr, size, NULL);
	add_access(walk, ACCESS_WRITE, cas->addr, size, NULL);
	walk->engine->lock(&walk->translation);
}

static void walk_llsc(struct superblock_walk *walk, const IRStmt *stmt)
{
	IRExpr *address = stmt->Ist.LLSC.addr;

	if (stmt->Ist.LLSC.storedata == NULL) {
		add_access(walk, ACCESS_READ, address, size_of_temp(walk, stmt->Ist.LLSC.result),
			   NULL);
	} else {
		add_access(walk, ACCESS_WRITE, address,
			   size_of_expr(walk, stmt->Ist.LLSC.storedata), NULL);
		walk->engine->lock(&walk->translation);
	}
	walk->read_pending = False;
}

/* A side exit of a conditional jump; one to the next instruction goes there either way. */
static void jump_by_exit(struct superblock_walk *walk, const struct branch *branch, Addr target)
{
	Bool to_next = walk->jump.target == walk->next_address;

	if (walk->jump.kind == INSN_JUMP_CONDITIONAL &&
	    (target == walk->jump.target || target == walk->next_address))
		emit_jump(walk, branch->guard, to_next ? walk->jump.negated : branch->inverted);
}

/* True if Valgrind leaves the block for a reason of its own: rounds of rep, locks that are lost. */
static Bool is_internal(const struct superblock_walk *walk)
{
	return tool_instrument.options.architectural && !walk->insn.is_conditional;
}

static void walk_exit(struct superblock_walk *walk, const IRStmt *stmt)
{
	const struct branch branch = {
		.guard = stmt->Ist.Exit.guard,
		/* VEX may turn a branch around: then it is the fall-through that exits. */
		.inverted = ir_constant_address(stmt->Ist.Exit.dst) == walk->next_address,
	};
	const struct departure departure = {
		.kind = stmt->Ist.Exit.jk,
		.target = IRExpr_Const(stmt->Ist.Exit.dst),
		.guard = stmt->Ist.Exit.guard,
	};

	end_lanes(walk);
	if (ir_is_branch(stmt->Ist.Exit.jk) && !is_internal(walk)) {
		walk->branch_due = False;
		walk->engine->branch(&walk->translation, &branch);
		jump_by_exit(walk, &branch, ir_constant_address(stmt->Ist.Exit.dst));
	}
	if (walk->insn.is_repeated && branch.inverted) {
		walk->engine->complete(&walk->translation, branch.guard);
		count_class(walk, branch.guard);
	}
	walk->engine->exit(&walk->translation, &departure);
	walk->round_due = walk->insn.is_repeated && branch.inverted;
	walk->left = True;
	walk->read_pending = False;
}

static void walk_assignment(struct superblock_walk *walk, const IRStmt *stmt)
{
	const IRExpr *data = stmt->Ist.WrTmp.data;

	if (data->tag == Iex_Load)
		add_access(walk, ACCESS_READ, data->Iex.Load.addr,
			   size_of_temp(walk, stmt->Ist.WrTmp.tmp), NULL);
	else if (ir_is_division(data))
		walk->engine->trap(&walk->translation);
}

static void walk_statement(struct superblock_walk *walk, const IRSB *sb_in, Int at)
{
	const IRStmt *stmt = sb_in->stmts[at];

	walk->at = at;
	if (walk->round_due)
		walk->engine->count(&walk->translation, EVENT_REP, 1);
	walk->round_due = False;
	switch (stmt->tag) {
	case Ist_IMark:
		walk_imark(walk, sb_in, at);
		break;
	case Ist_WrTmp:
		walk_assignment(walk, stmt);
		break;
	case Ist_Store:
		add_access(walk, ACCESS_WRITE, stmt->Ist.Store.addr,
			   size_of_expr(walk, stmt->Ist.Store.data), NULL);
		break;
	case Ist_LoadG:
		walk_load_guarded(walk, stmt->Ist.LoadG.details);
		break;
	case Ist_StoreG:
		add_access(walk, ACCESS_WRITE, stmt->Ist.StoreG.details->addr,
			   size_of_expr(walk, stmt->Ist.StoreG.details->data),
			   stmt->Ist.StoreG.details->guard);
		break;
	case Ist_Dirty:
		if (deterministic_reads_totals(stmt))
			walk->engine->observe(&walk->translation);
		walk_dirty(walk, stmt->Ist.Dirty.details);
		break;
	case Ist_CAS:
		walk_cas(walk, stmt->Ist.CAS.details);
		break;
	case Ist_LLSC:
		walk_llsc(walk, stmt);
		break;
	case Ist_Exit:
		walk_exit(walk, stmt);
		break;
	case Ist_NoOp:
	case Ist_AbiHint:
	case Ist_Put:
	case Ist_PutI:
	case Ist_MBE:
		break;
	}
}

/*
 * A side exit by whether its branch is taken: that is in a register, where VEX would keep the guard in another one, as anything
 * that is used twice.
 */
static IRStmt *exit_if_taken(struct superblock_walk *walk, const IRStmt *stmt)
{
	const Bool inverted = ir_constant_address(stmt->Ist.Exit.dst) == walk->next_address;
	IRExpr *leaves = IRExpr_Binop(inverted ? Iop_CmpEQ64 : Iop_CmpNE64, walk->translation.taken,
				      ir_u64(0));

	return IRStmt_Exit(ir_assign(walk->translation.out, Ity_I1, leaves), stmt->Ist.Exit.jk,
			   stmt->Ist.Exit.dst, stmt->Ist.Exit.offsIP);
}

/* The superblock ends in a jump without a condition, or with one that Valgrind knows. */
static void jump_by_end(struct superblock_walk *walk, const IRSB *sb_in)
{
	Bool is_computed = sb_in->next->tag == Iex_RdTmp;

	if (sb_in->jumpkind != Ijk_Boring)
		return;
	if (walk->jump.kind == INSN_JUMP_COMPUTED && counts_jumps())
		engine_compute_jump(&walk->translation, sb_in->next);
	else if (walk->jump.kind != INSN_JUMP_NONE && !is_computed &&
		 ir_constant_address(sb_in->next->Iex.Const.con) == walk->jump.target) {
		add_known_branch(walk, True);
		emit_jump(walk, NULL, False);
	} else {
		pass_jump(walk);
	}
}

/* What else goes elsewhere for certain. */
static void direct_by_end(struct superblock_walk *walk, const IRSB *sb_in)
{
	/* Of a conditional jump that Valgrind knows to be taken, the predictor of directions sees that. */
	const Bool jumps = walk->jump.kind != INSN_JUMP_NONE && !walk->branch_due;

	if (sb_in->jumpkind == Ijk_Ret)
		walk->engine->returns(&walk->translation, sb_in->next);
	else if (sb_in->jumpkind == Ijk_Call ||
		 (sb_in->jumpkind == Ijk_Boring && jumps &&
		  ir_constant_address(sb_in->next->Iex.Const.con) == walk->jump.target))
		walk->engine->direct(&walk->translation);
}

static void walk_end(struct superblock_walk *walk, const IRSB *sb_in)
{
	const struct departure departure = { .kind = sb_in->jumpkind, .target = sb_in->next };

	end_lanes(walk);
	if ((sb_in->jumpkind == Ijk_Boring || sb_in->jumpkind == Ijk_Call) &&
	    (sb_in->next->tag == Iex_RdTmp || walk->insn.is_computed))
		walk->engine->indirect(&walk->translation, sb_in->next);
	else if (sees_all_branches())
		direct_by_end(walk, sb_in);
	if (sees_all_branches() && sb_in->jumpkind == Ijk_Call)
		walk->engine->calls(&walk->translation);
	jump_by_end(walk, sb_in);
	if (walk->insn.is_repeated &&
	    ir_constant_address(sb_in->next->Iex.Const.con) == walk->next_address) {
		walk->engine->complete(&walk->translation, NULL);
		count_class(walk, NULL);
	}
	walk->engine->end(&walk->translation, &departure);
}

/*
 * Code that is cold, or not precise enough, leaves to its address, to be translated again.  A function that is
 * redirected to a wrapper comes back to the wrapper by that, if it runs itself
 * for once; so neither of the two ever does.
 */
static Bool may_be_left(const VgCallbackClosure *closure)
{
	return closure->nraddr == closure->readdr && (tool_counts.hot->block & BLOCK_NO_REDIR) == 0;
}

/* True if the program's own prefetches are obeyed, and the superblock has any. */
static Bool obeys_prefetches(const IRSB *sb)
{
	struct prefetch_insn insn;

	for (Int i = 0; tool_simulate.prefetching.instructions && i < sb->stmts_used; i++) {
		const IRStmt *stmt = sb->stmts[i];
		Addr address;

		if (stmt->tag != Ist_IMark)
			continue;
		address = (Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta;
		if (prefetch_insn_decode((const UChar *)address, stmt->Ist.IMark.len, address,
					 &insn))
			return True;
	}
	return False;
}

static Bool needs_registers(const IRSB *sb, Addr entry)
{
	return (tool_instrument.options.architectural && insn_view_needs_registers(sb)) ||
	       (tool_calls.call_hooks.in_use && callhooks_fall_into(sb, entry)) ||
	       obeys_prefetches(sb);
}

/* Calls tool_instrument.before_exec before a system call that executes a program. */
static void emit_before_exec(IRSB *out)
{
	IRExpr *call, *is_either;

	if (out->jumpkind != Ijk_Sys_syscall)
		return;
	call = ir_assign(out, Ity_I64, IRExpr_Get(GUEST_SYSCALL, Ity_I64));
	is_either = ir_either(
		out, ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, call, ir_u64(__NR_execve))),
		ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, call, ir_u64(__NR_execveat))));
	ir_call_if(out, is_either, 1, "before_exec", (void *)tool_instrument.before_exec,
		   mkIRExprVec_1(IRExpr_GSPTR()));
	/* It may change what the call is given. */
	guest_declare_changed(out->stmts[out->stmts_used - 1]->Ist.Dirty.details);
}

/* NOLINTNEXTLINE(readability-function-size): the core gives it seven parameters */
IRSB *instrument(VgCallbackClosure *closure, IRSB *sb_in, const VexGuestLayout *layout,
		 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		 IRType host_word)
{
	struct superblock_walk walk = {
		.sb_in = sb_in,
		.engine = tool_instrument.engine,
		.entry = closure->nraddr,
		.translation = {
			.out = tool_calls.instrumenting ? deepCopyIRSBExceptStmts(sb_in) : NULL,
			.extents = extents,
			.layout = layout,
			.cold = may_be_left(closure) && cold_begins(&tool_instrument.cold, closure->nraddr),
		},
	};
	IRSB *out = walk.translation.out;
	Bool is_precise;
	Int i = 0;

	tool_instrument.capabilities = host->hwcaps;
	if (!tool_calls.instrumenting) {
		emit_before_exec(sb_in);
		return sb_in;
	}
	is_precise = register_updates_take_once(&tool_instrument.register_updates);
	walk.translation.entry = closure->nraddr;
	tl_assert(guest_word == host_word);
	walk.translation.no_redir = (tool_counts.hot->block & BLOCK_NO_REDIR) != 0;
	for (; i < sb_in->stmts_used && sb_in->stmts[i]->tag != Ist_IMark; i++) {
		walk.translation.looks_first |= sb_in->stmts[i]->tag == Ist_Exit;
		addStmtToIRSB(out, sb_in->stmts[i]);
	}
	if (i == sb_in->stmts_used)
		return out;
	if (may_be_left(closure) && generated_has_renamed(closure->nraddr)) {
		cold_emit_discard(&walk.translation);
		return out;
	}
	if (!is_precise && may_be_left(closure) && needs_registers(sb_in, closure->nraddr)) {
		cold_emit_precise_again(&walk.translation);
		return out;
	}
	walk.weights = paths_weigh(sb_in, walk.translation.cold, &walk.translation.path);
	for (; i < sb_in->stmts_used; i++) {
		IRStmt *stmt = sb_in->stmts[i];

		walk.translation.taken = NULL;
		walk_statement(&walk, sb_in, i);
		if (stmt->tag == Ist_Exit && walk.translation.taken != NULL)
			stmt = exit_if_taken(&walk, stmt);
		deterministic_add(out, stmt);
		framewatch_look(sb_in, i, walk.place, walk.translation.site->address, out,
				&walk.frame);
	}
	walk_end(&walk, sb_in);
	framewatch_emit(out, &walk.frame);
	deterministic_end(out);
	tl_assert(out != NULL);
	emit_before_exec(out);
	return out;
}
