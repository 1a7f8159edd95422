/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as an ELF file whose names and lines are asked for, and as each other file that it names: the two files, in 2
 * bytes how many the second one has (0: it is the first one again), and which piece of memory is refused.  What is found is as
 * promised, and all memory is given back.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tool/elf/debugfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	const uint8_t *other; /* all other files */
	size_t other_size;
	size_t n_pieces, n_mapped, n_files;
	size_t n_allowed; /* pieces, until one is refused */
} world;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void *allocate(size_t size)
{
	void *memory;

	require(size > 0);
	if (world.n_allowed == 0) {
		world.n_allowed = SIZE_MAX; /* just that one */
		return NULL;
	}
	world.n_allowed--;
	memory = calloc(1, size);
	require(memory != NULL);
	world.n_pieces++;
	return memory;
}

static void release(void *memory)
{
	require(memory != NULL);
	world.n_pieces--;
	free(memory);
}

/* Of just its size, so that reads past its end are found. */
static uint8_t *copy_bytes(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size + (size == 0));

	require(copy != NULL);
	memcpy(copy, bytes, size);
	return copy;
}

static bool map(void *ctx, const char *path, struct debug_bytes *bytes, void **handle)
{
	enum { MAX_FILES = 8 };

	(void)ctx;
	require(strlen(path) < 4096);
	if (world.n_files == MAX_FILES || world.other_size == 0)
		return false;
	world.n_files++;
	world.n_mapped++;
	*handle = copy_bytes(world.other, world.other_size);
	*bytes = (struct debug_bytes){ *handle, world.other_size };
	return true;
}

static void unmap(void *ctx, struct debug_bytes bytes, void *handle)
{
	(void)ctx;
	require(bytes.len == world.other_size);
	world.n_mapped--;
	free(handle);
}

static bool check_name(void *ctx, const char *name)
{
	require(name[0] != '\0');
	return --*(unsigned *)ctx > 0;
}

static void check_name_at(struct debugfile *file, uint64_t address)
{
	const struct dwarf_frame *frames;
	struct debug_symbol symbol;
	struct dwarf_place place;
	unsigned most = 100;
	size_t n;

	if (debugfile_symbol(file, address, &symbol)) {
		require(symbol.size > 0 && address - symbol.address < symbol.size);
		require(strlen(symbol.name) > 0);
	}
	debugfile_names(file, address, check_name, &most);
	if (debugfile_line(file, address, &place))
		require(place.file.chars != NULL && place.directory.chars != NULL);
	n = debugfile_inlined(file, address, &frames);
	require(n != 1);
	for (size_t i = 0; i < n; i++)
		require(frames[i].function.chars != NULL);
}

static void check_text(const char *text)
{
	require(text == NULL || strlen(text) < 4096);
}

static void ask(const struct debugfile_world *files, const uint8_t *bytes, size_t size)
{
	struct debugfile *file =
		debugfile_open_bytes(files, "/a/b", (struct debug_bytes){ bytes, size });
	const struct debugfile_facts *facts;

	if (file == NULL)
		return;
	for (uint64_t address = 0x1000; address < 0x1100; address += 7)
		check_name_at(file, address);
	for (uint64_t address = 0x4000f0; address < 0x400130; address += 3)
		check_name_at(file, address);
	check_name_at(file, 0);
	check_name_at(file, UINT64_MAX);
	debugfile_core_reads(file, 19);
	facts = debugfile_facts(file);
	check_text(facts->debug_path);
	check_text(facts->alternate_path);
	check_text(facts->package_path);
	check_text(facts->missing_debug);
	check_text(facts->missing_alternate);
	check_text(facts->missing_split);
	require(facts->dwarf_version <= 5);
	debugfile_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct dwarf_memory memory = { allocate, release, qsort };
	const struct debugfile_world files = { &memory, NULL, map, unmap, "/extra", "/cache" };
	enum { ABOUT_SIZE = 3 };
	const uint8_t *about = data + size - ABOUT_SIZE;
	size_t first_size;
	uint8_t *copy;

	if (size < ABOUT_SIZE)
		return 0;
	world.other_size = about[0] | (size_t)about[1] << 8;
	if (world.other_size > size - ABOUT_SIZE)
		return 0;
	first_size = size - ABOUT_SIZE - world.other_size;
	world.other = data + first_size;
	if (world.other_size == 0) {
		world.other = data;
		world.other_size = first_size;
	}
	copy = copy_bytes(data, first_size);
	world.n_allowed = SIZE_MAX;
	world.n_files = 0;
	ask(&files, copy, first_size);
	world.n_allowed = about[2];
	world.n_files = 0;
	ask(&files, copy, first_size);
	require(world.n_pieces == 0 && world.n_mapped == 0);
	free(copy);
	return 0;
}
