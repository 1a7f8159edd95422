#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions that lock the bus.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

EVENTS="Ir Ge"
export EVENTS
calls_build bus

# only_bus: of "LINE: Ir=1 Dr=2 Ge=1", the line and Ge.
only_bus() {
	sed -n 's/: .*\(Ge=.*\)/: \1/p'
}

want=$(counts want "$asm/calls_bus.S")
for engine in inline plain; do
	for caches_and_branches in no yes; do
		calls_exact bus --engine=$engine --collect-bus=yes \
			--cache-sim=$caches_and_branches --branch-sim=$caches_and_branches
		is "calls_bus: locks by line" \
			"$(counts lines calls_bus.out calls_bus.S | only_bus)" \
			"$(echo "$want" | only_bus)"
		cp calls_bus.out $engine-$caches_and_branches.out
	done
	is "calls_bus: every line" "$(counts lines $engine-no.out calls_bus.S)" "$want"
	is "calls_bus: totals" "$(counts totals $engine-no.out)" "Ir=84 Ge=22"
	is "calls_bus: summary" "$(counts summary $engine-no.out)" "Ir=84 Ge=22"
done
is "calls_bus: both engines" "$(grep -v '^pid: \|^cmd: ' plain-yes.out)" \
	"$(grep -v '^pid: \|^cmd: ' inline-yes.out)"

# Callgrind agrees, but for what faults.
callgrind_says=$(VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=callgrind -q \
	--callgrind-out-file=callgrind.out --collect-bus=yes ./calls_bus 2>callgrind.log &&
	calls graph callgrind.out | grep 'locks\|once')
is "calls_bus: Callgrind's" "$callgrind_says" "$(calls graph plain-no.out | grep 'locks\|once')"

# What a run of all simulators has besides, it has without --collect-bus too.
asm_run calls_bus without.out
is "calls_bus: what else is counted" "$(counts totals without.out)" \
	"$(counts totals inline-yes.out | sed 's/ Ge=.*//')"

# Of the instructions that lock and faulted, none came to its branch: 11 + 5 + 1, and 5 jumps.
is "calls_bus: branches" "$(counts totals without.out | grep -o 'Bc=[0-9]*')" "Bc=22"

done_testing
