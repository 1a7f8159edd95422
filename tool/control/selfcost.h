/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions that cost most by now, for who asks while the run goes on, to gdb or
 * vgdb.  Callgrind has nothing like it.
 */
#ifndef TOOL_CONTROL_SELFCOST_H
#define TOOL_CONTROL_SELFCOST_H

#include "pub_tool_basics.h"

/*
 * Prints, for "status functions":
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

/* Prints a name in a line of its own: control characters become blanks. */
void selfcost_print_name(const HChar *name);

#endif
