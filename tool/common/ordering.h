/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the orders of a profile are made of. */
#ifndef TOOL_COMMON_ORDERING_H
#define TOOL_COMMON_ORDERING_H

#include "pub_tool_basics.h"

/* Less than 0, 0, or more than 0: the order of two numbers. */
static inline Int by_number(UWord a, UWord b)
{
	return a < b ? -1 : a > b;
}

#endif
