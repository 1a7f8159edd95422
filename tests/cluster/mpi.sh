#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks under Open MPI and MPICH, by the commands of docs/SCALE.md: all of them, some of them, and one killed.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/recipes.sh"

[ "${1-}" = inside ] || exec python3 "$top_srcdir/tests/reap.py" sh "$0" inside

# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
# Root may use Open MPI, four ranks need not have four processors, and files of sockets have short names.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export TMPDIR="$REAP_DIR"
on_path
here=$PWD

# scene NAME: an empty folder for the next commands, with the program in it.
scene() {
	scene=$1
	mkdir -p "$here/$1" && cd "$here/$1" || exit 1
	ln -s "$here/app.$mpi" app
}

# holds RANK...: there is a profile of each of these, which says so, and of no other.
holds() {
	is "$scene: profiles" "$(cd profiles && ls -A)" "$(for rank; do echo "rank.$rank.out"; done)"
	is "$scene: ranks" "$(sed -n 's/^desc: Rank: //p' profiles/rank.*.out)" "$(for rank; do echo "$rank"; done)"
}

# expects RANKS: each of the profiles names these.
expects() {
	is "$scene: which ranks there are" "$(sed -n 's/^desc: Ranks: //p' profiles/rank.*.out | uniq)" "$1"
}

for mpi in openmpi mpich; do
	case $mpi in
	openmpi) compiler=mpicc.openmpi launcher=mpirun.openmpi ;;
	mpich) compiler=mpicc.mpich launcher=mpiexec.mpich ;;
	esac
	lacking=$(lacks "$compiler" "$launcher")
	if [ -n "$lacking" ]; then
		skip "$mpi" "not installed:$lacking (scripts/setup cluster)"
		continue
	fi
	# Each is called mpirun where it is the only one.
	printf '#!/bin/sh\nexec %s "$@"\n' "$launcher" >"$here/bin/mpirun"
	chmod +x "$here/bin/mpirun"
	OMPI_CC=$CC MPICH_CC=$CC $compiler -DWITH_MPI -O1 -g -o "$here/app.$mpi" \
		"$top_srcdir/tests/programs/job.c" >"$here/app.$mpi.log" 2>&1
	is "$mpi: build" "$? $(cat "$here/app.$mpi.log")" "0 "

	scene $mpi/all
	follow mpirun
	is "$scene: exit status" "$? $(cat mpirun.out)" "0 4 processes, 1000 rounds"
	holds 0 1 2 3
	expects 0-3
	costgrind merge --ranks=0-3 -o all.out profiles/rank.*.out 2>merge.err
	is "$scene: merged" "$? $(cat merge.err)$(grep '^desc: Rank' all.out)" "0 desc: Rank: 0-3
desc: Ranks: 0-3"
	adds_up "$scene: sums" all.out profiles/rank.*.out
	one=$(own_cost profiles/rank.0.out work)
	each=$(($(own_cost profiles/rank.1.out work) - one))
	is "$scene: all work is in the sum" "$((each >= 100)) $(own_cost all.out work)" "1 $((4 * one + 6 * each))"

	scene $mpi/some
	follow some
	is "$scene: exit status" "$? $(cat some.out)" "0 4 processes, 1000 rounds"
	holds 0 2
	expects 0,2
	is "$scene: work of these" "$(own_cost all.out work)" "$((2 * one + 2 * each))"
	costgrind merge --ranks=0-3 -o checked.out profiles/rank.*.out 2>merge.err
	is "$scene: those that are not there are named, if they should be" "$? $(cat merge.err)" \
		"1 costgrind merge: --ranks=0-3: 2 of 4 ranks without a profile: 1,3"

	# The others wait for the one that is killed, and are killed in turn.
	scene $mpi/killed
	export JOB_KILLED=2
	case $mpi in
	openmpi)
		follow grace
		is "$scene: exit status" "$? $(grep -c 'process rank 2 with PID .* exited on signal 9 (Killed)' grace.err)" \
			"137 1"
		holds 0 1 3
		expects 0-3
		shows missing
		shows required
		is "$scene: what the others did before" "$(own_cost all.out work)" "$((3 * one + 4 * each))"
		;;
	mpich)
		follow mpirun
		is "$scene: exit status" "$? $(grep -o 'Killed (signal 9)' mpirun.out)" "9 Killed (signal 9)"
		is "$scene: no profile" "$(ls -A profiles)" ""
		;;
	esac
	unset JOB_KILLED
done
done_testing
