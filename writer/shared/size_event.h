/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of cache that an event of origin SIZE is of, which its name says.  No symbols, so that tool and commands share it. */
#ifndef WRITER_SHARED_SIZE_EVENT_H
#define WRITER_SHARED_SIZE_EVENT_H

#include <stdint.h>

/* Bytes: of M64K, 65536; of M2M, 2097152. */
static inline uint64_t size_event_bytes(const char *name)
{
	uint64_t size = 0;

	for (name++; *name >= '0' && *name <= '9'; name++)
		size = 10 * size + (uint64_t)(*name - '0');
	return size << (*name == 'M' ? 20 : 10);
}

#endif
