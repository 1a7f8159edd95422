#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cycles are counted by default where the machine has a core, and nowhere else; --full; what else one option has of another.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
command=$top_builddir/costgrind
unset VALGRIND_LIB

# counted [OPTION...]: the events of a run that begin with Cy, B or DT; and what it says unless it is about measuring.
counted() {
	"$command" run -q --costgrind-out-file=out "$@" "$scratch/script" spin 10 >said 2>&1
	grep -v 'costgrind machine --measure' said
	sed -n 's/^events: //p' out | tr ' ' '\n' | grep -E '^(Cy|B|DT)' | tr '\n' ' '
}
all="Bc Bcm Bi Bim Br Brm Btm CyBase CyDep CyFe CyBr CyMem CyTlb DTm "

has_decoder || {
	is "without a decoder: none" "$(counted --machine=zen4 --counting=valgrind)" ""
	done_testing
}

# --- on ---

is "a machine with a core" "$(counted --machine=zen4)" "$all"
is "the profile says what was counted" "$(sed -n 's/^desc: Options: //p' out)" "--branch-sim=yes --cycles=yes --tlb-sim=yes"
is "cycles are not estimated, too" "$(sed -n 's/^event: \([A-Za-z]*\) = .*: \(.*\)/\1 \2/p' out)" "Cyc Cycles of zen4 (tenths)"
cp out default
is "--cycles=yes is the same" "$(counted --machine=zen4 --cycles=yes)" "$all"
# without_pid FILE: what differs from run to run anyway, left out.
without_pid() {
	grep -v '^pid: \|^desc: Timerange' "$1"
}
is "... to the byte" "$(without_pid out)" "$(without_pid default)"
is "on the host, if its preset has a core" "$(counted)" \
	"$("$command" machine host | grep -q '^core ' && echo "$all")"
is "with a cache of another size" "$(counted --machine=zen4 --D1=65536,8,64)" "$all"
is "with --branch-sim=yes and --tlb-sim=yes" "$(counted --machine=zen4 --branch-sim=yes --tlb-sim=yes)" "$all"
is "with large pages" "$(counted --machine=zen4 --pages=both)" "${all}DTm2M "
is "with --counting=valgrind" "$(counted --machine=zen4 --counting=valgrind)" "$all"
printf '%s\n' "machine mine" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 1M 16 lru" "ITLB 64 64 4K" "DTLB 64 64 4K" "core zen2" \
	>mine.machine
is "a file with a core" "$(counted --machine=mine.machine)" "$all"

# --- a gate: the same on any processor, in every run ---

is "generic" "$(counted --deterministic=yes)" "$all"
is "generic says what its core is" "$(sed -n 's/^desc: Core: //p' out)" \
	"goldencove, width 6, rob 512, fetch 64, misses 16; cycles of L1D 5, L2 14, L3 50, memory 300, mispredict 15, STLB 8, walk 25, stream 10"
"$command" run --stable -q --costgrind-out-file=stable.1 "$scratch/script" spin 1000
"$command" run --stable -q --costgrind-out-file=stable.2 "$scratch/script" spin 1000
is "--stable: twice the same" "$(without_pid stable.1)" "$(without_pid stable.2)"
is "--stable: with cycles of generic" "$(sed -n 's/^event: Cyc = .* : //p' stable.1)" "Cycles of generic (tenths)"

# --- off ---

is "--cycles=no" "$(counted --machine=zen4 --cycles=no)" ""
is "... as if there were no cycles" "$(grep '^desc: \(Options\|Core\|Branches\|DTLB\)' out)" ""
is "... estimates them" "$(sed -n 's/^event: \([A-Za-z]*\) = .*/\1/p' out)" EstCyc
cp out off
# The same references miss the same caches: less is counted, and nothing else.
is "... and counts the rest alike" "$(profile totals off)" \
	"$(profile totals default | grep -xF -e "$(profile totals off)")"
is "... with what was asked for" "$(counted --machine=zen4 --cycles=no --branch-sim=yes)" "Bc Bcm Bi Bim Br Brm Btm "
for options in --cache-sim=no --simulate-cache=no --branch-sim=no --tlb-sim=no "--branch-sim=no --tlb-sim=no"; do
	# shellcheck disable=SC2086 # several options in one variable
	is "$options" "$(counted --machine=zen4 $options)" ""
done
is "--branch-model=cachegrind" "$(counted --machine=zen4 --branch-model=cachegrind)" "Bc Bcm Bi Bim "
for options in --machine=cachegrind --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 --simulate-wb=yes --simulate-hwpref=yes \
	--cacheuse=yes; do
	is "$options" "$(counted "$options")" ""
	is "$options: no word of a core" "$(grep -c '^desc: Core' out)" 0
done
is "caches that something else needs" "$("$command" run --costgrind-out-file=out --machine=zen4 --cache-sim=no --write-back=yes \
	"$scratch/script" spin 10 2>&1 | grep -c 'simulating the caches'; grep -c '^desc: Core' out)" "1${newline}0"

# --- a machine without ---

is "no core" "$(counted --machine=neoverse-n1)" ""
is "the profile says so" "$(sed -n 's/^desc: Core: //p' out)" none
is "... not if nobody wanted it" "$(counted --machine=neoverse-n1 --cycles=no; grep -c '^desc: Core' out)" 0
grep -v TLB mine.machine >poor.machine
is "no TLBs" "$(counted --machine=poor.machine)" ""
is "no TLBs whose pages could be large" "$("$command" run -q --costgrind-out-file=none --machine=neoverse-n1 --pages=2M true 2>&1)" \
	"costgrind: --pages: needs --tlb-sim=yes"
sed 's/^DTLB.*/DTLB 1 1 4K/; s/^ITLB.*/ITLB 1 1 4K/' mine.machine >small.machine
is "TLBs that cannot be simulated" "$(counted --machine=small.machine)" ""
# What was asked for is an error, as ever.
# refused OPTION...: status, and what is said.
refused() {
	"$command" run -q --costgrind-out-file=none --cycles=yes "$@" "$scratch/script" spin 10 2>&1
	echo "status $?"
}
is "--cycles=yes without a core" "$(refused --machine=neoverse-n1)" \
	"costgrind: --cycles=yes: expected a machine with a core table; neoverse-n1 has none${newline}status 1"

# --- under the names of other tools ---

for name in callgrind cachegrind; do
	VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=$name -q --cache-sim=yes \
		"--$name-out-file=out" "$scratch/script" spin 10 >said 2>&1
	is "$name" "$(cat said; sed -n 's/^events: //p' out)" "Ir $([ $name = callgrind ] && echo "Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw" ||
		echo "I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw ")"
done

# --- --full ---

# full OPTION...: which of what --full adds there is.
full() {
	rm -f ./*.costgrind
	"$command" run --full --machine=zen4 --costgrind-out-file=p "$@" "$scratch/script" spin 10 2>err
	sed -n 's/^events: //p' p | tr ' ' '\n' | grep -xE 'CyMem|Bcb|Pf|D1cold|sysCount|allocCount|Pg' | tr '\n' ' '
	echo ./*.costgrind
}
is "--full" "$(full)" "Bcb CyMem Pf sysCount allocCount Pg D1cold ./data.p.costgrind ./tree.p.costgrind"
is "... says what it takes, before the program" "$(sed -n 1p err)" \
	"costgrind run: --full takes 1.3 to 3.3 times as long as a plain run"
is "... but for what is not wanted" "$(full -q --prefetch=no --call-tree=no --cycles=no; cat err)" \
	"Bcb sysCount allocCount Pg D1cold ./data.p.costgrind"
rest="Pf sysCount allocCount Pg D1cold ./data.p.costgrind ./tree.p.costgrind"
for option in --branch-sim=no --branch-model=cachegrind; do
	is "... without the reasons of mispredictions, if $option excludes them" "$(full -q $option; cat err)" "$rest"
	is "... also if it comes from the environment" "$(COSTGRIND_OPTS=$option; export COSTGRIND_OPTS; full -q; cat err)" "$rest"
	is "... which a stable run does not read" "$(COSTGRIND_OPTS=$option; export COSTGRIND_OPTS; full -q --stable; cat err)" \
		"Bcb CyMem $rest"
done
is "... nor if the last word allows them" "$(COSTGRIND_OPTS=--branch-sim=no; export COSTGRIND_OPTS; full -q --branch-sim=yes; cat err)" \
	"Bcb CyMem $rest"
rm -f ./*.costgrind
"$command" --full "$scratch/script" spin 10 print ran >full.txt 2>err
is "costgrind --full PROG" "$? $(sed -n 1p full.txt) $(sed -n 1p err) $(set -- ./*.costgrind; echo $#)" \
	"0 ran costgrind run: --full takes 1.3 to 3.3 times as long as a plain run 2"

# --- --python ---

rm -f ./*.costgrind
counted --machine=zen4 --python=yes >events
is "--python=yes keeps chains of callers" "$(echo ./*.costgrind)" ./tree.out.costgrind
rm -f ./*.costgrind
counted --machine=zen4 --python=yes --call-tree=no >events
is "... but for --call-tree=no" "$(echo ./*.costgrind)" "./*.costgrind"

done_testing
