/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for unit tests of tool/elf: it is counted, and refused from a chosen allocation on. */
#ifndef TESTS_TOOL_ELF_COUNTED_MEMORY_H
#define TESTS_TOOL_ELF_COUNTED_MEMORY_H

#include <stdlib.h>

#include "tool/elf/dwarf.h"

/* Pieces that have not been released; allocations that still succeed. */
static size_t n_pieces, n_allowed;

static void *allocate(size_t size)
{
	if (n_allowed == 0)
		return NULL;
	n_allowed--;
	n_pieces++;
	return calloc(1, size);
}

static void release(void *memory)
{
	n_pieces--;
	free(memory);
}

static const struct dwarf_memory memory = { allocate, release, qsort };

#endif
