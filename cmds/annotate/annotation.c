/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/annotation.h"

#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/listing/listing.h"
#include "cmds/object/objectfile.h"
#include "profile/common/heap.h"

static int make_lists(struct annotation *annotation)
{
	const struct annotation_options *options = annotation->options;
	const struct basis basis = {
		.model = annotation->model,
		.self_costs = &annotation->self_costs,
		.columns = &annotation->columns,
		.totals = annotation->totals.costs,
		.arena = &annotation->arena,
	};
	int status = listing_make(&annotation->listing, &basis,
				  annotation->has_inclusive ? &annotation->inclusive : NULL,
				  &options->listing);

	if (!status && options->list_by_file)
		status = nesting_make(&annotation->by_file, &basis, false);
	if (!status && options->list_by_function)
		status = nesting_make(&annotation->by_function, &basis, true);
	if (!status && annotation->has_sources)
		status = annotated_make(&annotation->annotated, &basis, &annotation->listing,
					&options->annotated);
	if (!status && options->shows_code) {
		annotation->has_code = true;
		status = machinecode_make(&annotation->code, &basis, &annotation->listing,
					  &options->code);
	}
	if (!status && options->shows_layout) {
		annotation->has_layout = true;
		status = placement_make(&annotation->placement, annotation->model,
					&options->placement);
	}
	if (!status && options->shows_objects)
		status = objectcosts_make(&annotation->objects, &basis);
	if (!status && options->shows_objects)
		status = objecttypes_make(&annotation->object_types, &annotation->objects,
					  annotation->model, &options->types);
	if (!status && options->shows_types) {
		const struct columns *columns = &annotation->columns;

		annotation->has_types = true;
		status = typecosts_make(&annotation->types, annotation->model, &columns->metrics,
					&columns->metrics.all[columns->keys[0].metric],
					&options->types);
	}
	return status;
}

/* Of a finished model.  Returns a status; PROFILE_RANGE if a sum is beyond 64 bits. */
static int make_totals(struct program_totals *totals, const struct model *model,
		       struct arena *arena)
{
	size_t n = model->n_events;
	uint64_t *sums = row_new(arena, n);
	uint64_t *said = row_new(arena, n);
	uint64_t *outside = row_new(arena, n);
	bool is_said = false, differs = false;

	if (!sums || !said || !outside)
		return PROFILE_NO_MEMORY;
	if (!model_totals(model, sums))
		return PROFILE_RANGE;
	for (size_t i = 0; i < model->n_parts; i++)
		is_said |= model->parts[i].summary || model->parts[i].totals;
	*totals = (struct program_totals){
		.costs = sums,
		.kind = is_said ? TOTALS_SAID : TOTALS_CALCULATED,
	};
	if (!is_said)
		return PROFILE_OK;
	if (!model_summary(model, said)) {
		totals->kind = TOTALS_CORRECTED;
		return PROFILE_OK;
	}
	/* By event: with --cacheuse=yes, Callgrind's summary: lacks the costs of cache lines. */
	for (size_t i = 0; i < n; i++) {
		if (!cost_can_be_total(said[i], sums[i], model->is_signed)) {
			/* Of a summary that is cut short, something was said. */
			totals->kind = model->is_cut ? TOTALS_CALCULATED : TOTALS_CORRECTED;
			said[i] = sums[i];
		}
		outside[i] = said[i] - sums[i];
		differs |= outside[i] != 0;
	}
	totals->costs = said;
	totals->outside = differs ? outside : NULL;
	return PROFILE_OK;
}

static int make(struct annotation *annotation)
{
	const struct annotation_options *options = annotation->options;
	int status =
		self_costs_compute(&annotation->self_costs, annotation->model, &annotation->arena);

	if (!status)
		status = make_totals(&annotation->totals, annotation->model, &annotation->arena);
	if (status)
		return status;
	/* A quotient of differences is the rate of no run. */
	if (!annotation->options->difference)
		annotation->n_rates = run_rates_compute(annotation->rates, &annotation->columns,
							annotation->totals.costs);
	annotation->has_inclusive = options->listing.inclusive ||
				    options->listing.tree != TREE_NONE;
	annotation->has_sources = options->annotated.automatic || options->annotated.n_named > 0;
	if (annotation->has_inclusive || annotation->has_sources || options->shows_code) {
		status = inclusive_compute(&annotation->inclusive, annotation->model, NULL);
		annotation->has_bounds = !status;
		/* Sums that nobody asked for may be too large. */
		if (status == PROFILE_RANGE && !annotation->has_inclusive)
			status = PROFILE_OK;
	}
	annotation->lineless =
		lineless_note(annotation->model,
			      &annotation->columns.metrics.all[annotation->columns.keys[0].metric],
			      annotation->totals.costs, &annotation->arena);
	return status ? status : make_lists(annotation);
}

static void warn_of_code(const struct annotation *annotation)
{
	const char *command = annotation->options->command;
	const struct code_object *object;
	size_t i = 0;

	while ((object = machinecode_next_object(&annotation->code, &i)) != NULL) {
		code_object_warn(command, object, "its instructions are shown by address only");
		if (object->n_outside > 0)
			warn(command, "%s: has no code at %zu of the profile's instructions",
			     objectfile_path(object->file), object->n_outside);
		if (object->n_out_of_step > 0)
			warn(command,
			     "%s: %zu of the profile's instructions begin within others: is it what was "
			     "executed?",
			     objectfile_path(object->file), object->n_out_of_step);
	}
}

static void warn_of_layout(const struct annotation *annotation)
{
	const struct placement *placement = &annotation->placement;

	for (size_t i = 0; i < annotation->model->names[NAME_OBJECT].count; i++) {
		const struct code_object *object = placement->objects.by_number[i];

		if (object)
			code_object_warn(annotation->options->command, object,
					 "its loops are known only where jumps are recorded "
					 "(--collect-jumps=yes)");
	}
}

static void warn_of_types(const struct annotation *annotation, const struct code_objects *objects)
{
	for (size_t i = 0; objects->by_number && i < annotation->model->names[NAME_OBJECT].count;
	     i++) {
		const struct code_object *object = objects->by_number[i];

		if (object)
			code_object_warn(annotation->options->command, object,
					 "types of what its instructions refer to are not known");
	}
}

/* What is also in the output, for those who do not look there. */
static void print_warnings(const struct annotation *annotation)
{
	const char *command = annotation->options->command;

	if (annotation->has_code)
		warn_of_code(annotation);
	else if (annotation->has_layout)
		warn_of_layout(annotation);
	else if (annotation->has_types)
		warn_of_types(annotation, &annotation->types.objects);
	else if (annotation->options->shows_objects)
		warn_of_types(annotation, &annotation->object_types.objects);
	if (annotation->totals.kind == TOTALS_CORRECTED)
		warn(command, "totals in the profile cannot be right, as its functions cost more "
			      "or a number wrapped: using the sum of what they cost");
	for (size_t i = 0; i < annotation->annotated.n; i++) {
		const struct annotated_file *file = &annotation->annotated.files[i];

		if (file->is_named && !file->is_known)
			warn(command, "%s: no costs are recorded of it", file->name);
		else if (file->is_named && !file->is_found && !file->is_refused)
			warn(command, "%s: not found", file->name);
		if (file->is_stale)
			warn(command,
			     "%s: changed after the profile was made, so lines may not fit",
			     file->text.path);
		if (file->n_past_end > 0)
			warn(command, "%s: costs of %zu lines past its end", file->text.path,
			     file->n_past_end);
	}
	read_policy_report(annotation->options->annotated.policy, command,
			   annotation->options->verbose);
}

/* Prints a message if not. */
static bool can_show_code(const struct annotation *annotation)
{
	if (annotation->model->positions & POSITION_INSTR)
		return true;
	complain(annotation->options->command, "--asm: expected costs of instructions, found none: "
					       "they are recorded with --dump-instr=yes");
	return false;
}

static bool can_show_layout(const struct annotation *annotation)
{
	const char *missing = placement_missing(annotation->model);

	if (missing)
		complain(annotation->options->command, "--layout: %s", missing);
	return !missing;
}

static bool can_show_objects(const struct annotation *annotation)
{
	const char *missing = objectcosts_missing(annotation->model);

	if (missing)
		complain(annotation->options->command, "--by=object: %s", missing);
	return !missing;
}

static bool can_show_types(const struct annotation *annotation)
{
	char message[TYPECOSTS_MESSAGE];
	const char *missing = typecosts_missing(annotation->model, message);

	if (missing)
		complain(annotation->options->command, "--by=type: %s", missing);
	return !missing;
}

static const char *estimate_wrong(struct annotation *annotation)
{
	const struct model *model = annotation->model;
	uint64_t totals[PROFILE_MAX_EVENTS];
	bool has_totals = !model->is_signed && model_totals(model, totals);

	return metrics_estimate_wrong(&annotation->columns.metrics,
				      annotation->options->choice.estimate,
				      has_totals ? totals : NULL, &annotation->arena);
}

int annotation_make(struct annotation *annotation, const struct model *model,
		    const struct loaded *loaded, const struct annotation_options *options)
{
	const char *wrong;
	int status;

	*annotation = (struct annotation){
		.options = options,
		.loaded = loaded,
		.model = model,
	};
	arena_init(&annotation->arena, &heap_env);
	wrong = columns_init(&annotation->columns, model, &options->choice, &annotation->arena);
	if (options->choice.estimate && annotation->columns.metrics.n > 0) {
		const char *what = estimate_wrong(annotation);

		if (what) {
			complain(options->command, "--cycles: %s", what);
			return EXIT_USAGE;
		}
	}
	if (wrong) {
		complain(options->command, "%s", wrong);
		return EXIT_USAGE;
	}
	if ((options->shows_code && !can_show_code(annotation)) ||
	    (options->shows_layout && !can_show_layout(annotation)) ||
	    (options->shows_objects && !can_show_objects(annotation)) ||
	    (options->shows_types && !can_show_types(annotation)))
		return EXIT_FAILED;
	status = make(annotation);
	if (status) {
		complain_status(options->command, NULL, status);
		return EXIT_FAILED;
	}
	if (annotation->has_code && annotation->code.unknown) {
		complain(options->command,
			 "--asm=%s: expected a function, an address or FILE:LINE of the profile",
			 annotation->code.unknown);
		return EXIT_FAILED;
	}
	if (!options->quiet)
		print_warnings(annotation);
	return EXIT_FINE;
}

void annotation_release(struct annotation *annotation)
{
	annotated_release(&annotation->annotated);
	machinecode_release(&annotation->code);
	if (annotation->has_layout)
		placement_release(&annotation->placement);
	if (annotation->has_types)
		typecosts_release(&annotation->types);
	objecttypes_release(&annotation->object_types);
	self_costs_release(&annotation->self_costs);
	if (annotation->inclusive.env)
		inclusive_release(&annotation->inclusive);
	arena_release(&annotation->arena);
}

struct annotation_names annotation_names(const struct annotation *annotation, uint32_t function)
{
	const struct model *model = annotation->model;
	const struct model_function *names = &model->functions[function];

	return (struct annotation_names){
		.function = model_name(model, NAME_FUNCTION, names->name),
		.file = model_name(model, NAME_FILE, names->file),
		.object = model_name(model, NAME_OBJECT, names->object),
		.has_object = model->has_objects && names->object != DICTIONARY_UNKNOWN,
	};
}
