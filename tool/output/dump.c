/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which files are written, and when: profiles, with header, body (tool/output/graph.h) and totals, one for each thread
 * if wanted; companion files; and parts of a run.
 */
#include "tool/output/state.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"

#include "tool/calls/state.h"
#include "tool/calls/systime.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/generated/generated.h"
#include "tool/instrument/client.h"
#include "tool/instrument/state.h"
#include "tool/output/graph.h"
#include "tool/simulate/state.h"
#include "writer/shared/besidename.h"
#include "writer/writer.h"

enum {
	THREAD_SUFFIX_SIZE = 16, /* bytes of "-4294967295" with its NUL */
	SUFFIX_SIZE = 16,        /* bytes of ".4294967295" with its NUL */
	TRIGGER_SIZE = 48,       /* bytes of "--dump-every-bb=18446744073709551615" with its NUL */
	NAME_ROOM = 64, /* bytes that a name has besides the profile's: suffixes, .partial */
};

/* Reports why a file was not written. */
static void report_error(const struct output_file *file, const HChar *suffix, Int error)
{
	output_report_error(file, suffix, error, tool_instrument.goes_on);
}

/* --- companion files --------------------------------------------------------------------- */

/* Each file by what messages call it, its name, and what writes it. */
static const struct {
	const HChar *what, *name;
	Int (*write)(struct output_file *file, const HChar *trigger); /* 0 or the writer's error */
	void (*note)(void);                                           /* reports more, or NULL */
} files[N_COMPANIONS] = {
	[COMPANION_TREE] = { "call tree", "tree", treefile_write, treefile_note },
	[COMPANION_DATA] = { "data profile", "data", datafile_write, NULL },
};

/* The name for this process, without a suffix; VG_(free) it. */
static HChar *make_name(enum companion file)
{
	const HChar *profile = tool_output.output.base;
	struct besidename name = besidename_of(files[file].name, profile, VG_(strlen)(profile));
	HChar pid[16], *text;
	SizeT size;

	if (!tool_output.companions.has_profile || name.label_len + NAME_ROOM > LINUX_NAME_MAX) {
		name.label_len = VG_(snprintf)(pid, sizeof(pid), "%d", VG_(getpid)());
		name.label = pid;
		name.before = "";
	}
	size = name.label_len + NAME_ROOM;
	text = VG_(malloc)("costgrind.companion", size);
	VG_(snprintf)
	(text, (Int)size, "%s%s.%s" BESIDENAME_ENDING, name.before, files[file].name, name.label);
	return text;
}

/* Adds n characters to a format, for which they are no directives. */
static void add_literal(HChar *format, SizeT *len, const HChar *chars, SizeT n)
{
	for (SizeT i = 0; i < n; i++) {
		if (chars[i] == '%')
			format[(*len)++] = '%';
		format[(*len)++] = chars[i];
	}
}

static void init_one(enum companion file)
{
	const struct output *profile = &tool_output.output;
	HChar *name = make_name(file), *format;
	SizeT dir_len = 0, name_len = VG_(strlen)(name), len = 0;

	/* The profile's directory, with its slash; the starting directory if it has none. */
	if (tool_output.companions.has_profile)
		dir_len = (SizeT)(profile->base - profile->path);
	format = VG_(malloc)("costgrind.format", 2 * (dir_len + name_len) + 1); /* never freed */
	add_literal(format, &len, profile->path, dir_len);
	add_literal(format, &len, name, name_len);
	format[len] = '\0';
	output_init(&tool_output.companions.outputs[file], profile->root, files[file].what, format,
		    "");
	VG_(free)(name);
}

void companions_init(void)
{
	tool_output.companions.has_profile = output_is_file(&tool_output.output);
	for (UInt i = 0; i < N_COMPANIONS; i++)
		if (tool_output.companions.wanted[i])
			init_one(i);
}

/* Does something with each companion that is wanted. */
static void each_companion(void (*act)(struct output *output))
{
	for (UInt i = 0; i < N_COMPANIONS; i++)
		if (tool_output.companions.wanted[i])
			act(&tool_output.companions.outputs[i]);
}

void companions_fork(void)
{
	for (UInt i = 0; i < N_COMPANIONS; i++)
		if (tool_output.companions.wanted[i]) {
			HChar *name = make_name(i);

			output_fork_as(&tool_output.companions.outputs[i], name);
			VG_(free)(name);
		}
}

void companions_hold(void)
{
	each_companion(output_hold);
}

static Bool is_any_companion_wanted(void)
{
	for (UInt i = 0; i < N_COMPANIONS; i++)
		if (tool_output.companions.wanted[i])
			return True;
	return False;
}

static Bool write_one(enum companion which, const HChar *suffix, const HChar *trigger,
		      Bool closing_line)
{
	struct output *output = &tool_output.companions.outputs[which];
	struct output_file file;
	Int error = output_begin(output, suffix, &file);

	if (error == 0)
		error = output_end(&file, files[which].write(&file, trigger));
	if (error != 0) {
		report_error(&file, suffix, error);
	} else if (closing_line) {
		message_note("%s written to %s%s%s", files[which].what, output->path, suffix,
			     file.replaced ? " (replaced)" : "");
		if (files[which].note != NULL)
			files[which].note();
		output_report_in_place(&file, suffix);
	}
	output_release(&file);
	return error == 0;
}

static Bool write_companions(const HChar *suffix, const HChar *trigger, Bool closing_line)
{
	Bool done = True;

	for (UInt i = 0; i < N_COMPANIONS; i++)
		if (tool_output.companions.wanted[i])
			done = write_one(i, suffix, trigger, closing_line) && done;
	return done;
}

/* --- profiles ---------------------------------------------------------------------------- */

/* What goes into one file. */
struct dump_spec {
	const HChar *suffix;
	const HChar *companions; /* suffix of their names */
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

/* EstCyc = Ir + Dr + Dw + 4 I1mr + ...: recorded events with their weights. */
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

/* "Cycles of zen4 (tenths)": the machine's title begins with its name. */
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
	/* What was counted needs no estimate. */
	if (event_is_recorded(events, EVENT_CYBASE))
		write_cycles(writer);
	else
		write_estimated_cycles(writer, events);
	writer_positions(writer);
	writer_events(writer, names, events->n);
}

/* The beginning of a file, or what separates two parts in it. */
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

/* A desc_taker. */
static void write_desc(void *ctx, const HChar *type, const HChar *text)
{
	writer_desc(ctx, type, text);
}

/* The name of the data profile of a part. */
static void write_data_profile(struct writer *writer, const HChar *suffix)
{
	const HChar *base = tool_output.companions.outputs[COMPANION_DATA].base;
	const SizeT size = VG_(strlen)(base) + VG_(strlen)(suffix) + 1;
	HChar *name = VG_(malloc)("costgrind.companion", size);

	VG_(snprintf)(name, (Int)size, "%s%s", base, suffix);
	writer_desc(writer, "Data profile", name);
	VG_(free)(name);
}

/* For conflicts_tell(). */
static void write_conflict(void *ctx, const HChar *text)
{
	writer_desc(ctx, "Conflicts", text);
}

static void write_header(struct writer *writer, const struct dump_spec *spec, const ULong *counts,
			 const uint64_t *totals)
{
	HChar range[64];

	writer_pid(writer, (uint64_t)VG_(getpid)());
	descs_write_command(writer);
	writer_part(writer, parts_number());
	if (spec->thread != 0)
		writer_thread(writer, spec->thread);
	if (machinedescs_name() != NULL)
		writer_desc(writer, "Machine", machinedescs_name());
	if (tool_simulate.options.cache_sim) {
		write_cache(writer, &tool_simulate.caches.i1);
		write_cache(writer, &tool_simulate.caches.d1);
		for (UInt i = 0; i < tool_simulate.caches.n_lower; i++)
			write_cache(writer, &tool_simulate.caches.lower[i]);
	}
	machinedescs_units(write_desc, writer);
	if (spec->thread == 0) /* they are of all threads */
		conflicts_tell(&tool_simulate.reasons.conflicts, write_conflict, writer);
	if (tool_output.companions.wanted[COMPANION_DATA])
		write_data_profile(writer, spec->companions);
	fingerprint_write(writer);
	own_files_tell(&tool_symbols.own, write_desc, writer);
	VG_(snprintf)(range, sizeof(range), "Basic block %llu - %llu", tool_output.parts.began,
		      tool_output.parts.began + client_blocks_entered());
	writer_desc(writer, "Timerange", range);
	writer_desc(writer, "Trigger", spec->trigger);
	outcome_tell(spec->thread, counts[EVENT_IR], spec->of_process, write_desc, writer);
	descs_write(&tool_output.job_descs, writer);
	descs_write(&tool_output.options.descs, writer);
	descs_write(&tool_output.descs, writer);
	regions_write(writer, spec->thread);
	write_events(writer, &tool_counts.events);
	writer_summary(writer, totals);
}

/* Returns 0 or the writer's error. */
static Int write_profile(struct output_file *file, const struct dump_spec *spec)
{
	const struct env env = output_env(file);
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

	graph_totals(spec->graph, counts);
	graph_columns(&tool_counts.events, counts, totals);
	writer_init(&writer, &env, &options);
	write_beginning(&writer, file->is_further);
	write_header(&writer, spec, counts, totals);
	graph_write(&writer, spec->graph);
	writer_blank(&writer);
	writer_totals(&writer, totals);
	error = writer_finish(&writer);
	writer_release(&writer);
	tl_assert(error >= 0); /* memory does not run out here, and the order of calls is right */
	return error;
}

static void report_written(const struct dump_spec *spec, Bool replaced)
{
	message_note(
		"profile written to %s%s%s; show it by costgrind annotate or report, or kcachegrind",
		tool_output.output.path, spec->suffix, replaced ? " (replaced)" : "");
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
static Bool dump_file(const struct dump_spec *spec, Bool closing_line)
{
	struct output_file file;
	Int error = output_begin(&tool_output.output, spec->suffix, &file);

	if (error == 0)
		error = output_end(&file, tool_output.options.flat
						  ? flatfile_write(&file, spec->graph)
						  : write_profile(&file, spec));
	if (error != 0) {
		report_error(&file, spec->suffix, error);
	} else if (closing_line && dropin_name() == DROPIN_NONE) {
		report_written(spec, file.replaced);
		output_report_in_place(&file, spec->suffix);
	}
	output_release(&file);
	return error == 0;
}

/* True if there is anything to write; a thread that waits all the time may have only sysTime. */
static Bool has_costs(const struct graph *graph)
{
	ULong totals[N_EVENTS];

	graph_totals(graph, totals);
	for (UInt event = 0; event < N_EVENTS; event++)
		if (totals[event] != 0)
			return True;
	return False;
}

/* The suffix of a thread's file; VG_(free) it. */
static HChar *thread_suffix(const HChar *suffix, UInt thread)
{
	SizeT size = VG_(strlen)(suffix) + THREAD_SUFFIX_SIZE;
	HChar *text = VG_(malloc)("costgrind.suffix", size);

	VG_(snprintf)(text, (Int)size, "%s-%02u", suffix, thread);
	return text;
}

/* Callgrind writes a file for each thread that has run, even if it collected nothing. */
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
 * The thread that has a file if none has costs: the running one or, if all wait in the kernel while a monitor command
 * is executed, the first.  0 if there are others.
 */
static UInt only_thread(const struct graph *graph)
{
	UInt number = tool_calls.threads.running->number;

	if (has_costs(graph) || all_threads_have_files())
		return 0;
	for (UInt i = 1; number == 0 && i < tool_calls.threads.n; i++)
		if (threads_are_known(i))
			number = i;
	if (number == 0)
		number = 1;
	return threads_get(number)->number;
}

/*
 * Writes a file for each thread that has one, or for the one that is wanted; if none has, for only_thread().  If parts
 * are combined, all are in one file.
 */
static Bool dump_threads(const struct dump_spec *all, Bool closing_line)
{
	UInt wanted = all->thread != 0 ? all->thread : only_thread(all->graph);
	Bool combines = tool_output.output.combines;
	Bool done = True;
	/* A thread's own part does not end the part of the process. */
	Bool of_process = all->thread == 0;

	for (UInt i = 1; i < tool_calls.threads.n; i++) {
		const struct graph graph = graph_of_thread(all->graph, i);
		HChar *suffix = thread_suffix(all->suffix, i);
		const struct dump_spec spec = {
			.suffix = combines ? all->suffix : suffix,
			.companions = all->companions,
			.trigger = all->trigger,
			.thread = i,
			.of_process = of_process,
			.graph = &graph,
		};

		if (wanted == 0 ? has_file(&graph, i) : wanted == i) {
			done = dump_file(&spec, closing_line && !combines) && done;
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
	each_companion(output_withdraw);
}

/* True if each thread has a file of its own. */
static Bool has_thread_files(void)
{
	return tool_calls.options.separate_threads && tool_output.output.dir >= 0 &&
	       tool_output.output.held < 0;
}

Bool dump_profile(const HChar *suffix, const HChar *trigger, UInt thread, Bool closing_line)
{
	struct graph graph;
	const struct dump_spec spec = {
		.suffix = tool_output.output.combines ? "" : suffix,
		.companions = suffix,
		.trigger = trigger,
		.thread = thread,
		.of_process = True,
		.graph = &graph,
	};
	Bool done;

	output_begin_dump(&tool_output.output);
	each_companion(output_begin_dump);
	generated_name_late();
	graph_make(&graph);
	if (has_thread_files())
		done = dump_threads(&spec, closing_line);
	else
		done = dump_file(&spec, closing_line);
	graph_free(&graph);
	done = write_companions(suffix, trigger, closing_line) && done;
	if (!done && tool_instrument.goes_on)
		dump_withdraw();
	return done;
}

/* --- parts ------------------------------------------------------------------------------- */

/* In a program that has sealed itself off, even asking for the time may be forbidden. */
static UInt now_ms(void)
{
	return tool_output.options.dump_every_ms == 0 || tool_self.sealed
		       ? 0
		       : VG_(read_millisecond_timer)();
}

/* Starts counting what is due by blocks or by time. */
static void count_anew(void)
{
	tool_output.parts.began_blocks = tool_output.parts.n_blocks;
	tool_output.parts.began_ms = now_ms();
}

static void begin_part(UInt thread)
{
	tool_output.parts.began += client_blocks_entered();
	count_anew();
	client_zero(thread);
	if (thread == 0)
		unprofiled_zero();
}

UInt parts_number(void)
{
	return tool_output.parts.before + tool_output.parts.n + 1;
}

/* The running thread, if threads have files of their own; companion files are of all threads. */
static UInt own_thread(void)
{
	return has_thread_files() && !is_any_companion_wanted() ? tool_calls.threads.running->number
								: 0;
}

/* Adds what is not counted any more to what is written: everything, or what one thread had. */
static void note_written(const ULong before[N_EVENTS], UInt thread)
{
	ULong after[N_EVENTS] = { 0 };

	if (thread != 0)
		client_totals(after);
	for (UInt event = 0; event < N_EVENTS; event++)
		tool_output.parts.written[event] += before[event] - after[event];
}

/* Returns True if it was written. */
static Bool write_part(const HChar *trigger, UInt thread)
{
	struct parts *parts = &tool_output.parts;
	HChar suffix[SUFFIX_SIZE];
	ULong totals[N_EVENTS];
	Bool written;

	if (tool_self.sealed)
		return False;
	VG_(snprintf)(suffix, sizeof(suffix), ".%u", parts_number());
	tool_instrument.goes_on = True;
	written = dump_profile(suffix, trigger, thread, VG_(clo_verbosity) > 1);
	if (written) {
		parts->n++;
		output_keep(&tool_output.output);
		client_totals(totals);
		begin_part(thread);
		note_written(totals, thread);
	}
	tool_instrument.goes_on = False;
	return written;
}

Bool part_write_final(const HChar *trigger)
{
	Bool written = !tool_self.sealed && dump_profile("", trigger, 0, VG_(clo_verbosity) > 1);

	lastpath_uncharge_resident(&tool_simulate.last_path);
	return written;
}

static void zero(UInt thread)
{
	tool_instrument.goes_on = True;
	client_settle();
	begin_part(thread);
	tool_instrument.goes_on = False;
}

Bool part_write(const HChar *trigger)
{
	return write_part(trigger, 0);
}

Bool part_write_own(const HChar *trigger)
{
	return write_part(trigger, own_thread());
}

void part_zero(void)
{
	zero(0);
}

void part_zero_own(void)
{
	zero(own_thread());
}

void parts_fork(void)
{
	tool_output.parts = (struct parts){ .n_blocks = tool_output.parts.n_blocks };
	count_anew();
}

void parts_totals(ULong totals[N_EVENTS])
{
	client_totals(totals);
	for (UInt event = 0; event < N_EVENTS; event++)
		totals[event] += tool_output.parts.written[event];
}

void parts_look(ULong n_blocks)
{
	const struct output_options *options = &tool_output.options;
	struct parts *parts = &tool_output.parts;
	HChar trigger[TRIGGER_SIZE];

	parts->n_blocks = n_blocks;
	if ((options->dump_every_bb == 0 && options->dump_every_ms == 0) || tool_self.sealed)
		return;
	if (!tool_calls.instrumenting) {
		count_anew();
		return;
	}
	if (options->dump_every_bb != 0 && n_blocks - parts->began_blocks >= options->dump_every_bb)
		VG_(snprintf)(trigger, sizeof(trigger), "--dump-every-bb=%llu",
			      options->dump_every_bb);
	else if (options->dump_every_ms != 0 &&
		 now_ms() - parts->began_ms >= options->dump_every_ms)
		VG_(snprintf)(trigger, sizeof(trigger), "--dump-every-ms=%u",
			      options->dump_every_ms);
	else
		return;
	part_write(trigger);
	count_anew(); /* even if it could not be written */
}
