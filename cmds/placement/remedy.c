/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GCC takes a block for the head of a loop only if control also falls into it from above; one that is only jumped
 * to, as of loops that are entered in their middle, it aligns by -falign-jumps.  Clang knows loops
 * only, and warns of the other option.
 */
#include "cmds/placement/remedy.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CODE = 1 << 20 }; /* bytes before the loop that are read */

static bool is_assembler(const char *file)
{
	static const char *const suffixes[] = { ".s", ".S", ".asm", ".sx" };
	const char *suffix = file ? strrchr(file, '.') : NULL;

	for (size_t i = 0; suffix && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcmp(suffix, suffixes[i]) == 0)
			return true;
	return false;
}

/* "nop", "data16 cs nopw", "xchg %ax, %ax", which fill the space before what is aligned. */
static bool is_filling(const struct disassembled *text)
{
	return strstr(text->mnemonic, "nop") || strcmp(text->operands, "%ax, %ax") == 0;
}

/* Whether control cannot come to an address from right before it. */
static bool is_only_jumped_to(const struct code_object *object, const struct code_stretch *stretch,
			      uint64_t address)
{
	bool has_ended = false;
	size_t len;
	const unsigned char *code;

	if (!object->text || !stretch->symbol || address - stretch->start > MOST_CODE)
		return false;
	code = objectfile_code(object->file, stretch->start, &len);
	if (!code || len < address - stretch->start)
		return false;
	for (uint64_t at = stretch->start; at < address;) {
		struct disassembled text;

		disassembly_next(object->text, code, (size_t)(address - at), at, &text);
		if (!is_filling(&text))
			has_ended = text.kind == INSTRUCTION_JUMP ||
				    text.kind == INSTRUCTION_RETURN;
		at += text.len;
		code += text.len;
	}
	return has_ended;
}

bool remedy_find(struct remedy *remedy, const struct loop *loop, const char *file,
		 const struct code_object *object, struct arena *arena)
{
	const uint64_t bytes = loop->end - loop->begin;
	const struct code_stretch stretch = code_object_stretch(object, loop->begin);
	unsigned alignment = placement_alignment(0, bytes), of_function = 0;
	char text[160];
	size_t len;

	if (stretch.symbol)
		of_function = placement_alignment(loop->begin - stretch.start, bytes);
	if (is_assembler(file)) {
		len = (size_t)snprintf(text, sizeof(text), "put .balign %u before the loop",
				       alignment);
	} else {
		len = (size_t)snprintf(text, sizeof(text), "align loops with -falign-loops=%u",
				       alignment);
		if (is_only_jumped_to(object, &stretch, loop->begin))
			len += (size_t)snprintf(text + len, sizeof(text) - len, " -falign-jumps=%u",
						alignment);
		if (of_function)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						", or only this function with "
						"__attribute__((aligned(%u)))",
						of_function);
	}
	*remedy = (struct remedy){
		.alignment = alignment,
		.function_alignment = of_function,
		.text = arena_copy(arena, text, len),
	};
	return remedy->text != NULL;
}
