/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	printplaces [-a ALTERNATE] FILE [ADDRESS...]
 *	printplaces [-a ALTERNATE] -c MINOR FILE
 *
 * Prints for each address, in hex, or for those on standard input, its line and what is inlined there, as the tool reads
 * it: the address, then FUNCTION DIRECTORY/FILE:LINE, innermost first.  The file is linked, and its sections are not compressed;
 * split units are in files, as their names say.
 *
 * With -c: "yes" if the core of Valgrind 3.MINOR reads the file, else "no".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tool/elf/read_file.h"
#include "tool/elf/dwarf.h"
#include "tool/elf/elfobject.h"

/* All that was read, to be freed at the end. */
static struct {
	uint8_t **files;
	size_t n;
} all;

static struct debug_bytes open_file(const char *path)
{
	const struct debug_bytes file = read_file(path);
	uint8_t *bytes;

	if (file.at == NULL)
		return file;
	all.files = realloc(all.files, (all.n + 1) * sizeof(*all.files));
	if (!all.files)
		exit(1);
	memcpy(&bytes, &file.at, sizeof(bytes));
	all.files[all.n++] = bytes;
	return file;
}

static void free_files(void)
{
	for (size_t i = 0; i < all.n; i++)
		free(all.files[i]);
	free(all.files);
}

static struct debug_bytes section(const struct elfobject *object, const char *name,
				  const char *suffix)
{
	struct elf_section found;
	uint32_t number;
	char full[64];

	snprintf(full, sizeof(full), "%s%s", name, suffix);
	if (!elfobject_find(object, full, &found, &number))
		return (struct debug_bytes){ NULL, 0 };
	return (struct debug_bytes){ object->bytes + found.offset, found.size };
}

static bool read_sections(const char *path, const char *suffix, struct debug_sections *sections)
{
	const struct debug_bytes file = open_file(path);
	struct elfobject object;

	if (!file.at || !elfobject_open(&object, file.at, file.len))
		return false;
	sections->lines = section(&object, ".debug_line", suffix);
	sections->info = section(&object, ".debug_info", suffix);
	sections->abbreviations = section(&object, ".debug_abbrev", suffix);
	sections->strings = section(&object, ".debug_str", suffix);
	sections->line_strings = section(&object, ".debug_line_str", suffix);
	sections->string_offsets = section(&object, ".debug_str_offsets", suffix);
	sections->addresses = section(&object, ".debug_addr", suffix);
	sections->ranges = section(&object, ".debug_ranges", suffix);
	sections->range_lists = section(&object, ".debug_rnglists", suffix);
	return true;
}

static bool find_split(void *ctx, const struct dwarf_split *split, struct debug_sections *sections)
{
	char path[2 * DEBUG_MAX_NAME + 2];

	(void)ctx;
	if (split->name.len > 0 && split->name.chars[0] == '/')
		snprintf(path, sizeof(path), "%.*s", (int)split->name.len, split->name.chars);
	else
		snprintf(path, sizeof(path), "%.*s/%.*s", (int)split->directory.len,
			 split->directory.chars, (int)split->name.len, split->name.chars);
	return read_sections(path, ".dwo", sections);
}

static void *allocate(size_t size)
{
	return calloc(1, size);
}

static void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	qsort(base, n, size, compare);
}

static void print_place(const struct dwarf_place *place)
{
	if (place->file.len == 0) {
		printf(" ???:%" PRIu32, place->line);
		return;
	}
	printf(" ");
	if (place->directory.len > 0)
		printf("%.*s/", (int)place->directory.len, place->directory.chars);
	printf("%.*s:%" PRIu32, (int)place->file.len, place->file.chars, place->line);
}

static void print_address(struct dwarf *dwarf, uint64_t address)
{
	const struct dwarf_frame *frames;
	struct dwarf_place place;
	size_t n;

	printf("%" PRIx64, address);
	if (!dwarf_line(dwarf, address, &place)) {
		puts(" -");
		return;
	}
	n = dwarf_inlined(dwarf, address, &frames);
	if (n == 0)
		print_place(&place);
	for (size_t i = 0; i < n; i++) {
		printf(" %.*s", (int)frames[i].function.len, frames[i].function.chars);
		print_place(&frames[i].place);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const struct dwarf_memory memory = { allocate, free, sort };
	struct debug_sections own, alternate;
	struct dwarf_sources sources = { .memory = &memory, .own = &own, .split = find_split };
	struct dwarf *dwarf;
	unsigned minor = 0;
	char line[64];
	int option;

	while ((option = getopt(argc, argv, "a:c:")) != -1) {
		if (option == 'c') {
			minor = (unsigned)strtoul(optarg, NULL, 10);
			continue;
		}
		if (option != 'a' || !read_sections(optarg, "", &alternate))
			return 2;
		sources.alternate = &alternate;
	}
	if (optind == argc || !read_sections(argv[optind], "", &own))
		return 2;
	if (minor > 0) {
		puts(dwarf_core_reads(&own, sources.alternate, minor) ? "yes" : "no");
		free_files();
		return 0;
	}
	dwarf = dwarf_open(&sources);
	if (!dwarf)
		return 1;
	for (int i = optind + 1; i < argc; i++)
		print_address(dwarf, strtoull(argv[i], NULL, 16));
	while (optind + 1 == argc && fgets(line, sizeof(line), stdin))
		print_address(dwarf, strtoull(line, NULL, 16));
	dwarf_close(dwarf);
	free_files();
	return 0;
}
