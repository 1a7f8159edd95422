#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Slurm, with two nodes on this machine: the commands of docs/SCALE.md for it, and ranks under each of its
# --mpi.  The cluster has ports and a folder of its own, and ends with this script.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/recipes.sh"

lacking=$(lacks munged munge slurmctld slurmd srun sbatch sinfo squeue)
if [ -n "$lacking" ]; then
	skip "Slurm" "not installed:$lacking (scripts/setup cluster)"
	done_testing
fi
[ "${1-}" = inside ] || exec python3 "$top_srcdir/tests/reap.py" sh "$0" inside

# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
on_path
build app "$top_srcdir/tests/programs/job.c" -O1 -g -static

# -- the cluster ------------------------------------------------------------

# ports N: that many that nobody has, and that the kernel gives nobody who does not ask for them.
ports() {
	python3 "$top_srcdir/tests/cluster/ports.py" "$1"
}

# A short name: sockets have no long ones.
cluster=$REAP_DIR
export SLURM_CONF="$cluster/slurm.conf" TMPDIR="$cluster"
# shellcheck disable=SC2046 # several numbers
set -- $(ports 3)
mkdir "$cluster/state" "$cluster/n1" "$cluster/n2"
: >"$cluster/plugstack.conf"
# PMIx and Open MPI have files for all of the machine whose names are made of the jobs' numbers.
cat >"$SLURM_CONF" <<END
ClusterName=costgrind
FirstJobId=$(($1 * 100))
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$1
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
PlugStackConfig=$cluster/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MailProg=/bin/true
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$2 CPUs=2
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$3 CPUs=2
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=20
END

# becomes WANTED SECONDS COMMAND...: waits until a command succeeds and prints this; whether it did.
becomes() {
	becomes_want=$1
	becomes_end=$(($(date +%s) + $2))
	shift 2
	until becomes_got=$("$@" 2>/dev/null) && [ "$becomes_got" = "$becomes_want" ]; do
		[ "$(date +%s)" -lt "$becomes_end" ] || return 1
		sleep 0.2
	done
}

# daemon NAME COMMAND...
daemon() {
	daemon_log=$cluster/$1.out
	shift
	setpriv --pdeathsig KILL "$@" >"$daemon_log" 2>&1 &
}

(umask 077 && head -c 1024 /dev/urandom >"$cluster/key")
daemon munged munged -F --force --socket="$cluster/munge" --key-file="$cluster/key" \
	--seed-file="$cluster/seed" --log-file="$cluster/munged.log" --pid-file="$cluster/munged.pid"
if becomes ok 60 sh -c 'munge --socket="$1" --no-input >/dev/null && echo ok' munge "$cluster/munge"; then
	daemon slurmctld slurmctld -D
	daemon slurmd1 slurmd -D -N n1
	daemon slurmd2 slurmd -D -N n2
fi
if ! becomes 2 60 sinfo -h -t idle -o %D; then
	not_ok "Slurm starts" "$(tail -n 20 "$cluster"/*.out "$cluster"/*.log 2>&1)"
	done_testing
fi

# scene NAME: an empty folder for the next commands, with the program in it.
here=$PWD
scene() {
	mkdir "$here/$1" && cd "$here/$1" || exit 1
	ln -s "$here/${2-app}" app
}

# Instructions of work() are a constant and that many for each hundred times round.
PMI_RANK='' costgrind run -q --costgrind-out-file=one ./app 0
PMI_RANK='' costgrind run -q --costgrind-out-file=two ./app 1
each=$(($(own_cost two work) - $(own_cost one work)))
constant=$(($(own_cost one work) - each))
is "work() costs something each time round" "$((each >= 100))" 1

# work_of PROCESSES HUNDREDS: what all of them should cost.
work_of() {
	echo $(($1 * constant + $2 * each))
}

# descs FILE...: what they say about ranks.
descs() {
	sed -n 's/^desc: \(Ranks*: \)/\1/p' "$@"
}

# -- ranks ------------------------------------------------------------------

scene ranks
is "four tasks are on both nodes" \
	"$(srun -n 4 sh -c 'echo "$SLURMD_NODENAME"' | sort | uniq -c | sed 's/^ *//')" "2 n1
2 n2"
follow srun
is "ranks: exit status" "$? $(grep -c 'profile written' srun.err)" "0 4"
is "ranks: a profile of each" "$(cd profiles && echo ./*)" "./rank.0.out ./rank.1.out ./rank.2.out ./rank.3.out"
is "ranks: each says which it is, and of how many" "$(descs profiles/rank.?.out)" "Rank: 0
Ranks: 0-3
Rank: 1
Ranks: 0-3
Rank: 2
Ranks: 0-3
Rank: 3
Ranks: 0-3"
costgrind merge --ranks=0-3 -o all.out profiles/rank.*.out 2>merge.err
is "ranks: merged" "$? $(cat merge.err) $(descs all.out | tr '\n' ' ')" "0  Rank: 0-3 Ranks: 0-3 "
adds_up "ranks: sums" all.out profiles/rank.*.out
is "ranks: all work is in it" "$(own_cost all.out work)" "$(work_of 4 10)"

# The others go on when one is killed.
scene killed
export JOB_KILLED=2
follow srun
is "killed: exit status" "$? $(grep -o 'task 2: Killed' srun.err)" "137 task 2: Killed"
unset JOB_KILLED
is "killed: what is there" "$(cd profiles && ls -A)" "rank.0.out
rank.1.out
rank.3.out"
shows missing
shows required
is "killed: nothing was written" "$(find . -name 'checked.out*')" ""
adds_up "killed: sums" all.out profiles/rank.*.out
is "killed: the others' work is in the sum" "$(own_cost all.out work)" "$(work_of 3 7)"

# under MPI COMPILER: a program of MPI that srun starts itself.
under() {
	if [ -n "$(lacks "$2")" ]; then
		skip "--mpi=$1" "not installed: $2 (scripts/setup cluster)"
		return
	fi
	OMPI_CC=$CC MPICH_CC=$CC $2 -DWITH_MPI -O1 -g -o "$here/app.$1" "$top_srcdir/tests/programs/job.c" \
		>"$here/app.$1.log" 2>&1
	is "--mpi=$1: build" "$? $(cat "$here/app.$1.log")" "0 "
	scene "$1" "app.$1"
	# On one node: Slurm does not start PMIx for two that are one machine.
	export SLURM_MPI_TYPE="$1" SLURM_NNODES=1 SLURM_OVERCOMMIT=1
	follow srun
	is "--mpi=$1: exit status" "$? $(cat srun.out)" "0 4 processes, 1000 rounds"
	unset SLURM_MPI_TYPE SLURM_NNODES SLURM_OVERCOMMIT
	is "--mpi=$1: ranks" "$(descs profiles/rank.3.out)" "Rank: 3
Ranks: 0-3"
	costgrind merge --ranks=0-3 -o all.out profiles/rank.*.out
	is "--mpi=$1: all work is in the sum" "$? $(own_cost all.out work)" "0 $(work_of 4 10)"
}
under pmix mpicc.openmpi
under pmi2 mpicc.mpich

# -- arrays -----------------------------------------------------------------

scene jobs
recipe profile >profile.sh
follow jobs
is "array: submitted" "$? $(cat jobs.err)" "0 "
becomes '' 600 squeue -h
is "array: all have run" "$(squeue -h 2>&1)" ""
is "array: nothing was said" "$(cat slurm-*.out)" ""
is "array: a profile of each" "$(cd profiles && echo ./*)" \
	"./0.out ./1.out ./2.out ./3.out ./4.out ./5.out ./6.out ./7.out"
adds_up "array: sums" all.out profiles/*.out
is "array: all work is in the sum" "$(own_cost all.out work)" "$(work_of 8 36)"

# One job of the array has no program: the last one does nothing.
scene failing
rm app
printf '#!/bin/sh\n[ "$1" -ne 5 ] || kill -9 $PPID\n' >app
chmod +x app
recipe profile | sed 's/^costgrind/"$PWD\/app" "$SLURM_ARRAY_TASK_ID"; &/' >profile.sh
follow jobs
becomes '' 600 squeue -h
is "a job that fails: nothing waits" "$(squeue -h 2>&1)" ""
is "a job that fails: no profile" "$(cd profiles && ls -A | tr '\n' ' ')" "0.out 1.out 2.out 3.out 4.out 6.out 7.out "
is "a job that fails: no sum" "$(find . -name all.out)" ""

# Merges as jobs: 130 profiles are three jobs and the last.
scene merges
mkdir profiles
for n in $(seq 130); do
	printf 'events: Ir\nfl=f.c\nfn=f%d\n1 %d\nfn=work\n2 1\n' $((n % 7)) "$n" >"profiles/$n.out"
done
recipe array >array.sh
follow list
follow submit
is "merges: submitted" "$? $(cat list.err submit.err)" "0 "
becomes '' 600 squeue -h
is "merges: nothing was said" "$(squeue -h 2>&1; cat slurm-*.out)" ""
costgrind merge -q -o wanted profiles/*.out
is "merges: jobs" "$(cd level1 && ls -A | tr '\n' ' ')" "0.out 1.out 2.out "
if cmp -s all.out wanted; then
	ok "merges: the same bytes as one merge"
else
	not_ok "merges: the same bytes as one merge" "$(diff all.out wanted 2>&1 | head -n 20)"
fi
is "merges: totals" "$(grep '^totals:' all.out)" "totals: $((130 * 131 / 2 + 130))"
done_testing
