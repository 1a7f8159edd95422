/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is shown of targets as a document.  Programs get objects, and of stacks tables; people get
 * tables of all that has columns.
 */
#include "cmds/control/controlreport.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/control/costcolumns.h"
#include "cmds/emit/visible.h"

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

/* The program and its arguments, an array to be freed; NULL if memory ran out. */
static const char **list_words(const struct target *target, size_t *n)
{
	const char **words = calloc(target->words_len + 1, sizeof(*words));

	*n = 0;
	for (size_t i = 0; words && i < target->words_len; i += strlen(target->words + i) + 1)
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

		if (!words)
			document_fail(document);
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

void control_put_list(struct document *document, const struct targets *targets,
		      const size_t *chosen, size_t n)
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
	const char *missing;
	size_t len;

	costing->state = state;
	costing->n = 0;
	costcolumns_init(&costing->chosen, state, view->events, &missing, &len);
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

/* Whether a profile has more than these threads: those of some that are over, or events of no thread. */
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

/* Those of a profile that is written now: of threads that are over too. */
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

static void put_threads(struct document *document, const struct control_view *view,
			const struct runstate *state)
{
	struct costing costing;

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

/* -- a target --------------------------------------------------------------------------- */

static void put_head(struct document *document, const struct target *target, bool is_known)
{
	size_t n;
	const char **words = list_words(target, &n);

	if (!words)
		document_fail(document);
	document_value(document, "pid", cell_count(target->pid));
	document_value(document, "tool", cell_string(target_tool_name(target->tool)));
	document_value(document, "costgrind", cell_bool(target->is_ours));
	document_value(document, "state", cell_string(target_state_name(target)));
	document_value(document, "program", cell_list(words, n));
	if (is_known)
		document_prose(document, "%d: ", (int)target->pid);
	for (size_t i = 0; is_known && words && i < n; i++) {
		document_prose(document, i > 0 ? " " : "");
		document_name(document, words[i]);
	}
	document_prose(document, is_known ? "\n" : "");
	free(words);
}

static void put_state(struct document *document, const struct control_view *view,
		      const struct runstate *state)
{
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
	put_threads(document, view, state);
}

void control_put_guest(struct document *document, const struct control_view *view,
		       const struct target *target, const struct runstate *state, const char *why)
{
	document_object(document, NULL, false);
	put_head(document, target, state != NULL);
	if (why)
		document_value(document, "error", cell_string(why));
	if (state)
		put_state(document, view, state);
	document_close(document);
}
