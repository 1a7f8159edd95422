/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * At first, only the unit of each range of code is known:
 *
 *	ranges, by their lowest address        units                 line tables
 *	1000 .. 1200   unit 0    --------->    0: first entry  --->  entries, by address
 *	1200 .. 1210   unit 2                  1:              --->  files, directories
 *	1210 .. 9000   unit 1                  2:              \
 *	                                            `------------->  inlined ranges, by their lowest address
 *
 * What is decoded later stays in the arena until the end.  Arrays of unknown size grow in a scratch buffer first.
 *
 * Ranges may overlap.  An address is in some of the ranges that begin at or before it; going back from the last of these,
 * the search can stop where no earlier range reaches the address ("reach" is the highest end up to there).
 *
 * As in the core, code belongs to the last row of a line program that begins at or before it, if that row reaches it; rows
 * of zero bytes do not count.  If two units or sequences overlap, the one that begins later wins: nothing says which is right.
 *
 * Tables that many units refer to are decoded once.  In damaged files they could overlap at every byte, so work is also
 * limited to a multiple of the sections' sizes ("budget").
 */
#include "tool/elf/dwarf.h"

#include "tool/elf/dwarfunit.h"
#include "writer/freestanding.h"

enum {
	CHUNK_SIZE = 1 << 16, /* bytes that are allocated at once */
	N_BUCKETS = 64,
	MAX_FRAMES = 256, /* functions inlined in each other */
	MAX_HOPS = 16,    /* references from an entry to the one with its name */
	MAX_NESTED = 64,  /* functions nested in each other */
	TIMES_READ = 4,   /* how often the bytes of a section may be read */
};

struct chunk {
	struct chunk *next;
	size_t used, size; /* bytes, header included */
};

struct abbreviation {
	uint64_t code, tag;
	struct debug_cursor attributes;
	uint32_t size; /* bytes of an entry's fields; VARIABLE_SIZE if it depends on them */
	bool has_children;
	bool has_sibling;
};

#define VARIABLE_SIZE UINT32_MAX

struct abbreviations {
	struct abbreviations *next;
	uint64_t offset;
	struct debug_format format;
	size_t n;
	struct abbreviation *items; /* by code */
};

/* size bytes from an address on. */
struct line_entry {
	uint64_t address;
	uint32_t size, line, file;
	uint32_t order; /* in the program */
};

struct line_directory {
	struct debug_name path; /* as in the table */
	struct debug_name full; /* as it is returned; empty until it is needed */
};

struct line_file {
	struct debug_name name;
	uint64_t directory;
};

struct line_table {
	struct line_table *next;
	struct line_unit unit;
	bool is_readable, has_entries, has_files; /* has_...: tried already */
	struct line_entry *entries;               /* by address */
	size_t n_entries;
	struct line_directory *directories;
	struct line_file *files;
	size_t n_directories, n_files;
	bool has_directory; /* where the compiler ran, from the first unit that refers to the table */
	struct debug_name directory;
};

struct inlinee {
	struct debug_field origin; /* which function; DEBUG_NOTHING if unknown */
	uint64_t function;         /* the entry of the function around, in .debug_info; 0: none */
	uint64_t call_file;
	uint32_t call_line;
	uint32_t depth; /* of its entry */
	bool has_name;  /* name has been looked up */
	struct debug_name name;
};

struct inlined_range {
	uint64_t low, high;
	uint64_t reach; /* the highest end of all up to this one */
	uint32_t inlinee;
};

struct unit {
	struct dwarf_unit about;
	struct dwarf_root root;
	struct file *file;
	struct line_table *lines;
	struct unit *split;                     /* the unit with its functions */
	bool has_lines, has_split, has_inlined; /* tried already */
	struct inlinee *inlinees;
	struct inlined_range *inlined;
	size_t n_inlinees, n_inlined;
};

/* The file itself, its alternate, or a file with split units. */
struct file {
	struct file *next;
	struct debug_sections sections;
	struct unit *units; /* by offset */
	size_t n_units;
	struct abbreviations *abbreviations[N_BUCKETS];
	struct line_table *lines[N_BUCKETS];
	uint64_t abbreviation_budget, line_budget; /* bytes */
};

struct unit_range {
	uint64_t low, high;
	uint64_t reach;
	uint32_t unit;
	bool is_guess; /* from the lines of a unit that does not say where its code is */
};

struct dwarf {
	struct dwarf_sources sources;
	const struct dwarf_memory *memory;
	struct chunk *chunks;
	struct file *own, *alternate, *splits;
	bool has_alternate; /* tried already */
	uint64_t range_budget;
	struct unit_range *ranges;
	size_t n_ranges;
	/* An array that is growing. */
	uint8_t *scratch;
	size_t scratch_size; /* bytes */
	struct dwarf_frame frames[MAX_FRAMES + 1];
};

/* --- memory -------------------------------------------------------------------------------- */

/* Zeroed memory that lives until the end; NULL if memory is refused. */
static void *take(struct dwarf *dwarf, size_t size)
{
	struct chunk *chunk = dwarf->chunks;
	void *taken;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + 15) / 16 * 16;
	if (chunk == NULL || chunk->size - chunk->used < size) {
		const size_t head = (sizeof(*chunk) + 15) / 16 * 16;
		const size_t least = size + head > CHUNK_SIZE ? size + head : CHUNK_SIZE;
		struct chunk *made = dwarf->memory->allocate(least);

		if (made == NULL)
			return NULL;
		made->size = least;
		made->used = head;
		/* An item with a chunk of its own leaves room in the previous chunk. */
		if (chunk != NULL && least > CHUNK_SIZE) {
			made->next = chunk->next;
			chunk->next = made;
		} else {
			made->next = chunk;
			dwarf->chunks = made;
		}
		chunk = made;
	}
	taken = (uint8_t *)chunk + chunk->used;
	chunk->used += size;
	return taken;
}

/* Item n of the scratch buffer, of size bytes each; NULL if memory is refused. */
static void *scratch_item(struct dwarf *dwarf, size_t n, size_t size)
{
	if ((n + 1) * size > dwarf->scratch_size) {
		const size_t larger = dwarf->scratch_size == 0 ? CHUNK_SIZE
							       : 2 * dwarf->scratch_size;
		uint8_t *made = dwarf->memory->allocate(larger);

		if (made == NULL)
			return NULL;
		if (dwarf->scratch != NULL) {
			memcpy(made, dwarf->scratch, n * size);
			dwarf->memory->release(dwarf->scratch);
		}
		dwarf->scratch = made;
		dwarf->scratch_size = larger;
	}
	return dwarf->scratch + n * size;
}

/* A copy of the first n items of the scratch buffer; NULL if there are none, or memory is refused. */
static void *keep_scratch(struct dwarf *dwarf, size_t n, size_t size)
{
	void *copy = n == 0 ? NULL : take(dwarf, n * size);

	if (copy != NULL)
		memcpy(copy, dwarf->scratch, n * size);
	return copy;
}

/* --- abbreviations ------------------------------------------------------------------------- */

static int by_code(const void *a, const void *b)
{
	const struct abbreviation *left = a, *right = b;

	return left->code < right->code ? -1 : left->code > right->code;
}

/* Reads the attributes of a declaration; the cursor moves past them. */
static void measure(struct abbreviation *abbreviation, struct debug_cursor *declarations,
		    struct debug_format format)
{
	struct dwarf_attribute_form attribute;

	while (dwarfunit_attribute(declarations, &attribute)) {
		const uint8_t size = debug_form_size(attribute.form, format);

		if (attribute.attribute == DWARF_AT_SIBLING)
			abbreviation->has_sibling = true;
		if (size == DEBUG_NO_SIZE || abbreviation->size > VARIABLE_SIZE / 2)
			abbreviation->size = VARIABLE_SIZE;
		else
			abbreviation->size += size;
	}
}

static void read_abbreviations(struct dwarf *dwarf, struct file *file, struct abbreviations *table)
{
	const struct debug_bytes bytes =
		debug_bytes_from(file->sections.abbreviations, table->offset);
	struct debug_cursor cursor = cursor_of(bytes);
	struct dwarf_declaration declaration;
	size_t n = 0;

	if (bytes.len > file->abbreviation_budget)
		cursor.left = file->abbreviation_budget;
	while (dwarfunit_declaration(&cursor, &declaration)) {
		struct abbreviation *item = scratch_item(dwarf, n, sizeof(*item));

		if (item == NULL)
			return;
		*item = (struct abbreviation){
			.code = declaration.code,
			.tag = declaration.tag,
			.attributes = declaration.attributes,
			.has_children = declaration.has_children,
		};
		measure(item, &cursor, table->format);
		n++;
	}
	file->abbreviation_budget -= file->abbreviation_budget < bytes.len - cursor.left
					     ? file->abbreviation_budget
					     : bytes.len - cursor.left;
	table->items = keep_scratch(dwarf, n, sizeof(*table->items));
	if (table->items == NULL)
		return;
	table->n = n;
	dwarf->memory->sort(table->items, n, sizeof(*table->items), by_code);
}

/* The table of a unit; NULL if memory is refused. */
static const struct abbreviations *abbreviations_of(struct dwarf *dwarf, const struct unit *unit)
{
	struct abbreviations **bucket =
		&unit->file->abbreviations[unit->about.declarations % N_BUCKETS];
	struct abbreviations *table;

	for (table = *bucket; table != NULL; table = table->next)
		if (table->offset == unit->about.declarations &&
		    table->format.version == unit->about.format.version &&
		    table->format.offset_size == unit->about.format.offset_size)
			return table;
	table = take(dwarf, sizeof(*table));
	if (table == NULL)
		return NULL;
	table->offset = unit->about.declarations;
	table->format = unit->about.format;
	table->next = *bucket;
	*bucket = table;
	read_abbreviations(dwarf, unit->file, table);
	return table;
}

static const struct abbreviation *find_abbreviation(const struct abbreviations *table,
						    uint64_t code)
{
	size_t low = 0, high = table->n;

	/* Compilers number them from 1. */
	if (code - 1 < table->n && table->items[code - 1].code == code)
		return &table->items[code - 1];
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (table->items[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->n && table->items[low].code == code ? &table->items[low] : NULL;
}

/* --- files and their units ----------------------------------------------------------------- */

static void read_root(struct dwarf *dwarf, struct unit *unit)
{
	struct debug_cursor entry = dwarfunit_entries(&unit->about, unit->about.root);
	const uint64_t code = cursor_unsigned(&entry);
	struct dwarf_declaration declaration;

	/* It is one of the first, except for units that share a table. */
	if (!dwarfunit_find(&unit->about, code, &declaration)) {
		const struct abbreviations *table = abbreviations_of(dwarf, unit);
		const struct abbreviation *found = table == NULL ? NULL
								 : find_abbreviation(table, code);

		declaration = (struct dwarf_declaration){ .code = code };
		if (found != NULL) {
			declaration.tag = found->tag;
			declaration.attributes = found->attributes;
		}
	}
	dwarfunit_root(&unit->about, entry, &declaration, &unit->root);
}

/* NULL if it has no units, or memory is refused. */
static struct file *open_file(struct dwarf *dwarf, const struct debug_sections *sections)
{
	struct file *file = take(dwarf, sizeof(*file));
	struct dwarf_unit about;
	uint64_t at = 0;
	size_t n = 0;

	if (file == NULL)
		return NULL;
	file->sections = *sections;
	file->abbreviation_budget = TIMES_READ * sections->abbreviations.len;
	file->line_budget = TIMES_READ * sections->lines.len;
	dwarf->range_budget += TIMES_READ * (sections->ranges.len + sections->range_lists.len);
	while (dwarfunit_next(&file->sections, &at, &about))
		n++;
	file->units = n == 0 ? NULL : take(dwarf, n * sizeof(*file->units));
	if (file->units == NULL)
		return NULL;
	at = 0;
	while (file->n_units < n && dwarfunit_next(&file->sections, &at, &about)) {
		struct unit *unit = &file->units[file->n_units++];

		unit->about = about;
		unit->file = file;
		if (dwarf->sources.alternate != NULL)
			unit->about.alternate_texts = dwarf->sources.alternate->strings;
		read_root(dwarf, unit);
	}
	return file;
}

/* The unit that an offset in .debug_info is in; NULL if there is none. */
static struct unit *unit_at(const struct file *file, uint64_t offset)
{
	size_t low = 0, high = file->n_units;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (file->units[middle].about.end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < file->n_units && file->units[low].about.offset <= offset ? &file->units[low]
									      : NULL;
}

static struct file *alternate_of(struct dwarf *dwarf)
{
	if (!dwarf->has_alternate && dwarf->sources.alternate != NULL)
		dwarf->alternate = open_file(dwarf, dwarf->sources.alternate);
	dwarf->has_alternate = true;
	return dwarf->alternate;
}

/* The split unit, in a file of its own, of a skeleton unit; NULL if it cannot be found. */
static struct unit *find_split(struct dwarf *dwarf, const struct unit *unit)
{
	const struct dwarf_split wanted = { unit->root.directory, unit->root.split_name,
					    unit->root.id };
	struct debug_sections sections = { .info = { NULL, 0 } };
	struct file *file;

	if (!dwarf->sources.split(dwarf->sources.ctx, &wanted, &sections))
		return NULL;
	for (file = dwarf->splits; file != NULL; file = file->next)
		if (file->sections.info.at == sections.info.at &&
		    file->sections.info.len == sections.info.len)
			break;
	if (file == NULL) {
		file = open_file(dwarf, &sections);
		if (file == NULL)
			return NULL;
		file->next = dwarf->splits;
		dwarf->splits = file;
	}
	for (size_t i = 0; i < file->n_units; i++) {
		struct unit *split = &file->units[i];

		if (split->root.tag == DWARF_COMPILE_UNIT && split->root.id == unit->root.id) {
			split->about.bases.program = &dwarf->own->sections;
			split->about.bases.addresses = unit->about.bases.addresses;
			split->about.bases.ranges = unit->root.ranges_base;
			split->root.extent = unit->root.extent;
			split->root.directory = unit->root.directory;
			split->root.has_directory = unit->root.has_directory;
			return split;
		}
	}
	return NULL;
}

/* The unit that holds the entries of a unit's functions: its split unit or itself. */
static struct unit *unit_of_functions(struct dwarf *dwarf, struct unit *unit)
{
	if (!unit->has_split && unit->root.is_skeleton && dwarf->sources.split != NULL)
		unit->split = find_split(dwarf, unit);
	unit->has_split = true;
	return unit->split != NULL ? unit->split : unit;
}

/* --- lines --------------------------------------------------------------------------------- */

/* The table of a unit, as far as it is known; NULL if there is none. */
static struct line_table *lines_of(struct dwarf *dwarf, struct unit *unit)
{
	struct file *file = unit->file;
	struct line_table **bucket = &file->lines[unit->root.lines % N_BUCKETS];
	struct line_table *table;
	uint64_t end;

	if (unit->has_lines || !unit->root.has_lines)
		return unit->lines;
	unit->has_lines = true;
	for (table = *bucket; table != NULL; table = table->next)
		if (table->unit.offset == unit->root.lines)
			break;
	if (table == NULL) {
		table = take(dwarf, sizeof(*table));
		if (table == NULL)
			return NULL;
		table->is_readable =
			lineprogram_unit(&file->sections, unit->root.lines, &end, &table->unit);
		table->next = *bucket;
		*bucket = table;
	}
	/* Type units may share it, but do not say where the compiler ran. */
	if (!table->has_directory && unit->root.has_directory) {
		table->has_directory = true;
		table->directory = unit->root.directory;
	}
	unit->lines = table;
	return table;
}

static int by_address(const void *a, const void *b)
{
	const struct line_entry *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->order < right->order ? -1 : left->order > right->order;
}

/* Adds the code from a row up to the next one; false if memory is refused. */
static bool add_entry(struct dwarf *dwarf, size_t *n, const struct line_row *row, uint64_t next)
{
	const uint64_t size = next < row->address ? 1 : next - row->address;
	struct line_entry *entry;

	if (size == 0)
		return true;
	entry = scratch_item(dwarf, *n, sizeof(*entry));
	if (entry == NULL)
		return false;
	if (*n > 0 && entry[-1].address + entry[-1].size == row->address &&
	    entry[-1].line == row->line && entry[-1].file == row->file &&
	    size < UINT32_MAX - entry[-1].size) {
		entry[-1].size += (uint32_t)size;
		return true;
	}
	*entry = (struct line_entry){
		.address = row->address,
		.size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
		.line = row->line,
		.file = row->file,
		.order = (uint32_t)*n,
	};
	++*n;
	return true;
}

/* Linkers give removed functions the address 0, where no code is: such sequences are dropped. */
static void read_entries(struct dwarf *dwarf, struct file *file, struct line_table *table)
{
	struct line_state machine = lineprogram_begin(&table->unit);
	struct line_row row, before = { .is_end = true };
	bool is_removed = false;
	size_t n = 0;

	table->has_entries = true;
	if (!table->is_readable || table->unit.program.len > file->line_budget)
		return;
	file->line_budget -= table->unit.program.len;
	while (lineprogram_next_row(&machine, &row)) {
		if (before.is_end)
			is_removed = row.address == 0;
		else if (!is_removed && !add_entry(dwarf, &n, &before, row.address))
			return;
		before = row;
	}
	table->entries = keep_scratch(dwarf, n, sizeof(*table->entries));
	if (table->entries == NULL)
		return;
	table->n_entries = n;
	dwarf->memory->sort(table->entries, n, sizeof(*table->entries), by_address);
}

static const struct line_entry *find_entry(const struct line_table *table, uint64_t address)
{
	size_t low = 0, high = table->n_entries;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (table->entries[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address - table->entries[low - 1].address >= table->entries[low - 1].size)
		return NULL;
	return &table->entries[low - 1];
}

/* Called twice: first to count, then to store. */
struct file_reader {
	struct line_table *table;
	size_t n_directories, n_files;
	bool is_counting;
};

static bool note_directory(void *ctx, const char *path, size_t len)
{
	struct file_reader *reader = ctx;

	if (!reader->is_counting && reader->n_directories < reader->table->n_directories)
		reader->table->directories[reader->n_directories].path =
			(struct debug_name){ path, len };
	reader->n_directories++;
	return true;
}

static bool note_file(void *ctx, uint64_t directory, const char *name, size_t len)
{
	struct file_reader *reader = ctx;

	if (!reader->is_counting && reader->n_files < reader->table->n_files)
		reader->table->files[reader->n_files] =
			(struct line_file){ { name, len }, directory };
	reader->n_files++;
	return true;
}

/* Of a damaged table, the part before the damage is used. */
static void read_files(struct dwarf *dwarf, struct file *file, struct line_table *table)
{
	struct file_reader counter = { .table = table, .is_counting = true };
	struct file_reader reader = { .table = table };
	const struct line_file_visitor counting = { &counter, note_directory, note_file };
	const struct line_file_visitor reading = { &reader, note_directory, note_file };

	table->has_files = true;
	if (!table->is_readable || table->unit.tables.len > file->line_budget)
		return;
	file->line_budget -= table->unit.tables.len;
	lineprogram_files(&table->unit, &counting);
	if (counter.n_directories > 0)
		table->directories =
			take(dwarf, counter.n_directories * sizeof(*table->directories));
	if (counter.n_files > 0)
		table->files = take(dwarf, counter.n_files * sizeof(*table->files));
	table->n_directories = table->directories == NULL ? 0 : counter.n_directories;
	table->n_files = table->files == NULL ? 0 : counter.n_files;
	lineprogram_files(&table->unit, &reading);
}

/* A directory as in the core: relative ones are appended to the compiler's, which is "." if unknown. */
static struct debug_name directory_of(struct dwarf *dwarf, struct line_table *table,
				      uint64_t number)
{
	const struct debug_name none = { "", 0 }, here = { ".", 1 };
	struct line_directory *directory;
	size_t len;
	char *chars;

	if (number >= table->n_directories)
		return none;
	directory = &table->directories[number];
	if (number == 0 && table->unit.version < 5)
		return table->has_directory ? table->directory : here;
	if (table->directory.len == 0 ||
	    (directory->path.len > 0 && directory->path.chars[0] == '/'))
		return directory->path;
	if (directory->full.len > 0)
		return directory->full;
	len = table->directory.len + 1 + directory->path.len;
	chars = take(dwarf, len + 1);
	if (chars == NULL)
		return none;
	memcpy(chars, table->directory.chars, table->directory.len);
	chars[table->directory.len] = '/';
	memcpy(chars + table->directory.len + 1, directory->path.chars, directory->path.len);
	directory->full = (struct debug_name){ chars, len };
	return directory->full;
}

/* A place in a file of a table; false, with an empty file and line 0, if there is no such file. */
static bool set_place(struct dwarf *dwarf, struct file *file, struct line_table *table,
		      uint64_t number, uint32_t line, struct dwarf_place *place)
{
	const struct debug_name none = { "", 0 };
	const struct line_file *found;

	*place = (struct dwarf_place){ none, none, 0 };
	if (table == NULL)
		return false;
	if (!table->has_files)
		read_files(dwarf, file, table);
	if (number >= table->n_files || table->files[number].name.len == 0)
		return false;
	found = &table->files[number];
	*place = (struct dwarf_place){ none, found->name, line };
	if (found->name.chars[0] != '/')
		place->directory = directory_of(dwarf, table, found->directory);
	return true;
}

/* --- units by address ---------------------------------------------------------------------- */

/* Collects ranges in the scratch buffer. */
struct range_reader {
	struct dwarf *dwarf;
	size_t n;
	uint32_t owner; /* the unit, or the inlinee */
	bool is_guess, is_refused;
};

static bool note_unit_range(void *ctx, uint64_t low, uint64_t high)
{
	struct range_reader *reader = ctx;
	struct unit_range *range = scratch_item(reader->dwarf, reader->n, sizeof(*range));

	if (range == NULL) {
		reader->is_refused = true;
		return false;
	}
	*range = (struct unit_range){
		.low = low, .high = high, .unit = reader->owner, .is_guess = reader->is_guess
	};
	reader->n++;
	return true;
}

static bool has_extent(const struct dwarf_extent *extent)
{
	return extent->ranges.kind != DEBUG_NOTHING || (extent->has_low && extent->has_high);
}

static void spend_ranges(struct dwarf *dwarf, uint64_t bytes)
{
	dwarf->range_budget -= bytes < dwarf->range_budget ? bytes : dwarf->range_budget;
}

/*
 * The code of a unit that does not say where it is, is where its lines are.  These are read before any range, since both use
 * the scratch buffer.
 */
static void note_line_ranges(struct range_reader *reader, const struct line_table *table)
{
	reader->is_guess = true;
	for (size_t i = 0; i < table->n_entries && !reader->is_refused;) {
		const uint64_t low = table->entries[i].address;
		uint64_t high = low;

		for (; i < table->n_entries && table->entries[i].address <= high; i++)
			if (table->entries[i].address + table->entries[i].size > high)
				high = table->entries[i].address + table->entries[i].size;
		note_unit_range(reader, low, high);
	}
	reader->is_guess = false;
}

static int by_low(const void *a, const void *b)
{
	const struct unit_range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->unit < right->unit ? -1 : left->unit > right->unit;
}

static void read_unit_ranges(struct dwarf *dwarf)
{
	struct file *file = dwarf->own;
	struct range_reader reader = { .dwarf = dwarf };
	uint64_t reach = 0;

	for (size_t i = 0; i < file->n_units; i++) {
		struct unit *unit = &file->units[i];
		struct line_table *table;

		if (has_extent(&unit->root.extent) || unit->about.kind == DWARF_UNIT_TYPE)
			continue;
		table = lines_of(dwarf, unit);
		if (table != NULL && !table->has_entries)
			read_entries(dwarf, file, table);
	}
	for (size_t i = 0; i < file->n_units && !reader.is_refused; i++) {
		struct unit *unit = &file->units[i];

		reader.owner = (uint32_t)i;
		if (!has_extent(&unit->root.extent)) {
			if (unit->lines != NULL)
				note_line_ranges(&reader, unit->lines);
		} else if (unit->root.extent.ranges.kind == DEBUG_NOTHING ||
			   dwarf->range_budget > 0) {
			spend_ranges(dwarf, dwarfunit_ranges(&unit->about, &unit->root.extent,
							     unit->root.extent.low, note_unit_range,
							     &reader));
		}
	}
	dwarf->ranges = keep_scratch(dwarf, reader.n, sizeof(*dwarf->ranges));
	if (dwarf->ranges == NULL)
		return;
	dwarf->n_ranges = reader.n;
	dwarf->memory->sort(dwarf->ranges, dwarf->n_ranges, sizeof(*dwarf->ranges), by_low);
	for (size_t i = 0; i < dwarf->n_ranges; i++) {
		if (dwarf->ranges[i].high > reach)
			reach = dwarf->ranges[i].high;
		dwarf->ranges[i].reach = reach;
	}
}

/* The number of ranges that begin at or before an address. */
static size_t n_ranges_until(const struct dwarf *dwarf, uint64_t address)
{
	size_t low = 0, high = dwarf->n_ranges;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (dwarf->ranges[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A unit's line for an address; NULL if it has none. */
static const struct line_entry *line_of(struct dwarf *dwarf, struct unit *unit, uint64_t address)
{
	struct line_table *table = lines_of(dwarf, unit);

	if (table == NULL)
		return NULL;
	if (!table->has_entries)
		read_entries(dwarf, unit->file, table);
	return find_entry(table, address);
}

/* The unit of an address, and its line there; NULL if none has one. */
static struct unit *unit_of(struct dwarf *dwarf, uint64_t address, const struct line_entry **entry)
{
	const size_t n = n_ranges_until(dwarf, address);
	struct unit *guess = NULL;

	for (size_t i = n; i-- > 0 && dwarf->ranges[i].reach > address;) {
		const struct unit_range *range = &dwarf->ranges[i];
		struct unit *unit = &dwarf->own->units[range->unit];
		const struct line_entry *found;

		if (range->high <= address || (range->is_guess && guess != NULL))
			continue;
		found = line_of(dwarf, unit, address);
		if (found == NULL)
			continue;
		*entry = found;
		if (!range->is_guess)
			return unit;
		guess = unit;
	}
	/* As in the core, which searches lines only: a line may reach code that is in no unit. */
	if (guess == NULL && n > 0) {
		guess = &dwarf->own->units[dwarf->ranges[n - 1].unit];
		*entry = line_of(dwarf, guess, address);
		if (*entry == NULL)
			return NULL;
	}
	return guess;
}

/* --- inlined functions --------------------------------------------------------------------- */

/* An entry that may have code, or contain entries that have. */
struct entry {
	const struct abbreviation *abbreviation;
	struct dwarf_extent extent;
	struct debug_field origin;
	uint64_t call_file, call_line;
	uint64_t sibling; /* offset in .debug_info; 0: unknown */
};

/* The target of a reference, in .debug_info of the same file; 0: none. */
static uint64_t target_of(const struct unit *unit, const struct debug_field *field)
{
	if (field->kind == DEBUG_UNIT_REFERENCE)
		return unit->about.offset + field->number;
	return field->kind == DEBUG_REFERENCE ? field->number : 0;
}

static void read_entry(const struct unit *unit, struct debug_cursor *cursor, struct entry *entry)
{
	struct debug_cursor attributes = entry->abbreviation->attributes;
	struct dwarf_attribute_form attribute;

	while (dwarfunit_attribute(&attributes, &attribute)) {
		const struct debug_field field = dwarfunit_field(&unit->about, cursor, &attribute);

		switch (attribute.attribute) {
		case DWARF_AT_SIBLING:
			entry->sibling = target_of(unit, &field);
			break;
		case DWARF_AT_ORIGIN:
			entry->origin = field;
			break;
		case DWARF_AT_CALL_FILE:
			entry->call_file = field.number;
			break;
		case DWARF_AT_CALL_LINE:
			entry->call_line = field.number;
			break;
		default:
			dwarfunit_extent(&unit->about, attribute.attribute, &field, &entry->extent);
			break;
		}
	}
}

/* True if entries with this tag may contain inlined functions. */
static bool has_functions(uint64_t tag)
{
	enum { TRY_BLOCK = 0x32, CATCH_BLOCK = 0x25, WITH_STATEMENT = 0x22 };

	switch (tag) {
	case DWARF_LEXICAL_BLOCK:
	case DWARF_COMPILE_UNIT:
	case DWARF_INLINED_SUBROUTINE:
	case DWARF_MODULE:
	case DWARF_SUBPROGRAM:
	case DWARF_NAMESPACE:
	case DWARF_PARTIAL_UNIT:
	case DWARF_SKELETON_UNIT:
	case TRY_BLOCK:
	case CATCH_BLOCK:
	case WITH_STATEMENT:
		return true;
	default:
		return false;
	}
}

/* The functions around an entry. */
struct around {
	unsigned n;
	struct {
		uint64_t entry; /* its offset */
		uint32_t depth;
	} functions[MAX_NESTED];
};

/* Collects inlined functions while a unit's entries are read. */
struct inlined_reader {
	struct dwarf *dwarf;
	struct range_reader ranges; /* in the scratch buffer */
	struct inlinee *inlinees;   /* in memory of their own */
	size_t n, room;
};

static bool note_inlined_range(void *ctx, uint64_t low, uint64_t high)
{
	struct range_reader *reader = ctx;
	struct inlined_range *range = scratch_item(reader->dwarf, reader->n, sizeof(*range));

	if (range == NULL) {
		reader->is_refused = true;
		return false;
	}
	*range = (struct inlined_range){ .low = low, .high = high, .inlinee = reader->owner };
	reader->n++;
	return true;
}

static bool has_room(struct inlined_reader *reader)
{
	const size_t room = reader->room == 0 ? 256 : 2 * reader->room;
	struct inlinee *made;

	if (reader->n < reader->room)
		return true;
	made = reader->n >= UINT32_MAX ? NULL
				       : reader->dwarf->memory->allocate(room * sizeof(*made));
	if (made == NULL)
		return false;
	if (reader->inlinees != NULL) {
		memcpy(made, reader->inlinees, reader->n * sizeof(*made));
		reader->dwarf->memory->release(reader->inlinees);
	}
	reader->inlinees = made;
	reader->room = room;
	return true;
}

static void note_inlinee(struct inlined_reader *reader, const struct unit *unit,
			 const struct entry *entry, uint64_t function, uint32_t depth)
{
	const size_t n_before = reader->ranges.n;

	if (!has_room(reader)) {
		reader->ranges.is_refused = true;
		return;
	}
	reader->ranges.owner = (uint32_t)reader->n;
	if (entry->extent.ranges.kind == DEBUG_NOTHING || reader->dwarf->range_budget > 0)
		spend_ranges(reader->dwarf,
			     dwarfunit_ranges(&unit->about, &entry->extent, unit->root.extent.low,
					      note_inlined_range, &reader->ranges));
	if (reader->ranges.n == n_before)
		return;
	reader->inlinees[reader->n++] = (struct inlinee){
		.origin = entry->origin,
		.function = function,
		.call_file = entry->call_file,
		.call_line = entry->call_line > UINT32_MAX ? 0 : (uint32_t)entry->call_line,
		.depth = depth,
	};
}

/* Skips to an entry's sibling if the entry says where it is. */
static void skip_children(const struct unit *unit, struct debug_cursor *cursor, uint64_t sibling,
			  uint32_t *depth)
{
	const uint64_t here = unit->about.end - cursor->left;

	if (sibling > here && sibling < unit->about.end) {
		cursor_bytes(cursor, sibling - here);
		--*depth;
	}
}

/* Reads all entries of a unit in order.  An entry's children follow it, and then a code of 0. */
static void read_entries_of_unit(struct inlined_reader *reader, const struct unit *unit,
				 const struct abbreviations *table)
{
	struct debug_cursor cursor = dwarfunit_entries(&unit->about, unit->about.root);
	struct around around = { .n = 0 };
	uint32_t depth = 0;

	while (cursor.left > 0 && !reader->ranges.is_refused) {
		const uint64_t offset = unit->about.end - cursor.left;
		const uint64_t code = cursor_unsigned(&cursor);
		struct entry entry = { .sibling = 0 };
		uint64_t tag;

		if (code == 0) {
			if (depth <= 1)
				return;
			depth--;
			continue;
		}
		entry.abbreviation = find_abbreviation(table, code);
		if (entry.abbreviation == NULL)
			return;
		tag = entry.abbreviation->tag;
		while (around.n > 0 && around.functions[around.n - 1].depth >= depth)
			around.n--;
		/* Most entries are variables and types. */
		if (tag != DWARF_INLINED_SUBROUTINE && !entry.abbreviation->has_sibling &&
		    entry.abbreviation->size != VARIABLE_SIZE)
			cursor_bytes(&cursor, entry.abbreviation->size);
		else
			read_entry(unit, &cursor, &entry);
		if (tag == DWARF_SUBPROGRAM && around.n < MAX_NESTED) {
			around.functions[around.n].entry = offset;
			around.functions[around.n++].depth = depth;
		} else if (tag == DWARF_INLINED_SUBROUTINE) {
			note_inlinee(reader, unit, &entry,
				     around.n == 0 ? 0 : around.functions[around.n - 1].entry,
				     depth);
		}
		if (entry.abbreviation->has_children) {
			depth++;
			if (!has_functions(tag))
				skip_children(unit, &cursor, entry.sibling, &depth);
		} else if (depth == 0) {
			return;
		}
	}
}

static int by_inlined_low(const void *a, const void *b)
{
	const struct inlined_range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->inlinee < right->inlinee ? -1 : left->inlinee > right->inlinee;
}

static void read_inlined(struct dwarf *dwarf, struct unit *unit)
{
	struct inlined_reader reader = { .dwarf = dwarf, .ranges = { .dwarf = dwarf } };
	const struct abbreviations *table = abbreviations_of(dwarf, unit);

	unit->has_inlined = true;
	if (table == NULL)
		return;
	read_entries_of_unit(&reader, unit, table);
	if (reader.n > 0) {
		unit->inlined = keep_scratch(dwarf, reader.ranges.n, sizeof(*unit->inlined));
		unit->inlinees = take(dwarf, reader.n * sizeof(*unit->inlinees));
	}
	if (unit->inlined != NULL && unit->inlinees != NULL) {
		uint64_t reach = 0;

		memcpy(unit->inlinees, reader.inlinees, reader.n * sizeof(*unit->inlinees));
		unit->n_inlinees = reader.n;
		unit->n_inlined = reader.ranges.n;
		dwarf->memory->sort(unit->inlined, unit->n_inlined, sizeof(*unit->inlined),
				    by_inlined_low);
		for (size_t i = 0; i < unit->n_inlined; i++) {
			if (unit->inlined[i].high > reach)
				reach = unit->inlined[i].high;
			unit->inlined[i].reach = reach;
		}
	}
	if (reader.inlinees != NULL)
		dwarf->memory->release(reader.inlinees);
}

/*
 * The name of the function of an entry: its own, or the name of an entry that it refers to, which may be in another unit
 * (link-time optimization) or another file (dwz).  Empty if there is none.
 */
static struct debug_name name_of(struct dwarf *dwarf, const struct file *file, uint64_t offset)
{
	const struct debug_name none = { "", 0 };

	for (unsigned hop = 0; hop < MAX_HOPS && file != NULL; hop++) {
		const struct unit *unit = unit_at(file, offset);
		const struct abbreviations *table;
		const struct abbreviation *abbreviation;
		struct debug_cursor cursor, attributes;
		struct debug_field next = { .kind = DEBUG_NOTHING };
		struct dwarf_attribute_form attribute;

		table = unit == NULL ? NULL : abbreviations_of(dwarf, unit);
		if (table == NULL)
			return none;
		cursor = dwarfunit_entries(&unit->about, offset);
		abbreviation = find_abbreviation(table, cursor_unsigned(&cursor));
		if (abbreviation == NULL)
			return none;
		attributes = abbreviation->attributes;
		while (dwarfunit_attribute(&attributes, &attribute)) {
			const struct debug_field field =
				dwarfunit_field(&unit->about, &cursor, &attribute);

			if (attribute.attribute == DWARF_AT_NAME)
				return dwarfunit_text(&unit->about, &field, UINT64_MAX);
			if (attribute.attribute == DWARF_AT_ORIGIN ||
			    attribute.attribute == DWARF_AT_SPECIFICATION)
				next = field;
		}
		offset = target_of(unit, &next);
		if (next.kind == DEBUG_ALTERNATE_REFERENCE) {
			file = alternate_of(dwarf);
			offset = next.number;
		}
	}
	return none;
}

/* The core's words for missing names. */
static struct debug_name name_of_inlinee(struct dwarf *dwarf, const struct unit *unit,
					 struct inlinee *inlinee)
{
	static const char no_origin[] = "UnknownInlinedFun", no_name[] = "AbsOriFnNameNotFound";

	if (inlinee->has_name)
		return inlinee->name;
	inlinee->has_name = true;
	if (inlinee->origin.kind == DEBUG_ALTERNATE_REFERENCE) {
		const struct file *alternate = alternate_of(dwarf);

		if (alternate != NULL)
			inlinee->name = name_of(dwarf, alternate, inlinee->origin.number);
	} else if (inlinee->origin.kind != DEBUG_NOTHING) {
		inlinee->name = name_of(dwarf, unit->file, target_of(unit, &inlinee->origin));
	}
	if (inlinee->name.len == 0)
		inlinee->name = inlinee->origin.kind == DEBUG_NOTHING
					? (struct debug_name){ no_origin, sizeof(no_origin) - 1 }
					: (struct debug_name){ no_name, sizeof(no_name) - 1 };
	return inlinee->name;
}

/* The functions inlined at an address, innermost first; of several at one depth the first one. */
static size_t find_inlined(const struct unit *unit, uint64_t address, struct inlinee **found)
{
	size_t low = 0, high = unit->n_inlined, n = 0;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (unit->inlined[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && unit->inlined[low].reach > address) {
		struct inlinee *inlinee = &unit->inlinees[unit->inlined[low].inlinee];
		size_t at = n;

		if (unit->inlined[low].high <= address)
			continue;
		while (at > 0 && found[at - 1]->depth < inlinee->depth)
			at--;
		if (at > 0 && found[at - 1]->depth == inlinee->depth) {
			found[at - 1] = inlinee;
		} else if (n < MAX_FRAMES) {
			for (size_t i = n++; i > at; i--)
				found[i] = found[i - 1];
			found[at] = inlinee;
		}
	}
	return n;
}

/* --- the interface ------------------------------------------------------------------------- */

struct dwarf *dwarf_open(const struct dwarf_sources *sources)
{
	struct dwarf *dwarf = sources->memory->allocate(sizeof(*dwarf));

	if (dwarf == NULL)
		return NULL;
	dwarf->sources = *sources;
	dwarf->memory = sources->memory;
	dwarf->own = open_file(dwarf, sources->own);
	if (dwarf->own == NULL) {
		dwarf_close(dwarf);
		return NULL;
	}
	read_unit_ranges(dwarf);
	return dwarf;
}

void dwarf_close(struct dwarf *dwarf)
{
	void (*release)(void *memory) = dwarf->memory->release;
	struct chunk *next;

	for (struct chunk *chunk = dwarf->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		release(chunk);
	}
	if (dwarf->scratch != NULL)
		release(dwarf->scratch);
	release(dwarf);
}

unsigned dwarf_version(const struct dwarf *dwarf)
{
	return dwarf->own->units[0].about.format.version;
}

bool dwarf_line(struct dwarf *dwarf, uint64_t address, struct dwarf_place *place)
{
	const struct line_entry *entry;
	struct unit *unit = unit_of(dwarf, address, &entry);

	return unit != NULL &&
	       set_place(dwarf, unit->file, unit->lines, entry->file, entry->line, place);
}

size_t dwarf_inlined(struct dwarf *dwarf, uint64_t address, const struct dwarf_frame **frames)
{
	const struct line_entry *entry;
	struct unit *unit = unit_of(dwarf, address, &entry), *functions;
	struct inlinee *inlinees[MAX_FRAMES];
	struct line_table *table;
	struct file *file;
	size_t n;

	*frames = dwarf->frames;
	if (unit == NULL)
		return 0;
	functions = unit_of_functions(dwarf, unit);
	if (!functions->has_inlined)
		read_inlined(dwarf, functions);
	n = find_inlined(functions, address, inlinees);
	if (n == 0)
		return 0;
	set_place(dwarf, unit->file, unit->lines, entry->file, entry->line,
		  &dwarf->frames[0].place);
	/* A split unit has its own table of files, or uses the skeleton's. */
	table = lines_of(dwarf, functions);
	file = functions->file;
	if (table == NULL) {
		table = unit->lines;
		file = unit->file;
	}
	for (size_t i = 0; i < n; i++) {
		dwarf->frames[i].function = name_of_inlinee(dwarf, functions, inlinees[i]);
		set_place(dwarf, file, table, inlinees[i]->call_file, inlinees[i]->call_line,
			  &dwarf->frames[i + 1].place);
	}
	dwarf->frames[n].function = name_of(dwarf, functions->file, inlinees[n - 1]->function);
	return n + 1;
}
