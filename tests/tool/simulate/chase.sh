#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where a pointer chase begins to miss: at the sizes of the machine's levels, at once with LRU, bit by
# bit with QLRU.  What docs/pictures/chase.svg draws, at a few sizes.
. "$top_srcdir/tests/lib.sh"

chase_py=$top_srcdir/tests/tool/simulate/chase.py
build chase "$top_srcdir/tests/programs/chase.c" -O1 -g -static -I"$top_srcdir"

chase() {
	python3 "$chase_py" "$@" 2>&1
}

# --- LRU: the counts are known, the first pass's too ---

# Sets of L2 and L3 that are no power of two.
printf '%s\n' "machine odd" "line 64" "L1I 32K 8 lru" "L1D 48K 12 lru" "L2 1152K 12 lru nine" \
	"L3 4608K 12 lru inclusive" >odd.machine
# A way less than a level, all of it (of L1), half a way beyond it, a way beyond it.
for size in 1K 44K 48K 50K 52K 96K 1056K 1248K 4224K 4992K; do
	is "LRU, $size" "$(chase run ./chase odd.machine $size 0 3)" "$(chase derive odd.machine $size 3)"
done
for size in 48K 50K 960K 1088K; do
	is "generic, $size" "$(chase run ./chase generic $size 0 3)" "$(chase derive generic $size 3)"
done
is "generic, a second pass over 48 K: all hit" "$(chase run ./chase generic 48K 1 1)" "768 0 0 0"
is "... over 52 K: all miss the first level" "$(chase run ./chase generic 52K 1 1)" "832 832 0 0"

# --- other policies, after sixteen passes: where it begins, and how ---

# missing MACHINE SIZE LEVEL: how many of a hundred reads miss in the level.
missing() {
	case $3 in L1D) column=2 ;; L2) column=3 ;; *) column=4 ;; esac
	chase run ./chase "$1" "$2" 16 2 | awk -v column=$column '{
		percent = 100 * $column / $1
		if (percent == 0 || percent == 100)
			print percent ? "all" : "none"
		else
			print (percent > 10 && percent < 95) ? "some" : percent
	}'
}

# steps MACHINE LEVEL WANT: a way less than the level, a way beyond it, twice the level.
steps() {
	# shellcheck disable=SC2046 # three words
	set -- "$1" "$2" "$3" $(chase sizes "$1" "$2")
	is "$1: $2 with $4, $5, $6" "$(missing "$1" "$4" "$2") $(missing "$1" "$5" "$2") \
$(missing "$1" "$6" "$2")" "$3"
}

# Tree-PLRU goes round all ways when nothing hits, and misses as LRU does, after some passes in which it has
# kept a few lines.  QLRU goes on keeping some.
for machine in skylake skylake-sp icelake goldencove sapphirerapids zen2 zen3 zen4 zen5 neoverse-n1; do
	wanted="none some all"
	case $machine in zen* | neoverse-n1) wanted="none all all" ;; esac
	steps $machine L2 "$wanted"
done
for machine in skylake zen4 zen5; do
	steps $machine L1D "none all all"
done

done_testing
