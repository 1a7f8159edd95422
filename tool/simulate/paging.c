/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generated code makes most references without C, and yet a region is decided upon at its first reference: no page
 * of the region is in a TLB then, so that this reference calls C.
 */
#include "tool/simulate/paging.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "sim/tlbs/tlb.h"
#include "tool/common/hot_memory.h"
#include "tool/common/self.h"
#include "tool/simulate/state.h"

const HChar *const paging_names[N_TLB_KINDS] = {
	[TLB_ITLB] = "ITLB",
	[TLB_DTLB] = "DTLB",
	[TLB_STLB] = "STLB",
	[TLB_ISTLB] = "ISTLB",
};

static const SizeT REGION_SIZE = 1UL << TLB_BITS_2M;

struct region_node {
	struct region_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;                /* its number */
	enum tlb_page page;
};

/* --- how large a page is ------------------------------------------------------------- */

/* True if it could become one huge page now. */
static Bool is_anonymous(UWord number)
{
	const Addr start = number << TLB_BITS_2M;
	const NSegment *segment = VG_(am_find_nsegment)(start);

	return segment != NULL && segment->kind == SkAnonC &&
	       segment->end - start >= REGION_SIZE - 1;
}

static enum tlb_page decide(struct paging *paging, UWord number)
{
	struct region_node *node = VG_(HT_lookup)(paging->regions, number);

	if (node == NULL) {
		node = VG_(malloc)("costgrind.region", sizeof(*node));
		node->key = number;
		node->page = is_anonymous(number) ? TLB_2M : TLB_4K;
		VG_(HT_add_node)(paging->regions, node);
	}
	return node->page;
}

/* As struct page_sizes has it. */
static enum tlb_page transparent(void *ctx, uint64_t address)
{
	struct paging *paging = ctx;
	const UWord number = address >> TLB_BITS_2M;
	struct recent_region *recent = &paging->recent[number % PAGING_RECENT];

	if (recent->number != number || number == 0) {
		recent->page = decide(paging, number);
		recent->number = number;
	}
	return recent->page;
}

void paging_choose(struct paging *paging, enum page_policy policy)
{
	const struct page_sizes small = { .size = TLB_4K }, large = { .size = TLB_2M };
	const struct page_sizes huge = { .of = transparent, .ctx = paging };
	struct view_config *views = paging->config.views;

	paging->config.n_views = policy == PAGES_BOTH ? 2 : 1;
	views[0] = (struct view_config){ small, small };
	if (policy == PAGES_2M)
		views[0] = (struct view_config){ large, large };
	else if (policy == PAGES_THP)
		views[0].data = huge;
	views[1] = (struct view_config){ small, huge };
}

/* --- the end of pages ----------------------------------------------------------------- */

static Bool has_regions(const struct paging *paging)
{
	return paging->regions != NULL && VG_(HT_count_nodes)(paging->regions) != 0;
}

/* These bytes of a region are mapped no more, or anew. */
static void unmap_region(struct paging *paging, struct region_node *node,
			 struct address_range range)
{
	const Addr start = node->key << TLB_BITS_2M;

	if (range.last < start || range.first > start + (REGION_SIZE - 1))
		return;
	node->page = TLB_4K;
	if (range.first <= start && range.last - start >= REGION_SIZE - 1)
		VG_(free)(VG_(HT_remove)(paging->regions, node->key));
	paging->recent[(start >> TLB_BITS_2M) % PAGING_RECENT].number = 0;
}

static void unmap_regions(struct paging *paging, struct address_range range)
{
	const UWord first = range.first >> TLB_BITS_2M, last = range.last >> TLB_BITS_2M;
	VgHashNode **nodes;
	UInt n;

	if (last - first < VG_(HT_count_nodes)(paging->regions)) {
		for (UWord number = first; number <= last; number++) {
			struct region_node *node = VG_(HT_lookup)(paging->regions, number);

			if (node != NULL)
				unmap_region(paging, node, range);
		}
		return;
	}
	nodes = VG_(HT_to_array)(paging->regions, &n);
	for (UInt i = 0; i < n; i++)
		unmap_region(paging, (struct region_node *)nodes[i], range);
	VG_(free)(nodes);
}

/* The range is mapped no more, or anew. */
static void unmap(Addr address, SizeT size)
{
	struct paging *paging = &tool_simulate.paging;
	const struct address_range range = address_range(address, size);

	if (size == 0)
		return;
	if (tool_simulate.machine != NULL)
		machine_unmap(tool_simulate.machine, range);
	if (has_regions(paging))
		unmap_regions(paging, range);
}

static void on_mremap(Addr from, Addr to, SizeT size)
{
	unmap(from, size);
	unmap(to, size);
}

void paging_watch(void)
{
	static const struct mapping_watcher watcher = { unmap, on_mremap, unmap };

	mappings_watch(&watcher);
	tool_simulate.paging.regions = VG_(HT_construct)("costgrind.regions");
}
