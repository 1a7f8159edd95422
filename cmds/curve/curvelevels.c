/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/curve/curvelevels.h"

#include <string.h>

#include "sim/machines/machinefile.h"
#include "sim/machines/machineview.h"
#include "sim/machines/presets.h"

static void add(struct curvelevels *levels, const struct curvelevel *level)
{
	if (levels->n < CURVELEVELS_MOST)
		levels->all[levels->n++] = *level;
}

void curvelevels_init(struct curvelevels *levels)
{
	levels->n = 0;
	for (size_t i = 0; i < n_machine_presets; i++) {
		const struct machine_preset *preset = &machine_presets[i];
		struct machinefile_error error;
		struct machinefile machine;
		struct machine_cache cache;

		if (!machinefile_parse(&machine, preset->text, preset->len, &error))
			continue;
		for (unsigned kind = MACHINE_L1D; kind <= MACHINE_L4; kind++)
			if (machineview_cache(&machine, (enum machinefile_kind)kind, &cache))
				add(levels, &(const struct curvelevel){
						    .machine = preset->name,
						    .name = machinefile_rows[kind].keyword,
						    .size = cache.geometry.size,
					    });
	}
}

void curvelevels_sort(struct curvelevels *levels)
{
	for (size_t i = 1; i < levels->n; i++) {
		const struct curvelevel level = levels->all[i];
		size_t at = i;

		for (; at > 0 && levels->all[at - 1].size > level.size; at--)
			levels->all[at] = levels->all[at - 1];
		levels->all[at] = level;
	}
}

void curvelevels_choose(const struct curvelevels *levels, uint64_t size, bool holds,
			struct curvelevels *chosen)
{
	chosen->n = 0;
	for (size_t i = 0; i < levels->n; i++) {
		const struct curvelevel *level = &levels->all[i];
		const bool is_first = i == 0 || strcmp(level[-1].machine, level->machine) != 0;
		const bool is_last = i + 1 == levels->n ||
				     strcmp(level[1].machine, level->machine) != 0;

		if (holds && level->size >= size && (is_first || level[-1].size < size))
			add(chosen, level);
		if (!holds && !is_first && level->size < size && (is_last || level[1].size >= size))
			add(chosen, level);
	}
	curvelevels_sort(chosen);
}
