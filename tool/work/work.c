/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/work.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

struct found {
	struct insnevent *events;
	UInt n;
};

static void add(struct found *found, enum event event, UInt n)
{
	if (n != 0)
		found->events[found->n++] = (struct insnevent){ event, n };
}

UInt insnevents_find(const UChar *code, UInt size, struct insnevent events[INSNEVENTS_MOST])
{
	struct found found = { events, 0 };
	struct insn_work work;

	if (!tool_work.has_operations || !insn_may_float(code, size))
		return 0;
	insn_work_decode(&tool_work.decoder, code, size, &work);
	add(&found, EVENT_FLS, work.singles);
	add(&found, EVENT_FLD, work.doubles);
	add(&found, EVENT_FLX, work.extendeds);
	add(&found, EVENT_FL128, work.bits == 128);
	add(&found, EVENT_FL256, work.bits == 256);
	return found.n;
}

enum event insnevents_class(const UChar *code, UInt size)
{
	static const enum event classes[N_INSN_CLASSES] = {
		[CLASS_INTEGER] = EVENT_AL,    [CLASS_FLOATING] = EVENT_FA,
		[CLASS_MULTIPLY] = EVENT_MUL,  [CLASS_DIVIDE] = EVENT_DIV,
		[CLASS_CONVERSION] = EVENT_CV, [CLASS_SHUFFLE] = EVENT_SHF,
		[CLASS_MOVE] = EVENT_MOV,      [CLASS_BRANCH] = EVENT_JMP,
		[CLASS_NOP] = EVENT_NOP,       [CLASS_SYSTEM] = EVENT_SYS,
	};
	struct insn_work work;

	insn_work_decode(&tool_work.decoder, code, size, &work);
	return classes[work.class];
}

/* --- sums -------------------------------------------------------------------------------- */

struct work_node {
	struct work_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	UShort number;
	struct work work;
};

static Word compare_works(const void *a, const void *b)
{
	const struct work_node *left = a, *right = b;

	return VG_(memcmp)(left->work.counts, right->work.counts, sizeof(left->work.counts));
}

static void list_counted(struct work *work)
{
	work->n_counted = 0;
	for (UInt i = 0; i < N_WORK_EVENTS; i++)
		if (work->counts[i] != 0)
			work->counted[work->n_counted++] = (UChar)i;
}

/* Nodes are never freed. */
static UShort add_node(struct worktable *table, const struct work_node *wanted)
{
	struct work_node *node = VG_(perm_malloc)(sizeof(*node), 8);

	if (table->n == table->room) {
		table->room = table->room == 0 ? 64 : 2 * table->room;
		table->works = VG_(realloc)("costgrind.works", table->works,
					    table->room * sizeof(table->works[0]));
	}
	*node = *wanted;
	list_counted(&node->work);
	table->works[table->n++] = &node->work;
	tl_assert(table->n <= WORKTABLE_MOST);
	node->number = (UShort)table->n;
	VG_(HT_add_node)(table->nodes, node);
	return node->number;
}

UShort worktable_add(struct worktable *table, UShort number, enum event event, UInt n)
{
	struct work_node wanted = { .key = 0 };
	const struct work_node *known;
	UShort *count = &wanted.work.counts[event - EVENT_FLS];

	tl_assert(work_has(event));
	if (n == 0)
		return number;
	if (number != WORK_NONE)
		wanted.work = *table->works[number - 1];
	tl_assert(*count + n <= 65535);
	*count = (UShort)(*count + n);
	for (UInt i = 0; i < N_WORK_EVENTS; i++)
		wanted.key = wanted.key * 31 + wanted.work.counts[i];
	if (table->nodes == NULL)
		table->nodes = VG_(HT_construct)("costgrind.works");
	known = VG_(HT_gen_lookup)(table->nodes, &wanted, compare_works);
	return known != NULL ? known->number : add_node(table, &wanted);
}

/* --- memory references ------------------------------------------------------------------- */

struct references references_find(const IRSB *sb, Int imark)
{
	struct references references = { False, False };

	for (Int i = imark + 1; i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark; i++) {
		const IRStmt *stmt = sb->stmts[i];
		IREffect effect;

		switch (stmt->tag) {
		case Ist_WrTmp:
			references.reads |= stmt->Ist.WrTmp.data->tag == Iex_Load;
			break;
		case Ist_LoadG:
			references.reads = True;
			break;
		case Ist_Store:
		case Ist_StoreG:
			references.writes = True;
			break;
		case Ist_CAS:
			references.reads = references.writes = True;
			break;
		case Ist_LLSC:
			references.reads |= stmt->Ist.LLSC.storedata == NULL;
			references.writes |= stmt->Ist.LLSC.storedata != NULL;
			break;
		case Ist_Dirty:
			effect = stmt->Ist.Dirty.details->mFx;
			references.reads |= effect == Ifx_Read || effect == Ifx_Modify;
			references.writes |= effect == Ifx_Write || effect == Ifx_Modify;
			break;
		default:
			break;
		}
	}
	return references;
}

static UInt size_of(const IRSB *sb, const IRExpr *expr)
{
	return (UInt)sizeofIRType(typeOfIRExpr(sb->tyenv, expr));
}

/* True if a helper function writes a place without reading it first. */
static Bool is_written_by(const IRDirty *dirty, const IRExpr *address, UInt size, UInt most)
{
	const UInt written = (UInt)dirty->mSize;

	return dirty->mFx == Ifx_Write && eqIRAtom(dirty->mAddr, address) &&
	       (most != 0 && written > most ? most : written) == size;
}

Bool references_modify(const IRSB *sb, Int at, const IRExpr *address, UInt size, UInt most,
		       Bool once)
{
	const IRStmt *stmt = sb->stmts[at];

	if (stmt->tag == Ist_CAS)
		return True; /* what is read here is what is written */
	for (Int i = at + (stmt->tag != Ist_Dirty); i < sb->stmts_used; i++) {
		stmt = sb->stmts[i];
		switch (stmt->tag) {
		case Ist_Store:
			return eqIRAtom(stmt->Ist.Store.addr, address) &&
			       size_of(sb, stmt->Ist.Store.data) == size;
		case Ist_CAS: /* VEX loads before it compares; to the processor both are one read */
			return once && eqIRAtom(stmt->Ist.CAS.details->addr, address);
		case Ist_Dirty:
			if (stmt->Ist.Dirty.details->mFx == Ifx_None)
				break;
			return i == at ? stmt->Ist.Dirty.details->mFx == Ifx_Modify
				       : is_written_by(stmt->Ist.Dirty.details, address, size,
						       most);
		case Ist_WrTmp:
			if (stmt->Ist.WrTmp.data->tag == Iex_Load)
				return False;
			break;
		case Ist_IMark:
		case Ist_Exit:
		case Ist_LoadG:
		case Ist_StoreG:
		case Ist_LLSC:
			return False;
		default:
			break;
		}
	}
	return False;
}

/* --- lanes ------------------------------------------------------------------------------- */

enum { LANE_BITS = 8 };

/* VEX selects the address of such a load with an ITE, within the instruction. */
IRExpr *lanes_guard(const IRSB *sb, Int imark, Int at, const IRExpr *address)
{
	for (Int i = imark + 1; i < at && address->tag == Iex_RdTmp; i++) {
		const IRStmt *stmt = sb->stmts[i];

		if (stmt->tag == Ist_WrTmp && stmt->Ist.WrTmp.tmp == address->Iex.RdTmp.tmp &&
		    stmt->Ist.WrTmp.data->tag == Iex_ITE)
			return stmt->Ist.WrTmp.data->Iex.ITE.cond;
	}
	return NULL;
}

/* Lanes are all ones or all zeroes. */
static VG_REGPARM(1) ULong count_lanes(ULong mask)
{
	return (ULong)__builtin_popcountll(mask) / LANE_BITS;
}

static IRExpr *assign(IRSB *out, IRExpr *value)
{
	IRTemp temp = newIRTemp(out->tyenv, Ity_I64);

	addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
	return IRExpr_RdTmp(temp);
}

void lanes_add(IRSB *out, struct lane_sum *sum, UInt size, IRExpr *guard)
{
	IRExpr *lane = assign(out, IRExpr_Unop(Iop_1Uto64, guard));

	sum->lanes = sum->lanes == NULL ? lane
					: assign(out, IRExpr_Binop(Iop_Add64, sum->lanes, lane));
	sum->size = size;
}

IRExpr *lanes_take(IRSB *out, struct lane_sum *sum)
{
	IRExpr *lanes = sum->lanes;

	sum->lanes = NULL;
	if (lanes == NULL)
		return NULL;
	return assign(out, IRExpr_Binop(Iop_Shl64, lanes,
					IRExpr_Const(IRConst_U8((UChar)__builtin_ctz(sum->size)))));
}

/* The expression that an atom was assigned before a statement; NULL: a constant. */
static const IRExpr *definition(const IRSB *sb, const IRExpr *atom, Int before)
{
	for (Int i = before - 1; i >= 0 && atom->tag == Iex_RdTmp; i--)
		if (sb->stmts[i]->tag == Ist_WrTmp &&
		    sb->stmts[i]->Ist.WrTmp.tmp == atom->Iex.RdTmp.tmp)
			return sb->stmts[i]->Ist.WrTmp.data;
	return NULL;
}

/* The mask, if rest is "x & ~mask"; else NULL. */
static IRExpr *mask_of_rest(const IRSB *sb, const IRExpr *rest, Int before)
{
	const IRExpr *both = definition(sb, rest, before);

	if (both == NULL || both->tag != Iex_Binop)
		return NULL;
	for (UInt i = 0; i < 2; i++) {
		const IRExpr *arg = i == 0 ? both->Iex.Binop.arg1 : both->Iex.Binop.arg2;
		const IRExpr *inverse = definition(sb, arg, before);

		if (inverse != NULL && inverse->tag == Iex_Unop &&
		    (inverse->Iex.Unop.op == Iop_NotV128 || inverse->Iex.Unop.op == Iop_Not64))
			return inverse->Iex.Unop.arg;
	}
	return NULL;
}

/* The mask of the first store after a statement, "new & mask | old & ~mask"; it has whole bytes. */
static IRExpr *mask_of_store(const IRSB *sb, Int at)
{
	const IRExpr *sum = NULL;
	IRExpr *mask;

	for (; at < sb->stmts_used && sb->stmts[at]->tag != Ist_IMark; at++)
		if (sb->stmts[at]->tag == Ist_Store) {
			sum = definition(sb, sb->stmts[at]->Ist.Store.data, at);
			break;
		}
	if (sum == NULL || sum->tag != Iex_Binop)
		return NULL;
	mask = mask_of_rest(sb, sum->Iex.Binop.arg1, at);
	return mask != NULL ? mask : mask_of_rest(sb, sum->Iex.Binop.arg2, at);
}

/* The number of lanes in a word of a mask: an atom. */
static IRExpr *lanes_of_word(IRSB *out, IRExpr *word)
{
	return assign(out, mkIRExprCCall(Ity_I64, 1, "count_lanes",
					 VG_(fnptr_to_fnentry)(&count_lanes), mkIRExprVec_1(word)));
}

IRExpr *lanes_written(IRSB *out, const IRSB *sb, Int at)
{
	IRExpr *mask = mask_of_store(sb, at), *low, *high;

	if (mask == NULL)
		return NULL;
	if (typeOfIRExpr(sb->tyenv, mask) == Ity_I64)
		return lanes_of_word(out, mask);
	low = assign(out, IRExpr_Unop(Iop_V128to64, mask));
	high = assign(out, IRExpr_Unop(Iop_V128HIto64, mask));
	return assign(out,
		      IRExpr_Binop(Iop_Add64, lanes_of_word(out, low), lanes_of_word(out, high)));
}
