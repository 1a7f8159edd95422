/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "cmds/control/controlreport.h"
#include "cmds/control/costcolumns.h"
#include "cmds/text/visible.h"
#include "profile/common/amount.h"

enum {
	LABEL = 16,
	PID_WIDTH = 7,
	TOOL_WIDTH = 24,
	STATE_WIDTH = 8,
};

void control_print_words(FILE *out, const struct guest *guest)
{
	for (size_t i = 0; i < guest->words_len; i += strlen(guest->words + i) + 1) {
		if (i > 0)
			fputc(' ', out);
		visible_text(out, guest->words + i);
	}
}

static void print_tool(FILE *out, const struct guest *guest)
{
	char text[TOOL_WIDTH + 1];

	snprintf(text, sizeof(text), "%s%s",
		 guest->is_ours && guest->tool != GUEST_COSTGRIND ? "costgrind as " : "",
		 guest_tool_name(guest->tool));
	fprintf(out, "%-*s", TOOL_WIDTH, text);
}

void control_list_text(FILE *out, const struct guests *guests, const size_t *chosen, size_t n)
{
	fprintf(out, "%*s  %-*s%-*s  %s\n", PID_WIDTH, "pid", TOOL_WIDTH, "tool", STATE_WIDTH,
		"state", "program");
	for (size_t i = 0; i < n; i++) {
		const struct guest *guest = &guests->guests[chosen[i]];

		fprintf(out, "%*d  ", PID_WIDTH, (int)guest->pid);
		print_tool(out, guest);
		fprintf(out, "%-*s  ", STATE_WIDTH, guest_state_name(guest));
		control_print_words(out, guest);
		fputc('\n', out);
	}
}

static void print_label(FILE *out, const char *label)
{
	fprintf(out, "  %-*s", LABEL, label);
}

static void print_pair(FILE *out, const char *label, uint64_t count, uint64_t distinct,
		       const char *of)
{
	char counted[AMOUNT_TEXT], different[AMOUNT_TEXT];

	amount_print(counted, amount_of(count, false), true);
	amount_print(different, amount_of(distinct, false), true);
	print_label(out, label);
	fprintf(out, "%s, %s %s\n", counted, different, of);
}

static void print_stat(FILE *out, const struct runstate *state)
{
	print_label(out, "threads");
	for (size_t i = 0; i < state->n_threads; i++)
		fprintf(out, "%s%u", i > 0 ? " " : "", state->threads[i].number);
	fputc('\n', out);
	print_label(out, "parts written");
	fprintf(out, "%u\n", state->part);
	print_label(out, "events");
	for (size_t i = 0; i < state->n_events; i++) {
		fputs(i > 0 ? " " : "", out);
		visible_text(out, state->events[i]);
	}
	fputc('\n', out);
	print_pair(out, "functions", state->functions, state->contexts, "contexts");
	print_pair(out, "calls", state->executed_calls, state->calls, "distinct");
	print_pair(out, "blocks", state->executed_blocks, state->blocks, "distinct");
}

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

static void print_totals(FILE *out, const struct control_view *view, const struct runstate *state)
{
	struct costcolumns columns;
	const char *missing;
	size_t len;

	costcolumns_init(&columns, state, view->events, &missing, &len);
	for (size_t i = 0; i < state->n_threads; i++)
		costcolumns_measure(&columns, state->threads[i].totals);
	if (is_more_than_threads(state))
		costcolumns_measure(&columns, state->totals);
	fputs("  ", out);
	costcolumns_names(&columns, out);
	fputc('\n', out);
	for (size_t i = 0; i < state->n_threads; i++) {
		fputs("  ", out);
		costcolumns_row(&columns, out, state->threads[i].totals);
		fprintf(out, "thread %u\n", state->threads[i].number);
	}
	if (!is_more_than_threads(state))
		return;
	fputs("  ", out);
	costcolumns_row(&columns, out, state->totals);
	fputs("in all\n", out);
}

static void print_calls(FILE *out, const struct runframe *caller)
{
	char text[AMOUNT_TEXT] = ".";

	if (caller)
		amount_print(text, amount_of(caller->calls, false), true);
	fprintf(out, "%10s ", text);
}

/* The innermost first: what its calls from the one below have cost, and how often it was called. */
static void print_stack(FILE *out, const struct control_view *view, const struct runstate *state,
			const struct runthread *thread)
{
	struct costcolumns columns;
	const char *missing;
	size_t len;

	costcolumns_init(&columns, state, view->events, &missing, &len);
	for (size_t i = 0; i < thread->n_frames; i++)
		costcolumns_measure(&columns, thread->frames[i].costs);
	fputs("  ", out);
	costcolumns_names(&columns, out);
	fprintf(out, "%10s thread %u\n", "calls", thread->number);
	for (size_t i = 0; i < thread->n_frames; i++) {
		size_t frame = thread->n_frames - 1 - i;
		const struct runframe *caller = frame > 0 ? &thread->frames[frame - 1] : NULL;

		fputs("  ", out);
		costcolumns_row(&columns, out, caller ? caller->costs : NULL);
		print_calls(out, caller);
		fprintf(out, "[%zu] ", i);
		visible_text(out, thread->frames[frame].function);
		fputc('\n', out);
	}
}

void control_print_collection(FILE *out, const char *indent, const struct runstate *state)
{
	fprintf(out, "%scollection is %s (--collect=on switches it on)\n", indent,
		state->collection);
}

void control_view_text(FILE *out, const struct control_view *view, const struct guest *guest,
		       const struct runstate *state)
{
	fprintf(out, "%d: ", (int)guest->pid);
	control_print_words(out, guest);
	fputc('\n', out);
	if (!state->instrumenting) {
		fprintf(out, "  instrumentation is off\n");
		return;
	}
	if (runstate_drops(state))
		control_print_collection(out, "  ", state);
	if (view->stat)
		print_stat(out, state);
	if (view->totals)
		print_totals(out, view, state);
	for (size_t i = 0; view->back && i < state->n_threads; i++)
		print_stack(out, view, state, &state->threads[i]);
}
