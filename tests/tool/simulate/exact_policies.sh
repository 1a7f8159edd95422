#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Machines of --machine=FILE: misses by policy and level, derived by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
use_oracle

# machine POLICY L2: a first level of data of one set.
machine() {
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 256 4 $1" "L2 $2" "L3 1M 16 lru"
}

# derived POLICY: line numbers of the references that miss.
derived() {
	awk -v policy="$1" '/#m/ {
		sub(/.*#m/, "")
		for (i = 1; i <= NF; i++)
			if ($i == policy)
				print NR
	}' "$asm/policies.S"
}

# missed PROFILE EVENT: the lines of the program that have missed.
missed() {
	counts lines "$1" policies.S | sed -n "s/^\([0-9]*\): .*\<$2=1\>.*/\1/p"
}

asm_build policies
for policy in lru fifo plru mru srrip; do
	machine $policy "64K 16 lru" >$policy.machine
	for engine in inline plain; do
		caches="--machine=$policy.machine"
		asm_run policies $engine.out --engine=$engine
		is "$policy, $engine: the lines that miss" "$(missed $engine.out D1mr)" "$(derived $policy)"
		is "$policy, $engine: each line comes from memory once" \
			"$(missed $engine.out DLmr | wc -l)" 6
	done
	is "$policy: both engines" "$(sed '/^pid: /d; /^cmd: /d' plain.out)" "$(sed '/^pid: /d; /^cmd: /d' inline.out)"
done

done_testing
