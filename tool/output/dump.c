/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile: its header, the body (tool/output/graph.h), and the file or files around
 * it.
 */
#include "tool/output/dump.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/calls/systime.h"
#include "tool/common/dropin.h"
#include "tool/common/message.h"
#include "tool/counts/state.h"
#include "tool/generated/generated.h"
#include "tool/instrument/client.h"
#include "tool/instrument/state.h"
#include "tool/output/beside.h"
#include "tool/output/graph.h"
#include "tool/output/machinedescs.h"
#include "tool/output/state.h"
#include "tool/output/writing.h"
#include "tool/simulate/state.h"
#include "writer/writer.h"

enum {
	THREAD_SUFFIX_SIZE = 16, /* bytes of "-4294967295" with its NUL */
};

/* One file. */
struct dump_part {
	const HChar *suffix;
	const HChar *beside; /* that of the files beside it */
	const HChar *trigger;
	UInt thread;     /* 0: all of them */
	Bool of_process; /* has the numbers that are of the whole process */
	const struct graph *graph;
};

static void write_cache(struct writer *writer, const struct cache_config *cache)
{
	HChar name[32], text[MACHINEDESCS_CACHE];

	VG_(snprintf)(name, sizeof(name), "%s cache", cache->name);
	machinedescs_cache(text, cache);
	writer_desc(writer, name, text);
}

/* EstCyc = Ir + Dr + Dw + 4 I1mr + ...: the recorded events, each with its weight. */
static void write_estimated_cycles(struct writer *writer, const struct event_set *events)
{
	HChar formula[256];
	UInt len = 0, n_terms = 0;

	for (UInt i = 0; i < events->n; i++) {
		const struct event_row *info = &event_table[events->events[i]];

		if (info->cycles == 0)
			continue;
		n_terms++;
		if (info->cycles == 1)
			len += VG_(snprintf)(formula + len, (Int)(sizeof(formula) - len), "%s%s",
					     len == 0 ? "" : " + ", info->name);
		else
			len += VG_(snprintf)(formula + len, (Int)(sizeof(formula) - len), "%s%u %s",
					     len == 0 ? "" : " + ", info->cycles, info->name);
	}
	tl_assert(len < sizeof(formula) - 1);
	if (n_terms == 1)
		return; /* nothing but Ir: it would be Ir again */
	writer_event(writer, EVENT_ESTIMATE, formula, EVENT_ESTIMATE_NAME);
}

/* "Cycles of zen4 (tenths)", by the machine's name, which its title begins with. */
static void write_cycles(struct writer *writer)
{
	HChar name[128], title[96];
	HChar *end;

	VG_(strlcpy)(title, machinedescs_name(), sizeof(title));
	end = VG_(strchr)(title, ',');
	if (end != NULL)
		*end = '\0';
	VG_(snprintf)(name, sizeof(name), "Cycles of %s (tenths)", title);
	writer_event(writer, EVENT_CYCLES, EVENT_CYCLES_FORMULA, name);
}

static void write_events(struct writer *writer, const struct event_set *events)
{
	const char *names[N_EVENTS];

	for (UInt i = 0; i < events->n; i++) {
		const struct event_row *info = &event_table[events->events[i]];

		names[i] = info->name;
		writer_event(writer, info->name, NULL,
			     events->events[i] == EVENT_SYS_TIME ? systime_long_name()
								 : info->long_name);
	}
	/* Nobody needs an estimate of what was counted. */
	if (event_is_recorded(events, EVENT_CYBASE))
		write_cycles(writer);
	else
		write_estimated_cycles(writer, events);
	writer_positions(writer);
	writer_events(writer, names, events->n);
}

/* What stands at the beginning of a file, or between two parts. */
static void write_beginning(struct writer *writer, Bool is_further)
{
	if (is_further) {
		writer_blank(writer);
		return;
	}
	writer_format(writer);
	writer_version(writer);
	writer_creator(writer, "costgrind-" COSTGRIND_VERSION);
}

/* A machinedescs_taker. */
static void write_desc(void *ctx, const HChar *type, const HChar *text)
{
	writer_desc(ctx, type, text);
}

/* As conflicts_tell() has it. */
static void write_conflict(void *ctx, const HChar *text)
{
	writer_desc(ctx, "Conflicts", text);
}

static void write_header(struct writer *writer, const struct dump_part *part, const ULong *counts,
			 const uint64_t *totals)
{
	HChar range[64];

	writer_pid(writer, (uint64_t)VG_(getpid)());
	writing_command(writer);
	writer_part(writer, parts_number());
	if (part->thread != 0)
		writer_thread(writer, part->thread);
	if (machinedescs_name() != NULL)
		writer_desc(writer, "Machine", machinedescs_name());
	if (tool_simulate.options.cache_sim) {
		write_cache(writer, &tool_simulate.caches.i1);
		write_cache(writer, &tool_simulate.caches.d1);
		for (UInt i = 0; i < tool_simulate.caches.n_lower; i++)
			write_cache(writer, &tool_simulate.caches.lower[i]);
	}
	machinedescs_units(write_desc, writer);
	if (part->thread == 0) /* they are of all threads */
		conflicts_tell(&tool_simulate.reasons.conflicts, write_conflict, writer);
	if (tool_output.besides.wanted[BESIDE_DATA]) {
		HChar *name = beside_name(BESIDE_DATA, part->beside);

		writer_desc(writer, "Data profile", name);
		VG_(free)(name);
	}
	fingerprint_write(&tool_output.fingerprint, writer);
	own_files_tell(&tool_symbols.own, write_desc, writer);
	VG_(snprintf)(range, sizeof(range), "Basic block %llu - %llu", tool_output.parts.began,
		      tool_output.parts.began + client_blocks_entered());
	writer_desc(writer, "Timerange", range);
	writer_desc(writer, "Trigger", part->trigger);
	outcome_tell(part->thread, counts[EVENT_IR], part->of_process, write_desc, writer);
	descs_write(&tool_output.job_descs, writer);
	descs_write(&tool_output.options.descs, writer);
	descs_write(&tool_output.descs, writer);
	regions_write(writer, part->thread);
	write_events(writer, &tool_counts.events);
	writer_summary(writer, totals);
}

/* Returns 0 or the writer's error. */
static Int write_profile(struct output_file *file, const struct dump_part *part)
{
	const struct env env = writing_env(file);
	const struct writer_options options = {
		.positions = (tool_output.options.dump_line ? POSITION_LINE : 0U) |
			     (tool_output.options.dump_instr ? POSITION_INSTR : 0U),
		.compress_names = tool_output.options.compress_strings,
		.compress_positions = tool_output.options.compress_pos,
	};
	struct writer writer;
	ULong counts[N_EVENTS];
	uint64_t totals[N_EVENTS];
	Int error;

	graph_totals(part->graph, counts);
	graph_columns(&tool_counts.events, counts, totals);
	writer_init(&writer, &env, &options);
	write_beginning(&writer, file->is_further);
	write_header(&writer, part, counts, totals);
	graph_write(&writer, part->graph);
	writer_blank(&writer);
	writer_totals(&writer, totals);
	error = writer_finish(&writer);
	writer_release(&writer);
	tl_assert(error >= 0); /* memory does not run out here, and the order of calls is right */
	return error;
}

static void report_written(const struct dump_part *part, Bool replaced)
{
	message_note(
		"profile written to %s%s%s; show it by costgrind annotate or report, or kcachegrind",
		tool_output.output.path, part->suffix, replaced ? " (replaced)" : "");
	if (tool_output.parts.n != 0 && tool_output.output.combines)
		message_note("it has %u parts", tool_output.parts.n + 1);
	else if (tool_output.parts.n == 1)
		message_note("it is the second part of the run; the first is in %s.%u",
			     tool_output.output.path, parts_number() - 1);
	else if (tool_output.parts.n > 1)
		message_note("it is the last of %u parts; the others are in %s.%u to .%u",
			     tool_output.parts.n + 1, tool_output.output.path,
			     tool_output.parts.before + 1, parts_number() - 1);
}

/* Writes one file. */
static Bool dump_part(const struct dump_part *part, Bool closing_line)
{
	struct output_file file;
	Int error = output_begin(&tool_output.output, part->suffix, &file);

	if (error == 0)
		error = output_end(&file, tool_output.options.flat
						  ? flatfile_write(&file, part->graph)
						  : write_profile(&file, part));
	if (error != 0 && tool_instrument.goes_on)
		writing_report_unwritten_part(&file, part->suffix, error);
	else if (error != 0)
		writing_report_error(&file, part->suffix, error);
	else if (closing_line && dropin_name() == DROPIN_NONE) {
		report_written(part, file.replaced);
		writing_report_in_place(&file, part->suffix);
	}
	output_release(&file);
	return error == 0;
}

/* Whether there is anything to write: a thread that waits all the time may have sysTime alone. */
static Bool has_costs(const struct graph *graph)
{
	ULong totals[N_EVENTS];

	graph_totals(graph, totals);
	for (UInt event = 0; event < N_EVENTS; event++)
		if (totals[event] != 0)
			return True;
	return False;
}

/* What is behind the name of a thread's file; VG_(free) it. */
static HChar *thread_suffix(const HChar *suffix, UInt thread)
{
	SizeT size = VG_(strlen)(suffix) + THREAD_SUFFIX_SIZE;
	HChar *text = VG_(malloc)("costgrind.suffix", size);

	VG_(snprintf)(text, (Int)size, "%s-%02u", suffix, thread);
	return text;
}

/* Callgrind writes a file for each thread that has run, also if it collected nothing. */
static Bool all_threads_have_files(void)
{
	return dropin_name() == DROPIN_CALLGRIND && tool_calls.has_instrumented;
}

static Bool has_file(const struct graph *graph, UInt thread)
{
	return has_costs(graph) ||
	       (all_threads_have_files() && tool_calls.threads.by_number[thread] != NULL);
}

/*
 * The thread that has a file, since none has costs: the one that runs or, if all wait in the kernel while
 * a monitor command is obeyed, the first.
 */
static UInt only_thread(const struct graph *graph)
{
	UInt number = tool_calls.threads.running->number;

	if (has_costs(graph) || all_threads_have_files())
		return 0;
	for (UInt i = 1; number == 0 && i < tool_calls.threads.n; i++)
		if (threads_are_known(&tool_calls.threads, i))
			number = i;
	if (number == 0)
		number = 1;
	return threads_get(&tool_calls.threads, number)->number;
}

/*
 * A file for each thread that has one, or for the one that is wanted; if none has, for only_thread().
 * If parts are combined, all are in one.
 */
static Bool dump_threads(const struct dump_part *all, Bool closing_line)
{
	UInt wanted = all->thread != 0 ? all->thread : only_thread(all->graph);
	Bool combines = tool_output.output.combines;
	Bool done = True;
	/* A thread's own part does not end that of the process. */
	Bool of_process = all->thread == 0;

	for (UInt i = 1; i < tool_calls.threads.n; i++) {
		const struct graph graph = graph_of_thread(all->graph, i);
		HChar *suffix = thread_suffix(all->suffix, i);
		const struct dump_part part = {
			.suffix = combines ? all->suffix : suffix,
			.beside = all->beside,
			.trigger = all->trigger,
			.thread = i,
			.of_process = of_process,
			.graph = &graph,
		};

		if (wanted == 0 ? has_file(&graph, i) : wanted == i) {
			done = dump_part(&part, closing_line && !combines) && done;
			of_process = False;
		}
		VG_(free)(suffix);
	}
	if (combines && done && closing_line)
		report_written(all, tool_output.output.grown.replaced);
	return done;
}

void dump_withdraw(void)
{
	if (!tool_output.output.combines) /* then it is cut off before the next */
		output_withdraw(&tool_output.output);
	beside_withdraw();
}

Bool dump_by_threads(void)
{
	return tool_calls.options.separate_threads && tool_output.output.dir >= 0 &&
	       tool_output.output.held < 0;
}

Bool dump_profile(const HChar *suffix, const HChar *trigger, UInt thread, Bool closing_line)
{
	struct graph graph;
	const struct dump_part part = {
		.suffix = tool_output.output.combines ? "" : suffix,
		.beside = suffix,
		.trigger = trigger,
		.thread = thread,
		.of_process = True,
		.graph = &graph,
	};
	Bool done;

	output_begin_dump(&tool_output.output);
	beside_begin_dump();
	generated_name_late();
	graph_make(&graph);
	if (dump_by_threads())
		done = dump_threads(&part, closing_line);
	else
		done = dump_part(&part, closing_line);
	graph_free(&graph);
	done = beside_write(suffix, trigger, closing_line) && done;
	if (!done && tool_instrument.goes_on)
		dump_withdraw();
	return done;
}
