/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/elf/elfobject: functions of ELF files in memory, whole, cut and forged. */
#include "tool/elf/elfobject.h"

#include <elf.h>
#include <stdlib.h>

#include "tests/common/check.h"

static const char texts[] = "\0.text\0.symtab\0.strtab\0f_one\0f_two";

static struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[4];
	Elf64_Sym symbols[6];
	char texts[sizeof(texts)];
} image;

static const struct {
	uint64_t address, size;
	const char *name;
} wanted[] = { { 0x5010, 0x20, "f_one" }, { 0x5030, 0, "f_two" } };

static Elf64_Sym symbol(uint32_t name, unsigned type, uint16_t section, uint64_t value,
			uint64_t size)
{
	return (Elf64_Sym){ .st_name = name,
			    .st_info = (unsigned char)ELF64_ST_INFO(STB_LOCAL, type),
			    .st_shndx = section,
			    .st_value = value,
			    .st_size = size };
}

static void make_image(void)
{
	memset(&image, 0, sizeof(image));
	memcpy(image.texts, texts, sizeof(texts));
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_type = ET_REL;
	image.header.e_machine = EM_X86_64;
	image.header.e_shoff = offsetof(struct image, sections);
	image.header.e_shentsize = sizeof(Elf64_Shdr);
	image.header.e_shnum = 4;
	image.header.e_shstrndx = 3;
	image.sections[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_NOBITS, .sh_addr = 0x5000, .sh_size = 0x100
	};
	image.sections[2] = (Elf64_Shdr){ .sh_name = 7,
					  .sh_type = SHT_SYMTAB,
					  .sh_link = 3,
					  .sh_offset = offsetof(struct image, symbols),
					  .sh_size = sizeof(image.symbols) };
	image.sections[3] = (Elf64_Shdr){ .sh_name = 15,
					  .sh_type = SHT_STRTAB,
					  .sh_offset = offsetof(struct image, texts),
					  .sh_size = sizeof(texts) };
	image.symbols[1] = symbol(23, STT_FUNC, 1, 0x10, 0x20);
	image.symbols[2] = symbol(23, STT_OBJECT, 1, 0x10, 0x20);
	image.symbols[3] = symbol(23, STT_FUNC, SHN_UNDEF, 0x10, 0x20);
	image.symbols[4] = symbol(0, STT_FUNC, 1, 0x20, 0x20);
	image.symbols[5] = symbol(29, STT_FUNC, 1, 0x30, 0);
}

/* Functions of the first len bytes, which are in memory of just that size. */
static unsigned count(size_t len)
{
	uint8_t *copy = malloc(len == 0 ? 1 : len);
	struct elfobject_cursor cursor = { 0, 0 };
	struct elfobject_function function;
	struct elfobject object;
	unsigned n = 0;

	if (copy == NULL)
		abort();
	memcpy(copy, &image, len);
	if (elfobject_open(&object, copy, len))
		while (elfobject_next(&object, &cursor, &function)) {
			CHECK(function.name[0] != '\0' && strlen(function.name) < sizeof(texts));
			n++;
		}
	free(copy);
	return n;
}

TEST(functions)
{
	struct elfobject_cursor cursor = { 0, 0 };
	struct elfobject_function function;
	struct elfobject object;

	make_image();
	if (!CHECK(elfobject_open(&object, (const uint8_t *)&image, sizeof(image))))
		return;
	for (unsigned i = 0; i < 2; i++) {
		if (!CHECK(elfobject_next(&object, &cursor, &function)))
			return;
		CHECK_EQ_U64(function.address, wanted[i].address);
		CHECK_EQ_U64(function.size, wanted[i].size);
		CHECK_STR(function.name, wanted[i].name);
	}
	CHECK(!elfobject_next(&object, &cursor, &function));
	/* What is linked has addresses. */
	image.header.e_type = ET_DYN;
	cursor = (struct elfobject_cursor){ 0, 0 };
	CHECK(elfobject_open(&object, (const uint8_t *)&image, sizeof(image)));
	CHECK(elfobject_next(&object, &cursor, &function) && function.address == 0x10);
}

/* A file whose second section is to be relocated, by the symbols of the third one. */
static struct relocatable {
	Elf64_Ehdr header;
	Elf64_Shdr sections[6];
	Elf64_Sym symbols[5];
	Elf64_Rela relocations[4];
	char names[40];
	uint8_t line[24];
} relocatable;

static void make_relocatable(void)
{
	static const char names[] = "\0.debug_line\0.other";
	struct relocatable *to = &relocatable;

	make_image();
	memset(to, 0, sizeof(*to));
	to->header = image.header;
	to->header.e_shoff = offsetof(struct relocatable, sections);
	to->header.e_shnum = 6;
	to->header.e_shstrndx = 5;
	memcpy(to->names, names, sizeof(names));
	to->sections[1] = (Elf64_Shdr){
		.sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC, .sh_addr = 0x5000, .sh_size = 0x100
	};
	to->sections[2] = (Elf64_Shdr){ .sh_name = 1,
					.sh_type = SHT_PROGBITS,
					.sh_addr = 0x7000, /* which does not count */
					.sh_offset = offsetof(struct relocatable, line),
					.sh_size = sizeof(to->line) };
	to->sections[3] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB,
					.sh_offset = offsetof(struct relocatable, symbols),
					.sh_size = sizeof(to->symbols) };
	to->sections[4] = (Elf64_Shdr){ .sh_type = SHT_RELA,
					.sh_info = 2,
					.sh_link = 3,
					.sh_offset = offsetof(struct relocatable, relocations),
					.sh_size = sizeof(to->relocations) };
	to->sections[5] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
					.sh_offset = offsetof(struct relocatable, names),
					.sh_size = sizeof(to->names) };
	to->symbols[1] = symbol(0, STT_SECTION, 1, 0x10, 0);
	to->symbols[2] = symbol(0, STT_SECTION, 2, 7, 0);
	to->symbols[3] = symbol(0, STT_NOTYPE, SHN_UNDEF, 0, 0);
	to->symbols[4] = symbol(0, STT_NOTYPE, SHN_ABS, 0x123, 0);
	to->relocations[0] = (Elf64_Rela){ 0, ELF64_R_INFO(1, R_X86_64_64), 2 };
	to->relocations[1] = (Elf64_Rela){ 8, ELF64_R_INFO(2, R_X86_64_32), 3 };
	to->relocations[2] = (Elf64_Rela){ 12, ELF64_R_INFO(4, R_X86_64_32), -3 };
	to->relocations[3] = (Elf64_Rela){ 16, ELF64_R_INFO(0, R_X86_64_64), 5 };
}

/* True if all relocations can be done; line is then the section's contents. */
static bool do_relocations(uint8_t *line)
{
	struct elfobject object;
	struct elf_section section;
	uint32_t number = 0;

	memset(line, 0xee, sizeof(relocatable.line));
	CHECK(elfobject_open(&object, (const uint8_t *)&relocatable, sizeof(relocatable)));
	CHECK(elfobject_find(&object, ".debug_line", &section, &number) && number == 2);
	CHECK(!elfobject_find(&object, ".debug_lin", &section, &number));
	CHECK(!elfobject_find(&object, ".other", &section, &number));
	return elfobject_relocate(&object, 2, line, sizeof(relocatable.line));
}

TEST(relocations)
{
	uint8_t line[sizeof(relocatable.line)];
	uint64_t numbers[3];
	struct elfobject object;
	struct elf_section section;
	uint32_t number;

	make_relocatable();
	CHECK(do_relocations(line));
	memcpy(numbers, line, sizeof(numbers));
	CHECK_EQ_U64(numbers[0], 0x5012);
	CHECK_EQ_U64(numbers[1], UINT64_C(0x12000000000) + 10);
	CHECK_EQ_U64(numbers[2], 5);
	/* By what is in another file, or in no table; of another type; past the end; too large. */
	relocatable.relocations[0].r_info = ELF64_R_INFO(3, R_X86_64_64);
	CHECK(!do_relocations(line) && line[8] == 10);
	relocatable.relocations[0].r_info = ELF64_R_INFO(5, R_X86_64_64);
	CHECK(!do_relocations(line) && line[8] == 10);
	relocatable.relocations[0].r_info = ELF64_R_INFO(1, R_X86_64_PC32);
	CHECK(!do_relocations(line) && line[0] == 0xee);
	make_relocatable();
	relocatable.relocations[3].r_offset = 17;
	CHECK(!do_relocations(line) && line[23] == 0xee);
	relocatable.relocations[3].r_offset = UINT64_MAX - 2;
	CHECK(!do_relocations(line) && line[23] == 0xee);
	make_relocatable();
	relocatable.relocations[2].r_addend = -0x124;
	CHECK(!do_relocations(line) && line[12] == 0xee);
	/* Without symbols; without relocations; of what is linked; compressed. */
	make_relocatable();
	relocatable.sections[4].sh_link = 6;
	CHECK(!do_relocations(line) && line[0] == 0xee);
	relocatable.sections[4].sh_info = 1;
	CHECK(do_relocations(line) && line[0] == 0xee);
	make_relocatable();
	relocatable.header.e_type = ET_DYN;
	CHECK(do_relocations(line) && line[0] == 0xee);
	relocatable.sections[2].sh_flags = SHF_COMPRESSED;
	CHECK(elfobject_open(&object, (const uint8_t *)&relocatable, sizeof(relocatable)));
	CHECK(!elfobject_find(&object, ".debug_line", &section, &number));
}

TEST(cut)
{
	make_image();
	/* Its last bytes only fill it up. */
	for (size_t len = 0; len < offsetof(struct image, texts) + sizeof(texts); len++)
		CHECK_EQ_U64(count(len), 0);
	CHECK_EQ_U64(count(sizeof(image)), 2);
}

TEST(forged)
{
	make_image();
	image.header.e_machine = EM_AARCH64;
	CHECK_EQ_U64(count(sizeof(image)), 0);
	make_image();
	image.header.e_shnum = 0xffff;
	CHECK_EQ_U64(count(sizeof(image)), 0);
	make_image();
	image.header.e_shoff = UINT64_MAX;
	CHECK_EQ_U64(count(sizeof(image)), 0);
	make_image();
	image.sections[2].sh_link = 77;
	CHECK_EQ_U64(count(sizeof(image)), 0);
	make_image();
	image.sections[2].sh_size = UINT64_MAX;
	CHECK_EQ_U64(count(sizeof(image)), 0);
	make_image();
	image.symbols[1].st_name = UINT32_MAX;
	CHECK_EQ_U64(count(sizeof(image)), 1);
	make_image();
	image.symbols[1].st_size = UINT64_MAX;
	CHECK_EQ_U64(count(sizeof(image)), 1);
	make_image();
	image.texts[sizeof(texts) - 1] = 'x'; /* the last text has no end */
	CHECK_EQ_U64(count(sizeof(image)), 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(functions),
		CHECK_TEST(relocations),
		CHECK_TEST(cut),
		CHECK_TEST(forged),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
