/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cg_annotate prints from Valgrind 3.21 on but sources. */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/annotate/python_form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/self_costs.h"

/* Bytes of texts, and how wide they are at most. */
enum { PERCENT_TEXT = 400 };

/* What stands in a cell: a count, and its percentages with brackets. */
struct cell_texts {
	char count[INT128_TEXT];
	char percent[PERCENT_TEXT];
	char cumulative[PERCENT_TEXT]; /* of sums so far */
};

void python_put_title(struct script_form *form, const char *title)
{
	fprintf(form->out, "%s-- %s\n%s", script_form_rule, title, script_form_rule);
}

/* -- columns ------------------------------------------------------------------------------- */

/* cumulative NULL = there is no sum so far. */
static void format(const struct script_form *form, struct cell_texts *texts, size_t event,
		   uint64_t count, const uint64_t *cumulative)
{
	bool has_total = form->totals[event] != 0;

	texts->percent[0] = texts->cumulative[0] = '\0';
	int128_print(texts->count, script_form_count(form, count), true);
	if (!form->percents || (!cumulative && count == 0))
		return;
	if (!has_total) {
		snprintf(texts->percent, sizeof(texts->percent), "%s",
			 cumulative ? " (n/a," : " (n/a)");
		snprintf(texts->cumulative, sizeof(texts->cumulative), "%s",
			 cumulative ? " n/a)" : "");
		return;
	}
	snprintf(texts->percent, sizeof(texts->percent), cumulative ? " (%.1f%%," : " (%.1f%%)",
		 script_form_percent(form, event, count));
	if (cumulative)
		snprintf(texts->cumulative, sizeof(texts->cumulative), " %.1f%%)",
			 script_form_percent(form, event, *cumulative));
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void python_note_extremes(const struct script_form *form, struct extremes *extremes,
			  const uint64_t *counts)
{
	for (size_t i = 0; i < form->sums->n_events; i++) {
		int128 count = script_form_count(form, counts[i]);

		if (count > extremes[i].most)
			extremes[i].most = count;
		else if (count < extremes[i].least)
			extremes[i].least = count;
	}
}

void python_set_widths(struct python_form *python, const struct extremes *own,
		       const struct extremes *cumulative)
{
	for (size_t i = 0; i < python->form->sums->n_events; i++) {
		struct widths *widths = &python->widths[i];

		*widths = (struct widths){ 0 };
		for (int is_most = 0; is_most < 2; is_most++) {
			const struct extremes *sums = cumulative ? &cumulative[i] : &own[i];
			uint64_t count = (uint64_t)(is_most ? own[i].most : own[i].least);
			uint64_t sum = (uint64_t)(is_most ? sums->most : sums->least);
			struct cell_texts texts;

			format(python->form, &texts, i, count, cumulative ? &sum : NULL);
			widths->count = larger(widths->count, strlen(texts.count));
			widths->percent = larger(widths->percent, strlen(texts.percent));
			widths->cumulative = larger(widths->cumulative, strlen(texts.cumulative));
		}
	}
}

void python_put_titles(struct python_form *python, const char *before, const char *after)
{
	struct script_form *form = python->form;

	fputs(before, form->out);
	for (size_t i = 0; i < form->n_shown; i++) {
		size_t event = form->shown[i], len = strlen(form->sums->events[event]);
		const struct widths *widths = &python->widths[event];
		size_t width = widths->count + widths->percent + widths->cumulative;

		fputs(form->sums->events[event], form->out);
		for (; len < width; len++)
			fputc('_', form->out);
		fputc(' ', form->out);
	}
	fprintf(form->out, "%s\n", after);
}

static void put_cell(struct python_form *python, size_t event, const struct cell_texts *texts)
{
	struct script_form *form = python->form;
	const struct widths *widths = &python->widths[event];
	size_t width = widths->count + widths->percent + widths->cumulative;
	size_t len = strlen(form->sums->events[event]);

	fprintf(form->out, "%*s%*s%*s%*s ", len > width ? (int)(len - width) : 0, "",
		(int)widths->count, texts->count, (int)widths->percent, texts->percent,
		(int)widths->cumulative, texts->cumulative);
}

/* counts NULL = there are none. */
void python_put_costs(struct python_form *python, const uint64_t *counts,
		      const uint64_t *cumulative)
{
	struct script_form *form = python->form;

	for (size_t i = 0; i < form->n_shown; i++) {
		size_t event = form->shown[i];
		struct cell_texts texts = { ".", "", "" };

		if (counts)
			format(form, &texts, event, counts[event],
			       cumulative ? &cumulative[event] : NULL);
		put_cell(python, event, &texts);
	}
	fputc(' ', form->out);
}

/* -- metadata ------------------------------------------------------------------------------ */

static bool agree(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static void put_descs(struct script_form *form)
{
	const struct script_sums *sums = form->sums;
	bool are_same = true;

	for (size_t i = 1; i < sums->n_headers; i++)
		are_same &= agree(sums->headers[i].descs, sums->headers[0].descs);
	for (size_t i = 0; i < (are_same ? 1 : sums->n_headers); i++) {
		if (!are_same)
			fprintf(form->out, "Description %zu:\n", i + 1);
		fputs(sums->headers[i].descs, form->out);
	}
}

static void put_commands(struct script_form *form)
{
	const struct script_sums *sums = form->sums;

	for (size_t i = 0; i < sums->n_headers; i++) {
		const char *cmd = sums->headers[i].cmd;

		if (sums->n_headers == 1)
			fputs("Command:          ", form->out);
		else if (i > 0 && agree(cmd, sums->headers[i - 1].cmd))
			fprintf(form->out, "Command %zu:        (same as Command %zu)", i + 1, i);
		else
			fprintf(form->out, "Command %zu:        ", i + 1);
		if (i == 0 || !agree(cmd, sums->headers[i - 1].cmd))
			script_form_text(form, cmd ? cmd : "");
		fputs("\n", form->out);
	}
}

/* The fewest digits that are this number, of 0 to 100, and a point in them. */
static void put_threshold(struct script_form *form)
{
	char text[64];

	for (int digits = 3; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, form->threshold_value);
		if (strtod(text, NULL) == form->threshold_value)
			break;
	}
	fprintf(form->out, "Threshold:        %s%s%%\n", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_metadata(struct script_form *form)
{
	const struct script_sums *sums = form->sums;

	python_put_title(form, "Metadata");
	fputs("Invocation:      ", form->out);
	for (char *const *word = form->argv; *word; word++) {
		fputc(' ', form->out);
		script_form_text(form, *word);
	}
	fputs("\n", form->out);
	put_descs(form);
	put_commands(form);
	fputs("Events recorded: ", form->out);
	for (size_t i = 0; i < sums->n_events; i++)
		fprintf(form->out, " %s", sums->events[i]);
	fputs("\nEvents shown:    ", form->out);
	for (size_t i = 0; i < form->n_shown; i++)
		fprintf(form->out, " %s", sums->events[form->shown[i]]);
	fputs("\nEvent sort order:", form->out);
	for (size_t i = 0; i < form->n_keys; i++)
		fprintf(form->out, " %s", sums->events[form->keys[i].event]);
	fputs("\n", form->out);
	put_threshold(form);
	fprintf(form->out, "Annotation:       %s\n\n", form->automatic ? "on" : "off");
}

static void put_totals(struct python_form *python)
{
	struct script_form *form = python->form;
	struct extremes extremes[PROFILE_MAX_EVENTS] = { { 0, 0 } };

	python_note_extremes(form, extremes, form->totals);
	python_set_widths(python, extremes, NULL);
	python_put_title(form, "Summary");
	python_put_titles(python, "", "");
	fputs("\n", form->out);
	python_put_costs(python, form->totals, NULL);
	fputs("PROGRAM TOTALS\n\n", form->out);
}

/* -- files and functions ------------------------------------------------------------------- */

/* The most costly one first; of equal ones the last name. */
static int compare_costs(const struct script_form *form, const uint64_t *a, const uint64_t *b,
			 const struct name *name_a, const struct name *name_b)
{
	for (size_t i = 0; i < form->n_keys; i++) {
		size_t event = form->keys[i].event;
		int128 of_a = int128_magnitude(script_form_count(form, a[event]));
		int128 of_b = int128_magnitude(script_form_count(form, b[event]));

		if (of_a != of_b)
			return of_a > of_b ? -1 : 1;
	}
	return -dictionary_compare(name_a, name_b);
}

static int compare_inner(const void *a, const void *b, void *ctx)
{
	const struct inner *of_a = a, *of_b = b;

	return compare_costs(ctx, of_a->counts, of_b->counts, &of_a->name, &of_b->name);
}

static int compare_outer(const void *a, const void *b, void *ctx)
{
	const struct outer *of_a = a, *of_b = b;

	return compare_costs(ctx, of_a->counts, of_b->counts, &of_a->name, &of_b->name);
}

static bool reaches_threshold(const struct script_form *form, const uint64_t *counts)
{
	size_t event = form->keys[0].event;
	int128 count = int128_magnitude(script_form_count(form, counts[event]));
	int128 total = int128_magnitude(script_form_count(form, form->totals[event]));

	return (long double)count >= (long double)(form->threshold_value * (double)total / 100);
}

/* Sorts pairs to what they are in. */
static int fill_outer(struct script_form *form, struct outer *outer, size_t n, bool by_function)
{
	const struct script_sums *sums = form->sums;
	const struct dictionary *names = by_function ? &sums->functions : &sums->files;
	size_t n_pairs = sums->pairs.keys.count;
	struct inner *all = arena_alloc(&form->arena, (n_pairs + 1) * sizeof(*all), 8);

	for (size_t i = 0; i < n; i++) {
		outer[i] = (struct outer){
			.name = dictionary_name(names, (uint32_t)i),
			.key = (uint32_t)i,
			.counts = row_new(&form->arena, sums->n_events),
		};
		if (!outer[i].counts)
			return PROFILE_NO_MEMORY;
	}
	if (!all)
		return PROFILE_NO_MEMORY;
	/* Count them, share the array, and fill the shares. */
	for (int is_filling = 0; is_filling < 2; is_filling++) {
		for (size_t i = 0; i < n_pairs; i++) {
			const uint64_t *counts = script_counts(&sums->pairs, i);
			struct script_pair_key key;
			struct outer *of;

			script_key(&sums->pairs, i, &key, sizeof(key));
			of = &outer[by_function ? key.function : key.file];
			if (!is_filling &&
			    !row_add(of->counts, counts, sums->n_events, sums->is_signed))
				return PROFILE_RANGE;
			if (!sums->by_pair[i].has_code || !reaches_threshold(form, counts))
				continue;
			if (is_filling)
				of->inner[of->n_inner] = (struct inner){
					by_function
						? dictionary_name(&sums->files, key.file)
						: dictionary_name(&sums->functions, key.function),
					counts,
				};
			of->n_inner++;
		}
		for (size_t i = 0; !is_filling && i < n; i++) {
			outer[i].inner = all;
			all += outer[i].n_inner;
			outer[i].n_inner = 0;
		}
	}
	return PROFILE_OK;
}

/* Those with some inner one that reaches the threshold, sorted. */
static int make_outer(struct script_form *form, bool by_function, struct outer **result, size_t *n)
{
	const struct script_sums *sums = form->sums;
	size_t n_names = by_function ? sums->functions.count : sums->files.count, used = 0;
	struct outer *outer = arena_alloc(&form->arena, (n_names + 1) * sizeof(*outer), 8);
	int status = outer ? fill_outer(form, outer, n_names, by_function) : PROFILE_NO_MEMORY;

	if (status)
		return status;
	for (size_t i = 0; i < n_names; i++) {
		if (outer[i].n_inner == 0)
			continue;
		qsort_r(outer[i].inner, outer[i].n_inner, sizeof(*outer[i].inner), compare_inner,
			form);
		outer[used++] = outer[i];
	}
	qsort_r(outer, used, sizeof(*outer), compare_outer, form);
	*result = outer;
	*n = used;
	return PROFILE_OK;
}

static void put_outer(struct python_form *python, const struct outer *outer, const char *sign,
		      const uint64_t *cumulative)
{
	struct script_form *form = python->form;
	const size_t row = form->sums->n_events * sizeof(uint64_t);

	fputs(sign, form->out);
	python_put_costs(python, outer->counts, cumulative);
	script_form_name(form, outer->name);
	fputs(":", form->out);
	if (outer->n_inner == 1 && memcmp(outer->counts, outer->inner[0].counts, row) == 0) {
		script_form_name(form, outer->inner[0].name);
		fputs("\n\n", form->out);
		return;
	}
	fputs("\n", form->out);
	for (size_t i = 0; i < outer->n_inner; i++) {
		fputs("  ", form->out);
		python_put_costs(python, outer->inner[i].counts, NULL);
		fputs("  ", form->out);
		script_form_name(form, outer->inner[i].name);
		fputs("\n", form->out);
	}
	fputs("\n", form->out);
}

static int put_nesting(struct python_form *python, bool by_function, const struct outer *outer,
		       size_t n)
{
	struct script_form *form = python->form;
	struct extremes own[PROFILE_MAX_EVENTS] = { { 0, 0 } };
	struct extremes sums[PROFILE_MAX_EVENTS] = { { 0, 0 } };
	const size_t n_events = form->sums->n_events;
	uint64_t *cumulative = row_new(&form->arena, n_events);

	if (!cumulative)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		python_note_extremes(form, own, outer[i].counts);
		for (size_t j = 0; j < outer[i].n_inner; j++)
			python_note_extremes(form, own, outer[i].inner[j].counts);
		if (!row_add(cumulative, outer[i].counts, n_events, form->sums->is_signed))
			return PROFILE_RANGE;
		python_note_extremes(form, sums, cumulative);
	}
	python_set_widths(python, own, sums);
	python_put_title(form, by_function ? "Function:file summary" : "File:function summary");
	python_put_titles(python, "  ", by_function ? " function:file" : " file:function");
	fputs("\n", form->out);
	memset(cumulative, 0, n_events * sizeof(*cumulative));
	for (size_t i = 0; i < n; i++) {
		/* It was added before, so it cannot overflow. */
		(void)row_add(cumulative, outer[i].counts, n_events, form->sums->is_signed);
		put_outer(python, &outer[i], by_function ? "> " : "< ", cumulative);
	}
	return PROFILE_OK;
}

static int compare_filenames(const void *a, const void *b, void *ctx)
{
	const struct script_sums *sums = ctx;
	const uint32_t number_a = *(const uint32_t *)a, number_b = *(const uint32_t *)b;
	const struct name name_a = dictionary_name(&sums->names_of_files, number_a);
	const struct name name_b = dictionary_name(&sums->names_of_files, number_b);
	const uint32_t file_a = sums->file_of_name[number_a];
	const uint32_t file_b = sums->file_of_name[number_b];

	if (file_a != file_b)
		return file_a < file_b ? -1 : 1;
	return dictionary_compare(&name_a, &name_b);
}

static bool prepare(struct python_form *python)
{
	struct script_form *form = python->form;
	struct script_sums *sums = form->sums;
	size_t n_names = sums->names_of_files.count;

	for (int i = 0; i < N_COVERAGE_KINDS; i++) {
		python->coverage[i] = row_new(&form->arena, sums->n_events);
		if (!python->coverage[i])
			return false;
	}
	python->is_done = arena_alloc(&form->arena, sums->files.count + 1, 1);
	python->names = script_form_sort(form, n_names, compare_filenames, sums);
	python->filenames =
		arena_alloc(&form->arena, (n_names + 1) * sizeof(*python->filenames), 8);
	if (!python->is_done || !python->names || !python->filenames ||
	    !script_form_sort_lines(form, &python->lines))
		return false;
	memset(python->is_done, 0, sums->files.count + 1);
	return true;
}

int script_form_python(struct script_form *form)
{
	struct python_form python = { .form = form };
	struct outer *functions;
	size_t n_functions;
	int status = prepare(&python) ? PROFILE_OK : PROFILE_NO_MEMORY;

	if (!status)
		status = make_outer(form, false, &python.files, &python.n_files);
	if (!status)
		status = make_outer(form, true, &functions, &n_functions);
	if (status)
		return status;
	put_metadata(form);
	put_totals(&python);
	status = put_nesting(&python, false, python.files, python.n_files);
	if (!status)
		status = put_nesting(&python, true, functions, n_functions);
	return status || !form->automatic ? status : python_put_sources(&python);
}
