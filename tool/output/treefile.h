/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file that the call tree goes to, beside the profile (tool/output/beside.h).  docs/FORMAT.md has its form.
 */
#ifndef TOOL_OUTPUT_TREEFILE_H
#define TOOL_OUTPUT_TREEFILE_H

#include "pub_tool_basics.h"

struct output_file;

/* Writes it, as beside_write() has it; returns 0 or the writer's error. */
Int treefile_write(struct output_file *file, const HChar *trigger);

/* Says what did not fit in the tree, if anything. */
void treefile_note(void);

#endif
