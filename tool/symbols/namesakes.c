/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols pass through a hash table of names twice: first to mark names with several addresses, then to collect the static
 * functions with such names, each with the file symbol before it.
 */
#include "tool/symbols/namesakes.h"

#include "writer/freestanding.h"

enum {
	MAX_NAME = 4096, /* bytes of a name that are compared */
	MAX_SUFFIX = 16, /* " (2)" with its NUL */
};

/* A name, and the first symbol that has it. */
struct name_slot {
	uint32_t symbol; /* its number + 1; 0: the slot is free */
	bool is_shared;  /* symbols of the name have several addresses */
};

/* A static function whose name is shared. */
struct found {
	uint64_t entry;
	uint32_t symbol, slot;
	const char *file;
	uint32_t ordinal; /* 1..: among those with the same name and file name */
};

struct reading {
	const struct elf_source *source;
	struct elf_bytes symbols, names; /* names end in a NUL */
	struct name_slot *slots;
	uint32_t mask; /* the number of slots is a power of two */
};

static uint32_t n_symbols(const struct reading *reading)
{
	return (uint32_t)(reading->symbols.size / ELF_SYMBOL_SIZE);
}

static struct elf_symbol symbol_at(const struct reading *reading, uint32_t i)
{
	struct elf_symbol symbol;

	elf_symbol_read(&symbol, reading->symbols.at + (size_t)i * ELF_SYMBOL_SIZE);
	return symbol;
}

static const char *name_of(const struct reading *reading, const struct elf_symbol *symbol)
{
	return symbol->name < reading->names.size ? (const char *)reading->names.at + symbol->name
						  : "";
}

static bool is_function(const struct elf_symbol *symbol)
{
	return symbol->section != ELF_UNDEFINED &&
	       (symbol->kind == ELF_FUNCTION || symbol->kind == ELF_IFUNC);
}

static int compare_names(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] == b[i] && a[i] != '\0' && i < MAX_NAME)
		i++;
	return i == MAX_NAME ? 0 : (unsigned char)a[i] - (unsigned char)b[i];
}

/* The slot of a function's name, taken if the name is new. */
static uint32_t slot_of(const struct reading *reading, uint32_t i, const struct elf_symbol *symbol)
{
	const char *name = name_of(reading, symbol);
	uint32_t hash = 2166136261U, at; /* FNV-1a */

	for (size_t k = 0; k < MAX_NAME && name[k] != '\0'; k++)
		hash = (hash ^ (unsigned char)name[k]) * 16777619U;
	for (at = hash & reading->mask; reading->slots[at].symbol != 0;
	     at = (at + 1) & reading->mask) {
		const struct elf_symbol other = symbol_at(reading, reading->slots[at].symbol - 1);

		if (compare_names(name_of(reading, &other), name) == 0)
			return at;
	}
	reading->slots[at].symbol = i + 1;
	return at;
}

static void mark_shared(const struct reading *reading)
{
	for (uint32_t i = 0; i < n_symbols(reading); i++) {
		const struct elf_symbol symbol = symbol_at(reading, i);
		struct name_slot *slot;
		struct elf_symbol first;

		if (!is_function(&symbol))
			continue;
		slot = &reading->slots[slot_of(reading, i, &symbol)];
		first = symbol_at(reading, slot->symbol - 1);
		slot->is_shared |= symbol.value != first.value;
	}
}

/* Returns the number of such functions; fills in found unless it is NULL. */
static uint32_t collect(const struct reading *reading, struct found *found)
{
	const char *file = "";
	uint32_t n = 0;

	for (uint32_t i = 0; i < n_symbols(reading); i++) {
		const struct elf_symbol symbol = symbol_at(reading, i);
		uint32_t slot;

		if (symbol.kind == ELF_FILE)
			file = name_of(reading, &symbol);
		if (!symbol.is_local || !is_function(&symbol) || *file == '\0')
			continue;
		slot = slot_of(reading, i, &symbol);
		if (!reading->slots[slot].is_shared)
			continue;
		if (found != NULL)
			found[n] = (struct found){ symbol.value, i, slot, file, 1 };
		n++;
	}
	return n;
}

static int compare_files(const void *a, const void *b)
{
	const struct found *left = a, *right = b;
	const int order = left->slot == right->slot ? compare_names(left->file, right->file) : 0;

	if (left->slot != right->slot)
		return left->slot < right->slot ? -1 : 1;
	if (order != 0)
		return order;
	return left->symbol < right->symbol ? -1 : left->symbol > right->symbol;
}

static int compare_entries(const void *a, const void *b)
{
	const struct found *left = a, *right = b;

	if (left->entry != right->entry)
		return left->entry < right->entry ? -1 : 1;
	return left->symbol < right->symbol ? -1 : left->symbol > right->symbol;
}

/* Writes the name of a file, with its ordinal unless it is the first; returns the bytes, NUL included. */
static size_t put_file(const struct found *found, char *to)
{
	char digits[MAX_SUFFIX];
	size_t len = 0;

	while (len < MAX_NAME && found->file[len] != '\0')
		len++;
	memcpy(to, found->file, len);
	if (found->ordinal > 1) {
		size_t n = 0;

		for (uint32_t rest = found->ordinal; rest != 0; rest /= 10)
			digits[n++] = (char)('0' + rest % 10);
		to[len++] = ' ';
		to[len++] = '(';
		while (n != 0)
			to[len++] = digits[--n];
		to[len++] = ')';
	}
	to[len++] = '\0';
	return len;
}

static size_t length_of(const struct found *found)
{
	char name[MAX_NAME + MAX_SUFFIX];

	return put_file(found, name);
}

static void keep(struct namesakes *namesakes, const struct elf_source *source, struct found *found,
		 uint32_t n)
{
	size_t size = 0;
	char *to;

	source->sort(found, n, sizeof(*found), compare_files);
	for (uint32_t i = 1; i < n; i++)
		if (found[i].slot == found[i - 1].slot &&
		    compare_names(found[i].file, found[i - 1].file) == 0)
			found[i].ordinal =
				found[i - 1].ordinal + (found[i].entry != found[i - 1].entry);
	source->sort(found, n, sizeof(*found), compare_entries);
	for (uint32_t i = 0; i < n; i++)
		size += length_of(&found[i]);
	namesakes->all = source->allocate(n * sizeof(*namesakes->all));
	namesakes->files = to = source->allocate(size);
	if (namesakes->all == NULL || to == NULL)
		return;
	for (uint32_t i = 0; i < n; i++) {
		namesakes->all[namesakes->n++] = (struct namesake){ found[i].entry, to };
		to += put_file(&found[i], to);
	}
}

static void find_all(struct namesakes *namesakes, struct reading *reading)
{
	const struct elf_source *source = reading->source;
	uint32_t n;

	reading->mask = 1;
	while (reading->mask <= n_symbols(reading))
		reading->mask = 2 * reading->mask + 1;
	reading->mask = 2 * reading->mask + 1;
	reading->slots = source->allocate(((size_t)reading->mask + 1) * sizeof(*reading->slots));
	if (reading->slots == NULL)
		return;
	mark_shared(reading);
	n = collect(reading, NULL);
	if (n != 0) {
		struct found *found = source->allocate(n * sizeof(*found));

		if (found != NULL) {
			collect(reading, found);
			keep(namesakes, source, found, n);
			source->release(found);
		}
	}
	source->release(reading->slots);
}

void namesakes_read(struct namesakes *namesakes, const struct elf_source *source)
{
	struct reading reading = { .source = source };
	struct elf_section *sections;
	struct elf_header header;
	uint32_t i = 0;

	*namesakes = (struct namesakes){ .n = 0 };
	if (!elf_source_header(source, &header))
		return;
	sections = elf_source_sections(source, &header);
	if (sections == NULL)
		return;
	while (i < header.sections.n && sections[i].type != ELF_SECTION_SYMBOLS)
		i++;
	if (i < header.sections.n && sections[i].link < header.sections.n &&
	    elf_source_section(source, &sections[i], &reading.symbols) &&
	    elf_source_section(source, &sections[sections[i].link], &reading.names)) {
		reading.names.at[reading.names.size - 1] = '\0';
		find_all(namesakes, &reading);
	}
	elf_bytes_release(source, &reading.symbols);
	elf_bytes_release(source, &reading.names);
	source->release(sections);
}

void namesakes_release(struct namesakes *namesakes, const struct elf_source *source)
{
	if (namesakes->all != NULL)
		source->release(namesakes->all);
	if (namesakes->files != NULL)
		source->release(namesakes->files);
	*namesakes = (struct namesakes){ .n = 0 };
}

const char *namesakes_file(const struct namesakes *namesakes, uint64_t entry)
{
	size_t low = 0, high = namesakes->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (namesakes->all[middle].entry < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low < namesakes->n && namesakes->all[low].entry == entry ? namesakes->all[low].file
									: NULL;
}
