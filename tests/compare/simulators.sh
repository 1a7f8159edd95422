#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --simulate-wb, --simulate-hwpref and --cacheuse count what Callgrind counts, where its bugs do not
# reach: in the lower 4 GiB, and one option at a time.
. "$top_srcdir/tests/lib.sh"

build walks "$top_srcdir/tests/programs/walks.c" -O1 -static -g

# profiled TOOL OPTION...: a run of it, into ./TOOL.out.
profiled() {
	profiled_tool=$1
	shift
	env -i PATH=/usr/bin:/bin LC_ALL=C VALGRIND_LIB="$(tools_for "$@")" "$VALGRIND" -q \
		--tool="$profiled_tool" --vex-guest-chase=no --vex-iropt-unroll-thresh=0 \
		"--$profiled_tool-out-file=$profiled_tool.out" "$@" ./walks \
		>"$profiled_tool.stdout" 2>"$profiled_tool.log"
	is "$profiled_tool $*: exit status" $? 0
}

# sums FILE: each event, reads and writes added up, since a modify is a read here and a write there.
# Callgrind's "totals:" lack its last block, and its "summary:" the costs of lines, where the last
# block of this program has none: so the larger of the two.
sums() {
	awk '
	$1 == "events:" { n = split($0, names) }
	$1 == "summary:" || $1 == "totals:" {
		for (i = 2; i <= n; i++)
			if ($i > most[i])
				most[i] = $i
	}
	END {
		for (i = 2; i <= n; i++) {
			name = names[i]
			sub(/^D[rw]$/, "Dr+Dw", name)
			sub(/^D1m[rw]$/, "D1mr+D1mw", name)
			sub(/^DLm[rw]$/, "DLmr+DLmw", name)
			sub(/^DLdm[rw]$/, "DLdmr+DLdmw", name)
			sum[name] += most[i]
			if (!(name in place))
				order[place[name] = ++n_names] = name
		}
		for (i = 1; i <= n_names; i++)
			print order[i] "=" sum[order[i]]
	}' "$1"
}

# same OPTION...: Callgrind, and both engines.
same() {
	profiled callgrind --cache-sim=yes --dump-instr=yes "$@"
	for engine in inline plain; do
		profiled costgrind --counting=valgrind --engine=$engine "$@"
		is "$* ($engine)" "$(sums costgrind.out)" "$(sums callgrind.out)"
	done
}

small="--I1=2048,2,64 --D1=4096,4,32 --LL=65536,8,64"
large="--I1=32768,8,64 --D1=4096,4,64 --LL=4194304,16,64"

# shellcheck disable=SC2086 # several options in one variable
{
	same --simulate-wb=yes $small
	same --simulate-wb=yes $large
	same --simulate-hwpref=yes $small
	same --simulate-hwpref=yes $large
	# All lines of one size, and LL keeps those that L1 has.
	same --cacheuse=yes $large
}

# Our dirty lines are written back in the small LL: the test is one.
profiled costgrind --counting=valgrind --simulate-wb=yes --I1=2048,2,64 --D1=4096,4,32 --LL=65536,8,64
is "many write-backs" "$(sums costgrind.out |
	awk -F= '$1 == "DLdmr+DLdmw" { print ($2 > 10000 ? "yes" : $2) }')" yes

done_testing
