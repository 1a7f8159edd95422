/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the run, for who asks while it goes on, by gdb or vgdb, and at its end. */
#ifndef TOOL_CONTROL_STATUS_H
#define TOOL_CONTROL_STATUS_H

/* How many threads there are, and whether what they do is not collected. */
void status_print(void);

/*
 * A line "collection: on", "off", or "off in threads 2 3"; none under Callgrind's name, whose
 * readers do not know it.
 */
void status_print_collection(void);

/*
 * What Callgrind's "status internal" prints, which callgrind_control reads: numbers
 * of things, and of each thread its costs and its calls, the outermost first; all of it as a part
 * that is written now would have it.
 * Besides, but under Callgrind's name, whether that is collected and the totals of a profile.
 */
void status_print_all(void);

/* What the tool itself has needed, for --stats=yes: one number a line. */
void stats_print(void);

/* Has it printed for gdb's command "v.info stats" too; before options are read. */
void stats_register(void);

#endif
