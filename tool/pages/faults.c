/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hits in generated code do not come here.  Generated code finds a hit where the line is named, in its filter or
 * as a line of code (sim/machine.h).  A line is named only by a call of C, which looks here, so the page of a named
 * line has been touched.  When a page is forgotten, its lines are therefore hidden (machine_hide()): they stay in
 * the caches, and the next reference to each is a call that still counts as a hit.  The oracle (tests/oracle/) looks
 * here for every reference.
 */
#include "tool/pages/faults.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/basics.h"
#include "sim/machine.h"
#include "tool/calls/callcost.h"
#include "tool/calls/state.h"
#include "tool/common/self.h"
#include "tool/counts/state.h"
#include "tool/simulate/miss_path.h"
#include "tool/simulate/state.h"

enum { ADVICE_DONTNEED = 4, ADVICE_REMOVE = 9, ADVICE_DONTNEED_LOCKED = 24 }; /* of <asm/mman.h> */

static const UInt protections[N_REFERENCE_KINDS] = {
	[REFERENCE_FETCH] = VKI_PROT_EXEC,
	[REFERENCE_READ] = VKI_PROT_READ,
	[REFERENCE_WRITE] = VKI_PROT_WRITE,
};

/* --- touches ----------------------------------------------------------------------------- */

/* Generated code must not take a reference to any of these bytes for a hit. */
static void hide(Addr address, SizeT size)
{
	if (tool_simulate.machine != NULL)
		threadcores_hide(&tool_simulate.cores, address_range(address, size));
}

static __attribute__((noinline)) void touch_first(struct site *site, enum reference_kind kind,
						  UWord page)
{
	const Addr address = page << TOUCHED_PAGE_BITS;
	struct cell *cell;

	if (!VG_(am_is_valid_for_client)(address, 1, protections[kind])) {
		hide(address, TOUCHED_PAGE_SIZE); /* a handler may allow it */
		return;
	}
	touched_add(&tool_pages.touched, page);
	cell = sites_cell(&tool_counts.sites, site, tool_counts.hot->counters->context);
	cell_add(&tool_counts.sites, cell, EVENT_PG, 1);
	late_add(tool_calls.threads.running, tool_counts.hot, EVENT_PG, 1);
}

/* size is 1 or more. */
static inline void touch(struct site *site, enum reference_kind kind, Addr address, UWord size)
{
	const UWord last = (address + (size - 1)) >> TOUCHED_PAGE_BITS;

	for (UWord page = address >> TOUCHED_PAGE_BITS; page <= last; page++)
		if (!touched_has(&tool_pages.touched, page))
			touch_first(site, kind, page);
}

void faults_see(struct site *site, enum reference_kind kind, Addr address, UWord size)
{
	if (tool_pages.is_on)
		touch(site, kind, address, size);
}

/* --- slow paths -------------------------------------------------------------------------- */

static VG_REGPARM(2) __attribute__((noinline)) UInt faulting_data(Addr address, UWord index)
{
	const struct reference *reference = miss_path_reference(index);
	const UInt served = tool_pages.within->data(address, index);

	touch(miss_path_site(reference), (enum reference_kind)reference->kind, address,
	      reference->size);
	return served;
}

static VG_REGPARM(1) __attribute__((noinline)) UInt faulting_fetch(UWord index)
{
	const struct reference *reference = miss_path_reference(index);
	const UInt served = tool_pages.within->fetch(index);

	touch(miss_path_site(reference), REFERENCE_FETCH, reference->u.address, reference->size);
	return served;
}

MISS_PATHS_OF(faulting_paths, faulting_data, faulting_fetch)

/* --- pages that are new again ------------------------------------------------------------ */

static void forget(Addr address, SizeT size)
{
	struct address_range range;
	UWord first, last;

	if (size == 0)
		return;
	range = address_range(address, size);
	/* The break may lie within a page, which stays. */
	first = (range.first + TOUCHED_PAGE_SIZE - 1) >> TOUCHED_PAGE_BITS;
	last = range.last >> TOUCHED_PAGE_BITS;
	if (first > last)
		return;
	touched_forget(&tool_pages.touched, first, last - first + 1);
	hide(address, size);
}

static void move(Addr from, Addr to, SizeT size)
{
	if (size == 0 || from == to)
		return;
	touched_move(&tool_pages.touched, from >> TOUCHED_PAGE_BITS, to >> TOUCHED_PAGE_BITS,
		     (size + TOUCHED_PAGE_SIZE - 1) >> TOUCHED_PAGE_BITS);
	hide(from, size);
	hide(to, size);
}

void faults_see_syscall(UInt number, const UWord *args)
{
	if (!tool_pages.is_on || number != __NR_madvise)
		return;
	if (args[2] == ADVICE_DONTNEED || args[2] == ADVICE_DONTNEED_LOCKED ||
	    args[2] == ADVICE_REMOVE)
		forget(args[0], args[1]);
}

/* --- set-up ------------------------------------------------------------------------------ */

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.touched", 1, size);
}

static void release(void *memory)
{
	VG_(free)(memory);
}

const struct miss_paths *faults_start(const struct miss_paths *paths)
{
	static const struct mapping_watcher watcher = { forget, move, forget };

	tool_pages.is_on = True;
	touched_init(&tool_pages.touched, allocate, release);
	mappings_watch(&watcher);
	tool_pages.within = paths;
	return &faulting_paths;
}
