/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/elf/symbolindex: which symbol code belongs to, by hand, and against the rule looked up symbol by symbol. */
#include "tool/elf/symbolindex.h"

#include <elf.h>
#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/tool/elf/counted_memory.h"

enum {
	MAX_SYMBOLS = 64,
	CODE = 0x1000,
	CODE_SIZE = 0x100,
	DATA = 0x2000,
};

static struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[5];
	Elf64_Sym symbols[MAX_SYMBOLS];
	char texts[MAX_SYMBOLS * 16];
} image;

static unsigned n_symbols;
static size_t texts_size;

/* A file with a section of code and one of data, and no symbols yet. */
static void begin(void)
{
	memset(&image, 0, sizeof(image));
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_type = ET_DYN;
	image.header.e_machine = EM_X86_64;
	image.header.e_shoff = offsetof(struct image, sections);
	image.header.e_shentsize = sizeof(Elf64_Shdr);
	image.header.e_shnum = 5;
	image.sections[1] = (Elf64_Shdr){ .sh_type = SHT_NOBITS,
					  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					  .sh_addr = CODE,
					  .sh_size = CODE_SIZE };
	image.sections[2] = (Elf64_Shdr){
		.sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC, .sh_addr = DATA, .sh_size = 0x100
	};
	image.sections[3] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB,
					  .sh_link = 4,
					  .sh_offset = offsetof(struct image, symbols) };
	image.sections[4] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
					  .sh_offset = offsetof(struct image, texts),
					  .sh_size = sizeof(image.texts) };
	n_symbols = 1;
	texts_size = 1;
	n_allowed = SIZE_MAX;
}

static void add(const char *name, unsigned type, uint16_t section, uint64_t value, uint64_t size)
{
	image.symbols[n_symbols++] = (Elf64_Sym){
		.st_name = (uint32_t)texts_size,
		.st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type),
		.st_shndx = section,
		.st_value = value,
		.st_size = size,
	};
	image.sections[3].sh_size = n_symbols * sizeof(Elf64_Sym);
	memcpy(image.texts + texts_size, name, strlen(name) + 1);
	texts_size += strlen(name) + 1;
}

static bool read_index(struct symbol_index *index)
{
	struct elfobject object;

	*index = (struct symbol_index){ .n = 0 };
	return CHECK(elfobject_open(&object, (const uint8_t *)&image, sizeof(image))) &&
	       symbol_index_add(index, &object, ELF_SECTION_SYMBOLS, &memory) &&
	       symbol_index_finish(index, &memory);
}

static const char *name_at(const struct symbol_index *index, uint64_t address)
{
	const struct indexed_symbol *symbol = symbol_index_find(index, address);

	return symbol == NULL ? "none" : symbol->name;
}

/* What each byte of the code's first ones is named after: names of one letter, or a dot. */
static void check_bytes(const char *want)
{
	struct symbol_index index;
	char got[CODE_SIZE + 1] = "";

	if (!CHECK(read_index(&index)))
		return;
	for (size_t i = 0; i < strlen(want); i++) {
		const struct indexed_symbol *symbol = symbol_index_find(&index, CODE + i);

		got[i] = '.';
		if (symbol != NULL)
			got[i] = symbol->name[0];
	}
	CHECK_STR(got, want);
	symbol_index_release(&index, &memory);
	CHECK_EQ_U64(n_pieces, 0);
}

TEST(sized)
{
	begin();
	check_bytes("....");
	add("a", STT_FUNC, 1, CODE, 4);
	add("b", STT_FUNC, 1, CODE + 6, 2);
	add("c", STT_GNU_IFUNC, 1, CODE + 8, 1);
	add("d", STT_FUNC, 2, DATA, 4);         /* in no code */
	add("e", STT_FUNC, 1, CODE + 0x100, 4); /* after it */
	add("u", STT_FUNC, SHN_UNDEF, CODE + 4, 4);
	add("v", STT_FUNC, SHN_ABS, CODE + 4, 4);
	add("t", STT_TLS, 1, CODE + 4, 4);
	add("", STT_FUNC, 1, CODE + 4, 4);
	check_bytes("aaaa..bbc..");
}

TEST(overlapping)
{
	begin();
	add("a", STT_FUNC, 1, CODE, 10);
	add("i", STT_FUNC, 1, CODE + 3, 2);
	add("l", STT_FUNC, 1, CODE + 8, 4);
	check_bytes("aaaiiaaallll..");
	/* Of the same beginning, the shortest; then the next. */
	add("x", STT_FUNC, 1, CODE + 20, 6);
	add("y", STT_FUNC, 1, CODE + 20, 2);
	add("z", STT_FUNC, 1, CODE + 20, 4);
	check_bytes("aaaiiaaallll........yyzzxx.");
}

TEST(labels)
{
	begin();
	add("f", STT_FUNC, 1, CODE, 4);
	add("k", STT_NOTYPE, 1, CODE + 2, 0); /* a label in a function is no function */
	add("l", STT_NOTYPE, 1, CODE + 6, 0);
	add("m", STT_FUNC, 1, CODE + 9, 0);
	add(".Lx", STT_NOTYPE, 1, CODE + 10, 0);
	add("$x.1", STT_NOTYPE, 1, CODE + 10, 0);
	add("s", STT_NOTYPE, 1, CODE + 12, 2);
	add("o", STT_OBJECT, 1, CODE + 16, 0); /* ends nothing but what has no end */
	add("p", STT_NOTYPE, 1, CODE + 15, 0);
	add("q", STT_FUNC, 1, CODE + 0xfe, 0); /* up to the section's end */
	check_bytes("ffff..lllmmmss.p....");
	{
		struct symbol_index index;

		if (!CHECK(read_index(&index)))
			return;
		CHECK_STR(name_at(&index, CODE + 0xff), "q");
		CHECK_STR(name_at(&index, CODE + 0x100), "none");
		CHECK_STR(name_at(&index, CODE - 1), "none");
		symbol_index_release(&index, &memory);
	}
}

/* A function without a size, and a label, where a sized one begins. */
TEST(ranks)
{
	begin();
	add("l", STT_NOTYPE, 1, CODE, 0);
	add("f", STT_FUNC, 1, CODE, 0);
	add("t", STT_NOTYPE, 1, CODE + 4, 4);
	add("u", STT_FUNC, 1, CODE + 4, 0);
	add("s", STT_FUNC, 1, CODE + 10, 2);
	add("v", STT_NOTYPE, 1, CODE + 10, 0);
	add("w", STT_NOTYPE, 1, CODE + 9, 8); /* around s */
	check_bytes("fffftttt.wsswwwww.");
}

struct names {
	char all[256];
	size_t len;
	unsigned n, max;
};

static bool note_name(void *ctx, const char *name)
{
	struct names *names = ctx;

	names->len += (size_t)snprintf(names->all + names->len, sizeof(names->all) - names->len,
				       "%s ", name);
	return ++names->n < names->max;
}

static void check_names(const char *want, unsigned max)
{
	struct names names = { .max = max };
	struct symbol_index index;

	if (!CHECK(read_index(&index)) || !CHECK(symbol_index_find(&index, CODE) != NULL))
		return;
	symbol_index_names(&index, symbol_index_find(&index, CODE), note_name, &names);
	CHECK_STR(names.all, want);
	symbol_index_release(&index, &memory);
}

TEST(preferred)
{
	/* As Valgrind's --trace-symtab=yes says that it prefers. */
	static const struct {
		const char *names[4], *want;
	} cases[] = {
		{ { "a_long_name", "b_short", "cc" }, "cc b_short a_long_name " },
		{ { "zeta", "eta", "beta" }, "eta beta zeta " },
		{ { "_under", "under1", "__under" }, "_under under1 __under " },
		{ { "loc_z", "loc_a" }, "loc_a loc_z " },
		{ { "ver_real", "ver@@V1" }, "ver@@V1 ver_real " },
		{ { "ver", "ver@V1", "ver@@V2" }, "ver@@V2 ver@V1 ver " },
		{ { "MPI_x", "PMPI_x" }, "PMPI_x MPI_x " },
		{ { "same", "same" }, "same " },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		for (size_t k = 0; k < 4 && cases[i].names[k] != NULL; k++)
			add(cases[i].names[k], STT_FUNC, 1, CODE, 8);
		check_names(cases[i].want, 10);
	}
	begin();
	add("longer", STT_FUNC, 1, CODE, 8);
	add("b", STT_FUNC, 1, CODE, 16);
	add("c", STT_NOTYPE, 1, CODE, 0);
	add("d", STT_OBJECT, 1, CODE, 0);
	check_names("longer b c ", 10);
	check_names("longer b ", 2);
	check_names("longer ", 1);
}

/* The rule for one address, in other words. */
static bool is_better(const Elf64_Sym *symbol, const Elf64_Sym *than)
{
	const bool is_label = ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE;
	const bool than_label = ELF64_ST_TYPE(than->st_info) == STT_NOTYPE;

	if (is_label != than_label)
		return than_label;
	if (symbol->st_value != than->st_value)
		return symbol->st_value > than->st_value;
	if (symbol->st_size != than->st_size)
		return symbol->st_size < than->st_size;
	return strcmp(image.texts + symbol->st_name, image.texts + than->st_name) < 0;
}

TEST(random_symbols)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (int round = 0; round < 2000; round++) {
		const uint64_t n = check_random_below(&random, 12) + 1;
		struct symbol_index index;

		begin();
		for (uint64_t i = 0; i < n; i++) {
			const char name[] = { (char)('a' + i), '\0' };

			add(name, check_random_below(&random, 3) == 0 ? STT_NOTYPE : STT_FUNC, 1,
			    CODE + check_random_below(&random, 24),
			    check_random_below(&random, 12) + 1);
		}
		if (!CHECK(read_index(&index)))
			return;
		for (uint64_t address = CODE; address < CODE + 40; address++) {
			const Elf64_Sym *best = NULL;

			for (unsigned i = 1; i < n_symbols; i++) {
				const Elf64_Sym *symbol = &image.symbols[i];

				if (address - symbol->st_value < symbol->st_size &&
				    (best == NULL || is_better(symbol, best)))
					best = symbol;
			}
			CHECK_STR(name_at(&index, address),
				  best == NULL ? "none" : image.texts + best->st_name);
		}
		symbol_index_release(&index, &memory);
	}
	CHECK_EQ_U64(n_pieces, 0);
}

TEST(refused)
{
	struct symbol_index index;
	bool is_whole = false;

	begin();
	for (int i = 0; i < 20; i++)
		add("f", STT_FUNC, 1, CODE + (uint64_t)i, 30);
	for (size_t n = 0; n < 100 && !is_whole; n++) {
		n_allowed = n;
		is_whole = read_index(&index);
		CHECK_STR(name_at(&index, CODE), is_whole ? "f" : "none");
		symbol_index_release(&index, &memory);
		CHECK_EQ_U64(n_pieces, 0);
	}
	CHECK(is_whole);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(sized),   CHECK_TEST(overlapping), CHECK_TEST(labels),
		CHECK_TEST(ranks),   CHECK_TEST(preferred),   CHECK_TEST(random_symbols),
		CHECK_TEST(refused),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
