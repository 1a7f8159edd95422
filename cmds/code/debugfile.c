/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/code/debugfile.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cmds/code/searchpath.h"

struct search {
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
static bool fits(struct search *search)
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
static bool try_file(struct search *search, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool try_file(struct search *search, const char *format, ...)
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

static bool find_by_id(struct search *search, const char *root, const char *directory)
{
	const char *id = search->build_id;

	return strlen(id) > 2 &&
	       try_file(search, "%s%s/.build-id/%.2s/%s.debug", root, directory, id, id + 2);
}

/* Below a directory for debug files; root is the sysroot, "" = none. */
static bool find_by_link(struct search *search, const char *root, const char *directory)
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
static bool each_directory(struct search *search,
			   bool (*find)(struct search *, const char *, const char *))
{
	static const char usual[] = "/usr/lib/debug";
	const struct objectfile_options *options = search->options;

	for (size_t i = 0; i < options->n_debug_directories; i++)
		if (find(search, "", options->debug_directories[i]))
			return true;
	return (options->sysroot && find(search, options->sysroot, usual)) ||
	       find(search, "", usual);
}

static bool find_beside(struct search *search)
{
	const char *path = search->object->path;
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0;

	return search->link && (try_file(search, "%.*s%s", folder, path, search->link) ||
				try_file(search, "%.*s.debug/%s", folder, path, search->link));
}

/* As debuginfod-find looks for its cache. */
static bool find_fetched(struct search *search, const char *what)
{
	char folder[PATH_MAX];

	for (size_t i = 0; search->build_id[0] != '\0' && i < SEARCHPATH_FETCHED; i++)
		if (searchpath_fetched(i, folder, sizeof(folder)) &&
		    try_file(search, "%s/%s/%s", folder, search->build_id, what))
			return true;
	return false;
}

/* .gnu_debuglink: a name, zeros up to a multiple of 4, the checksum in the file's byte order. */
static void read_link(struct search *search)
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

bool debugfile_find(struct elffile *debug, const struct elffile *object,
		    const struct objectfile_options *options, bool *found)
{
	struct search search = {
		.debug = debug,
		.object = object,
		.build_id = object->build_id,
		.options = options,
	};

	read_link(&search);
	*found = each_directory(&search, find_by_id) || find_beside(&search) ||
		 each_directory(&search, find_by_link) || find_fetched(&search, "debuginfo");
	if (search.failed && *found)
		elffile_release(debug);
	return !search.failed;
}

bool debugfile_fetched(struct elffile *object, const char *build_id)
{
	struct search search = { .debug = object, .build_id = build_id };

	return find_fetched(&search, "executable");
}
