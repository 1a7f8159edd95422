/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/object/objectfile.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "cmds/object/elf.h"
#include "profile/common/heap.h"

/* -- debug information ------------------------------------------------------------------------- */

/*
 * libdw finds the unit of an address by .debug_aranges, which clang does not write; so the
 * ranges of units are read from their DIEs.
 */

/* What libdw reads of a file.  Fields are private; {0} is nothing. */
struct debuginfo {
	Dwarf *dwarf;
	Dwarf *alt; /* of the file that dwz moved a part of it to; NULL = none */
	struct elffile alt_file;
};

/* Addresses of a compilation unit. */
struct line_range {
	uint64_t start, end;
	Dwarf_Off unit; /* where its DIE is */
};

/* Fields are private.  {0} is a table without lines. */
struct linetable {
	struct debuginfo info;
	Dwarf_Off last_unit;       /* looked at */
	struct line_range *ranges; /* by start, none within another one */
	size_t n_ranges, capacity;
};

/* The source files that units name.  Set file, which outlives it; the rest is private. */
struct linenames {
	const struct elffile *file;
	struct debuginfo info;
	Dwarf_Off next; /* header of the next unit */
	unsigned n;     /* units that libdw has read */
	bool is_done;
};

/*
 * libdw ends the program where it finds no memory, with a message and exit status 1, or dies.
 * Of a unit, it takes less than this, of heap and stack.  Not by malloc(), which would keep it for
 * the heap once it was given back.
 */
enum { UNIT_MEMORY = 8 << 20 };

/*
 * libdw reads all lines of a unit for the sake of its files, and keeps them: 40 bytes for a row of the
 * table.  So it begins anew from time to time.
 */
enum { UNITS_AT_ONCE = 64 };

enum { MAX_RANGES = 1 << 22 }; /* a damaged file shall not fill the memory */

void objectfile_need_room(void)
{
	void *room =
		mmap(NULL, UNIT_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED)
		heap_exhausted();
	munmap(room, UNIT_MEMORY);
}

/*
 * libdw does not look whether the last text of a section of texts ends.  After it began with the file: it
 * decompresses sections then.
 */
static bool texts_end(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr header;
		const char *name = NULL;
		Elf_Data *data;

		if (gelf_getshdr(scn, &header))
			name = elf_strptr(elf, names, header.sh_name);
		if (!name ||
		    (strcmp(name, ".debug_str") != 0 && strcmp(name, ".debug_line_str") != 0))
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_size > 0 &&
		    (!data->d_buf || ((const char *)data->d_buf)[data->d_size - 1] != '\0'))
			return false;
	}
	return true;
}

/* -- the file that dwz shares ------------------------------------------------------------------ */

/* Opens it by a name in .gnu_debugaltlink, in the folder of the file that has that; or why not. */
static const char *open_beside(struct debuginfo *info, const struct elffile *file, const char *name)
{
	char *folder = name[0] == '/' ? NULL : realpath(file->path, NULL);
	const char *slash = folder ? strrchr(folder, '/') : NULL;
	char *path = heap_print("%.*s%s", slash ? (int)(slash + 1 - folder) : 0,
				folder ? folder : "", name);
	const char *wrong = elffile_open(&info->alt_file, path);

	free(path);
	free(folder);
	return wrong;
}

/* Opens it where debug files are, by its build-id; or why not. */
static const char *open_by_id(struct debuginfo *info, const unsigned char *id, size_t len)
{
	char path[PATH_MAX] = "/usr/lib/debug/.build-id/";
	size_t n = strlen(path);

	if (len < 3 || 2 * len + n + sizeof("/.debug") > sizeof(path))
		return "not found";
	for (size_t i = 0; i < len; i++)
		n += (size_t)snprintf(path + n, sizeof(path) - n, i == 0 ? "%02x/" : "%02x", id[i]);
	snprintf(path + n, sizeof(path) - n, ".debug");
	return elffile_open(&info->alt_file, path);
}

/*
 * libdw looks for the file itself as soon as a name in it is asked for, where this does, and opens
 * whatever is there.  So it is given one first, and has none to look for; false if it would find
 * something else.
 */
static bool share(struct debuginfo *info, const struct elffile *file)
{
	const char *name, *wrong, *other;
	const void *id;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(info->dwarf, &name, &id);

	if (len <= 0)
		return true;
	wrong = open_by_id(info, id, (size_t)len);
	other = wrong ? open_beside(info, file, name) : NULL;
	if (wrong && other)
		return strcmp(wrong, "not found") == 0 && strcmp(other, "not found") == 0;
	info->alt = dwarf_begin_elf(info->alt_file.elf, DWARF_C_READ, NULL);
	/* Names in it count as much as the file's own (objectfile_is_safe()). */
	if (!info->alt || !texts_end(info->alt_file.elf) ||
	    (file->is_safe && !info->alt_file.is_safe)) {
		dwarf_end(info->alt);
		info->alt = NULL;
		elffile_release(&info->alt_file);
		return false;
	}
	dwarf_setalt(info->alt, info->alt); /* dwz makes no chains */
	dwarf_setalt(info->dwarf, info->alt);
	return true;
}

static void debuginfo_end(struct debuginfo *info)
{
	dwarf_end(info->dwarf);
	if (info->alt) {
		dwarf_end(info->alt);
		elffile_release(&info->alt_file);
	}
	*info = (struct debuginfo){ .dwarf = NULL };
}

/* Of a file that outlives it; empty for one that libdw could not read safely. */
static void debuginfo_begin(struct debuginfo *info, const struct elffile *file)
{
	*info = (struct debuginfo){ .dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL) };
	if (info->dwarf && (!texts_end(file->elf) || !share(info, file)))
		debuginfo_end(info);
}

/* -- lines by address ---------------------------------------------------------------------------- */

/* Adds a unit's lines; false if there are too many. */
static bool add_unit(struct linetable *table, Dwarf_Die *die)
{
	Dwarf_Off unit = dwarf_dieoffset(die);
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (table->n_ranges == MAX_RANGES)
			return false;
		table->ranges = heap_grow(table->ranges, &table->capacity, table->n_ranges + 1,
					  sizeof(*table->ranges));
		table->ranges[table->n_ranges++] = (struct line_range){ start, end, unit };
	}
	return true;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct line_range *of_a = a, *of_b = b;

	if (of_a->start != of_b->start)
		return of_a->start < of_b->start ? -1 : 1;
	if (of_a->end != of_b->end)
		return of_a->end > of_b->end ? -1 : 1;
	return (of_a->unit > of_b->unit) - (of_a->unit < of_b->unit);
}

/* Reads which units there are; of damaged information, what can be read counts. */
static void linetable_init(struct linetable *table, const struct elffile *file)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t kind;
	size_t used = 0;

	*table = (struct linetable){ .ranges = NULL };
	objectfile_need_room();
	debuginfo_begin(&table->info, file);
	if (!table->info.dwarf)
		return;
	while (dwarf_get_units(table->info.dwarf, unit, &unit, NULL, &kind, &die, NULL) == 0) {
		if (kind == DW_UT_compile && !add_unit(table, &die))
			break;
		objectfile_need_room();
	}
	if (table->n_ranges > 0)
		qsort(table->ranges, table->n_ranges, sizeof(*table->ranges), compare_ranges);
	/* One that lies within another one is never the first to be found. */
	for (size_t i = 0; i < table->n_ranges; i++)
		if (used == 0 || table->ranges[i].end > table->ranges[used - 1].end)
			table->ranges[used++] = table->ranges[i];
	table->n_ranges = used;
}

/* False if nothing is known about the address.  *file lives as long as the table. */
static bool linetable_find(struct linetable *table, uint64_t address, const char **file,
			   uint64_t *line)
{
	const size_t i = array_upto(table->ranges, table->n_ranges, sizeof(*table->ranges),
				    offsetof(struct line_range, end), address);
	const struct line_range *range;
	Dwarf_Line *found;
	Dwarf_Die die;
	int number;

	if (i == table->n_ranges || address < table->ranges[i].start)
		return false;
	range = &table->ranges[i];
	if (range->unit != table->last_unit)
		objectfile_need_room();
	if (!dwarf_offdie(table->info.dwarf, range->unit, &die))
		return false;
	table->last_unit = range->unit;
	found = dwarf_getsrc_die(&die, address);
	if (!found || dwarf_lineno(found, &number) != 0 || number <= 0)
		return false;
	*file = dwarf_linesrc(found, NULL, NULL);
	*line = (uint64_t)number;
	return *file != NULL;
}

/* The DIE of the next unit; false if there is none. */
static bool next_unit(struct linenames *names, Dwarf_Die *die)
{
	Dwarf_Off at = names->next;
	size_t header;

	if (names->n++ == UNITS_AT_ONCE) {
		debuginfo_end(&names->info);
		names->n = 0;
	}
	objectfile_need_room();
	if (!names->info.dwarf)
		debuginfo_begin(&names->info, names->file);
	if (!names->info.dwarf)
		return false;
	/* Of a damaged file, the next one may be an earlier one. */
	return dwarf_next_unit(names->info.dwarf, at, &names->next, &header, NULL, NULL, NULL, NULL,
			       NULL, NULL) == 0 &&
	       names->next > at && dwarf_offdie(names->info.dwarf, at + header, die);
}

/*
 * Passes to note() the names of the next unit that has any, relative ones with the folder that it was
 * compiled in.  They live until note() returns; if it returns false, the rest of the unit is skipped.
 * False if there is no further unit.
 */
static bool linenames_next(struct linenames *names, bool (*note)(void *ctx, const char *name),
			   void *ctx)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Die die;
	size_t n;

	while (!names->is_done && next_unit(names, &die)) {
		const char *folder = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));

		if (dwarf_getsrcfiles(&die, &files, &n) != 0)
			continue;
		/* The first one is none, before DWARF 5. */
		for (size_t i = 0; i < n; i++) {
			const char *name = dwarf_filesrc(files, i, NULL, NULL);
			char *path = name && folder && name[0] != '/'
					     ? heap_print("%s/%s", folder, name)
					     : NULL;
			bool goes_on = !name || note(ctx, path ? path : name);

			free(path);
			if (!goes_on)
				break;
		}
		return true;
	}
	names->is_done = true;
	return false;
}

/* -- the file that has the symbols and line numbers of a stripped one ------------------ */

struct debugfile_search {
	struct elffile *debug;
	const struct elffile *object; /* NULL = the object itself is looked for */
	const char *build_id;         /* "" = it has none */
	const struct objectfile_options *options;
	const char *link;  /* name in .gnu_debuglink; NULL = none */
	uint32_t checksum; /* that it says */
};

/* CRC 32 of a file, the same as zlib's. */
static bool has_checksum(int fd, uint32_t checksum)
{
	unsigned char buffer[65536];
	uLong crc = crc32(0, NULL, 0);
	off_t offset = 0;
	ssize_t n;

	while ((n = pread(fd, buffer, sizeof(buffer), offset)) > 0) {
		crc = crc32(crc, buffer, (uInt)n);
		offset += n;
	}
	return n == 0 && crc == checksum;
}

/* True if the file that is open is the one of the object. */
static bool fits(struct debugfile_search *search)
{
	const struct elffile *debug = search->debug, *object = search->object;

	if (object && (debug->header.e_machine != object->header.e_machine ||
		       debug->header.e_ident[EI_CLASS] != object->header.e_ident[EI_CLASS]))
		return false;
	if (debug->build_id[0] != '\0' && search->build_id[0] != '\0')
		return strcmp(debug->build_id, search->build_id) == 0;
	return search->link && has_checksum(debug->fd, search->checksum);
}

/* Tries the file of a path, which it frees. */
static bool try_file(struct debugfile_search *search, char *path)
{
	bool fine = elffile_open(search->debug, path) == NULL;

	if (fine && !fits(search)) {
		elffile_release(search->debug);
		fine = false;
	}
	free(path);
	return fine;
}

static bool find_by_id(struct debugfile_search *search, const char *root, const char *directory)
{
	const char *id = search->build_id;

	return strlen(id) > 2 && try_file(search, heap_print("%s%s/.build-id/%.2s/%s.debug", root,
							     directory, id, id + 2));
}

/* Below a directory for debug files; root is the sysroot, "" = none. */
static bool find_by_link(struct debugfile_search *search, const char *root, const char *directory)
{
	const char *path = search->object->path;
	const char *slash = strrchr(path, '/');

	if (!search->link || !slash)
		return false;
	/* The object is known by its name below the root. */
	if (root[0] != '\0' && strncmp(path, root, strlen(root)) == 0)
		path += strlen(root);
	return path <= slash &&
	       try_file(search, heap_print("%s%s%.*s/%s", root, directory, (int)(slash - path),
					   path, search->link));
}

/* In the directories given, then the usual one below the sysroot, then the usual one. */
static bool each_directory(struct debugfile_search *search,
			   bool (*find)(struct debugfile_search *, const char *, const char *))
{
	static const char usual[] = "/usr/lib/debug";
	const struct objectfile_options *options = search->options;

	for (size_t i = 0; i < options->n_debug_directories; i++)
		if (find(search, "", options->debug_directories[i]))
			return true;
	return (options->sysroot && find(search, options->sysroot, usual)) ||
	       find(search, "", usual);
}

static bool find_beside(struct debugfile_search *search)
{
	const char *path = search->object->path;
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0;

	return search->link &&
	       (try_file(search, heap_print("%.*s%s", folder, path, search->link)) ||
		try_file(search, heap_print("%.*s.debug/%s", folder, path, search->link)));
}

bool debuginfod_cache(size_t i, char *folder, size_t size)
{
	static const struct {
		const char *variable, *below;
	} places[DEBUGINFOD_CACHES] = {
		{ "XDG_CACHE_HOME", "/debuginfod_client" },
		{ "HOME", "/.cache/debuginfod_client" },
		{ "HOME", "/.debuginfod_client_cache" },
	};
	const char *path = getenv("DEBUGINFOD_CACHE_PATH"), *below = "";
	int len;

	if (!path || path[0] == '\0') {
		path = getenv(places[i].variable);
		below = places[i].below;
	} else if (i > 0) {
		return false;
	}
	if (!path || path[0] == '\0')
		return false;
	len = snprintf(folder, size, "%s%s", path, below);
	return len > 0 && (size_t)len < size;
}

/* As debuginfod-find looks for its cache. */
static bool find_fetched(struct debugfile_search *search, const char *what)
{
	char folder[PATH_MAX];

	for (size_t i = 0; search->build_id[0] != '\0' && i < DEBUGINFOD_CACHES; i++)
		if (debuginfod_cache(i, folder, sizeof(folder)) &&
		    try_file(search, heap_print("%s/%s/%s", folder, search->build_id, what)))
			return true;
	return false;
}

/* From a server, if that is wanted; name is the object's. */
static bool find_remote(struct debugfile_search *search, enum fetched what, const char *name)
{
	struct fetcher *fetcher = search->options->fetcher;
	char *path;

	if (!fetcher)
		return false;
	if (search->build_id[0] == '\0') {
		fetcher_pass(fetcher, name);
		return false;
	}
	path = fetcher_get(fetcher, what, search->build_id, name);
	return path && try_file(search, path);
}

/* .gnu_debuglink: a name, zeros up to a multiple of 4, the checksum in the file's byte order. */
static void read_link(struct debugfile_search *search)
{
	const Elf_Data *data = elffile_data(search->object, ".gnu_debuglink");
	const unsigned char *bytes = data ? data->d_buf : NULL;
	size_t len, place;
	bool is_big = search->object->header.e_ident[EI_DATA] == ELFDATA2MSB;

	if (!data)
		return;
	len = strnlen(data->d_buf, data->d_size);
	place = (len + 4) & ~(size_t)3;
	if (len == 0 || len == data->d_size || data->d_size < 4 || place > data->d_size - 4 ||
	    memchr(bytes, '/', len))
		return;
	for (size_t i = 0; i < 4; i++)
		search->checksum |= (uint32_t)bytes[place + i] << (is_big ? 24 - 8 * i : 8 * i);
	search->link = data->d_buf;
}

/*
 * Looks, in this order, for DIR/.build-id/xx/yyyy.debug; for what .gnu_debuglink names,
 * next to the object, in .debug there, and in DIR with the object's folder below it; and for what
 * debuginfod has fetched before, or what it fetches now, if that is wanted.  DIRs come from the options, then
 * /usr/lib/debug.  A file counts if it has the object's build-id, or, if there is none, the
 * checksum of the link.  True if one was opened, and is to be released.
 */
static bool debugfile_find(struct elffile *debug, const struct elffile *object,
			   const struct objectfile_options *options)
{
	struct debugfile_search search = {
		.debug = debug,
		.object = object,
		.build_id = object->build_id,
		.options = options,
	};

	read_link(&search);
	return each_directory(&search, find_by_id) || find_beside(&search) ||
	       each_directory(&search, find_by_link) || find_fetched(&search, "debuginfo") ||
	       find_remote(&search, FETCHED_DEBUGINFO, object->path);
}

struct objectfile {
	struct elffile file, debug;
	bool has_debug;
	struct elfsymbols symbols;
	struct linetable lines;
	bool has_lines; /* they were read */
	struct linenames names;
};

static const char *open_file(struct elffile *file, const char *name, const char *build_id,
			     const struct objectfile_options *options)
{
	struct debugfile_search search = { .debug = file,
					   .build_id = build_id,
					   .options = options };
	char *path = options->sysroot ? heap_print("%s%s%s", options->sysroot,
						   name[0] == '/' ? "" : "/", name)
				      : heap_copy(name);
	const char *wrong = elffile_open(file, path);

	free(path);
	if (!wrong && build_id && file->build_id[0] != '\0' &&
	    strcmp(build_id, file->build_id) != 0) {
		elffile_release(file);
		wrong = "has another build-id: it is not what was profiled";
	}
	if (!wrong)
		return NULL;
	if (!build_id) {
		if (options->fetcher)
			fetcher_pass(options->fetcher, name);
		return wrong;
	}
	/* What debuginfod fetched before, or fetches now.  A profile may say any text; this one becomes a part of a path. */
	return build_id[strspn(build_id, "0123456789abcdef")] == '\0' &&
			       (find_fetched(&search, "executable") ||
				find_remote(&search, FETCHED_EXECUTABLE, name))
		       ? NULL
		       : wrong;
}

const char *objectfile_open(struct objectfile **object, const char *name, const char *build_id,
			    const struct objectfile_options *options)
{
	struct objectfile *made = heap_zeroed(1, sizeof(*made));
	const char *wrong;

	*object = NULL;
	wrong = open_file(&made->file, name, build_id, options);
	if (wrong) {
		free(made);
		return wrong;
	}
	made->has_debug = (!elffile_has(&made->file, ".debug_info") ||
			   !elffile_has(&made->file, ".symtab")) &&
			  debugfile_find(&made->debug, &made->file, options);
	if (!options->only_lines)
		elfsymbols_init(&made->symbols, &made->file, made->has_debug ? &made->debug : NULL);
	*object = made;
	return NULL;
}

void objectfile_free(struct objectfile *object)
{
	if (!object)
		return;
	free(object->lines.ranges);
	debuginfo_end(&object->lines.info);
	debuginfo_end(&object->names.info);
	elfsymbols_release(&object->symbols);
	if (object->has_debug)
		elffile_release(&object->debug);
	elffile_release(&object->file);
	free(object);
}

const char *objectfile_path(const struct objectfile *object)
{
	return object->file.path;
}

const char *objectfile_debug_path(const struct objectfile *object)
{
	return object->has_debug ? object->debug.path : NULL;
}

const char *objectfile_build_id(const struct objectfile *object)
{
	return object->file.build_id;
}

enum object_machine objectfile_machine(const struct objectfile *object)
{
	switch (object->file.header.e_machine) {
	case EM_386:
		return MACHINE_X86;
	case EM_X86_64:
		return MACHINE_X86_64;
	case EM_AARCH64:
		return MACHINE_AARCH64;
	default:
		return MACHINE_OTHER;
	}
}

struct timespec objectfile_modified(const struct objectfile *object)
{
	return object->file.modified;
}

const unsigned char *objectfile_code(const struct objectfile *object, uint64_t address, size_t *len)
{
	return elffile_code(&object->file, address, len);
}

static bool give(struct object_symbol *symbol, const struct object_symbol *found)
{
	if (found)
		*symbol = *found;
	return found != NULL;
}

bool objectfile_symbol(const struct objectfile *object, uint64_t address,
		       struct object_symbol *symbol)
{
	return give(symbol, elfsymbols_find(&object->symbols.functions, address));
}

bool objectfile_alias(const struct objectfile *object, size_t i, struct object_symbol *symbol)
{
	const struct elf_symbol_list *list = &object->symbols.aliases;

	return give(symbol, i < list->n ? &list->symbols[i].at : NULL);
}

bool objectfile_gap(const struct objectfile *object, uint64_t address, uint64_t *start,
		    uint64_t *end)
{
	const struct elf_symbol_list *list = &object->symbols.functions;
	const struct elf_section *sections = object->file.sections;
	size_t i = elfsymbols_before(list, address), n = object->file.n_sections;
	size_t next = elffile_sections_before(&object->file, address);

	if (i < list->n && address >= list->symbols[i].at.start)
		return false;
	*start = next > 0 ? sections[next - 1].end : 0;
	*end = next < n ? sections[next].start : UINT64_MAX;
	if (next < n && address >= sections[next].start) {
		*start = sections[next].start;
		*end = sections[next].end;
	}
	if (i > 0 && list->symbols[i - 1].at.end > *start)
		*start = list->symbols[i - 1].at.end;
	if (i < list->n && list->symbols[i].at.start < *end)
		*end = list->symbols[i].at.start;
	return true;
}

bool objectfile_variable(const struct objectfile *object, uint64_t address,
			 struct object_symbol *symbol)
{
	return give(symbol, elfsymbols_find(&object->symbols.variables, address));
}

/* What has the debug information. */
static const struct elffile *debug_file(const struct objectfile *object)
{
	bool own = elffile_has(&object->file, ".debug_info") || !object->has_debug;

	return own ? &object->file : &object->debug;
}

static bool either_has(const struct objectfile *object, const char *section)
{
	return elffile_has(&object->file, section) ||
	       (object->has_debug && elffile_has(&object->debug, section));
}

void objectfile_hold(const struct objectfile *object, struct objectfile_holdings *holdings)
{
	struct debugfile_search search = { .object = &object->file };

	*holdings = (struct objectfile_holdings){
		.has_symbols = either_has(object, ".symtab") ||
			       either_has(object, ".gnu_debugdata"),
		.has_lines = either_has(object, ".debug_line") ||
			     either_has(object, ".zdebug_line"),
	};
	if (object->has_debug)
		return;
	read_link(&search);
	holdings->missing_link = search.link;
}

static void read_lines(struct objectfile *object)
{
	if (!object->has_lines) {
		object->has_lines = true;
		linetable_init(&object->lines, debug_file(object));
	}
}

void *objectfile_dwarf(struct objectfile *object)
{
	read_lines(object);
	return object->lines.info.dwarf;
}

bool objectfile_is_fixed(const struct objectfile *object)
{
	return object->file.header.e_type == ET_EXEC;
}

bool objectfile_line(struct objectfile *object, uint64_t address, const char **file, uint64_t *line)
{
	read_lines(object);
	return linetable_find(&object->lines, address, file, line);
}

/* The file and line that an inlined subroutine says it was called at. */
static bool read_call_site(Dwarf_Die *inlined, Dwarf_Files *files, const char **file,
			   uint64_t *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number, at;

	if (dwarf_tag(inlined) != DW_TAG_inlined_subroutine ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) != 0 ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &at) != 0)
		return false;
	*file = dwarf_filesrc(files, (size_t)number, NULL, NULL);
	*line = at;
	return *file && at != 0;
}

bool objectfile_call_site(struct objectfile *object, uint64_t address,
			  bool (*is_wanted)(void *ctx, const char *file), void *ctx,
			  const char **file, uint64_t *line)
{
	Dwarf *dwarf = objectfile_dwarf(object);
	Dwarf_Die unit, *inner = NULL, *scopes = NULL;
	Dwarf_Files *files;
	size_t n_files;
	bool is_found = false;
	int n;

	objectfile_need_room();
	if (!dwarf || !dwarf_addrdie(dwarf, address, &unit) ||
	    dwarf_getsrcfiles(&unit, &files, &n_files) != 0)
		return false;
	/* What is around an inlined subroutine is there where it was written; where it was inlined, the tree has it. */
	n = dwarf_getscopes(&unit, address, &inner);
	n = n > 0 ? dwarf_getscopes_die(&inner[0], &scopes) : 0;
	free(inner);
	for (int i = 0; i < n && !is_found; i++)
		is_found = read_call_site(&scopes[i], files, file, line) && is_wanted(ctx, *file);
	free(scopes);
	return is_found;
}

bool objectfile_is_safe(const struct objectfile *object)
{
	return object->file.is_safe && (!object->has_debug || object->debug.is_safe);
}

bool objectfile_next_unit(struct objectfile *object, bool (*note)(void *ctx, const char *name),
			  void *ctx)
{
	if (!object->names.file)
		object->names.file = debug_file(object);
	return linenames_next(&object->names, note, ctx);
}
