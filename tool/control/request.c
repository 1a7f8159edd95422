/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/control/request.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_transtab.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/costgrind.h"
#include "tool/counts/state.h"
#include "tool/data/state.h"
#include "tool/generated/generated.h"
#include "tool/instrument/client.h"
#include "tool/instrument/state.h"
#include "tool/output/state.h"
#include "tool/simulate/state.h"
#include "tool/symbols/symbol.h"

/* -- instrumentation, caches, names ---------------------------------------- */

/* All addresses except the first page, where there is no code. */
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
		lastpath_uncharge_resident(&tool_simulate.last_path);
		regions_keep_only(NULL);
		tool_calls.regions.forgotten = True;
		threads_stop();
		hooks_forget();
	}
	if (on && tool_calls.options.stack_seed)
		threads_want_seeds();
	tool_calls.instrumenting = on;
	tool_calls.has_instrumented |= on;
	tool_calls.was_off |= !on;
	if (on)
		generated_resume();
	discard_all();
	return True;
}

void control_evict(struct address_range range)
{
	if (tool_simulate.oracle == NULL)
		machine_evict(tool_simulate.machine, range);
	else
		tool_simulate.oracle->evict(range);
	missreasons_evict(&tool_simulate.reasons, range);
	if (tool_simulate.has_last_path)
		lastpath_evict(&tool_simulate.last_path, range);
}

/*
 * Names code that the program has made, size bytes (1 or more) from address: it belongs to a
 * function of that name unless debug information says otherwise; "" removes names. Only from where
 * code may be discarded.
 */
static void control_name_code(Addr address, SizeT size, const HChar *name)
{
	const struct address_range range = address_range(address, size);
	const struct named_code code = {
		.range = range,
		.entry = range.first,
		.name = text_intern(&tool_symbols.names, name, VG_(strlen)(name)),
		};

	named_code_set(&tool_symbols.named_code, &code);
	VG_(discard_translations_safely)(range.first, range.last - range.first + 1, "costgrind");
}

/* -- client requests ------------------------------------------------------- */

enum {
	TEXT_SIZE = 256, /* bytes of a text of the program's, its NUL included */
	PAGE = 4096,
};

/* callgrind.h and cachegrind.h; Debian has no cachegrind.h. */
enum {
	CALLGRIND_DUMP_STATS = VG_USERREQ_TOOL_BASE('C', 'T'),
	CALLGRIND_ZERO_STATS,
	CALLGRIND_TOGGLE_COLLECT,
	CALLGRIND_DUMP_STATS_AT,
	CALLGRIND_START_INSTRUMENTATION,
	CALLGRIND_STOP_INSTRUMENTATION,
	CACHEGRIND_START_INSTRUMENTATION = VG_USERREQ_TOOL_BASE('C', 'G'),
	CACHEGRIND_STOP_INSTRUMENTATION,
};

/* A text of the program's, as far as it can be read. */
static const HChar *copy_text(UWord address, HChar text[TEXT_SIZE])
{
	UInt len = 0;

	/* A page of a truncated file is mapped but cannot be read: the kernel finds that out. */
	if (!tool_self.sealed) {
		Word n = syscall_read_own(text, address, TEXT_SIZE - 1);

		if (n >= 0 || n == -VKI_EFAULT) {
			text[n >= 0 ? n : 0] = '\0';
			return text;
		}
	}
	while (len < TEXT_SIZE - 1) {
		Addr at = address + len;

		if ((len == 0 || at % PAGE == 0) &&
		    !VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ))
			break;
		text[len] = *(const HChar *)at;
		if (text[len] == '\0')
			break;
		len++;
	}
	text[len] = '\0';
	return text;
}

/* --- what requests do -------------------------------------------------------------------- */

static void dump_at(UWord address, Bool (*write)(const HChar *trigger))
{
	HChar text[TEXT_SIZE], trigger[TEXT_SIZE + 32];

	if (address == 0) {
		write("Client Request");
		return;
	}
	VG_(snprintf)(trigger, sizeof(trigger), "Client Request: %s", copy_text(address, text));
	write(trigger);
}

/* As in Callgrind: the contents of the caches are forgotten, and collection is as at the start. */
static void instrument_as_callgrind(Bool on)
{
	if (!control_instrument(on))
		return;
	if (dropin_name() != DROPIN_NONE)
		control_evict(address_range_all());
}

static void instrument_as_cachegrind(Bool on)
{
	const HChar *name = on ? "START" : "STOP";

	if (control_instrument(on))
		return;
	VG_(umsg)("warning: CACHEGRIND_%s_INSTRUMENTATION called,\n"
		  "         but instrumentation is already %s\n",
		  name, on ? "enabled" : "disabled");
}

static void end_region(UWord address)
{
	HChar text[TEXT_SIZE];

	if (!region_end(copy_text(address, text))) {
		if (!tool_calls.regions.forgotten)
			message_error(
				"COSTGRIND_REGION_END(\"%s\"): expected the name of a region that "
				"this thread has begun",
				text);
		return;
	}
	if (tool_calls.options.region_start == REGION_START_BEFORE && !regions_are_open())
		machinestate_keep();
}

static void begin_region(UWord address)
{
	/* Two regions that alternate forever must not fill the disk. */
	enum { MOST_PARTS = 4096 };
	const enum region_start start = tool_calls.options.region_start;
	HChar text[TEXT_SIZE];

	copy_text(address, text);
	if (tool_output.options.dump_regions && region_is_another(text) &&
	    parts_number() <= MOST_PARTS)
		part_write("--dump-regions=yes");
	if (start == REGION_START_COLD && !regions_are_open())
		machinestate_clear();
	else if (start == REGION_START_BEFORE && !regions_are_open())
		machinestate_restore();
	region_begin(text);
}

static void become_cold(void)
{
	const HChar *misfit = machinestate_misfit(&tool_simulate.options);

	if (misfit != NULL)
		message_error("COSTGRIND_COLD: cannot be combined with %s", misfit);
	else
		machinestate_clear();
}

static void end_warming(void)
{
	if (tool_counts.hot->collection.n_warmings == 0)
		message_error("COSTGRIND_WARM_END: expected COSTGRIND_WARM_BEGIN before");
	else
		collection_warm(-1);
}

static Bool read_counter(UWord name, UWord to)
{
	HChar text[TEXT_SIZE];
	ULong totals[N_EVENTS];

	if (!VG_(am_is_valid_for_client)(to, sizeof(ULong), VKI_PROT_READ | VKI_PROT_WRITE) ||
		 (!tool_self.sealed && syscall_read_own(text, to, sizeof(ULong)) == -VKI_EFAULT))
		return False;
	copy_text(name, text);
	thread_ever(tool_calls.threads.running, totals);
	return event_value(&tool_counts.events, text, VG_(strlen)(text), totals, (ULong *)to);
}

static void add_desc(UWord name, UWord value)
{
	HChar name_text[TEXT_SIZE], value_text[TEXT_SIZE];

	if (!descs_add(&tool_output.descs, copy_text(name, name_text),
		       copy_text(value, value_text)))
		message_error("COSTGRIND_ADD_DESC(\"%s\", ...): expected %u lines at most",
			      name_text, MAX_DESCS);
}

/* A program may make the same request each time that it passes. */
static void skip_object(UWord pattern)
{
	struct fn_rules *rules = &tool_symbols.options->fn_rules;
	HChar text[TEXT_SIZE];

	copy_text(pattern, text);
	if (!fn_rules_have(rules, FN_RULE_SKIP_OBJECT, text))
		fn_rules_add(rules, FN_RULE_SKIP_OBJECT, 0,
			     VG_(strdup)("costgrind.pattern", text), "COSTGRIND_SKIP_OBJECT");
}

static void name_code(Addr address, SizeT size, UWord name)
{
	HChar text[TEXT_SIZE];

	copy_text(name, text);
	if (size == 0)
		message_error("COSTGRIND_NAME_CODE(0x%lx, 0, \"%s\"): expected a size above 0",
			      address, text);
	else
		control_name_code(address, size, text);
}

/* --- which request it is ----------------------------------------------------------------- */

static Bool handle_callgrind(const UWord *args)
{
	switch (args[0]) {
	case CALLGRIND_DUMP_STATS:
		dump_at(0, part_write_own);
		break;
	case CALLGRIND_DUMP_STATS_AT:
		dump_at(args[1], part_write_own);
		break;
	case CALLGRIND_ZERO_STATS:
		part_zero_own();
		break;
	case CALLGRIND_TOGGLE_COLLECT:
		collection_toggle();
		break;
	case CALLGRIND_START_INSTRUMENTATION:
		instrument_as_callgrind(True);
		break;
	case CALLGRIND_STOP_INSTRUMENTATION:
		instrument_as_callgrind(False);
		break;
	default:
		return False;
	}
	return True;
}

static Bool handle_cachegrind(const UWord *args)
{
	switch (args[0]) {
	case CACHEGRIND_START_INSTRUMENTATION:
		instrument_as_cachegrind(True);
		break;
	case CACHEGRIND_STOP_INSTRUMENTATION:
		instrument_as_cachegrind(False);
		break;
	default:
		return False;
	}
	return True;
}

static Bool handle_costgrind(const UWord *args, UWord *result)
{
	switch (args[0]) {
	case VG_USERREQ__COSTGRIND_DUMP:
		dump_at(args[1], part_write);
		break;
	case VG_USERREQ__COSTGRIND_ZERO:
		part_zero();
		break;
	case VG_USERREQ__COSTGRIND_TOGGLE_COLLECT:
		collection_toggle();
		break;
	case VG_USERREQ__COSTGRIND_START_INSTRUMENTATION:
		control_instrument(True);
		break;
	case VG_USERREQ__COSTGRIND_STOP_INSTRUMENTATION:
		control_instrument(False);
		break;
	case VG_USERREQ__COSTGRIND_REGION_BEGIN:
		begin_region(args[1]);
		break;
	case VG_USERREQ__COSTGRIND_REGION_END:
		end_region(args[1]);
		break;
	case VG_USERREQ__COSTGRIND_WARM_BEGIN:
		collection_warm(1);
		break;
	case VG_USERREQ__COSTGRIND_WARM_END:
		end_warming();
		break;
	case VG_USERREQ__COSTGRIND_COUNTER:
		*result = read_counter(args[1], args[2]);
		break;
	case VG_USERREQ__COSTGRIND_ADD_DESC:
		add_desc(args[1], args[2]);
		break;
	case VG_USERREQ__COSTGRIND_SKIP_OBJECT:
		skip_object(args[1]);
		break;
	case VG_USERREQ__COSTGRIND_NAME_CODE:
		name_code(args[1], args[2], args[3]);
		break;
	case VG_USERREQ__COSTGRIND_EVICT:
		if (args[2] != 0)
			control_evict(address_range(args[1], args[2]));
		break;
	case VG_USERREQ__COSTGRIND_COLD:
		become_cold();
		break;
	default:
		return False;
	}
	return True;
}

/* Valgrind's own requests by allocators, which all tools may use. True if it is one. */
static Bool handle_memory(const UWord *args)
{
	switch (args[0]) {
	case VG_USERREQ__MALLOCLIKE_BLOCK:
		allocators_give(args[1], args[2]);
		break;
	case VG_USERREQ__FREELIKE_BLOCK:
		allocators_take(args[1]);
		break;
	case VG_USERREQ__RESIZEINPLACE_BLOCK:
		allocators_give(args[1], args[3]);
		break;
	case VG_USERREQ__MEMPOOL_ALLOC:
		allocators_give(args[2], args[3]);
		break;
	case VG_USERREQ__MEMPOOL_FREE:
		allocators_take(args[2]);
		break;
	default:
		return False;
	}
	return True;
}

/*
 * True if a request is for a tool of the name that this one runs by. Others are not ours: a program
 * may have requests for several tools.
 */
static Bool is_ours(UWord request)
{
	if (VG_IS_TOOL_USERREQ('C', 'T', request))
		return dropin_name() != DROPIN_CACHEGRIND;
	if (VG_IS_TOOL_USERREQ('C', 'G', request))
		return dropin_name() != DROPIN_CALLGRIND;
	return VG_IS_TOOL_USERREQ('C', 'S', request);
}

static Bool handle_request(ThreadId tid, UWord *args, UWord *result)
{
	Bool known;

	if (args[0] == VG_USERREQ__GDB_MONITOR_COMMAND) {
		threads_run(tid);
		*result = monitor_command((const HChar *)args[1]);
		return *result != 0;
	}
	if (tool_data.is_on && handle_memory(args)) {
		*result = 0;
		return True;
	}
	if (!is_ours(args[0]))
		return False;
	threads_run(tid);
	*result = 0;
	if (VG_IS_TOOL_USERREQ('C', 'S', args[0]) && args[5] == COSTGRIND_MARKED)
		regions_skip();
	known = handle_callgrind(args) || handle_cachegrind(args) || handle_costgrind(args, result);
	if (!known)
		message_error("unknown client request 0x%lx", args[0]);
	return True;
}

void request_register(void)
{
	VG_(needs_client_requests)(handle_request);
}
