/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stamps say what was used longest ago, as in the first level of sim/machine.c: so a hit is a store
 * through a pointer, which generated code can do.  Sets are searched one entry after the
 * other: who asks knows the page that it was in last, and has left it.
 */
#include "sim/tlbs/tlb.h"

#include "sim/stamped.h"

const char *tlbs_misfit(const struct tlbs_config *config)
{
	for (unsigned kind = 0; kind < N_TLB_KINDS; kind++) {
		unsigned seen = 0;

		for (unsigned i = 0; i < N_TLB_PAGES; i++) {
			const struct tlb_config *array = &config->arrays[kind][i];

			if (array->entries == 0)
				continue;
			if (array->entries > TLB_MAX_ENTRIES)
				return "an array has 65536 entries at most";
			if (array->ways == 0 || array->entries % array->ways != 0)
				return "entries are a multiple of ways";
			if (array->pages == 0 || array->pages >> N_TLB_PAGES != 0)
				return "an array has pages of 4K, 2M or both";
			if ((array->pages & seen) != 0)
				return "pages of one size are in one array of a TLB";
			seen |= array->pages;
		}
	}
	return NULL;
}

size_t tlbs_memory_size(const struct tlbs_config *config)
{
	size_t size = 0;

	for (unsigned kind = 0; kind < N_TLB_KINDS; kind++)
		for (unsigned i = 0; i < N_TLB_PAGES; i++)
			size += 2 * sizeof(uint64_t) * config->arrays[kind][i].entries;
	return aligned_size(size);
}

/* Returns the memory after it. */
static uint64_t *init_array(struct tlb *array, const struct tlb_config *config, uint64_t *memory)
{
	array->keys = memory;
	array->stamps = memory + config->entries;
	array->ways = config->ways;
	sets_init(&array->sets, config->entries / config->ways, false, 0);
	return memory + (size_t)2 * config->entries;
}

void tlbs_init(struct tlbs *tlbs, const struct tlbs_config *config, void *memory)
{
	uint64_t *next = memory;
	bool has_istlb = false;

	*tlbs = (struct tlbs){ .clock = 1 };
	for (unsigned kind = 0; kind < N_TLB_KINDS; kind++) {
		for (unsigned i = 0; i < N_TLB_PAGES; i++) {
			const struct tlb_config *array = &config->arrays[kind][i];

			if (array->entries == 0)
				continue;
			next = init_array(&tlbs->arrays[kind][i], array, next);
			for (unsigned page = 0; page < N_TLB_PAGES; page++)
				if (array->pages >> page & 1)
					tlbs->of_page[kind][page] = &tlbs->arrays[kind][i];
			has_istlb = has_istlb || kind == TLB_ISTLB;
		}
	}
	tlbs->second[TLB_ITLB] = tlbs->of_page[has_istlb ? TLB_ISTLB : TLB_STLB];
	tlbs->second[TLB_DTLB] = tlbs->of_page[TLB_STLB];
}

void tlbs_evict(struct tlbs *tlbs, struct address_range range)
{
	for (unsigned kind = 0; kind < N_TLB_KINDS; kind++) {
		for (unsigned i = 0; i < N_TLB_PAGES; i++) {
			const struct tlb *array = &tlbs->arrays[kind][i];
			size_t n = (size_t)array->sets.n * array->ways;

			for (size_t entry = 0; entry < n; entry++) {
				uint64_t key = array->keys[entry];

				if (key == 0 ||
				    !address_range_meets(range, tlb_key_address(key),
							 tlb_page_bits(tlb_key_page(key))))
					continue;
				array->keys[entry] = 0;
				array->stamps[entry] = 0;
			}
		}
	}
}

size_t tlb_touch(const struct tlb *array, uint64_t key, uint64_t stamp, uint64_t *before)
{
	size_t first = (size_t)sets_place(&array->sets, key >> 2).set * array->ways;
	size_t entry = first;

	while (entry < first + array->ways && array->keys[entry] != key)
		entry++;
	if (entry == first + array->ways) /* an empty one has the smallest stamp of all */
		entry = first + oldest_of_many(array->stamps + first, array->ways);
	*before = array->keys[entry];
	array->keys[entry] = key;
	array->stamps[entry] = stamp;
	return entry;
}

bool tlbs_misses_second(struct tlbs *tlbs, enum tlb_kind first, uint64_t address,
			enum tlb_page page)
{
	const struct tlb *array = tlbs->second[first][page];
	const uint64_t key = tlb_key(address, page);
	uint64_t before;

	if (array == NULL)
		return true;
	tlb_touch(array, key, tlbs->clock++, &before);
	return before != key;
}
