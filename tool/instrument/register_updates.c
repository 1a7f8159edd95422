/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/register_updates.h"

#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "tool/instrument/state.h"

/* VEX has a copy of the core's settings, which it got before the first translation. */
extern VexControl vex_control;

static void set(VexRegisterUpdates updates, VexRegisterUpdates updates_of_files)
{
	vex_control.iropt_register_updates_default = updates;
	VG_(clo_vex_control).iropt_register_updates_default = updates;
	VG_(clo_px_file_backed) = updates_of_files;
}

static Bool is_less(VexRegisterUpdates updates)
{
	return updates < VexRegUpdAllregsAtMemAccess;
}

static void keep_all(struct register_updates *updates)
{
	updates->kept = True;
	if (!tool_instrument.options.architectural)
		return;
	if (!updates->once) {
		updates->usual = VG_(clo_vex_control).iropt_register_updates_default;
		updates->usual_of_files = VG_(clo_px_file_backed);
	}
	if (!is_less(updates->usual) && !is_less(updates->usual_of_files))
		return;
	if (is_less(updates->usual))
		updates->usual = VexRegUpdAllregsAtMemAccess;
	if (is_less(updates->usual_of_files))
		updates->usual_of_files = VexRegUpdAllregsAtMemAccess;
	if (!updates->once)
		set(updates->usual, updates->usual_of_files);
	VG_(discard_translations)(0x1000, ~0xfffULL, "costgrind");
}

void register_updates_handle(struct register_updates *updates, Int signal, Bool handler)
{
	if (signal == VKI_SIGSEGV)
		updates->handles_segv = handler;
	else if (signal == VKI_SIGBUS)
		updates->handles_bus = handler;
}

void register_updates_protect(struct register_updates *updates)
{
	updates->wanted |= updates->handles_segv || updates->handles_bus;
}

void register_updates_fault(struct register_updates *updates, Int signal)
{
	updates->wanted |= signal == VKI_SIGSEGV || signal == VKI_SIGBUS;
}

void register_updates_apply(struct register_updates *updates)
{
	if (updates->wanted && !updates->kept)
		keep_all(updates);
}

void register_updates_ask_once(struct register_updates *updates)
{
	if (!updates->once) {
		updates->usual = VG_(clo_vex_control).iropt_register_updates_default;
		updates->usual_of_files = VG_(clo_px_file_backed);
	}
	updates->once = True;
	set(VexRegUpdAllregsAtEachInsn, VexRegUpdAllregsAtEachInsn);
}

Bool register_updates_take_once(struct register_updates *updates)
{
	Bool once = updates->once;

	if (once)
		set(updates->usual, updates->usual_of_files);
	updates->once = False;
	return once;
}
