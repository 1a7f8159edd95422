/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD64: the displacement of a direct jump is what its code ends in. */
#include "tool/decode/jumpinsn.h"

#include "tool/decode/insnprefix.h"

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
		if (!insn_is_prefix(*code))
			return false;
		rep = rep || *code == 0xf2 || *code == 0xf3;
	}
	return rep && ((*code >= 0x6c && *code <= 0x6f) || (*code >= 0xa4 && *code <= 0xa7) ||
		       (*code >= 0xaa && *code <= 0xaf));
}

bool jump_insn_is_computed(const uint8_t *code, size_t size)
{
	for (; size > 0 && insn_is_prefix(*code); size--)
		code++;
	return size >= 2 && code[0] == 0xff &&
	       ((code[1] & 0x38) == 2 << 3 || (code[1] & 0x38) == 4 << 3);
}

void jump_insn_decode(const uint8_t *code, size_t size, uint64_t address, struct jump_insn *insn)
{
	uint64_t next = address + size;
	size_t n = size; /* bytes from the opcode on */

	*insn = (struct jump_insn){ .kind = JUMP_NONE };
	for (; n > 0 && insn_is_prefix(*code); n--)
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
