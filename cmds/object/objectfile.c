/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/object/objectfile.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cmds/object/elffile.h"
#include "cmds/object/elfsymbols.h"
#include "cmds/object/fetcher.h"
#include "cmds/object/linetable.h"

/* -- the file that has the symbols and line numbers of a stripped one ------------------ */

struct debugfile_search {
	struct elffile *debug;
	const struct elffile *object; /* NULL = the object itself is looked for */
	const char *build_id;         /* "" = it has none */
	const struct objectfile_options *options;
	const char *link;  /* name in .gnu_debuglink; NULL = none */
	uint32_t checksum; /* that it says */
	bool failed;       /* memory ran out */
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

/* Whether the file that is open is the one of the object. */
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

/* Tries the file whose name is made of a format. */
static bool try_file(struct debugfile_search *search, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool try_file(struct debugfile_search *search, const char *format, ...)
{
	va_list arguments;
	char *path = NULL;
	size_t len;
	FILE *text = open_memstream(&path, &len);
	bool fine = text != NULL;

	va_start(arguments, format);
	if (text) {
		fine = vfprintf(text, format, arguments) >= 0;
		fine = fclose(text) == 0 && fine && path;
	}
	va_end(arguments);
	search->failed |= !fine;
	if (fine) {
		const char *wrong = elffile_open(search->debug, path);

		fine = wrong == NULL;
		search->failed |= wrong && strcmp(wrong, "out of memory") == 0;
	}
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

	return strlen(id) > 2 &&
	       try_file(search, "%s%s/.build-id/%.2s/%s.debug", root, directory, id, id + 2);
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
	return path <= slash && try_file(search, "%s%s%.*s/%s", root, directory,
					 (int)(slash - path), path, search->link);
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

	return search->link && (try_file(search, "%.*s%s", folder, path, search->link) ||
				try_file(search, "%.*s.debug/%s", folder, path, search->link));
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
		    try_file(search, "%s/%s/%s", folder, search->build_id, what))
			return true;
	return false;
}

/* From a server, if that is wanted; name is the object's. */
static bool find_remote(struct debugfile_search *search, enum fetched what, const char *name)
{
	struct fetcher *fetcher = search->options->fetcher;
	char *path;
	bool fine;

	if (!fetcher)
		return false;
	if (search->build_id[0] == '\0') {
		fetcher_pass(fetcher, name);
		return false;
	}
	path = fetcher_get(fetcher, what, search->build_id, name);
	fine = path && try_file(search, "%s", path);
	free(path);
	return fine;
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
 * beside the object, in .debug there, and in DIR with the object's folder below it; and for what
 * debuginfod has fetched before, or what it fetches now, if that is wanted.  DIRs are those of the options, then
 * /usr/lib/debug.  A file counts if it has the object's build-id, or, if there is none, the
 * checksum of the link.  *found says whether one was opened, and is to be released.  False if
 * memory ran out; then there is none.
 */
static bool debugfile_find(struct elffile *debug, const struct elffile *object,
			   const struct objectfile_options *options, bool *found)
{
	struct debugfile_search search = {
		.debug = debug,
		.object = object,
		.build_id = object->build_id,
		.options = options,
	};

	read_link(&search);
	*found = each_directory(&search, find_by_id) || find_beside(&search) ||
		 each_directory(&search, find_by_link) || find_fetched(&search, "debuginfo") ||
		 find_remote(&search, FETCHED_DEBUGINFO, object->path);
	if (search.failed && *found)
		elffile_release(debug);
	return !search.failed;
}

/*
 * Opens the object of a build-id if debuginfod has fetched it before, or fetches it now; true if it is
 * there and has that build-id, and is to be released.
 */
static bool debugfile_fetched(struct elffile *object, const char *name, const char *build_id,
			      const struct objectfile_options *options)
{
	struct debugfile_search search = { .debug = object,
					   .build_id = build_id,
					   .options = options };

	/* A profile may say any text; this one becomes a part of a path. */
	if (build_id[strspn(build_id, "0123456789abcdef")] != '\0')
		return false;
	return find_fetched(&search, "executable") ||
	       find_remote(&search, FETCHED_EXECUTABLE, name);
}

struct objectfile {
	struct elffile file, debug;
	bool has_debug;
	struct elfsymbols symbols;
	struct linetable lines;
	bool has_lines; /* they were read */
	struct linenames names;
};

static const char *open_below(struct elffile *file, const char *sysroot, const char *name)
{
	size_t size = strlen(sysroot) + strlen(name) + 2;
	char *path = malloc(size);
	const char *wrong;

	if (!path)
		return "out of memory";
	snprintf(path, size, "%s%s%s", sysroot, name[0] == '/' ? "" : "/", name);
	wrong = elffile_open(file, path);
	free(path);
	return wrong;
}

static const char *open_file(struct elffile *file, const char *name, const char *build_id,
			     const struct objectfile_options *options)
{
	const char *wrong = options->sysroot ? open_below(file, options->sysroot, name)
					     : elffile_open(file, name);

	if (!wrong && build_id && file->build_id[0] != '\0' &&
	    strcmp(build_id, file->build_id) != 0) {
		elffile_release(file);
		wrong = "has another build-id: it is not what was profiled";
	}
	if (wrong && !build_id && options->fetcher)
		fetcher_pass(options->fetcher, name);
	return wrong && build_id && debugfile_fetched(file, name, build_id, options) ? NULL : wrong;
}

const char *objectfile_open(struct objectfile **object, const char *name, const char *build_id,
			    const struct objectfile_options *options)
{
	struct objectfile *made = calloc(1, sizeof(*made));
	const char *wrong;

	*object = NULL;
	if (!made)
		return "out of memory";
	wrong = open_file(&made->file, name, build_id, options);
	if (wrong) {
		free(made);
		return wrong;
	}
	if ((!elffile_has(&made->file, ".debug_info") || !elffile_has(&made->file, ".symtab")) &&
	    !debugfile_find(&made->debug, &made->file, options, &made->has_debug)) {
		elffile_release(&made->file);
		free(made);
		return "out of memory";
	}
	if (!options->only_lines &&
	    !elfsymbols_init(&made->symbols, &made->file, made->has_debug ? &made->debug : NULL)) {
		objectfile_free(made);
		return "out of memory";
	}
	*object = made;
	return NULL;
}

void objectfile_free(struct objectfile *object)
{
	if (!object)
		return;
	linetable_release(&object->lines);
	linenames_release(&object->names);
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

bool objectfile_failed(const struct objectfile *object)
{
	return object->lines.failed || object->names.failed;
}
