/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of code that a program has registered with debuggers: those that the ELF file has in .debug_line, for each of its
 * functions as naming_set() wants them.
 */
#ifndef TOOL_GENERATED_OBJECTLINES_H
#define TOOL_GENERATED_OBJECTLINES_H

#include "pub_tool_basics.h"

#include "tool/elf/elfobject.h"

struct named_lines;
struct object_line;

struct objectlines {
	UInt n, room;
	struct object_line *lines; /* by address */
};

/*
 * Reads the lines of a file, all zero before; there may be none, also if what there is is damaged, or more than 64 MiB.
 */
void objectlines_read(struct objectlines *lines, const struct elfobject *object);

/*
 * Those of size bytes of code, 1 or more; NULL if there are none, or too many have been kept.  They are
 * never freed.
 */
struct named_lines *objectlines_of(const struct objectlines *lines, Addr address, ULong size);

void objectlines_release(struct objectlines *lines);

#endif
