/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tool itself has needed, for --stats=yes. */
#ifndef TOOL_CONTROL_STATS_H
#define TOOL_CONTROL_STATS_H

/* One number a line. */
void stats_print(void);

/* Has it printed for gdb's command "v.info stats" too; before options are read. */
void stats_register(void);

#endif
