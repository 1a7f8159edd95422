/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and lines of what the program registers with debuggers: GDB's JIT interface.  The program calls
 * __jit_debug_register_code(), which does nothing, for each ELF file in memory that it adds to a list or
 * removes from it.  Each library may have such a list.  Source: GDB's manual, "JIT Compilation Interface".
 *
 * The hook is rare: programs without the interface pay nothing for it (callhooks_add_rare()).
 *
 * An entry of a list says where its file is in memory.  The names from that file are kept by the address of
 * the entry, so that they can be taken back when the entry is removed: the file's memory may be gone by
 * then.
 */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/callhook.h"
#include "tool/common/message.h"
#include "tool/common/numbers.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/elf/dwarfunit.h"
#include "tool/elf/elfobject.h"
#include "tool/generated/jitformats.h"
#include "tool/generated/state.h"
#include "tool/symbols/symbol.h"

/*
 * The core's own search for data symbols by name; in none of its public headers.  The first address is
 * the symbol's, the others are for other architectures.
 */
struct symbol_addresses {
	Addr main, more[3];
};
extern Bool VG_(lookup_symbol_SLOW)(DiEpoch epoch, const HChar *soname, const HChar *name,
				    struct symbol_addresses *addresses);

enum {
	MAX_OBJECT_SIZE = 1 << 28, /* bytes of a file */
	MAX_ENTRIES = 1 << 20,     /* of a list, which may be a ring if it is damaged */
	ACTION_REGISTER = 1,
	ACTION_UNREGISTER = 2,
	MAX_SECTION = 1 << 26, /* bytes of a section */
	MAX_LINES = 1 << 21,   /* of an object */
	MAX_NAMES = 1 << 17,   /* of directories and files of an object */
	MAX_KEPT = 1 << 24,    /* lines of a process */
};

/* --- lines of an object --------------------------------------------------------------------- */

/*
 * A line program consists of sequences of rows, in any order.  All rows are sorted by address; a function
 * gets those from the last one at or before its beginning on.
 */
struct objectlines {
	UInt n, room;
	struct object_line *lines; /* by address */
};

/* Code from this address on; without line and file at the end of a sequence. */
struct object_line {
	Addr address;
	const struct text *file;
	UInt line;
	UInt number; /* in the order of reading */
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
	const struct text *path; /* made when it is first needed */
};

/* The tables of a unit. */
struct source_files {
	UInt n_directories, n_files, directory_room, file_room;
	struct path_part *directories;
	struct source_file *files;
	UInt n_names; /* of all units */
	/* Where compilers ran, for units before DWARF 5; they are in the same order as these. */
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

/* A path that is being put together; what does not fit is cut. */
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

/* A relative name is in its directory, and a relative directory in the first one. */
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

/* Sequences without an end are dropped. */
static void read_unit(struct objectlines *lines, const struct line_unit *unit,
		      struct source_files *files)
{
	const struct line_file_visitor visitor = { files, note_directory, note_file };
	struct line_state machine = lineprogram_begin(unit);
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

/* An allocated copy of a section, relocated; empty if is_strict and a relocation cannot be done. */
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

/* Reads the lines of a file; none if they are damaged or take more than MAX_SECTION bytes. */
static void objectlines_read(struct objectlines *lines, const struct elfobject *object)
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

static void objectlines_release(struct objectlines *lines)
{
	if (lines->lines != NULL)
		VG_(free)(lines->lines);
	*lines = (struct objectlines){ 0 };
}

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

/* True if n lines more may be kept. */
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

/* The lines of size bytes of code, at least 1; NULL if there are none, or too many have been kept.  Never freed. */
static struct named_lines *objectlines_of(const struct objectlines *lines, Addr address, ULong size)
{
	const UInt before = n_until(lines, address), end = n_until(lines, address + (size - 1));
	const UInt first = before == 0 ? 0 : before - 1;
	struct named_line *made;
	struct named_lines *table;
	UInt n = 0;

	/* Code outside of all sequences has no lines. */
	if (lines->lines == NULL || first == end || (end == before && lines->lines[first].is_end) ||
	    !has_room(end - first))
		return NULL;
	made = VG_(malloc)("costgrind.object_lines", (end - first) * sizeof(*made));
	for (UInt i = first; i < end; i++) {
		const struct object_line *line = &lines->lines[i];
		const ULong offset = line->address < address ? 0 : line->address - address;

		if (offset > 0xffffffff)
			break;
		/* Of several lines of one instruction, the last one counts. */
		if (n > 0 && made[n - 1].offset == offset)
			n--;
		made[n++] = (struct named_line){ (UInt)offset, line->line, line->file };
	}
	table = naming_lines(made, n);
	VG_(free)(made);
	return table;
}

/* The structures of the interface, in the program's memory. */
struct list_head {
	UInt version; /* 1 */
	UInt action;
	Addr relevant, first; /* entries */
};

struct list_entry {
	Addr next, previous;
	Addr file;
	ULong size; /* bytes */
};

/* A name that was given, to be taken back later. */
struct named_function {
	Addr address;
	ULong size;
	const struct text *name;
};

struct registered_object {
	struct registered_object *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;                      /* address of its list entry */
	UInt n, room;
	struct named_function *functions;
};

static Bool read_memory(void *to, Addr from, SizeT n)
{
	UChar *at = to;

	if (tool_self.sealed) {
		if (!VG_(am_is_valid_for_client)(from, n, VKI_PROT_READ))
			return False;
		VG_(memcpy)(to, (const void *)from, n);
		return True;
	}
	while (n > 0) {
		Word done = syscall_read_own(at, from, n);

		if (done <= 0)
			return False;
		at += done;
		from += (Addr)done;
		n -= (SizeT)done;
	}
	return True;
}

/* --- one object ---------------------------------------------------------------------------- */

static void note_named(struct registered_object *registered, const struct named_function *function)
{
	if (registered->n == registered->room) {
		registered->room = registered->room == 0 ? 4 : 2 * registered->room;
		registered->functions =
			VG_(realloc)("costgrind.registered", registered->functions,
				     registered->room * sizeof(*registered->functions));
	}
	registered->functions[registered->n++] = *function;
}

/* Length of a name, at most CODENAME_SIZE: names are cut there anyway. */
static SizeT name_length(const HChar *name)
{
	SizeT len = 0;

	while (len < CODENAME_SIZE && name[len] != '\0')
		len++;
	return len;
}

static void name_functions(struct registered_object *registered, const UChar *bytes, SizeT len)
{
	struct elfobject_cursor cursor = { 0, 0 };
	struct elfobject_function function;
	struct elfobject object;
	struct objectlines lines = { 0 };

	if (!elfobject_open(&object, bytes, len))
		return;
	objectlines_read(&lines, &object);
	while (elfobject_next(&object, &cursor, &function)) {
		const struct naming naming = {
			.address = function.address,
			.size = function.size,
			.name = function.name,
			.name_len = name_length(function.name),
			.lines = function.size == 0
					 ? NULL
					 : objectlines_of(&lines, function.address, function.size),
		};
		const struct text *name = naming_set(&naming);

		if (name != NULL)
			note_named(registered,
				   &(struct named_function){ naming.address, naming.size, name });
	}
	objectlines_release(&lines);
}

static void forget(struct registered_object *registered)
{
	for (UInt i = 0; i < registered->n; i++)
		naming_remove(registered->functions[i].address, registered->functions[i].size,
			      registered->functions[i].name);
	if (registered->functions != NULL)
		VG_(free)(registered->functions);
	VG_(free)(registered);
}

static void take_out(Addr entry)
{
	struct registered_object *registered =
		VG_(HT_remove)(tool_generated.registered.objects, entry);

	if (registered != NULL)
		forget(registered);
}

static void add(Addr entry, const struct list_entry *found)
{
	UChar *bytes;

	take_out(entry); /* in case an earlier one was freed without notice */
	if (found->size == 0 || found->size > MAX_OBJECT_SIZE)
		return;
	bytes = VG_(malloc)("costgrind.object", found->size);
	if (read_memory(bytes, found->file, found->size)) {
		struct registered_object *registered =
			VG_(calloc)("costgrind.registered", 1, sizeof(*registered));

		registered->key = entry;
		VG_(HT_add_node)(tool_generated.registered.objects, registered);
		name_functions(registered, bytes, found->size);
	}
	VG_(free)(bytes);
}

/* --- lists --------------------------------------------------------------------------------- */

/* The address of an object's list; 0 if it has none. */
static Addr find_head(const DebugInfo *info)
{
	struct symbol_addresses found = { 0 };
	const HChar *soname = VG_(DebugInfo_get_soname)(info);

	if (soname == NULL || !VG_(lookup_symbol_SLOW)(VG_(current_DiEpoch)(), soname,
							   "__jit_debug_descriptor", &found))
		return 0;
	return found.main;
}

static Addr find_head_of(const struct text *object)
{
	struct registrations *list = &tool_generated.registered;
	const UInt epoch = VG_(current_DiEpoch)().n;

	if (list->object == object && list->epoch == epoch)
		return list->head;
	list->object = object;
	list->epoch = epoch;
	list->head = 0;
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL && list->head == 0;
	     info = VG_(next_DebugInfo)(info))
		if (VG_(strcmp)(VG_(DebugInfo_get_filename)(info), object->chars) == 0)
			list->head = find_head(info);
	return list->head;
}

/* The program reports a change of its list. */
static void note_entered(const struct hooked_call *call, Bool is_outermost)
{
	const Addr at = find_head_of(call->function->object);
	struct list_head head;
	struct list_entry entry;

	(void)is_outermost;
	if (at == 0 || !read_memory(&head, at, sizeof(head)) || head.relevant == 0)
		return;
	if (head.action == ACTION_UNREGISTER)
		take_out(head.relevant);
	else if (head.action == ACTION_REGISTER &&
		 read_memory(&entry, head.relevant, sizeof(entry)))
		add(head.relevant, &entry);
}

static void note_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	(void)call;
	(void)is_outermost;
	(void)result;
}

void gdbjit_start(void)
{
	static const struct call_hook hook = { note_entered, note_returned, NULL };

	tool_generated.registered.objects = VG_(HT_construct)("costgrind.registered");
	callhooks_add_rare("__jit_debug_register_code", &hook);
}

static void read_list(Addr at)
{
	struct list_entry entry = { 0 };
	struct list_head head = { 0 };
	UInt n = 0;

	if (!read_memory(&head, at, sizeof(head)))
		return;
	for (Addr next = head.first; next != 0 && n < MAX_ENTRIES; n++) {
		if (!read_memory(&entry, next, sizeof(entry)))
			return;
		add(next, &entry);
		next = entry.next;
	}
}

void gdbjit_read(void)
{
	struct registered_object *registered;
	Addr head;

	VG_(HT_ResetIter)(tool_generated.registered.objects);
	while ((registered = VG_(HT_Next)(tool_generated.registered.objects)) != NULL) {
		VG_(HT_remove_at_Iter)(tool_generated.registered.objects);
		forget(registered);
	}
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info))
		if ((head = find_head(info)) != 0)
			read_list(head);
}
