/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/placement.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

#include "tool/common/message.h"

/* Where brk() begins and where it is, and mappings of the program's; not in public headers. */
extern Addr VG_(brk_base), VG_(brk_limit);
extern const NSegment *VG_(am_extend_into_adjacent_reservation_client)(Addr addr, SSizeT delta,
								       Bool *overflow);
extern SysRes VG_(am_mmap_anon_float_client)(SizeT length, Int prot);

/* The heap is empty.  Its first page is there: the core relies on the page that brk is in. */
static void shift_heap(UInt bytes)
{
	Addr first = VG_ROUNDDN(VG_(brk_base), VKI_PAGE_SIZE);
	SSizeT more = (SSizeT)(VG_ROUNDDN(VG_(brk_base) + bytes, VKI_PAGE_SIZE) - first);
	Bool overflow = False;

	if (more > 0 &&
	    VG_(am_extend_into_adjacent_reservation_client)(first, more, &overflow) == NULL)
		message_fatal("--heap-shift=%u: there is no room for it", bytes);
	VG_(brk_base) += bytes;
	VG_(brk_limit) += bytes;
}

/* The core takes the lowest hole that is large enough: this one is no longer free. */
static void shift_mappings(UInt pages)
{
	SysRes mapped = VG_(am_mmap_anon_float_client)((SizeT)pages * VKI_PAGE_SIZE, VKI_PROT_NONE);

	if (sr_isError(mapped))
		message_fatal("--load-shift=%u: %s", pages, message_reason((Int)sr_Err(mapped)));
}

void placement_shift(UInt heap_bytes, UInt load_pages)
{
	if (heap_bytes > 0)
		shift_heap(heap_bytes);
	if (load_pages > 0)
		shift_mappings(load_pages);
}
