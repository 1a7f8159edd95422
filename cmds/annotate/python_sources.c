/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources with the costs of lines, and where the other costs are. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/annotate/python_form.h"
#include "cmds/code/sourcetext.h"
#include "cmds/text/visible.h"
#include "profile/analysis/self_costs.h"

/* How the profiles call a file. */
static void find_filenames(struct python_form *python, uint32_t file)
{
	const struct script_sums *sums = python->form->sums;
	size_t n = sums->names_of_files.count, low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sums->file_of_name[python->names[middle]] < file)
			low = middle + 1;
		else
			high = middle;
	}
	python->n_filenames = 0;
	for (; low < n && sums->file_of_name[python->names[low]] == file; low++)
		python->filenames[python->n_filenames++] =
			dictionary_name(&sums->names_of_files, python->names[low]).text;
}

static void put_filenames(struct python_form *python)
{
	for (size_t i = 0; i < python->n_filenames; i++) {
		fputs("- ", python->form->out);
		script_form_text(python->form, python->filenames[i]);
		fputs("\n", python->form->out);
	}
	fputs("\n", python->form->out);
}

/* The first of a file's texts, if there are all, and all are the same. */
enum { TEXT_FOUND = PROFILE_OK, TEXT_UNREADABLE = 1000, TEXTS_DIFFER };

static int read_texts(struct python_form *python, struct sourcetext *text)
{
	int result = TEXT_FOUND;

	if (!sourcetext_find(text, python->filenames[0], python->form->policy))
		return errno == ENOMEM ? PROFILE_NO_MEMORY : TEXT_UNREADABLE;
	for (size_t i = 1; result == TEXT_FOUND && i < python->n_filenames; i++) {
		struct sourcetext other;

		if (!sourcetext_find(&other, python->filenames[i], python->form->policy)) {
			result = errno == ENOMEM ? PROFILE_NO_MEMORY : TEXT_UNREADABLE;
			break;
		}
		if (other.len != text->len || memcmp(other.data, text->data, text->len) != 0)
			result = TEXTS_DIFFER;
		if (other.modified.tv_sec < text->modified.tv_sec ||
		    (other.modified.tv_sec == text->modified.tv_sec &&
		     other.modified.tv_nsec < text->modified.tv_nsec))
			text->modified = other.modified;
		sourcetext_release(&other);
	}
	if (result != TEXT_FOUND)
		sourcetext_release(text);
	return result;
}

/* One warning for each profile that is older than all texts. */
static void warn_newer(struct python_form *python, const struct sourcetext *text)
{
	struct script_form *form = python->form;

	for (size_t i = 0; i < form->n_paths; i++) {
		struct stat status;

		if (stat(form->paths[i], &status) != 0 ||
		    text->modified.tv_sec < status.st_mtim.tv_sec ||
		    (text->modified.tv_sec == status.st_mtim.tv_sec &&
		     text->modified.tv_nsec <= status.st_mtim.tv_nsec))
			continue;
		script_form_begin_warning(form);
		fputs("@ Original source files are all newer than data file '", form->out);
		script_form_text(form, form->paths[i]);
		fputs("':\n", form->out);
		for (size_t j = 0; j < python->n_filenames; j++) {
			fputs("@ - ", form->out);
			script_form_text(form, python->filenames[j]);
			fputs("\n", form->out);
		}
		fputs("@ Annotations may not be correct.\n", form->out);
		script_form_end_warning(form);
		fputs("\n", form->out);
	}
}

static bool cover(struct python_form *python, enum coverage_kind kind, uint32_t row)
{
	const struct script_sums *sums = python->form->sums;

	return row_add(python->coverage[kind], script_counts(&sums->lines, row), sums->n_events,
		       sums->is_signed);
}

static bool cover_all(struct python_form *python, enum coverage_kind kind, uint32_t file)
{
	size_t n, first = script_form_lines_of(python->form, &python->lines, file, &n);

	python->is_done[file] = true;
	for (size_t i = 0; i < n; i++)
		if (!cover(python, kind, python->lines.rows[first + i]))
			return false;
	return true;
}

/* Line `at` of a text; *next is the first of the lines with costs that was not printed. */
static void put_line(struct python_form *python, const struct sourcetext *text, size_t at,
		     const uint32_t *rows, size_t n, size_t *next)
{
	struct script_form *form = python->form;
	const uint64_t *counts = NULL;
	size_t len;
	const char *line = sourcetext_line(text, at, &len);

	if (*next < n && script_form_line(form, rows[*next]) == at)
		counts = script_counts(&form->sums->lines, rows[(*next)++]);
	python_put_costs(python, counts, NULL);
	visible_print(form->out, line, len, true);
	fputs("\n", form->out);
}

/* Spans of lines up to the end of the text; the number of lines with costs in them. */
static size_t put_spans(struct python_form *python, const struct sourcetext *text,
			const uint32_t *rows, size_t n)
{
	size_t next = 0, at = 0;

	for (size_t i = 0; i < n;) {
		struct script_span span = script_form_span(python->form, rows, n, &i);

		if (span.low < 1)
			span.low = 1;
		if (span.low - 1 > (int64_t)text->n_lines)
			return next;
		if ((int64_t)at < span.low - 1)
			at = (size_t)span.low - 1;
		if (span.low != 1)
			script_form_mark(python->form, span.low);
		while ((int64_t)at < span.high) {
			if (at == text->n_lines)
				return next;
			put_line(python, text, ++at, rows, n, &next);
		}
		script_form_mark(python->form, span.high);
	}
	return next;
}

static void put_past_end(struct python_form *python, const char *name, const uint32_t *rows,
			 size_t n)
{
	struct script_form *form = python->form;

	fputs("\n", form->out);
	for (size_t i = 0; i < n; i++) {
		python_put_costs(python, script_counts(&form->sums->lines, rows[i]), NULL);
		fprintf(form->out, "<bogus line %" PRIu64 ">\n", script_form_line(form, rows[i]));
	}
	fputs("\n", form->out);
	script_form_begin_warning(form);
	fputs("@@ Information recorded about lines past the end of '", form->out);
	script_form_text(form, name);
	fputs("'.\n", form->out);
	script_form_end_warning(form);
}

static bool put_text(struct python_form *python, const struct sourcetext *text, uint32_t file)
{
	struct script_form *form = python->form;
	const struct script_table *table = &form->sums->lines;
	struct extremes extremes[PROFILE_MAX_EVENTS] = { { 0, 0 } };
	size_t n, first = script_form_lines_of(form, &python->lines, file, &n), shown;
	const uint32_t *rows = python->lines.rows + first;
	bool fine = true;

	warn_newer(python, text);
	for (size_t i = 0; i < n; i++)
		python_note_extremes(form, extremes, script_counts(table, rows[i]));
	python_set_widths(python, extremes, NULL);
	python_put_titles(python, "", "");
	fputs("\n", form->out);
	if (n > 0 && script_form_line(form, rows[0]) == 0) {
		python_put_costs(python, script_counts(table, rows[0]), NULL);
		fputs("<unknown (line 0)>\n\n", form->out);
		fine = cover(python, LINES_UNKNOWN, rows[0]);
		rows++;
		n--;
	}
	for (size_t i = 0; fine && i < n; i++)
		fine = cover(python, LINES_KNOWN, rows[i]);
	if (n == 0)
		return fine;
	shown = put_spans(python, text, rows, n);
	if (shown < n)
		put_past_end(python, python->filenames[0], rows + shown, n - shown);
	fputs("\n", form->out);
	return fine;
}

static int put_source(struct python_form *python, const struct outer *file)
{
	struct script_form *form = python->form;
	struct sourcetext text;
	bool fine = true;
	int result;

	find_filenames(python, file->key);
	result = read_texts(python, &text);
	if (result != TEXT_FOUND && result < TEXT_UNREADABLE)
		return result;
	fprintf(form->out, "%s-- Annotated source file: ", script_form_rule);
	script_form_name(form, file->name);
	fprintf(form->out, "\n%s", script_form_rule);
	python->is_done[file->key] = true;
	if (result == TEXT_FOUND) {
		fine = put_text(python, &text, file->key);
		sourcetext_release(&text);
	} else if (result == TEXTS_DIFFER) {
		fputs("Unannotated because two or more of these original files are not "
		      "identical:\n",
		      form->out);
		put_filenames(python);
		fine = cover_all(python, NOT_IDENTICAL, file->key);
	} else {
		fputs("Unannotated because one or more of these original files are unreadable:\n",
		      form->out);
		put_filenames(python);
		fine = cover_all(python, UNREADABLE, file->key);
	}
	return fine ? PROFILE_OK : PROFILE_RANGE;
}

static bool is_unknown(struct name name)
{
	return name.len == 3 && memcmp(name.text, "???", 3) == 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct outer *of_a = a, *of_b = b;

	return dictionary_compare(&of_a->name, &of_b->name);
}

static void put_coverage(struct python_form *python)
{
	static const char *const labels[N_COVERAGE_KINDS] = {
		"  annotated: files known & above threshold & readable, line numbers known",
		"  annotated: files known & above threshold & readable, line numbers unknown",
		"unannotated: files known & above threshold & two or more non-identical",
		"unannotated: files known & above threshold & unreadable ",
		"unannotated: files known & below threshold",
		"unannotated: files unknown",
	};
	struct extremes extremes[PROFILE_MAX_EVENTS] = { { 0, 0 } };

	for (int i = 0; i < N_COVERAGE_KINDS; i++)
		python_note_extremes(python->form, extremes, python->coverage[i]);
	python_set_widths(python, extremes, NULL);
	python_put_title(python->form, "Annotation summary");
	python_put_titles(python, "", "");
	fputs("\n", python->form->out);
	for (int i = 0; i < N_COVERAGE_KINDS; i++) {
		python_put_costs(python, python->coverage[i], NULL);
		fprintf(python->form->out, "%s\n", labels[i]);
	}
	fputs("\n", python->form->out);
}

int python_put_sources(struct python_form *python)
{
	struct script_form *form = python->form;
	const struct script_sums *sums = form->sums;
	int status = PROFILE_OK;

	qsort(python->files, python->n_files, sizeof(*python->files), compare_names);
	for (size_t i = 0; !status && i < python->n_files; i++)
		if (!is_unknown(python->files[i].name))
			status = put_source(python, &python->files[i]);
	for (size_t i = 0; !status && i < sums->files.count; i++) {
		bool is_lost = is_unknown(dictionary_name(&sums->files, (uint32_t)i));

		if (!python->is_done[i] &&
		    !cover_all(python, is_lost ? FILES_UNKNOWN : BELOW_THRESHOLD, (uint32_t)i))
			status = PROFILE_RANGE;
	}
	if (!status)
		put_coverage(python);
	return status;
}
