/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program reads that is no file, with --deterministic=yes: bytes of
 * devices of random numbers are given by tool/deterministic/chance.h, what comes from other
 * processes is counted.  A descriptor is judged when it is read, by what it is of;
 * so it does not matter how the program came by it.
 */
#ifndef TOOL_DETERMINISTIC_READING_H
#define TOOL_DETERMINISTIC_READING_H

#include "pub_tool_basics.h"

enum { READING_MAX_SEALED = 256 }; /* descriptors that are known then */

/* A system call has succeeded: it may be one that reads, or connects to somebody who will be read. */
void reading_done(UInt number, const UWord *args, UWord result);

/* One failed with EAGAIN: maybe since the time that a socket may take is over. */
void reading_timed_out(UInt number, const UWord *args);

/*
 * The program is about to seal itself off: from then on to look what a
 * descriptor is of might be forbidden.  Notes which are of random numbers.
 */
void reading_seal(void);

#endif
