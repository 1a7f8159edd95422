/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names from what the program registers with debuggers: GDB's JIT interface.  A program that has it
 * calls __jit_debug_register_code(), which does nothing, for each ELF file in memory (tool/elf/elfobject.h)
 * that is added to a list, or taken out.  Lists are of libraries: there may be several.
 *
 * Source: GDB's manual, "JIT Compilation Interface".
 */
#ifndef TOOL_GENERATED_OBJECTLIST_H
#define TOOL_GENERATED_OBJECTLIST_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct text;

struct objectlist {
	VgHashTable *objects; /* struct registered_object by where the program has its entry */
	/* Where the list is of the object that registered something last, and when that was found out. */
	const struct text *object;
	UInt epoch;
	Addr head;
};

/* Sees registrations from now on.  To be called before code is translated. */
void objectlist_start(void);

/* Reads lists as they are now: for what was registered while nothing was counted. */
void objectlist_read(void);

#endif
