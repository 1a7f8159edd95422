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
# of LINE: from its card what to do, and its classes.
of() {
	awk -v place="misses.c:$1" '/^==/ { is_there = $2 == place } is_there && (/^->/ || /Its misses of/ || /of this pair/)' cards.got
}
is "conflicts name both ends, whichever is pushed out" "$(of 2)" "-> total += rows[i]; misses.c:2 <-> total += sums[i]; misses.c:3: 8,192 B apart, the same set of D1; pad by 64.
   Its misses of D1 are 10.0 % capacity, 90.0 % conflicts.
   900 of all 1,000 conflict misses of D1 are of this pair."
is "the class of most misses decides; of equals, capacity" "$(of 3 | head -n 1)" "-> Go in blocks that fit into D1 (32 KiB), or make data smaller."
is "capacity" "$(of 4)" "-> Go in blocks that fit into D1 (32 KiB), or make data smaller.
   Its misses of D1 are 8.33 % cold, 91.7 % capacity."
is "cold" "$(of 5)" "-> Used for the first time: keep a buffer and use it again, not fresh memory each time, or prefetch.
   Its misses of LL are 100.0 % cold."
# Where little of each line is used, which machine code says, that is what to do, unless most misses are conflicts.
is "cold misses of sparse data" "$(cards classes.cg "['cold', 'cap', 'conf'].map(most => countedMemory(new Findings(),
	name => name === 'LL' + most ? 5 : 0, {advice: 'closer', evidence: [], isSparse: true}).advice.slice(0, 8)).join()")" \
	"closer,closer,Too many"

# Without source, and where distances change.
rm misses.c
sed '/8192 bytes/d' classes.cg >bare.cg
cards bare.cg >cards.got
is "a pair without lines" "$(of 2 | head -n 1)" "-> Too many lines of one set: pad by a line, or copy together what is used together."
sed 's/, 8192 bytes apart//' classes.cg >bare.cg
cards bare.cg >cards.got
is "distances that change" "$(of 2 | head -n 1)" "-> misses.c:2 <-> misses.c:3: in the same sets of D1, at changing distances; pad, or copy together what is used together."

# Where nothing was counted, it is as before.
sed '/Conflicts/d; s/ D1cold.*//; /^[0-9]/s/\( [0-9]*\)\{7\}$//' classes.cg >none.cg
cards none.cg >cards.got
is "nothing was counted" "$(of 2)$(of 5)" "-> Smaller or closer data, or an order that uses a line again sooner, would stay.\
-> Bring less from memory: smaller data, fewer passes over them, blocks that fit into the cache."
done_testing
