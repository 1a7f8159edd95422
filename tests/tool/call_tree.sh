#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --call-tree=yes: chains of calls that are derived by hand, sums that are those of the profile,
# and where the file goes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

tree() {
	python3 "$top_srcdir/tests/calltree.py" "$@" 2>&1
}

# tree_run [OPTIONS...] PROGRAM...: profile p and one tree in the scene's directory.
tree_run() {
	rm -f p tree.*
	run --call-tree=yes --costgrind-out-file=p "$@"
}

# has_nodes NODES: the tree, whose functions are main and those that it calls, is this.
has_nodes() {
	is "$scene: nodes" "$(tree nodes tree.*)" "$1"
}

# fits [OPTIONS...]: the tree adds up to the profile p, function by function, call by call.
fits() {
	is "$scene: sums of the profile" "$(tree compare "$@" tree.* p; echo $?)" 0
	is "$scene: no other message" "$(grep -c 'internal error' "$scratch/$scene.err")" 0
}

one="--separate-recs=1"

# --- programs in assembly, counted by hand ---------------------------------------------------

calls_build recursion
calls_build signal
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

# --- programs in C -----------------------------------------------------------------------------

build "$scratch/tg" tg.c -O0 -g
scene chains
tree_run $one ../tg
fits
is "chains: chains" "$(tree nodes tree.* | sed -n 's/ Ir=.*//; s/.*(below main);main/main/p')" "main 1
main;leaf 2
main;inner 3
main;inner;leaf 6
main;rec 1
main;rec;rec 1
main;rec;rec;rec 1
main;rec;rec;rec;rec 1
main;rec;rec;rec;rec;rec 1
main;rec;rec;rec;rec;rec;leaf 1"
tree_run $one --call-tree-nodes=10 ../tg
fits --fewer
is "chains: ten nodes" "$(tree nodes tree.* | grep -vc '<folded>')" 10
tree_run $one --collect-systime=nsec --collect-bus=yes --cacheuse=yes --simulate-wb=yes ../tg
fits
is "chains: no events without inclusive costs" "$(sed -n 's/^events: //p' tree.*)" \
	"$(sed -n 's/ AcCost1 .* Ge/ Ge/; s/^events: //p' p)"

# What is counted, and the profile, do not change.
tree_run $one ../tg
mv p with
run --costgrind-out-file=p $one ../tg
is "chains: the profile is the same" "$(sed '/^pid: /d' with | cksum)" "$(sed '/^pid: /d' p | cksum)"

build "$scratch/sg" sg.c -g
build "$scratch/segv" segv.c -g
build "$scratch/throws" ex.cpp -g
scene longjmp
tree_run $one ../segv 300
fits
scene handlers
tree_run $one ../sg
fits --returns 5
scene exceptions
tree_run --branch-sim=yes $one ../throws
fits

build_program threads -pthread
for how in "one_after_another 20" "together 5" "signals_from_inside 3"; do
	scene "threads_${how% *}"
	# shellcheck disable=SC2086 # two words
	tree_run $one ../threads $how 1000
	is "$scene: sums" "$(tree totals tree.*)" "$(profile totals p)"
	is "$scene: no other message" "$(grep -c 'internal error' "$scratch/$scene.err")" 0
done
scene threads_apart
tree_run $one ../threads together 3 1000
fits
is "threads_apart: sections" "$(sed -n '/^thread: /p' tree.*)" "thread: 1
thread: 2
thread: 3
thread: 4"
tree_run $one --separate-threads=yes ../threads together 3 1000
is "threads_apart: one tree" "$(find . -name 'tree*' | wc -l)" 1
is "threads_apart: threads of the profiles" "$(
	for i in 1 2 3 4; do
		profile totals p-0$i | head -n 1
	done)" "$(
	for i in 1 2 3 4; do
		echo "Ir $(awk -v thread="thread: $i" '/^thread:/ { on = $0 == thread }
			on && /^[0-9]/ { sum += $4 } END { print sum }' tree.*)"
	done)"

# --- where it goes --------------------------------------------------------------------------------

build_program script
build "$scratch/execs" ex.c -g
out=--costgrind-out-file

scene names
run --call-tree=yes ../script print_pid
pid=$(cat "$scratch/names.out")
leaves "costgrind.out.$pid" "tree.$pid.costgrind"
says "$(written "$PWD/costgrind.out.$pid")" "costgrind: call tree written to $PWD/tree.$pid.costgrind"
is "names: pid" "$(sed -n 's/^pid: //p' tree.*)" "$pid"

scene directory_of_the_profile
mkdir 'a %p'
run --call-tree=yes "$out=a %%p/x" ../script chdir / spin 10 print_pid
leaves "a %p"
cd "a %p" || exit 1
leaves "tree.$(cat "$scratch/directory_of_the_profile.out").costgrind" x

scene no_file
run --call-tree=yes $out=/dev/null ../script chdir / spin 10 print_pid
leaves "tree.$(cat "$scratch/no_file.out").costgrind"
rm tree.*
run --call-tree=yes $out=/dev/stdout ../script chdir / spin 10
is "no_file: a tree" "$(tree totals tree.* | sed 's/ .*//' | head -n 1)" Ir

scene fork
run --call-tree=yes $out=p $one ../script spin 1000 print_pid fork spin 10 print_pid end spin 100
# shellcheck disable=SC2046 # two words
set -- $(cat "$scratch/fork.out")
# shellcheck disable=SC2046 # several words
leaves $(printf '%s\n' p "p-$2" "tree.$1.costgrind" "tree.$2.costgrind" | LC_ALL=C sort)
is "fork: parent" "$(tree compare "tree.$1.costgrind" p)" ""
is "fork: child" "$(tree compare "tree.$2.costgrind" "p-$2")" ""

# A profile before an exec that fails changes nothing.
scene failing_exec
echo nothing >bad
chmod +x bad
tree_run $one ../execs
fits
is "failing_exec: was tried" "$(grep -c '^execve bad -1' "$scratch/failing_exec.out")" 1

scene directory_removed
mkdir gone
run --call-tree=yes $out=gone/p ../script print_pid spin 10 rmdir gone exit 5
exits 5
pid=$(cat "$scratch/directory_removed.out")
says "costgrind: $PWD/gone/p: no such file or directory; no profile was written" \
	"costgrind: $PWD/gone/tree.$pid.costgrind: no such file or directory; no call tree was written"
leaves

cd "$scratch" || exit 1
refused "--call-tree=on: expected yes or no" --call-tree=on
for n in 0 10000001 -1 1k ''; do
	refused "--call-tree-nodes=$n: expected a number from 1 to 10000000" --call-tree-nodes=$n
done
refused "/no/such/p: the profile cannot be written here: /no/such/: no such file or directory" \
	--call-tree=yes $out=/no/such/p

scene off
run --call-tree-nodes=10 $out=p ../script spin 10
leaves p

done_testing
