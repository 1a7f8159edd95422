/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/elf_data.h"

#include "writer/freestanding.h"

enum {
	MAX_PROGRAM_HEADERS = 256,
	PROGRAM_HEADER_TLS = 7,
	MAX_LOCALS = 1 << 16, /* thread-local variables of a file that are kept */
	MAX_NAME = 1024,      /* bytes of a name that are kept */
};

struct reading {
	const struct elf_source *source;
	struct elf_data *data;
	struct elf_header header;
	struct elf_section *sections;
	size_t n_sections;
	struct elf_bytes symbols;
	const struct elf_section *names; /* of these symbols */
};

static void read_program_headers(const struct reading *reading)
{
	struct elf_block *block = &reading->data->block;
	const struct elf_table *headers = &reading->header.program_headers;
	struct elf_bytes table;

	if (headers->n > MAX_PROGRAM_HEADERS ||
	    !elf_source_bytes(reading->source, headers->offset,
			      (uint64_t)headers->n * ELF_PROGRAM_HEADER_SIZE, &table))
		return;
	for (size_t i = 0; i < headers->n; i++) {
		struct elf_program_header header;

		elf_program_header_read(&header, table.at + i * ELF_PROGRAM_HEADER_SIZE);
		if (header.type != PROGRAM_HEADER_TLS)
			continue;
		block->address = header.address;
		block->size = header.memory_size;
		block->alignment = header.alignment;
	}
	if (block->alignment == 0 || (block->alignment & (block->alignment - 1)) != 0)
		block->alignment = 1;
	elf_bytes_release(reading->source, &table);
}

/* --- spans ------------------------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
	const struct elf_span *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->size < right->size ? -1 : left->size > right->size;
}

/* The number of spans that begin at an address or before it. */
static size_t n_until(const struct elf_span *spans, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (spans[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Sorts spans, joins overlapping ones, and returns how many are left. */
static size_t sort_spans(const struct elf_source *source, struct elf_span *spans, size_t n)
{
	size_t to = 0;

	if (n == 0)
		return 0;
	source->sort(spans, n, sizeof(*spans), compare_spans);
	for (size_t i = 1; i < n; i++) {
		const uint64_t end = spans[to].start + spans[to].size;

		if (spans[i].start >= end)
			spans[++to] = spans[i];
		else if (spans[i].start + spans[i].size > end)
			spans[to].size = spans[i].start + spans[i].size - spans[to].start;
	}
	return to + 1;
}

static void find_sections(const struct reading *reading)
{
	struct elf_data *data = reading->data;

	data->sections = reading->source->allocate(reading->n_sections * sizeof(*data->sections));
	if (data->sections == NULL)
		return;
	for (size_t i = 0; i < reading->n_sections; i++) {
		const struct elf_section *section = &reading->sections[i];

		/* The section of zeroed thread-local variables takes no memory at its address. */
		if ((section->flags & ELF_SECTION_LOADED) == 0 || section->size == 0 ||
		    section->address + section->size < section->address ||
		    (section->type == ELF_SECTION_NO_BITS &&
		     (section->flags & ELF_SECTION_TLS) != 0))
			continue;
		data->sections[data->n_sections++] =
			(struct elf_span){ section->address, section->size };
	}
	data->n_sections = sort_spans(reading->source, data->sections, data->n_sections);
}

/* --- symbols ----------------------------------------------------------------------------- */

static const struct elf_section *section_of_type(const struct reading *reading,
						 enum elf_section_type type)
{
	for (size_t i = 0; i < reading->n_sections; i++)
		if (reading->sections[i].type == type)
			return &reading->sections[i];
	return NULL;
}

/* The table of symbols of a section; false if there is none. */
static bool read_symbols(struct reading *reading, const struct elf_section *section)
{
	if (section == NULL || section->link >= reading->n_sections ||
	    !elf_source_section(reading->source, section, &reading->symbols))
		return false;
	reading->names = &reading->sections[section->link];
	return true;
}

static size_t n_symbols(const struct reading *reading)
{
	return reading->symbols.size / ELF_SYMBOL_SIZE;
}

static struct elf_symbol symbol_at(const struct reading *reading, size_t i)
{
	struct elf_symbol symbol;

	elf_symbol_read(&symbol, reading->symbols.at + i * ELF_SYMBOL_SIZE);
	return symbol;
}

static bool is_defined(const struct elf_symbol *symbol)
{
	return symbol->section != ELF_UNDEFINED && symbol->section != ELF_ABSOLUTE;
}

static bool is_local(const struct elf_symbol *symbol)
{
	return is_defined(symbol) && symbol->kind == ELF_TLS;
}

static bool is_variable(const struct elf_symbol *symbol)
{
	return is_defined(symbol) && symbol->kind != ELF_FUNCTION && symbol->kind != ELF_IFUNC &&
	       symbol->kind != ELF_SECTION && symbol->kind != ELF_FILE && symbol->kind != ELF_TLS;
}

/* A symbol without a size holds a byte. */
static struct elf_span span_of(const struct elf_symbol *symbol)
{
	return (struct elf_span){
		symbol->value,
		symbol->size == 0 || symbol->value + symbol->size < symbol->value ? 1
										  : symbol->size,
	};
}

static void find_variables(struct reading *reading)
{
	struct elf_data *data = reading->data;
	const size_t n = n_symbols(reading);
	size_t n_variables = 0;

	for (size_t i = 0; i < n; i++) {
		const struct elf_symbol symbol = symbol_at(reading, i);

		n_variables += is_variable(&symbol);
	}
	if (n_variables == 0)
		return;
	data->variables = reading->source->allocate(n_variables * sizeof(*data->variables));
	data->named = reading->source->allocate(n_variables * sizeof(*data->named));
	if (data->variables == NULL || data->named == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct elf_symbol symbol = symbol_at(reading, i);

		if (!is_variable(&symbol))
			continue;
		data->variables[data->n_variables++] = span_of(&symbol);
		if (symbol.size != 0 && reading->names->is_in_file && symbol.name != 0 &&
		    symbol.name < reading->names->size)
			data->named[data->n_named++] = (struct elf_named){
				span_of(&symbol),
				reading->names->offset + symbol.name,
			};
	}
	/* A variable begins with its span. */
	reading->source->sort(data->named, data->n_named, sizeof(*data->named), compare_spans);
	data->n_variables = sort_spans(reading->source, data->variables, data->n_variables);
}

/* --- thread-local variables -------------------------------------------------------------- */

/* Bytes of the name at an offset of a table of names, as far as it is kept. */
static size_t name_length(const struct elf_bytes *names, uint64_t offset)
{
	size_t len = 0;

	while (len < MAX_NAME && offset + len < names->size && names->at[offset + len] != '\0')
		len++;
	return len;
}

/* Counts them; *size: bytes of their names. */
static size_t count_locals(const struct reading *reading, const struct elf_bytes *names,
			   size_t *size)
{
	size_t n = 0;

	*size = 0;
	for (size_t i = 0; i < n_symbols(reading) && n < MAX_LOCALS; i++) {
		const struct elf_symbol symbol = symbol_at(reading, i);

		if (!is_local(&symbol))
			continue;
		*size += name_length(names, symbol.name) + 1;
		n++;
	}
	return n;
}

/* Their names are copied: they are few, and the file's other names may be many. */
static void find_locals(struct reading *reading)
{
	const struct elf_source *source = reading->source;
	struct elf_block *block = &reading->data->block;
	struct elf_bytes names;
	size_t size, n;
	char *to;

	if (!elf_source_section(source, reading->names, &names))
		return;
	n = count_locals(reading, &names, &size);
	if (n > 0) {
		block->variables = source->allocate(n * sizeof(*block->variables));
		reading->data->names = to = source->allocate(size);
		if (block->variables == NULL || to == NULL)
			n = 0;
		for (size_t i = 0; block->n_variables < n; i++) {
			const struct elf_symbol symbol = symbol_at(reading, i);
			size_t len;

			if (!is_local(&symbol))
				continue;
			len = name_length(&names, symbol.name);
			memcpy(to, names.at + (len > 0 ? symbol.name : 0), len);
			block->variables[block->n_variables++] =
				(struct elf_variable){ span_of(&symbol), to };
			to += len + 1;
		}
		/* A variable begins with its span. */
		source->sort(block->variables, block->n_variables, sizeof(*block->variables),
			     compare_spans);
	}
	elf_bytes_release(source, &names);
}

/* --- where the block is ------------------------------------------------------------------ */

static void note_relocation(const struct reading *reading, const struct elf_relocation *relocation)
{
	struct elf_block *block = &reading->data->block;
	struct elf_block_word word = {
		.address = relocation->offset,
		.offset = relocation->addend,
		.is_known = true,
	};

	if (relocation->type != ELF_RELOCATE_DISTANCE && relocation->type != ELF_RELOCATE_MODULE)
		return;
	if (relocation->symbol != 0) {
		struct elf_symbol symbol;

		if (relocation->symbol >= n_symbols(reading))
			return;
		symbol = symbol_at(reading, relocation->symbol);
		if (!is_defined(&symbol))
			return;
		word.offset += symbol.value;
	}
	if (relocation->type == ELF_RELOCATE_DISTANCE)
		block->distance = word;
	else
		block->module = word;
}

/* Reads relocations, with the symbols that they refer to. */
static void find_words(const struct reading *reading)
{
	for (size_t i = 0; i < reading->n_sections; i++) {
		const struct elf_section *section = &reading->sections[i];
		struct elf_bytes table;

		if (section->type != ELF_SECTION_RELOCATIONS ||
		    (section->flags & ELF_SECTION_LOADED) == 0 ||
		    !elf_source_section(reading->source, section, &table))
			continue;
		for (size_t at = 0; at + ELF_RELOCATION_SIZE <= table.size;
		     at += ELF_RELOCATION_SIZE) {
			struct elf_relocation relocation;

			elf_relocation_read(&relocation, table.at + at);
			note_relocation(reading, &relocation);
		}
		elf_bytes_release(reading->source, &table);
	}
}

/* --- all of it --------------------------------------------------------------------------- */

bool elf_data_read(struct elf_data *data, const struct elf_source *source)
{
	struct reading reading = { .source = source, .data = data };

	*data = (struct elf_data){ .n_sections = 0 };
	if (!elf_source_header(source, &reading.header))
		return false;
	reading.sections = elf_source_sections(source, &reading.header);
	reading.n_sections = reading.header.sections.n;
	if (reading.sections == NULL)
		return false;
	read_program_headers(&reading);
	find_sections(&reading);
	if (data->block.size != 0 &&
	    read_symbols(&reading, section_of_type(&reading, ELF_SECTION_DYNAMIC_SYMBOLS))) {
		find_words(&reading);
		elf_bytes_release(source, &reading.symbols);
	}
	if (read_symbols(&reading, section_of_type(&reading, ELF_SECTION_SYMBOLS)) ||
	    read_symbols(&reading, section_of_type(&reading, ELF_SECTION_DYNAMIC_SYMBOLS))) {
		find_variables(&reading);
		if (data->block.size != 0)
			find_locals(&reading);
	}
	elf_bytes_release(source, &reading.symbols);
	source->release(reading.sections);
	return true;
}

void elf_data_release(struct elf_data *data, const struct elf_source *source)
{
	void *const all[] = { data->sections, data->variables, data->named, data->block.variables,
			      data->names };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] != NULL)
			source->release(all[i]);
}

struct elf_span elf_data_gap(const struct elf_data *data, uint64_t address)
{
	size_t n = n_until(data->sections, data->n_sections, address);
	uint64_t start, end;

	if (n == 0 || address - data->sections[n - 1].start >= data->sections[n - 1].size)
		return (struct elf_span){ address, 0 };
	start = data->sections[n - 1].start;
	end = start + data->sections[n - 1].size;
	n = n_until(data->variables, data->n_variables, address);
	if (n != 0) {
		const struct elf_span *before = &data->variables[n - 1];

		if (address - before->start < before->size)
			return (struct elf_span){ address, 1 };
		if (before->start + before->size > start)
			start = before->start + before->size;
	}
	if (n < data->n_variables && data->variables[n].start < end)
		end = data->variables[n].start;
	return (struct elf_span){ start, end - start };
}

const struct elf_named *elf_data_at(const struct elf_data *data, uint64_t address)
{
	size_t low = 0, high = data->n_named;
	const struct elf_named *named;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (data->named[middle].span.start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	named = &data->named[low - 1];
	return address - named->span.start < named->span.size ? named : NULL;
}

bool elf_data_name(const struct elf_named *named, const struct elf_source *source, char *name,
		   size_t size)
{
	size_t len = 0;

	while (len + 1 < size && named->name + len < source->size) {
		if (!source->read(source->ctx, named->name + len, name + len, 1))
			return false;
		if (name[len] == '\0')
			return true;
		len++;
	}
	name[len] = '\0';
	return len > 0;
}

const struct elf_variable *elf_block_at(const struct elf_block *block, uint64_t offset)
{
	/* A linear search: they are few. */
	for (size_t i = 0; i < block->n_variables; i++) {
		const struct elf_variable *variable = &block->variables[i];

		if (offset - variable->span.start < variable->span.size)
			return variable;
	}
	return NULL;
}

uint64_t elf_block_distance(const struct elf_block *block)
{
	const uint64_t mask = block->alignment - 1;
	/* The block is aligned like its segment, which need not begin at a multiple. */
	const uint64_t rest = -(block->address & mask) & mask;

	return ((block->size - rest + mask) & ~mask) + rest;
}
