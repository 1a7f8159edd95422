/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from the program's perf map (tool/generated/perfmap.h), as far as it has been written. */
#ifndef TOOL_GENERATED_MAPFILE_H
#define TOOL_GENERATED_MAPFILE_H

#include "pub_tool_basics.h"

/* The program has opened a file to write to: if that is named as a perf map, it is its map. */
void mapfile_opened(const HChar *path);

/* A child begins without one. */
void mapfile_forget(void);

/* Reads what has been added. */
void mapfile_read(void);

#endif
