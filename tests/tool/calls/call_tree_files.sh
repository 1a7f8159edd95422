#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --call-tree=yes: programs in C, with threads, handlers, longjmp and exceptions; and where the file
# goes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/programs/trees.sh"

one="--separate-recs=1"

# --- programs in C -----------------------------------------------------------------------------

build "$scratch/tg" tg.c -O0 -g -static
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

build "$scratch/sg" sg.c -g -static
build "$scratch/segv" segv.c -g -static
build "$scratch/throws" ex.cpp -g -static
scene longjmp
tree_run $one ../segv 300
fits
scene handlers
tree_run $one ../sg
fits --returns 5
scene exceptions
tree_run --branch-sim=yes $one ../throws
fits

build_program threads -pthread -static # starts faster
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
# In the order in which threads began to run, which is the kernel's affair.
is "threads_apart: sections" "$(sed -n '/^thread: /p' tree.* | sort)" "thread: 1
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

build_program script -static # starts faster
build "$scratch/execs" ex.c -g -static
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
leaves tree.x.costgrind x

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
leaves $(printf '%s\n' p "p-$2" tree.p.costgrind "tree.p-$2.costgrind" | LC_ALL=C sort)
is "fork: parent" "$(tree compare tree.p.costgrind p)" ""
is "fork: child" "$(tree compare "tree.p-$2.costgrind" "p-$2")" ""

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
says "costgrind: $PWD/gone/p: no such file or directory; no profile was written" \
	"costgrind: $PWD/gone/tree.p.costgrind: no such file or directory; no call tree was written"
leaves

cd "$scratch" || exit 1
refused "--call-tree=on: expected yes or no" --call-tree=on
for n in 0 10000001 -1 1k ''; do
	refused "--call-tree-nodes=$n: expected a number from 1 to 10000000" --call-tree-nodes=$n
done
refused "/no/such/p: the profile cannot be written here: /no/such/: no such file or directory" \
	--call-tree=yes $out=/no/such/p

scene off
run --call-tree=no $out=p ../script spin 10
leaves p

done_testing
