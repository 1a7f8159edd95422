#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Straight-line code: every kind of reference, and runs that simulate less.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

# simulating NAME OPTION... : the totals of a run with less simulated, those given last.
simulating() {
	what=$1
	want=$2
	shift 2
	asm_run straight less.out "$@"
	is "straight: totals with $what" "$(counts totals less.out)" "$want"
}

asm_build straight
exact straight "Ir=27 Dr=10 Dw=8 I1mr=4 D1mr=2 D1mw=3 ILmr=2 DLmr=1 DLmw=2 Bc=0 Bcm=0 Bi=0 Bim=0"
agrees straight

simulating "no branches" \
	"Ir=27 Dr=10 Dw=8 I1mr=4 D1mr=2 D1mw=3 ILmr=2 DLmr=1 DLmw=2" --branch-sim=no
simulating "no caches" "Ir=27 Bc=0 Bcm=0 Bi=0 Bim=0" --cache-sim=no
simulating "neither" "Ir=27" --cache-sim=no --branch-sim=no

# Lines of 64 B everywhere: code is lines 00 and 40; data 0x600000, 0x600040 (first touched by a
# write) and the stack's.  LL is cold as well, so it misses whenever L1 does.
simulating "lines of 64 B" \
	"Ir=27 Dr=10 Dw=8 I1mr=2 D1mr=1 D1mw=2 ILmr=2 DLmr=1 DLmw=2 Bc=0 Bcm=0 Bi=0 Bim=0" \
	--I1=2048,2,64 --D1=2048,2,64
# LL with lines half as long as L1's: code is 00 and 40 in I1, 00, 20, 40 and 60 in LL.  LL is
# asked with the reference's own bytes, not with L1's line: only 00 and 40 are asked for there.
simulating "LL with shorter lines than L1" \
	"Ir=27 Dr=10 Dw=8 I1mr=2 D1mr=1 D1mw=2 ILmr=2 DLmr=1 DLmw=2 Bc=0 Bcm=0 Bi=0 Bim=0" \
	--I1=2048,2,64 --D1=2048,2,64 --LL=8192,4,32

done_testing
