/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the instructions of an object as costgrind sees them, one a line: address, number of
 * bytes, text.  Like objdump -d, it begins anew at each symbol.  With a second argument
 * "intel", in that syntax.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/code/disassembly.h"

static void print_range(const struct objectfile *object, struct disassembly *disassembly,
			uint64_t start, uint64_t end)
{
	struct disassembled instruction;

	for (uint64_t at = start; at < end; at += instruction.len) {
		size_t len;
		const unsigned char *code = objectfile_code(object, at, &len);

		if (!code)
			return;
		disassembly_next(disassembly, code, end - at < len ? end - at : len, at,
				 &instruction);
		printf("%" PRIx64 " %zu %s %s\n", at, instruction.len, instruction.mnemonic,
		       instruction.operands);
	}
}

int main(int argc, char **argv)
{
	const struct objectfile_options options = { .sysroot = NULL };
	struct objectfile *object;
	struct disassembly *disassembly;
	struct object_symbol symbol;
	uint64_t start, end;
	const char *wrong = "usage: disassemble FILE [intel]";
	size_t next = 0;

	if (argc >= 2)
		wrong = objectfile_open(&object, argv[1], NULL, &options);
	if (!wrong)
		wrong = disassembly_open(&disassembly, objectfile_machine(object),
					 argc > 2 ? SYNTAX_INTEL : SYNTAX_ATT);
	if (wrong) {
		fprintf(stderr, "%s\n", wrong);
		return 1;
	}
	for (size_t i = 0; objectfile_section(object, i, &start, &end); i++) {
		for (; objectfile_symbol_number(object, next, &symbol) && symbol.start < end;
		     next++) {
			if (symbol.start > start)
				print_range(object, disassembly, start, symbol.start);
			if (symbol.start >= start)
				start = symbol.start;
		}
		print_range(object, disassembly, start, end);
	}
	disassembly_free(disassembly);
	objectfile_free(object);
	return 0;
}
