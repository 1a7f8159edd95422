/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/elfobject.h"

static bool section_at(const struct elfobject *object, uint32_t i, struct elf_section *section)
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

/* The text at an offset of a section of texts; "" if there is none that is ended. */
static const char *text_at(const struct elfobject *object, uint32_t number, uint32_t offset)
{
	struct elf_section texts;
	const char *text;

	if (!section_at(object, number, &texts) || !texts.is_in_file || offset >= texts.size)
		return "";
	text = (const char *)object->bytes + texts.offset;
	/* So each text in it has an end, however long it takes to get there. */
	return text[texts.size - 1] == '\0' ? text + offset : "";
}

/* Where a symbol is; false if it is nowhere. */
static bool address_of(const struct elfobject *object, const struct elf_symbol *symbol,
		       uint64_t *address)
{
	struct elf_section section;

	*address = symbol->value;
	if (symbol->section == ELF_UNDEFINED || symbol->section >= ELF_FIRST_RESERVED ||
	    !section_at(object, symbol->section, &section))
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
	function->name = text_at(object, texts, symbol.name);
	return function->name[0] != '\0' && function->address != 0 &&
	       (function->size == 0 ||
		function->address + (function->size - 1) >= function->address);
}

bool elfobject_next(const struct elfobject *object, struct elfobject_cursor *cursor,
		    struct elfobject_function *function)
{
	struct elf_section symbols;

	for (; section_at(object, cursor->section, &symbols);
	     cursor->section++, cursor->symbol = 0) {
		if ((symbols.type != ELF_SECTION_SYMBOLS &&
		     symbols.type != ELF_SECTION_DYNAMIC_SYMBOLS) ||
		    !symbols.is_in_file)
			continue;
		while (cursor->symbol < symbols.size / ELF_SYMBOL_SIZE)
			if (read_function(object,
					  object->bytes + symbols.offset +
						  ELF_SYMBOL_SIZE * cursor->symbol++,
					  symbols.link, function))
				return true;
	}
	return false;
}
