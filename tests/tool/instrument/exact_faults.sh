#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2034 # read by what is sourced
# Faults: what ran counts, what did not run does not.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

# D1 and LL have one set each, larger than all that is touched.
caches="--I1=1024,2,32 --D1=4096,128,32 --LL=16384,256,64 --sigill-diagnostics=no"

asm_build illegal
exact illegal "Ir=42 Dr=0 Dw=4 I1mr=9 D1mr=0 D1mw=1 ILmr=6 DLmr=0 DLmw=1 Bc=0 Bcm=0 Bi=0 Bim=0"
agrees illegal

# Cachegrind is not right about the others: what it has queued when an instruction faults, up to
# 16 instructions and references, it does not count.
asm_build faults
exact faults "Ir=54 Dr=5 Dw=7 I1mr=10 D1mr=4 D1mw=3 ILmr=6 DLmr=3 DLmw=3 Bc=2 Bcm=1 Bi=1 Bim=1"

asm_build division
exact division "Ir=23 Dr=2 Dw=2 I1mr=5 D1mr=2 D1mw=2 ILmr=4 DLmr=2 DLmw=2 Bc=0 Bcm=0 Bi=0 Bim=0"

caches="--I1=1024,2,32 --D1=512,2,32 --LL=4096,4,64"
asm_build resume
exact resume "Ir=28 Dr=13 Dw=0 I1mr=6 D1mr=5 D1mw=0 ILmr=3 DLmr=4 DLmw=0 Bc=0 Bcm=0 Bi=0 Bim=0"

done_testing
