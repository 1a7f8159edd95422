/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header of an ELF file of x86-64, and the entries of its tables, as they lie in the file: of a
 * file that is read piece by piece as well as of one that is in memory.  Nothing is read but the bytes that
 * are given, and what is said to be in the file is in it, whatever is damaged.
 *
 * Source of the layout: the System V ABI, "ELF Header", "Sections", "Symbol Table", "Relocation", "Program
 * Header", and its supplement for AMD64.
 */
#ifndef TOOL_ELF_ELFTABLES_H
#define TOOL_ELF_ELFTABLES_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the header and of the entries of each table. */
enum {
	ELF_HEADER_SIZE = 64,
	ELF_SECTION_SIZE = 64,
	ELF_PROGRAM_HEADER_SIZE = 56,
	ELF_SYMBOL_SIZE = 24,
	ELF_RELOCATION_SIZE = 24,
};

/* Where the tables of headers are: offset 0 and none, or all of it in the file. */
struct elf_table {
	uint64_t offset;
	uint32_t n;
};

struct elf_header {
	uint64_t file_size; /* bytes */
	bool is_relocatable;
	struct elf_table sections, program_headers;
	uint32_t section_names; /* the section of the names of sections; there may be none */
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
	uint64_t size;   /* as it says, in memory */
	uint64_t offset; /* in the file, as it says */
	bool is_in_file; /* size bytes at offset are */
};

struct elf_program_header {
	uint32_t type, flags;
	uint64_t offset, file_size; /* as it says */
	uint64_t address, memory_size, alignment;
};

enum {
	ELF_LOADED = 1,   /* a program header's type */
	ELF_RUNNABLE = 1, /* a flag of it */
};

enum elf_symbol_kind {
	ELF_FUNCTION = 2,
	ELF_SECTION = 3,
	ELF_FILE = 4,
	ELF_TLS = 6,
	ELF_IFUNC = 10,
};

/* Numbers of sections that are none. */
enum {
	ELF_UNDEFINED = 0,
	ELF_FIRST_RESERVED = 0xff00,
	ELF_ABSOLUTE = 0xfff1,
};

struct elf_symbol {
	uint32_t name;
	uint8_t kind;     /* enum elf_symbol_kind, or another */
	bool is_local;    /* to the file that it was compiled from */
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
 * Reads the header of a file of file_size bytes, ELF_HEADER_SIZE of them at bytes; false if it is no file of 64 bits for
 * this processor.  A table that does not lie in the file, or whose entries have another size, has none.
 */
bool elf_header_read(struct elf_header *header, const uint8_t *bytes, uint64_t file_size);

/* Reads an entry of a table, each of as many bytes as stand above. */
void elf_section_read(struct elf_section *section, const struct elf_header *header,
		      const uint8_t *bytes);
void elf_program_header_read(struct elf_program_header *program_header, const uint8_t *bytes);
void elf_symbol_read(struct elf_symbol *symbol, const uint8_t *bytes);
void elf_relocation_read(struct elf_relocation *relocation, const uint8_t *bytes);

#endif
