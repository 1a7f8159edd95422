/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control.h"

#include "pub_tool_transtab.h"

#include "tool/client.h"
#include "tool/tool.h"

/* All addresses but those of the first page, where no code is. */
static void discard_all(void)
{
	VG_(discard_translations_safely)(0x1000, ~(SizeT)0xfff, "costgrind");
}

Bool control_instrument(Bool on)
{
	if (tool.instrumenting == on)
		return False;
	if (!on) {
		client_settle();
		memsim_uncharge_resident(&tool.memsim);
		regions_keep_only(NULL);
		threads_stop(&tool.threads, tool.hot);
		hooks_forget();
	}
	tool.instrumenting = on;
	discard_all();
	return True;
}

void control_flush_caches(void)
{
	if (tool.engine == &engine_plain)
		hierarchy_clear(&tool.hierarchy);
	else
		machine_flush(tool.machine);
	if (tool.paths == &memsim_paths)
		memory_clear(&tool.memsim.memory);
}
