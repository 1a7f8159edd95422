/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is an object file: whatever it holds, all that can be asked of it is answered, sections and
 * symbols are as promised, and its code is disassembled.
 */
#define _GNU_SOURCE /* memfd_create() */
#include "cmds/object/disassembly.h"
#include "cmds/object/objectfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MAX_QUESTIONS = 2000, /* lines and symbols, of one object */
	MAX_CODE = 1 << 16,   /* bytes of a section that are looked at */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void ask(struct objectfile *object, uint64_t address)
{
	struct object_symbol symbol;
	uint64_t start, end, line;
	const char *file;

	if (objectfile_symbol(object, address, &symbol))
		require(symbol.start <= address && address < symbol.end && symbol.name[0] != '\0');
	else if (objectfile_gap(object, address, &start, &end))
		require(start <= address && (address < end || end == UINT64_MAX));
	objectfile_variable(object, address, &symbol);
	if (objectfile_line(object, address, &file, &line))
		require(line > 0 && file[strlen(file)] == '\0');
}

/* Names of source files are texts; it is enough to have looked at some. */
static bool note_name(void *ctx, const char *name)
{
	size_t *n = ctx;

	require(name[strlen(name)] == '\0');
	return ++*n < MAX_QUESTIONS;
}

static void check_names(struct objectfile *object)
{
	size_t n = 0;

	while (n < MAX_QUESTIONS && objectfile_next_unit(object, note_name, &n))
		n++;
	objectfile_is_safe(object);
}

static void check_code(struct objectfile *object, uint64_t start, uint64_t end)
{
	struct disassembly *disassembly;
	struct disassembled instruction;
	struct instruction_effects effects;
	uint64_t at = start;
	size_t questions = 0;

	if (disassembly_open(&disassembly, objectfile_machine(object), SYNTAX_ATT) != NULL)
		return;
	if (end - start > MAX_CODE)
		end = start + MAX_CODE;
	while (at < end) {
		size_t len;
		const unsigned char *code = objectfile_code(object, at, &len);

		if (!code)
			break;
		disassembly_next(disassembly, code, len, at, &instruction);
		require(instruction.len >= 1 && instruction.len <= len && instruction.len <= 15);
		disassembly_effects(disassembly, &instruction, &effects);
		require(!effects.memory ||
			(effects.memory >= instruction.operands &&
			 effects.memory + effects.memory_len <=
				 instruction.operands + strlen(instruction.operands)));
		if (questions++ < MAX_QUESTIONS)
			ask(object, at);
		at += instruction.len;
	}
	disassembly_free(disassembly);
}

/* Stretches, with a symbol or without, follow each other without gaps. */
static void check(struct objectfile *object)
{
	uint64_t at = 0, start, end;
	size_t questions = 0;

	check_names(object);
	while (at != UINT64_MAX) {
		struct object_symbol symbol;
		size_t len;

		if (objectfile_symbol(object, at, &symbol)) {
			require(!objectfile_gap(object, at, &start, &end));
			start = symbol.start;
			end = symbol.end;
		} else {
			require(objectfile_gap(object, at, &start, &end));
		}
		require(start == at && start < end);
		if (questions++ < MAX_QUESTIONS)
			ask(object, at);
		if (objectfile_code(object, at, &len))
			check_code(object, start, end);
		at = end;
	}
	ask(object, UINT64_MAX);
	require(strlen(objectfile_build_id(object)) <= 128);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct objectfile_options options = { .sysroot = NULL };
	int fd = memfd_create("object", MFD_CLOEXEC);
	struct objectfile *object;
	char path[64];

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (objectfile_open(&object, path, NULL, &options) == NULL) {
		check(object);
		objectfile_free(object);
	}
	close(fd);
	return 0;
}
