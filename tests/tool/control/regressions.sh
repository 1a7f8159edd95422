#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the regression tests of Callgrind and Cachegrind look at, and here the numbers too: sizes
# that are no powers of two in all simulators, threads with all events, wrapped functions,
# redundant requests.  (Requests: parts.sh; dlclose: cold.sh; chdir: output.sh; FPU states of 28 and
# 108 bytes: exact_sizes.sh; folders of files: files.sh.)
. "$top_srcdir/tests/lib.sh"

build locking "$top_srcdir/tests/programs/locking.c" -O1 -g -static -pthread
build wrapping "$top_srcdir/tests/programs/wrapping.c" -O1 -g
build switches "$top_srcdir/tests/programs/switches.c" -O1 -g

counts() {
	python3 "$top_srcdir/tests/asm/counts.py" functions "$@"
}

# --- caches of 24 KiB and 3 MiB ----------------------------------------------------------------

# D1 has 64 sets of six ways: six lines stay.  Of seven, those six hit once more, then the seventh
# puts out the first, which puts out the second, and so on: 1 and 9 times 7 misses.  LL has 4096 sets,
# so all stay.
odd="--I1=24576,6,64 --D1=24576,6,64 --LL=3145728,12,64"
# walks FILE: the inclusive costs of both walks.
walks() {
	python3 "$top_srcdir/tests/profile.py" calls "$1" |
		awk -F '\t' '$2 ~ /walk_/ { n = split($7, costs, " "); line = $2
			for (i = 1; i <= n; i++) if (costs[i] ~ /^(Dr|D1mr|DLmr|DLdmr)=/) line = line " " costs[i]
			print line }'
}
# Calls and returns write and read, too, but hit.
for simulator in --cache-sim=yes --simulate-wb=yes --cacheuse=yes; do
	# shellcheck disable=SC2086 # several options
	costgrind -q $odd $simulator --costgrind-out-file=p ./locking
	is "24576,6,64 and 3145728,12,64 with $simulator" "$(walks p)" \
		"walk_seven Dr=71 D1mr=64 DLmr=1
walk_six Dr=61 D1mr=6 DLmr=6"
done
# Lines that follow a stream are in LL before they are read: the prefetcher takes three to see it.
# shellcheck disable=SC2086
costgrind -q $odd --simulate-hwpref=yes --costgrind-out-file=p ./locking
is "24576,6,64 and 3145728,12,64 with a prefetcher: D1" "$(walks p | sed 's/ DLmr.*//')" \
	"walk_seven Dr=71 D1mr=64
walk_six Dr=61 D1mr=6"

# --- threads -----------------------------------------------------------------------------------

# shellcheck disable=SC2086
costgrind -q $odd --separate-threads=yes --collect-bus=yes --cacheuse=yes --branch-sim=yes \
	--collect-systime=nsec --costgrind-out-file=t ./locking
is "threads: all events" "$(sed -n 's/^events: //p' t-01 t-02)" \
	"Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim AcCost1 SpLoss1 AcCost2 SpLoss2 Ge sysCount \
sysTime sysCpuTime
Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim AcCost1 SpLoss1 AcCost2 SpLoss2 Ge sysCount \
sysTime sysCpuTime"
# By Valgrind's counting a locked increment is a load and a swap, reads both by default; the return
# is one more.
is "threads: locks" "$(for thread in 01 02; do counts t-$thread | grep '^bump:' | grep -oE '(Dr|Ge)=[0-9]+'; done |
	tr '\n' ' ')" "Dr=21 Ge=10 Dr=41 Ge=20 "

# --- wrapped functions -------------------------------------------------------------------------

costgrind -q --cache-sim=no --costgrind-out-file=w ./wrapping >out
is "a wrapped function: result" "$(cat out)" 158
# The wrapper goes by the same name; the function itself, in assembly, has no lines.
is "... its cost" "$(python3 "$top_srcdir/tests/profile.py" insns w |
	awk -F '\t' '$2 == "fact" && $4 == 0 { sub("Ir=", "", $5); n += $5 } END { print n }')" 55
# As in Callgrind: the call that is not redirected is a jump, so the 9 instructions of the wrapper after
# it are taken for the function's, each time.
is "... its calls" "$(python3 "$top_srcdir/tests/profile.py" calls w |
	awk -F '\t' '$5 == "fact" { print $2 " > " $5, $6, $7 }')" \
	"fact > fact 5 Ir=100
main > fact 5 Ir=205"

# --- requests that change nothing --------------------------------------------------------------

warnings() {
	sed 's/^==[0-9]*== *//' "$1" | grep -A1 '^warning' | grep -v '^--'
}
costgrind -q --counting=valgrind --cache-sim=no --instr-at-start=yes --costgrind-out-file=s ./switches 2>err
is "on from the start: warnings" "$(warnings err)" "warning: CACHEGRIND_START_INSTRUMENTATION called,
but instrumentation is already enabled
warning: CACHEGRIND_START_INSTRUMENTATION called,
but instrumentation is already enabled
warning: CACHEGRIND_STOP_INSTRUMENTATION called,
but instrumentation is already disabled"
is "... costs" "$(counts s | grep '^leaf:')" "leaf: Ir=228"
costgrind -q --cache-sim=no --instr-at-start=no --costgrind-out-file=s ./switches 2>err
is "off from the start: warnings" "$(warnings err)" "warning: CACHEGRIND_START_INSTRUMENTATION called,
but instrumentation is already enabled
warning: CACHEGRIND_STOP_INSTRUMENTATION called,
but instrumentation is already disabled"
is "... costs" "$(counts s | grep '^leaf:')" "leaf: Ir=224"

ln -s "$top_builddir/valgrind-lib-dropin" dropin
VALGRIND_LIB=$(unspaced "$PWD")/dropin "$VALGRIND" --tool=cachegrind --instr-at-start=no --cachegrind-out-file=n \
	./wrapping >out 2>err
is "off all the time: as Cachegrind says it" "$(sed -n 's/^==[0-9]*== *I *refs: *//p' err)" 0
is "... in its file" "$(grep '^summary:' n)" "summary: 0 0 0 0 0 0 0 0 0"
done_testing
