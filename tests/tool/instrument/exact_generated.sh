#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Code that is generated and changed at run time.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

# What has no line: the 25 instructions of generated code.
generated="???:0: Ir=25 Dr=9 I1mr=1"
# Ir: 13, then 4, 3 and 2 turns of 3 with 2 between, 3 at the end, and the generated ones.
totals="Ir=72 Dr=9 Dw=13 I1mr=5 D1mr=0 D1mw=2 ILmr=2 DLmr=0 DLmw=2 Bc=9 Bcm=6 Bi=9 Bim=3"

asm_build generated
for run in asm_run asm_reference; do
	$run generated "$run.out"
	is "$run: totals" "$(counts totals "$run.out")" "$totals"
	is "$run: every line" "$(counts lines "$run.out" generated.S)" \
		"$(counts want "$asm/generated.S")
$generated"
done

# Tabs: object, function, address, line, counts.
is "every generated instruction" \
	"$(python3 "$top_srcdir/tests/profile.py" insns asm_run.out | grep '^???' | tr '\t' ' ')" \
"??? 0x0000000000700000 0x700000 0 Ir=9 I1mr=1
??? 0x0000000000700000 0x700001 0 Ir=9 Dr=2
??? 0x0000000000700000 0x700004 0 Ir=7 Dr=7"

done_testing
