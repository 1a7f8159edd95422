/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the place of disassembly.c where costgrind was configured --without-capstone. */
#include "cmds/code/disassembly.h"

#include <string.h>

const char *disassembly_missing(void)
{
	return "costgrind was built without Capstone (Debian: libcapstone-dev)";
}

/* There is none, so nobody calls what follows. */

const char *disassembly_open(struct disassembly **disassembly, enum object_machine machine,
			     enum assembly_syntax syntax)
{
	(void)machine;
	(void)syntax;
	*disassembly = NULL;
	return "cannot be shown";
}

void disassembly_free(struct disassembly *disassembly)
{
	(void)disassembly;
}

void disassembly_next(struct disassembly *disassembly, const unsigned char *code, size_t len,
		      uint64_t address, struct disassembled *instruction)
{
	(void)disassembly;
	(void)address;
	disassembly_bytes(code, len, instruction);
}

void disassembly_bytes(const unsigned char *code, size_t len, struct disassembled *instruction)
{
	(void)code;
	memset(instruction, 0, sizeof(*instruction));
	instruction->len = len;
}

void disassembly_effects(const struct disassembly *disassembly,
			 const struct disassembled *instruction,
			 struct instruction_effects *effects)
{
	(void)disassembly;
	(void)instruction;
	memset(effects, 0, sizeof(*effects));
}

void disassembly_motion(const struct disassembly *disassembly,
			const struct disassembled *instruction, struct instruction_motion *motion)
{
	(void)disassembly;
	(void)instruction;
	memset(motion, 0, sizeof(*motion));
}
