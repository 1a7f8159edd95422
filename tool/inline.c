/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inline engine.  Per block it emits:
 *
 *	once		base = a shadow register; hot words and machine are near it
 *			call calls_enter if hot->unit is not the block's
 *			counts = hot->counts
 *			hot->block = number of this block, for what follows it
 *			clock = machine->clock; machine->clock += stamps needed here
 *	a line of code	*line->stamp = clock + k; call slow_fetch if that went nowhere
 *	a data access	entry = filter + hash(address)
 *			call slow_data if address - entry->line > line size - size
 *			*entry->stamp = clock + k
 *	a bus lock	nothing, but for a segment that it may begin
 *	a branch	cell, history and mispredictions as machine_branch() has it
 *	a jump		as machine_jump() has it
 *			with --collect-jumps: counts[slot] += taken
 *	a segment	at its end, before the program may leave it:
 *			counts[slot]++; hot->totals += what it costs
 *	the end		hot->unit = mark of a call, of a return, or of a jump that
 *			moved the stack pointer beyond its frame
 *
 * The clock is advanced at the beginning by all stamps of the block, so
 * however the block is left, no stamp is given twice.  Lines of code and of
 * data have stamps of their own, which may be equal: they are in different
 * caches.
 *
 * After instrumentation VEX removes dead code, propagates constants and builds
 * trees, but does not remove loads that are made twice: what is used more than
 * once is kept in a temporary.  It may move a load down to its only use, past
 * a call that it does not know to change memory; so no word that a slow path
 * changes is loaded before the call and used after it.
 *
 * What is known only at the end of a block (how many stamps it needs, which
 * slots it gets) is emitted as a constant that is filled in then.
 */
#include "tool/engine.h"

#include <stddef.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls.h"
#include "tool/ir.h"
#include "tool/jumping.h"
#include "tool/memsim.h"
#include "tool/slow.h"
#include "tool/tool.h"

enum {
	MAX_CHARGES = 4096, /* a superblock has at most some 100 instructions */
	MAX_COUNTS = 4096,
	MAX_JUMPS = 256,
	LOG2_OF_ENTRY = 4, /* struct filter_entry has 16 bytes */
	LOG2_OF_SCALE = 3,
};

/* The two constants by which generated code finds a slot: to load and to store. */
struct slot_constants {
	IRConst *load, *store;
};

/* One block being built; at most one is. */
struct inline_builder {
	IRExpr *counts;    /* hot->counts */
	IRExpr *clock;     /* as it was before the block; NULL without caches */
	IRConst *n_stamps; /* the constant by which the clock is advanced */
	UInt n_code_stamps, n_data_stamps;
	IRExpr *history;   /* NULL before the first branch */
	Int reset;         /* index of the statement hot->charge = 0 */
	Bool is_split;     /* which only a block with a split instruction needs */
	Bool segment_open; /* the next event belongs to the last segment */
	Bool has_access;   /* the current instruction has an access in its segment */
	Bool line_known;   /* code_line is the line fetched from last in this block */
	Addr code_line;
	UInt number; /* of the block */
	UInt n_segments, n_wrongs, n_charges, n_jumps;
	UInt first_charge; /* of the open segment */
	UInt first_reference;
	UInt read; /* number of the last reference without a guard */
	struct slot_constants segments[MAX_COUNTS];
	struct slot_constants wrongs[MAX_COUNTS]; /* mispredictions, and jumps taken */
	struct charge charges[MAX_CHARGES];
	struct block_jump jumps[MAX_JUMPS];
};

/* What C has to be called for, hit or miss. */
static Bool all_reads_called(void)
{
	return tool.options.cacheuse || !tool.options.inline_data;
}

static Bool all_writes_called(void)
{
	return all_reads_called() || tool.options.simulate_wb;
}

/* --- slots ----------------------------------------------------------------------------- */

/* A constant to be filled in. */
static IRConst *unknown_constant(void)
{
	return IRConst_U64(0);
}

/* Adds amount to a slot of the block, to be chosen at its end. */
static void add_to_slot(const struct translation *translation, struct slot_constants *slot,
			IRExpr *amount)
{
	IRSB *out = translation->out;
	IRExpr *counts = translation->builder->counts;
	IRExpr *sum;

	*slot = (struct slot_constants){ unknown_constant(), unknown_constant() };
	sum = ir_assign(out, Ity_I64,
			IRExpr_Load(Iend_LE, Ity_I64,
				    ir_binary(out, Iop_Add64, counts, IRExpr_Const(slot->load))));
	sum = ir_binary(out, Iop_Add64, sum, amount);
	addStmtToIRSB(out,
		      IRStmt_Store(Iend_LE,
				   ir_binary(out, Iop_Add64, counts, IRExpr_Const(slot->store)),
				   sum));
}

/* The stamp after the n_before ones that were used before. */
static IRExpr *stamp(const struct translation *translation, UInt n_before)
{
	IRExpr *clock = translation->builder->clock;

	return n_before == 0 ? clock
			     : ir_binary(translation->out, Iop_Add64, clock, ir_u64(n_before));
}

/* --- segments and charges ----------------------------------------------------------- */

/* A charge of the current instruction; is_first if the instruction begins here. */
static struct charge *add_charge(struct translation *translation, Bool is_first)
{
	struct inline_builder *builder = translation->builder;
	struct charge *charge = &builder->charges[builder->n_charges++];

	tl_assert(builder->n_charges <= MAX_CHARGES);
	*charge = (struct charge){
		.site = translation->site,
		.segment = (UShort)(builder->n_segments - 1),
		.traits = { .n_instructions = is_first ? 1 : 0 },
	};
	return charge;
}

static void open_segment(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;

	if (builder->segment_open)
		return;
	tl_assert(builder->n_segments < MAX_COUNTS);
	builder->n_segments++;
	builder->segment_open = True;
	builder->first_charge = builder->n_charges;
}

/* Adds n to the running total of an event. */
static void add_to_total(const struct translation *translation, enum event event, ULong n)
{
	if (n != 0)
		ir_add_to(translation, &tool.hot->totals[event], ir_u64(n));
}

/*
 * Adds to the running totals of an event and the one after it, always both at
 * once: what was stored in halves would be slow to load as a whole.
 */
static void add_to_totals(const struct translation *translation, enum event first,
			  const ULong *costs)
{
	IRSB *out = translation->out;
	const void *totals = &tool.hot->totals[first];
	IRExpr *sum, *more;

	if (costs[first] == 0 && costs[first + 1] == 0)
		return;
	sum = ir_assign(out, Ity_V128,
			IRExpr_Load(Iend_LE, Ity_V128, ir_near(translation, totals)));
	more = ir_near(translation, near_pair(&tool.near, costs[first], costs[first + 1]));
	more = ir_assign(out, Ity_V128, IRExpr_Load(Iend_LE, Ity_V128, more));
	sum = ir_assign(out, Ity_V128, IRExpr_Binop(Iop_Add64x2, sum, more));
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, ir_near(translation, totals), sum));
}

/* The program may leave the segment here: what it has cost is added up. */
static void close_segment(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	ULong costs[N_EVENTS] = { 0 };

	if (!builder->segment_open)
		return;
	builder->segment_open = False;
	for (UInt i = builder->first_charge; i < builder->n_charges; i++) {
		const struct insn_traits *traits = &builder->charges[i].traits;

		costs[EVENT_IR] += traits->n_instructions;
		costs[EVENT_DR] += traits->n_reads;
		costs[EVENT_DW] += traits->n_writes;
		costs[EVENT_BC] += traits->is_branch;
		costs[EVENT_BI] += traits->is_jump;
		costs[EVENT_GE] += traits->is_locked;
	}
	add_to_slot(translation, &builder->segments[builder->n_segments - 1], ir_u64(1));
	if (tool.events.n_counted == 1) {
		add_to_total(translation, EVENT_IR, costs[EVENT_IR]);
		return;
	}
	add_to_totals(translation, EVENT_IR, costs);
	add_to_totals(translation, EVENT_DW, costs);
	add_to_total(translation, EVENT_BI, costs[EVENT_BI]);
	add_to_total(translation, EVENT_GE, costs[EVENT_GE]);
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
	return add_charge(translation, False);
}

/*
 * A second access of one instruction has a segment of its own: the first may
 * fault, and then this one is not made.  hot->charge tells which of the two
 * it was, since both have the same address.
 */
static void split_instruction(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;

	close_segment(translation);
	current_charge(translation)->split = True;
	builder->is_split = True;
	ir_store(translation, &tool.hot->charge, ir_u64(builder->n_charges - 1));
}

/* --- events ------------------------------------------------------------------------- */

static struct inline_builder *reset_builder(void)
{
	struct inline_builder *builder = tool.builder;

	if (builder == NULL) {
		builder = VG_(malloc)("costgrind.builder", sizeof(*builder));
		tool.builder = builder;
	}
	/* All but the arrays, of which only what is written is read. */
	VG_(memset)(builder, 0, offsetof(struct inline_builder, segments));
	return builder;
}

/* Everything that arrives here from another unit goes through calls_enter(). */
static void emit_entry(struct translation *translation)
{
	IRSB *out = translation->out;
	struct inline_builder *builder = translation->builder;
	IRExpr *differs = ir_assign(out, Ity_I1,
				    IRExpr_Binop(Iop_CmpNE64, ir_load(translation, &tool.hot->unit),
						 ir_u64(translation->unit->number)));

	ir_call_if(out, differs, 1, "calls_enter", &calls_enter,
		   mkIRExprVec_1(ir_u64(builder->number)));
	builder->counts = ir_load(translation, &tool.hot->counts);
}

static void inline_begin(struct translation *translation)
{
	IRSB *out = translation->out;
	struct inline_builder *builder = reset_builder();

	translation->builder = builder;
	translation->base =
		ir_assign(out, Ity_I64, IRExpr_Get(translation->layout->total_sizeB, Ity_I64));
	builder->number = blocks_next_number(&tool.blocks);
	emit_entry(translation);
	ir_store(translation, &tool.hot->block, ir_u64(builder->number));
	ir_store(translation, &tool.hot->charge, ir_u64(0));
	builder->reset = out->stmts_used - 1;
	if (!tool.options.cache_sim)
		return;
	builder->n_stamps = unknown_constant();
	builder->clock = ir_load(translation, &tool.machine->clock);
	ir_store(translation, &tool.machine->clock,
		 ir_binary(out, Iop_Add64, builder->clock, IRExpr_Const(builder->n_stamps)));
}

static struct reference *add_reference(struct translation *translation, enum reference_kind kind,
				       UInt n_stamps, UInt *number)
{
	struct inline_builder *builder = translation->builder;
	struct reference *reference = blocks_add_reference(&tool.blocks, number);
	UInt *n = kind == REFERENCE_FETCH ? &builder->n_code_stamps : &builder->n_data_stamps;

	reference->site = translation->site;
	reference->kind = (UChar)kind;
	reference->n_slots = (tool.options.simulate_wb ? SLOT_WRITE_BACK : SLOT_LL) + 1;
	reference->next = builder->first_reference;
	builder->first_reference = *number;
	/* For now the stamps before it; the age is known when all are. */
	reference->age = (UShort)*n;
	*n += n_stamps;
	return reference;
}

/*
 * Stores a stamp for a line of code, and says whether it is absent: the stamp
 * then goes to machine->nowhere, which alone lies below base.
 */
static IRExpr *stamp_code_line(const struct translation *translation, struct code_line *line,
			       UInt n_before)
{
	IRExpr *at = ir_load(translation, &line->stamp);

	addStmtToIRSB(translation->out, IRStmt_Store(Iend_LE, at, stamp(translation, n_before)));
	return ir_assign(translation->out, Ity_I1,
			 IRExpr_Binop(Iop_CmpLT64U, at, translation->base));
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
					: ir_either(translation->out, absent, this_absent);
	}
	if (!tool.options.inline_fetches)
		absent = NULL;
	ir_call_if(translation->out, absent, 1, "slow_fetch", tool.paths->fetch,
		   mkIRExprVec_1(ir_u64(number)));
}

/* Every fetch is a call, and lines of code are not followed here. */
static void call_to_fetch(struct translation *translation)
{
	UInt number;

	add_reference(translation, REFERENCE_FETCH, 0, &number);
	ir_call_if(translation->out, NULL, 1, "slow_fetch", tool.paths->fetch,
		   mkIRExprVec_1(ir_u64(number)));
}

static void inline_fetch(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	const struct site *site = translation->site;
	UInt bits = tool.options.cache_sim ? tool.machine->i1.line_bits : 0;
	Addr address = site->address;
	UInt n_lines;

	open_segment(translation);
	add_charge(translation, True);
	builder->has_access = False;
	if (!tool.options.cache_sim)
		return;
	if (tool.options.cacheuse) {
		call_to_fetch(translation);
		return;
	}
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
 * The index of the filter's entry for a data address, times the size of an
 * entry over SCALE, the largest factor that the host's addressing has.
 */
static IRExpr *filter_index(struct translation *translation, IRExpr *address)
{
	IRSB *out = translation->out;
	const struct machine *machine = tool.machine;
	const UInt factor = LOG2_OF_ENTRY - LOG2_OF_SCALE;
	UInt shift = machine->d1.line_bits - factor;
	IRExpr *line = ir_binary(out, Iop_Shr64, address, IRExpr_Const(IRConst_U8((UChar)shift)));

	return ir_binary(out, Iop_And64, line, ir_u64(machine->filter_mask << factor));
}

/*
 * A word of the filter, which begins at base.  The address is made for each
 * use, in the form that VEX turns into an operand, base + index * scale + field.
 */
static IRExpr *load_field(struct translation *translation, IRExpr *index, SizeT field)
{
	IRSB *out = translation->out;
	IRExpr *offset = ir_binary(out, Iop_Shl64, index, IRExpr_Const(IRConst_U8(LOG2_OF_SCALE)));
	IRExpr *address = ir_binary(out, Iop_Add64, translation->base, offset);

	if (field != 0)
		address = ir_binary(out, Iop_Add64, address, ir_u64(field));
	return ir_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

static void unguarded_access(struct translation *translation, const struct access *access,
			     UInt number, UInt n_before)
{
	IRSB *out = translation->out;
	const struct machine *machine = tool.machine;
	ULong line_size = 1UL << machine->d1.line_bits;
	IRExpr **args = mkIRExprVec_2(access->address, ir_u64(number));
	IRExpr *index, *offset, *inside;

	if (access->size > line_size ||
	    (access->kind == ACCESS_READ ? all_reads_called() : all_writes_called())) {
		ir_call_if(out, NULL, 2, "slow_data", tool.paths->data, args);
		return;
	}
	index = filter_index(translation, access->address);
	offset = ir_binary(out, Iop_Sub64, access->address,
			   load_field(translation, index, offsetof(struct filter_entry, line)));
	/* In this form VEX compares with an immediate. */
	inside =
		ir_assign(out, Ity_I1,
			  IRExpr_Binop(Iop_CmpLT64U, offset, ir_u64(line_size - access->size + 1)));
	ir_call_if(out, ir_assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, inside)), 2, "slow_data",
		   tool.paths->data, args);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE,
					load_field(translation, index,
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
	reference->size = (UShort)access->size;
	if (access->guard != NULL) {
		if (reference->n_slots <= SLOT_EXECUTED)
			reference->n_slots = SLOT_EXECUTED + 1;
		ir_call_if(translation->out, access->guard, 2, "slow_guarded_data",
			   tool.paths->guarded_data,
			   mkIRExprVec_2(access->address, ir_u64(number)));
		return;
	}
	builder->read = number;
	charge = current_charge(translation);
	charge->traits.n_reads = (UChar)(charge->traits.n_reads + (kind == REFERENCE_READ));
	charge->traits.n_writes = (UChar)(charge->traits.n_writes + (kind == REFERENCE_WRITE));
	builder->has_access = True;
	unguarded_access(translation, access, number, reference->age);
}

/* The place of the last access is written too.  Only LL cares, if it writes back. */
static void inline_modify(struct translation *translation, const struct access *access)
{
	IRExpr **args;

	if (!tool.options.simulate_wb)
		return;
	args = mkIRExprVec_2(access->address, ir_u64(translation->builder->read));
	ir_call_if(translation->out, NULL, 2, "memsim_modify", &memsim_modify, args);
}

/*
 * What a locked instruction has read before may have faulted.  Where accesses
 * are not counted, nothing else has begun a segment since.
 */
static void inline_lock(struct translation *translation)
{
	if (!tool.options.collect_bus)
		return;
	if (!tool.options.cache_sim)
		split_instruction(translation);
	current_charge(translation)->traits.is_locked = 1;
}

/*
 * A charge for a branch or jump, which has mispredictions: one of them a
 * charge.  Its slot is numbered from 1 among those of mispredictions for now.
 */
static struct charge *branch_charge(struct translation *translation)
{
	struct inline_builder *builder = translation->builder;
	struct charge *charge = current_charge(translation);

	if (charge->wrong != 0)
		charge = add_charge(translation, False);
	tl_assert(builder->n_wrongs < MAX_COUNTS);
	charge->wrong = (UShort)++builder->n_wrongs;
	return charge;
}

/* Counts a misprediction of the branch or jump that branch_charge() was called for last. */
static void count_wrong(struct translation *translation, enum event event, IRExpr *wrong)
{
	struct inline_builder *builder = translation->builder;

	add_to_slot(translation, &builder->wrongs[builder->n_wrongs - 1], wrong);
	ir_add_to(translation, &tool.hot->totals[event], wrong);
}

/* The cell of the branch, given base + history.  Made for each use, it costs nothing. */
static IRExpr *cell_address(const struct translation *translation, IRExpr *row)
{
	const uint8_t *first = &tool.machine->cells[machine_first_cell(translation->site->address)];

	return ir_binary(translation->out, Iop_Add64, row, ir_u64((Addr)first - tool.base));
}

/* next_cell[cell + MACHINE_CELL_TAKEN * taken], a byte */
static IRExpr *next_cell(struct translation *translation, IRExpr *at, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *cell = ir_assign(out, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, at));
	IRExpr *wide = ir_assign(out, Ity_I64, IRExpr_Unop(Iop_8Uto64, cell));
	IRExpr *row = ir_binary(out, Iop_Add64, translation->base, wide);
	IRExpr *column = ir_binary(out, Iop_Shl64, taken, IRExpr_Const(IRConst_U8(3)));
	IRExpr *address = ir_binary(out, Iop_Add64, ir_binary(out, Iop_Add64, row, column),
				    ir_u64((Addr)tool.machine->next_cell - tool.base));

	return ir_assign(out, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, address));
}

/* history = (history << 1 | taken) & its bits */
static IRExpr *next_history(struct translation *translation, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *older = ir_binary(out, Iop_Shl64, translation->builder->history,
				  IRExpr_Const(IRConst_U8(1)));

	return ir_binary(out, Iop_And64, ir_binary(out, Iop_Or64, older, taken),
			 ir_u64(MACHINE_HISTORIES - 1));
}

static void inline_branch(struct translation *translation, const struct branch *branch)
{
	struct inline_builder *builder = translation->builder;
	IRSB *out = translation->out;
	IRExpr *taken, *row, *cell, *wrong;
	struct charge *charge;

	if (!tool.options.branch_sim)
		return;
	charge = branch_charge(translation);
	charge->traits.is_branch = 1;
	if (builder->history == NULL)
		builder->history = ir_load(translation, &tool.machine->history);
	taken = engine_taken(translation, branch->guard, branch->inverted);
	row = ir_binary(out, Iop_Add64, translation->base, builder->history);
	cell = next_cell(translation, cell_address(translation, row), taken);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, cell_address(translation, row), cell));
	wrong = ir_binary(out, Iop_Shr64, ir_assign(out, Ity_I64, IRExpr_Unop(Iop_8Uto64, cell)),
			  IRExpr_Const(IRConst_U8(MACHINE_CELL_MISS_BIT)));
	count_wrong(translation, EVENT_BCM, wrong);
	builder->history = next_history(translation, taken);
	ir_store(translation, &tool.machine->history, builder->history);
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
	charge->traits.is_jump = 1;
	cell = &tool.machine->targets[translation->site->address & (BRANCH_TARGETS - 1)];
	wrong = ir_assign(out, Ity_I1,
			  IRExpr_Binop(Iop_CmpNE64, ir_load(translation, cell), target));
	count_wrong(translation, EVENT_BIM,
		    ir_assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, wrong)));
	ir_store(translation, cell, target);
}

/*
 * VEX keeps the guest's program counter up to date at accesses to memory, but
 * not at divisions; without it a fault could not be told its instruction.
 */
static void inline_trap(struct translation *translation)
{
	addStmtToIRSB(translation->out, IRStmt_Put(translation->layout->offset_IP,
						   ir_u64(translation->site->address)));
}

/*
 * The stack pointer as the block leaves it is in the guest state.  Whether it
 * lies beyond the frame: above, if a frame was left, or below, if one was made.
 */
static IRExpr *is_beyond_frame(const struct translation *translation, Bool above)
{
	IRExpr *sp = ir_assign(translation->out, Ity_I64,
			       IRExpr_Get(translation->layout->offset_SP, Ity_I64));
	IRExpr *frame = ir_load(translation, &tool.hot->frame_sp);

	return ir_assign(translation->out, Ity_I1,
			 above ? IRExpr_Binop(Iop_CmpLT64U, frame, sp)
			       : IRExpr_Binop(Iop_CmpLT64U, sp, frame));
}

/* hot->unit = left ? UNIT_NONE : unit */
static void leave_unit_if(const struct translation *translation, IRExpr *left)
{
	IRExpr *unit =
		ir_assign(translation->out, Ity_I64,
			  IRExpr_ITE(left, ir_u64(UNIT_NONE), ir_u64(translation->unit->number)));

	ir_store(translation, &tool.hot->unit, unit);
}

/* The core goes on, with a system call or a signal: the block is not cut short by that. */
static void finish_block_if(const struct translation *translation, IRExpr *guard)
{
	ULong number = translation->builder->number;
	IRExpr *block = ir_u64(number | BLOCK_DONE);

	if (guard != NULL)
		block = ir_assign(translation->out, Ity_I64,
				  IRExpr_ITE(guard, block, ir_u64(number)));
	ir_store(translation, &tool.hot->block, block);
}

/* By a call or jump, which C knows if it went the same way before. */
static void call_to_leave(struct translation *translation, const struct departure *departure,
			  struct block *block, const HChar *name, void *helper)
{
	Bool skipped = translation->unit->function->settings.skip;
	IRExpr *list = ir_u64(skipped ? 0 : (Addr)&block->shortcuts);

	ir_call_if(translation->out, NULL, 3, name, helper,
		   mkIRExprVec_3(IRExpr_GSPTR(), departure->target, list));
	engine_reads_sp(translation);
}

static void call_to_return(struct translation *translation, const struct departure *departure)
{
	ir_call_if(translation->out, NULL, 2, "calls_return", &calls_return,
		   mkIRExprVec_2(IRExpr_GSPTR(), departure->target));
	engine_reads_sp(translation);
}

static void inline_jump(struct translation *translation, const struct jump_event *event)
{
	struct inline_builder *builder = translation->builder;
	IRExpr *taken = ir_u64(1);
	struct block_jump *jump;

	current_charge(translation);
	tl_assert(builder->n_jumps < MAX_JUMPS && builder->n_wrongs < MAX_COUNTS);
	jump = &builder->jumps[builder->n_jumps++];
	*jump = (struct block_jump){ .jump = event->jump };
	jump->charge = (UShort)(builder->n_charges - 1);
	if (event->guard == NULL && !event->jump->to_entry)
		return;
	if (event->guard != NULL)
		taken = engine_taken(translation, event->guard, event->inverted);
	if (event->jump->to_entry)
		taken = jumping_emit_entry(translation->out, event->jump, taken,
					   is_beyond_frame(translation, False));
	jump->taken = (UShort)++builder->n_wrongs;
	add_to_slot(translation, &builder->wrongs[builder->n_wrongs - 1], taken);
}

/*
 * Jumps to constant addresses in other units are seen there.  Inside of one,
 * a computed jump may have left frames (longjmp inlined), and a jump to the
 * first instruction is a loop only if the stack pointer is as it was then.
 */
static void emit_departure(struct translation *translation, const struct departure *departure,
			   struct block *block)
{
	const struct function *function = translation->unit->function;
	Bool is_computed = departure->target->tag == Iex_RdTmp;

	if (departure->kind == Ijk_Call)
		call_to_leave(translation, departure, block, "calls_call", &calls_call);
	else if (departure->kind == Ijk_Boring && is_computed && function->plt)
		call_to_leave(translation, departure, block, "calls_jump", &calls_jump);
	else if (departure->kind == Ijk_Ret)
		call_to_return(translation, departure);
	else if (departure->kind != Ijk_Boring)
		finish_block_if(translation, NULL);
	else if (is_computed)
		leave_unit_if(translation, is_beyond_frame(translation, True));
	else if (engine_is_to_entry(translation, departure->target))
		leave_unit_if(translation, is_beyond_frame(translation, False));
}

static void emit_side_departure(struct translation *translation, const struct departure *departure)
{
	IRExpr *beyond;

	if (!engine_is_to_entry(translation, departure->target))
		return;
	beyond = is_beyond_frame(translation, False);
	leave_unit_if(translation, ir_both(translation->out, departure->guard, beyond));
}

static void inline_exit(struct translation *translation, const struct departure *departure)
{
	close_segment(translation);
	if (departure->kind == Ijk_Boring)
		emit_side_departure(translation, departure);
	else if (departure->kind != Ijk_Call && departure->kind != Ijk_Ret)
		finish_block_if(translation, departure->guard);
}

/* Ages are known when all stamps of the block are. */
static void finish_references(struct inline_builder *builder)
{
	UInt n_stamps = builder->n_code_stamps > builder->n_data_stamps ? builder->n_code_stamps
									: builder->n_data_stamps;
	UInt number = builder->first_reference;

	if (builder->n_stamps != NULL)
		builder->n_stamps->Ico.U64 = n_stamps;
	tl_assert(n_stamps < 0x10000);
	while (number != NO_REFERENCE) {
		struct reference *reference = blocks_reference(&tool.blocks, number);

		/* clock is ahead by all stamps when a slow path looks at it. */
		reference->age = (UShort)(n_stamps - reference->age);
		number = reference->next;
	}
}

static void set_slot(const struct slot_constants *slot, UInt number)
{
	slot->load->Ico.U64 = number * sizeof(ULong);
	slot->store->Ico.U64 = number * sizeof(ULong);
}

/* Gives the block its slots: those of segments, then the others. */
static void finish_slots(const struct inline_builder *builder, struct unit *unit,
			 struct block *block)
{
	block->n_segments = (UShort)builder->n_segments;
	block->n_counts = (UShort)(builder->n_segments + builder->n_wrongs);
	block->first_count = unit_add_counts(unit, block->n_counts);
	for (UInt i = 0; i < builder->n_segments; i++)
		set_slot(&builder->segments[i], block->first_count + i);
	for (UInt i = 0; i < builder->n_wrongs; i++)
		set_slot(&builder->wrongs[i], block->first_count + builder->n_segments + i);
	for (UInt i = 0; i < block->n_charges; i++) {
		struct charge *charge = &block->charges[i];

		if (charge->wrong != 0)
			charge->wrong = (UShort)(builder->n_segments + charge->wrong - 1);
	}
}

static void inline_end(struct translation *translation, const struct departure *departure)
{
	struct inline_builder *builder = translation->builder;
	struct block *block;

	close_segment(translation);
	block = block_new(builder->n_charges, builder->jumps, builder->n_jumps);
	if (departure != NULL)
		emit_departure(translation, departure, block);
	block->first_reference = builder->first_reference;
	VG_(memcpy)(block->charges, builder->charges,
		    builder->n_charges * sizeof(block->charges[0]));
	finish_references(builder);
	finish_slots(builder, translation->unit, block);
	engine_add_block(translation, block);
	tl_assert(block->number == builder->number);
	if (!builder->is_split)
		translation->out->stmts[builder->reset] = IRStmt_NoOp();
}

const struct engine engine_inline = {
	.name = "inline",
	.begin = inline_begin,
	.fetch = inline_fetch,
	.access = inline_access,
	.lock = inline_lock,
	.modify = inline_modify,
	.branch = inline_branch,
	.indirect = inline_indirect,
	.jump = inline_jump,
	.trap = inline_trap,
	.exit = inline_exit,
	.end = inline_end,
};
