/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control/control.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_transtab.h"

#include "tool/calls/state.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"
#include "tool/translate/client.h"
#include "tool/translate/state.h"

/* All addresses but those of the first page, where no code is. */
static void discard_all(void)
{
	VG_(discard_translations_safely)(0x1000, ~(SizeT)0xfff, "costgrind");
}

Bool control_instrument(Bool on)
{
	if (tool_calls.instrumenting == on)
		return False;
	if (!on) {
		client_settle();
		memsim_uncharge_resident(&tool_translate.memsim);
		regions_keep_only(NULL);
		tool_calls.regions.forgotten = True;
		threads_stop(&tool_calls.threads, tool_counts.hot);
		hooks_forget();
	}
	if (on && tool_calls.options.stack_seed)
		threads_want_seeds(&tool_calls.threads);
	tool_calls.instrumenting = on;
	tool_calls.has_instrumented |= on;
	discard_all();
	return True;
}

void control_evict(struct address_range range)
{
	if (tool_translate.engine == &engine_reference)
		hierarchy_evict(&tool_translate.hierarchy, range);
	else
		machine_evict(tool_translate.machine, range);
	if (tool_translate.has_memsim)
		memsim_evict(&tool_translate.memsim, range);
}

void control_name_code(Addr address, SizeT size, const HChar *name)
{
	struct address_range range = address_range(address, size);

	/* Interned: the same names come again and again. */
	name = text_intern(&tool_symbols.names, name, VG_(strlen)(name))->chars;
	named_code_set(&tool_symbols.named_code, range, name);
	VG_(discard_translations_safely)(range.first, range.last - range.first + 1, "costgrind");
}
