/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/x86/vectorinsn.h"

enum {
	MOD_REGISTER = 3, /* no memory operand, so neither SIB nor displacement */
	MAX_LENGTH = 15,
};

/* Bytes of ModRM, SIB and displacement at place at, 0 if they are not all there. */
static size_t operand_length(const unsigned char *code, size_t len, size_t at)
{
	unsigned mod, rm;
	size_t n = 1;

	if (at >= len)
		return 0;
	mod = code[at] >> 6;
	rm = code[at] & 7U;
	if (mod != MOD_REGISTER && rm == 4) {
		if (at + 1 >= len)
			return 0;
		rm = code[at + 1] & 7U; /* of the SIB byte: its base */
		n++;
	}
	if (mod == 2 || (mod == 0 && rm == 5))
		n += 4;
	else if (mod == 1)
		n += 1;
	return n;
}

/* Whether the instruction ends in a byte that is an operand. */
static bool has_immediate(unsigned map, unsigned opcode)
{
	if (map == 3)
		return true;
	return map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
			    (opcode >= 0xc4 && opcode <= 0xc6));
}

/* The length when the opcode is at a place behind a prefix that names the map. */
static size_t finish(const unsigned char *code, size_t len, size_t at, unsigned map)
{
	size_t operand = operand_length(code, len, at + 1);
	size_t all = at + 1 + operand + has_immediate(map, code[at]);

	return operand > 0 && all <= len && all <= MAX_LENGTH ? all : 0;
}

/* [f3] [REX] 0f 1e /1 (rdssp) and 0f ae /5 (incssp), of registers. */
static size_t shadow_stack(const unsigned char *code, size_t len, bool is_64_bit)
{
	size_t at = 1;
	unsigned operation;

	if (is_64_bit && len > 1 && (code[1] & 0xf0U) == 0x40)
		at++;
	if (at + 3 > len || code[0] != 0xf3 || code[at] != 0x0f ||
	    code[at + 2] >> 6 != MOD_REGISTER)
		return 0;
	operation = (code[at + 2] >> 3) & 7U;
	if ((code[at + 1] == 0x1e && operation == 1) || (code[at + 1] == 0xae && operation == 5))
		return at + 3;
	return 0;
}

size_t vectorinsn_length(const unsigned char *code, size_t len, bool is_64_bit)
{
	bool is_prefix;
	unsigned map;

	if (len >= 3 && code[0] == 0x0f && code[1] == 0x01 && (code[2] == 0xee || code[2] == 0xef))
		return 3;
	if (len < 4)
		return 0;
	/* Outside of 64-bit mode, these bytes are old instructions unless this looks like a register. */
	is_prefix = is_64_bit || code[1] >> 6 == MOD_REGISTER;
	switch (code[0]) {
	case 0xf3:
		return shadow_stack(code, len, is_64_bit);
	case 0xc5:
		return is_prefix ? finish(code, len, 2, 1) : 0;
	case 0xc4:
		map = code[1] & 31U;
		return is_prefix && map >= 1 && map <= 3 ? finish(code, len, 3, map) : 0;
	case 0x62:
		map = code[1] & 7U;
		/* Bits that are fixed tell it from data. */
		if (!is_prefix || (code[1] & 8U) || !(code[2] & 4U) || map == 0 || map == 4 ||
		    map == 7 || len < 6)
			return 0;
		return finish(code, len, 4, map);
	default:
		return 0;
	}
}
