/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/machinedescs.h"

#include "pub_tool_libcprint.h"

#include "tool/cycles/state.h"
#include "tool/simulate/state.h"

void machinedescs_cache(HChar text[MACHINEDESCS_CACHE], const struct cache_config *cache)
{
	const struct cache_geometry *geometry = &cache->geometry;
	UInt len;

	if (geometry->assoc == 1)
		len = VG_(snprintf)(text, MACHINEDESCS_CACHE, "%llu B, %u B, direct-mapped",
				    (ULong)geometry->size, geometry->line_size);
	else
		len = VG_(snprintf)(text, MACHINEDESCS_CACHE, "%llu B, %u B, %u-way associative",
				    (ULong)geometry->size, geometry->line_size, geometry->assoc);
	if (cache->text != NULL)
		VG_(snprintf)(text + len, (Int)(MACHINEDESCS_CACHE - len), ", %s", cache->text);
}

const HChar *machinedescs_name(void)
{
	return tool_simulate.options.cache_sim ? tool_simulate.caches.machine
					       : tool_simulate.branching.config.machine;
}

/* As CURVE_DESC of profile/common/desc.h is read. */
static void tell_curve(machinedescs_taker *take, void *ctx)
{
	HChar text[64] = "exact";
	const ULong weight = curve_weight(&tool_simulate.reasons.curve);

	if (weight != 1)
		VG_(snprintf)(text, sizeof(text), "sampled, one line of %llu", weight);
	take(ctx, "Miss curve", text);
}

void machinedescs_units(machinedescs_taker *take, void *ctx)
{
	const struct prefetchers_config *prefetchers = &tool_simulate.caches.prefetchers;

	for (UInt i = 0; tool_simulate.prefetching.prefetchers != NULL && i < prefetchers->n; i++)
		take(ctx, "Prefetcher", prefetchers->units[i].text);
	if (tool_simulate.branching.predictor != NULL)
		take(ctx, "Branches", tool_simulate.branching.config.text);
	for (UInt i = 0; i < N_TLB_KINDS; i++)
		if (tool_simulate.paging.texts[i][0] != '\0')
			take(ctx, paging_names[i], tool_simulate.paging.texts[i]);
	if (tool_cycles.text[0] != '\0')
		take(ctx, "Core", tool_cycles.text);
	if (tool_simulate.reasons.has_curve)
		tell_curve(take, ctx);
}
