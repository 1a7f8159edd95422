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

enum assembly_syntax {
	SYNTAX_ATT,
	SYNTAX_INTEL,
};

/* --asm-syntax, of the commands that have it: by its name; what was expected if there is none of that name, else NULL. */
static inline const char *assembly_syntax_read(const char *name, enum assembly_syntax *syntax)
{
	if (strcmp(name, "att") == 0)
		*syntax = SYNTAX_ATT;
	else if (strcmp(name, "intel") == 0)
		*syntax = SYNTAX_INTEL;
	else
		return "att or intel";
	return NULL;
}

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

/*
 * What an instruction makes of what, where that is known: a bit for each register, whatever part of it is
 * used.  Of memory there is one operand at most.
 */
struct instruction_effects {
	uint64_t reads,
		writes;     /* reads: without those of memory's addresses, but with those of lea */
	uint64_t addresses; /* that an operand in memory is found by */
	bool reads_flags, writes_flags;
	bool loads, stores;
	bool has_slot; /* the operand is at a constant distance from the stack or frame pointer */
	uint64_t slot_base;    /* which of these */
	int64_t slot_offset;   /* bytes */
	const char *memory;    /* the operand's text, in operands of the instruction; NULL = none */
	size_t memory_len;     /* bytes */
	uint64_t lost_in_call; /* of a call: registers that are not kept in it */
};

/* What an instruction does with the value of a register. */
enum motion_kind {
	MOTION_NONE,     /* nothing that is known, but that it changes registers */
	MOTION_MOVE,     /* to = source */
	MOTION_CHOICE,   /* to = to or source */
	MOTION_ADD,      /* to = to + source */
	MOTION_SUBTRACT, /* to = to - source */
	MOTION_SCALE,    /* to = source * constant */
	MOTION_ADDRESS,  /* to = the address of a place that is not used */
	MOTION_STORE,    /* place that is written = source */
	MOTION_CALL,
	MOTION_LEAVE, /* as leave does with the frame pointer */
};

enum motion_source {
	SOURCE_OTHER, /* not known */
	SOURCE_REGISTER,
	SOURCE_CONSTANT,
	SOURCE_MEMORY, /* the place that is read */
};

/* An operand in memory: base + index * scale + offset. */
struct motion_place {
	bool is_used;
	bool is_special;    /* at several addresses, or in a segment */
	bool is_thread;     /* from the thread's pointer on: thread-local */
	int8_t base, index; /* general registers by DWARF's numbers; -1 = none */
	uint8_t scale;
	uint8_t size;   /* bytes */
	int64_t offset; /* with no register: the address */
};

/*
 * What types are followed by.  Registers are the general ones and those of vectors, by DWARF's numbers (0 to 15, 17 to 32);
 * -1 = none.  Of a vector, the first 8 bytes are its value.
 */
struct instruction_motion {
	enum motion_kind kind;
	enum motion_source source;
	int8_t to, from; /* from: SOURCE_REGISTER */
	int8_t stack;    /* bytes that the stack pointer goes up by, behind all else */
	uint64_t writes; /* a bit for each register that it changes, but the stack pointer by that */
	int64_t constant;
	struct motion_place read,
		written; /* both, if one place is read or written, which of it is not known */
	struct motion_place address; /* MOTION_ADDRESS */
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
