/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the run, for who asks while it goes on: to gdb or vgdb. */
#ifndef TOOL_STATUS_H
#define TOOL_STATUS_H

/* How many threads there are. */
void status_print(void);

/*
 * What Callgrind's "status internal" prints, which callgrind_control reads: numbers
 * of things, and of each thread its costs and its calls, the outermost first.
 */
void status_print_all(void);

#endif
