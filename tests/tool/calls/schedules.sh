#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 200 random schedules of dump, zero, toggle, warm-up, region, start and stop, over threads,
# signal handlers and recursion: the parts sum up to what was collected.
. "$top_srcdir/tests/lib.sh"
use_oracle

build schedule "$top_srcdir/tests/programs/schedule.c" -O1 -g -static -pthread -I"$top_srcdir"
mkdir -p 1 2 3 4

# start NUMBER OPTIONS...: 50 of them, in a folder of their own; side by side, for they mostly sleep.
start() {
	number=$1
	shift
	(cd "$number" && VALGRIND_LIB=$COSTGRIND_LIB python3 "$top_srcdir/tests/tool/calls/schedules.py" \
		"${number}00" 50 ../schedule "$VALGRIND" -q --tool=costgrind --counting=valgrind \
		--I1=1024,2,32 --D1=512,2,32 --LL=4096,4,64 "$@" >../"$number".got 2>&1
	echo "exit status $?" >>../"$number".got) &
}

start 1 --branch-sim=yes
start 2 --branch-sim=yes --engine=plain --stack-seed=no
start 3 --branch-sim=yes --call-tree=yes --collect-jumps=yes --cold-runs=0
start 4 --separate-callers=3 --separate-recs=4 --cache-sim=no
wait
is "inline" "$(cat 1.got)" "exit status 0"
is "plain, stacks unknown" "$(cat 2.got)" "exit status 0"
is "call trees, jumps, no cold code" "$(cat 3.got)" "exit status 0"
is "callers, instructions only" "$(cat 4.got)" "exit status 0"
done_testing
