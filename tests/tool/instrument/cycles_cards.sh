#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --cycles=yes: a pointer chase is where its cycles are, and is called so: by annotate, a difference, the page.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
source=$top_srcdir/tests/programs/chase.c
line=$(grep -n 'CHASE_LINE \*/' "$source" | cut -d: -f1)

build chase "$source" -O1 -g -I"$top_srcdir"
# chase BYTES OUT
chase() {
	costgrind -q --machine=zen4 --cycles=yes --branch-sim=yes --dump-instr=yes --costgrind-out-file="$2" ./chase "$1" 0 1 \
		>"$2.stdout" 2>"$2.log"
	is "$2" $? 0
}
chase 1M small
chase 4M large

is "cycles lead" "$("$program" annotate -v --auto=no large | sed -n 's/^Events shown: *\([^ ]*\) .*/\1/p')" Cyc
is "chase has most of them" "$("$program" annotate --brief --auto=no --show=Cyc --show-percs=no large |
	sed -n '/file:function/{n;n;s/.*:\([a-z]*\) .*/\1/p;}')" chase
echo 'self chase Cyc +400%' >limits
"$program" diff -q --limits limits small large >limits.out 2>&1
is "no more than is allowed" $? 0
echo 'self chase Cyc +100%' >limits
"$program" diff -q --limits limits small large >limits.out 2>&1
is "more than is allowed" $? 3

"$program" report -q -o large.html large
python3 "$top_srcdir/tests/report.py" raw large.html >large.raw
if ! command -v node >/dev/null; then
	skip "cards" "no node"
elif ! python3 "$top_srcdir/tests/report.py" data large.html | grep -q '"address"\|"d_address"'; then
	skip "cards" "no machine code in pages"
else
	node "$top_srcdir/tests/cards.js" large.html large.raw >cards 2>&1
	is "the first card" "$(sed -n '1p' cards)" "== chase.c:$line (Waits for DRAM: pointer chase)"
	is "a pointer chase" "$(sed -n '2s/.*% of them //p' cards)" \
		"waiting for DRAM in a pointer chase: each address comes from the load before."
fi
done_testing
