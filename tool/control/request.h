/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is asked for while the program runs: the client requests of callgrind.h, cachegrind.h
 * and costgrind.h, number for number, and commands of gdb and vgdb.
 */
#ifndef TOOL_CONTROL_REQUEST_H
#define TOOL_CONTROL_REQUEST_H

#include "pub_tool_basics.h"

#include "sim/range.h"

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
 * "status functions [N]" (tool/control/status.h); "final", which writes the profile as at the
 * end of the run, for a user about to kill the program; and "written: FILE" behind both "dump" and
 * "final", but not under Callgrind's name.
 *
 * Does what a command says; False if it is none of ours.  (monitor.c)
 */
Bool monitor_command(const HChar *command);

#endif
