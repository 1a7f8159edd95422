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
