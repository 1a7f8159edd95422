/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/x86/insnbytes.h"

/*
 * Bytes before an opcode (AMD64 Architecture Programmer's Manual 3, 1.2): legacy
 * prefixes and REX; those of VEX and EVEX are opcodes here.
 */
static bool is_prefix(uint8_t byte)
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

/* -- which are worth decoding ----------------------------------------------- */

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

	for (; n > 0 && is_prefix(*code); n--)
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

/* -- jumps ------------------------------------------------------------------ */

/* The displacement of a direct jump is what its code ends in. */
static void set_direct(struct jump_insn *insn, enum jump_kind kind, uint64_t end,
		       int64_t displacement)
{
	insn->kind = kind;
	insn->target = end + (uint64_t)displacement;
}

static int64_t long_displacement(const uint8_t *bytes)
{
	return (int32_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			 (uint32_t)bytes[3] << 24);
}

bool jump_insn_repeats(const uint8_t *code, size_t size)
{
	bool rep = false;

	for (; size > 1; size--, code++) {
		if (!is_prefix(*code))
			return false;
		rep = rep || *code == 0xf2 || *code == 0xf3;
	}
	return rep && ((*code >= 0x6c && *code <= 0x6f) || (*code >= 0xa4 && *code <= 0xa7) ||
		       (*code >= 0xaa && *code <= 0xaf));
}

bool jump_insn_is_computed(const uint8_t *code, size_t size)
{
	for (; size > 0 && is_prefix(*code); size--)
		code++;
	return size >= 2 && code[0] == 0xff &&
	       ((code[1] & 0x38) == 2 << 3 || (code[1] & 0x38) == 4 << 3);
}

void jump_insn_decode(const uint8_t *code, size_t size, uint64_t address, struct jump_insn *insn)
{
	uint64_t next = address + size;
	size_t n = size; /* bytes from the opcode on */

	*insn = (struct jump_insn){ .kind = JUMP_NONE };
	for (; n > 0 && is_prefix(*code); n--)
		code++;
	if (n == 2 && (code[0] & 0xf0) == 0x70) {
		set_direct(insn, JUMP_CONDITIONAL, next, (int8_t)code[1]);
		insn->negated = code[0] & 1;
	} else if (n == 6 && code[0] == 0x0f && (code[1] & 0xf0) == 0x80) {
		set_direct(insn, JUMP_CONDITIONAL, next, long_displacement(code + 2));
		insn->negated = code[1] & 1;
	} else if (n == 2 && code[0] >= 0xe0 && code[0] <= 0xe3) { /* loop, jrcxz */
		set_direct(insn, JUMP_CONDITIONAL, next, (int8_t)code[1]);
	} else if (n == 2 && code[0] == 0xeb) {
		set_direct(insn, JUMP_DIRECT, next, (int8_t)code[1]);
	} else if (n == 5 && code[0] == 0xe9) {
		set_direct(insn, JUMP_DIRECT, next, long_displacement(code + 1));
	} else if (n >= 2 && code[0] == 0xff && (code[1] & 0x38) == 4 << 3) {
		insn->kind = JUMP_COMPUTED;
	}
}

/* -- calls ----------------------------------------------------------------- */

/*
 * Forms of near calls on amd64 (Intel's manual, volume 2, CALL):
 *
 *	e8 rel32	direct.  Linkers put 67 before it, or 66 48 and 66 66 48 where a
 *			longer sequence was
 *	ff /2		through a register or memory: ModRM, maybe SIB, a displacement of
 *			0, 1 or 4 bytes; before ff maybe REX (4x) or 3e
 */

enum {
	DIRECT_SIZE = 5,
	MAX_INDIRECT = 7, /* bytes of ff /2 without prefix */
};

/* The byte that stands so many before the return address. */
static uint8_t at(const uint8_t *code, size_t n)
{
	return code[CALLINSN_MAX_SIZE - n];
}

static size_t size_of_direct(const uint8_t *code)
{
	if (at(code, 6) == 0x67 || at(code, 6) == 0xf2)
		return DIRECT_SIZE + 1;
	if (at(code, 6) == 0x48 && at(code, 7) == 0x66)
		return at(code, 8) == 0x66 ? DIRECT_SIZE + 3 : DIRECT_SIZE + 2;
	return DIRECT_SIZE;
}

/* Of the 32 bits before the return address, with their sign. */
static uint64_t displacement(const uint8_t *code)
{
	uint32_t value = (uint32_t)at(code, 4) | (uint32_t)at(code, 3) << 8 |
			 (uint32_t)at(code, 2) << 16 | (uint32_t)at(code, 1) << 24;

	return (uint64_t)(int64_t)(int32_t)value;
}

/* Bytes of ff /2 with such a ModRM and what may be its SIB; 0 if it is no call. */
static size_t size_of_indirect(uint8_t modrm, uint8_t sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7U;
	size_t size = 2;

	if ((modrm >> 3 & 7U) != 2)
		return 0;
	if (mod == 3)
		return size;
	if (rm == 4)
		size++;
	if (mod == 1)
		return size + 1;
	if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7U) == 5))
		return size + 4;
	return size;
}

struct callinsn callinsn_before(const uint8_t code[CALLINSN_MAX_SIZE], uint64_t return_address,
				bool (*is_code)(uint64_t address))
{
	struct callinsn found = { 0, false, 0 };

	if (at(code, DIRECT_SIZE) == 0xe8) {
		found.target = return_address + displacement(code);
		if (is_code(found.target)) {
			found.is_direct = true;
			found.size = size_of_direct(code);
			return found;
		}
	}
	for (size_t size = MAX_INDIRECT; size >= 2; size--) {
		uint8_t prefix = at(code, size + 1);
		uint8_t sib = size > 2 ? at(code, size - 2) : 0;

		if (at(code, size) != 0xff || size_of_indirect(at(code, size - 1), sib) != size)
			continue;
		found.size = size + ((prefix & 0xf0) == 0x40 || prefix == 0x3e);
		break;
	}
	return found;
}
