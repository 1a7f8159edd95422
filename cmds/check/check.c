/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind check: whether profiles are of the grammar, whether they add up, and which
 * programs will misread them.  Findings go to standard output, one a line:
 *
 *	FILE:LINE:COLUMN: error: what is wrong
 *
 * With --salvage, what can be read is written as a profile that ends as it should.
 */
#include "cmds/cli/commands.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/check/features.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/option.h"
#include "cmds/cli/outfile.h"
#include "cmds/cli/profileio.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"
#include "profile/format/emit.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

enum level {
	LEVEL_NOTE,
	LEVEL_WARNING,
	LEVEL_ERROR,
	N_LEVELS,
};

enum { SHORT_NAME = 240 }; /* bytes */

struct check {
	struct option_common common;
	bool strict;
	bool prints_readers;
	bool salvages;
	const char *output; /* of what is salvaged; NULL = not said */
	unsigned wanted;    /* bits by readers_names: the files are for these */
	struct inputs inputs;
	struct printout printout;
	struct progress progress;
	bool failed; /* a file has errors */
	bool unread; /* a file cannot be read */
	/* The file at work. */
	const char *path;
	size_t counts[N_LEVELS];
};

static const char command[] = "check";

/* -- findings --------------------------------------------------------------------------- */

static const char *const level_names[N_LEVELS] = { "note", "warning", "error" };

/* line and column: 0 = not known. */
static void print_finding(struct check *check, enum level level, uint64_t line, uint64_t column,
			  const char *text)
{
	FILE *out = check->printout.out;

	check->counts[level]++;
	if (check->common.quiet && level != LEVEL_ERROR)
		return;
	visible_text(out, check->path);
	if (line > 0)
		fprintf(out, ":%" PRIu64, line);
	if (line > 0 && column > 0)
		fprintf(out, ":%" PRIu64, column);
	fprintf(out, ": %s: ", level_names[level]);
	visible_text(out, text);
	fputc('\n', out);
}

__attribute__((format(printf, 4, 5))) static void find(struct check *check, enum level level,
						       uint64_t line, const char *format, ...)
{
	char text[COMPLAINT_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	print_finding(check, level, line, 0, text);
}

/* What the reader found; how is appended to it. */
static void find_error(struct check *check, const struct profile_error *error, const char *how)
{
	char text[PROFILE_ERROR_TEXT + 32];

	snprintf(text, sizeof(text), "%s%s", error->text, how);
	print_finding(check, LEVEL_ERROR, error->line, error->column, text);
}

/* A name that leaves room for numbers after it; what is left out is shown as "...". */
struct short_name {
	char text[SHORT_NAME + 4];
};

static struct short_name shorten(const char *text, size_t len)
{
	struct short_name name;
	bool fits = len <= SHORT_NAME;

	len = fits ? len : SHORT_NAME;
	/* Not in the middle of a character. */
	while (!fits && len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	snprintf(name.text, sizeof(name.text), "%.*s%s", (int)len, text, fits ? "" : "...");
	return name;
}

/* -- totals ------------------------------------------------------------------------------ */

static void format_cost(char buffer[32], uint64_t cost, bool is_signed)
{
	if (is_signed)
		snprintf(buffer, 32, "%" PRId64, (int64_t)cost);
	else
		snprintf(buffer, 32, "%" PRIu64, cost);
}

struct sums {
	const char *name;
	const uint64_t *costs;
	uint64_t line; /* 0 = none */
};

enum { SUMS_BELOW = 1, SUMS_ABOVE = 2 };

/* Names the first of n events in which one sum is below, or above, the other one; false if there is none. */
static bool find_sums(struct check *check, enum level level, const struct model *model, size_t n,
		      const struct sums *a, const struct sums *b, int ways)
{
	for (size_t i = 0; i < n; i++) {
		bool is_below = cost_less(a->costs[i], b->costs[i], model->is_signed);
		bool is_above = cost_less(b->costs[i], a->costs[i], model->is_signed);
		const char *event = model->events[i].name;
		char text_a[32], text_b[32];

		if (!(is_below && ways & SUMS_BELOW) && !(is_above && ways & SUMS_ABOVE))
			continue;
		format_cost(text_a, a->costs[i], model->is_signed);
		format_cost(text_b, b->costs[i], model->is_signed);
		find(check, level, a->line, "%s %s %s, %s %s", a->name,
		     shorten(event, strlen(event)).text, text_a, b->name, text_b);
		return true;
	}
	return false;
}

/* level: of totals that differ from the sum. */
static void check_part(struct check *check, const struct model *model,
		       const struct model_part *part, enum level level)
{
	const struct sums body = { "the costs add up to", part->sums, 0 };
	const struct sums totals = { "totals: says", part->totals, part->header.totals_line };
	const struct sums summary = { "summary: says", part->summary, part->header.summary_line };
	const struct sums *whole = part->totals ? &totals : &body;

	if (part->totals &&
	    find_sums(check, level, model, part->n, &totals, &body, SUMS_BELOW | SUMS_ABOVE))
		whole = &body;
	if (part->summary &&
	    !find_sums(check, LEVEL_WARNING, model, part->n, &summary, whole, SUMS_BELOW))
		find_sums(check, LEVEL_NOTE, model, part->n, &summary, whole, SUMS_ABOVE);
}

/* Costs of a difference may add up to 0. */
static bool is_empty(const struct model *model, const struct model_part *part)
{
	for (size_t i = 0; i < part->n; i++)
		if (part->sums[i] != 0)
			return false;
	return !model->is_signed;
}

/* A profile that is valid and adds up may still be of no use. */
static void check_collected(struct check *check, const struct model *model)
{
	size_t n_empty = 0;

	if (check->counts[LEVEL_ERROR] > 0)
		return; /* costs may have been in lines that cannot be read */
	for (size_t i = 0; i < model->n_parts; i++)
		n_empty += is_empty(model, &model->parts[i]);
	if (n_empty == model->n_parts)
		find(check, LEVEL_WARNING, 0,
		     "nothing was collected, all costs are 0: was collection or instrumentation "
		     "off all the time?");
	for (size_t i = 0; n_empty < model->n_parts && i < model->n_parts; i++)
		if (is_empty(model, &model->parts[i]))
			find(check, LEVEL_NOTE, model->parts[i].header.totals_line,
			     "part %zu of %zu: nothing was collected", i + 1, model->n_parts);
}

/* -- calls --------------------------------------------------------------------------------- */

/*
 * Does a call graph add up?  A function spends its own costs and its calls';
 * its callers are charged for it.  Functions that call each other in a circle
 * are taken as one: only their calls from and to others count.
 *
 * A function whose callers are charged less than it spent has also run without being called
 * (main(), a thread's first function, a handler).  If they are charged more, costs were made up.
 */
struct balance_fault {
	uint32_t function; /* or one of its circle */
	size_t event;
	uint64_t spent, charged; /* charged is more */
};

enum { BALANCE_MAX_FAULTS = 8 }; /* that are described */

struct balance {
	uint64_t n_faults; /* functions, or circles, that were charged more than was spent */
	struct balance_fault faults[BALANCE_MAX_FAULTS]; /* the first, by function */
	uint64_t n_partly; /* that were called, but spent more than was charged */
};

/* Accounts are functions in no circle, by their numbers, then circles. */
struct books {
	const struct model *model;
	struct inclusive inclusive;
	size_t n_accounts;
	uint64_t *charged; /* owned; n_events costs an account */
	bool *is_called;   /* owned */
};

static size_t account_of(const struct books *books, uint32_t function)
{
	uint32_t cycle = books->inclusive.cycle[function];

	return cycle ? books->model->n_functions + cycle - 1 : function;
}

/* Adds what all calls cost to the accounts of their callees; false if a sum is beyond 64 bits. */
static bool charge_all(struct books *books)
{
	const struct model *model = books->model;

	for (uint32_t i = 0; i < model->n_functions; i++)
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			struct model_cursor cursor;
			struct model_call call;

			model_calls(model, i, part, &cursor);
			while (model_next_call(&cursor, &call)) {
				size_t account = account_of(books, call.callee);

				if (account == account_of(books, i))
					continue;
				books->is_called[account] = true;
				if (!row_add(&books->charged[account * model->n_events], call.costs,
					     model->n_events, model->is_signed))
					return false;
			}
		}
	return true;
}

/* account: of a function, or of a circle, whose function is then the first of it. */
static void compare(struct balance *balance, const struct books *books, size_t account)
{
	const struct inclusive *inclusive = &books->inclusive;
	const uint64_t *spent =
		account < inclusive->n_functions
			? inclusive_of(inclusive, (uint32_t)account)
			: inclusive->cycle_costs +
				  (account - inclusive->n_functions) * inclusive->n_events;
	uint32_t function = 0;
	const uint64_t *charged = books->charged + account * books->model->n_events;
	bool is_signed = books->model->is_signed;
	bool is_partly = false;

	for (size_t i = 0; i < books->model->n_events; i++) {
		is_partly |= cost_less(charged[i], spent[i], is_signed);
		if (!cost_less(spent[i], charged[i], is_signed))
			continue;
		while (account_of(books, function) != account)
			function++;
		if (balance->n_faults < BALANCE_MAX_FAULTS)
			balance->faults[balance->n_faults] =
				(struct balance_fault){ function, i, spent[i], charged[i] };
		balance->n_faults++;
		return;
	}
	balance->n_partly += is_partly;
}

/*
 * Draws up the balance of a model, all its parts added up; of each function the first event that
 * does not fit.  Returns a status.
 */
static int balance_find(struct balance *balance, const struct model *model)
{
	struct books books = { .model = model };
	int status = inclusive_compute(&books.inclusive, model, NULL);

	*balance = (struct balance){ 0 };
	if (!status) {
		books.n_accounts = model->n_functions + books.inclusive.n_cycles;
		books.charged =
			heap_zeroed(books.n_accounts * model->n_events, sizeof(*books.charged));
		books.is_called = heap_zeroed(books.n_accounts, sizeof(bool));
		if (!charge_all(&books))
			status = PROFILE_RANGE;
	}
	for (size_t i = 0; !status && i < books.n_accounts; i++) {
		/* A member of a circle has no account of its own. */
		if (i < model->n_functions && books.inclusive.cycle[i] > 0)
			continue;
		if (books.is_called[i])
			compare(balance, &books, i);
	}
	free(books.charged);
	free(books.is_called);
	inclusive_release(&books.inclusive);
	return status;
}

/* True if Callgrind wrote all parts; the creator may appear in a file's first part only. */
static bool is_of_callgrind(const struct model *model)
{
	bool is = false;

	for (size_t i = 0; i < model->n_parts; i++) {
		const char *creator = model->parts[i].header.creator;

		if (!creator && is)
			continue;
		is = creator && strncmp(creator, "callgrind-", strlen("callgrind-")) == 0;
		if (!is)
			return false;
	}
	return is;
}

static bool is_difference(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++)
		if (part_desc_of(&model->parts[i].header, DESC_FILES_COMPARED))
			return true;
	return false;
}

/*
 * Not called for a difference: there, what only OLD ran without calls, or what moved from one caller to
 * another (in columns of increases and decreases), looks like calls that cost too much.
 */
static void check_balance(struct check *check, const struct model *model)
{
	/*
	 * Callgrind up to 3.28, at least, adds the block that ran last to the cost of the calls that
	 * are active then, but to nobody's own.
	 */
	bool is_usual = is_of_callgrind(model);
	enum level level = is_usual ? LEVEL_NOTE : LEVEL_WARNING;
	struct balance balance;
	int status = balance_find(&balance, model);

	if (status) {
		find(check, LEVEL_ERROR, 0, "%s", profile_status_text((enum profile_status)status));
		return;
	}
	for (size_t i = 0; i < balance.n_faults && i < BALANCE_MAX_FAULTS; i++) {
		const struct balance_fault *fault = &balance.faults[i];
		const struct name name =
			model_name(model, NAME_FUNCTION, model->functions[fault->function].name);
		const char *event = model->events[fault->event].name;
		char spent[32], charged[32];

		format_cost(spent, fault->spent, model->is_signed);
		format_cost(charged, fault->charged, model->is_signed);
		find(check, level, 0, "%s: with its calls %s %s, but calls of it cost %s%s",
		     shorten(name.text, name.len).text, shorten(event, strlen(event)).text, spent,
		     charged, is_usual ? " (Callgrind loses the own cost of the last block)" : "");
	}
	if (balance.n_faults > BALANCE_MAX_FAULTS)
		find(check, level, 0, "more functions whose calls cost too much: %" PRIu64,
		     balance.n_faults - BALANCE_MAX_FAULTS);
	if (balance.n_partly > 0 && check->common.verbose)
		find(check, LEVEL_NOTE, 0, "functions that ran also without being called: %" PRIu64,
		     balance.n_partly);
}

/* -- readers ------------------------------------------------------------------------------- */

static void check_readers(struct check *check, const struct features_file *file)
{
	struct trait_note notes[N_FEATURES];
	const struct reader_row *table;
	size_t n;

	features_find(notes, file);
	table = readers_table(&n);
	for (size_t i = 0; i < n; i++) {
		const struct reader_row *row = &table[i];
		const struct trait_note *note = &notes[row->feature];
		bool is_wanted = check->wanted >> option_word(row->reader, readers_names) & 1;
		bool is_less = row->misread == MISREAD_LESS;

		if (note->count > 0 && (!is_less || check->common.verbose || is_wanted))
			find(check, is_wanted && !is_less ? LEVEL_ERROR : LEVEL_NOTE, note->line,
			     "%s %s: %s", row->reader, row->effect, feature_text(row->feature));
	}
}

/* -- a file -------------------------------------------------------------------------------- */

/* What our reader takes in a way that the file does not state itself. */
static void check_traits(struct check *check, const struct reader_report *report)
{
	static const struct {
		enum reader_trait trait;
		enum level level;
		const char *text;
	} told[] = {
		{ TRAIT_SALVAGED, LEVEL_WARNING, "salvaged from a profile that was cut short" },
		{ TRAIT_FILE_ONLY, LEVEL_NOTE,
		  "no fn= after fl=: the costs belong to the previous function" },
		{ TRAIT_UNSPECIFIED, LEVEL_NOTE,
		  "no fn= after fl=: the costs belong to <unspecified>, as in cg_annotate" },
		{ TRAIT_DECIMAL_COUNT, LEVEL_NOTE, "counts with decimals, rounded to integers" },
		{ TRAIT_WRAPPED_COUNT, LEVEL_NOTE,
		  "counts of 2^63 or more next to others below 0: 2^64 is subtracted" },
		{ TRAIT_WRAPPED_POSITION, LEVEL_NOTE,
		  "a relative position beyond 2^64, which is subtracted" },
		{ TRAIT_LONG_SUMS, LEVEL_NOTE, "more counts than events, the last ones ignored" },
		{ TRAIT_ODD_NUMBER, LEVEL_NOTE, "pid:, part: or thread: is no number, ignored" },
		{ TRAIT_BYTE_ORDER_MARK, LEVEL_NOTE, "a byte order mark, ignored" },
	};

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		const struct trait_note *note = &report->traits[told[i].trait];

		if (note->count > 0)
			find(check, told[i].level, note->line, "%s", told[i].text);
	}
}

static void check_model(struct check *check, const struct features_file *file)
{
	const struct reader_report *report = file->report;
	const struct model *model = file->model;
	enum reader_trait fault = reader_end_fault(report);

	/* Of wrong totals, check_part() says more. */
	if (fault != N_READER_TRAITS && fault != TRAIT_WRONG_TOTALS)
		find(check, LEVEL_ERROR, report->traits[fault].line, "%s", reader_end_text(fault));
	if (model->n_parts == 0) {
		find(check, LEVEL_ERROR, 0, "%s", complaint_no_profile(report->bytes));
		return;
	}
	check_traits(check, report);
	for (size_t i = 0; i < model->n_parts; i++)
		check_part(check, model, &model->parts[i],
			   report->traits[TRAIT_DECIMAL_COUNT].count > 0 ? LEVEL_NOTE
									 : LEVEL_ERROR);
	check_collected(check, model);
	if (!is_difference(model))
		check_balance(check, model);
	check_readers(check, file);
}

static void print_verdict(const struct check *check, const struct model *model)
{
	FILE *out = check->printout.out;

	if (check->common.quiet)
		return;
	visible_text(out, check->path);
	fprintf(out, ": %s", check->counts[LEVEL_ERROR] > 0 ? "bad" : "good");
	fprintf(out, ", %zu part%s, %zu function%s", model->n_parts, model->n_parts == 1 ? "" : "s",
		model->n_functions, model->n_functions == 1 ? "" : "s");
	for (int level = N_LEVELS - 1; level >= 0; level--)
		if (check->counts[level] > 0)
			fprintf(out, ", %zu %s%s", check->counts[level], level_names[level],
				check->counts[level] == 1 ? "" : "s");
	fputc('\n', out);
}

/* -- what is whole of a file -------------------------------------------------------------- */

/* Between the model and the writer: the last part says what was wrong. */
struct salvage {
	struct visitor_filter filter;
	size_t n_parts;
	const char *fault; /* NULL = nothing */
	struct part part;  /* as it is reported */
};

static int salvage_part(void *ctx, const struct part *part)
{
	struct salvage *salvage = ctx;
	struct part_desc *descs;
	int status;

	if (!salvage->fault || part->index + 1 < salvage->n_parts)
		return visitor_part(salvage->filter.to, part);
	descs = heap_alloc((part->n_descs + 1) * sizeof(*descs));
	for (size_t i = 0; i < part->n_descs; i++)
		descs[i] = part->descs[i];
	descs[part->n_descs] = (struct part_desc){ SALVAGED_DESC, salvage->fault };
	salvage->part = *part;
	salvage->part.descs = descs;
	salvage->part.n_descs = part->n_descs + 1;
	status = visitor_part(salvage->filter.to, &salvage->part);
	free(descs);
	return status;
}

/* Writes what was read as it was, with totals that fit. */
static void write_salvaged(struct check *check, const struct features_file *file)
{
	const struct writer_options options = { .compress_names = true,
						.compress_positions = true };
	const struct walk_options walking = { .order = WALK_BY_NAME, .makes_totals = true };
	static const struct visitor changes = { .part = salvage_part };
	const struct reader_report *report = file->report;
	struct salvage salvage = { .n_parts = file->model->n_parts };
	char text[COMPLAINT_TEXT];
	struct emitter emitter;
	struct outfile out;
	int status, error = outfile_open(&out, command, check->output);

	if (error) {
		complain(command, "%s: %s", check->output, outfile_reason(error));
		check->unread = true;
		return;
	}
	if (report->skipped > 0)
		snprintf(text, sizeof(text),
			 "%" PRIu64 " lines left out, the first is line %" PRIu64, report->skipped,
			 report->first_skipped.line);
	if (report->skipped > 0 || reader_describe_end(text, sizeof(text), report))
		/* cppcheck-suppress unreadVariable ; by salvage_part() */
		salvage.fault = text;
	emitter_init(&emitter, &out.env, &options);
	visitor_filter_init(&salvage.filter, &emitter.visitor, &changes);
	status = model_walk(file->model, &walking, &salvage.filter.visitor);
	error = emitter_finish(&emitter);
	emitter_release(&emitter);
	if (status || error)
		outfile_discard(&out);
	else
		error = outfile_commit(&out);
	if (!status && !error)
		return;
	check->unread = true;
	complain(command, "%s: %s", check->output,
		 error > 0 ? outfile_reason(error)
			   : profile_status_text(status ? (enum profile_status)status
							: PROFILE_RANGE));
}

static void check_file(struct check *check, const char *path)
{
	/* Parts of what is salvaged stay apart. */
	const struct builder_options building = { .separate_parts = check->salvages };
	struct reader_report report = { 0 };
	struct profile_error error = { .file = path };
	struct model model;
	struct builder builder;
	struct merge_reader reader = {
		.builder = &builder,
		.model = &model,
		.progress = &check->progress,
		.lenient = true,
	};
	struct features_file file = { .path = path, .report = &report, .model = &model };
	int status;

	check->path = path;
	memset(check->counts, 0, sizeof(check->counts));
	model_init(&model);
	builder_init(&builder, &model, &building);
	status = merge_reader_read(&reader, path, &report, &error);
	if (!status)
		status = builder_finish(&builder);
	profile_error_complete(&error, status);
	builder_release(&builder);
	file.n_several = reader.n_several;
	/* What ended reading may be due to what was skipped before. */
	if (report.skipped > 0)
		find_error(check, &report.first_skipped,
			   report.skipped > 1 ? " (the first of several)" : "");
	if (report.skipped > 1)
		find(check, LEVEL_ERROR, 0, "%" PRIu64 " lines break the grammar", report.skipped);
	if (status == PROFILE_OK) {
		check_model(check, &file);
		print_verdict(check, &model);
		if (check->salvages && model.n_parts > 0)
			write_salvaged(check, &file);
	} else if (status == PROFILE_SYNTAX || status == PROFILE_RANGE ||
		   status == PROFILE_EVENTS) {
		find_error(check, &error, "");
	} else {
		complain_of(command, &error);
		check->unread = true;
	}
	check->failed |= check->counts[LEVEL_ERROR] > 0 ||
			 (check->strict && check->counts[LEVEL_WARNING] > 0);
	model_release(&model);
}

/* -- the command ---------------------------------------------------------------------------- */

static const char *set_for(void *ctx, const char *value)
{
	unsigned wanted;

	if (!option_words(value, readers_names, &wanted))
		return "names of readers with commas between, see --readers";
	((struct check *)ctx)->wanted |= wanted;
	return NULL;
}

const struct option_rule check_options[] = {
	{ "--for", 0, OPTION_VALUE, "READER,...", "Treat what these readers fail at as an error",
	  OPTION_CALL(set_for) },
	{ "--readers", 0, OPTION_FLAG, NULL, "Print what each reader misreads",
	  OPTION_BOOL(struct check, prints_readers) },
	{ "--strict", 0, OPTION_YES_NO, "yes|no", "Fail on warnings, too [no]",
	  OPTION_BOOL(struct check, strict) },
	{ "--salvage", 0, OPTION_FLAG, NULL,
	  "Write what can be read of a profile that is cut short to -o FILE",
	  OPTION_BOOL(struct check, salvages) },
	{ "--output", 'o', OPTION_VALUE, "FILE", "Write what --salvage can read to FILE",
	  OPTION_TEXT(struct check, output, "the name of a file") },
	{ "--files-from", 0, OPTION_VALUE, "LIST",
	  "Read names of files from LIST, one a line (- is standard input)",
	  OPTION_EACH(struct check, inputs.lists, "the name of a file") },
	{ .name = NULL },
};

/* Prints what was asked for; returns an exit code. */
static int run(struct check *check)
{
	static const char *const kinds[] = {
		[MISREAD_LESS] = "shows less", [MISREAD_WRONG] = "wrong", [MISREAD_FAILS] = "fails"
	};
	const struct reader_row *table;
	size_t n;

	if (!printout_open(&check->printout, command, NULL, !check->common.no_pager))
		return EXIT_FAILED;
	table = readers_table(&n);
	for (size_t i = 0; check->prints_readers && i < n; i++)
		fprintf(check->printout.out, "%s | %s | %s | %s\n", table[i].reader,
			kinds[table[i].misread], feature_text(table[i].feature), table[i].effect);
	progress_init(&check->progress, check->common.quiet, check->inputs.n);
	for (size_t i = 0; i < check->inputs.n; i++)
		check_file(check, check->inputs.paths[i]);
	if (!printout_close(&check->printout, command) || check->unread)
		return EXIT_FAILED;
	return check->failed ? EXIT_LIMIT : EXIT_FINE;
}

int check_main(int argc, char **argv)
{
	struct check check = { 0 };
	int n = 0, code = options_read(check_options, &check.common, argv, &n, &check);

	(void)argc;
	if (code == OPTIONS_GO_ON && !inputs_collect(&check.inputs, command, argv + 1, n))
		code = EXIT_FAILED;
	if (code == OPTIONS_GO_ON && check.inputs.n == 0 && !check.prints_readers) {
		complain(command, "expected profiles to check");
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON && check.salvages != (check.output != NULL)) {
		complain(command, check.salvages ? "--salvage needs -o FILE, the profile to write"
						 : "expected -o FILE with --salvage only");
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON && check.salvages && check.inputs.n != 1) {
		complain(command, "expected one profile with --salvage");
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = run(&check);
	inputs_release(&check.inputs);
	return code;
}
