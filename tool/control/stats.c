/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control/stats.h"

#include "pub_tool_libcprint.h"
#include "pub_tool_tooliface.h"

#include "tool/tool.h"
#include "tool/translate/client.h"

static void print(const HChar *name, ULong value)
{
	VG_(dmsg)("costgrind: %-28s %llu\n", name, value);
}

void stats_print(void)
{
	print("objects:", tool.symbols.objects.n);
	print("files:", tool.symbols.files.n);
	print("functions:", tool.symbols.n_functions);
	print("contexts:", tool.contexts.n);
	print("calls of one by another:", VG_(HT_count_nodes)(tool.arcs.table));
	print("instructions:", VG_(HT_count_nodes)(tool.sites.table));
	print("... in more contexts:", VG_(HT_count_nodes)(tool.sites.cells));
	print("superblocks translated:", tool.blocks.n_numbers - 1);
	print("superblocks entered:", client_blocks_entered());
	print("parts written:", tool.parts.n);
	print("threads at once, at most:", tool.threads.n > 0 ? tool.threads.n - 1 : 0);
}

void stats_register(void)
{
	VG_(needs_print_stats)(stats_print);
}
