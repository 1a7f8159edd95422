/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The build-id of an ELF file that is mapped into memory: the bytes by which its
 * linker tells one build from another.  Nothing but memory is read, and only what
 * is said to be readable; nothing here knows Valgrind.
 *
 * Source of the layout: the System V ABI, "Note Section"; a build-id is the note of type 3 of the owner "GNU".
 */
#ifndef TOOL_SYMBOLS_ELFNOTE_H
#define TOOL_SYMBOLS_ELFNOTE_H

#include <stdint.h>

#include "tool/symbols/elfimage.h"

enum {
	BUILD_ID_MAX = 32, /* bytes; linkers make 8, 16 or 20 */
};

struct build_id {
	uint8_t size; /* bytes, 0: there is none */
	uint8_t bytes[BUILD_ID_MAX];
};

/*
 * The build-id of the file whose ELF header is mapped at an address; size 0 if it is
 * no ELF file of 64 bits in this processor's byte order, has none, or one of more
 * bytes than there is room for.
 */
void elfnote_find(uintptr_t header, elfimage_readable *readable, struct build_id *id);

#endif
