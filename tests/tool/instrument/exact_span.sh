#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A superblock that spans functions.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

asm_build span
exact span "Ir=105 Dr=31 Dw=10 I1mr=2 D1mr=1 D1mw=1 ILmr=1 DLmr=1 DLmw=1 Bc=10 Bcm=10 Bi=0 Bim=0"
agrees span b

# _start goes by the name that Valgrind gives to what calls main().
is "span: functions" "$(counts functions span.out)" \
"(below main): Ir=35 Dr=1 Dw=10 I1mr=1 D1mr=1 D1mw=1 ILmr=1 DLmr=1 DLmw=1 Bc=10 Bcm=10
a: Ir=20 Dr=10 I1mr=1
b: Ir=50 Dr=20"

done_testing
