/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The versions that git has of a baseline, as a series of each benchmark: as a table, drawn, as a page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/bench/bench.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/outfile.h"
#include "cmds/emit/document.h"
#include "cmds/emit/drawing.h"

/* A version of the file, as a commit left it. */
struct version {
	char *hash, *date, *subject; /* owned, in one block that begins with hash */
	struct bench_set set;
};

struct series {
	const char *name;
	int128 first, last; /* of those that are there */
	int128 least, most;
	size_t n;     /* versions that have it */
	bool is_gone; /* the newest one has not */
};

struct history {
	const char *path, *command;
	const char *event;
	unsigned decimals;
	struct version *versions; /* owned; the oldest first */
	size_t n, capacity;
	struct series *series; /* owned; by name */
	size_t n_series, series_capacity;
	size_t n_marks; /* of a spark line, at most */
};

/* -- git ---------------------------------------------------------------------------------------- */

/* What git prints with these arguments; false after a message. */
static bool ask_git(const char *command, char *const *args, struct bytes *output)
{
	const int status = launch_read(args, output);

	/* Else git has said on standard error what is wrong. */
	if (status == -1)
		complain(command, "git: %s", strerror(errno));
	return status == 0;
}

/* The folder and the name of the file, each to be freed. */
static void split(const char *path, char **folder, char **name)
{
	const char *slash = strrchr(path, '/');

	*folder = slash ? heap_copy_part(path, slash == path ? 1 : (size_t)(slash - path))
			: heap_copy(".");
	*name = heap_copy(slash ? slash + 1 : path);
}

/* Reads one version, from "HASH DATE SUBJECT"; those that are no baseline are left out. */
static bool read_version(struct history *history, char *folder, const char *name, const char *line,
			 size_t len)
{
	struct version version = { .hash = heap_copy_part(line, len) };
	char *what;
	struct bytes text;
	bool fine;

	version.date = strchr(version.hash, ' ');
	version.subject = version.date ? strchr(version.date + 1, ' ') : NULL;
	if (!version.subject) {
		free(version.hash);
		return true;
	}
	*version.date++ = '\0';
	*version.subject++ = '\0';
	what = heap_print("%s:./%s", version.hash, name);
	bytes_init(&text);
	fine = ask_git(history->command,
		       (char *[]){ (char[]){ "git" }, (char[]){ "-C" }, folder, (char[]){ "show" },
				   what, NULL },
		       &text);
	bench_set_init(&version.set);
	if (fine && benchfile_parse(&version.set, text.text, text.len, name, NULL) == EXIT_FINE) {
		history->versions = heap_grow(history->versions, &history->capacity, history->n + 1,
					      sizeof(version));
		history->versions[history->n++] = version;
	} else {
		bench_set_release(&version.set);
		free(version.hash);
	}
	bytes_release(&text);
	free(what);
	return fine;
}

/*
 * Commits that deleted the file have no version of it.  (What git 2.39 makes of =d without a patch is nothing at all.)
 * Signatures and other names of the file, as a user's configuration may ask for, are not lines of ours; a name with
 * '*' or '[' is a name.
 */
static bool read_versions(struct history *history)
{
	char *folder, *name, *below;
	struct bytes log;
	bool fine;

	split(history->path, &folder, &name);
	below = heap_print("./%s", name);
	bytes_init(&log);
	fine = ask_git(history->command,
		       (char *[]){ (char[]){ "git" }, (char[]){ "--literal-pathspecs" },
				   (char[]){ "-C" }, folder, (char[]){ "log" },
				   (char[]){ "--no-show-signature" }, (char[]){ "--no-follow" },
				   (char[]){ "--reverse" }, (char[]){ "--diff-filter=AMRCT" },
				   (char[]){ "--format=%h %cs %s" }, (char[]){ "--" }, below,
				   NULL },
		       &log);
	for (const char *line = log.text, *end = line + log.len; fine && line < end;) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line));
		const size_t len = (size_t)((line_end ? line_end : end) - line);

		fine = read_version(history, folder, name, line, len);
		line += len + 1;
	}
	bytes_release(&log);
	free(below);
	free(folder);
	free(name);
	return fine;
}

/* -- series ------------------------------------------------------------------------------------- */

/* The value of a benchmark in a version; false if it is not there. */
static bool value_of(const struct history *history, size_t version, const char *name, int128 *value)
{
	const struct bench_set *set = &history->versions[version].set;
	const struct bench_result *result = bench_set_find(set, name);
	const size_t event = bench_set_event(set, history->event);

	if (!result || event == set->n_events || !result->has[event] ||
	    set->events[event].decimals != history->decimals)
		return false;
	*value = result->values[event];
	return true;
}

static int compare_series(const void *left, const void *right)
{
	const struct series *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* The benchmarks of all versions that a pattern fits, each once, by name. */
static void find_series(struct history *history, const char *pattern)
{
	size_t n = 0;

	for (size_t i = 0; i < history->n; i++) {
		const struct bench_set *set = &history->versions[i].set;

		for (size_t j = 0; j < set->n; j++) {
			const char *name = set->all[j].name;

			if (pattern && !limit_matches(pattern, name, strlen(name)))
				continue;
			history->series = heap_grow(history->series, &history->series_capacity,
						    history->n_series + 1,
						    sizeof(*history->series));
			history->series[history->n_series++] = (struct series){ .name = name };
		}
	}
	if (history->n_series > 0)
		qsort(history->series, history->n_series, sizeof(*history->series), compare_series);
	for (size_t i = 0; i < history->n_series; i++) {
		struct series series = history->series[i];

		if (n > 0 && strcmp(history->series[n - 1].name, series.name) == 0)
			continue;
		for (size_t version = 0; version < history->n; version++) {
			int128 value;

			series.is_gone = !value_of(history, version, series.name, &value);
			if (series.is_gone)
				continue;
			if (series.n++ == 0)
				series.first = series.least = series.most = value;
			series.last = value;
			series.least = value < series.least ? value : series.least;
			series.most = value > series.most ? value : series.most;
		}
		if (series.n > 0)
			history->series[n++] = series;
	}
	history->n_series = n;
}

/* The event, with as many decimals as the newest version has. */
static bool find_event(struct history *history, const char *event)
{
	const struct bench_set *newest = &history->versions[history->n - 1].set;
	size_t number;

	if (!event && newest->n_events > 0)
		event = newest->events[0].name;
	number = event ? bench_set_event(newest, event) : newest->n_events;
	if (number == newest->n_events) {
		complain(history->command, "%s: expected the event %s in its newest version",
			 history->path, event ? event : "Ir");
		return false;
	}
	history->event = newest->events[number].name;
	history->decimals = newest->events[number].decimals;
	return true;
}

/* -- a table ------------------------------------------------------------------------------------- */

/* The last versions of a series, a character each: how high it is between the least and the most. */
static void make_spark_line(const struct history *history, const struct series *series,
			    struct bytes *text)
{
	static const char *const marks[] = { "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
					     "\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86",
					     "\xe2\x96\x87", "\xe2\x96\x88" };
	enum { N_MARKS = sizeof(marks) / sizeof(marks[0]) };
	const int128 range = series->most - series->least;
	size_t i = history->n > history->n_marks ? history->n - history->n_marks : 0;

	bytes_reset(text);
	for (; i < history->n; i++) {
		int128 value;

		if (!value_of(history, i, series->name, &value))
			bytes_add_text(text, ".");
		else
			bytes_add_text(
				text,
				marks[range > 0 ? (value - series->least) * (N_MARKS - 1) / range
						: 0]);
	}
	bytes_add_char(text, '\0');
}

static struct cell cell_of(const struct history *history, int128 value)
{
	const struct decimals decimals = { (unsigned char)history->decimals,
					   (unsigned char)history->decimals };

	return cell_decimal(cell_count(value), decimals);
}

static void put_series(struct document *document, void *ctx, size_t i)
{
	const struct history *history = ctx;
	const struct series *series = &history->series[i];
	struct bytes spark;

	bytes_init(&spark);
	make_spark_line(history, series, &spark);
	document_cell(document, cell_of(history, series->first));
	document_cell(document, cell_of(history, series->last));
	document_cell(document, series->is_gone ? cell_string("gone")
				: series->first != series->last
					? cell_percent(series->last - series->first, series->first)
					: cell_none);
	document_cell(document, cell_string(spark.text));
	document_cell(document, cell_string(series->name));
	bytes_release(&spark);
}

/* For programs: all values. */
static void put_values(struct document *document, const struct history *history)
{
	document_list(document, "versions", false);
	for (size_t i = 0; i < history->n; i++) {
		const struct version *version = &history->versions[i];

		document_object(document, NULL, false);
		document_value(document, "commit", cell_string(version->hash));
		document_value(document, "date", cell_string(version->date));
		document_value(document, "subject", cell_string(version->subject));
		document_object(document, "benchmarks", false);
		for (size_t j = 0; j < history->n_series; j++) {
			int128 value;

			if (value_of(history, i, history->series[j].name, &value))
				document_value(document, history->series[j].name,
					       cell_of(history, value));
		}
		document_close(document);
		document_close(document);
	}
	document_close(document);
}

static void put_title(FILE *out, const struct history *history)
{
	const struct version *first = &history->versions[0];
	const struct version *last = &history->versions[history->n - 1];

	fprintf(out, "%s in %zu version%s, from %s (%s) to %s (%s)", history->event, history->n,
		history->n == 1 ? "" : "s", first->date, first->hash, last->date, last->hash);
}

static void print_table(struct history *history, const struct document_backend *backend,
			size_t width, FILE *out)
{
	static const struct document_column columns[] = {
		{ .title = "first" },     { .title = "last" },
		{ .title = "%" },         { .title = "versions", .is_left = true },
		{ .title = "benchmark" },
	};
	const struct document_view view = {
		.table = { .columns = columns, .n = sizeof(columns) / sizeof(columns[0]) },
		.n_rows = history->n_series,
		.put_row = put_series,
		.ctx = history,
	};
	enum { OTHERS = 70, LEAST = 10, MOST = 60 }; /* columns of all else; of the line */
	struct document document;

	history->n_marks = width == FITTED_UNLIMITED || width > OTHERS + MOST ? MOST
			   : width > OTHERS + LEAST                           ? width - OTHERS
									      : LEAST;
	document_begin(&document, backend, out, NULL, 0, 0);
	document_fit(&document, width);
	document_value(&document, "schema", cell_string("costgrind bench history"));
	document_value(&document, "version", cell_count(1));
	document_value(&document, "event", cell_string(history->event));
	document_section(&document, 1, "History of benchmarks", NULL);
	document_prose(&document, "%s of ", history->event);
	document_words(&document, history->path);
	document_prose(&document, " in %zu version%s, from %s (%s) to %s (%s)\n\n", history->n,
		       history->n == 1 ? "" : "s", history->versions[0].date,
		       history->versions[0].hash, history->versions[history->n - 1].date,
		       history->versions[history->n - 1].hash);
	if (document_is_prose(&document))
		document_view(&document, &view);
	else
		put_values(&document, history);
	document_end(&document);
}

/* -- a drawing ------------------------------------------------------------------------------------ */

enum {
	WIDTH = 980,
	LEFT = 330, /* names and values are there */
	RIGHT = 20,
	TOP = 60,
	ROW = 54, /* of a benchmark */
	PLOT = 38,
};

static void print_value(FILE *out, const struct history *history, int128 value)
{
	char text[INT128_TEXT];

	int128_print_decimal(text, value, true, history->decimals);
	fputs(text, out);
}

static void draw_series(FILE *out, const struct history *history, const struct series *series,
			double top)
{
	const struct svg_plot plot = {
		.out = out,
		.left = LEFT,
		.top = top,
		.right = WIDTH - RIGHT,
		.bottom = top + PLOT,
		.least_x = 0,
		.most_x = history->n > 1 ? (double)(history->n - 1) : 1,
		.least_y = (double)series->least,
		.most_y = (double)(series->most > series->least ? series->most : series->least + 1),
	};
	char percent[INT128_TEXT];
	bool has_line = false;

	svg_begin_text(out, "", "start", 16, top + 14);
	svg_text(out, series->name);
	svg_end_text(out);
	svg_begin_text(out, "small", "start", 16, top + 30);
	print_value(out, history, series->first);
	fputs(" to ", out);
	print_value(out, history, series->last);
	if (int128_print_percent(percent, series->last - series->first, series->first) > 0)
		fprintf(out, " (%s)", percent);
	if (series->is_gone)
		fputs(", gone", out);
	svg_end_text(out);
	svg_line(out, "grid", LEFT, plot.bottom, WIDTH - RIGHT, plot.bottom);
	/* A version without the benchmark ends a line. */
	for (size_t i = 0; i <= history->n; i++) {
		int128 value = 0;
		const bool is_there = i < history->n && value_of(history, i, series->name, &value);

		if (is_there)
			fprintf(out, "%s%.1f,%.1f",
				has_line ? " " : "<polyline class=\"curve\" points=\"",
				svg_x(&plot, (double)i), svg_y(&plot, (double)value));
		else if (has_line)
			fputs("\"/>\n", out);
		has_line = is_there;
	}
	for (size_t i = 0; i < history->n; i++) {
		const struct version *version = &history->versions[i];
		int128 value;

		if (!value_of(history, i, series->name, &value))
			continue;
		svg_begin_point(&plot, svg_x(&plot, (double)i), svg_y(&plot, (double)value), "2.5");
		fprintf(out, "%s, %s, ", version->date, version->hash);
		svg_text(out, version->subject);
		fputs(": ", out);
		print_value(out, history, value);
		svg_end_point(&plot);
	}
}

static void draw(FILE *out, const struct history *history)
{
	static const char light[] = ".curve { fill: none; stroke: #b3361e; stroke-width: 1.5 }\n"
				    ".point { fill: #b3361e }\n";
	static const char dark[] = ".curve { stroke: #ff8a6b }\n"
				   ".point { fill: #ff8a6b }\n";

	svg_begin(out, WIDTH, TOP + (double)history->n_series * ROW + 20,
		  "History of benchmarks: ", history->path, light, dark);
	svg_heading(out, "History of benchmarks: ", history->path);
	svg_begin_note(out);
	put_title(out, history);
	svg_end_text(out);
	for (size_t i = 0; i < history->n_series; i++)
		draw_series(out, history, &history->series[i], TOP + (double)i * ROW);
	svg_end(out);
}

/* -- a page --------------------------------------------------------------------------------------- */

/* One file, without references to others: the drawing, and all values. */
static void print_page(FILE *out, const struct history *history)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<title>History of benchmarks</title>\n<style>\n"
	      "body { font: 14px sans-serif; margin: 16px; color-scheme: light dark }\n"
	      "svg { max-width: 100%; height: auto }\n"
	      "table { border-collapse: collapse }\n"
	      "th, td { padding: 2px 8px; text-align: right; border-bottom: 1px solid #8884 }\n"
	      "th:first-child, td:first-child { text-align: left }\n"
	      "</style>\n</head>\n<body>\n",
	      out);
	draw(out, history);
	fputs("<table>\n<tr><th>commit</th><th>date</th>", out);
	for (size_t i = 0; i < history->n_series; i++) {
		fputs("<th>", out);
		svg_text(out, history->series[i].name);
		fputs("</th>", out);
	}
	fputs("</tr>\n", out);
	for (size_t i = history->n; i-- > 0;) {
		const struct version *version = &history->versions[i];

		fprintf(out, "<tr><td>%s ", version->hash);
		svg_text(out, version->subject);
		fprintf(out, "</td><td>%s</td>", version->date);
		for (size_t j = 0; j < history->n_series; j++) {
			int128 value;

			fputs("<td>", out);
			if (value_of(history, i, history->series[j].name, &value))
				print_value(out, history, value);
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</table>\n</body>\n</html>\n", out);
}

/* -- all of it ------------------------------------------------------------------------------------ */

static int print(struct history *history, const char *format, size_t width, const char *output)
{
	struct printout printout;

	if (!printout_open(&printout, history->command, output, false))
		return EXIT_FAILED;
	if (strcmp(format, "svg") == 0)
		draw(printout.out, history);
	else if (strcmp(format, "html") == 0)
		print_page(printout.out, history);
	else
		print_table(history, document_backend(format), width, printout.out);
	return printout_close(&printout, history->command) ? EXIT_FINE : EXIT_FAILED;
}

int bench_history(const struct bench_history_request *request, const char *command)
{
	struct history history = { .path = request->path, .command = command };
	int code = EXIT_FAILED;

	if (!read_versions(&history)) {
		complain(command, "%s: expected a file in a repository of git", request->path);
	} else if (history.n == 0) {
		complain(command, "%s: expected a baseline that was committed", request->path);
	} else if (find_event(&history, request->event)) {
		find_series(&history, request->pattern);
		if (history.n_series > 0)
			code = print(&history, request->format, request->width, request->output);
		else
			complain(command, "%s: expected a benchmark called %s", request->path,
				 request->pattern ? request->pattern : "something");
	}
	for (size_t i = 0; i < history.n; i++) {
		bench_set_release(&history.versions[i].set);
		free(history.versions[i].hash);
	}
	free(history.versions);
	free(history.series);
	return code;
}
