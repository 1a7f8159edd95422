/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages of the program, for TLBs (--tlb-sim): how large they are, and when they are no more.  The TLBs
 * themselves are the machine's.
 *
 *	PAGES_4K	all pages have 4 KiB
 *	PAGES_2M	all have 2 MiB
 *	PAGES_THP	as with transparent huge pages: an aligned region of 2 MiB is one page if, at the first
 *			reference to it, all of it lies in one anonymous mapping
 *	PAGES_BOTH	two views side by side: PAGES_4K, and PAGES_THP
 *
 * A region is what it became (Linux at a page fault, with transparent_hugepage/enabled set to always; without
 * khugepaged, which would merge small pages later) until all of it is unmapped, or mapped anew, at
 * once.  A huge page that loses a part is split: what is left are small pages.  Code is on
 * small pages.  What the mapping is shared with does not matter: Valgrind does not tell.
 *
 * Pages that are unmapped, moved or mapped over leave all TLBs, as in the kernel; those whose protection
 * changes stay.
 */
#ifndef TOOL_SIMULATE_PAGING_H
#define TOOL_SIMULATE_PAGING_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/basics.h"
#include "sim/tlbs/machinetlbs.h"
#include "tool/counts/levels.h"

enum page_policy {
	PAGES_4K,
	PAGES_2M,
	PAGES_THP,
	PAGES_BOTH,
};

enum {
	PAGING_RECENT = 256, /* regions that are found without a search */
	PAGING_TEXT = 160,   /* bytes of the text about a TLB */
};

struct paging {
	struct machine_tlbs_config config;     /* n_views is 0: there are no TLBs */
	HChar texts[N_TLB_KINDS][PAGING_TEXT]; /* for the profile's header; "" if there is none */
	/* Regions of 2 MiB that have been referred to, by their number. */
	VgHashTable *regions;
	struct recent_region {
		UWord number; /* 0: none; no program has the region of address 0 */
		enum tlb_page page;
	} recent[PAGING_RECENT];
};

/* The names of the kinds, as machines have them: "ITLB". */
extern const HChar *const paging_names[N_TLB_KINDS];

/* Which pages there are; config.tlbs is the caller's to fill. */
void paging_choose(struct paging *paging, enum page_policy policy);

/* Has the core tell when mappings come and go.  Only with TLBs. */
void paging_watch(void);

#endif
