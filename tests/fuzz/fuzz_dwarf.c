/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the debug information of a program, and of a file with its split units that is its alternate file, too: the
 * number of the allocation that is refused (0: none), then each section of both, with 2 bytes of length before it. Wherever code
 * may be, places and functions are asked for, which must be as promised; memory is in proportion to the input.
 */
#include <stdlib.h>
#include <string.h>

#include "tool/elf/dwarf.h"
#include "tool/elf/dwarfunit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	N_SECTIONS = 9,
	FIRST_ADDRESS = 0x1000,
	N_ADDRESSES = 96,
};

static size_t n_bytes, n_allocations, refused;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void *allocate(size_t size)
{
	n_bytes += size;
	require(size > 0);
	return ++n_allocations == refused ? NULL : calloc(1, size);
}

static void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	qsort(base, n, size, compare);
}

struct file {
	struct debug_sections sections;
	uint8_t *copies[N_SECTIONS]; /* of just their sizes */
};

static void read_file(struct file *file, struct debug_cursor *cursor)
{
	struct debug_bytes *const sections[N_SECTIONS] = {
		&file->sections.lines,         &file->sections.info,
		&file->sections.abbreviations, &file->sections.strings,
		&file->sections.line_strings,  &file->sections.string_offsets,
		&file->sections.addresses,     &file->sections.ranges,
		&file->sections.range_lists,
	};

	*file = (struct file){ .copies = { NULL } };
	for (unsigned i = 0; i < N_SECTIONS; i++) {
		uint64_t len = cursor_number(cursor, 2);

		if (len > cursor->left)
			len = cursor->left;
		if (len == 0)
			continue;
		file->copies[i] = malloc(len);
		require(file->copies[i] != NULL);
		memcpy(file->copies[i], cursor_bytes(cursor, len), len);
		*sections[i] = (struct debug_bytes){ file->copies[i], len };
	}
}

static void free_file(struct file *file)
{
	for (unsigned i = 0; i < N_SECTIONS; i++)
		free(file->copies[i]);
}

static void check_name(struct debug_name name)
{
	require(name.chars != NULL && memchr(name.chars, '\0', name.len) == NULL);
}

static bool find_split(void *ctx, const struct dwarf_split *split, struct debug_sections *sections)
{
	const struct file *file = ctx;

	check_name(split->directory);
	check_name(split->name);
	*sections = file->sections;
	return true;
}

static void check_place(const struct dwarf_place *place)
{
	check_name(place->directory);
	check_name(place->file);
	require(place->file.len > 0 || place->directory.len == 0);
}

static void ask(struct dwarf *dwarf, uint64_t address)
{
	const struct dwarf_frame *frames;
	struct dwarf_place place;
	const bool has_line = dwarf_line(dwarf, address, &place);
	const size_t n = dwarf_inlined(dwarf, address, &frames);

	require(n != 1);
	if (has_line) {
		check_place(&place);
		require(place.file.len > 0);
	}
	for (size_t i = 0; i < n; i++) {
		check_place(&frames[i].place);
		check_name(frames[i].function);
		require(i + 1 == n || frames[i].function.len > 0);
	}
	if (n > 0 && has_line && frames[0].place.file.len > 0)
		require(frames[0].place.line == place.line &&
			frames[0].place.file.chars == place.file.chars);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct dwarf_memory memory = { allocate, free, sort };
	struct debug_cursor cursor = cursor_of((struct debug_bytes){ data, size });
	struct file own, other;
	struct dwarf_sources sources = {
		.memory = &memory,
		.own = &own.sections,
		.alternate = &other.sections,
		.ctx = &other,
		.split = find_split,
	};
	struct dwarf *dwarf;

	n_bytes = n_allocations = 0;
	refused = cursor_number(&cursor, 1);
	read_file(&own, &cursor);
	read_file(&other, &cursor);
	for (unsigned minor = 19; minor <= 20; minor++)
		dwarf_core_reads(&own.sections, &other.sections, minor);
	dwarf = dwarf_open(&sources);
	if (dwarf != NULL) {
		require(dwarf_version(dwarf) >= 2 && dwarf_version(dwarf) <= 5);
		for (unsigned i = 0; i < N_ADDRESSES; i++)
			ask(dwarf, FIRST_ADDRESS + i);
		for (size_t i = 0; i + 8 <= size && i < 4096; i += 5) {
			uint64_t address;

			memcpy(&address, data + i, sizeof(address));
			ask(dwarf, address);
		}
		dwarf_close(dwarf);
	}
	require(n_bytes <= (1u << 20) + 1024 * size);
	free_file(&own);
	free_file(&other);
	return 0;
}
