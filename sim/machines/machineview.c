/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machines/machineview.h"

bool machineview_cache(const struct machinefile *file, enum machinefile_kind kind,
		       struct machine_cache *cache)
{
	const struct machinefile_item *item = machinefile_find(file, kind);
	const struct machinefile_item *line = machinefile_find(file, MACHINE_LINE);

	if (item == NULL || line == NULL)
		return false;
	const struct machinefile_span name = item->words[CACHE_POLICY];

	*cache = (struct machine_cache){
		.geometry = { item->values[CACHE_SIZE], (uint32_t)item->values[CACHE_WAYS],
			      (uint32_t)line->values[LINE_BYTES] },
		.relation = (enum machine_relation)item->values[CACHE_RELATION],
		.hash_seed = item->values[CACHE_INDEX],
		.assumed = item->assumed,
	};
	policy_named(&cache->policy, file->text + name.offset, name.len);
	return true;
}

static uint32_t given_or(const struct machinefile_item *item, unsigned field, uint32_t otherwise)
{
	return (item->given >> field & 1) != 0 ? (uint32_t)item->values[field] : otherwise;
}

void machineview_prefetchers(const struct machinefile *file, struct prefetchers_config *config)
{
	static const enum prefetch_kind kinds[] = {
		[PREFETCHER_NEXT_LINE] = PREFETCH_NEXT_LINE,
		[PREFETCHER_IP_STRIDE] = PREFETCH_IP_STRIDE,
		[PREFETCHER_ADJACENT] = PREFETCH_ADJACENT_LINE,
		[PREFETCHER_STREAM] = PREFETCH_STREAM,
	};
	const struct machinefile_item *line = machinefile_find(file, MACHINE_LINE);

	config->n = 0;
	if (line == NULL)
		return;
	for (size_t i = 0; i < file->n_items && config->n < PREFETCHERS_MAX_UNITS; i++) {
		const struct machinefile_item *item = &file->items[i];
		enum prefetch_kind kind;

		if (item->kind != MACHINE_PREFETCH)
			continue;
		kind = kinds[item->values[PREFETCH_KIND]];
		config->units[config->n++] = (struct prefetchers_unit){
			.level = (unsigned)item->values[PREFETCH_LEVEL],
			.config = {
				.kind = kind,
				.line_size = (uint32_t)line->values[LINE_BYTES],
				.streams = given_or(item, PREFETCH_STREAMS, PREFETCH_DEFAULT_STREAMS),
				.distance = given_or(item, PREFETCH_DISTANCE,
						     PREFETCH_DEFAULT_DISTANCE),
				.degree = given_or(item, PREFETCH_DEGREE,
						   kind == PREFETCH_STREAM ? PREFETCH_STREAM_DEGREE
									   : 1),
			},
		};
	}
}

bool machineview_tlbs(const struct machinefile *file, struct tlbs_config *config)
{
	static const enum machinefile_kind kinds[N_TLB_KINDS] = {
		[TLB_ITLB] = MACHINE_ITLB,
		[TLB_DTLB] = MACHINE_DTLB,
		[TLB_STLB] = MACHINE_STLB,
		[TLB_ISTLB] = MACHINE_ISTLB,
	};

	_Static_assert(PAGE_4K == 1 << TLB_4K && PAGE_2M == 1 << TLB_2M, "pages by bits");
	*config = (struct tlbs_config){ 0 };
	for (unsigned kind = 0; kind < N_TLB_KINDS; kind++) {
		unsigned n = 0;

		for (size_t i = 0; i < file->n_items && n < N_TLB_PAGES; i++) {
			const struct machinefile_item *item = &file->items[i];

			if (item->kind != kinds[kind])
				continue;
			config->arrays[kind][n++] = (struct tlb_config){
				.entries = (uint32_t)item->values[TLB_ENTRIES],
				.ways = (uint32_t)item->values[TLB_WAYS],
				.pages = (unsigned)item->values[TLB_PAGES],
			};
		}
	}
	return config->arrays[TLB_ITLB][0].entries != 0 && config->arrays[TLB_DTLB][0].entries != 0;
}
