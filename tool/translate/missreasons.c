/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/translate/missreasons.h"

#include "pub_tool_mallocfree.h"

#include "tool/calls/collection.h"
#include "tool/counts/state.h"
#include "tool/translate/state.h"

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.misses", 1, size);
}

static const struct misses_memory memory = { allocate, VG_(free) };

void missreasons_init(struct missreasons *reasons, const struct hierarchy_config *config)
{
	reasons->is_on = True;
	missclasses_init(&reasons->lower, config, &memory);
	conflicts_init(&reasons->conflicts, &config->d1);
	if (tool_translate.machine != NULL) {
		machinetwins_attach(&reasons->twins, tool_translate.machine, config, &memory);
		return;
	}
	fulllevel_init(&reasons->first[0], &config->d1, &memory);
	fulllevel_init(&reasons->first[1], &config->i1, &memory);
}

struct miss_reasons missreasons_find(struct missreasons *reasons, const struct site *site,
				     enum reference_kind kind, Addr address, UWord size,
				     UInt served)
{
	struct miss_reasons found;
	const UInt first =
		tool_translate.machine != NULL
			? reasons->twins.outcome
			: fulllevel_refer(&reasons->first[kind == REFERENCE_FETCH], address, size);

	found = missclasses_find(&reasons->lower, first, address, size, served);
	if (served != 0 && kind != REFERENCE_FETCH)
		conflicts_note(&reasons->conflicts, site, address,
			       found.of[0] == MISS_CONFLICT && collection_is_on(tool_counts.hot));
	return found;
}

void missreasons_evict(struct missreasons *reasons, struct address_range range)
{
	if (!reasons->is_on)
		return;
	missclasses_evict(&reasons->lower, range);
	for (UInt i = 0; i < 2 && tool_translate.machine == NULL; i++)
		fulllevel_evict(&reasons->first[i], range);
}
