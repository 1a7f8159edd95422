/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPython 3.11 to 3.14, by its frames; tool/frames/layout.h has where things are.
 *
 * When a function is called there, as sys.setprofile() has it: its instruction RESUME says "call", or an
 * exception that is thrown into its frame.  Both come right after the frame has become the
 * loop's, but for some: a generator, coroutine or asynchronous generator is made by a frame of the thread's own that
 * gives up before it; a frame too many is refused with RecursionError; and since 3.12 there are stubs, whose
 * code says that it has no events.
 *
 * Since 3.12 the first frame of a loop returns to one that stands for the loop; since 3.13 the word is in the
 * thread's state, so that a loop that ends leaves there what was in it when it began.
 */
#ifndef TOOL_FRAMES_CPYTHON_H
#define TOOL_FRAMES_CPYTHON_H

#include "tool/frames/reader.h"

extern const struct frame_reader cpython;

#endif
