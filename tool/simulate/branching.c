/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/branching.h"

#include <stddef.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/hot_memory.h"
#include "tool/counts/hot.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/simulate/miss_path.h"
#include "tool/simulate/state.h"
#include "tool/symbols/symbol.h"

/* A branch instruction in the table of places, near as all that generated code looks at, in one line of the host's cache. */
struct place_node {
	struct place_node *next;   /* cppcheck-suppress unusedStructMember ; the hash table's */
	struct branch_place place; /* its key is the table's */
};

_Static_assert(offsetof(struct place_node, place.key) == offsetof(VgHashNode, key) &&
		       sizeof(struct place_node) == 64,
	       "VG_(HT_lookup)() finds it");
_Static_assert(offsetof(struct place_node, place.plain) % (2 * sizeof(uint64_t)) == 0,
	       "the address of one of the two says which");

void branching_init(struct branching *branching, struct hot_memory *memory)
{
	const struct predictor_config *config = &branching->config.predictor;

	branching->memory = memory;
	if (config->tage == NULL)
		return;
	branching->places = VG_(HT_construct)("costgrind.branches");
	branching->predictor = hot_memory_alloc(memory, predictor_size(config));
	branching->running = branching->predictor;
	predictor_init(branching->predictor, config);
	machinestate_note(branching->predictor, predictor_size(config));
}

/* --- all of it, emptied or kept ---------------------------------------------------------- */

/* Of places as they were. */
struct kept_places {
	UInt n;
	struct kept_place {
		struct branch_place *place;
		struct branch_place was;
	} places[];
};

/* As branching_place() made it, but that it keeps its memory. */
static void clear_place(struct branching *branching, struct branch_place *place)
{
	struct own_history *own = place->own;

	predictor_add_place(branching->predictor, place, place->key);
	if (own == NULL)
		return;
	VG_(free)(own->table);
	own_history_init(own);
	place->own = own;
}

static void clear_places(struct branching *branching)
{
	struct place_node *node;

	VG_(HT_ResetIter)(branching->places);
	while ((node = VG_(HT_Next)(branching->places)) != NULL)
		clear_place(branching, &node->place);
}

void branching_clear(struct branching *branching)
{
	const struct predictor_config *config = &branching->config.predictor;

	if (branching->predictor == NULL)
		return;
	VG_(memset)(branching->predictor, 0, predictor_size(config));
	predictor_init(branching->predictor, config);
	clear_places(branching);
}

void branching_keep(struct branching *branching)
{
	struct place_node *node;
	UInt n;

	if (branching->predictor == NULL)
		return;
	n = VG_(HT_count_nodes)(branching->places);
	branching->kept = VG_(realloc)("costgrind.places", branching->kept,
				       sizeof(struct kept_places) + n * sizeof(struct kept_place));
	branching->kept->n = 0;
	VG_(HT_ResetIter)(branching->places);
	while ((node = VG_(HT_Next)(branching->places)) != NULL)
		branching->kept->places[branching->kept->n++] =
			(struct kept_place){ &node->place, node->place };
}

void branching_restore(struct branching *branching)
{
	if (branching->predictor == NULL)
		return;
	clear_places(branching); /* some may have been made since */
	for (UInt i = 0; i < branching->kept->n; i++)
		*branching->kept->places[i].place = branching->kept->places[i].was;
}

/* By object and offset; of code in no object, by address. */
static uint64_t key_of(const struct site *site)
{
	const struct text *object = site->scope->function->object;
	const uint64_t hash =
		object->chars[0] == '/' ? predictor_object_hash(object->chars, object->len) : 0;

	return predictor_key(hash, site_place(site).address);
}

struct branch_place *branching_place(struct branching *branching, const struct site *site)
{
	const uint64_t key = key_of(site);
	struct place_node *node = VG_(HT_lookup)(branching->places, key);

	if (node == NULL) {
		node = hot_memory_alloc(branching->memory, sizeof(*node));
		predictor_add_place(branching->predictor, &node->place, key);
		threadcores_add_place(&tool_simulate.cores, &node->place);
		VG_(HT_add_node)(branching->places, node);
	}
	return &node->place;
}

void branching_each_place(const struct branching *branching,
			  void (*add)(void *to, struct branch_place *place), void *to)
{
	struct place_node *node;

	VG_(HT_ResetIter)(branching->places);
	while ((node = VG_(HT_Next)(branching->places)) != NULL)
		add(to, &node->place);
}

/* -- predicting ----------------------------------------------------------------------------- */

_Static_assert(PREDICTOR_WRONG == 1 << BRANCH_SLOT_WRONG &&
		       PREDICTOR_UNKNOWN == 1 << BRANCH_SLOT_UNKNOWN &&
		       PREDICTOR_FAR > 1 << BRANCH_SLOT_HISTORY,
	       "bits are slots, but for the last one");

/* What predictors of the branch alone make of it. */
static UInt look_closer(struct branch_place *place, Bool taken)
{
	struct own_history *own = place->own;
	UInt wrong;

	if (own == NULL) {
		own = VG_(perm_malloc)(sizeof(*own), 8);
		own_history_init(own);
		place->own = own;
	}
	if (own_history_needs_table(own, taken))
		own->table = VG_(calloc)("costgrind.ownhistory", 1, OWN_TABLE);
	wrong = own_history_predict(own, taken);
	return (taken ? 1U << BRANCH_SLOT_TAKEN : 0) |
	       ((wrong & OWN_COUNTER_WRONG) != 0 ? 1U << BRANCH_SLOT_COUNTER : 0) |
	       ((wrong & OWN_HISTORY_WRONG) != 0 ? 1U << BRANCH_SLOT_HISTORY : 0);
}

/* Bits as tests have them: WRONG, UNKNOWN, TAKEN, COUNTER, HISTORY, from 1 on; none is of cycles. */
static void trace(const struct branching *branching, const HChar *kind,
		  const struct branch_place *place, UWord outcome, UInt bits)
{
	const UInt predicted = bits & (PREDICTOR_WRONG | PREDICTOR_UNKNOWN);
	const UInt detail = bits >> BRANCH_SLOT_TAKEN & 7;

	if (branching->config.is_traced)
		VG_(umsg)("branch: %s %llx %lx %u\n", kind, (ULong)place->key, outcome,
			  predicted | detail << 2);
}

UInt branching_branch(struct branching *branching, struct branch_place *place, Bool taken)
{
	UInt bits = predictor_branch(branching->running, place, taken);

	if (branching->config.has_detail)
		bits |= look_closer(place, taken);
	trace(branching, "branch", place, taken, bits);
	return bits;
}

UInt branching_jump(struct branching *branching, struct branch_place *place, Addr target)
{
	const UInt bits = predictor_jump(branching->running, place, target);

	trace(branching, "jump", place, target, bits);
	return bits;
}

UInt branching_return(struct branching *branching, struct branch_place *place, Addr target)
{
	const UInt bits = predictor_return(branching->running, place, target);

	trace(branching, "return", place, target, bits);
	return bits;
}

UInt branching_take(struct branching *branching, struct branch_place *place)
{
	const UInt bits = predictor_take(branching->running, place);

	trace(branching, "take", place, 1, bits);
	return bits;
}

void branching_call(struct branching *branching, Addr return_address)
{
	predictor_call(branching->running, return_address);
	if (branching->config.is_traced)
		VG_(umsg)("branch: call 0 %lx 0\n", return_address);
}

/* -- calls of generated code ------------------------------------------------------------------ */

/* In instructions of the thread: totals do not include the segment's yet. */
static ULong instructions_so_far(const struct block *block, UInt index)
{
	const UShort segment = block->charges[index].segment;
	ULong n = tool_counts.hot->totals[EVENT_IR];

	for (UInt i = 0; i <= index; i++) {
		const struct kept_charge *charge = &block->charges[i];

		if (charge->segment == segment)
			n += blocks_kind(&tool_counts.blocks, charge)->traits.n_instructions;
	}
	return n;
}

/* What a branch loses; slots are its own. */
static void lose_cycles(const struct block *block, UInt index, UInt bits, ULong *slots)
{
	const struct charge charge = blocks_charge(&tool_counts.blocks, block, index);
	ULong *totals = tool_counts.hot->totals;

	if ((bits & PREDICTOR_UNKNOWN) != 0)
		totals[EVENT_CYBR] += tool_counts.blocks.unknown_target;
	if ((bits & PREDICTOR_FAR) != 0) {
		slots[BRANCH_SLOT_WAITED] += tool_cycles.costs.far_target;
		totals[EVENT_CYBR] += tool_cycles.costs.far_target;
	}
	if ((bits & PREDICTOR_WRONG) == 0)
		return;
	if (charge.kind.source != 0) {
		const UInt tenths = waits_of_branch(&tool_cycles.waits,
						    charge.site->address + (Addr)charge.kind.source,
						    instructions_so_far(block, index),
						    cycles_clock(totals));

		slots[BRANCH_SLOT_WAITED] += tenths;
		totals[EVENT_CYBR] += tenths;
	}
	totals[EVENT_CYBR] += charge.kind.lost;
	waits_restart(&tool_cycles.waits, cycles_clock(totals));
}

static void count_bits(const struct block *block, UInt index, UInt bits)
{
	const struct kept_charge *charge = &block->charges[index];
	const struct charge_kind *kind = blocks_kind(&tool_counts.blocks, charge);
	ULong *slots = &tool_counts.hot->counts[block->first_count + charge->slot];

	for (UInt i = 0, rest = bits & ~(UInt)PREDICTOR_FAR; rest >> i != 0; i++) {
		if ((rest >> i & 1) == 0)
			continue;
		slots[i]++;
		tool_counts.hot->totals[charge_slot_event(kind, (enum branch_slot)i)]++;
	}
	if (tool_cycles.is_on)
		lose_cycles(block, index, bits, slots);
}

/* The running core's own of a place that generated code names. */
static ALWAYS_INLINED struct branch_place *here(struct branch_place *place)
{
	return threadcores_here(&tool_simulate.cores, place);
}

/* Most have nothing to count. */
static void count(UWord which, UInt bits)
{
	if (bits != 0)
		count_bits(which_block(&tool_counts.blocks, which), which_index(which), bits);
}

/* The same of a charge of the block that runs. */
static void count_here(UWord index, UInt bits)
{
	if (bits != 0)
		count_bits(blocks_by_number(&tool_counts.blocks, (UInt)tool_counts.hot->block),
			   (UInt)index, bits);
}

VG_REGPARM(3) void branching_emitted_branch(UWord which, UWord taken, struct branch_place *place)
{
	count(which, branching_branch(&tool_simulate.branching, here(place), taken != 0));
}

VG_REGPARM(2) void branching_emitted_branch_exact(UWord which, UWord place_and_taken)
{
	struct branch_place *place = (struct branch_place *)(place_and_taken & ~(UWord)1);

	count(which, predictor_branch(tool_simulate.branching.running, here(place),
				      (place_and_taken & 1) != 0));
}

VG_REGPARM(3) void branching_emitted_jump(UWord which, Addr target, struct branch_place *place)
{
	count(which, branching_jump(&tool_simulate.branching, here(place), target));
}

VG_REGPARM(3) void branching_emitted_return(UWord which, Addr target, struct branch_place *place)
{
	count(which, branching_return(&tool_simulate.branching, here(place), target));
}

VG_REGPARM(2) void branching_emitted_take(UWord which, struct branch_place *place)
{
	count(which, branching_take(&tool_simulate.branching, here(place)));
}

VG_REGPARM(1) void branching_emitted_call(Addr return_address)
{
	branching_call(&tool_simulate.branching, return_address);
}

/* -- the rest of what generated code does by itself --------------------------------------------- */

static VG_REGPARM(2) __attribute__((noinline)) void branch_slow(const uint64_t *plain, UWord index)
{
	const Bool taken = ((Addr)plain & sizeof(*plain)) != 0;
	const Addr first = (Addr)plain & -(Addr)(2 * sizeof(*plain));
	struct branch_place *place =
		(struct branch_place *)(first - offsetof(struct branch_place, plain));

	count_here(index, predictor_branch_slow(tool_simulate.branching.running, place, taken));
}

static VG_REGPARM(2)
	__attribute__((noinline)) void take_slow(struct branch_place *place, UWord index)
{
	count_here(index, branching_take(&tool_simulate.branching, here(place)));
}

/* Those of the first charges. */
#define BRANCH_OF(index, branch)                                      \
 static VG_REGPARM(1) void branch##_of_##index(const uint64_t *plain) \
 {                                                                    \
  branch(plain, index);                                               \
 }
#define TAKE_OF(index, take)                                             \
 static VG_REGPARM(1) void take##_of_##index(struct branch_place *place) \
 {                                                                       \
  take(place, index);                                                    \
 }

MISS_PATH_INDICES(BRANCH_OF, branch_slow)
MISS_PATH_INDICES(TAKE_OF, take_slow)

static VG_REGPARM(1) void (*const branch_slow_of[MISS_PATHS])(const uint64_t *plain) = {
	MISS_PATH_INDICES(MISS_PATH_NAME, branch_slow)
};
static VG_REGPARM(1) void (*const take_slow_of[MISS_PATHS])(struct branch_place *place) = {
	MISS_PATH_INDICES(MISS_PATH_NAME, take_slow)
};

static VG_REGPARM(3) void jump_slow(struct branch_place *place, Addr target, UWord index)
{
	count_here(index,
		   predictor_jump_slow(tool_simulate.branching.running, here(place), target));
}

static VG_REGPARM(3) void return_slow(struct branch_place *place, Addr target, UWord index)
{
	count_here(index,
		   predictor_return_slow(tool_simulate.branching.running, here(place), target));
}

const struct branch_paths branch_paths = {
	branch_slow, take_slow, jump_slow, return_slow, branch_slow_of, take_slow_of,
};
