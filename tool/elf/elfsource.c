/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/elfsource.h"

/* Tables that are larger are not read. */
#define MAX_TABLE (UINT64_C(1) << 30) /* bytes */

bool elf_source_bytes(const struct elf_source *source, uint64_t offset, uint64_t size,
		      struct elf_bytes *bytes)
{
	*bytes = (struct elf_bytes){ NULL, 0 };
	if (size == 0 || size > MAX_TABLE || offset > source->size || size > source->size - offset)
		return false;
	bytes->at = source->allocate((size_t)size);
	if (bytes->at == NULL)
		return false;
	bytes->size = (size_t)size;
	if (!source->read(source->ctx, offset, bytes->at, (size_t)size)) {
		elf_bytes_release(source, bytes);
		return false;
	}
	return true;
}

bool elf_source_section(const struct elf_source *source, const struct elf_section *section,
			struct elf_bytes *bytes)
{
	return section->is_in_file &&
	       elf_source_bytes(source, section->offset, section->size, bytes);
}

void elf_bytes_release(const struct elf_source *source, struct elf_bytes *bytes)
{
	if (bytes->at != NULL)
		source->release(bytes->at);
	*bytes = (struct elf_bytes){ NULL, 0 };
}

bool elf_source_header(const struct elf_source *source, struct elf_header *header)
{
	uint8_t bytes[ELF_HEADER_SIZE];

	return source->size >= sizeof(bytes) &&
	       source->read(source->ctx, 0, bytes, sizeof(bytes)) &&
	       elf_header_read(header, bytes, source->size);
}

struct elf_section *elf_source_sections(const struct elf_source *source,
					const struct elf_header *header)
{
	const struct elf_table *headers = &header->sections;
	struct elf_section *sections;
	struct elf_bytes bytes;

	if (!elf_source_bytes(source, headers->offset, (uint64_t)headers->n * ELF_SECTION_SIZE,
			      &bytes))
		return NULL;
	sections = source->allocate(headers->n * sizeof(*sections));
	for (size_t i = 0; sections != NULL && i < headers->n; i++)
		elf_section_read(&sections[i], header, bytes.at + i * ELF_SECTION_SIZE);
	elf_bytes_release(source, &bytes);
	return sections;
}
