/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first byte says which format the others are of: a perf map, a jitdump file, line programs (in a section that is
 * all others, too), an ELF file with such sections. Whatever they hold, it is read to its end, and what is found is as promised.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tool/elf/dwarfunit.h"
#include "tool/elf/elfobject.h"
#include "tool/generated/jitformats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_text(const char *text)
{
	const size_t len = strlen(text);

	require(len < CODENAME_SIZE);
	for (size_t i = 0; i < len; i++)
		require((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

static void check_name(const char *text, size_t len)
{
	static struct codename name;

	codename_split(text, len, &name);
	check_text(name.function);
	check_text(name.file);
	require(name.function[0] != '\0' || (name.file[0] == '\0' && name.line == 0));
}

static void read_map(const char *text, size_t len)
{
	struct perfmap_entry entry;
	size_t begin = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && text[i] != '\n')
			continue;
		check_name(text + begin, i - begin);
		if (perfmap_parse(text + begin, i - begin, &entry)) {
			require(entry.size > 0 &&
				entry.address + (entry.size - 1) >= entry.address);
			require(entry.name >= text + begin && entry.name_len > 0 &&
				entry.name + entry.name_len <= text + i);
			check_name(entry.name, entry.name_len);
		}
		begin = i + 1;
	}
}

static void read_lines(const uint8_t *record, size_t len)
{
	struct jitdump_lines lines;
	struct jitdump_line line;
	size_t n = 0;

	if (!jitdump_begin_lines(record, len, &lines))
		return;
	while (jitdump_next_line(&lines, &line)) {
		require(++n * 17 <= len);
		check_name(line.file, line.file_len);
	}
}

static void read_record(uint32_t kind, const uint8_t *record, size_t len)
{
	struct jitdump_code code;

	if (kind == JITDUMP_LINES)
		read_lines(record, len);
	else if (kind == JITDUMP_MOVE && jitdump_read_move(record, len, &code))
		require(code.size > 0);
	else if (kind == JITDUMP_LOAD && jitdump_read_load(record, len, &code))
		check_name(code.name, code.name_len);
}

static void read_dump(const uint8_t *data, size_t len)
{
	uint32_t kind, size;
	size_t at;

	if (len < JITDUMP_HEADER_SIZE || !jitdump_read_header(data, &size))
		return;
	for (at = size; at < len && len - at >= JITDUMP_PREFIX_SIZE; at += size) {
		if (!jitdump_read_prefix(data + at, &kind, &size) || size > len - at)
			return;
		read_record(kind, data + at, size);
	}
}

/* --- line programs -------------------------------------------------------------------------- */

static unsigned n_names;

static bool note_directory(void *ctx, const char *path, size_t len)
{
	(void)ctx;
	require(len <= DEBUG_MAX_NAME && memchr(path, '\0', len) == NULL);
	return ++n_names < 1000;
}

static bool note_file(void *ctx, uint64_t directory, const char *name, size_t len)
{
	(void)directory;
	return note_directory(ctx, name, len);
}

static void read_sections(const struct debug_sections *sections)
{
	const struct line_file_visitor visitor = { NULL, note_directory, note_file };
	struct dwarf_root compilation;
	struct line_unit unit;
	uint64_t at = 0, n_rows = 0, before = 0;

	n_names = 0;
	while (lineprogram_next_unit(sections, &at, &unit)) {
		struct line_state machine = lineprogram_begin(&unit);
		struct line_row row;

		require(at > before && at <= sections->lines.len && unit.offset < at);
		before = at;
		lineprogram_files(&unit, &visitor);
		while (lineprogram_next_row(&machine, &row))
			require(++n_rows <= sections->lines.len);
	}
	for (at = before = 0; dwarfunit_next_root(sections, &at, &compilation); before = at) {
		require(at > before && at <= sections->info.len);
		require(compilation.directory.len > 0 &&
			compilation.directory.len <= DEBUG_MAX_NAME);
	}
}

/* A copy of a section, relocated if it can be; of just its size. */
static struct debug_bytes copy_section(const struct elfobject *object, const char *name)
{
	struct elf_section section;
	uint32_t number;
	uint8_t *copy;

	if (!elfobject_find(object, name, &section, &number) || section.size == 0)
		return (struct debug_bytes){ NULL, 0 };
	copy = malloc(section.size);
	require(copy != NULL);
	memcpy(copy, object->bytes + section.offset, section.size);
	elfobject_relocate(object, number, copy, section.size);
	return (struct debug_bytes){ copy, section.size };
}

static void free_section(struct debug_bytes section)
{
	void *memory;

	memcpy(&memory, &section.at, sizeof(memory));
	free(memory);
}

static void read_debug_sections(const struct elfobject *object)
{
	static const char *const names[] = { ".debug_line", ".debug_info", ".debug_abbrev",
					     ".debug_str", ".debug_line_str" };
	struct debug_bytes copies[5];

	for (int i = 0; i < 5; i++)
		copies[i] = copy_section(object, names[i]);
	read_sections(&(struct debug_sections){
		.lines = copies[0],
		.info = copies[1],
		.abbreviations = copies[2],
		.strings = copies[3],
		.line_strings = copies[4],
	});
	for (int i = 0; i < 5; i++)
		free_section(copies[i]);
}

static void read_object(const uint8_t *data, size_t len)
{
	struct elfobject_cursor cursor = { 0, 0 };
	struct elfobject_function function;
	struct elfobject object;

	if (!elfobject_open(&object, data, len))
		return;
	for (int n = 0; n < 1000 && elfobject_next(&object, &cursor, &function); n++)
		check_name(function.name, strlen(function.name));
	read_debug_sections(&object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	if (size < 1)
		return 0;
	/* Of just this size: reads past its end are found. */
	copy = malloc(size);
	require(copy != NULL);
	memcpy(copy, data, size);
	if (data[0] == 'm')
		read_map((const char *)copy + 1, size - 1);
	else if (data[0] == 'd')
		read_dump(copy + 1, size - 1);
	else if (data[0] == 'l')
		read_sections(&(struct debug_sections){
			.lines = { copy + 1, size - 1 },
			.info = { copy + 1, size - 1 },
			.abbreviations = { copy + 1, size - 1 },
			.strings = { copy + 1, size - 1 },
			.line_strings = { copy + 1, size - 1 },
		});
	else
		read_object(copy + 1, size - 1);
	free(copy);
	return 0;
}
