/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was executed of branches, and what kind that makes of each.
 *
 * The order of questions matters: a loop's exit is as rare as the unusual way of a biased branch, and is
 * mispredicted as often as by the best static choice, as data-dependent ones are, too.
 */
#include "cmds/branches/branchlist.h"

#include <stddef.h>
#include <stdlib.h>

#include "profile/common/cost.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* Of one object. */
struct known_places {
	struct idtable by_address, by_line;
};

struct branch_gathering {
	struct branch_set *set;
	const struct model *model;
	size_t events[N_BRANCH_EVENTS]; /* of the model; n_events if it lacks one */
	struct known_places *objects;
};

/* The place of a line of the profile, with no counts if it is new. */
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
	set->places = heap_grow(set->places, &set->capacity, set->n + 1, sizeof(*set->places));
	idtable_put(table, id, (uint32_t)set->n);
	set->places[set->n] = (struct branch_place){
		.object = object,
		.file = line->file,
		.function = function,
		.address = line->at.instr,
		.line = line->at.line,
	};
	return &set->places[set->n++];
}

/* False if a sum is too large. */
static bool add(struct branch_gathering *gathering, uint32_t function,
		const struct model_line *line)
{
	struct branch_place *place;
	bool is_branch = false;

	for (int i = 0; i < N_BRANCH_CLASSES; i++) {
		enum branch_event event = branch_executed_event((enum branch_class)i);

		is_branch |= gathering->set->has[event] &&
			     line->costs[gathering->events[event]] != 0;
	}
	if (!is_branch)
		return true;
	place = find_place(gathering, function, line);
	if (place->line == 0) {
		place->file = line->file;
		place->line = line->at.line;
	}
	for (int i = 0; i < N_BRANCH_EVENTS; i++)
		if (gathering->set->has[i] &&
		    !cost_add(&place->counts[i], line->costs[gathering->events[i]], false))
			return false;
	return true;
}

static bool gather(struct branch_gathering *gathering)
{
	for (uint32_t i = 0; i < gathering->model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(gathering->model, i, 0, &cursor);
		while (model_next_line(&cursor, &line))
			if (!add(gathering, i, &line))
				return false;
	}
	return true;
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
	bool is_fine;

	*set = (struct branch_set){ .n = 0 };
	if (!find_totals(&gathering))
		return PROFILE_RANGE;
	gathering.objects = heap_zeroed(n, sizeof(*gathering.objects));
	for (size_t i = 0; i < n; i++) {
		idtable_init(&gathering.objects[i].by_address);
		idtable_init(&gathering.objects[i].by_line);
	}
	is_fine = gather(&gathering);
	for (size_t i = 0; i < n; i++) {
		idtable_release(&gathering.objects[i].by_address);
		idtable_release(&gathering.objects[i].by_line);
	}
	free(gathering.objects);
	return is_fine ? PROFILE_OK : PROFILE_RANGE;
}

void branchset_release(struct branch_set *set)
{
	free(set->places);
	*set = (struct branch_set){ .n = 0 };
}

/* -- kinds ---------------------------------------------------------------------------------------- */

/* True if a part is at least this many percent of a whole. */
static bool reaches(uint64_t part, unsigned percent, uint64_t whole)
{
	return (int128)part * 100 >= (int128)whole * percent;
}

static bool is_loop_exit(const struct branch_counts *counts)
{
	uint64_t exits = counts->executed - counts->taken;

	return counts->is_backward && exits > 0 && counts->taken / BRANCH_LOOP_TURNS >= exits &&
	       reaches(counts->missed, BRANCH_LOOP_LEAST, exits) &&
	       !reaches(counts->missed, BRANCH_LOOP_MOST, exits);
}

static bool is_biased(const struct branch_counts *counts)
{
	uint64_t others = branch_static_misses(counts);

	if (!reaches(counts->missed, BRANCH_FEW_MISSES, counts->executed) &&
	    (counts->has_detail ? !reaches(counts->by_counter, BRANCH_FEW_MISSES, counts->executed)
				: !reaches(others, BRANCH_FEW_MISSES, counts->executed)))
		return true;
	return !reaches(others, BRANCH_FEW_OTHERS, counts->executed) &&
	       reaches(counts->missed, BRANCH_AS_STATIC, others);
}

enum branch_kind branchkind_find(const struct branch_counts *counts)
{
	if (!counts->has_taken)
		return BRANCH_UNSORTED;
	if (is_loop_exit(counts))
		return BRANCH_LOOP_EXIT;
	if (is_biased(counts))
		return BRANCH_BIASED;
	if (!counts->has_detail)
		return BRANCH_UNSORTED;
	if (reaches(counts->by_counter, BRANCH_COUNTER_WORSE, counts->missed))
		return BRANCH_CORRELATED;
	if (reaches(counts->missed, BRANCH_NEAR_STATIC, branch_static_misses(counts)) &&
	    reaches(counts->by_history, BRANCH_NEAR_HISTORY, counts->missed))
		return BRANCH_DATA;
	return BRANCH_MIXED;
}

const char *branchkind_name(enum branch_kind kind)
{
	switch (kind) {
	case BRANCH_UNSORTED:
		break;
	case BRANCH_BIASED:
		return "biased";
	case BRANCH_LOOP_EXIT:
		return "loop exit";
	case BRANCH_CORRELATED:
		return "correlated";
	case BRANCH_DATA:
		return "data-dependent";
	case BRANCH_MIXED:
		return "mixed";
	case BRANCH_INDIRECT_JUMP:
		return "indirect jump";
	case BRANCH_INDIRECT_CALL:
		return "indirect call";
	case BRANCH_INDIRECT:
		return "indirect";
	case BRANCH_RETURN:
		return "return";
	}
	return NULL;
}

bool branchkind_is_hard(uint64_t executed, uint64_t missed, uint64_t instructions)
{
	uint64_t slice = instructions > BRANCH_SLICE ? instructions : BRANCH_SLICE;

	return (int128)executed * BRANCH_SLICE >= (int128)slice * BRANCH_HARD_EXECUTED &&
	       reaches(missed, BRANCH_HARD_MISSED, executed);
}
