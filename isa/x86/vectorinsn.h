/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of x86 instructions that Capstone 4 does not know: AVX-512, masks, shadow stacks, keys. */
#ifndef ISA_X86_VECTORINSN_H
#define ISA_X86_VECTORINSN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes of the instruction in the first of len bytes, if it has a VEX or EVEX prefix, is
 * one of a shadow stack (rdssp, incssp) or of protection keys (rdpkru, wrpkru), and is whole; else 0.
 * Source: Intel's Software Developer's Manual, volume 2, 2.1, 2.3 and 2.7.
 */
size_t vectorinsn_length(const unsigned char *code, size_t len, bool is_64_bit);

#endif
