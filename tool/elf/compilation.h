/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In which directory the compiler ran: up to DWARF 4, line programs do not say it, and the files that they name are relative to
 * it.  It is an attribute of what stands first in each unit of .debug_info, as is where the unit's line program is.
 *
 * What is read is limited as for these programs (tool/elf/lineprogram.h).
 *
 * Source: the DWARF standard, versions 4 and 5, sections 3.1.1 and 7.5.
 */
#ifndef TOOL_ELF_COMPILATION_H
#define TOOL_ELF_COMPILATION_H

#include "tool/elf/debugcursor.h"

struct compilation {
	uint64_t lines; /* offset of its unit in .debug_line */
	struct debug_name directory;
};

/*
 * The next one that has both, from *at on, which is 0 at first and is then where the one behind it is; false if there
 * is none.
 */
bool compilation_next(const struct debug_sections *sections, uint64_t *at,
		      struct compilation *compilation);

#endif
