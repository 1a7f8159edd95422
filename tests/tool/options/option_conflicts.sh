#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options that say together what cannot be, or nothing: refused at the start; and those that look
# so, but are harmless.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster

# --- Cachegrind's format: own costs of lines, and nothing else ---

for option in --collect-jumps=yes --inline=calls; do
	refused "$option: cannot be combined with --format=cachegrind, which has no place for it" \
		--format=cachegrind $option
	refused "$option: cannot be combined with --format=cachegrind, which has no place for it" \
		$option --format=cachegrind
done
refused "--separate-callers: cannot be combined with --format=cachegrind, which has no place for it" \
	--format=cachegrind --separate-callers=2

# --- what goes with another option only ---

refused "--call-tree-nodes: needs --call-tree=yes" --call-tree-nodes=5
refused "--call-tree-nodes: needs --call-tree=yes" --call-tree-nodes=5 --call-tree=no
for option in --cpu=avx2 --cpus=2 --seed=1 --leave=clock --clock-start=1 --clock-rate=1; do
	refused "${option%%=*}: needs --deterministic=yes" $option
	refused "${option%%=*}: needs --deterministic=yes" \
		--deterministic=yes $option --deterministic=no
done

# --- what is chosen and left as it is ---

refused "--cpu=avx2: cannot be combined with --leave=cpu" --deterministic=yes --cpu=avx2 --leave=cpu
refused "--cpus: cannot be combined with --leave=cpus" --deterministic=yes --cpus=2 --leave=tsc,cpus
refused "--seed: cannot be combined with --leave=random" --deterministic=yes --leave=random --seed=1
refused "--clock-start: cannot be combined with --leave=clock" --deterministic=yes --leave=clock --clock-start=1
refused "--clock-rate: cannot be combined with --leave=clock" --deterministic=yes --leave=clock --clock-rate=1

# --- the last word counts, not whether there was one ---

# accepted OPTION...: the program runs, nothing is said.
accepted() {
	costgrind -q --costgrind-out-file=accepted.out "$@" "$scratch/script" spin 100 >accepted.txt 2>&1
	is "accepted: $*" "$? $(sed 's/^==[0-9]*== //' accepted.txt)" "0 ${accepted_says-}"
}

accepted --format=cachegrind --collect-jumps=yes --collect-jumps=no
accepted --collect-jumps=yes --format=cachegrind --format=callgrind
accepted --call-tree-nodes=5 --call-tree-nodes=1000000

# --- harmless ---

# Scripts that give the caches give them always.
accepted --cache-sim=no --I1=1024,2,32 --D1=1024,2,64 --LL=4096,2,64
is "caches that are not simulated" "$(profile totals accepted.out | sed 's/ .*//')" Ir
accepted --separate-recs=1 --skip-direct-rec=yes
accepted_says="costgrind: nothing was collected: instrumentation was off all the time (--instr-atstart=no)"
accepted --instr-atstart=no --toggle-collect=spin
unset accepted_says
accepted --collect-region=here --collect-atstart=yes
# Cachegrind's format has a file for each thread.
rm -f accepted.out*
accepted --format=cachegrind --separate-threads=yes
is "files of threads" "$(echo accepted.out*)" "accepted.out-01"

# Uses of caches are by line then: the sums over their instructions.
for instr in yes no; do
	# shellcheck disable=SC2086 # several options in one variable
	accepted $caches --cacheuse=yes --dump-instr=$instr
	header positions accepted.out
	profile cells accepted.out >cells.$instr
done
is "uses by instruction and by line" "$(cmp cells.yes cells.no 2>&1)" ""
is "there are some" "$(profile totals accepted.out | sed -n '/^AcCost1 [1-9]/s/ .*//p')" AcCost1

done_testing
