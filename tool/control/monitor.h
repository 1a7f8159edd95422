/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands from outside, by gdb ("monitor dump") or vgdb: those of Callgrind word
 * for word, since callgrind_control gives them and reads the answers.  Beyond them:
 * "status functions [N]" (tool/control/selfcost.h); "final", which writes the profile as at the
 * end of the run, for who is about to kill the program; and "written: FILE" behind both "dump" and
 * "final", but not under Callgrind's name.
 */
#ifndef TOOL_CONTROL_MONITOR_H
#define TOOL_CONTROL_MONITOR_H

#include "pub_tool_basics.h"

/* Does what a command says; False if it is none of ours. */
Bool monitor_command(const HChar *command);

#endif
