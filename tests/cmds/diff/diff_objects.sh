#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff --by=object: blocks are those that the same functions allocated, whatever their lines and size; what else
# a diff does, it does with objects, too.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/objects_*.cg "$top_srcdir"/tests/cmds/inputs/data.*.costgrind .

# make_node has moved by two lines, and its blocks are smaller; make_index stands for make_table; counters are the same.
golden diff/objects "$program" diff --by=object objects_old.cg objects_new.cg
golden diff/objects_lines "$program" diff --by=object --lines --calls=no --show=D1mr objects_old.cg objects_new.cg
golden diff/objects_markdown "$program" diff --by=object --format=markdown objects_old.cg objects_new.cg
golden diff/objects_json "$program" diff --by=object --format=json --show=D1mr objects_old.cg objects_new.cg
golden diff/objects_csv "$program" diff --by=object --format=csv --show=D1mr objects_old.cg objects_new.cg
golden diff/objects_profile "$program" diff --by=object -o - objects_old.cg objects_new.cg
golden diff/objects_itself "$program" diff --by=object objects_old.cg objects_old.cg

report() {
	"$program" diff -q --by=object "$@" 2>&1
	echo "exit status $?"
}
is "data files stand for themselves" "$(report data.old.costgrind data.new.costgrind | sed 1,2d)" \
	"$(report objects_old.cg objects_new.cg | sed 1,2d)"
is "... and come through a pipe" "$(report data.old.costgrind - <data.new.costgrind | sed 1,2d)" \
	"$(report objects_old.cg objects_new.cg | sed 1,2d)"

# People see columns as annotate has them, and so no code of the start-up; programs, and whoever asks, see all events.
misses() {
	printf '%s\n' '# callgrind format' 'version: 1' 'positions: line' 'event: EstCyc = 10 I1mr + 10 D1mr + 10 D1mw + 150 ILmr + 150 DLmr + 150 DLmw' \
		'events: I1mr D1mr D1mw ILmr DLmr DLmw' '' \
		'ob=[heap]' 'fl=[data]' 'fn=block, 8 B' "0 0 $1 1 0 $2 3" '' 'ob=[code]' 'fl=[data]' 'fn=start' "0 $3 0 0 0 0 0" '' \
		'ob=list' 'fl=list.c' 'fn=walk' '1 0 0 0 0 0 0' 'cob=[heap]' 'cfi=[data]' 'cfn=block, 8 B' 'calls=1 0' "1 0 $1 1 0 $2 3" \
		'cob=[code]' 'cfi=[data]' 'cfn=start' 'calls=1 0' "1 $3 0 0 0 0 0"
}
misses 1000 100 10 >all_old.cg
misses 2000 200 11 >all_new.cg
columns() {
	report "$@" all_old.cg all_new.cg | sed -n '/^-- Objects/,/^$/s/  */ /gp' | sed 1d
}
is "columns as annotate has them" "$(columns)" "OLD EstCyc NEW EstCyc change % D1m DLm object
 25,460 50,460 +25,000 +98.19% +1,000 +100 block [heap]"
is "... after what is sorted by" "$(columns --sort=D1mr | head -n 1)" "OLD D1mr NEW D1mr change % EstCyc D1m DLm object"
is "... all that are asked for" "$(columns --show=I1mr,D1mr)" "OLD I1mr NEW I1mr change % D1mr object
 10 11 +1 +10.00% 0 start [code]
 0 0 0 +1,000 block [heap]"
is "... and programs have" "$(report --format=json all_old.cg all_new.cg | grep -c '"function": "start", "state".*"I1mr": {"old": 10, "new": 11}, .*"D1mw"')" 1

printf '%s\n' 'total D1mr +0' 'self "make_node < *" D1mr +0' 'self "make_* < main" D1mr +10 soft' 'inclusive find D1mr +0' \
	'self "gone < *" D1mr +0' >limits
is "limits of objects, and of who misses on them" "$(report --limits=limits objects_old.cg objects_new.cg 2>&1 | sed '/^[0-9].*fewer/,/^exit/d'
	"$program" diff --by=object --limits=limits objects_old.cg objects_new.cg 2>&1 >/dev/null; echo "exit status $?")" \
	"costgrind diff: warning: limits:3: self \"make_* < main\" D1mr +10 soft: [data]:make_index < main: 0 to 45
costgrind diff: limits:4: broken: inclusive find D1mr +0: /home/ann/list.c:find: 70 to 75 (+7.14%)
costgrind diff: limits:5: unmatched: self \"gone < *\" D1mr +0: fits no function
exit status 3"

is "a baseline is of objects" "$(report --save=x --baselines=base objects_old.cg)" "exit status 0"
is "... that NEW is compared with" "$(report --against=x --baselines=base objects_new.cg | sed 1,2d)" \
	"$(report objects_old.cg objects_new.cg | sed 1,2d)"

is "a profile without objects" "$(report "$top_srcdir/tests/cmds/inputs/diff_old.cg" objects_new.cg | sed 's,/.*/,,')" \
	"costgrind diff: diff_old.cg: --by=object: expected a profile with objects of data, which --data=yes records
exit status 1"
rm data.new.costgrind
is "a data file that is not there" "$(report objects_old.cg objects_new.cg)" \
	"costgrind diff: objects_new.cg: expected data objects in data.new.costgrind, which it names, found no such file
exit status 1"
is "by anything else" "$("$program" diff --by=type a b 2>&1 | head -n 1)" \
	"costgrind diff: --by: 'type': expected object or region"
done_testing
