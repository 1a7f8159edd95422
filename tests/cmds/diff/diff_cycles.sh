#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Differences of cycles, which are counted in tenths: people see cycles, and limits are of them.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
# Waiting for memory in one line: 32,000 cycles, and 35,000.3; 100,000.3 in all.
cp "$top_srcdir/tests/golden/annotate/inputs/cycles.cg" old.cg
sed 's/ 320000$/ 350003/; s/^\(summary\|totals\): .* 385000 /\1: 42100 1600 0 110 1010 0 0 400 0 1000 940 193003 198000 48000 126000 415003 /' \
	old.cg >new.cg

golden diff/cycles "$program" diff --show=Cyc,CyMem,Ir old.cg new.cg
golden diff/cycles_markdown "$program" diff --show=Cyc,CyMem --format=markdown old.cg new.cg
golden diff/cycles_json "$program" diff --show=Cyc,CyMem --format=json old.cg new.cg
is "the first that is shown" "$("$program" diff old.cg new.cg | sed -n '/^-- Totals/{n;n;s/.* //p;q;}')" Cyc

# events ARGS...: of the totals, in their order.
events() {
	"$program" diff --format=csv "$@" old.cg new.cg | sed -n 's/^total,.*,\([A-Za-z0-9]*\),.*,.*,.*,,,,$/\1/p' | tr '\n' ' ' |
		cut -d' ' -f1-10
}
is "its parts follow it" "$(events)" "Cyc CyBase CyDep CyFe CyBr CyMem CyTlb Ir Dr Dw"
is "not if another one is first" "$(events --sort=Ir | cut -d' ' -f1-3)" "Ir Dr Dw"

# limit STATUS MESSAGE LIMIT...: what becomes of a limit.
limit() {
	limit_want="$1 $2"
	shift 2
	echo "$*" >limits
	limit_got=$("$program" diff -q --limits limits old.cg new.cg 2>&1 >/dev/null)
	is "$*" "$? $limit_got" "$limit_want"
}
broken="costgrind diff: limits:1: broken"
limit 0 "" total Cyc +3.0003%
limit 3 "$broken: total Cyc +3%: 100,000.3 to 103,000.6 (+3.00%)" total Cyc +3%
limit 0 "" total Cyc "<=103_001"
limit 3 "$broken: total Cyc <=103_000: 100,000.3 to 103,000.6 (+3.00%)" total Cyc "<=103_000"
limit 0 "" self chase CyMem +3001
limit 3 "$broken: self chase CyMem +3000: work.c:chase: 32,000.0 to 35,000.3 (+9.38%)" self chase CyMem +3000
limit 0 "" any CyDep +0
limit 0 "" total EstCyc +0

# What increased and what decreased: sums of columns as others are.
"$program" diff -q --for=kcachegrind -o both.cg old.cg new.cg
is "increases" "$("$program" annotate --brief --auto=no --show=CycUp,CyMemUp --show-percs=no both.cg |
	sed -n 's/ *PROGRAM TOTALS.*//p' | tr -s ' ')" "3,000.3 3,000.3"
is "and they lead" "$("$program" annotate -v --auto=no --width=unlimited both.cg | sed -n 's/^Events shown: *\(\([^ ]* \)\{5\}\).*/\1/p')" \
	"CycUp CycDown CyBaseUp CyBaseDown CyDepUp "

# The core and its costs, which a file of a machine may change: a warning, and no gate compares them.
sed 's/^desc: Machine.*/&\ndesc: Core: zen4, width 6; cycles of L1D 4, memory 350/' old.cg >cored.cg
sed 's/memory 350/memory 400/' cored.cg >changed.cg
core="Core: OLD zen4, width 6; cycles of L1D 4, memory 350, NEW zen4, width 6; cycles of L1D 4, memory 400"
is "other costs" "$("$program" diff cored.cg changed.cg 2>&1 >/dev/null)" "costgrind diff: warning: $core"
echo 'total Cyc +3%' >limits
is "... and a gate" "$("$program" diff --limits limits cored.cg changed.cg 2>&1 >/dev/null | head -n 1)" "costgrind diff: $core"
is "costs that were not said" "$("$program" diff --limits limits old.cg cored.cg 2>&1 >/dev/null)" ""

# A difference and a sum are profiles with the same events.
"$program" diff -q -o difference.cg old.cg new.cg
is "a difference" "$("$program" annotate --brief --auto=no --show=Cyc --show-percs=no difference.cg |
	sed -n 's/ *PROGRAM TOTALS.*//p')" 3,000.3
"$program" merge -q -o sum.cg old.cg new.cg
is "a sum" "$("$program" annotate --brief --auto=no --show=Cyc,CyTlb --show-percs=no sum.cg |
	sed -n 's/ *PROGRAM TOTALS.*//p' | tr -s ' ')" "203,000.9 10,000.0"
is "its formula" "$(grep '^event: Cyc ' sum.cg)" \
	"event: Cyc = CyBase + CyDep + CyFe + CyBr + CyMem + CyTlb : Cycles of zen4 (tenths)"

# Scaled to as many cycles, there is no more of them.
"$program" diff -q --normalise=Cyc --show=Cyc old.cg new.cg >normalised
is "scaled" "$(grep -c '103,000' normalised)" 0
done_testing
