#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Indirect jumps and calls; returns are none.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build indirect
# Ir: 2 + 15 * 3 + 3 in _start, 14 in f, 2 in g.
exact indirect "Ir=66 Dr=35 Dw=19 I1mr=5 D1mr=2 D1mw=1 ILmr=3 DLmr=1 DLmw=1 Bc=3 Bcm=2 Bi=15 Bim=7"
agrees indirect

done_testing
