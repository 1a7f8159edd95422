/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines, for the page. */
#include "cmds/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/source/sources.h"
#include "profile/common/heap.h"

enum { MOST_OF_LINE = 1000 }; /* bytes; of longer lines the rest is left out */

struct report_wanted {
	uint32_t file; /* of the report */
	uint64_t line;
};

/* A file that was read. */
struct report_file {
	char *path; /* resolved; owned */
	uint64_t n_lines;
};

void reportsources_release(struct reportsources *sources)
{
	for (size_t i = 0; i < sources->n_files; i++)
		free(sources->files[i].path);
	free(sources->files);
	free(sources->wanted);
}

void reportsources_add(struct reportsources *sources, uint32_t file, uint64_t line)
{
	const struct report_wanted *last = sources->n > 0 ? &sources->wanted[sources->n - 1] : NULL;

	if (line == 0 || (last && last->file == file && last->line == line))
		return;
	sources->wanted = heap_grow(sources->wanted, &sources->capacity, sources->n + 1,
				    sizeof(*sources->wanted));
	sources->wanted[sources->n++] = (struct report_wanted){ file, line };
}

static int compare_wanted(const void *a, const void *b)
{
	const struct report_wanted *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Writes the stretches about n lines of a file, in order; returns how many lines that are. */
static uint64_t write_file(const struct sourcetext *text, const struct report_wanted *wanted,
			   size_t n, bool is_stale, struct json *json)
{
	struct bytes bytes;
	uint64_t n_lines = 0;

	bytes_init(&bytes);
	for (size_t i = 0; i < n && wanted[i].line <= text->n_lines;) {
		size_t line = (size_t)wanted[i].line;
		size_t first = line > REPORT_CONTEXT ? line - REPORT_CONTEXT : 1;
		size_t last = line;

		/* One stretch, if less than two contexts lie between. */
		while (i < n && wanted[i].line <= text->n_lines &&
		       wanted[i].line - last <= 2 * REPORT_CONTEXT + 1)
			last = (size_t)wanted[i++].line;
		last = text->n_lines - last > REPORT_CONTEXT ? last + REPORT_CONTEXT
							     : text->n_lines;
		n_lines += last - first + 1;
		bytes_reset(&bytes);
		for (size_t j = first; j <= last; j++) {
			size_t len, kept;
			const char *at = sourcetext_line(text, j, &len);

			if (j > first)
				bytes_add_char(&bytes, '\n');
			/* Cut if it is very long, where a character ends. */
			kept = len > MOST_OF_LINE ? MOST_OF_LINE : len;
			while (kept < len && kept > 0 && ((unsigned char)at[kept] & 0xc0) == 0x80)
				kept--;
			bytes_add(&bytes, at, kept);
			if (kept < len)
				bytes_add_text(&bytes, " ...");
		}
		json_object(json, NULL, true);
		json_count(json, "file", wanted[0].file);
		json_count(json, "first", first);
		json_bool(json, "stale", is_stale);
		json_text(json, "text", bytes.text ? bytes.text : "", bytes.len);
		json_close(json);
	}
	bytes_release(&bytes);
	return n_lines;
}

/* Notes that lines of a file were read; by its resolved path, since that tells whose they are. */
static void note_file(struct reportsources *sources, const char *path, uint64_t n_lines)
{
	char *resolved = realpath(path, NULL);

	/* It may be gone by now. */
	if (!resolved)
		resolved = heap_copy(path);
	/* Two names of a file. */
	for (size_t i = 0; i < sources->n_files; i++) {
		if (strcmp(sources->files[i].path, resolved) != 0)
			continue;
		sources->files[i].n_lines += n_lines;
		free(resolved);
		return;
	}
	sources->files = heap_grow(sources->files, &sources->files_capacity, sources->n_files + 1,
				   sizeof(*sources->files));
	sources->files[sources->n_files++] = (struct report_file){ resolved, n_lines };
}

/* Writes the n wanted lines of a file that was found, with messages about it. */
static void take_file(struct reportsources *sources, const struct sourcetext *text,
		      const struct report_wanted *wanted, size_t n,
		      const struct report_input *input, struct report_taken *taken,
		      struct json *json)
{
	bool is_stale = loaded_before(input->oldest, &text->modified);
	uint64_t n_lines;

	if (!sourcetext_is_text(text)) {
		if (!input->quiet)
			warn(input->command, "%s: is no text, so it is left out", text->path);
		return;
	}
	n_lines = write_file(text, wanted, n, is_stale, json);
	if (n_lines == 0)
		return;
	if (is_stale && !input->quiet)
		warn(input->command, "%s: changed after the profile was made, so lines may not fit",
		     text->path);
	note_file(sources, text->path, n_lines);
	taken->n_files = sources->n_files;
	taken->n_lines += n_lines;
	if (input->verbose)
		complain(input->command, "%s: %" PRIu64 " line%s", text->path, n_lines,
			 n_lines == 1 ? "" : "s");
}

void reportsources_write(struct reportsources *sources, const struct report_input *input,
			 const struct reportnames *names, struct report_taken *taken,
			 struct json *json)
{
	const struct report_wanted *wanted = sources->wanted;
	size_t n = input->no_source ? 0 : sources->n, end;
	const char *path;

	json_array(json, "sources", true);
	if (n > 0)
		qsort(sources->wanted, n, sizeof(*wanted), compare_wanted);
	for (size_t i = 0; i < n; i = end) {
		uint32_t name = names->files.texts[wanted[i].file];
		struct sourcetext text;

		end = i + 1;
		while (end < n && wanted[end].file == wanted[i].file)
			end++;
		if (!sourcetext_find(&text, dictionary_name(&names->strings, name).text,
				     input->policy))
			continue;
		take_file(sources, &text, wanted + i, end - i, input, taken, json);
		sourcetext_release(&text);
	}
	json_close(json);
	json_array(json, "taken", true);
	for (size_t i = 0; i < sources->n_files; i++) {
		json_object(json, NULL, true);
		json_string(json, "path", sources->files[i].path);
		json_count(json, "lines", sources->files[i].n_lines);
		json_close(json);
	}
	json_close(json);
	json_array(json, "refused", true);
	for (size_t i = 0; input->policy && (path = read_policy_refused(input->policy, i)) != NULL;
	     i++)
		json_string(json, NULL, path);
	json_close(json);
}
