/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For functions of the path of a miss, where the compiler has to be told. */
#ifndef SIM_INLINING_H
#define SIM_INLINING_H

#define ALWAYS_INLINED inline __attribute__((always_inline))

/* What few machines do, or what is seldom needed, is to cost the others no registers. */
#define NEVER_INLINED __attribute__((noinline))

#endif
