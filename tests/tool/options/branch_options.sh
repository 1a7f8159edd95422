#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --branch-model and --branch-detail: which predictors there are, what the profile says about them, and what is refused.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static

# simulated OPTION...: the machine, without what it is, its predictors, and the events of branches.
simulated() {
	costgrind -q --costgrind-out-file=out "$@" "$scratch/script" spin 100 2>err || cat err
	sed -n 's/^desc: \(Machine: [a-z0-9-]*\).*/\1/p; s/^desc: \(Branches: .*\)/\1/p
		s/^events: .* \(Bc .*\)/\1/p' out
}

# branches: totals of Cachegrind's events of the last run.
branches() {
	python3 "$top_srcdir/tests/profile.py" totals out | grep '^B[ci]'
}

# predictors OPTION...: what the profile says about them alone.
predictors() {
	simulated --machine=generic "$@" | sed -n 's/^Branches: //p'
}

# --- which predictors ---

ours="Bc Bcm Bi Bim Br Brm Btm"
is "the machine's" "$(simulated --machine=generic --branch-sim=yes)" "Machine: generic
Branches: TAGE of 8 KB, 32 return addresses, 8192 targets
$ours"
is "... the same without caches" "$(simulated --machine=generic --branch-sim=yes --cache-sim=no)" "Machine: generic
Branches: TAGE of 8 KB, 32 return addresses, 8192 targets
$ours"
is "... which is the default" "$(simulated --machine=generic --branch-sim=yes --branch-model=machine)" \
	"$(simulated --machine=generic --branch-sim=yes)"
is "larger ones" "$(predictors --branch-model=tage64k)" "TAGE of 64 KB, 32 return addresses, 8192 targets"
is "smaller ones" "$(predictors --branch-model=tage8k)" "TAGE of 8 KB, 32 return addresses, 8192 targets"
is "exact ones" "$(predictors --branch-model=exact)" "exact TAGE of 8 KB, 32 return addresses, 8192 targets"
is "... as large as the machine's" "$(simulated --machine=zen4 --branch-model=exact | sed -n 's/^Branches: //p')" \
	"$(simulated --machine=zen4 --branch-model=tage | sed -n 's/^Branches: /exact /p')"
is "as large as the machine's" "$(predictors --branch-model=tage)" "TAGE of 8 KB, 32 return addresses, 8192 targets"
is "an option for a cache does not change them" "$(predictors --D1=4096,4,64 --branch-sim=yes)" \
	"TAGE of 8 KB, 32 return addresses, 8192 targets"

small() {
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 1M 16 lru" "$@" >small.machine
	simulated --machine=small.machine --branch-sim=yes $option | sed -n 's/^Branches: //p'
}
option=
is "what a machine does not say is assumed" "$(small)" \
	"TAGE of 8 KB (assumed), 16 return addresses (assumed), 4096 targets (assumed)"
is "what it says so is assumed" "$(small "branch tage64k assumed" "ras 24 assumed" "btb 6144 assumed")" \
	"TAGE of 64 KB (assumed), 24 return addresses (assumed), 6144 targets (assumed)"
is "what it says is not" "$(small "branch tage64k" "ras 24" "btb 6144")" \
	"TAGE of 64 KB, 24 return addresses, 6144 targets"
is "it may have Cachegrind's" "$(small "branch cachegrind" "ras 24")" ""
option=--branch-model=tage
is "... and TAGE, if that is asked for" "$(small "branch cachegrind" "ras 24" "btb 100")" \
	"TAGE of 8 KB (assumed), 24 return addresses, 100 targets"
option=--branch-model=tage8k
is "what is asked for is not assumed" "$(small "branch tage64k assumed" "ras 24" "btb 100")" \
	"TAGE of 8 KB, 24 return addresses, 100 targets"

# --- Cachegrind's ---

theirs="Bc Bcm Bi Bim"
is "Cachegrind's machine has Cachegrind's" "$(simulated --machine=cachegrind --branch-sim=yes)" "Machine: cachegrind
$theirs"
cachegrinds=$(branches)
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=cachegrind -q --vex-guest-chase=no --vex-iropt-unroll-thresh=0 \
	--cachegrind-out-file=out --cache-sim=no --branch-sim=yes "$scratch/script" spin 100 2>err
is "... and they count what Cachegrind does" "$cachegrinds" "$(branches)"
is "other machines may have them" "$(simulated --machine=zen4 --branch-model=cachegrind)" "Machine: zen4
$theirs"
is "... which count the same" "$(branches)" "$cachegrinds"
is "without caches there is no machine then" "$(simulated --machine=zen4 --branch-model=cachegrind --cache-sim=no)" \
	"$theirs"
is "two levels of caches with TAGE" "$(simulated --machine=cachegrind --branch-model=tage)" "Machine: cachegrind
Branches: TAGE of 8 KB (assumed), 16 return addresses (assumed), 4096 targets (assumed)
$ours"
is "... which execute the same" "$(branches | sed '/m /d')" "$(echo "$cachegrinds" | sed '/m /d')"

# --- details ---

is "details" "$(simulated --machine=generic --branch-detail=yes | tail -n 1)" "$ours Bct Bcb Bch"
branches >detailed
simulated --machine=generic --branch-sim=yes >plain
is "... change nothing else" "$(sed '/^Bc[tbh] /d' detailed)" "$(branches)"
for option in --branch-detail=yes --branch-model=tage8k; do
	costgrind --machine=generic $option --costgrind-out-file=out "$scratch/script" spin 100 2>err
	is "$option switches the simulation on" "$? $(sed -n 's/^.* costgrind: \(--branch.*\)/\1/p' err)" \
		"0 ${option%=tage8k}: simulating the branch predictors"
done
is "summary: one line of what is mispredicted" "$(sed -n 's/^==[0-9]*== //; s/:.*//; /^Branches/,/^BTB/p; /^Mis/p' err)" Mispredicts
costgrind -v --machine=generic --branch-sim=yes --costgrind-out-file=out "$scratch/script" spin 100 2>err
is "summary, -v: what the others have not" "$(sed -n 's/^==[0-9]*== //; s/:.*//; /^Branches/,/^BTB/p' err)" "Branches
Mispredicts
Mispred rate
Returns
Mispredicts
BTB misses"

# --- what is refused ---

refused "--branch-model=tage9: expected machine, cachegrind, tage, tage8k, tage64k or exact" --branch-model=tage9
refused "--branch-model: expected --branch-model=machine|cachegrind|tage|tage8k|tage64k|exact" --branch-model
refused "--branch-detail=8: expected yes or no" --branch-detail=8
refused "--branch-detail=yes: cannot be combined with --branch-model=cachegrind" --branch-detail=yes --branch-model=cachegrind
refused "--branch-detail=yes: cannot be combined with Cachegrind's predictors, which --machine=cachegrind has; give \
--branch-model=tage, or another machine" --branch-detail=yes --machine=cachegrind
for name in callgrind cachegrind; do
	for option in --branch-model=tage --branch-model=exact --branch-detail=yes; do
		case $option in --branch-model=*) named=--branch-model ;; *) named=$option ;; esac
		VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=$name -q $option \
			"$scratch/script" spin 10 >refused.out 2>&1
		is "$name: $option" "$? $(cat refused.out)" \
			"1 costgrind: $named: needs --tool=costgrind"
	done
done

# --- runs with other predictors are compared as those with other machines ---

for model in tage8k tage64k; do
	costgrind -q --machine=generic --branch-model=$model --costgrind-out-file=$model "$scratch/script" spin 100
done
"$top_builddir/costgrind" diff tage8k tage64k >diffed 2>err
is "two predictors can be compared" "$? $(grep -c 'Branches:\|Options:' err)" "0 2"
echo "total Bcm +100%" >limits
"$top_builddir/costgrind" diff --limits=limits tage8k tage64k >diffed 2>err
is "... but not by a gate" "$? $(grep -c 'Branches:' err)" "1 1"

done_testing
