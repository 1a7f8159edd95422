/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what the tool's own reader says about every address of a file from FIRST to NEXT, as linked, in the form that coreanswers.c
 * has: ownanswers FILE FIRST NEXT.  With FILE alone, what was read and what is missing.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/elf/debugfile.h"
#include "tool/elf/dwarf.h"

enum { MAX_TEXT = 16384 };

struct answer {
	size_t len;
	char text[MAX_TEXT];
};

static void put(struct answer *answer, const char *text, size_t len)
{
	for (size_t i = 0; i < len && answer->len + 1 < MAX_TEXT; i++)
		answer->text[answer->len++] = text[i];
	answer->text[answer->len] = 0;
}

static void put_text(struct answer *answer, const char *text)
{
	put(answer, text, strlen(text));
}

static void put_place(struct answer *answer, const struct dwarf_place *place)
{
	char line[16];

	put_text(answer, "\t");
	put(answer, place->directory.chars, place->directory.len);
	if (place->directory.len != 0)
		put_text(answer, "/");
	put(answer, place->file.chars, place->file.len);
	snprintf(line, sizeof(line), ":%" PRIu32, place->line);
	put_text(answer, line);
}

static void ask(struct answer *answer, struct debugfile *file, uint64_t address)
{
	const struct dwarf_frame *frames;
	struct debug_symbol symbol;
	struct dwarf_place place;
	size_t n_frames;

	answer->len = 0;
	put_text(answer, debugfile_symbol(file, address, &symbol) ? symbol.name : "?");
	if (debugfile_line(file, address, &place))
		put_place(answer, &place);
	else
		put_text(answer, "\t?");
	n_frames = debugfile_inlined(file, address, &frames);
	for (size_t i = 0; i + 1 < n_frames; i++) {
		put_text(answer, "\t");
		put(answer, frames[i].function.chars, frames[i].function.len);
		put_place(answer, &frames[i + 1].place);
	}
}

static void print_answers(struct debugfile *file, uint64_t first, uint64_t next)
{
	static struct answer answers[2];
	struct answer *last = &answers[0], *answer = &answers[1];
	uint64_t begin = first;

	ask(last, file, first);
	for (uint64_t address = first + 1; address < next; address++) {
		ask(answer, file, address);
		if (strcmp(answer->text, last->text) != 0) {
			struct answer *printed = last;

			printf("%" PRIx64 " %" PRIx64 " %s\n", begin, address, printed->text);
			begin = address;
			last = answer;
			answer = printed;
		}
	}
	printf("%" PRIx64 " %" PRIx64 " %s\n", begin, next, last->text);
}

static bool map(void *ctx, const char *path, struct debug_bytes *bytes, void **handle)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *at;

	(void)ctx;
	if (file < 0)
		return false;
	if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
		close(file);
		return false;
	}
	at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	*bytes = (struct debug_bytes){ at, (uint64_t)status.st_size };
	*handle = at;
	return at != MAP_FAILED;
}

static void unmap(void *ctx, struct debug_bytes bytes, void *handle)
{
	(void)ctx;
	munmap(handle, (size_t)bytes.len);
}

static void *allocate(size_t size)
{
	return calloc(1, size);
}

static const char *or_none(const char *text)
{
	return text ? text : "-";
}

static void print_facts(struct debugfile *file)
{
	const struct debugfile_facts *facts = debugfile_facts(file);

	printf("symbols%s%s%s\n", facts->has_symbols ? " .symtab" : "",
	       facts->has_dynamic_symbols ? " .dynsym" : "",
	       facts->has_mini_symbols ? " .gnu_debugdata" : "");
	printf("DWARF %u, %u split units, %u missing\n", facts->dwarf_version, facts->n_split,
	       facts->n_missing_split);
	printf("debug file %s, missing %s\n", or_none(facts->debug_path),
	       or_none(facts->missing_debug));
	printf("alternate %s, missing %s\n", or_none(facts->alternate_path),
	       or_none(facts->missing_alternate));
	printf("package %s, missing %s\n", or_none(facts->package_path),
	       or_none(facts->missing_split));
	printf("obstacle %d, %s\n", (int)facts->obstacle, or_none(facts->obstacle_section));
}

int main(int argc, char **argv)
{
	static const struct dwarf_memory memory = { allocate, free, qsort };
	const struct debugfile_world world = { &memory, NULL, map, unmap, NULL, NULL };
	const struct dwarf_frame *frames;
	struct debug_symbol symbol;
	struct dwarf_place place;
	struct debugfile *file = argc == 2 || argc == 4 ? debugfile_open(&world, argv[1]) : NULL;

	if (!file) {
		fputs("usage: ownanswers FILE [FIRST NEXT]\n", stderr);
		return 2;
	}
	if (argc == 4) {
		print_answers(file, strtoull(argv[2], NULL, 16), strtoull(argv[3], NULL, 16));
	} else {
		debugfile_symbol(file, 0, &symbol);
		debugfile_line(file, 0, &place);
		debugfile_inlined(file, 0, &frames);
		print_facts(file);
	}
	debugfile_close(file);
	return 0;
}
