/* SPDX-License-Identifier: MIT-0 */
/*
 * libcostgrind-regions.so: the requests of costgrind.h as functions, for languages that have no inline assembly: whatever
 * calls C functions by name (ctypes of Python, koffi of Node, FFI of Ruby, Lua and Perl) calls these.
 *
 * Where costgrind does not run the program, they do nothing.  What a call needs from the request to its return is in the
 * region, and so is the way to the request of the call that ends it: some instructions here, and some hundred or thousand
 * in an FFI, always the same ones.
 */
#include "valgrind.h"

#include "tool/costgrind.h"

/* Begins a region of this thread; name as in COSTGRIND_REGION_BEGIN(). */
void costgrind_region_begin(const char *name);
/* Ends it. */
void costgrind_region_end(const char *name);
/* 1 if costgrind runs this program, and regions are measured; else 0. */
int costgrind_is_running(void);

void costgrind_region_begin(const char *name)
{
	COSTGRIND_REGION_BEGIN(name);
}

void costgrind_region_end(const char *name)
{
	COSTGRIND_REGION_END(name);
}

int costgrind_is_running(void)
{
	unsigned long long count;

	/* Other tools of Valgrind answer 0. */
	return COSTGRIND_COUNTER("Ir", &count) != 0;
}
