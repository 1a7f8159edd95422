/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* asprintf() */
#include "cmds/diff/diffprofile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/outfile.h"
#include "cmds/diff/samecode.h"
#include "cmds/diff/updown.h"
#include "profile/analysis/comparability.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/definitions.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"
#include "profile/format/emit.h"
#include "profile/model/build.h"
#include "profile/model/walk.h"
#include "writer/out.h"

/* -- headers ------------------------------------------------------------------------ */

/* What a profile was made by: "cmd:" of its first part. */
static const char *cmd_of(const struct model *model)
{
	const struct model_part *parts = model->parts;
	const char *cmd = parts && model->n_parts > 0 ? parts[0].header.cmd : NULL;

	return cmd ? cmd : "???";
}

/* The header of a difference; its texts are owned. */
struct header_pair {
	struct part part;
	struct part_desc *descs;
	char *cmd, *files;
};

static bool merged_header_init(struct header_pair *header, const struct diffprofile *profile)
{
	const struct part *from =
		profile->new_model->n_parts > 0 ? &profile->new_model->parts[0].header : NULL;
	size_t n_from = from ? from->n_descs : 0, n = 0;

	*header = (struct header_pair){ .descs = calloc(n_from + 2, sizeof(*header->descs)) };
	if (asprintf(&header->cmd, "%s; %s", cmd_of(profile->old_model),
		     cmd_of(profile->new_model)) < 0)
		header->cmd = NULL;
	if (asprintf(&header->files, "%s; %s", profile->old_path, profile->new_path) < 0)
		header->files = NULL;
	if (!header->descs || !header->cmd || !header->files)
		return false;
	header->descs[n++] = (struct part_desc){ DESC_FILES_COMPARED, header->files };
	if (profile->apart)
		header->descs[n++] = (struct part_desc){
			"Columns",
			"Up is what NEW has more than OLD, Down what it has less",
		};
	for (size_t i = 0; i < n_from; i++)
		if (!comparability_ignores(from->descs[i].type))
			header->descs[n++] = from->descs[i];
	header->part.creator = "costgrind-" COSTGRIND_VERSION;
	header->part.cmd = header->cmd;
	header->part.descs = header->descs;
	header->part.n_descs = n;
	return true;
}

static void merged_header_release(struct header_pair *header)
{
	free(header->descs);
	free(header->cmd);
	free(header->files);
}

/* -- the Callgrind format -------------------------------------------------------------- */

static const struct writer_options compressed = {
	.positions = POSITION_LINE,
	.compress_names = true,
	.compress_positions = true,
};

/*
 * Passes a model, through a filter_nonzero, to the writer; apart: as increases and decreases.
 * Returns what outfile_commit() takes as error.
 */
static int emit(const struct model *model, bool keeps_zeros, bool apart, const struct part *header,
		struct outfile *file)
{
	const struct walk_options walking = { .order = WALK_BY_NAME,
					      .one_part = true,
					      .makes_totals = true };
	struct emitter emitter;
	struct filter_nonzero nonzero;
	struct updown updown;
	int status, error;

	emitter_init(&emitter, &file->env, &compressed);
	filter_nonzero_init(&nonzero, &emitter.visitor, keeps_zeros, header);
	updown_init(&updown, &nonzero.filter.visitor);
	status = model_walk(model, &walking,
			    apart ? &updown.filter.visitor : &nonzero.filter.visitor);
	error = emitter_finish(&emitter);
	updown_release(&updown);
	emitter_release(&emitter);
	if (status == PROFILE_NO_MEMORY)
		return OUT_NO_MEMORY;
	return status && !error ? OUT_MISUSE : error;
}

/* -- the form of cg_diff ----------------------------------------------------------------- */

/* Makes functions of (file, name) of what is reported to it. */
struct flattening {
	struct visitor_filter filter;
	const struct dictionary *names;
};

static int flatten_place(void *ctx, const struct place *place)
{
	const struct flattening *flattening = ctx;
	const struct place flat = {
		.object = dictionary_name(&flattening->names[NAME_OBJECT], DICTIONARY_UNKNOWN),
		.file = place->source,
		.function = place->function,
		.source = place->source,
	};

	return visitor_place(flattening->filter.to, &flat);
}

static int flatten(struct model *flat, const struct model *model)
{
	static const struct builder_options options = { .no_positions = true, .no_jumps = true };
	struct builder builder;
	struct flattening flattening = { .names = model->names };
	int status = builder_init(&builder, flat, &options);

	if (!status) {
		visitor_filter_init(&flattening.filter, &builder.visitor,
				    &(struct visitor){ .place = flatten_place });
		flattening.filter.visitor.call = NULL;
		flattening.filter.visitor.jump = NULL;
		builder_begin_file(&builder, NULL, model->names);
		status = model_walk(model, NULL, &flattening.filter.visitor);
	}
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

static void put_name(struct out *out, const char *spec, struct name name)
{
	out_text(out, spec);
	out_bytes(out, name.text, name.len);
	out_char(out, '\n');
}

static void put_counts(struct out *out, const uint64_t *counts, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++) {
		out_char(out, ' ');
		if (is_signed)
			out_signed(out, counts[i]);
		else
			out_decimal(out, counts[i]);
	}
	out_char(out, '\n');
}

static void put_function(struct out *out, const struct model *model, uint32_t function,
			 const uint64_t *costs)
{
	put_name(out, "fl=", model_name(model, NAME_FILE, model->functions[function].file));
	put_name(out, "fn=", model_name(model, NAME_FUNCTION, model->functions[function].name));
	out_char(out, '0');
	put_counts(out, costs, model->n_events, model->is_signed);
}

static bool is_zero(const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (costs[i] != 0)
			return false;
	return true;
}

static int put_functions(struct out *out, const struct model *model)
{
	const struct env *env = model->env;
	struct inclusive inclusive;
	int status = inclusive_compute(&inclusive, model, NULL);
	uint32_t *order = status ? NULL : model_functions_by_name(model);

	if (!status && !order)
		status = PROFILE_NO_MEMORY;
	for (size_t i = 0; !status && i < model->n_functions; i++) {
		const uint64_t *costs = inclusive_self(&inclusive, order[i]);

		if (model_has(model, order[i], 0) && !is_zero(costs, model->n_events))
			put_function(out, model, order[i], costs);
	}
	env->release(env->ctx, order);
	inclusive_release(&inclusive);
	return status;
}

/* A line feed in a name would begin another line of the header. */
static void put_path(struct out *out, const char *path)
{
	for (; *path; path++) {
		if (*path == '\n')
			out_char(out, ' ');
		else
			out_char(out, *path);
	}
}

/* flat is of functions; sum has the summary. */
static int write_flat(const struct diffprofile *profile, const struct model *sum,
		      const struct model *flat, struct outfile *file)
{
	uint64_t summary[PROFILE_MAX_EVENTS];
	struct out out;
	int status, error;

	if (!model_summary(sum, summary))
		return OUT_MISUSE;
	out_init(&out, &file->env);
	out_text(&out, "desc: Files compared:   ");
	put_path(&out, profile->old_path);
	out_text(&out, "; ");
	put_path(&out, profile->new_path);
	out_text(&out, "\ncmd:  ");
	out_text(&out, cmd_of(profile->old_model));
	out_text(&out, "; ");
	out_text(&out, cmd_of(profile->new_model));
	out_text(&out, "\nevents: ");
	for (size_t i = 0; i < flat->n_events; i++) {
		out_char(&out, ' ');
		out_text(&out, flat->events[i].name);
	}
	out_char(&out, '\n');
	status = put_functions(&out, flat);
	out_text(&out, "summary:");
	put_counts(&out, summary, sum->n_events, sum->is_signed);
	error = status ? (status == PROFILE_NO_MEMORY ? OUT_NO_MEMORY : OUT_MISUSE)
		       : out_flush(&out);
	out_release(&out);
	return error;
}

/* -- both -------------------------------------------------------------------------------- */

/* Commits or discards the file, by the error. */
static int end_file(struct outfile *file, const char *command, int error)
{
	const char *name = outfile_name(file);

	if (error)
		outfile_discard(file);
	else
		error = outfile_commit(file);
	if (!error)
		return EXIT_FINE;
	complain(command, "%s: %s", name,
		 error == OUT_NO_MEMORY ? "out of memory"
		 : error == OUT_MISUSE  ? "a count is beyond 64 bits"
					: outfile_reason(error));
	return EXIT_FAILED;
}

static int write_difference(const struct diffprofile *profile, const struct model *sum,
			    struct outfile *file)
{
	struct header_pair header;
	struct model flat;
	int error = OUT_NO_MEMORY;

	if (profile->flat) {
		int status = model_init(&flat, &heap_env) ? flatten(&flat, sum) : PROFILE_NO_MEMORY;

		if (!status)
			error = write_flat(profile, sum, &flat, file);
		else if (status != PROFILE_NO_MEMORY)
			error = OUT_MISUSE;
		model_release(&flat);
		return error;
	}
	if (merged_header_init(&header, profile))
		error = emit(sum, false, profile->apart, &header.part, file);
	merged_header_release(&header);
	return error;
}

/* The names of a model's events behind n others, and which of them the sum has; how many there are then. */
static size_t note_columns(const struct model *sum, const struct model *model, const char **names,
			   bool *stays, size_t n)
{
	for (size_t i = 0; i < model->n_events; i++, n++) {
		names[n] = model->events[i].name;
		stays[n] = model_event(sum, names[n]) < sum->n_events;
	}
	return n;
}

/*
 * Drops formulas of events that are not in both profiles, and so not in the sum; *n of them.
 * Returns a status.
 */
static int drop_formulas(const struct diffprofile *profile, struct model *sum, size_t *n)
{
	const char *names[2 * PROFILE_MAX_EVENTS];
	bool stays[2 * PROFILE_MAX_EVENTS];
	struct definitions_columns columns = { .before = names, .stays = stays };
	struct part_event *all = heap_zeroed(sum->env, sum->n_derived, sizeof(*all));
	struct definitions kept = { .n = 0 };
	int status = PROFILE_NO_MEMORY;

	columns.n_before = note_columns(sum, profile->new_model, names, stays, 0);
	columns.n_before = note_columns(sum, profile->old_model, names, stays, columns.n_before);
	for (size_t i = 0; all && i < sum->n_derived; i++)
		all[i] = (struct part_event){ sum->derived[i].name, sum->derived[i].formula,
					      sum->derived[i].long_name };
	if (all && definitions_keep(&kept, sum->env, all, sum->n_derived, &columns)) {
		for (size_t i = 0; i < kept.n; i++)
			sum->derived[i] = (struct model_derived){ kept.all[i].name,
								  kept.all[i].formula,
								  kept.all[i].long_name };
		sum->n_derived = kept.n;
		*n = kept.n_lost;
		status = PROFILE_OK;
	}
	definitions_release(&kept, sum->env);
	sum->env->release(sum->env->ctx, all);
	return status;
}

/* Adds NEW to the sum, or takes OLD off it, its functions where NEW has them if they are joined. */
static int add(const struct diffprofile *profile, struct model *sum, bool is_new)
{
	const struct builder_options options = { .events = profile->events,
						 .n_events = profile->n_events };
	const struct model *model = is_new ? profile->new_model : profile->old_model;
	struct builder builder;
	struct scaling scaling;
	struct filter_renamed moved;
	struct samecode same = { 0 };
	const struct visitor *first = &scaling.filter.visitor;
	int status = builder_init(&builder, sum, &options);

	if (!status) {
		scaling_init(&scaling, &builder.visitor, is_new ? 1 : -1, 1);
		if (profile->difference && !is_new) {
			filter_renamed_init(&moved, profile->difference, first);
			first = &moved.filter.visitor;
		}
		if (profile->apart) {
			samecode_init(&same, profile->difference, is_new, first);
			first = &same.filter.visitor;
		}
		builder_begin_file(&builder, NULL, model->names);
		status = model_walk(model, NULL, first);
	}
	if (!status)
		status = builder_finish(&builder);
	samecode_release(&same);
	builder_release(&builder);
	return status;
}

static int find_negative_cost(void *ctx, const struct position *at, const uint64_t *costs,
			      size_t n_costs)
{
	(void)ctx;
	(void)at;
	for (size_t i = 0; i < n_costs; i++)
		if (costs[i] >> 63)
			return PROFILE_STOPPED;
	return PROFILE_OK;
}

static int find_negative_call(void *ctx, const struct call *call)
{
	return find_negative_cost(ctx, &call->at, call->costs, call->n_costs);
}

/* Whether a signed model has a cost below 0. */
static bool has_decreases(const struct model *model)
{
	static const struct visitor finder = { .cost = find_negative_cost,
					       .call = find_negative_call };

	return model_walk(model, NULL, &finder) == PROFILE_STOPPED;
}

/* Of a file, not of what another program is given at once. */
static void warn_of_viewer(const struct diffprofile *profile, const struct model *sum,
			   const char *command, const char *path)
{
	if (!profile->quiet && !profile->flat && !profile->apart && strcmp(path, "-") != 0 &&
	    has_decreases(sum))
		warn(command,
		     "%s: has counts below 0, which KCachegrind takes for 0; for a look at it "
		     "there, use --for=kcachegrind",
		     path);
}

int diffprofile_write(const struct diffprofile *profile, const char *command, const char *path)
{
	struct model sum;
	struct outfile file;
	int status = model_init(&sum, &heap_env) ? PROFILE_OK : PROFILE_NO_MEMORY;
	size_t n_formulas = 0;
	int code = EXIT_FAILED, error;

	if (profile->apart && profile->n_events > UPDOWN_MAX_EVENTS) {
		complain(command,
			 "%s: expected at most %d events with --for=kcachegrind, found %zu", path,
			 UPDOWN_MAX_EVENTS, profile->n_events);
		model_release(&sum);
		return EXIT_FAILED;
	}
	if (!status)
		status = add(profile, &sum, true);
	if (!status)
		status = add(profile, &sum, false);
	if (!status && profile->events)
		status = drop_formulas(profile, &sum, &n_formulas);
	if (status) {
		complain_status(command, NULL, status);
		model_release(&sum);
		return EXIT_FAILED;
	}
	error = outfile_open(&file, command, path);
	if (error)
		complain(command, "%s: %s", path, outfile_reason(error));
	else
		code = end_file(&file, command, write_difference(profile, &sum, &file));
	if (code == EXIT_FINE && !profile->quiet && !profile->flat)
		warn_of_formulas(command, n_formulas);
	if (code == EXIT_FINE)
		warn_of_viewer(profile, &sum, command, path);
	model_release(&sum);
	return code;
}

/* Gives the header of the first of several parts the facts of all; false if memory ran out. */
static bool sum_facts(const struct model *model, struct part *header, struct arena *arena)
{
	struct part_desc *descs = arena_alloc(
		arena, (header->n_descs + RUN_FACTS_LINES) * sizeof(*descs), sizeof(void *));
	struct run_facts facts;
	bool failed = false;
	size_t n = 0;

	if (!descs || !comparability_facts(model, arena, &facts))
		return false;
	for (size_t i = 0; i < header->n_descs; i++)
		if (!run_facts_has(&header->descs[i]))
			descs[n++] = header->descs[i];
	n += run_facts_print(&facts, &descs[n], arena, &failed);
	header->descs = descs;
	header->n_descs = n;
	return !failed;
}

int diffprofile_save(const struct model *model, const char *command, const char *path)
{
	struct part header = { 0 };
	struct outfile file;
	struct arena arena;
	int error, code = EXIT_FAILED;

	arena_init(&arena, &heap_env);
	if (model->n_parts > 0)
		header = model->parts[0].header;
	header.has_pid = header.has_number = header.has_thread = false;
	if (model->n_parts > 1 && !sum_facts(model, &header, &arena)) {
		complain_status(command, NULL, PROFILE_NO_MEMORY);
		arena_release(&arena);
		return EXIT_FAILED;
	}
	error = outfile_open(&file, command, path);
	if (error)
		complain(command, "%s: %s", path, outfile_reason(error));
	else
		code = end_file(&file, command, emit(model, true, false, &header, &file));
	arena_release(&arena);
	return code;
}
