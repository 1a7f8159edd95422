#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cachegrind's counts are ours: programs that work on text.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

input text text 1000
input numbers numbers 3000

# Not grep, diff, m4 and gawk: they read /proc/self/maps, which lists the tool's own memory.
compare_installed coreutils sort /usr/bin/sort -k2,2 -k1,1n ../text
compare_installed sed sed /usr/bin/sed -E 's/([a-z]+) ([a-z]+)/\2_\1/g; /miss/d' ../text
compare_installed mawk mawk /usr/bin/mawk \
	'{ n[$2] += NF; s += length($0) * $3 } END { for (; i < 100; i++) t += n[i] * i; print s, t }' \
	../numbers
compare_installed coreutils od /usr/bin/od -tx8z ../numbers
compare_installed bc bc /usr/bin/bc -lq "$top_srcdir/tests/compare/inputs/digits.bc"
compare_installed perl perl --input="$scratch/text" \
	/usr/bin/perl "$top_srcdir/tests/compare/inputs/words.pl"
compare_installed python3 python3 --input="$scratch/text" \
	/usr/bin/python3 -S "$top_srcdir/tests/compare/inputs/words.py"

done_testing
