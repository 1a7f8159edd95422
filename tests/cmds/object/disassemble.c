/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the instructions of an object as costgrind sees them, one a line: address, number of
 * bytes, text.  Like objdump -d, it begins anew at each symbol.  With a second argument
 * "intel", in that syntax; with "changes" too, after the numbers of the registers that it changes (DWARF's).
 * With "--version" alone, the major version of the Capstone that it is linked against.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/object/disassembly.h"

static bool with_changes;

static void print_changes(const struct disassembly *disassembly,
			  const struct disassembled *instruction)
{
	struct instruction_motion motion;

	disassembly_motion(disassembly, instruction, &motion);
	for (unsigned i = 0; i < 64; i++)
		if (motion.writes >> i & 1)
			printf("%u ", i);
	printf(": ");
}

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
		if (with_changes)
			print_changes(disassembly, &instruction);
		printf("%" PRIx64 " %zu %s %s\n", at, instruction.len, instruction.mnemonic,
		       instruction.operands);
	}
}

/*
 * The object, stretch by stretch: functions, and what has no symbol.  Behind a function, instructions go on
 * as they fall, up to the next function or the end of the section.
 */
static void print_all(const struct objectfile *object, struct disassembly *disassembly)
{
	uint64_t from = 0, at = 0, section_end = 0, start, end;

	while (at != UINT64_MAX) {
		struct object_symbol symbol;
		bool begins = objectfile_symbol(object, at, &symbol);
		size_t len;

		if (begins)
			end = symbol.end;
		else if (!objectfile_gap(object, at, &start, &end))
			return;
		if (begins || at >= section_end) {
			print_range(object, disassembly, from, at);
			from = at;
		}
		if (objectfile_code(object, at, &len)) {
			section_end = at + len;
		} else {
			from = end;
			section_end = 0;
		}
		at = end;
	}
}

int main(int argc, char **argv)
{
	const struct objectfile_options options = { .sysroot = NULL };
	struct objectfile *object;
	struct disassembly *disassembly;
	const char *wrong = "usage: disassemble --version | FILE [intel | changes]";

	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		int major, minor;

		cs_version(&major, &minor);
		printf("%d\n", major);
		return 0;
	}
	if (argc >= 2)
		wrong = objectfile_open(&object, argv[1], NULL, &options);
	if (!wrong)
		wrong = disassembly_open(&disassembly, objectfile_machine(object),
					 argc > 2 ? SYNTAX_INTEL : SYNTAX_ATT);
	if (wrong) {
		fprintf(stderr, "%s\n", wrong);
		return 1;
	}
	with_changes = argc > 2 && strcmp(argv[2], "changes") == 0;
	print_all(object, disassembly);
	disassembly_free(disassembly);
	objectfile_free(object);
	return 0;
}
