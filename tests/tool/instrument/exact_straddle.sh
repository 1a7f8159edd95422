#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# References and instructions that straddle two lines.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build straddle
exact straddle "Ir=23 Dr=12 Dw=5 I1mr=4 D1mr=9 D1mw=3 ILmr=2 DLmr=8 DLmw=3 Bc=0 Bcm=0 Bi=0 Bim=0"
agrees straddle

asm_build fetch
exact fetch "Ir=21 Dr=0 Dw=0 I1mr=7 D1mr=0 D1mw=0 ILmr=6 DLmr=0 DLmw=0 Bc=3 Bcm=2 Bi=0 Bim=0"
agrees fetch

done_testing
