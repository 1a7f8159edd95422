/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exception through calls that were made before counting starts: "thrown - start", or zero. */
#include <cstring>
#include <stdexcept>

#include "tool/costgrind.h"

#define APART __attribute__((noinline))

static unsigned long code;
static volatile int sink;

static APART void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sink = sink + i;
}

static APART void thrower(int depth)
{
	if (depth == 0) {
		VALGRIND_DO_CLIENT_REQUEST_STMT(code, 0, 0, 0, 0, 0);
		leaf(5);
		throw std::runtime_error("thrown");
	}
	thrower(depth - 1);
	leaf(3);
}

static APART void catcher()
{
	try {
		thrower(3);
	} catch (const std::exception &) {
		leaf(7);
	}
	leaf(9);
}

int main(int argc, char **argv)
{
	code = std::strcmp(argv[argc - 1], "zero") == 0
		       ? VG_USERREQ__COSTGRIND_ZERO
		       : VG_USERREQ__COSTGRIND_START_INSTRUMENTATION;
	catcher();
	leaf(11);
	return 0;
}
