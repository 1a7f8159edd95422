/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/guest.h"

#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

/* The array grows by one, a handful of times before the program runs. */
static struct {
	const struct mapping_watcher **all;
	UInt n;
} watchers;

static void on_mmap(Addr address, SizeT size, Bool r, Bool w, Bool x, ULong debug_info)
{
	(void)r;
	(void)w;
	(void)x;
	(void)debug_info;
	for (UInt i = 0; i < watchers.n; i++)
		watchers.all[i]->mapped(address, size);
}

static void on_mremap(Addr from, Addr to, SizeT size)
{
	for (UInt i = 0; i < watchers.n; i++)
		watchers.all[i]->moved(from, to, size);
}

static void on_unmap(Addr address, SizeT size)
{
	for (UInt i = 0; i < watchers.n; i++)
		watchers.all[i]->unmapped(address, size);
}

void mappings_watch(const struct mapping_watcher *watcher)
{
	if (watchers.n == 0) {
		VG_(track_new_mem_mmap)(on_mmap);
		VG_(track_copy_mem_remap)(on_mremap);
		VG_(track_die_mem_munmap)(on_unmap);
		VG_(track_die_mem_brk)(on_unmap);
	}
	watchers.all = VG_(realloc)("costgrind.mapping_watchers", watchers.all,
				    (watchers.n + 1) * sizeof(watchers.all[0]));
	watchers.all[watchers.n++] = watcher;
}
