#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A thousand runs by GNU parallel, and their sum, by the commands of docs/SCALE.md.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/recipes.sh"

lacking=$(lacks parallel)
if [ -n "$lacking" ]; then
	skip "a thousand runs" "not installed:$lacking (scripts/setup cluster)"
	done_testing
fi
[ "${1-}" = inside ] || exec python3 "$top_srcdir/tests/reap.py" sh "$0" inside

on_path
mkdir -p .parallel && : >.parallel/will-cite
build app "$top_srcdir/tests/programs/job.c" -O1 -g -static
follow runs
is "all have run" "$? $(cat runs.err)" "0 "
is "a profile of each" "$(find profiles -type f | wc -l) $(find profiles -name '*.out' | wc -l)" "1000 1000"
follow parallel
is "merged" "$? $(cat parallel.err)" "0 "
is "all are in the sum" "$(grep '^desc: Merged' all.out)" "desc: Merged profiles: 1000"
costgrind merge -q -o once.out profiles/*.out
is "the same bytes as one merge" "$(cmp all.out once.out 2>&1)" ""
adds_up "sums" all.out profiles/*.out
# It is called with 1 to 1000, and goes round once more.
one=$(own_cost profiles/1.out work)
each=$(($(own_cost profiles/2.out work) - one))
is "work() is a thousand times its beginning, and what all went round" \
	"$((each >= 100)) $(own_cost all.out work)" "1 $((1000 * (one - 2 * each) + each * (1000 * 1001 / 2 + 1000)))"
done_testing
