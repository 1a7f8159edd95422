/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generated code finds the machine by a shadow register:
 * the tool keeps no shadow values, so the area after the guest state is free.
 * Each thread has one, set whenever it starts to run.
 *
 * A fault ends a block in the middle of a segment, whose counter says that none
 * of it ran.  The core delivers the signal with the program counter at the
 * faulting instruction, and hot->block still names the block.  A fault that
 * nobody handles is not delivered: what it cut short is seen at the end.
 *
 * Signals from outside come between blocks, and then the program counter may
 * well be an address in the block that ran last, of a loop.  What tells them
 * from faults is the core's count of blocks to go: it is below zero if code
 * was left because the count ran out, which is when such signals are seen.
 */
#include "tool/instrument/client.h"

#include "pub_tool_libcsignal.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"

#include "tool/calls/callcost.h"
#include "tool/calls/calls.h"
#include "tool/calls/state.h"
#include "tool/calls/systime.h"
#include "tool/common/guest.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/deterministic/state.h"
#include "tool/instrument/state.h"
#include "tool/simulate/state.h"

static void set_bases(ThreadId tid)
{
	const Addr bases[] = { tool_counts.base,
			       threadcores_base(&tool_simulate.cores, tool_counts.base) };

	VG_(set_shadow_regs_area)(tid, 1, 0, sizeof(bases), (const UChar *)bases);
}

/* Most blocks of a thread's turn; 0: Valgrind's own. */
static Int slice_of_turn(void)
{
	enum { USUAL_SLICE = 1000 };
	const UInt slice = tool_instrument.options.slice;

	if (tool_calls.threads.n_alive <= 1)
		return 0;
	return slice == 0 && tool_simulate.cores.n > 1 ? USUAL_SLICE : (Int)slice;
}

/*
 * Shortens a turn to a slice.  Valgrind's scheduler, run_thread_for_a_while() in m_scheduler/scheduler.c, sets the
 * blocks to go just before it says that client code starts, and afterwards counts those not left as entered; all of
 * 3.19 to 3.28 do.  So after a system call, a fault or a new translation a turn has the rest of its slice to go, and it
 * ends where that has run out; and the core's count has what was cut off.
 */
static void shorten_turn(ThreadId tid)
{
	const Int slice = slice_of_turn();
	const Int to_go = slice == 0 ? 0 : guest_blocks_to_go(tid);

	if (to_go <= slice)
		return;
	guest_set_blocks_to_go(tid, slice);
	tool_instrument.n_cut += (ULong)(to_go - slice);
}

static void start_client_code(ThreadId tid, ULong n_blocks)
{
	threads_run(tid);
	threadcores_run(&tool_simulate.cores, tid);
	threads_take_turn();
	longrun_look();
	tool_instrument.look_for_parts(n_blocks - tool_instrument.n_cut);
	shorten_turn(tid);
	tool_instrument.inside = True;
	lastpath_uncharge_resident(&tool_simulate.last_path);
	if (tool_simulate.oracle == NULL)
		set_bases(tid);
	if (tool_simulate.oracle == NULL && tool_calls.instrumenting &&
	    (tool_counts.hot->block & BLOCK_NO_REDIR) == 0)
		calls_arrive(VG_(get_IP)(tid));
}

/* True if generated code was left in a block, not between two. */
static Bool left_inside_block(ThreadId tid)
{
	return guest_blocks_to_go(tid) >= 0;
}

/* True if a thread will ask which block it left. */
static Bool is_needed(const struct block *block)
{
	return threads_need_block(block->number);
}

static void stop_client_code(ThreadId tid, ULong n_blocks)
{
	(void)n_blocks;
	tool_instrument.inside = False;
	waits_leave(&tool_cycles.waits);
	tool_counts.stop_address = left_inside_block(tid) ? VG_(get_IP)(tid) : 0;
	late_settle(tool_calls.threads.running, tool_counts.hot);
	cold_promote(&tool_instrument.cold);
	blocks_reclaim(&tool_counts.blocks, &tool_counts.sites, is_needed);
}

/* Signals that an instruction can raise. */
static Bool is_fault(Int signal)
{
	return signal == VKI_SIGSEGV || signal == VKI_SIGBUS || signal == VKI_SIGFPE ||
	       signal == VKI_SIGILL || signal == VKI_SIGTRAP;
}

/*
 * True if a block was executed to its end, which raised a signal, or led to
 * where there is no code: then that is where control comes from.
 */
static Bool is_left_at_end(const struct block *block, Addr address)
{
	if ((tool_counts.hot->block & BLOCK_DONE) != 0)
		return True;
	if (address - block->base < block->size)
		return False;
	for (UInt i = 0; i < block->n_charges; i++) {
		const struct site *site = block->charges[i].site;

		if (address - site->address < site->size)
			return False;
	}
	return True;
}

/*
 * The block entered last ended at an instruction, if that is one of its own.
 * hot->block is cleared then, so that it is not cut short a second time.
 */
static void cut_block_short(Addr address)
{
	struct hot *hot = tool_counts.hot;
	struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)hot->block);

	if (block != NULL && is_left_at_end(block, address))
		return;
	if (block != NULL && hot->counters != NULL) {
		if (tool_simulate.oracle == NULL)
			blocks_cut_short(&tool_counts.blocks, block, &tool_counts.sites, hot,
					 address);
		else
			tool_simulate.oracle->fault(block, address);
		hot->fault = address;
	}
	hot->block = 0;
	hot->charge = 0;
}

static void before_signal(ThreadId tid, Int signal, Bool alt_stack)
{
	Bool by_block;

	(void)alt_stack;
	ending_handle();
	threads_run(tid);
	if (!tool_calls.instrumenting)
		return;
	if (tool_calls.threads.running->unseeded)
		stack_seed_do(tool_calls.threads.running, VG_(get_IP)(tid));
	by_block = is_fault(signal) && left_inside_block(tid);
	if (by_block) {
		cut_block_short(VG_(get_IP)(tid));
		register_updates_fault(&tool_instrument.register_updates, signal);
	}
	deterministic_signal(tid, signal, by_block);
	systime_interrupt(tid);
	/* What it was about to enter is no code: afterwards it goes on in another way. */
	tool_counts.hot->block &= ~BLOCK_NO_REDIR;
	threads_signal(VG_(get_SP)(tid));
}

static void after_signal(ThreadId tid, Int signal)
{
	(void)signal;
	threads_run(tid);
	threads_signal_return();
	hooks_run();
	systime_resume(tid);
}

/* A thread may have ended by a fault without a handler. */
static void finish_block(ThreadId tid)
{
	threads_run(tid);
	if (tool_simulate.oracle == NULL && tool_counts.stop_address != 0)
		cut_block_short(tool_counts.stop_address);
	tool_counts.stop_address = 0;
}

static void before_thread(ThreadId parent, ThreadId child)
{
	if (parent != VG_INVALID_THREADID)
		missobservers_create_thread(child);
	threads_run(child);
	regions_forget(tool_calls.threads.running);
	threads_begin();
	hooks_forget();
	if (parent == VG_INVALID_THREADID)
		return;
	deterministic_thread(child);
	if (!threadcores_create(&tool_simulate.cores, child))
		return;
	event_set_show(&tool_counts.events);
	VG_(discard_translations)(0x1000, ~0xfffULL, "costgrind");
}

static void after_thread(ThreadId tid)
{
	finish_block(tid);
	regions_forget(tool_calls.threads.running);
	threads_exit();
	hooks_forget();
	ending_thread_over(tid);
}

static void after_kernel_write(CorePart part, ThreadId tid, Addr address, SizeT size)
{
	if (part == Vg_CoreSysCall)
		threadcores_kernel_writes(&tool_simulate.cores, tid, address, size);
}

static void discard(Addr address, VexGuestExtents extents)
{
	blocks_discard(&tool_counts.blocks, address, &extents);
}

void client_register(void)
{
	VG_(needs_superblock_discards)(discard);
	VG_(track_start_client_code)(start_client_code);
	VG_(track_stop_client_code)(stop_client_code);
	VG_(track_pre_deliver_signal)(before_signal);
	VG_(track_post_deliver_signal)(after_signal);
	VG_(track_pre_thread_ll_create)(before_thread);
	VG_(track_pre_thread_ll_exit)(after_thread);
}

void client_watch_kernel(void)
{
	if (tool_simulate.cores.n > 1)
		VG_(track_post_mem_write)(after_kernel_write);
}

void client_settle(void)
{
	blocks_settle(&tool_counts.blocks, &tool_counts.sites);
	prefetching_settle(&tool_simulate.prefetching);
	/* Lines that go on being used are charged when they go. */
	if (!tool_instrument.goes_on)
		lastpath_charge_resident(&tool_simulate.last_path);
	threads_update();
}

void client_totals(ULong totals[N_EVENTS])
{
	client_settle();
	sites_total(&tool_counts.sites, False, totals);
}

void client_part_totals(ULong totals[N_EVENTS])
{
	client_settle();
	lastpath_uncharge_resident(&tool_simulate.last_path);
	sites_total(&tool_counts.sites, False, totals);
}

/* By event, as cells and as running totals have them. */
static void compare_totals(const HChar *what, const ULong totals[N_EVENTS],
			   const ULong running[N_EVENTS])
{
	for (UInt event = 0; event < N_RUNNING_EVENTS; event++)
		if (totals[event] != running[event])
			message_error("internal error: %s: %s sum up to %llu, running totals to "
				      "%llu",
				      event_table[event].name, what, totals[event], running[event]);
}

static void check_tree(const ULong running[N_EVENTS])
{
	ULong kept[N_KEPT_EVENTS], sums[N_EVENTS] = { 0 };

	stacktree_complete();
	calltree_totals(&tool_calls.tree, 0, (uint64_t *)kept);
	stacktree_reopen();
	event_add_kept(&tool_counts.events, kept, sums);
	for (UInt event = 0; event < N_RUNNING_EVENTS; event++)
		if (sums[event] != running[event])
			message_error("internal error: %s: the call tree sums up to %llu, running "
				      "totals to %llu",
				      event_table[event].name, sums[event], running[event]);
}

void client_check(void)
{
	ULong totals[N_EVENTS], running[N_EVENTS];

	client_settle();
	sites_total(&tool_counts.sites, True, totals);
	threads_totals(running);
	compare_totals("counters", totals, running);
	if (tool_calls.threads.tree != NULL)
		check_tree(running);
	sites_total(&tool_counts.sites, False, totals);
	threads_collected(running);
	compare_totals("collected counters", totals, running);
}

ULong client_blocks_entered(void)
{
	return tool_counts.blocks.n_entered;
}

void client_zero(UInt thread)
{
	ULong instructions = clock_instructions();

	blocks_settle(&tool_counts.blocks, &tool_counts.sites);
	prefetching_settle(&tool_simulate.prefetching);
	lastpath_uncharge_resident(&tool_simulate.last_path);
	sites_zero(&tool_counts.sites, thread);
	contexts_zero(&tool_counts.contexts, thread);
	arcs_zero(&tool_calls.arcs, thread);
	threads_zero(thread);
	collection_zeroed(thread);
	if (tool_calls.threads.tree != NULL)
		stacktree_zero();
	jumps_zero(&tool_counts.jumps, thread);
	clock_keep(instructions);
	if (thread == 0) {
		tool_calls.was_off = !tool_calls.instrumenting;
		tool_deterministic.clock.n_earlier = tool_deterministic.clock.n_questions;
		systime_zero(&tool_calls.systime);
		conflicts_zero(&tool_simulate.reasons.conflicts);
		missobservers_zero();
	}
	regions_zero(thread);
	tool_counts.blocks.n_entered = 0;
}

void client_fork(ThreadId tid)
{
	threads_run(tid);
	threadcores_fork(&tool_simulate.cores, tid);
	missobservers_fork();
	if (tool_instrument.options.fork_inherits)
		client_settle();
	regions_keep_only(tool_calls.threads.running);
	threads_fork();
	hooks_forget();
	if (!tool_instrument.options.fork_inherits)
		client_zero(0);
	tool_instrument.forget_parts();
}
