/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/levels.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"

/* By enum level; events by enum reference_kind. */
static const struct level_row {
	const HChar *name; /* of its cache for data */
	enum event_group group;
	enum event missed[N_REFERENCE_KINDS];
	enum event reasons[N_MISS_CLASSES];
} level_table[N_LEVELS] = {
#define LEVEL(id, group, fetch, read, write)       \
 { #id,                                            \
   GROUP_##group,                                  \
   { EVENT_##fetch, EVENT_##read, EVENT_##write }, \
   { EVENT_##id##COLD, EVENT_##id##CAP, EVENT_##id##CONF } },
	LEVELS(LEVEL)
#undef LEVEL
};

/* Code has a first level of its own. */
static const enum event code_reasons[N_MISS_CLASSES] = { EVENT_I1COLD, EVENT_I1CAP, EVENT_I1CONF };

const struct reference_events reference_events[N_REFERENCE_KINDS] = {
	[REFERENCE_FETCH] = { EVENT_IR, EVENT_ILDMR },
	[REFERENCE_READ] = { EVENT_DR, EVENT_DLDMR },
	[REFERENCE_WRITE] = { EVENT_DW, EVENT_DLDMW },
};

static const enum event missed_by_code[MACHINETLBS_MAX_VIEWS][2] = { { EVENT_ITM, EVENT_ISM },
								     { EVENT_ITM2M, EVENT_ISM2M } };
static const enum event missed_by_data[MACHINETLBS_MAX_VIEWS][2] = { { EVENT_DTM, EVENT_DSM },
								     { EVENT_DTM2M, EVENT_DSM2M } };

static const struct level_row *find(const HChar *name)
{
	for (UInt i = 0; i < N_LEVELS; i++)
		if (VG_(strcmp)(level_table[i].name, name) == 0)
			return &level_table[i];
	tl_assert2(False, "no events for misses of %s", name);
}

/* Level number i, 0 being the first. */
static const struct level_row *level_at(const struct hierarchy_config *config, UInt i)
{
	return find(i == 0 ? config->d1.name : config->lower[i - 1].name);
}

void levels_init(struct levels *levels, const struct hierarchy_config *config)
{
	levels->n = 1 + config->n_lower;
	for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
		levels->write_back[kind] = config->write_back ? EVENT_WRITTEN
							      : reference_events[kind].write_back;
	for (UInt i = 0; i < levels->n; i++) {
		const struct level_row *row = level_at(config, i);

		levels->names[i] = row->name;
		for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
			levels->missed[kind][i] = row->missed[kind];
		for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
			VG_(memcpy)(levels->reasons[kind][i],
				    kind == REFERENCE_FETCH && i == 0 ? code_reasons : row->reasons,
				    sizeof(levels->reasons[kind][i]));
	}
	levels->has_cores = config->cores > 1;
	levels->n_views = config->tlbs == NULL ? 0 : config->tlbs->n_views;
	for (UInt kind = 0; kind < N_REFERENCE_KINDS; kind++)
		VG_(memcpy)(levels->missed_pages[kind],
			    kind == REFERENCE_FETCH ? missed_by_code : missed_by_data,
			    sizeof(levels->missed_pages[kind]));
}

UInt levels_groups(const struct hierarchy_config *config, Bool has_reasons)
{
	UInt groups = (config->write_back ? 1U << GROUP_DIRTY : 0) |
		      (config->cores > 1 ? 1U << GROUP_CORES : 0);

	if (config->tlbs != NULL)
		groups |= 1U << GROUP_TLB | (config->tlbs->n_views > 1 ? 1U << GROUP_TLB_2M : 0);
	for (UInt i = 0; i <= config->n_lower; i++)
		groups |= 1U << level_at(config, i)->group;
	if (has_reasons && (groups & 1U << GROUP_L2) != 0)
		groups |= 1U << GROUP_CLASSES_L2;
	if (has_reasons && (groups & 1U << GROUP_L3) != 0)
		groups |= 1U << GROUP_CLASSES_L3;
	return groups;
}
