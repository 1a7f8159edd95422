/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/elf_data.h"

enum {
	MAGIC = 0x464c457f, /* 7f E L F */
	CLASS_64 = 2,
	DATA_LITTLE = 1,
	MACHINE_X86_64 = 62,
	MAX_SECTIONS = 1 << 16,
	MAX_SEGMENTS = 256,
};

/* Tables that are larger are not read. */
#define MAX_TABLE (UINT64_C(1) << 30) /* bytes */

/* Sizes of what is read, and where in it numbers are. */
enum {
	HEADER_SIZE = 64,
	HEADER_CLASS = 4,         /* 1 byte */
	HEADER_DATA = 5,          /* 1 */
	HEADER_MACHINE = 18,      /* 2 */
	HEADER_SEGMENTS = 32,     /* 8: their offset */
	HEADER_SECTIONS = 40,     /* 8: likewise */
	HEADER_SEGMENT_SIZE = 54, /* 2 */
	HEADER_N_SEGMENTS = 56,   /* 2 */
	HEADER_SECTION_SIZE = 58, /* 2 */
	HEADER_N_SECTIONS = 60,   /* 2 */
	SEGMENT_SIZE = 56,
	SEGMENT_TYPE = 0,       /* 4 */
	SEGMENT_ADDRESS = 16,   /* 8 */
	SEGMENT_MEMORY = 40,    /* 8: its size in memory */
	SEGMENT_ALIGNMENT = 48, /* 8 */
	SEGMENT_TLS = 7,
	SECTION_SIZE = 64,
	SECTION_TYPE = 4,     /* 4 */
	SECTION_FLAGS = 8,    /* 8 */
	SECTION_ADDRESS = 16, /* 8 */
	SECTION_OFFSET = 24,  /* 8 */
	SECTION_BYTES = 32,   /* 8 */
	SECTION_LINK = 40,    /* 4 */
	TYPE_SYMBOLS = 2,
	TYPE_RELOCATIONS = 4,
	TYPE_NO_BITS = 8,
	TYPE_DYNAMIC_SYMBOLS = 11,
	FLAG_LOADED = 2,
	FLAG_TLS = 0x400,
	SYMBOL_SIZE = 24,
	SYMBOL_NAME = 0,    /* 4 */
	SYMBOL_INFO = 4,    /* 1 */
	SYMBOL_SECTION = 6, /* 2; 0: of another file */
	SYMBOL_VALUE = 8,   /* 8 */
	SYMBOL_BYTES = 16,  /* 8 */
	SYMBOL_ABSOLUTE = 0xfff1,
	OF_FUNCTION = 2,
	OF_SECTION = 3,
	OF_FILE = 4,
	OF_TLS = 6,
	OF_IFUNC = 10,
	RELOCATION_SIZE = 24,
	RELOCATION_ADDRESS = 0, /* 8 */
	RELOCATION_TYPE = 8,    /* 4 */
	RELOCATION_SYMBOL = 12, /* 4 */
	RELOCATION_ADDEND = 16, /* 8 */
	RELOCATE_MODULE = 16,
	RELOCATE_DISTANCE = 18,
};

/* A section as the file has it; of its contents, if they were read, so many bytes. */
struct section {
	uint64_t type, flags, address, offset, bytes, link;
};

struct table {
	uint8_t *bytes;
	size_t size;
};

struct reading {
	const struct elf_source *source;
	struct elf_data *data;
	struct section *sections;
	size_t n_sections;
	struct table symbols, names;
};

/* The number of so many bytes. */
static uint64_t number_at(const uint8_t *bytes, size_t size)
{
	uint64_t number = 0;

	while (size-- > 0)
		number = number << 8 | bytes[size];
	return number;
}

/* --- tables ------------------------------------------------------------------------------- */

static bool read_table(const struct elf_source *source, uint64_t offset, uint64_t size,
		       struct table *table)
{
	*table = (struct table){ NULL, 0 };
	if (size == 0 || size > MAX_TABLE)
		return false;
	table->bytes = source->allocate((size_t)size + 1); /* names end, whatever is there */
	if (!source->read(source->ctx, offset, table->bytes, (size_t)size)) {
		source->release(table->bytes);
		table->bytes = NULL;
		return false;
	}
	table->size = (size_t)size;
	return true;
}

static void release_table(const struct elf_source *source, struct table *table)
{
	if (table->bytes != NULL)
		source->release(table->bytes);
	*table = (struct table){ NULL, 0 };
}

static bool read_sections(struct reading *reading, const uint8_t *header)
{
	const uint64_t n = number_at(header + HEADER_N_SECTIONS, 2);
	struct table table;

	if (n == 0 || n > MAX_SECTIONS ||
	    number_at(header + HEADER_SECTION_SIZE, 2) != SECTION_SIZE ||
	    !read_table(reading->source, number_at(header + HEADER_SECTIONS, 8), n * SECTION_SIZE,
			&table))
		return false;
	reading->sections = reading->source->allocate((size_t)n * sizeof(*reading->sections));
	reading->n_sections = (size_t)n;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *bytes = table.bytes + i * SECTION_SIZE;

		reading->sections[i] = (struct section){
			.type = number_at(bytes + SECTION_TYPE, 4),
			.flags = number_at(bytes + SECTION_FLAGS, 8),
			.address = number_at(bytes + SECTION_ADDRESS, 8),
			.offset = number_at(bytes + SECTION_OFFSET, 8),
			.bytes = number_at(bytes + SECTION_BYTES, 8),
			.link = number_at(bytes + SECTION_LINK, 4),
		};
	}
	release_table(reading->source, &table);
	return true;
}

static void read_segments(const struct reading *reading, const uint8_t *header)
{
	struct elf_block *block = &reading->data->block;
	const uint64_t n = number_at(header + HEADER_N_SEGMENTS, 2);
	struct table table;

	if (n == 0 || n > MAX_SEGMENTS ||
	    number_at(header + HEADER_SEGMENT_SIZE, 2) != SEGMENT_SIZE ||
	    !read_table(reading->source, number_at(header + HEADER_SEGMENTS, 8), n * SEGMENT_SIZE,
			&table))
		return;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *bytes = table.bytes + i * SEGMENT_SIZE;

		if (number_at(bytes + SEGMENT_TYPE, 4) != SEGMENT_TLS)
			continue;
		block->address = number_at(bytes + SEGMENT_ADDRESS, 8);
		block->size = number_at(bytes + SEGMENT_MEMORY, 8);
		block->alignment = number_at(bytes + SEGMENT_ALIGNMENT, 8);
	}
	if (block->alignment == 0 || (block->alignment & (block->alignment - 1)) != 0)
		block->alignment = 1;
	release_table(reading->source, &table);
}

/* --- spans -------------------------------------------------------------------------------- */

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

/* Sorts spans, and joins those that overlap; returns how many there are then. */
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
	for (size_t i = 0; i < reading->n_sections; i++) {
		const struct section *section = &reading->sections[i];

		/* Memory of the thread-local variables that begin as zero is nowhere. */
		if ((section->flags & FLAG_LOADED) == 0 || section->bytes == 0 ||
		    section->address + section->bytes < section->address ||
		    (section->type == TYPE_NO_BITS && (section->flags & FLAG_TLS) != 0))
			continue;
		data->sections[data->n_sections++] =
			(struct elf_span){ section->address, section->bytes };
	}
	data->n_sections = sort_spans(reading->source, data->sections, data->n_sections);
}

/* --- symbols ------------------------------------------------------------------------------ */

static const struct section *section_of_type(const struct reading *reading, uint64_t type)
{
	for (size_t i = 0; i < reading->n_sections; i++)
		if (reading->sections[i].type == type)
			return &reading->sections[i];
	return NULL;
}

/* The table of symbols of a section, with their names; false if there is none. */
static bool read_symbols(struct reading *reading, const struct section *section)
{
	const struct section *names;

	if (section == NULL || section->link >= reading->n_sections)
		return false;
	names = &reading->sections[section->link];
	if (!read_table(reading->source, section->offset, section->bytes, &reading->symbols))
		return false;
	if (read_table(reading->source, names->offset, names->bytes, &reading->names))
		return true;
	release_table(reading->source, &reading->symbols);
	return false;
}

static size_t n_symbols(const struct reading *reading)
{
	return reading->symbols.size / SYMBOL_SIZE;
}

static const uint8_t *symbol_at(const struct reading *reading, size_t i)
{
	return reading->symbols.bytes + i * SYMBOL_SIZE;
}

static unsigned kind_of(const uint8_t *symbol)
{
	return symbol[SYMBOL_INFO] & 0xf;
}

static bool is_defined(const uint8_t *symbol)
{
	const uint64_t section = number_at(symbol + SYMBOL_SECTION, 2);

	return section != 0 && section != SYMBOL_ABSOLUTE;
}

static bool is_variable(const uint8_t *symbol)
{
	const unsigned kind = kind_of(symbol);

	return is_defined(symbol) && kind != OF_FUNCTION && kind != OF_IFUNC &&
	       kind != OF_SECTION && kind != OF_FILE && kind != OF_TLS;
}

/* A symbol without a size holds a byte. */
static struct elf_span span_of(const uint8_t *symbol)
{
	const uint64_t start = number_at(symbol + SYMBOL_VALUE, 8);
	const uint64_t size = number_at(symbol + SYMBOL_BYTES, 8);

	return (struct elf_span){ start, size == 0 || start + size < start ? 1 : size };
}

static void find_variables(struct reading *reading)
{
	struct elf_data *data = reading->data;
	struct elf_block *block = &data->block;
	const size_t n = n_symbols(reading);

	data->variables = reading->source->allocate((n + 1) * sizeof(*data->variables));
	block->variables = reading->source->allocate((n + 1) * sizeof(*block->variables));
	for (size_t i = 0; i < n; i++) {
		const uint8_t *symbol = symbol_at(reading, i);
		const uint64_t name = number_at(symbol + SYMBOL_NAME, 4);

		if (is_variable(symbol))
			data->variables[data->n_variables++] = span_of(symbol);
		else if (is_defined(symbol) && kind_of(symbol) == OF_TLS &&
			 name < reading->names.size)
			block->variables[block->n_variables++] = (struct elf_variable){
				span_of(symbol),
				(const char *)reading->names.bytes + name,
			};
	}
	data->n_variables = sort_spans(reading->source, data->variables, data->n_variables);
	/* A span is what a variable begins with. */
	if (block->n_variables != 0)
		reading->source->sort(block->variables, block->n_variables,
				      sizeof(*block->variables), compare_spans);
	data->names = (char *)reading->names.bytes;
	reading->names = (struct table){ NULL, 0 };
}

/* --- where the block is ------------------------------------------------------------------- */

static void note_relocation(struct reading *reading, const uint8_t *bytes)
{
	struct elf_block *block = &reading->data->block;
	const uint64_t type = number_at(bytes + RELOCATION_TYPE, 4);
	const uint64_t number = number_at(bytes + RELOCATION_SYMBOL, 4);
	struct elf_block_word word = {
		.address = number_at(bytes + RELOCATION_ADDRESS, 8),
		.offset = number_at(bytes + RELOCATION_ADDEND, 8),
		.is_known = true,
	};

	if (type != RELOCATE_DISTANCE && type != RELOCATE_MODULE)
		return;
	if (number != 0) {
		if (number >= n_symbols(reading) || !is_defined(symbol_at(reading, (size_t)number)))
			return;
		word.offset += number_at(symbol_at(reading, (size_t)number) + SYMBOL_VALUE, 8);
	}
	if (type == RELOCATE_DISTANCE)
		block->distance = word;
	else
		block->module = word;
}

/* With the symbols that relocations are by. */
static void find_words(struct reading *reading)
{
	for (size_t i = 0; i < reading->n_sections; i++) {
		const struct section *section = &reading->sections[i];
		struct table table;

		if (section->type != TYPE_RELOCATIONS || (section->flags & FLAG_LOADED) == 0 ||
		    !read_table(reading->source, section->offset, section->bytes, &table))
			continue;
		for (size_t at = 0; at + RELOCATION_SIZE <= table.size; at += RELOCATION_SIZE)
			note_relocation(reading, table.bytes + at);
		release_table(reading->source, &table);
	}
}

/* --- all of it ---------------------------------------------------------------------------- */

bool elf_data_read(struct elf_data *data, const struct elf_source *source)
{
	uint8_t header[HEADER_SIZE];
	struct reading reading = { .source = source, .data = data };

	*data = (struct elf_data){ .n_sections = 0 };
	if (!source->read(source->ctx, 0, header, sizeof(header)) ||
	    number_at(header, 4) != MAGIC || header[HEADER_CLASS] != CLASS_64 ||
	    header[HEADER_DATA] != DATA_LITTLE ||
	    number_at(header + HEADER_MACHINE, 2) != MACHINE_X86_64 ||
	    !read_sections(&reading, header))
		return false;
	read_segments(&reading, header);
	find_sections(&reading);
	if (data->block.size != 0 &&
	    read_symbols(&reading, section_of_type(&reading, TYPE_DYNAMIC_SYMBOLS))) {
		find_words(&reading);
		release_table(source, &reading.symbols);
		release_table(source, &reading.names);
	}
	if (read_symbols(&reading, section_of_type(&reading, TYPE_SYMBOLS)) ||
	    read_symbols(&reading, section_of_type(&reading, TYPE_DYNAMIC_SYMBOLS)))
		find_variables(&reading);
	release_table(source, &reading.symbols);
	source->release(reading.sections);
	return true;
}

void elf_data_release(struct elf_data *data, const struct elf_source *source)
{
	source->release(data->sections);
	if (data->names == NULL)
		return;
	source->release(data->variables);
	source->release(data->block.variables);
	source->release(data->names);
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

const struct elf_variable *elf_block_at(const struct elf_block *block, uint64_t offset)
{
	/* They are few. */
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
	/* The block begins as its segment is aligned, which need not be at a multiple. */
	const uint64_t rest = -(block->address & mask) & mask;

	return ((block->size - rest + mask) & ~mask) + rest;
}
