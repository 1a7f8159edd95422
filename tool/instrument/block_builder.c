/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/block_builder.h"

#include <stddef.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/instrument/cold.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/state.h"
#include "tool/simulate/state.h"

struct block_builder *block_builder_reset(void)
{
	struct block_builder *builder = tool_instrument.builder;

	if (builder == NULL) {
		builder = VG_(malloc)("costgrind.builder", sizeof(*builder));
		tool_instrument.builder = builder;
	}
	/* All but the arrays, where only what is written is read. */
	VG_(memset)(builder, 0, offsetof(struct block_builder, segments));
	return builder;
}

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

	if (counts == NULL)
		counts = ir_load(translation, &tool_counts.hot->counts);
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

void block_builder_advance_clock(const struct translation *translation)
{
	struct block_builder *builder = translation->builder;

	builder->n_stamps = unknown_constant();
	builder->clock = ir_load(translation, &tool_simulate.machine->clock);
	ir_store(translation, &tool_simulate.machine->clock,
		 ir_binary(translation->out, Iop_Add64, builder->clock,
			   IRExpr_Const(builder->n_stamps)));
}

IRExpr *block_builder_stamp(const struct translation *translation, UInt n_before)
{
	IRExpr *clock = translation->builder->clock;

	return n_before == 0 ? clock
			     : ir_binary(translation->out, Iop_Add64, clock, ir_u64(n_before));
}

/* From an address to another one; none if that is 0, or too far. */
static Int distance(Addr to, Addr from, Int none)
{
	const Long bytes = (Long)(to - from);

	return to != 0 && bytes == (Int)bytes ? (Int)bytes : none;
}

/* An instruction costs its cycles where it begins. */
static void set_cycles(struct charge *charge, const struct path_weight *weight, Bool begins)
{
	charge->kind.lost = weight->lost;
	charge->kind.match = weight->match;
	charge->kind.source = distance(weight->source, charge->site->address, 0);
	if (begins)
		VG_(memcpy)(charge->kind.cycles, weight->cycles, sizeof(charge->kind.cycles));
}

struct charge *block_builder_add_charge(struct translation *translation, Bool begins)
{
	struct block_builder *builder = translation->builder;
	struct charge *charge = &builder->charges[builder->n_charges++];

	tl_assert(builder->n_charges <= BLOCK_BUILDER_MAX_CHARGES);
	*charge = (struct charge){
		.site = translation->site,
		.segment = (UShort)(builder->n_segments - 1),
		.kind.traits = { .n_instructions = begins && !translation->repeats ? 1 : 0,
				 .is_repeated = translation->repeats ? 1 : 0 },
	};
	if (translation->weight != NULL)
		set_cycles(charge, translation->weight, begins);
	return charge;
}

void block_builder_open_segment(struct translation *translation)
{
	struct block_builder *builder = translation->builder;

	if (builder->segment_open)
		return;
	tl_assert(builder->n_segments < BLOCK_BUILDER_MAX_COUNTS);
	builder->segments[builder->n_segments++] = (struct slot_constants){ NULL, NULL };
	builder->segment_open = True;
	builder->first_charge = builder->n_charges;
}

/* Adds n to the running total of an event. */
static void add_to_total(const struct translation *translation, enum event event, ULong n)
{
	if (n != 0)
		ir_add_to(translation, &tool_counts.hot->totals[event], ir_u64(n));
}

/*
 * Adds to two words side by side, always both at once: what was stored in halves would be slow to load as a
 * whole.
 */
static void add_pair(const struct translation *translation, const ULong *words,
		     const ULong *amounts)
{
	IRSB *out = translation->out;
	IRExpr *sum, *more;

	if (amounts[0] == 0 && amounts[1] == 0)
		return;
	sum = ir_assign(out, Ity_V128, IRExpr_Load(Iend_LE, Ity_V128, ir_near(translation, words)));
	more = ir_near(translation,
		       hot_memory_pair(&tool_counts.hot_memory, amounts[0], amounts[1]));
	more = ir_assign(out, Ity_V128, IRExpr_Load(Iend_LE, Ity_V128, more));
	sum = ir_assign(out, Ity_V128, IRExpr_Binop(Iop_Add64x2, sum, more));
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, ir_near(translation, words), sum));
}

/* Adds to the running totals of an event and the one after it. */
static void add_to_totals(const struct translation *translation, enum event first,
			  const ULong *costs)
{
	add_pair(translation, &tool_counts.hot->totals[first], &costs[first]);
}

/* Pairs from the first on, whatever is counted of them. */
static void add_work(const struct translation *translation, const ULong *costs)
{
	UInt event = EVENT_FLS;

	for (; event + 1 < EVENT_AFTER_WORK; event += 2)
		add_to_totals(translation, (enum event)event, costs);
	if (event < EVENT_AFTER_WORK)
		add_to_total(translation, (enum event)event, costs[event]);
}

/*
 * True if operations and bytes of a segment may be in packed words (tool/calls/callcost.h).  Without an
 * instruction that begins, it is a second access of one; of those that repeat nobody knows how often they are executed.
 */
static Bool fits_packed(struct translation *translation, const ULong *costs)
{
	struct block_builder *builder = translation->builder;
	const ULong n = costs[EVENT_IR];
	const ULong most = (n == 0 ? 1 : n) * LATE_MOST_WORK;
	const Bool owes = n == 0;

	if (owes && (builder->owes || translation->repeats))
		return False;
	for (UInt event = EVENT_FLS; event <= EVENT_BYTW; event++)
		if (costs[event] > (event == EVENT_FLX ? 0 : most))
			return False;
	builder->owes = owes;
	return True;
}

static ULong pack(ULong low, ULong high)
{
	return low | high << PACKED_BITS;
}

/* Adds operations and bytes.  Returns the bytes still to be added together with Ir, packed, if they go there. */
static ULong add_packed_work(struct translation *translation, const ULong *costs)
{
	struct hot *hot = tool_counts.hot;
	const ULong bytes = pack(costs[EVENT_BYTR], costs[EVENT_BYTW]);
	const ULong flops[] = { pack(costs[EVENT_FLS], costs[EVENT_FLD]),
				pack(costs[EVENT_FL128], costs[EVENT_FL256]) };

	if (!fits_packed(translation, costs)) {
		add_to_totals(translation, EVENT_FLS, costs);
		add_to_total(translation, EVENT_FLX, costs[EVENT_FLX]);
		add_to_totals(translation, EVENT_FL128, costs);
		add_to_totals(translation, EVENT_BYTR, costs);
		ir_store(translation, &hot->late_limit, ir_u64(0));
		return 0;
	}
	add_pair(translation, &hot->packed[PACKED_FLOPS], flops);
	if (tool_counts.events.lacks_common)
		return bytes;
	if (bytes != 0)
		ir_add_to(translation, &hot->packed[PACKED_BYTES], ir_u64(bytes));
	return 0;
}

/* What is packed is taken out of costs. */
static void take_late_work(struct translation *translation, ULong *costs)
{
	ULong bytes;

	if (tool_counts.events.late_kind != LATE_WORK)
		return;
	bytes = add_packed_work(translation, costs);
	for (UInt event = EVENT_FLS; event <= EVENT_BYTW; event++)
		costs[event] = 0;
	if (tool_counts.events.lacks_common)
		costs[EVENT_DR] = bytes;
}

/* True if Ir is added together with bytes: always, or loads would wait for halves that were stored. */
static Bool pairs_instructions(void)
{
	return tool_counts.events.lacks_common &&
	       event_is_recorded(&tool_counts.events, EVENT_BYTR);
}

void block_builder_close_segment(struct translation *translation)
{
	struct block_builder *builder = translation->builder;
	ULong costs[N_EVENTS] = { 0 };

	if (!builder->segment_open)
		return;
	builder->segment_open = False;
	if (translation->cold) {
		cold_emit_count(translation);
		return;
	}
	for (UInt i = builder->first_charge; i < builder->n_charges; i++)
		charge_add_costs(&builder->charges[i].kind, &tool_counts.blocks.works, 1, costs);
	add_to_slot(translation, &builder->segments[builder->n_segments - 1], ir_u64(1));
	take_late_work(translation, costs);
	if (tool_counts.events.n_counted <= N_COUNTED_IR_REP) {
		if (pairs_instructions())
			add_to_totals(translation, EVENT_IR, costs);
		else
			add_to_total(translation, EVENT_IR, costs[EVENT_IR]);
		add_to_total(translation, EVENT_REP, costs[EVENT_REP]);
		return;
	}
	add_to_totals(translation, EVENT_IR, costs);
	add_to_totals(translation, EVENT_DW, costs);
	add_to_total(translation, EVENT_BI, costs[EVENT_BI]);
	for (UInt event = EVENT_REP; event < EVENT_AFTER_TRAITS; event++)
		add_to_total(translation, (enum event)event, costs[event]);
	add_to_total(translation, EVENT_BR, costs[EVENT_BR]);
	add_to_totals(translation, EVENT_CYBASE, costs);
	add_to_total(translation, EVENT_CYFE, costs[EVENT_CYFE]);
	add_work(translation, costs);
}

struct charge *block_builder_charge(struct translation *translation)
{
	struct block_builder *builder = translation->builder;
	Bool was_open = builder->segment_open;
	struct charge *last;

	block_builder_open_segment(translation);
	last = builder->n_charges > 0 ? &builder->charges[builder->n_charges - 1] : NULL;
	if (was_open && last != NULL && last->site == translation->site && last->kind.counted == 0)
		return last;
	return block_builder_add_charge(translation, False);
}

void block_builder_split(struct translation *translation)
{
	struct block_builder *builder = translation->builder;

	block_builder_close_segment(translation);
	block_builder_charge(translation)->kind.traits.is_split = 1;
	builder->is_split = True;
	ir_store(translation, &tool_counts.hot->charge, ir_u64(builder->n_charges - 1));
}

/* Of a reference without a guard. */
static UInt n_slots(void)
{
	const struct levels *levels = &tool_counts.levels;

	if (tool_simulate.reasons.has_curve)
		return slot_sizes(levels) + N_SIZE_EVENTS;
	if (tool_simulate.reasons.is_on)
		return slot_anti(levels) + 1;
	if (levels->has_cores)
		return slot_coherence(levels) + N_COHERENCE_SLOTS;
	if (tool_cycles.is_on)
		return slot_waits(levels) + N_WAIT_SLOTS;
	if (levels->n_views != 0)
		return slot_pages(levels, levels->n_views);
	return tool_simulate.options.simulate_wb || tool_simulate.caches.write_back
		       ? slot_write_back(levels) + 1
		       : levels->n;
}

/* Of the segment that is open, so far: nobody counts them before its end. */
static UShort uncounted_instructions(const struct block_builder *builder)
{
	UInt n = 0;

	for (UInt i = builder->first_charge; builder->segment_open && i < builder->n_charges; i++)
		n += builder->charges[i].kind.traits.n_instructions;
	return (UShort)n;
}

struct reference *block_builder_add_reference(struct translation *translation,
					      enum reference_kind kind, UInt n_stamps)
{
	struct block_builder *builder = translation->builder;
	struct reference *reference = &builder->references[builder->n_references];
	UInt *n = kind == REFERENCE_FETCH ? &builder->n_code_stamps : &builder->n_data_stamps;

	tl_assert(builder->n_references < BLOCK_BUILDER_MAX_REFERENCES);
	builder->sites[builder->n_references++] = translation->site;
	*reference = (struct reference){
		.kind = kind & 3U,
		.n_slots = (UChar)n_slots(),
		/* For now the stamps before it; the age is known when all are. */
		.age = (UShort)*n,
	};
	*n += n_stamps;
	if (tool_simulate.prefetching.prefetchers != NULL || tool_cycles.is_on)
		reference->n_instructions = uncounted_instructions(builder);
	if (kind == REFERENCE_FETCH) {
		reference->u.address = translation->site->address;
		reference->size = translation->site->size;
	} else {
		reference->u.load = translation->site->address;
		reference->is_loaded = kind == REFERENCE_READ && !translation->by_operands;
	}
	if (translation->weight != NULL && kind != REFERENCE_FETCH) {
		reference->u.source =
			distance(translation->weight->source, reference->u.load, REFERENCE_NONE);
		reference->u.displacement = translation->weight->displacement;
		reference->hidden = translation->weight->hidden;
		reference->is_critical = translation->weight->is_critical;
	}
	return reference;
}

UShort block_builder_add_slot(struct block_builder *builder)
{
	tl_assert(builder->n_others < BLOCK_BUILDER_MAX_COUNTS);
	builder->others[builder->n_others++] = (struct slot_constants){ NULL, NULL };
	return (UShort)builder->n_others;
}

void block_builder_count(const struct translation *translation, UShort slot, IRExpr *amount)
{
	add_to_slot(translation, &translation->builder->others[slot - 1], amount);
}

void block_builder_count_event(struct translation *translation, enum event event, IRExpr *amount)
{
	struct charge *charge;

	block_builder_open_segment(translation);
	charge = block_builder_add_charge(translation, False);
	charge->kind.traits.is_repeated = 0;
	charge->kind.counted = (UChar)event;
	charge->slot = block_builder_add_slot(translation->builder);
	charge->kind.n_slots = 1;
	block_builder_count(translation, charge->slot, amount);
	ir_add_to(translation, &tool_counts.hot->totals[event], amount);
	if (event_is_late(&tool_counts.events, event))
		ir_store(translation, &tool_counts.hot->late_limit, ir_u64(0));
}

/* The number of a charge of an instruction, which has one: from a place on, or before it. */
static UInt find_charge(const struct block_builder *builder, const struct site *site, UInt from)
{
	for (UInt i = 0; i < builder->n_charges; i++) {
		const UInt at = (from + i) % builder->n_charges;

		if (builder->charges[at].site == site)
			return at;
	}
	tl_assert(False);
}

/* Ages are known when all stamps of the block are. */
static void finish_references(const struct block_builder *builder, struct block *block)
{
	UInt n_stamps = builder->n_code_stamps > builder->n_data_stamps ? builder->n_code_stamps
									: builder->n_data_stamps;
	UInt charge = 0;

	if (builder->n_stamps != NULL)
		builder->n_stamps->Ico.U64 = n_stamps;
	tl_assert(n_stamps < 0x10000);
	block->n_stamps = (UShort)n_stamps;
	for (UInt i = 0; i < builder->n_references; i++) {
		struct reference *reference = &block->references[i];

		*reference = builder->references[i];
		charge = find_charge(builder, builder->sites[i], charge);
		reference->charge = (UShort)charge;
		/* clock is ahead by all stamps when a slow path looks at it. */
		reference->age = (UShort)(n_stamps - reference->age);
	}
}

static void set_slot(const struct slot_constants *slot, UInt number)
{
	if (slot->load == NULL)
		return; /* C counts there */
	slot->load->Ico.U64 = number * sizeof(ULong);
	slot->store->Ico.U64 = number * sizeof(ULong);
}

/* Gives the block its slots: the segments' first, then the others. */
static void finish_slots(const struct block_builder *builder, struct unit *unit,
			 struct block *block)
{
	block->n_segments = (UShort)builder->n_segments;
	block->n_counts = (UShort)(builder->n_segments + builder->n_others);
	block->first_count = unit_add_counts(unit, block->n_counts);
	for (UInt i = 0; i < builder->n_segments; i++)
		set_slot(&builder->segments[i], block->first_count + i);
	for (UInt i = 0; i < builder->n_others; i++)
		set_slot(&builder->others[i], block->first_count + builder->n_segments + i);
	for (UInt i = 0; i < block->n_charges; i++) {
		struct kept_charge *charge = &block->charges[i];

		if (charge->slot != 0)
			charge->slot = (UShort)(builder->n_segments + charge->slot - 1);
	}
}

IRExpr *block_builder_which_segment(const struct translation *translation, UInt index)
{
	return ir_u64(which_of(translation->builder->number, index));
}

IRExpr *block_builder_which_charge(const struct translation *translation,
				   const struct charge *charge)
{
	return block_builder_which_segment(translation,
					   (UInt)(charge - translation->builder->charges));
}

void block_builder_finish(struct block_builder *builder, struct unit *unit, struct block *block)
{
	block->begins_by_fetch = builder->begins_by_fetch;
	for (UInt i = 0; i < builder->n_charges; i++)
		blocks_keep_charge(&tool_counts.blocks, block, i, &builder->charges[i]);
	finish_references(builder, block);
	finish_slots(builder, unit, block);
}
