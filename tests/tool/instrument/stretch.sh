#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts of what runs for long without the core getting in between are exact, beyond 32 bits too.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0

# I1 holds all of the program; sets of D1 and all else as tests/asm/stretch.S says.
caches="--I1=131072,8,64 --D1=256,2,64 --LL=1048576,16,64"

# stretch_build TURNS MORE LINKS FILL INSN [FLAGS...]; $turns, $links and $fill for what follows.
stretch_build() {
	turns=$(($1 + $2))
	links=$3
	fill=$4
	first="-DTURNS=$1 -DMORE=$2 -DLINKS=$3 -DFILL=$4"
	insn=$5
	shift 5
	# shellcheck disable=SC2086 # several flags
	asm_build stretch -Wl,-e,main $first "-DINSN=$insn" "$@"
}

# stretch_run NAME STATUS [OPTIONS...]: no word of the tool's own check, which adds up all
# counters and holds the sums against the running totals.
stretch_run() {
	stretch_name=$1
	stretch_status=$2
	shift 2
	# shellcheck disable=SC2086 # several options in one variable
	costgrind --costgrind-out-file=stretch.out --branch-sim=yes --cold-runs=0 $caches \
		--trace-sched=yes "$@" ./stretch 2>stretch.err
	is "$stretch_name: exit status" $? "$stretch_status"
	is "$stretch_name: errors" "$(grep 'error' stretch.err)" ""
}

# How often another thread got its turn, or would have.
slices() {
	grep -c 'releasing lock.*timeslice' stretch.err
}

# has OF_INNER MISSES_OF_DATA: D1mr DLmr and so on in the order of the profile.
has() {
	is "$stretch_name: calls" "$(calls graph stretch.out)" "$1"
	is "$stretch_name: totals" "$(counts totals stretch.out)" "$2"
}

# usual READS D1MR: READS by all INSN together.
usual() {
	inner=$((16 + turns * (links * (fill + 1) + 2)))
	reads=$((3 + 1 + $1))
	has "inner: Ir=$inner Dr=$reads Bc=$((turns + 2))
main: Ir=5 Dw=1
main > inner 1 Ir=$inner Dr=$reads Bc=$((turns + 2))" \
		"Ir=$((inner + 5)) Dr=$reads Dw=1 I1mr=$((links + 2)) D1mr=$2 D1mw=1 \
ILmr=$((links + 2)) DLmr=3 DLmw=1 Bc=$((turns + 2)) Bcm=18 Bi=0 Bim=0"
}

# --- more than 2^32 instructions at once ---

# A turn of the core's is 100,000 blocks that it counts; the first time, it counts all.
stretch_build 98700 200 750 59 nop
stretch_run instructions 0
is "instructions: turns of the scheduler" "$(slices)" 0
is "instructions: more than 32 bits" "$((turns * links * fill >> 32))" 1
usual 0 3

# The core does get in between where turns are many, and this test would see it.
stretch_build 498800 200 2 59 nop
stretch_run "short turns" 0
is "short turns: turns of the scheduler" "$(slices)" 4
usual 0 3

# Ends by a fault in such a stretch.  The lines of inner's start, of its end and of main's start
# are fetched, and the line of what faulted is read.
stretch_build 98700 200 750 59 nop -DFAULT
stretch_run fault 139
is "fault: turns of the scheduler" "$(slices)" 0
inner=$((17 + turns * (links * (fill + 1) + 2)))
has "inner: Ir=$inner Dr=4 Bc=$((turns + 2))
main: Ir=2 Dw=1
main > inner 1 Ir=$inner Dr=4 Bc=$((turns + 2))" \
	"Ir=$((inner + 2)) Dr=4 Dw=1 I1mr=$((links + 2)) D1mr=4 D1mw=1 \
ILmr=$((links + 2)) DLmr=4 DLmw=1 Bc=$((turns + 2)) Bcm=18 Bi=0 Bim=0"

# --- references ---

# 400 million at once: with more lines, what is generated for them leaves the host's own caches.
stretch_build 98700 200 150 29 'add (%rbx), %eax'
stretch_run reads 0
is "reads: turns of the scheduler" "$(slices)" 0
usual $((turns * links * fill)) 4

# More than 2^32 of them, in many stretches if this Valgrind has no way to make them longer.  The
# time by which lines are replaced passes 2^32 between the last reference to A and that to B.
quantum=$("$VALGRIND" --help | sed -n 's/^ *\(--scheduling-quantum=\).*/\110000000/p')
stretch_build 987000 1000 150 29 'add (%rbx), %eax'
# shellcheck disable=SC2086 # none or one
stretch_run "2^32 reads" 0 $quantum
is "2^32 reads: more than 32 bits" "$((turns * links * fill >> 32))" 1
usual $((turns * links * fill)) 4
if [ -n "$quantum" ]; then
	is "2^32 reads: turns of the scheduler" "$(slices)" 0
else
	is "2^32 reads: turns of the scheduler" "$(slices)" 9
fi

done_testing
