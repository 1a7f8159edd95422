/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/part.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/instrument/client.h"
#include "tool/instrument/state.h"
#include "tool/output/dump.h"
#include "tool/output/state.h"
#include "tool/simulate/state.h"

enum {
	SUFFIX_SIZE = 16,  /* bytes of ".4294967295" with its NUL */
	TRIGGER_SIZE = 48, /* likewise of "--dump-every-bb=18446744073709551615" */
};

/* In a program that has sealed itself off, even asking for the time may be forbidden. */
static UInt now_ms(void)
{
	return tool_output.options.dump_every_ms == 0 || tool_self.sealed
		       ? 0
		       : VG_(read_millisecond_timer)();
}

/* What is due by blocks or by time is counted from here on. */
static void count_anew(void)
{
	tool_output.parts.began_blocks = tool_output.parts.n_blocks;
	tool_output.parts.began_ms = now_ms();
}

static void begin(UInt thread)
{
	tool_output.parts.began += client_blocks_entered();
	count_anew();
	client_zero(thread);
	if (thread == 0)
		unprofiled_zero(&tool_output.unprofiled);
}

UInt parts_number(void)
{
	return tool_output.parts.before + tool_output.parts.n + 1;
}

/* The thread that runs, if there are files by threads.  Files beside the profile are of all of them. */
static UInt own_thread(void)
{
	return dump_by_threads() && !beside_any() ? tool_calls.threads.running->number : 0;
}

/* Adds to what is written what is not counted any more: all, or what one thread had. */
static void note_written(const ULong before[N_EVENTS], UInt thread)
{
	ULong after[N_EVENTS] = { 0 };

	if (thread != 0)
		client_totals(after);
	for (UInt event = 0; event < N_EVENTS; event++)
		tool_output.parts.written[event] += before[event] - after[event];
}

/* Whether one was written. */
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
		begin(thread);
		note_written(totals, thread);
	}
	tool_instrument.goes_on = False;
	return written;
}

Bool part_write_final(const HChar *trigger)
{
	Bool written = !tool_self.sealed && dump_profile("", trigger, 0, VG_(clo_verbosity) > 1);

	memsim_uncharge_resident(&tool_simulate.memsim);
	return written;
}

static void zero(UInt thread)
{
	tool_instrument.goes_on = True;
	client_settle();
	begin(thread);
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
	count_anew(); /* also if it could not be written */
}
