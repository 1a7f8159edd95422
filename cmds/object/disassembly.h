/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code as text, an instruction at a time, by Capstone.
 *
 * What Capstone does not know (docs/COMPATIBILITY.md lists it) is shown as data, of as
 * many bytes as the instruction has if that can be seen, so that what follows is read
 * from where it begins.
 */
#ifndef CMDS_OBJECT_DISASSEMBLY_H
#define CMDS_OBJECT_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cmds/object/objectfile.h"
#include "isa/x86/effects.h"

/* In the order of "att|intel", of --asm-syntax. */
enum assembly_syntax {
	SYNTAX_ATT,
	SYNTAX_INTEL,
};

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_JUMP,
	INSTRUCTION_CONDITIONAL, /* jump */
	INSTRUCTION_CALL,
	INSTRUCTION_RETURN,
	INSTRUCTION_UNKNOWN, /* data, or not known to Capstone */
};

struct disassembled {
	size_t len; /* bytes, 1 to 15 */
	enum instruction_kind kind;
	bool has_target; /* of a jump or call to an address that is in the instruction */
	uint64_t target;
	bool has_reference; /* to memory, relative to the instruction's own address */
	uint64_t reference;
	char mnemonic[32];
	char operands[192]; /* "" = none */
};

struct disassembly; /* opaque */

/*
 * For code of a machine.  Returns NULL, or why that cannot be: a text that lives for ever.
 * *disassembly is to be freed if NULL was returned.
 */
const char *disassembly_open(struct disassembly **disassembly, enum object_machine machine,
			     enum assembly_syntax syntax);
void disassembly_free(struct disassembly *disassembly);

/* The instruction in the first of len (1 or more) bytes of code at an address. */
void disassembly_next(struct disassembly *disassembly, const unsigned char *code, size_t len,
		      uint64_t address, struct disassembled *instruction);

/*
 * What the instruction that disassembly_next() filled last does, whose texts are borrowed; nothing, if it is not
 * known.
 */
void disassembly_effects(const struct disassembly *disassembly,
			 const struct disassembled *instruction,
			 struct instruction_effects *effects);

/* The same for types, in Intel's syntax; MOTION_NONE of machines but x86-64. */
void disassembly_motion(const struct disassembly *disassembly,
			const struct disassembled *instruction, struct instruction_motion *motion);

/* The instruction of bytes, 1 to 15, that are no instruction: all of them as data. */
void disassembly_bytes(const unsigned char *code, size_t len, struct disassembled *instruction);

#endif
