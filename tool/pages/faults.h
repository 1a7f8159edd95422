/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First touches of pages (--collect-faults=yes): the event Pg, of the instruction that reads, writes or is
 * fetched from a page of 4 KiB that nothing of the process has referred to since it was mapped.
 *
 * A page is new when it is mapped, again after munmap(), when the break comes back to it, and when madvise() has
 * discarded it (MADV_DONTNEED, MADV_DONTNEED_LOCKED, MADV_REMOVE).  mprotect() leaves it what it is; mremap() takes what was
 * touched along.  The child of a fork has its parent's.  A reference that is not allowed touches nothing.  What
 * the kernel does with a page, for read() say, is no touch.
 */
#ifndef TOOL_PAGES_FAULTS_H
#define TOOL_PAGES_FAULTS_H

#include "pub_tool_basics.h"

struct miss_paths;

/* Counts from now on, before the program runs; the run's slow paths are to be those that it returns. */
const struct miss_paths *faults_start(const struct miss_paths *paths);

/* A system call of the program has been made, with success; does nothing if pages are not counted. */
void faults_see_syscall(UInt number, const UWord *args);

#endif
