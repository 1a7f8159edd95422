#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind sharing prints what is in tests/golden/sharing, of profiles by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/sharing
program=$top_builddir/costgrind
work=$PWD

unset PAGER NO_COLOR
cp "$golden"/inputs/* .

# Two parts, which add up; no line that moved; a profile of a run without; and lines of another form.
{
	cat data.work.costgrind
	echo "part: 2"
	sed '1,/^part: /d' data.work.costgrind
} >parts.cg
sed '/^desc: Shared/d; s/ 658 51000/ 0 0/; s/ 0 50944/ 0 0/; s/ 650 0/ 0 0/; s/ 8 56/ 0 0/' data.work.costgrind >none.cg
printf '%s\n' "events: Ir" "fn=f" "1 5" "summary: 5" >plain.cg
sed 's/ | fill$//' data.work.costgrind >broken.cg
sed 's/^desc: Shared lines: 650/desc: Shared lines: many/' data.work.costgrind >broken_number.cg

sed 's/^desc: Lock: m | \(.*\) | 1081 /desc: Lock: m | \1 | long /' data.work.costgrind >broken_lock.cg
sed '/^desc: Lock: /d' data.work.costgrind >no_lock.cg

golden_list "$golden" "s,$work,WORK,g" "$program" sharing

is "fields of CSV" "$(python3 -c 'import csv, sys
print(*{len(row) for row in csv.reader(sys.stdin)})' <"$golden/csv.expected")" "1 18"
done_testing
