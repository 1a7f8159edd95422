/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/data/elf_data: this program's own file, whose variables are known; the same, with any byte of its
 * head changed, its end cut off or memory refused; gaps and blocks that are written down here.
 */
#include "tool/data/elf_data.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"

/* So that some exist, which the compiler keeps. */
char elf_data_test_table[1000] __attribute__((aligned(64)));
const char elf_data_test_constant[72] __attribute__((aligned(8))) = { 1 };
__thread long elf_data_test_local[5] __attribute__((aligned(32)));
__thread long elf_data_test_begun __attribute__((aligned(16))) = 5;

static size_t n_allocated, largest; /* largest: that was asked for at once, in bytes */

static size_t n_granted = SIZE_MAX; /* allocations before one is refused */

static void *allocate(size_t size)
{
	if (n_granted-- == 0)
		return NULL;
	n_allocated++;
	if (size > largest)
		largest = size;
	if (size == 0)
		abort();
	return calloc(1, size);
}

static void release(void *memory)
{
	n_allocated--;
	free(memory);
}

/* A file in memory. */
struct image {
	unsigned char *bytes;
	size_t size;
};

static bool read_image(void *ctx, uint64_t offset, void *to, size_t size)
{
	const struct image *from = ctx;

	if (offset > from->size || size > from->size - offset)
		return false;
	memcpy(to, from->bytes + offset, size);
	return true;
}

static struct image image;

static struct elf_source source = { 0, read_image, &image, allocate, release, qsort };

static void read_own(void)
{
	FILE *file = fopen("/proc/self/exe", "rb");

	if (!file || fseek(file, 0, SEEK_END) != 0)
		abort();
	image.size = (size_t)ftell(file);
	rewind(file);
	image.bytes = malloc(image.size);
	if (!image.bytes || fread(image.bytes, 1, image.size, file) != image.size)
		abort();
	fclose(file);
	source.size = image.size;
}

static const struct elf_variable *find_local(const struct elf_data *data, const char *name)
{
	for (size_t i = 0; i < data->block.n_variables; i++)
		if (strcmp(data->block.variables[i].name, name) == 0)
			return &data->block.variables[i];
	return NULL;
}

/* True if a variable of that size is in the file, and not in a gap. */
static bool has_variable(const struct elf_data *data, uint64_t size)
{
	for (size_t i = 0; i < data->n_variables; i++)
		if (data->variables[i].size == size &&
		    elf_data_gap(data, data->variables[i].start + size - 1).size == 1)
			return true;
	return false;
}

TEST(own_file)
{
	const struct elf_variable *local, *begun;
	struct elf_data data;

	CHECK(elf_data_read(&data, &source));
	CHECK(has_variable(&data, sizeof(elf_data_test_table)));
	CHECK(has_variable(&data, sizeof(elf_data_test_constant)));
	for (size_t i = 1; i < data.n_variables; i++)
		CHECK(data.variables[i - 1].start + data.variables[i - 1].size <=
		      data.variables[i].start);
	local = find_local(&data, "elf_data_test_local");
	begun = find_local(&data, "elf_data_test_begun");
	CHECK(local != NULL && begun != NULL);
	CHECK_EQ_U64(local->span.size, sizeof(elf_data_test_local));
	CHECK(elf_block_at(&data.block, local->span.start + 39) == local);
	CHECK(elf_block_at(&data.block, begun->span.start) == begun); /* NOLINT */
	CHECK(elf_block_at(&data.block, data.block.size) == NULL);
	/* What the compiler takes for the distance of the one from the other. */
	CHECK_EQ_U64((uintptr_t)elf_data_test_local - (uintptr_t)&elf_data_test_begun,
		     local->span.start - begun->span.start);
	{
		uintptr_t pointer;

		__asm__("mov %%fs:0, %0" : "=r"(pointer));
		CHECK_EQ_U64(pointer - (uintptr_t)elf_data_test_local,
			     elf_block_distance(&data.block) - local->span.start);
	}
	elf_data_release(&data, &source);
	CHECK_EQ_U64(n_allocated, 0);
}

/* The section of the file of that type, which there is. */
static Elf64_Shdr *section_of_type(uint32_t type)
{
	const Elf64_Ehdr *header = (const void *)image.bytes;
	Elf64_Shdr *sections = (void *)(image.bytes + header->e_shoff);

	while (sections->sh_type != type)
		sections++;
	return sections;
}

/* Of other variables it is known where their names are. */
TEST(names_in_the_file)
{
	const struct elf_named *found = NULL;
	struct elf_data data;
	char name[64];

	CHECK(elf_data_read(&data, &source));
	for (size_t i = 0; i < data.n_named; i++)
		if (elf_data_name(&data.named[i], &source, name, sizeof(name)) &&
		    strcmp(name, "elf_data_test_table") == 0)
			found = elf_data_at(&data, data.named[i].span.start + 999);
	CHECK(found != NULL);
	if (!found)
		return;
	CHECK_EQ_U64(found->span.size, sizeof(elf_data_test_table));
	CHECK(elf_data_name(found, &source, name, 9));
	CHECK_STR(name, "elf_data");
	CHECK(elf_data_at(&data, found->span.start - 1) != found);
	CHECK(elf_data_at(&data, found->span.start + 1000) != found);
	CHECK(elf_data_at(&data, 0) == NULL);
	elf_data_release(&data, &source);
	CHECK_EQ_U64(n_allocated, 0);
}

/* Names are kept of thread-local variables alone, where there are any. */
TEST(names)
{
	Elf64_Phdr *headers = (void *)(image.bytes + ((Elf64_Ehdr *)(void *)image.bytes)->e_phoff);
	uint64_t size = 0;
	struct elf_data data;

	CHECK(elf_data_read(&data, &source));
	for (size_t i = 0; i < data.block.n_variables; i++)
		size += strlen(data.block.variables[i].name) + 1;
	for (size_t i = 0; i < data.block.n_variables; i++)
		CHECK(data.block.variables[i].name >= data.names &&
		      data.block.variables[i].name < data.names + size);
	elf_data_release(&data, &source);
	while (headers->p_type != PT_TLS)
		headers++;
	headers->p_type = PT_NULL;
	CHECK(elf_data_read(&data, &source));
	CHECK(data.names == NULL && data.n_variables > 0 && data.block.n_variables == 0);
	elf_data_release(&data, &source);
	headers->p_type = PT_TLS;
	CHECK_EQ_U64(n_allocated, 0);
}

/* Sections that say to be larger than the file. */
TEST(forged_sizes)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM, SHT_RELA };
	struct elf_data data;

	for (size_t i = 0; i < 3; i++) {
		Elf64_Shdr *section = section_of_type(types[i]);
		const uint64_t size = section->sh_size;

		section->sh_size = 1 << 29;
		largest = 0;
		CHECK(elf_data_read(&data, &source));
		CHECK(largest <= image.size);
		elf_data_release(&data, &source);
		section->sh_size = size;
	}
	CHECK_EQ_U64(n_allocated, 0);
}

static void try_damaged(void)
{
	struct elf_data data;

	largest = 0;
	if (elf_data_read(&data, &source)) {
		elf_data_gap(&data, 0x1000);
		elf_block_distance(&data.block);
		elf_data_release(&data, &source);
	}
	CHECK_EQ_U64(n_allocated, 0);
	CHECK(largest <= 2 * image.size + 64);
}

TEST(damaged_files)
{
	const size_t size = image.size;
	uint64_t sections = 0;

	memcpy(&sections, image.bytes + 40, sizeof(sections));
	for (size_t i = 0; i < 64 + 56 * 14; i++) {
		const unsigned char byte = image.bytes[i];

		image.bytes[i] ^= 0xff;
		try_damaged();
		image.bytes[i] = byte;
	}
	for (size_t i = (size_t)sections; i < size; i += 5) {
		const unsigned char byte = image.bytes[i];

		image.bytes[i] ^= 0xff;
		try_damaged();
		image.bytes[i] = byte;
	}
	for (; image.size > 0; image.size -= image.size / 7 + 1) {
		source.size = image.size;
		try_damaged();
	}
	image.size = source.size = size;
}

TEST(gaps)
{
	struct elf_span sections[] = { { 0x1000, 0x100 }, { 0x1100, 0x80 } };
	struct elf_span variables[] = { { 0x0ff8, 16 }, { 0x1020, 4 }, { 0x10f0, 0x20 } };
	const struct elf_data data = {
		.sections = sections,
		.n_sections = 2,
		.variables = variables,
		.n_variables = 3,
	};
	static const struct {
		uint64_t address, start, size;
	} wanted[] = {
		{ 0xfff, 0xfff, 0 },           { 0x1000, 0x1000, 1 },    { 0x1007, 0x1007, 1 },
		{ 0x1008, 0x1008, 0x18 },      { 0x101f, 0x1008, 0x18 }, { 0x1023, 0x1023, 1 },
		{ 0x1024, 0x1024, 0xcc },      { 0x10ef, 0x1024, 0xcc }, { 0x110f, 0x110f, 1 },
		{ 0x1110, 0x1110, 0x70 },      { 0x117f, 0x1110, 0x70 }, { 0x1180, 0x1180, 0 },
		{ UINT64_MAX, UINT64_MAX, 0 },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct elf_span gap = elf_data_gap(&data, wanted[i].address);

		CHECK_EQ_U64(gap.start, wanted[i].start);
		CHECK_EQ_U64(gap.size, wanted[i].size);
	}
}

TEST(distances)
{
	static const struct {
		uint64_t address, size, alignment, distance;
	} wanted[] = {
		{ 0, 8, 8, 8 }, { 0x40, 9, 8, 16 },   { 0x1000, 1, 64, 64 }, { 0x1000, 64, 64, 64 },
		{ 8, 8, 1, 8 }, { 0x18, 40, 16, 40 }, { 0x18, 41, 16, 56 },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct elf_block block = {
			.address = wanted[i].address,
			.size = wanted[i].size,
			.alignment = wanted[i].alignment,
		};

		CHECK_EQ_U64(elf_block_distance(&block), wanted[i].distance);
	}
}

/* What is not there is missing; the rest is as it was. */
TEST(refused_memory)
{
	bool is_refused = true;

	for (size_t n = 0; is_refused; n++) {
		struct elf_data data;

		n_granted = n;
		if (elf_data_read(&data, &source)) {
			const struct elf_variable *local = find_local(&data, "elf_data_test_local");

			is_refused = n_granted > n;
			CHECK(is_refused || local != NULL);
			for (size_t i = 0; i < data.n_named; i++)
				CHECK(elf_data_at(&data, data.named[i].span.start) != NULL);
			for (size_t i = 0; i < data.n_variables; i++)
				CHECK(elf_data_gap(&data, data.variables[i].start).size <= 1);
			elf_data_release(&data, &source);
		}
		CHECK_EQ_U64(n_allocated, 0);
	}
	n_granted = SIZE_MAX;
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(own_file),     CHECK_TEST(names_in_the_file), CHECK_TEST(names),
		CHECK_TEST(forged_sizes), CHECK_TEST(damaged_files),     CHECK_TEST(gaps),
		CHECK_TEST(distances),    CHECK_TEST(refused_memory),
	};

	read_own();
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
