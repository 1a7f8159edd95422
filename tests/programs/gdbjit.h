/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program that makes code tells GDB by (GDB's manual, "JIT Compilation Interface"): defined here, once a program. */
#ifndef TESTS_PROGRAMS_GDBJIT_H
#define TESTS_PROGRAMS_GDBJIT_H

#include <stddef.h>
#include <stdint.h>

struct entry {
	struct entry *next, *previous;
	const void *file;
	uint64_t size;
};

struct descriptor {
	uint32_t version, action;
	struct entry *relevant, *first;
};

void __jit_debug_register_code(void);
extern struct descriptor __jit_debug_descriptor;

struct descriptor __jit_debug_descriptor = { 1, 0, NULL, NULL };

__attribute__((noinline)) void __jit_debug_register_code(void)
{
	__asm__ volatile("" ::: "memory");
}

#endif
