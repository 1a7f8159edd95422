/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPython, by version.  Source of the facts: the headers that Debian's libpython3.11-dev installs in
 * /usr/include/python3.11 (cpython/code.h, cpython/pystate.h, cpython/unicodeobject.h, internal/pycore_frame.h,
 * internal/pycore_runtime.h), by offsetof.
 *
 * When a function is called there, as sys.setprofile() has it: its instruction RESUME says "call", or an
 * exception that is thrown into its frame.  Both come right after the frame has become the
 * loop's, but for two: a generator, coroutine or asynchronous generator is made by a frame of the thread's own that
 * gives up before it; and a frame too many is refused with RecursionError.
 */
#ifndef TOOL_FRAMES_CPYTHON_H
#define TOOL_FRAMES_CPYTHON_H

#include "pub_tool_basics.h"

#include "tool/frames/reader.h"

extern const struct frame_reader cpython_3_11;

/* The version of a file that has CPython in it, as major << 8 | minor; 0: older than 3.11, which do not say. */
UInt cpython_version(const struct elf_image *image);

#endif
