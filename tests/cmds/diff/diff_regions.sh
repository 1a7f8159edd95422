#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff --by=region, and limits of regions.  The profiles of regions_*.cg are of one program, whose loop "walk" has
# 2,000 and 2,500 turns.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/regions_*.cg "$top_srcdir"/tests/cmds/inputs/plain.cg .

golden diff/regions "$program" diff --by=region regions_old.cg regions_new.cg
golden diff/regions_markdown "$program" diff --by=region --format=markdown --show=Cyc,Ir,D1mr regions_old.cg regions_new.cg
golden diff/regions_json "$program" diff --by=region --format=json --show=Ir,Cyc regions_old.cg regions_new.cg
golden diff/regions_csv "$program" diff --by=region --format=csv --show=Ir regions_old.cg regions_new.cg
golden diff/regions_none "$program" diff --by=region plain.cg plain.cg

# profile PID REGION...: one whose regions are said as their lines do.
profile() {
	printf '%s\n' 'creator: costgrind-0.1.0' "pid: $1"
	shift
	[ $# -eq 0 ] || printf 'desc: Region: %s\n' "$@"
	printf '%s\n' 'events: Ir Dr' 'summary: 5000 400' 'fl=a.c' 'fn=main' '1 5000 400' 'totals: 5000 400'
}
profile 1 '3 times, 2 threads, costs 1000 310: crc/64' '1 times, 1 threads, costs 2000 10: crc/128' \
	'2 times, 1 threads, costs 500 50: sort: <by name>' '1 times, 1 threads, costs 100: gone/1' \
	'1 times, 1 threads, costs 100: open' '1 times, 1 threads, costs 5: idle' '1 times, 1 threads, costs 0: empty' >old.cg
profile 2 '3 times, 4 threads, costs 1250 310: crc/64' '1 times, 1 threads, costs 2001 10: crc/128' \
	'4 times, 1 threads, costs 1000 50: sort: <by name>' '1 times, 1 threads, not over, costs 90: open' \
	'0 times, 0 threads, costs 5: idle' '1 times, 1 threads, costs 0: empty' '1 times, 1 threads, costs 7 7: fresh' >new.cg

# rows ARGS...: of the list of regions, between single blanks.
rows() {
	"$program" diff -q --by=region "$@" 2>&1 | sed -n 's/  */ /g; /^-- Regions/,/^$/ { /^$/d; s/^ //; p; }'
}
is "each by the threshold of its own, and what says nothing" "$(rows old.cg new.cg)" \
	"-- Regions: 4 changed of 8, 1 new, 1 gone; 1 below --threshold
OLD Ir NEW Ir change % region
500 1,000 +500 +100.00% sort: <by name> (2 to 4 times)
1,000 1,250 +250 +25.00% crc/64
100 0 -100 -100.00% gone/1 (gone)
100 90 -10 -10.00% open (not over)
0 7 +7 fresh (new)
5 5 0 idle (1 to 0 times)"
is "... of all that changed" "$(rows --threshold=0 old.cg new.cg | grep 'crc/128')" "2,000 2,001 +1 +0.05% crc/128"
is "... of NEW that is scaled" "$(sed 's/5000 400/10000 800/' new.cg | rows --normalise=Ir --threshold=0 old.cg - | grep 'crc')" \
	"2,000 1,001 -999 -49.95% crc/128
1,000 625 -375 -37.50% crc/64"
is "... of itself" "$(rows old.cg old.cg)" "-- Regions: 0 changed of 7, 0 new, 0 gone"
is "... turned round" "$(rows new.cg old.cg | grep -c '(new)\|(gone)')" 2
is "... compared with what has none" "$(profile 3 >none.cg; rows none.cg old.cg | grep -c '(new)') $(rows old.cg none.cg | grep -c '(gone)')" "7 7"

# What merge adds up is compared; costs of a region in two processes are one.
"$program" merge -q -o twice.cg old.cg new.cg
"$program" merge -q -o once.cg old.cg old.cg
is "of merged files" "$(rows --show=Dr once.cg twice.cg; rows once.cg twice.cg | grep 'sort')" \
	"-- Regions: 0 changed of 8, 1 new, 0 gone
OLD Dr NEW Dr change % region
0 7 +7 fresh (new)
0 0 0 gone/1 (2 to 1 times)
0 0 0 idle (2 to 1 times)
0 0 0 open (not over)
100 100 0 sort: <by name> (4 to 6 times)
1,000 1,500 +500 +50.00% sort: <by name> (4 to 6 times)"

# limits LINE...: what diff says about these limits, and its exit code.
limits() {
	printf '%s\n' "$@" >limits
	"$program" diff $verbose --limits=limits $old new.cg 2>&1 >/dev/null | grep -v ': reading'
	"$program" diff -q --limits=limits $old new.cg >report 2>&1
	echo "exit status $?"
}
verbose='' old=old.cg
is "limits that are kept" "$(limits 'region crc/128 Ir +1%' 'region empty Ir +0' 'region fresh Ir <=7' 'region fresh Ir +1%' 'region crc/64 Dr improve soft')" \
	"costgrind diff: warning: limits:5: region crc/64 Dr improve soft: crc/64: 310 to 310 (0.00%)
exit status 0"
is "... that are broken" "$(limits 'region crc/* Ir +1%' 'region "sort: <*" Ir +99%' 'region fresh Ir <=6')" \
	"costgrind diff: limits:1: broken: region crc/* Ir +1%: crc/64: 1,000 to 1,250 (+25.00%)
costgrind diff: limits:2: broken: region \"sort: <*\" Ir +99%: sort: <by name>: 500 to 1,000 (+100.00%)
costgrind diff: limits:3: broken: region fresh Ir <=6: fresh: 0 to 7
exit status 3"
is "... of what is gone" "$(limits 'region gone/* Ir +100%')" \
	"costgrind diff: limits:1: gone: region gone/* Ir +100%: gone/1 is gone
exit status 3"
is "... of what is not over, or was never entered, or is nowhere" "$(limits 'region open Ir +1%' 'region idle Ir +1%' 'region [io]* Ir +1%' 'region o* Ir +1%')" \
	"costgrind diff: limits:1: unmatched: region open Ir +1%: open is not over
costgrind diff: limits:2: unmatched: region idle Ir +1%: idle was never entered
costgrind diff: limits:3: unmatched: region [io]* Ir +1%: fits no region
costgrind diff: limits:4: unmatched: region o* Ir +1%: open is not over
exit status 3"
is "... and of several of these" "$(limits 'region * Ir +1%')" \
	"costgrind diff: limits:1: unmatched: region * Ir +1%: open is not over, and 1 more
exit status 3"
verbose=-v
sed 's/costs 2001/costs 2200/' new.cg >both.cg
mv both.cg new.cg
is "each that breaks one" "$(limits 'region crc/* Ir +1%')" \
	"costgrind diff: limits:1: broken: region crc/* Ir +1%: crc/64: 1,000 to 1,250 (+25.00%), and 1 more
costgrind diff: limits:1: also crc/128: 2,000 to 2,200 (+10.00%)
exit status 3"
verbose=''
is "without OLD" "$(printf '%s\n' 'region crc/64 Ir <=1000' 'region crc/* Ir +1%' >limits
	"$program" diff --save=x --against=x --baselines=base --limits=limits new.cg 2>&1 >/dev/null | grep limits; find base 2>/dev/null | wc -l)" \
	"costgrind diff: limits:1: broken: region crc/64 Ir <=1000: crc/64: 1,250 to 1,250 (0.00%)
0"
is "an event that they have not" "$(limits 'region crc/* D1mr +1%' | sed '$d')" \
	"costgrind diff: limits:1:14: expected an event of both profiles, or derived from them, found 'D1mr': it needs --cache-sim=yes"
head -n 150 regions_new.cg >cut.cg
is "of a profile that is cut short" "$(printf 'region empty Ir +0\n' >limits; "$program" diff --limits=limits regions_old.cg cut.cg 2>&1 >/dev/null | tail -n 1)" \
	"costgrind diff: limits:1: unmatched: region empty Ir +0: NEW is cut short"
is "for programs" "$(printf '%s\n' 'region crc/* Ir +1%' 'region gone/* Ir +1%' >limits
	"$program" diff -q --format=json --limits=limits old.cg new.cg 2>/dev/null | sed -n 's/^ *{"line": //p'
	"$program" diff -q --format=csv --limits=limits old.cg new.cg 2>/dev/null | grep '^limit')" \
	'1, "limit": "region crc/* Ir +1%", "state": "broken", "is_soft": false, "matched": 2, "gone": 0, "broken": 2, "worst": {"old": 1000, "new": 1250}, "region": "crc/64"},
2, "limit": "region gone/* Ir +1%", "state": "gone", "is_soft": false, "reason": "gone/1 is gone", "matched": 1, "gone": 1, "broken": 0}
limit,broken,,,crc/64,,1,Ir,1000,1250,250,,,,
limit,gone,,,,,2,Ir,,,,,,,'

done_testing
