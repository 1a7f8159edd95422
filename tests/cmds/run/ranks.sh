#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind run --ranks: some processes of a job are profiled, the others run as they are.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
command=$top_builddir/costgrind
unset VALGRIND_LIB

# on RANK ARGUMENTS...: costgrind run as one of four processes.
on() {
	on_rank=$1
	shift
	PMI_RANK=$on_rank PMI_SIZE=4 "$command" run -q --cache-sim=no --costgrind-out-file=%r.out "$@"
}

mkdir job
cd job || exit 1
for rank in 0 1 2 3; do
	on $rank --ranks=1,3-110 ../script print "$rank" exit "$rank" >../$rank.txt 2>&1
	echo "status $?" >>../$rank.txt
done
is "all run" "$(cat ../[0-3].txt)" "$(for rank in 0 1 2 3; do echo "$rank"; echo "status $rank"; done)"
is "the chosen ones are profiled, and say which these are" "$(grep '^desc: Rank' ./*.out)" "\
./1.out:desc: Rank: 1
./1.out:desc: Ranks: 1,3
./3.out:desc: Rank: 3
./3.out:desc: Ranks: 1,3"
rm ./*.out
# Ranks that are in no job of this size are reported once, by the first process.
for rank in 0 1; do
	PMI_RANK=$rank PMI_SIZE=4 "$command" run --ranks=2,9,12-14 true
	OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=4 "$command" run --ranks=2,3 true
	SLURM_PROCID=$rank "$command" run --ranks=9 true
	PMI_RANK=$rank PMI_SIZE=4 "$command" run -q --ranks=9 true
done 2>err
CI_NODE_INDEX=1 CI_NODE_TOTAL=3 "$command" run --ranks=0,3 ../script exit 0 2>>err
is "ranks that the job has not" "$(cat err)" "\
costgrind run: warning: --ranks: the job has no 9,12-14: its ranks are 0 to 3
costgrind run: warning: --ranks: the job has no 0: its ranks are 1 to 3"
# Nobody is between: signals and limits are the program's own.
on 0 --ranks=1 sh -c 'kill -USR1 $$' 2>/dev/null
is "a signal" "$?" 138
on 0 --ranks=1 ./none 2>err
is "no such program" "$? $(cat err)" "127 costgrind run: ./none: No such file or directory"
: >plain
on 0 --ranks=1 ./plain 2>err
is "no program" "$? $(cat err)" "126 costgrind run: ./plain: Permission denied"

# --stable fixes the environment, in which the ranks are.
on 3 --stable ../script print ran >out 2>err
is "--stable" "$? $(cat out; grep '^desc: Rank' 3.out)" "0 ran
desc: Rank: 3
desc: Ranks: 0-3"
on 3 --stable --ranks=2,3 ../script print ran >out 2>err
is "--stable --ranks" "$? $(cat out; grep '^desc: Rank' 3.out)" "0 ran
desc: Ranks: 2-3
desc: Rank: 3"

# fails NAME STATUS MESSAGE ARGUMENTS...: of costgrind run, without a rank.
fails() {
	fails_name=$1
	fails_want="$2 costgrind run: $3"
	shift 3
	fails_got=$("$command" run "$@" ../script print ran 2>&1)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

variables="expected one of PMIX_RANK PMI_RANK OMPI_COMM_WORLD_RANK SLURM_PROCID JOB_COMPLETION_INDEX \
AWS_BATCH_JOB_ARRAY_INDEX CI_NODE_INDEX to be set"
fails "no rank" 1 "--ranks: $variables" --ranks=0
fails "no rank, --stable" 1 "--costgrind-out-file: $variables" --stable --costgrind-out-file=%r
export SLURM_PROCID=x
fails "a strange rank" 1 "--ranks: SLURM_PROCID is 'x', expected a number from 0 to 999999999" --ranks=0
for list in '' '1,' 2-1 a 1000000000; do
	fails "the list '$list'" 2 "--ranks=$list: expected ranks such as 0,17,100-110" "--ranks=$list"
done

done_testing
