#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The branch predictors of a machine: counts that are derived by hand, in both engines.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

# lines PROFILE: its counts; where there is a bound of Bcm, Bcm is checked and left out.
lines() {
	counts lines "$1" predictors.S | awk -v source="$asm/predictors.S" '
		BEGIN {
			while ((getline line <source) > 0) {
				number++
				if (match(line, /#[?] [0-9]+/))
					bounds[number ":"] = substr(line, RSTART + 3, RLENGTH - 3) + 0
			}
		}
		$1 in bounds {
			match($0, / Bcm=[0-9]+/)
			if (substr($0, RSTART + 5, RLENGTH - 5) + 0 > bounds[$1])
				print "more than " bounds[$1] ": " $0
			$0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
		}
		{ print }'
}

asm_build predictors
for size in 8 64; do
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 64K 16 lru" \
		"branch tage${size}k" "ras 16" "btb 4096" >small.machine
	caches="--machine=small.machine --cache-sim=no"
	for options in --engine=plain --engine=inline --cold-runs=0 --branch-detail=yes; do
		asm_run predictors "out$options" $options
		is "$size KB, $options: every line" \
			"$(lines "out$options" | sed 's/ Bct=.*//')" "$(counts want "$asm/predictors.S")"
	done
	is "$size KB: Br Brm Btm, added up" "$(counts summary out--engine=plain | grep -o 'Br=.*')" \
		"Br=86 Brm=10 Btm=59"
	for options in --engine=inline --cold-runs=0; do
		is "$size KB, $options: the same profile" \
			"$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' "out$options")" \
			"$(sed '/^pid: /d; /^cmd: /d; /^desc: Options/d' out--engine=plain)"
	done
done
done_testing
