/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libdw finds the unit of an address by .debug_aranges, which clang does not write; so the
 * ranges of units are read from their DIEs.
 */
#define _GNU_SOURCE /* asprintf */
#include "cmds/code/linetable.h"

#include <dwarf.h>
#include <gelf.h>
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

/* libdw does not look whether the last text of a section of texts ends. */
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

void linetable_init(struct linetable *table, Elf *elf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t kind;
	size_t used = 0;

	*table = (struct linetable){ .dwarf = NULL };
	if (linetable_has_room(&table->failed))
		table->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!table->dwarf)
		return;
	if (!texts_end(elf)) {
		dwarf_end(table->dwarf);
		table->dwarf = NULL;
		return;
	}
	while (linetable_has_room(&table->failed) &&
	       dwarf_get_units(table->dwarf, unit, &unit, NULL, &kind, &die, NULL) == 0)
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
	dwarf_end(table->dwarf);
	*table = (struct linetable){ .dwarf = NULL };
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
	    !dwarf_offdie(table->dwarf, range->unit, &die))
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
	dwarf_end(names->dwarf);
	*names = (struct linenames){ .elf = NULL };
}

/* Whether there is a further unit to be looked at: its DIE. */
static bool next_unit(struct linenames *names, Dwarf_Die *die)
{
	Dwarf_Off at = names->next;
	size_t header;

	if (names->n++ == UNITS_AT_ONCE) {
		dwarf_end(names->dwarf);
		names->dwarf = NULL;
		names->n = 0;
	}
	if (!linetable_has_room(&names->failed))
		return false;
	if (!names->dwarf) {
		names->dwarf = texts_end(names->elf)
				       ? dwarf_begin_elf(names->elf, DWARF_C_READ, NULL)
				       : NULL;
		if (!names->dwarf)
			return false;
	}
	/* Of a damaged file, the next one may be an earlier one. */
	return dwarf_next_unit(names->dwarf, at, &names->next, &header, NULL, NULL, NULL, NULL,
			       NULL, NULL) == 0 &&
	       names->next > at && dwarf_offdie(names->dwarf, at + header, die);
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
