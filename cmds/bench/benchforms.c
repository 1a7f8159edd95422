/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks in the forms that other programs read, and which form is called how. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/bench/bench.h"
#include "cmds/emit/document.h"
#include "cmds/emit/json.h"
#include "cmds/emit/visible.h"

enum { SENTENCE = 1024 /* bytes; a longer one is cut */ };

struct bench_form {
	const char *name;
	const struct document_backend *backend; /* NULL = print() */
	void (*print)(const struct bench_comparison *comparison, FILE *out);
};

/* A text that may be a baseline's, and have any bytes, without control characters; to be freed. */
static char *show(const char *text)
{
	enum {
		MOST = 4,
		END = 5
	}; /* bytes that one becomes; of room, as visible_copy() wants it */
	const size_t len = strlen(text), size = len * MOST + END;
	char *shown = heap_alloc(size);

	visible_copy(shown, size, text, len);
	return shown;
}

/* -- JUnit: XML ----------------------------------------------------------------------------------- */

/* A text as the value of an attribute. */
static void put_attribute(FILE *out, const char *name, const char *text)
{
	char *shown = show(text);
	const size_t len = strlen(shown);

	fprintf(out, " %s=\"", name);
	for (size_t i = 0, n; i < len; i += n) {
		n = unicode_len(shown + i, len - i);
		if (n == 0 || unicode_is_noncharacter(shown + i, n))
			fputs(UNICODE_REPLACEMENT, out);
		else if (shown[i] == '<')
			fputs("&lt;", out);
		else if (shown[i] == '>')
			fputs("&gt;", out);
		else if (shown[i] == '&')
			fputs("&amp;", out);
		else if (shown[i] == '"')
			fputs("&quot;", out);
		else
			fwrite(shown + i, 1, n, out);
		n = n == 0 ? 1 : n;
	}
	putc('"', out);
	free(shown);
}

static void put_failure(FILE *out, const char *type, const char *message)
{
	fputs(">\n      <failure", out);
	put_attribute(out, "type", type);
	put_attribute(out, "message", message);
	fputs("/>\n    </testcase>\n", out);
}

/* What a row says, and where to look. */
static void print_sentence(const struct bench_comparison *comparison, const struct bench_row *row,
			   char text[SENTENCE])
{
	char place[SENTENCE];

	bench_row_print(comparison, row, text, SENTENCE);
	bench_row_print_place(comparison, row, place, sizeof(place));
	if (*place)
		snprintf(text + strlen(text), SENTENCE - strlen(text), "; %s", place);
}

static void put_case(const struct bench_comparison *comparison, const struct bench_row *row,
		     FILE *out)
{
	char text[SENTENCE];

	fputs("    <testcase classname=\"costgrind bench\"", out);
	put_attribute(out, "name", row->name);
	if (row->state > BENCH_BROKEN) {
		fputs("/>\n", out);
		return;
	}
	print_sentence(comparison, row, text);
	put_failure(out, bench_states[row->state], text);
}

static void print_junit(const struct bench_comparison *comparison, FILE *out)
{
	const struct bench_set *set = comparison->new_set;
	const size_t n_others = comparison->n_unmatched + set->n_failures;
	size_t n_failures = n_others;

	for (size_t state = 0; state <= BENCH_BROKEN; state++)
		n_failures += comparison->n_states[state];
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites>\n  <testsuite name=\"costgrind bench\" tests=\"%zu\" failures=\"%zu\" "
		"errors=\"0\" skipped=\"0\">\n",
		comparison->n + n_others, n_failures);
	for (size_t i = 0; i < comparison->n; i++)
		put_case(comparison, &comparison->rows[i], out);
	for (size_t i = 0; i < comparison->n_unmatched; i++) {
		fputs("    <testcase classname=\"costgrind bench limits\"", out);
		put_attribute(out, "name", comparison->unmatched[i]->text);
		put_failure(out, "unmatched", "no benchmark has such a name");
	}
	for (size_t i = 0; i < set->n_failures; i++) {
		fputs("    <testcase classname=\"costgrind bench programs\"", out);
		put_attribute(out, "name", set->failures[i].program);
		put_failure(out, "failed", set->failures[i].text);
	}
	fputs("  </testsuite>\n</testsuites>\n", out);
}

/* -- commands of a workflow of GitHub ---------------------------------------------------------------- */

/* A text as the message of a command, or as the value of a property. */
static void put_escaped(FILE *out, const char *text, bool is_property)
{
	char *shown = show(text);

	for (const char *p = shown; *p; p++) {
		if (*p == '%' || (is_property && (*p == ':' || *p == ',')))
			fprintf(out, "%%%02X", (unsigned)*p);
		else
			putc(*p, out);
	}
	free(shown);
}

/* A path as in the repository: below the current directory. */
static const char *relative(const char *path, const char *here)
{
	const size_t len = here ? strlen(here) : 0;

	return len > 1 && strncmp(path, here, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

static void put_command(FILE *out, const char *level, const char *name, const char *text)
{
	fprintf(out, "::%s title=", level);
	put_escaped(out, name, true);
	fputs("::", out);
	put_escaped(out, text, false);
	putc('\n', out);
}

static void print_github(const struct bench_comparison *comparison, FILE *out)
{
	const struct bench_set *set = comparison->new_set;
	char *here = getcwd(NULL, 0);

	for (size_t i = 0; i < comparison->n && comparison->rows[i].state <= BENCH_SOFT; i++) {
		const struct bench_row *row = &comparison->rows[i];
		const struct bench_place *place = row->growth.place.function ? &row->growth.place
									     : &row->hottest;
		char text[SENTENCE];

		fprintf(out, "::%s ", row->state == BENCH_SOFT ? "warning" : "error");
		if (place->file) {
			fputs("file=", out);
			put_escaped(out, relative(place->file, here), true);
			if (place->line > 0)
				fprintf(out, ",line=%" PRIu64, place->line);
			putc(',', out);
		}
		fputs("title=", out);
		put_escaped(out, row->name, true);
		fputs("::", out);
		put_escaped(out, row->name, false);
		fputs(": ", out);
		print_sentence(comparison, row, text);
		put_escaped(out, text, false);
		putc('\n', out);
	}
	for (size_t i = 0; i < comparison->n_unmatched; i++)
		put_command(out, "error", comparison->unmatched[i]->text,
			    "no benchmark has such a name");
	for (size_t i = 0; i < set->n_failures; i++)
		put_command(out, "error", set->failures[i].program, set->failures[i].text);
	free(here);
}

/* -- github-action-benchmark and Bencher --------------------------------------------------------------- */

/* True if the row has a result to be kept. */
static bool has_result(const struct bench_row *row)
{
	return row->state != BENCH_GONE && row->state != BENCH_UNMATCHED;
}

static void print_smaller_is_better(const struct bench_comparison *comparison, FILE *out)
{
	struct json json;

	json_open(&json, out);
	json_array(&json, NULL, false);
	for (size_t i = 0; i < comparison->n; i++) {
		const struct bench_row *row = &comparison->rows[i];

		for (size_t event = 0; event < comparison->new_set->n_events; event++) {
			const struct bench_event *said = &comparison->new_set->events[event];
			bool has;
			const int128 value = bench_row_new(row, event, &has);
			char *name;

			if (!has || !has_result(row))
				continue;
			name = heap_print("%s %s", row->name, said->name);
			json_object(&json, NULL, true);
			json_string(&json, "name", name);
			json_string(&json, "unit", bench_words_of(said->name).unit);
			json_decimal(&json, "value", value, said->decimals);
			json_close(&json);
			free(name);
		}
	}
	json_close(&json);
	json_end(&json);
}

static void print_bmf(const struct bench_comparison *comparison, FILE *out)
{
	struct json json;

	json_open(&json, out);
	json_object(&json, NULL, false);
	for (size_t i = 0; i < comparison->n; i++) {
		const struct bench_row *row = &comparison->rows[i];

		if (!has_result(row))
			continue;
		json_object(&json, row->name, false);
		for (size_t event = 0; event < comparison->new_set->n_events; event++) {
			const struct bench_event *said = &comparison->new_set->events[event];
			bool has;
			const int128 value = bench_row_new(row, event, &has);

			if (!has)
				continue;
			json_object(&json, said->name, true);
			json_decimal(&json, "value", value, said->decimals);
			json_close(&json);
		}
		json_close(&json);
	}
	json_close(&json);
	json_end(&json);
}

/* -- all of them ------------------------------------------------------------------------------------------ */

static const struct bench_form forms[] = {
	{ "text", &document_text, NULL },
	{ "markdown", &document_markdown, NULL },
	{ "json", &document_json, NULL },
	{ "junit", NULL, print_junit },
	{ "github", NULL, print_github },
	{ "customSmallerIsBetter", NULL, print_smaller_is_better },
	{ "bmf", NULL, print_bmf },
};

const struct bench_form *bench_form_find(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	return NULL;
}

/* Markdown that a comment has room for: with as many rows as fit. */
static void print_comment(const struct bench_comparison *comparison, size_t width, FILE *out)
{
	enum { COMMENT = 65536, MOST = COMMENT - 1 };
	size_t n_rows = comparison->n_shown;

	while (true) {
		char *text;
		size_t len;
		FILE *memory = heap_stream(&text, &len);

		bench_print_document(comparison, &document_markdown, width, n_rows, memory);
		heap_stream_close(memory, &text);
		if (len <= MOST || n_rows == 0) {
			fwrite(text, 1, len <= MOST ? len : MOST, out);
			free(text);
			return;
		}
		free(text);
		n_rows = n_rows > 100 ? 100 : n_rows * 3 / 4;
	}
}

void bench_print(const struct bench_comparison *comparison, const struct bench_form *form,
		 size_t width, FILE *out)
{
	if (form->backend == &document_markdown)
		print_comment(comparison, width, out);
	else if (form->backend)
		bench_print_document(comparison, form->backend, width, comparison->n_shown, out);
	else
		form->print(comparison, out);
}
