/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is asked for while the program runs: the client requests of callgrind.h, cachegrind.h
 * and costgrind.h, number for number, and commands of gdb and vgdb.
 */
#ifndef TOOL_CONTROL_REQUEST_H
#define TOOL_CONTROL_REQUEST_H

#include "pub_tool_basics.h"

#include "sim/basics.h"

/* -- instrumentation and caches -------------------------------------------- */

/*
 * Instrumentation on and off.  While it is off, code is translated as it is, as
 * fast as without a tool, and nothing is known of the calls that are made.
 * From where the core allows code to be discarded: client requests and
 * monitor commands.  Returns whether that was a change.
 */
Bool control_instrument(Bool on);

/* Takes lines that have a byte in the range out of all caches; predictors stay as they are. */
void control_evict(struct address_range range);

/* -- client requests ------------------------------------------------------- */

/* Has the core hand over requests and monitor commands; in pre_clo_init. */
void request_register(void);

/* -- monitor commands ------------------------------------------------------- */

/*
 * Commands from outside, by gdb ("monitor dump") or vgdb: those of Callgrind word
 * for word, since callgrind_control gives them and reads the answers.  Beyond them:
 * "status functions [N]" (tool/control/request.h); "final", which writes the profile as at the
 * end of the run, for a user about to kill the program; and "written: FILE" behind both "dump" and
 * "final", but not under Callgrind's name.
 *
 * Does what a command says; False if it is none of ours.  (monitor.c)
 */
Bool monitor_command(const HChar *command);

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
