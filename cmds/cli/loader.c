/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"
#include "profile/format/reader.h"
#include "profile/model/build.h"

/* What the functions that the reader and the builder call need. */
struct taking {
	const struct loader_options *options;
	const char *path; /* being read */
	bool is_named;    /* by a profile */
	uint64_t seen;    /* parts, wanted or not */
	uint64_t pid;     /* given by a part of this file; later parts often leave it out */
	bool has_pid;
	bool is_subtracted;     /* the file: it is the first one of a difference */
	struct scaling negated; /* it, then */
	size_t n_events;        /* of it, once it was read */
	bool has_other_events;  /* a later part, than it */
	struct progress progress;
};

/* A number or range at *text, which moves past it and the comma. */
static bool next_range(const char **text, uint64_t *first, uint64_t *last)
{
	const char *p = *text;
	uint64_t *bound = first;

	for (;;) {
		char *end;

		if (*p < '0' || *p > '9' || strspn(p, "0123456789") > 18)
			return false;
		*bound = strtoull(p, &end, 10);
		p = end;
		if (bound == last || *p != '-')
			break;
		bound = last;
		p++;
	}
	if (bound == first)
		*last = *first;
	if (*p == ',' && p[1] != '\0')
		p++;
	else if (*p != '\0')
		return false;
	*text = p;
	return *first <= *last;
}

static bool is_selection(const char *text)
{
	uint64_t first, last;

	do {
		if (!next_range(&text, &first, &last))
			return false;
	} while (*text != '\0');
	return true;
}

/* True if a number is in a valid list; everything is in NULL. */
static bool selection_has(const char *text, uint64_t number)
{
	uint64_t first, last;

	if (text == NULL)
		return true;
	while (*text != '\0') {
		if (!next_range(&text, &first, &last))
			return false;
		if (number >= first && number <= last)
			return true;
	}
	return false;
}

static bool wants_part(void *ctx, const struct part *part)
{
	struct taking *taking = ctx;
	const struct loader_options *options = taking->options;

	taking->seen++;
	taking->has_other_events |= part->n_events != taking->n_events;
	if (part->has_pid) {
		taking->has_pid = true;
		taking->pid = part->pid;
	}
	/* A part without a thread or process is not one that was asked for. */
	return selection_has(options->parts, part->has_number ? part->number : part->index + 1) &&
	       (!options->threads ||
		(part->has_thread && selection_has(options->threads, part->thread))) &&
	       (!options->pids || (taking->has_pid && selection_has(options->pids, taking->pid)));
}

/* The builder has one context for both of its functions. */
static bool rename_name(void *ctx, enum name_kind kind, const char **text, size_t *len)
{
	struct taking *taking = ctx;

	return name_rules_rename(taking->options->rules, kind, text, len);
}

static void note_time(struct loaded *loaded, const char *path)
{
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0)
		return;
	if (!loaded->has_time || loaded_before(&status.st_mtim, &loaded->oldest))
		loaded->oldest = status.st_mtim;
	loaded->has_time = true;
}

/* Warns of counts that were changed, and of profiles that may be incomplete; an exit code. */
static int check_report(const struct taking *taking, const struct reader_report *report)
{
	static const struct {
		enum reader_trait trait;
		const char *text;
	} told[] = {
		{ TRAIT_DECIMAL_COUNT, "counts with decimals, rounded to integers" },
		{ TRAIT_SALVAGED, "salvaged from a profile that was cut short" },
	};
	const struct loader_options *options = taking->options;
	enum reader_trait fault = reader_end_fault(report);

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]) && !options->quiet; i++) {
		const struct trait_note *note = &report->traits[told[i].trait];

		if (note->count > 0)
			warn(options->command, "%s:%" PRIu64 ": %s", taking->path, note->line,
			     told[i].text);
	}
	if (report->n_parts == 0) {
		complain(options->command, "%s: %s", taking->path,
			 complaint_no_profile(report->bytes));
		return EXIT_FAILED;
	}
	if (fault != N_READER_TRAITS && !options->quiet)
		warn(options->command, "%s:%" PRIu64 ": %s", taking->path,
		     report->traits[fault].line, reader_end_text(fault));
	return EXIT_FINE;
}

/* True if the profiles read before name the file at work as a source. */
static bool is_source(const struct taking *taking, const struct dictionary *files)
{
	const char *slash = strrchr(taking->path, '/'), *base = slash ? slash + 1 : taking->path;

	for (uint32_t i = 0; *base && i < files->count; i++) {
		const struct name name = dictionary_name(files, i);

		if (filename_ends_in(&name, base, strlen(base)))
			return true;
	}
	return false;
}

static int read_one(struct builder *builder, struct model *model, struct taking *taking)
{
	const struct loader_options *options = taking->options;
	const struct reader_options reading = {
		.lenient = options->lenient,
		.is_named = taking->is_named,
		.names = model->names,
		.progress = progress_show,
		.progress_ctx = &taking->progress,
	};
	struct profile_error error = { .file = taking->path };
	const struct visitor *visitor = &builder->visitor;
	struct reader_report report;
	size_t n_parts = model->n_parts;
	int status;

	taking->has_pid = false;
	builder_begin_file(builder, taking->path, model->names);
	if (options->through)
		visitor = options->through(options->through_ctx, visitor);
	if (taking->is_subtracted) {
		scaling_init(&taking->negated, visitor, -1, 1);
		visitor = &taking->negated.filter.visitor;
	}
	status = reader_read(taking->path, &reading, visitor, &report, &error);
	progress_end_file(&taking->progress);
	if (status) {
		if (error.status == PROFILE_OK && builder->error.status != PROFILE_OK)
			error = builder->error;
		profile_error_complete(&error, status);
		error.file = taking->path;
		if (status == PROFILE_SYNTAX && options->source_option &&
		    is_source(taking, &model->names[NAME_FILE]))
			complain(options->command,
				 "%s: expected a profile; a source is shown by %s=%s", taking->path,
				 options->source_option, taking->path);
		else
			complain_of(options->command, &error);
		return EXIT_FAILED;
	}
	if (report.skipped > 0 && !options->quiet) {
		char line[PROFILE_ERROR_LINE];

		profile_error_line(&report.first_skipped, line, sizeof(line));
		warn(options->command, "%s: %" PRIu64 " lines skipped, the first: %s", taking->path,
		     report.skipped, line);
	}
	if (taking->is_subtracted) {
		taking->n_events = model->n_events;
		taking->has_other_events = false;
	} else if (options->difference &&
		   (taking->has_other_events || model->n_events != taking->n_events)) {
		complain(options->command, "%s: expected the events of the file that is subtracted",
			 taking->path);
		return EXIT_FAILED;
	}
	model_note_totals(model, n_parts, &report);
	model->is_cut |= reader_is_cut(&report);
	return check_report(taking, &report);
}

int loader_read(struct model *model, const struct loader_options *options, const char *const *paths,
		size_t n, struct loaded *loaded)
{
	struct taking taking = { .options = options };
	const struct builder_options building = {
		.no_positions = !options->positions,
		.no_jumps = !options->jumps,
		.separate_parts = options->parts_apart,
		.wants_part = wants_part,
		.rename = options->rules && !name_rules_is_empty(options->rules) ? rename_name
										 : NULL,
		.ctx = &taking,
	};
	struct builder builder;
	int code = EXIT_FINE;

	*loaded = (struct loaded){ .has_time = false };
	progress_init(&taking.progress, options->quiet, n);
	if (!options->quiet && !options->difference)
		inputs_warn_repeated(options->command, paths, n);
	builder_init(&builder, model, &building);
	for (size_t i = 0; code == EXIT_FINE && i < n; i++) {
		taking.path = paths[i];
		taking.is_subtracted = options->difference && i == 0;
		taking.is_named = options->named_by && options->named_by[i];
		if (options->verbose)
			complain(options->command, "reading %s", paths[i]);
		note_time(loaded, paths[i]);
		code = read_one(&builder, model, &taking);
	}
	if (code == EXIT_FINE && options->rules &&
	    !naming_is_fine(options->rules, options->command))
		code = EXIT_FAILED;
	if (code == EXIT_FINE) {
		const char *path = n == 1 ? paths[0] : "all files";
		int status = builder_finish(&builder);

		if (status)
			complain_status(options->command, path, status);
		else if (model->n_parts == 0 && taking.seen > 0)
			complain(options->command,
				 "%s: expected a part of that number, thread or process", path);
		else if (model->n_events == 0)
			complain(options->command, "%s: expected a profile with events", path);
		if (status || model->n_events == 0)
			code = EXIT_FAILED;
	}
	model->is_renamed = building.rename != NULL;
	builder_release(&builder);
	return code;
}

/* -- options --------------------------------------------------------------- */

#define SELECTION(member) \
 OPTION_CHECKED(struct loader_options, member, "numbers and ranges, as in 1-3,5", is_selection)

const struct option_rule loading_options[] = {
	{ "--part", 0, OPTION_VALUE, "N,...",
	  "Read only parts with these numbers, as in 1-3,5 [all]", SELECTION(parts) },
	{ "--thread", 0, OPTION_VALUE, "N,...",
	  "Read only parts of these threads, of profiles that tell threads apart [all]",
	  SELECTION(threads) },
	{ "--pid", 0, OPTION_VALUE, "N,...", "Read only parts of these processes [all]",
	  SELECTION(pids) },
	{ .name = NULL },
};

/* Its context is the bool itself. */
const struct option_rule lenient_options[] = {
	{ "--lenient", 0, OPTION_YES_NO, "yes|no",
	  "Skip lines that are no part of the format, with a warning [no]", NULL, STORE_BOOL, 0,
	  NULL, NULL, 0, 0 },
	{ .name = NULL },
};

/* -- names ------------------------------------------------------------------------------ */

void naming_init(struct naming *naming)
{
	name_rules_init(&naming->rules);
	naming->wrong[0] = '\0';
}

void naming_release(struct naming *naming)
{
	name_rules_release(&naming->rules);
}

bool naming_is_fine(const struct name_rules *rules, const char *command)
{
	struct profile_error error = { .status = PROFILE_OK };

	if (name_rules_status(rules, &error) == PROFILE_OK)
		return true;
	complain(command, "%s", error.text);
	return false;
}

/* What set() returns after an addition: what was expected, or NULL. */
static const char *judge(struct naming *naming, const char *form, const struct profile_error *error)
{
	if (error->status == PROFILE_OK)
		return NULL;
	if (error->status != PROFILE_SYNTAX) {
		/* No fault of the option's: not a matter of usage. */
		naming->rules.error = *error;
		return NULL;
	}
	snprintf(naming->wrong, sizeof(naming->wrong), "%s, in column %" PRIu64 ": %s", form,
		 error->column, error->text);
	return naming->wrong;
}

static const char *set_source_map(void *ctx, const char *value)
{
	struct naming *naming = ctx;
	struct profile_error error = { .status = PROFILE_OK };

	name_rules_add_map(&naming->rules, value, &error);
	return judge(naming, "two folders", &error);
}

static const char *naming_modify(struct naming *naming, enum name_kind kind, const char *expression)
{
	struct profile_error error = { .status = PROFILE_OK };

	name_rules_add_expression(&naming->rules, kind, expression, &error);
	return judge(naming, "s/OLD/NEW/", &error);
}

static const char *set_mod_filename(void *ctx, const char *value)
{
	return naming_modify(ctx, NAME_FILE, value);
}

static const char *set_mod_funcname(void *ctx, const char *value)
{
	return naming_modify(ctx, NAME_FUNCTION, value);
}

static const char *set_flags(struct naming *naming, unsigned flags, const char *value)
{
	if (option_yes(value))
		naming->rules.symbols |= flags;
	else
		naming->rules.symbols &= ~flags;
	return NULL;
}

static const char *set_fold_names(void *ctx, const char *value)
{
	return set_flags(ctx, SYMBOLNAME_USUAL, value);
}

static const char *set_fold_templates(void *ctx, const char *value)
{
	return set_flags(ctx, SYMBOLNAME_TEMPLATES, value);
}

void naming_note(const struct naming *naming, struct model *model, struct arena *arena)
{
	static const char type[] = "Names folded";
	struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	unsigned folds = naming->rules.symbols;
	struct part_desc *descs;
	size_t n = 0;

	if (!part)
		return;
	descs = arena_alloc(arena, (part->n_descs + 1) * sizeof(*descs), sizeof(void *));
	for (size_t i = 0; i < part->n_descs; i++) {
		const char *value = part->descs[i].value;

		if (strcmp(part->descs[i].type, type) == 0)
			folds |= (strstr(value, "--fold-names") ? SYMBOLNAME_USUAL : 0) |
				 (strstr(value, "--fold-templates") ? SYMBOLNAME_TEMPLATES : 0);
		else
			descs[n++] = part->descs[i];
	}
	if (folds)
		descs[n++] = (struct part_desc){
			type, folds & SYMBOLNAME_TEMPLATES
				      ? (folds & SYMBOLNAME_USUAL ? "--fold-names --fold-templates"
								  : "--fold-templates")
				      : "--fold-names"
		};
	part->descs = descs;
	part->n_descs = n;
}

const struct option_rule naming_options[] = {
	{ "--source-map", 0, OPTION_VALUE, "OLD=NEW",
	  "Look for source files of the folder OLD in NEW; the first match counts",
	  OPTION_CALL(set_source_map) },
	{ "--mod-filename", 0, OPTION_VALUE, "s/OLD/NEW/",
	  "Change names of source files by a Perl substitution; can be repeated",
	  OPTION_CALL(set_mod_filename) },
	{ "--mod-funcname", 0, OPTION_VALUE, "s/OLD/NEW/",
	  "Change names of functions in the same way", OPTION_CALL(set_mod_funcname) },
	{ "--fold-names", 0, OPTION_YES_NO, "yes|no",
	  "Merge a function with the copies and pieces that compilers make of it:\n"
	  "f.constprop.0, f.cold, f::h0123456789abcdef [no]",
	  OPTION_CALL(set_fold_names) },
	{ "--fold-templates", 0, OPTION_YES_NO, "yes|no",
	  "Merge functions that differ only in template arguments [no]",
	  OPTION_CALL(set_fold_templates) },
	{ .name = NULL },
};
