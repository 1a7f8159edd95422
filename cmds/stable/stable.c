/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind stable: a stable run as it is, then others, each with one thing shifted, all
 * compared with the first.
 *
 * Each run's profile is compared with the first one's (profile/analysis/difference.h) and forgotten.
 * Functions that the first run has not are few: they are looked up one by one.
 */
#include "cmds/stable/stable.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/outfile.h"
#include "cmds/emit/document.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

static const char command[] = "stable";

/* -- causes, and runs with one thing changed ------------------------------- */

const struct stable_word stable_causes[N_CAUSES] = {
	[CAUSE_RUN] = { "run", "nothing was changed" },
	[CAUSE_STACK] = { "stack", "size of the environment, and so the stack's address" },
	[CAUSE_ENVIRONMENT] = { "environment", "other values of HOME, USER, TERM, TZ" },
	[CAUSE_HEAP] = { "heap", "address of the heap" },
	[CAUSE_LOAD] = { "load", "addresses of libraries and mappings" },
	[CAUSE_TIME] = { "time", "the date" },
	[CAUSE_CLOCK] = { "clock", "how fast time passes" },
	[CAUSE_PID] = { "pid", "the number of the process" },
	[CAUSE_THREADS] = { "threads", "when threads take turns" },
	[CAUSE_RANDOM] = { "random", "random numbers of the system" },
};

/* Causes that are seen with --deterministic=yes only. */
enum { CAUSES_OF_MACHINE = 1 << CAUSE_TIME | 1 << CAUSE_CLOCK | 1 << CAUSE_RANDOM };

/* Options for Valgrind that all runs have. */
#define PERTURBATION_HEAP    "--heap-shift=16"
#define PERTURBATION_THREADS "--separate-threads=yes"

struct perturbation {
	enum cause cause;
	struct stablerun_shift shift;
};

/*
 * All of them: the first is the run that others are compared with.
 *
 * Shifts are such that alignment to 16, 32 and 64 bytes and the page are others at least once.
 * The heap is never at the beginning of a page (PERTURBATION_HEAP), where malloc would save a
 * call of brk, which is no dependence.  The pid has more digits, date and time of day are others,
 * in another year.  The clock is faster, so that what runs for a time is sooner done, by more than a doubling
 * of iterations can hide.  With shorter blocks of code a turn, which is a number of blocks, is shorter.
 */
static const struct perturbation perturbations[] = {
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

enum { N_PERTURBATIONS = sizeof(perturbations) / sizeof(perturbations[0]) };

/* -- what depends on them ---------------------------------------------------------------- */

/* A function whose own count is not the same in all runs. */
struct unstable {
	const char *object, *file, *function; /* "???" = not known */
	uint64_t usual;                       /* the first run's count */
	uint64_t least, most;
	unsigned causes; /* bits of enum cause */
};

/* What runs of one cause came to. */
struct cause_sum {
	unsigned n_runs;
	uint64_t least, most; /* totals */
	size_t n_functions;   /* that had other counts; once all runs are there */
};

/* Fields are for reading. */
struct stability {
	const char *event;
	struct decimals decimals; /* of its counts */
	struct model base;        /* the first run */
	uint64_t total;           /* of the first run */
	uint64_t least, most;     /* totals of all runs */
	struct cause_sum sums[N_CAUSES];
	struct unstable *functions; /* after stability_finish(): by spread, the largest first */
	size_t n_functions, capacity;
	size_t n_listed;    /* the first of them, which spread by the threshold or more */
	bool has_threads;   /* the first run had several */
	size_t *of_base;    /* by function of base: index in functions + 1; 0 = none */
	struct arena names; /* of functions that the first run has not */
	unsigned skipped;   /* bits of causes that were not tried... */
	const char *reasons[N_CAUSES]; /* ... and why not */
	bool exits_differ;             /* runs ended in different ways */
};

static int read_profiles(struct model *model, const char *const *paths, size_t n)
{
	const struct loader_options options = { .command = command, .quiet = true };
	struct loaded loaded;

	model_init(model);
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
	struct cause_sum *sum = &stability->sums[cause];

	if (sum->n_runs++ == 0)
		sum->least = sum->most = total;
	widen(&sum->least, &sum->most, total);
	widen(&stability->least, &stability->most, total);
}

/* Costs by an event, recorded or derived; none of costgrind's own can be below 0. */
static uint64_t count_of(const struct metric *metric, const uint64_t *costs)
{
	return (uint64_t)metric_value(metric, costs, false);
}

/*
 * Begins with the profiles of the first run, one for each of its n threads.  event may be a derived
 * one; NULL is metrics_main() of theirs.  Returns an exit code, having printed a message.  Release it in
 * any case.
 */
static int stability_begin(struct stability *stability, const char *event, const char *const *paths,
			   size_t n)
{
	const struct model *base = &stability->base;
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct metrics metrics;
	size_t number;
	int code;

	arena_init(&stability->names);
	code = read_profiles(&stability->base, paths, n);
	if (code != EXIT_FINE)
		return code;
	metrics_init(&metrics,
		     &(struct metric_source){ .events = base->events, .n_events = base->n_events },
		     &stability->names);
	number = event ? metrics_find(&metrics, event, strlen(event)) : metrics_main(&metrics);
	if (number == metrics.n) {
		const char *option = event_option(event);

		if (option)
			complain(command, "--event=%s: not recorded: expected %s%s, too", event,
				 option, strchr(option, '=') ? "" : "=yes");
		else
			complain(command,
				 "--event=%s: no such event was recorded; 'costgrind help events' "
				 "lists them",
				 event);
		return EXIT_USAGE;
	}
	stability->event = metrics.all[number].name;
	stability->decimals = metrics.all[number].decimals;
	stability->of_base = heap_zeroed(base->n_functions, sizeof(*stability->of_base));
	if (!model_totals(base, totals))
		return complain_status(command, NULL, PROFILE_RANGE);
	stability->total = count_of(&metrics.all[number], totals);
	stability->least = stability->most = stability->total;
	add_total(stability, CAUSE_RUN, stability->total);
	return EXIT_FINE;
}

static struct unstable *append(struct stability *stability)
{
	stability->functions = heap_grow(stability->functions, &stability->capacity,
					 stability->n_functions + 1, sizeof(*stability->functions));
	return &stability->functions[stability->n_functions++];
}

static const char *keep_name(struct stability *stability, const char *name)
{
	return arena_copy(&stability->names, name, strlen(name));
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
	*entry = (struct unstable){
		.object = keep_name(stability, names[NAME_OBJECT]),
		.file = keep_name(stability, names[NAME_FILE]),
		.function = keep_name(stability, names[NAME_FUNCTION]),
	};
	return entry;
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

/* Adds the profiles of another run; returns the same. */
static int stability_add(struct stability *stability, enum cause cause, const char *const *paths,
			 size_t n)
{
	struct difference difference = { .n_rows = 0 };
	const struct metric *metric = NULL;
	struct metrics metrics;
	struct model model;
	int code = read_profiles(&model, paths, n), status = PROFILE_OK;

	arena_init(&difference.arena);
	if (code == EXIT_FINE)
		status = difference_init(&difference, &stability->base, &model, 0);
	if (code == EXIT_FINE && !status) {
		size_t number;

		difference_metric(&difference, &metrics, &difference.arena);
		number = metrics_find(&metrics, stability->event, strlen(stability->event));
		metric = &metrics.all[number];
		status = number == metrics.n ? PROFILE_EVENTS : PROFILE_OK;
	}
	if (status)
		code = complain_status(command, NULL, status);
	if (code == EXIT_FINE)
		add_total(stability, cause, count_of(metric, difference.new_totals));
	for (size_t row = 0; code == EXIT_FINE && row < difference.n_rows; row++) {
		uint64_t usual = count_of(metric, difference_self(&difference, row, false));
		uint64_t count = count_of(metric, difference_self(&difference, row, true));

		if (usual != count) {
			struct unstable *entry = find_entry(stability, &difference, row, usual);

			widen(&entry->least, &entry->most, count);
			entry->causes |= 1U << cause;
		}
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

/*
 * True if there may be chance in what was seen so far: there are threads, or a function depends
 * on three things or more.
 */
static bool stability_is_doubtful(const struct stability *stability)
{
	bool doubtful = stability->has_threads;

	for (size_t i = 0; i < stability->n_functions && !doubtful; i++)
		doubtful = __builtin_popcount(stability->functions[i].causes) >= 3;
	return doubtful;
}

/*
 * All runs are there.  threshold is in millionths of the total.  Where a count differs with nothing
 * changed, no other cause can be identified; if there are threads, they are the cause: which one runs when
 * another begins or wakes up is the system's choice.  Nor can a cause be identified where counts depend on turns.
 */
static void stability_finish(struct stability *stability, uint64_t threshold)
{
	const unsigned run = 1U << CAUSE_RUN, threads = 1U << CAUSE_THREADS;

	if (stability->n_functions > 0)
		qsort(stability->functions, stability->n_functions, sizeof(*stability->functions),
		      by_spread);
	for (size_t i = 0; i < stability->n_functions; i++) {
		struct unstable *entry = &stability->functions[i];
		int128 spread = (int128)(entry->most - entry->least);

		stability->n_listed += spread * 1000000 >= (int128)stability->total * threshold;
		if (stability->has_threads && (entry->causes & (run | threads)))
			entry->causes = threads;
		else if (entry->causes & run)
			entry->causes = run;
		for (unsigned cause = 0; cause < N_CAUSES; cause++)
			stability->sums[cause].n_functions += entry->causes >> cause & 1;
	}
}

static void stability_release(struct stability *stability)
{
	model_release(&stability->base);
	arena_release(&stability->names);
	free(stability->functions);
	free(stability->of_base);
}

/* -- report ----------------------------------------------------------------------------- */

enum {
	NAME_TEXT = 4096, /* bytes of a name in a table; longer ones are cut */
	TITLE_TEXT = 256, /* of "least Ir" */
	JSON_VERSION = 1,
};

/* True if nothing depends on anything. */
static bool is_stable(const struct stability *stability)
{
	return stability->n_listed == 0 && !stability->exits_differ;
}

/* -- ranges ---------------------------------------------------------------------------- */

/* What both tables have: columns from least to percent, whose titles name the event. */
struct range {
	char least[TITLE_TEXT], most[TITLE_TEXT];
};

enum { RANGE_COLUMNS = 4 };

static void make_range(struct range *range, struct document_column columns[RANGE_COLUMNS],
		       const char *event)
{
	snprintf(range->least, TITLE_TEXT, "least %s", event);
	snprintf(range->most, TITLE_TEXT, "most %s", event);
	columns[0] = (struct document_column){ .title = range->least, .key = "least" };
	columns[1] = (struct document_column){ .title = range->most, .key = "most" };
	columns[2] = (struct document_column){ .title = "spread", .key = "spread" };
	columns[3] = (struct document_column){ .title = "%", .key = "percent" };
}

static struct cell count_cell(const struct stability *stability, uint64_t count)
{
	return cell_decimal(cell_count(count), stability->decimals);
}

static void put_range(struct document *document, const struct stability *stability, uint64_t least,
		      uint64_t most)
{
	document_cell(document, count_cell(stability, least));
	document_cell(document, count_cell(stability, most));
	document_cell(document, count_cell(stability, most - least));
	document_cell(document, cell_share((int128)(most - least), stability->total));
}

/* -- totals ---------------------------------------------------------------------------- */

/* People read below the table what was not tried. */
static void put_cause_rows(struct document *document, void *ctx)
{
	const struct stability *stability = ctx;

	for (unsigned i = 0; i < N_CAUSES; i++) {
		const struct cause_sum *sum = &stability->sums[i];
		bool was_tried = sum->n_runs > 0;
		char text[256];

		if (!was_tried && (document_is_prose(document) || !(stability->skipped >> i & 1)))
			continue;
		document_cell(document, cell_string(stable_causes[i].word));
		document_cell(document, cell_string(stable_causes[i].text));
		document_cell(document, cell_count(sum->n_runs));
		if (was_tried)
			put_range(document, stability, sum->least, sum->most);
		for (size_t j = 0; !was_tried && j < RANGE_COLUMNS; j++)
			document_cell(document, cell_none);
		document_cell(document,
			      was_tried ? cell_count((int128)sum->n_functions) : cell_none);
		document_cell(document, was_tried ? cell_none : cell_string(stability->reasons[i]));
		snprintf(text, sizeof(text), "%s: %s", stable_causes[i].word,
			 stable_causes[i].text);
		document_cell(document, cell_string(text));
	}
}

static void put_causes(struct document *document, struct stability *stability)
{
	struct range range = { "", "" };
	struct document_column columns[] = {
		{ .key = "cause" },
		{ .key = "changed" },
		{ .title = "runs", .key = "runs" },
		{ .title = NULL },
		{ .title = NULL },
		{ .title = NULL },
		{ .title = NULL },
		{ .title = "functions", .key = "functions" },
		{ .key = "not_tried" },
		{ .title = "changed" },
	};
	const struct document_table table = {
		.key = "causes",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_cause_rows,
		.ctx = stability,
	};

	make_range(&range, columns + 3, stability->event);
	document_table(document, &table);
	for (unsigned i = 0; i < N_CAUSES; i++)
		if (stability->skipped >> i & 1)
			document_prose(document, "not tried: %s: %s\n", stable_causes[i].word,
				       stability->reasons[i]);
}

/* -- functions ------------------------------------------------------------------------- */

static struct cell known(const char *name)
{
	return cell_string(strcmp(name, "???") != 0 ? name : NULL);
}

static void put_function_rows(struct document *document, void *ctx)
{
	const struct stability *stability = ctx;

	for (size_t i = 0; i < stability->n_listed; i++) {
		const struct unstable *function = &stability->functions[i];
		bool has_object = strcmp(function->object, "???") != 0;
		const char *dependences[N_CAUSES];
		char words[NAME_TEXT] = "", name[NAME_TEXT];
		size_t n = 0;

		for (unsigned cause = 0; cause < N_CAUSES; cause++) {
			if (!(function->causes >> cause & 1))
				continue;
			dependences[n++] = stable_causes[cause].word;
			stable_note(words, sizeof(words), stable_causes[cause].word);
		}
		document_cell(document, known(function->object));
		document_cell(document, known(function->file));
		document_cell(document, cell_string(function->function));
		put_range(document, stability, function->least, function->most);
		document_cell(document, cell_list(dependences, n));
		document_cell(document, cell_string(words));
		snprintf(name, sizeof(name), "%s:%s%s%s%s", function->file, function->function,
			 has_object ? " [" : "", has_object ? function->object : "",
			 has_object ? "]" : "");
		document_cell(document, cell_string(name));
	}
}

static void put_functions(struct document *document, struct stability *stability)
{
	struct range range = { "", "" };
	struct document_column columns[] = {
		{ .key = "object" },     { .key = "file" },       { .key = "function" },
		{ .title = NULL },       { .title = NULL },       { .title = NULL },
		{ .title = NULL },       { .key = "depends_on" }, { .title = "depends on" },
		{ .title = "function" },
	};
	const struct document_table table = {
		.key = "functions",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_function_rows,
		.ctx = stability,
	};
	char below[64] = "";

	if (stability->n_listed < stability->n_functions)
		snprintf(below, sizeof(below), "; %zu below --threshold",
			 stability->n_functions - stability->n_listed);
	document_heading(document, "Functions", ": %zu changed themselves%s",
			 stability->n_functions, below);
	document_value(document, "changed", cell_count((int128)stability->n_functions));
	make_range(&range, columns + 3, stability->event);
	document_table(document, &table);
}

/* Writes the report on PROG and ARGS in the format of a back end; errors of writing stay in the stream. */
static void print_report(struct stability *stability, char *const *program,
			 const struct document_backend *backend, FILE *out)
{
	uint64_t spread = stability->most - stability->least;
	struct document document;
	size_t n = 0;

	document_begin(&document, backend, out, NULL, 0, 0);
	document_value(&document, "format", cell_string("costgrind-stable"));
	document_value(&document, "version", cell_count(JSON_VERSION));
	document_prose(&document, "PROGRAM ");
	for (; program[n]; n++) {
		document_prose(&document, " ");
		document_name(&document, program[n]);
	}
	document_prose(&document, "\n");
	document_value(&document, "program", cell_list((const char *const *)program, n));
	document_value(&document, "event", cell_string(stability->event));
	document_value(&document, "stable", cell_bool(is_stable(stability)));
	document_value(&document, "exits_differ", cell_bool(stability->exits_differ));
	document_heading(&document, "Totals", "%s", "");
	document_object(&document, "total", true);
	document_value(&document, "least", count_cell(stability, stability->least));
	document_value(&document, "most", count_cell(stability, stability->most));
	document_value(&document, "spread", count_cell(stability, spread));
	document_value(&document, "percent", cell_share((int128)spread, stability->total));
	document_close(&document);
	put_causes(&document, stability);
	put_functions(&document, stability);
	if (stability->exits_differ)
		document_prose(&document, "\nruns ended with different exit statuses\n");
	document_prose(&document, "\n%s\n", is_stable(stability) ? "stable" : "unstable");
	document_end(&document);
}

/* -- the command ------------------------------------------------------------------------ */

enum {
	MAX_JOBS = 16,
	MAX_TRIALS = 32, /* more than there are */
	OWN_OPTIONS = 4,
	MORE_RUNS = 6,         /* with nothing changed, where there may be chance in it */
	TRIALS_THREADS = 1000, /* threads have lower numbers */
};

struct stabling {
	struct stable_keep keep; /* first: the context of --keep and --keep-env */
	const char *event;       /* NULL = the main one, as in every view */
	uint64_t threshold;      /* millionths of the total */
	unsigned causes;         /* bits of those to try */
	unsigned long long jobs;
	const struct document_backend *backend;
	const char *output;    /* NULL = standard output */
	struct runwords words; /* with options of our own */
	bool is_quiet;
	struct trials trials;
	enum cause changed[MAX_TRIALS]; /* by trial */
	struct arena arena;
	const char *paths[TRIALS_THREADS]; /* of the profiles of one trial */
	struct stability stability;
};

/* -- options --------------------------------------------------------------------------- */

static const char *set_causes(void *ctx, const char *value)
{
	struct stabling *stabling = ctx;

	stabling->causes = 1U << CAUSE_RUN;
	return stable_words_add(&stabling->causes, value, stable_causes, N_CAUSES)
		       ? NULL
		       : "run, stack, environment, heap, load, time, clock, pid, threads, random";
}

const struct option_rule stable_options[] = {
	{ "--causes", 0, OPTION_VALUE, "A,B",
	  "Shift these, in one or a few runs each [all]: stack, environment, heap, load,\n"
	  "time, clock, pid, threads, random; run: nothing, which is always tried",
	  OPTION_CALL(set_causes) },
	{ "--event", 0, OPTION_VALUE, "A",
	  "Compare counts of this event, recorded or derived [Ir; Cyc with --cache-sim=yes,\n"
	  "which cycles and cache events need, too]",
	  OPTION_TEXT(struct stabling, event, "the name of an event") },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "List what differs by at least N percent of the total, ignore the rest [0.02]",
	  OPTION_PERCENT(struct stabling, threshold) },
	{ "--format", 0, OPTION_VALUE, "text|json", "Output format [text]",
	  OPTION_FORMAT(struct stabling, backend) },
	{ "--output", 'o', OPTION_VALUE, "FILE", "Write the report to FILE",
	  OPTION_TEXT(struct stabling, output, "the name of a file") },
	{ "--jobs", 'j', OPTION_VALUE, "N", "Number of runs at a time [2]",
	  OPTION_COUNT(struct stabling, jobs, "a number from 1 to 16", 1, MAX_JOBS) },
	{ "--keep", 0, OPTION_VALUE, "A,B", "Same as in costgrind run --stable",
	  OPTION_CALL(stable_set_keep) },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME", "Same as in costgrind run --stable",
	  OPTION_CALL(stable_set_keep_env) },
	{ .name = NULL },
};

/* -- work ------------------------------------------------------------------------------ */

/* The user's options, and options that make runs quick and silent. */
static void add_options(struct runwords *words)
{
	static char quiet[] = "-q", no_caches[] = "--cache-sim=no";
	static char heap[] = PERTURBATION_HEAP, threads[] = PERTURBATION_THREADS;
	bool has_caches = runwords_has(words, "--cache-sim");

	words->options = heap_resize(words->options,
				     (words->n_options + OWN_OPTIONS) * sizeof(*words->options));
	words->options[words->n_options++] = quiet;
	words->options[words->n_options++] = heap;
	words->options[words->n_options++] = threads;
	if (!has_caches)
		words->options[words->n_options++] = no_caches;
	words->quiet = true;
}

/*
 * Starts a run when there is room for it; false if that failed, or a signal came.  What it writes to standard output
 * is dropped; to standard error too, unless it is the first.
 */
static bool start(struct stabling *stabling, const struct perturbation *perturbation)
{
	struct trials *trials = &stabling->trials;
	bool is_first = trials->n == 0;
	char path[LAUNCH_PATH];
	const struct stablerun run = {
		.command = command,
		.words = &stabling->words,
		.keep = &stabling->keep,
		.quiet = stabling->is_quiet || !is_first,
		.out_file = path,
		.shift = perturbation->shift,
	};
	pid_t child;

	if (trials->n == MAX_TRIALS || !trials_wait(trials, (size_t)stabling->jobs - 1))
		return false;
	stabling->changed[trials->n] = perturbation->cause;
	snprintf(path, sizeof(path), "%.*s/profile.%zu", LAUNCH_PATH - 32, trials->folder,
		 trials->n);
	child = trials_fork(trials);
	if (child == 0) {
		if (!trials_redirect(trials, -1, is_first ? STDERR_FILENO : -1)) {
			complain(command, "/dev/null: %s", strerror(errno));
			_exit(EXIT_FAILED);
		}
		_exit(stablerun(&run));
	}
	return child > 0;
}

/* The exit status after a run that wrote no profile: its own if it has said why, else ours, with a message. */
static int explain_absence(const struct stabling *stabling, size_t trial)
{
	int status = stabling->trials.all[trial].status;

	if (trial > 0 && trial < MAX_TRIALS)
		complain(command, "no profile of the run with another %s: expected one",
			 stable_causes[stabling->changed[trial]].word);
	else if (WIFSIGNALED(status) || WEXITSTATUS(status) == EXIT_FINE)
		complain(command, "%s: no profile was written", stabling->words.program[0]);
	else
		return WEXITSTATUS(status);
	return EXIT_FAILED;
}

/* Warns of a program that fails, maybe for want of what a stable run takes away, and of turns of threads. */
static void warn_of_first(const struct stabling *stabling, int status)
{
	char path[LAUNCH_PATH], version[128];

	if (WIFSIGNALED(status))
		warn(command, "the program was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		warn(command,
		     "the program exited with %d (if it needs a variable: --keep-env=NAME; "
		     "run --stable --print lists what it is given)",
		     WEXITSTATUS(status));
	if (stabling->stability.has_threads &&
	    !stable_keeps(&stabling->keep, STABLE_ITEM_THREADS) &&
	    launch_find(launch_valgrind(), path, sizeof(path)) &&
	    launch_version(path, version, sizeof(version)) && launch_lacks_fair_sched(version))
		warn(command,
		     "threads take turns as they like: --fair-sched=yes does not work in %s, but "
		     "in 3.28",
		     version);
}

/* Takes the profiles of a trial, of all threads; an exit code. */
static int take_profiles(struct stabling *stabling, size_t trial)
{
	const struct trials *trials = &stabling->trials;
	size_t n = 0;

	for (unsigned thread = 1; thread < TRIALS_THREADS; thread++) {
		char path[LAUNCH_PATH];

		snprintf(path, sizeof(path), "%.*s/profile.%zu-%02u", LAUNCH_PATH - 64,
			 trials->folder, trial, thread);
		if (access(path, R_OK) == 0)
			stabling->paths[n++] = arena_copy(&stabling->arena, path, strlen(path));
	}
	if (n == 0)
		return explain_absence(stabling, trial);
	if (trial > 0 && trial < MAX_TRIALS) {
		stabling->stability.exits_differ |= trials->all[trial].status !=
						    trials->all[0].status;
		return stability_add(&stabling->stability, stabling->changed[trial],
				     stabling->paths, n);
	}
	stabling->stability.has_threads = n > 1;
	warn_of_first(stabling, trials->all[0].status);
	return stability_begin(&stabling->stability, stabling->event, stabling->paths, n);
}

/* Why a cause cannot be tried; NULL = it can. */
static const char *obstacle(const struct stabling *stabling, enum cause cause)
{
	const struct model *base = &stabling->stability.base;
	const char *deterministic = runwords_value(&stabling->words, "--deterministic");
	bool is_machine = !stable_keeps(&stabling->keep, STABLE_ITEM_MACHINE) &&
			  !(deterministic && strcmp(deterministic, "no") == 0);

	if ((CAUSES_OF_MACHINE >> cause & 1) && !is_machine)
		return "it is the system's (--keep=machine)";
	if (cause == CAUSE_PID && !(base->n_parts > 0 && base->parts[0].header.has_pid &&
				    base->parts[0].header.pid == STABLERUN_PID))
		return "there is no namespace of pids, so each run has another one";
	return NULL;
}

/* Waits for the runs that were started, and takes their profiles; an exit code. */
static int finish_runs(struct stabling *stabling, size_t first)
{
	int code = trials_wait(&stabling->trials, 0) ? EXIT_FINE : EXIT_FAILED;

	for (size_t trial = first; code == EXIT_FINE && trial < stabling->trials.n; trial++)
		code = take_profiles(stabling, trial);
	return code;
}

/* All runs and their comparison: the first one, the others, and more with nothing changed. */
static int run_all(struct stabling *stabling)
{
	struct stability *stability = &stabling->stability;
	size_t n;
	int code;

	if (!start(stabling, &perturbations[0]))
		return EXIT_FAILED;
	code = finish_runs(stabling, 0);
	if (code != EXIT_FINE)
		return code;
	for (size_t i = 1; i < N_PERTURBATIONS; i++) {
		enum cause cause = perturbations[i].cause;

		if (!(stabling->causes >> cause & 1))
			continue;
		stability->reasons[cause] = obstacle(stabling, cause);
		if (stability->reasons[cause])
			stability->skipped |= 1U << cause;
		else if (!start(stabling, &perturbations[i]))
			return EXIT_FAILED;
	}
	code = finish_runs(stabling, 1);
	if (code != EXIT_FINE || !stability_is_doubtful(stability))
		return code;
	n = stabling->trials.n;
	for (unsigned i = 0; i < MORE_RUNS; i++)
		if (!start(stabling, &perturbations[0]))
			return EXIT_FAILED;
	return finish_runs(stabling, n);
}

static int check(struct stabling *stabling)
{
	struct stability *stability = &stabling->stability;
	struct printout printout;
	int code;

	stabling->is_quiet = stabling->words.quiet;
	arena_init(&stabling->arena);
	add_options(&stabling->words);
	code = trials_init(&stabling->trials, command);
	if (code == EXIT_FINE)
		code = run_all(stabling);
	trials_release(&stabling->trials);
	if (code == EXIT_FINE) {
		stability_finish(stability, stabling->threshold);
		code = EXIT_FAILED;
		if (printout_open(&printout, command, stabling->output,
				  stabling->backend == &document_text &&
					  !stabling->words.no_pager)) {
			print_report(stability, stabling->words.program, stabling->backend,
				     printout.out);
			if (printout_close(&printout, command))
				code = is_stable(stability) ? EXIT_FINE : EXIT_LIMIT;
		}
	}
	stability_release(stability);
	arena_release(&stabling->arena);
	return code;
}

int stable_main(int argc, char **argv)
{
	struct stabling *stabling = heap_zeroed(1, sizeof(*stabling));
	int code;

	stabling->keep.vars = heap_alloc((size_t)argc * sizeof(*stabling->keep.vars));
	stabling->threshold = 200;
	stabling->causes = ~0U;
	stabling->jobs = 2;
	stabling->backend = &document_text;
	code = runwords_read(&stabling->words, stable_options, argv, stabling, NULL);
	if (code == OPTIONS_GO_ON)
		code = check(stabling);
	runwords_release(&stabling->words);
	free(stabling->keep.vars);
	free(stabling);
	return code;
}
