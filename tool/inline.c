/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inline engine.  Per superblock it emits:
 *
 *	once		base = a shadow register; it holds the machine's address
 *			clock = machine->clock; machine->clock += stamps needed here
 *			hot->block = number of this block, for faults
 *	a segment	counter++
 *	a line of code	*line->stamp = clock + k; call slow_fetch if that went nowhere
 *	a data access	entry = filter + hash(address)
 *			call slow_data if address - entry->line > line size - size
 *			*entry->stamp = clock + k
 *	a branch	cell, history and mispredictions as machine_branch() has it
 *	a jump		as machine_jump() has it
 *
 * The clock is advanced at the beginning by all stamps of the block, so
 * however the block is left, no stamp is given twice.
 *
 * After instrumentation VEX removes dead code, propagates constants and builds
 * trees, but does not remove loads that are made twice: what is used more than
 * once is kept in a temporary.  It may move a load down to its only use, past
 * a call that it does not know to change memory; so no word that a slow path
 * changes is loaded before the call and used after it.
 */
#include "tool/engine.h"

#include <stddef.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/slow.h"
#include "tool/tool.h"

enum {
	MAX_CHARGES = 4096, /* a superblock has at most some 100 instructions */
	MAX_SEGMENTS = 2048,
	LOG2_OF_ENTRY = 4, /* struct filter_entry has 16 bytes */
};

/* One superblock being built; at most one is. */
struct inline_builder {
	IRExpr *base;      /* address of the machine */
	IRExpr *clock;     /* as it was before the block; NULL without caches */
	IRConst *n_stamps; /* the constant by which the clock is advanced */
	IRExpr *history;   /* NULL before the first branch */
	Int reset;         /* index of the statement hot->charge = 0 */
	Bool is_split;     /* which only a block with a split instruction needs */
	Bool segment_open; /* the next event belongs to the last segment */
	Bool has_access;   /* the current instruction has an access in its segment */
	Bool line_known;   /* code_line is the line fetched from last in this block */
	Addr code_line;
	UInt number; /* of the block */
	UInt n_segments, n_charges;
	UInt first_reference;
	ULong *counters[MAX_SEGMENTS];
	struct charge charges[MAX_CHARGES];
};

/* --- expressions ------------------------------------------------------------------ */

static IRExpr *u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

/* A new temporary that holds value. */
static IRExpr *assign(IRSB *out, IRType type, IRExpr *value)
{
	IRTemp temp = newIRTemp(out->tyenv, type);

	addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
	return IRExpr_RdTmp(temp);
}

static IRExpr *binary(IRSB *out, IROp op, IRExpr *left, IRExpr *right)
{
	return assign(out, Ity_I64, IRExpr_Binop(op, left, right));
}

/* Whether one of two conditions holds. */
static IRExpr *either(IRSB *out, IRExpr *a, IRExpr *b)
{
	a = assign(out, Ity_I32, IRExpr_Unop(Iop_1Uto32, a));
	b = assign(out, Ity_I32, IRExpr_Unop(Iop_1Uto32, b));
	a = assign(out, Ity_I32, IRExpr_Binop(Iop_Or32, a, b));
	return assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE32, a, IRExpr_Const(IRConst_U32(0))));
}

/* base + displacement, or the address itself where it is out of reach. */
static IRExpr *near_address(const struct translation *translation, const void *memory)
{
	Long displacement = (Long)((Addr)memory - (Addr)tool.machine);

	if (displacement != (Int)displacement)
		return u64((Addr)memory);
	return binary(translation->out, Iop_Add64, translation->builder->base,
		      u64((ULong)displacement));
}

static IRExpr *load(const struct translation *translation, const void *memory)
{
	return assign(translation->out, Ity_I64,
		      IRExpr_Load(Iend_LE, Ity_I64, near_address(translation, memory)));
}

static void store(const struct translation *translation, const void *memory, IRExpr *value)
{
	addStmtToIRSB(translation->out,
		      IRStmt_Store(Iend_LE, near_address(translation, memory), value));
}

static void add_to(const struct translation *translation, ULong *counter, IRExpr *amount)
{
	store(translation, counter,
	      binary(translation->out, Iop_Add64, load(translation, counter), amount));
}

/* The stamp after the n_before ones that were used before. */
static IRExpr *stamp(const struct translation *translation, UInt n_before)
{
	return binary(translation->out, Iop_Add64, translation->builder->clock, u64(n_before + 1));
}

static void call_if(IRSB *out, IRExpr *guard, Int regparms, const HChar *name, void *helper,
		    IRExpr **args)
{
	IRDirty *call = unsafeIRDirty_0_N(regparms, name, VG_(fnptr_to_fnentry)(helper), args);

	call->guard = guard;
	addStmtToIRSB(out, IRStmt_Dirty(call));
}

/* --- segments and charges ----------------------------------------------------------- */

static struct charge *add_charge(struct translation *translation, UInt n_instructions)
{
	struct inline_builder *builder = translation->builder;
	struct charge *charge = &builder->charges[builder->n_charges++];

	tl_assert(builder->n_charges <= MAX_CHARGES);
	*charge = (struct charge){
		.site = translation->site,
		.segment = (UShort)(builder->n_segments - 1),
		.n_instructions = (UChar)n_instructions,
	};
	return charge;
}

static void open_segment(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	ULong *counter;

	if (builder->segment_open)
		return;
	tl_assert(builder->n_segments < MAX_SEGMENTS);
	counter = near_counter(&tool.near);
	builder->counters[builder->n_segments++] = counter;
	builder->segment_open = True;
	add_to(translation, counter, u64(1));
}

/* The charge of the current instruction, in a segment that is open. */
static struct charge *current_charge(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	Bool was_open = builder->segment_open;
	struct charge *last;

	open_segment(translation);
	last = builder->n_charges > 0 ? &builder->charges[builder->n_charges - 1] : NULL;
	if (was_open && last != NULL && last->site == translation->site)
		return last;
	return add_charge(translation, 0);
}

/*
 * A second access of one instruction has a segment of its own: the first may
 * fault, and then this one is not made.  hot->charge tells which of the two
 * it was, since both have the same address.
 */
static void split_instruction(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;

	builder->segment_open = False;
	current_charge(translation)->split = True;
	builder->is_split = True;
	store(translation, &tool.hot->charge, u64(builder->n_charges - 1));
}

/* --- events ------------------------------------------------------------------------- */

static void inline_begin(struct translation *translation)
{
	IRSB *out = translation->out;
	struct inline_builder *builder = tool.builder;

	if (builder == NULL) {
		builder = VG_(malloc)("costgrind.builder", sizeof(*builder));
		tool.builder = builder;
	}
	/* All but the arrays, of which only what is written is read. */
	VG_(memset)(builder, 0, offsetof(struct inline_builder, counters));
	translation->builder = builder;
	builder->base = assign(out, Ity_I64, IRExpr_Get(translation->layout->total_sizeB, Ity_I64));
	builder->number = blocks_next_number(&tool.blocks);
	store(translation, &tool.hot->block, u64(builder->number));
	store(translation, &tool.hot->charge, u64(0));
	builder->reset = out->stmts_used - 1;
	if (tool.options.cache_sim) {
		builder->n_stamps = IRConst_U64(0);
		builder->clock = load(translation, &tool.machine->clock);
		store(translation, &tool.machine->clock,
		      binary(out, Iop_Add64, builder->clock, IRExpr_Const(builder->n_stamps)));
	}
}

static struct reference *add_reference(struct translation *translation, enum reference_kind kind,
				       UInt n_stamps, UInt *number)
{
	struct inline_builder *builder = translation->builder;
	struct reference *reference = blocks_add_reference(&tool.blocks, number);

	reference->site = translation->site;
	reference->kind = (UChar)kind;
	reference->next = builder->first_reference;
	builder->first_reference = *number;
	/* For now the stamps before it; the age is known when all are. */
	reference->age = (UShort)builder->n_stamps->Ico.U64;
	builder->n_stamps->Ico.U64 += n_stamps;
	return reference;
}

/*
 * Stores a stamp for a line of code, and says whether it is absent: its stamp
 * is then machine->nowhere, which has the address of the machine.
 */
static IRExpr *stamp_code_line(const struct translation *translation, struct code_line *line,
			       UInt n_before)
{
	IRExpr *at = load(translation, &line->stamp);

	addStmtToIRSB(translation->out, IRStmt_Store(Iend_LE, at, stamp(translation, n_before)));
	return assign(translation->out, Ity_I1,
		      IRExpr_Binop(Iop_CmpEQ64, at, translation->builder->base));
}

/* Fetches from lines of code that this block has not just fetched from. */
static void fetch_lines(struct translation *translation, Addr address, UInt n_lines)
{
	Addr line_size = 1UL << tool.machine->i1.line_bits;
	IRExpr *absent = NULL;
	UInt number;
	struct reference *reference = add_reference(translation, REFERENCE_FETCH, n_lines, &number);

	reference->n_lines = (UChar)n_lines;
	if (n_lines > 1)
		reference->u.lines =
			VG_(malloc)("costgrind.lines", n_lines * sizeof(reference->u.lines[0]));
	for (UInt i = 0; i < n_lines; i++) {
		struct code_line *line = blocks_code_line(&tool.blocks, &tool.near, tool.machine,
							  address + i * line_size);
		IRExpr *this_absent = stamp_code_line(translation, line, reference->age + i);

		if (n_lines > 1)
			reference->u.lines[i] = line;
		else
			reference->u.line = line;
		absent = absent == NULL ? this_absent
					: either(translation->out, absent, this_absent);
	}
	call_if(translation->out, absent, 1, "slow_fetch", &slow_fetch, mkIRExprVec_1(u64(number)));
}

static void inline_fetch(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	const struct site *site = translation->site;
	UInt bits = tool.options.cache_sim ? tool.machine->i1.line_bits : 0;
	Addr address = site->address;
	UInt n_lines;

	open_segment(translation);
	add_charge(translation, 1);
	builder->has_access = False;
	if (!tool.options.cache_sim)
		return;
	n_lines = (UInt)(((site->address + site->size - 1) >> bits) - (site->address >> bits)) + 1;
	if (builder->line_known && builder->code_line == address >> bits) {
		/* Just fetched from: resident, and the newest of all. */
		address += 1UL << bits;
		n_lines--;
	}
	if (n_lines == 0)
		return;
	fetch_lines(translation, address, n_lines);
	builder->line_known = True;
	builder->code_line = (site->address + site->size - 1) >> bits;
}

/*
 * Address of the filter's entry for a data address, less the filter's place
 * in the machine: that goes into the displacement of each access.
 */
static IRExpr *filter_row(struct translation *translation, IRExpr *address)
{
	IRSB *out = translation->out;
	const struct machine *machine = tool.machine;
	/* Shifted by so much less that the index comes out times the size of an entry. */
	UInt shift = machine->d1.line_bits - LOG2_OF_ENTRY;
	IRExpr *row = binary(out, Iop_Shr64, address, IRExpr_Const(IRConst_U8((UChar)shift)));

	row = binary(out, Iop_And64, row, u64(machine->filter_mask << LOG2_OF_ENTRY));
	return binary(out, Iop_Add64, translation->builder->base, row);
}

static IRExpr *load_field(struct translation *translation, IRExpr *row, SizeT field)
{
	IRExpr *address = binary(translation->out, Iop_Add64, row,
				 u64(offsetof(struct machine, filter) + field));

	return assign(translation->out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

static void unguarded_access(struct translation *translation, const struct access *access,
			     UInt number, UInt n_before)
{
	IRSB *out = translation->out;
	const struct machine *machine = tool.machine;
	ULong line_size = 1UL << machine->d1.line_bits;
	IRExpr **args = mkIRExprVec_2(access->address, u64(number));
	IRExpr *row, *offset, *inside;

	if (access->size > line_size) {
		call_if(out, IRExpr_Const(IRConst_U1(True)), 2, "slow_data", &slow_data, args);
		return;
	}
	row = filter_row(translation, access->address);
	offset = binary(out, Iop_Sub64, access->address,
			load_field(translation, row, offsetof(struct filter_entry, line)));
	/* In this form VEX compares with an immediate. */
	inside = assign(out, Ity_I1,
			IRExpr_Binop(Iop_CmpLT64U, offset, u64(line_size - access->size + 1)));
	call_if(out, assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, inside)), 2, "slow_data", &slow_data,
		args);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE,
					load_field(translation, row,
						   offsetof(struct filter_entry, stamp)),
					stamp(translation, n_before)));
}

static void inline_access(struct translation *translation, const struct access *access)
{
	struct inline_builder *builder = translation->builder;
	enum reference_kind kind = access->kind == ACCESS_READ ? REFERENCE_READ : REFERENCE_WRITE;
	struct reference *reference;
	struct charge *charge;
	UInt number;

	if (!tool.options.cache_sim)
		return;
	if (access->guard == NULL && builder->has_access)
		split_instruction(translation);
	reference = add_reference(translation, kind, machine_data_lines(tool.machine, access->size),
				  &number);
	reference->size = access->size;
	if (access->guard != NULL) {
		call_if(translation->out, access->guard, 2, "slow_guarded_data", &slow_guarded_data,
			mkIRExprVec_2(access->address, u64(number)));
		return;
	}
	charge = current_charge(translation);
	charge->n_reads = (UChar)(charge->n_reads + (kind == REFERENCE_READ));
	charge->n_writes = (UChar)(charge->n_writes + (kind == REFERENCE_WRITE));
	builder->has_access = True;
	unguarded_access(translation, access, number, reference->age);
}

/* A charge for a branch or jump, which has mispredictions: one of them a charge. */
static struct charge *branch_charge(struct translation *translation)
{
	struct charge *charge = current_charge(translation);

	if (charge->wrong != NULL)
		charge = add_charge(translation, 0);
	charge->wrong = near_counter(&tool.near);
	return charge;
}

/* &cells[history | low bits of the branch's address] */
static IRExpr *cell_address(struct translation *translation)
{
	const ULong low = translation->site->address & (MACHINE_HISTORY_UNIT - 1);
	IRExpr *row = binary(translation->out, Iop_Add64, translation->builder->base,
			     translation->builder->history);

	return binary(translation->out, Iop_Add64, row, u64(offsetof(struct machine, cells) + low));
}

/* next_cell[cell + MACHINE_CELL_TAKEN * taken], a byte */
static IRExpr *next_cell(struct translation *translation, IRExpr *at, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *cell = assign(out, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, at));
	IRExpr *wide = assign(out, Ity_I64, IRExpr_Unop(Iop_8Uto64, cell));
	IRExpr *row = binary(out, Iop_Add64, translation->builder->base, wide);
	IRExpr *column = binary(out, Iop_Shl64, taken, IRExpr_Const(IRConst_U8(3)));
	IRExpr *address = binary(out, Iop_Add64, binary(out, Iop_Add64, row, column),
				 u64(offsetof(struct machine, next_cell)));

	return assign(out, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, address));
}

/* history = (history << 1 | taken in units of history) & its bits */
static IRExpr *next_history(struct translation *translation, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *older =
		binary(out, Iop_Shl64, translation->builder->history, IRExpr_Const(IRConst_U8(1)));
	IRExpr *newest =
		binary(out, Iop_Shl64, taken, IRExpr_Const(IRConst_U8(BRANCH_ADDRESS_BITS)));

	return binary(out, Iop_And64, binary(out, Iop_Or64, older, newest),
		      u64(BRANCH_COUNTERS - MACHINE_HISTORY_UNIT));
}

static void inline_branch(struct translation *translation, const struct branch *branch)
{
	struct inline_builder *builder = translation->builder;
	IRSB *out = translation->out;
	IRExpr *taken = branch->guard;
	IRExpr *at, *cell, *wrong;
	struct charge *charge;

	if (!tool.options.branch_sim)
		return;
	charge = branch_charge(translation);
	charge->is_branch = True;
	if (builder->history == NULL)
		builder->history = load(translation, &tool.machine->history);
	if (branch->inverted)
		taken = assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, taken));
	taken = assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, taken));
	at = cell_address(translation);
	cell = next_cell(translation, at, taken);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, at, cell));
	wrong = binary(out, Iop_Shr64, assign(out, Ity_I64, IRExpr_Unop(Iop_8Uto64, cell)),
		       IRExpr_Const(IRConst_U8(MACHINE_CELL_MISS_BIT)));
	add_to(translation, charge->wrong, wrong);
	builder->history = next_history(translation, taken);
	store(translation, &tool.machine->history, builder->history);
}

static void inline_indirect(struct translation *translation, IRExpr *target)
{
	IRSB *out = translation->out;
	struct charge *charge;
	uint64_t *cell;
	IRExpr *wrong;

	if (!tool.options.branch_sim)
		return;
	charge = branch_charge(translation);
	charge->is_jump = True;
	cell = &tool.machine->targets[translation->site->address & (BRANCH_TARGETS - 1)];
	wrong = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, load(translation, cell), target));
	add_to(translation, charge->wrong, assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, wrong)));
	store(translation, cell, target);
}

/*
 * VEX keeps the guest's program counter up to date at accesses to memory, but
 * not at divisions; without it a fault could not be told its instruction.
 */
static void inline_trap(struct translation *translation)
{
	addStmtToIRSB(translation->out,
		      IRStmt_Put(translation->layout->offset_IP, u64(translation->site->address)));
}

static void inline_exit(struct translation *translation)
{
	translation->builder->segment_open = False;
}

static void inline_end(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	struct block *block = block_new(builder->n_segments, builder->n_charges);
	UInt number = builder->first_reference;

	while (number != NO_REFERENCE) {
		struct reference *reference = blocks_reference(&tool.blocks, number);

		tl_assert(builder->n_stamps->Ico.U64 < 0x10000);
		/* clock is then ahead by all stamps; the first of these is one after those before. */
		reference->age = (UShort)(builder->n_stamps->Ico.U64 - reference->age - 1);
		number = reference->next;
	}
	block->key = translation->entry;
	block->extents = *translation->extents;
	block->first_reference = builder->first_reference;
	VG_(memcpy)(block->counters, builder->counters,
		    builder->n_segments * sizeof(block->counters[0]));
	VG_(memcpy)(block->charges, builder->charges,
		    builder->n_charges * sizeof(block->charges[0]));
	blocks_add(&tool.blocks, block);
	tl_assert(block->number == builder->number);
	if (!builder->is_split)
		translation->out->stmts[builder->reset] = IRStmt_NoOp();
}

const struct engine engine_inline = {
	.name = "inline",
	.begin = inline_begin,
	.fetch = inline_fetch,
	.access = inline_access,
	.branch = inline_branch,
	.indirect = inline_indirect,
	.trap = inline_trap,
	.exit = inline_exit,
	.end = inline_end,
};
