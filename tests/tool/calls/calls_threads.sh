#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each thread has calls of its own; in the profile they are added up, or are apart.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

# spin_calls FILES...: calls of the known loop by the program, added up.
spin_calls() {
	for file; do
		profile calls "$file"
	done | awk -F '\t' '
		$5 == "spin" {
			sub(/^Ir=/, "", $7)
			count[$2 " > " $5] += $6
			cost[$2 " > " $5] += $7
		}
		END {
			for (arc in count)
				print arc, count[arc], cost[arc]
		}' | LC_ALL=C sort
}

# threads HOW COUNT TIMES CALLS: one profile of all, then one of each.  The known loop is called so.
threads() {
	how=$1
	count=$2
	times=$3
	calls=$4
	scene "$how-$count-$times"
	run --cache-sim=no --costgrind-out-file=p ../threads "$how" "$count" "$times"
	exits 0
	leaves p
	is "$scene: calls of the known loop" "$(spin_calls p)" "$calls"

	run --cache-sim=no --costgrind-out-file=apart --separate-threads=yes \
		../threads "$how" "$count" "$times"
	exits 0
	is "$scene: calls of the known loop, by all threads" "$(spin_calls apart-*)" "$calls"
	# shellcheck disable=SC2012 # names are known
	is "$scene: no file without a thread" "$(ls | sed 's/-[0-9][0-9]$//' | sort -u)" \
		"apart${newline}p"
	for file in apart-*; do
		[ "$(header thread "$file")" = "$(echo "${file#apart-}" | sed 's/^0//')" ] ||
			not_ok "$scene: thread of $file" "$(header thread "$file")"
	done
}

build_program threads -pthread -static # starts faster

# One at a time, so that all have the same number.
threads one_after_another 1000 10 "spin_once > spin 1000 $((1000 * $(spins 10)))"
is "$scene: files" "$(ls apart-*)" "apart-01${newline}apart-02"
is "$scene: calls by the first thread" "$(spin_calls apart-01)" ""

# So long that each is interrupted by the others in the midst of its call.
threads together 4 500000 "spin_between_barriers > spin 8 $((8 * $(spins 500000)))"
is "$scene: files" "$(ls apart-*)" \
	"$(printf 'apart-%s\n' 01 02 03 04 05)"
for file in apart-0[2-5]; do
	is "$scene: calls in $file" "$(spin_calls "$file")" \
		"spin_between_barriers > spin 2 $((2 * $(spins 500000)))"
done

# More than a hundred, whose numbers have three digits; their files are written in a second.
scene two_hundred
run --cache-sim=no --costgrind-out-file=apart --separate-threads=yes ../threads together 200 10
exits 0
is "$scene: calls of the known loop, by all threads" "$(spin_calls apart-*)" \
	"spin_between_barriers > spin 400 $((400 * $(spins 10)))"
is "$scene: files" "$(ls apart-*)" "$(seq -f 'apart-%02g' 1 201 | LC_ALL=C sort)"
conserves "$scene: the sums of each thread" apart-*

# Handlers on all threads' stacks.
threads signals_from_inside 4 1000 "handler > spin 40 $((40 * $(spins 1000)))"
threads signals_from_outside 4 1000 "handler > spin 40 $((40 * $(spins 1000)))"

# Ends of the process while they wait: no thread's costs are lost.
# Valgrind kills itself by that signal; in one of some sixty runs, of its tool none, too, it ends before that, with 1.
scene fault
for _ in 1 2 3 4 5; do
	run --cache-sim=no --costgrind-out-file=p ../threads end_by_fault 30 1000
	[ "$status" = 1 ] || break
done
exits 139
is "$scene: calls of the known loop" "$(spin_calls p | sed 's/.* > //')" "spin 1 $(spins 1000)"

# --- twenty threads in turn, by hand ---

# tests/cases/relay.S: of the instructions of its _start,
#	8	come before the loop, in the first thread
#	3	are the first ones of a round: call dec jz
#	9, 8	are up to the system call that makes a thread, and to the next one
#	8, 3	are what a new thread executes from there to its round
#	3	are the end, by the last one
# work is 1 + 100 x 6 + 50 + 1.
build "$scratch/relay" relay.S -g -nostdlib -static
scene turns
run --cache-sim=no --costgrind-out-file=p ../relay
exits 0
graph() {
	EVENTS=Ir python3 "$top_srcdir/tests/asm/calls.py" graph "$1" | sed 's/^(below main)/_start/'
}
begin=$((8 + 3 + 9 + 8))
middle=$((8 + 3 + 3 + 9 + 8))
end=$((8 + 3 + 3 + 3))
is "$scene: calls" "$(graph p)" \
"_start: Ir=$((begin + 18 * middle + end))
work: Ir=$((20 * 652))
_start > work 20 Ir=$((20 * 652))"
# When a thread begins, the one before the one before it has ended: its number is free.
run --cache-sim=no --costgrind-out-file=apart --separate-threads=yes ../relay
exits 0
leaves apart-01 apart-02 p
is "$scene: calls of the first, third, ... thread" "$(graph apart-01)" \
"_start: Ir=$((begin + 9 * middle))
work: Ir=$((10 * 652))
_start > work 10 Ir=$((10 * 652))"
is "$scene: calls of the second, fourth, ... thread" "$(graph apart-02)" \
"_start: Ir=$((9 * middle + end))
work: Ir=$((10 * 652))
_start > work 10 Ir=$((10 * 652))"
is "$scene: summaries" "$(sed -n 's/^summary: //p' apart-01 apart-02)" \
"$((begin + 9 * middle + 10 * 652))
$((9 * middle + end + 10 * 652))"

done_testing
