#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which instructions push each other out of D1 (desc: Conflicts): who, how far apart, and only what is collected.
. "$top_srcdir/tests/lib.sh"

build misses "$top_srcdir/tests/bench/misses.c" -O2 -g

# run FUNCTION KERNEL VARIANT: a profile of that function.
run() {
	costgrind -q --counting=architectural --machine=zen2 --miss-classes=yes --toggle-collect="$1" \
		--costgrind-out-file=profile ./misses "$2" "$3" 1 >stdout 2>&1
}

# total EVENT: of the profile.
total() {
	awk -v event="$1" '/^events:/ { for (i = 2; i <= NF; i++) if ($i == event) column = i }
		/^totals:/ { print column <= NF ? $column : 0 }' profile
}

run conflict_before conflict before
line=$(grep -n 'sum += rows\[row\]' "$top_srcdir/tests/bench/misses.c" | cut -d: -f1)
conflicts=$(total D1conf)
is "a column with itself, by its rows" \
	"$(sed -n 's/^desc: Conflicts: [0-9]* of //p' profile | sed "s|$top_srcdir/tests/bench/||g")" \
	"$conflicts in D1, 4096 bytes apart: misses.c:$line conflict_before <-> misses.c:$line conflict_before"
is "nearly all" "$(sed -n 's/^desc: Conflicts: \([0-9]*\) of.*/\1/p' profile |
	awk -v all="$conflicts" '{ print ($1 > all * 0.99), (all > 28000) }')" "1 1"
run conflict_after conflict after
is "none where rows are a line longer" "$(grep -c '^desc: Conflicts' profile)" 0
run now conflict before
is "none of what is not collected" "$(grep -c '^desc: Conflicts' profile)" 0
done_testing
