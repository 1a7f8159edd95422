/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sites are sorted by function, sites of one position are added up, and each
 * position becomes a cost line.  The order depends on names and addresses
 * only, so that the same run gives the same bytes.
 */
#include "tool/dump.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

#include "tool/client.h"
#include "tool/message.h"
#include "tool/tool.h"
#include "writer/writer.h"

static void *env_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return VG_(malloc)("costgrind.writer", size);
}

static void env_release(void *ctx, void *memory)
{
	(void)ctx;
	if (memory != NULL)
		VG_(free)(memory);
}

/* The recorded events out of all, in the order of the columns. */
static void to_columns(const struct event_set *events, const ULong *counts,
		       uint64_t columns[N_EVENTS])
{
	for (UInt i = 0; i < events->n; i++)
		columns[i] = counts[events->events[i]];
}

static void write_command(struct writer *writer)
{
	SizeT n_args = (SizeT)VG_(sizeXA)(VG_(args_for_client));
	const char **args = VG_(malloc)("costgrind.args", (n_args + 1) * sizeof(*args));

	args[0] = VG_(args_the_exename);
	for (SizeT i = 0; i < n_args; i++)
		args[i + 1] = *(HChar **)VG_(indexXA)(VG_(args_for_client), (Word)i);
	writer_cmd(writer, args, n_args + 1);
	VG_(free)(args);
}

static void write_cache(struct writer *writer, const char *name,
			const struct cache_geometry *geometry)
{
	HChar text[96];

	if (geometry->assoc == 1)
		VG_(snprintf)(text, sizeof(text), "%llu B, %u B, direct-mapped",
			      (ULong)geometry->size, geometry->line_size);
	else
		VG_(snprintf)(text, sizeof(text), "%llu B, %u B, %u-way associative",
			      (ULong)geometry->size, geometry->line_size, geometry->assoc);
	writer_desc(writer, name, text);
}

/* EstCyc = Ir + 10 I1mr + ...: the recorded events, each with its weight. */
static void write_estimated_cycles(struct writer *writer, const struct event_set *events)
{
	HChar formula[256];
	UInt len = 0;

	if (events->n == 1)
		return; /* nothing but Ir: it would be Ir again */
	for (UInt i = 0; i < events->n; i++) {
		const struct event_info *info = &event_table[events->events[i]];

		if (info->cycles == 0)
			continue;
		if (info->cycles == 1)
			len += VG_(snprintf)(formula + len, (Int)(sizeof(formula) - len), "%s%s",
					     len == 0 ? "" : " + ", info->name);
		else
			len += VG_(snprintf)(formula + len, (Int)(sizeof(formula) - len), "%s%u %s",
					     len == 0 ? "" : " + ", info->cycles, info->name);
	}
	tl_assert(len < sizeof(formula) - 1);
	writer_event(writer, "EstCyc", formula, "Estimated cycles");
}

static void write_events(struct writer *writer, const struct event_set *events)
{
	const char *names[N_EVENTS];

	for (UInt i = 0; i < events->n; i++) {
		const struct event_info *info = &event_table[events->events[i]];

		names[i] = info->name;
		writer_event(writer, info->name, NULL, info->long_name);
	}
	write_estimated_cycles(writer, events);
	writer_positions(writer);
	writer_events(writer, names, events->n);
}

static void write_header(struct writer *writer, const struct tool *state, const HChar *trigger,
			 const uint64_t *totals)
{
	HChar range[64];

	writer_format(writer);
	writer_version(writer);
	writer_creator(writer, "costgrind-" COSTGRIND_VERSION);
	writer_pid(writer, (uint64_t)VG_(getpid)());
	write_command(writer);
	writer_part(writer, 1);
	if (state->options.cache_sim) {
		write_cache(writer, "I1 cache", &state->geometry.i1);
		write_cache(writer, "D1 cache", &state->geometry.d1);
		write_cache(writer, "LL cache", &state->geometry.ll);
	}
	VG_(snprintf)(range, sizeof(range), "Basic block 0 - %llu", client_blocks_entered());
	writer_desc(writer, "Timerange", range);
	writer_desc(writer, "Trigger", trigger);
	write_events(writer, &state->events);
	writer_summary(writer, totals);
}

static struct name name_of(const struct text *text)
{
	return (struct name){ text->chars, text->len, text->id };
}

/* ob= if it changes, fl= and fn= */
static void write_function(struct writer *writer, const struct function *function,
			   const struct function *previous)
{
	struct name object = name_of(function->object);
	struct name file = name_of(function->file);
	struct name name = { function->name->chars, function->name->len, function->id };

	writer_blank(writer);
	if (previous == NULL || previous->object != function->object)
		writer_position(writer, SPEC_OB, &object);
	writer_position(writer, SPEC_FL, &file);
	writer_position(writer, SPEC_FN, &name);
}

static void write_file(struct writer *writer, const struct text *file,
		       const struct function *function)
{
	struct name name = name_of(file);

	writer_position(writer, file == function->file ? SPEC_FE : SPEC_FI, &name);
}

/* Whether two sites are written in one line. */
static Bool same_position(const struct options *options, const struct place *a,
			  const struct place *b)
{
	return a->function == b->function && a->file == b->file &&
	       (!options->dump_line || a->line == b->line) &&
	       (!options->dump_instr || a->address == b->address);
}

static void write_body(struct writer *writer, const struct tool *state, struct site *const *sites,
		       UInt n_sites)
{
	const struct function *function = NULL;
	const struct text *file = NULL;
	UInt next;

	for (UInt i = 0; i < n_sites; i = next) {
		const struct place *place = &sites[i]->place;
		struct position position = { place->address, place->line };
		ULong counts[N_EVENTS] = { 0 };
		uint64_t columns[N_EVENTS];

		for (next = i; next < n_sites; next++) {
			if (!same_position(&state->options, place, &sites[next]->place))
				break;
			site_sum(sites[next], counts);
		}
		if (function == NULL || place->function != function) {
			write_function(writer, place->function, function);
			function = place->function;
			file = function->file;
		}
		if (place->file != file)
			write_file(writer, place->file, function);
		file = place->file;
		to_columns(&state->events, counts, columns);
		writer_cost(writer, &position, columns, state->events.n);
	}
}

/* Returns 0 or the writer's error. */
static Int write_profile(struct tool *state, struct output_file *file, const HChar *trigger)
{
	const struct env env = { env_alloc, env_release, output_write, file };
	const struct writer_options options = {
		.positions = (state->options.dump_line ? POSITION_LINE : 0U) |
			     (state->options.dump_instr ? POSITION_INSTR : 0U),
		.compress_names = state->options.compress_strings,
		.compress_positions = state->options.compress_pos,
	};
	struct writer writer;
	ULong counts[N_EVENTS];
	uint64_t totals[N_EVENTS];
	struct site **sites;
	UInt n_sites;
	Int error;

	client_totals(counts);
	symbols_rank(&state->symbols);
	sites = sites_sorted(&state->sites, state->options.dump_instr, &n_sites);
	to_columns(&state->events, counts, totals);
	writer_init(&writer, &env, &options);
	write_header(&writer, state, trigger, totals);
	write_body(&writer, state, sites, n_sites);
	writer_blank(&writer);
	writer_totals(&writer, totals);
	error = writer_finish(&writer);
	writer_release(&writer);
	if (sites != NULL)
		VG_(free)(sites);
	tl_assert(error >= 0); /* memory does not run out here, and the order of calls is right */
	return error;
}

static void tell_error(const struct output_file *file, const HChar *suffix, Int error)
{
	const HChar *path = file->output->path;
	SizeT dir_len = (SizeT)(file->output->base - path);
	HChar *dir;

	if (file->kind != OUTPUT_RENAMED || file->fd < 0) {
		message_error("%s%s: %s; no profile was written", path, suffix,
			      message_reason(error));
		return;
	}
	dir = VG_(malloc)("costgrind.dir", dir_len + 1);
	VG_(strlcpy)(dir, path, dir_len + 1);
	message_error("%s%s: %s; what was written is in %s%s", path, suffix, message_reason(error),
		      dir, file->partial);
	VG_(free)(dir);
}

Bool dump_profile(struct tool *state, const HChar *suffix, const HChar *trigger, Bool closing_line)
{
	struct output_file file;
	Int error = output_begin(&state->output, suffix, &file);

	if (error == 0)
		error = output_end(&file, write_profile(state, &file, trigger));
	if (error != 0)
		tell_error(&file, suffix, error);
	else if (closing_line)
		message_note("profile written to %s%s%s; view it with callgrind_annotate or "
			     "kcachegrind",
			     state->output.path, suffix, file.replaced ? " (replaced)" : "");
	output_release(&file);
	return error == 0;
}
