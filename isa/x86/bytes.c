/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/x86/bytes.h"

enum {
	TWO_BYTES = 0x0f,
	VEX2 = 0xc5, /* a prefix of two bytes, of map 1; then come opcode and ModR/M */
	VEX3 = 0xc4, /* of three: map in the low bits of the second */
	EVEX = 0x62,
	MAP_BITS = 0x1f,
	REX_B = 1,
	REX_X = 2,
	MOD_REGISTER = 3, /* no operand in memory, so neither SIB nor displacement */
	HAS_SIB = 4,      /* as the base of a ModR/M byte */
	NO_BASE = 5,      /* with mod 0 */
	MAX_LENGTH = 15,
};

/* -- fields ---------------------------------------------------------------------- */

struct prefixes {
	size_t n;    /* bytes */
	uint8_t rex; /* 0 = none right before the opcode, where alone it counts */
	bool is_narrow, is_repeated;
	enum insn_segment segment;
};

/*
 * Bytes before an opcode (AMD64 Architecture Programmer's Manual 3, 1.2): legacy
 * prefixes and REX; VEX and EVEX prefixes are opcodes here.
 */
static struct prefixes read_prefixes(const uint8_t *code, size_t size)
{
	struct prefixes prefixes = { .segment = INSN_FLAT };

	for (; prefixes.n < size; prefixes.n++) {
		uint8_t byte = code[prefixes.n];

		if ((byte & 0xf0) == 0x40) {
			prefixes.rex = byte;
			continue;
		}
		switch (byte) {
		case 0x64:
			prefixes.segment = INSN_FS;
			break;
		case 0x65:
			prefixes.segment = INSN_GS;
			break;
		case 0x67:
			prefixes.is_narrow = true;
			break;
		case 0xf2: /* repne, bnd */
		case 0xf3:
			prefixes.is_repeated = true;
			break;
		case 0x26: /* other segments; before conditional jumps, 2e and 3e are hints */
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x66: /* size of operands */
		case 0xf0: /* lock */
			break;
		default:
			return prefixes;
		}
		prefixes.rex = 0;
	}
	return prefixes;
}

/* The bits of a ModR/M byte that belong to the opcode. */
static unsigned extension(const uint8_t *modrm)
{
	return *modrm >> 3 & 7U;
}

/* True if a ModR/M byte names memory; if there is none after the opcode, Valgrind knows better. */
static bool is_memory(const uint8_t *modrm, size_t n)
{
	return n > 0 && *modrm >> 6 != MOD_REGISTER;
}

/* Bytes of the displacement after a ModR/M and what may be its SIB byte. */
static size_t displacement_size(uint8_t modrm, uint8_t sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7U;

	if (mod == MOD_REGISTER)
		return 0;
	if (mod == 1)
		return 1;
	return mod == 2 || (rm == HAS_SIB ? sib & 7U : rm) == NO_BASE ? 4 : 0;
}

/* Bytes of ModR/M, SIB and displacement; 0 if the first two are not among n bytes. */
static size_t operand_size(const uint8_t *modrm, size_t n)
{
	size_t size = n > 0 && is_memory(modrm, n) && (*modrm & 7U) == HAS_SIB ? 2 : 1;

	return n < size ? 0 : size + displacement_size(modrm[0], modrm[size - 1]);
}

/* Four bytes, with their sign. */
static uint64_t long_displacement(const uint8_t *bytes)
{
	uint32_t value = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			 (uint32_t)bytes[3] << 24;

	return (uint64_t)(int64_t)(int32_t)value;
}

static uint64_t short_displacement(const uint8_t *byte)
{
	return (uint64_t)(int64_t)(int8_t)*byte;
}

/* -- which are worth decoding ----------------------------------------------- */

/* After 0f; code is at the second byte of the opcode, and n the bytes from there. */
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
	size_t skipped = read_prefixes(code, size).n, n = size - skipped;

	code += skipped;
	if (n == 0)
		return INSN_DULL;
	if (*code == TWO_BYTES)
		return n < 2 ? INSN_DULL : glance_at_two_bytes(code + 1, n - 1);
	if (*code == VEX2)
		return n > 3 && is_memory(code + 3, 1) ? INSN_READS : INSN_DULL;
	if (*code == VEX3)
		return n > 4 && is_memory(code + 4, 1) ? INSN_READS : INSN_DULL;
	return glance_at_one_byte(code, n);
}

bool insn_may_float(const uint8_t *code, size_t size)
{
	size_t at = read_prefixes(code, size).n;

	if (at + 1 >= size)
		return false;
	if ((code[at] & 0xf8) == 0xd8 || code[at] == VEX2 || code[at] == VEX3)
		return true; /* x87, VEX */
	if (code[at] == 0x8f)
		return (code[at + 1] & MAP_BITS) >= 8; /* XOP, not pop */
	if (code[at] != TWO_BYTES)
		return false;
	/* 0f 38 and 0f 3a: of the former, none without a VEX prefix. */
	return code[at + 1] == 0x3a || (code[at + 1] & 0xf0) == 0x50 ||
	       (code[at + 1] >= 0x7c && code[at + 1] <= 0x7d) || code[at + 1] == 0xd0;
}

enum lanes lanes_of(const uint8_t *code, size_t size)
{
	size_t at = read_prefixes(code, size).n;

	if (at + 4 < size && code[at] == VEX3 && (code[at + 1] & MAP_BITS) == 2 &&
	    code[at + 3] >= 0x90 && code[at + 3] <= 0x93)
		return LANES_GATHER;
	if ((at + 2 < size && code[at] == TWO_BYTES && code[at + 1] == 0xf7) ||
	    (at + 3 < size && code[at] == VEX2 && code[at + 2] == 0xf7) ||
	    (at + 4 < size && code[at] == VEX3 && (code[at + 1] & MAP_BITS) == 1 &&
	     code[at + 3] == 0xf7))
		return LANES_BYTES;
	return LANES_NONE;
}

/* -- jumps ------------------------------------------------------------------ */

bool jump_insn_repeats(const uint8_t *code, size_t size)
{
	struct prefixes prefixes = read_prefixes(code, size);
	uint8_t opcode;

	if (prefixes.n + 1 != size || !prefixes.is_repeated)
		return false;
	opcode = code[prefixes.n];
	return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
	       (opcode >= 0xaa && opcode <= 0xaf);
}

bool jump_insn_is_computed(const uint8_t *code, size_t size)
{
	size_t at = read_prefixes(code, size).n;

	return size >= at + 2 && code[at] == 0xff &&
	       (extension(code + at + 1) == 2 || extension(code + at + 1) == 4);
}

void jump_insn_decode(const uint8_t *code, size_t size, uint64_t address, struct jump_insn *insn)
{
	uint64_t next = address + size;
	size_t skipped = read_prefixes(code, size).n;
	size_t n = size - skipped; /* bytes from the opcode on */

	code += skipped;
	*insn = (struct jump_insn){ .kind = INSN_JUMP_NONE };
	if (n == 2 && (code[0] & 0xf0) == 0x70) {
		insn->kind = INSN_JUMP_CONDITIONAL;
		insn->negated = code[0] & 1;
	} else if (n == 6 && code[0] == TWO_BYTES && (code[1] & 0xf0) == 0x80) {
		insn->kind = INSN_JUMP_CONDITIONAL;
		insn->negated = code[1] & 1;
	} else if (n == 2 && code[0] >= 0xe0 && code[0] <= 0xe3) { /* loop, jrcxz */
		insn->kind = INSN_JUMP_CONDITIONAL;
	} else if ((n == 2 && code[0] == 0xeb) || (n == 5 && code[0] == 0xe9)) {
		insn->kind = INSN_JUMP_DIRECT;
	} else if (n >= 2 && code[0] == 0xff && extension(code + 1) == 4) {
		insn->kind = INSN_JUMP_COMPUTED;
	}
	/* The displacement of a direct jump is what its code ends in. */
	if (insn->kind == INSN_JUMP_CONDITIONAL || insn->kind == INSN_JUMP_DIRECT)
		insn->target = next + (n == 2 ? short_displacement(code + 1)
					      : long_displacement(code + n - 4));
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

static size_t size_of_direct(const uint8_t *end)
{
	if (end[-6] == 0x67 || end[-6] == 0xf2)
		return DIRECT_SIZE + 1;
	if (end[-6] == 0x48 && end[-7] == 0x66)
		return end[-8] == 0x66 ? DIRECT_SIZE + 3 : DIRECT_SIZE + 2;
	return DIRECT_SIZE;
}

struct callinsn callinsn_before(const uint8_t code[CALLINSN_MAX_SIZE], uint64_t return_address,
				bool (*is_code)(uint64_t address))
{
	const uint8_t *end = code + CALLINSN_MAX_SIZE;
	struct callinsn found = { 0, false, 0 };

	if (end[-DIRECT_SIZE] == 0xe8) {
		found.target = return_address + long_displacement(end - 4);
		if (is_code(found.target)) {
			found.is_direct = true;
			found.size = size_of_direct(end);
			return found;
		}
	}
	for (size_t size = MAX_INDIRECT; size >= 2; size--) {
		const uint8_t *at = end - size;

		if (at[0] != 0xff || extension(at + 1) != 2 ||
		    operand_size(at + 1, size - 1) != size - 1)
			continue;
		found.size = size + ((at[-1] & 0xf0) == 0x40 || at[-1] == 0x3e);
		break;
	}
	return found;
}

/* -- prefetches -------------------------------------------------------------- */

/*
 *	prefixes  0f 18 /0 nta, /1 t0, /2 t1, /3 t2; others are hints that are not simulated
 *	          0f 0d /0 prefetch, /1 prefetchw, /2 prefetchwt1; AMD reserves the others, which do what /0 does
 */
enum {
	HINT_T1 = 2,    /* /2 and /3 of 0f 18 */
	HINTS = 4,      /* of 0f 18: those from here on are others */
	LEAST_SIZE = 3, /* bytes: opcode and ModR/M */
};

/* The place that ModR/M, SIB and displacement name; next is the address after them. */
static void read_place(const uint8_t *modrm, uint64_t next, const struct prefixes *prefixes,
		       struct insn_operand *place)
{
	bool has_sib = (*modrm & 7U) == HAS_SIB;
	unsigned base = modrm[has_sib] & 7U;
	const uint8_t *displacement = modrm + (has_sib ? 2 : 1);
	size_t len = displacement_size(modrm[0], modrm[has_sib]);

	*place = (struct insn_operand){
		.size = 1,
		.base = INSN_NO_REGISTER,
		.index = INSN_NO_REGISTER,
		.scale = 1,
		.segment = prefixes->segment,
		.narrow = prefixes->is_narrow,
	};
	if (has_sib) {
		unsigned index = extension(modrm + 1) | ((prefixes->rex & REX_X) != 0 ? 8U : 0U);

		if (index != INSN_RSP)
			place->index = (int8_t)index;
		place->scale = (uint8_t)(1U << (modrm[1] >> 6));
	}
	if (len != 0)
		place->displacement = len == 1 ? short_displacement(displacement)
					       : long_displacement(displacement);
	if (*modrm >> 6 != 0 || base != NO_BASE)
		place->base = (int8_t)(base | ((prefixes->rex & REX_B) != 0 ? 8U : 0U));
	else if (!has_sib)
		place->displacement += next;
}

bool prefetch_insn_decode(const uint8_t *code, size_t size, uint64_t address,
			  struct prefetch_insn *insn)
{
	struct prefixes prefixes = read_prefixes(code, size);
	const uint8_t *at = code + prefixes.n;
	size_t n = size - prefixes.n;
	unsigned hint;

	if (n < LEAST_SIZE || at[0] != TWO_BYTES || (at[1] != 0x18 && at[1] != 0x0d))
		return false;
	hint = extension(at + 2);
	if (!is_memory(at + 2, n - 2) || (at[1] == 0x18 && hint >= HINTS) ||
	    operand_size(at + 2, n - 2) != n - 2)
		return false;
	insn->level = at[1] == 0x18 && hint >= HINT_T1 ? 1 : 0;
	read_place(at + 2, address + size, &prefixes, &insn->place);
	return true;
}

/* -- lengths ------------------------------------------------------------------ */

/* True if the instruction ends in a byte that is an operand. */
static bool has_immediate(unsigned map, unsigned opcode)
{
	if (map == 3)
		return true;
	return map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
			    (opcode >= 0xc4 && opcode <= 0xc6));
}

/* The length when the opcode is at a place after a prefix that names the map. */
static size_t finish(const unsigned char *code, size_t len, size_t at, unsigned map)
{
	size_t operand = at + 1 < len ? operand_size(code + at + 1, len - at - 1) : 0;
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
	if (at + 3 > len || code[0] != 0xf3 || code[at] != TWO_BYTES ||
	    code[at + 2] >> 6 != MOD_REGISTER)
		return 0;
	operation = extension(code + at + 2);
	if ((code[at + 1] == 0x1e && operation == 1) || (code[at + 1] == 0xae && operation == 5))
		return at + 3;
	return 0;
}

size_t vectorinsn_length(const unsigned char *code, size_t len, bool is_64_bit)
{
	bool is_prefix;
	unsigned map;

	if (len >= 3 && code[0] == TWO_BYTES && code[1] == 0x01 &&
	    (code[2] == 0xee || code[2] == 0xef))
		return 3;
	if (len < 4)
		return 0;
	/* Outside of 64-bit mode, these bytes are old instructions unless this looks like a register. */
	is_prefix = is_64_bit || code[1] >> 6 == MOD_REGISTER;
	switch (code[0]) {
	case 0xf3:
		return shadow_stack(code, len, is_64_bit);
	case VEX2:
		return is_prefix ? finish(code, len, 2, 1) : 0;
	case VEX3:
		map = code[1] & MAP_BITS;
		return is_prefix && map >= 1 && map <= 3 ? finish(code, len, 3, map) : 0;
	case EVEX:
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
