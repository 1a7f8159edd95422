/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/format/emit.h"

#include "profile/common/dictionary.h"
#include "profile/common/region.h"

static int status_of(const struct emitter *emitter)
{
	int error = emitter->writer.out.error;

	if (error == 0)
		return PROFILE_OK;
	return error == OUT_NO_MEMORY ? PROFILE_NO_MEMORY : PROFILE_STOPPED;
}

/* The number of id in a table, a new one if it has none. */
static uint32_t number_of(struct idtable *table, uint64_t id, uint32_t *count)
{
	uint32_t number = idtable_get(table, id);

	if (number != IDTABLE_NONE)
		return number;
	idtable_put(table, id, *count);
	return (*count)++;
}

/* The number of a function: of the same object, file and name. */
static uint32_t function_number(struct emitter *emitter, const struct place *place)
{
	uint64_t where = (uint64_t)place->object.key << 32 | place->file.key;
	uint32_t number = number_of(&emitter->places, where, &emitter->n_places);

	return number_of(&emitter->functions, (uint64_t)number << 32 | place->function.key,
			 &emitter->n_functions);
}

static void write_function_name(struct emitter *emitter, enum position_spec spec,
				const struct place *place)
{
	struct name name = place->function;

	name.key = function_number(emitter, place);
	writer_position(&emitter->writer, spec, &name);
}

/* Before anything is written that belongs to the place that was reported last: ob= if it changes, fl=, fn=, fi= or fe=. */
static void go_to(struct emitter *emitter)
{
	const struct place *place = &emitter->place;
	struct writer *writer = &emitter->writer;
	uint64_t function;

	if (!emitter->place_is_new)
		return;
	function = function_number(emitter, place);
	emitter->place_is_new = false;
	if (!emitter->in_function || emitter->function != function) {
		writer_blank(writer);
		if (place->has_object &&
		    (!emitter->has_object || emitter->object != place->object.key)) {
			writer_position(writer, SPEC_OB, &place->object);
			emitter->has_object = true;
			emitter->object = place->object.key;
		}
		writer_position(writer, SPEC_FL, &place->file);
		write_function_name(emitter, SPEC_FN, place);
		emitter->file = emitter->source = place->file.key;
		emitter->in_function = true;
	}
	emitter->function = function;
	if (place->source.key != emitter->source)
		writer_position(writer, place->source.key == emitter->file ? SPEC_FE : SPEC_FI,
				&place->source);
	emitter->source = place->source.key;
}

static void begin_file(struct emitter *emitter, unsigned positions)
{
	struct writer *writer = &emitter->writer;

	emitter->options.positions = positions;
	emitter->has_writer = true;
	writer_init(writer, emitter->env, &emitter->options);
	writer_allow_foreign(writer);
	if (emitter->is_signed)
		writer_allow_negative(writer);
	if (emitter->full_rows)
		writer_fill_rows(writer);
	writer_format(writer);
	writer_version(writer);
}

static void write_regions(struct writer *writer, const struct part *part)
{
	struct bytes text;

	bytes_init(&text);
	for (size_t i = 0; i < part->n_regions; i++) {
		bytes_reset(&text);
		region_print(&part->regions[i], &text);
		bytes_add_char(&text, '\0');
		writer_desc(writer, REGION_DESC, text.text);
	}
	bytes_release(&text);
}

static int visit_part(void *ctx, const struct part *part)
{
	struct emitter *emitter = ctx;
	struct writer *writer = &emitter->writer;
	unsigned positions = part->positions ? part->positions : POSITION_LINE;

	if (!emitter->has_writer) {
		begin_file(emitter, positions);
		if (part->creator)
			writer_creator(writer, part->creator);
	} else {
		writer_blank(writer);
		writer_begin_part(writer);
		writer_change_positions(writer, positions);
	}
	emitter->in_function = emitter->has_object = false;
	emitter->place_is_new = true;
	emitter->n_events = part->n_events;
	if (part->has_pid)
		writer_pid(writer, part->pid);
	if (part->cmd)
		writer_command(writer, part->cmd);
	if (part->has_number)
		writer_part(writer, part->number);
	if (part->has_thread)
		writer_thread(writer, part->thread);
	for (size_t i = 0; i < part->n_descs; i++)
		writer_desc(writer, part->descs[i].type, part->descs[i].value);
	write_regions(writer, part);
	for (size_t i = 0; i < part->n_definitions; i++)
		writer_event(writer, part->definitions[i].name, part->definitions[i].formula,
			     part->definitions[i].long_name);
	writer_positions(writer);
	writer_events(writer, part->events, part->n_events);
	if (part->n_summary > 0)
		writer_summary(writer, part->summary);
	return status_of(emitter);
}

static int visit_place(void *ctx, const struct place *place)
{
	struct emitter *emitter = ctx;

	emitter->place = *place;
	emitter->place_is_new = true;
	return PROFILE_OK;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct emitter *emitter = ctx;

	go_to(emitter);
	writer_cost(&emitter->writer, at, costs, n_costs);
	return status_of(emitter);
}

/* cob=, cfi= where a reader could take it for another one, and cfn= */
static int visit_call(void *ctx, const struct call *call)
{
	struct emitter *emitter = ctx;
	struct writer *writer = &emitter->writer;
	const struct place *callee = &call->callee;

	go_to(emitter);
	if (callee->object.key != emitter->place.object.key)
		writer_position(writer, SPEC_COB, &callee->object);
	if (callee->file.key != emitter->source || callee->file.key != emitter->file)
		writer_position(writer, SPEC_CFI, &callee->file);
	write_function_name(emitter, SPEC_CFN, callee);
	writer_calls(writer, call->count, &call->target);
	writer_cost(writer, &call->at, call->costs, call->n_costs);
	return status_of(emitter);
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	struct emitter *emitter = ctx;
	struct writer *writer = &emitter->writer;

	go_to(emitter);
	if (jump->file.key != emitter->source)
		writer_position(writer, SPEC_JFI, &jump->file);
	if (jump->has_function) {
		struct name name = jump->function;

		name.key = NAME_NO_KEY; /* whose object and file are not known */
		writer_position(writer, SPEC_JFN, &name);
	}
	if (jump->is_conditional)
		writer_conditional_jump(writer, jump->followed, jump->executed, &jump->target,
					&jump->at);
	else
		writer_jump(writer, jump->followed, &jump->target, &jump->at);
	return status_of(emitter);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct emitter *emitter = ctx;

	/* Without a line of a body, what follows would be read as more of this header. */
	if (!emitter->in_function && part->n_totals == 0) {
		const struct name unknown = { "???", 3, DICTIONARY_UNKNOWN };

		writer_position(&emitter->writer, SPEC_FL, &unknown);
	}
	if (part->n_totals > 0) {
		writer_blank(&emitter->writer);
		writer_totals(&emitter->writer, part->totals);
	}
	return status_of(emitter);
}

static int visit_negative(void *ctx)
{
	struct emitter *emitter = ctx;

	emitter->is_signed = true;
	if (emitter->has_writer)
		writer_allow_negative(&emitter->writer);
	return PROFILE_OK;
}

void emitter_init(struct emitter *emitter, const struct env *env,
		  const struct writer_options *options)
{
	*emitter = (struct emitter){
		.visitor = { emitter, visit_part, visit_place, visit_cost, visit_call, visit_jump,
			     visit_part_end, visit_negative },
		.env = env,
		.options = *options,
	};
	idtable_init(&emitter->places);
	idtable_init(&emitter->functions);
}

int emitter_finish(struct emitter *emitter)
{
	if (!emitter->has_writer)
		begin_file(emitter, POSITION_LINE);
	return writer_finish(&emitter->writer);
}

void emitter_release(struct emitter *emitter)
{
	if (emitter->has_writer)
		writer_release(&emitter->writer);
	emitter->has_writer = false;
	idtable_release(&emitter->places);
	idtable_release(&emitter->functions);
}
