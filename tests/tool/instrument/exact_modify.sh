#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions that read and write the same place.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build modify
# Reads: 1 + 7 modifies; bts in a register 2; five locked 2 each; five others; 2 by push and
# pop of memory, 1 by pop, 1 by mov, 1 by movsb, 2 by mov, 1 by movsb.
exact modify "Ir=36 Dr=33 Dw=6 I1mr=4 D1mr=3 D1mw=2 ILmr=2 DLmr=2 DLmw=2 Bc=5 Bcm=0 Bi=0 Bim=0"
agrees modify

done_testing
