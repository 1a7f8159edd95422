#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Regions: what they cost, counted by hand, whatever compiles the program and counts it; and with which caches
# they start.
. "$top_srcdir/tests/lib.sh"
use_oracle

newline='
'
include="-I$top_srcdir -I/usr/include/valgrind"
# shellcheck disable=SC2086 # two options
build regions "$top_srcdir/tests/programs/regions.c" -O1 -g -pthread $include

# run OPTIONS... PROGRAM SCENES...: leaves p, p.1 and so on.
run() {
	rm -f p p.* p-*
	costgrind -q --costgrind-out-file=p "$@" >run.out 2>&1
}
# regions FILE...: their lines.
regions() {
	sed -n 's/^desc: Region: //p' "$@"
}
# short: of lines with one thread and but instructions.
short() {
	sed 's/ times, 1 threads, costs / * /'
}
# compiled NAME COMMAND...: the program, and another one in COMMAND's language that does not come from the tests.
compiled() {
	compiled_name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		skip "$compiled_name" "no $1"
		return
	fi
	# shellcheck disable=SC2086 # two options
	"$@" -U_GNU_SOURCE -o other $include "$top_srcdir/tests/programs/regions.c" -pthread
	run --cache-sim=no ./other count nest
	is "$compiled_name" "$(regions p | short)" "$wanted"
}

# --- instructions -----------------------------------------------------------------------

wanted="1 * 14: outer
1 * 0: empty
1 * 7: inner
1 * 4: branches
1 * 0: given
1 * 0: second
1000 * 7000: often
2 * 21: in itself
1 * 14: left
1 * 21: right
1 * 0: odd: costs 1: <x>/\\x09 y\\x20"
# shellcheck disable=SC2086 # several options
for options in --counting=architectural --counting=valgrind --engine=plain --cold-runs=0 --cold-runs=1 \
	--instr-atstart=yes; do
	run --cache-sim=no $options ./regions count nest
	is "instructions: $options" "$(regions p | short)" "$wanted"
done
compiled "instructions: gcc -O0" gcc -O0
compiled "... gcc -O2, position-dependent" gcc -O2 -fno-pie -no-pie
compiled "... gcc -O3" gcc -O3
compiled "... clang -O0" clang -O0
compiled "... clang -O2" clang -O2
compiled "... g++ -O0" g++ -x c++ -O0
compiled "... g++ -O2" g++ -x c++ -O2
compiled "... clang++ -O2" clang++ -x c++ -O2

# All events except the machine's state, in the order of the profile's columns.
for options in --counting=architectural --counting=valgrind "--engine=plain --counting=valgrind"; do
	# shellcheck disable=SC2086 # several options
	run --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 --branch-sim=yes $options ./regions count
	is "an empty region has no costs: $options" "$(regions p | awk '/: (empty|given|second)$/ {
		print $6, $7, $8, $15 }' | sed 's/:.*//' | sort -u)" "0"
	is "... branches" "$(regions p | awk '/: branches$/ { print $6, $7, $8, $15 }')" "4 0 0 2"
done

# --- threads, processes, signals, parts ---------------------------------------------------

run --cache-sim=no ./regions enter thread thread enter
is "threads" "$(regions p)" "4 times, 3 threads, costs 28: shared"
run --cache-sim=no --separate-threads=yes ./regions enter thread thread enter
is "a file for each number of threads" "$(regions p-01; regions p-02)" "2 times, 1 threads, costs 14: shared
2 times, 2 threads, costs 14: shared"
run --cache-sim=no ./regions open thread
is "a thread ends in it" "$(regions p | sed 's/costs [0-9]*: left/costs N: left/')" \
	"1 times, 1 threads, not over, costs N: left by a thread${newline}1 times, 1 threads, costs 7: shared"
run --cache-sim=no --fork=zero ./regions split
is "fork, from zero" "$(regions p; regions p-*)" "1 times, 1 threads, costs 7: both
1 times, 1 threads, costs 14: both"
run --cache-sim=no --fork=inherit ./regions split
is "fork, inherited" "$(regions p; regions p-*)" "1 times, 1 threads, costs 7: both
2 times, 1 threads, costs 21: both"
# shellcheck disable=SC2086 # several options
for options in --engine=inline --engine=plain; do
	run --cache-sim=no $options ./regions interrupt
	is "a signal: $options" "$(regions p | short)" "1 * 11: interrupted${newline}1 * 7: handled"
	run --cache-sim=no $options ./regions parts
	is "parts: $options" "$(regions p.1; regions p.2; regions p)" \
		"1 times, 1 threads, not over, costs 7: over three parts
1 times, 1 threads, not over, costs 14: over three parts
1 times, 1 threads, costs 7: over three parts"
	run --cache-sim=no $options ./regions leave
	is "left by a jump: $options" "$(regions p | sed -n 's/, costs [0-9]*: left$/: left/p; /: behind$/p')" \
		"1 times, 1 threads, not over: left${newline}1 times, 1 threads, costs 7: behind"
	# 14 are the older requests'; what came after a marker without a request is paid for.
	is "... a marker without a request" "$(regions p | sed -n 's/.* \([0-9]*\): old$/\1/p' |
		awk '{ print $1 >= 7 && $1 < 25 }') $(regions p |
		sed -n 's/.* \([0-9]*\): around$/\1/p' | awk '{ print ($1 > 20) }')" "1 1"
done

# --- where they start ---------------------------------------------------------------------

# misses START OPTIONS...: times, references, misses of D1 and of the last level.
misses() {
	misses_start=$1
	shift
	run --region-start="$misses_start" "$@" ./regions refer
	regions p | awk '{ sub(/:.*/, ""); print $1, $7, $10, $13 + 0 }'
}
caches="--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64"
# shellcheck disable=SC2086 # several options
for options in --engine=inline --engine=plain --cold-runs=0; do
	# The first 256 lines have left D1 by then, but not LL.
	is "warm: $options" "$(misses warm $caches $options)" "3 768 768 256${newline}2 512 512 512"
	is "cold: $options" "$(misses cold $caches $options)" "3 768 768 768${newline}2 512 512 512"
	is "as before: $options" "$(misses before $caches $options)" "3 768 256 256${newline}2 512 0 0"
done

# Every event, by both engines: they empty, and put back, the same.
for start in cold before; do
	for machine in "--machine=generic" "--machine=zen4 --write-back=yes" \
		"--machine=skylake --prefetch=yes --counting=valgrind" \
		"--machine=generic --branch-model=cachegrind" "--machine=zen4 --pages=both"; do
		machine="$machine --cycles=no --tlb-sim=yes --branch-sim=yes"
		# shellcheck disable=SC2086 # several options
		run --region-start=$start $machine ./regions refer count nest parts
		regions p.1 p.2 p >inline
		# shellcheck disable=SC2086
		run --region-start=$start $machine --engine=plain ./regions refer count nest parts
		is "$start, both engines: $machine" "$(regions p.1 p.2 p | diff inline - | head -n 20)" ""
	done
done

# A region that starts cold is the same each time, with prefetchers, TLBs and predictors: in twice as many, twice as much.
# multiplied N: lines of regions.
multiplied() {
	regions p | awk -v n="$1" '{
		name = $0
		sub(/.*: /, "", name)
		sub(/:.*/, "")
		for (i = 6; i <= NF; i++)
			printf "%s ", n * $i
		print name
	}'
}
for machine in generic zen4; do
	cold="--machine=$machine --cycles=no --tlb-sim=yes --branch-sim=yes --prefetch=yes --region-start=cold"
	# shellcheck disable=SC2086 # several options
	run $cold ./regions refer count
	multiplied 2 >twice
	# shellcheck disable=SC2086
	run $cold ./regions refer count refer count
	is "the same each time: $machine" "$(multiplied 1 | diff twice -)" ""
done

# --- what does not go together --------------------------------------------------------------

# refused WHY OPTIONS...
refused() {
	refused_why=$1
	shift
	is "refused: $*" "$(costgrind -q "$@" ./regions enter 2>&1 | sed 's/^==[0-9]*== //' | head -n 1)" \
		"costgrind: $refused_why"
}
refused "--region-start=cold: cannot be combined with --miss-classes=yes" --region-start=cold --miss-classes=yes
refused "--region-start=before: cannot be combined with --miss-curve" --region-start=before --miss-curve=exact
refused "--region-start=cold: cannot be combined with --data=yes" --region-start=cold --data=yes
refused "--region-start=cold: cannot be combined with --simulate-wb=yes" --region-start=cold --simulate-wb=yes
refused "--region-start=before: cannot be combined with --branch-detail=yes" --region-start=before --branch-detail=yes
refused "--region-start=cold: cannot be combined with --cache-sim=no, which leaves neither caches nor predictors" \
	--region-start=cold --cache-sim=no
refused "--region-start=hot: expected warm, cold or before" --region-start=hot
run --cache-sim=no --branch-sim=yes --region-start=cold ./regions enter
is "predictors alone" "$(cat run.out)" ""
run --miss-classes=yes ./regions refer
is "COSTGRIND_COLD, refused" "$(sed 's/^==[0-9]*== //' run.out | sort -u)" \
	"costgrind: COSTGRIND_COLD: cannot be combined with --miss-classes=yes"

done_testing
