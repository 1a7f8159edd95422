/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/block.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

/* A line of code in its table; the line itself is near. */
struct line_node {
	struct line_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct code_line *line;
};

void blocks_init(struct blocks *blocks)
{
	*blocks = (struct blocks){
		.table = VG_(HT_construct)("costgrind.blocks"),
			     .lines = VG_(HT_construct)("costgrind.lines"),
					  .n_numbers = 1, /* they count from 1 */
					  .n_references = 1, .free_reference = NO_REFERENCE,
			     };
}

/* An array of pointers with room for one more than n, which doubles. */
static void *make_room(void *array, UInt n, UInt *room)
{
	if (n < *room)
		return array;
	*room = *room == 0 ? 1024 : *room * 2;
	return VG_(realloc)("costgrind.array", array, *room * sizeof(void *));
}

struct reference *blocks_add_reference(struct blocks *blocks, UInt *number)
{
	struct reference *reference;

	if (blocks->free_reference != NO_REFERENCE) {
		*number = blocks->free_reference;
		reference = blocks_reference(blocks, *number);
		blocks->free_reference = reference->next;
		VG_(memset)(reference, 0, sizeof(*reference));
		return reference;
	}
	*number = blocks->n_references++;
	if (*number / REFERENCES_A_PAGE >= blocks->n_pages) {
		blocks->pages = VG_(realloc)("costgrind.pages", blocks->pages,
					     (blocks->n_pages + 1) * sizeof(*blocks->pages));
		blocks->pages[blocks->n_pages++] = VG_(calloc)(
			"costgrind.references", REFERENCES_A_PAGE, sizeof(struct reference));
	}
	return blocks_reference(blocks, *number);
}

struct code_line *blocks_code_line(struct blocks *blocks, struct near *near,
				   struct machine *machine, Addr address)
{
	Addr line_address = address >> machine->i1.line_bits << machine->i1.line_bits;
	struct line_node *node = VG_(HT_lookup)(blocks->lines, line_address);

	if (node != NULL)
		return node->line;
	node = VG_(perm_malloc)(sizeof(*node), 8);
	node->key = line_address;
	node->line = near_alloc(near, sizeof(*node->line));
	machine_add_code_line(machine, node->line, address);
	VG_(HT_add_node)(blocks->lines, node);
	return node->line;
}

struct block *block_new(UInt n_segments, UInt n_charges)
{
	struct block *block = VG_(calloc)("costgrind.block", 1,
					  sizeof(*block) + n_segments * sizeof(block->counters[0]) +
						  n_charges * sizeof(block->charges[0]));

	block->n_segments = (UShort)n_segments;
	block->n_charges = (UShort)n_charges;
	block->charges = (struct charge *)(block->counters + n_segments);
	return block;
}

UInt blocks_next_number(const struct blocks *blocks)
{
	return blocks->free_number != 0 ? blocks->free_number : blocks->n_numbers;
}

void blocks_add(struct blocks *blocks, struct block *block)
{
	block->number = blocks_next_number(blocks);
	if (blocks->free_number != 0) {
		blocks->free_number = (UInt)(Addr)blocks->by_number[block->number] >> 1;
	} else {
		blocks->by_number =
			make_room(blocks->by_number, blocks->n_numbers, &blocks->room_for_numbers);
		blocks->n_numbers++;
	}
	blocks->by_number[block->number] = block;
	VG_(HT_add_node)(blocks->table, block);
}

/* A free number holds the next one, marked by bit 0, which no pointer has. */
static void free_number(struct blocks *blocks, UInt number)
{
	blocks->by_number[number] = (struct block *)((Addr)blocks->free_number << 1 | 1);
	blocks->free_number = number;
}

struct block *blocks_by_number(const struct blocks *blocks, UInt number)
{
	if (number == 0 || number >= blocks->n_numbers ||
	    ((Addr)blocks->by_number[number] & 1) != 0)
		return NULL;
	return blocks->by_number[number];
}

/*
 * Charges run in their order, so of the charges of the instruction it is the
 * last one that can have run.
 */
void block_add_fault(struct block *block, Addr address, ULong last_split)
{
	Int at = -1;

	for (UInt i = 0; i < block->n_charges; i++) {
		const struct charge *charge = &block->charges[i];

		if (charge->site->address == address && (!charge->split || i <= last_split))
			at = (Int)i;
	}
	if (at < 0)
		return;
	if (block->n_faults == NULL)
		block->n_faults = VG_(calloc)("costgrind.faults", block->n_charges,
					      sizeof(block->n_faults[0]));
	block->n_faults[at]++;
}

static Word compare_extents(const void *a, const void *b)
{
	const VexGuestExtents *left = &((const struct block *)a)->extents;
	const VexGuestExtents *right = &((const struct block *)b)->extents;

	if (left->n_used != right->n_used)
		return 1;
	for (UShort i = 0; i < left->n_used; i++)
		if (left->base[i] != right->base[i] || left->len[i] != right->len[i])
			return 1;
	return 0;
}

void blocks_discard(struct blocks *blocks, Addr address, const VexGuestExtents *extents)
{
	const struct block wanted = { .key = address, .extents = *extents };
	struct block *block = VG_(HT_gen_remove)(blocks->table, &wanted, compare_extents);

	if (block == NULL)
		return; /* translated to nothing that costs */
	/*
	 * A redirected and a plain translation of one address may both be there.
	 * Which one is meant cannot be told: keep this one as it is, for good.
	 */
	if (VG_(HT_gen_lookup)(blocks->table, &wanted, compare_extents) != NULL) {
		block->next = blocks->twins;
		blocks->twins = block;
		return;
	}
	block->next = blocks->discarded;
	blocks->discarded = block;
}

static void settle_charge(struct sites *sites, const struct charge *charge, ULong executed)
{
	struct site *site = charge->site;

	site_add(sites, site, EVENT_IR, executed * charge->n_instructions);
	site_add(sites, site, EVENT_DR, executed * charge->n_reads);
	site_add(sites, site, EVENT_DW, executed * charge->n_writes);
	site_add(sites, site, EVENT_BC, executed * charge->is_branch);
	site_add(sites, site, EVENT_BI, executed * charge->is_jump);
	if (charge->wrong == NULL)
		return;
	site_add(sites, site, charge->is_branch ? EVENT_BCM : EVENT_BIM, *charge->wrong);
	*charge->wrong = 0;
}

/* A fault takes the instructions behind it in the segment off again. */
static void settle_charges(struct sites *sites, struct block *block)
{
	ULong lost = 0;
	UInt segment = ~0U;

	for (UInt i = 0; i < block->n_charges; i++) {
		const struct charge *charge = &block->charges[i];

		if (charge->segment != segment) {
			segment = charge->segment;
			lost = 0;
		}
		settle_charge(sites, charge, *block->counters[segment] - lost);
		if (block->n_faults != NULL)
			lost += block->n_faults[i];
	}
	for (UInt i = 0; i < block->n_segments; i++)
		*block->counters[i] = 0;
	if (block->n_faults != NULL)
		VG_(free)(block->n_faults);
	block->n_faults = NULL;
}

static void settle_reference(struct sites *sites, struct reference *reference)
{
	static const struct {
		enum event executed, l1, ll;
	} events[] = {
		[REFERENCE_FETCH] = { EVENT_IR, EVENT_I1MR, EVENT_ILMR },
		[REFERENCE_READ] = { EVENT_DR, EVENT_D1MR, EVENT_DLMR },
		[REFERENCE_WRITE] = { EVENT_DW, EVENT_D1MW, EVENT_DLMW },
	};

	if (reference->n_lines == 0) {
		site_add(sites, reference->site, events[reference->kind].executed,
			 reference->u.executed);
		reference->u.executed = 0;
	}
	site_add(sites, reference->site, events[reference->kind].l1, reference->l1_misses);
	site_add(sites, reference->site, events[reference->kind].ll, reference->ll_misses);
	reference->l1_misses = 0;
	reference->ll_misses = 0;
}

static void settle(struct blocks *blocks, struct sites *sites, struct block *block)
{
	UInt number = block->first_reference;

	if (block->n_segments > 0)
		blocks->n_entered += *block->counters[0];
	settle_charges(sites, block);
	while (number != NO_REFERENCE) {
		struct reference *reference = blocks_reference(blocks, number);

		settle_reference(sites, reference);
		number = reference->next;
	}
}

static void free_block(struct blocks *blocks, struct near *near, struct block *block)
{
	UInt number = block->first_reference;

	while (number != NO_REFERENCE) {
		struct reference *reference = blocks_reference(blocks, number);
		UInt next = reference->next;

		if (reference->n_lines > 1)
			VG_(free)(reference->u.lines);
		reference->next = blocks->free_reference;
		blocks->free_reference = number;
		number = next;
	}
	for (UInt i = 0; i < block->n_charges; i++)
		if (block->charges[i].wrong != NULL)
			near_free_counter(near, block->charges[i].wrong);
	for (UInt i = 0; i < block->n_segments; i++)
		near_free_counter(near, block->counters[i]);
	free_number(blocks, block->number);
	VG_(free)(block);
}

void blocks_reclaim(struct blocks *blocks, struct near *near, struct sites *sites)
{
	while (blocks->discarded != NULL) {
		struct block *block = blocks->discarded;

		blocks->discarded = block->next;
		settle(blocks, sites, block);
		free_block(blocks, near, block);
	}
}

void blocks_settle(struct blocks *blocks, struct sites *sites)
{
	struct block *block;

	VG_(HT_ResetIter)(blocks->table);
	while ((block = VG_(HT_Next)(blocks->table)) != NULL)
		settle(blocks, sites, block);
	for (block = blocks->discarded; block != NULL; block = block->next)
		settle(blocks, sites, block);
	for (block = blocks->twins; block != NULL; block = block->next)
		settle(blocks, sites, block);
}
