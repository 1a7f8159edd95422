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
 *					an indirect branch; returns are not modelled
 *
 * A write that directly follows a read of the same place and size in the same
 * instruction is one access with it, a modify, and counts as the read that
 * came first (Cachegrind manual 5.8).  "Directly" means that no other event
 * and no side exit lies between, and that neither is guarded.
 *
 * Everything before the first IMark is copied as it is: checks for
 * self-modifying code and the like, which are not the program's.
 */
#include "tool/instrument.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_machine.h"

#include "tool/codeunit.h"
#include "tool/engine.h"
#include "tool/jumping.h"
#include "tool/jumpinsn.h"
#include "tool/tool.h"

/* The walk through one superblock. */
struct walk {
	const struct engine *engine;
	struct translation translation;
	const struct place *place; /* of the instruction before, NULL at the first */
	Addr entry;                /* of the superblock */
	struct access read;        /* a read that a write may still join */
	Bool read_pending;         /* ... if there is one */
	Addr next_address;         /* where the instruction after this one begins */
	struct jump_insn jump;     /* this one, until the engine has been told of it */
};

static void add_access(struct walk *walk, enum access_kind kind, IRExpr *address, UInt size,
		       IRExpr *guard)
{
	struct access access = { kind, size, address, guard };

	if (kind == ACCESS_WRITE && guard == NULL && walk->read_pending &&
	    walk->read.size == size && eqIRAtom(walk->read.address, address)) {
		walk->read_pending = False;
		walk->engine->modify(&walk->translation, &walk->read);
		return; /* a modify: the read stands for both */
	}
	walk->engine->access(&walk->translation, &access);
	walk->read = access;
	walk->read_pending = kind == ACCESS_READ && guard == NULL;
}

static UInt size_of_temp(const struct walk *walk, IRTemp temp)
{
	return (UInt)sizeofIRType(typeOfIRTemp(walk->translation.out->tyenv, temp));
}

static UInt size_of_expr(const struct walk *walk, const IRExpr *expr)
{
	return (UInt)sizeofIRType(typeOfIRExpr(walk->translation.out->tyenv, expr));
}

/*
 * Sizes that Cachegrind cuts to its smallest line (28, 108, 512 bytes of FPU
 * state), because its simulator takes at most two lines a reference.
 */
static UInt cut_size(UInt size)
{
	return tool.min_line_size != 0 && size > tool.min_line_size ? tool.min_line_size : size;
}

/* Begins a block at the first instruction, and where code of another function begins. */
static void begin_block(struct walk *walk, struct site *site)
{
	struct translation *translation = &walk->translation;
	const struct place *before = walk->place;

	walk->place = &site->place;
	if (before != NULL && before->function == site->place.function) {
		translation->site = site;
		return;
	}
	if (before != NULL)
		walk->engine->end(translation, NULL);
	translation->site = site;
	translation->entry = before == NULL ? walk->entry : site->address;
	translation->unit = codeunit_find(site);
	walk->engine->begin(translation);
}

/*
 * Tells the engine of a jump instruction: of its side exit, or without one at
 * its end.  guard is NULL if it is always taken.
 */
static void emit_jump(struct walk *walk, IRExpr *guard, Bool inverted)
{
	struct translation *translation = &walk->translation;
	struct jump_event event = { .guard = guard, .inverted = inverted };
	Bool conditional = walk->jump.kind == JUMP_CONDITIONAL;

	walk->jump.kind = JUMP_NONE;
	event.jump = jumping_find(translation->site, walk->jump.target, conditional);
	if (event.jump != NULL)
		walk->engine->jump(translation, &event);
}

/* The next instruction begins: Valgrind knew that the condition of a jump does not hold. */
static void pass_jump(struct walk *walk)
{
	if (walk->jump.kind == JUMP_CONDITIONAL)
		emit_jump(walk, IRExpr_Const(IRConst_U1(False)), False);
}

static void begin_jump(struct walk *walk, Addr address, UInt size)
{
	if (tool.options.collect_jumps)
		jump_insn_decode((const UChar *)address, size, address, &walk->jump);
}

static void walk_imark(struct walk *walk, const IRStmt *stmt)
{
	Addr address = (Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta;
	/* VEX gives length 0 to an instruction that it cannot decode. */
	UInt size = stmt->Ist.IMark.len != 0 ? stmt->Ist.IMark.len : VG_MIN_INSTR_SZB;
	struct place place;
	struct site *site;

	pass_jump(walk);
	symbols_lookup(&tool.symbols, address, walk->place, &place);
	site = sites_find(&tool.sites, address, size, &place);
	if (place.inlined != NOT_INLINED)
		site->repeats = jump_insn_repeats((const UChar *)address, size);
	begin_block(walk, site);
	walk->read_pending = False;
	walk->next_address = address + size;
	walk->engine->fetch(&walk->translation);
	begin_jump(walk, address, stmt->Ist.IMark.len);
}

static void walk_load_guarded(struct walk *walk, const IRLoadG *load)
{
	IRType result, loaded;

	typeOfIRLoadGOp(load->cvt, &result, &loaded);
	add_access(walk, ACCESS_READ, load->addr, (UInt)sizeofIRType(loaded), load->guard);
}

static void walk_dirty(struct walk *walk, const IRDirty *dirty)
{
	UInt size;

	if (dirty->mFx == Ifx_None)
		return;
	size = cut_size((UInt)dirty->mSize);
	if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
		add_access(walk, ACCESS_READ, dirty->mAddr, size, NULL);
	if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
		add_access(walk, ACCESS_WRITE, dirty->mAddr, size, NULL);
}

static void walk_cas(struct walk *walk, const IRCAS *cas)
{
	UInt size = size_of_expr(walk, cas->dataLo);

	if (cas->dataHi != NULL) /* two words, side by side */
		size *= 2;
	add_access(walk, ACCESS_READ, cas->addr, cut_size(size), NULL);
	add_access(walk, ACCESS_WRITE, cas->addr, cut_size(size), NULL);
	walk->engine->lock(&walk->translation);
}

static void walk_llsc(struct walk *walk, const IRStmt *stmt)
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

static Bool is_branch(IRJumpKind kind)
{
	return kind == Ijk_Boring || kind == Ijk_Call || kind == Ijk_Ret;
}

static Addr constant_address(const IRConst *constant)
{
	return constant->tag == Ico_U32 ? constant->Ico.U32 : (Addr)constant->Ico.U64;
}

/* A side exit of a conditional jump; one to the next instruction goes there either way. */
static void jump_by_exit(struct walk *walk, const struct branch *branch, Addr target)
{
	Bool to_next = walk->jump.target == walk->next_address;

	if (walk->jump.kind == JUMP_CONDITIONAL &&
	    (target == walk->jump.target || target == walk->next_address))
		emit_jump(walk, branch->guard, to_next ? walk->jump.negated : branch->inverted);
}

static void walk_exit(struct walk *walk, const IRStmt *stmt)
{
	const struct branch branch = {
		.guard = stmt->Ist.Exit.guard,
		/* VEX may turn a branch around: then it is the fall-through that exits. */
		.inverted = constant_address(stmt->Ist.Exit.dst) == walk->next_address,
	};

	const struct departure departure = {
		.kind = stmt->Ist.Exit.jk,
		.target = IRExpr_Const(stmt->Ist.Exit.dst),
		.guard = stmt->Ist.Exit.guard,
	};

	if (is_branch(stmt->Ist.Exit.jk)) {
		walk->engine->branch(&walk->translation, &branch);
		jump_by_exit(walk, &branch, constant_address(stmt->Ist.Exit.dst));
	}
	walk->engine->exit(&walk->translation, &departure);
	walk->read_pending = False;
}

/* Divisions of integers: those of floating-point numbers do not trap. */
static Bool is_division(const IRExpr *expr)
{
	if (expr->tag != Iex_Binop)
		return False;
	switch (expr->Iex.Binop.op) {
	case Iop_DivU32:
	case Iop_DivS32:
	case Iop_DivU64:
	case Iop_DivS64:
	case Iop_DivModU64to32:
	case Iop_DivModS64to32:
	case Iop_DivModU128to64:
	case Iop_DivModS128to64:
	case Iop_DivModS64to64:
		return True;
	default:
		return False;
	}
}

static void walk_assignment(struct walk *walk, const IRStmt *stmt)
{
	const IRExpr *data = stmt->Ist.WrTmp.data;

	if (data->tag == Iex_Load)
		add_access(walk, ACCESS_READ, data->Iex.Load.addr,
			   size_of_temp(walk, stmt->Ist.WrTmp.tmp), NULL);
	else if (is_division(data))
		walk->engine->trap(&walk->translation);
}

static void walk_statement(struct walk *walk, const IRStmt *stmt)
{
	switch (stmt->tag) {
	case Ist_IMark:
		walk_imark(walk, stmt);
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

/* The superblock ends in a jump without a condition, or one of which Valgrind knows it. */
static void jump_by_end(struct walk *walk, const IRSB *sb_in)
{
	Bool is_computed = sb_in->next->tag == Iex_RdTmp;

	if (sb_in->jumpkind != Ijk_Boring)
		return;
	if (walk->jump.kind == JUMP_COMPUTED)
		engine_compute_jump(&walk->translation, sb_in->next);
	else if (walk->jump.kind != JUMP_NONE && !is_computed &&
		 constant_address(sb_in->next->Iex.Const.con) == walk->jump.target)
		emit_jump(walk, NULL, False);
	else
		pass_jump(walk);
}

static void walk_end(struct walk *walk, const IRSB *sb_in)
{
	const struct departure departure = { .kind = sb_in->jumpkind, .target = sb_in->next };

	if ((sb_in->jumpkind == Ijk_Boring || sb_in->jumpkind == Ijk_Call) &&
	    sb_in->next->tag == Iex_RdTmp)
		walk->engine->indirect(&walk->translation, sb_in->next);
	jump_by_end(walk, sb_in);
	walk->engine->end(&walk->translation, &departure);
}

/*
 * Cold code leaves to its address, to be translated again.  A function that is
 * redirected to a wrapper comes back to the wrapper by that, if it runs itself
 * for once; so neither of the two is ever cold.
 */
static Bool may_be_cold(const VgCallbackClosure *closure)
{
	return closure->nraddr == closure->readdr && (tool.hot->block & BLOCK_NO_REDIR) == 0;
}

/* NOLINTNEXTLINE(readability-function-size): the core gives it seven parameters */
IRSB *instrument(VgCallbackClosure *closure, IRSB *sb_in, const VexGuestLayout *layout,
		 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		 IRType host_word)
{
	struct walk walk = {
		.engine = tool.engine,
		.entry = closure->nraddr,
		.translation = {
			.out = deepCopyIRSBExceptStmts(sb_in),
			.extents = extents,
			.layout = layout,
			.cold = may_be_cold(closure) && cold_is(&tool.cold, closure->nraddr),
		},
	};
	IRSB *out = walk.translation.out;
	Int i = 0;

	(void)host;
	cold_arrived(&tool.cold);
	tl_assert(guest_word == host_word);
	for (; i < sb_in->stmts_used && sb_in->stmts[i]->tag != Ist_IMark; i++)
		addStmtToIRSB(out, sb_in->stmts[i]);
	if (i == sb_in->stmts_used)
		return out;
	for (; i < sb_in->stmts_used; i++) {
		walk_statement(&walk, sb_in->stmts[i]);
		addStmtToIRSB(out, sb_in->stmts[i]);
	}
	walk_end(&walk, sb_in);
	return out;
}
