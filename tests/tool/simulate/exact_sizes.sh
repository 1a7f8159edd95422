#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# References longer than a line, which are cut to the smallest line.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

# other_lines WHAT TOTALS OPTION...: the same program with other caches.
other_lines() {
	what=$1
	want=$2
	shift 2
	asm_run sizes other.out "$@"
	is "sizes: totals with $what" "$(counts totals other.out)" "$want"
	asm_reference sizes other.cachegrind "$@"
	is "sizes: Cachegrind's totals with $what" "$(counts totals other.cachegrind)" "$want"
}

asm_build sizes
exact sizes "Ir=15 Dr=22 Dw=40 I1mr=3 D1mr=2 D1mw=23 ILmr=2 DLmr=1 DLmw=16 Bc=0 Bcm=0 Bi=0 Bim=0"
agrees sizes

# Lines of 64 B, to which all is cut.  The six writes touch lines: 00; 40; 80; c0 and 100; 200, 280
# to 380 (5); 400 and 440, 480 to 580 (5); the reads hit, 440 too.
other_lines "lines of 64 B" \
	"Ir=15 Dr=22 Dw=40 I1mr=2 D1mr=0 D1mw=16 ILmr=2 DLmr=0 DLmw=16 Bc=0 Bcm=0 Bi=0 Bim=0" \
	--I1=2048,2,64 --D1=2048,2,64 --LL=8192,4,64
# The smallest line is I1's, and data are cut to that: 410 to 42f is in one line of D1 now, so that
# 440 is not touched before it is read.
other_lines "lines of 64 B for data alone" \
	"Ir=15 Dr=22 Dw=40 I1mr=3 D1mr=1 D1mw=16 ILmr=2 DLmr=1 DLmw=16 Bc=0 Bcm=0 Bi=0 Bim=0" \
	--I1=1024,2,32 --D1=2048,2,64 --LL=8192,4,64

done_testing
