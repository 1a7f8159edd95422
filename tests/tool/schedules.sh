#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 200 random schedules of dump, zero, toggle, warm-up, region, start and stop, over threads,
# signal handlers and recursion: the parts sum up to what was collected.
. "$top_srcdir/tests/lib.sh"

build schedule "$top_srcdir/tests/programs/schedule.c" -O1 -g -static -pthread -I"$top_srcdir"
mkdir -p 1 2 3 4

# try_some NUMBER NAME OPTIONS...: 50 of them, in a folder of their own.
try_some() {
	try_number=$1
	try_name=$2
	shift 2
	(cd "$try_number" && VALGRIND_LIB=$COSTGRIND_LIB python3 "$top_srcdir/tests/tool/schedules.py" \
		"${try_number}00" 50 ../schedule "$VALGRIND" -q --tool=costgrind --counting=valgrind \
		--I1=1024,2,32 --D1=512,2,32 --LL=4096,4,64 "$@") >"$try_number.got" 2>&1
	is "$try_name" "$(cat "$try_number.got")" ""
}

try_some 1 "inline" --branch-sim=yes
try_some 2 "plain" --branch-sim=yes --engine=plain
try_some 3 "call trees, jumps, no cold code" --branch-sim=yes --call-tree=yes --collect-jumps=yes \
	--cold-runs=0
try_some 4 "callers, instructions only" --separate-callers=3 --separate-recs=4 --cache-sim=no
done_testing
