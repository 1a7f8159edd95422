#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Both engines, with code that is cold at first or without, write the same profile, byte for byte: of
# every program whose counts are derived by hand somewhere, of every hard case, and of a few real
# programs.  In some of these runs each block asserts that its unit is the one that runs.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"

inputs=$top_srcdir/tests/compare/inputs
architectural=
has_decoder && architectural=--counting=architectural
# Small ones, so that much misses; the same as in exact.sh.
caches="--I1=1024,2,32 --D1=512,2,32 --LL=4096,4,64"

# A seed of its own each time would make two runs differ.
export PERL_HASH_SEED=0

# engine_run ENGINE OPTIONS PROGRAM [ARGUMENTS...]: leaves ./ENGINE.out and ENGINE.written, which has the
# profiles and the messages.  In both, the profile is called the same, so that nothing differs but the
# engine; process numbers and command lines, which name it, are left out.
engine_run() {
	run_engine=$1
	run_options=$2
	shift 2
	rm -f profile*
	# shellcheck disable=SC2086 # several options in one variable
	costgrind --engine="$run_engine" --costgrind-out-file=profile --sigill-diagnostics=no \
		$caches $run_options "$@" <"${input-/dev/null}" >"$run_engine.out" 2>log
	echo "status $?" >>"$run_engine.out"
	# A program for each of these steps would take as long as the run.
	awk -v engine="$run_engine" '
		FNR == 1 {
			file = FILENAME
			sub(/-.*/, "", file) # of a child, it ends in its process number
			print "file " file
		}
		file == "log" {
			if (/internal error/)
				print engine ": " $0 >>"wrong"
			sub(/==[0-9]*==/, "==PID==")
			sub(/profile-[0-9]*/, "profile-PID")
			# How often threads take turns is up to the kernel.
			sub(/took [0-9,]+ turns$/, "took turns")
		}
		file == "profile" {
			counted = counted || /^totals: [1-9]/
			sub(/^pid: .*/, "pid:")
			sub(/^cmd: .*/, "cmd:")
		}
		{ print }
		END {
			if (!counted)
				print engine ": nothing was counted" >>"wrong"
		}' profile* log >"$run_engine.written" || echo "$run_engine: no profile" >>wrong
}

# differs OPTIONS PROGRAM [ARGUMENTS...]: runs it under both engines; prints what is wrong.
differs() {
	rm -f wrong
	engine_run plain "$@"
	differs_again "$@"
}

# differs_again: the same, with options that the plain engine does not know about, which so needs no other run.
differs_again() {
	differs_options=$1
	engine_run inline "$@"
	for part in written out; do
		cmp -s inline.$part plain.$part && continue
		echo "$differs_options: $part, inline (-) and plain (+):"
		diff -U 1 inline.$part plain.$part | sed '1,2d' | head -n 20
	done
	[ ! -e wrong ] || sed "s/^/$differs_options: /" wrong
	rm -f wrong
}

# judge NAME WRONG
judge() {
	if [ -z "$2" ]; then
		ok "$1"
	else
		not_ok "$1" "$2"
	fi
}

# same NAME PROGRAM [ARGUMENTS...]: with each set of options.
same() {
	same_name=$1
	shift
	judge "$same_name" "$(
		differs "--branch-sim=yes --cold-runs=0" "$@"
		differs_again "--branch-sim=yes --cold-runs=0 --inline-data=no --inline-fetches=no --check-entries=yes" "$@"
		differs "--cache-sim=no --branch-model=tage8k --cold-runs=0" "$@"
		differs "--branch-sim=yes --separate-callers=2 --separate-recs=3 --cold-runs=1 --check-entries=yes" "$@"
		differs "--branch-model=tage64k --branch-detail=yes --dump-instr=no" "$@"
		differs "--branch-model=exact --cold-runs=0" "$@"
		differs "$architectural --branch-sim=yes --collect-bus=yes --miss-classes=yes" "$@"
		[ -z "$architectural" ] || differs "--collect-flops=yes --collect-bytes=yes --mix=yes --counting=valgrind --cold-runs=1" "$@"
	)"
}

# same_longer NAME PROGRAM [ARGUMENTS...]: the same, in less time.
same_longer() {
	same_name=$1
	shift
	judge "$same_name" "$(
		differs "--branch-sim=yes --separate-callers=2 --separate-recs=3 --cold-runs=0" "$@"
		differs "--branch-model=tage64k --branch-detail=yes --cold-runs=3" "$@"
		differs "--branch-model=exact --cold-runs=3" "$@"
		differs "--cache-sim=no --branch-model=tage8k --cold-runs=0 --dump-instr=no" "$@"
		differs "$architectural --branch-sim=yes --cold-runs=1 --miss-classes=yes --check-entries=yes" "$@"
		[ -z "$architectural" ] || differs "$architectural --cache-sim=no --collect-flops=yes --collect-bytes=yes --mix=yes --cold-runs=0" "$@"
	)"
}

# --- tests/asm ---

for source in "$asm"/*.S; do
	name=${source##*/}
	name=${name%.S}
	set --
	case $name in
	calls_plt) continue ;; # below
	calls_deep) set -- -DFRAMES=5000 -DEND=2 ;;
	calls_death) set -- -DDEATH=ud2 '-DPROGRAM="/no/such"' ;;
	calls_switch) set -- -DCO_STACK=low ;;
	stretch) set -- -DTURNS=100 -DMORE=10 -DLINKS=10 -DFILL=5 '-DINSN=incl (%rbx)' ;;
	esac
	case $name in
	calls_*) set -- "$@" -Wl,-e,main ;;
	esac
	asm_build "$name" "$@"
	same "$name" "./$name"
done

build libplt.so "$asm/calls_plt.S" -DLIBRARY -shared -nostdlib -g
build calls_plt "$asm/calls_plt.S" -nostdlib -no-pie -g -Wl,-e,main ./libplt.so -Wl,-z,lazy
same calls_plt ./calls_plt

# --- tests/cases ---

# Without the dynamic linker, which executes more than the program itself; the real programs have it.
build libq.so q.c -g -O1 -shared -fPIC
for source in "$top_srcdir"/tests/cases/*; do
	file=${source##*/}
	name=${file%.*}
	option=
	set -- -g -O1
	case $file in
	*.h | q.c) continue ;; # parts of others
	ex.cpp) name=throw ;;
	dlm.c) set -- "$@" -ldl ;;
	lp.S) set -- -g ;;
	*.[sS]) set -- -g -nostdlib -static ;;
	*) set -- "$@" -static ;;
	esac
	case $file in
	gat2.s)
		grep -qw avx2 /proc/cpuinfo || continue
		option=--vex-guest-max-insns=20 # of more, Valgrind's own tables overflow
		;;
	zero.S) grep -qw avx /proc/cpuinfo || continue ;;
	esac
	build "$name" "$file" "$@"
	# shellcheck disable=SC2086 # one or none
	set -- $option "./$name"
	case $name in
	segv) set -- "$@" 1000 ;;
	fork) set -- "$@" run ;;
	esac
	case $file in
	lp.S | *.c | *.cpp) same_longer "$name" "$@" ;; # with the C library
	*) same "$name" "$@" ;;
	esac
done

# --- real programs ---

caches="--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64"
python3 "$inputs/make.py" text 50 >"$PWD/text" || not_ok "make a text"
input=$PWD/text
same_longer gzip /bin/gzip -c
same_longer sort /usr/bin/sort -k2,2 -k1,1n
same_longer mawk /usr/bin/mawk '{ n[$2] += NF } END { for (word in n) print word, n[word] }'
same_longer perl /usr/bin/perl "$inputs/words.pl"
unset input

# --- threads ---

# Who is first after clone() is the kernel's affair, and with that all but what the threads
# themselves do: the known loop, and calls of it.
all="--machine=zen4 --tlb-sim=yes --pages=both --prefetch=yes --write-back=yes --branch-model=tage64k --miss-classes=yes"
build_program threads -pthread
for how in together signals_from_inside; do
	for options in "--branch-sim=yes" "--branch-model=tage8k --branch-detail=yes --cold-runs=0" \
		"--cache-sim=no --separate-callers=2" "$all"; do
		rm -f wrong
		engine_run inline "$options" ./threads $how 4 1000
		mv profile inline.threads
		engine_run plain "$options" ./threads $how 4 1000
		judge "threads $how $options" "$(
			[ "$(spun inline.threads)" = "$(spun profile)" ] ||
				echo "known loop: $(spun inline.threads), $(spun profile)"
			[ "$(spun profile | grep -c '^[1-9][0-9]*$')" -eq 1 ] || spun profile
			cmp inline.out plain.out
			[ ! -e wrong ] || cat wrong
		)"
	done
done

# --- forks, with all that a machine has ---

judge "fork $all" "$(differs "$all --branch-detail=yes" ./fork run)"

done_testing
