/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/branches/branchset.h"

#include <stdlib.h>

#include "profile/common/heap.h"
#include "profile/format/idtable.h"

/* Of one object. */
struct known_places {
	struct idtable by_address, by_line;
};

struct branch_gathering {
	struct branch_set *set;
	const struct model *model;
	size_t events[N_BRANCH_EVENTS]; /* of the model; those that it has not are n_events */
	struct known_places *objects;
};

/* The place of a line of the profile, with no counts if it is new; NULL if memory ran out. */
static struct branch_place *find_place(struct branch_gathering *gathering, uint32_t function,
				       const struct model_line *line)
{
	struct branch_set *set = gathering->set;
	const uint32_t object = gathering->model->functions[function].object;
	struct known_places *known = &gathering->objects[object];
	bool has_address = line->at.instr != 0;
	struct idtable *table = has_address ? &known->by_address : &known->by_line;
	/* Lines of 2^32 and more, which nobody has, share places. */
	uint64_t id = has_address ? line->at.instr : (uint64_t)line->file << 32 ^ line->at.line;
	uint32_t index = idtable_get(table, id);

	if (index != IDTABLE_NONE)
		return &set->places[index];
	if (!heap_reserve(&heap_env, (void **)&set->places, &set->capacity, set->n + 1,
			  sizeof(*set->places)) ||
	    !idtable_put(table, id, (uint32_t)set->n))
		return NULL;
	set->places[set->n] = (struct branch_place){
		.object = object,
		.file = line->file,
		.function = function,
		.address = line->at.instr,
		.line = line->at.line,
	};
	return &set->places[set->n++];
}

static int add(struct branch_gathering *gathering, uint32_t function, const struct model_line *line)
{
	struct branch_place *place;
	bool is_branch = false;

	for (int i = 0; i < N_BRANCH_CLASSES; i++) {
		enum branch_event event = branch_executed_event((enum branch_class)i);

		is_branch |= gathering->set->has[event] &&
			     line->costs[gathering->events[event]] != 0;
	}
	if (!is_branch)
		return PROFILE_OK;
	place = find_place(gathering, function, line);
	if (!place)
		return PROFILE_NO_MEMORY;
	if (place->line == 0) {
		place->file = line->file;
		place->line = line->at.line;
	}
	for (int i = 0; i < N_BRANCH_EVENTS; i++)
		if (gathering->set->has[i] &&
		    !cost_add(&place->counts[i], line->costs[gathering->events[i]], false))
			return PROFILE_RANGE;
	return PROFILE_OK;
}

static int gather(struct branch_gathering *gathering)
{
	for (uint32_t i = 0; i < gathering->model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(gathering->model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			int status = add(gathering, i, &line);

			if (status)
				return status;
		}
	}
	return PROFILE_OK;
}

static bool find_totals(struct branch_gathering *gathering)
{
	static const char *const names[N_BRANCH_EVENTS] = { "Bc",  "Bcm", "Bi",  "Bim", "Br",
							    "Brm", "Bct", "Bcb", "Bch" };
	const struct model *model = gathering->model;
	uint64_t totals[PROFILE_MAX_EVENTS];
	size_t ir = model_event(model, "Ir");

	if (!model_totals(model, totals))
		return false;
	gathering->set->instructions = ir < model->n_events ? totals[ir] : 0;
	for (int i = 0; i < N_BRANCH_EVENTS; i++) {
		size_t event = model_event(model, names[i]);

		gathering->events[i] = event;
		gathering->set->has[i] = event < model->n_events;
		gathering->set->totals[i] = event < model->n_events ? totals[event] : 0;
	}
	return true;
}

int branchset_make(struct branch_set *set, const struct model *model)
{
	struct branch_gathering gathering = { .set = set, .model = model };
	const size_t n = model->names[NAME_OBJECT].count;
	int status;

	*set = (struct branch_set){ .n = 0 };
	if (!find_totals(&gathering))
		return PROFILE_RANGE;
	gathering.objects = heap_zeroed(&heap_env, n, sizeof(*gathering.objects));
	if (!gathering.objects)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		idtable_init(&gathering.objects[i].by_address, &heap_env);
		idtable_init(&gathering.objects[i].by_line, &heap_env);
	}
	status = gather(&gathering);
	for (size_t i = 0; i < n; i++) {
		idtable_release(&gathering.objects[i].by_address);
		idtable_release(&gathering.objects[i].by_line);
	}
	free(gathering.objects);
	return status;
}

void branchset_release(struct branch_set *set)
{
	free(set->places);
	*set = (struct branch_set){ .n = 0 };
}
