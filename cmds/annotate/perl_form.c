/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scripts in Perl print but sources: columns, the head, totals and functions. */
#include "cmds/annotate/perl_form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PERCENT_WIDTH = 9 }; /* " (12.34%)" */

/* -- columns ------------------------------------------------------------------------------- */

void perl_reset_widths(struct perl_form *perl)
{
	for (size_t i = 0; i < perl->form->sums->n_events; i++)
		perl->widths[i] = strlen(perl->form->sums->events[i]);
}

void perl_widen_for(struct perl_form *perl, struct costs costs)
{
	for (size_t i = 0; i < costs.n_defined; i++) {
		char text[INT128_TEXT];
		size_t len =
			int128_print(text, script_form_count(perl->form, costs.counts[i]), false);
		/* The sign is a digit to it. */
		size_t width = len + (len - 1) / 3 + (perl->form->percents ? PERCENT_WIDTH : 0);

		if (width > perl->widths[i])
			perl->widths[i] = width;
	}
}

/* callgrind_annotate puts no commas into what is below 0. */
static size_t print_count(const struct perl_form *perl, char *text, int128 count)
{
	return int128_print(text, count, !perl->form->is_callgrind || count >= 0);
}

static void put_cost(struct perl_form *perl, size_t event, struct costs costs)
{
	struct script_form *form = perl->form;
	char text[INT128_TEXT + 64];
	size_t len = (size_t)snprintf(text, sizeof(text), ".");
	bool is_nothing = event >= costs.n_defined || costs.counts[event] == 0;

	if (event < costs.n_defined)
		len = print_count(perl, text, script_form_count(form, costs.counts[event]));
	if (form->percents && is_nothing) {
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%*s", PERCENT_WIDTH, "");
	} else if (form->percents) {
		double percent = event < form->n_total && form->totals[event] != 0
					 ? script_form_percent(form, event, costs.counts[event])
					 : 0;
		bool has_room = percent > -9.995 && percent < 99.995;

		len += (size_t)snprintf(text + len, sizeof(text) - len,
					has_room ? " (%5.2f%%)" : " (%5.1f%%)", percent);
	}
	fprintf(form->out, "%*s%s ",
		len < perl->widths[event] ? (int)(perl->widths[event] - len) : 0, "", text);
}

void perl_put_costs(struct perl_form *perl, struct costs costs)
{
	for (size_t i = 0; i < perl->form->n_shown; i++)
		put_cost(perl, perl->form->shown[i], costs);
}

void perl_put_titles(struct perl_form *perl)
{
	struct script_form *form = perl->form;

	for (size_t i = 0; i < form->n_shown; i++)
		fprintf(form->out, "%-*s ", (int)perl->widths[form->shown[i]],
			form->sums->events[form->shown[i]]);
}

void perl_put_heading(struct perl_form *perl, const char *behind)
{
	fputs(script_form_rule, perl->form->out);
	perl_put_titles(perl);
	fprintf(perl->form->out, "%s\n%s", behind, script_form_rule);
}

/* -- head ---------------------------------------------------------------------------------- */

static void put_label(struct perl_form *perl, const char *label)
{
	fprintf(perl->form->out, "%-18s", label);
}

static void put_target(struct perl_form *perl, const struct script_header *header)
{
	struct script_form *form = perl->form;

	put_label(perl, "Profiled target:");
	script_form_text(form, header->cmd && header->cmd[0] ? header->cmd : "(unknown)");
	if (header->has_pid) {
		fprintf(form->out, " (PID %" PRIu64, header->pid);
		if (header->has_number)
			fprintf(form->out, ", part %" PRIu64, header->number);
		if (header->has_thread)
			fprintf(form->out, ", thread %" PRIu64, header->thread);
		fputs(")", form->out);
	}
	fputs("\n", form->out);
}

static void put_files(struct perl_form *perl, const struct script_header *header)
{
	struct script_form *form = perl->form;

	put_label(perl, "Command:");
	script_form_text(form, header->cmd ? header->cmd : "");
	fputs("\n", form->out);
	for (size_t i = 0; i < form->n_paths; i++) {
		put_label(perl, i == 0 ? "Data file:" : "");
		script_form_text(form, form->paths[i]);
		fputs("\n", form->out);
	}
}

/* A label, and texts with blanks between. */
static void put_list(struct perl_form *perl, const char *label, size_t n,
		     const char *(*text)(const struct script_form *form, size_t i))
{
	put_label(perl, label);
	for (size_t i = 0; i < n; i++) {
		fputs(i > 0 ? " " : "", perl->form->out);
		script_form_text(perl->form, text(perl->form, i));
	}
	fputs("\n", perl->form->out);
}

static const char *event_text(const struct script_form *form, size_t i)
{
	return form->sums->events[i];
}

static const char *shown_text(const struct script_form *form, size_t i)
{
	return form->sums->events[form->shown[i]];
}

static const char *key_text(const struct script_form *form, size_t i)
{
	return form->sums->events[form->keys[i].event];
}

static const char *threshold_text(const struct script_form *form, size_t i)
{
	return form->keys[i].text;
}

/* Each in a line of its own. */
static void put_column(struct perl_form *perl, const char *label, const char *const *texts,
		       size_t n, const char *end)
{
	for (size_t i = 0; i < n || i == 0; i++) {
		size_t len = n > 0 ? strlen(texts[i]) : 0;

		put_label(perl, i == 0 ? label : "");
		if (n > 0)
			script_form_text(perl->form, texts[i]);
		/* A folder has one slash at its end. */
		fputs(len > 0 && end[0] == texts[i][len - 1] ? ""
		      : n > 0                                ? end
							     : "",
		      perl->form->out);
		fputs("\n", perl->form->out);
	}
}

static void put_head(struct perl_form *perl)
{
	struct script_form *form = perl->form;
	const struct script_header *header = &form->sums->headers[0];

	fputs(script_form_rule, form->out);
	if (form->is_callgrind) {
		fputs("Profile data file '", form->out);
		script_form_text(form, form->paths[0]);
		fputs("'", form->out);
		if (header->creator) {
			fputs(" (creator: ", form->out);
			script_form_text(form, header->creator);
			fputs(")", form->out);
		}
		fprintf(form->out, "\n%s", script_form_rule);
	}
	fputs(header->descs, form->out);
	if (form->is_callgrind)
		put_target(perl, header);
	else
		put_files(perl, header);
	put_list(perl, "Events recorded:", form->sums->n_events, event_text);
	put_list(perl, "Events shown:", form->n_shown, shown_text);
	put_list(perl, "Event sort order:", form->n_keys, key_text);
	put_list(perl, "Thresholds:", form->n_keys, threshold_text);
	put_column(perl, "Include dirs:", form->policy->directories, form->policy->n_directories,
		   "/");
	put_column(perl, "User annotated:", form->named, form->n_named, "");
	put_label(perl, "Auto-annotation:");
	fprintf(form->out, "%s\n\n", form->automatic ? "on" : "off");
}

static void put_totals(struct perl_form *perl)
{
	struct script_form *form = perl->form;
	const struct costs totals = { form->totals, form->n_total };

	perl_reset_widths(perl);
	perl_widen_for(perl, totals);
	perl_put_heading(perl, "");
	perl_put_costs(perl, totals);
	fprintf(form->out, " PROGRAM TOTALS%s\n\n",
		form->is_callgrind && form->is_calculated ? " (calculated)" : "");
}

/* -- functions ----------------------------------------------------------------------------- */

static void put_object(struct perl_form *perl, uint32_t pair, bool also_empty)
{
	const struct script_sums *sums = perl->form->sums;
	const struct script_pair *of = &sums->by_pair[pair];

	if (!perl->form->is_callgrind || !of->has_own ||
	    (of->object == DICTIONARY_NONE && !also_empty))
		return;
	fputs(" [", perl->form->out);
	if (of->object != DICTIONARY_NONE)
		script_form_name(perl->form, dictionary_name(&sums->objects, of->object));
	fputs("]", perl->form->out);
}

void perl_put_times(struct perl_form *perl, uint64_t times)
{
	char text[INT128_TEXT];

	int128_print(text, (int128)times, true);
	fprintf(perl->form->out, " (%sx)", text);
}

/* The calls of a function: of all rows, those of which one end is the pair. */
static void put_calls(struct perl_form *perl, uint32_t pair, bool to_it)
{
	const struct script_table *calls = &perl->form->sums->calls;
	const uint32_t *rows = to_it ? perl->callers : perl->callees;
	size_t low = 0, high = calls->keys.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct script_call_key key = perl_call_key(perl, rows[middle]);

		if ((to_it ? key.callee : key.caller) < pair)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < calls->keys.count; low++) {
		const struct script_call_key key = perl_call_key(perl, rows[low]);
		uint32_t other = to_it ? key.caller : key.callee;

		if ((to_it ? key.callee : key.caller) != pair)
			break;
		perl_put_costs(perl, perl_row(calls, rows[low]));
		fputs(to_it ? " < " : " >   ", perl->form->out);
		script_form_text(perl->form, perl->names[other]);
		perl_put_times(perl, calls->rows[rows[low]].times);
		put_object(perl, other, true);
		fputs("\n", perl->form->out);
	}
}

/* Of the costs of functions so far, or with calls of the last one: whether they are enough. */
static bool is_covered(const struct perl_form *perl, const int128 *reached)
{
	const struct script_form *form = perl->form;

	if (!form->has_key_thresholds && form->threshold_value >= 100)
		return false;
	for (size_t i = 0; i < form->n_keys; i++) {
		size_t event = form->keys[i].event;
		int128 total = event < form->n_total ? script_form_count(form, form->totals[event])
						     : 0;
		double share = (double)(reached[i] * 100);

		if (total > 0)
			share /= (double)total;
		if (share < form->keys[i].threshold)
			return false;
	}
	return true;
}

static bool exceeds_some(const struct perl_form *perl, struct costs costs)
{
	const struct script_form *form = perl->form;

	for (size_t i = 0; i < form->n_keys; i++) {
		size_t event = form->keys[i].event;
		double share = 0;

		if (event < costs.n_defined && event < form->n_total && form->totals[event] != 0)
			share = script_form_percent(form, event, costs.counts[event]);
		if ((share < 0 ? -share : share) >= form->keys[i].threshold)
			return true;
	}
	return false;
}

static void note_reached(const struct perl_form *perl, struct costs costs, int128 *reached)
{
	const struct script_form *form = perl->form;

	for (size_t i = 0; i < form->n_keys; i++) {
		size_t event = form->keys[i].event;
		int128 total = event < form->n_total ? script_form_count(form, form->totals[event])
						     : 0;

		if (event >= costs.n_defined)
			continue;
		if (form->inclusive)
			reached[i] = total - script_form_count(form, costs.counts[event]);
		else
			reached[i] += script_form_count(form, costs.counts[event]);
	}
}

static void put_function(struct perl_form *perl, const struct listed *listed)
{
	struct script_form *form = perl->form;
	bool is_tree = form->shows_callers || form->shows_callees;
	bool is_known = strcmp(listed->name, "???:???") != 0;

	if (is_tree)
		fputs("\n", form->out);
	if (form->shows_callers && is_known)
		put_calls(perl, listed->pair, true);
	perl_put_costs(perl, listed->costs);
	fputs(is_tree ? " *  " : " ", form->out);
	script_form_text(form, listed->name);
	put_object(perl, listed->pair, false);
	fputs("\n", form->out);
	if (form->shows_callees && is_known)
		put_calls(perl, listed->pair, false);
}

static bool put_functions(struct perl_form *perl)
{
	struct script_form *form = perl->form;
	int128 *reached =
		arena_alloc(&form->arena, (form->n_keys + 1) * sizeof(*reached), _Alignof(int128));

	if (!reached)
		return false;
	memset(reached, 0, form->n_keys * sizeof(*reached));
	perl_reset_widths(perl);
	for (size_t i = 0; i < perl->n_functions; i++)
		perl_widen_for(perl, perl->functions[i].costs);
	perl_put_heading(perl, " file:function");
	for (size_t i = 0; i < perl->n_functions; i++) {
		const struct listed *listed = &perl->functions[i];
		struct script_pair_key key;

		if (form->is_callgrind ? is_covered(perl, reached)
				       : !exceeds_some(perl, listed->costs))
			break;
		put_function(perl, listed);
		script_key(&form->sums->pairs, listed->pair, &key, sizeof(key));
		perl->reaches[key.file] = true;
		note_reached(perl, listed->costs, reached);
	}
	fputs("\n", form->out);
	return true;
}

int script_form_perl(struct script_form *form)
{
	struct perl_form perl = { .form = form };
	int status = perl_functions_make(&perl);

	if (status)
		return status;
	put_head(&perl);
	put_totals(&perl);
	return put_functions(&perl) ? perl_put_sources(&perl) : PROFILE_NO_MEMORY;
}
