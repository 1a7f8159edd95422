/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file's parts are searched for once, when the first question needs them.  All of them stay mapped until the close,
 * since names and lines are borrowed from them.  Only compressed sections are copied.
 */
#include "tool/elf/debugfile.h"

#include "tool/elf/dwarfunit.h"
#include "tool/elf/elfobject.h"
#include "tool/elf/symbolindex.h"
#include "writer/freestanding.h"

enum {
	MAX_PATH = 4096,
	BUILD_ID_MAX = 64, /* bytes */
	NOTE_ALIGNMENT = 4,
	COMPRESSION_HEADER_SIZE = 24, /* kind, nothing, size, alignment */
	OLD_COMPRESSION_HEADER_SIZE = 12,
	PACKAGE_VERSION_GNU = 2,
};

static const char system_folder[] = "/usr/lib/debug";

/* One ELF file. */
struct part {
	struct elfobject object;
	struct debug_bytes bytes; /* of the whole file */
	void *handle;             /* of the mapping */
	char *path;               /* NULL: none, and only the main file can be open without one */
	bool is_open, is_mapped;
};

/* A .dwo, or the path of a missing one. */
struct split_file {
	struct split_file *next;
	struct part part;
	struct debug_sections sections;
	char *path; /* where it was searched for */
};

/* Memory to be released at the close. */
struct kept {
	struct kept *next;
	void *memory;
};

struct debugfile {
	const struct debugfile_world *world;
	struct part main, separate, alternate, packages[2], mini;
	struct debug_sections own_sections, alternate_sections, package_sections[2];
	struct debug_bytes package_index[2]; /* .debug_cu_index */
	struct split_file *splits;
	struct kept *kept;
	struct symbol_index symbols;
	struct dwarf *dwarf;
	struct debugfile_facts facts;
	bool has_looked_for_separate, has_read_sections, has_read_symbols, has_read_dwarf,
		has_looked_for_packages;
};

/* --- memory and texts ---------------------------------------------------------------------- */

/* Memory that lives as long as the file. */
static bool keep(struct debugfile *file, void *memory)
{
	struct kept *kept = file->world->memory->allocate(sizeof(*kept));

	if (kept == NULL) {
		file->world->memory->release(memory);
		return false;
	}
	*kept = (struct kept){ file->kept, memory };
	file->kept = kept;
	return true;
}

static size_t length_of(const char *text)
{
	size_t len = 0;

	while (text[len] != '\0')
		len++;
	return len;
}

/* A copy that lives as long as the file; NULL if memory is refused. */
static char *copy_text(struct debugfile *file, const char *text)
{
	const size_t size = length_of(text) + 1;
	char *copy = file->world->memory->allocate(size);

	if (copy == NULL || !keep(file, copy))
		return NULL;
	memcpy(copy, text, size);
	return copy;
}

/* A path that is being put together; fails if it gets too long. */
struct path {
	char chars[MAX_PATH];
	size_t len;
	bool is_cut;
};

static void add_chars(struct path *path, const char *chars, size_t len)
{
	if (len >= sizeof(path->chars) - path->len) {
		path->is_cut = true;
		return;
	}
	memcpy(path->chars + path->len, chars, len);
	path->len += len;
	path->chars[path->len] = '\0';
}

static void add_text(struct path *path, const char *text)
{
	add_chars(path, text, length_of(text));
}

static void begin_path(struct path *path)
{
	path->len = 0;
	path->is_cut = false;
	path->chars[0] = '\0';
}

/* Length of a path up to the slash before its last part; 0 if there is none, or it is the root. */
static size_t folder_length(const char *path)
{
	size_t len = length_of(path);

	while (len > 0 && path[len - 1] != '/')
		len--;
	return len > 0 ? len - 1 : 0;
}

/* Adds the folder of a path and a slash, if it has a folder. */
static void add_folder(struct path *to, const char *path)
{
	const size_t len = folder_length(path);

	add_chars(to, path, len);
	if (path[len] == '/')
		add_text(to, "/");
}

/* --- files --------------------------------------------------------------------------------- */

static void close_part(const struct debugfile *file, struct part *part)
{
	if (part->is_mapped)
		file->world->unmap(file->world->ctx, part->bytes, part->handle);
	*part = (struct part){ .path = NULL };
}

/* Opens the file at a path; false, and the part stays closed, if it is not an ELF file of this architecture. */
static bool open_part(struct debugfile *file, const struct path *path, struct part *part)
{
	if (path->is_cut || path->len == 0)
		return false;
	*part = (struct part){ .path = NULL };
	if (!file->world->map(file->world->ctx, path->chars, &part->bytes, &part->handle))
		return false;
	part->is_mapped = true;
	if (elfobject_open(&part->object, part->bytes.at, part->bytes.len)) {
		part->path = copy_text(file, path->chars);
		part->is_open = part->path != NULL;
	}
	if (!part->is_open)
		close_part(file, part);
	return part->is_open;
}

static const char *section_name(const struct elfobject *object, const struct elf_section *section)
{
	return elfobject_text(object, object->header.section_names, section->name);
}

/* The bytes of a section in the file. */
static struct debug_bytes raw_bytes(const struct elfobject *object,
				    const struct elf_section *section)
{
	if (!section->is_in_file)
		return (struct debug_bytes){ NULL, 0 };
	return (struct debug_bytes){ object->bytes + section->offset, section->size };
}

static struct debug_bytes find_raw(const struct elfobject *object, const char *name)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++)
		if (elfobject_is_same(section_name(object, &section), name))
			return raw_bytes(object, &section);
	return (struct debug_bytes){ NULL, 0 };
}

static void note_obstacle(struct debugfile *file, enum debug_obstacle obstacle, const char *name)
{
	if (file->facts.obstacle != DEBUG_NO_OBSTACLE)
		return;
	file->facts.obstacle = obstacle;
	file->facts.obstacle_section = copy_text(file, name);
}

/* The contents of a section, decompressed; none if they cannot be read. */
static struct debug_bytes read_section(struct debugfile *file, const struct elfobject *object,
				       const struct elf_section *section)
{
	const char *name = section_name(object, section);
	const struct debug_bytes raw = raw_bytes(object, section);
	enum debug_obstacle obstacle = DEBUG_DAMAGED;
	uint32_t kind = COMPRESSION_ZLIB;
	uint64_t header_size = OLD_COMPRESSION_HEADER_SIZE, size = 0;
	uint8_t *contents = NULL;

	if ((section->flags & ELF_SECTION_COMPRESSED) != 0) {
		header_size = COMPRESSION_HEADER_SIZE;
		if (raw.len >= header_size) {
			kind = read_32(raw.at);
			size = read_64(raw.at + 8);
		}
	} else if (name[0] == '.' && name[1] == 'z') {
		if (raw.len >= header_size && read_32(raw.at) == 0x42494c5a) /* Z L I B */
			for (unsigned i = 4; i < OLD_COMPRESSION_HEADER_SIZE; i++)
				size = size << 8 | raw.at[i];
	} else {
		return raw;
	}
	if (raw.len > header_size)
		obstacle = compressed_read(
			kind, (struct debug_bytes){ raw.at + header_size, raw.len - header_size },
			size, file->world->memory, &contents);
	if (contents != NULL && !keep(file, contents)) {
		contents = NULL;
		obstacle = DEBUG_NO_MEMORY;
	}
	if (obstacle != DEBUG_NO_OBSTACLE)
		note_obstacle(file, obstacle, name);
	return (struct debug_bytes){ contents, contents == NULL ? 0 : size };
}

/* The place in debug_sections for a suffix of .debug_ or .zdebug_; NULL if there is none. */
static struct debug_bytes *place_of(struct debug_sections *sections, const char *name)
{
	const struct {
		const char *name;
		struct debug_bytes *bytes;
	} places[] = {
		{ "line", &sections->lines },
		{ "info", &sections->info },
		{ "abbrev", &sections->abbreviations },
		{ "str", &sections->strings },
		{ "line_str", &sections->line_strings },
		{ "str_offsets", &sections->string_offsets },
		{ "addr", &sections->addresses },
		{ "ranges", &sections->ranges },
		{ "rnglists", &sections->range_lists },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t len = 0;

		while (places[i].name[len] != '\0' && places[i].name[len] == name[len])
			len++;
		if (places[i].name[len] != '\0')
			continue;
		if (name[len] == '\0' || elfobject_is_same(name + len, ".dwo"))
			return places[i].bytes;
	}
	return NULL;
}

static bool ends_in_dwo(const char *name)
{
	const size_t len = length_of(name);

	return len > 4 && elfobject_is_same(name + len - 4, ".dwo");
}

/* The suffix of a name that begins with .debug_ or .zdebug_; NULL for others. */
static const char *debug_suffix(const char *name)
{
	static const char beginning[] = ".debug_";
	size_t skipped = name[0] == '.' && name[1] == 'z' ? 1 : 0;

	for (size_t i = 0; i < sizeof(beginning) - 1; i++)
		if (name[i == 0 ? 0 : i + skipped] != beginning[i])
			return NULL;
	return name + sizeof(beginning) - 1 + skipped;
}

/* Reads the debug sections of a file: either those whose names end in .dwo, or the others. */
static void read_sections(struct debugfile *file, const struct elfobject *object, bool is_split,
			  struct debug_sections *sections)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++) {
		const char *name = section_name(object, &section);
		const char *suffix = debug_suffix(name);
		struct debug_bytes *place;

		if (suffix == NULL || ends_in_dwo(suffix) != is_split)
			continue;
		place = place_of(sections, suffix);
		/* A .dwo has type units in sections of their own, before the section of the unit itself. */
		if (place != NULL && (place->len == 0 || (is_split && place == &sections->info)))
			*place = read_section(file, object, &section);
	}
}

/* True if a file has debug information, whether or not it can be decompressed. */
static bool has_debug(const struct elfobject *object)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++) {
		const char *suffix = debug_suffix(section_name(object, &section));

		if (suffix != NULL && section.is_in_file && section.size > 0 &&
		    (elfobject_is_same(suffix, "info") || elfobject_is_same(suffix, "line")))
			return true;
	}
	return false;
}

static bool has_table(const struct elfobject *object, uint32_t type)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++)
		if (section.type == type && section.is_in_file && section.size > 0)
			return true;
	return false;
}

/* --- which file belongs to which ----------------------------------------------------------- */

static struct debug_bytes build_id_of(const struct elfobject *object)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++) {
		const struct debug_bytes notes = section.type == ELF_SECTION_NOTES
							 ? raw_bytes(object, &section)
							 : (struct debug_bytes){ NULL, 0 };
		const uint8_t *id;
		const size_t size = elf_build_id(notes.at, notes.len, NOTE_ALIGNMENT, &id);

		if (size > 0 && size <= BUILD_ID_MAX)
			return (struct debug_bytes){ id, size };
	}
	return (struct debug_bytes){ NULL, 0 };
}

static bool is_same_bytes(struct debug_bytes left, struct debug_bytes right)
{
	for (uint64_t i = 0; i < left.len && left.len == right.len; i++)
		if (left.at[i] != right.at[i])
			return false;
	return left.len == right.len;
}

/* The checksum of .gnu_debuglink: the CRC-32 of zlib and Ethernet. */
static uint32_t checksum_of(struct debug_bytes bytes)
{
	uint32_t table[256], sum = ~UINT32_C(0);

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = (table[i] & 1) != 0 ? table[i] >> 1 ^ 0xedb88320 : table[i] >> 1;
	}
	for (uint64_t i = 0; i < bytes.len; i++)
		sum = table[(sum ^ bytes.at[i]) & 255] ^ sum >> 8;
	return ~sum;
}

/* How to recognise the right file. */
struct wanted {
	struct debug_bytes build_id; /* or none */
	uint32_t checksum;
	bool has_checksum;
};

static bool is_wanted(const struct part *part, const struct wanted *wanted)
{
	const struct debug_bytes id = build_id_of(&part->object);

	if (wanted->build_id.len > 0 && id.len > 0)
		return is_same_bytes(id, wanted->build_id);
	return wanted->has_checksum && checksum_of(part->bytes) == wanted->checksum;
}

static bool open_wanted(struct debugfile *file, const struct path *path,
			const struct wanted *wanted, struct part *part)
{
	if (!open_part(file, path, part))
		return false;
	if (is_wanted(part, wanted))
		return true;
	close_part(file, part);
	return false;
}

static void add_hex(struct path *path, struct debug_bytes bytes)
{
	static const char digits[] = "0123456789abcdef";

	for (uint64_t i = 0; i < bytes.len; i++) {
		add_chars(path, &digits[bytes.at[i] >> 4], 1);
		add_chars(path, &digits[bytes.at[i] & 15], 1);
	}
}

/* FOLDER/.build-id/XX/YYYY.debug */
static bool open_by_id(struct debugfile *file, const char *folder, const struct wanted *wanted,
		       struct part *part)
{
	const struct debug_bytes id = wanted->build_id;
	struct path path;

	if (id.len < 2 || folder == NULL)
		return false;
	begin_path(&path);
	add_text(&path, folder);
	add_text(&path, "/.build-id/");
	add_hex(&path, (struct debug_bytes){ id.at, 1 });
	add_text(&path, "/");
	add_hex(&path, (struct debug_bytes){ id.at + 1, id.len - 1 });
	add_text(&path, ".debug");
	return open_wanted(file, &path, wanted, part);
}

static bool open_in_cache(struct debugfile *file, const struct wanted *wanted, struct part *part)
{
	struct path path;

	if (wanted->build_id.len == 0 || file->world->debuginfod_cache == NULL)
		return false;
	begin_path(&path);
	add_text(&path, file->world->debuginfod_cache);
	add_text(&path, "/");
	add_hex(&path, wanted->build_id);
	add_text(&path, "/debuginfo");
	return open_wanted(file, &path, wanted, part);
}

/* Searches by name, in folders that belong to the main file's folder. */
static bool open_by_name(struct debugfile *file, const char *name, const struct wanted *wanted,
			 struct part *part)
{
	const char *before[] = { "", "", system_folder, file->world->extra_path };
	const char *own = file->main.path;
	struct path path;

	for (unsigned i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		if (before[i] == NULL)
			continue;
		begin_path(&path);
		add_text(&path, before[i]);
		add_folder(&path, own);
		if (i == 1)
			add_text(&path, ".debug/");
		add_text(&path, name);
		if (!elfobject_is_same(path.chars, own) && open_wanted(file, &path, wanted, part))
			return true;
	}
	/* The extra folder may hold the files themselves. */
	if (file->world->extra_path == NULL)
		return false;
	begin_path(&path);
	add_text(&path, file->world->extra_path);
	add_text(&path, "/");
	add_text(&path, name);
	return open_wanted(file, &path, wanted, part);
}

/* The text at the start of a section; NULL if it has no end. */
static const char *text_in(struct debug_bytes bytes, size_t *size)
{
	for (*size = 0; *size < bytes.len && *size < MAX_PATH; (*size)++)
		if (bytes.at[*size] == '\0') {
			(*size)++;
			return (const char *)bytes.at;
		}
	return NULL;
}

/* Opens the separate debug file if anything is missing that it may have. */
static void look_for_separate(struct debugfile *file)
{
	const struct elfobject *object = &file->main.object;
	const struct debug_bytes link = find_raw(object, ".gnu_debuglink");
	struct wanted wanted = { .build_id = build_id_of(object) };
	const char *name;
	size_t size;

	if (file->has_looked_for_separate)
		return;
	file->has_looked_for_separate = true;
	if (has_debug(object) && has_table(object, ELF_SECTION_SYMBOLS))
		return;
	name = text_in(link, &size);
	if (name != NULL) {
		struct debug_cursor cursor = cursor_of(link);

		cursor_bytes(&cursor, size + (-size & 3));
		wanted.checksum = (uint32_t)cursor_number(&cursor, 4);
		wanted.has_checksum = !cursor.failed;
	}
	if (open_by_id(file, system_folder, &wanted, &file->separate) ||
	    open_by_id(file, file->world->extra_path, &wanted, &file->separate) ||
	    (name != NULL && open_by_name(file, name, &wanted, &file->separate)) ||
	    open_in_cache(file, &wanted, &file->separate))
		file->facts.debug_path = file->separate.path;
	else if (name != NULL)
		file->facts.missing_debug = copy_text(file, name);
}

/* The name of dwz's file, and its build-id. */
static const char *alternate_name(const struct elfobject *object, struct wanted *wanted)
{
	struct debug_bytes link = find_raw(object, ".gnu_debugaltlink");
	const char *name;
	size_t size;

	if (link.len > 0) {
		name = text_in(link, &size);
		if (name != NULL)
			wanted->build_id = (struct debug_bytes){ link.at + size, link.len - size };
		return name;
	}
	/* In DWARF 5: version, is_supplementary, the file's name, and a build-id after its length. */
	link = find_raw(object, ".debug_sup");
	if (link.len < 3 || link.at[2] != 0)
		return NULL;
	link = (struct debug_bytes){ link.at + 3, link.len - 3 };
	name = text_in(link, &size);
	if (name != NULL) {
		struct debug_cursor cursor = { link.at + size, link.len - size, false };
		const uint64_t id_size = cursor_unsigned(&cursor);

		wanted->build_id.at = cursor_bytes(&cursor, id_size);
		wanted->build_id.len = cursor.failed ? 0 : id_size;
	}
	return name;
}

static void open_alternate(struct debugfile *file, const struct part *user)
{
	static const char shared[] = ".dwz/";
	struct wanted wanted = { .has_checksum = false };
	const char *name = alternate_name(&user->object, &wanted), *rest = NULL;
	struct part *part = &file->alternate;
	struct path path;
	bool is_found;

	if (name == NULL || wanted.build_id.len == 0 || wanted.build_id.len > BUILD_ID_MAX)
		return;
	begin_path(&path);
	if (name[0] != '/')
		add_folder(&path, user->path);
	add_text(&path, name);
	is_found = open_wanted(file, &path, &wanted, part);
	/* A relative path is relative to the file at the end of all links, which is unknown here. */
	for (const char *at = name; !is_found && *at != '\0'; at++) {
		size_t len = 0;

		while (shared[len] != '\0' && shared[len] == at[len])
			len++;
		if (shared[len] == '\0')
			rest = at;
	}
	if (rest != NULL) {
		begin_path(&path);
		add_text(&path, system_folder);
		add_text(&path, "/");
		add_text(&path, rest);
		is_found = open_wanted(file, &path, &wanted, part);
	}
	is_found = is_found || open_by_id(file, system_folder, &wanted, part) ||
		   open_by_id(file, file->world->extra_path, &wanted, part) ||
		   open_in_cache(file, &wanted, part);
	if (is_found) {
		file->facts.alternate_path = part->path;
		read_sections(file, &part->object, false, &file->alternate_sections);
	} else {
		file->facts.missing_alternate = copy_text(file, name);
	}
}

/* --- split units --------------------------------------------------------------------------- */

static void look_for_packages(struct debugfile *file)
{
	const struct part *owners[] = { &file->main, &file->separate };

	if (file->has_looked_for_packages)
		return;
	file->has_looked_for_packages = true;
	for (unsigned i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		struct part *package = &file->packages[i];
		struct path path;

		if (owners[i]->path == NULL)
			continue;
		begin_path(&path);
		add_text(&path, owners[i]->path);
		add_text(&path, ".dwp");
		if (!open_part(file, &path, package))
			continue;
		file->facts.package_path = package->path;
		read_sections(file, &package->object, true, &file->package_sections[i]);
		file->package_index[i] = find_raw(&package->object, ".debug_cu_index");
	}
}

/* The index of a package: for each unit, by its id, its part of each of some sections. */
struct unit_index {
	uint32_t version, n_columns, n_units, n_slots;
	const uint8_t *numbers;         /* n_slots, of 8 bytes */
	const uint8_t *rows;            /* n_slots, of 4 bytes: 1.., 0 where the slot is free */
	const uint8_t *columns;         /* which section each is for */
	const uint8_t *offsets, *sizes; /* n_units rows of n_columns, of 4 bytes */
};

static bool read_unit_index(struct debug_bytes bytes, struct unit_index *index)
{
	struct debug_cursor cursor = cursor_of(bytes);
	uint64_t table;

	/* In the standard: two bytes, and two of padding. */
	index->version = (uint32_t)cursor_number(&cursor, 4) & 0xffff;
	index->n_columns = (uint32_t)cursor_number(&cursor, 4);
	index->n_units = (uint32_t)cursor_number(&cursor, 4);
	index->n_slots = (uint32_t)cursor_number(&cursor, 4);
	if ((index->version != PACKAGE_VERSION_GNU && index->version != 5) || index->n_columns > 16)
		return false;
	table = (uint64_t)index->n_units * index->n_columns * 4;
	index->numbers = cursor_bytes(&cursor, (uint64_t)index->n_slots * 8);
	index->rows = cursor_bytes(&cursor, (uint64_t)index->n_slots * 4);
	index->columns = cursor_bytes(&cursor, (uint64_t)index->n_columns * 4);
	index->offsets = cursor_bytes(&cursor, table);
	index->sizes = cursor_bytes(&cursor, table);
	return !cursor.failed && index->n_slots > 0 && (index->n_slots & (index->n_slots - 1)) == 0;
}

/* The row of a unit, from 0; false if there is none. */
static bool find_row(const struct unit_index *index, uint64_t id, uint32_t *row)
{
	const uint32_t mask = index->n_slots - 1;
	uint32_t slot = (uint32_t)id & mask;
	const uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t i = 0; i < index->n_slots; i++, slot = (slot + step) & mask) {
		*row = read_32(index->rows + (size_t)slot * 4);
		if (*row == 0)
			return false;
		if (read_64(index->numbers + (size_t)slot * 8) == id)
			return --*row < index->n_units;
	}
	return false;
}

/* Cuts a section to a unit's part. */
static bool cut(struct debug_bytes *bytes, uint32_t offset, uint32_t size)
{
	if (offset > bytes->len || size > bytes->len - offset)
		return false;
	if (bytes->at != NULL)
		bytes->at += offset;
	bytes->len = size;
	return true;
}

static bool find_in_package(const struct debug_sections *whole, struct debug_bytes index_bytes,
			    uint64_t id, struct debug_sections *sections)
{
	struct unit_index index;
	uint32_t row;

	if (!read_unit_index(index_bytes, &index) || !find_row(&index, id, &row))
		return false;
	*sections = *whole;
	for (uint32_t i = 0; i < index.n_columns; i++) {
		const size_t at = ((size_t)row * index.n_columns + i) * 4;
		struct debug_bytes *bytes = NULL;

		switch (read_32(index.columns + (size_t)i * 4)) {
		case 1:
			bytes = &sections->info;
			break;
		case 3:
			bytes = &sections->abbreviations;
			break;
		case 4:
			bytes = &sections->lines;
			break;
		case 6:
			bytes = &sections->string_offsets;
			break;
		case 8: /* macros in GNU's */
			if (index.version == 5)
				bytes = &sections->range_lists;
			break;
		default:
			break;
		}
		if (bytes != NULL &&
		    !cut(bytes, read_32(index.offsets + at), read_32(index.sizes + at)))
			return false;
	}
	return true;
}

static bool has_units(const struct part *part)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(&part->object, i, &section); i++) {
		const char *suffix = debug_suffix(section_name(&part->object, &section));

		if (suffix != NULL && elfobject_is_same(suffix, "info.dwo"))
			return true;
	}
	return false;
}

/* Opens a .dwo by its path, or a file of that name in the main file's folder. */
static bool open_split(struct debugfile *file, const struct path *path, struct part *part)
{
	const char *owners[] = { file->main.path, file->separate.path };
	const char *last = path->chars + folder_length(path->chars);

	if (open_part(file, path, part)) {
		if (has_units(part))
			return true;
		close_part(file, part);
	}
	last += *last == '/';
	for (unsigned i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		struct path sibling;

		if (owners[i] == NULL)
			continue;
		begin_path(&sibling);
		add_folder(&sibling, owners[i]);
		add_text(&sibling, last);
		if (!open_part(file, &sibling, part))
			continue;
		if (has_units(part))
			return true;
		close_part(file, part);
	}
	return false;
}

/* For dwarf_sources.split. */
static bool find_split(void *ctx, const struct dwarf_split *split, struct debug_sections *sections)
{
	struct debugfile *file = ctx;
	struct split_file *found;
	struct path path;

	look_for_packages(file);
	for (unsigned i = 0; i < sizeof(file->packages) / sizeof(file->packages[0]); i++)
		if (file->packages[i].is_open &&
		    find_in_package(&file->package_sections[i], file->package_index[i], split->id,
				    sections)) {
			file->facts.n_split++;
			return true;
		}
	begin_path(&path);
	if (split->name.len > 0 && split->name.chars[0] != '/' && split->directory.len > 0) {
		add_chars(&path, split->directory.chars, split->directory.len);
		add_text(&path, "/");
	}
	add_chars(&path, split->name.chars, split->name.len);
	if (split->name.len == 0 || path.is_cut)
		return false;
	/* A file may hold several units. */
	for (found = file->splits; found != NULL && !elfobject_is_same(found->path, path.chars);)
		found = found->next;
	if (found == NULL) {
		found = file->world->memory->allocate(sizeof(*found));
		if (found == NULL || !keep(file, found))
			return false;
		found->path = copy_text(file, path.chars);
		if (found->path == NULL)
			return false;
		found->next = file->splits;
		file->splits = found;
		if (open_split(file, &path, &found->part))
			read_sections(file, &found->part.object, true, &found->sections);
	}
	if (found->part.is_open) {
		file->facts.n_split++;
		*sections = found->sections;
		return true;
	}
	if (file->facts.n_missing_split++ == 0)
		file->facts.missing_split = found->path;
	return false;
}

/* --- questions ----------------------------------------------------------------------------- */

/* The file with the debug information, or NULL. */
static const struct part *debug_owner(struct debugfile *file)
{
	if (has_debug(&file->main.object))
		return &file->main;
	look_for_separate(file);
	return file->separate.is_open && has_debug(&file->separate.object) ? &file->separate : NULL;
}

/* Reads the sections of that file, and of dwz's. */
static void find_sections(struct debugfile *file)
{
	const struct part *owner;

	if (file->has_read_sections)
		return;
	file->has_read_sections = true;
	owner = debug_owner(file);
	if (owner == NULL)
		return;
	read_sections(file, &owner->object, false, &file->own_sections);
	open_alternate(file, owner);
}

static void find_dwarf(struct debugfile *file)
{
	struct dwarf_sources sources = {
		.memory = file->world->memory,
		.own = &file->own_sections,
		.ctx = file,
		.split = find_split,
	};

	if (file->has_read_dwarf)
		return;
	file->has_read_dwarf = true;
	find_sections(file);
	if (file->alternate.is_open)
		sources.alternate = &file->alternate_sections;
	if (file->own_sections.info.len > 0 || file->own_sections.lines.len > 0)
		file->dwarf = dwarf_open(&sources);
	if (file->dwarf == NULL)
		return;
	file->facts.has_dwarf = true;
	file->facts.dwarf_version = dwarf_version(file->dwarf);
}

bool debugfile_line(struct debugfile *file, uint64_t address, struct dwarf_place *place)
{
	find_dwarf(file);
	return file->dwarf != NULL && dwarf_line(file->dwarf, address, place);
}

size_t debugfile_inlined(struct debugfile *file, uint64_t address,
			 const struct dwarf_frame **frames)
{
	find_dwarf(file);
	return file->dwarf == NULL ? 0 : dwarf_inlined(file->dwarf, address, frames);
}

/* True if the core cannot decompress one of a file's debug sections. */
static bool has_zstd(const struct elfobject *object)
{
	struct elf_section section;

	for (uint32_t i = 0; elfobject_section(object, i, &section); i++) {
		const struct debug_bytes raw = raw_bytes(object, &section);

		if ((section.flags & ELF_SECTION_COMPRESSED) != 0 && raw.len >= 4 &&
		    read_32(raw.at) != COMPRESSION_ZLIB &&
		    debug_suffix(section_name(object, &section)) != NULL)
			return true;
	}
	return false;
}

bool debugfile_has(struct debugfile *file, const char *suffix)
{
	const struct part *owner = debug_owner(file);
	struct elf_section section;

	for (uint32_t i = 0; owner != NULL && elfobject_section(&owner->object, i, &section); i++) {
		const char *found = debug_suffix(section_name(&owner->object, &section));

		if (found != NULL && elfobject_is_same(found, suffix))
			return true;
	}
	return false;
}

/* The core does not know this section: it takes offsets in it for offsets in .debug_str, and shows what is there. */
static bool has_old_line_strings(const struct part *part)
{
	return part->is_open && find_raw(&part->object, ".zdebug_line_str").len > 0;
}

bool debugfile_core_reads(struct debugfile *file, unsigned minor)
{
	find_sections(file);
	return !has_old_line_strings(&file->main) && !has_old_line_strings(&file->separate) &&
	       !has_zstd(&file->main.object) &&
	       (!file->separate.is_open || !has_zstd(&file->separate.object)) &&
	       dwarf_core_reads(&file->own_sections,
				file->alternate.is_open ? &file->alternate_sections : NULL, minor);
}

/* .gnu_debugdata: a small file with the symbols that .dynsym lacks. */
static void open_mini(struct debugfile *file)
{
	static const char name[] = ".gnu_debugdata";
	const struct debug_bytes raw = find_raw(&file->main.object, name);
	enum debug_obstacle obstacle;
	uint8_t *contents;
	uint64_t size;

	if (raw.len == 0)
		return;
	obstacle = compressed_read_xz(raw, file->world->memory, &contents, &size);
	if (obstacle == DEBUG_NO_OBSTACLE) {
		if (!keep(file, contents))
			return;
		file->mini.bytes = (struct debug_bytes){ contents, size };
		file->mini.is_open = elfobject_open(&file->mini.object, file->mini.bytes.at,
						    file->mini.bytes.len);
		if (!file->mini.is_open)
			obstacle = DEBUG_DAMAGED;
	}
	if (obstacle != DEBUG_NO_OBSTACLE)
		note_obstacle(file, obstacle, name);
}

static bool add_symbols(struct debugfile *file, const struct part *part, uint32_t type, bool *fact)
{
	if (!part->is_open || !has_table(&part->object, type))
		return true;
	*fact = true;
	return symbol_index_add(&file->symbols, &part->object, type, file->world->memory);
}

static void find_symbols(struct debugfile *file)
{
	struct debugfile_facts *facts = &file->facts;
	bool is_whole;

	if (file->has_read_symbols)
		return;
	file->has_read_symbols = true;
	if (!has_table(&file->main.object, ELF_SECTION_SYMBOLS)) {
		look_for_separate(file);
		if (!file->separate.is_open ||
		    !has_table(&file->separate.object, ELF_SECTION_SYMBOLS))
			open_mini(file);
	}
	is_whole = add_symbols(file, &file->main, ELF_SECTION_SYMBOLS, &facts->has_symbols) &&
		   add_symbols(file, &file->separate, ELF_SECTION_SYMBOLS, &facts->has_symbols) &&
		   add_symbols(file, &file->mini, ELF_SECTION_SYMBOLS, &facts->has_mini_symbols) &&
		   add_symbols(file, &file->main, ELF_SECTION_DYNAMIC_SYMBOLS,
			       &facts->has_dynamic_symbols);
	is_whole &= symbol_index_finish(&file->symbols, file->world->memory);
	if (!is_whole)
		note_obstacle(file, DEBUG_NO_MEMORY, ".symtab");
}

bool debugfile_symbol(struct debugfile *file, uint64_t address, struct debug_symbol *symbol)
{
	const struct indexed_symbol *found;

	find_symbols(file);
	found = symbol_index_find(&file->symbols, address);
	if (found == NULL)
		return false;
	*symbol = (struct debug_symbol){ found->name, found->address, found->end - found->address };
	return true;
}

void debugfile_names(struct debugfile *file, uint64_t address,
		     bool (*visit)(void *ctx, const char *name), void *ctx)
{
	const struct indexed_symbol *found;

	find_symbols(file);
	found = symbol_index_find(&file->symbols, address);
	if (found != NULL)
		symbol_index_names(&file->symbols, found, visit, ctx);
}

const struct debugfile_facts *debugfile_facts(const struct debugfile *file)
{
	return &file->facts;
}

/* --- opening ------------------------------------------------------------------------------- */

static struct debugfile *open_file(const struct debugfile_world *world, const char *path,
				   struct debug_bytes bytes, void *handle, bool is_mapped)
{
	struct debugfile *file = world->memory->allocate(sizeof(*file));
	struct part *part;

	if (file == NULL)
		return NULL;
	file->world = world;
	part = &file->main;
	part->bytes = bytes;
	part->path = copy_text(file, path);
	part->is_open = part->path != NULL && elfobject_open(&part->object, bytes.at, bytes.len);
	if (part->is_open) {
		part->handle = handle;
		part->is_mapped = is_mapped;
		return file;
	}
	debugfile_close(file);
	return NULL;
}

struct debugfile *debugfile_open_bytes(const struct debugfile_world *world, const char *path,
				       struct debug_bytes bytes)
{
	return open_file(world, path, bytes, NULL, false);
}

struct debugfile *debugfile_open(const struct debugfile_world *world, const char *path)
{
	struct debug_bytes bytes;
	struct debugfile *file;
	void *handle;

	if (!world->map(world->ctx, path, &bytes, &handle))
		return NULL;
	file = open_file(world, path, bytes, handle, true);
	if (file == NULL)
		world->unmap(world->ctx, bytes, handle);
	return file;
}

void debugfile_close(struct debugfile *file)
{
	const struct dwarf_memory *memory = file->world->memory;

	if (file->dwarf != NULL)
		dwarf_close(file->dwarf);
	symbol_index_release(&file->symbols, memory);
	for (struct split_file *split = file->splits; split != NULL; split = split->next)
		close_part(file, &split->part);
	for (unsigned i = 0; i < sizeof(file->packages) / sizeof(file->packages[0]); i++)
		close_part(file, &file->packages[i]);
	close_part(file, &file->alternate);
	close_part(file, &file->separate);
	close_part(file, &file->main);
	while (file->kept != NULL) {
		struct kept *kept = file->kept;

		file->kept = kept->next;
		memory->release(kept->memory);
		memory->release(kept);
	}
	memory->release(file);
}

const struct elfobject *debugfile_object(const struct debugfile *file)
{
	return &file->main.object;
}
