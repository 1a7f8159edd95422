/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/code/objectfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/code/debugfile.h"
#include "cmds/code/elffile.h"
#include "cmds/code/elfsymbols.h"
#include "cmds/code/linetable.h"

struct objectfile {
	struct elffile file, debug;
	bool has_debug;
	struct elfsymbols symbols;
	struct linetable lines;
	bool has_lines; /* they were read */
	struct linenames names;
};

const char *objectfile_missing(void)
{
	return NULL;
}

static const char *open_below(struct elffile *file, const char *sysroot, const char *name)
{
	size_t size = strlen(sysroot) + strlen(name) + 2;
	char *path = malloc(size);
	const char *wrong;

	if (!path)
		return "out of memory";
	snprintf(path, size, "%s%s%s", sysroot, name[0] == '/' ? "" : "/", name);
	wrong = elffile_open(file, path);
	free(path);
	return wrong;
}

static const char *open_file(struct elffile *file, const char *name, const char *build_id,
			     const struct objectfile_options *options)
{
	const char *wrong = options->sysroot ? open_below(file, options->sysroot, name)
					     : elffile_open(file, name);

	if (!wrong && build_id && file->build_id[0] != '\0' &&
	    strcmp(build_id, file->build_id) != 0) {
		elffile_release(file);
		wrong = "has another build-id: it is not what was profiled";
	}
	return wrong && build_id && debugfile_fetched(file, build_id) ? NULL : wrong;
}

const char *objectfile_open(struct objectfile **object, const char *name, const char *build_id,
			    const struct objectfile_options *options)
{
	struct objectfile *made = calloc(1, sizeof(*made));
	const char *wrong;

	*object = NULL;
	if (!made)
		return "out of memory";
	wrong = open_file(&made->file, name, build_id, options);
	if (wrong) {
		free(made);
		return wrong;
	}
	if ((!elffile_has(&made->file, ".debug_info") || !elffile_has(&made->file, ".symtab")) &&
	    !debugfile_find(&made->debug, &made->file, options, &made->has_debug)) {
		elffile_release(&made->file);
		free(made);
		return "out of memory";
	}
	if (!options->only_lines &&
	    !elfsymbols_init(&made->symbols, &made->file, made->has_debug ? &made->debug : NULL)) {
		objectfile_free(made);
		return "out of memory";
	}
	*object = made;
	return NULL;
}

void objectfile_free(struct objectfile *object)
{
	if (!object)
		return;
	linetable_release(&object->lines);
	linenames_release(&object->names);
	elfsymbols_release(&object->symbols);
	if (object->has_debug)
		elffile_release(&object->debug);
	elffile_release(&object->file);
	free(object);
}

const char *objectfile_path(const struct objectfile *object)
{
	return object->file.path;
}

const char *objectfile_debug_path(const struct objectfile *object)
{
	return object->has_debug ? object->debug.path : NULL;
}

const char *objectfile_build_id(const struct objectfile *object)
{
	return object->file.build_id;
}

enum object_machine objectfile_machine(const struct objectfile *object)
{
	switch (object->file.header.e_machine) {
	case EM_386:
		return MACHINE_X86;
	case EM_X86_64:
		return MACHINE_X86_64;
	case EM_AARCH64:
		return MACHINE_AARCH64;
	default:
		return MACHINE_OTHER;
	}
}

struct timespec objectfile_modified(const struct objectfile *object)
{
	return object->file.modified;
}

const unsigned char *objectfile_code(const struct objectfile *object, uint64_t address, size_t *len)
{
	return elffile_code(&object->file, address, len);
}

bool objectfile_section(const struct objectfile *object, size_t i, uint64_t *start, uint64_t *end)
{
	if (i >= object->file.n_sections)
		return false;
	*start = object->file.sections[i].start;
	*end = object->file.sections[i].end;
	return true;
}

static bool give(struct object_symbol *symbol, const struct object_symbol *found)
{
	if (found)
		*symbol = *found;
	return found != NULL;
}

bool objectfile_symbol(const struct objectfile *object, uint64_t address,
		       struct object_symbol *symbol)
{
	return give(symbol, elfsymbols_find(&object->symbols.functions, address));
}

bool objectfile_symbol_number(const struct objectfile *object, size_t i,
			      struct object_symbol *symbol)
{
	const struct elf_symbol_list *list = &object->symbols.functions;

	return give(symbol, i < list->n ? &list->symbols[i].at : NULL);
}

bool objectfile_gap(const struct objectfile *object, uint64_t address, uint64_t *start,
		    uint64_t *end)
{
	const struct elf_symbol_list *list = &object->symbols.functions;
	const struct elf_section *sections = object->file.sections;
	size_t i = elfsymbols_before(list, address), n = object->file.n_sections;
	size_t next = elffile_sections_before(&object->file, address);

	if (i < list->n && address >= list->symbols[i].at.start)
		return false;
	*start = next > 0 ? sections[next - 1].end : 0;
	*end = next < n ? sections[next].start : UINT64_MAX;
	if (next < n && address >= sections[next].start) {
		*start = sections[next].start;
		*end = sections[next].end;
	}
	if (i > 0 && list->symbols[i - 1].at.end > *start)
		*start = list->symbols[i - 1].at.end;
	if (i < list->n && list->symbols[i].at.start < *end)
		*end = list->symbols[i].at.start;
	return true;
}

bool objectfile_variable(const struct objectfile *object, uint64_t address,
			 struct object_symbol *symbol)
{
	return give(symbol, elfsymbols_find(&object->symbols.variables, address));
}

/* What has the debug information. */
static Elf *debug_elf(const struct objectfile *object)
{
	bool own = elffile_has(&object->file, ".debug_info") || !object->has_debug;

	return own ? object->file.elf : object->debug.elf;
}

bool objectfile_line(struct objectfile *object, uint64_t address, const char **file, uint64_t *line)
{
	if (!object->has_lines) {
		object->has_lines = true;
		linetable_init(&object->lines, debug_elf(object));
	}
	return linetable_find(&object->lines, address, file, line);
}

bool objectfile_is_safe(const struct objectfile *object)
{
	return object->file.is_safe && (!object->has_debug || object->debug.is_safe);
}

bool objectfile_next_unit(struct objectfile *object, bool (*note)(void *ctx, const char *name),
			  void *ctx)
{
	if (!object->names.elf)
		object->names.elf = debug_elf(object);
	return linenames_next(&object->names, note, ctx);
}

bool objectfile_failed(const struct objectfile *object)
{
	return object->lines.failed || object->names.failed;
}
