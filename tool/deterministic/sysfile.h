/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of /proc and /sys that tell of the machine, with --deterministic=yes.
 *
 * When the program has opened one of those that are known, whatever name it had
 * for it, its descriptor is made one of a file in memory that has the canonical
 * text.  Others are counted.
 */
#ifndef TOOL_DETERMINISTIC_SYSFILE_H
#define TOOL_DETERMINISTIC_SYSFILE_H

#include "pub_tool_basics.h"

/* A file was opened. */
void sysfile_opened(Int fd);

/*
 * A file that is not there, or may not be read: one that is known is opened
 * all the same, as on other machines.  name is the program's.
 */
void sysfile_missing(ThreadId tid, const HChar *name, UInt flags);

#endif
