/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/elfobject.h"

#include "writer/freestanding.h"

/* --- header and tables -------------------------------------------------------------------- */

enum {
	MAGIC = 0x464c457f, /* 7f E L F */
	CLASS_64 = 2,
	DATA_LITTLE = 1,
	MACHINE_X86_64 = 62,
	TYPE_RELOCATABLE = 1,
	NOTE_BUILD_ID = 3,
	OWNER_GNU = 0x00554e47, /* G N U NUL */
};

/* Offsets of fields, which have 8 bytes unless noted. */
enum {
	HEADER_CLASS = 4,    /* 1 byte */
	HEADER_DATA = 5,     /* 1 */
	HEADER_TYPE = 16,    /* 2 */
	HEADER_MACHINE = 18, /* 2 */
	HEADER_PROGRAM_HEADERS = 32,
	HEADER_SECTIONS = 40,
	HEADER_PROGRAM_HEADER_SIZE = 54, /* 2, as the next four */
	HEADER_N_PROGRAM_HEADERS = 56,
	HEADER_SECTION_SIZE = 58,
	HEADER_N_SECTIONS = 60,
	HEADER_SECTION_NAMES = 62,
	SECTION_NAME = 0, /* 4 */
	SECTION_TYPE = 4, /* 4 */
	SECTION_FLAGS = 8,
	SECTION_ADDRESS = 16,
	SECTION_OFFSET = 24,
	SECTION_BYTES = 32,
	SECTION_LINK = 40,        /* 4 */
	SECTION_INFO = 44,        /* 4 */
	PROGRAM_HEADER_TYPE = 0,  /* 4 */
	PROGRAM_HEADER_FLAGS = 4, /* 4 */
	PROGRAM_HEADER_OFFSET = 8,
	PROGRAM_HEADER_ADDRESS = 16,
	PROGRAM_HEADER_FILE = 32,
	PROGRAM_HEADER_MEMORY = 40,
	PROGRAM_HEADER_ALIGNMENT = 48,
	SYMBOL_NAME = 0,    /* 4 */
	SYMBOL_INFO = 4,    /* 1 */
	SYMBOL_SECTION = 6, /* 2 */
	SYMBOL_VALUE = 8,
	SYMBOL_BYTES = 16,
	NOTE_NAME_SIZE = 0,  /* 4 */
	NOTE_VALUE_SIZE = 4, /* 4 */
	NOTE_TYPE = 8,       /* 4 */
	NOTE_OWNER = 12,     /* and the value after it, aligned */
	RELOCATION_OFFSET = 0,
	RELOCATION_TYPE = 8,    /* 4 */
	RELOCATION_SYMBOL = 12, /* 4 */
	RELOCATION_ADDEND = 16,
};

static struct elf_table read_table(uint64_t offset, uint32_t n, uint32_t entry_size,
				   uint64_t file_size)
{
	if (n == 0 || offset > file_size || (file_size - offset) / entry_size < n)
		return (struct elf_table){ 0, 0 };
	return (struct elf_table){ offset, n };
}

bool elf_header_read(struct elf_header *header, const uint8_t *bytes, uint64_t file_size)
{
	if (read_32(bytes) != MAGIC || bytes[HEADER_CLASS] != CLASS_64 ||
	    bytes[HEADER_DATA] != DATA_LITTLE || read_16(bytes + HEADER_MACHINE) != MACHINE_X86_64)
		return false;
	*header = (struct elf_header){
		.file_size = file_size,
		.is_relocatable = read_16(bytes + HEADER_TYPE) == TYPE_RELOCATABLE,
		.section_names = read_16(bytes + HEADER_SECTION_NAMES),
	};
	if (read_16(bytes + HEADER_SECTION_SIZE) == ELF_SECTION_SIZE)
		header->sections = read_table(read_64(bytes + HEADER_SECTIONS),
					      read_16(bytes + HEADER_N_SECTIONS), ELF_SECTION_SIZE,
					      file_size);
	if (read_16(bytes + HEADER_PROGRAM_HEADER_SIZE) == ELF_PROGRAM_HEADER_SIZE)
		header->program_headers = read_table(read_64(bytes + HEADER_PROGRAM_HEADERS),
						     read_16(bytes + HEADER_N_PROGRAM_HEADERS),
						     ELF_PROGRAM_HEADER_SIZE, file_size);
	return true;
}

void elf_section_read(struct elf_section *section, const struct elf_header *header,
		      const uint8_t *bytes)
{
	*section = (struct elf_section){
		.name = read_32(bytes + SECTION_NAME),
		.type = read_32(bytes + SECTION_TYPE),
		.link = read_32(bytes + SECTION_LINK),
		.info = read_32(bytes + SECTION_INFO),
		.flags = read_64(bytes + SECTION_FLAGS),
		.address = read_64(bytes + SECTION_ADDRESS),
		.size = read_64(bytes + SECTION_BYTES),
		.offset = read_64(bytes + SECTION_OFFSET),
	};
	section->is_in_file = section->type != ELF_SECTION_NO_BITS &&
			      section->offset <= header->file_size &&
			      section->size <= header->file_size - section->offset;
}

static uint64_t round_up(uint64_t size, uint64_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

size_t elf_build_id(const uint8_t *notes, size_t len, unsigned alignment, const uint8_t **id)
{
	while (len > NOTE_OWNER) {
		const uint64_t name_size = read_32(notes + NOTE_NAME_SIZE);
		const uint64_t size = read_32(notes + NOTE_VALUE_SIZE);
		const uint64_t value = round_up(NOTE_OWNER + name_size, alignment);
		const uint64_t whole = round_up(value + size, alignment);

		if (value > len || size > len - value)
			return 0;
		if (read_32(notes + NOTE_TYPE) == NOTE_BUILD_ID && name_size == 4 &&
		    read_32(notes + NOTE_OWNER) == OWNER_GNU) {
			*id = notes + value;
			return (size_t)size;
		}
		if (whole >= len)
			return 0;
		notes += whole;
		len -= (size_t)whole;
	}
	return 0;
}

void elf_program_header_read(struct elf_program_header *program_header, const uint8_t *bytes)
{
	*program_header = (struct elf_program_header){
		.type = read_32(bytes + PROGRAM_HEADER_TYPE),
		.flags = read_32(bytes + PROGRAM_HEADER_FLAGS),
		.offset = read_64(bytes + PROGRAM_HEADER_OFFSET),
		.file_size = read_64(bytes + PROGRAM_HEADER_FILE),
		.address = read_64(bytes + PROGRAM_HEADER_ADDRESS),
		.memory_size = read_64(bytes + PROGRAM_HEADER_MEMORY),
		.alignment = read_64(bytes + PROGRAM_HEADER_ALIGNMENT),
	};
}

void elf_symbol_read(struct elf_symbol *symbol, const uint8_t *bytes)
{
	*symbol = (struct elf_symbol){
		.name = read_32(bytes + SYMBOL_NAME),
		.kind = bytes[SYMBOL_INFO] & 15,
		.is_local = bytes[SYMBOL_INFO] >> 4 == 0,
		.section = (uint16_t)read_16(bytes + SYMBOL_SECTION),
		.value = read_64(bytes + SYMBOL_VALUE),
		.size = read_64(bytes + SYMBOL_BYTES),
	};
}

void elf_relocation_read(struct elf_relocation *relocation, const uint8_t *bytes)
{
	*relocation = (struct elf_relocation){
		.offset = read_64(bytes + RELOCATION_OFFSET),
		.type = read_32(bytes + RELOCATION_TYPE),
		.symbol = read_32(bytes + RELOCATION_SYMBOL),
		.addend = read_64(bytes + RELOCATION_ADDEND),
	};
}

/* --- a file that is read piece by piece --------------------------------------------------- */

#define MAX_TABLE (UINT64_C(1) << 30) /* bytes; larger tables are not read */

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

/* --- a file in memory --------------------------------------------------------------------- */

bool elfobject_section(const struct elfobject *object, uint32_t i, struct elf_section *section)
{
	if (i >= object->header.sections.n)
		return false;
	elf_section_read(section, &object->header,
			 object->bytes + object->header.sections.offset +
				 (uint64_t)i * ELF_SECTION_SIZE);
	return true;
}

bool elfobject_open(struct elfobject *object, const uint8_t *bytes, size_t len)
{
	*object = (struct elfobject){ .bytes = bytes };
	return len >= ELF_HEADER_SIZE && elf_header_read(&object->header, bytes, len) &&
	       object->header.sections.n > 0;
}

static const uint8_t *entry_at(const struct elfobject *object, const struct elf_section *table,
			       uint64_t offset)
{
	return object->bytes + table->offset + offset;
}

const char *elfobject_text(const struct elfobject *object, uint32_t number, uint32_t offset)
{
	struct elf_section texts;
	const char *text;

	if (!elfobject_section(object, number, &texts) || !texts.is_in_file || offset >= texts.size)
		return "";
	text = (const char *)object->bytes + texts.offset;
	/* Then every text in the section has an end. */
	return text[texts.size - 1] == '\0' ? text + offset : "";
}

/* The address of a symbol; false if it has none. */
static bool address_of(const struct elfobject *object, const struct elf_symbol *symbol,
		       uint64_t *address)
{
	struct elf_section section;

	*address = symbol->value;
	if (symbol->section == ELF_UNDEFINED || symbol->section >= ELF_FIRST_RESERVED ||
	    !elfobject_section(object, symbol->section, &section))
		return false;
	if (object->header.is_relocatable)
		*address += section.address;
	return true;
}

/* Reads a symbol; false if it is not a function with a name and code. */
static bool read_function(const struct elfobject *object, const uint8_t *bytes, uint32_t texts,
			  struct elfobject_function *function)
{
	struct elf_symbol symbol;

	elf_symbol_read(&symbol, bytes);
	if (symbol.kind != ELF_FUNCTION || !address_of(object, &symbol, &function->address))
		return false;
	function->size = symbol.size;
	function->name = elfobject_text(object, texts, symbol.name);
	return function->name[0] != '\0' && function->address != 0 &&
	       (function->size == 0 ||
		function->address + (function->size - 1) >= function->address);
}

bool elfobject_next(const struct elfobject *object, struct elfobject_cursor *cursor,
		    struct elfobject_function *function)
{
	struct elf_section symbols;

	for (; elfobject_section(object, cursor->section, &symbols);
	     cursor->section++, cursor->symbol = 0) {
		if ((symbols.type != ELF_SECTION_SYMBOLS &&
		     symbols.type != ELF_SECTION_DYNAMIC_SYMBOLS) ||
		    !symbols.is_in_file)
			continue;
		while (cursor->symbol < symbols.size / ELF_SYMBOL_SIZE)
			if (read_function(object,
					  entry_at(object, &symbols,
						   ELF_SYMBOL_SIZE * cursor->symbol++),
					  symbols.link, function))
				return true;
	}
	return false;
}

bool elfobject_is_same(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool elfobject_find(const struct elfobject *object, const char *name, struct elf_section *section,
		    uint32_t *number)
{
	for (uint32_t i = 0; elfobject_section(object, i, section); i++)
		if (elfobject_is_same(elfobject_text(object, object->header.section_names,
						     section->name),
				      name) &&
		    section->is_in_file && (section->flags & ELF_SECTION_COMPRESSED) == 0) {
			*number = i;
			return true;
		}
	return false;
}

/* The value of a relocation's symbol, an offset in sections that are not loaded; false if it is not in the file. */
static bool value_of(const struct elfobject *object, const struct elf_section *symbols,
		     uint32_t number, uint64_t *value)
{
	struct elf_section section;
	struct elf_symbol symbol;

	*value = 0;
	if (number == 0)
		return true;
	if (number >= symbols->size / ELF_SYMBOL_SIZE)
		return false;
	elf_symbol_read(&symbol, entry_at(object, symbols, (uint64_t)number * ELF_SYMBOL_SIZE));
	*value = symbol.value;
	if (symbol.section == ELF_ABSOLUTE)
		return true;
	if (symbol.section == ELF_UNDEFINED || symbol.section >= ELF_FIRST_RESERVED ||
	    !elfobject_section(object, symbol.section, &section))
		return false;
	if ((section.flags & ELF_SECTION_LOADED) != 0)
		*value += section.address;
	return true;
}

struct section_copy {
	uint8_t *bytes;
	uint64_t len;
};

static bool relocate(const struct elfobject *object, const struct elf_section *symbols,
		     const struct elf_relocation *relocation, struct section_copy copy)
{
	const unsigned size = relocation->type == ELF_RELOCATE_64 ? 8 : 4;
	uint64_t value;

	if (relocation->type == ELF_RELOCATE_NONE)
		return true;
	if ((relocation->type != ELF_RELOCATE_64 && relocation->type != ELF_RELOCATE_32) ||
	    copy.len < size || relocation->offset > copy.len - size ||
	    !value_of(object, symbols, relocation->symbol, &value))
		return false;
	value += relocation->addend;
	if (size == 4 && value > UINT32_MAX)
		return false;
	memcpy(copy.bytes + relocation->offset, &value, size);
	return true;
}

/* The first relocations of a section, and their symbols; both empty if there are none. */
static bool find_relocations(const struct elfobject *object, uint32_t number,
			     struct elf_section *relocations, struct elf_section *symbols)
{
	for (uint32_t i = 0; elfobject_section(object, i, relocations); i++)
		if (relocations->type == ELF_SECTION_RELOCATIONS && relocations->info == number)
			return relocations->is_in_file &&
			       elfobject_section(object, relocations->link, symbols) &&
			       symbols->is_in_file;
	*relocations = *symbols = (struct elf_section){ 0 };
	return true;
}

bool elfobject_relocate(const struct elfobject *object, uint32_t number, uint8_t *bytes,
			uint64_t len)
{
	const struct section_copy copy = { bytes, len };
	struct elf_section relocations, symbols;
	bool is_done = true;

	if (!object->header.is_relocatable)
		return true;
	if (!find_relocations(object, number, &relocations, &symbols))
		return false;
	for (uint64_t at = 0; relocations.size - at >= ELF_RELOCATION_SIZE;
	     at += ELF_RELOCATION_SIZE) {
		struct elf_relocation relocation;

		elf_relocation_read(&relocation, entry_at(object, &relocations, at));
		is_done = relocate(object, &symbols, &relocation, copy) && is_done;
	}
	return is_done;
}
