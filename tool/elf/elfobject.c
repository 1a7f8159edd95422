/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/elfobject.h"

#include "writer/freestanding.h"

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
	/* So each text in it has an end, however long it takes to get there. */
	return text[texts.size - 1] == '\0' ? text + offset : "";
}

/* --- functions ----------------------------------------------------------------------------- */

/* Where a symbol is; false if it is nowhere. */
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

/* Whether a symbol is a function with a name and code. */
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

/* --- sections ------------------------------------------------------------------------------ */

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

/* What a relocation is by; false if it is not in the file.  Offsets count in what is not loaded. */
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

/* The relocations of a section, and their symbols: the first ones, if there are several. */
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
