/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where what is known of misses has its memory from: it grows with the memory that a program uses. */
#ifndef SIM_MISSES_MEMORY_H
#define SIM_MISSES_MEMORY_H

#include <stddef.h>

struct misses_memory {
	void *(*allocate)(size_t size); /* 1 or more; zero, aligned to 16; never NULL */
	void (*release)(void *memory);
};

#endif
