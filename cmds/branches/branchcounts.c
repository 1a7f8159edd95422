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

/* The place of a line of a function, with no counts if it is new; known: of the function's object. */
static struct branch_place *find_place(struct branch_set *set, struct known_places *known,
				       uint32_t object, uint32_t function,
				       const struct model_line *line)
{
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

/* events: numbers of the model's, where the set has them.  False if a sum is too large. */
static bool gather(struct branch_set *set, const struct model *model,
		   const size_t events[N_BRANCH_EVENTS], struct known_places *objects)
{
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const uint32_t object = model->functions[i].object;
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			struct branch_place *place;
			bool is_branch = false;

			for (int of = 0; of < N_BRANCH_CLASSES; of++) {
				enum branch_event event =
					branch_executed_event((enum branch_class)of);

				is_branch |= set->has[event] && line.costs[events[event]] != 0;
			}
			if (!is_branch)
				continue;
			place = find_place(set, &objects[object], object, i, &line);
			if (place->line == 0) {
				place->file = line.file;
				place->line = line.at.line;
			}
			for (int event = 0; event < N_BRANCH_EVENTS; event++)
				if (set->has[event] && !cost_add(&place->counts[event],
								 line.costs[events[event]], false))
					return false;
		}
	}
	return true;
}

int branchset_make(struct branch_set *set, const struct model *model)
{
	static const char *const names[N_BRANCH_EVENTS] = { "Bc",  "Bcm", "Bi",  "Bim", "Br",
							    "Brm", "Bct", "Bcb", "Bch" };
	const size_t n = model->names[NAME_OBJECT].count, ir = model_event(model, "Ir");
	uint64_t totals[PROFILE_MAX_EVENTS];
	size_t events[N_BRANCH_EVENTS];
	struct known_places *objects;
	bool is_fine;

	*set = (struct branch_set){ .n = 0 };
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	set->instructions = ir < model->n_events ? totals[ir] : 0;
	for (int i = 0; i < N_BRANCH_EVENTS; i++) {
		events[i] = model_event(model, names[i]);
		set->has[i] = events[i] < model->n_events;
		set->totals[i] = set->has[i] ? totals[events[i]] : 0;
	}
	objects = heap_zeroed(n, sizeof(*objects));
	for (size_t i = 0; i < n; i++) {
		idtable_init(&objects[i].by_address);
		idtable_init(&objects[i].by_line);
	}
	is_fine = gather(set, model, events, objects);
	for (size_t i = 0; i < n; i++) {
		idtable_release(&objects[i].by_address);
		idtable_release(&objects[i].by_line);
	}
	free(objects);
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
	static const char *const names[] = {
		[BRANCH_UNSORTED] = NULL,
		[BRANCH_BIASED] = "biased",
		[BRANCH_LOOP_EXIT] = "loop exit",
		[BRANCH_CORRELATED] = "correlated",
		[BRANCH_DATA] = "data-dependent",
		[BRANCH_MIXED] = "mixed",
		[BRANCH_INDIRECT_JUMP] = "indirect jump",
		[BRANCH_INDIRECT_CALL] = "indirect call",
		[BRANCH_INDIRECT] = "indirect",
		[BRANCH_RETURN] = "return",
	};

	return names[kind];
}

bool branchkind_is_hard(uint64_t executed, uint64_t missed, uint64_t instructions)
{
	uint64_t slice = instructions > BRANCH_SLICE ? instructions : BRANCH_SLICE;

	return (int128)executed * BRANCH_SLICE >= (int128)slice * BRANCH_HARD_EXECUTED &&
	       reaches(missed, BRANCH_HARD_MISSED, executed);
}
