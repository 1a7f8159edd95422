/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AMD64: prefetch instructions of the program, of which Valgrind's representation has nothing
 * (AMD64 Architecture Programmer's Manual 3, PREFETCHlevel and PREFETCH/PREFETCHW).
 */
#ifndef ISA_X86_PREFETCHINSN_H
#define ISA_X86_PREFETCHINSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/x86/insntraits.h"

struct prefetch_insn {
	/* 0: the first level and those behind it; 1: from the second level on (prefetcht1, prefetcht2). */
	unsigned level;
	struct insn_operand place; /* what is asked for; its size is 1 */
};

/* Whether the instruction of size bytes at an address is one; *insn is written if it is. */
bool prefetch_insn_decode(const uint8_t *code, size_t size, uint64_t address,
			  struct prefetch_insn *insn);

#endif
