/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	prefixes  0f 18 /0 nta, /1 t0, /2 t1, /3 t2; others are hints that are not simulated
 *	          0f 0d /0 prefetch, /1 prefetchw, /2 prefetchwt1; AMD reserves the others, which do what /0 does
 */
#include "isa/x86/prefetchinsn.h"

enum {
	REX_B = 1,
	REX_X = 2,
	HAS_SIB = 4,    /* as the base of a ModR/M byte */
	NO_BASE = 5,    /* with mod 0 */
	HINT_T1 = 2,    /* /2 and /3 of 0f 18 */
	HINTS = 4,      /* of 0f 18: those behind are others */
	LEAST_SIZE = 3, /* bytes: opcode and ModR/M */
};

struct prefixes {
	uint8_t rex;
	bool narrow;
	enum insn_segment segment;
};

/* Returns how many bytes there are. */
static size_t read_prefixes(const uint8_t *code, size_t size, struct prefixes *prefixes)
{
	size_t n = 0;

	for (; n < size; n++) {
		switch (code[n]) {
		case 0x64:
			prefixes->segment = INSN_FS;
			break;
		case 0x65:
			prefixes->segment = INSN_GS;
			break;
		case 0x67:
			prefixes->narrow = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x66:
		case 0xf2:
		case 0xf3:
			break;
		default:
			if ((code[n] & 0xf0) != 0x40)
				return n;
			prefixes->rex = code[n];
			return n + 1; /* the last one */
		}
	}
	return n;
}

/* Four bytes, with their sign. */
static uint64_t long_displacement(const uint8_t *bytes)
{
	uint32_t value = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			 (uint32_t)bytes[3] << 24;

	return (uint64_t)(int64_t)(int32_t)value;
}

/*
 * The place that ModR/M, SIB and displacement name, n bytes, of an instruction that ends with them, before
 * next; false if they are of another length.
 */
static bool read_place(const uint8_t *modrm, size_t n, uint64_t next,
		       const struct prefixes *prefixes, struct insn_operand *place)
{
	unsigned mod = *modrm >> 6, rm = *modrm & 7U;
	bool has_sib = rm == HAS_SIB;
	unsigned base = rm, index;
	size_t at = has_sib ? 2 : 1, len;

	*place = (struct insn_operand){
		.size = 1,
		.base = INSN_NO_REGISTER,
		.index = INSN_NO_REGISTER,
		.scale = 1,
		.segment = prefixes->segment,
		.narrow = prefixes->narrow,
	};
	if (n < at)
		return false;
	if (has_sib) {
		base = modrm[1] & 7U;
		index = (modrm[1] >> 3 & 7U) | ((prefixes->rex & REX_X) != 0 ? 8U : 0U);
		if (index != INSN_RSP)
			place->index = (int8_t)index;
		place->scale = (uint8_t)(1U << (modrm[1] >> 6));
	}
	len = mod == 1 ? 1 : mod == 2 || (mod == 0 && base == NO_BASE) ? 4 : 0;
	if (n != at + len)
		return false;
	if (len == 1)
		place->displacement = (uint64_t)(int64_t)(int8_t)modrm[at];
	else if (len == 4)
		place->displacement = long_displacement(modrm + at);
	if (mod != 0 || base != NO_BASE)
		place->base = (int8_t)(base | ((prefixes->rex & REX_B) != 0 ? 8U : 0U));
	else if (!has_sib)
		place->displacement += next;
	return true;
}

bool prefetch_insn_decode(const uint8_t *code, size_t size, uint64_t address,
			  struct prefetch_insn *insn)
{
	struct prefixes prefixes = { .segment = INSN_FLAT };
	size_t n = read_prefixes(code, size, &prefixes);
	unsigned hint;

	if (size < n + LEAST_SIZE || code[n] != 0x0f ||
	    (code[n + 1] != 0x18 && code[n + 1] != 0x0d))
		return false;
	hint = code[n + 2] >> 3 & 7U;
	if (code[n + 2] >> 6 == 3 || (code[n + 1] == 0x18 && hint >= HINTS))
		return false;
	insn->level = code[n + 1] == 0x18 && hint >= HINT_T1 ? 1 : 0;
	return read_place(code + n + 2, size - n - 2, address + size, &prefixes, &insn->place);
}
