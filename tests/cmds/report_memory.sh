#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind report fails once: it says so, never dies, and never leaves half a page.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/diff_*.cg "$top_srcdir/tests/golden/convert/inputs/sum.tree" \
	"$top_srcdir/tests/golden/convert/inputs/trace.cg" .
cp "$top_srcdir"/tests/golden/code/inputs/loop.* .
cp "$top_srcdir/tests/profiles/callgrind-threads.cg" threads.cg

failing_ready "$program"

fails_each "two profiles" "$program" report -q -o out diff_old.cg diff_new.cg
fails_each "a call tree" "$program" report -q -o out sum.tree
fails_each "threads" "$program" report -q -o out threads.cg
fails_each "a trace" "$program" report -q -o out trace.cg
fails_each "instructions" "$program" report -q -o out loop.cg
done_testing
