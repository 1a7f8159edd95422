/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libdw finds the unit of an address by .debug_aranges, which clang does not write; so the
 * ranges of units are read from their DIEs.
 */
#define _GNU_SOURCE /* asprintf */
#include "cmds/object/linetable.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "profile/common/heap.h"

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

bool linetable_has_room(bool *failed)
{
	void *room =
		mmap(NULL, UNIT_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED) {
		*failed = true;
		return false;
	}
	munmap(room, UNIT_MEMORY);
	return true;
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
	char *folder = name[0] == '/' ? NULL : realpath(file->path, NULL), *path;
	const char *slash = folder ? strrchr(folder, '/') : NULL, *wrong = "out of memory";

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - folder) : 0, folder ? folder : "",
		     name) >= 0) {
		wrong = elffile_open(&info->alt_file, path);
		free(path);
	}
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
	/* Names in it count as much as those of the file (objectfile_is_safe()). */
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

/* Of a file that outlives it; nothing of one that libdw could not read safely. */
static void debuginfo_begin(struct debuginfo *info, const struct elffile *file)
{
	*info = (struct debuginfo){ .dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL) };
	if (info->dwarf && (!texts_end(file->elf) || !share(info, file)))
		debuginfo_end(info);
}

/* -- lines by address ---------------------------------------------------------------------------- */

static bool add_range(struct linetable *table, uint64_t start, uint64_t end, Dwarf_Off unit)
{
	if (start >= end)
		return true;
	if (table->n_ranges == MAX_RANGES)
		return false;
	if (!heap_reserve(&heap_env, (void **)&table->ranges, &table->capacity, table->n_ranges + 1,
			  sizeof(*table->ranges))) {
		table->failed = true;
		return false;
	}
	table->ranges[table->n_ranges++] = (struct line_range){ start, end, unit };
	return true;
}

static bool add_unit(struct linetable *table, Dwarf_Die *die)
{
	Dwarf_Off unit = dwarf_dieoffset(die);
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		if (!add_range(table, start, end, unit))
			return false;
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

void linetable_init(struct linetable *table, const struct elffile *file)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t kind;
	size_t used = 0;

	*table = (struct linetable){ .ranges = NULL };
	if (linetable_has_room(&table->failed))
		debuginfo_begin(&table->info, file);
	if (!table->info.dwarf)
		return;
	while (linetable_has_room(&table->failed) &&
	       dwarf_get_units(table->info.dwarf, unit, &unit, NULL, &kind, &die, NULL) == 0)
		if (kind == DW_UT_compile && !add_unit(table, &die))
			break;
	if (table->n_ranges > 0)
		qsort(table->ranges, table->n_ranges, sizeof(*table->ranges), compare_ranges);
	/* One that lies within another one is never the first to be found. */
	for (size_t i = 0; i < table->n_ranges; i++)
		if (used == 0 || table->ranges[i].end > table->ranges[used - 1].end)
			table->ranges[used++] = table->ranges[i];
	table->n_ranges = used;
}

void linetable_release(struct linetable *table)
{
	free(table->ranges);
	debuginfo_end(&table->info);
	*table = (struct linetable){ .ranges = NULL };
}

static const struct line_range *find_range(const struct linetable *table, uint64_t address)
{
	size_t low = 0, high = table->n_ranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (address >= table->ranges[middle].end)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == table->n_ranges || address < table->ranges[low].start)
		return NULL;
	return &table->ranges[low];
}

bool linetable_find(struct linetable *table, uint64_t address, const char **file, uint64_t *line)
{
	const struct line_range *range = find_range(table, address);
	Dwarf_Line *found;
	Dwarf_Die die;
	int number;

	if (!range || (range->unit != table->last_unit && !linetable_has_room(&table->failed)) ||
	    !dwarf_offdie(table->info.dwarf, range->unit, &die))
		return false;
	table->last_unit = range->unit;
	found = dwarf_getsrc_die(&die, address);
	if (!found || dwarf_lineno(found, &number) != 0 || number <= 0)
		return false;
	*file = dwarf_linesrc(found, NULL, NULL);
	*line = (uint64_t)number;
	return *file != NULL;
}

void linenames_release(struct linenames *names)
{
	debuginfo_end(&names->info);
	*names = (struct linenames){ .file = NULL };
}

/* Whether there is a further unit to be looked at: its DIE. */
static bool next_unit(struct linenames *names, Dwarf_Die *die)
{
	Dwarf_Off at = names->next;
	size_t header;

	if (names->n++ == UNITS_AT_ONCE) {
		debuginfo_end(&names->info);
		names->n = 0;
	}
	if (!linetable_has_room(&names->failed))
		return false;
	if (!names->info.dwarf)
		debuginfo_begin(&names->info, names->file);
	if (!names->info.dwarf)
		return false;
	/* Of a damaged file, the next one may be an earlier one. */
	return dwarf_next_unit(names->info.dwarf, at, &names->next, &header, NULL, NULL, NULL, NULL,
			       NULL, NULL) == 0 &&
	       names->next > at && dwarf_offdie(names->info.dwarf, at + header, die);
}

/* Passes a name to note(); a relative one is relative to where the unit was compiled.  False to end. */
static bool pass_name(struct linenames *names, const char *folder, const char *name,
		      bool (*note)(void *ctx, const char *name), void *ctx)
{
	char *path;
	bool goes_on;

	if (!folder || name[0] == '/')
		return note(ctx, name);
	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		names->failed = true;
		return false;
	}
	goes_on = note(ctx, path);
	free(path);
	return goes_on;
}

bool linenames_next(struct linenames *names, bool (*note)(void *ctx, const char *name), void *ctx)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Die die;
	size_t n;

	while (!names->is_done && next_unit(names, &die)) {
		const char *folder = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));

		if (dwarf_getsrcfiles(&die, &files, &n) != 0)
			continue;
		/* The first one stands for none, before DWARF 5. */
		for (size_t i = 0; i < n; i++) {
			const char *name = dwarf_filesrc(files, i, NULL, NULL);

			if (name && !pass_name(names, folder, name, note, ctx))
				break;
		}
		return true;
	}
	names->is_done = true;
	return false;
}
