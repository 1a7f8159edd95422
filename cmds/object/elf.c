/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libelf reads with pread(), not by mapping: a file that is cut while it is mapped kills
 * the reader.
 *
 * Symbols of one address are aliases; one of them is shown. a symbol without a size (assembly)
 * goes on to the next one, and is none if it lies within another one: it is a label there.
 */
#include "cmds/object/elf.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/common/heap.h"
#include "profile/format/source.h"

/* -- files ---------------------------------------------------------------------- */

static const char *begin(struct elffile *file, const char *path)
{
	struct stat status;

	file->fd = namedfile_open(path, NAMEDFILE_MOST, &status);
	if (file->fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? "not found"
		       : errno == EINVAL                   ? "no regular file"
		       : errno == EFBIG                    ? "too large"
							   : "cannot be opened";
	file->modified = status.st_mtim;
	file->is_safe =
		(status.st_uid == 0 || status.st_uid == geteuid()) && !(status.st_mode & S_IWOTH) &&
		(!(status.st_mode & S_IWGRP) || status.st_gid == 0 || status.st_gid == getegid());
	file->path = heap_copy(path);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return "cannot be read by this libelf";
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF ||
	    !gelf_getehdr(file->elf, &file->header))
		return "no ELF file";
	return NULL;
}

static const char *section_name(const struct elffile *file, const GElf_Shdr *header)
{
	size_t strings;
	const char *name = NULL;

	if (elf_getshdrstrndx(file->elf, &strings) == 0)
		name = elf_strptr(file->elf, strings, header->sh_name);
	return name ? name : "";
}

static int compare_sections(const void *a, const void *b)
{
	const struct elf_section *of_a = a, *of_b = b;

	if (of_a->start != of_b->start)
		return of_a->start < of_b->start ? -1 : 1;
	/* The larger one first: the others are dropped. */
	return (of_a->end < of_b->end) - (of_a->end > of_b->end);
}

/* Sections of code, also of a debug file, where they have no contents. */
static void list_sections(struct elffile *file)
{
	size_t n = 0, used = 0;
	Elf_Scn *scn = NULL;

	if (elf_getshdrnum(file->elf, &n) != 0)
		n = 0;
	file->sections = heap_zeroed(n + 1, sizeof(*file->sections));
	while (file->n_sections < n && (scn = elf_nextscn(file->elf, scn)) != NULL) {
		GElf_Shdr header;

		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
		    !(header.sh_flags & SHF_ALLOC) || header.sh_size == 0 ||
		    header.sh_addr > UINT64_MAX - header.sh_size)
			continue;
		file->sections[file->n_sections++] = (struct elf_section){
			.start = header.sh_addr,
			.end = header.sh_addr + header.sh_size,
			.scn = scn,
			.name = section_name(file, &header),
			.entry_size = header.sh_entsize,
			.is_missing = header.sh_type == SHT_NOBITS,
		};
	}
	qsort(file->sections, file->n_sections, sizeof(*file->sections), compare_sections);
	for (size_t i = 0; i < file->n_sections; i++)
		if (used == 0 || file->sections[i].start >= file->sections[used - 1].end)
			file->sections[used++] = file->sections[i];
	file->n_sections = used;
}

/* Reads the build-id of the first note that has one. */
static void find_build_id(struct elffile *file)
{
	static const char digits[] = "0123456789abcdef";
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(file->elf, scn)) != NULL) {
		size_t offset = 0, name, text;
		GElf_Shdr header;
		GElf_Nhdr note;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		while (data && data->d_buf &&
		       (offset = gelf_getnote(data, offset, &note, &name, &text)) > 0) {
			const unsigned char *id = (const unsigned char *)data->d_buf + text;

			if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
			    memcmp((const char *)data->d_buf + name, "GNU", sizeof("GNU")) != 0 ||
			    note.n_descsz == 0 || note.n_descsz > (ELFFILE_BUILD_ID - 1) / 2)
				continue;
			for (size_t i = 0; i < note.n_descsz; i++) {
				file->build_id[2 * i] = digits[id[i] >> 4];
				file->build_id[2 * i + 1] = digits[id[i] & 15];
			}
			file->build_id[2 * (size_t)note.n_descsz] = '\0';
			return;
		}
	}
}

const char *elffile_open(struct elffile *file, const char *path)
{
	const char *wrong;

	*file = (struct elffile){ .fd = -1 };
	wrong = begin(file, path);
	if (wrong) {
		elffile_release(file);
		return wrong;
	}
	list_sections(file);
	find_build_id(file);
	return NULL;
}

void elffile_release(struct elffile *file)
{
	free(file->sections);
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	*file = (struct elffile){ .fd = -1 };
}

size_t elffile_sections_before(const struct elffile *file, uint64_t address)
{
	return array_upto(file->sections, file->n_sections, sizeof(*file->sections),
			  offsetof(struct elf_section, end), address);
}

struct elf_section *elffile_section(const struct elffile *file, uint64_t address)
{
	size_t i = elffile_sections_before(file, address);

	if (i == file->n_sections || address < file->sections[i].start)
		return NULL;
	return &file->sections[i];
}

const unsigned char *elffile_code(const struct elffile *file, uint64_t address, size_t *len)
{
	struct elf_section *section = elffile_section(file, address);

	*len = 0;
	if (!section || section->is_missing)
		return NULL;
	if (!section->code) {
		/* As it is in the file: what libelf converts is no code. */
		Elf_Data *data = elf_rawdata(section->scn, NULL);

		if (!data || !data->d_buf || data->d_size < section->end - section->start) {
			section->is_missing = true;
			return NULL;
		}
		section->code = data->d_buf;
	}
	*len = section->end - address;
	return section->code + (address - section->start);
}

static Elf_Scn *section_named(const struct elffile *file, const char *name)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(file->elf, scn)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(scn, &header) && header.sh_type != SHT_NOBITS &&
		    header.sh_size > 0 && strcmp(section_name(file, &header), name) == 0)
			return scn;
	}
	return NULL;
}

Elf_Data *elffile_data(const struct elffile *file, const char *name)
{
	Elf_Scn *scn = section_named(file, name);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	return data && data->d_buf ? data : NULL;
}

bool elffile_has(const struct elffile *file, const char *name)
{
	return section_named(file, name) != NULL;
}

/* -- MiniDebugInfo ------------------------------------------------------------- */

/*
 * libdwfl would read it too, but maps the files that it opens, and unpacks whatever is said to be there.
 */

enum {
	FIRST_SIZE = 1 << 16,     /* bytes */
	MINIDEBUG_MAX = 64 << 20, /* unpacked: a small file can claim any size */
};

/* Unpacks it; its size is not known before.  NULL if it is damaged, or too large. */
static char *unpack(const Elf_Data *packed, size_t *used)
{
	for (size_t size = FIRST_SIZE; size <= MINIDEBUG_MAX; size *= 2) {
		uint64_t memory_limit = MINIDEBUG_MAX;
		char *image = heap_alloc(size);
		size_t at = 0;
		lzma_ret result;

		*used = 0;
		result = lzma_stream_buffer_decode(&memory_limit, 0, NULL, packed->d_buf, &at,
						   packed->d_size, (uint8_t *)image, used, size);
		if (result == LZMA_OK)
			return image;
		free(image);
		if (result == LZMA_MEM_ERROR)
			heap_exhausted();
		if (result != LZMA_BUF_ERROR) /* which says that there is too little room */
			break;
	}
	return NULL;
}

enum {
	RANK_SIZE = 8,     /* it says how long it is */
	RANK_FUNCTION = 4, /* it is no mere label */
	RANK_GLOBAL = 2,
	RANK_WEAK = 1,
};

static void add(struct elf_symbol_list *list, const struct elf_symbol *symbol)
{
	list->symbols =
		heap_grow(list->symbols, &list->capacity, list->n + 1, sizeof(*list->symbols));
	list->symbols[list->n++] = *symbol;
}

/* AArch64 and ARM mark where code and data begin. */
static bool is_mapping(const char *name)
{
	return name[0] == '$' && name[1] != '\0' && strchr("xdat", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

static unsigned rank_of(const GElf_Sym *symbol)
{
	unsigned binding = GELF_ST_BIND(symbol->st_info);

	return (symbol->st_size > 0 ? RANK_SIZE : 0) |
	       (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE ? RANK_FUNCTION : 0) |
	       (binding == STB_GLOBAL ? RANK_GLOBAL : 0) | (binding == STB_WEAK ? RANK_WEAK : 0);
}

static void take(struct elfsymbols *symbols, const struct elffile *object, const GElf_Sym *symbol,
		 const char *name)
{
	const struct elf_section *section = elffile_section(object, symbol->st_value);
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	struct elf_symbol made = {
		.at = { name, symbol->st_value, symbol->st_value },
		.rank = rank_of(symbol),
	};
	uint64_t room;

	if (symbol->st_shndx == SHN_UNDEF || name[0] == '\0' || is_mapping(name))
		return;
	if (type == STT_OBJECT) {
		if (symbol->st_size == 0 || symbol->st_size > UINT64_MAX - symbol->st_value)
			return;
		made.at.end += symbol->st_size;
		add(&symbols->variables, &made);
		return;
	}
	if (!section || (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
		return;
	room = section->end - symbol->st_value;
	made.at.end += symbol->st_size < room ? symbol->st_size : room;
	add(&symbols->functions, &made);
}

static void read_table(struct elfsymbols *symbols, const struct elffile *object, Elf *elf,
		       unsigned wanted)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Sym symbol;

		if (!gelf_getshdr(scn, &header) || header.sh_type != wanted)
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (name)
				take(symbols, object, &symbol, name);
		}
	}
}

/* -- stubs of linkage tables --------------------------------------------------- */

struct plt_slot {
	uint64_t address; /* of the word that holds where to go */
	const char *name;
};

struct slot_list {
	struct plt_slot *slots;
	size_t n, capacity;
};

static void read_relocations(struct slot_list *list, const struct elffile *object, Elf_Scn *scn,
			     const GElf_Shdr *header)
{
	Elf_Scn *table = elf_getscn(object->elf, header->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL);
	Elf_Data *symbols = table ? elf_getdata(table, NULL) : NULL;
	GElf_Shdr table_header;

	if (!data || !symbols || !gelf_getshdr(table, &table_header))
		return;
	for (int i = 0;; i++) {
		GElf_Rela relocation = { .r_addend = 0 };
		GElf_Rel short_one;
		GElf_Sym symbol;
		const char *name;

		if (header->sh_type == SHT_RELA) {
			if (!gelf_getrela(data, i, &relocation))
				return;
		} else {
			if (!gelf_getrel(data, i, &short_one))
				return;
			relocation.r_offset = short_one.r_offset;
			relocation.r_info = short_one.r_info;
		}
		if (!gelf_getsym(symbols, (int)GELF_R_SYM(relocation.r_info), &symbol))
			continue;
		name = elf_strptr(object->elf, table_header.sh_link, symbol.st_name);
		if (!name || name[0] == '\0')
			continue;
		list->slots =
			heap_grow(list->slots, &list->capacity, list->n + 1, sizeof(*list->slots));
		list->slots[list->n++] = (struct plt_slot){ relocation.r_offset, name };
	}
}

static int compare_slots(const void *a, const void *b)
{
	uint64_t of_a = ((const struct plt_slot *)a)->address;
	uint64_t of_b = ((const struct plt_slot *)b)->address;

	return (of_a > of_b) - (of_a < of_b);
}

/* x86-64: the stub has "jmp *slot(%rip)", perhaps after endbr64 and a bnd prefix. */
static bool slot_of_stub(const unsigned char *code, size_t len, uint64_t address, uint64_t *slot)
{
	for (size_t i = 0; i + 6 <= len; i++) {
		if (code[i] == 0xff && code[i + 1] == 0x25) {
			uint32_t offset = code[i + 2] | (uint32_t)code[i + 3] << 8 |
					  (uint32_t)code[i + 4] << 16 | (uint32_t)code[i + 5] << 24;

			*slot = address + i + 6 + (uint64_t)(int64_t)(int32_t)offset;
			return true;
		}
	}
	return false;
}

/* Names the stubs of a section after what is in their slots. */
static void name_stubs(struct elfsymbols *symbols, const struct elffile *object,
		       const struct elf_section *section, const struct slot_list *list)
{
	uint64_t size = section->entry_size ? section->entry_size : 16;
	size_t len;

	for (uint64_t at = section->start; section->end - at >= size; at += size) {
		const unsigned char *code = elffile_code(object, at, &len);
		struct elf_symbol stub = { .at = { NULL, at, at + size }, .rank = RANK_FUNCTION };
		struct plt_slot wanted = { .name = NULL };
		const struct plt_slot *found;
		char *text;

		if (!code)
			return;
		if (!slot_of_stub(code, size, at, &wanted.address))
			continue;
		found = bsearch(&wanted, list->slots, list->n, sizeof(wanted), compare_slots);
		if (!found)
			continue;
		len = strlen(found->name) + sizeof("@plt");
		text = arena_alloc(&symbols->arena, len, 1);
		snprintf(text, len, "%s@plt", found->name);
		stub.at.name = text;
		add(&symbols->functions, &stub);
	}
}

static void read_stubs(struct elfsymbols *symbols, const struct elffile *object)
{
	struct slot_list list = { .slots = NULL };
	Elf_Scn *scn = NULL;

	if (object->header.e_machine != EM_X86_64)
		return;
	while ((scn = elf_nextscn(object->elf, scn)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(scn, &header) && (header.sh_flags & SHF_ALLOC) &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
			read_relocations(&list, object, scn, &header);
	}
	if (list.n > 0)
		qsort(list.slots, list.n, sizeof(*list.slots), compare_slots);
	for (size_t i = 0; list.n > 0 && i < object->n_sections; i++)
		if (strncmp(object->sections[i].name, ".plt", 4) == 0)
			name_stubs(symbols, object, &object->sections[i], &list);
	free(list.slots);
}

/* -- order --------------------------------------------------------------------- */

static int compare_symbols(const void *a, const void *b)
{
	const struct elf_symbol *of_a = a, *of_b = b;

	if (of_a->at.start != of_b->at.start)
		return of_a->at.start < of_b->at.start ? -1 : 1;
	if (of_a->rank != of_b->rank)
		return of_a->rank > of_b->rank ? -1 : 1;
	if (of_a->at.end != of_b->at.end)
		return of_a->at.end > of_b->at.end ? -1 : 1;
	return strcmp(of_a->at.name, of_b->at.name);
}

/*
 * Sorts, drops labels, moves aliases to their list, or drops them if that is NULL, has none
 * overlap.
 */
static void order(struct elf_symbol_list *list, struct elf_symbol_list *aliases,
		  const struct elffile *object)
{
	struct elf_symbol *symbols = list->symbols;
	size_t n = 0;

	if (list->n > 0)
		qsort(symbols, list->n, sizeof(*symbols), compare_symbols);
	for (size_t i = 0; i < list->n; i++) {
		struct elf_symbol *last = n > 0 ? &symbols[n - 1] : NULL;
		const struct elf_symbol *symbol = &symbols[i];
		const bool is_alias = last && symbol->at.start == last->at.start;

		if (is_alias && aliases && strcmp(symbol->at.name, last->at.name) != 0)
			add(aliases, symbol);
		if (is_alias ||
		    (last && symbol->at.start < last->at.end && symbol->at.start == symbol->at.end))
			continue;
		if (last && symbol->at.start < last->at.end)
			last->at.end = symbol->at.start;
		symbols[n++] = *symbol;
	}
	list->n = n;
	for (size_t i = 0; i < n; i++) {
		struct object_symbol *at = &symbols[i].at;
		const struct elf_section *section;
		uint64_t end;

		if (at->start < at->end)
			continue;
		section = elffile_section(object, at->start);
		end = section ? section->end : at->start + 1;
		at->end = i + 1 < n && symbols[i + 1].at.start < end ? symbols[i + 1].at.start
								     : end;
	}
}

/* Of .gnu_debugdata, if it is there and not damaged. */
static void read_minidebug(struct elfsymbols *symbols, const struct elffile *object)
{
	const Elf_Data *packed = elffile_data(object, ".gnu_debugdata");
	struct minidebug *minidebug = &symbols->minidebug;
	size_t size = 0;

	if (packed)
		minidebug->image = unpack(packed, &size);
	if (minidebug->image)
		minidebug->elf = elf_memory(minidebug->image, size);
	if (minidebug->elf && elf_kind(minidebug->elf) == ELF_K_ELF)
		read_table(symbols, object, minidebug->elf, SHT_SYMTAB);
}

void elfsymbols_init(struct elfsymbols *symbols, const struct elffile *object,
		     const struct elffile *debug)
{
	*symbols = (struct elfsymbols){ .functions = { .symbols = NULL } };
	arena_init(&symbols->arena);
	read_table(symbols, object, object->elf, SHT_SYMTAB);
	read_table(symbols, object, object->elf, SHT_DYNSYM);
	if (debug)
		read_table(symbols, object, debug->elf, SHT_SYMTAB);
	if (!elffile_has(object, ".symtab") && !(debug && elffile_has(debug, ".symtab")))
		read_minidebug(symbols, object);
	read_stubs(symbols, object);
	order(&symbols->functions, &symbols->aliases, object);
	order(&symbols->variables, NULL, object);
}

void elfsymbols_release(struct elfsymbols *symbols)
{
	free(symbols->functions.symbols);
	free(symbols->variables.symbols);
	free(symbols->aliases.symbols);
	arena_release(&symbols->arena);
	elf_end(symbols->minidebug.elf);
	free(symbols->minidebug.image);
}

size_t elfsymbols_before(const struct elf_symbol_list *list, uint64_t address)
{
	return array_upto(list->symbols, list->n, sizeof(*list->symbols),
			  offsetof(struct elf_symbol, at.end), address);
}

const struct object_symbol *elfsymbols_find(const struct elf_symbol_list *list, uint64_t address)
{
	size_t i = elfsymbols_before(list, address);

	if (i == list->n || address < list->symbols[i].at.start)
		return NULL;
	return &list->symbols[i].at;
}
