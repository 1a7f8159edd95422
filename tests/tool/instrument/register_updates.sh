#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs whose handlers of SIGSEGV let an instruction go on: it finds its registers as they were.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

build_program write_barrier

has_decoder || {
	skip "registers at faults" "built without a decoder"
	done_testing
}

for option in --engine=inline --engine=plain --cold-runs=0; do
	scene "protect$option"
	run --counting=architectural --costgrind-out-file=p $option ../write_barrier protect
	exits 0
	is "protected, $option" "$(cat "$scratch/$scene.out")" "1
1"
	# The first fault shows that registers are needed.
	scene "map$option"
	run --counting=architectural --costgrind-out-file=p $option ../write_barrier map
	exits 0
	is "mapped, $option: from the second fault on" "$(sed -n 2p "$scratch/$scene.out")" 1
done

# The counts are the same as with registers up to date from the start.
scene protect
set -- --counting=architectural --deterministic=yes
run "$@" --costgrind-out-file=p ../write_barrier protect
run "$@" --costgrind-out-file=q --vex-iropt-register-updates=allregs-at-mem-access ../write_barrier protect
is "counts" "$(header totals p)" "$(header totals q)"

done_testing
