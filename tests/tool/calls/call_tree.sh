#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --call-tree=yes: chains of calls that are derived by hand in programs in assembly, and sums that
# match the profile's.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/trees.sh"
use_oracle

one="--separate-recs=1"

calls_build recursion
calls_build signal
calls_build rep
calls_build tail
recursion="main;self 1 Ir=4
main;self;self 1 Ir=4
main;self;self;self 1 Ir=4
main;self;self;self;self 1 Ir=3"
# ping and pong call each other.
mutual="main;ping 1 Ir=4
main;ping;pong 1 Ir=4
main;ping;pong;ping 1 Ir=4
main;ping;pong;ping;pong 1 Ir=4
main;ping;pong;ping;pong;ping 1 Ir=4
main;ping;pong;ping;pong;ping;pong 1 Ir=3"
all_recursion="main 1 Ir=9
$recursion
$mutual
main;tree 1 Ir=6
main;tree;tree 2 Ir=12
main;tree;tree;tree 4 Ir=16"

scene recursion
tree_run --cache-sim=no $one ../calls_recursion
has_nodes "$all_recursion"
fits
tree_run --cache-sim=no $one --cold-runs=0 ../calls_recursion
has_nodes "$all_recursion"
tree_run --cache-sim=no $one --engine=plain ../calls_recursion
has_nodes "$all_recursion"
# Levels, callers and groups are the profile's affair.
tree_run --cache-sim=no --separate-recs=5 --separate-callers=3 ../calls_recursion
has_nodes "$all_recursion"

scene branches
tree_run --branch-sim=yes $one ../calls_recursion
fits
is "branches: events" "$(sed -n 's/^events: //p' tree.*)" "$(sed -n 's/^events: //p' p)"

scene skipped
tree_run --cache-sim=no $one --fn-skip=ping --fn-skip=tree ../calls_recursion
# 9 of main, 4 of the ping that it calls, 34 of tree; 4 of pong, 4 of the ping that it calls.
has_nodes "main 1 Ir=47
$recursion
main;pong 1 Ir=8
main;pong;pong 1 Ir=8
main;pong;pong;pong 1 Ir=3"
fits

# The tree has room for main and three times self: the last self, 3 instructions, is folded where
# it is called, and 6 calls of ping and pong with 23 and 7 of tree with 34 below main.
scene folded
tree_run --cache-sim=no $one --call-tree-nodes=4 ../calls_recursion
has_nodes "main 1 Ir=9
main;self 1 Ir=4
main;self;self 1 Ir=4
main;self;self;self 1 Ir=4
main;self;self;self;<folded> 1 Ir=3
main;<folded> 13 Ir=57"
fits --fewer
is "folded: message" "$(grep -c 'costgrind: call tree: 14 calls that did not fit in 4 nodes are folded' \
	"$scratch/folded.err")" 1
tree_run --branch-sim=yes $one --call-tree-nodes=1 ../calls_recursion
fits --fewer
is "folded: one node" "$(tree nodes tree.* | sed 's/ Ir=.*//')" "main 1
main;<folded> 17"
tree_run --cache-sim=no $one --call-tree-nodes=14 ../calls_recursion
has_nodes "$all_recursion"
is "folded: nothing" "$(grep -c 'did not fit' "$scratch/folded.err")" 0

# Handlers have no caller, nor has the restorer that they return to.
scene signal
tree_run --cache-sim=no $one ../calls_signal
has_nodes "main 1 Ir=65
main;raise 6 Ir=34
main;leaf 1 Ir=1
main;victim 1 Ir=4
main;victim;leaf 1 Ir=1
[handler] handler 2 Ir=6
[handler] handler;leaf 2 Ir=2
[handler] restorer 6 Ir=12
[handler] nester 1 Ir=3
[handler] nester;raise 1 Ir=6
[handler] apart 2 Ir=4
[handler] jumper 2 Ir=4
[handler] relay 1 Ir=2
[handler] relay;raise 1 Ir=5
[handler] skipper 1 Ir=2"
fits --returns 6
tree_run --cache-sim=no $one --call-tree-nodes=3 ../calls_signal
has_nodes "main 1 Ir=65
main;raise 6 Ir=34
main;<folded> 3 Ir=6
[handler] handler 2 Ir=6
[handler] handler;<folded> 2 Ir=2
[handler] <folded> 15 Ir=38"

# Ir and Rep alone, and with all other events.
if has_decoder; then
	scene architectural
	for engine in inline plain; do
		tree_run --cache-sim=no --counting=architectural --engine=$engine $one ../calls_rep
		has_nodes "main 1 Ir=10
main;fill 2 Ir=10 Rep=10
main;fill;copy 2 Ir=8 Rep=6"
		fits
		tree_run --branch-sim=yes --counting=architectural --engine=$engine $one ../calls_rep
		# fill begins in the first line of I1 and ends in the second, both are one of LL.  The stack
		# misses, and what fill writes to, where copy reads.  The branch is taken first.
		has_nodes "main 1 Ir=10 Dw=2 I1mr=1 D1mw=1 ILmr=1 DLmw=1 Bc=2 Bcm=1
main;fill 2 Ir=10 Dr=2 Dw=12 I1mr=1 D1mw=1 DLmw=1 Rep=10
main;fill;copy 2 Ir=8 Dr=8 Dw=6 Rep=6"
		fits
	done
else
	skip "architectural" "built without a decoder"
fi

cd "$scratch" || exit 1
for name in plain tail cold contexts jumps targets stray unwind remade levels; do
	calls_build $name
	scene "asm_$name"
	tree_run --branch-sim=yes $one ../calls_$name
	fits
	tree_run --branch-sim=yes $one --skip-plt=no --call-tree-nodes=10 ../calls_$name
	fits --fewer
	cd "$scratch" || exit 1
done

# f, one level after the other, takes 7 instructions, the innermost one 3.
cd "$scratch" || exit 1
calls_build deep -DFRAMES=100000 -DEND=1
scene deep
tree_run --cache-sim=no $one ../calls_deep
exits 0
fits
is "deep: levels" "$(awk '/^[0-9]/ && $2 == 2 { n[$3 " " $4]++; if ($1 > deepest) deepest = $1 }
	END { print n["1 7"], n["1 3"], deepest }' tree.*)" "99999 1 100000"
tree_run --cache-sim=no $one --call-tree-nodes=10 ../calls_deep
is "deep: folded" "$(tree nodes tree.* | tail -n 1 | sed 's/.*;//')" "<folded> 99991 Ir=699933"

done_testing
