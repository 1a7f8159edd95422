/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD64: bytes that stand before an opcode (AMD64 Architecture Programmer's Manual 3, 1.2). */
#ifndef TOOL_DECODE_INSNPREFIX_H
#define TOOL_DECODE_INSNPREFIX_H

#include <stdbool.h>
#include <stdint.h>

/* Legacy prefixes and REX; those of VEX and EVEX are opcodes here. */
static inline bool insn_is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: /* segments; before conditional jumps, 2e and 3e are hints */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66: /* sizes */
	case 0x67:
	case 0xf0: /* lock */
	case 0xf2: /* repne, bnd */
	case 0xf3: /* rep */
		return true;
	default:
		return (byte & 0xf0) == 0x40; /* REX */
	}
}

#endif
