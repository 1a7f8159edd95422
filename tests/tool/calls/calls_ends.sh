#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# However a program ends, and however deep it was in calls then, they are in the profile.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
newline='
'

# --- a million frames ---

n=1000000
deep() {
	deep_end=$1
	deep_status=$2
	calls_build deep -DFRAMES=$n -DEND="$deep_end"
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --costgrind-out-file=deep.out --branch-sim=yes $caches \
		--main-stacksize=$((40 * n)) --sigill-diagnostics=no ./calls_deep 2>deep.log
	is "a million frames, end $1: exit status" $? "$deep_status"
}

# All return.
deep 1 0
is "a million frames: calls" "$(calls graph deep.out)" \
"f: Ir=7 Dr=1 Dw=3 Bc=1
f'2: Ir=$((7 * (n - 1) - 4)) Dr=$((n - 1)) Dw=$((3 * (n - 2))) Bc=$((n - 1))
main: Ir=6 Dw=1
f > f'2 1 Ir=$((7 * (n - 1) - 4)) Dr=$((n - 1)) Dw=$((3 * (n - 2))) Bc=$((n - 1))
f'2 > f'2 $((n - 2)) Ir=$((7 * ((n - 2) * (n - 1) / 2) - 4 * (n - 2))) Dr=$(((n - 2) * (n - 1) / 2)) \
Dw=$((3 * ((n - 3) * (n - 2) / 2))) Bc=$(((n - 2) * (n - 1) / 2))
main > f 1 Ir=$((7 * n - 4)) Dr=$n Dw=$((3 * (n - 1))) Bc=$n"

# None returns: 5 instructions each, the innermost one 3 or, if it jumps to main, 4.
# unreturned MORE REST: MORE than 3; main executes REST after its call.
unreturned() {
	is "a million frames, end $deep_end: calls" "$(calls graph deep.out)" \
"f: Ir=5 Dw=3 Bc=1
f'2: Ir=$((5 * (n - 1) - 2 + $1)) Dw=$((3 * (n - 2))) Bc=$((n - 1))
main: Ir=$((3 + $2)) Dw=1
f > f'2 1 Ir=$((5 * (n - 1) - 2 + $1)) Dw=$((3 * (n - 2))) Bc=$((n - 1))
f'2 > f'2 $((n - 2)) Ir=$((5 * ((n - 2) * (n - 1) / 2) + (n - 2) * ($1 - 2))) \
Dw=$((3 * ((n - 3) * (n - 2) / 2))) Bc=$(((n - 2) * (n - 1) / 2))
main > f 1 Ir=$((5 * n - 2 + $1)) Dw=$((3 * (n - 1))) Bc=$n"
}

# It dies in the innermost one.
deep 2 132
unreturned 0 0
# It jumps over all of them.
deep 3 0
unreturned 1 3

# --- deaths ---

# ends STATUS COUNT DEATH [OPTIONS...]: with COUNT instructions.
ends() {
	ends_status=$1
	ends_count=$2
	ends_death=$3
	shift 3
	calls_build death -DDEATH="$ends_death" -DPROGRAM="\"${program-/no/such}\""
	rm -f death.out*
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --costgrind-out-file=death.out $caches --sigill-diagnostics=no "$@" \
		./calls_death >death.stdout 2>death.log
	is "$ends_death: exit status" $? "$ends_status"
}

# at_once STATUS COUNT DEATH [OPTIONS...]: the same, and nothing after DEATH is executed.
at_once() {
	ends "$@"
	is "$ends_death: calls" "$(EVENTS=Ir calls graph "${profile-death.out}")" \
"inner: Ir=$((1 + ends_count))
main: Ir=1
outer: Ir=3
main > outer 1 Ir=$((4 + ends_count))
outer > inner 1 Ir=$((1 + ends_count))"
}

# Those that end a program unless it minds.  (SIGSTKFLT is ignored by Valgrind, and SIGSYS ends
# Valgrind 3.19 itself.)  SIGKILL from outside leaves nothing, but Valgrind knows this one.
for signal in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 24 25 26 27 29 30; do
	at_once $((128 + signal)) 6 "die $signal"
done
at_once 132 1 ud2
at_once 133 1 int3
at_once 136 2 "xor %ecx, %ecx; div %ecx"
at_once 139 2 "xor %ecx, %ecx; mov (%rcx), %ecx"
at_once 7 3 "end SYS_EXIT"
at_once 7 3 "end SYS_EXIT_GROUP"

# Another program takes its place: its own calls are in its own profile, if at all.
program=/bin/true
at_once 0 5 execute
profile=death.out.1
at_once 0 5 execute --trace-children=yes
unset profile
is "execute: profiles" "$(ls death.out*)" "death.out${newline}death.out.1"

# It fails: the program goes on.
unset program
ends 7 5 execute
is "failing execute: calls" "$(EVENTS=Ir calls graph death.out)" \
"inner: Ir=7
main: Ir=4
outer: Ir=4
main > outer 1 Ir=11
outer > inner 1 Ir=7"

done_testing
