/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	registering FILE left|done|none|damaged FUNCTION...
 *
 * Loads a relocatable file, registers it with debuggers and calls its functions, the first one once with 10, the
 * second one twice, and so on.  Relocations of its debug sections are left as they are, as LLVM does; or
 * done and taken out; or taken out without being done; or done, with all of .debug_line after its first header inverted.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gdbjit.h"

static unsigned char *bytes;
static size_t size;
static Elf64_Ehdr *header;
static Elf64_Shdr *sections;

static void read_file(const char *path)
{
	FILE *file = fopen(path, "rb");

	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		abort();
	size = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(size);
	if (bytes == NULL || fread(bytes, 1, size, file) != size)
		abort();
	fclose(file);
	header = (Elf64_Ehdr *)bytes;
	sections = (Elf64_Shdr *)(bytes + header->e_shoff);
}

static const char *name_of(const Elf64_Shdr *section)
{
	return (const char *)bytes + sections[header->e_shstrndx].sh_offset + section->sh_name;
}

/* Puts what is to be loaded somewhere, each section in a page of its own. */
static void load(void)
{
	for (unsigned i = 0; i < header->e_shnum; i++) {
		void *at;

		if ((sections[i].sh_flags & SHF_ALLOC) == 0 || sections[i].sh_size == 0)
			continue;
		at = mmap(NULL, sections[i].sh_size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			abort();
		if (sections[i].sh_type != SHT_NOBITS)
			memcpy(at, bytes + sections[i].sh_offset, sections[i].sh_size);
		sections[i].sh_addr = (uintptr_t)at;
	}
}

static const Elf64_Sym *symbols_of(const Elf64_Shdr *table)
{
	return (const Elf64_Sym *)(bytes + table->sh_offset);
}

static uint64_t value_of(const Elf64_Sym *symbol)
{
	return symbol->st_value + sections[symbol->st_shndx].sh_addr;
}

/* Those of sections that are not loaded. */
static void relocate(const Elf64_Shdr *relocations)
{
	const Elf64_Rela *all = (const Elf64_Rela *)(bytes + relocations->sh_offset);
	unsigned char *to = bytes + sections[relocations->sh_info].sh_offset;
	const Elf64_Sym *symbols = symbols_of(&sections[relocations->sh_link]);

	for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
		const uint64_t value =
			value_of(&symbols[ELF64_R_SYM(all[i].r_info)]) + (uint64_t)all[i].r_addend;

		if (ELF64_R_TYPE(all[i].r_info) == R_X86_64_64)
			memcpy(to + all[i].r_offset, &value, 8);
		else if (ELF64_R_TYPE(all[i].r_info) == R_X86_64_32)
			memcpy(to + all[i].r_offset, &value, 4);
		else
			abort();
	}
}

static void relocate_all(int is_done, int is_taken_out)
{
	for (unsigned i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_RELA ||
		    (sections[sections[i].sh_info].sh_flags & SHF_ALLOC) != 0)
			continue;
		if (is_done)
			relocate(&sections[i]);
		if (is_taken_out)
			sections[i].sh_type = SHT_NULL;
	}
}

static void damage(void)
{
	for (unsigned i = 0; i < header->e_shnum; i++)
		if (strcmp(name_of(&sections[i]), ".debug_line") == 0)
			for (size_t j = 12; j < sections[i].sh_size; j++)
				bytes[sections[i].sh_offset + j] ^= 0xff;
}

static void call(const char *name, unsigned times)
{
	const Elf64_Shdr *table = sections;
	const Elf64_Sym *symbol;
	const char *names;
	void (*function)(unsigned);
	uint64_t address;

	while (table->sh_type != SHT_SYMTAB)
		table++;
	names = (const char *)bytes + sections[table->sh_link].sh_offset;
	symbol = symbols_of(table);
	while (strcmp(names + symbol->st_name, name) != 0)
		symbol++;
	address = value_of(symbol);
	memcpy(&function, &address, sizeof(function));
	while (times-- != 0)
		function(10);
}

int main(int argc, char **argv)
{
	static struct entry entry;

	if (argc < 3)
		return 2;
	read_file(argv[1]);
	load();
	relocate_all(strcmp(argv[2], "done") == 0 || strcmp(argv[2], "damaged") == 0,
		     strcmp(argv[2], "left") != 0);
	if (strcmp(argv[2], "damaged") == 0)
		damage();
	entry = (struct entry){ .file = bytes, .size = size };
	__jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &entry;
	__jit_debug_descriptor.action = 1;
	__jit_debug_register_code();
	for (int i = 3; i < argc; i++)
		call(argv[i], (unsigned)(i - 2));
	return 0;
}
