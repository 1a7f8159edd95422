/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The auxiliary vector, which the kernel gives a program on its stack: what
 * it tells of the processor and of chance, with --deterministic=yes.
 */
#ifndef TOOL_DETERMINISTIC_AUXVECTOR_H
#define TOOL_DETERMINISTIC_AUXVECTOR_H

#include "pub_tool_basics.h"

/*
 * Before the program runs: AT_RANDOM's bytes are fixed, AT_HWCAP and
 * AT_HWCAP2 are the processor's; also in what /proc/self/auxv will have.
 */
void auxvector_init(Bool random, Bool cpu);

#endif
