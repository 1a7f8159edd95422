/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control/control.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_transtab.h"

#include "tool/tool.h"
#include "tool/translate/client.h"

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
		tool.regions.forgotten = True;
		threads_stop(&tool.threads, tool.hot);
		hooks_forget();
	}
	if (on && tool.options.stack_seed)
		threads_want_seeds(&tool.threads);
	tool.instrumenting = on;
	tool.has_instrumented |= on;
	discard_all();
	return True;
}

void control_evict(struct address_range range)
{
	if (tool.engine == &engine_plain)
		hierarchy_evict(&tool.hierarchy, range);
	else
		machine_evict(tool.machine, range);
	if (tool.paths == &memsim_paths)
		memory_evict(&tool.memsim.memory, range);
}

void control_name_code(Addr address, SizeT size, const HChar *name)
{
	struct address_range range = address_range(address, size);

	/* Interned: the same names come again and again. */
	name = text_intern(&tool.symbols.names, name, VG_(strlen)(name))->chars;
	named_code_set(&tool.symbols.named_code, range, name);
	VG_(discard_translations_safely)(range.first, range.last - range.first + 1, "costgrind");
}
