#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Conditional branches, the predictor's state drawn next to each.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build branches
# Bc: 10 + 4 + 3 + 1 + 1 + 1; Bcm: 10 + 3 + 2 + 1 + 0 + 1.
exact branches "Ir=42 Dr=4 Dw=0 I1mr=3 D1mr=1 D1mw=0 ILmr=2 DLmr=1 DLmw=0 Bc=20 Bcm=17 Bi=0 Bim=0"
agrees branches

asm_build pattern
exact pattern "Ir=94 Dr=11 Dw=0 I1mr=1 D1mr=1 D1mw=0 ILmr=1 DLmr=1 DLmw=0 Bc=40 Bcm=12 Bi=0 Bim=0"
agrees pattern

asm_build chase
exact chase "Ir=46 Dr=3 Dw=0 I1mr=2 D1mr=1 D1mw=0 ILmr=1 DLmr=1 DLmw=0 Bc=20 Bcm=12 Bi=0 Bim=0"
agrees chase
# What the user says about Valgrind's translator does not change counts.
asm_run chase chased.out --vex-guest-chase=yes --vex-iropt-unroll-thresh=400
is "chase: Valgrind may not run what the program does not" "$(counts lines chased.out chase.S)" \
	"$(counts want "$asm/chase.S")"

done_testing
