/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/elftables.h"

#include "tool/elf/littleendian.h"

enum {
	MAGIC = 0x464c457f, /* 7f E L F */
	CLASS_64 = 2,
	DATA_LITTLE = 1,
	MACHINE_X86_64 = 62,
	TYPE_RELOCATABLE = 1,
};

/* Where numbers are; of 8 bytes, if nothing is said. */
enum {
	HEADER_CLASS = 4,    /* 1 byte */
	HEADER_DATA = 5,     /* 1 */
	HEADER_TYPE = 16,    /* 2 */
	HEADER_MACHINE = 18, /* 2 */
	HEADER_PROGRAM_HEADERS = 32,
	HEADER_SECTIONS = 40,
	HEADER_PROGRAM_HEADER_SIZE = 54, /* 2, likewise those below */
	HEADER_N_PROGRAM_HEADERS = 56,
	HEADER_SECTION_SIZE = 58,
	HEADER_N_SECTIONS = 60,
	HEADER_SECTION_NAMES = 62,
	SECTION_NAME = 0, /* 4 */
	SECTION_TYPE = 4, /* 4 */
	SECTION_FLAGS = 8,
	SECTION_ADDRESS = 16,
	SECTION_OFFSET = 24,
	SECTION_BYTES = 32,
	SECTION_LINK = 40,        /* 4 */
	SECTION_INFO = 44,        /* 4 */
	PROGRAM_HEADER_TYPE = 0,  /* 4 */
	PROGRAM_HEADER_FLAGS = 4, /* 4 */
	PROGRAM_HEADER_OFFSET = 8,
	PROGRAM_HEADER_ADDRESS = 16,
	PROGRAM_HEADER_FILE = 32,
	PROGRAM_HEADER_MEMORY = 40,
	PROGRAM_HEADER_ALIGNMENT = 48,
	SYMBOL_NAME = 0,    /* 4 */
	SYMBOL_INFO = 4,    /* 1 */
	SYMBOL_SECTION = 6, /* 2 */
	SYMBOL_VALUE = 8,
	SYMBOL_BYTES = 16,
	RELOCATION_OFFSET = 0,
	RELOCATION_TYPE = 8,    /* 4 */
	RELOCATION_SYMBOL = 12, /* 4 */
	RELOCATION_ADDEND = 16,
};

static struct elf_table read_table(uint64_t offset, uint32_t n, uint32_t entry_size,
				   uint64_t file_size)
{
	if (n == 0 || offset > file_size || (file_size - offset) / entry_size < n)
		return (struct elf_table){ 0, 0 };
	return (struct elf_table){ offset, n };
}

bool elf_header_read(struct elf_header *header, const uint8_t *bytes, uint64_t file_size)
{
	if (read_32(bytes) != MAGIC || bytes[HEADER_CLASS] != CLASS_64 ||
	    bytes[HEADER_DATA] != DATA_LITTLE || read_16(bytes + HEADER_MACHINE) != MACHINE_X86_64)
		return false;
	*header = (struct elf_header){
		.file_size = file_size,
		.is_relocatable = read_16(bytes + HEADER_TYPE) == TYPE_RELOCATABLE,
		.section_names = read_16(bytes + HEADER_SECTION_NAMES),
	};
	if (read_16(bytes + HEADER_SECTION_SIZE) == ELF_SECTION_SIZE)
		header->sections = read_table(read_64(bytes + HEADER_SECTIONS),
					      read_16(bytes + HEADER_N_SECTIONS), ELF_SECTION_SIZE,
					      file_size);
	if (read_16(bytes + HEADER_PROGRAM_HEADER_SIZE) == ELF_PROGRAM_HEADER_SIZE)
		header->program_headers = read_table(read_64(bytes + HEADER_PROGRAM_HEADERS),
						     read_16(bytes + HEADER_N_PROGRAM_HEADERS),
						     ELF_PROGRAM_HEADER_SIZE, file_size);
	return true;
}

void elf_section_read(struct elf_section *section, const struct elf_header *header,
		      const uint8_t *bytes)
{
	*section = (struct elf_section){
		.name = read_32(bytes + SECTION_NAME),
		.type = read_32(bytes + SECTION_TYPE),
		.link = read_32(bytes + SECTION_LINK),
		.info = read_32(bytes + SECTION_INFO),
		.flags = read_64(bytes + SECTION_FLAGS),
		.address = read_64(bytes + SECTION_ADDRESS),
		.size = read_64(bytes + SECTION_BYTES),
		.offset = read_64(bytes + SECTION_OFFSET),
	};
	section->is_in_file = section->type != ELF_SECTION_NO_BITS &&
			      section->offset <= header->file_size &&
			      section->size <= header->file_size - section->offset;
}

void elf_program_header_read(struct elf_program_header *program_header, const uint8_t *bytes)
{
	*program_header = (struct elf_program_header){
		.type = read_32(bytes + PROGRAM_HEADER_TYPE),
		.flags = read_32(bytes + PROGRAM_HEADER_FLAGS),
		.offset = read_64(bytes + PROGRAM_HEADER_OFFSET),
		.file_size = read_64(bytes + PROGRAM_HEADER_FILE),
		.address = read_64(bytes + PROGRAM_HEADER_ADDRESS),
		.memory_size = read_64(bytes + PROGRAM_HEADER_MEMORY),
		.alignment = read_64(bytes + PROGRAM_HEADER_ALIGNMENT),
	};
}

void elf_symbol_read(struct elf_symbol *symbol, const uint8_t *bytes)
{
	*symbol = (struct elf_symbol){
		.name = read_32(bytes + SYMBOL_NAME),
		.kind = bytes[SYMBOL_INFO] & 15,
		.is_local = bytes[SYMBOL_INFO] >> 4 == 0,
		.section = (uint16_t)read_16(bytes + SYMBOL_SECTION),
		.value = read_64(bytes + SYMBOL_VALUE),
		.size = read_64(bytes + SYMBOL_BYTES),
	};
}

void elf_relocation_read(struct elf_relocation *relocation, const uint8_t *bytes)
{
	*relocation = (struct elf_relocation){
		.offset = read_64(bytes + RELOCATION_OFFSET),
		.type = read_32(bytes + RELOCATION_TYPE),
		.symbol = read_32(bytes + RELOCATION_SYMBOL),
		.addend = read_64(bytes + RELOCATION_ADDEND),
	};
}
