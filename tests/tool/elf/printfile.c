/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	printfile [-e EXTRA] [-c CACHE] [-v MINOR] FILE ADDRESS...
 *
 * Prints what the tool's reader knows about addresses (in hexadecimal, as linked) in a file: all names of the function, the
 * offset in it, file and line; then a line for each file and fact that it has found.  With no addresses, all
 * symbols that code is named after.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/elf/debugfile.h"

static void *allocate(size_t size)
{
	return calloc(1, size);
}

static const struct dwarf_memory memory = { allocate, free, qsort };

static bool map(void *ctx, const char *path, struct debug_bytes *bytes, void **handle)
{
	struct stat about;
	const int descriptor = open(path, O_RDONLY);
	void *mapped = MAP_FAILED;

	(void)ctx;
	if (descriptor < 0)
		return false;
	if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
		mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	close(descriptor);
	if (mapped == MAP_FAILED)
		return false;
	*bytes = (struct debug_bytes){ mapped, (uint64_t)about.st_size };
	*handle = mapped;
	return true;
}

static void unmap(void *ctx, struct debug_bytes bytes, void *handle)
{
	(void)ctx;
	munmap(handle, bytes.len);
}

static bool print_name(void *ctx, const char *name)
{
	bool *is_first = ctx;

	printf("%s%s", *is_first ? "" : "=", name);
	*is_first = false;
	return true;
}

static void print_place(const struct dwarf_place *place)
{
	printf(" %.*s:%" PRIu32, (int)place->file.len, place->file.chars, place->line);
}

static void print_address(struct debugfile *file, uint64_t address)
{
	const struct dwarf_frame *frames;
	struct dwarf_place place;
	struct debug_symbol symbol;
	bool is_first = true;
	size_t n_frames;

	if (debugfile_symbol(file, address, &symbol)) {
		debugfile_names(file, address, print_name, &is_first);
		printf("+%" PRIu64, address - symbol.address);
	} else {
		printf("-");
	}
	if (debugfile_line(file, address, &place))
		print_place(&place);
	n_frames = debugfile_inlined(file, address, &frames);
	for (size_t i = 0; i < n_frames; i++) {
		printf("%s %.*s", i == 0 ? "" : " <", (int)frames[i].function.len,
		       frames[i].function.chars);
		print_place(&frames[i].place);
	}
	printf("\n");
}

static void print_text(const char *what, const char *text)
{
	if (text != NULL)
		printf("%s %s\n", what, text);
}

static void print_facts(const struct debugfile_facts *facts)
{
	static const char *const obstacles[] = { "", "damaged", "no decoder", "no memory" };

	printf("symbols%s%s%s\n", facts->has_symbols ? " symtab" : "",
	       facts->has_dynamic_symbols ? " dynsym" : "", facts->has_mini_symbols ? " mini" : "");
	if (facts->has_dwarf)
		printf("dwarf %u\n", facts->dwarf_version);
	print_text("debug file", facts->debug_path);
	print_text("alternate", facts->alternate_path);
	print_text("package", facts->package_path);
	print_text("missing debug file", facts->missing_debug);
	print_text("missing alternate", facts->missing_alternate);
	print_text("missing split", facts->missing_split);
	if (facts->n_split > 0)
		printf("split %u\n", facts->n_split);
	if (facts->obstacle != DEBUG_NO_OBSTACLE)
		printf("%s: %s\n", facts->obstacle_section, obstacles[facts->obstacle]);
}

int main(int argc, char **argv)
{
	struct debugfile_world world = { .memory = &memory, .map = map, .unmap = unmap };
	struct debugfile *file;
	unsigned minor = 0;
	int option;

	while ((option = getopt(argc, argv, "e:c:v:")) != -1)
		switch (option) {
		case 'e':
			world.extra_path = optarg;
			break;
		case 'c':
			world.debuginfod_cache = optarg;
			break;
		case 'v':
			minor = (unsigned)strtoul(optarg, NULL, 10);
			break;
		default:
			return 2;
		}
	if (optind == argc)
		return 2;
	file = debugfile_open(&world, argv[optind]);
	if (file == NULL) {
		printf("no ELF file\n");
		return 1;
	}
	for (int i = optind + 1; i < argc; i++)
		print_address(file, strtoull(argv[i], NULL, 16));
	print_facts(debugfile_facts(file));
	if (minor != 0)
		printf("core 3.%u: %s\n", minor, debugfile_core_reads(file, minor) ? "yes" : "no");
	debugfile_close(file);
	return 0;
}
