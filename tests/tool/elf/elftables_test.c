/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/elf/elfobject: headers and entries of tables, compared with <elf.h>; tables that are not inside their file. */
#include "tool/elf/elfobject.h"

#include <elf.h>

#include "tests/common/check.h"

static uint8_t bytes[ELF_HEADER_SIZE];

/* Of a file of 10,000 bytes. */
static Elf64_Ehdr make_header(void)
{
	return (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_phoff = 64,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 3,
		.e_shoff = 10000 - 5 * sizeof(Elf64_Shdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 5,
		.e_shstrndx = 4,
	};
}

static bool read_header(const Elf64_Ehdr *from, uint64_t file_size, struct elf_header *header)
{
	memcpy(bytes, from, sizeof(*from));
	return elf_header_read(header, bytes, file_size);
}

TEST(sizes)
{
	CHECK_EQ_U64(ELF_HEADER_SIZE, sizeof(Elf64_Ehdr));
	CHECK_EQ_U64(ELF_SECTION_SIZE, sizeof(Elf64_Shdr));
	CHECK_EQ_U64(ELF_PROGRAM_HEADER_SIZE, sizeof(Elf64_Phdr));
	CHECK_EQ_U64(ELF_SYMBOL_SIZE, sizeof(Elf64_Sym));
	CHECK_EQ_U64(ELF_RELOCATION_SIZE, sizeof(Elf64_Rela));
}

TEST(headers)
{
	Elf64_Ehdr from = make_header();
	struct elf_header header;

	if (!CHECK(read_header(&from, 10000, &header)))
		return;
	CHECK_EQ_U64(header.file_size, 10000);
	CHECK(!header.is_relocatable);
	CHECK_EQ_U64(header.sections.offset, from.e_shoff);
	CHECK_EQ_U64(header.sections.n, 5);
	CHECK_EQ_U64(header.program_headers.offset, 64);
	CHECK_EQ_U64(header.program_headers.n, 3);
	CHECK_EQ_U64(header.section_names, 4);
	from.e_type = ET_REL;
	CHECK(read_header(&from, 10000, &header) && header.is_relocatable);
}

TEST(others)
{
	struct elf_header header;
	Elf64_Ehdr from = make_header();

	from.e_ident[0] = 'E';
	CHECK(!read_header(&from, 10000, &header));
	from = make_header();
	from.e_ident[EI_CLASS] = ELFCLASS32;
	CHECK(!read_header(&from, 10000, &header));
	from = make_header();
	from.e_ident[EI_DATA] = ELFDATA2MSB;
	CHECK(!read_header(&from, 10000, &header));
	from = make_header();
	from.e_machine = EM_AARCH64;
	CHECK(!read_header(&from, 10000, &header));
}

/* What is left of both tables in a file of that size. */
static void check_tables(const Elf64_Ehdr *from, uint64_t size, uint32_t n_sections, uint32_t n)
{
	struct elf_header header;

	if (!CHECK(read_header(from, size, &header)))
		return;
	CHECK_EQ_U64(header.sections.n, n_sections);
	CHECK_EQ_U64(header.program_headers.n, n);
}

TEST(tables_outside)
{
	Elf64_Ehdr from = make_header();

	check_tables(&from, 9999, 0, 3);
	check_tables(&from, 64 + 3 * sizeof(Elf64_Phdr), 0, 3);
	check_tables(&from, 64 + 3 * sizeof(Elf64_Phdr) - 1, 0, 0);
	check_tables(&from, 0, 0, 0);
	from.e_shoff = UINT64_MAX - 10;
	check_tables(&from, 10000, 0, 3);
	from = make_header();
	from.e_phoff = 10001;
	check_tables(&from, 10000, 5, 0);
	from = make_header();
	from.e_shentsize = 63;
	from.e_phentsize = 57;
	check_tables(&from, 10000, 0, 0);
	from = make_header();
	from.e_shnum = 0;
	from.e_phnum = 0xffff;
	check_tables(&from, 10000, 0, 0);
}

static struct elf_section read_section(const Elf64_Shdr *from)
{
	const struct elf_header header = { .file_size = 1000 };
	struct elf_section section;

	memcpy(bytes, from, sizeof(*from));
	elf_section_read(&section, &header, bytes);
	return section;
}

TEST(sections)
{
	Elf64_Shdr from = { .sh_name = 1,
			    .sh_type = SHT_SYMTAB,
			    .sh_flags = SHF_ALLOC | SHF_TLS,
			    .sh_addr = 0x123456789abc,
			    .sh_offset = 900,
			    .sh_size = 100,
			    .sh_link = 7,
			    .sh_info = 8 };
	struct elf_section section = read_section(&from);

	CHECK_EQ_U64(section.name, 1);
	CHECK_EQ_U64(section.type, ELF_SECTION_SYMBOLS);
	CHECK_EQ_U64(section.flags, ELF_SECTION_LOADED | ELF_SECTION_TLS);
	CHECK_EQ_U64(section.address, 0x123456789abc);
	CHECK_EQ_U64(section.offset, 900);
	CHECK_EQ_U64(section.size, 100);
	CHECK_EQ_U64(section.link, 7);
	CHECK_EQ_U64(section.info, 8);
	CHECK(section.is_in_file);
	from.sh_size = 101;
	CHECK(!read_section(&from).is_in_file);
	from.sh_size = UINT64_MAX - 800;
	CHECK(!read_section(&from).is_in_file);
	from.sh_offset = 1000;
	from.sh_size = 0;
	CHECK(read_section(&from).is_in_file);
	from.sh_offset = 1001;
	CHECK(!read_section(&from).is_in_file);
	from.sh_offset = 0;
	from.sh_type = SHT_NOBITS;
	CHECK(!read_section(&from).is_in_file);
}

TEST(entries)
{
	const Elf64_Phdr program_header = {
		.p_type = PT_TLS, .p_vaddr = 0x1008, .p_memsz = 0x30, .p_align = 16
	};
	const Elf64_Sym symbol = { .st_name = 5,
				   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				   .st_shndx = SHN_ABS,
				   .st_value = UINT64_MAX,
				   .st_size = 9 };
	const Elf64_Rela relocation = { .r_offset = 16,
					.r_info = ELF64_R_INFO(77, R_X86_64_DTPMOD64),
					.r_addend = -4 };
	struct elf_program_header got_header;
	struct elf_symbol got_symbol;
	struct elf_relocation got_relocation;

	memcpy(bytes, &program_header, sizeof(program_header));
	elf_program_header_read(&got_header, bytes);
	CHECK_EQ_U64(got_header.type, PT_TLS);
	CHECK_EQ_U64(got_header.address, 0x1008);
	CHECK_EQ_U64(got_header.memory_size, 0x30);
	CHECK_EQ_U64(got_header.alignment, 16);
	memcpy(bytes, &symbol, sizeof(symbol));
	elf_symbol_read(&got_symbol, bytes);
	CHECK_EQ_U64(got_symbol.name, 5);
	CHECK_EQ_U64(got_symbol.kind, ELF_FUNCTION);
	CHECK(!got_symbol.is_local);
	CHECK_EQ_U64(got_symbol.section, ELF_ABSOLUTE);
	CHECK_EQ_U64(got_symbol.value, UINT64_MAX);
	CHECK_EQ_U64(got_symbol.size, 9);
	memcpy(bytes, &relocation, sizeof(relocation));
	elf_relocation_read(&got_relocation, bytes);
	CHECK_EQ_U64(got_relocation.offset, 16);
	CHECK_EQ_U64(got_relocation.type, ELF_RELOCATE_MODULE);
	CHECK_EQ_U64(got_relocation.symbol, 77);
	CHECK_EQ_U64(got_relocation.addend, (uint64_t)-4);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(sizes),          CHECK_TEST(headers),  CHECK_TEST(others),
		CHECK_TEST(tables_outside), CHECK_TEST(sections), CHECK_TEST(entries),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
