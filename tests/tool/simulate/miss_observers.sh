#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Observers of misses, by the one that prints them: --trace-misses=yes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

# misses LOG: the lines that were printed, without what Valgrind puts before them.
misses() {
	sed -n 's/^==[0-9]*== miss: //p' "$1"
}

# observed NAME OPTIONS...: the misses of ./NAME as NAME.misses, its profile as NAME.observed.
observed() {
	observed_name=$1
	shift
	# shellcheck disable=SC2086 # several options in one variable
	costgrind --costgrind-out-file="$observed_name.observed" --cache-sim=yes --branch-sim=yes \
		$caches "$@" "./$observed_name" 2>"$observed_name.log"
	is "$observed_name $*: exit status" $? 0
	misses "$observed_name.log" >"$observed_name.misses"
}

# By the comments in straddle.S.
asm_build straddle
want="\
thread 1, fetch of 5 at 0x400000 by 0x400000 in (below main), from memory
thread 1, read of 8 at 0x60001c by 0x400007 in (below main), from memory
thread 1, read of 8 at 0x60003c by 0x400012 in (below main), from memory
thread 1, read of 8 at 0x6000a0 by 0x400016 in (below main), from memory
thread 1, fetch of 7 at 0x40001d by 0x40001d in (below main), from LL
thread 1, read of 8 at 0x60009c by 0x40001d in (below main), from LL
thread 1, read of 8 at 0x60013c by 0x400024 in (below main), from memory
thread 1, read of 8 at 0x6001c0 by 0x40002b in (below main), from memory
thread 1, read of 8 at 0x6001bc by 0x400032 in (below main), from memory
thread 1, write of 4 at 0x60021e by 0x400039 in (below main), from memory
thread 1, fetch of 6 at 0x40003f by 0x40003f in (below main), from memory
thread 1, read of 2 at 0x60023f by 0x400045 in (below main), from memory
thread 1, read of 16 at 0x600291 by 0x40004d in (below main), from memory
thread 1, fetch of 7 at 0x40005b by 0x40005b in (below main), from LL
thread 1, write of 16 at 0x6002b1 by 0x40005b in (below main), from memory
thread 1, write of 8 at 0x6002fc by 0x400069 in (below main), from memory"
asm_run straddle straddle.out
is "without, nothing is printed" "$(misses straddle.out.log 2>/dev/null)" ""
for options in "" --engine=plain --cold-runs=0 --inline-data=no --inline-fetches=no \
	--cacheuse=yes "--cacheuse=yes --engine=plain"; do
	# shellcheck disable=SC2086 # several options in one variable
	observed straddle --trace-misses=yes $options
	is "straddle $options" "$(cat straddle.misses)" "$want"
done

# Whatever else is simulated, a line is printed for each miss of the first level, of each kind; misses
# of the last level are the ones that memory serves; and the profile is as without.
asm_build chase
asm_build rep
asm_build modify
asm_build faults
for program in chase rep modify faults; do
	for options in "" --simulate-wb=yes --simulate-hwpref=yes --cacheuse=yes; do
		first=
		for engine in inline plain; do
			# shellcheck disable=SC2086 # several options in one variable
			observed $program --trace-misses=yes --engine=$engine $options
			# shellcheck disable=SC2086
			costgrind -q --costgrind-out-file=$program.out --cache-sim=yes --branch-sim=yes \
				$caches --engine=$engine $options ./$program 2>$program.err
			is "$program $engine $options: the profile" \
				"$(grep -v '^pid: ' $program.observed)" \
				"$(grep -v '^pid: ' $program.out)"
			is "$program $engine $options: misses" "$(awk '
				{ first[$3]++; last[$3] += $NF == "memory" }
				END {
					print "I1mr=" first["fetch"] + 0, "D1mr=" first["read"] + 0,
						"D1mw=" first["write"] + 0, "ILmr=" last["fetch"] + 0,
						"DLmr=" last["read"] + 0, "DLmw=" last["write"] + 0
				}' $program.misses)" \
				"$(counts totals $program.out | grep -o 'I1mr=.* DLmw=[0-9]*')"
			is "$program $engine $options: as the other engine" \
				"$(md5sum <$program.misses)" "${first:=$(md5sum <$program.misses)}"
		done
	done
done

done_testing
