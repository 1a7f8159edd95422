#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# With --counting=architectural, what Valgrind's optimiser removes counts all the same: all counts
# equal a run's without it.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

has_decoder || {
	skip "all of it" "built without a decoder"
	done_testing
}
PERL_HASH_SEED=0
PYTHONHASHSEED=0
export PERL_HASH_SEED PYTHONHASHSEED
# Small ones, so that much misses; and short blocks, for what is not optimised is long.
caches="--I1=2048,2,32 --D1=2048,2,32 --LL=65536,4,64 --vex-guest-max-insns=20"

# profiled LEVEL COMMAND...: what the profile says, without what tells one run from another.
profiled() {
	level=$1
	shift
	# shellcheck disable=SC2086 # several options in one variable
	costgrind -q --counting=architectural --branch-sim=yes --costgrind-out-file=profile $caches \
		--vex-iropt-level="$level" "$@" >out 2>err
	sed '/^pid: /d; /^cmd: /d' profile
}

# same NAME COMMAND...
same() {
	name=$1
	shift
	profiled 2 "$@" >optimised
	profiled 0 "$@" >unoptimised
	is "$name" "$(diff optimised unoptimised | head -n 20)" ""
	is "$name: something was counted" "$(grep -c '^totals: [1-9]' optimised)" 1
}

same ls /bin/ls /usr/bin
same gzip /bin/gzip -c /etc/services
same perl /usr/bin/perl "$top_srcdir/tests/compare/inputs/words.pl" /etc/services
same python /usr/bin/python3 -S -c 'print(sorted(str(i) for i in range(100))[7])'
same sqlite /usr/bin/sqlite3 :memory: 'select sum(length(hex(randomblob(0)))) from pragma_function_list'

done_testing
