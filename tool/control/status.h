/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the run, for gdb and vgdb while it goes on, and at its end. */
#ifndef TOOL_CONTROL_STATUS_H
#define TOOL_CONTROL_STATUS_H

#include "pub_tool_basics.h"

/* -- functions that cost most ---------------------------------------------- */

/*
 * The functions that cost most by now, which Callgrind does not have.  Prints, for "status functions":
 *
 *	instrumentation: on
 *	collection: on
 *	part: 0
 *	events: Ir Dr
 *	totals: 31 7
 *	function: 20 4 <tab> /usr/bin/cat <tab> main
 *	function: 11 3 <tab> ...
 *
 * the first line alone while nothing is counted.  Counts are self costs since the last
 * part, in the order of the events; the functions' sums are the totals, if all are
 * printed.  Those with the highest count of the first event come first; those without
 * any cost are left out, and so are all but the first most.  Inlined code counts for the function
 * that it is in.  What is counted does not change.
 */
void selfcost_print(UInt most);

/* -- the run --------------------------------------------------------------- */

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
