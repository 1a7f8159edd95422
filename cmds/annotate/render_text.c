/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections between ruled lines, counts on the left, as the annotate scripts of Valgrind have it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/listing/table.h"
#include "cmds/text/visible.h"

enum { LABEL_WIDTH = 18 };

static void print_label(struct rendering *rendering, const char *label)
{
	fprintf(rendering->out, "%-*s", LABEL_WIDTH, label);
}

static void print_name(FILE *out, struct name name)
{
	visible_print(out, name.text, name.len, false);
}

/* A title between rules. */
static void print_title(struct rendering *rendering, const char *title)
{
	fprintf(rendering->out, "%s%s-- %s%s\n%s", render_rule, rendering->color ? "\x1b[1m" : "",
		title, rendering->color ? "\x1b[0m" : "", render_rule);
}

/* -- preamble ---------------------------------------------------------------- */

static void print_commands(struct rendering *rendering)
{
	const struct model *model = rendering->annotation->model;
	const char *last = NULL;

	for (size_t i = 0; i < model->n_parts; i++) {
		const char *cmd = model->parts[i].header.cmd;

		if (!cmd || (last && strcmp(last, cmd) == 0))
			continue;
		print_label(rendering, last ? "" : "Command:");
		visible_text(rendering->out, cmd);
		fputc('\n', rendering->out);
		last = cmd;
	}
}

/* What is of the run, in lines of their own. */
static void print_shared_descs(struct rendering *rendering)
{
	const struct model *model = rendering->annotation->model;
	FILE *out = rendering->out;

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const struct part_desc *desc = &part->descs[j];

			if (render_leaves_out(desc) || !render_is_shared(model, desc) ||
			    !render_is_first(model, i, desc))
				continue;
			visible_text(out, desc->type);
			if (desc->value[0] != '\0') {
				fputc(':', out);
				visible_pad(out, "",
					    strlen(desc->type) + 2 > LABEL_WIDTH
						    ? 1
						    : LABEL_WIDTH - strlen(desc->type) - 1);
				visible_text(out, desc->value);
			}
			fputc('\n', out);
		}
	}
}

static void print_own_descs(struct rendering *rendering, const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (render_leaves_out(desc) || render_is_shared(rendering->annotation->model, desc))
			continue;
		fputs(", ", rendering->out);
		visible_text(rendering->out, desc->type);
		fputs(desc->value[0] != '\0' ? ": " : "", rendering->out);
		visible_text(rendering->out, desc->value);
	}
}

static void print_parts(struct rendering *rendering)
{
	const struct model *model = rendering->annotation->model;
	FILE *out = rendering->out;

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;

		print_label(rendering, i == 0 ? "Data file:" : "");
		visible_text(out, model->parts[i].file ? model->parts[i].file : "???");
		if (header->has_pid)
			fprintf(out, ", PID %" PRIu64, header->pid);
		if (header->has_number)
			fprintf(out, ", part %" PRIu64, header->number);
		if (header->has_thread)
			fprintf(out, ", thread %" PRIu64, header->thread);
		if (header->creator) {
			fputs(", by ", out);
			visible_text(out, header->creator);
		}
		print_own_descs(rendering, header);
		fputc('\n', out);
	}
}

static void print_columns(struct rendering *rendering)
{
	const struct columns *columns = &rendering->annotation->columns;
	FILE *out = rendering->out;

	print_label(rendering, "Events recorded:");
	for (size_t i = 0; i < columns->metrics.n_events; i++)
		visible_pad(out, columns->metrics.all[i].name,
			    strlen(columns->metrics.all[i].name) + 1);
	fputc('\n', out);
	print_label(rendering, "Events shown:");
	for (size_t i = 0; i < columns->n_shown; i++) {
		const char *name = columns->metrics.all[columns->shown[i]].name;

		visible_pad(out, name, strlen(name) + 1);
	}
	fputc('\n', out);
	print_label(rendering, "Event sort order:");
	for (size_t i = 0; i < columns->n_keys; i++) {
		const char *name = columns->metrics.all[columns->keys[i].metric].name;

		visible_pad(out, name, strlen(name) + 1);
	}
	fputc('\n', out);
	print_label(rendering, rendering->annotation->options->listing.coverage >= 0
				       ? "Coverage:"
				       : "Threshold:");
	for (size_t i = 0, n = 0; i < columns->n_keys; i++) {
		if (!columns->keys[i].has_threshold)
			continue;
		fputs(n++ > 0 ? ", " : "", out);
		visible_text(out, columns->metrics.all[columns->keys[i].metric].name);
		fprintf(out, " %g%%", columns->keys[i].threshold);
	}
	fputc('\n', out);
}

static void print_derived(struct rendering *rendering)
{
	const struct columns *columns = &rendering->annotation->columns;

	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];

		if (!metric->formula)
			continue;
		print_label(rendering, "Derived:");
		visible_text(rendering->out, metric->name);
		fputs(" = ", rendering->out);
		visible_text(rendering->out, metric->formula);
		fputc('\n', rendering->out);
	}
}

static void print_preamble(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated_options *options = &annotation->options->annotated;
	FILE *out = rendering->out;

	fputs(render_rule, out);
	print_shared_descs(rendering);
	print_commands(rendering);
	print_parts(rendering);
	print_columns(rendering);
	print_derived(rendering);
	for (size_t i = 0; i < options->policy->n_directories; i++) {
		print_label(rendering, i == 0 ? "Include dirs:" : "");
		visible_text(out, options->policy->directories[i]);
		fputc('\n', out);
	}
	print_label(rendering, "User annotated:");
	for (size_t i = 0; i < options->n_named; i++) {
		fputs(i > 0 ? ", " : "", out);
		visible_text(out, options->named[i]);
	}
	fputc('\n', out);
	print_label(rendering, "Auto-annotation:");
	fprintf(out, "%s\n\n", options->automatic ? "on" : "off");
}

/* -- totals ------------------------------------------------------------------ */

static bool begin_table(struct rendering *rendering, struct table *table)
{
	const struct annotation *annotation = rendering->annotation;

	if (!table_init(table, &annotation->columns,
			annotation->options->percents ? annotation->totals : NULL,
			rendering->arena))
		rendering->failed = true;
	if (rendering->script && !rendering->failed)
		table_imitate(table, strcmp(rendering->script, "cg_annotate") == 0);
	return !rendering->failed;
}

static void print_head(struct rendering *rendering, const struct table *table, const char *label)
{
	FILE *out = rendering->out;

	fputs(render_rule, out);
	fputs(rendering->color ? "\x1b[1m" : "", out);
	table_head(table, out);
	fprintf(out, "%s%s%s\n%s", label[0] != '\0' ? " " : "", label,
		rendering->color ? "\x1b[0m" : "", render_rule);
}

static void print_totals(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	FILE *out = rendering->out;
	struct table table;

	if (!begin_table(rendering, &table))
		return;
	table_metric(&table, annotation->totals, NULL);
	print_head(rendering, &table, "");
	table_row(&table, out, annotation->totals, NULL);
	fputs(" PROGRAM TOTALS", out);
	if (annotation->totals_kind == TOTALS_CALCULATED)
		fputs(" (calculated)", out);
	else if (annotation->totals_kind == TOTALS_CORRECTED)
		fputs(" (calculated, as what the profile says cannot be right)", out);
	fputs("\n\n", out);
}

static void print_rates(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	FILE *out = rendering->out;
	char count[INT128_TEXT];

	if (annotation->n_rates == 0)
		return;
	for (size_t i = 0; i < annotation->n_rates; i++) {
		const struct run_rate *rate = &annotation->rates[i];
		double ratio = run_rate_ratio(rate);

		print_label(rendering, rate->label);
		if (rate->kind == RUN_RATE_COUNT) {
			int128_print(count, rate->part, true);
			fprintf(out, "%s\n", count);
		} else if (isnan(ratio)) {
			fputs("n/a\n", out);
		} else {
			fprintf(out, "%.3f%s\n", ratio, rate->kind == RUN_RATE_PERCENT ? " %" : "");
		}
	}
	fputc('\n', out);
}

/* -- functions --------------------------------------------------------------- */

static void print_function(struct rendering *rendering, uint32_t function)
{
	struct annotation_names names = annotation_names(rendering->annotation, function);

	print_name(rendering->out, names.file);
	fputc(':', rendering->out);
	print_name(rendering->out, names.function);
}

static void print_object(struct rendering *rendering, uint32_t function)
{
	struct annotation_names names = annotation_names(rendering->annotation, function);

	if (!names.has_object)
		return;
	fputs(" [", rendering->out);
	print_name(rendering->out, names.object);
	fputc(']', rendering->out);
}

/* The same, under the file that an entry is of: code inlined from there is of no object's symbol. */
static void print_named(struct rendering *rendering, const struct listing_entry *entry)
{
	const struct model *model = rendering->annotation->model;
	const struct model_function *function = &model->functions[entry->function];

	print_name(rendering->out, model_name(model, NAME_FILE, entry->file));
	fputc(':', rendering->out);
	print_name(rendering->out, model_name(model, NAME_FUNCTION, function->name));
	if (entry->file == function->file)
		print_object(rendering, entry->function);
}

static void print_link(struct rendering *rendering, const struct table *table, const char *sign,
		       const struct listing_link *link)
{
	char count[INT128_TEXT];

	table_row(table, rendering->out, link->costs, NULL);
	fputs(sign, rendering->out);
	print_function(rendering, link->function);
	int128_print(count, int128_of(link->count, rendering->annotation->model->is_signed), true);
	fprintf(rendering->out, " (%sx)", count);
	print_object(rendering, link->function);
	fputc('\n', rendering->out);
}

static void print_entry(struct rendering *rendering, const struct table *table,
			const struct listing_entry *entry, bool tree)
{
	FILE *out = rendering->out;

	if (tree)
		fputc('\n', out);
	for (size_t i = 0; i < entry->n_callers; i++)
		print_link(rendering, table, " < ", &entry->callers[i]);
	table_row(table, out, entry->costs, NULL);
	fputs(tree ? " *  " : " ", out);
	print_named(rendering, entry);
	if (entry->cycle != 0 && !rendering->script)
		fprintf(out, " <cycle %" PRIu32 ">", entry->cycle);
	fputc('\n', out);
	for (size_t i = 0; i < entry->n_callees; i++)
		print_link(rendering, table, " >   ", &entry->callees[i]);
}

static void print_cycles(struct rendering *rendering, const struct table *table)
{
	const struct annotation *annotation = rendering->annotation;
	const struct inclusive *inclusive = &annotation->inclusive;

	if (!annotation->has_inclusive)
		return;
	for (size_t i = 0; i < inclusive->n_cycles; i++) {
		table_row(table, rendering->out, inclusive->cycle_costs + i * inclusive->n_events,
			  NULL);
		fprintf(rendering->out, " <cycle %zu> as a whole\n", i + 1);
	}
}

/* The scripts make room for functions that they do not show, too. */
static void metric_all(struct rendering *rendering, struct table *table)
{
	const struct annotation *annotation = rendering->annotation;
	const struct self_costs *self_costs = &annotation->self_costs;

	if (annotation->options->listing.inclusive) {
		for (size_t i = 0; i < annotation->model->n_functions; i++)
			table_metric(table, inclusive_of(&annotation->inclusive, (uint32_t)i),
				     NULL);
		return;
	}
	for (size_t i = 0; i < self_costs->n_pairs; i++)
		table_metric(table, self_costs->pairs[i].costs, NULL);
}

static void print_listing(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	const struct listing_options *options = &annotation->options->listing;
	const struct inclusive *inclusive = &annotation->inclusive;
	struct table table;

	if (!annotation->options->list_functions || !begin_table(rendering, &table))
		return;
	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];

		table_metric(&table, entry->costs, NULL);
		for (size_t j = 0; j < entry->n_callers; j++)
			table_metric(&table, entry->callers[j].costs, NULL);
		for (size_t j = 0; j < entry->n_callees; j++)
			table_metric(&table, entry->callees[j].costs, NULL);
	}
	for (size_t i = 0; annotation->has_inclusive && i < inclusive->n_cycles; i++)
		table_metric(&table, inclusive->cycle_costs + i * inclusive->n_events, NULL);
	if (rendering->script)
		metric_all(rendering, &table);
	print_head(rendering, &table,
		   options->inclusive && !rendering->script ? "file:function (inclusive)"
							    : "file:function");
	for (size_t i = 0; i < listing->n; i++)
		print_entry(rendering, &table, &listing->entries[i], options->tree != TREE_NONE);
	if (options->inclusive && !rendering->script)
		print_cycles(rendering, &table);
	fputc('\n', rendering->out);
	if (listing->n < listing->n_functions && !rendering->script)
		fprintf(rendering->out, "%zu of %zu functions are shown.\n\n", listing->n,
			listing->n_functions);
}

static void print_nesting(struct rendering *rendering, const struct nesting *nesting)
{
	const struct model *model = rendering->annotation->model;
	enum name_kind outer_kind = nesting->by_function ? NAME_FUNCTION : NAME_FILE;
	enum name_kind inner_kind = nesting->by_function ? NAME_FILE : NAME_FUNCTION;
	FILE *out = rendering->out;
	struct table table;

	if (!begin_table(rendering, &table))
		return;
	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];

		table_metric(&table, outer->costs, outer->cumulative);
		for (size_t j = 0; j < outer->n_inner; j++)
			table_metric(&table, outer->inner[j].costs, NULL);
	}
	print_head(rendering, &table, nesting->by_function ? "function:file" : "file:function");
	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];

		fputc('\n', out);
		table_row(&table, out, outer->costs, outer->cumulative);
		fputs(nesting->by_function ? " > " : " < ", out);
		print_name(out, model_name(model, outer_kind, outer->name));
		fputs(outer->n_inner > 0 ? ":\n" : ": all below the threshold\n", out);
		for (size_t j = 0; j < outer->n_inner; j++) {
			table_row(&table, out, outer->inner[j].costs, NULL);
			fputs("     ", out);
			print_name(out, model_name(model, inner_kind, outer->inner[j].name));
			fputc('\n', out);
		}
	}
	fputc('\n', out);
}

/* -- sources ----------------------------------------------------------------- */

static void print_row(struct rendering *rendering, const struct table *table,
		      const struct annotated_row *row, const struct annotated_file *file)
{
	FILE *out = rendering->out;
	char count[INT128_TEXT];

	switch (row->kind) {
	case ROW_GAP:
		fprintf(out, "-- line %" PRIu64 " ----------------------------------------\n",
			row->number);
		return;
	case ROW_LINE:
		table_row(table, out, row->line && row->line->has_costs ? row->line->costs : NULL,
			  NULL);
		fputc(' ', out);
		visible_print(out, row->text, row->text_len, true);
		break;
	case ROW_CALL:
		table_row(table, out, row->call->costs, NULL);
		fputs(" => ", out);
		print_function(rendering, row->call->callee);
		int128_print(count,
			     int128_of(row->call->count, rendering->annotation->model->is_signed),
			     true);
		fprintf(out, " (%sx)", count);
		break;
	case ROW_PAST_END:
		table_row(table, out, row->line->costs, NULL);
		fprintf(out, " <bogus line %" PRIu64 ">", row->number);
		break;
	case ROW_LINELESS:
		fputc('\n', out);
		table_row(table, out, row->line->costs, NULL);
		fputs(" <counts for unidentified lines in ", out);
		visible_text(out, file->name);
		fputc('>', out);
		break;
	}
	fputc('\n', out);
}

static void print_file_warnings(struct rendering *rendering, const struct annotated_file *file)
{
	FILE *out = rendering->out;

	if (file->is_stale) {
		fprintf(out, "%s-- WARNING: ", render_rule);
		visible_text(out, file->text.path);
		fprintf(out,
			" changed after the profile was made:\n"
			"-- the lines may not be those that were executed.\n%s",
			render_rule);
	}
	if (file->n_past_end > 0) {
		fprintf(out, "%s-- WARNING: %zu lines are past the end of ", render_rule,
			file->n_past_end);
		visible_text(out, file->text.path);
		fprintf(out,
			":\n-- the profile is of another version of it. Their counts follow "
			"its last line, marked as bogus.\n%s",
			render_rule);
	}
}

void render_source(struct rendering *rendering, const struct annotated_file *file)
{
	FILE *out = rendering->out;
	struct annotated_walk walk;
	struct annotated_row row;
	struct table table;

	if (!begin_table(rendering, &table))
		return;
	for (size_t i = 0; i < file->n_lines; i++) {
		table_metric(&table, file->lines[i].costs, NULL);
		for (size_t j = 0; j < file->lines[i].n_calls; j++)
			table_metric(&table, file->lines[i].calls[j].costs, NULL);
	}
	table_head(&table, out);
	fputs("\n\n", out);
	annotated_walk_init(&walk, &rendering->annotation->annotated, file);
	while (annotated_walk_next(&walk, &row))
		print_row(rendering, &table, &row, file);
	fputc('\n', out);
}

static void print_file(struct rendering *rendering, const struct annotated_file *file)
{
	FILE *out = rendering->out;

	fprintf(out, "%s%s-- %s-annotated source: ", render_rule, rendering->color ? "\x1b[1m" : "",
		file->is_named ? "User" : "Auto");
	visible_text(out, file->name);
	if (file->is_found && file->text.directory) {
		fputs(" (", out);
		visible_text(out, file->text.path);
		fputc(')', out);
	}
	fprintf(out, "%s\n%s", rendering->color ? "\x1b[0m" : "", render_rule);
	if (!file->is_known) {
		fputs("  No information has been collected for it.\n\n", out);
		return;
	}
	print_file_warnings(rendering, file);
	render_source(rendering, file);
}

/* -- machine code ------------------------------------------------------------ */

static void print_code(struct rendering *rendering)
{
	const struct machinecode *code = &rendering->annotation->code;
	FILE *out = rendering->out;

	for (size_t i = 0; i < code->n; i++) {
		const struct code_function *function = &code->functions[i];

		fprintf(out, "%s%s-- Machine code: ", render_rule,
			rendering->color ? "\x1b[1m" : "");
		visible_text(out, function->name);
		fputs(" (", out);
		render_code_place(out, function);
		fprintf(out, ")%s\n%s", rendering->color ? "\x1b[0m" : "", render_rule);
		render_code(rendering, function);
	}
	if (code->unplaced)
		render_code_unplaced(rendering);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_names(FILE *out, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		fputs("  ", out);
		visible_text(out, names[i]);
		fputc('\n', out);
	}
	fputc('\n', out);
}

/*
 * Files without text: that are not there, or, if is_refused, that may not be read.  Those that cost most
 * come first.  The scripts' form knows files that are not found, by name, and no others.
 */
static void print_missing(struct rendering *rendering, bool is_refused)
{
	const struct annotated *annotated = &rendering->annotation->annotated;
	const char **names = arena_alloc(rendering->arena, (annotated->n + 1) * sizeof(*names), 8);
	size_t n = 0;

	if (!names) {
		rendering->failed = true;
		return;
	}
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];

		if (!file->is_found && file->is_known &&
		    (rendering->script || file->is_refused == is_refused))
			names[n++] = file->name;
	}
	if (n == 0)
		return;
	if (rendering->script) {
		qsort(names, n, sizeof(*names), compare_names);
		fprintf(rendering->out,
			"%sThe following files chosen for auto-annotation could not be found:\n%s",
			render_rule, render_rule);
	} else if (is_refused) {
		print_title(rendering, "The following files chosen for annotation are not read as "
				       "sources, see --include:");
	} else {
		print_title(rendering,
			    "The following files chosen for annotation could not be found:");
	}
	print_names(rendering->out, names, n);
}

static void print_coverage(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated *annotated = &annotation->annotated;
	struct table table;

	if (rendering->script && render_is_empty(annotation, annotated->coverage[COVERAGE_SHOWN]))
		return;
	if (!begin_table(rendering, &table))
		return;
	for (size_t i = 0; i < (rendering->script ? 1 : N_COVERAGE); i++)
		table_metric(&table, annotated->coverage[i], NULL);
	if (annotation->outside && !rendering->script)
		table_metric(&table, annotation->outside, NULL);
	print_head(rendering, &table, rendering->script ? "" : "share of events");
	for (size_t i = 0; i < N_COVERAGE; i++) {
		if (i != COVERAGE_SHOWN &&
		    (rendering->script || render_is_empty(annotation, annotated->coverage[i])))
			continue;
		table_row(&table, rendering->out, annotated->coverage[i], NULL);
		fprintf(rendering->out, " %s\n",
			rendering->script ? "events annotated"
					  : render_coverage_text((enum coverage_kind)i));
	}
	if (annotation->outside && !rendering->script) {
		table_row(&table, rendering->out, annotation->outside, NULL);
		fputs(" not annotated: in the totals, but in no function\n", rendering->out);
	}
	fputc('\n', rendering->out);
}

void render_text(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated *annotated = &annotation->annotated;

	if (rendering->script)
		render_script_preamble(rendering);
	else if (!annotation->options->brief)
		print_preamble(rendering);
	print_totals(rendering);
	if (!rendering->script && !annotation->options->brief)
		print_rates(rendering);
	print_listing(rendering);
	if (annotation->options->list_by_file)
		print_nesting(rendering, &annotation->by_file);
	if (annotation->options->list_by_function)
		print_nesting(rendering, &annotation->by_function);
	if (annotation->has_code)
		print_code(rendering);
	if (!annotation->has_sources)
		return;
	for (size_t i = 0; i < annotated->n; i++)
		if (annotated->files[i].is_found || !annotated->files[i].is_known)
			print_file(rendering, &annotated->files[i]);
	print_missing(rendering, false);
	if (!rendering->script)
		print_missing(rendering, true);
	print_coverage(rendering);
}
