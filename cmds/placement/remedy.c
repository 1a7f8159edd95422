/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What GCC aligns, it finds by how often it expects the ways to a block to be taken (compute_alignments() in its final.c).
 * Of a block that control also falls into from above, -falign-loops is asked if jumps lead to it more than four times as often as
 * that, and a hundredth as often at least as anything in the function is executed; two parameters lower either.  Of one that is only
 * jumped to, as of loops that are entered in their middle, -falign-jumps is.  Jumps that lead to it less often than control falls into it
 * have it be no loop's head, whatever parameters say: -falign-labels aligns that, too, and all else that is jumped to.
 *
 * What it expects is not known here.  At -O2, it aligns loops by 8 at least: one that does not lie so, is none to it, or was
 * compiled without.  Clang knows loops only, and warns of the other options.
 */
#include "cmds/placement/remedy.h"

#include <stdio.h>
#include <string.h>

enum {
	MOST_CODE = 1 << 20, /* bytes before the loop that are read */
	USUAL_ALIGNMENT = 8, /* of loops, by GCC at -O2, at least */
	USUAL_TURNS = 4,     /* for one entry, that it takes for a loop */
};

#define ANY_LOOP " --param=align-loop-iterations=1 --param=align-threshold=65536"

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

/* The options that align a loop, as text; room for `size` bytes. */
static size_t put_options(char *text, size_t size, unsigned alignment, const struct loop *loop,
			  const struct remedy_facts *facts, bool is_only_jumped)
{
	const uint64_t entries = facts->executed > loop->turns ? facts->executed - loop->turns : 0;

	if (is_only_jumped)
		return (size_t)snprintf(text, size,
					"align loops with -falign-loops=%u -falign-jumps=%u",
					alignment, alignment);
	if (loop->turns <= entries)
		return (size_t)snprintf(
			text, size, "align what is jumped to with -falign-labels=%u", alignment);
	return (size_t)snprintf(text, size, "align loops with -falign-loops=%u%s", alignment,
				loop->begin % USUAL_ALIGNMENT != 0 ||
						loop->turns / USUAL_TURNS <= entries
					? ANY_LOOP
					: "");
}

bool remedy_find(struct remedy *remedy, const struct loop *loop, const struct remedy_facts *facts,
		 const struct code_object *object, struct arena *arena)
{
	const uint64_t bytes = loop->end - loop->begin;
	const struct code_stretch stretch = code_object_stretch(object, loop->begin);
	unsigned alignment = placement_alignment(0, bytes), of_function = 0;
	char text[240];
	size_t len;

	if (stretch.symbol)
		of_function = placement_alignment(loop->begin - stretch.start, bytes);
	if (is_assembler(facts->file)) {
		len = (size_t)snprintf(text, sizeof(text), "put .balign %u before the loop",
				       alignment);
	} else {
		len = put_options(text, sizeof(text), alignment, loop, facts,
				  is_only_jumped_to(object, &stretch, loop->begin));
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
