/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libelf reads with pread(), not by mapping: a file that is cut while it is mapped kills
 * the reader.
 */
#include "cmds/object/elffile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/common/namedfile.h"

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
	file->path = strdup(path);
	if (!file->path)
		return "out of memory";
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
static bool list_sections(struct elffile *file)
{
	size_t n = 0, used = 0;
	Elf_Scn *scn = NULL;

	if (elf_getshdrnum(file->elf, &n) != 0)
		n = 0;
	file->sections = calloc(n + 1, sizeof(*file->sections));
	if (!file->sections)
		return false;
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
	return true;
}

static bool is_build_id(const GElf_Nhdr *note, const char *name)
{
	return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
	       memcmp(name, "GNU", sizeof("GNU")) == 0 && note->n_descsz > 0 &&
	       note->n_descsz <= (ELFFILE_BUILD_ID - 1) / 2;
}

static void read_notes(struct elffile *file, Elf_Data *data)
{
	static const char digits[] = "0123456789abcdef";
	size_t offset = 0, name, text;
	GElf_Nhdr note;

	while ((offset = gelf_getnote(data, offset, &note, &name, &text)) > 0) {
		const unsigned char *bytes = (const unsigned char *)data->d_buf + text;

		if (!is_build_id(&note, (const char *)data->d_buf + name))
			continue;
		for (size_t i = 0; i < note.n_descsz; i++) {
			file->build_id[2 * i] = digits[bytes[i] >> 4];
			file->build_id[2 * i + 1] = digits[bytes[i] & 15];
		}
		file->build_id[2 * (size_t)note.n_descsz] = '\0';
		return;
	}
}

static void find_build_id(struct elffile *file)
{
	Elf_Scn *scn = NULL;

	while (file->build_id[0] == '\0' && (scn = elf_nextscn(file->elf, scn)) != NULL) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			read_notes(file, data);
	}
}

const char *elffile_open(struct elffile *file, const char *path)
{
	const char *wrong;

	*file = (struct elffile){ .fd = -1 };
	wrong = begin(file, path);
	if (!wrong && !list_sections(file))
		wrong = "out of memory";
	if (wrong) {
		elffile_release(file);
		return wrong;
	}
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
	size_t low = 0, high = file->n_sections;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (address >= file->sections[middle].end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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
