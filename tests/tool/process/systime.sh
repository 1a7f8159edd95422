#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# System calls, and how long they take.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

# --- how many, by hand ---

EVENTS="Ir sysCount"
export EVENTS
calls_build system
want=$(counts want "$asm/calls_system.S")
for engine in inline plain; do
	for unit in msec nsec; do
		calls_exact system --engine=$engine --collect-systime=$unit --cache-sim=no \
			--branch-sim=no
		is "calls_system: every line" "$(counts lines calls_system.out calls_system.S |
			sed 's/ sysTime=[0-9]*//; s/ sysCpuTime=[0-9]*//')" "$want"
	done
	calls_exact system --engine=$engine --collect-systime=yes
done
calls_with system "$(calls graph calls_system.out)" --collect-systime=usec --separate-threads=no

# A child begins with none, and the call that made it is its parent's: fork, wait4, exit there.
build_program bare_fork -nostdlib -static
build_program bare_exec -nostdlib -static
counted() {
	profile totals "$1" | sed -n 's/^sysCount //p'
}
scene fork
run --cache-sim=no --collect-systime=msec --costgrind-out-file=p ../bare_fork
exits 0
is "$scene: parent" "$(counted p)" 3
is "$scene: child" "$(counted p-*)" 1

scene exec
printf '#!/bin/sh\n' >target
chmod +x target
run --cache-sim=no --collect-systime=msec --costgrind-out-file=p ../bare_exec
exits 0
is "$scene: one that does not return" "$(counted p)" 1
rm target
run --cache-sim=no --collect-systime=msec --costgrind-out-file=p ../bare_exec
exits 3
is "$scene: one that fails" "$(counted p)" 2

# --- how long ---

build_program naps -pthread -O1 -fno-optimize-sibling-calls -fno-inline-functions-called-once

# self EVENT FUNCTION [FILE]: what a function has cost itself.
self() {
	profile cells "${3:-p}" | awk -F '\t' -v event="$1=" -v function_name="$2" '
		$2 == function_name {
			n = split($4, words, " ")
			for (i = 1; i <= n; i++)
				if (index(words[i], event) == 1)
					sum += substr(words[i], length(event) + 1)
		}
		END { printf "%.0f\n", sum }'
}

# inclusive EVENT CALLER CALLEE: what calls have cost.
inclusive() {
	EVENTS=$1 calls graph p naps | sed -n "s/^$2 > $3 [0-9]* $1=//p"
}

# within NAME NUMBER FROM TO: a number in a range.  The times are measured on a machine that may be
# busy: what is not below is how long a system call is asked to take.
within() {
	if [ "${2:-0}" -ge "$3" ] && [ "${2:-0}" -le "$4" ]; then
		ok "$scene: $1"
	else
		not_ok "$scene: $1" "got $2, want $3 to $4"
	fi
}

for engine in inline plain; do
	scene alone-$engine
	run --engine=$engine --collect-systime=msec --costgrind-out-file=p ../naps alone
	exits 0
	within "time" "$(self sysTime nap)" 300 5000
	is "$scene: count" "$(self sysCount nap)" 1
	is "$scene: inclusive time" "$(inclusive sysTime main nap)" "$(self sysTime nap)"
	is "$scene: long names" "$(header event p | grep sys)" \
"sysCount : System calls
sysTime : Elapsed time of system calls (ms)"
done

scene usec
run --collect-systime=usec --costgrind-out-file=p ../naps alone
within "time" "$(self sysTime nap)" 300000 5000000
is "$scene: long name" "$(header event p | grep sysTime)" \
	"sysTime : Elapsed time of system calls (us)"

scene nsec
run --collect-systime=nsec --cache-sim=no --costgrind-out-file=p ../naps alone fill
within "time of a nap" "$(self sysTime nap)" 300000000 5000000000
within "CPU time of a nap" "$(self sysCpuTime nap)" 1 100000000
within "CPU time of what computes" "$(self sysCpuTime fill)" 10000000 \
	"$(($(self sysTime fill) + $(self sysTime fill) / 100))"
is "$scene: inclusive CPU time" "$(inclusive sysCpuTime main fill)" "$(self sysCpuTime fill)"
is "$scene: long names" "$(header event p | grep sys)" \
"sysCount : System calls
sysTime : Elapsed time of system calls (ns)
sysCpuTime : CPU time of system calls (ns)"

# What is less than a unit adds up, for each of them.
scene often
run --collect-systime=msec --cache-sim=no --costgrind-out-file=p ../naps often
is "$scene: counts" "$(self sysCount nap_300us) $(self sysCount nap_900us)" "200 200"
short=$(self sysTime nap_300us)
long=$(self sysTime nap_900us)
within "time of short naps" "$short" 60 10000
within "time of longer naps" "$long" 180 10000
is "$scene: inclusive times" "$(inclusive sysTime main nap_300us) $(inclusive sysTime main nap_900us)" \
	"$short $long"

# While one thread sleeps, another one runs: who sleeps pays.
for how in no yes; do
	scene threads-$how
	run --collect-systime=msec --cache-sim=no --costgrind-out-file=p --separate-threads=$how \
		../naps threads
	exits 0
	[ $how = no ] || cp p-02 p
	is "$scene: naps" "$(self sysCount nap)" 2
	within "time of naps" "$(self sysTime nap)" 400 10000
	is "$scene: inclusive time" "$(inclusive sysTime sleeper nap)" "$(self sysTime nap)"
	[ $how = no ] || cp p-01 p
	is "$scene: computing makes none" "$(self sysCount compute) $(self sysTime compute)" "0 0"
	is "$scene: waiting" "$(self sysCount await)" 1
	is "$scene: inclusive time of waiting" "$(inclusive sysTime threads await)" \
		"$(self sysTime await)"
	[ $how = no ] || is "$scene: the first thread naps" "$(self sysCount nap)" 0
done

# The handler's time is its own.
scene handler
run --collect-systime=msec --cache-sim=no --costgrind-out-file=p ../naps handler
is "$scene: one call" "$(self sysCount wait_for_byte)" 1
within "time of the call" "$(self sysTime wait_for_byte)" 50 999
within "time of the handler" "$(self sysTime nap_in_handler)" 1000 10000
is "$scene: inclusive time" "$(inclusive sysTime interrupt wait_for_byte)" \
	"$(self sysTime wait_for_byte)"

# It goes with everything else, and changes none of it.
scene other
run --branch-sim=yes --costgrind-out-file=p ../bare_fork
profile totals p >without
run --branch-sim=yes --collect-bus=yes --collect-systime=nsec --costgrind-out-file=p ../bare_fork
is "$scene: events" "$(profile totals p | sed 's/ .*//' | tr '\n' ' ')" \
	"Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim Ge sysCount sysTime sysCpuTime "
is "$scene: what else is counted" "$(profile totals p | sed '/^Ge/d; /^sys/d')" "$(cat without)"

# Times are charged when calls are over, counts when they begin: both to cells and to totals.
is "no internal errors" "$(cat "$scratch"/*.err | grep 'internal error')" ""

done_testing
