/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind stable: a stable run as it is, then others, each with one thing shifted, all
 * compared with the first.
 *
 * Each run's profile is compared with the first one's (profile/analysis/difference.h) and forgotten.
 * Functions that the first run has not are few: they are looked up one by one.
 */
#include "cmds/stable/stable.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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
#include "cmds/stable/sandbox.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- runs ------------------------------------------------------------------------------- */

enum { TRIALS_MAX = 32 };

/* Fields are for reading. */
struct trials {
	const char *command; /* for messages */
	char folder[LAUNCH_PATH];
	int input; /* what all of them read, from its beginning; -1 = /dev/null */
	size_t n;
	pid_t pids[TRIALS_MAX];   /* 0 = has ended */
	int statuses[TRIALS_MAX]; /* as of waitpid() */
	int interrupted;          /* by which signal; 0 = not */
	void *signals;            /* private */
};

enum { TRIALS_THREADS = 1000 }; /* threads have lower numbers */

static int fail(const struct trials *trials, const char *what)
{
	complain(trials->command, "%s: %s", what, strerror(errno));
	return EXIT_FAILED;
}

static void choose_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

/*
 * Makes the folder and takes standard input.  Until trials_release() no signal ends this process
 * (the runs and the folder would stay behind): trials_wait() says that one has come.  Returns
 * an exit code, having printed a message.
 */
static int trials_init(struct trials *trials, const char *command)
{
	const char *parent = getenv("TMPDIR");
	bool is_open;
	sigset_t set;

	*trials = (struct trials){ .command = command, .input = -1 };
	snprintf(trials->folder, sizeof(trials->folder), "%s/costgrind.XXXXXX",
		 parent && parent[0] == '/' ? parent : "/tmp");
	if (!mkdtemp(trials->folder)) {
		int code = fail(trials, trials->folder);

		trials->folder[0] = '\0';
		return code;
	}
	trials->signals = heap_zeroed(1, sizeof(set));
	choose_signals(&set);
	sigprocmask(SIG_BLOCK, &set, trials->signals);
	signal(SIGCHLD, SIG_DFL); /* whoever ignores it gets no status of children */
	trials->input = relay_input(&is_open);
	if (trials->input < 0)
		return fail(trials, "standard input");
	if (is_open) {
		warn(command, "standard input is a pipe from which nothing comes: the program "
			      "will read /dev/null");
		close(trials->input);
		trials->input = -1;
	}
	return EXIT_FINE;
}

/* The name of the profile of one of its threads, 1 to TRIALS_THREADS - 1; false if it has none. */
static bool trials_thread(const struct trials *trials, size_t i, unsigned thread, char *path)
{
	snprintf(path, LAUNCH_PATH, "%.*s/profile.%zu-%02u", LAUNCH_PATH - 64, trials->folder, i,
		 thread);
	return access(path, R_OK) == 0;
}

/* Children of the program that were forked have written profiles, too. */
static void remove_folder(const struct trials *trials)
{
	DIR *folder = trials->folder[0] ? opendir(trials->folder) : NULL;
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	if (trials->folder[0])
		rmdir(trials->folder);
}

/* Removes everything; ends this process if a signal has come. */
static void trials_release(struct trials *trials)
{
	remove_folder(trials);
	if (trials->input > STDERR_FILENO)
		close(trials->input);
	if (trials->interrupted)
		raise(trials->interrupted); /* when it is let through */
	if (trials->signals)
		sigprocmask(SIG_SETMASK, trials->signals, NULL);
	free(trials->signals);
}

/* Each run reads from the beginning: a descriptor of its own, if the file can have one. */
static bool open_input(const struct trials *trials)
{
	char path[64];
	int fd = -1;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", trials->input);
	if (trials->input >= 0)
		fd = open(path, O_RDONLY);
	if (fd < 0)
		fd = open("/dev/null", O_RDONLY);
	if (fd < 0 || (fd != STDIN_FILENO && dup2(fd, STDIN_FILENO) < 0))
		return false;
	if (fd != STDIN_FILENO)
		close(fd);
	return true;
}

static bool drop_output(bool is_heard)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	return fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 &&
	       (is_heard || dup2(fd, STDERR_FILENO) >= 0);
}

/*
 * Starts a run, whose number is trials->n before.  What it writes to standard output is
 * dropped; to standard error too, unless is_heard.  False with a message if that failed.
 */
static bool trials_start(struct trials *trials, const struct stablerun *run, bool is_heard)
{
	size_t i = trials->n;
	pid_t child;

	fflush(stdout);
	child = i < TRIALS_MAX ? fork() : -1;
	if (child == 0) {
		char path[LAUNCH_PATH];
		struct stablerun own = *run;

		sigprocmask(SIG_SETMASK, trials->signals, NULL);
		snprintf(path, sizeof(path), "%.*s/profile.%zu", LAUNCH_PATH - 32, trials->folder,
			 i);
		own.out_file = path;
		if (!open_input(trials) || !drop_output(is_heard))
			_exit(fail(trials, "/dev/null"));
		_exit(stablerun(&own));
	}
	if (child < 0) {
		fail(trials, "fork");
		return false;
	}
	trials->pids[trials->n++] = child;
	return true;
}

static size_t count_running(const struct trials *trials)
{
	size_t n = 0;

	for (size_t i = 0; i < trials->n; i++)
		n += trials->pids[i] != 0;
	return n;
}

static void reap(struct trials *trials)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < trials->n; i++)
			if (trials->pids[i] == pid) {
				trials->pids[i] = 0;
				trials->statuses[i] = status;
			}
}

static void interrupt(struct trials *trials, int number)
{
	trials->interrupted = number;
	for (size_t i = 0; i < trials->n; i++)
		if (trials->pids[i] != 0)
			kill(trials->pids[i], SIGKILL); /* what it has started ends with it */
}

/* Waits until at most n runs go on; false if a signal came, and none goes on then. */
static bool trials_wait(struct trials *trials, size_t n)
{
	sigset_t set;

	choose_signals(&set);
	while (count_running(trials) > (trials->interrupted ? 0 : n)) {
		int number = sigwaitinfo(&set, NULL);

		if (number == SIGCHLD)
			reap(trials);
		else if (number > 0 && !trials->interrupted)
			interrupt(trials, number);
	}
	return !trials->interrupted;
}

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

/* Adds the causes of a list "A,B" to a set of bits; false if a word is none. */
static bool causes_add(unsigned *set, const char *list)
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
	struct cause_sum causes[N_CAUSES];
	struct unstable *functions; /* after stability_finish(): by spread, the largest first */
	size_t n_functions, capacity;
	size_t n_listed;    /* the first of them, which spread by the threshold or more */
	bool has_threads;   /* the first run had several */
	size_t *of_base;    /* by function of base: index in functions + 1; 0 = none */
	struct arena names; /* of functions that the first run has not */
};

static int read_profiles(struct model *model, const char *command, const char *const *paths,
			 size_t n)
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

/*
 * Begins with the profiles of the first run, one for each of its n threads.  event may be a derived
 * one; NULL is metrics_main() of theirs.  Returns an exit code, having printed a message by the
 * command's name.  Release it in any case.
 */
static int stability_begin(struct stability *stability, const char *command, const char *event,
			   const char *const *paths, size_t n)
{
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct metrics metrics;
	size_t number;
	int code;

	*stability = (struct stability){ .event = event, .has_threads = n > 1 };
	arena_init(&stability->names);
	code = read_profiles(&stability->base, command, paths, n);
	if (code != EXIT_FINE)
		return code;
	metrics_init(&metrics,
		     &(struct metric_source){ .events = stability->base.events,
					      .n_events = stability->base.n_events },
		     &stability->names);
	number = event ? metrics_find(&metrics, event, strlen(event)) : metrics_main(&metrics);
	if (number == metrics.n)
		return complain_of_event(command, event);
	stability->event = metrics.all[number].name;
	stability->decimals = metrics.all[number].decimals;
	stability->of_base = heap_zeroed(stability->base.n_functions, sizeof(*stability->of_base));
	if (!model_totals(&stability->base, totals))
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

static void add_rows(struct stability *stability, const struct difference *difference,
		     enum cause cause, const struct metric *metric)
{
	for (size_t row = 0; row < difference->n_rows; row++) {
		uint64_t usual = count_of(metric, difference_self(difference, row, false));
		uint64_t count = count_of(metric, difference_self(difference, row, true));
		struct unstable *entry;

		if (usual == count)
			continue;
		entry = find_entry(stability, difference, row, usual);
		widen(&entry->least, &entry->most, count);
		entry->causes |= 1U << cause;
	}
}

/* Adds the profiles of another run; returns the same. */
static int stability_add(struct stability *stability, const char *command, enum cause cause,
			 const char *const *paths, size_t n)
{
	struct difference difference = { .n_rows = 0 };
	struct model model;
	int code = read_profiles(&model, command, paths, n);

	arena_init(&difference.arena);
	if (code == EXIT_FINE) {
		struct metrics metrics;
		size_t number = 0;
		int status = difference_init(&difference, &stability->base, &model, 0);

		if (!status) {
			difference_metric(&difference, &metrics, &difference.arena);
			number = metrics_find(&metrics, stability->event, strlen(stability->event));
			status = number == metrics.n ? PROFILE_EVENTS : PROFILE_OK;
		}
		if (status) {
			code = complain_status(command, NULL, (enum profile_status)status);
		} else {
			add_rows(stability, &difference, cause, &metrics.all[number]);
			add_total(stability, cause,
				  count_of(&metrics.all[number], difference.new_totals));
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

/* Of the causes that were seen, those that can be distinguished. */
static unsigned judge(unsigned causes, bool has_threads)
{
	const unsigned run = 1U << CAUSE_RUN, threads = 1U << CAUSE_THREADS;

	if (has_threads && (causes & (run | threads)))
		return threads;
	return (causes & run) ? run : causes;
}

/*
 * All runs are there.  threshold is in millionths of the total.  Where a count differs with nothing
 * changed, no other cause can be identified; if there are threads, they are the cause: which one runs when
 * another begins or wakes up is the system's choice.  Nor can a cause be identified where counts depend on turns.
 */
static void stability_finish(struct stability *stability, uint64_t threshold)
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

static void stability_release(struct stability *stability)
{
	model_release(&stability->base);
	arena_release(&stability->names);
	free(stability->functions);
	free(stability->of_base);
}

/* -- report ----------------------------------------------------------------------------- */

/* What is reported beside the comparison. */
struct stable_report {
	struct stability *stability;   /* finished */
	char *const *program;          /* PROG and ARGS, ended by NULL */
	unsigned skipped;              /* bits of causes that were not tried... */
	const char *reasons[N_CAUSES]; /* ... and why not */
	bool exits_differ;             /* runs ended in different ways */
};

enum {
	NAME_TEXT = 4096, /* bytes of a name in a table; longer ones are cut */
	TITLE_TEXT = 256, /* of "least Ir" */
	JSON_VERSION = 1,
};

/* True if nothing depends on anything. */
static bool stable_is_stable(const struct stable_report *report)
{
	return report->stability->n_listed == 0 && !report->exits_differ;
}

static void put_program(struct document *document, const struct stable_report *report)
{
	size_t n = 0;

	document_prose(document, "PROGRAM ");
	for (; report->program[n]; n++) {
		document_prose(document, " ");
		document_name(document, report->program[n]);
	}
	document_prose(document, "\n");
	document_value(document, "program", cell_list((const char *const *)report->program, n));
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
	const struct stable_report *report = ctx;

	for (unsigned i = 0; i < N_CAUSES; i++) {
		const struct cause_sum *sum = &report->stability->causes[i];
		bool was_tried = sum->n_runs > 0;
		char text[256];

		if (!was_tried && (document_is_prose(document) || !(report->skipped >> i & 1)))
			continue;
		document_cell(document, cell_string(cause_texts[i].word));
		document_cell(document, cell_string(cause_texts[i].meaning));
		document_cell(document, cell_count(sum->n_runs));
		if (was_tried)
			put_range(document, report->stability, sum->least, sum->most);
		for (size_t j = 0; !was_tried && j < RANGE_COLUMNS; j++)
			document_cell(document, cell_none);
		document_cell(document,
			      was_tried ? cell_count((int128)sum->n_functions) : cell_none);
		document_cell(document, was_tried ? cell_none : cell_string(report->reasons[i]));
		snprintf(text, sizeof(text), "%s: %s", cause_texts[i].word, cause_texts[i].meaning);
		document_cell(document, cell_string(text));
	}
}

static void put_causes(struct document *document, struct stable_report *report)
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
		.ctx = report,
	};

	make_range(&range, columns + 3, report->stability->event);
	document_table(document, &table);
	for (unsigned i = 0; i < N_CAUSES; i++)
		if (report->skipped >> i & 1)
			document_prose(document, "not tried: %s: %s\n", cause_texts[i].word,
				       report->reasons[i]);
}

static void put_totals(struct document *document, const struct stability *stability)
{
	int128 spread = (int128)(stability->most - stability->least);

	document_object(document, "total", true);
	document_value(document, "least", count_cell(stability, stability->least));
	document_value(document, "most", count_cell(stability, stability->most));
	document_value(document, "spread",
		       count_cell(stability, stability->most - stability->least));
	document_value(document, "percent", cell_share(spread, stability->total));
	document_close(document);
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
		const char *causes[N_CAUSES];
		char words[NAME_TEXT] = "", name[NAME_TEXT];
		size_t n = 0;

		for (unsigned cause = 0; cause < N_CAUSES; cause++) {
			if (!(function->causes >> cause & 1))
				continue;
			causes[n++] = cause_texts[cause].word;
			stable_note(words, sizeof(words), cause_texts[cause].word);
		}
		document_cell(document, known(function->object));
		document_cell(document, known(function->file));
		document_cell(document, cell_string(function->function));
		put_range(document, stability, function->least, function->most);
		document_cell(document, cell_list(causes, n));
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

/* Writes the report in the format of a back end; errors of writing stay in the stream. */
static void stable_print(struct stable_report *report, const struct document_backend *backend,
			 FILE *out)
{
	struct stability *stability = report->stability;
	bool is_stable = stable_is_stable(report);
	struct document document;

	document_begin(&document, backend, out, NULL, 0, 0);
	document_value(&document, "format", cell_string("costgrind-stable"));
	document_value(&document, "version", cell_count(JSON_VERSION));
	put_program(&document, report);
	document_value(&document, "event", cell_string(stability->event));
	document_value(&document, "stable", cell_bool(is_stable));
	document_value(&document, "exits_differ", cell_bool(report->exits_differ));
	document_heading(&document, "Totals", "%s", "");
	put_totals(&document, stability);
	put_causes(&document, report);
	put_functions(&document, stability);
	if (report->exits_differ)
		document_prose(&document, "\nruns ended with different exit statuses\n");
	document_prose(&document, "\n%s\n", is_stable ? "stable" : "unstable");
	document_end(&document);
}

/* -- the command ------------------------------------------------------------------------ */

static const char command[] = "stable";

enum {
	MAX_JOBS = 16,
	OWN_OPTIONS = 4,
	MORE_RUNS = 6, /* with nothing changed, where there may be chance in it */
};

struct stable_choice {
	stable_items keep;
	const char **kept; /* lists of variables */
	size_t n_kept;
	const char *event;  /* NULL = the main one, as in every view */
	uint64_t threshold; /* millionths of the total */
	unsigned causes;    /* bits of those to try */
	unsigned long long jobs;
	const struct document_backend *backend;
	const char *output; /* NULL = standard output */
};

/* -- options --------------------------------------------------------------------------- */

static const char *set_keep(void *ctx, const char *value)
{
	return stable_items_add(&((struct stable_choice *)ctx)->keep, value) ? NULL
									     : stable_items_form;
}

static const char *set_keep_env(void *ctx, const char *value)
{
	struct stable_choice *choice = ctx;

	choice->kept[choice->n_kept++] = value;
	return fixedenv_is_list(value) ? NULL : "names of variables, A,B";
}

static const char *set_causes(void *ctx, const char *value)
{
	struct stable_choice *choice = ctx;

	choice->causes = 1U << CAUSE_RUN;
	return causes_add(&choice->causes, value)
		       ? NULL
		       : "run, stack, environment, heap, load, time, clock, pid, threads, random";
}

const struct option_rule stable_options[] = {
	{ "--causes", 0, OPTION_VALUE, "A,B",
	  "what to shift, in one or a few runs each [all]: stack, environment, heap, load,\n"
	  "time, clock, pid, threads, random; run: nothing, which is always tried",
	  OPTION_CALL(set_causes) },
	{ "--event", 0, OPTION_VALUE, "A",
	  "compare counts of this event, recorded or derived [Ir; EstCyc with --cache-sim=yes,\n"
	  "which cache events need, too]",
	  OPTION_TEXT(struct stable_choice, event, "the name of an event") },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "list what differs by at least N percent of the total, ignore the rest [0.02]",
	  OPTION_PERCENT(struct stable_choice, threshold) },
	{ "--format", 0, OPTION_VALUE, "text|json", "the form of the report [text]",
	  OPTION_FORMAT(struct stable_choice, backend, "text or json") },
	{ "--output", 'o', OPTION_VALUE, "FILE", "write the report to FILE",
	  OPTION_TEXT(struct stable_choice, output, "the name of a file") },
	{ "--jobs", 'j', OPTION_VALUE, "N", "number of runs at a time [2]",
	  OPTION_COUNT(struct stable_choice, jobs, "a number from 1 to 16", 1, MAX_JOBS) },
	{ "--keep", 0, OPTION_VALUE, "A,B", "as of costgrind run --stable", OPTION_CALL(set_keep) },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME", "as of costgrind run --stable",
	  OPTION_CALL(set_keep_env) },
	{ .name = NULL },
};

/* -- work ------------------------------------------------------------------------------ */

/* What is passed around. */
struct stabling {
	const struct stable_choice *choice;
	struct runwords words; /* with options of our own */
	bool is_quiet;
	struct trials trials;
	enum cause causes[TRIALS_MAX]; /* by trial */
	struct arena arena;
	const char *paths[TRIALS_THREADS]; /* of the profiles of one trial */
	bool has_begun;                    /* stability is to be released */
	struct stability stability;
	struct stable_report report;
};

/* The user's options, and those by which runs are quick and say nothing of themselves. */
static void add_options(struct stabling *stabling, const struct runwords *words)
{
	static char quiet[] = "-q", no_caches[] = "--cache-sim=no";
	static char heap[] = PERTURBATION_HEAP, threads[] = PERTURBATION_THREADS;
	struct runwords *own = &stabling->words;

	*own = *words;
	own->options = heap_alloc((words->n_options + OWN_OPTIONS) * sizeof(*own->options));
	if (words->n_options > 0)
		memcpy(own->options, words->options, words->n_options * sizeof(*own->options));
	own->options[own->n_options++] = quiet;
	own->options[own->n_options++] = heap;
	own->options[own->n_options++] = threads;
	if (!runwords_has(words, "--cache-sim"))
		own->options[own->n_options++] = no_caches;
	own->quiet = true;
}

static bool start(struct stabling *stabling, const struct perturbation *perturbation)
{
	const struct stable_choice *choice = stabling->choice;
	bool is_first = stabling->trials.n == 0;
	const struct stablerun run = {
		.command = command,
		.words = &stabling->words,
		.keep = choice->keep,
		.kept = choice->kept,
		.n_kept = choice->n_kept,
		.quiet = stabling->is_quiet || !is_first,
		.shift = perturbation->shift,
	};

	stabling->causes[stabling->trials.n] = perturbation->cause;
	return trials_start(&stabling->trials, &run, is_first);
}

/* The exit status after a run that wrote no profile: its own if it has said why, else ours, with a message. */
static int explain_absence(const struct stabling *stabling, size_t trial)
{
	int status = stabling->trials.statuses[trial];

	if (trial > 0 && trial < TRIALS_MAX)
		complain(command, "no profile of the run with another %s: expected one",
			 cause_texts[stabling->causes[trial]].word);
	else if (WIFSIGNALED(status) || WEXITSTATUS(status) == EXIT_FINE)
		complain(command, "%s: no profile was written", stabling->words.program[0]);
	else
		return WEXITSTATUS(status);
	return EXIT_FAILED;
}

/* The names of a trial's profiles, of all threads; returns how many. */
static size_t list_profiles(struct stabling *stabling, size_t trial)
{
	size_t n = 0;

	for (unsigned thread = 1; thread < TRIALS_THREADS; thread++) {
		char path[LAUNCH_PATH];

		if (!trials_thread(&stabling->trials, trial, thread, path))
			continue;
		stabling->paths[n] = arena_copy(&stabling->arena, path, strlen(path));
		n++;
	}
	return n;
}

/* A program that fails may do so for want of what a stable run takes away. */
static void warn_of_failure(int status)
{
	if (WIFSIGNALED(status))
		warn(command, "the program was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		warn(command,
		     "the program exited with %d (if it needs a variable: --keep-env=NAME; "
		     "run --stable --print lists what it is given)",
		     WEXITSTATUS(status));
}

static void warn_of_schedule(void)
{
	char path[LAUNCH_PATH], version[128];

	if (launch_find(launch_valgrind(), path, sizeof(path)) &&
	    launch_version(path, version, sizeof(version)) && launch_lacks_fair_sched(version))
		warn(command,
		     "threads take turns as they like: --fair-sched=yes does not work in %s, but "
		     "in 3.28",
		     version);
}

static int take_profile(struct stabling *stabling, size_t trial)
{
	size_t n = list_profiles(stabling, trial);

	if (n == 0)
		return explain_absence(stabling, trial);
	if (stabling->trials.statuses[trial] != stabling->trials.statuses[0])
		stabling->report.exits_differ = true;
	if (trial > 0 && trial < TRIALS_MAX)
		return stability_add(&stabling->stability, command, stabling->causes[trial],
				     stabling->paths, n);
	stabling->has_begun = true;
	warn_of_failure(stabling->trials.statuses[0]);
	if (n > 1 && !stable_items_have(stabling->choice->keep, STABLE_ITEM_THREADS))
		warn_of_schedule();
	return stability_begin(&stabling->stability, command, stabling->choice->event,
			       stabling->paths, n);
}

/* Why a cause cannot be tried; NULL = it can. */
static const char *obstacle(const struct stabling *stabling, enum cause cause)
{
	const struct model *base = &stabling->stability.base;
	const char *deterministic = runwords_value(&stabling->words, "--deterministic");
	bool is_machine = !stable_items_have(stabling->choice->keep, STABLE_ITEM_MACHINE) &&
			  !(deterministic && strcmp(deterministic, "no") == 0);

	if (cause_texts[cause].needs_machine && !is_machine)
		return "it is the system's (--keep=machine)";
	if (cause == CAUSE_PID && !(base->n_parts > 0 && base->parts[0].header.has_pid &&
				    base->parts[0].header.pid == STABLERUN_PID))
		return "there is no namespace of pids, so each run has another one";
	return NULL;
}

static bool start_others(struct stabling *stabling)
{
	const struct stable_choice *choice = stabling->choice;

	for (size_t i = 1; i < N_PERTURBATIONS; i++) {
		enum cause cause = perturbations[i].cause;
		const char *reason = obstacle(stabling, cause);

		if (!(choice->causes >> cause & 1))
			continue;
		if (reason) {
			stabling->report.skipped |= 1U << cause;
			stabling->report.reasons[cause] = reason;
			continue;
		}
		if (!trials_wait(&stabling->trials, (size_t)choice->jobs - 1) ||
		    !start(stabling, &perturbations[i]))
			return false;
	}
	return trials_wait(&stabling->trials, 0);
}

static int print_report(struct stabling *stabling)
{
	const struct stable_choice *choice = stabling->choice;
	struct printout printout;

	stability_finish(&stabling->stability, choice->threshold);
	stabling->report.stability = &stabling->stability;
	stabling->report.program = stabling->words.program;
	if (!printout_open(&printout, command, choice->output,
			   choice->backend == &document_text && !stabling->words.no_pager))
		return EXIT_FAILED;
	stable_print(&stabling->report, choice->backend, printout.out);
	if (!printout_close(&printout, command))
		return EXIT_FAILED;
	return stable_is_stable(&stabling->report) ? EXIT_FINE : EXIT_LIMIT;
}

/* Runs with nothing changed. */
static bool start_more(struct stabling *stabling)
{
	for (unsigned i = 0; i < MORE_RUNS; i++)
		if (!trials_wait(&stabling->trials, (size_t)stabling->choice->jobs - 1) ||
		    !start(stabling, &perturbations[0]))
			return false;
	return trials_wait(&stabling->trials, 0);
}

/* Takes the profiles of trials from this one on. */
static int take_profiles(struct stabling *stabling, size_t trial)
{
	int code = EXIT_FINE;

	while (code == EXIT_FINE && trial < stabling->trials.n)
		code = take_profile(stabling, trial++);
	return code;
}

/* All runs and their comparison. */
static int work(struct stabling *stabling)
{
	size_t n;
	int code;

	if (!start(stabling, &perturbations[0]) || !trials_wait(&stabling->trials, 0))
		return EXIT_FAILED;
	code = take_profile(stabling, 0);
	if (code != EXIT_FINE)
		return code;
	if (!start_others(stabling))
		return EXIT_FAILED;
	code = take_profiles(stabling, 1);
	if (code != EXIT_FINE || !stability_is_doubtful(&stabling->stability))
		return code;
	n = stabling->trials.n;
	return start_more(stabling) ? take_profiles(stabling, n) : EXIT_FAILED;
}

static int check(const struct stable_choice *choice, const struct runwords *words)
{
	struct stabling *stabling = heap_zeroed(1, sizeof(*stabling));
	int code;

	stabling->choice = choice;
	stabling->is_quiet = words->quiet;
	arena_init(&stabling->arena);
	add_options(stabling, words);
	code = trials_init(&stabling->trials, command);
	if (code == EXIT_FINE)
		code = work(stabling);
	trials_release(&stabling->trials);
	if (code == EXIT_FINE)
		code = print_report(stabling);
	if (stabling->has_begun)
		stability_release(&stabling->stability);
	arena_release(&stabling->arena);
	free(stabling->words.options);
	free(stabling);
	return code;
}

int stable_main(int argc, char **argv)
{
	struct stable_choice choice = {
		.kept = heap_alloc((size_t)argc * sizeof(*choice.kept)),
		.threshold = 200,
		.causes = ~0U,
		.jobs = 2,
		.backend = &document_text,
	};
	struct runwords words = { .n_options = 0 };
	int code = runwords_read(&words, stable_options, argv, &choice);

	if (code == OPTIONS_GO_ON)
		code = check(&choice, &words);
	runwords_release(&words);
	free(choice.kept);
	return code;
}
