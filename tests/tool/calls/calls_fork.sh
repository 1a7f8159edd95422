#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A forked child has the calls that were active at the fork, once, and only what they cost since.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# forked NAME GRAPH: in the child of the last run, which is taken away.
forked() {
	mv calls_fork.out-* child
	is "$1: the child's calls" "$(calls graph child | LC_ALL=C sort)" \
		"$(printf '%s\n' "$2" | LC_ALL=C sort)"
	conserves "$1: the child's sums" child
	conserves "$1: the parent's sums" calls_fork.out
}

# --- by hand ---

# In the child, inner goes on with test jz, call ret; outer'2 with call ret; outer with jmp call ret;
# main with call mov xor syscall.
rest="inner: Ir=4 Dr=1 Dw=1 Bc=1
outer'2: Ir=2 Dr=1 Dw=1
outer: Ir=3 Dr=1 Dw=1
main: Ir=4 Dw=1
leaf: Ir=4 Dr=4
inner > leaf 1 Ir=1 Dr=1
outer'2 > inner 1 Ir=5 Dr=2 Dw=1 Bc=1
outer'2 > leaf 1 Ir=1 Dr=1
outer > outer'2 1 Ir=8 Dr=4 Dw=2 Bc=1
outer > leaf 1 Ir=1 Dr=1
main > leaf 1 Ir=1 Dr=1"
calls_build fork
for engine in plain inline; do
	calls_exact fork --engine=$engine
	forked "calls_fork, $engine" "$rest
main > outer 1 Ir=12 Dr=6 Dw=3 Bc=1"
done

# By threads; there is one.
rm -f calls_fork.out*
asm_run calls_fork calls_fork.out --separate-threads=yes
is "calls_fork, separate threads: files" "$(echo calls_fork.out* | sed 's/-[1-9][0-9]*-01/-CHILD-01/')" \
	"calls_fork.out-01 calls_fork.out-CHILD-01"
mv calls_fork.out-01 calls_fork.out
forked "calls_fork, separate threads" "$rest
main > outer 1 Ir=12 Dr=6 Dw=3 Bc=1"

# In a handler, what is interrupted has its return to do, and so has the handler.
calls_build fork -DHANDLER
for engine in plain inline; do
	asm_run calls_fork calls_fork.out --engine=$engine
	mv calls_fork.out-* child
	is "calls_fork, handler, $engine: the child's calls" "$(calls graph child | LC_ALL=C sort)" \
		"$(printf '%s\n' "$rest" "handler: Ir=1 Dr=1
raise: Ir=1 Dr=1
restorer: Ir=2
handler > outer 1 Ir=12 Dr=6 Dw=3 Bc=1
restorer > handler 1 Ir=13 Dr=7 Dw=3 Bc=1
main > raise 1 Ir=1 Dr=1" | LC_ALL=C sort)"
	# Nobody called the restorer.
	conserves "calls_fork, handler, $engine: the child's sums" --roots 2 child
	conserves "calls_fork, handler, $engine: the parent's sums" --roots 2 calls_fork.out
done

# --- among threads ---

build_program threads -pthread

# child_calls FILES...: of the program's own functions, added up; the known loop's with its cost.
child_calls() {
	for file; do
		profile calls "$file"
	done | awk -F '\t' '
		$1 ~ /\/threads$/ && $4 ~ /\/threads$/ {
			sub(/^Ir=/, "", $7)
			count[$2 " > " $5] += $6
			cost[$2 " > " $5] += $5 == "spin" ? $7 : 0
		}
		END {
			for (arc in count)
				print arc, count[arc] (cost[arc] ? " " cost[arc] : "")
		}' | LC_ALL=C sort
}

# fork_among HOW COUNT TIMES CALLS ROOT: the child's calls; ROOT is called as well as not.
fork_among() {
	scene "$1"
	run --cache-sim=no --costgrind-out-file=p ../threads "$1" "$2" "$3"
	exits 0
	mv p-* child
	is "$scene: the child's calls" "$(child_calls child)" "$4"
	conserves "$scene: the child's sums" ${5:+--root "$5"} child
	conserves "$scene: the parent's sums" --root clone p
	rm p child

	run --cache-sim=no --costgrind-out-file=p --separate-threads=yes ../threads "$1" "$2" "$3"
	exits 0
	mkdir child
	mv p-*-* child
	is "$scene: the child's calls, by all threads" "$(child_calls child/*)" "$4"
	conserves "$scene: the sums of each of the child's threads" child/*
	conserves "$scene: the sums of each of the parent's threads" p-*
}

# Threads that wait, in a function that the child never comes to.
fork_among fork 5 1000 "fork_among_threads > check 1
fork_among_threads > spin 1 $(spins 1000)
main > fork_among_threads 1" ""
# shellcheck disable=SC2012 # names are known
is "$scene: the child's files" "$(ls child | sed 's/-[0-9]*-/-CHILD-/')" p-CHILD-01

# Threads in the midst of calls; the child makes one, which has the number of one of them.
fork_among fork_among_running 5 100000 "fork_among_running > check 1
fork_among_running > join 1
fork_among_running > spin 1 $(spins 100000)
fork_among_running > start 1
join > check 1
main > fork_among_running 1
spin_once > spin 1 $(spins 100000)
start > check 1" clone
# shellcheck disable=SC2012 # names are known
is "$scene: the child's files" "$(ls child | sed 's/-[0-9]*-/-CHILD-/')" \
	"p-CHILD-01${newline}p-CHILD-02"

done_testing
