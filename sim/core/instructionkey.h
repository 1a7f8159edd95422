/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of forms of instructions (sim/core/instructiontable.h says what they look like), and how one is made more
 * common, so that a table may have it: "sub r16,m16" as "sub r64,m64".
 */
#ifndef SIM_CORE_INSTRUCTIONKEY_H
#define SIM_CORE_INSTRUCTIONKEY_H

#include <stdbool.h>
#include <stddef.h>

enum { INSTRUCTION_MAX_KEY = 60 }; /* bytes of a key; longer ones are nobody's */

/* Invariant: name_len <= len <= sizeof(text). */
struct instructionkey {
	char text[INSTRUCTION_MAX_KEY +
		  8]; /* no NUL behind it; kinds may grow when they are replaced */
	size_t len;
	size_t name_len; /* of the mnemonic, with its prefix */
};

/* What kinds a key has. */
struct instructionkey_kinds {
	bool vectors; /* x, y, mm or st */
	bool wide;    /* m256 that is not the first operand */
	bool memory;  /* any that is not the first operand */
};

enum instructionkey_reduction {
	INSTRUCTIONKEY_WIDTHS, /* general registers as r64; if there are no vectors, memory as m64 */
	INSTRUCTIONKEY_VECTORS, /* y as x, m256 as m128 */
	INSTRUCTIONKEY_LOADS, /* memory that is not the first operand as a register: y, x or r64 */
};

/* Bytes of the prefix "lock ", "rep " or "repne ", with its blank; 0 if there is none. */
size_t instructionkey_prefix_len(const char *key, size_t len);

/* Bytes of the mnemonic with its prefix. */
size_t instructionkey_name_len(const char *key, size_t len);

/* A key of at most INSTRUCTION_MAX_KEY bytes, whatever they are. */
struct instructionkey instructionkey_make(const char *key, size_t len);

struct instructionkey_kinds instructionkey_kinds(const struct instructionkey *key);

/* Replaces all kinds that it applies to; those that would not fit stay. */
void instructionkey_reduce(struct instructionkey *key, enum instructionkey_reduction reduction);

#endif
