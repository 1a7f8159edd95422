/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markdown as GitHub and GitLab take it, for the summary of a CI job. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/text/markdown.h"

static void put_cell(struct rendering *rendering, const struct metric *metric,
		     const uint64_t *costs)
{
	const struct annotation *annotation = rendering->annotation;
	bool is_signed = annotation->columns.is_signed;
	int128 value = metric_value(metric, costs, is_signed);
	char text[INT128_TEXT];
	double percent;

	if (!metric_can_happen(metric, costs, is_signed)) {
		fputs(" . |", rendering->out);
		return;
	}
	int128_print(text, value, true);
	fprintf(rendering->out, " %s", text);
	percent = int128_percent(value, metric_value(metric, annotation->totals, is_signed));
	if (annotation->options->percents && value != 0 && isfinite(percent))
		fprintf(rendering->out, " (%.2f %%)", percent);
	fputs(" |", rendering->out);
}

static void put_counts(struct rendering *rendering, const uint64_t *costs)
{
	const struct columns *columns = &rendering->annotation->columns;

	fputc('|', rendering->out);
	for (size_t i = 0; i < columns->n_shown; i++)
		put_cell(rendering, &columns->metrics.all[columns->shown[i]], costs);
}

/* The head of a table with a column for each event, and one more. */
static void put_head(struct rendering *rendering, const char *last)
{
	const struct columns *columns = &rendering->annotation->columns;

	fputc('|', rendering->out);
	for (size_t i = 0; i < columns->n_shown; i++) {
		fputc(' ', rendering->out);
		markdown_string(rendering->out, columns->metrics.all[columns->shown[i]].name);
		fputs(" |", rendering->out);
	}
	fprintf(rendering->out, " %s |\n|", last);
	for (size_t i = 0; i < columns->n_shown; i++)
		fputs(" ---: |", rendering->out);
	fputs(" :--- |\n", rendering->out);
}

static void put_totals(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct columns *columns = &annotation->columns;
	FILE *out = rendering->out;
	char text[INT128_TEXT];

	fputs("| Total | |\n| :--- | ---: |\n", out);
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];

		fputs("| ", out);
		markdown_string(out, metric->name);
		if (metric->long_name) {
			fputs(", ", out);
			markdown_string(out, metric->long_name);
		}
		int128_print(text, metric_value(metric, annotation->totals, columns->is_signed),
			     true);
		fprintf(out, " | %s |\n", text);
	}
	for (size_t i = 0; i < annotation->n_rates; i++) {
		const struct run_rate *rate = &annotation->rates[i];
		double ratio = run_rate_ratio(rate);

		int128_print(text, rate->part, true);
		if (rate->kind != RUN_RATE_COUNT)
			snprintf(text, sizeof(text), isfinite(ratio) ? "%.3f" : "n/a", ratio);
		fprintf(out, "| %s | %s%s |\n", rate->label, text,
			rate->kind == RUN_RATE_PERCENT && isfinite(ratio) ? " %" : "");
	}
	fputc('\n', out);
}

static void put_function(struct rendering *rendering, uint32_t function)
{
	struct annotation_names names = annotation_names(rendering->annotation, function);

	markdown_text(rendering->out, names.file.text, names.file.len);
	fputc(':', rendering->out);
	fputs("**", rendering->out);
	markdown_text(rendering->out, names.function.text, names.function.len);
	fputs("**", rendering->out);
	if (names.has_object) {
		fputs(" \\[", rendering->out);
		markdown_text(rendering->out, names.object.text, names.object.len);
		fputs("\\]", rendering->out);
	}
}

static void put_links(struct rendering *rendering, const char *sign,
		      const struct listing_link *links, size_t n)
{
	char text[INT128_TEXT];

	for (size_t i = 0; i < n; i++) {
		put_counts(rendering, links[i].costs);
		fprintf(rendering->out, " %s ", sign);
		put_function(rendering, links[i].function);
		int128_print(text,
			     int128_of(links[i].count, rendering->annotation->model->is_signed),
			     true);
		fprintf(rendering->out, " (%sx) |\n", text);
	}
}

static void put_listing(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	FILE *out = rendering->out;

	fprintf(out, "### Functions%s\n\n",
		annotation->options->listing.inclusive ? ", with all that they call" : "");
	put_head(rendering, "file:function");
	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];

		put_links(rendering, "&lt;", entry->callers, entry->n_callers);
		put_counts(rendering, entry->costs);
		fputc(' ', out);
		put_function(rendering, entry->function);
		if (entry->cycle)
			fprintf(out, " (cycle %" PRIu32 ")", entry->cycle);
		fputs(" |\n", out);
		put_links(rendering, "&gt;", entry->callees, entry->n_callees);
	}
	if (listing->n < listing->n_functions)
		fprintf(out, "\n%zu of %zu functions are shown.\n", listing->n,
			listing->n_functions);
	fputc('\n', out);
}

static void put_nesting(struct rendering *rendering, const struct nesting *nesting)
{
	const struct model *model = rendering->annotation->model;
	enum name_kind outer_kind = nesting->by_function ? NAME_FUNCTION : NAME_FILE;
	enum name_kind inner_kind = nesting->by_function ? NAME_FILE : NAME_FUNCTION;
	const char *title = nesting->by_function ? "function:file" : "file:function";
	FILE *out = rendering->out;

	fprintf(out, "### %s\n\n",
		nesting->by_function ? "Functions by file" : "Files by function");
	put_head(rendering, title);
	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];
		struct name name = model_name(model, outer_kind, outer->name);

		put_counts(rendering, outer->costs);
		fputs(" **", out);
		markdown_text(out, name.text, name.len);
		fputs("** |\n", out);
		for (size_t j = 0; j < outer->n_inner; j++) {
			name = model_name(model, inner_kind, outer->inner[j].name);
			put_counts(rendering, outer->inner[j].costs);
			fputs(" &nbsp;&nbsp;", out);
			markdown_text(out, name.text, name.len);
			fputs(" |\n", out);
		}
	}
	fputc('\n', out);
}

/* Longest run of backticks: a fence must be longer. */
static int longest_fence(const char *text)
{
	int longest = 2, run = 0;

	for (; *text != '\0'; text++) {
		run = *text == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest + 1;
}

/* What is printed as text goes to *text, to be freed, if this is true. */
static bool begin_text(struct rendering *inner, const struct rendering *rendering, char **text,
		       size_t *len)
{
	*inner = *rendering;
	*text = NULL;
	inner->out = open_memstream(text, len);
	inner->color = false;
	return inner->out != NULL;
}

/* Prints the text, fenced, below a summary that was begun. */
static void end_text(struct rendering *rendering, const struct rendering *inner, char **buffer)
{
	FILE *out = rendering->out;
	const char *text;
	bool is_whole;
	int fence;

	/* Without memory for its first bytes glibc closes the stream well, and there is no text. */
	is_whole = !ferror(inner->out) && !inner->failed;
	is_whole = fclose(inner->out) == 0 && *buffer && is_whole;
	if (!is_whole) {
		rendering->failed = true;
		free(*buffer);
		return;
	}
	text = *buffer;
	fputs("</summary>\n\n", out);
	fence = longest_fence(text);
	for (int i = 0; i < fence; i++)
		fputc('`', out);
	fprintf(out, "text\n%s", text);
	for (int i = 0; i < fence; i++)
		fputc('`', out);
	fputs("\n\n</details>\n\n", out);
	free(*buffer);
}

static void put_source(struct rendering *rendering, const struct annotated_file *file)
{
	struct rendering inner;
	char *text;
	size_t len;

	if (!begin_text(&inner, rendering, &text, &len)) {
		rendering->failed = true;
		return;
	}
	render_source(&inner, file);
	fputs("<details><summary>", rendering->out);
	markdown_string(rendering->out, file->name);
	fputs(file->is_stale ? " (changed after the profile was made)" : "", rendering->out);
	end_text(rendering, &inner, &text);
}

static void put_code(struct rendering *rendering)
{
	const struct machinecode *code = &rendering->annotation->code;
	struct rendering inner;
	char *text;
	size_t len;

	fputs("### Machine code\n\n", rendering->out);
	for (size_t i = 0; i < code->n; i++) {
		if (!begin_text(&inner, rendering, &text, &len)) {
			rendering->failed = true;
			return;
		}
		render_code(&inner, &code->functions[i]);
		fputs("<details><summary>", rendering->out);
		markdown_string(rendering->out, code->functions[i].name);
		fputs(" (", rendering->out);
		markdown_string(rendering->out, code->functions[i].object->name);
		fprintf(rendering->out, ", 0x%" PRIx64 ")", code->functions[i].stretch.start);
		end_text(rendering, &inner, &text);
	}
}

/* Files without text: that are not there, or, if is_refused, that may not be read. */
static void put_missing(struct rendering *rendering, const char *why, bool is_refused)
{
	const struct annotated *annotated = &rendering->annotation->annotated;
	size_t n = 0;

	for (size_t i = 0; i < annotated->n; i++)
		n += !annotated->files[i].is_found && annotated->files[i].is_refused == is_refused;
	if (n == 0)
		return;
	fprintf(rendering->out, "<details><summary>%zu files %s</summary>\n\n", n, why);
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];

		if (file->is_found || file->is_refused != is_refused)
			continue;
		fputs("* ", rendering->out);
		markdown_string(rendering->out, file->name);
		fputc('\n', rendering->out);
	}
	fputs("\n</details>\n", rendering->out);
}

static void put_sources(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated *annotated = &annotation->annotated;

	fputs("### Sources\n\n", rendering->out);
	for (size_t i = 0; i < annotated->n; i++)
		if (annotated->files[i].is_found && annotated->files[i].is_known)
			put_source(rendering, &annotated->files[i]);
	put_head(rendering, "share of events");
	for (size_t i = 0; i < N_COVERAGE; i++) {
		if (i != COVERAGE_SHOWN && render_is_empty(annotation, annotated->coverage[i]))
			continue;
		put_counts(rendering, annotated->coverage[i]);
		fprintf(rendering->out, " %s |\n", render_coverage_text((enum coverage_kind)i));
	}
	if (annotation->outside) {
		put_counts(rendering, annotation->outside);
		fputs(" not annotated: in the totals, but in no function |\n", rendering->out);
	}
	fputc('\n', rendering->out);
	put_missing(rendering, "not found", false);
	put_missing(rendering, "not read as sources, see --include", true);
}

void render_markdown(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;

	fputs("## Profile", rendering->out);
	if (cmd) {
		fputs(" of ", rendering->out);
		markdown_string(rendering->out, cmd);
	}
	fputs("\n\n", rendering->out);
	put_totals(rendering);
	if (annotation->options->list_functions)
		put_listing(rendering);
	if (annotation->options->list_by_file)
		put_nesting(rendering, &annotation->by_file);
	if (annotation->options->list_by_function)
		put_nesting(rendering, &annotation->by_function);
	if (annotation->has_code)
		put_code(rendering);
	if (annotation->has_sources)
		put_sources(rendering);
}
