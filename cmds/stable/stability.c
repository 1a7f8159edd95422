/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each run's profile is compared with the first one's (profile/analysis/difference.h) and forgotten.
 * Functions that the first run has not are few: they are looked up one by one.
 */
#include "cmds/stable/stability.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/metric.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* -- causes, and runs with one thing changed ------------------------------- */

const struct cause_text cause_texts[N_CAUSES] = {
	[CAUSE_RUN] = { "run", "nothing was changed", false },
	[CAUSE_STACK] = { "stack", "size of the environment, and so the stack's address", false },
	[CAUSE_ENVIRONMENT] = { "environment", "other values of HOME, USER, TERM, TZ", false },
	[CAUSE_HEAP] = { "heap", "address of the heap", false },
	[CAUSE_LOAD] = { "load", "addresses of libraries and mappings", false },
	[CAUSE_TIME] = { "time", "the date", true },
	[CAUSE_CLOCK] = { "clock", "how fast time passes", true },
	[CAUSE_PID] = { "pid", "the number of the process", false },
	[CAUSE_THREADS] = { "threads", "when threads take turns", false },
	[CAUSE_RANDOM] = { "random", "random numbers of the system", true },
};

/*
 * Shifts are such that alignment to 16, 32 and 64 bytes and the page are others at least once.
 * The heap is never at the beginning of a page (PERTURBATION_HEAP), where malloc would save a
 * call of brk, which is no dependence.  The pid has more digits, date and time of day are others,
 * in another year.  The clock is faster, so that what runs for a time is sooner done, by more than a doubling
 * of iterations can hide.  With shorter blocks of code a turn, which is so many blocks, is shorter.
 */
const struct perturbation perturbations[] = {
	{ CAUSE_RUN, { .stack = 0 } },
	{ CAUSE_RUN, { .stack = 0 } },
	{ CAUSE_STACK, { .stack = 16 } },
	{ CAUSE_STACK, { .stack = 56 } },
	{ CAUSE_STACK, { .stack = 5000 } },
	{ CAUSE_ENVIRONMENT, { .other_environment = true } },
	{ CAUSE_HEAP, { .option = "--heap-shift=1072" } },
	{ CAUSE_HEAP, { .option = "--heap-shift=77840" } },
	{ CAUSE_LOAD, { .option = "--load-shift=17" } },
	{ CAUSE_TIME, { .option = "--clock-start=1807412521" } },
	{ CAUSE_CLOCK, { .option = "--clock-rate=3000" } },
	{ CAUSE_PID, { .pid = 23456 } },
	{ CAUSE_THREADS, { .option = "--vex-guest-max-insns=17" } },
	{ CAUSE_RANDOM, { .option = "--seed=1" } },
};

const size_t n_perturbations = sizeof(perturbations) / sizeof(perturbations[0]);

bool causes_add(unsigned *set, const char *list)
{
	while (true) {
		size_t len = strcspn(list, ",");
		unsigned i = 0;

		while (i < N_CAUSES && (strncmp(cause_texts[i].word, list, len) != 0 ||
					cause_texts[i].word[len] != '\0'))
			i++;
		if (i == N_CAUSES)
			return false;
		*set |= 1U << i;
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}

/* -- what depends on them -------------------------------------------------- */

static int read_profiles(struct model *model, const char *command, const char *const *paths,
			 size_t n)
{
	const struct loader_options options = { .command = command, .quiet = true };
	struct loaded loaded;

	if (!model_init(model, &heap_env))
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	return loader_read(model, &options, paths, n, &loaded);
}

/* The range of what is known so far takes another number in. */
static void widen(uint64_t *least, uint64_t *most, uint64_t number)
{
	if (number < *least)
		*least = number;
	if (number > *most)
		*most = number;
}

static void add_total(struct stability *stability, enum cause cause, uint64_t total)
{
	struct cause_sum *sum = &stability->causes[cause];

	if (sum->n_runs++ == 0)
		sum->least = sum->most = total;
	widen(&sum->least, &sum->most, total);
	widen(&stability->least, &stability->most, total);
}

/* Costs by an event, recorded or derived; of costgrind's own none can be below 0. */
static uint64_t count_of(const struct metric *metric, const uint64_t *costs)
{
	return (uint64_t)metric_value(metric, costs, false);
}

static int complain_of_event(const char *command, const char *event)
{
	const char *option = event_option(event);

	if (option)
		complain(command, "--event=%s: not recorded: expected %s%s, too", event, option,
			 strchr(option, '=') ? "" : "=yes");
	else
		complain(
			command,
			"--event=%s: no such event was recorded; 'costgrind help events' lists them",
			event);
	return EXIT_USAGE;
}

int stability_begin(struct stability *stability, const char *command, const char *event,
		    const char *const *paths, size_t n)
{
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct metrics metrics;
	size_t number;
	int code;

	*stability = (struct stability){ .event = event, .has_threads = n > 1 };
	arena_init(&stability->names, &heap_env);
	code = read_profiles(&stability->base, command, paths, n);
	if (code != EXIT_FINE)
		return code;
	if (!metrics_init(&metrics,
			  &(struct metric_source){ .events = stability->base.events,
						   .n_events = stability->base.n_events },
			  &stability->names))
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	number = event ? metrics_find(&metrics, event, strlen(event)) : metrics_main(&metrics);
	if (number == metrics.n)
		return complain_of_event(command, event);
	stability->event = metrics.all[number].name;
	stability->decimals = metrics.all[number].decimals;
	stability->of_base = calloc(stability->base.n_functions + 1, sizeof(*stability->of_base));
	if (!stability->of_base || !model_totals(&stability->base, totals))
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	stability->total = count_of(&metrics.all[number], totals);
	stability->least = stability->most = stability->total;
	add_total(stability, CAUSE_RUN, stability->total);
	return EXIT_FINE;
}

static struct unstable *append(struct stability *stability)
{
	if (stability->n_functions == stability->capacity) {
		size_t capacity = stability->capacity ? 2 * stability->capacity : 64;
		struct unstable *functions =
			realloc(stability->functions, capacity * sizeof(*functions));

		if (!functions)
			return NULL;
		stability->functions = functions;
		stability->capacity = capacity;
	}
	return &stability->functions[stability->n_functions++];
}

/* The entry of a row that the first run has not. */
static struct unstable *find_new(struct stability *stability, const char *const *names)
{
	struct unstable *entry;

	for (size_t i = 0; i < stability->n_functions; i++) {
		entry = &stability->functions[i];
		if (entry->usual == 0 && strcmp(entry->function, names[NAME_FUNCTION]) == 0 &&
		    strcmp(entry->file, names[NAME_FILE]) == 0 &&
		    strcmp(entry->object, names[NAME_OBJECT]) == 0)
			return entry;
	}
	entry = append(stability);
	if (!entry)
		return NULL;
	*entry = (struct unstable){
		.object = arena_copy(&stability->names, names[NAME_OBJECT],
				     strlen(names[NAME_OBJECT])),
		.file = arena_copy(&stability->names, names[NAME_FILE], strlen(names[NAME_FILE])),
		.function = arena_copy(&stability->names, names[NAME_FUNCTION],
				       strlen(names[NAME_FUNCTION])),
	};
	if (entry->object && entry->file && entry->function)
		return entry;
	stability->n_functions--;
	return NULL;
}

static struct unstable *find_entry(struct stability *stability, const struct difference *difference,
				   size_t row, uint64_t usual)
{
	uint32_t function = difference->rows[row].old_function;
	const char *names[N_NAME_KINDS];
	struct unstable *entry;

	for (unsigned kind = 0; kind < N_NAME_KINDS; kind++)
		names[kind] = difference_name(difference, row, (enum name_kind)kind).text;
	if (function == MODEL_NO_FUNCTION)
		return find_new(stability, names);
	if (stability->of_base[function] > 0)
		return &stability->functions[stability->of_base[function] - 1];
	entry = append(stability);
	if (!entry)
		return NULL;
	*entry = (struct unstable){
		/* They are in memory of the first run's model, to which the row belongs. */
		.object = difference_old_name(difference, row, NAME_OBJECT).text,
		.file = difference_old_name(difference, row, NAME_FILE).text,
		.function = difference_old_name(difference, row, NAME_FUNCTION).text,
		.usual = usual,
		.least = usual,
		.most = usual,
	};
	stability->of_base[function] = stability->n_functions;
	return entry;
}

static bool add_rows(struct stability *stability, const struct difference *difference,
		     enum cause cause, const struct metric *metric)
{
	for (size_t row = 0; row < difference->n_rows; row++) {
		uint64_t usual = count_of(metric, difference_self(difference, row, false));
		uint64_t count = count_of(metric, difference_self(difference, row, true));
		struct unstable *entry;

		if (usual == count)
			continue;
		entry = find_entry(stability, difference, row, usual);
		if (!entry)
			return false;
		widen(&entry->least, &entry->most, count);
		entry->causes |= 1U << cause;
	}
	return true;
}

int stability_add(struct stability *stability, const char *command, enum cause cause,
		  const char *const *paths, size_t n)
{
	struct difference difference = { .env = &heap_env };
	struct model model;
	int code = read_profiles(&model, command, paths, n);

	difference.old_costs.env = difference.new_costs.env = &heap_env;
	arena_init(&difference.arena, &heap_env);
	if (code == EXIT_FINE) {
		struct metrics metrics;
		size_t number = 0;
		int status = difference_init(&difference, &stability->base, &model, 0, &heap_env);

		if (!status && !difference_metric(&difference, &metrics, &difference.arena))
			status = PROFILE_NO_MEMORY;
		if (!status)
			number = metrics_find(&metrics, stability->event, strlen(stability->event));
		if (!status && number == metrics.n)
			status = PROFILE_EVENTS;
		if (!status && !add_rows(stability, &difference, cause, &metrics.all[number]))
			status = PROFILE_NO_MEMORY;
		if (status)
			code = complain_status(command, NULL, (enum profile_status)status);
		else
			add_total(stability, cause,
				  count_of(&metrics.all[number], difference.new_totals));
	}
	difference_release(&difference);
	model_release(&model);
	return code;
}

static int by_spread(const void *a, const void *b)
{
	const struct unstable *one = a, *other = b;
	uint64_t spread = one->most - one->least, other_spread = other->most - other->least;
	int order;

	if (spread != other_spread)
		return spread > other_spread ? -1 : 1;
	order = strcmp(one->function, other->function);
	if (order == 0)
		order = strcmp(one->file, other->file);
	return order ? order : strcmp(one->object, other->object);
}

bool stability_is_doubtful(const struct stability *stability)
{
	bool doubtful = stability->has_threads;

	for (size_t i = 0; i < stability->n_functions && !doubtful; i++)
		doubtful = __builtin_popcount(stability->functions[i].causes) >= 3;
	return doubtful;
}

/* Of the causes that were seen, those that can be distinguished. */
static unsigned judge(unsigned causes, bool has_threads)
{
	const unsigned run = 1U << CAUSE_RUN, threads = 1U << CAUSE_THREADS;

	if (has_threads && (causes & (run | threads)))
		return threads;
	return (causes & run) ? run : causes;
}

void stability_finish(struct stability *stability, uint64_t threshold)
{
	if (stability->n_functions > 0)
		qsort(stability->functions, stability->n_functions, sizeof(*stability->functions),
		      by_spread);
	for (size_t i = 0; i < stability->n_functions; i++) {
		struct unstable *entry = &stability->functions[i];
		int128 spread = (int128)(entry->most - entry->least);

		stability->n_listed += spread * 1000000 >= (int128)stability->total * threshold;
		entry->causes = judge(entry->causes, stability->has_threads);
		for (unsigned cause = 0; cause < N_CAUSES; cause++)
			stability->causes[cause].n_functions += entry->causes >> cause & 1;
	}
}

void stability_release(struct stability *stability)
{
	model_release(&stability->base);
	arena_release(&stability->names);
	free(stability->functions);
	free(stability->of_base);
}
