/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ELF files of x86-64 as bytes: their header and tables, for files that are read piece by piece as well as
 * for files that are in memory as a whole.  Whatever is damaged, only the given bytes are read, and what is
 * reported to be in the file is in it.
 *
 * Source: the System V ABI, "ELF Header", "Sections", "Symbol Table", "Relocation", "Program Header", and
 * its supplement for AMD64.
 */
#ifndef TOOL_ELF_ELFOBJECT_H
#define TOOL_ELF_ELFOBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- numbers ------------------------------------------------------------------------------ */

/* Numbers in such files, also unaligned ones: least significant byte first, as in memory. */

static inline uint32_t read_16(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t read_32(const uint8_t *at)
{
	uint32_t number;

	__builtin_memcpy(&number, at, sizeof(number));
	return number;
}

static inline uint64_t read_64(const uint8_t *at)
{
	uint64_t number;

	__builtin_memcpy(&number, at, sizeof(number));
	return number;
}

/* --- header and tables -------------------------------------------------------------------- */

/* Bytes of the header and of the entries of each table. */
enum {
	ELF_HEADER_SIZE = 64,
	ELF_SECTION_SIZE = 64,
	ELF_PROGRAM_HEADER_SIZE = 56,
	ELF_SYMBOL_SIZE = 24,
	ELF_RELOCATION_SIZE = 24,
};

/* A table of headers: empty at offset 0, or completely inside the file. */
struct elf_table {
	uint64_t offset;
	uint32_t n;
};

struct elf_header {
	uint64_t file_size; /* bytes */
	bool is_relocatable;
	struct elf_table sections, program_headers;
	uint32_t section_names; /* the section with the names of sections; there may be none */
};

enum elf_section_type {
	ELF_SECTION_SYMBOLS = 2,
	ELF_SECTION_RELOCATIONS = 4, /* with addends */
	ELF_SECTION_NOTES = 7,
	ELF_SECTION_NO_BITS = 8,
	ELF_SECTION_DYNAMIC_SYMBOLS = 11,
};

enum elf_section_flag {
	ELF_SECTION_LOADED = 2,
	ELF_SECTION_CODE = 4,
	ELF_SECTION_TLS = 0x400,
	ELF_SECTION_COMPRESSED = 0x800,
};

struct elf_section {
	uint32_t name, type, link, info;
	uint64_t flags, address;
	uint64_t size;   /* in memory, as claimed */
	uint64_t offset; /* in the file, as claimed */
	bool is_in_file; /* size bytes at offset are inside the file */
};

struct elf_program_header {
	uint32_t type, flags;
	uint64_t offset, file_size; /* as claimed */
	uint64_t address, memory_size, alignment;
};

/* Types of program headers, and a flag. */
enum {
	ELF_LOADED = 1,
	ELF_DYNAMIC = 2,
	ELF_NOTES = 4,
	ELF_RUNNABLE = 1,
};

enum elf_symbol_kind {
	ELF_FUNCTION = 2,
	ELF_SECTION = 3,
	ELF_FILE = 4,
	ELF_TLS = 6,
	ELF_IFUNC = 10,
};

/* Section numbers without a section. */
enum {
	ELF_UNDEFINED = 0,
	ELF_FIRST_RESERVED = 0xff00,
	ELF_ABSOLUTE = 0xfff1,
};

struct elf_symbol {
	uint32_t name;
	uint8_t kind;     /* enum elf_symbol_kind, or an unknown one */
	bool is_local;    /* to its compilation unit */
	uint16_t section; /* its number */
	uint64_t value, size;
};

enum elf_relocation_type {
	ELF_RELOCATE_NONE = 0,
	ELF_RELOCATE_64 = 1,
	ELF_RELOCATE_32 = 10,
	ELF_RELOCATE_MODULE = 16,
	ELF_RELOCATE_DISTANCE = 18,
};

struct elf_relocation {
	uint64_t offset;
	uint32_t type, symbol;
	uint64_t addend;
};

/*
 * Reads the header of a file of file_size bytes from its first ELF_HEADER_SIZE bytes; false if it is not a
 * 64-bit file for x86-64.  A table that is not inside the file, or whose entries have another size, is
 * empty.
 */
bool elf_header_read(struct elf_header *header, const uint8_t *bytes, uint64_t file_size);

/*
 * The build-id among len bytes of notes, aligned to 4 or 8 bytes: *id points to it.  Returns its size in bytes; 0
 * if there is none.
 */
size_t elf_build_id(const uint8_t *notes, size_t len, unsigned alignment, const uint8_t **id);

/* These read one entry of a table, whose size is given above. */
void elf_section_read(struct elf_section *section, const struct elf_header *header,
		      const uint8_t *bytes);
void elf_program_header_read(struct elf_program_header *program_header, const uint8_t *bytes);
void elf_symbol_read(struct elf_symbol *symbol, const uint8_t *bytes);
void elf_relocation_read(struct elf_relocation *relocation, const uint8_t *bytes);

/* --- a file that is read piece by piece --------------------------------------------------- */

/*
 * How to read a file and where to get memory.  A table never takes more memory than the file has bytes.
 * Nothing outside of the file is read, whatever it claims.
 */
struct elf_source {
	uint64_t size; /* bytes of the file */
	/* Reads size bytes at offset; false if there are fewer. */
	bool (*read)(void *ctx, uint64_t offset, void *to, size_t size);
	void *ctx;
	void *(*allocate)(size_t size); /* at least 1 byte, zeroed; NULL if memory is refused */
	void (*release)(void *memory);
	void (*sort)(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
};

/* A piece of the file in allocated memory. */
struct elf_bytes {
	uint8_t *at; /* NULL if size is 0 */
	size_t size;
};

/* size bytes at an offset; false, and no bytes, if they are not all in the file, too many, or memory is refused. */
bool elf_source_bytes(const struct elf_source *source, uint64_t offset, uint64_t size,
		      struct elf_bytes *bytes);

/* The contents of a section; same result. */
bool elf_source_section(const struct elf_source *source, const struct elf_section *section,
			struct elf_bytes *bytes);

void elf_bytes_release(const struct elf_source *source, struct elf_bytes *bytes);

/* The header; false if the file is not understood. */
bool elf_source_header(const struct elf_source *source, struct elf_header *header);

/* All header->sections.n sections, to be given to source->release(); NULL if there are none, or memory is refused. */
struct elf_section *elf_source_sections(const struct elf_source *source,
					const struct elf_header *header);

/*
 * Opens a file on this computer, with Valgrind's memory (elfopen.c); false on failure.  The source borrows
 * *descriptor until elf_source_close().  Not to be called under seccomp.
 */
bool elf_source_open(struct elf_source *source, const char *path, int *descriptor);
void elf_source_close(const struct elf_source *source);

/* --- a file in memory --------------------------------------------------------------------- */

/*
 * A file that is in memory as a whole: mapped, decompressed, or registered with debuggers by a program
 * that generates code.  In a relocatable file, symbols count from the start of their section.
 */
struct elfobject {
	const uint8_t *bytes;
	struct elf_header header;
};

struct elfobject_function {
	uint64_t address,
		size;     /* size 0: unknown; otherwise the last byte's address is below 2^64 */
	const char *name; /* in the file, NUL-terminated, not empty */
};

/* Where to search for the next function. */
struct elfobject_cursor {
	uint32_t section;
	uint64_t symbol;
};

/* Opens a file of len bytes, which is borrowed; false if it is not a 64-bit file for x86-64 or has no sections. */
bool elfobject_open(struct elfobject *object, const uint8_t *bytes, size_t len);

/* Section number i, from 0; false if there are fewer. */
bool elfobject_section(const struct elfobject *object, uint32_t i, struct elf_section *section);

/* The text at an offset of section number; "" if no NUL-terminated text is there. */
const char *elfobject_text(const struct elfobject *object, uint32_t number, uint32_t offset);

/* The next function with code, from a cursor that starts as {0, 0}; false at the end. */
bool elfobject_next(const struct elfobject *object, struct elfobject_cursor *cursor,
		    struct elfobject_function *function);

/* True if two NUL-terminated texts are equal. */
bool elfobject_is_same(const char *a, const char *b);

/* Finds the section of that name that has uncompressed bytes in the file, and its number; false if there is none. */
bool elfobject_find(const struct elfobject *object, const char *name, struct elf_section *section,
		    uint32_t *number);

/*
 * Relocates bytes, a copy of len bytes of section number in a relocatable file: addresses of code are put
 * in, and offsets into sections that are not loaded.  Programs that register objects mostly relocate only
 * the code.  Has no effect on what is relocated already.  False if not everything can be done; the rest is.
 */
bool elfobject_relocate(const struct elfobject *object, uint32_t number, uint8_t *bytes,
			uint64_t len);

#endif
