/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind control.  What is shown of targets is a document: programs get objects, and of stacks tables;
 * people get tables of all that has columns.
 */
#include "cmds/control/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/emit/document.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

/* -- what is shown ---------------------------------------------------------------------- */

/* What is shown of a target's state. */
struct control_view {
	bool stat, totals, back;
	const char *events; /* "A,B": the columns; NULL = all */
};

enum {
	LABEL = 16,
	PID_WIDTH = 7,
	TOOL_WIDTH = 24,
	STATE_WIDTH = 8,
	CALLS_WIDTH = 10,
	INDENT = 2,
	TITLE_TEXT = 32, /* of "thread 4294967295" */
	OTHER_COLUMNS = 6,
};

static const char indent[INDENT + 1] = "  ";

/* The program and its arguments, an array to be freed. */
static const char **list_words(const struct target *target, size_t *n)
{
	const char **words = heap_alloc(target->words_len * sizeof(*words));

	*n = 0;
	for (size_t i = 0; i < target->words_len; i += strlen(target->words + i) + 1)
		words[(*n)++] = target->words + i;
	return words;
}

void control_print_words(FILE *out, const struct target *target)
{
	for (size_t i = 0; i < target->words_len; i += strlen(target->words + i) + 1) {
		if (i > 0)
			fputc(' ', out);
		visible_text(out, target->words + i);
	}
}

void control_describe_collection(char *text, size_t size, const struct runstate *state)
{
	snprintf(text, size, "collection is %s (--collect=on switches it on)", state->collection);
}

/* -- a list ---------------------------------------------------------------------------- */

/* What put_guest_rows() lists. */
struct listed {
	const struct targets *targets;
	const size_t *chosen;
	size_t n;
};

static void put_guest_rows(struct document *document, void *ctx)
{
	const struct listed *listed = ctx;

	for (size_t i = 0; i < listed->n; i++) {
		const struct target *target = &listed->targets->targets[listed->chosen[i]];
		size_t n_words;
		const char **words = list_words(target, &n_words);
		char pid[TITLE_TEXT], tool[TOOL_WIDTH + 1];

		snprintf(pid, sizeof(pid), "%d", (int)target->pid);
		snprintf(tool, sizeof(tool), "%s%s",
			 target->is_ours && target->tool != TARGET_COSTGRIND ? "costgrind as " : "",
			 target_tool_name(target->tool));
		document_cell(document, cell_string(pid));
		document_cell(document, cell_string(tool));
		document_cell(document, cell_string(target_state_name(target)));
		document_cell(document, cell_list(words, n_words));
		free(words);
	}
}

static void put_list(struct document *document, const struct targets *targets, const size_t *chosen,
		     size_t n)
{
	static const struct document_column columns[] = {
		{ .title = "pid", .width = PID_WIDTH },
		{ .title = "tool", .width = TOOL_WIDTH, .is_left = true, .is_tight = true },
		{ .title = "state", .width = STATE_WIDTH, .is_left = true },
		{ .title = "program" },
	};
	struct listed listed = { targets, chosen, n };
	const struct document_table table = {
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_guest_rows,
		.ctx = &listed,
	};

	document_table(document, &table);
}

/* -- numbers --------------------------------------------------------------------------- */

static void put_label(struct document *document, const char *label)
{
	document_prose(document, "%s%-*s", indent, LABEL, label);
}

static void put_number(struct document *document, const char *key, uint64_t count)
{
	char text[INT128_TEXT];

	document_value(document, key, cell_count(count));
	int128_print(text, int128_of(count, false), true);
	document_prose(document, "%s", text);
}

static void put_stat(struct document *document, const struct runstate *state)
{
	put_label(document, "threads");
	for (size_t i = 0; i < state->n_threads; i++)
		document_prose(document, "%s%u", i > 0 ? " " : "", state->threads[i].number);
	document_prose(document, "\n");
	document_object(document, "stat", false);
	document_value(document, "parts", cell_count(state->part));
	put_label(document, "parts written");
	document_prose(document, "%u\n", state->part);
	document_value(document, "events", cell_list(state->events, state->n_recorded));
	put_label(document, "events");
	for (size_t i = 0; i < state->n_recorded; i++) {
		document_prose(document, i > 0 ? " " : "");
		document_name(document, state->events[i]);
	}
	document_prose(document, "\n");
	put_label(document, "functions");
	put_number(document, "functions", state->functions);
	document_prose(document, ", ");
	put_number(document, "contexts", state->contexts);
	document_prose(document, " contexts\n");
	put_label(document, "calls");
	put_number(document, "calls", state->executed_calls);
	document_prose(document, ", ");
	put_number(document, "distinct_calls", state->calls);
	document_prose(document, " distinct\n");
	put_label(document, "blocks");
	put_number(document, "blocks", state->executed_blocks);
	document_prose(document, ", ");
	put_number(document, "distinct_blocks", state->blocks);
	document_prose(document, " distinct\n");
	document_close(document);
}

/* -- costs ----------------------------------------------------------------------------- */

/* A table of costs, of threads or of a stack. */
struct costing {
	const struct runstate *state;
	const struct runthread *thread; /* of a stack */
	struct costcolumns chosen;      /* which events */
	struct document_column columns[OTHER_COLUMNS + 2 * RUNSTATE_EVENTS];
	size_t n;
};

static void begin_costs(struct costing *costing, const struct control_view *view,
			const struct runstate *state)
{
	char missing[CONTROL_MISSING_TEXT];

	costing->state = state;
	costing->n = 0;
	costcolumns_init(&costing->chosen, state, view->events, missing, sizeof(missing));
}

static const char *event_name(const struct costing *costing, size_t i)
{
	return costing->state->events[costing->chosen.events[i]];
}

static void add(struct costing *costing, struct document_column column)
{
	costing->columns[costing->n++] = column;
}

static void add_shown_costs(struct costing *costing)
{
	for (size_t i = 0; i < costing->chosen.n; i++)
		add(costing, (struct document_column){ .title = event_name(costing, i) });
}

static struct cell cost_cell(const struct costing *costing, const uint64_t *costs, size_t event)
{
	return cell_decimal(cell_count(costs[event]), costing->state->decimals[event]);
}

/* A dot is what was not reported. */
static void put_shown_costs(struct document *document, const struct costing *costing,
			    const uint64_t *costs)
{
	size_t n_told = costs ? costs[costing->state->n_events] : 0;

	for (size_t i = 0; i < costing->chosen.n; i++) {
		size_t event = costing->chosen.events[i];

		document_cell(document,
			      event < n_told ? cost_cell(costing, costs, event) : cell_string("."));
	}
}

static void put_costs_table(struct document *document, struct costing *costing, const char *key,
			    void (*put_rows)(struct document *document, void *ctx))
{
	const struct document_table table = {
		.key = key,
		.columns = costing->columns,
		.n = costing->n,
		.put_rows = put_rows,
		.ctx = costing,
		.indent = indent,
		.gap = 1,
		.form = FORM_TITLED,
	};

	document_table(document, &table);
}

/* -- totals ---------------------------------------------------------------------------- */

/* True if a profile has more than these threads: threads that are over, or events of no thread. */
static bool is_more_than_threads(const struct runstate *state)
{
	for (size_t i = 0; state->totals && i < state->n_events; i++) {
		uint64_t rest = state->totals[i];

		for (size_t j = 0; j < state->n_threads; j++)
			if (state->threads[j].totals)
				rest -= state->threads[j].totals[i];
		if (rest != 0)
			return true;
	}
	return false;
}

static void put_total_rows(struct document *document, void *ctx)
{
	const struct costing *costing = ctx;
	const struct runstate *state = costing->state;

	for (size_t i = 0; i < state->n_threads; i++) {
		char text[TITLE_TEXT];

		put_shown_costs(document, costing, state->threads[i].totals);
		snprintf(text, sizeof(text), "thread %u", state->threads[i].number);
		document_cell(document, cell_string(text));
	}
	if (!is_more_than_threads(state))
		return;
	put_shown_costs(document, costing, state->totals);
	document_cell(document, cell_string("in all"));
}

static void put_total_values(struct document *document, const struct costing *costing,
			     const uint64_t *costs)
{
	if (!costs) {
		document_value(document, "totals", cell_string(NULL));
		return;
	}
	document_object(document, "totals", true);
	for (size_t i = 0; i < costing->chosen.n; i++)
		document_value(document, event_name(costing, i),
			       cost_cell(costing, costs, costing->chosen.events[i]));
	document_close(document);
}

/* Of a profile that is written now: finished threads included. */
static void put_totals(struct document *document, const struct control_view *view,
		       const struct runstate *state)
{
	struct costing costing;

	begin_costs(&costing, view, state);
	if (state->totals)
		put_total_values(document, &costing, state->totals);
	add_shown_costs(&costing);
	add(&costing, (struct document_column){ .title = "" });
	put_costs_table(document, &costing, NULL, put_total_rows);
}

/* -- stacks ---------------------------------------------------------------------------- */

/* The innermost first: what its calls from the one below have cost, and how often it was called. */
static void put_frame_rows(struct document *document, void *ctx)
{
	const struct costing *costing = ctx;
	const struct runthread *thread = costing->thread;

	for (size_t i = thread->n_frames; i-- > 0;) {
		const struct runframe *frame = &thread->frames[i];
		bool has_caller = i > 0;
		const uint64_t *costs = has_caller ? frame[-1].costs : NULL;
		char number[TITLE_TEXT];
		const char *label[] = { number, frame->function };

		document_cell(document, cell_string(frame->function));
		document_cell(document,
			      has_caller ? cell_count(frame[-1].calls) : cell_string(NULL));
		document_cell(document, costs ? cell_none : cell_string(NULL));
		for (size_t j = 0; j < costing->chosen.n; j++)
			document_cell(document,
				      costs ? cost_cell(costing, costs, costing->chosen.events[j])
					    : cell_none);
		put_shown_costs(document, costing, costs);
		document_cell(document,
			      has_caller ? cell_count(frame[-1].calls) : cell_string("."));
		snprintf(number, sizeof(number), "[%zu]", thread->n_frames - 1 - i);
		document_cell(document, cell_list(label, 2));
	}
}

static void put_stack(struct document *document, const struct control_view *view,
		      const struct runstate *state, const struct runthread *thread)
{
	struct costing costing;
	char title[TITLE_TEXT];

	begin_costs(&costing, view, state);
	costing.thread = thread;
	add(&costing, (struct document_column){ .key = "function" });
	add(&costing, (struct document_column){ .key = "calls" });
	add(&costing, (struct document_column){ .key = "inclusive" });
	for (size_t i = 0; i < costing.chosen.n; i++)
		add(&costing, (struct document_column){ .key = event_name(&costing, i),
							.inside = "inclusive" });
	add_shown_costs(&costing);
	add(&costing, (struct document_column){ .title = "calls", .width = CALLS_WIDTH });
	snprintf(title, sizeof(title), "thread %u", thread->number);
	add(&costing, (struct document_column){ .title = title });
	put_costs_table(document, &costing, "frames", put_frame_rows);
}

/* -- a target --------------------------------------------------------------------------- */

static void put_state(struct document *document, const struct control_view *view,
		      const struct runstate *state)
{
	struct costing costing;

	document_value(document, "instrumentation", cell_bool(state->instrumenting));
	if (!state->instrumenting) {
		document_prose(document, "%sinstrumentation is off\n", indent);
		return;
	}
	if (state->collection)
		document_value(document, "collection", cell_string(state->collection));
	if (runstate_drops(state)) {
		char text[CONTROL_COLLECTION_TEXT];

		control_describe_collection(text, sizeof(text), state);
		document_prose(document, "%s%s\n", indent, text);
	}
	if (view->stat)
		put_stat(document, state);
	if (view->totals)
		put_totals(document, view, state);
	begin_costs(&costing, view, state);
	document_list(document, "threads", false);
	for (size_t i = 0; i < state->n_threads; i++) {
		document_object(document, NULL, false);
		document_value(document, "thread", cell_count(state->threads[i].number));
		if (view->totals)
			put_total_values(document, &costing, state->threads[i].totals);
		if (view->back)
			put_stack(document, view, state, &state->threads[i]);
		document_close(document);
	}
	document_close(document);
}

/*
 * One target: for programs an object of what is in a list, and for both, unless state is NULL, what
 * is shown of its state.  why, if not NULL, is the reason why nothing is known.
 */
static void put_guest(struct document *document, const struct control_view *view,
		      const struct target *target, const struct runstate *state, const char *why)
{
	size_t n;
	const char **words = list_words(target, &n);

	document_object(document, NULL, false);
	document_value(document, "pid", cell_count(target->pid));
	document_value(document, "tool", cell_string(target_tool_name(target->tool)));
	document_value(document, "costgrind", cell_bool(target->is_ours));
	document_value(document, "state", cell_string(target_state_name(target)));
	document_value(document, "program", cell_list(words, n));
	if (why)
		document_value(document, "error", cell_string(why));
	if (state) {
		document_prose(document, "%d: ", (int)target->pid);
		for (size_t i = 0; i < n; i++) {
			document_prose(document, i > 0 ? " " : "");
			document_name(document, words[i]);
		}
		document_prose(document, "\n");
		put_state(document, view, state);
	}
	document_close(document);
	free(words);
}

/* -- the command ------------------------------------------------------------------------ */

static const char command[] = "control";

enum {
	MOST_SECONDS = 86400,
	DEFAULT_TIMEOUT = 10,
};

struct control {
	struct option_common common;
	struct control_view view;
	bool lists, dumps, zeroes, kills, watches;
	enum { INSTRUMENTATION_ON, INSTRUMENTATION_OFF, INSTRUMENTATION_AS_IS } instrumentation;
	enum { CONTROL_TEXT, CONTROL_JSON } format;
	const char *hint;
	const char *collection; /* on, off or auto; NULL: is left as it is */
	const char *prefix;
	unsigned long long timeout;
	struct watch watch;
	struct monitor_client client;
	bool failed;

	/* Of all targets, those that are meant. */
	struct targets targets;
	size_t *chosen; /* their indexes */
	size_t n_chosen;
	struct document document;
};

/* -- options ------------------------------------------------------------------------------ */

static const char *set_events(void *ctx, const char *value)
{
	size_t len = strlen(value);

	((struct control *)ctx)->view.events = value;
	/* An empty name would be none at all, and all events be shown. */
	return len > 0 && value[0] != ',' && value[len - 1] != ',' && !strstr(value, ",,")
		       ? NULL
		       : "names of events";
}

static const char *set_totals(void *ctx, const char *value)
{
	((struct control *)ctx)->view.totals = true;
	return value ? set_events(ctx, value) : NULL;
}

static const char *set_dump(void *ctx, const char *value)
{
	struct control *control = ctx;

	control->dumps = true;
	control->hint = value;
	return value && strlen(value) > MONITOR_CLIENT_HINT ? "at most 1000 bytes" : NULL;
}

static const char *set_collect(void *ctx, const char *value)
{
	static const char *const words[] = { "off", "on", "auto", NULL };

	((struct control *)ctx)->collection = value;
	return option_word(value, words) >= 0 ? NULL : "on, off or auto";
}

static const char *set_watch(void *ctx, const char *value)
{
	struct control *control = ctx;

	control->watches = true;
	return !value || option_decimal(value, 0.1, MOST_SECONDS, &control->watch.seconds)
		       ? NULL
		       : "seconds from 0.1 on";
}

static const char *set_prefix(void *ctx, const char *value)
{
	((struct control *)ctx)->prefix = value;
	return value[0] != '\0' && strlen(value) < LAUNCH_PATH / 2 ? NULL : "a prefix";
}

const struct option_rule control_options[] = {
	{ "--list", 'l', OPTION_FLAG, NULL, "List the processes (the default)",
	  OPTION_BOOL(struct control, lists) },
	{ "--stat", 's', OPTION_FLAG, NULL, "Show numbers of threads, parts, functions, calls",
	  OPTION_BOOL(struct control, view.stat) },
	{ "--totals", 'e', OPTION_MAYBE, "A,B",
	  "Show what each thread has cost since the last part, in these events\n[cycles, all recorded]",
	  OPTION_CALL(set_totals) },
	{ "--back", 'b', OPTION_FLAG, NULL,
	  "Show the calls in progress: what all calls of each function by its caller have cost\n"
	  "since the last part, and how many there were",
	  OPTION_BOOL(struct control, view.back) },
	{ "--events", 0, OPTION_VALUE, "A,B", "Show these columns in --back and --watch, too [all]",
	  OPTION_CALL(set_events) },
	{ "--instr", 'i', OPTION_VALUE, "on|off", "Switch counting on or off",
	  OPTION_WORD(struct control, instrumentation) },
	{ "--collect", 0, OPTION_VALUE, "on|off|auto",
	  "Collect everything or nothing, in all threads; auto [initially]: as the tool's options\n"
	  "and the program's requests say",
	  OPTION_CALL(set_collect) },
	{ "--dump", 'd', OPTION_MAYBE, "HINT",
	  "Write what was counted since the last part as a part, with a hint in its header",
	  OPTION_CALL(set_dump) },
	{ "--zero", 'z', OPTION_FLAG, NULL, "Set all counts to zero",
	  OPTION_BOOL(struct control, zeroes) },
	{ "--kill", 'k', OPTION_FLAG, NULL,
	  "Write the profile, then end the process; if it cannot be written, the process goes on",
	  OPTION_BOOL(struct control, kills) },
	{ "--watch", 'w', OPTION_MAYBE, "SECONDS",
	  "Show the functions that have cost most since the last look, every SECONDS [1]; on a\n"
	  "terminal, q ends it",
	  OPTION_CALL(set_watch) },
	{ "--count", 0, OPTION_VALUE, "N", "Number of looks [until it ends]",
	  OPTION_COUNT(struct control, watch.count, "a number from 1 on", 1, 1000000000) },
	{ "--format", 0, OPTION_VALUE, "text|json",
	  "Output format of --list, --stat, --totals, --back [text]",
	  OPTION_WORD(struct control, format) },
	{ "--timeout", 0, OPTION_VALUE, "SECONDS", "Seconds to wait for an answer [10]",
	  OPTION_COUNT(struct control, timeout, "seconds from 1 on", 1, MOST_SECONDS) },
	{ "--vgdb-prefix", 0, OPTION_VALUE, "PREFIX",
	  "Prefix of the processes' pipes, if neither their command line nor COSTGRIND_OPTS nor\n"
	  "VALGRIND_OPTS has it",
	  OPTION_CALL(set_prefix) },
	{ .name = NULL },
};

static bool views(const struct control *control)
{
	return control->view.stat || control->view.totals || control->view.back;
}

static bool acts(const struct control *control)
{
	return control->dumps || control->zeroes ||
	       control->instrumentation != INSTRUMENTATION_AS_IS || control->collection ||
	       control->kills;
}

static bool talks(const struct control *control)
{
	return views(control) || acts(control) || control->watches;
}

/* -- which processes ---------------------------------------------------------------------- */

static void choose(struct control *control, size_t target)
{
	for (size_t i = 0; i < control->n_chosen; i++)
		if (control->chosen[i] == target)
			return;
	control->chosen[control->n_chosen++] = target;
}

static const struct target *chosen_target(const struct control *control, size_t i)
{
	return &control->targets.targets[control->chosen[i]];
}

static void choose_by(struct control *control, const char *operand)
{
	unsigned long long pid = 0;
	bool is_pid = option_count(operand, 0x7fffffff, &pid), found = false;

	for (size_t i = 0; i < control->targets.n; i++) {
		const struct target *target = &control->targets.targets[i];

		if (is_pid ? target->pid != (pid_t)pid : !target_is_called(target, operand))
			continue;
		choose(control, i);
		found = true;
	}
	if (found)
		return;
	control->failed = true;
	if (is_pid && target_is_alive(&(struct target){ .pid = (pid_t)pid }))
		complain(command, "%s: does not run under costgrind, Callgrind or Cachegrind",
			 operand);
	else if (is_pid)
		complain(command, "%s: there is no such process", operand);
	else
		complain(command,
			 "%s: no program whose name ends so runs under costgrind, Callgrind or "
			 "Cachegrind",
			 operand);
}

static bool choose_all(struct control *control, char **operands, int n)
{
	if (!targets_find(&control->targets, control->prefix)) {
		complain(command, "/proc: %s", strerror(errno));
		return false;
	}
	control->chosen = heap_alloc(control->targets.n * sizeof(*control->chosen));
	for (int i = 0; i < n; i++)
		choose_by(control, operands[i]);
	for (size_t i = 0; n == 0 && i < control->targets.n; i++)
		choose(control, i);
	if (n == 0 && control->targets.n == 0) {
		complain(command, "nothing runs under costgrind, Callgrind or Cachegrind");
		return false;
	}
	return true;
}

/* -- what is done ------------------------------------------------------------------------- */

static void fail(struct control *control, const struct target *target)
{
	control->failed = true;
	complain(command, "%d: %s", (int)target->pid, control->client.text);
}

/* The state of one; without one, for programs, what is in a list. */
static void show(struct control *control, const struct target *target)
{
	struct runstate state;
	bool asks = views(control);
	bool known = asks && monitor_client_state(&control->client, target, false, &state);
	char missing[CONTROL_MISSING_TEXT];
	struct costcolumns columns;

	if (asks && !known)
		fail(control, target);
	if (known && state.instrumenting &&
	    !costcolumns_init(&columns, &state, control->view.events, missing, sizeof(missing))) {
		control->failed = true;
		complain(command, "%d: %s", (int)target->pid, missing);
	}
	put_guest(&control->document, &control->view, target, known ? &state : NULL,
		  asks && !known ? control->client.text : NULL);
	if (known)
		runstate_release(&state);
}

/* Gives an order, or NULL that to end, and says what came of it: what, unless there is an answer. */
static bool order(struct control *control, const struct target *target, const char *request,
		  const char *what)
{
	struct monitor_client *client = &control->client;
	bool done = request ? monitor_client_order(client, target, request)
			    : monitor_client_kill(client, target);
	bool is_instrumentation = request && strncmp(request, "instr", strlen("instr")) == 0;

	/* What is counted now goes nowhere, unless collection is switched on too. */
	if (done && is_instrumentation && control->collection)
		client->text[0] = '\0';
	if (!done)
		fail(control, target);
	else if (!control->common.quiet)
		printf("%d: %s%s%s\n", (int)target->pid,
		       is_instrumentation || !client->text[0] ? what : "",
		       is_instrumentation && client->text[0] ? "; " : "", client->text);
	fflush(stdout);
	return done;
}

/* An action that fails ends the actions of this process. */
static void act(struct control *control, const struct target *target)
{
	bool on = control->instrumentation == INSTRUMENTATION_ON;
	const char *hint = control->hint ? control->hint : "";
	char request[MONITOR_CLIENT_HINT + 16];

	snprintf(request, sizeof(request), "dump%s%s", hint[0] ? " " : "", hint);
	if (control->dumps && !order(control, target, request, "dumped"))
		return;
	if (control->zeroes && !order(control, target, "zero", "set to zero"))
		return;
	if (control->instrumentation != INSTRUMENTATION_AS_IS &&
	    !order(control, target, on ? "instrumentation on" : "instrumentation off",
		   on ? "instrumentation is on" : "instrumentation is off"))
		return;
	if (control->collection) {
		snprintf(request, sizeof(request), "collection %s", control->collection);
		if (!order(control, target, request, "done"))
			return;
	}
	if (control->kills)
		order(control, target, NULL, "killed");
}

static int watch(struct control *control)
{
	if (control->n_chosen == 1) {
		int code;

		control->watch.client = &control->client;
		control->watch.target = chosen_target(control, 0);
		control->watch.events = control->view.events;
		code = watch_run(&control->watch);
		return control->failed && code == EXIT_FINE ? EXIT_FAILED : code;
	}
	if (control->n_chosen > 1)
		complain(command, "--watch: expected one process, found %zu: %d, %d%s",
			 control->n_chosen, (int)chosen_target(control, 0)->pid,
			 (int)chosen_target(control, 1)->pid, control->n_chosen > 2 ? ", ..." : "");
	return EXIT_FAILED;
}

static int run(struct control *control)
{
	bool lists = control->lists || !talks(control);

	if (control->watches)
		return watch(control);
	document_begin(&control->document,
		       control->format == CONTROL_JSON ? &document_json : &document_text, stdout,
		       NULL, 0, 0);
	if (lists)
		put_list(&control->document, &control->targets, control->chosen, control->n_chosen);
	document_list(&control->document, "processes", false);
	for (size_t i = 0; i < control->n_chosen; i++) {
		if (views(control) || control->format == CONTROL_JSON)
			show(control, chosen_target(control, i));
		if (acts(control))
			act(control, chosen_target(control, i));
	}
	document_close(&control->document);
	document_end(&control->document);
	return control->failed ? EXIT_FAILED : EXIT_FINE;
}

/* NULL, or what does not go together; n: operands. */
static const char *conflict(const struct control *control, int n)
{
	/* Some of all that run on this machine may be other users'. */
	if (control->kills && n == 0)
		return "--kill: expected pids or names after it";
	if (control->watches &&
	    (acts(control) || views(control) || control->lists || control->format == CONTROL_JSON))
		return "--watch: expected no other action, and text";
	if (control->watch.count > 0 && !control->watches)
		return "--count: expected --watch";
	if (control->format == CONTROL_JSON && acts(control))
		return "--format=json: expected --list, --stat, --totals or --back";
	return NULL;
}

int control_main(int argc, char **argv)
{
	struct control control = { .instrumentation = INSTRUMENTATION_AS_IS,
				   .timeout = DEFAULT_TIMEOUT,
				   .watch = { .seconds = 1 } };
	int n = 0, code = options_read(control_options, &control.common, argv, &n, &control);
	char vgdb[LAUNCH_PATH];
	const char *wrong;

	(void)argc;
	if (code != OPTIONS_GO_ON)
		return code;
	wrong = conflict(&control, n);
	if (wrong) {
		complain(command, "%s", wrong);
		return EXIT_USAGE;
	}
	control.client.program = vgdb;
	control.client.seconds = (unsigned)control.timeout;
	if (talks(&control) && !vgdb_find(vgdb, sizeof(vgdb))) {
		complain(command, "vgdb: found neither next to %s nor in PATH (Debian: valgrind)",
			 launch_valgrind());
		return EXIT_FAILED;
	}
	code = choose_all(&control, argv + 1, n) ? run(&control) : EXIT_FAILED;
	free(control.chosen);
	targets_release(&control.targets);
	return code;
}
