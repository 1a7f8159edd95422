/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/program_totals.h"

#include <stdbool.h>

#include "cmds/common/complaint.h"
#include "profile/analysis/self_costs.h"

int program_totals_make(struct program_totals *totals, const struct model *model,
			struct arena *arena)
{
	size_t n = model->n_events;
	uint64_t *sums = row_new(arena, n);
	uint64_t *said = row_new(arena, n);
	uint64_t *outside = row_new(arena, n);
	bool is_said = false, differs = false;

	if (!sums || !said || !outside)
		return PROFILE_NO_MEMORY;
	if (!model_totals(model, sums))
		return PROFILE_RANGE;
	for (size_t i = 0; i < model->n_parts; i++)
		is_said |= model->parts[i].summary || model->parts[i].totals;
	*totals = (struct program_totals){
		.costs = sums,
		.kind = is_said ? TOTALS_SAID : TOTALS_CALCULATED,
	};
	if (!is_said)
		return PROFILE_OK;
	if (!model_summary(model, said)) {
		totals->kind = TOTALS_CORRECTED;
		return PROFILE_OK;
	}
	/* By event: with --cacheuse=yes, Callgrind's summary: lacks the costs of cache lines. */
	for (size_t i = 0; i < n; i++) {
		if (!cost_can_be_total(said[i], sums[i], model->is_signed)) {
			/* Of a summary that is cut short, something was said. */
			totals->kind = model->is_cut ? TOTALS_CALCULATED : TOTALS_CORRECTED;
			said[i] = sums[i];
		}
		outside[i] = said[i] - sums[i];
		differs |= outside[i] != 0;
	}
	totals->costs = said;
	totals->outside = differs ? outside : NULL;
	return PROFILE_OK;
}

void program_totals_warn(const struct program_totals *totals, const char *command)
{
	if (totals->kind == TOTALS_CORRECTED)
		warn(command, "totals in the profile cannot be right, as its functions cost more "
			      "or a number wrapped: using the sum of what they cost");
}
