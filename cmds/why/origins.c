/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines a library's cost is reported for.
 *
 *	main (own) ---- 70 ---> std::vector::push_back ---> operator new ---> malloc
 *	read (own) ---- 30 ---> std::vector::push_back
 *
 * profile/analysis/owncode.h knows the functions: 70 % of what malloc costs is main's, 30 % is read's.  Of these, the lines
 * are those that call a function from which malloc is reached without passing through own code, each with the share that its
 * calls have of the cost of all such calls.
 */
#include "cmds/why/findings.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/dictionary.h"
#include "profile/common/error.h"

/* -- whose code ------------------------------------------------------------------------------ */

/* ld-linux-x86-64.so.2, ld-2.31.so */
static bool is_loader(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	return (strncmp(base, "ld-", 3) == 0 || strncmp(base, "ld.so", 5) == 0 ||
		strncmp(base, "ld64.so", 7) == 0) &&
	       strstr(base, ".so") != NULL;
}

/* Bytes before callers and levels of recursion: 4 of "walk'main'2".  What is in brackets is the function's own. */
static size_t plain_len(struct name name)
{
	size_t depth = 0;

	for (size_t i = 0; i < name.len; i++) {
		const char c = name.text[i];

		/* Whose brackets do not pair. */
		if (name.len - i > 8 && memcmp(name.text + i, "operator", 8) == 0) {
			i += 7;
			while (i + 1 < name.len && strchr("<>=-", name.text[i + 1]))
				i++;
			continue;
		}
		if (strchr("(<[{", c))
			depth++;
		else if (strchr(")>]}", c) && depth > 0)
			depth--;
		else if (c == '\'' && depth == 0 && i > 0)
			return i;
	}
	return name.len;
}

/* No debug information, or a program of the system: whoever looks can change that, though not the libraries. */
static bool is_of_program(const struct model *model, uint32_t function)
{
	return !strstr(model_name(model, NAME_OBJECT, model->functions[function].object).text,
		       ".so");
}

static void find_families(struct origins *origins)
{
	const struct model *model = origins->model;
	struct dictionary keys;
	struct bytes key;

	dictionary_init(&keys);
	bytes_init(&key);
	origins->family_of = heap_alloc(model->n_functions * sizeof(*origins->family_of));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const struct model_function *function = &model->functions[i];
		const struct name name = model_name(model, NAME_FUNCTION, function->name);
		const size_t len = plain_len(name);
		uint32_t number;

		bytes_reset(&key);
		bytes_add(&key, name.text, len);
		bytes_add_char(&key, '\0');
		bytes_add(&key, (const char *)&function->file, sizeof(function->file));
		bytes_add(&key, (const char *)&function->object, sizeof(function->object));
		number = dictionary_intern(&keys, key.text, key.len);
		origins->family_of[i] = number;
		if (number < origins->n_families)
			continue;
		origins->families = heap_grow(origins->families, &origins->families_capacity,
					      origins->n_families + 1, sizeof(*origins->families));
		origins->families[origins->n_families++] = (struct why_family){
			.function = i,
			.name = arena_copy(origins->arena, name.text, len),
			.is_own = origins->owncode.is_own[i] && !owncode_is_python(model, i),
			.is_loader =
				is_loader(model_name(model, NAME_OBJECT, function->object).text),
			.self = row_new(origins->arena, model->n_events),
		};
	}
	bytes_release(&key);
	dictionary_release(&keys);
}

/* -- inlined code ---------------------------------------------------------------------------- */

enum { ADDRESS_BITS = 48 };

void callsites_init(struct callsites *sites, const struct model *model,
		    struct code_objects *objects)
{
	*sites = (struct callsites){ .model = model, .objects = objects };
	idtable_init(&sites->known);
}

void callsites_release(struct callsites *sites)
{
	idtable_release(&sites->known);
	free(sites->all);
}

/* The model's number of a file that debug information names; DICTIONARY_UNKNOWN if it has none. */
static uint32_t file_number(const struct model *model, const char *name)
{
	const size_t len = strlen(name);
	char *clean = heap_alloc(len + 1);
	const uint32_t key =
		dictionary_find(&model->names[NAME_FILE], clean, filename_clean(name, len, clean));

	free(clean);
	return key == DICTIONARY_NONE ? DICTIONARY_UNKNOWN : key;
}

static bool is_own_file(void *ctx, const char *name)
{
	const struct callsites *sites = ctx;

	return owncode_file_is_own(sites->model, file_number(sites->model, name));
}

static struct callsite look_up(struct callsites *sites, uint32_t object, uint64_t address)
{
	struct code_object *of = code_objects_get(sites->objects, object);
	const char *name;
	uint64_t line;

	if (!of->file || !objectfile_call_site(of->file, address, is_own_file, sites, &name, &line))
		return (struct callsite){ DICTIONARY_UNKNOWN, 0 };
	return (struct callsite){ file_number(sites->model, name), line };
}

bool callsites_find(struct callsites *sites, uint32_t object, uint64_t address, uint32_t *file,
		    uint64_t *line)
{
	const uint64_t key = (uint64_t)object << ADDRESS_BITS | address;
	uint32_t at;

	if (!sites->objects || address == 0 || address >> ADDRESS_BITS != 0 ||
	    object >> (64 - ADDRESS_BITS) != 0)
		return false;
	at = idtable_get(&sites->known, key);
	if (at == IDTABLE_NONE) {
		at = (uint32_t)sites->n;
		sites->all =
			heap_grow(sites->all, &sites->capacity, sites->n + 1, sizeof(*sites->all));
		sites->all[sites->n++] = look_up(sites, object, address);
		idtable_put(&sites->known, key, at);
	}
	if (sites->all[at].file == DICTIONARY_UNKNOWN)
		return false;
	*file = sites->all[at].file;
	*line = sites->all[at].line;
	return true;
}

/* -- calls ----------------------------------------------------------------------------------- */

static int compare_calls(const void *a, const void *b)
{
	const struct why_call *of_a = a, *of_b = b;

	if (of_a->callee != of_b->callee)
		return of_a->callee < of_b->callee ? -1 : 1;
	if (of_a->caller != of_b->caller)
		return of_a->caller < of_b->caller ? -1 : 1;
	if (of_a->file != of_b->file)
		return of_a->file < of_b->file ? -1 : 1;
	return (of_a->line > of_b->line) - (of_a->line < of_b->line);
}

static double number_of(const struct metric *metric, const uint64_t *costs)
{
	return metric ? (double)metric_value(metric, costs, false) : 0;
}

/* Calls that have this share of the run are looked up in debug information, if they were inlined. */
static const double share_of_inlined = 0.002;

static void find_calls(struct origins *origins, const struct metrics *metrics,
		       const struct metric *main_metric, struct callsites *sites)
{
	const struct metric *instructions = metrics_named(metrics, "Ir"),
			    *references = metrics_named(metrics, "Drefs"),
			    *misses = metrics_named(metrics, "D1m"),
			    *last = metrics_named(metrics, "DLm"),
			    *memory = metrics_named(metrics, "CyMem");
	const struct model *model = origins->model;
	uint64_t totals[PROFILE_MAX_EVENTS];
	const double least =
		model_totals(model, totals) ? number_of(main_metric, totals) * share_of_inlined : 0;
	size_t used = 0;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct why_call *added;
		struct model_cursor cursor;
		struct model_call call;

		model_calls(model, i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			if (call.callee == i)
				continue;
			origins->calls = heap_grow(origins->calls, &origins->calls_capacity,
						   origins->n_calls + 1, sizeof(*origins->calls));
			origins->calls[origins->n_calls++] = (struct why_call){
				.caller = i,
				.callee = call.callee,
				.file = call.file,
				.line = call.at.line,
				.count = call.count,
				.cost = number_of(main_metric, call.costs),
				.instructions = number_of(instructions, call.costs),
				.references = number_of(references, call.costs),
				.misses = number_of(misses, call.costs),
				.last_misses = number_of(last, call.costs),
				.memory = number_of(memory, call.costs),
				/* It is called by the first of its own instructions. */
				.is_inlined = call.at.instr != 0 &&
					      call.at.instr == call.target.instr,
			};
			added = &origins->calls[origins->n_calls - 1];
			if (origins->owncode.is_own[i] &&
			    !origins_file_is_own(origins, call.file) && added->cost > least)
				callsites_find(sites, model->functions[i].object, call.at.instr,
					       &added->file, &added->line);
		}
	}
	if (origins->n_calls > 0)
		qsort(origins->calls, origins->n_calls, sizeof(*origins->calls), compare_calls);
	/* Instructions of one line are one. */
	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];
		struct why_call *last_call = used > 0 ? &origins->calls[used - 1] : NULL;

		if (!last_call || compare_calls(last_call, call) != 0) {
			origins->calls[used++] = *call;
			continue;
		}
		last_call->count += call->count;
		last_call->cost += call->cost;
		last_call->instructions += call->instructions;
		last_call->references += call->references;
		last_call->misses += call->misses;
		last_call->last_misses += call->last_misses;
		last_call->memory += call->memory;
		last_call->is_inlined &= call->is_inlined;
	}
	origins->n_calls = used;
	origins->first_into = heap_zeroed(model->n_functions + 1, sizeof(*origins->first_into));
	for (size_t i = 0; i < used; i++)
		origins->first_into[origins->calls[i].callee + 1]++;
	for (size_t i = 0; i < model->n_functions; i++)
		origins->first_into[i + 1] += origins->first_into[i];
}

int origins_init(struct origins *origins, const struct model *model, const struct metrics *metrics,
		 const struct metric *main_metric, struct callsites *sites, struct arena *arena)
{
	int status;

	*origins = (struct origins){ .model = model, .arena = arena };
	for (uint32_t i = 0; i < model->n_functions && !origins->is_python; i++)
		origins->is_python = owncode_is_python(model, i);
	status = owncode_compute(&origins->owncode, model, main_metric);
	origins->has_own = origins->owncode.n_own > 0;
	if (!status && !origins->has_own && !origins->is_python) {
		owncode_release(&origins->owncode);
		status = owncode_compute_by(&origins->owncode, model, main_metric, is_of_program);
	}
	if (!status)
		status = inclusive_compute(&origins->sums, model, NULL);
	if (status)
		return status;
	origins->file_is_own = heap_zeroed(model->names[NAME_FILE].count + 1, sizeof(bool));
	for (uint32_t i = 0; i < model->names[NAME_FILE].count; i++)
		origins->file_is_own[i] = owncode_file_is_own(model, i);
	find_families(origins);
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (!row_add(origins->families[origins->family_of[i]].self,
			     inclusive_self(&origins->sums, i), model->n_events, false))
			return PROFILE_RANGE;
	find_calls(origins, metrics, main_metric, sites);
	return PROFILE_OK;
}

void origins_release(struct origins *origins)
{
	owncode_release(&origins->owncode);
	inclusive_release(&origins->sums);
	free(origins->families);
	free(origins->family_of);
	free(origins->file_is_own);
	free(origins->calls);
	free(origins->first_into);
}

/* -- charging -------------------------------------------------------------------------------- */

/* Marks the functions of libraries from which one of a set is reached without own code in between, the set included. */
static void mark_reaching(const struct origins *origins, const bool *is_in, bool *reaches)
{
	const size_t n = origins->model->n_functions;
	uint32_t *queue = heap_alloc((n + 1) * sizeof(*queue));
	size_t n_queue = 0;

	for (uint32_t i = 0; i < n; i++) {
		reaches[i] = is_in[i];
		if (is_in[i])
			queue[n_queue++] = i;
	}
	for (size_t head = 0; head < n_queue; head++) {
		const uint32_t function = queue[head];

		for (size_t i = origins->first_into[function];
		     i < origins->first_into[function + 1]; i++) {
			const uint32_t caller = origins->calls[i].caller;

			if (reaches[caller] || origins->owncode.is_own[caller])
				continue;
			reaches[caller] = true;
			queue[n_queue++] = caller;
		}
	}
	free(queue);
}

static void add_origin(struct origin_list *list, const struct origins *origins,
		       const struct why_call *call, double amount)
{
	const bool is_own = call->line != 0 && origins_file_is_own(origins, call->file);

	/* Of code that was inlined from a library, the function is all that can be named. */
	list->all = heap_grow(list->all, &list->capacity, list->n + 1, sizeof(*list->all));
	list->all[list->n++] = (struct origin){
		.family = origins->family_of[call->caller],
		.file = is_own ? call->file : origins->model->functions[call->caller].file,
		.line = is_own ? call->line : 0,
		.amount = amount,
	};
}

static int compare_places(const void *a, const void *b)
{
	const struct origin *of_a = a, *of_b = b;

	if (of_a->family != of_b->family)
		return of_a->family < of_b->family ? -1 : 1;
	if (of_a->file != of_b->file)
		return of_a->file < of_b->file ? -1 : 1;
	return (of_a->line > of_b->line) - (of_a->line < of_b->line);
}

static int compare_amounts(const void *a, const void *b)
{
	const struct origin *of_a = a, *of_b = b;

	if (of_a->amount != of_b->amount)
		return of_a->amount > of_b->amount ? -1 : 1;
	return compare_places(a, b);
}

/* Makes one of the calls of a line. */
static void merge_lines(struct origin_list *list)
{
	size_t used = 0;

	if (list->n > 0)
		qsort(list->all, list->n, sizeof(*list->all), compare_places);
	for (size_t i = 0; i < list->n; i++) {
		list->charged += list->all[i].amount;
		if (used > 0 && compare_places(&list->all[used - 1], &list->all[i]) == 0)
			list->all[used - 1].amount += list->all[i].amount;
		else
			list->all[used++] = list->all[i];
	}
	list->n = used;
	if (used > 0)
		qsort(list->all, used, sizeof(*list->all), compare_amounts);
}

/* Adds to what own functions, by family, are charged, a cost of a function of a library. */
static void charge(const struct origins *origins, uint32_t function, int128 cost, double *charged)
{
	const struct owncode_share *share = &origins->owncode.shares[function];
	int128 of_callers[OWNCODE_CALLERS], others, nobody;

	owncode_split(share, cost, of_callers, &others, &nobody);
	for (size_t k = 0; k < share->n; k++)
		charged[origins->family_of[share->callers[k].function]] += (double)of_callers[k];
}

/* Has the lines of own functions that lead to a set have what the functions are charged. */
static void charge_lines(struct origin_list *list, const struct origins *origins, const bool *is_in,
			 const double *charged)
{
	/* By family: cost of the calls from the lines. */
	double *sums = heap_zeroed(origins->n_families, sizeof(*sums));
	bool *reaches = heap_alloc((origins->model->n_functions + 1) * sizeof(*reaches));

	mark_reaching(origins, is_in, reaches);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < origins->n_calls; i++) {
			const struct why_call *call = &origins->calls[i];
			const uint32_t family = origins->family_of[call->caller];
			/* All calls may cost nothing. */
			const double cost = call->cost > 0 ? call->cost : 0.001;

			if (!reaches[call->callee] || charged[family] <= 0 ||
			    origins->owncode.is_own[call->callee] ||
			    !origins->owncode.is_own[call->caller])
				continue;
			if (pass == 0)
				sums[family] += cost;
			else
				add_origin(list, origins, call,
					   charged[family] * cost / sums[family]);
		}
	free(sums);
	free(reaches);
}

void origins_charge(struct origin_list *list, const struct origins *origins, const bool *is_in,
		    const struct metric *metric)
{
	double *charged = heap_zeroed(origins->n_families, sizeof(*charged));

	*list = (struct origin_list){ .all = NULL };
	for (uint32_t i = 0; i < origins->model->n_functions; i++) {
		const int128 cost =
			is_in[i] ? metric_value(metric, inclusive_self(&origins->sums, i), false)
				 : 0;

		if (cost <= 0)
			continue;
		list->cost += cost;
		charge(origins, i, cost, charged);
	}
	charge_lines(list, origins, is_in, charged);
	merge_lines(list);
	free(charged);
}

/* Functions that a set calls, perhaps through others; of the set, those that are called from it. */
static bool *find_reached(const struct origins *origins, const bool *is_in)
{
	const size_t n = origins->model->n_functions;
	size_t *first = heap_zeroed(n + 2, sizeof(*first));
	uint32_t *callees = heap_zeroed(origins->n_calls + 1, sizeof(*callees));
	uint32_t *left = heap_zeroed(n + 1, sizeof(*left));
	bool *reached = heap_zeroed(n + 1, sizeof(*reached));
	size_t n_left = 0;

	for (size_t i = 0; i < origins->n_calls; i++)
		first[origins->calls[i].caller + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < origins->n_calls; i++)
		callees[first[origins->calls[i].caller + 1]++] = origins->calls[i].callee;
	for (uint32_t i = 0; i < n; i++)
		if (is_in[i])
			left[n_left++] = i;
	/* Each function once, whether it is of the set or reached first. */
	while (n_left > 0) {
		const uint32_t function = left[--n_left];

		for (size_t i = first[function]; i < first[function + 1]; i++) {
			const uint32_t callee = callees[i];

			if (!reached[callee] && !is_in[callee])
				left[n_left++] = callee;
			reached[callee] = true;
		}
	}
	free(first);
	free(callees);
	free(left);
	return reached;
}

/*
 * By function: the part of its calls that are not within a call of the set: what a copy of a tree costs has the copies of its
 * branches in it.  A function that the set reaches has the part that its callers have in it which the set does not reach.
 */
static double *find_outside(const struct origins *origins, const bool *is_in)
{
	const size_t n = origins->model->n_functions;
	double *outside = heap_zeroed(n + 1, sizeof(*outside));
	bool *reached = find_reached(origins, is_in);

	for (size_t i = 0; i < n; i++) {
		double all = 0, some = 0;

		for (size_t k = origins->first_into[i];
		     reached[i] && k < origins->first_into[i + 1]; k++) {
			const struct why_call *call = &origins->calls[k];

			all += call->cost;
			if (!reached[call->caller] && !is_in[call->caller])
				some += call->cost;
		}
		outside[i] = !reached[i] ? 1 : all > 0 ? some / all : 0;
	}
	free(reached);
	return outside;
}

void origins_charge_calls(struct origin_list *list, const struct origins *origins,
			  const bool *is_in)
{
	double *charged = heap_zeroed(origins->n_families, sizeof(*charged));
	double *outside = find_outside(origins, is_in);

	*list = (struct origin_list){ .all = NULL };
	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];
		double cost;

		if (!is_in[call->callee] || is_in[call->caller] || call->cost <= 0)
			continue;
		cost = call->cost * outside[call->caller];
		if (cost <= 0)
			continue;
		list->cost += (int128)cost;
		if (origins->owncode.is_own[call->caller])
			add_origin(list, origins, call, cost);
		else
			charge(origins, call->caller, (int128)cost, charged);
	}
	charge_lines(list, origins, is_in, charged);
	merge_lines(list);
	free(charged);
	free(outside);
}

uint64_t origins_count(const struct origins *origins, const bool *is_in)
{
	uint64_t n = 0;

	for (size_t i = 0; i < origins->n_calls; i++)
		if (is_in[origins->calls[i].callee] && !is_in[origins->calls[i].caller])
			n += origins->calls[i].count;
	return n;
}

void origin_list_release(struct origin_list *list)
{
	free(list->all);
}
