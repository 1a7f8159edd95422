#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cards of the report where misses were counted by reason: padding is proposed for conflicts only, and names both ends.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

if ! command -v node >/dev/null; then
	skip "cards" "no node"
	done_testing
fi

# cards FILE [EXPRESSION]: of the report of a profile.
cards() {
	"$program" report -q -o page.html "$1"
	python3 "$top_srcdir/tests/report.py" raw page.html >raw.json
	node "$top_srcdir/tests/cards.js" page.html raw.json ${2:+"$2"} 2>&1
}

# Four lines that miss: of conflicts with each other, of capacity, and for the first time.
printf 'double total;\n\ttotal += rows[i];\n\ttotal += sums[i];\n\ttotal += all[i];\n\ttotal += first[i];\n' >misses.c
cat >classes.cg <<END
# callgrind format
version: 1
creator: hand-1.0
desc: D1 cache: 32768 B, 64 B, 8-way associative
desc: LL cache: 8388608 B, 64 B, 16-way associative
desc: Conflicts: 700 of 1000 in D1, 8192 bytes apart: $PWD/misses.c:2 work <-> $PWD/misses.c:3 work
desc: Conflicts: 200 of 1000 in D1, 8192 bytes apart: $PWD/misses.c:3 work <-> $PWD/misses.c:2 work
desc: Conflicts: 100 of 1000 in D1: $PWD/misses.c:3 work <-> 0x401136 other [$PWD/work]
positions: line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw D1cold D1cap D1conf D1anti LLcold LLcap LLconf
fl=$PWD/misses.c
fn=work
2 4000 2000 0 0 1000 0 0 0 0 0 100 900 0 0 0 0
3 2000 1000 0 0 400 0 0 0 0 0 200 200 0 0 0 0
4 2000 1000 0 0 600 0 0 0 0 50 550 0 0 0 0 0
5 2000 1000 0 0 500 0 0 500 0 500 0 0 0 500 0 0
END
cards classes.cg >cards.got
# of LINE: of the card of its misses, what to do, and its classes.
of() {
	awk -v place="misses.c:$1" '/^==/ { is_there = $2 == place } is_there && (/^[a-z]* also spends/ || /% of them on misses/) { on = 1 }
		/^==/ { on = 0 } on && (/^->/ || /Its misses of/ || /Conflicts: /)' cards.got | sed "s,$PWD/,,g"
}
is "conflicts name both ends, and what most are of" "$(of 2)" "-> Pad one of the arrays by a line of 64 B, or copy together what is used together.
   Its misses of D1 are 10.0 % capacity, 90.0 % conflict.
   Conflicts: 700 of 1000 in D1, 8192 bytes apart: misses.c:2 work <-> misses.c:3 work."
is "the class of most misses decides; of equals, capacity" "$(of 3 | head -n 2)" \
	"   Its misses of D1 are 50.0 % capacity, 50.0 % conflict."
is "capacity" "$(of 4)" "-> Go through the data in blocks that fit into D1 (32 KiB), or make it smaller.
   Its misses of D1 are 8.3 % cold, 91.7 % capacity.
   Ruled out: Conflicts: padding would not help."
is "cold" "$(of 5)" "-> Use a buffer again in place of fresh memory each time.
   Its misses of LL are 100.0 % cold."

# Where distances change.
sed 's/, 8192 bytes apart//' classes.cg >bare.cg
cards bare.cg >cards.got
is "distances that change" "$(of 2 | tail -n 1)" "   Conflicts: 700 of 1000 in D1: misses.c:2 work <-> misses.c:3 work."

# Where nothing was counted, nothing is advised, but to count.
sed '/Conflicts/d; s/ D1cold.*//; /^[0-9]/s/\( [0-9]*\)\{7\}$//; s/^creator/cmd: .\/prog\n&/' classes.cg >none.cg
cards none.cg >cards.got
is "nothing was counted" "$(of 2)$(of 5)" ""
is "... how to count it" "$("$program" why --format=json none.cg | grep -c '"costgrind run --miss-classes=yes ./prog"')" 4
is "... said once to people" "$("$program" why none.cg | grep -c 'Next: costgrind run --miss-classes=yes ./prog')" 1
done_testing
