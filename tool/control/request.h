/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is asked for while the program runs: client requests of callgrind.h, cachegrind.h and
 * costgrind.h, with the same numbers, and commands of gdb and vgdb.
 */
#ifndef TOOL_CONTROL_REQUEST_H
#define TOOL_CONTROL_REQUEST_H

#include "pub_tool_basics.h"

#include "sim/basics.h"

/* -- instrumentation and caches -------------------------------------------- */

/*
 * Switches instrumentation on or off. While it is off, code is translated unchanged, as fast as
 * without a tool, and calls are not known. Only from where the core allows discarding code: client
 * requests and monitor commands. Returns True if that was a change.
 */
Bool control_instrument(Bool on);

/* Removes all lines that overlap the range from all caches; predictors do not change. */
void control_evict(struct address_range range);

/* -- client requests ------------------------------------------------------- */

/* Registers for requests and monitor commands; call it in pre_clo_init. */
void request_register(void);

/* -- monitor commands ------------------------------------------------------- */

/*
 * Commands from outside, by gdb ("monitor dump") or vgdb. They include Callgrind's, word for word,
 * since callgrind_control sends them and reads the answers. There are also "status functions [N]"
 * (selfcost_print()); "final", which writes the profile as at the end of the run, for a user about
 * to kill the program; and the answer "written: FILE" to "dump" and "final", except under
 * Callgrind's name.
 *
 * Executes a command; False if it is not one of ours (monitor.c).
 */
Bool monitor_command(const HChar *command);

/* -- functions that cost most ---------------------------------------------- */

/*
 * The functions that have cost most so far; Callgrind does not have this. Prints for "status
 * functions":
 *
 *	instrumentation: on
 *	collection: on
 *	part: 0
 *	events: Ir Dr
 *	totals: 31 7
 *	function: 20 4 <tab> /usr/bin/cat <tab> main
 *	function: 11 3 <tab> ...
 *
 * only the first line while nothing is counted. Counts are self costs since the last part, in the
 * order of the events; they add up to the totals if all are printed. Functions with the highest
 * count of the first event come first, at most this many; functions without any cost are left out.
 * Inlined code counts for the function that it is in. No count changes.
 */
void selfcost_print(UInt most);

/* -- the run --------------------------------------------------------------- */

/* Prints the number of threads, and if what they do is not collected. */
void status_print(void);

/*
 * Prints a line "collection: on", "off", or "off in threads 2 3"; nothing under Callgrind's name,
 * whose readers do not know it.
 */
void status_print_collection(void);

/*
 * Prints what Callgrind's "status internal" does, which callgrind_control reads: the numbers of
 * various things, and the costs and calls of each thread, the outermost call first, all as in a
 * part written now. Except under Callgrind's name, also the state of collection and the totals of a
 * profile.
 */
void status_print_all(void);

/* Prints what the tool itself has needed, for --stats=yes: one number a line. */
void stats_print(void);

/* Registers stats_print() for gdb's command "v.info stats"; before options are read. */
void stats_register(void);

#endif
