#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Recursion, and how its levels are kept apart.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
use_oracle

calls_build recursion
calls_exact recursion
calls_agree recursion

# What no option changes.
main="main: Ir=9 Dw=3
main > self 1 Ir=15 Dr=4 Dw=3 Bc=4
main > ping 1 Ir=23 Dr=6 Dw=5 Bc=6
main > tree 1 Ir=34 Dr=7 Dw=6 Bc=7"

# The levels of calls_recursion.S, added up in other ways.
self_1="self: Ir=15 Dr=4 Dw=3 Bc=4
self > self 3 Ir=21 Dr=6 Dw=3 Bc=6"
self_3="self: Ir=4 Dr=1 Dw=1 Bc=1
self'2: Ir=4 Dr=1 Dw=1 Bc=1
self'3: Ir=7 Dr=2 Dw=1 Bc=2
self > self'2 1 Ir=11 Dr=3 Dw=2 Bc=3
self'2 > self'3 1 Ir=7 Dr=2 Dw=1 Bc=2
self'3 > self'3 1 Ir=3 Dr=1 Bc=1"
self_4="self: Ir=4 Dr=1 Dw=1 Bc=1
self'2: Ir=4 Dr=1 Dw=1 Bc=1
self'3: Ir=4 Dr=1 Dw=1 Bc=1
self'4: Ir=3 Dr=1 Bc=1
self > self'2 1 Ir=11 Dr=3 Dw=2 Bc=3
self'2 > self'3 1 Ir=7 Dr=2 Dw=1 Bc=2
self'3 > self'4 1 Ir=3 Dr=1 Bc=1"
ping_1="ping: Ir=12 Dr=3 Dw=3 Bc=3
pong: Ir=11 Dr=3 Dw=2 Bc=3
ping > pong 3 Ir=33 Dr=9 Dw=6 Bc=9
pong > ping 2 Ir=22 Dr=6 Dw=4 Bc=6"
ping_2="ping: Ir=4 Dr=1 Dw=1 Bc=1
ping'2: Ir=8 Dr=2 Dw=2 Bc=2
pong: Ir=4 Dr=1 Dw=1 Bc=1
pong'2: Ir=7 Dr=2 Dw=1 Bc=2
ping > pong 1 Ir=19 Dr=5 Dw=4 Bc=5
pong > ping'2 1 Ir=15 Dr=4 Dw=3 Bc=4
ping'2 > pong'2 2 Ir=14 Dr=4 Dw=2 Bc=4
pong'2 > ping'2 1 Ir=7 Dr=2 Dw=1 Bc=2"
ping_3="ping: Ir=4 Dr=1 Dw=1 Bc=1
ping'2: Ir=4 Dr=1 Dw=1 Bc=1
ping'3: Ir=4 Dr=1 Dw=1 Bc=1
pong: Ir=4 Dr=1 Dw=1 Bc=1
pong'2: Ir=4 Dr=1 Dw=1 Bc=1
pong'3: Ir=3 Dr=1 Bc=1
ping > pong 1 Ir=19 Dr=5 Dw=4 Bc=5
pong > ping'2 1 Ir=15 Dr=4 Dw=3 Bc=4
ping'2 > pong'2 1 Ir=11 Dr=3 Dw=2 Bc=3
pong'2 > ping'3 1 Ir=7 Dr=2 Dw=1 Bc=2
ping'3 > pong'3 1 Ir=3 Dr=1 Bc=1"
tree_1="tree: Ir=34 Dr=7 Dw=6 Bc=7
tree > tree 6 Ir=44 Dr=10 Dw=4 Bc=10"
tree_3="tree: Ir=6 Dr=1 Dw=2 Bc=1
tree'2: Ir=12 Dr=2 Dw=4 Bc=2
tree'3: Ir=16 Dr=4 Bc=4
tree > tree'2 2 Ir=28 Dr=6 Dw=4 Bc=6
tree'2 > tree'3 4 Ir=16 Dr=4 Bc=4"

calls_with recursion "$main
$self_1
$ping_1
$tree_1" --separate-recs=1
calls_with recursion "$main
$self_3
$ping_3
$tree_3" --separate-recs=3
calls_with recursion "$main
$self_4
$ping_3
$tree_3" --separate-recs=65535
calls_with recursion "$main
$self_1
$ping_2
$tree_3" --separate-recs1=self --separate-recs3=tree
calls_with recursion "$main
$self_4
$ping_1
$tree_1" --separate-recs=1 '--separate-recs4=s*'

# A function's call of itself does not change its level.
calls_with recursion "$main
$self_1
$ping_2
$tree_1" --skip-direct-rec=yes

# Sums of calls that nest: level'2 with n levels below the first one moves n(n + 1)/2 times 2,147,479,552 bytes, with
# 91,998 of them less than 2^63, with 92,998 more.
build nested "$top_srcdir/tests/programs/nested.c" -O1 -fno-optimize-sibling-calls
# nested_calls ENGINE DEPTH: of calls of level'2 by itself: how many, sysCount, sysBytes; and what is said about it.
nested_calls() {
	costgrind --engine="$1" --collect-systime=yes --syscall-calls=yes --costgrind-out-file=nested.out ./nested "$2" \
		>nested.stdout 2>nested.log || echo "status $?"
	awk '/^cfn=\([0-9]*\) level.2$/ { sub(/ .*/, ""); callee = $0 }
		/^calls=/ && last == callee { calls = $1; getline; if (++n == 2) print calls, $(NF - 2), $NF }
		{ last = $0 }' nested.out
	sed -n 's/^==[0-9]*== costgrind: calls within/calls within/p' nested.log
}
for engine in inline plain; do
	is "sums below 2^63: $engine" "$(nested_calls $engine 92000)" \
		"calls=91998 4231862001 9087837114033303552"
	is "sums above 2^63: $engine" "$(nested_calls $engine 93000)" \
		"calls=92998 4324360501 9223372036854775807
calls within a recursion cost more than 63 bits hold; the profile has 9223372036854775807 of them"
done
"$top_builddir/costgrind" annotate --auto=no --width=unlimited --inclusive --tree=both --show=sysBytes nested.out >annotated 2>annotate.log
is "such sums are read" "$? $(grep -c "level'2 (92,998x) .*<recursive>" annotated) $(cat annotate.log)" "0 2 "

done_testing
