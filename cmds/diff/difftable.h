/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a report of costgrind diff, the same for text and Markdown. */
#ifndef CMDS_DIFF_DIFFTABLE_H
#define CMDS_DIFF_DIFFTABLE_H

#include "cmds/diff/diffreport.h"
#include "cmds/text/grid.h"

/* Each fills an uninitialised grid, to be released; at most max_rows rows, largest first. */
void difftable_totals(const struct diffreport *report, struct grid *grid, struct arena *arena);
void difftable_functions(const struct diffreport *report, struct grid *grid, struct arena *arena,
			 size_t max_rows);
void difftable_callers(const struct diffreport *report, struct grid *grid, struct arena *arena,
		       size_t max_rows);
void difftable_renamed(const struct diffreport *report, struct grid *grid, struct arena *arena,
		       size_t max_rows);
void difftable_arcs(const struct diffreport *report, struct grid *grid, struct arena *arena,
		    size_t max_rows);
void difftable_lines(const struct diffreport *report, struct grid *grid, struct arena *arena,
		     size_t max_rows);

#endif
