/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program reads that is no file, with --deterministic=yes: bytes of
 * devices of random numbers are given by tool/deterministic/random_source.h, what comes from other
 * processes is counted.  A descriptor is judged when it is read, by what it is of;
 * so it does not matter how the program came by it.
 */
#ifndef TOOL_DETERMINISTIC_DESCRIPTOR_READS_H
#define TOOL_DETERMINISTIC_DESCRIPTOR_READS_H

#include "pub_tool_basics.h"

enum { DESCRIPTOR_READS_MAX_SEALED = 256 }; /* descriptors that are known then */

/*
 * A system call has succeeded: it may be one that reads, or connects to a peer that will be read.
 */
void descriptor_reads_done(UInt number, const UWord *args, UWord result);

/* One failed with EAGAIN: maybe since the time that a socket may take is over. */
void descriptor_reads_timed_out(UInt number, const UWord *args);

/*
 * The program is about to seal itself off: from then on to look what a
 * descriptor is of might be forbidden.  Notes which are of random numbers.
 */
void descriptor_reads_seal(void);

#endif
