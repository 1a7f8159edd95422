#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Late events, which calls do not keep in full: what 32 bits do not hold is counted; recursion, handlers, longjmp, threads,
# parts, switched collection and groups of functions leave inclusive costs as the plain engine has them, which keeps all totals.
. "$top_srcdir/tests/lib.sh"
use_oracle

has_decoder || {
	skip "late costs" "built without a decoder"
	done_testing
}

build latecosts "$top_srcdir/tests/programs/latecosts.c" -O1 -static -pthread

work="--collect-flops=yes --collect-bytes=yes"

# 14000 rounds of 20000 reads of 16 bytes: 4,480,000,000, more than 32 bits hold, in one stretch of the core's.  straight also reads
# its return address; overflow that, and the doubles of leaf; each call writes an address.
# inclusive FILE FUNCTION: what calls of it cost.
inclusive() {
	awk -v wanted="$2" '
		/^positions:/ { p = NF - 1 }
		/^events:/ { n = NF - 1; for (i = 1; i <= n; i++) name[i] = $(i + 1) }
		/^c?fn=\([0-9]*\) / {
			id = $1; sub(/^c?fn=/, "", id)
			called = $0; sub(/^c?fn=\([0-9]*\) /, "", called); names[id] = called
		}
		/^cfn=/ { id = $1; sub(/^cfn=/, "", id); callee = id in names ? names[id] : $0 }
		/^calls=/ { getline; if (callee == wanted) for (i = 1; i <= n; i++) sum[i] += $(p + i) }
		END { for (i = 1; i <= n; i++) if (name[i] ~ /^(FlD|BytR|BytW|allocCount)$/ && (name[i] != "allocCount" || sum[i] > 0)) printf "%s=%.0f ", name[i], sum[i] }' "$1"
}
for caches in no yes; do
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q $work --cache-sim=$caches --costgrind-out-file=out ./latecosts overflow 14000
	is "no error, caches: $caches" "$?" 0
	is "straight, caches: $caches" "$(inclusive out straight)" "FlD=0 BytR=4480000008 BytW=0 "
	is "both calls of leaf, caches: $caches" "$(inclusive out leaf)" "FlD=4 BytR=48 BytW=16 "
done

# same NAME OPTIONS: the profiles of both engines, of a program without threads; and no part of them has an internal error.
same() {
	for engine in inline plain; do
		rm -f profile*
		# shellcheck disable=SC2086 # several options in one variable
		costgrind --engine=$engine --costgrind-out-file=profile $2 ./latecosts $3 >out 2>log </dev/null
		{
			echo "status $?"
			grep 'internal error' log
			for file in profile*; do
				echo "$file"
				grep -v '^pid: \|^cmd: \|^creator: \|^desc: Timerange: ' "$file"
			done
		} >$engine
	done
	is "$1: internal errors" "$(grep -c 'internal error' inline)" 0
	if cmp -s inline plain; then
		ok "$1"
	else
		not_ok "$1"
		diff inline plain | sed 's/^/# /' | head -n 10
	fi
}
all="$work --collect-alloc=yes --syscall-calls=yes"
same "without caches" "--cache-sim=no $all"
same "with caches and branches" "--branch-sim=yes --collect-faults=yes $all"
same "branches alone" "--cache-sim=no --branch-sim=yes $all"
same "mixed" "--cache-sim=no --mix=yes $all"
same "allocations alone" "--cache-sim=no --collect-alloc=yes"
same "cold code" "--cache-sim=no --cold-runs=20 $all"
same "hot code" "--cache-sim=no --cold-runs=0 $all"
same "call tree" "--cache-sim=no --call-tree=yes $all"
same "contexts" "--cache-sim=no --separate-callers=3 --separate-recs=4 $all"
same "groups" "--cache-sim=no --fn-group1=leaf --fn-group1=deep $all"
same "skipped" "--cache-sim=no --fn-skip=deep $all"
same "toggled" "--cache-sim=no --toggle-collect=handler --collect-atstart=no $all"
same "toggled off" "--cache-sim=no --toggle-collect=give $all"
same "toggled, call tree" "--cache-sim=no --call-tree=yes --toggle-collect=text $all"
same "parts" "--cache-sim=no --dump-before=handler --dump-after=jumps --zero-before=give $all"
same "inlined" "--cache-sim=no --inline=calls $all"

# Who runs when is chance, what it costs is not: of deep(30), 31 times two calls of leaf, and 3 blocks.
for options in "" "--separate-threads=yes" "--call-tree=yes --dump-before=text"; do
	rm -f profile*
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --cache-sim=no $options $all --costgrind-out-file=profile ./latecosts threads >log 2>&1
	is "threads, no error${options:+, $options}" "$?$(cat log)" 0
	for file in profile*; do
		inclusive "$file" work
		echo
	done >works
	is "threads${options:+, $options}" "$(sed 's/ Byt[RW]=[0-9]*//g; s/Byt[RW]=[0-9]* //g' works | awk '
		{ for (i = 1; i <= NF; i++) { split($i, part, "="); sum[part[1]] += part[2] } }
		END { print sum["FlD"], sum["allocCount"] }')" "14880 360"
done

done_testing
