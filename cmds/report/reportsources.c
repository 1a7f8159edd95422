/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/source/sourcetext.h"
#include "profile/common/bytes.h"
#include "profile/common/heap.h"

void reportsources_release(struct reportsources *sources)
{
	for (size_t i = 0; i < sources->n_files; i++)
		free(sources->files[i].path);
	heap_env.release(heap_env.ctx, sources->files);
	heap_env.release(heap_env.ctx, sources->wanted);
}

bool reportsources_add(struct reportsources *sources, uint32_t file, uint64_t line)
{
	const struct report_wanted *last = sources->n > 0 ? &sources->wanted[sources->n - 1] : NULL;
	void *wanted = sources->wanted;

	if (line == 0 || (last && last->file == file && last->line == line))
		return true;
	if (!heap_reserve(&heap_env, &wanted, &sources->capacity, sources->n + 1,
			  sizeof(*sources->wanted)))
		return false;
	sources->wanted = wanted;
	sources->wanted[sources->n++] = (struct report_wanted){ file, line };
	return true;
}

static int compare_wanted(const void *a, const void *b)
{
	const struct report_wanted *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* A line, cut if it is very long, where a character ends. */
static void add_line(struct bytes *bytes, const char *text, size_t len)
{
	size_t kept = len;

	if (len > REPORTSOURCES_LINE) {
		kept = REPORTSOURCES_LINE;
		while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80)
			kept--;
	}
	bytes_add(bytes, text, kept);
	if (kept < len)
		bytes_add_text(bytes, " ...");
}

/* One file, and what is wanted of it: n lines in order. */
struct found {
	const struct report_wanted *wanted;
	size_t n;
	struct sourcetext text;
	bool is_stale; /* changed after the profile was made */
};

/* Lines first..last of a file. */
static void write_stretch(const struct found *found, size_t first, size_t last, struct bytes *bytes,
			  struct json *json)
{
	bytes_reset(bytes);
	for (size_t i = first; i <= last; i++) {
		size_t len;
		const char *line = sourcetext_line(&found->text, i, &len);

		if (i > first)
			bytes_add_char(bytes, '\n');
		add_line(bytes, line, len);
	}
	if (bytes->failed)
		return;
	json_object(json, NULL, true);
	json_count(json, "file", found->wanted[0].file);
	json_count(json, "first", first);
	json_bool(json, "stale", found->is_stale);
	json_text(json, "text", bytes->text ? bytes->text : "", bytes->len);
	json_close(json);
}

/* *n_lines is how many. */
static int write_file(const struct found *found, uint64_t *n_lines, struct json *json)
{
	const struct report_wanted *wanted = found->wanted;
	const struct sourcetext *text = &found->text;
	size_t n = found->n;
	struct bytes bytes;
	bool failed = false;

	*n_lines = 0;
	bytes_init(&bytes, &heap_env);
	for (size_t i = 0; i < n && wanted[i].line <= text->n_lines && !failed;) {
		size_t line = (size_t)wanted[i].line;
		size_t first = line > REPORT_CONTEXT ? line - REPORT_CONTEXT : 1;
		size_t last = line;

		/* One stretch, if less than two contexts lie between. */
		while (i < n && wanted[i].line <= text->n_lines &&
		       wanted[i].line - last <= 2 * REPORT_CONTEXT + 1)
			last = (size_t)wanted[i++].line;
		last = text->n_lines - last > REPORT_CONTEXT ? last + REPORT_CONTEXT
							     : text->n_lines;
		write_stretch(found, first, last, &bytes, json);
		*n_lines += last - first + 1;
		failed = bytes.failed;
	}
	bytes_release(&bytes);
	return failed ? PROFILE_NO_MEMORY : PROFILE_OK;
}

/* Notes that lines of a file were taken in; by its resolved path, which is whose they are. */
static bool note_file(struct reportsources *sources, const char *path, uint64_t n_lines)
{
	void *files = sources->files;
	char *resolved;

	if (!heap_reserve(&heap_env, &files, &sources->files_capacity, sources->n_files + 1,
			  sizeof(*sources->files)))
		return false;
	sources->files = files;
	resolved = realpath(path, NULL);
	/* It may be gone by now. */
	if (!resolved && errno != ENOMEM)
		resolved = strdup(path);
	/* Two names of a file. */
	for (size_t i = 0; resolved && i < sources->n_files; i++) {
		if (strcmp(sources->files[i].path, resolved) != 0)
			continue;
		sources->files[i].n_lines += n_lines;
		free(resolved);
		return true;
	}
	if (resolved)
		sources->files[sources->n_files++] = (struct report_file){ resolved, n_lines };
	return resolved != NULL;
}

/* Writes a file that was found, and says what there is to say of it. */
static int take_file(struct reportsources *sources, struct found *found,
		     const struct report_input *input, struct report_taken *taken,
		     struct json *json)
{
	const char *path = found->text.path;
	uint64_t n_lines;
	int status;

	if (!sourcetext_is_text(&found->text)) {
		if (!input->quiet)
			warn(input->command, "%s: is no text, so it is left out", path);
		return PROFILE_OK;
	}
	found->is_stale = loaded_before(input->oldest, &found->text.modified);
	status = write_file(found, &n_lines, json);
	if (status || n_lines == 0)
		return status;
	if (found->is_stale && !input->quiet)
		warn(input->command, "%s: changed after the profile was made, so lines may not fit",
		     path);
	if (!note_file(sources, path, n_lines))
		return PROFILE_NO_MEMORY;
	taken->n_files = sources->n_files;
	taken->n_lines += n_lines;
	if (input->verbose)
		complain(input->command, "%s: %" PRIu64 " line%s", path, n_lines,
			 n_lines == 1 ? "" : "s");
	return status;
}

int reportsources_write(struct reportsources *sources, const struct report_input *input,
			const struct reportnames *names, struct report_taken *taken,
			struct json *json)
{
	const struct report_wanted *wanted = sources->wanted;
	int status = PROFILE_OK;
	size_t end;

	/* Numbers are those of no file then. */
	if (names->failed)
		return PROFILE_NO_MEMORY;
	json_array(json, "sources", true);
	if (sources->n > 0)
		qsort(sources->wanted, sources->n, sizeof(*wanted), compare_wanted);
	for (size_t i = 0; i < sources->n && !status; i = end) {
		uint32_t name = names->files.texts[wanted[i].file];
		struct found found = { .wanted = wanted + i };

		end = i + 1;
		while (end < sources->n && wanted[end].file == wanted[i].file)
			end++;
		found.n = end - i;
		errno = 0;
		if (sourcetext_find(&found.text, dictionary_name(&names->strings, name).text,
				    input->policy)) {
			status = take_file(sources, &found, input, taken, json);
			sourcetext_release(&found.text);
		} else if (errno == ENOMEM) {
			status = PROFILE_NO_MEMORY;
		}
	}
	json_close(json);
	return status;
}

void reportsources_write_files(const struct reportsources *sources,
			       const struct report_input *input, struct json *json)
{
	const char *path;

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
