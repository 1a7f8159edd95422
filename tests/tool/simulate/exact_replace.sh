#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which lines the sets of the caches give up.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build replace
exact replace "Ir=37 Dr=30 Dw=2 I1mr=7 D1mr=26 D1mw=1 ILmr=4 DLmr=18 DLmw=0 Bc=0 Bcm=0 Bi=0 Bim=0"
agrees replace

asm_build code
# The calls: 5 of f, 3 of g, 4 of h.  I1: the lines 00 20 40 60 of _start, and 3 + 3 + 3.
exact code "Ir=35 Dr=17 Dw=12 I1mr=13 D1mr=5 D1mw=1 ILmr=7 DLmr=5 DLmw=1 Bc=0 Bcm=0 Bi=0 Bim=0"
agrees code

done_testing
