/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places: lines are added up over all functions that have code of them, and those that cost most are chosen.  Code of libraries
 * that is inlined is charged to the own line where it is.  And the machine code of what was chosen.
 */
#include "cmds/why/finder.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/error.h"

enum { MOST_PLACES = 8 };

#define FUNCTION_KEY UINT64_C(0x8000000000000000)
enum { LINE_BITS = 36 };

/*
 * The own line that code is charged to: its own, or where it was inlined, if its function is worth looking that up.  False if it
 * is not known.
 */
static bool resolve(const struct finder *finder, uint32_t function, uint64_t address,
		    uint32_t *file, uint64_t *line)
{
	struct findings *findings = finder->findings;
	const struct why_family *of = finder_family(finder, findings->origins.family_of[function]);

	if (*line != 0 && origins_file_is_own(&finder->findings->origins, *file))
		return true;
	return finder_is_worth_it(finder,
				  (double)metric_value(findings->metric, of->self, false)) &&
	       callsites_find(&findings->sites, finder->model->functions[function].object, address,
			      file, line);
}

/* The key of the place of code of a function; *file and *line become those that it is charged to. */
static uint64_t key_of(const struct finder *finder, uint32_t function, const struct model_line *at,
		       uint32_t *file, uint64_t *line)
{
	*file = at->file;
	*line = at->at.line;
	if (resolve(finder, function, at->at.instr, file, line) && *line >> LINE_BITS == 0)
		return (uint64_t)*file << LINE_BITS | *line;
	*file = finder->model->functions[function].file;
	*line = 0;
	return FUNCTION_KEY | finder->findings->origins.family_of[function];
}

/* A walk over the lines of own functions that were asked about. */
struct place_cursor {
	const struct finder *finder;
	uint32_t function; /* that lines are of */
	bool is_in;        /* lines is of that function */
	struct model_cursor lines;
	struct model_line line;
	/* Where it is charged to. */
	uint64_t key, number;
	uint32_t file;
};

/* Goes on to the next line; false if there is none. */
static bool next_place_line(struct place_cursor *cursor)
{
	const struct finder *finder = cursor->finder;

	for (;; cursor->function++) {
		uint32_t number_of_family;

		if (cursor->function == finder->model->n_functions)
			return false;
		number_of_family = finder->findings->origins.family_of[cursor->function];
		if (!cursor->is_in && finder_family(finder, number_of_family)->is_own &&
		    finder_is_wanted(finder, number_of_family)) {
			model_lines(finder->model, cursor->function, 0, &cursor->lines);
			cursor->is_in = true;
		}
		if (cursor->is_in && model_next_line(&cursor->lines, &cursor->line))
			break;
		cursor->is_in = false;
	}
	cursor->key =
		key_of(finder, cursor->function, &cursor->line, &cursor->file, &cursor->number);
	return true;
}

/* The lines of own functions, by place: which ones cost most. */
static void gather_places(struct finder *finder)
{
	int128 *most = heap_alloc(sizeof(*most)); /* by place: of one function */
	size_t capacity = 1;
	struct place_cursor cursor = { .finder = finder };

	while (next_place_line(&cursor)) {
		const uint32_t number_of_family =
			finder->findings->origins.family_of[cursor.function];
		const int128 cost =
			metric_value(finder->findings->metric, cursor.line.costs, false);
		const double priced = parts_priced(finder, cursor.line.costs);
		uint32_t at = idtable_get(&finder->place_of, cursor.key);

		if (cost <= 0 && priced <= 0)
			continue;
		if (at == IDTABLE_NONE) {
			at = (uint32_t)finder->n_places;
			finder->places = heap_grow(finder->places, &finder->places_capacity,
						   finder->n_places + 1, sizeof(*finder->places));
			most = heap_grow(most, &capacity, finder->n_places + 1, sizeof(*most));
			finder->places[finder->n_places++] = (struct why_place){
				.file = cursor.file,
				.line = cursor.number,
				.family = number_of_family,
			};
			most[at] = 0;
			idtable_put(&finder->place_of, cursor.key, at);
		}
		finder->places[at].cost += cost;
		finder->places[at].priced += priced;
		if (cost > most[at]) {
			most[at] = cost;
			finder->places[at].family = number_of_family;
		}
	}
	free(most);
}

static double weight_of(const struct why_place *place)
{
	return (double)place->cost + place->priced;
}

static int compare_places(const void *a, const void *b)
{
	const struct why_place *of_a = *(const struct why_place *const *)a,
			       *of_b = *(const struct why_place *const *)b;

	if (weight_of(of_a) != weight_of(of_b))
		return weight_of(of_a) > weight_of(of_b) ? -1 : 1;
	if (of_a->file != of_b->file)
		return of_a->file < of_b->file ? -1 : 1;
	if (of_a->line != of_b->line)
		return of_a->line < of_b->line ? -1 : 1;
	return (of_a->family > of_b->family) - (of_a->family < of_b->family);
}

/* Those that are worth it; of functions whose lines are not, what these cost together. */
static void choose_places(struct finder *finder)
{
	const struct why_place **sorted =
		heap_alloc((finder->n_places + 1) * sizeof(struct why_place *));

	for (size_t i = 0; i < finder->n_places; i++)
		sorted[i] = &finder->places[i];
	if (finder->n_places > 0)
		qsort(sorted, finder->n_places, sizeof(struct why_place *), compare_places);
	finder->chosen = heap_zeroed(MOST_PLACES, sizeof(*finder->chosen));
	for (size_t i = 0; i < finder->n_places && i < MOST_PLACES; i++)
		if (finder_is_worth_it(finder, weight_of(sorted[i])))
			finder->chosen[finder->n_chosen++].place = *sorted[i];
	free(sorted);
}

static struct chosen *find_chosen(struct finder *finder, uint64_t key)
{
	const uint32_t at = idtable_get(&finder->place_of, key);

	for (size_t i = 0; at != IDTABLE_NONE && i < finder->n_chosen; i++) {
		const struct why_place *place = &finder->chosen[i].place;

		if (place->file == finder->places[at].file &&
		    place->line == finder->places[at].line &&
		    (place->line != 0 || place->family == finder->places[at].family))
			return &finder->chosen[i];
	}
	return NULL;
}

/* Costs of the places chosen, and which functions have code of them. */
static int add_up_chosen(struct finder *finder)
{
	const struct model *model = finder->model;
	const struct origins *origins = &finder->findings->origins;
	struct place_cursor cursor = { .finder = finder };

	for (size_t i = 0; i < finder->n_chosen; i++) {
		finder->chosen[i].costs = row_new(finder->arena, model->n_events);
		finder->chosen[i].by_family =
			heap_zeroed(origins->n_families, sizeof(*finder->chosen[i].by_family));
	}
	while (finder->n_chosen > 0 && next_place_line(&cursor)) {
		const struct model_line *line = &cursor.line;
		struct chosen *chosen = find_chosen(finder, cursor.key);

		if (!chosen)
			continue;
		if (!row_add(chosen->costs, line->costs, model->n_events, false))
			return PROFILE_RANGE;
		chosen->is_inlined |= line->at.line != 0 && line->file != cursor.file &&
				      !origins_file_is_own(origins, line->file);
		chosen->by_family[origins->family_of[cursor.function]] +=
			metric_value(finder->findings->metric, line->costs, false);
	}
	for (size_t i = 0; i < finder->n_chosen; i++) {
		struct chosen *chosen = &finder->chosen[i];

		for (uint32_t k = 0; k < origins->n_families; k++)
			if (chosen->by_family[k] > chosen->by_family[chosen->place.family])
				chosen->place.family = k;
		/* A line may have functions that cost nothing there. */
		chosen->n_families = 0;
		for (uint32_t k = 0; k < origins->n_families; k++)
			chosen->n_families += chosen->by_family[k] > 0;
	}
	return PROFILE_OK;
}
int places_find(struct finder *finder)
{
	gather_places(finder);
	choose_places(finder);
	return add_up_chosen(finder);
}

/* -- machine code ------------------------------------------------------------------------------- */

bool places_has_whole(const struct finder *finder, uint32_t number_of_family)
{
	const struct why_family *of = finder_family(finder, number_of_family);

	for (size_t i = 0; i < finder->n_chosen; i++)
		if (finder->chosen[i].by_family[number_of_family] > 0)
			return false;
	return of->is_own && finder_is_wanted(finder, number_of_family) &&
	       finder_is_worth_it(finder,
				  (double)metric_value(finder->findings->metric, of->self, false));
}

int places_find_code(struct finder *finder)
{
	struct findings *findings = finder->findings;
	int status = PROFILE_OK;

	finder->has_code = !finder->options->no_code &&
			   (finder->model->positions & POSITION_INSTR) &&
			   model_event(finder->model, "Ir") < finder->model->n_events;
	if (!finder->has_code)
		return PROFILE_OK;
	for (uint32_t i = 0; !status && i < finder->model->n_functions; i++) {
		const uint32_t number_of_family = findings->origins.family_of[i];
		bool is_among = places_has_whole(finder, number_of_family);

		for (size_t k = 0; k < finder->n_chosen; k++)
			is_among |= finder->chosen[k].by_family[number_of_family] * 10 >
				    finder->chosen[k].place.cost;
		if (is_among)
			status = code_choice_add_function(&finder->choice, &finder->basis,
							  &findings->objects, i);
	}
	code_choice_finish(&finder->choice);
	finder->lists =
		arena_alloc(finder->arena, (finder->choice.n + 1) * sizeof(*finder->lists), 8);
	finder->steps =
		arena_alloc(finder->arena, (finder->choice.n + 1) * sizeof(*finder->steps), 8);
	if (!status)
		status = codework_gather(finder->lists, &finder->choice, &finder->basis);
	for (size_t i = 0; !status && i < finder->choice.n; i++)
		code_steps_make(&finder->steps[i],
				code_objects_get(&findings->objects,
						 finder->choice.wishes[i].object),
				&finder->lists[i], model_event(finder->model, "Ir"), finder->arena);
	return status;
}

/* True if an instruction of wish i is at a place. */
static bool is_at(const struct finder *finder, size_t i, const struct code_step *step,
		  const struct why_place *place)
{
	const struct code_record *record = step->record;
	const uint32_t function = code_object_function(
		code_objects_get(&finder->findings->objects, finder->choice.wishes[i].object),
		finder->choice.wishes[i].stretch.start);
	uint32_t file = record->file;
	uint64_t line = record->line;

	if (place->is_whole)
		return function != MODEL_NO_FUNCTION &&
		       finder->findings->origins.family_of[function] == place->family;
	if (function == MODEL_NO_FUNCTION)
		return place->line != 0 && line == place->line && file == place->file;
	if (resolve(finder, function, record->address, &file, &line))
		return line == place->line && file == place->file;
	return place->line == 0 && finder->findings->origins.family_of[function] == place->family;
}

struct worst place_worst(const struct finder *finder, const struct why_place *place,
			 const char *name)
{
	const struct metric *metric = finder_metric(finder, name);
	struct worst worst = { .step = NULL };

	for (size_t i = 0; metric && finder->has_code && i < finder->choice.n; i++)
		for (size_t k = 0; k < finder->steps[i].n; k++) {
			const struct code_step *step = &finder->steps[i].all[k];
			double value;

			if (!is_at(finder, i, step, place))
				continue;
			value = (double)metric_value(metric, step->record->costs, false);
			worst.sum += value;
			if (value <= worst.value)
				continue;
			worst.value = value;
			worst.step = step;
			worst.steps = &finder->steps[i];
		}
	if (worst.step && worst.step->text[0] == '\0')
		worst.step = NULL;
	return worst;
}

double place_returns(const struct finder *finder, const struct why_place *place, const char *name)
{
	const struct metric *metric = finder_metric(finder, name);
	double sum = 0;

	for (size_t i = 0; metric && finder->has_code && i < finder->choice.n; i++)
		for (size_t k = 0; k < finder->steps[i].n; k++) {
			const struct code_step *step = &finder->steps[i].all[k];

			if (step->kind == INSTRUCTION_RETURN && is_at(finder, i, step, place))
				sum += (double)metric_value(metric, step->record->costs, false);
		}
	return sum;
}
