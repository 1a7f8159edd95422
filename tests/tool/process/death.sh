#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# However a program ends, its counts are written, and its parent sees how it ended.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster

p=--costgrind-out-file=p

# ends STEP: the profile says how; the shell adds 128 to a signal.
ends() {
	case $1 in
	exit | _exit) ends_wanted="exit $expected_status" ;;
	*) ends_wanted="signal $((expected_status - 128))" ;;
	esac
	is "$scene: end" "$(header desc p | sed -n 's/^Ended: //p')" "$ends_wanted"
}

# dies STATUS STEP...: what came before is in the profile, what comes after never ran.
dies() {
	expected_status=$1
	shift
	scene "$(echo "$*" | tr -cs 'A-Za-z0-9_\n' '-')"
	run $p --branch-sim=yes ../script spin 1000 "$@" spin 10
	exits "$expected_status"
	leaves p
	if [ "$1" = system ]; then
		says "$(written "$PWD/p")" "$(unseen_children /bin/sh)"
	else
		says "$(written "$PWD/p")"
	fi
	holds p 1000
	is "$scene: trigger" "$(header desc p | sed -n 's/^Trigger: //p')" "Program termination"
	ends "$1"
}

# as_cachegrind STATUS STEP...: the same, and all totals are Cachegrind's.
as_cachegrind() {
	dies "$@"
	shift
	# shellcheck disable=SC2086 # several options in one variable
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=cachegrind --vex-guest-chase=no \
		--vex-iropt-unroll-thresh=0 --cache-sim=yes $caches --branch-sim=yes \
		--cachegrind-out-file=theirs \
		../script spin 1000 "$@" spin 10 >/dev/null 2>&1
	is "$scene: totals" "$(profile totals p | sort)" "$(profile totals theirs | sort)"
}

# --- ends that the program chooses ---

as_cachegrind 0 exit 0
as_cachegrind 3 exit 3
as_cachegrind 255 _exit 255
as_cachegrind 134 abort
for signal in 1 2 3 6 8 10 11 13 14 15; do
	as_cachegrind $((128 + signal)) raise $signal
done

# --- faults ---

dies 139 read_null
dies 139 jump_null
dies 136 divide_by_zero
dies 132 undefined
dies 139 overflow_stack

scene bus_error
run $p ../script spin 1000 bus_error file spin 10
exits 135
leaves file p
holds p 1000

# fatal NAME STATUS TOTALS DEATH: exact counts of a program that dies by these instructions.
fatal() {
	scene "fatal_$1"
	build_program bare_death -nostdlib -static -DDEATH="\"$4\""
	run -q $p --branch-sim=yes --sigill-diagnostics=no ../bare_death
	exits "$2"
	totals_are p "$3"
	expected_status=$2
	ends "${1%_group}"
}

# The instruction that faults is counted, with its reference.
fatal read 139 "Ir=5 Dr=1 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'movl (%rax), %ecx'
fatal write 139 "Ir=5 Dr=0 Dw=2 Bc=0 Bcm=0 Bi=0 Bim=0" 'movl %ecx, (%rax)'
fatal modify 139 "Ir=5 Dr=1 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'addl %ecx, (%rax)'
fatal divide 136 "Ir=5 Dr=0 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'divl %eax'
fatal undefined 132 "Ir=5 Dr=0 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'ud2'
fatal trap 133 "Ir=5 Dr=0 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'int3'
# The jump is made; there is no instruction to count where it goes.
fatal jump 139 "Ir=6 Dr=1 Dw=1 Bc=0 Bcm=0 Bi=1 Bim=0" 'popq %rdx; jmp *%rdx'
# kill(getpid(), SIGTERM): 6 instructions.
fatal kill 143 "Ir=10 Dr=0 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" \
	'movl $39, %eax; syscall; movl %eax, %edi; movl $15, %esi; movl $62, %eax; syscall'
fatal exit 7 "Ir=7 Dr=0 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'movl $60, %eax; movl $7, %edi; syscall'
fatal exit_group 7 "Ir=7 Dr=0 Dw=1 Bc=0 Bcm=0 Bi=0 Bim=0" 'movl $231, %eax; movl $7, %edi; syscall'

# --- from outside ---

# shellcheck disable=SC2016 # the parent of the shell that runs it
dies 143 system 1 'kill -TERM $PPID'
# shellcheck disable=SC2016
dies 129 system 1 'kill -HUP $PPID'

# In the middle of the loop: how often it has run nobody knows.
scene term_while_running
# shellcheck disable=SC2016
run $p ../script system 1 'parent=$PPID; (sleep 0.2; kill -TERM $parent) >/dev/null 2>&1 &' \
	spin 2000000000
exits 143
leaves p
is "term_while_running: the known loop" "$(spun p | sed 's/^[1-9][0-9]*$/some/')" some

# Nothing can be done then; what was there before stays.
scene killed
echo old >p
# shellcheck disable=SC2016
run $p ../script spin 1000 system 1 'kill -KILL $PPID'
exits 137
leaves p
says
is "killed: the old profile" "$(cat p)" old

done_testing
