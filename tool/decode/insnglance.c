/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AMD64: which instructions are worth decoding.  Most are not: those between
 * registers, jumps, calls and pushes.
 */
#include "tool/decode/insnprefix.h"
#include "tool/decode/insntraits.h"

enum {
	TWO_BYTES = 0x0f,
};

/* Whether a ModR/M byte names memory; without one behind the opcode, Valgrind knows better. */
static bool is_memory(const uint8_t *modrm, size_t n)
{
	return n > 0 && *modrm >> 6 != 3;
}

/* The bits of a ModR/M byte that belong to the opcode. */
static unsigned extension(const uint8_t *modrm)
{
	return *modrm >> 3 & 7;
}

/* Behind 0f; code is at the second byte of the opcode, and n the bytes from there. */
static enum insn_glance glance_at_two_bytes(const uint8_t *code, size_t n)
{
	switch (*code) {
	case 0xa3: /* bt */
	case 0xab: /* bts */
	case 0xb3: /* btr */
	case 0xbb: /* btc */
		return INSN_SPECIAL;
	case 0xae: /* fxsave, fxrstor, ..., xsave, xrstor, xsaveopt */
		if (!is_memory(code + 1, n - 1))
			return INSN_DULL;
		return extension(code + 1) == 2 || extension(code + 1) == 3 ? INSN_READS
									    : INSN_SPECIAL;
	case 0xa1: /* pop %fs */
	case 0xa9: /* pop %gs */
		return INSN_READS;
	case 0x05: /* syscall */
	case 0x0d: /* prefetches */
	case 0x18:
	case 0x1e: /* endbr and its like */
	case 0x1f: /* nop */
	case 0x31: /* rdtsc */
	case 0xa2: /* cpuid */
		return INSN_DULL;
	default:
		if ((*code & 0xf0) == 0x80 || (*code & 0xf8) == 0xc8) /* jumps, bswap */
			return INSN_DULL;
		if (*code == 0x38 || *code == 0x3a)
			return is_memory(code + 2, n < 2 ? 0 : n - 2) ? INSN_READS : INSN_DULL;
		return is_memory(code + 1, n - 1) ? INSN_READS : INSN_DULL;
	}
}

/* One byte of opcode; n counts it. */
static enum insn_glance glance_at_one_byte(const uint8_t *code, size_t n)
{
	uint8_t opcode = *code;
	bool with_modrm;

	if ((opcode & 0xf8) == 0x58 || opcode == 0x8f || opcode == 0x9d || opcode == 0xc9 ||
	    opcode == 0xa0 || opcode == 0xa1)
		return INSN_READS; /* pop, popf, leave, mov of an address */
	if ((opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xac && opcode <= 0xaf) ||
	    (opcode & 0xfc) == 0x6c)
		return INSN_READS; /* strings */
	with_modrm = (opcode < 0x40 && (opcode & 4) == 0) || opcode == 0x63 || opcode == 0x69 ||
		     opcode == 0x6b || (opcode >= 0x80 && opcode <= 0x8f && opcode != 0x8d) ||
		     opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
		     (opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf) ||
		     opcode == 0xf6 || opcode == 0xf7 || opcode == 0xfe || opcode == 0xff;
	return with_modrm && is_memory(code + 1, n - 1) ? INSN_READS : INSN_DULL;
}

enum insn_glance insn_glance(const uint8_t *code, size_t size)
{
	size_t n = size;

	for (; n > 0 && insn_is_prefix(*code); n--)
		code++;
	if (n == 0)
		return INSN_DULL;
	if (*code == TWO_BYTES)
		return n < 2 ? INSN_DULL : glance_at_two_bytes(code + 1, n - 1);
	if (*code == 0xc5) /* VEX prefixes, of 2 and 3 bytes; then come opcode and ModR/M */
		return n > 3 && is_memory(code + 3, 1) ? INSN_READS : INSN_DULL;
	if (*code == 0xc4)
		return n > 4 && is_memory(code + 4, 1) ? INSN_READS : INSN_DULL;
	return glance_at_one_byte(code, n);
}
