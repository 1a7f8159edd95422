/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translation lookaside buffers: caches of pages.  Two levels, the first of which has a TLB for code (ITLB)
 * and one for data (DTLB); the second is for both (STLB), or only for data, if there is one for
 * code (ISTLB).  Each may be of several arrays, one for each size of pages, or one for both sizes.
 *
 * A page that misses the first level is looked for in the second; one that misses there too is
 * walked for in the page table.  It comes into both.  An array is set-associative, a set is chosen by
 * the low bits of the page's number (the rest of its division by the number of sets), and replaces the
 * page that was used longest ago (LRU).  No level is inclusive or exclusive.  A page of
 * a size that no array of a level has misses that level always.
 *
 * A reference is on one page or on two.  Of two, those in the first level are touched first, and then
 * the others are loaded, in ascending order; the second page is the one used last.
 * (Generated code touches what hits before C hears of what does not: sim/tlbs/machinetlbs.h.)
 *
 * These are the rules of ChampSim's and DynamoRIO's TLBs.  There is no cache of the
 * levels of the page table, and no speculation.  Which pages are large is for the caller to say.
 */
#ifndef SIM_TLBS_TLB_H
#define SIM_TLBS_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/geometry.h"

enum tlb_page {
	TLB_4K,
	TLB_2M,
	N_TLB_PAGES,
};

enum tlb_kind {
	TLB_ITLB,
	TLB_DTLB,
	TLB_STLB,
	TLB_ISTLB, /* without arrays: code has the STLB */
	N_TLB_KINDS,
};

enum {
	TLB_MAX_ENTRIES = 1 << 16, /* of an array */
	TLB_BITS_4K = 12,
	TLB_BITS_2M = 21,
};

/* entries is a multiple of ways, which are 1 or more; entries is 0 if there is no such array. */
struct tlb_config {
	uint32_t entries, ways;
	unsigned pages; /* bit p: holds pages of enum tlb_page p; one or more, none of them in two arrays */
};

struct tlbs_config {
	struct tlb_config arrays[N_TLB_KINDS][N_TLB_PAGES];
};

/*
 * Invariant: the entries of set s are those from s * ways on.  A key is the number of a page, its size
 * and 1 in the lowest bit; 0 is an empty entry, whose stamp is 0.
 */
struct tlb {
	uint64_t *keys;
	uint64_t *stamps;
	struct sets sets;
	uint32_t ways;
};

struct tlbs {
	uint64_t clock; /* of the second level: its next stamp */
	struct tlb arrays[N_TLB_KINDS][N_TLB_PAGES];
	/* The array that pages of a size are in, NULL if none: points into arrays. */
	struct tlb *of_page[N_TLB_KINDS][N_TLB_PAGES];
	struct tlb **second[N_TLB_PAGES]; /* by TLB_ITLB and TLB_DTLB: of_page of its second level */
};

/* Why these cannot be simulated, in words that follow on "TLBs: ", or NULL if they can.  The text is static. */
const char *tlbs_misfit(const struct tlbs_config *config);

/* Bytes of memory that tlbs_init() needs, a multiple of 64. */
size_t tlbs_memory_size(const struct tlbs_config *config);

/*
 * Makes empty TLBs in the caller's memory, tlbs_memory_size() bytes, all zero, aligned to 8.  Neither
 * may be moved while they are in use.
 */
void tlbs_init(struct tlbs *tlbs, const struct tlbs_config *config, void *memory);

/* Takes pages out of all levels that have a byte in the range. */
void tlbs_evict(struct tlbs *tlbs, struct address_range range);

/*
 * Touches a page, by its key, in an array; returns its entry.  *before is the key that was there, the same if it hit, 0
 * if the entry was empty.  The stamp is larger than all that were given before, and not 0.
 */
size_t tlb_touch(const struct tlb *array, uint64_t key, uint64_t stamp, uint64_t *before);

/* True if a page that missed the first level misses the second one too; brings it in there. */
bool tlbs_misses_second(struct tlbs *tlbs, enum tlb_kind first, uint64_t address,
			enum tlb_page page);

/* log2 of the bytes of a page. */
static inline uint32_t tlb_page_bits(enum tlb_page page)
{
	return page == TLB_4K ? TLB_BITS_4K : TLB_BITS_2M;
}

/*
 * A page as TLBs know it: its number, its size, and 1 in the lowest bit.  0 is none.
 */
static inline uint64_t tlb_key(uint64_t address, enum tlb_page page)
{
	return (address >> tlb_page_bits(page)) << 2 | (uint64_t)page << 1 | 1;
}

static inline enum tlb_page tlb_key_page(uint64_t key)
{
	return (enum tlb_page)(key >> 1 & 1);
}

static inline uint64_t tlb_key_address(uint64_t key)
{
	return key >> 2 << tlb_page_bits(tlb_key_page(key));
}

/* --- references ------------------------------------------------------------------- */

/*
 * How large pages are.  of() says it of the page that holds an address, and says the same again until the page
 * is taken out of all TLBs; NULL: all are of one size.
 */
struct page_sizes {
	enum tlb_page (*of)(void *ctx, uint64_t address);
	void *ctx;
	enum tlb_page size;
};

/* The keys of the pages that a reference is on. */
struct referred_pages {
	unsigned n; /* 1 or 2 */
	uint64_t keys[2];
};

static inline uint64_t page_sizes_key(const struct page_sizes *sizes, uint64_t address)
{
	return tlb_key(address, sizes->of == NULL ? sizes->size : sizes->of(sizes->ctx, address));
}

/* size bytes, 1 to 4096, at address; the end may wrap around the top of the address space. */
static inline struct referred_pages page_sizes_refer(const struct page_sizes *sizes,
						     uint64_t address, uint64_t size)
{
	struct referred_pages pages = { 1, { page_sizes_key(sizes, address) } };
	const uint64_t room =
		(UINT64_C(1) << TLB_BITS_4K) - (address & ((UINT64_C(1) << TLB_BITS_4K) - 1));

	if (size <= room) /* of any size */
		return pages;
	pages.keys[1] = page_sizes_key(sizes, address + room);
	pages.n = pages.keys[1] != pages.keys[0] ? 2 : 1;
	return pages;
}

#endif
