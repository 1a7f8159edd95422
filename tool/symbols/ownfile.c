/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files are identified by device and inode, not by path: two files of memfd_create() may share a name, and a path may lead to
 * another file by now.
 */
#include "tool/symbols/ownfile.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/elf/elfobject.h"
#include "tool/symbols/symbol.h"

enum {
	MAX_COPIED = 1 << 28, /* bytes of all files that may change */
};

/* A descriptor of the program's file; not in the core's public headers. */
extern Int VG_(cl_exec_fd);

static const NSegment *file_segment(Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);

	return segment != NULL && segment->kind == SkFileC ? segment : NULL;
}

static struct own_file *find(struct own_files *files, ULong dev, ULong ino)
{
	struct own_file *file = files->last;

	if (file != NULL && file->ino == ino && file->dev == dev)
		return file;
	for (file = files->files; file != NULL; file = file->next)
		if (file->ino == ino && file->dev == dev)
			break;
	if (file != NULL)
		files->last = file;
	return file;
}

static struct own_file *add(struct own_files *files, const NSegment *segment)
{
	const HChar *path = VG_(am_get_filename)(segment);
	struct own_file *file = VG_(malloc)("costgrind.own_file", sizeof(*file));

	*file = (struct own_file){
		.next = files->files,
		.dev = segment->dev,
		.ino = segment->ino,
		.path = VG_(strdup)("costgrind.own_path", path == NULL ? "" : path),
		};
	files->files = file;
	files->last = file;
	if (!files->has_world)
		debugfile_world_init(&files->world);
	files->has_world = True;
	return file;
}

/* True if a path leads to the file; notes if it leads to another one. */
static Bool is_file(const HChar *path, struct own_file *file)
{
	struct vg_stat about;

	if (sr_isError(VG_(stat)(path, &about)))
		return False;
	file->was_replaced = about.dev != file->dev || about.ino != file->ino;
	file->changed = about.ctime;
	file->changed_nsec = about.ctime_nsec;
	return !file->was_replaced;
}

static Bool is_elf(const struct debug_bytes *bytes)
{
	return bytes->len > 4 && VG_(memcmp)(bytes->at, "\177ELF", 4) == 0;
}

/* Opens the file at a path if it is the right one. */
static void open_file(struct own_files *files, struct own_file *file, const HChar *path,
		      Bool may_change)
{
	const struct debugfile_world *world = &files->world;
	struct debug_bytes bytes;
	uint8_t *copy = NULL;
	void *handle;

	if (!is_file(path, file) || !world->map(world->ctx, path, &bytes, &handle))
		return;
	if (may_change) {
		/* Such a file may also hold generated code, and have any size. */
		if (bytes.len <= MAX_COPIED - files->n_copied && is_elf(&bytes))
			copy = world->memory->allocate(bytes.len);
		if (copy != NULL) {
			VG_(memcpy)(copy, bytes.at, bytes.len);
			files->n_copied += bytes.len;
		}
		world->unmap(world->ctx, bytes, handle);
		bytes.at = copy;
	}
	if (bytes.at != NULL)
		file->file = debugfile_open_bytes(world, file->path, bytes);
	if (file->file != NULL)
		return;
	if (copy != NULL)
		world->memory->release(copy);
	else if (bytes.at != NULL)
		world->unmap(world->ctx, bytes, handle);
}

static Bool has_no_name(const HChar *path)
{
	static const HChar mark[] = " (deleted)";
	const SizeT len = VG_(strlen)(path), mark_len = sizeof(mark) - 1;

	return len > mark_len && VG_(strcmp)(path + len - mark_len, mark) == 0;
}

static void open_descriptor(struct own_files *files, struct own_file *file, Int descriptor)
{
	HChar path[32];

	VG_(snprintf)(path, sizeof(path), "/proc/self/fd/%d", descriptor);
	open_file(files, file, path, True);
}

/* The program itself, which may have no name (fexecve() of a file in memory), or no longer have one. */
static Bool is_program(const struct own_file *file)
{
	struct vg_stat about;

	return VG_(cl_exec_fd) >= 0 && VG_(fstat)(VG_(cl_exec_fd), &about) == 0 &&
						  about.dev == file->dev && about.ino == file->ino;
}

struct own_file *own_file_at(struct own_files *files, Addr address)
{
	const NSegment *segment = file_segment(address);
	struct own_file *file;

	if (segment == NULL)
		return NULL;
	file = find(files, segment->dev, segment->ino);
	if (file != NULL || tool_self.sealed)
		return file;
	file = add(files, segment);
	if (file->path[0] == '/' && !has_no_name(file->path))
		open_file(files, file, file->path, False);
	if (file->file == NULL && is_program(file))
		open_descriptor(files, file, VG_(cl_exec_fd));
	return file;
}

/* True if it is not the file that was opened: the inode of a deleted file is soon reused. */
static Bool is_changed(const struct own_file *file, Int descriptor)
{
	struct vg_stat about;

	return VG_(fstat)(descriptor, &about) == 0 &&
		   (about.ctime != file->changed || about.ctime_nsec != file->changed_nsec);
}

/* Its names stay in use, but it is not found again. */
static void forget(struct own_files *files, struct own_file *file)
{
	file->dev = file->ino = ~0ULL;
	files->last = NULL;
}

void own_file_mapped(struct own_files *files, Addr address, Int descriptor)
{
	const NSegment *segment = file_segment(address);
	const HChar *path = segment == NULL ? NULL : VG_(am_get_filename)(segment);
	struct own_file *file;

	if (path == NULL || !segment->hasX || tool_self.sealed)
		return;
	file = find(files, segment->dev, segment->ino);
	if (file != NULL && is_changed(file, descriptor)) {
		forget(files, file);
		file = NULL;
	}
	if (file != NULL || !has_no_name(path))
		return;
	file = add(files, segment);
	open_descriptor(files, file, descriptor);
}

Bool own_file_bias(const struct own_file *file, Addr address, Addr *bias)
{
	const NSegment *segment = file_segment(address);
	const struct elfobject *object;
	const struct elf_table *table;
	uint64_t offset;

	if (segment == NULL || file->file == NULL)
		return False;
	object = debugfile_object(file->file);
	table = &object->header.program_headers;
	offset = (uint64_t)segment->offset + (address - segment->start);
	for (uint32_t i = 0; i < table->n; i++) {
		struct elf_program_header part;

		elf_program_header_read(&part, object->bytes + table->offset +
						       (uint64_t)i * ELF_PROGRAM_HEADER_SIZE);
		if (part.type == ELF_LOADED && (part.flags & ELF_RUNNABLE) != 0 &&
		    offset >= part.offset && offset - part.offset < part.file_size) {
			*bias = address - (part.address + (offset - part.offset));
			return True;
		}
	}
	return False;
}

Bool own_file_is_glue(const struct own_file *file, Addr linked)
{
	static const HChar *const names[] = { ".init", ".fini", ".plt", ".plt.sec", ".plt.got" };
	struct elf_section section;
	uint32_t number;

	if (file->file == NULL)
		return False;
	for (UInt i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (elfobject_find(debugfile_object(file->file), names[i], &section, &number) &&
		    linked >= section.address && linked - section.address < section.size)
			return True;
	return False;
}

/* True if the file itself has a section of that name, compressed or not. */
static Bool has_section(const struct own_file *file, const HChar *name)
{
	const struct elfobject *object = debugfile_object(file->file);
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++)
		if (section.is_in_file &&
		    VG_(strcmp)(elfobject_text(object, object->header.section_names, section.name),
				name) == 0)
			return True;
	return False;
}

/* True if there is a separate debug file, which the core may search for in fewer places. */
static Bool has_debug_file(struct own_file *file)
{
	debugfile_has(file->file, "info");
	return debugfile_facts(file->file)->debug_path != NULL;
}

/*
 * True if the file has symbols besides .dynsym, which the core reads as well.  Most libraries are stripped but have code without
 * symbols, for which 100,000 symbols of .dynsym would be sorted in vain.
 */
static Bool has_more_symbols(struct own_file *file)
{
	if (file->has_more == NOT_ASKED)
		file->has_more = has_section(file, ".symtab") ||
						 has_section(file, ".gnu_debugdata") ||
						 (file->core_has_debug_file &&
						  !has_section(file, ".debug_info")) ||
						 has_debug_file(file)
					 ? YES
					 : NO;
	return file->has_more == YES;
}

Bool own_file_is_misread(struct own_file *file)
{
	if (file->is_misread == NOT_ASKED)
		file->is_misread =
			file->file != NULL &&
					(has_section(file, ".debug_info") ||
					 has_section(file, ".zdebug_info")) &&
					!debugfile_core_reads(file->file, __VALGRIND_MINOR__)
				? YES
				: NO;
	return file->is_misread == YES;
}

Bool own_file_is_split(struct own_file *file)
{
	if (file->is_split == NOT_ASKED)
		file->is_split = file->file != NULL && debugfile_has(file->file, "addr") ? YES : NO;
	return file->is_split == YES;
}

Bool own_file_symbol(struct own_file *file, Addr linked, struct own_symbol *symbol)
{
	struct debug_symbol found;

	if (file->file == NULL || (!file->is_alone && !has_more_symbols(file)) ||
	    !debugfile_symbol(file->file, linked, &found))
		return False;
	file->gave_names = True;
	*symbol = (struct own_symbol){ .first = found.address,
				       .last = found.address + found.size - 1 };
	VG_(demangle)(True, True, found.name, &symbol->name);
	if (!VG_(clo_show_below_main) && VG_(get_fnname_kind)(found.name) == Vg_FnNameBelowMain)
		symbol->name = "(below main)";
	return True;
}

static bool add_name(void *ctx, const char *name)
{
	aliases_add(ctx, name);
	return true;
}

void own_file_aliases(struct own_file *file, Addr linked, struct aliases *aliases)
{
	if (file->file != NULL)
		debugfile_names(file->file, linked, add_name, aliases);
}

Bool own_file_line(struct own_file *file, Addr linked, struct dwarf_place *place)
{
	file->was_asked_for_lines = True;
	if (file->file == NULL || !debugfile_line(file->file, linked, place))
		return False;
	file->gave_lines = True;
	return True;
}

SizeT own_file_inlined(struct own_file *file, Addr linked, const struct dwarf_frame **frames)
{
	return file->file == NULL ? 0 : debugfile_inlined(file->file, linked, frames);
}

/* -- what was used, and what is missing ------------------------------------ */

static Int by_path(const void *left, const void *right)
{
	const struct own_file *const *a = left, *const *b = right;

	return VG_(strcmp)((*a)->path, (*b)->path);
}

/* All *n files by path; to be freed by the caller. */
static struct own_file **sorted_files(const struct own_files *files, UInt *n)
{
	struct own_file **sorted;

	*n = 0;
	for (const struct own_file *file = files->files; file != NULL; file = file->next)
		++*n;
	sorted = VG_(malloc)("costgrind.own_files", (*n + 1) * sizeof(struct own_file *));
	*n = 0;
	for (struct own_file *file = files->files; file != NULL; file = file->next)
		sorted[(*n)++] = file;
	VG_(ssort)((void *)sorted, *n, sizeof(struct own_file *), by_path);
	return sorted;
}

/* True if some of what the profile says about a file is not from the core. */
static Bool is_used(const struct own_file *file)
{
	return file->gave_lines ||
	       (file->is_alone && !file->core_has_debug_file && file->gave_names);
}

enum {
	VERSION_TEXT = 24, /* bytes */
};

static void describe(const struct own_file *file, HChar text[VERSION_TEXT])
{
	const struct debugfile_facts *facts = debugfile_facts(file->file);

	if (!file->gave_lines)
		VG_(snprintf)(text, VERSION_TEXT, "no lines");
	else
		VG_(snprintf)(text, VERSION_TEXT, "DWARF %u", facts->dwarf_version);
}

/* True if the previous file had the same path and the same result: a library that was rebuilt and loaded again. */
static Bool is_told(struct own_file *const *sorted, UInt i)
{
	HChar version[VERSION_TEXT], before[VERSION_TEXT];

	if (i == 0 || !is_used(sorted[i]) || !is_used(sorted[i - 1]) ||
	    by_path(&sorted[i], &sorted[i - 1]) != 0)
		return False;
	describe(sorted[i], version);
	describe(sorted[i - 1], before);
	return VG_(strcmp)(version, before) == 0;
}

void own_files_tell(const struct own_files *files,
		    void (*take)(void *ctx, const HChar *type, const HChar *text), void *ctx)
{
	UInt n;
	struct own_file **sorted = sorted_files(files, &n);

	for (UInt i = 0; i < n; i++) {
		const struct own_file *file = sorted[i];
		HChar version[VERSION_TEXT];
		HChar *text;
		SizeT size;

		if (!is_used(file) || is_told(sorted, i))
			continue;
		describe(file, version);
		size = VG_(strlen)(file->path) + VERSION_TEXT + 16;
		text = VG_(malloc)("costgrind.own_text", size);
		VG_(snprintf)(text, (Int)size, "own reader, %s: %s", version, file->path);
		take(ctx, "Names", text);
		VG_(free)(text);
	}
	VG_(free)((void *)sorted);
}

/* Parts that somebody meant to be there, but which are missing or unusable, are worth a line. */
static void report_missing(const struct own_file *file, const struct debugfile_facts *facts)
{
	if (facts->n_missing_split != 0)
		message_note(
			"names of %s: %u of its .dwo files %s not there, the first is %s: keep them where "
			"they were built, or put them into one file by dwp",
			file->path, facts->n_missing_split,
			facts->n_missing_split == 1 ? "is" : "are", facts->missing_split);
	if (facts->missing_alternate != NULL)
		message_note(
			"names of %s: %s, which a part of its debug information was moved to by dwz, is not "
			"there: install the package of its debug information whole",
			file->path, facts->missing_alternate);
	if (facts->obstacle == DEBUG_NO_DECODER)
		message_note(
			"names of %s: %s is compressed in a way that this build of costgrind cannot read",
			file->path, facts->obstacle_section);
	if (facts->obstacle == DEBUG_DAMAGED)
		message_note("names of %s: %s is damaged", file->path, facts->obstacle_section);
}

/* True for the library that Valgrind itself loads into every program: the user has not asked for it. */
static Bool is_preload(const HChar *path)
{
	const HChar *slash = VG_(strrchr)(path, '/');

	return slash != NULL && VG_(strncmp)(slash + 1, "vgpreload_", 10) == 0;
}

static void report_more(const struct own_file *file, const struct debugfile_facts *facts)
{
	HChar version[VERSION_TEXT];

	if (is_used(file)) {
		describe(file, version);
		message_note("names of %s: own reader, %s%s%s", file->path, version,
			     facts->debug_path == NULL ? "" : ", of ",
			     facts->debug_path == NULL ? "" : facts->debug_path);
	}
	if (facts->has_dwarf || !file->was_asked_for_lines || is_preload(file->path))
		return;
	if (facts->missing_debug != NULL)
		message_note(
			"names of %s: its debug information is in %s, which is not there: install the "
			"package that has it, or fetch it by debuginfod-find",
			file->path, facts->missing_debug);
	else if (!facts->has_symbols && !has_section(file, ".symtab"))
		message_note(
			"names of %s: it is stripped: use it as it was linked, or install the package of its "
			"debug information",
			file->path);
	else
		message_note("names of %s: it has no debug information: compile it with -g",
			     file->path);
}

void own_files_report(const struct own_files *files)
{
	UInt n;
	struct own_file **sorted = sorted_files(files, &n);

	for (UInt i = 0; i < n; i++) {
		const struct own_file *file = sorted[i];

		if (file->was_replaced)
			message_note("names of %s: another file is there than the one that ran",
				     file->path);
		if (file->file == NULL)
			continue;
		report_missing(file, debugfile_facts(file->file));
		if (VG_(clo_verbosity) > 1 && !is_told(sorted, i))
			report_more(file, debugfile_facts(file->file));
	}
	VG_(free)((void *)sorted);
}
