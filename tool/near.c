/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/near.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"
#include "valgrind.h"

enum {
	CHUNK_SIZE = 1024 * 1024, /* bytes */
	PAGE_SIZE = 4096,
	LARGE_ALIGNMENT = 64,
};

/* Pages of zeroes from the core. */
static void *map_pages(SizeT size)
{
#if __VALGRIND_MAJOR__ > 3 || __VALGRIND_MINOR__ >= 21
	SysRes result = VG_(am_shadow_alloc)(size);

	if (sr_isError(result))
		VG_(out_of_memory_NORETURN)("costgrind", size, sr_Err(result));
	return (void *)(Addr)sr_Res(result);
#else
	void *pages = VG_(am_shadow_alloc)(size);

	if (pages == NULL)
		VG_(out_of_memory_NORETURN)("costgrind", size);
	return pages;
#endif
}

void *near_alloc(struct near *near, SizeT size)
{
	void *memory;
	SizeT alignment = size >= LARGE_ALIGNMENT ? LARGE_ALIGNMENT : sizeof(ULong);
	SizeT skip = -(Addr)near->next & (alignment - 1);

	size = (size + sizeof(ULong) - 1) & -sizeof(ULong);
	if (size > CHUNK_SIZE / 4)
		return map_pages((size + PAGE_SIZE - 1) & -(SizeT)PAGE_SIZE);
	if (near->left < skip + size) {
		near->next = map_pages(CHUNK_SIZE);
		near->left = CHUNK_SIZE;
		skip = 0;
	}
	memory = near->next + skip;
	near->next += skip + size;
	near->left -= skip + size;
	return memory;
}

ULong *near_counter(struct near *near)
{
	ULong *counter = near->free;

	if (counter == NULL)
		return near_alloc(near, sizeof(*counter));
	near->free = *(ULong **)counter;
	*counter = 0;
	return counter;
}

void near_free_counter(struct near *near, ULong *counter)
{
	*(ULong **)counter = near->free;
	near->free = counter;
}
