/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First touches of pages (--collect-faults=yes): the event Pg, counted for the instruction that reads, writes or is
 * fetched from a page of 4 KiB that nothing in the process has referred to since it was mapped.
 *
 * A page is new when it is mapped, again after munmap(), when the break comes back to it, and when madvise()
 * has discarded it (MADV_DONTNEED, MADV_DONTNEED_LOCKED, MADV_REMOVE).  mprotect() changes nothing; mremap()
 * takes along what was touched.  The child of a fork inherits its parent's pages.  A reference that is not
 * allowed touches nothing, nor does the kernel, in read() say.
 */
#ifndef TOOL_PAGES_FAULTS_H
#define TOOL_PAGES_FAULTS_H

#include "pub_tool_basics.h"

#include "tool/counts/levels.h"
#include "tool/pages/touched.h"

struct miss_paths;
struct site;

/* The state of this room. */
struct pages_state {
	Bool is_on;
	struct touched touched;
	const struct miss_paths *within; /* the slow paths that this room's call */
};

extern struct pages_state tool_pages;

/* This room's slow paths, which look at pages. */
extern const struct miss_paths faulting_paths;

/* Counts from now on; call it before the program runs.  Returns faulting_paths, around paths. */
const struct miss_paths *faults_start(const struct miss_paths *paths);

/* A reference of size bytes (1 or more), for the oracle (tests/oracle/).  Does nothing if pages are not counted. */
void faults_see(struct site *site, enum reference_kind kind, Addr address, UWord size);

/* A system call of the program has succeeded.  Does nothing if pages are not counted. */
void faults_see_syscall(UInt number, const UWord *args);

#endif
