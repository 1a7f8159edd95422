#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often threads take turns, and where that is said.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program threads -pthread -static

# turns HOW COUNT TIMES [OPTIONS...]: the line that says how many threads took turns, and $turns.
turns() {
	turns_how=$1
	turns_count=$2
	turns_times=$3
	shift 3
	costgrind --cache-sim=no --costgrind-out-file=p "$@" ./threads "$turns_how" "$turns_count" "$turns_times" \
		>turns.out 2>turns.err
	turns_line=$(sed -n 's/^==[0-9]*== \(Threads: .*\)/\1/p' turns.err)
	turns=$(echo "$turns_line" | sed -n 's/.* took \([0-9,]*\) turns$/\1/p' | tr -d ,)
}

# Each of three threads runs 5,000,000 blocks before a barrier and as many after it, in turns of 100,000; two turns in a
# row, while others begin or end, are one.
turns together 3 5000000 --fair-sched=yes
is "threads together" "${turns_line%took*}" "Threads:       4 "
is "... take turns" "$((turns >= 100 && turns < 400)) of $turns" "1 of $turns"
is "the profile says that it matters" "$(sed -n 's/^desc: Options: //p' p | grep -o -- '--fair-sched=.*')" "--fair-sched=yes"
turns together 3 1000000 --fair-sched=no
is "... even if they are not fair" "${turns_line%took*} $((turns >= 6 && turns < 100))" "Threads:       4  1"
turns together 3 1000 -q
is "not if quiet" "$(cat turns.err)" ""
turns one_after_another 5 1000
is "one after another" "${turns_line%took*} $((turns >= 10))" "Threads:       6  1"

# Of a forked child, only its own count; it has one.
turns fork 3 1000
parent=$(sed -n 's/^==\([0-9]*\)== Threads: .*/\1/p' turns.err)
is "a fork's child has one thread" "$(echo "$parent" | wc -w) $(grep -c '^==.*== I   refs' turns.err)" "1 2"
turns fork_among_running 2 1000
is "... or two, if it makes one" "$(echo "$turns_line" | sed 's/took.*//' | sort)" "Threads:       2 
Threads:       3 "

# --- slices ---

# slices: how often a thread has come to the end of its turn; of the scheduler's messages.
slices() {
	grep -c 'releasing lock.*timeslice' turns.err
}

# Six times 1,000,000 blocks, and what little the threads do besides.
for slice in 100 1000 100000; do
	turns together 3 1000000 --fair-sched=yes --slice=$slice --trace-sched=yes
	n=$(slices)
	is "slices of $slice blocks" "$((n >= 6000000 / slice && n < 6000000 / slice + 60)) of $n" "1 of $n"
	is "... and calls" "$(profile calls p | awk -F '\t' '$5 == "spin" { n += $6; sub(/^Ir=/, "", $7); ir += $7 } END { print n, ir }')" \
		"6 12000006"
done

# blocks [OPTIONS...]: how many the profile says were entered, and in how many parts it is.
blocks() {
	rm -f p p.*
	costgrind -q --cache-sim=no --costgrind-out-file=p --dump-every-bb=200000 "$@" ./threads one_after_another 3 1000000
	n_parts=$(find . -name 'p*' | wc -l)
	n_blocks=$(sed -n 's/^desc: Timerange: .* - //p' p)
}
blocks
whole=$n_blocks parts=$n_parts
for slice in 100 1000; do
	blocks --slice=$slice
	away=$((n_blocks - whole))
	is "blocks are counted as without slices" "$((away > -1000 && away < 1000)) by $away" "1 by $away"
	is "... and there are as many parts" "$((n_parts - parts >= -1 && n_parts - parts <= 1)) of $n_parts" "1 of $n_parts"
done

# One thread keeps its turns.
turns one_after_another 0 1 --slice=100 --trace-sched=yes
is "no slices of one thread" "$(slices)" 0

costgrind --cache-sim=no --fair-sched=yes --costgrind-out-file=p true >turns.out 2>turns.err
is "one thread takes no turns" "$(grep -c 'Threads:' turns.err) $(grep -c -- --fair-sched p)" "0 0"

done_testing
