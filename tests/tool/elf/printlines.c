/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the rows of a file's line programs as the tool reads them: name of the file, line or -, address; with a second
 * argument paths of files, each that a row is of once a unit, in the order of the rows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tool/elf/read_file.h"
#include "tool/elf/dwarfunit.h"
#include "tool/elf/elfobject.h"

enum { MAX_FILES = 10000 };

struct file {
	const char *name;
	size_t len;
	uint64_t directory;
	bool is_printed;
};

static struct {
	unsigned n_directories, n_files;
	struct debug_name directories[MAX_FILES];
	struct file files[MAX_FILES];
} tables;

static bool note_directory(void *ctx, const char *path, size_t len)
{
	(void)ctx;
	if (tables.n_directories == MAX_FILES)
		return false;
	tables.directories[tables.n_directories++] = (struct debug_name){ path, len };
	return true;
}

static bool note_file(void *ctx, uint64_t directory, const char *name, size_t len)
{
	(void)ctx;
	if (tables.n_files == MAX_FILES)
		return false;
	tables.files[tables.n_files++] = (struct file){ name, len, directory, false };
	return true;
}

static struct debug_bytes section(const struct elfobject *object, const char *name)
{
	struct elf_section found;
	uint32_t number;
	uint8_t *bytes;

	if (!elfobject_find(object, name, &found, &number))
		return (struct debug_bytes){ NULL, 0 };
	bytes = malloc(found.size + 1);
	if (!bytes)
		exit(1);
	memcpy(bytes, object->bytes + found.offset, found.size);
	elfobject_relocate(object, number, bytes, found.size);
	return (struct debug_bytes){ bytes, found.size };
}

static void free_bytes(struct debug_bytes bytes)
{
	void *memory;

	memcpy(&memory, &bytes.at, sizeof(memory));
	free(memory);
}

static void print_part(struct debug_name part)
{
	if (part.len > 0)
		printf("%.*s/", (int)part.len, part.chars);
}

static void print_path(struct file *file)
{
	const struct debug_name none = { "", 0 };
	struct debug_name directory =
		file->directory < tables.n_directories ? tables.directories[file->directory] : none;

	if (file->is_printed)
		return;
	file->is_printed = true;
	if (file->name[0] != '/') {
		if (directory.chars[0] != '/' && file->directory != 0)
			print_part(tables.directories[0]);
		print_part(directory);
	}
	printf("%.*s\n", (int)file->len, file->name);
}

static void print_row(const struct line_row *row, bool with_paths)
{
	struct file none = { "?", 1, 0, false };
	struct file *file = row->file < tables.n_files ? &tables.files[row->file] : &none;
	const char *slash = NULL;

	for (size_t i = 0; i < file->len; i++)
		if (file->name[i] == '/')
			slash = file->name + i;
	if (with_paths) {
		print_path(file);
		return;
	}
	if (slash)
		printf("%.*s", (int)(file->name + file->len - (slash + 1)), slash + 1);
	else
		printf("%.*s", (int)file->len, file->name);
	if (row->is_end)
		printf(" - %" PRIx64 "\n", row->address);
	else
		printf(" %" PRIu32 " %" PRIx64 "\n", row->line, row->address);
}

int main(int argc, char **argv)
{
	const struct line_file_visitor visitor = { NULL, note_directory, note_file };
	struct debug_sections sections = { .lines = { NULL, 0 } };
	struct dwarf_root compilation;
	struct elfobject object;
	struct debug_bytes file;
	struct line_unit unit;
	uint64_t at = 0, next = 0;

	if (argc < 2)
		return 2;
	file = read_file(argv[1]);
	if (!elfobject_open(&object, file.at, file.len))
		return 1;
	sections.lines = section(&object, ".debug_line");
	sections.info = section(&object, ".debug_info");
	sections.abbreviations = section(&object, ".debug_abbrev");
	sections.strings = section(&object, ".debug_str");
	sections.line_strings = section(&object, ".debug_line_str");
	while (lineprogram_next_unit(&sections, &at, &unit)) {
		struct line_state machine = lineprogram_begin(&unit);
		struct line_row row;

		tables.n_directories = tables.n_files = 0;
		if (!lineprogram_files(&unit, &visitor))
			return 1;
		if (unit.version < 5 && dwarfunit_next_root(&sections, &next, &compilation) &&
		    compilation.lines == unit.offset)
			tables.directories[0] = compilation.directory;
		while (lineprogram_next_row(&machine, &row))
			print_row(&row, argc > 2);
	}
	free_bytes(sections.lines);
	free_bytes(sections.info);
	free_bytes(sections.abbreviations);
	free_bytes(sections.strings);
	free_bytes(sections.line_strings);
	free_bytes(file);
	return 0;
}
