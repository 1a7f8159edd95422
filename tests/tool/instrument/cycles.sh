#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --cycles=yes: the same in every run; parts that add up; loops whose cycles are known by hand; what is refused.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"

asm_build cycles
caches="--machine=zen4"

# tenths PROFILE FUNCTION [EVENTS]: of a function, what it costs where nothing is missed, or in these events.
tenths() {
	profile cells "$1" | awk -v name="$2" -v events="${3-CyBase CyDep}" '
		$2 == name {
			for (i = 4; i <= NF; i++) {
				split($i, part, "=")
				sum[part[1]] += part[2]
			}
		}
		END {
			n = split(events, event, " ")
			for (i = 1; i <= n; i++)
				all += sum[event[i]]
			printf "%.0f\n", all
		}'
}

asm_run cycles first --cycles=yes
asm_run cycles second --cycles=yes
is "two runs" "$(sed '/^pid: /d; /^cmd: /d' second)" "$(sed '/^pid: /d; /^cmd: /d' first)"

# near NAME GOT WANTED: within 1 %.  The first rounds are cold, up to 1,600 of them, as the block before has the loop's
# beginning, too: they cost what their instructions take alone.
near() {
	is "$1" "$(awk -v got="$2" -v want="$3" 'BEGIN {
		print((got > want * 0.99 && got < want * 1.01) ? "near" : got " for " want) }')" near
}

# A million rounds each.
near "a chain of three multiplications" "$(tenths first multiplications)" 90000000
near "a chain through memory that is renamed, by the instruction pointer" "$(tenths first memory)" 10000000
near "... by the stack pointer" "$(tenths first renamed)" 10000000
near "loads of a chase" "$(tenths first chase)" 40000000

# Half of the branches by chance are mispredicted: 13 cycles.  The chain of 12 a round costs that anyhow, so of what the branch
# waits for, only what comes after it is lost: test and js, which are one, and what the first multiplication waits for code.
asm_run cycles chance --cycles=yes --branch-sim=yes
is "a misprediction after a chain" "$(awk -v lost="$(tenths chance by_chance CyBr)" -v n="$(tenths chance by_chance Bcm)" '
	BEGIN { print((n > 400000 && lost / n >= 130 && lost / n <= 160) ? "no more than after it" : lost / n " tenths, " n) }')" \
	"no more than after it"
# The other chain goes on while the core fills again: 36 cycles a round; the branch is known after 6.
is "a misprediction along with a chain" "$(awk -v lost="$(tenths chance beside CyBr)" -v n="$(tenths chance beside Bcm)" '
	BEGIN { print((n > 400000 && lost / n <= 10) ? "nothing" : lost / n " tenths, " n) }')" nothing

caches="--machine=zen2"
asm_run cycles renaming --cycles=yes
near "a chain through memory that is renamed" "$(tenths renaming renamed)" 10000000
near "... and through what is not" "$(tenths renaming memory)" 80000000

caches="--machine=zen3"
asm_run cycles moves --cycles=yes
near "... on a machine that renames moves only" "$(tenths moves renamed)" 80000000

# What misses cost: a direct-mapped D1 of 4 KiB, in which two lines drive each other out, and an L2 that has both.
machine() {
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 4K 1 lru" "L2 64K 16 lru" "ITLB 64 64 4K" "DTLB 64 64 4K" "core zen4" "width 6" "rob 320" \
		"fetch 64" "misses 10$1" "cost L1D 4" "cost L2 14" "cost memory 300" "cost mispredict 13" >small.machine
}
machine ""
caches="--machine=small.machine"
asm_run cycles missed --cycles=yes
near "a chase that always misses: what L2 takes" "$(tenths missed two_lines "CyBase CyDep CyMem")" 140000000
near "... beyond a hit" "$(tenths missed two_lines CyMem)" 100000000
near "misses side by side: ten at a time" "$(tenths missed side_by_side "CyBase CyDep CyMem")" 28000000
near "a chase by way of a slot in memory: each one waits for the one before" "$(tenths missed by_slot "CyBase CyDep CyMem")" 140000000
machine " set=20"
asm_run cycles serial --cycles=yes
near "... of one set, one after the other, but for a cycle of the loop" "$(tenths serial side_by_side CyMem)" 190000000

# The tool reads lines that loads have missed, and only those that are there.
build gone "$top_srcdir/tests/programs/gone.c" -O1
for options in "" --cold-runs=0 --px-default=sp-at-mem-access; do
	# shellcheck disable=SC2086 # none, or one
	is "loads that fault, and memory that goes $options" \
		"$(costgrind -q --machine=zen4 --cycles=yes $options --costgrind-out-file=gone.out ./gone)" 2500
done

# What is known about instructions goes with the last block that has them.
build newcode "$top_srcdir/tests/programs/newcode.c" -O1
# known TIMES: bytes kept of instructions, after a program that writes code TIMES times.
known() {
	costgrind --machine=zen4 --cycles=yes --profile-heap=yes --costgrind-out-file=new ./newcode "$1" 2>&1 >new.out |
		sed -n 's/.* \([0-9,]*\) in .*costgrind.operation.*/\1/p' | tr -d , | head -n 1
}
few=$(known 10)
is "code that was written, and is no more" "$((few > 0 && $(known 2000) < few + few / 10))" 1

is "the sum is an event" "$(grep '^event: Cyc ' first)" \
	"event: Cyc = CyBase + CyDep + CyFe + CyBr + CyMem + CyTlb : Cycles of zen4 (tenths)"

costgrind -q --machine=zen4 --branch-sim=yes --tlb-sim=yes --costgrind-out-file=without ./cycles
is "what else is counted" "$(profile totals first | grep -v '^Cy')" "$(profile totals without)"

refused() {
	costgrind "$@" --costgrind-out-file=none ./cycles 2>err
	sed -n 's/^.*costgrind: \(--cycles\)/\1/p' err | head -n 1
}
is "Cachegrind's machine" "$(refused --machine=cachegrind --cycles=yes | cut -c1-12)" "--cycles=yes"
# A file of a machine says what its core costs, and what it does not say is taken, with a word.
printf '%s\n' "machine mine" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 1M 16 lru" "ITLB 64 64 4K" "DTLB 64 64 4K" "core zen2" "width 5" \
	"cost memory 200 assumed" >mine.machine
costgrind --machine=mine.machine --cycles=yes --costgrind-out-file=mine ./cycles 2>err
is "costs that are not said" "$(sed -n 's/^.*costgrind: \(cycles:\)/\1/p' err)" "cycles: mine does not say, and is taken to have: \
rob 224, fetch 32, misses 12, cost L1D 4, cost L2 12, cost mispredict 15, cost walk 25"
is "the profile has them" "$(sed -n 's/^desc: Core: //p' mine)" "zen2, width 5, rob 224 (assumed), fetch 32 (assumed), \
misses 12 (assumed); cycles of L1D 4 (assumed), L2 12 (assumed), memory 200 (assumed), mispredict 15 (assumed), walk 25 (assumed)"
costgrind --machine=zen4 --cycles=yes --costgrind-out-file=said ./cycles 2>err
is "none of a machine that says all" "$(grep -c 'does not say' err)" 0
is "no core without cycles" "$(grep -c '^desc: Core' without)" 0
is "two levels" "$(refused --cycles=yes --LL=1048576,16,64)" "--cycles=yes: cannot be combined with two levels of caches, which have no \
TLBs; give --machine=NAME, or a file made by costgrind machine --format=file host"
is "the plain engine" "$(refused --machine=zen4 --engine=plain --cycles=yes)" "--cycles=yes: cannot be combined with --engine=plain"
is "a machine without a core" "$(refused --machine=neoverse-n1 --cycles=yes)" \
	"--cycles=yes: expected a machine with a core table; neoverse-n1 has none"
done_testing
