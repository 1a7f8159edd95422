#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Branches that share a counter and jumps that share an entry of the table of targets.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build alias
# A round: test, jmp, 7 branches, jmp, A, 7 branches, jmp, B, dec and the end, 22 in all, 17 of
# them branches.  Ir: 1 + 5 * 22 + 1 + 5 * 22 + 3.
exact alias "Ir=225 Dr=2 Dw=0 I1mr=11 D1mr=1 D1mw=0 ILmr=8 DLmr=1 DLmw=0 Bc=170 Bcm=13 Bi=0 Bim=0"
agrees alias

asm_build targets
# Ir: 3 + 5 * 4 + 4 + 5 * 4 + 3.
exact targets "Ir=50 Dr=6 Dw=0 I1mr=8 D1mr=2 D1mw=0 ILmr=8 DLmr=1 DLmw=0 Bc=8 Bcm=6 Bi=16 Bim=10"
agrees targets

done_testing
