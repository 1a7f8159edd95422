/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * types: a profile whose functions are types of data.  Costs are at members, in a listing of all structs that is written
 * next to the profile; functions of the program have no costs of their own, but call the types that they refer to, from the
 * lines that do.
 *
 * What comes of the model but its header is held back, and the types put in its place before the part ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/outfile.h"
#include "cmds/convert/formats.h"
#include "cmds/types/typecosts.h"
#include "profile/common/heap.h"
#include "profile/format/emit.h"
#include "profile/model/model.h"
#include "writer/escape.h"

struct types_writing {
	struct visitor_filter filter;
	const struct model *model;
	const struct type_costs *costs;
	const char *listing; /* path */
	uint64_t *lines;     /* of rows in it; owned */
	struct part part;    /* as it is reported */
};

/* -- the listing ----------------------------------------------------------------------------- */

static void put_number(struct out *out, uint64_t number, int width)
{
	char text[32];

	snprintf(text, sizeof(text), "%*" PRIu64, width, number);
	out_text(out, text);
}

/* A name of debug information, which may be anybody's, in one line. */
static void put_name(struct out *out, const char *name)
{
	if (name[0] != '\0')
		escape_name(out, name, strlen(name));
}

/* A row of the listing, from a line on; returns the line after it. */
static uint64_t list_row(struct out *out, const struct type_row *row, uint64_t line)
{
	put_name(out, row->name);
	if (row->type && row->type->size > 0) {
		out_text(out, "  ");
		put_number(out, row->type->size, 1);
		out_text(out, " B");
	}
	out_char(out, '\n');
	for (size_t i = 0; i < row->n_members; i++) {
		const struct type_member *member = &row->members[i];

		put_number(out, member->offset, 8);
		out_text(out, " ");
		put_number(out, member->size, 5);
		out_text(out, "  ");
		put_name(out, member->name);
		out_char(out, '\n');
	}
	out_char(out, '\n');
	return line + row->n_members + 2;
}

/* Writes it, and notes where each row begins; 0, or an error of output. */
static int write_listing(struct types_writing *types)
{
	static const char head[] = "Types of data with their members: offset, size, name\n\n";
	struct outfile file;
	struct out out;
	uint64_t line = 3;
	int error = outfile_open(&file, "convert", types->listing);

	if (error)
		return error;
	out_init(&out, &file.env);
	out_text(&out, head);
	for (size_t i = 0; i < types->costs->n; i++) {
		types->lines[i] = line;
		line = list_row(&out, &types->costs->rows[i], line);
	}
	error = out_flush(&out);
	out_release(&out);
	if (error) {
		outfile_discard(&file);
		return error;
	}
	return outfile_commit(&file);
}

/*
 * Where it is: next to the profile, by its full path, for viewers to find it.  Its name does not begin with the
 * profile's, as KCachegrind opens all that do.  NULL, with errno, if the folder is not there.
 */
static char *listing_path(const char *output)
{
	const char *slash = strrchr(output, '/');
	const char *base = slash ? slash + 1 : output;
	const char *first = strncmp("types.", base, strlen(base)) == 0 ? "listing" : "types";
	char *folder = slash ? heap_copy_part(output, (size_t)(slash + 1 - output))
			     : heap_copy(".");
	char *full = realpath(folder, NULL);
	char *path = full ? heap_print("%s/%s.%s.txt", full, first, base) : NULL;

	free(folder);
	free(full);
	return path;
}

/* -- the profile ----------------------------------------------------------------------------- */

/* A name that the model does not have: its key follows the model's. */
static struct name new_name(const struct model *model, enum name_kind kind, const char *text,
			    size_t number)
{
	return (struct name){ text, strlen(text), (uint32_t)(model->names[kind].count + number) };
}

static struct place place_of_row(const struct types_writing *types, size_t row)
{
	struct name file = new_name(types->model, NAME_FILE, types->listing, 0);

	return (struct place){
		.object = new_name(types->model, NAME_OBJECT, "types", 0),
		.file = file,
		.function =
			new_name(types->model, NAME_FUNCTION, types->costs->rows[row].name, row),
		.source = file,
		.has_object = true,
	};
}

static struct position position_of(const struct types_writing *types, size_t row, size_t member)
{
	bool has_members = types->costs->rows[row].n_members > 0;

	return (struct position){ .line = types->lines[row] + (has_members ? member + 1 : 0) };
}

static int put_row(const struct types_writing *types, size_t number)
{
	const struct type_row *row = &types->costs->rows[number];
	struct place place = place_of_row(types, number);
	size_t n_events = types->model->n_events, i = 0;
	int status = visitor_place(types->filter.to, &place);

	do {
		struct position at = position_of(types, number, i);

		if (!status)
			status = visitor_cost(
				types->filter.to, &at,
				row->n_members > 0 ? row->members[i].costs : row->costs, n_events);
	} while (!status && ++i < row->n_members);
	return status;
}

static uint64_t references_of(const struct types_writing *types, const struct type_use *use)
{
	const size_t events[2] = { types->costs->read_event, types->costs->write_event };
	uint64_t sum = 0;

	for (size_t i = 0; i < 2; i++)
		if (events[i] < types->model->n_events)
			sum += use->costs[events[i]];
	/* What nobody called is no caller's. */
	return sum > 0 ? sum : 1;
}

static int put_use(const struct types_writing *types, const struct type_use *use)
{
	const struct model_function *function = &types->model->functions[use->function];
	struct name file = model_name(types->model, NAME_FILE, function->file);
	const struct place place = {
		.object = model_name(types->model, NAME_OBJECT, function->object),
		.file = file,
		.function = model_name(types->model, NAME_FUNCTION, function->name),
		.source = model_name(types->model, NAME_FILE, use->file),
		.has_object = true,
	};
	const struct call call = {
		.at = { .line = use->line },
		.callee = place_of_row(types, use->row),
		.count = references_of(types, use),
		.target = position_of(types, use->row, use->member),
		.costs = use->costs,
		.n_costs = types->model->n_events,
	};
	int status = visitor_place(types->filter.to, &place);

	return status ? status : visitor_call(types->filter.to, &call);
}

static int hold_back_place(void *ctx, const struct place *place)
{
	(void)ctx;
	(void)place;
	return PROFILE_OK;
}

static int begin_part(void *ctx, const struct part *part)
{
	struct types_writing *types = ctx;

	types->part = *part;
	types->part.positions = POSITION_LINE;
	return visitor_part(types->filter.to, &types->part);
}

static int end_part(void *ctx, const struct part *part)
{
	struct types_writing *types = ctx;
	int status = PROFILE_OK;

	(void)part;
	for (size_t i = 0; !status && i < types->costs->n; i++)
		status = put_row(types, i);
	for (size_t i = 0; !status && i < types->costs->n_uses; i++)
		status = put_use(types, &types->costs->uses[i]);
	return status ? status : visitor_part_end(types->filter.to, &types->part);
}

static int write_profile(struct types_writing *types, struct conversion *conversion)
{
	static const struct visitor changes = {
		.part = begin_part,
		.place = hold_back_place,
		.part_end = end_part,
	};
	const struct writer_options options = { .compress_names = conversion->ids };
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct emitter emitter;
	int status;

	emitter_init(&emitter, conversion->env, &options);
	visitor_filter_init(&types->filter, &emitter.visitor, &changes);
	types->filter.visitor.cost = NULL;
	types->filter.visitor.call = NULL;
	types->filter.visitor.jump = NULL;
	status = model_walk(conversion->model, &walking, &types->filter.visitor);
	conversion->output_error = emitter_finish(&emitter);
	emitter_release(&emitter);
	return conversion->output_error ? PROFILE_OK : status;
}

int to_types(struct conversion *conversion)
{
	const struct model *model = conversion->model;
	const char *output = conversion->output;
	char message[TYPECOSTS_MESSAGE];
	const char *missing = typecosts_missing(model, message);
	const struct metric_source source = { .events = model->events,
					      .n_events = model->n_events };
	struct metrics metrics;
	struct type_costs costs = { .n = 0 };
	struct types_writing types = { .model = model, .costs = &costs };
	struct arena arena;
	struct stat file;
	int status;

	/* Nothing can be written next to a pipe, or a file in /dev. */
	if (!missing && (!output || strcmp(output, "-") == 0 ||
			 (stat(output, &file) == 0 && !S_ISREG(file.st_mode))))
		missing = "expected --output=FILE: a listing of types is written next to it";
	if (missing)
		return profile_error_set(&conversion->error, PROFILE_EVENTS, "--to=types: %s",
					 missing);
	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	status = typecosts_make(&costs, model, &metrics, &metrics.all[metrics_main(&metrics)],
				conversion->types);
	if (!status) {
		char *path = listing_path(output);
		int error = path ? 0 : errno;

		types.listing = path;
		types.lines = heap_zeroed(costs.n, sizeof(*types.lines));
		if (!error)
			error = write_listing(&types);
		if (error)
			status = profile_error_set(&conversion->error, PROFILE_IO, "%s: %s",
						   path ? path : output, outfile_reason(error));
		else
			status = write_profile(&types, conversion);
		free(types.lines);
		free(path);
	}
	typecosts_release(&costs);
	arena_release(&arena);
	return status;
}
