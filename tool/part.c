/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/part.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

#include "tool/client.h"
#include "tool/dump.h"
#include "tool/message.h"
#include "tool/tool.h"

enum {
	SUFFIX_SIZE = 16,  /* bytes of ".4294967295" with its NUL */
	TRIGGER_SIZE = 48, /* likewise of "--dump-every-bb=18446744073709551615" */
};

static void begin(void)
{
	client_settle();
	tool.parts.began += client_blocks_entered();
	tool.parts.began_blocks = tool.parts.n_blocks;
	tool.parts.began_ms = VG_(read_millisecond_timer)();
	client_zero();
}

void part_write(const HChar *trigger)
{
	struct parts *parts = &tool.parts;
	HChar suffix[SUFFIX_SIZE];
	ULong totals[N_EVENTS];

	if (tool.process.sealed)
		return;
	VG_(snprintf)(suffix, sizeof(suffix), ".%u", parts->n + 1);
	parts->is_writing = True;
	if (dump_profile(&tool, suffix, trigger, VG_(clo_verbosity) > 1)) {
		parts->n++;
		client_totals(totals);
		for (UInt event = 0; event < N_EVENTS; event++)
			parts->written[event] += totals[event];
		begin();
	}
	parts->is_writing = False;
}

void part_zero(void)
{
	tool.parts.is_writing = True;
	begin();
	tool.parts.is_writing = False;
}

void parts_fork(void)
{
	tool.parts = (struct parts){ .n = 0 };
}

void parts_totals(ULong totals[N_EVENTS])
{
	client_totals(totals);
	for (UInt event = 0; event < N_EVENTS; event++)
		totals[event] += tool.parts.written[event];
}

void parts_look(ULong n_blocks)
{
	const struct options *options = &tool.options;
	struct parts *parts = &tool.parts;
	HChar trigger[TRIGGER_SIZE];

	parts->n_blocks = n_blocks;
	if (options->dump_every_bb == 0 && options->dump_every_ms == 0)
		return;
	if (options->dump_every_bb != 0 && n_blocks - parts->began_blocks >= options->dump_every_bb)
		VG_(snprintf)(trigger, sizeof(trigger), "--dump-every-bb=%u",
			      options->dump_every_bb);
	else if (options->dump_every_ms != 0 &&
		 VG_(read_millisecond_timer)() - parts->began_ms >= options->dump_every_ms)
		VG_(snprintf)(trigger, sizeof(trigger), "--dump-every-ms=%u",
			      options->dump_every_ms);
	else
		return;
	part_write(trigger);
}
