/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the place of objectfile.c where costgrind was configured --without-elfutils. */
#include "cmds/code/objectfile.h"

const char *objectfile_missing(void)
{
	return "costgrind was built without elfutils (Debian: libelf-dev, libdw-dev)";
}

/* There is none, so nobody calls what follows. */

const char *objectfile_open(struct objectfile **object, const char *name, const char *build_id,
			    const struct objectfile_options *options)
{
	(void)name;
	(void)build_id;
	(void)options;
	*object = NULL;
	return "cannot be read";
}

void objectfile_free(struct objectfile *object)
{
	(void)object;
}

const char *objectfile_path(const struct objectfile *object)
{
	(void)object;
	return "";
}

const char *objectfile_debug_path(const struct objectfile *object)
{
	(void)object;
	return NULL;
}

const char *objectfile_build_id(const struct objectfile *object)
{
	(void)object;
	return "";
}

enum object_machine objectfile_machine(const struct objectfile *object)
{
	(void)object;
	return MACHINE_OTHER;
}

struct timespec objectfile_modified(const struct objectfile *object)
{
	(void)object;
	return (struct timespec){ .tv_sec = 0 };
}

const unsigned char *objectfile_code(const struct objectfile *object, uint64_t address, size_t *len)
{
	(void)object;
	(void)address;
	*len = 0;
	return NULL;
}

bool objectfile_symbol(const struct objectfile *object, uint64_t address,
		       struct object_symbol *symbol)
{
	(void)object;
	(void)address;
	*symbol = (struct object_symbol){ .name = "" };
	return false;
}

bool objectfile_gap(const struct objectfile *object, uint64_t address, uint64_t *start,
		    uint64_t *end)
{
	(void)object;
	(void)address;
	*start = *end = 0;
	return false;
}

bool objectfile_variable(const struct objectfile *object, uint64_t address,
			 struct object_symbol *symbol)
{
	return objectfile_symbol(object, address, symbol);
}

bool objectfile_line(struct objectfile *object, uint64_t address, const char **file, uint64_t *line)
{
	(void)object;
	(void)address;
	*file = NULL;
	*line = 0;
	return false;
}

void *objectfile_dwarf(struct objectfile *object)
{
	(void)object;
	return NULL;
}

bool objectfile_is_fixed(const struct objectfile *object)
{
	(void)object;
	return false;
}

bool objectfile_is_safe(const struct objectfile *object)
{
	(void)object;
	return false;
}

bool objectfile_next_unit(struct objectfile *object, bool (*note)(void *ctx, const char *name),
			  void *ctx)
{
	(void)object;
	(void)note;
	(void)ctx;
	return false;
}

bool objectfile_failed(const struct objectfile *object)
{
	(void)object;
	return false;
}
