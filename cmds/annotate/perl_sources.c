/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources with the costs of lines, and what could not be found. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/perl_form.h"
#include "cmds/code/sourcetext.h"
#include "cmds/text/visible.h"
#include "profile/common/cost.h"

/* A source that is being printed. */
struct source {
	const char *name;
	uint32_t file; /* DICTIONARY_NONE = nothing is known of it */
	struct sourcetext text;
	bool is_newer;
	const uint32_t *rows; /* its lines, but line 0 */
	size_t n;
	size_t next; /* of these, the first that was not printed */
	size_t at;   /* lines read */
};

static void put_line_calls(struct perl_form *perl, const struct source *source, uint64_t line)
{
	const struct script_table *calls = &perl->form->sums->line_calls;
	size_t low = 0, high = calls->keys.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct script_line_call_key key =
			perl_line_call_key(perl, perl->line_calls[middle]);

		if (key.file < source->file || (key.file == source->file && key.line < line))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < calls->keys.count; low++) {
		uint32_t row = perl->line_calls[low];
		const struct script_line_call_key key = perl_line_call_key(perl, row);

		if (key.file != source->file || key.line != line)
			break;
		perl_put_costs(perl, perl_row(calls, row));
		fputs(" => ", perl->form->out);
		script_form_text(perl->form, perl->names[key.callee]);
		perl_put_times(perl, calls->rows[row].times);
		fputs("\n", perl->form->out);
	}
}

/* The line that was read last. */
static bool put_line(struct perl_form *perl, struct source *source)
{
	const struct costs nothing = { NULL, 0 };
	bool is_last = source->at == source->text.n_lines;
	bool fine = true;
	size_t len;
	const char *text = sourcetext_line(&source->text, source->at, &len);

	if (source->next < source->n &&
	    script_form_line(perl->form, source->rows[source->next]) == source->at) {
		const struct costs costs =
			perl_row(&perl->form->sums->lines, source->rows[source->next++]);

		perl_put_costs(perl, costs);
		fine = perl_add(perl, perl->annotated, &perl->n_annotated, costs);
	} else {
		perl_put_costs(perl, nothing);
	}
	fputs(" ", perl->form->out);
	visible_print(perl->form->out, text, len, true);
	/* The last one may have no line feed, and then gets none. */
	if (!is_last || text[len] == '\r' || text[len] == '\n')
		fputs("\n", perl->form->out);
	if (perl->form->is_callgrind)
		put_line_calls(perl, source, source->at);
	return fine;
}

/* All spans of lines, up to the end of the text. */
static bool put_spans(struct perl_form *perl, struct source *source)
{
	const size_t n_lines = source->text.n_lines;
	bool fine = true;

	for (size_t i = 0; fine && i < source->n;) {
		bool is_first = i == 0, was_read = false;
		struct script_span span = script_form_span(perl->form, source->rows, source->n, &i);

		if (is_first && span.low < 1)
			span.low = 1;
		while ((int64_t)source->at < span.low - 1 && source->at < n_lines)
			source->at++;
		if (span.low != 1)
			script_form_mark(perl->form, span.low);
		while (fine && (int64_t)source->at < span.high) {
			was_read = source->at < n_lines;
			if (!was_read)
				break;
			source->at++;
			fine = put_line(perl, source);
		}
		if (!was_read)
			break;
		script_form_mark(perl->form, span.high);
	}
	return fine;
}

static void warn_newer(struct perl_form *perl, const struct source *source)
{
	script_form_begin_warning(perl->form);
	fputs("@ Source file '", perl->form->out);
	script_form_text(perl->form, source->name);
	fputs("' is more recent than input file '", perl->form->out);
	script_form_text(perl->form, perl->form->paths[0]);
	fputs("'.\n@ Annotations may not be correct.\n", perl->form->out);
	script_form_end_warning(perl->form);
	fputs("\n", perl->form->out);
}

static void warn_past_end(struct perl_form *perl, const struct source *source)
{
	FILE *out = perl->form->out;
	size_t len = strlen(source->name);

	script_form_begin_warning(perl->form);
	fputs("@@\n@@ Information recorded about lines past the end of '", out);
	script_form_text(perl->form, source->name);
	fputs("'.\n@@\n@@ Probable cause and solution:\n", out);
	if (source->is_newer) {
		fputs("@@ cause:    '", out);
		script_form_text(perl->form, source->name);
		fputs("' has changed since information was gathered.\n"
		      "@@           If so, a warning will have already been issued about this.\n"
		      "@@ solution: Recompile program and rerun under \"valgrind --cachesim=yes\" to \n"
		      "@@           gather new information.\n",
		      out);
	} else if (len >= 2 && strcmp(source->name + len - 2, ".h") == 0) {
		fputs("@@ cause:    bug in the Valgrind's debug info reader that screws up with .h\n"
		      "@@           files sometimes\n"
		      "@@ solution: none, sorry\n",
		      out);
	} else {
		fputs("@@ cause:    not sure, sorry\n", out);
	}
	fputs("@@\n", out);
	script_form_end_warning(perl->form);
}

static void put_past_end(struct perl_form *perl, const struct source *source)
{
	if (source->next == source->n)
		return;
	for (size_t i = source->next; i < source->n; i++) {
		perl_put_costs(perl, perl_row(&perl->form->sums->lines, source->rows[i]));
		fprintf(perl->form->out, " <bogus line %" PRIu64 ">\n",
			script_form_line(perl->form, source->rows[i]));
	}
	fputs("\n", perl->form->out);
	warn_past_end(perl, source);
}

/* A file that was found, and of which something is known. */
static bool put_source_lines(struct perl_form *perl, struct source *source)
{
	struct script_form *form = perl->form;
	const struct script_table *lines = &form->sums->lines;
	size_t n, first = script_form_lines_of(form, &perl->lines, source->file, &n);
	const uint32_t *rows = perl->lines.rows + first;
	bool has_lineless = n > 0 && script_form_line(form, rows[0]) == 0, fine;

	source->is_newer = form->oldest && source->text.modified.tv_sec > form->oldest->tv_sec;
	if (source->is_newer)
		warn_newer(perl, source);
	perl_reset_widths(perl);
	for (size_t i = 0; i < n; i++)
		perl_widen_for(perl, perl_row(lines, rows[i]));
	perl_put_titles(perl);
	fputs("\n\n", form->out);
	source->rows = rows + has_lineless;
	source->n = n - has_lineless;
	fine = put_spans(perl, source);
	put_past_end(perl, source);
	fputs("\n", form->out);
	if (has_lineless) {
		perl_put_costs(perl, perl_row(lines, rows[0]));
		fputs(" <counts for unidentified lines in ", form->out);
		script_form_text(form, source->name);
		fputs(">\n\n", form->out);
	}
	return fine;
}

static void put_source_title(struct perl_form *perl, const struct source *source, bool is_named)
{
	struct script_form *form = perl->form;

	fprintf(form->out, "%s-- %s-annotated source: ", script_form_rule,
		is_named ? "User" : "Auto");
	if (source->text.directory) {
		const char *folder = source->text.directory;
		size_t len = strlen(folder);

		script_form_text(form, folder);
		fputs(len > 0 && folder[len - 1] == '/' ? " + " : "/ + ", form->out);
	}
	script_form_text(form, source->name);
	fprintf(form->out, "\n%s", script_form_rule);
}

/* What became of the sources. */
struct progress_of_sources {
	const char **missing;
	size_t n_missing;
	bool has_some; /* lines of one were shown */
};

static int put_source(struct perl_form *perl, const char *name, bool is_named,
		      struct progress_of_sources *progress)
{
	struct script_form *form = perl->form;
	struct script_sums *sums = form->sums;
	struct source source = {
		.name = name,
		.file = dictionary_find(&sums->files, name, strlen(name)),
	};
	bool fine = true;

	if (!sourcetext_find(&source.text, name, form->policy)) {
		if (errno == ENOMEM)
			return PROFILE_NO_MEMORY;
		progress->missing[progress->n_missing++] = name;
		return PROFILE_OK;
	}
	put_source_title(perl, &source, is_named);
	if (source.file == DICTIONARY_NONE || !sums->file_has_code[source.file]) {
		fputs("  No information has been collected for ", form->out);
		script_form_text(form, name);
		fputs("\n\n", form->out);
	} else {
		progress->has_some = true;
		fine = put_source_lines(perl, &source);
	}
	sourcetext_release(&source.text);
	return fine ? PROFILE_OK : PROFILE_RANGE;
}

static bool is_named(const struct script_form *form, const char *name)
{
	for (size_t i = 0; i < form->n_named; i++)
		if (strcmp(form->named[i], name) == 0)
			return true;
	return false;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_missing(struct perl_form *perl, struct progress_of_sources *progress)
{
	FILE *out = perl->form->out;

	if (progress->n_missing == 0)
		return;
	qsort(progress->missing, progress->n_missing, sizeof(*progress->missing), compare_texts);
	fprintf(out, "%sThe following files chosen for auto-annotation could not be found:\n%s",
		script_form_rule, script_form_rule);
	for (size_t i = 0; i < progress->n_missing; i++) {
		fputs("  ", out);
		script_form_text(perl->form, progress->missing[i]);
		fputs("\n", out);
	}
	fputs("\n", out);
}

/* Callgrind's takes totals for what was annotated if that is more, so that there is nothing above 100 %. */
static void put_annotated(struct perl_form *perl)
{
	struct script_form *form = perl->form;
	const struct costs annotated = { perl->annotated, perl->n_annotated };

	for (size_t i = 0; form->is_callgrind && i < form->n_total; i++)
		if (form->totals[i] == 0 ||
		    cost_less(form->totals[i], perl->annotated[i], form->sums->is_signed))
			form->totals[i] = perl->annotated[i];
	perl_reset_widths(perl);
	perl_widen_for(perl, annotated);
	perl_put_heading(perl, "");
	perl_put_costs(perl, annotated);
	fputs(" events annotated\n\n", form->out);
}

/* Those that were named, then those that functions are in, those that cost most first. */
int perl_put_sources(struct perl_form *perl)
{
	struct script_form *form = perl->form;
	struct script_sums *sums = form->sums;
	struct progress_of_sources progress = {
		.missing = arena_alloc(
			&form->arena,
			(sums->files.count + form->n_named + 1) * sizeof(*progress.missing), 8),
	};
	int status = progress.missing ? PROFILE_OK : PROFILE_NO_MEMORY;

	for (size_t i = 0; !status && i < form->n_named; i++)
		status = put_source(perl, form->named[i], true, &progress);
	for (size_t i = 0; !status && form->automatic && i < perl->n_functions; i++) {
		struct script_pair_key key;
		const char *name;

		script_key(&sums->pairs, perl->functions[i].pair, &key, sizeof(key));
		name = dictionary_name(&sums->files, key.file).text;
		if (!perl->reaches[key.file] || strcmp(name, "???") == 0 || is_named(form, name))
			continue;
		perl->reaches[key.file] = false;
		status = put_source(perl, name, false, &progress);
	}
	if (status)
		return status;
	put_missing(perl, &progress);
	if (progress.has_some)
		put_annotated(perl);
	return PROFILE_OK;
}
