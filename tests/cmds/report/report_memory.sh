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
sed 's/^0 1 1 20/0 1 1 25/; s/^totals: 192/totals: 197/; s/^summary: 192/summary: 197/' sum.tree >older.tree
fails_each "two call trees" "$program" report -q -o out older.tree sum.tree
fails_each "threads" "$program" report -q -o out threads.cg
fails_each "a trace" "$program" report -q -o out trace.cg
printf '%s\n' 'desc: Data profile: objects' 'positions: line' 'events: Ir Dr Dw D1mr D1mw FlS FlD FlX BytR BytW' 'fl=a.c' 'fn=f' \
	'1 9 5 2 3 1 8 8 0 64 8' >data.cg
printf '%s\n' 'positions: line' 'events: D1mr D1mw' 'ob=[heap]' 'fl=[data]' 'fn=f a.c:1, 8 B' '0 2 1' '8 1' 'ob=a' 'fl=a.c' 'fn=f' \
	'cob=[heap]' 'cfi=[data]' 'cfn=f a.c:1, 8 B' 'calls=7 0' '1 3 1' >objects
fails_each "objects of data and a roofline" "$program" report -q -o out data.cg
fails_each "instructions" "$program" report -q -o out loop.cg
sed 's/^ob=loop$/ob=loop2/' loop.cg >loop2.cg
fails_each "instructions of two" "$program" report -q --no-source -o out loop2.cg loop.cg
# shellcheck disable=SC2086 # the compiler may be several words
if $CC -nostdlib -static -no-pie -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000 -o loop loop.s 2>loop.log; then
	cp loop loop2
	touch -d 2020-01-01 loop loop2
	# Only what is large enough: of all it takes long.
	fails_each "instructions of two programs" "$program" report -q --no-source --detail=40 -o out loop2.cg loop.cg
else
	skip "instructions of two programs" "cannot assemble"
fi
done_testing
