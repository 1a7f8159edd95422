/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files in memory without a name in any directory, for what one process hands
 * the program that it executes, or its children: descriptors beyond those that the program may
 * have survive whatever it closes, and exec.  The next program's tool finds one by
 * the name that /proc has for it.
 */
#ifndef TOOL_COMMON_MEMFILE_H
#define TOOL_COMMON_MEMFILE_H

#include "pub_tool_basics.h"

/* The descriptor of the file of a name, up to 32 bytes, that was there at the start; or -1. */
Int memfile_find(const HChar *name);

/* A new one, empty, that exec does not close; -1 if there can be none. */
Int memfile_make(const HChar *name);

#endif
