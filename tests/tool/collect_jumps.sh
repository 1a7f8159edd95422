#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --collect-jumps: jumps within functions, derived by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/jumps.sh"

jumps_build plain
jumps_exact plain
asm_run jumps_plain without.out
is "without the option: no jumps" "$(grep '^j' without.out)" ""
asm_run jumps_plain without.out --collect-jumps=no
is "--collect-jumps=no: no jumps" "$(grep '^j' without.out)" ""
is "with jumps: the same costs and calls" \
	"$(profile insns jumps_plain.out; profile calls jumps_plain.out)" \
	"$(profile insns without.out; profile calls without.out)"

jumps_build frames
jumps_exact frames

jumps_build fault
jumps_exact fault

done_testing
