/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TLBs (sim/tlbs/tlb.h) simulated by their rules alone, both levels.  The machine's TLBs (sim/tlbs/machinetlbs.h) are
 * tested against them.
 */
#ifndef TESTS_ORACLE_PLAINTLBS_H
#define TESTS_ORACLE_PLAINTLBS_H

#include <stdint.h>

#include "sim/tlbs/tlb.h"

/* The address of no page. */
#define TLB_NO_PAGE UINT64_C(1)

/* What a touch has done. */
struct tlb_touched {
	unsigned missed; /* levels: 0, 1, or 2, the page had to be walked for */
	/*
	 * Where the page's stamp is in the first level, until that gives it up; NULL if it
	 * has no place there.  A later touch of the page may be made by storing a stamp here.
	 */
	uint64_t *stamp;
	uint64_t evicted; /* the address of the page that the first level gave up, or TLB_NO_PAGE */
	enum tlb_page evicted_page;
};

/*
 * Touches the page of a size that holds address, by TLB_ITLB or TLB_DTLB.  The stamp is larger than
 * all that were given before, and stored, for that one, and not 0.
 */
struct tlb_touched tlbs_touch(struct tlbs *tlbs, enum tlb_kind first, uint64_t address,
			      enum tlb_page page, uint64_t stamp);

/*
 * A whole reference of size bytes, 1 to 4096: its pages get stamp and stamp + 1.  Returns how many levels it missed:
 * the most that any of its pages did.
 */
unsigned tlbs_refer(struct tlbs *tlbs, enum tlb_kind first, const struct page_sizes *sizes,
		    uint64_t address, uint64_t size, uint64_t stamp);

#endif
