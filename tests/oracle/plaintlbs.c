/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/plaintlbs.h"

struct tlb_touched tlbs_touch(struct tlbs *tlbs, enum tlb_kind first, uint64_t address,
			      enum tlb_page page, uint64_t stamp)
{
	struct tlb_touched touched = { .evicted = TLB_NO_PAGE };
	const struct tlb *array = tlbs->of_page[first][page];
	uint64_t key = tlb_key(address, page), before = 0;

	if (array != NULL)
		touched.stamp = &array->stamps[tlb_touch(array, key, stamp, &before)];
	if (before == key)
		return touched;
	if (before != 0) {
		touched.evicted = tlb_key_address(before);
		touched.evicted_page = tlb_key_page(before);
	}
	touched.missed = tlbs_misses_second(tlbs, first, address, page) ? 2 : 1;
	return touched;
}

/* Touches a page if the first level has it; returns whether it has. */
static bool touch_present(struct tlbs *tlbs, enum tlb_kind first, uint64_t key, uint64_t stamp)
{
	const struct tlb *array = tlbs->of_page[first][tlb_key_page(key)];
	size_t at;

	if (array == NULL)
		return false;
	at = (size_t)sets_place(&array->sets, key >> 2).set * array->ways;
	for (size_t i = at; i < at + array->ways; i++) {
		if (array->keys[i] == key) {
			array->stamps[i] = stamp;
			return true;
		}
	}
	return false;
}

unsigned tlbs_refer(struct tlbs *tlbs, enum tlb_kind first, const struct page_sizes *sizes,
		    uint64_t address, uint64_t size, uint64_t stamp)
{
	const struct referred_pages pages = page_sizes_refer(sizes, address, size);
	bool is_present[2] = { false };
	unsigned missed = 0;

	for (unsigned i = 0; i < pages.n; i++)
		is_present[i] = touch_present(tlbs, first, pages.keys[i], stamp + i);
	for (unsigned i = 0; i < pages.n; i++) {
		uint64_t key = pages.keys[i];
		unsigned n = is_present[i] ? 0
					   : tlbs_touch(tlbs, first, tlb_key_address(key),
							tlb_key_page(key), stamp + i)
						     .missed;

		missed = n > missed ? n : missed;
	}
	return missed;
}
