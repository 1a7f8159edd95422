/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an ELF file whose variables are asked for: what is found is as promised, and memory is in proportion. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tool/data/elf_data.h"

enum {
	/* Bytes that a byte of the file may make: a section and a variable each take fewer, and a name no more than 1,025. */
	MAX_RATIO = 64,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t n_allocated, file_size;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	require(memory != NULL && size > 0 && size <= MAX_RATIO * file_size);
	n_allocated++;
	return memory;
}

static void release(void *memory)
{
	n_allocated--;
	free(memory);
}

static bool read_bytes(void *ctx, uint64_t offset, void *to, size_t size)
{
	require(size <= file_size && offset <= file_size - size);
	memcpy(to, (const uint8_t *)ctx + offset, size);
	return true;
}

static void check_spans(const struct elf_span *spans, size_t n)
{
	for (size_t i = 1; i < n; i++)
		require(spans[i - 1].start + spans[i - 1].size <= spans[i].start);
}

static void check_found(const struct elf_data *found, const struct elf_source *source)
{
	char name[16];

	check_spans(found->sections, found->n_sections);
	check_spans(found->variables, found->n_variables);
	for (size_t i = 0; i < found->n_variables; i++)
		require(elf_data_gap(found, found->variables[i].start).size <= 1);
	for (size_t i = 0; i < found->n_named; i++) {
		require(elf_data_at(found, found->named[i].span.start) != NULL);
		require(!elf_data_name(&found->named[i], source, name, sizeof(name)) ||
			strlen(name) < sizeof(name));
	}
	for (size_t i = 0; i < found->block.n_variables; i++) {
		const struct elf_variable *variable = &found->block.variables[i];

		require(strlen(variable->name) <= 1024);
		require(elf_block_at(&found->block, variable->span.start) != NULL);
	}
	if (found->block.size != 0)
		require(((elf_block_distance(&found->block) + found->block.address) &
			 (found->block.alignment - 1)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size == 0 ? 1 : size);
	const struct elf_source source = { size, read_bytes, copy, allocate, release, qsort };
	struct elf_data found;

	require(copy != NULL);
	memcpy(copy, data, size);
	file_size = size;
	if (elf_data_read(&found, &source)) {
		check_found(&found, &source);
		elf_data_release(&found, &source);
	}
	require(n_allocated == 0);
	free(copy);
	return 0;
}
