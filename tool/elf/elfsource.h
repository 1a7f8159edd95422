/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file that is read piece by piece, from wherever it lies.  Nothing outside of it is read,
 * whatever it says.
 */
#ifndef TOOL_ELF_ELFSOURCE_H
#define TOOL_ELF_ELFSOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/elf/elftables.h"

/* Where a file is read from, and memory from: of which no more is taken for a table than the file has bytes. */
struct elf_source {
	uint64_t size; /* bytes of the file */
	/* Reads size bytes at offset; false if they are not all there. */
	bool (*read)(void *ctx, uint64_t offset, void *to, size_t size);
	void *ctx;
	void *(*allocate)(size_t size); /* 1 or more, of zeros; NULL if memory is refused */
	void (*release)(void *memory);
	void (*sort)(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
};

/* A piece of the file, in memory of the source's. */
struct elf_bytes {
	uint8_t *at; /* NULL if size is 0 */
	size_t size;
};

/* size bytes at an offset; false, and none, if they are not all in the file, too many, or memory is refused. */
bool elf_source_bytes(const struct elf_source *source, uint64_t offset, uint64_t size,
		      struct elf_bytes *bytes);

/* The contents of a section; returns likewise. */
bool elf_source_section(const struct elf_source *source, const struct elf_section *section,
			struct elf_bytes *bytes);

void elf_bytes_release(const struct elf_source *source, struct elf_bytes *bytes);

/* The header; false if the file is none that is understood. */
bool elf_source_header(const struct elf_source *source, struct elf_header *header);

/* All header->sections.n sections, the source's to release; NULL if there are none, or memory is refused. */
struct elf_section *elf_source_sections(const struct elf_source *source,
					const struct elf_header *header);

/*
 * Opens a file of the machine's, whose descriptor the source borrows, for Valgrind's memory; false
 * if it cannot be.  Not to be called under seccomp.
 */
bool elf_source_open(struct elf_source *source, const char *path, int *descriptor);
void elf_source_close(const struct elf_source *source);

#endif
