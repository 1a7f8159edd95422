/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind convert: its options, and the way from a file to another one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/outfile.h"
#include "cmds/convert/formats.h"
#include "cmds/source/sources.h"
#include "cmds/types/typecosts.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

const struct format format_table[] = {
#define FORMAT(name, traits, variant, function, help) { name, traits, variant, function },
	FORMATS(FORMAT)
#undef FORMAT
		{ NULL, 0, 0, NULL },
};

const struct format *format_find(const char *name)
{
	for (const struct format *format = format_table; format->name; format++)
		if (strcmp(format->name, name) == 0)
			return format;
	return NULL;
}

static const char command[] = "convert";

struct convert {
	struct importer_options importing;
	struct option_common common;
	const struct format *format; /* NULL = not said */
	const char *output;          /* NULL = standard output */
	struct searchpath path;      /* of objects, for types */
	struct typecosts_options types;
	bool ids, break_cycles;
	unsigned long long max_calls;
};

/* -- options --------------------------------------------------------------------- */

static const char *set_to(void *ctx, const char *value)
{
	struct convert *convert = ctx;

	convert->format = format_find(value);
	return convert->format ? NULL : "a format, see 'costgrind help convert'";
}

static const char *set_from(void *ctx, const char *value)
{
	static const struct {
		const char *word;
		enum importer_from from;
	} words[] = {
		{ "callgrind", IMPORTER_TEXT }, { "cachegrind", IMPORTER_TEXT },
		{ "xdebug", IMPORTER_TEXT },    { "webgrind", IMPORTER_WEBGRIND },
		{ "tree", IMPORTER_TREE },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(value, words[i].word) == 0) {
			((struct convert *)ctx)->importing.from = words[i].from;
			return NULL;
		}
	return "callgrind, cachegrind, xdebug, webgrind or tree";
}

static const char *set_event(void *ctx, const char *value)
{
	((struct convert *)ctx)->importing.event = event_name(value);
	return value[0] != '\0' ? NULL : "the name of an event";
}

#define FORMAT_HELP(name, traits, variant, function, help) help

const struct option_rule convert_options[] = {
	{ "--to", 0, OPTION_VALUE, "FORMAT", "Output format:" FORMATS(FORMAT_HELP),
	  OPTION_CALL(set_to) },
	{ "--from", 0, OPTION_VALUE, "FORMAT",
	  "Format of FILE: callgrind, cachegrind, xdebug or tree (of --call-tree=yes), which are\n"
	  "detected; or webgrind, of versions 4 to 7",
	  OPTION_CALL(set_from) },
	{ "--event", 0, OPTION_VALUE, "NAME",
	  "Convert this event only, derived ones too [all; of formats that have one, the first]",
	  OPTION_CALL(set_event) },
	{ "--ids", 0, OPTION_YES_NO, "yes|no", "For callgrind: number names that repeat [yes]",
	  OPTION_BOOL(struct convert, ids) },
	{ "--break-cycles", 0, OPTION_YES_NO, "yes|no",
	  "For xdebug: leave calls out that close a cycle [no]",
	  OPTION_BOOL(struct convert, break_cycles) },
	{ "--max-calls", 0, OPTION_VALUE, "N",
	  "For xdebug: write N calls at most, of more in proportion [1000000]",
	  OPTION_COUNT(struct convert, max_calls, "a number from 1 to 1000000000", 1,
		       CONVERSION_MAX_CALLS) },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "Merge functions that with all they call have less than N % of the first event\n"
	  "into one, \"<rest>\" [0]",
	  OPTION_DECIMAL(struct convert, importing.threshold, "a percentage of 0 to 100", 0, 100) },
	{ "--output", 'o', OPTION_VALUE, "FILE", "Write to FILE [standard output]",
	  OPTION_TEXT(struct convert, output, "the name of a file") },
	{ .name = NULL },
};

/* -- writing ------------------------------------------------------------------- */

static void complain_of_output(const char *name, int error)
{
	complain(command, "%s: %s", name,
		 error > 0 ? outfile_reason(error) : profile_status_text(PROFILE_RANGE));
}

/* -- how large it gets --------------------------------------------------------------- */

enum {
	LARGE_OUTPUT = 500000000, /* bytes that are said before they are written */
	SMALL_MODEL = 4 << 20,    /* bytes; without stacks, nothing that large comes of one */
};

static int count_write(void *ctx, const void *data, size_t len)
{
	(void)data;
	*(uint64_t *)ctx += len;
	return 0;
}

/*
 * Says how large the output will be, if it is large: the bytes are made once and counted, at some 400 MB a
 * second, and made again to be written.
 */
static void warn_of_size(const struct convert *convert, const struct conversion *conversion,
			 const char *path)
{
	const struct format *format = convert->format;
	uint64_t bytes = 0;
	const struct env env = { heap_env.alloc, heap_env.release, count_write, &bytes };
	struct conversion trial = *conversion;

	if (!(format->traits & FORMAT_VERBOSE) || convert->common.quiet ||
	    (!conversion->tree && model_bytes(conversion->model) < SMALL_MODEL))
		return;
	trial.env = &env;
	if (format->write(&trial) == PROFILE_OK && bytes >= LARGE_OUTPUT)
		warn(command,
		     "%s: --to=%s writes %" PRIu64
		     " MB; --threshold, --event or --part make it less",
		     path, format->name, (bytes + 500000) / 1000000);
}

/* Writes what came from path to a file. */
static int write_file(const struct convert *convert, struct conversion *conversion,
		      struct outfile *file, const char *path)
{
	int error = outfile_open(file, command, convert->output), status;

	if (error) {
		complain_of_output(convert->output, error);
		return EXIT_FAILED;
	}
	conversion->variant = convert->format->variant;
	warn_of_size(convert, conversion, path);
	conversion->env = &file->env;
	status = convert->format->write(conversion);
	if (status || conversion->output_error) {
		if (conversion->output_error)
			complain_of_output(outfile_name(file), conversion->output_error);
		else
			complain(command, "%s: %s", path,
				 conversion->error.text[0] != '\0'
					 ? conversion->error.text
					 : profile_status_text((enum profile_status)status));
		outfile_discard(file);
		return EXIT_FAILED;
	}
	error = outfile_commit(file);
	if (error)
		complain_of_output(convert->output, error);
	if (error || convert->common.quiet)
		return error ? EXIT_FAILED : EXIT_FINE;
	if (convert->format->traits & FORMAT_FORMULAS)
		warn_of_formulas(command, conversion->n_formulas);
	if (conversion->left_out[0] != '\0')
		warn(command, "%s: events left out, Valgrind's tools have none with that name: %s",
		     path, conversion->left_out);
	if (conversion->note[0] != '\0')
		warn(command, "%s: %s", path, conversion->note);
	return EXIT_FINE;
}

/* -- the pair of files of webgrind ----------------------------------------------- */

static bool is_same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

/* What distinguishes a profile from others: what follows "callgrind.out." and the like in its name. */
static const char *label_of(const char *path)
{
	static const char *const stems[] = { "cachegrind.out.", "callgrind.out.",
					     "costgrind.out." };
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		size_t len = strlen(stems[i]);

		if (strncmp(name, stems[i], len) == 0 && name[len] != '\0')
			return name + len;
	}
	return strcmp(name, "-") == 0 ? "stdin" : name;
}

/*
 * Makes a folder, and those that it is to be in.  Returns 0, or an errno; *n_there is then the length of the
 * part of the path that was there before.
 */
static int make_folders(char *path, size_t *n_there)
{
	size_t len = strlen(path), parent = 0;
	bool is_made = false;

	*n_there = len;
	for (size_t i = 1; i <= len; i++) {
		char end = path[i];
		int error;

		if ((end != '/' && end != '\0') || path[i - 1] == '/')
			continue;
		path[i] = '\0';
		error = mkdir(path, 0777) == 0 ? 0 : errno;
		path[i] = end;
		if (error && error != EEXIST)
			return error;
		if (!error && !is_made)
			*n_there = parent;
		is_made |= !error;
		parent = i;
	}
	return 0;
}

/* Removes those that were made, if nothing is in them; what is left of the path is what is there. */
static void remove_folders(char *path, size_t n_there)
{
	for (size_t len = strlen(path); len > n_there; path[len] = '\0') {
		while (len > n_there && path[len - 1] == '/')
			path[--len] = '\0';
		/* What could not be made is not there. */
		if (len == n_there ||
		    (rmdir(path) != 0 && errno != ENOENT && errno != ENAMETOOLONG))
			return;
		while (len > n_there && path[len - 1] != '/')
			len--;
	}
}

enum { PAIR_CALLS = 100000 }; /* of a trace: some 5 MB, which Webgrind reads in a second */

/*
 * The trace of a pair.  Webgrind's own preprocessor counts blocks and calls, and of a block it takes
 * one line of costs, the first: so it is as Xdebug writes it, with names by ids where Webgrind knows them
 * (since 1.2, which reads version 7).
 */
static int write_trace(struct convert *convert, struct conversion *conversion, struct outfile *file,
		       const char *path)
{
	const struct conversion preprocessed = *conversion;
	const bool quiet = convert->common.quiet;
	const char *name = convert->format->name;
	int code;

	conversion->ids &= strcmp(name, "webgrind") == 0 || strcmp(name, "webgrind7") == 0;
	if (conversion->max_calls > PAIR_CALLS)
		conversion->max_calls = PAIR_CALLS;
	convert->format = format_find("xdebug");
	convert->common.quiet = true; /* that calls are in proportion is of no interest here */
	code = write_file(convert, conversion, file, path);
	convert->common.quiet = quiet;
	*conversion = preprocessed;
	return code;
}

/*
 * Webgrind lists files that are called cachegrind.out.X, and takes for each the preprocessed
 * file that is called so, and is not older.  Its graphs are made of the former: it is a
 * trace that gprof2dot reads, or the profile that was converted if that is there already.  The folder is made if it
 * is not there, and not left if nothing came into it.
 */
static int write_pair(struct convert *convert, struct conversion *conversion, struct outfile *file,
		      const char *path)
{
	const char *folder = convert->output;
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	const struct format *format = convert->format;
	char *trace = heap_print("%s%scachegrind.out.%s", folder, slash, label_of(path));
	char *preprocessed = heap_print("%s.webgrind", trace);
	char *made = heap_copy(folder);
	size_t n_there = 0;
	int error = make_folders(made, &n_there), code = error ? EXIT_FAILED : EXIT_FINE;

	if (error)
		complain_of_output(folder, error);
	convert->output = trace;
	if (code == EXIT_FINE && !is_same_file(path, trace))
		code = write_trace(convert, conversion, file, path);
	convert->output = preprocessed;
	convert->format = format;
	if (code == EXIT_FINE)
		code = write_file(convert, conversion, file, path);
	convert->output = folder;
	/* Webgrind looks for preprocessed files in a folder of its own, and makes them anew there. */
	if (code == EXIT_FINE && !convert->common.quiet) {
		char *whole = realpath(folder, NULL);

		complain(command,
			 "wrote two files for Webgrind: in its config.php, $profilerDir and "
			 "$storageDir both have to be '%s'",
			 whole ? whole : folder);
		free(whole);
	}
	if (code != EXIT_FINE)
		remove_folders(made, n_there);
	free(made);
	free(trace);
	free(preprocessed);
	return code;
}

static int convert_files(struct convert *convert, char **paths)
{
	bool has_two = convert->format->traits & FORMAT_TWO;
	struct conversion conversion = { .name = paths[0],
					 .ids = convert->ids,
					 .break_cycles = convert->break_cycles,
					 .max_calls = convert->max_calls,
					 .output = convert->output,
					 .types = &convert->types };
	struct importer first, second = { .event = NULL };
	struct outfile file;
	int code;

	convert->importing.traits = convert->format->traits;
	convert->importing.to = convert->format->name;
	code = importer_read(&first, &convert->importing, paths[0]);
	if (has_two && code == EXIT_FINE) {
		/* Both are of one event, of the first profile. */
		convert->importing.event = first.model.events[0].name;
		code = importer_read(&second, &convert->importing, paths[1]);
		conversion.other = &second.model;
		conversion.other_tree = second.tree.model ? &second.tree : NULL;
	}
	if (code == EXIT_FINE) {
		conversion.model = &first.model;
		conversion.n_formulas = first.has_events ? first.events.n_lost : 0;
		conversion.tree = first.tree.model ? &first.tree : NULL;
		const char *output = convert->output;
		size_t len = output ? strlen(output) : 0;
		struct stat status;

		if ((convert->format->traits & FORMAT_PAIR) && len > 0 &&
		    (output[len - 1] == '/' ||
		     (stat(output, &status) == 0 && S_ISDIR(status.st_mode))))
			code = write_pair(convert, &conversion, &file, paths[0]);
		else
			code = write_file(convert, &conversion, &file, paths[0]);
	}
	if (conversion.other)
		importer_release(&second);
	importer_release(&first);
	return code;
}

int convert_main(int argc, char **argv)
{
	struct convert convert = { .importing = { .loading = { .command = command } },
				   .ids = true,
				   .max_calls = CONVERSION_USUAL_CALLS };
	int n = 0, wanted, code;

	(void)argc;
	convert.common.groups[0] =
		(struct option_group){ loading_options, &convert.importing.loading };
	convert.common.groups[1] =
		(struct option_group){ lenient_options, &convert.importing.loading.lenient };
	convert.common.groups[2] = (struct option_group){ searchpath_options, &convert.path };
	convert.path.fetcher.command = command;
	code = options_read(convert_options, &convert.common, argv, &n, &convert);
	if (code != OPTIONS_GO_ON)
		return code;
	if (!convert.format) {
		complain(command, "expected --to=FORMAT, try 'costgrind help convert'");
		return EXIT_USAGE;
	}
	wanted = convert.format->traits & FORMAT_TWO ? 2 : 1;
	if (n != wanted) {
		complain(command, "--to=%s: expected %s, try 'costgrind help convert'",
			 convert.format->name, wanted == 2 ? "two profiles" : "one profile");
		return EXIT_USAGE;
	}
	convert.importing.loading.quiet = convert.path.fetcher.is_quiet = convert.common.quiet;
	convert.types.objects = convert.path.objects;
	code = convert_files(&convert, argv + 1);
	searchpath_release(&convert.path);
	return code;
}

/* -- reading ---------------------------------------------------------------------------- */

/* What the format needs between reader and model, the last filter first. */
static const struct visitor *view(void *ctx, const struct visitor *to)
{
	struct importer *importer = ctx;

	if (importer->traits & (FORMAT_TREE | FORMAT_EXACT))
		importer->trace = trace_new(to, &to);
	if (importer->traits & FORMAT_LINES) {
		lineview_init(&importer->lines, to);
		to = &importer->lines.filter.visitor;
	}
	if (importer->event || (importer->traits & FORMAT_ONE_EVENT)) {
		eventview_init(&importer->events, to, importer->event);
		importer->has_events = true;
		to = &importer->events.filter.visitor;
	}
	return to;
}

/* -- threshold ------------------------------------------------------------------------ */

/* Replaces the model by one without the functions below the threshold; a status. */
static int fold(struct importer *importer, double threshold)
{
	const struct model *model = &importer->model;
	const struct builder_options options = { .separate_parts = model->separate_parts };
	struct folding_threshold limit = { .model = model };
	struct inclusive inclusive;
	struct folding folding;
	struct builder builder;
	struct model folded;
	uint64_t totals[PROFILE_MAX_EVENTS];
	int status = inclusive_compute(&inclusive, model, NULL);

	model_init(&folded);
	builder_init(&builder, &folded, &options);
	builder_begin_file(&builder, NULL, model->names);
	if (!status && !model_totals(model, totals))
		status = PROFILE_RANGE;
	if (!status) {
		limit.inclusive = &inclusive;
		limit.least = (uint64_t)((double)cost_magnitude(totals[0], model->is_signed) *
					 threshold / 100);
		folding_init(&folding, &builder.visitor, folding_keeps_above, &limit, false);
		status = model_walk(model, NULL, &folding.filter.visitor);
	}
	if (!status)
		status = builder_finish(&builder);
	inclusive_release(&inclusive);
	builder_release(&builder);
	model_release(status ? &folded : &importer->model);
	if (!status)
		importer->model = folded;
	return status;
}

/* -- reading --------------------------------------------------------------------------- */

/* What the format asks for besides the model. */
static int prepare(struct importer *importer, const struct importer_options *options)
{
	int status = PROFILE_OK;

	if (options->threshold > 0) {
		/* What is folded has lost its callers. */
		pathtree_release(&importer->tree);
		status = fold(importer, options->threshold);
	}
	if (status || !(options->traits & (FORMAT_TREE | FORMAT_EXACT)))
		return status;
	if (importer->tree.is_exact && options->threshold == 0)
		return PROFILE_OK;
	pathtree_init(&importer->tree, &importer->model);
	if (importer->trace && options->threshold == 0)
		trace_finish(importer->trace, &importer->tree);
	if (importer->tree.is_exact)
		return PROFILE_OK;
	if (options->traits & FORMAT_EXACT) {
		importer->tree.model = NULL;
		return PROFILE_OK;
	}
	return pathtree_spread(&importer->tree);
}

/* Checks that the profile is what was asked for, and what the format can hold; an exit code. */
static int check(const struct importer *importer, const struct importer_options *options,
		 const char *path)
{
	bool found = !importer->has_events || importer->events.found;

	if (options->from == IMPORTER_WEBGRIND && options->event)
		found = strcmp(event_name(importer->model.events[0].name), options->event) == 0;
	if (importer->event && !found) {
		complain(command, "%s: expected an event '%s', found none with that name", path,
			 options->event);
		return EXIT_FAILED;
	}
	if (importer->model.is_signed && !(options->traits & FORMAT_NEGATIVE)) {
		complain(command, "%s: --to=%s: expected no counts below 0", path, options->to);
		return EXIT_FAILED;
	}
	return EXIT_FINE;
}

/* Reads a file that the reader of profiles does not read; an exit code. */
static int read_whole(struct importer *importer, const struct importer_options *options,
		      enum importer_from from, const char *path)
{
	const struct from_tree_options of_tree = {
		.event = options->event,
		.first_only = options->traits & FORMAT_ONE_EVENT,
	};
	struct profile_error error = { .file = path };
	struct wholefile file;
	int status = wholefile_read(
		&file, path,
		from == IMPORTER_WEBGRIND ? from_webgrind_check : wholefile_check_lines, &error);
	const struct reader_text text = { file.data, file.len, path };

	if (!status && from == IMPORTER_WEBGRIND) {
		struct model *model = &importer->model;
		struct builder builder;

		builder_init(&builder, model, NULL);
		builder_begin_file(&builder, path, model->names);
		status = from_webgrind_text(&text, model->names, &builder.visitor, &error);
		if (!status)
			status = builder_finish(&builder);
		builder_release(&builder);
	} else if (!status) {
		status = from_tree_text(&text, &of_tree, &importer->model, &importer->tree, &error);
	}
	wholefile_release(&file);
	if (status && error.status == PROFILE_OK)
		return complain_status(options->loading.command, path, status);
	error.file = path;
	if (status)
		complain_of(options->loading.command, &error);
	return status ? EXIT_FAILED : EXIT_FINE;
}

int importer_read(struct importer *importer, const struct importer_options *options, char *path)
{
	struct loader_options loading = options->loading;
	struct loaded loaded;
	enum importer_from from = options->from;
	const char *const paths[] = { path };
	int code, status;

	*importer = (struct importer){ .traits = options->traits, .event = options->event };
	model_init(&importer->model);
	loading.positions = !(options->traits & FORMAT_FUNCTIONS);
	loading.jumps = options->traits & FORMAT_JUMPS;
	loading.parts_apart = options->traits & FORMAT_PARTS;
	loading.through = view;
	loading.through_ctx = importer;
	if (from == IMPORTER_TEXT && wholefile_begins(path, FROM_TREE_HEAD))
		from = IMPORTER_TREE;
	if (from != IMPORTER_TEXT)
		code = read_whole(importer, options, from, path);
	else
		code = loader_read(&importer->model, &loading, paths, 1, &loaded);
	if (code == EXIT_FINE)
		code = check(importer, options, path);
	if (code != EXIT_FINE)
		return code;
	status = prepare(importer, options);
	return status ? complain_status(loading.command, path, status) : EXIT_FINE;
}

void importer_release(struct importer *importer)
{
	if (importer->has_events)
		eventview_release(&importer->events);
	trace_free(importer->trace);
	pathtree_release(&importer->tree);
	model_release(&importer->model);
}
