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
	# Another lock first, and the same one from another place, for less of the part.
	sed '1,/^part: /d; /^desc: Lock/d' data.work.costgrind | sed '/^desc: D1 line/a\
desc: Lock: queue | /home/ann/work | spin lock | 9 | 3 | 1 | 90 | 20 | 1000\
desc: Lock at: /home/ann/work.c:70 | push | 9 | 90 | 20\
desc: Lock: m | /home/ann/work | mutex | 5 | 0 | 0 | 500 | 300 | 1000\
desc: Lock at: /home/ann/work.c:80 | later | 5 | 500 | 300'
} >parts.cg
sed '/^desc: Shared/d; s/ 658 51000/ 0 0/; s/ 0 50944/ 0 0/; s/ 650 0/ 0 0/; s/ 8 56/ 0 0/' data.work.costgrind >none.cg
printf '%s\n' "events: Ir" "fn=f" "1 5" "summary: 5" >plain.cg
sed 's/ | fill$//' data.work.costgrind >broken.cg
sed 's/^desc: Shared lines: 650/desc: Shared lines: many/' data.work.costgrind >broken_number.cg

sed 's/^desc: Lock: m | \(.*\) | 1081 /desc: Lock: m | \1 | long /' data.work.costgrind >broken_lock.cg
sed '/^desc: Lock: /d' data.work.costgrind >no_lock.cg
sed 's/^desc: Lock at: .*work.c:5 /desc: Lock at: work.c:x /' data.work.costgrind >broken_line.cg

golden_list "$golden" "s,$work,WORK,g" "$program" sharing

is "fields of CSV" "$(python3 -c 'import csv, sys
print(*{len(row) for row in csv.reader(sys.stdin)})' <"$golden/csv.expected")" "1 18"
done_testing
