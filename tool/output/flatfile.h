/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile in Cachegrind's own format: self costs by file, function and line, sorted,
 * all counts of each line, "summary:" at the end.  Functions are those of single
 * instructions, whoever called them.
 */
#ifndef TOOL_OUTPUT_FLATFILE_H
#define TOOL_OUTPUT_FLATFILE_H

#include "pub_tool_basics.h"

struct graph;
struct output_file;

/* Writes it to an open file; returns 0 or an error number. */
Int flatfile_write(struct output_file *file, const struct graph *graph);

#endif
