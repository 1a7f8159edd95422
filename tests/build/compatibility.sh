#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/COMPATIBILITY.md has a row for each feature of Callgrind's and Cachegrind's, with tests that
# are there.
. "$top_srcdir/tests/lib.sh"

sed -n '/^### Feature by feature/,/^## /s/^| \([0-9][0-9]*\) |/\1 |/p' \
	"$top_srcdir/docs/COMPATIBILITY.md" >rows
is "rows" "$(cut -d ' ' -f 1 rows | tr '\n' ' ')" "$(seq -s ' ' 83) "
is "absent" "$(grep -E '\| absent' rows | cut -d ' ' -f 1 | tr '\n' ' ')" "22 25 46 79 "

# The last column: names in backticks.
awk -F '|' '{ n = split($(NF - 1), words, "`"); for (i = 2; i <= n; i += 2) print $1 + 0, words[i] }' rows >named
is "rows with a test" "$(cut -d ' ' -f 1 named | uniq | wc -l)" 83
while read -r row name; do
	case $name in
	*/*) set -- "$top_srcdir/tests/$name.sh" ;;
	*) set -- "$top_srcdir"/tests/*/*/"$name.sh" ;;
	esac
	[ -f "$1" ] || echo "row $row: $name"
done <named >missing
is "tests that are not there" "$(cat missing)" ""
done_testing
