/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/symbols/namesakes: a file of symbols that are written down here; the same, damaged and cut, and without memory. */
#include "tool/symbols/namesakes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"

/* A macro, since sizes are of it, too. */
#define NAMES "\0main\0helper\0init\0a.c\0util.c"

enum { MAIN = 1, HELPER = 6, INIT = 13, A_C = 18, UTIL_C = 22 };

#define SYMBOL(name, bind, type, section, value)                  \
 {                                                                \
  name, ELF64_ST_INFO(bind, type), STV_DEFAULT, section, value, 0 \
 }
#define SOURCE(name)        SYMBOL(name, STB_LOCAL, STT_FILE, SHN_ABS, 0)
#define STATIC(name, value) SYMBOL(name, STB_LOCAL, STT_FUNC, 1, value)

/* init is global in one file, static in another; what comes after the last file symbol is of no file. */
static const struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[4];
	Elf64_Sym symbols[16];
	/* cppcheck-suppress unusedStructMember ; it is read as bytes */
	char names[sizeof(NAMES)];
} file = {
	.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		    .e_type = ET_EXEC,
		    .e_machine = EM_X86_64,
		    .e_shoff = sizeof(Elf64_Ehdr),
		    .e_shentsize = sizeof(Elf64_Shdr),
		    .e_shnum = 4 },
	.sections = { { .sh_type = SHT_NULL },
		      { .sh_type = SHT_PROGBITS, .sh_size = 0 },
		      { .sh_type = SHT_SYMTAB,
			.sh_offset = sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Shdr),
			.sh_size = 16 * sizeof(Elf64_Sym),
			.sh_link = 3 },
		      { .sh_type = SHT_STRTAB,
			.sh_offset = sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Shdr) +
				     16 * sizeof(Elf64_Sym),
			.sh_size = sizeof(NAMES) } },
	.symbols = { SYMBOL(0, 0, 0, 0, 0), SOURCE(A_C), STATIC(HELPER, 0x1000),
		     STATIC(INIT, 0x1100), SYMBOL(HELPER, STB_LOCAL, STT_OBJECT, 1, 0x9000),
		     SOURCE(UTIL_C), STATIC(HELPER, 0x2000), SOURCE(UTIL_C), STATIC(HELPER, 0x1800),
		     STATIC(HELPER, 0x1800), /* listed twice */
		     SOURCE(UTIL_C), STATIC(HELPER, 0x3000), SOURCE(0), STATIC(HELPER, 0x4000),
		     SYMBOL(MAIN, STB_GLOBAL, STT_FUNC, 1, 0x5000),
		     SYMBOL(INIT, STB_GLOBAL, STT_FUNC, 1, 0x5100) },
	.names = NAMES,
};

static unsigned char image[sizeof(file)];
static size_t n_allocated;
static size_t n_granted = SIZE_MAX; /* allocations before one is refused */

static void *allocate(size_t size)
{
	if (n_granted-- == 0)
		return NULL;
	n_allocated++;
	return size == 0 ? NULL : calloc(1, size);
}

static void release(void *memory)
{
	n_allocated--;
	free(memory);
}

static bool read_image(void *ctx, uint64_t offset, void *to, size_t size)
{
	const struct elf_source *from = ctx;

	if (offset > from->size || size > from->size - offset)
		return false;
	memcpy(to, image + offset, size);
	return true;
}

static struct elf_source source = { sizeof(image), read_image, &source, allocate, release, qsort };

TEST(files_of_functions)
{
	static const struct {
		uint64_t entry;
		const char *file;
	} wanted[] = {
		{ 0x0fff, NULL },         { 0x1000, "a.c" },        { 0x1001, NULL },
		{ 0x1100, "a.c" },        { 0x1800, "util.c (2)" }, { 0x2000, "util.c" },
		{ 0x3000, "util.c (3)" }, { 0x4000, NULL },         { 0x5000, NULL },
		{ 0x5100, NULL },         { 0x9000, NULL },
	};
	struct namesakes namesakes;

	memcpy(image, &file, sizeof(image));
	namesakes_read(&namesakes, &source);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const char *got = namesakes_file(&namesakes, wanted[i].entry);

		CHECK_STR(got ? got : "-", wanted[i].file ? wanted[i].file : "-");
	}
	namesakes_release(&namesakes, &source);
	CHECK(namesakes_file(&namesakes, 0x1000) == NULL);
	CHECK_EQ_U64(n_allocated, 0);
}

static void try_damaged(void)
{
	struct namesakes namesakes;

	namesakes_read(&namesakes, &source);
	namesakes_file(&namesakes, 0x1000);
	namesakes_release(&namesakes, &source);
	CHECK_EQ_U64(n_allocated, 0);
}

TEST(damaged_files)
{
	memcpy(image, &file, sizeof(image));
	for (size_t i = 0; i < sizeof(image); i++) {
		const unsigned char byte = image[i];

		for (unsigned mask = 1; mask < 256; mask = 2 * mask + 1) {
			image[i] = (unsigned char)(byte ^ mask);
			try_damaged();
		}
		image[i] = byte;
	}
	for (source.size = 0; source.size < sizeof(image); source.size++)
		try_damaged();
}

/* The file's: section headers as they lie there and read, symbols, names; slots, what is found, namesakes and files. */
TEST(refused_memory)
{
	enum { N_ALLOCATIONS = 8 };

	memcpy(image, &file, sizeof(image));
	source.size = sizeof(image);
	for (size_t n = 0; n <= N_ALLOCATIONS; n++) {
		struct namesakes namesakes;
		const char *got;

		n_granted = n;
		namesakes_read(&namesakes, &source);
		got = namesakes_file(&namesakes, 0x2000);
		CHECK_STR(got ? got : "-", n == N_ALLOCATIONS ? "util.c" : "-");
		namesakes_release(&namesakes, &source);
		CHECK_EQ_U64(n_allocated, 0);
	}
	n_granted = SIZE_MAX;
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(files_of_functions),
		CHECK_TEST(damaged_files),
		CHECK_TEST(refused_memory),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
