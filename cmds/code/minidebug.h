/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symbol table that some distributions (Fedora) leave in a stripped object: another ELF file,
 * compressed by xz, in its section .gnu_debugdata.  It has functions that are not exported, and no
 * lines.
 */
#ifndef CMDS_CODE_MINIDEBUG_H
#define CMDS_CODE_MINIDEBUG_H

#include <stdbool.h>

#include "cmds/code/elffile.h"

enum {
	MINIDEBUG_MAX =
		64 << 20, /* bytes that it may have, unpacked: a small file can claim any size */
};

struct minidebug {
	Elf *elf;    /* NULL: there is none that can be read */
	char *image; /* owned; what elf is in */
};

/*
 * Unpacks that of an object, if it has one that is not damaged; to be released in any case.
 * False if memory ran out.
 */
bool minidebug_open(struct minidebug *minidebug, const struct elffile *object);
void minidebug_release(struct minidebug *minidebug);

#endif
