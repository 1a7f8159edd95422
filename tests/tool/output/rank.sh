#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rank of a process in a job: in the profile's name and in its header.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
out=--costgrind-out-file

# ranks FILE...: what they say about ranks.
ranks() {
	sed -n 's/^desc: \(Ranks*: \)/\1/p' "$@"
}

scene alone
run $out=p ../script spin 10
is "alone: ranks are not mentioned" "$(ranks p)" ""

scene ranks
for PMI_RANK in 0 1 10; do
	export PMI_RANK PMI_SIZE=11
	run $out='%r.of.%%r%r' ../script spin $((PMI_RANK + 5))
done
leaves "0.of.%r0" "1.of.%r1" "10.of.%r10"
holds "10.of.%r10" 15
is "ranks: in the header" "$(ranks 0.* 10.*)" "Rank: 0${newline}Ranks: 0-10${newline}Rank: 10${newline}Ranks: 0-10"
unset PMI_RANK PMI_SIZE

# Where no rank is in the name it is in the header all the same, unless the user says another.
scene said
export CI_NODE_INDEX=2 CI_NODE_TOTAL=3
run $out=p ../script spin 10
is "said: by the environment" "$(ranks p)" "Rank: 2${newline}Ranks: 1-3"
run $out=p --desc='Ranks: 0-7' ../script spin 10
is "said: by the user" "$(ranks p)" "Rank: 2${newline}Ranks: 0-7"

# All names are made of it: of parts, threads, children, call trees, and under Callgrind's name.
scene names
mkdir 2
run $out=%r/%r.out --call-tree=yes --separate-threads=yes --dump-before=spin ../script spin 10
leaves 2
is "names: of parts and trees" "$(cd 2 && for name in *; do echo "$name"; done)" \
	"2.out-01${newline}2.out.1-01${newline}tree.2.out.costgrind${newline}tree.2.out.costgrind.1"
rm -r 2
run $out=%r ../script spin 10 fork spin 20 end
is "names: a child's ends in its pid" "$(for name in *; do echo "$name"; done | sed 's/-[0-9]*$/-PID/')" "2${newline}2-PID"
holds 2 10
holds 2-* 20
rm 2*
VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=callgrind -q --callgrind-out-file=c%r \
	../script spin 10
leaves c2
unset CI_NODE_INDEX CI_NODE_TOTAL

cd "$scratch" || exit 1
refused "$out=p%r: expected one of PMIX_RANK PMI_RANK OMPI_COMM_WORLD_RANK SLURM_PROCID \
JOB_COMPLETION_INDEX AWS_BATCH_JOB_ARRAY_INDEX CI_NODE_INDEX to be set" $out=p%r
export PMIX_RANK=x1 SLURM_PROCID=1
refused "$out=%r: PMIX_RANK is 'x1', expected a number from 0 to 999999999" $out=%r
scene unknown
run $out=p ../script spin 10
is "unknown: what is no number is not said" "$(ranks p)" ""

done_testing
