/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stable runs of benchmarks, several at a time, and what their profiles say about regions. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/bench/bench.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/object/elf.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/metric.h"
#include "profile/common/event_names.h"
#include "profile/common/region.h"
#include "profile/model/model.h"

const char bench_usual_events[] = "Ir,Cyc,D1m,Bm,allocSize";

/* -- what is to be run --------------------------------------------------------------------------- */

/* n words; the arena owns the ones that are not argv's. */
static void add_job(struct bench_jobs *jobs, char *const *words, size_t n, const char *name)
{
	struct bench_job job = { .words = heap_zeroed(n + 1, sizeof(*job.words)), .name = name };
	struct bytes text;

	memcpy(job.words, words, n * sizeof(*words));
	bytes_init(&text);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			bytes_add_char(&text, ' ');
		bytes_add_text(&text, words[i]);
	}
	job.text = arena_copy(&jobs->arena, text.text, text.len);
	bytes_release(&text);
	jobs->all = heap_grow(jobs->all, &jobs->capacity, jobs->n + 1, sizeof(*jobs->all));
	jobs->all[jobs->n++] = job;
}

/* The program with the name in place of each "{}" of its arguments, or after them. */
static void add_named(struct bench_jobs *jobs, const struct runwords *words, const char *name)
{
	char **all = heap_alloc((words->n_program + 1) * sizeof(*all));
	size_t n = words->n_program;
	bool is_placed = false;

	for (size_t i = 0; i < n; i++) {
		const char *at = words->program[i], *braces;
		struct bytes text;

		all[i] = words->program[i];
		if (i == 0 || !strstr(at, "{}"))
			continue;
		is_placed = true;
		bytes_init(&text);
		for (; (braces = strstr(at, "{}")) != NULL; at = braces + 2) {
			bytes_add(&text, at, (size_t)(braces - at));
			bytes_add_text(&text, name);
		}
		bytes_add_text(&text, at);
		all[i] = arena_copy(&jobs->arena, text.text, text.len);
		bytes_release(&text);
	}
	if (!is_placed)
		all[n++] = arena_copy(&jobs->arena, name, strlen(name));
	add_job(jobs, all, n, name);
	free(all);
}

/* Runs the command that lists benchmarks, and takes each name that it prints. */
static int find_each(struct bench_jobs *jobs, const struct bench_request *request)
{
	FILE *pipe = popen(request->each, "re");
	char *line = NULL;
	size_t capacity = 0;
	ssize_t len;
	int status;

	if (!pipe) {
		complain(request->command, "--each=%s: %s", request->each, strerror(errno));
		return EXIT_FAILED;
	}
	while ((len = getline(&line, &capacity, pipe)) >= 0) {
		while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			len--;
		if (len > 0)
			add_named(jobs, request->words,
				  arena_copy(&jobs->arena, line, (size_t)len));
	}
	free(line);
	status = pclose(pipe);
	if (status != 0)
		complain(request->command, "--each=%s: expected exit status 0, found %d",
			 request->each, WIFEXITED(status) ? WEXITSTATUS(status) : status);
	else if (jobs->n == 0)
		complain(request->command,
			 "--each=%s: expected names of benchmarks, a line each, found none",
			 request->each);
	return status == 0 && jobs->n > 0 ? EXIT_FINE : EXIT_FAILED;
}

int bench_jobs_find(struct bench_jobs *jobs, const struct bench_request *request)
{
	const struct runwords *words = request->words;

	*jobs = (struct bench_jobs){ .n = 0 };
	arena_init(&jobs->arena);
	if (request->each)
		return find_each(jobs, request);
	for (size_t i = 0; request->is_several && i < words->n_program; i++)
		add_job(jobs, words->program + i, 1, NULL);
	if (!request->is_several)
		add_job(jobs, words->program, words->n_program, NULL);
	return EXIT_FINE;
}

void bench_jobs_release(struct bench_jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		free(jobs->all[i].words);
	free(jobs->all);
	arena_release(&jobs->arena);
}

/* -- runs ---------------------------------------------------------------------------------------- */

enum { OWN_OPTIONS = 4 };

/* Where a run's profile is. */
static void profile_path(const struct trials *trials, size_t trial, char path[LAUNCH_PATH])
{
	snprintf(path, LAUNCH_PATH, "%.*s/profile.%zu", LAUNCH_PATH - 64, trials->folder, trial);
}

/* Starts a run of a job when there is room for it; up to two more options for the tool, or NULL. */
static bool start(struct trials *trials, const struct bench_request *request,
		  const struct bench_job *job, char *option, char *second)
{
	static char quiet[] = "-q", alloc[] = "--collect-alloc=yes";
	const struct runwords *given = request->words;
	struct runwords words = *given;
	size_t n_program = 0;
	char path[LAUNCH_PATH];
	pid_t child;

	while (job->words[n_program])
		n_program++;
	words.program = job->words;
	words.n_program = n_program;
	words.n_options = 0;
	words.options = heap_alloc((given->n_options + OWN_OPTIONS) * sizeof(*words.options));
	words.options[words.n_options++] = quiet;
	words.options[words.n_options++] = alloc;
	memcpy(words.options + words.n_options, given->options,
	       given->n_options * sizeof(*words.options));
	words.n_options += given->n_options;
	if (option)
		words.options[words.n_options++] = option;
	if (second)
		words.options[words.n_options++] = second;
	profile_path(trials, trials->n, path);
	child = trials_wait(trials, request->jobs - 1) ? trials_fork(trials) : -1;
	if (child == 0) {
		const struct stablerun run = { .command = request->command,
					       .words = &words,
					       .keep = request->keep,
					       .quiet = request->is_quiet || trials->n > 0,
					       .out_file = path };

		if (!stable_keeps(request->keep, STABLE_ITEM_CPU))
			trials_take_processor(trials);
		if (!trials_redirect(trials, -1, option ? -1 : STDERR_FILENO)) {
			complain(request->command, "/dev/null: %s", strerror(errno));
			_exit(EXIT_FAILED);
		}
		_exit(stablerun(&run));
	}
	free(words.options);
	return child > 0;
}

/* On a terminal, how far the runs are. */
static void show_progress(const struct bench_request *request, size_t done, size_t n)
{
	if (request->is_quiet || n < 2 || !isatty(STDERR_FILENO))
		return;
	if (done < n)
		fprintf(stderr, "\rcostgrind bench: run %zu of %zu\033[K", done + 1, n);
	else
		fputs("\r\033[K", stderr);
}

/* -- what a profile says --------------------------------------------------------------------------- */

static int read_profile(struct model *model, const struct bench_request *request, const char *path,
			bool positions)
{
	const struct loader_options options = { .command = request->command,
						.quiet = true,
						.positions = positions };
	struct loaded loaded;

	model_init(model);
	return loader_read(model, &options, &path, 1, &loaded);
}

/* The compilers that a program says it was made by, in its section .comment. */
static void add_compilers(struct bench_set *set, const char *program)
{
	struct elffile file;
	char path[LAUNCH_PATH];
	const Elf_Data *data;

	if (!launch_find(program, path, sizeof(path)))
		return;
	data = elffile_open(&file, path) ? NULL : elffile_data(&file, ".comment");
	if (data) {
		const char *text = data->d_buf;

		for (size_t at = 0, len; at < data->d_size; at += len + 1) {
			len = strnlen(text + at, data->d_size - at);
			if (len > 0 && at + len < data->d_size)
				bench_set_add_fact(set, "Compiler", text + at);
		}
	}
	elffile_release(&file);
}

/* What runs depend on besides the program: what makes two profiles comparable, but for what a stable run fixes. */
static void add_facts(struct bench_set *set, const struct model *model)
{
	bench_set_add_fact(set, "costgrind", COSTGRIND_VERSION);
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const char *type = part->descs[j].type;

			/* Libraries are another build after each update of them. */
			if (!comparability_ignores(type) && strcmp(type, "Kernel") != 0 &&
			    strcmp(type, "Environment") != 0 && strcmp(type, "Build-id") != 0)
				bench_set_add_fact(set, type, part->descs[j].value);
		}
	}
}

/* The first profile says which of the events there are.  Returns an exit code, after a message. */
static int choose_events(struct bench_set *set, const struct bench_request *request,
			 const struct metrics *metrics)
{
	const char *list = request->events ? request->events : bench_usual_events;

	for (size_t len; *list; list += len + (list[len] == ',')) {
		const struct metric *metric;
		size_t number;

		len = strcspn(list, ",");
		number = metrics_find(metrics, list, len);
		metric = number < metrics->n ? &metrics->all[number] : NULL;
		if (!metric && request->events) {
			complain(
				request->command,
				"--show: %.*s: no such event was recorded; 'costgrind help events' "
				"lists them",
				(int)len, list);
			return EXIT_USAGE;
		}
		if (!metric)
			continue;
		number = bench_set_add_event(set, metric->name);
		if (number == BENCH_EVENTS) {
			complain(request->command, "--show: %s: expected at most %d events",
				 metric->name, BENCH_EVENTS);
			return EXIT_USAGE;
		}
		set->events[number].decimals = metric->decimals.people;
	}
	return EXIT_FINE;
}

/* The result of a region of a job; a new one if there is none.  A job's results are the last ones of the set. */
static struct bench_result *result_of(struct bench_set *set, const char *name, size_t job)
{
	struct bench_result *result;

	for (size_t i = set->n; i-- > 0 && set->all[i].job == job;)
		if (strcmp(set->all[i].name, name) == 0)
			return &set->all[i];
	result = bench_set_add(set, name, strlen(name));
	result->job = job;
	result->is_empty = true;
	return result;
}

/*
 * Adds the regions of a profile.  A child that the program has forked in a region has it, too, until it ends it or becomes
 * another program: if it does not end it, that is nothing wrong.
 */
static void add_regions(struct bench_set *set, const struct regions *regions,
			const struct model *model, const struct metrics *metrics, size_t job,
			bool is_child)
{
	const struct metric *ir = metrics_named(metrics, "Ir");

	for (size_t i = 0; i < regions->n; i++) {
		const struct part_region *region = &regions->all[i];
		uint64_t costs[PROFILE_MAX_EVENTS] = { 0 };
		struct bench_result *result;

		if (is_child && region->is_open)
			continue;
		result = is_child ? result_of(set, region->name, job)
				  : bench_set_add(set, region->name, strlen(region->name));
		if (!is_child) {
			result->job = job;
			result->is_empty = true;
		}
		if (region->n_costs > 0)
			memcpy(costs, region->costs, region->n_costs * sizeof(*costs));
		result->is_unmatched |= region->is_open || region->times == 0;
		result->is_empty &= ir && metric_value(ir, costs, model->is_signed) == 0;
		for (size_t event = 0; event < set->n_events; event++) {
			const struct metric *metric =
				metrics_named(metrics, set->events[event].name);

			if (!metric)
				continue;
			result->has[event] = true;
			result->values[event] += metric_value(metric, costs, model->is_signed);
		}
	}
}

/* A benchmark that was asked for, and about which nothing is known. */
static void add_missing(struct bench_set *set, const struct bench_job *job, size_t number)
{
	enum { NAME_BYTES = 255 }; /* that the tool looks at */

	for (size_t i = 0; i < set->n; i++)
		if (strncmp(set->all[i].name, job->name, NAME_BYTES) == 0)
			return;
	bench_set_add(set, job->name, strlen(job->name))->is_unmatched = true;
	set->all[set->n - 1].job = number;
}

static void add_failure(struct bench_set *set, const struct bench_job *job, int status)
{
	char *text;

	if (WIFSIGNALED(status))
		text = heap_print("was killed by signal %d (%s)", WTERMSIG(status),
				  strsignal(WTERMSIG(status)));
	else
		text = heap_print("exited with %d", WEXITSTATUS(status));
	set->failures = heap_grow(set->failures, &set->failures_capacity, set->n_failures + 1,
				  sizeof(*set->failures));
	set->failures[set->n_failures++] = (struct bench_failure){
		arena_copy(&set->arena, job->text, strlen(job->text)),
		arena_copy(&set->arena, text, strlen(text)),
	};
	free(text);
}

/* Takes what a profile says; an exit code, after a message. */
static int take_profile(struct bench_set *set, const struct bench_request *request,
			const char *path, const struct bench_jobs *jobs, size_t number,
			bool is_child)
{
	const struct bench_job *job = &jobs->all[number];
	struct metrics metrics;
	struct regions regions;
	struct model model;
	int code = read_profile(&model, request, path, false);

	regions_init(&regions);
	if (code == EXIT_FINE) {
		const struct metric_source source = metric_source_of(&model, NULL);
		struct arena arena;

		arena_init(&arena);
		metrics_init(&metrics, &source, &arena);
		if (set->n_events == 0)
			code = choose_events(set, request, &metrics);
		if (code == EXIT_FINE && model_regions(&model, &regions) != PROFILE_OK)
			code = complain_status(request->command, job->text, PROFILE_RANGE);
		if (code == EXIT_FINE) {
			if (!is_child)
				add_facts(set, &model);
			add_regions(set, &regions, &model, &metrics, number, is_child);
		}
		arena_release(&arena);
	}
	regions_release(&regions);
	model_release(&model);
	return code;
}

/* The same of processes that the program has forked: "profile.3-77" next to "profile.3". */
static int take_children(struct bench_set *set, const struct bench_request *request,
			 const struct trials *trials, const struct bench_jobs *jobs, size_t number)
{
	DIR *folder = opendir(trials->folder);
	const struct dirent *entry;
	char beginning[64];
	int code = EXIT_FINE;
	size_t len = (size_t)snprintf(beginning, sizeof(beginning), "profile.%zu-", number);

	while (folder && code == EXIT_FINE && (entry = readdir(folder)) != NULL) {
		char *path;

		if (strncmp(entry->d_name, beginning, len) != 0 ||
		    strspn(entry->d_name + len, "0123456789") != strlen(entry->d_name + len))
			continue;
		path = heap_print("%s/%s", trials->folder, entry->d_name);
		code = take_profile(set, request, path, jobs, number, true);
		free(path);
	}
	if (folder)
		closedir(folder);
	return code;
}

/* Takes what a run has left; an exit code, after a message. */
static int take(struct bench_set *set, const struct bench_request *request,
		const struct trials *trials, const struct bench_jobs *jobs, size_t number)
{
	const struct bench_job *job = &jobs->all[number];
	const int status = trials->all[number].status;
	char path[LAUNCH_PATH];
	int code;

	profile_path(trials, number, path);
	if (access(path, R_OK) != 0) {
		/* If there is no such program, or the tool could not start, they have said so. */
		if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FINE)
			complain(request->command, "%s: no profile was written", job->text);
		if (WIFEXITED(status))
			return EXIT_FAILED;
		add_failure(set, job, status);
		return EXIT_FINE;
	}
	if (status != 0)
		add_failure(set, job, status);
	code = take_profile(set, request, path, jobs, number, false);
	if (code == EXIT_FINE)
		code = take_children(set, request, trials, jobs, number);
	if (code == EXIT_FINE) {
		add_compilers(set, job->words[0]);
		if (job->name)
			add_missing(set, job, number);
	}
	return code;
}

int bench_run(struct bench_set *set, const struct bench_request *request,
	      const struct bench_jobs *jobs)
{
	struct trials trials = { .n = 0 };
	const struct bench_result *twice;
	int code = trials_init(&trials, request->command);

	for (size_t i = 0; code == EXIT_FINE && i < jobs->n; i++) {
		show_progress(request, i, jobs->n);
		if (!start(&trials, request, &jobs->all[i], NULL, NULL))
			code = EXIT_FAILED;
	}
	/* All of them end, whatever happens: their profiles are in the folder. */
	if (!trials_wait(&trials, 0))
		code = EXIT_FAILED;
	show_progress(request, jobs->n, jobs->n);
	for (size_t i = 0; code == EXIT_FINE && i < jobs->n; i++)
		code = take(set, request, &trials, jobs, i);
	trials_release(&trials);
	twice = bench_set_sort(set);
	if (code == EXIT_FINE && twice) {
		complain(request->command,
			 "%s and %s have a benchmark '%s': expected one of the name",
			 jobs->all[twice[-1].job].text, jobs->all[twice->job].text, twice->name);
		code = EXIT_FAILED;
	}
	return code;
}

/* -- what is in a region ----------------------------------------------------------------------------- */

/* A function of a model; of several with one name, the most costly. */
struct spender {
	struct bench_function function;
	int128 most;
	uint32_t number;
};

/* Names of functions as baselines have them: without folders, which are others in each environment, and not too long. */
static const char *name_of(struct arena *arena, const struct model *model, uint32_t number)
{
	enum { MOST = 255 };
	const struct model_function *function = &model->functions[number];
	const struct name name = model_name(model, NAME_FUNCTION, function->name),
			  file = model_name(model, NAME_FILE, function->file);
	const char *copy, *base = file.text;
	size_t file_len;
	struct bytes text;

	for (const char *p = file.text; p < file.text + file.len; p++)
		if (*p == '/')
			base = p + 1;
	file_len = (size_t)(file.text + file.len - base);
	bytes_init(&text);
	if (function->file != DICTIONARY_UNKNOWN) {
		bytes_add(&text, base, file_len);
		bytes_add_char(&text, ':');
	}
	bytes_add(&text, name.text, name.len);
	if (text.len > MOST) {
		text.len = MOST;
		/* No part of a character of UTF-8. */
		while (text.len > 0 && ((unsigned char)text.text[text.len] & 0xc0) == 0x80)
			text.len--;
	}
	copy = arena_copy(arena, text.text, text.len);
	bytes_release(&text);
	return copy;
}

static int compare_spenders(const void *left, const void *right)
{
	const struct spender *a = left, *b = right;
	const int order = strcmp(a->function.name, b->function.name);

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

struct spenders {
	struct spender *all; /* owned */
	size_t n, capacity;
};

/* Adds all that a metric was spent on.  Names are the arena's. */
static void spenders_add(struct spenders *spenders, struct arena *arena, const struct model *model,
			 const struct metric *metric)
{
	for (uint32_t i = 0; i < model->n_functions; i++) {
		uint64_t costs[PROFILE_MAX_EVENTS];
		int128 value;

		model_self(model, i, 0, costs);
		value = metric_value(metric, costs, model->is_signed);
		if (value <= 0)
			continue;
		spenders->all = heap_grow(spenders->all, &spenders->capacity, spenders->n + 1,
					  sizeof(*spenders->all));
		spenders->all[spenders->n++] =
			(struct spender){ { name_of(arena, model, i), value }, value, i };
	}
}

/* Puts them in order by name, each name once. */
static void spenders_merge(struct spenders *spenders)
{
	struct spender *all = spenders->all;
	size_t last = 0;

	if (spenders->n == 0)
		return;
	qsort(all, spenders->n, sizeof(*all), compare_spenders);
	for (size_t i = 1; i < spenders->n; i++) {
		if (strcmp(all[last].function.name, all[i].function.name) != 0) {
			all[++last] = all[i];
			continue;
		}
		all[last].function.ir += all[i].function.ir;
		if (all[i].most > all[last].most) {
			all[last].most = all[i].most;
			all[last].number = all[i].number;
		}
	}
	spenders->n = last + 1;
}

/* The place of a function, and its line that costs most. */
static void find_line(struct bench_set *set, const struct model *model, const struct metric *metric,
		      uint32_t number, struct bench_place *place)
{
	const struct model_function *function = &model->functions[number];
	struct name name = model_name(model, NAME_FUNCTION, function->name);
	int128 of_line = 0, sum = 0;
	uint64_t last = 0, at = 0;
	struct model_cursor cursor;
	struct model_line line;

	place->function = arena_copy(&set->arena, name.text, name.len);
	name = model_name(model, NAME_FILE, function->file);
	if (function->file != DICTIONARY_UNKNOWN)
		place->file = arena_copy(&set->arena, name.text, name.len);
	/* By instruction, a line comes again and again: without instructions, once. */
	model_lines(model, number, 0, &cursor);
	while (place->file && model_next_line(&cursor, &line)) {
		if (line.file != function->file || line.at.line == 0)
			continue;
		sum = line.at.line == last ? sum : 0;
		last = line.at.line;
		sum += metric_value(metric, line.costs, model->is_signed);
		if (sum > of_line) {
			of_line = sum;
			at = last;
		}
	}
	if (at > 0) {
		place->line = at;
		place->part = of_line;
	}
}

/* The function, and its line, that cost most themselves. */
static void find_hottest(struct bench_set *set, const struct model *model,
			 const struct metric *metric, struct bench_place *place)
{
	uint32_t most = MODEL_NO_FUNCTION;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		uint64_t costs[PROFILE_MAX_EVENTS];
		int128 value;

		model_self(model, i, 0, costs);
		value = metric_value(metric, costs, model->is_signed);
		place->whole += value;
		if (value > place->part) {
			place->part = value;
			most = i;
		}
	}
	if (most != MODEL_NO_FUNCTION)
		find_line(set, model, metric, most, place);
}

/* The function that grew most since the baseline, if that is certain. */
static void find_growth(struct bench_set *set, const struct model *model,
			const struct metric *metric, const struct bench_question *question,
			const struct spender *all, size_t n)
{
	struct bench_function *now = heap_alloc((n + 1) * sizeof(*now));
	size_t most;

	for (size_t i = 0; i < n; i++)
		now[i] = all[i].function;
	most = bench_find_growth(question->growth, question->old_result, question->old_ir, now, n);
	if (most < n)
		find_line(set, model, metric, all[most].number, &question->growth->place);
	free(now);
}

/* Answers a question by a profile of its region. */
static void answer(struct bench_set *set, const struct model *model,
		   const struct bench_question *question)
{
	const struct metric_source source = metric_source_of(model, NULL);
	const struct metric *ir, *metric;
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	ir = metrics_named(&metrics, "Ir");
	metric = metrics_named(&metrics, question->event);
	if (metric)
		find_hottest(set, model, metric, question->hottest);
	if (ir && question->old_result) {
		struct spenders spenders = { .n = 0 };

		spenders_add(&spenders, &arena, model, ir);
		spenders_merge(&spenders);
		find_growth(set, model, ir, question, spenders.all, spenders.n);
		free(spenders.all);
	}
	arena_release(&arena);
}

/* True if the name, which may have '*' and '?' in it, is the pattern of no other benchmark of its run. */
static bool is_alone(const struct bench_set *set, const struct bench_result *result)
{
	for (size_t i = 0; i < set->n && strpbrk(result->name, "*?"); i++)
		if (&set->all[i] != result && set->all[i].job == result->job &&
		    limit_matches(result->name, set->all[i].name, strlen(set->all[i].name)))
			return false;
	return true;
}

void bench_ask(struct bench_set *set, const struct bench_request *request,
	       const struct bench_jobs *jobs, const struct bench_question *questions, size_t n)
{
	struct trials trials = { .n = 0 };
	struct bench_request quietly = *request;
	size_t *asked = heap_zeroed(n + 1, sizeof(*asked)); /* by the number of the run */
	bool fine = trials_init(&trials, request->command) == EXIT_FINE;

	quietly.is_quiet = true;
	for (size_t i = 0; fine && i < n; i++) {
		const struct bench_result *result = questions[i].result;
		char *option;

		if (!is_alone(set, result))
			continue;
		asked[trials.n] = i;
		option = heap_print("--collect-region=%s", result->name);
		fine = start(&trials, &quietly, &jobs->all[result->job], option, NULL);
		free(option);
	}
	fine = trials_wait(&trials, 0) && fine;
	for (size_t i = 0; fine && i < trials.n; i++) {
		char path[LAUNCH_PATH];
		struct model model;

		profile_path(&trials, i, path);
		if (access(path, R_OK) != 0)
			continue;
		if (read_profile(&model, request, path, true) == EXIT_FINE)
			answer(set, &model, &questions[asked[i]]);
		model_release(&model);
	}
	free(asked);
	trials_release(&trials);
}

/* -- functions of all regions -------------------------------------------------------------------------- */

static int compare_costs(const void *left, const void *right)
{
	const struct spender *a = left, *b = right;

	if (a->function.ir != b->function.ir)
		return a->function.ir > b->function.ir ? -1 : 1;
	return compare_spenders(left, right);
}

/* Keeps the most costly of a benchmark's functions, in another order. */
static void keep_functions(struct bench_set *set, struct bench_result *result,
			   struct spenders *spenders, int128 ir)
{
	struct spender *all = spenders->all;
	size_t n = 0;

	spenders_merge(spenders);
	if (spenders->n > 0)
		qsort(all, spenders->n, sizeof(*all), compare_costs);
	while (n < spenders->n && n < BENCH_FUNCTIONS && all[n].function.ir * 100 >= ir)
		n++;
	if (n > 0)
		qsort(all, n, sizeof(*all), compare_spenders);
	for (size_t i = 0; i < n; i++) {
		const struct bench_function *function = &all[i].function;

		result->functions[i] = (struct bench_function){
			arena_copy(&set->arena, function->name, strlen(function->name)),
			function->ir
		};
	}
	result->n_functions = n;
}

/* What is found of a benchmark's functions. */
struct finding {
	struct spenders spenders;
	bool is_mixed; /* other regions have a share in them */
};

/* Takes a part of a run: what was collected between the first beginning of one region and of the next. */
static void take_part(const struct bench_set *set, struct finding *findings, struct arena *arena,
		      const struct model *model, size_t job)
{
	const struct metric_source source = metric_source_of(model, NULL);
	const struct metric *ir;
	struct metrics metrics;
	struct regions regions;
	struct arena own;

	arena_init(&own);
	metrics_init(&metrics, &source, &own);
	ir = metrics_named(&metrics, "Ir");
	regions_init(&regions);
	if (!ir || model_regions(model, &regions) != PROFILE_OK)
		regions.n = 0;
	for (size_t i = 0; i < regions.n; i++) {
		const struct bench_result *result = bench_set_find(set, regions.all[i].name);
		struct finding *finding = result ? &findings[result - set->all] : NULL;

		if (!finding || result->job != job)
			continue;
		if (regions.n > 1)
			finding->is_mixed = true;
		else
			spenders_add(&finding->spenders, arena, model, ir);
	}
	regions_release(&regions);
	arena_release(&own);
}

void bench_find_functions(struct bench_set *set, const struct bench_request *request,
			  const struct bench_jobs *jobs)
{
	static char all[] = "--collect-region=*", apart[] = "--dump-regions=yes";
	const size_t ir = bench_set_event(set, "Ir");
	struct bench_request quietly = *request;
	struct trials trials = { .n = 0 };
	struct finding *findings;
	struct arena arena;
	bool fine;

	if (ir == set->n_events)
		return;
	fine = trials_init(&trials, request->command) == EXIT_FINE;
	findings = heap_zeroed(set->n + 1, sizeof(*findings));
	arena_init(&arena);
	quietly.is_quiet = true;
	for (size_t i = 0; fine && i < jobs->n; i++)
		fine = start(&trials, &quietly, &jobs->all[i], all, apart);
	fine = trials_wait(&trials, 0) && fine;
	for (size_t job = 0; fine && job < jobs->n; job++) {
		char path[LAUNCH_PATH];
		bool is_last = false;

		/* The last part has the name that was asked for, those before have numbers. */
		profile_path(&trials, job, path);
		for (size_t i = 1; !is_last && access(path, R_OK) == 0; i++) {
			char *part = heap_print("%s.%zu", path, i);
			struct model model;

			is_last = access(part, R_OK) != 0;
			if (read_profile(&model, request, is_last ? path : part, false) ==
			    EXIT_FINE)
				take_part(set, findings, &arena, &model, job);
			model_release(&model);
			free(part);
		}
	}
	for (size_t i = 0; i < set->n; i++) {
		if (fine && !findings[i].is_mixed)
			keep_functions(set, &set->all[i], &findings[i].spenders,
				       set->all[i].values[ir]);
		free(findings[i].spenders.all);
	}
	free(findings);
	arena_release(&arena);
	trials_release(&trials);
}
