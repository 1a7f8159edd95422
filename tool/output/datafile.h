/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file that says on which data the program misses (--data=yes), beside the profile
 * (tool/output/beside.h): a profile whose functions are objects of data, with the misses on each piece
 * of them as costs of lines, line being its offset.  The program's functions call them, and have no
 * costs of their own.  docs/FORMAT.md has its form.
 */
#ifndef TOOL_OUTPUT_DATAFILE_H
#define TOOL_OUTPUT_DATAFILE_H

#include "pub_tool_basics.h"

struct output_file;

/* Writes it, as beside_write() has it; returns 0 or the writer's error. */
Int datafile_write(struct output_file *file, const HChar *trigger);

#endif
