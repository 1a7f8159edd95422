#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Repeated string instructions: each turn counts, and the look at the counter that ends them.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build rep
# Ir: 17 single instructions and 13 + 6 + 1 + 13 + 2 + 4 + 1 turns.
# Bc: 13 + 6 + 1 + 25 + 4 + 3 + 0; Bcm: 10 + 5 + 0 + 10 + 3 + 2.
exact rep "Ir=57 Dr=43 Dw=20 I1mr=4 D1mr=2 D1mw=3 ILmr=2 DLmr=1 DLmw=2 Bc=52 Bcm=30 Bi=0 Bim=0"
agrees rep

done_testing
