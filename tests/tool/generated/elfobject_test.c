/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/generated/elfobject: functions of ELF files in memory, whole, cut and forged. */
#include "tool/generated/elfobject.h"

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
		CHECK_TEST(cut),
		CHECK_TEST(forged),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
