/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line program has sequences of rows, in any order, each of which ends.  Rows of all are put in the order of addresses; a
 * function has those from the last one at or before its beginning on.
 */
#include "tool/generated/objectlines.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/message.h"
#include "tool/common/numbers.h"
#include "tool/elf/dwarfunit.h"
#include "tool/elf/lineprogram.h"
#include "tool/generated/naming.h"
#include "tool/generated/state.h"

enum {
	MAX_SECTION = 1 << 26, /* bytes of a section */
	MAX_LINES = 1 << 21,   /* of an object */
	MAX_NAMES = 1 << 17,   /* of directories and files of an object */
	MAX_KEPT = 1 << 24,    /* lines of a process */
};

/* Code from an address on; at the end of a sequence without a line and a file. */
struct object_line {
	Addr address;
	const struct text *file;
	UInt line;
	UInt number; /* in the order that they were read in */
	Bool is_end;
};

/* --- files --------------------------------------------------------------------------------- */

struct path_part {
	const HChar *chars;
	SizeT len;
};

struct source_file {
	struct path_part name;
	ULong directory;
	const struct text *path; /* once it is asked for */
};

/* The tables of a unit. */
struct source_files {
	UInt n_directories, n_files, directory_room, file_room;
	struct path_part *directories;
	struct source_file *files;
	UInt n_names; /* of all units */
	/* Where compilers ran: of old units that are in the same order as these, as they are. */
	struct dwarf_root compilation;
	Bool has_compilation;
	uint64_t next_compilation;
};

/* Room for one more item in an array of n. */
static void *grow(void *items, UInt n, UInt *room, SizeT size)
{
	if (n < *room)
		return items;
	*room = *room == 0 ? 16 : 2 * *room;
	return VG_(realloc)("costgrind.object_lines", items, *room * size);
}

static bool note_directory(void *ctx, const char *path, size_t len)
{
	struct source_files *files = ctx;

	if (files->n_names++ >= MAX_NAMES)
		return false;
	files->directories = grow(files->directories, files->n_directories, &files->directory_room,
				  sizeof(*files->directories));
	files->directories[files->n_directories++] = (struct path_part){ path, len };
	return true;
}

/* Up to version 4, directory 0 is where the compiler ran. */
static void note_compiler(struct source_files *files, const struct line_unit *unit)
{
	while (files->has_compilation && files->compilation.lines < unit->offset)
		files->has_compilation = dwarfunit_next_root(
			unit->sections, &files->next_compilation, &files->compilation);
	if (unit->version < 5 && files->has_compilation && files->compilation.lines == unit->offset)
		files->directories[0] = (struct path_part){
			files->compilation.directory.chars,
			files->compilation.directory.len,
		};
}

static bool note_file(void *ctx, uint64_t directory, const char *name, size_t len)
{
	struct source_files *files = ctx;

	if (files->n_names++ >= MAX_NAMES)
		return false;
	files->files = grow(files->files, files->n_files, &files->file_room, sizeof(*files->files));
	files->files[files->n_files++] = (struct source_file){ { name, len }, directory, NULL };
	return true;
}

static Bool is_absolute(struct path_part part)
{
	return part.len > 0 && part.chars[0] == '/';
}

/* A path as it grows: what has no room is cut. */
struct path {
	HChar chars[3 * DEBUG_MAX_NAME + 3];
	SizeT len;
};

static void add_part(struct path *path, struct path_part part)
{
	if (part.len == 0)
		return;
	if (path->len > 0 && path->chars[path->len - 1] != '/')
		path->chars[path->len++] = '/';
	VG_(memcpy)(path->chars + path->len, part.chars, part.len);
	path->len += part.len;
}

/* A name is in its directory, and that in the first one, as far as they are not absolute. */
static const struct text *make_path(const struct source_files *files,
				    const struct source_file *file)
{
	static struct path path; /* too much for a stack of the core's */
	const struct path_part none = { NULL, 0 };
	const struct path_part directory =
		file->directory < files->n_directories ? files->directories[file->directory] : none;

	path.len = 0;
	if (file->name.len == 0)
		return NULL;
	if (!is_absolute(file->name)) {
		if (!is_absolute(directory) && file->directory != 0 && files->n_directories > 0)
			add_part(&path, files->directories[0]);
		add_part(&path, directory);
	}
	add_part(&path, file->name);
	return naming_file(path.chars, path.len);
}

static const struct text *path_of(const struct source_files *files, ULong number)
{
	struct source_file *file = number < files->n_files ? &files->files[number] : NULL;

	if (file == NULL)
		return NULL;
	if (file->path == NULL)
		file->path = make_path(files, file);
	return file->path;
}

/* --- rows ---------------------------------------------------------------------------------- */

static void note_row(struct objectlines *lines, const struct line_row *row,
		     const struct source_files *files)
{
	const struct text *file = row->is_end ? NULL : path_of(files, row->file);

	lines->lines = grow(lines->lines, lines->n, &lines->room, sizeof(*lines->lines));
	lines->lines[lines->n] = (struct object_line){
		.address = row->address,
		.file = file,
		.line = file == NULL ? 0 : row->line,
		.number = lines->n,
		.is_end = row->is_end,
	};
	lines->n++;
}

/* A sequence without an end is none. */
static void read_unit(struct objectlines *lines, const struct line_unit *unit,
		      struct source_files *files)
{
	const struct line_file_visitor visitor = { files, note_directory, note_file };
	struct line_machine machine = lineprogram_begin(unit);
	UInt n_whole = lines->n;
	struct line_row row;

	files->n_directories = files->n_files = 0;
	if (!lineprogram_files(unit, &visitor) || files->n_directories == 0)
		return;
	note_compiler(files, unit);
	while (lines->n < MAX_LINES && lineprogram_next_row(&machine, &row)) {
		note_row(lines, &row, files);
		if (row.is_end)
			n_whole = lines->n;
	}
	lines->n = n_whole;
}

/* Where one sequence ends, another one may begin. */
static Int compare_lines(const void *a, const void *b)
{
	const struct object_line *left = a, *right = b;

	if (left->address != right->address)
		return by_number(left->address, right->address);
	if (left->is_end != right->is_end)
		return left->is_end ? -1 : 1;
	return by_number(left->number, right->number);
}

static Bool are_in_order(const struct objectlines *lines)
{
	for (UInt i = 1; i < lines->n; i++)
		if (compare_lines(&lines->lines[i - 1], &lines->lines[i]) > 0)
			return False;
	return True;
}

static void read_units(struct objectlines *lines, const struct debug_sections *sections)
{
	struct source_files files = { 0 };
	struct line_unit unit;
	uint64_t at = 0;

	files.has_compilation =
		dwarfunit_next_root(sections, &files.next_compilation, &files.compilation);

	while (lineprogram_next_unit(sections, &at, &unit))
		read_unit(lines, &unit, &files);
	if (files.directories != NULL)
		VG_(free)(files.directories);
	if (files.files != NULL)
		VG_(free)(files.files);
	if (!are_in_order(lines))
		VG_(ssort)(lines->lines, lines->n, sizeof(*lines->lines), compare_lines);
}

static struct debug_bytes find_bytes(const struct elfobject *object, const HChar *name)
{
	struct elf_section section;
	uint32_t number;

	if (!elfobject_find(object, name, &section, &number))
		return (struct debug_bytes){ NULL, 0 };
	return (struct debug_bytes){ object->bytes + section.offset, section.size };
}

/* A copy of a section, to be freed, with its relocations done; none if not all can be, and are to be. */
static struct debug_bytes copy_section(const struct elfobject *object, const HChar *name,
				       Bool is_strict)
{
	struct elf_section section;
	uint32_t number;
	UChar *copy;

	if (!elfobject_find(object, name, &section, &number) || section.size == 0 ||
	    section.size > MAX_SECTION)
		return (struct debug_bytes){ NULL, 0 };
	copy = VG_(malloc)("costgrind.object_lines", section.size);
	VG_(memcpy)(copy, object->bytes + section.offset, section.size);
	if (elfobject_relocate(object, number, copy, section.size) || !is_strict)
		return (struct debug_bytes){ copy, section.size };
	VG_(free)(copy);
	return (struct debug_bytes){ NULL, 0 };
}

static void free_section(struct debug_bytes section)
{
	if (section.at != NULL)
		VG_(free)((void *)(UWord)section.at);
}

void objectlines_read(struct objectlines *lines, const struct elfobject *object)
{
	struct debug_sections sections = { .lines = copy_section(object, ".debug_line", True) };

	if (sections.lines.at == NULL)
		return;
	sections.info = copy_section(object, ".debug_info", False);
	sections.abbreviations = find_bytes(object, ".debug_abbrev");
	sections.strings = find_bytes(object, ".debug_str");
	sections.line_strings = find_bytes(object, ".debug_line_str");
	read_units(lines, &sections);
	free_section(sections.lines);
	free_section(sections.info);
}

void objectlines_release(struct objectlines *lines)
{
	if (lines->lines != NULL)
		VG_(free)(lines->lines);
	*lines = (struct objectlines){ 0 };
}

/* --- functions ----------------------------------------------------------------------------- */

/* The number of lines that begin at an address or before it. */
static UInt n_until(const struct objectlines *lines, Addr address)
{
	UInt low = 0, high = lines->n;

	while (low < high) {
		const UInt middle = low + (high - low) / 2;

		if (lines->lines[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether the process may have so many lines more. */
static Bool has_room(UInt n)
{
	if (tool_generated.n_lines > MAX_KEPT)
		return False;
	if (n <= MAX_KEPT - tool_generated.n_lines) {
		tool_generated.n_lines += n;
		return True;
	}
	tool_generated.n_lines = MAX_KEPT + 1;
	message_note("lines of generated code: no more than the first %u are read", (UInt)MAX_KEPT);
	return False;
}

struct named_lines *objectlines_of(const struct objectlines *lines, Addr address, ULong size)
{
	const UInt before = n_until(lines, address), end = n_until(lines, address + (size - 1));
	const UInt first = before == 0 ? 0 : before - 1;
	struct named_line *made;
	struct named_lines *table;
	UInt n = 0;

	/* What is of no sequence has no lines. */
	if (first == end || (end == before && lines->lines[first].is_end) || !has_room(end - first))
		return NULL;
	made = VG_(malloc)("costgrind.object_lines", (end - first) * sizeof(*made));
	for (UInt i = first; i < end; i++) {
		const struct object_line *line = &lines->lines[i];
		const ULong offset = line->address < address ? 0 : line->address - address;

		if (offset > 0xffffffff)
			break;
		/* Of several of one instruction, the last one counts. */
		if (n > 0 && made[n - 1].offset == offset)
			n--;
		made[n++] = (struct named_line){ (UInt)offset, line->line, line->file };
	}
	table = naming_lines(made, n);
	VG_(free)(made);
	return table;
}
