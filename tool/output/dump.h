/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a profile: the costs of all sites, in the Callgrind format or in
 * Cachegrind's.  A dump only reads; nothing is zeroed.
 */
#ifndef TOOL_OUTPUT_DUMP_H
#define TOOL_OUTPUT_DUMP_H

#include "pub_tool_basics.h"

struct graph;
struct output_file;

/* Whether each thread has a file of its own. */
Bool dump_by_threads(void);

/* Removes what the last dump has written: its costs are in another file, or will be. */
void dump_withdraw(void);

/*
 * Writes the profile of this process, or if dump_by_threads() of the thread that has this number
 * (0: of all), under its name and suffix ("" or ".1"),
 * and the call tree, if there is one, under its own;
 * trigger says why, for the profile's "desc: Trigger:".  An error is reported in
 * one line.  closing_line: success is reported too (not with -q).  Returns
 * whether the profile was written.
 */
Bool dump_profile(const HChar *suffix, const HChar *trigger, UInt thread, Bool closing_line);

/*
 * Writes a profile in Cachegrind's own format to an open file (flatfile.c): self costs by
 * file, function and line, sorted, all counts of each line, "summary:" at the end.  Functions
 * are those of single instructions, whoever called them.  Returns 0 or an error number.
 */
Int flatfile_write(struct output_file *file, const struct graph *graph);

#endif
