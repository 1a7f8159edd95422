/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/block.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/counts/context.h"
#include "tool/counts/hot.h"
#include "tool/counts/jump.h"

/* A line of code in its table; the line itself is near. */
struct code_line_node {
	struct code_line_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct code_line *line;
};

/* An array of words that has room for more than n; it doubles. */
static void *make_room(void *array, UInt n, UInt *room)
{
	if (n < *room)
		return array;
	*room = *room == 0 ? 1024 : *room * 2;
	return VG_(realloc)("costgrind.array", array, *room * sizeof(UWord));
}

static void make_room_for_numbers(struct blocks *blocks)
{
	UInt room = blocks->room_for_numbers;

	blocks->by_number = make_room(blocks->by_number, blocks->n_numbers, &room);
	blocks->references =
		make_room(blocks->references, blocks->n_numbers, &blocks->room_for_numbers);
}

void blocks_init(struct blocks *blocks, struct hot_memory *hot_memory,
		 struct hot_memory *line_memory, struct jumps *jumps, const struct levels *levels,
		 void (*free_shortcuts)(struct shortcut *list))
{
	*blocks = (struct blocks){
		.n_numbers = 1, /* they count from 1 */
		.generation = 1,
		.hot_memory = hot_memory,
		.line_memory = line_memory,
		.jumps = jumps,
		.levels = levels,
		.free_shortcuts = free_shortcuts,
	};
	blocks->table = VG_(HT_construct)("costgrind.blocks");
	blocks->lines = VG_(HT_construct)("costgrind.lines");
	blocks->expected = VG_(HT_construct)("costgrind.expected");
	blocks->known_kinds = VG_(HT_construct)("costgrind.kinds");
	make_room_for_numbers(blocks);
	blocks->by_number[0] = NULL;
}

struct code_line *blocks_code_line(struct blocks *blocks, struct machine *machine, Addr address)
{
	Addr line_address = address >> machine->i1.line_bits << machine->i1.line_bits;
	struct code_line_node *node = VG_(HT_lookup)(blocks->lines, line_address);

	if (node != NULL)
		return node->line;
	node = VG_(perm_malloc)(sizeof(*node), 8);
	node->key = line_address;
	node->line = hot_memory_alloc(blocks->line_memory, sizeof(*node->line));
	machine_add_code_line(machine, node->line, address);
	VG_(HT_add_node)(blocks->lines, node);
	return node->line;
}

void blocks_each_line(const struct blocks *blocks, void (*add)(void *to, struct code_line *line),
		      void *to)
{
	struct code_line_node *node;

	VG_(HT_ResetIter)(blocks->lines);
	while ((node = VG_(HT_Next)(blocks->lines)) != NULL)
		add(to, node->line);
}

/* --- references ----------------------------------------------------------------------------- */

enum { REFERENCES_PIECE = 65536 / sizeof(struct reference) };

static void references_free(struct reference_pool *pool, struct reference *references, UInt n)
{
	if (n > REFERENCES_POOLED) {
		VG_(free)(references);
	} else if (n != 0) {
		references->u.next = pool->free[n];
		pool->free[n] = references;
	}
}

/* A run of n references, not filled in. */
static struct reference *references_new(struct reference_pool *pool, struct hot_memory *hot_memory,
					UInt n)
{
	struct reference *references;

	if (n > REFERENCES_POOLED)
		return VG_(malloc)("costgrind.references", n * sizeof(*references));
	references = pool->free[n];
	if (references != NULL) {
		pool->free[n] = references->u.next;
		return references;
	}
	if (n > pool->left) {
		references_free(pool, pool->next, pool->left);
		pool->left = REFERENCES_PIECE;
		pool->next = hot_memory_alloc(hot_memory, pool->left * sizeof(*references));
	}
	references = pool->next;
	pool->next += n;
	pool->left -= n;
	return references;
}

/* --- blocks --------------------------------------------------------------------------------- */

struct block *block_new(struct blocks *blocks, UInt n_references, UInt n_charges,
			const struct block_jump *jumps, UInt n_jumps)
{
	struct block *block = VG_(calloc)("costgrind.block", 1,
					  sizeof(*block) + n_charges * sizeof(block->charges[0]) +
						  n_jumps * sizeof(struct block_jump));

	block->references = references_new(&blocks->pool, blocks->hot_memory, n_references);
	block->n_references = (UShort)n_references;
	block->n_charges = (UShort)n_charges;
	block->n_jumps = (UChar)n_jumps;
	VG_(memcpy)(&block->charges[n_charges], jumps, n_jumps * sizeof(struct block_jump));
	return block;
}

struct kind_node {
	struct kind_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	UInt number;
	struct charge_kind kind;
};

static Word compare_kinds(const void *a, const void *b)
{
	return VG_(memcmp)(&((const struct kind_node *)a)->kind,
			   &((const struct kind_node *)b)->kind, sizeof(struct charge_kind));
}

static UInt kind_number(struct blocks *blocks, const struct charge_kind *kind)
{
	struct kind_node wanted = { .key = 0, .kind = *kind };
	struct kind_node *node;
	UInt words[sizeof(*kind) / sizeof(UInt)];

	VG_(memcpy)(words, kind, sizeof(words));
	for (UInt i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		wanted.key = wanted.key * 31 + words[i];
	node = VG_(HT_gen_lookup)(blocks->known_kinds, &wanted, compare_kinds);
	if (node != NULL)
		return node->number;
	node = VG_(perm_malloc)(sizeof(*node), 8);
	*node = wanted;
	node->number = blocks->n_kinds;
	blocks->kinds = make_room(blocks->kinds, blocks->n_kinds, &blocks->room_for_kinds);
	blocks->kinds[blocks->n_kinds++] = &node->kind;
	VG_(HT_add_node)(blocks->known_kinds, node);
	return node->number;
}

void blocks_keep_charge(struct blocks *blocks, struct block *block, UInt i,
			const struct charge *charge)
{
	block->charges[i] = (struct kept_charge){
		.site = charge->site,
		.segment = charge->segment,
		.slot = charge->slot,
		.kind = kind_number(blocks, &charge->kind),
	};
}

UInt blocks_next_number(const struct blocks *blocks)
{
	return blocks->free_number != 0 ? blocks->free_number : blocks->n_numbers;
}

/* True if an earlier charge is of the same instruction. */
static Bool has_come_before(const struct block *block, UInt charge)
{
	for (UInt i = charge; i-- > 0;)
		if (block->charges[i].site == block->charges[charge].site)
			return True;
	return False;
}

/* Adds to the number of blocks that its instructions are in. */
static void count_in_sites(const struct block *block, Int more)
{
	for (UInt i = 0; i < block->n_charges; i++) {
		struct site *site = block->charges[i].site;

		if (!has_come_before(block, i))
			site->n_blocks = (UShort)(site->n_blocks + more);
	}
}

void blocks_add(struct blocks *blocks, struct block *block, Bool is_rest)
{
	count_in_sites(block, 1);
	block->number = blocks_next_number(blocks);
	if (blocks->free_number != 0) {
		blocks->free_number = blocks->references[block->number].next_free;
	} else {
		make_room_for_numbers(blocks);
		blocks->n_numbers++;
	}
	blocks->by_number[block->number] = block;
	blocks->references[block->number].first = block->references;
	if (!is_rest)
		VG_(HT_add_node)(blocks->table, block);
}

static void free_number(struct blocks *blocks, UInt number)
{
	blocks->by_number[number] = NULL;
	blocks->references[number].next_free = blocks->free_number;
	blocks->free_number = number;
}

static Bool is_zero(const ULong *slots, UInt n)
{
	for (UInt i = 0; i < n; i++)
		if (slots[i] != 0)
			return False;
	return True;
}

/* What the mispredictions of a branch have cost, by its slots. */
static ULong lost_cycles(const struct blocks *blocks, const struct charge *charge,
			 const ULong *slots)
{
	if (charge->kind.n_slots < N_BRANCH_SLOTS)
		return 0;
	return slots[BRANCH_SLOT_WRONG] * charge->kind.lost +
	       slots[BRANCH_SLOT_UNKNOWN] * blocks->unknown_target;
}

static void settle_charge(struct blocks *blocks, struct sites *sites, struct context *context,
			  const struct charge *charge, ULong executed, const ULong *slots)
{
	const struct charge_kind *kind = &charge->kind;
	ULong costs[N_EVENTS] = { 0 };
	struct cell *cell;

	if (executed == 0 && is_zero(slots, kind->n_slots))
		return;
	cell = sites_cell(sites, charge->site, context);
	charge_add_costs(kind, &blocks->works, executed, costs);
	for (UInt i = 0; i < kind->n_slots; i++)
		costs[charge_slot_event(kind, (enum branch_slot)i)] += slots[i];
	costs[EVENT_CYBR] += lost_cycles(blocks, charge, slots);
	context_skip(context, costs[EVENT_IR]);
	blocks->executed[kind->match] += costs[EVENT_IR];
	for (UInt event = EVENT_IR; event <= EVENT_BIM; event++)
		cell_add(sites, cell, (enum event)event, costs[event]);
	for (UInt event = EVENT_REP; event < EVENT_AFTER_BRANCHES; event++)
		cell_add(sites, cell, (enum event)event, costs[event]);
	if (kind->work == WORK_NONE && kind->counted == 0)
		return;
	for (UInt event = EVENT_FLS; event < EVENT_AFTER_WORK; event++)
		cell_add(sites, cell, (enum event)event, costs[event]);
}

/*
 * The number of the charge in which a fault at address happened, -1 if there is none. Charges are
 * in the order of execution, so it is the last one of the instruction that can have run.
 */
static Int faulting_charge(const struct blocks *blocks, const struct block *block, Addr address,
			   ULong last_split)
{
	Int at = -1;

	for (UInt i = 0; i < block->n_charges; i++) {
		const struct kept_charge *charge = &block->charges[i];

		if (charge->site->address == address &&
		    (!blocks_kind(blocks, charge)->traits.is_split || i <= last_split))
			at = (Int)i;
	}
	return at;
}

/* Counts jumps in the segment up to charge number last, which went on to the next instruction. */
static void cut_jumps_short(struct jumps *jumps, const struct block *block, struct context *context,
			    Int last)
{
	const struct kept_charge *charges = block->charges;

	for (UInt i = 0; i < block->n_jumps; i++) {
		const struct block_jump *jump = &block_jumps(block)[i];

		if (jump->charge <= last && charges[jump->charge].segment == charges[last].segment)
			jumps_add(jumps, context, jump->jump, 1, 0);
	}
}

void blocks_cut_short(struct blocks *blocks, const struct block *block, struct sites *sites,
		      struct hot *hot, Addr address)
{
	static const ULong untouched[N_BRANCH_DETAIL_SLOTS] = {
		0
	}; /* no branch has been executed */
	Int at = faulting_charge(blocks, block, address, hot->charge);
	UShort segment;

	if (at < 0)
		return;
	segment = block->charges[at].segment;
	blocks->n_entered += segment == 0;
	cut_jumps_short(blocks->jumps, block, hot->counters->context, at);
	for (; at >= 0 && block->charges[at].segment == segment; at--) {
		struct charge charge = blocks_charge(blocks, block, (UInt)at);
		struct charge_traits *traits = &charge.kind.traits;

		if (charge.site->address == address) { /* faults come before branches */
			traits->is_branch = 0;
			traits->is_jump = 0;
			traits->is_return = 0;
			traits->n_instructions |= traits->is_repeated;
		}
		settle_charge(blocks, sites, hot->counters->context, &charge, 1, untouched);
		charge_count_once(&charge.kind, &blocks->works, hot);
	}
}

static Word compare_redirection(const void *a, const void *b)
{
	return ((const struct block *)a)->no_redir != ((const struct block *)b)->no_redir;
}

struct block *blocks_search(struct blocks *blocks, Addr address)
{
	const struct block wanted = { .key = address };
	struct block *block = VG_(HT_gen_lookup)(blocks->table, &wanted, compare_redirection);

	if (block != NULL)
		blocks->found[address % BLOCKS_FOUND] = block;
	return block;
}

static Word compare_extents(const void *a, const void *b)
{
	const struct block *left = a, *right = b;

	return left->base != right->base || left->size != right->size;
}

void blocks_discard(struct blocks *blocks, Addr address, const VexGuestExtents *extents)
{
	const struct block wanted = {
		.key = address,
		.base = extents->base[0],
		.size = extents->len[0],
	};
	struct block *block = VG_(HT_gen_remove)(blocks->table, &wanted, compare_extents);
	struct block *twin;

	if (block == NULL)
		return; /* it has no costs */
	if (blocks->found[address % BLOCKS_FOUND] == block)
		blocks->found[address % BLOCKS_FOUND] = NULL;
	for (const struct block *part = block; part != NULL; part = part->rest)
		count_in_sites(part, -1);
	blocks->generation++;
	/*
	 * There may be a redirected and a plain translation of one address, and it is not known
	 * which one is meant: this one stays as it is, for good. What is found at the address is
	 * the other one.
	 */
	twin = VG_(HT_gen_lookup)(blocks->table, &wanted, compare_extents);
	if (twin != NULL) {
		twin->no_redir = twin->no_redir && block->no_redir;
		twin->tests = twin->tests && block->tests;
		block->next = blocks->twins;
		blocks->twins = block;
		return;
	}
	block->next = blocks->discarded;
	blocks->discarded = block;
}

/* The count of a slot, if the reference has that slot. */
static ULong take_slot(struct counter_set *counters, const struct reference *reference, UInt slot)
{
	return slot < reference->n_slots
		       ? counter_set_take_misses(counters, reference->misses - 1 + slot)
		       : 0;
}

/* Settles misses of TLBs. */
static void settle_pages(const struct levels *levels, struct sites *sites,
			 struct counter_set *counters, struct site *site,
			 const struct reference *reference)
{
	for (UInt i = 0; i < 2 * levels->n_views; i++) {
		ULong missed = take_slot(counters, reference, slot_pages(levels, i / 2) + i % 2);

		if (missed != 0)
			cell_add(sites, sites_cell(sites, site, counters->context),
				 levels->missed_pages[reference->kind][i / 2][i % 2], missed);
	}
}

/* Settles what misses have cost. */
static void settle_waits(const struct levels *levels, struct sites *sites,
			 struct counter_set *counters, struct site *site,
			 const struct reference *reference)
{
	for (UInt i = 0; i < N_WAIT_SLOTS; i++) {
		ULong tenths = take_slot(counters, reference, slot_waits(levels) + i);

		if (tenths != 0)
			cell_add(sites, sites_cell(sites, site, counters->context),
				 reference_waits(reference->kind, i), tenths);
	}
}

/* Settles what references did to other cores; an upgrade is no miss. */
static void settle_coherence(const struct levels *levels, struct sites *sites,
			     struct counter_set *counters, struct site *site,
			     const struct reference *reference)
{
	for (UInt i = 0; levels->has_cores && i < N_COHERENCE_SLOTS; i++) {
		ULong n = take_slot(counters, reference, slot_coherence(levels) + i);

		if (n != 0)
			cell_add(sites, sites_cell(sites, site, counters->context),
				 reference_coherence(reference->kind, i), n);
	}
}

/* Settles why references missed. */
static void settle_reasons(const struct levels *levels, struct sites *sites,
			   struct counter_set *counters, struct site *site,
			   const struct reference *reference)
{
	struct cell *cell;

	if (reference->n_slots <= slot_reasons(levels, 0))
		return;
	cell = sites_cell(sites, site, counters->context);
	for (UInt level = 0; level < levels->n; level++)
		for (UInt class = 0; class < N_MISS_CLASSES; class ++)
			cell_add(sites, cell, levels->reasons[reference->kind][level][class],
				 take_slot(counters, reference,
					   slot_reasons(levels, level) + class));
	cell_add(sites, cell, EVENT_D1ANTI, take_slot(counters, reference, slot_anti(levels)));
}

/* Settles what caches of each size would have missed: what misses one misses all smaller ones. */
static void settle_sizes(const struct levels *levels, struct sites *sites,
			 struct counter_set *counters, struct site *site,
			 const struct reference *reference)
{
	struct cell *cell;
	ULong missed = 0;

	if (reference->n_slots <= slot_sizes(levels))
		return;
	cell = sites_cell(sites, site, counters->context);
	for (UInt i = N_SIZE_EVENTS; i-- > 0;) {
		missed += take_slot(counters, reference, slot_sizes(levels) + i);
		cell_add(sites, cell, (enum event)(EVENT_M64K + i), missed);
	}
}

static void settle_reference(const struct levels *levels, struct sites *sites,
			     struct counter_set *counters, struct site *site,
			     const struct reference *reference)
{
	const struct reference_events *events = &reference_events[reference->kind];
	ULong missed = take_slot(counters, reference, 0);
	ULong executed = take_slot(counters, reference, slot_executed(levels));
	/* Even a hit may cause a prefetch, which writes another line back. */
	ULong written = take_slot(counters, reference, slot_write_back(levels));
	struct cell *cell;

	settle_pages(levels, sites, counters, site, reference);
	settle_waits(levels, sites, counters, site, reference);
	settle_coherence(levels, sites, counters, site, reference);
	settle_reasons(levels, sites, counters, site, reference);
	settle_sizes(levels, sites, counters, site, reference);
	if (missed == 0 && executed == 0 && written == 0)
		return; /* then it has not missed any other level either */
	cell = sites_cell(sites, site, counters->context);
	cell_add(sites, cell, levels->missed[reference->kind][0], missed);
	for (UInt i = 1; i < levels->n; i++)
		cell_add(sites, cell, levels->missed[reference->kind][i],
			 take_slot(counters, reference, i));
	cell_add(sites, cell, events->executed, executed);
	cell_add(sites, cell, levels->write_back[reference->kind], written);
}

static void settle_jumps(struct jumps *jumps, const struct block *block,
			 const struct counter_set *counters)
{
	const ULong *counts = counters->counts + block->first_count;

	for (UInt i = 0; i < block->n_jumps; i++) {
		const struct block_jump *jump = &block_jumps(block)[i];
		ULong executed = counts[block->charges[jump->charge].segment];

		jumps_add(jumps, counters->context, jump->jump, executed,
			  jump->taken == 0 ? executed
					   : counts[block->n_segments + jump->taken - 1]);
	}
}

/* Moves what a counter set has counted for a block. */
static void settle_counters(struct blocks *blocks, struct sites *sites, const struct block *block,
			    struct counter_set *counters)
{
	for (UInt i = 0; block->n_counts != 0 && i < block->n_charges; i++) {
		const struct charge charge = blocks_charge(blocks, block, i);
		const ULong *counts = &counters->counts[block->first_count];

		settle_charge(blocks, sites, counters->context, &charge, counts[charge.segment],
			      &counts[charge.slot]);
	}
	settle_jumps(blocks->jumps, block, counters);
	for (UInt i = 0; i < block->n_counts; i++)
		counters->counts[block->first_count + i] = 0;
	for (UInt i = 0; i < block->n_references; i++)
		if (block->references[i].misses != 0)
			settle_reference(blocks->levels, sites, counters,
					 reference_site(block, &block->references[i]),
					 &block->references[i]);
}

/* A superblock: a block and its rest. */
static void settle(struct blocks *blocks, struct sites *sites, const struct block *first)
{
	for (const struct block *block = first; block != NULL; block = block->rest) {
		struct counter_set *counters = block->unit->counter_sets;

		for (; counters != NULL; counters = counters->next_of_unit) {
			if (block == first && block->n_counts != 0)
				blocks->n_entered += counters->counts[block->first_count];
			settle_counters(blocks, sites, block, counters);
		}
	}
}

/* Frees the references of a block with what they own. */
static void free_references(struct reference_pool *pool, const struct block *block)
{
	for (UInt i = 0; i < block->n_references; i++) {
		const struct reference *reference = &block->references[i];

		if (reference->n_lines > 1)
			VG_(free)(reference->u.lines);
		if (reference->misses != 0)
			unit_remove_misses(block->unit, reference->misses - 1, reference->n_slots);
	}
	references_free(pool, block->references, block->n_references);
}

static void free_superblock(struct blocks *blocks, struct block *block)
{
	blocks->generation++;
	while (block != NULL) {
		struct block *rest = block->rest;

		free_references(&blocks->pool, block);
		if (block->n_counts != 0)
			unit_remove_counts(block->unit, block->first_count, block->n_counts);
		free_number(blocks, block->number);
		blocks->free_shortcuts(block->shortcuts);
		VG_(free)(block);
		block = rest;
	}
}

static Bool is_superblock_needed(const struct block *block,
				 Bool (*is_needed)(const struct block *block))
{
	do {
		if (is_needed(block))
			return True;
		block = block->rest;
	} while (block != NULL);
	return False;
}

void blocks_reclaim(struct blocks *blocks, struct sites *sites,
		    Bool (*is_needed)(const struct block *block))
{
	struct block **link = &blocks->discarded;

	while (*link != NULL) {
		struct block *block = *link;

		if (is_superblock_needed(block, is_needed)) {
			link = &block->next;
			continue;
		}
		*link = block->next;
		settle(blocks, sites, block);
		free_superblock(blocks, block);
	}
}

/* Settles the blocks of a list. */
static void settle_all(struct blocks *blocks, struct sites *sites, const struct block *block)
{
	for (; block != NULL; block = block->next)
		settle(blocks, sites, block);
}

void blocks_settle(struct blocks *blocks, struct sites *sites)
{
	const struct block *block;

	VG_(HT_ResetIter)(blocks->table);
	while ((block = VG_(HT_Next)(blocks->table)) != NULL)
		settle(blocks, sites, block);
	settle_all(blocks, sites, blocks->discarded);
	settle_all(blocks, sites, blocks->twins);
}

/* What slots and references own goes with the process. */
static void free_memory(struct block *block)
{
	while (block != NULL) {
		struct block *rest = block->rest;

		VG_(free)(block);
		block = rest;
	}
}

/* Cells reuse the memory of blocks that have been settled, so that both never exist at once. */
void blocks_end(struct blocks *blocks, struct sites *sites)
{
	struct block *block, *last = NULL;

	settle_all(blocks, sites, blocks->discarded);
	settle_all(blocks, sites, blocks->twins);
	VG_(HT_ResetIter)(blocks->table);
	while ((block = VG_(HT_Next)(blocks->table)) != NULL) {
		free_memory(last); /* the iterator has left it */
		settle(blocks, sites, block);
		last = block;
	}
	free_memory(last);
	blocks->table = VG_(HT_construct)("costgrind.blocks"); /* the other's nodes are gone */
	blocks->discarded = NULL;
	blocks->twins = NULL;
	VG_(memset)(blocks->found, 0, sizeof(blocks->found));
	VG_(memset)(blocks->by_number, 0, blocks->n_numbers * sizeof(blocks->by_number[0]));
}

/* --- entries ------------------------------------------------------------------------------------ */

struct expectation {
	struct expectation *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct unit *unit; /* NULL: of several, so that any block there tests */
};

Bool blocks_expect(struct blocks *blocks, Addr target, const struct unit *unit)
{
	struct expectation *known = VG_(HT_lookup)(blocks->expected, target);
	const struct block *block;

	if (known != NULL && known->unit == unit)
		return True;
	block = blocks_at(blocks, target);
	if (block != NULL && !block->tests && (known != NULL || block->unit != unit))
		return False;
	if (known == NULL) {
		known = VG_(perm_malloc)(sizeof(*known), 8);
		*known = (struct expectation){ .key = target, .unit = unit };
		VG_(HT_add_node)(blocks->expected, known);
	} else {
		known->unit = NULL;
	}
	return True;
}

Bool blocks_surprise(const struct blocks *blocks, Addr address, const struct unit *unit)
{
	const struct expectation *known = VG_(HT_lookup)(blocks->expected, address);

	return known != NULL && known->unit != unit;
}
