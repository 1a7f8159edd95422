/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inline engine.  Per block it emits:
 *
 *	once		base = a shadow register; hot words and machine are near it
 *			call calls_enter if hot->unit is not the block's: only if it tests its
 *			entry (tool/counts/block.h)
 *			counts = hot->counts
 *			hot->block = number of this block, for what follows it
 *			clock = machine->clock; machine->clock += stamps needed here
 *	a line of code	*line->stamp = clock + k; call miss_path_fetch if that went nowhere
 *	a data access	entry = filter + hash(address)
 *			call miss_path_data if address - entry->line > line size - size
 *			*entry->stamp = clock + k
 *			of a write, where dirty lines are known: the next word, too
 *			of a write with several cores: entry is one of the filter of writes
 *	a round of rep	nothing, but for a segment that it may begin
 *	its last one	call cold_complete if its guard holds
 *	a bus lock	nothing, but for a segment that it may begin
 *	a branch, call	what predictors make of it: tool/instrument/inline_branches.h
 *	a jump		with --collect-jumps: counts[slot] += taken
 *	a segment	at its end, before the program may leave it:
 *			counts[slot]++; hot->totals += what it costs
 *	the end		call C for a call, a return, a computed jump, one to another unit, and
 *			one to the function's start with more on the stack
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
 */
#include "tool/instrument/engine.h"

#include <stddef.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/calls.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/instrument/block_builder.h"
#include "tool/instrument/cold.h"
#include "tool/instrument/inline_branches.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/jumping.h"
#include "tool/instrument/state.h"
#include "tool/simulate/lastpath.h"
#include "tool/simulate/miss_path.h"
#include "tool/simulate/state.h"
#include "tool/symbols/symbol.h"

enum {
	LOG2_OF_ENTRY = 4, /* struct filter_entry has 16 bytes */
	LOG2_OF_SCALE = 3,
};

/* What C has to be called for, hit or miss. */
static Bool all_fetches_called(void)
{
	return tool_simulate.options.cacheuse || machine_is_called_for_code(tool_simulate.machine);
}

static Bool all_reads_called(void)
{
	return tool_simulate.options.cacheuse || !tool_instrument.options.inline_data ||
	       (tool_simulate.note_sharing != NULL && tool_simulate.cores.several) ||
	       machine_is_called_for_data(tool_simulate.machine);
}

static Bool all_writes_called(void)
{
	return all_reads_called() || tool_simulate.options.simulate_wb;
}

/* Calls if the block's unit is not the one that runs. */
static void test_entry(const struct translation *translation, const HChar *name, void *helper)
{
	IRSB *out = translation->out;
	IRExpr *differs =
		ir_assign(out, Ity_I1,
			  IRExpr_Binop(Iop_CmpNE64, ir_load(translation, &tool_counts.hot->unit),
				       ir_u64(translation->unit->number)));

	ir_call_if(out, differs, 1, name, helper,
		   mkIRExprVec_1(ir_u64(translation->builder->number)));
}

static void inline_begin(struct translation *translation)
{
	IRSB *out = translation->out;
	struct block_builder *builder = block_builder_reset();

	translation->builder = builder;
	translation->base =
		ir_assign(out, Ity_I64, IRExpr_Get(translation->layout->total_sizeB, Ity_I64));
	translation->own =
		tool_simulate.cores.several
			? ir_assign(out, Ity_I64,
				    IRExpr_Get(translation->layout->total_sizeB + (Int)sizeof(Addr),
					       Ity_I64))
			: translation->base;
	builder->number = blocks_next_number(&tool_counts.blocks);
	translation->tests =
		translation->last != NULL || translation->no_redir || translation->looks_first ||
		blocks_surprise(&tool_counts.blocks, translation->entry, translation->unit);
	if (translation->cold) {
		cold_emit_begin(translation);
		return;
	}
	if (translation->tests)
		test_entry(translation, "calls_enter", &calls_enter);
	else if (tool_instrument.options.check_entries)
		test_entry(translation, "calls_surprise", &calls_surprise);
	builder->counts = ir_load(translation, &tool_counts.hot->counts);
	ir_store(translation, &tool_counts.hot->block, ir_u64(builder->number));
	ir_store(translation, &tool_counts.hot->charge, ir_u64(0));
	builder->reset = out->stmts_used - 1;
	if (tool_simulate.options.cache_sim)
		block_builder_advance_clock(translation);
}

/*
 * Stores a stamp for a line of code, and says whether it is absent: the stamp
 * then goes to machine->nowhere, which alone lies below base.
 */
static IRExpr *stamp_code_line(const struct translation *translation, struct code_line *line,
			       UInt n_before)
{
	IRExpr *at = ir_load(translation, &line->stamp);

	addStmtToIRSB(translation->out,
		      IRStmt_Store(Iend_LE, at, block_builder_stamp(translation, n_before)));
	return ir_assign(translation->out, Ity_I1,
			 IRExpr_Binop(Iop_CmpLT64U, at, translation->own));
}

/* a or b; only b if a is NULL. */
static IRExpr *either(const struct translation *translation, IRExpr *a, IRExpr *b)
{
	return a == NULL ? b : ir_either(translation->out, a, b);
}

/* True if all levels see as much of an instruction as lies in the line that holds address. */
static Bool lies_inside(const struct site *site, Addr address)
{
	const struct machine *machine = tool_simulate.machine;
	UInt bits = machine->i1.line_bits;

	for (UInt i = 0; i < machine->lower.n; i++)
		if (machine->lower.caches[i].line_bits < bits)
			return False;
	return site->address >> bits == address >> bits &&
	       (site->address + site->size - 1) >> bits == address >> bits;
}

/* Calls for the fetch that was added last, if absent (or NULL: always) holds. */
static void call_fetch(const struct translation *translation, IRExpr *absent)
{
	const struct miss_paths *paths = tool_simulate.paths;
	UInt index = translation->builder->n_references - 1;

	if (paths->fetch_of != NULL && index < MISS_PATHS)
		ir_call_if(translation->out, absent, 0, "miss_path_fetch", paths->fetch_of[index],
			   mkIRExprVec_0());
	else
		ir_call_if(translation->out, absent, 1, "miss_path_fetch", paths->fetch,
			   mkIRExprVec_1(ir_u64(index)));
}

/*
 * The call emitted last reads lines that earlier loads have missed (tool/cycles/waits.h).  VEX must not move those loads below it:
 * one that faults would fault in C.
 */
static void keep_loads_before(const struct translation *translation)
{
	if (tool_cycles.is_on)
		ir_keep_loads_above(translation->out);
}

/* Calls for the access that was added last, if missed (or NULL: always) holds. */
static void call_data(const struct translation *translation, IRExpr *missed, IRExpr *address)
{
	const struct miss_paths *paths = tool_simulate.paths;
	UInt index = translation->builder->n_references - 1;

	if (paths->data_of != NULL && index < MISS_PATHS)
		ir_call_if(translation->out, missed, 1, "miss_path_data", paths->data_of[index],
			   mkIRExprVec_1(address));
	else
		ir_call_if(translation->out, missed, 2, "miss_path_data", paths->data,
			   mkIRExprVec_2(address, ir_u64(index)));
	keep_loads_before(translation);
}

/* Fetches from lines of code that this block has not just fetched from. */
static void fetch_lines(struct translation *translation, Addr address, UInt n_lines)
{
	Addr line_size = 1UL << tool_simulate.machine->i1.line_bits;
	IRExpr *absent = NULL;
	struct reference *reference =
		block_builder_add_reference(translation, REFERENCE_FETCH, n_lines);

	reference->n_lines = n_lines & REFERENCE_MAX_LINES;
	tl_assert(n_lines <= REFERENCE_MAX_LINES);
	if (lies_inside(translation->site, address)) {
		reference->u.address = address & -line_size;
		reference->size = 1;
	}
	if (n_lines > 1)
		reference->u.lines =
			VG_(malloc)("costgrind.lines", n_lines * sizeof(reference->u.lines[0]));
	for (UInt i = 0; i < n_lines; i++) {
		struct code_line *line = blocks_code_line(
			&tool_counts.blocks, tool_simulate.machine, address + i * line_size);

		threadcores_add_line(&tool_simulate.cores, line);
		reference_lines(reference)[i] = line;
		if (!translation->cold && tool_instrument.options.inline_fetches)
			absent = either(translation, absent,
					stamp_code_line(translation, line, reference->age + i));
	}
	if (translation->cold && cold_take_first_fetch(translation->builder))
		return;
	call_fetch(translation, absent);
}

/* Every fetch is a call, and lines of code are not followed here. */
static void call_to_fetch(struct translation *translation)
{
	block_builder_add_reference(translation, REFERENCE_FETCH, 0);
	call_fetch(translation, NULL);
}

static void inline_fetch(struct translation *translation)
{
	struct block_builder *builder = translation->builder;
	const struct site *site = translation->site;
	UInt bits = tool_simulate.options.cache_sim ? tool_simulate.machine->i1.line_bits : 0;
	Addr address = site->address;
	UInt n_lines;

	cold_emit_waiting(translation);
	block_builder_open_segment(translation);
	block_builder_add_charge(translation, True);
	builder->has_access = False;
	if (!tool_simulate.options.cache_sim)
		return;
	if (all_fetches_called()) {
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
	const struct machine *machine = tool_simulate.machine;
	const UInt factor = LOG2_OF_ENTRY - LOG2_OF_SCALE;
	UInt shift = machine->d1.line_bits - factor;
	IRExpr *line = ir_binary(out, Iop_Shr64, address, IRExpr_Const(IRConst_U8((UChar)shift)));

	return ir_binary(out, Iop_And64, line, ir_u64(machine->filter_mask << factor));
}

/*
 * A word of the filter.  The address is made for each use, in the form that VEX turns into
 * an operand, base + index * scale + displacement.
 */
static IRExpr *load_field(struct translation *translation, IRExpr *index, SizeT field)
{
	IRSB *out = translation->out;
	IRExpr *offset = ir_binary(out, Iop_Shl64, index, IRExpr_Const(IRConst_U8(LOG2_OF_SCALE)));
	IRExpr *address = ir_binary(out, Iop_Add64, translation->own, offset);

	address = ir_binary(out, Iop_Add64, address, ir_u64(MACHINE_BASE + field));
	return ir_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

/* True if C is called for an access, hit or miss. */
static Bool is_called(const struct translation *translation, const struct access *access)
{
	const struct machine *machine = tool_simulate.machine;

	if (translation->cold || access->size > 1UL << machine->d1.line_bits)
		return True;
	if (access->makes_dirty && machine_is_called_for_writes(machine))
		return True;
	return access->kind == ACCESS_READ ? all_reads_called() : all_writes_called();
}

static void unguarded_access(struct translation *translation, const struct access *access,
			     UInt n_before)
{
	IRSB *out = translation->out;
	const struct machine *machine = tool_simulate.machine;
	ULong line_size = 1UL << machine->d1.line_bits;
	/* With one core, both filters are one. */
	const SizeT names = access->makes_dirty && tool_simulate.cores.several
				    ? machine->write_names * sizeof(struct filter_entry)
				    : 0;
	IRExpr *index, *offset, *inside, *at, *stamp;

	if (is_called(translation, access)) {
		call_data(translation, NULL, access->address);
		return;
	}
	index = filter_index(translation, access->address);
	offset = ir_binary(out, Iop_Sub64, access->address,
			   load_field(translation, index,
				      names + offsetof(struct filter_entry, line)));
	/* In this form VEX compares with an immediate. */
	inside =
		ir_assign(out, Ity_I1,
			  IRExpr_Binop(Iop_CmpLT64U, offset, ir_u64(line_size - access->size + 1)));
	call_data(translation, ir_assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, inside)),
		  access->address);
	at = load_field(translation, index, names + offsetof(struct filter_entry, stamp));
	stamp = block_builder_stamp(translation, n_before);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, at, stamp));
	if (!access->makes_dirty || machine->d1.written_offset == 0)
		return;
	at = ir_binary(out, Iop_Add64, at, ir_u64(machine->d1.written_offset));
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, at, stamp));
}

static void inline_count(struct translation *translation, enum event event, UInt n)
{
	struct charge *charge;
	UChar *count;

	if (!event_is_recorded(&tool_counts.events, event))
		return;
	charge = block_builder_charge(translation);
	if (work_has(event)) {
		charge->kind.work =
			worktable_add(&tool_counts.blocks.works, charge->kind.work, event, n);
		return;
	}
	count = &charge->kind.traits.others[event - EVENT_REP];
	tl_assert(*count + n <= 255);
	*count = (UChar)(*count + n);
}

/* What an access reads and writes; whether it is counted. */
static Bool count_bytes(struct translation *translation, const struct access *access)
{
	if (access->read == 0 && access->written == 0)
		return False;
	inline_count(translation, EVENT_BYTR, access->read);
	inline_count(translation, EVENT_BYTW, access->written);
	return True;
}

static void inline_access(struct translation *translation, const struct access *access)
{
	struct block_builder *builder = translation->builder;
	enum reference_kind kind = access->kind == ACCESS_READ ? REFERENCE_READ : REFERENCE_WRITE;
	struct reference *reference;
	struct charge *charge;
	UInt index;

	if (access->guard == NULL && builder->has_access)
		block_builder_split(translation);
	if (count_bytes(translation, access))
		builder->has_access = True;
	if (!tool_simulate.options.cache_sim)
		return;
	reference = block_builder_add_reference(
		translation, kind,
		machine_data_lines(tool_simulate.machine, access->size) +
			prefetching_stamps(&tool_simulate.prefetching, access->size));
	index = builder->n_references - 1;
	reference->size = (UShort)access->size;
	reference->makes_dirty = access->makes_dirty;
	if (access->guard != NULL) {
		if (reference->n_slots <= slot_executed(&tool_counts.levels))
			reference->n_slots = (UChar)(slot_executed(&tool_counts.levels) + 1);
		ir_call_if(translation->out, access->guard, 2, "miss_path_guarded_data",
			   miss_path_guarded_data, mkIRExprVec_2(access->address, ir_u64(index)));
		keep_loads_before(translation);
		return;
	}
	builder->read = index;
	charge = block_builder_charge(translation);
	if (kind == REFERENCE_READ)
		charge->kind.traits.is_read = 1;
	else
		charge->kind.traits.is_write = 1;
	builder->has_access = True;
	unguarded_access(translation, access, reference->age);
}

static void inline_prefetch(struct translation *translation, IRExpr *address, UInt level)
{
	struct reference *reference = block_builder_add_reference(translation, REFERENCE_READ, 1);

	reference->size = 1;
	ir_call_if(translation->out, NULL, 3, "prefetching_ask", &prefetching_ask,
		   mkIRExprVec_3(address, ir_u64(translation->builder->n_references - 1),
				 ir_u64(level)));
}

/*
 * The place of the last access is written too.  Only who knows dirty lines cares: the LL that writes
 * back, or the machine, to which this access mostly was a write already.
 */
static void inline_modify(struct translation *translation, const struct access *access)
{
	IRExpr **args;

	if (!tool_simulate.options.simulate_wb && (!engine_writes_matter() || access->makes_dirty))
		return;
	args = mkIRExprVec_2(access->address, ir_u64(translation->builder->read));
	if (engine_writes_matter())
		ir_call_if(translation->out, NULL, 2, "miss_path_modify", &miss_path_modify, args);
	else
		ir_call_if(translation->out, NULL, 2, "lastpath_modify", &lastpath_modify, args);
}

/* Of all rounds but one the guard does not hold, so that C may count. */
static void inline_complete(struct translation *translation, IRExpr *guard)
{
	struct block_builder *builder = translation->builder;
	Bool is_behind = !builder->segment_open;
	struct charge *charge = block_builder_charge(translation);

	if (guard == NULL) {
		charge->kind.traits.n_instructions = 1;
		/* No fault is here, so that nothing shows that it has begun. */
		charge->kind.traits.is_split = is_behind ? 1 : 0;
		builder->is_split |= is_behind;
		return;
	}
	charge->slot = block_builder_add_slot(builder);
	charge->kind.n_slots = 1;
	cold_emit_completion(translation, charge, guard);
}

/*
 * What a locked instruction has read before may have faulted.  Where accesses
 * are not counted, or it has but one, nothing else has begun a segment since.
 */
static void inline_lock(struct translation *translation)
{
	if (!event_is_recorded(&tool_counts.events, EVENT_GE))
		return;
	if (!tool_simulate.options.cache_sim || tool_instrument.options.architectural)
		block_builder_split(translation);
	inline_count(translation, EVENT_GE, 1);
}

/* When a fault comes, all that is before the exit has been counted. */
static void inline_resume(struct translation *translation)
{
	block_builder_charge(translation);
}

static void inline_observe(struct translation *translation)
{
	block_builder_close_segment(translation);
	translation->builder->is_observed = True;
}

/*
 * VEX keeps the guest's program counter up to date at accesses to memory, but
 * not at divisions; without it the instruction of a fault would not be known.
 */
static void inline_trap(struct translation *translation)
{
	addStmtToIRSB(translation->out, IRStmt_Put(translation->layout->offset_IP,
						   ir_u64(translation->site->address)));
}

/* As the block leaves it, it is in the guest state. */
static IRExpr *stack_pointer(const struct translation *translation)
{
	return ir_assign(translation->out, Ity_I64,
			 IRExpr_Get(translation->layout->offset_SP, Ity_I64));
}

/* Of type I1: the stack pointer lies below the frame, as if another one was made. */
static IRExpr *is_below_frame(const struct translation *translation)
{
	IRExpr *sp = stack_pointer(translation);
	IRExpr *frame = ir_load(translation, &tool_counts.hot->frame_sp);

	return ir_assign(translation->out, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, sp, frame));
}

/* The core goes on, with a system call or a signal: the block is not cut short by that. */
static void finish_block_if(const struct translation *translation, IRExpr *guard, IRJumpKind kind)
{
	ULong number = translation->builder->number;
	IRExpr *block = ir_u64(number | BLOCK_DONE);

	if (kind == Ijk_NoRedir)
		block = ir_u64(number | BLOCK_DONE | BLOCK_NO_REDIR);
	if (guard != NULL)
		block = ir_assign(translation->out, Ity_I64,
				  IRExpr_ITE(guard, block, ir_u64(number)));
	ir_store(translation, &tool_counts.hot->block, block);
}

/* By a call or jump, which C knows if it went the same way before. */
static void call_to_leave(struct translation *translation, const struct departure *departure,
			  struct block *block, const HChar *name, void *helper)
{
	IRExpr *list = ir_u64((Addr)calls_ways_out(block));
	ir_call_if(translation->out, NULL, 3, name, helper,
		   mkIRExprVec_3(IRExpr_GSPTR(), departure->target, list));
	engine_reads_sp(translation);
}

static void call_to_return(struct translation *translation, const struct departure *departure)
{
	ir_call_if(translation->out, NULL, 2, "return", tool_instrument.call_paths->ret,
		   mkIRExprVec_2(IRExpr_GSPTR(), departure->target));
	engine_reads_sp(translation);
}

static void inline_jump(struct translation *translation, const struct jump_event *event)
{
	struct block_builder *builder = translation->builder;
	IRExpr *taken = ir_u64(1);
	struct block_jump *jump;

	block_builder_charge(translation);
	tl_assert(builder->n_jumps < BLOCK_BUILDER_MAX_JUMPS);
	jump = &builder->jumps[builder->n_jumps++];
	*jump = (struct block_jump){ .jump = event->jump };
	jump->charge = (UShort)(builder->n_charges - 1);
	if (event->guard == NULL && !event->jump->to_entry)
		return;
	if (event->guard != NULL)
		taken = engine_taken(translation, event->guard, event->inverted);
	if (event->jump->to_entry)
		taken = jumping_emit_entry(translation->out, event->jump, taken,
					   is_below_frame(translation));
	jump->taken = block_builder_add_slot(builder);
	block_builder_count(translation, jump->taken, taken);
}

/*
 * True if a jump most likely calls another function: out of a procedure linkage
 * table, into one, or to where one begins.
 */
static Bool is_tail_call(const struct translation *translation, const IRExpr *target)
{
	Addr address;

	if (target->tag == Iex_RdTmp)
		return translation->unit->function->plt;
	if (engine_is_to_entry(translation, target))
		return False;
	address = (Addr)target->Iex.Const.con->Ico.U64;
	return symbols_is_entry(&tool_symbols, address) ||
	       (!translation->unit->function->plt && symbols_is_stub(address));
}

/* The word of the unit's table of targets that has this one, if any has: near, in the form that VEX turns into an operand. */
static IRExpr *target_like(const struct translation *translation, IRExpr *target)
{
	IRSB *out = translation->out;
	struct unit *unit = translation->unit;
	const SizeT size = UNIT_TARGETS * sizeof(unit->targets[0]);
	IRExpr *address;

	if (unit->targets == NULL)
		unit->targets = hot_memory_alloc(&tool_counts.hot_memory, size);
	address = ir_binary(out, Iop_And64, target, ir_u64(UNIT_TARGETS - 1));
	address = ir_binary(out, Iop_Shl64, address, IRExpr_Const(IRConst_U8(3)));
	address = ir_binary(out, Iop_Add64, translation->base, address);
	address =
		ir_binary(out, Iop_Add64, address, ir_u64((Addr)unit->targets - tool_counts.base));
	return ir_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

/* To an address that is not known to be of the unit, or with less on the stack: frames are left (longjmp inlined). */
static void emit_computed_jump(struct translation *translation, IRExpr *target)
{
	IRSB *out = translation->out;
	IRExpr *guard = NULL;

	if (!translation->cold) {
		IRExpr *other = ir_binary(out, Iop_Xor64, target_like(translation, target), target);
		IRExpr *above = ir_assign(
			out, Ity_I1,
			IRExpr_Binop(Iop_CmpLT64U, ir_load(translation, &tool_counts.hot->frame_sp),
				     stack_pointer(translation)));

		above = ir_assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, above));
		guard = ir_binary(out, Iop_Or64, other, above);
		guard = ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, guard, ir_u64(0)));
	}
	ir_call_if(out, guard, 2, "calls_jump_computed", &calls_jump_computed,
		   mkIRExprVec_2(IRExpr_GSPTR(), target));
	engine_reads_sp(translation);
}

/*
 * A jump, of a side exit if the departure has a guard, that calls no other function as far as is known.  One to the
 * function's first instruction is a loop only if the stack pointer is as it was then.  Others leave their unit, or
 * nothing is to be done.
 */
static void emit_jump(struct translation *translation, const struct departure *departure)
{
	IRExpr *target = departure->target, *guard = departure->guard;
	Bool is_expected;

	if (target->tag == Iex_RdTmp) {
		emit_computed_jump(translation, target);
		return;
	}
	is_expected = blocks_expect(&tool_counts.blocks, (Addr)target->Iex.Const.con->Ico.U64,
				    translation->unit);
	if (!engine_is_to_entry(translation, target)) {
		if (!is_expected)
			ir_call_if(translation->out, guard, 1, "calls_arrive", &calls_arrive,
				   mkIRExprVec_1(target));
		return;
	}
	if (is_expected) {
		IRExpr *below = is_below_frame(translation);

		guard = guard == NULL ? below : ir_both(translation->out, guard, below);
	}
	ir_call_if(translation->out, guard, 2, "calls_jump_to_entry", &calls_jump_to_entry,
		   mkIRExprVec_2(IRExpr_GSPTR(), target));
	engine_reads_sp(translation);
}

static void emit_departure(struct translation *translation, const struct departure *departure,
			   struct block *block)
{
	if (departure->kind == Ijk_Call)
		call_to_leave(translation, departure, block, "call",
			      tool_instrument.call_paths->call);
	else if (departure->kind == Ijk_Ret)
		call_to_return(translation, departure);
	else if (departure->kind != Ijk_Boring)
		finish_block_if(translation, NULL, departure->kind);
	else if (is_tail_call(translation, departure->target))
		call_to_leave(translation, departure, block, "jump",
			      tool_instrument.call_paths->jump);
	else
		emit_jump(translation, departure);
}

static void inline_exit(struct translation *translation, const struct departure *departure)
{
	block_builder_close_segment(translation);
	if (departure->kind == Ijk_Boring)
		emit_jump(translation, departure);
	else if (departure->kind != Ijk_Call && departure->kind != Ijk_Ret)
		finish_block_if(translation, departure->guard, departure->kind);
}

static void inline_end(struct translation *translation, const struct departure *departure)
{
	struct block_builder *builder = translation->builder;
	struct block *block;

	block_builder_close_segment(translation);
	block = engine_new_block(translation, builder->n_references, builder->n_charges,
				 builder->jumps, builder->n_jumps);
	if (departure != NULL)
		emit_departure(translation, departure, block);
	block_builder_finish(builder, translation->unit, block);
	engine_add_block(translation, block);
	tl_assert(block->number == builder->number);
	if (!builder->is_split && !translation->cold)
		translation->out->stmts[builder->reset] = IRStmt_NoOp();
}

const struct engine engine_inline = {
	.name = "inline",
	.begin = inline_begin,
	.fetch = inline_fetch,
	.access = inline_access,
	.prefetch = inline_prefetch,
	.count = inline_count,
	.count_some = block_builder_count_event,
	.complete = inline_complete,
	.lock = inline_lock,
	.modify = inline_modify,
	.branch = inline_branch,
	.indirect = inline_indirect,
	.direct = inline_direct,
	.returns = inline_return,
	.calls = inline_call,
	.jump = inline_jump,
	.resume = inline_resume,
	.trap = inline_trap,
	.observe = inline_observe,
	.exit = inline_exit,
	.end = inline_end,
};
