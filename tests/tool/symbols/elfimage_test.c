/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/symbols/elfimage: symbols of the C library as it lies in memory, by what the dynamic linker says; of images that are cut or forged. */
#define _GNU_SOURCE
#include "tool/symbols/elfimage.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>

#include "tests/common/check.h"

static bool all_readable(uintptr_t address, size_t size)
{
	(void)address;
	return size != 0;
}

static uintptr_t limit; /* nothing from here on can be read */

static bool readable_below(uintptr_t address, size_t size)
{
	return address + size <= limit;
}

static uintptr_t header_of(const void *symbol)
{
	Dl_info info;

	return dladdr(symbol, &info) == 0 ? 0 : (uintptr_t)info.dli_fbase;
}

/* Names without versions from which the linker could have chosen another one. */
TEST(symbols)
{
	static const char *const names[] = { "strtoull", "environ", "qsort", "puts", "getenv" };
	struct elf_image image;

	CHECK(elfimage_open(&image, header_of(dlsym(RTLD_DEFAULT, "gnu_get_libc_version")),
			    all_readable));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *library = dlopen("libc.so.6", RTLD_LAZY);

		CHECK_EQ_U64(elfimage_symbol(&image, names[i]),
			     (uintptr_t)dlsym(library, names[i]));
		dlclose(library);
	}
	CHECK_EQ_U64(elfimage_symbol(&image, "no_function_has_this_name"), 0);
	CHECK_EQ_U64(elfimage_symbol(&image, ""), 0);
	CHECK_EQ_U64(elfimage_symbol(&image, "put"), 0);
}

TEST(not_readable)
{
	const uintptr_t header = header_of(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
	struct elf_image image;

	limit = 0;
	CHECK(!elfimage_open(&image, header, readable_below));
	limit = header + sizeof(Elf64_Ehdr);
	CHECK(!elfimage_open(&image, header, readable_below));
	for (limit = header + 4096; limit < header + 65536; limit += 4096)
		CHECK(!elfimage_open(&image, header, readable_below) ||
		      elfimage_symbol(&image, "puts") == 0);
}

/* An image with one symbol, "it", in a table of one bucket. */
struct forged {
	Elf64_Ehdr elf;
	Elf64_Phdr segments[2];
	Elf64_Dyn dynamic[4];
	Elf64_Sym symbols[2];
	struct {
		uint32_t n_buckets, first, n_words, shift;
		uint64_t words[1];
		uint32_t buckets[1], chains[1];
	} hash;
	char strings[8];
};

static struct forged forged;

static const uint64_t linked_at = 0x1000;

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	while (*name != '\0')
		hash = hash * 33 + (unsigned char)*name++;
	return hash;
}

static void forge(void)
{
	forged = (struct forged){ .strings = "\0it" };
	memcpy(forged.elf.e_ident, ELFMAG, SELFMAG);
	forged.elf.e_ident[EI_CLASS] = ELFCLASS64;
	forged.elf.e_ident[EI_DATA] = ELFDATA2LSB;
	forged.elf.e_machine = EM_X86_64;
	forged.elf.e_phoff = offsetof(struct forged, segments);
	forged.elf.e_phentsize = sizeof(Elf64_Phdr);
	forged.elf.e_phnum = 2;
	forged.segments[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = linked_at };
	forged.segments[1] = (Elf64_Phdr){
		.p_type = PT_DYNAMIC,
		.p_vaddr = linked_at + offsetof(struct forged, dynamic),
	};
	forged.dynamic[0] = (Elf64_Dyn){ .d_tag = DT_STRTAB };
	forged.dynamic[0].d_un.d_ptr = linked_at + offsetof(struct forged, strings);
	forged.dynamic[1] = (Elf64_Dyn){ .d_tag = DT_SYMTAB };
	forged.dynamic[1].d_un.d_ptr = linked_at + offsetof(struct forged, symbols);
	forged.dynamic[2] = (Elf64_Dyn){ .d_tag = DT_GNU_HASH };
	forged.dynamic[2].d_un.d_ptr = linked_at + offsetof(struct forged, hash);
	forged.symbols[1] = (Elf64_Sym){ .st_name = 1, .st_shndx = 1, .st_value = linked_at + 4 };
	forged.hash.n_buckets = 1;
	forged.hash.first = 1;
	forged.hash.n_words = 1;
	forged.hash.shift = 6;
	forged.hash.words[0] = UINT64_MAX; /* the filter lets all names through */
	forged.hash.buckets[0] = 1;
	forged.hash.chains[0] = hash_of("it") | 1;
}

static uintptr_t find(const char *name)
{
	struct elf_image image;

	if (!elfimage_open(&image, (uintptr_t)&forged, all_readable))
		return 0;
	return elfimage_symbol(&image, name);
}

TEST(forged_tables)
{
	forge();
	CHECK_EQ_U64(find("it"), (uintptr_t)&forged + 4);
	CHECK_EQ_U64(find("is"), 0);
	forged.dynamic[0].d_un.d_ptr =
		(uintptr_t)forged.strings; /* as the dynamic linker leaves it */
	CHECK_EQ_U64(find("it"), (uintptr_t)&forged + 4);
	forged.symbols[1].st_shndx = SHN_UNDEF;
	CHECK_EQ_U64(find("it"), 0);
	forge();
	forged.hash.n_buckets = 0;
	CHECK_EQ_U64(find("it"), 0);
	forge();
	forged.hash.buckets[0] = 0;
	CHECK_EQ_U64(find("it"), 0);
	forge();
	forged.dynamic[2].d_tag = DT_HASH;
	CHECK_EQ_U64(find("it"), 0);
	forge();
	forged.segments[1].p_type = PT_NULL;
	CHECK_EQ_U64(find("it"), 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(symbols),
		CHECK_TEST(not_readable),
		CHECK_TEST(forged_tables),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
