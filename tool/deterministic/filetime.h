/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of files, with --deterministic=yes: whole seconds, as some file systems
 * have no others, and when a file was read is when it was changed, as on those that
 * do not note reading.  A program that works with such times takes as long
 * for each, then, and its own reading in the run before makes no difference.
 *
 * Called when the system call is over and has succeeded.
 */
#ifndef TOOL_DETERMINISTIC_FILETIME_H
#define TOOL_DETERMINISTIC_FILETIME_H

#include "pub_tool_basics.h"

/* stat, lstat and fstat; newfstatat; statx. */
void filetime_stat(ThreadId tid, const UWord *args, UWord result);
void filetime_newfstatat(ThreadId tid, const UWord *args, UWord result);
void filetime_statx(ThreadId tid, const UWord *args, UWord result);

#endif
