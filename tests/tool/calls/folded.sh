#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a run with --call-tree=yes to folded stacks: lines that are derived by hand, and the same
# stacks in every format that has stacks.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/trees.sh"

program=$top_builddir/costgrind
one="--separate-recs=1"

# folds LINES: what convert makes of the tree; the sum is the profile's.
folds() {
	is "$scene: folded stacks" "$("$program" convert --to=collapsed tree.*.costgrind 2>&1)" \
		"$1"
	adds_up
}

adds_up() {
	is "$scene: sum" \
		"Ir $("$program" convert --to=collapsed tree.*.costgrind |
			awk '{ sum += $NF } END { print sum + 0 }')" "$(profile totals p | head -n 1)"
}

# same_in_all_formats: collapsed, speedscope, webgrind4 and pprof have each stack with its cost.
same_in_all_formats() {
	is "$scene: all formats" \
		"$(python3 "$top_srcdir/tests/cmds/convert/convert_tree_check.py" "$program" tree.*.costgrind 2>&1)" ""
}

# --- derived by hand --------------------------------------------------------------------------

asm_build chains -Wl,-e,main
calls_build recursion
build "$scratch/tg" tg.c -O0 -g -static
build "$scratch/sg" sg.c -g -static
build "$scratch/segv" segv.c -g -static
build "$scratch/throws" ex.cpp -g -static
build_program threads -pthread -static # starts faster

# The comment of chains.S has the derivation.
scene by_hand
tree_run --cache-sim=no $one ../chains
folds "main 22
main;inner 15
main;inner;leaf 192
main;leaf 40
main;rec 6
main;rec;rec 6
main;rec;rec;rec 6
main;rec;rec;rec;rec 6
main;rec;rec;rec;rec;rec 5
main;rec;rec;rec;rec;rec;leaf 11"
is "by_hand: sum by hand" "$(profile totals p)" "Ir 309"
same_in_all_formats

# With room for four nodes (main, leaf, inner and what inner calls), rec and all below it are one
# stack: 6 + 6 + 6 + 6 + 5 + 11.
tree_run --cache-sim=no $one --call-tree-nodes=4 ../chains
folds "main 22
main;<rest> 40
main;inner 15
main;inner;leaf 192
main;leaf 40"
same_in_all_formats

# ping(6) calls pong(5), that ping(4), and so on to pong(1).  Each takes 4 instructions (dec, jz,
# call, ret), the last one 3; so does self(4).  tree(3) takes 6 (dec, jz, call, call, inc, ret), the
# two that it calls 6 each, the four that these call 4 each.  main: 3 times mov and call, 3 to exit.
scene mutual
tree_run --cache-sim=no $one ../calls_recursion
folds "main 9
main;ping 4
main;ping;pong 4
main;ping;pong;ping 4
main;ping;pong;ping;pong 4
main;ping;pong;ping;pong;ping 4
main;ping;pong;ping;pong;ping;pong 3
main;self 4
main;self;self 4
main;self;self;self 4
main;self;self;self;self 3
main;tree 6
main;tree;tree 12
main;tree;tree;tree 16"
is "mutual: sum by hand" "$(profile totals p)" "Ir $((9 + 15 + 23 + 34))"
same_in_all_formats

# --- compiled ---------------------------------------------------------------------------------

# The program in C: what leaf costs is a + b n, by any compiler that does not unroll its loop, so
#	main leaf	2 a + 12 b	leaf(5), leaf(7)
#	main inner leaf	6 a + 60 b	six times leaf(10)
#	... rec leaf	a + 3 b
# and of these three, two give a and b.  inner takes as many instructions as it has, three times;
# rec(4) to rec(1) take the same.
scene compiled
tree_run $one ../tg
adds_up
same_in_all_formats
"$program" convert --to=collapsed tree.*.costgrind | sed -n 's/.*(below main);main/main/p' >folded
is "compiled: stacks" "$(sed 's/ [0-9]*$//' folded)" "main
main;inner
main;inner;leaf
main;leaf
main;rec
main;rec;rec
main;rec;rec;rec
main;rec;rec;rec;rec
main;rec;rec;rec;rec;rec
main;rec;rec;rec;rec;rec;leaf"
cost() {
	sed -n "s/^$1 //p" folded
}
last=$(cost "main;rec;rec;rec;rec;rec;leaf")
each=$((($(cost "main;leaf") - 2 * last) / 6))
once=$((last - 3 * each))
is "compiled: leaf" "$(cost "main;leaf") $(cost "main;inner;leaf")" \
	"$((2 * once + 12 * each)) $((6 * once + 60 * each))"
is "compiled: leaf has a loop" "$([ $each -gt 1 ] && [ $once -gt 1 ] && echo yes)" yes
is "compiled: inner" "$(cost "main;inner")" \
	"$((3 * $(objdump -d --no-show-raw-insn --disassemble=inner ../tg | grep -c '^ *[0-9a-f]*:')))"
is "compiled: rec" "$(cost "main;rec;rec") $(cost "main;rec;rec;rec") $(cost "main;rec;rec;rec;rec")" \
	"$(cost "main;rec") $(cost "main;rec") $(cost "main;rec")"

# --- real trees ------------------------------------------------------------------------------

while read -r name words; do
	scene "$name"
	# shellcheck disable=SC2086 # several words
	tree_run $one $words
	adds_up
	same_in_all_formats
	# shellcheck disable=SC2086 # several words
	tree_run $one --call-tree-nodes=50 $words
	adds_up
	same_in_all_formats
done <<'END'
longjmp ../segv 300
handlers ../sg
exceptions ../throws
together ../threads together 3 1000
cp /bin/cp /etc/passwd copy
END

done_testing
