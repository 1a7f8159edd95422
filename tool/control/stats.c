/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control/stats.h"

#include "pub_tool_libcprint.h"
#include "pub_tool_tooliface.h"

#include "tool/calls/state.h"
#include "tool/counts/state.h"
#include "tool/output/state.h"
#include "tool/symbols/symbol.h"
#include "tool/translate/client.h"

static void print(const HChar *name, ULong value)
{
	VG_(dmsg)("costgrind: %-28s %llu\n", name, value);
}

void stats_print(void)
{
	print("objects:", tool_symbols.objects.n);
	print("files:", tool_symbols.files.n);
	print("functions:", tool_symbols.n_functions);
	print("contexts:", tool_counts.contexts.n);
	print("calls of one by another:", VG_(HT_count_nodes)(tool_calls.arcs.table));
	print("instructions:", VG_(HT_count_nodes)(tool_counts.sites.table));
	print("... in more contexts:", VG_(HT_count_nodes)(tool_counts.sites.cells));
	print("superblocks translated:", tool_counts.blocks.n_numbers - 1);
	print("superblocks entered:", client_blocks_entered());
	print("parts written:", tool_output.parts.n);
	print("threads at once, at most:", tool_calls.threads.n > 0 ? tool_calls.threads.n - 1 : 0);
}

void stats_register(void)
{
	VG_(needs_print_stats)(stats_print);
}
